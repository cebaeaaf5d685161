# Logical replication between tables with stripes: the first copy, which is
# loaded into stripes, partitions, row filters, large and prepared transactions,
# TRUNCATE.  (What single changes decode as is in decoding.pl.)
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %settings = (
	publisher => "autovacuum = off\nlogical_decoding_work_mem = 64kB\n",
	subscriber => "wal_level = replica\nautovacuum_naptime = 1s\ncolj.compact_min_rows = 1\ncolj.direct_load_min_rows = 1\n");
my %node;
for my $name (sort keys %settings)
{
	my $node = $node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', "max_prepared_transactions = 5\n$settings{$name}");
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION colj;
		CREATE TABLE t (id int PRIMARY KEY, v text, doc colj) USING colj;
		CREATE TABLE f (id int, v text, doc colj) USING colj;
		ALTER TABLE f REPLICA IDENTITY FULL;
		CREATE TABLE part (k int PRIMARY KEY, v text) PARTITION BY RANGE (k);
		CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (0) TO (100) USING colj;
		CREATE TABLE part2 PARTITION OF part FOR VALUES FROM (100) TO (200) USING colj;
		CREATE TABLE chosen (id int PRIMARY KEY, a int, b text) USING colj;});
}
my ($publisher, $subscriber) = @node{'publisher', 'subscriber'};

# The subscriber has what the publisher has, of "chosen" a part.
sub compare
{
	my ($name) = @_;
	$publisher->wait_for_catchup('s');
	for my $table ('t', 'f', 'part')
	{
		my $sql = "SELECT count(*), md5(string_agg($table\::text, ',' ORDER BY $table\::text)) FROM $table";
		is($subscriber->safe_psql('postgres', $sql), $publisher->safe_psql('postgres', $sql), "$name: $table");
	}
	is($subscriber->safe_psql('postgres', 'SELECT count(*), sum(id), sum(a), count(b) FROM chosen'),
		$publisher->safe_psql('postgres', 'SELECT count(*), sum(id), sum(a), 0 FROM chosen WHERE id % 2 = 0'), "$name: chosen");
}

$publisher->safe_psql('postgres', q{
	INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(1, 1000) g;
	INSERT INTO f TABLE t;
	INSERT INTO part SELECT g, 'p' FROM generate_series(0, 198, 2) g;
	INSERT INTO chosen SELECT g, g % 10, 'b' FROM generate_series(1, 100) g});
my $compact = q{SELECT colj_compact(x) FROM unnest('{t,f,part1,part2,chosen}'::regclass[]) x};
$publisher->safe_psql('postgres', $compact);
$publisher->safe_psql('postgres', q{
	INSERT INTO t SELECT g, 'hot' FROM generate_series(1001, 1100) g;
	DELETE FROM t WHERE id % 50 = 0;
	UPDATE f SET v = 'u' WHERE id % 50 = 0;
	CREATE PUBLICATION p FOR TABLE t, f, part, chosen (id, a) WHERE (id % 2 = 0) WITH (publish_via_partition_root = true)});
$subscriber->safe_psql('postgres', 'CREATE SUBSCRIPTION s CONNECTION $$' . $publisher->connstr('postgres')
	. '$$ PUBLICATION p WITH (streaming = on, two_phase = on)');
$subscriber->wait_for_subscription_sync($publisher, 's');
compare('the first copy');
cmp_ok($subscriber->safe_psql('postgres', q{SELECT column_store_rows FROM colj_table_stats('t')}), '>', 0, 'it is in stripes');

$publisher->safe_psql('postgres', q{
	UPDATE t SET v = 'new' WHERE id % 3 = 0;
	DELETE FROM t WHERE id % 7 = 0;
	UPDATE f SET v = 'new' WHERE id % 3 = 0;
	DELETE FROM f WHERE id % 7 = 0;
	UPDATE part SET k = k + 101 WHERE k < 5;
	UPDATE part SET k = k - 101 WHERE k BETWEEN 120 AND 130;
	DELETE FROM part WHERE k IN (6, 150);
	UPDATE chosen SET a = a + 1 WHERE id % 4 = 0;
	UPDATE chosen SET id = id + 1001 WHERE id % 10 = 2;
	UPDATE chosen SET id = id + 2001 WHERE id % 10 = 3;
	DELETE FROM chosen WHERE id = 40});
compare('changes');
ok($subscriber->poll_query_until('postgres', q{SELECT row_store_rows < 100 FROM colj_table_stats('t')}), 'the subscriber compacts');
$publisher->safe_psql('postgres', $compact);
$publisher->safe_psql('postgres', q{
	BEGIN;
	UPDATE t SET doc = doc || '{"more": 1}', v = repeat('x', 200);
	UPDATE f SET doc = doc || '{"more": 1}';
	SAVEPOINT s;
	DELETE FROM t WHERE id < 500;
	ROLLBACK TO s;
	DELETE FROM f WHERE id BETWEEN 200 AND 250;
	COMMIT});
compare('a large transaction');
$publisher->safe_psql('postgres', q{
	BEGIN;
	DELETE FROM t WHERE id BETWEEN 300 AND 400;
	UPDATE f SET v = 'prepared' WHERE id < 50;
	PREPARE TRANSACTION 'p'});
$publisher->safe_psql('postgres', $compact);
$publisher->safe_psql('postgres', q{COMMIT PREPARED 'p'});
compare('a prepared transaction');
$publisher->safe_psql('postgres', q{
	TRUNCATE part, f;
	INSERT INTO part VALUES (1, 'a'), (150, 'b');
	COPY f FROM PROGRAM 'printf "1\ta\t{}\n2\tb\t\\\\N\n"'});
compare('TRUNCATE');
is($subscriber->safe_psql('postgres', q{SELECT problem FROM unnest('{t,f,chosen}'::regclass[]) x, colj_check(x)}), '', 'the check finds nothing');

$subscriber->stop;
$publisher->stop;
done_testing();
