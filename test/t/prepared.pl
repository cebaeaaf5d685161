# Two-phase commit: what prepared transactions have done to rows of stripes, and
# the locks that they hold, survive a crash.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('node');
$node->init;
$node->append_conf('postgresql.conf', "max_prepared_transactions = 10\nautovacuum = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION colj;
	CREATE TABLE t (id int PRIMARY KEY, v text) USING colj;
	CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES t) USING colj;
	INSERT INTO t SELECT g, 'v' || g FROM generate_series(1, 10) g;});
$node->safe_psql('postgres', q{SELECT colj_compact('t')});

my %work = (
	changes => q{UPDATE t SET v = 'changed' WHERE id = 1; UPDATE t SET id = 20 WHERE id = 2; DELETE FROM t WHERE id = 3;
		SAVEPOINT s; DELETE FROM t WHERE id = 4; ROLLBACK TO s},
	undone => q{UPDATE t SET v = 'undone' WHERE id = 5; DELETE FROM t WHERE id = 6},
	locks => q{SELECT FROM t WHERE id = 7 FOR UPDATE; SELECT FROM t WHERE id = 8 FOR KEY SHARE},
	child => q{INSERT INTO child VALUES (1, 9)});
$node->safe_psql('postgres', "BEGIN; $work{$_}; PREPARE TRANSACTION '$_'") for sort keys %work;

# Beside FOR KEY SHARE the row may be updated, and the new version is locked.
$node->safe_psql('postgres', q{UPDATE t SET v = 'beside' WHERE id IN (8, 9)});

sub free
{
	my ($mode) = @_;
	return $node->safe_psql('postgres', "SELECT id FROM t ORDER BY id FOR $mode SKIP LOCKED") =~ s/\n/ /gr;
}

for my $when ('before', 'after')
{
	is($node->safe_psql('postgres', q{SELECT string_agg(id || ' ' || v, ', ' ORDER BY id) FROM t}),
		'1 v1, 2 v2, 3 v3, 4 v4, 5 v5, 6 v6, 7 v7, 8 beside, 9 beside, 10 v10', "rows $when a crash");
	is(free('UPDATE'), '4 10', "locks $when a crash");
	is(free('NO KEY UPDATE'), '4 8 9 10', "weaker ones $when a crash");
	is(free('KEY SHARE'), '1 4 5 8 9 10', "the weakest $when a crash");
	next if $when eq 'after';
	$node->stop('immediate');
	$node->start;
}

$node->safe_psql('postgres', "COMMIT PREPARED 'changes'");
$node->safe_psql('postgres', "ROLLBACK PREPARED 'undone'");
$node->safe_psql('postgres', "COMMIT PREPARED '$_'") for 'locks', 'child';
is(free('UPDATE'), '1 4 5 6 7 8 9 10 20', 'all locks are gone');
is($node->safe_psql('postgres', q{SELECT string_agg(id || ' ' || v, ', ' ORDER BY id) FROM t}),
	'1 changed, 4 v4, 5 v5, 6 v6, 7 v7, 8 beside, 9 beside, 10 v10, 20 v2', 'rows in the end');
my ($status) = $node->psql('postgres', 'DELETE FROM t WHERE id = 9');
isnt($status, 0, 'the prepared child has its parent');
$node->safe_psql('postgres', q{SET enable_seqscan = off; DELETE FROM t WHERE id <> 9});
is($node->safe_psql('postgres', q{SELECT colj_compact('t')}), 1, 'what is left is cold');

# Bulk loads: rows wait for the end, and so does who inserts the same keys.
my $load = sub { "SET colj.direct_load_min_rows = 1; COPY big (id) FROM PROGRAM 'seq $_[0]'" };
$node->safe_psql('postgres', 'CREATE TABLE big (id int PRIMARY KEY, v text) USING colj; ' . $load->('1 100'));
$node->safe_psql('postgres', 'BEGIN; ' . $load->('1000 1300') . '; SAVEPOINT s; ' . $load->('2000 2300')
	. q{; DELETE FROM big WHERE id IN (3, 1006, 2006); ROLLBACK TO s; UPDATE big SET v = 'changed' WHERE id IN (1, 1007);
	DELETE FROM big WHERE id IN (5, 1008); PREPARE TRANSACTION 'load'});
$node->safe_psql('postgres', 'BEGIN; ' . $load->('3000 3300') . q{; DELETE FROM big WHERE id IN (50, 3005); PREPARE TRANSACTION 'undone'});
my $upkeep = q{VACUUM (INDEX_CLEANUP ON) big; SELECT colj_compact('big')};
for my $when ('before', 'after')
{
	$node->safe_psql('postgres', $upkeep);
	for my $id (1100, 3100)
	{
		my (undef, undef, $error) = $node->psql('postgres', "SET lock_timeout = '100ms'; INSERT INTO big VALUES ($id)");
		like($error, qr/lock timeout/, "a key that is being loaded, $when a crash");
	}
	is($node->safe_psql('postgres', 'SELECT count(*), count(v) FROM big'), '100|0', "nothing is loaded yet $when a crash");
	next if $when eq 'after';
	$node->stop('immediate');
	$node->start;
}
$node->safe_psql('postgres', q{COMMIT PREPARED 'load'});
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'undone'});
$node->safe_psql('postgres', 'INSERT INTO big VALUES (2005), (3100)');
for my $when ('before', 'after')
{
	is($node->safe_psql('postgres', 'SELECT count(*), sum(id), count(v) FROM big'), '401|355292|2', "loaded rows $when VACUUM");
	is($node->safe_psql('postgres', 'SET enable_seqscan = off; SELECT count(*) FROM big WHERE id > 0'), 401, "by the index, $when VACUUM");
	is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('big')}), '', "nothing is wrong $when VACUUM");
	$node->safe_psql('postgres', "$upkeep; $upkeep");
}

$node->stop;
done_testing();
