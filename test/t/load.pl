# A load that has not stored its rows yet, beside other sessions: they wait for
# it where its index entries say so.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

my $node = PostgreSQL::Test::Cluster->new('loading');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\ncolj.direct_load_min_rows = 1\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION colj');

# COPY is fed through a pipe, so that it stops where it is told to.
sub start_copy
{
	my ($in) = @_;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start(['psql', '-X', '-q', '-d', $node->connstr('postgres'), '-v', 'ON_ERROR_STOP=1',
		'-c', 'COPY t FROM stdin'], '<', $in, '>', \$out, '2>', \$err, IPC::Run::timeout(180));
	return ($run, \$err);
}

for my $ends (0, 1)
{
	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, v text) USING colj');
	my $lines = join '', map { "$_\tloaded row $_\n" } 1 .. 3000;
	my ($copy, $error) = start_copy(\$lines);
	$copy->pump_nb until $lines eq '';

	# a batch of 1000 rows, and their index entries, are in; the rest is to come
	ok($node->poll_query_until('postgres', 'SELECT pg_relation_size(\'t_pkey\') >= 4 * 8192'), 'rows are in the index');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM t'), 0, 'nobody sees them');
	is($node->safe_psql('postgres', q{SELECT stripes FROM colj_table_stats('t')}), 0, 'nor are they in a stripe');

	my ($out, $err) = ('', '');
	my $insert = IPC::Run::start(['psql', '-X', '-q', '-d', $node->connstr('postgres'), '-c', "INSERT INTO t VALUES (7, 'other')"],
		'>', \$out, '2>', \$err, IPC::Run::timeout(180));
	ok($node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'transactionid' AND query LIKE 'INSERT%'"),
		'an insert of the same key waits');
	$node->safe_psql('postgres', 'VACUUM t');
	$lines = $ends ? "3001\tlast\n" : "not a number\n";
	$copy->pump_nb until $lines eq '';
	$copy->finish;
	$insert->finish;
	if ($ends)
	{
		like($err, qr/duplicate key value/, 'and fails after a commit');
		is($node->safe_psql('postgres', 'SELECT count(*), min(v) FROM t'), '3001|last', 'the loaded rows are there');
		is($node->safe_psql('postgres', q{SET enable_seqscan = off; SELECT v FROM t WHERE id = 7}), 'loaded row 7', 'by the index, too');
	}
	else
	{
		like($$error, qr/invalid input syntax/, 'the load fails');
		is($err, '', 'then the insert succeeds');
		is($node->safe_psql('postgres', 'SELECT id, v FROM t'), '7|other', 'and is alone');
	}
	is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('t')}), '', 'the check finds nothing');
}

# Serializable transactions: one loads a table, of which the other has seen
# nothing yet, and has seen nothing of what the other inserts.
for my $case (['an index', 1, 'SELECT count(*) FROM t WHERE id = 7', 'PRIMARY KEY'],
	['a bitmap', 1, 'SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; SELECT count(*) FROM t WHERE id = 7', 'PRIMARY KEY'],
	['a scan', 1, 'SELECT count(*) FROM t', ''],
	['a scan while rows are held', 100000, 'SELECT count(*) FROM t', ''])
{
	my ($name, $min_rows, $look, $key) = @$case;
	$node->safe_psql('postgres', "DROP TABLE IF EXISTS t, other; CREATE TABLE other (n int);
		CREATE TABLE t (id int $key, v text) USING colj");
	my ($loader, $reader) = (session($node, 'postgres'), session($node, 'postgres'));
	$loader->query("SET colj.direct_load_min_rows = $min_rows");
	is($loader->query('BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM other'), 0, "$name: the loader reads");
	$loader->send(join "\n", 'COPY t FROM stdin;', map { "$_\tloaded row $_" } 1 .. 2500);
	ok($node->poll_query_until('postgres', 'SELECT sum(tuples_processed) >= 2000 FROM pg_stat_progress_copy'), 'loads');
	like($reader->query("SET enable_seqscan = off; BEGIN ISOLATION LEVEL SERIALIZABLE; $look"), qr/^0$/m, 'the reader finds nothing');
	is($reader->query('INSERT INTO other VALUES (1)'), '', 'and writes');
	$loader->send('\\.');
	my $ends = $loader->query('COMMIT') . $reader->query('COMMIT');
	like($ends, qr/could not serialize access/, 'one of them fails');
	$loader->quit;
	$reader->quit;
}

# Crashes: what was loaded is there or not.
$node->safe_psql('postgres', q{CREATE TABLE s (id int PRIMARY KEY) USING colj});
$node->safe_psql('postgres', q{COPY s FROM PROGRAM 'seq 5000'});
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', 'SELECT count(*), sum(id) FROM s'), '5000|12502500', 'after a crash');
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('s')}), '', 'undamaged');

done_testing();
