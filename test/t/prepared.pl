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

$node->stop;
done_testing();
