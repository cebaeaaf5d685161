# VACUUM FULL and CLUSTER: chunk_ids, crashes with little and with full WAL, a
# standby, and being killed.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

my $node = PostgreSQL::Test::Cluster->new('full');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\ncolj.compact_min_rows = 1\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION colj');

# TOAST values keep their chunk_ids when they are copied, so a stripe that is
# written before must not take one of those.  Here the counter of OIDs is put
# back to where the values are.
$node->safe_psql('postgres', q{
	CREATE TABLE v (id int, big text) USING colj;
	ALTER TABLE v ALTER big SET STORAGE EXTERNAL;
	INSERT INTO v SELECT g, md5(g::text) FROM generate_series(201, 1000) g;
	INSERT INTO v SELECT g, repeat(md5(g::text), 100) FROM generate_series(1, 200) g});
my $toast = toast_of($node, 'postgres', 'v');
my ($first, $last) = split /\|/, $node->safe_psql('postgres', "SELECT min(chunk_id), max(chunk_id) FROM $toast");
is($last - $first, 199, 'values have successive chunk_ids');
$node->stop;
command_ok(['pg_resetwal', '-o', $first, $node->data_dir], 'put the OID counter back');
$node->start;
my $old = session($node, 'postgres');
$old->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
my $content = 'SELECT count(*), md5(string_agg(md5(big), NULL ORDER BY id)) FROM v';
my $before = $node->safe_psql('postgres', $content);
$node->safe_psql('postgres', 'DELETE FROM v WHERE id <= 200');
$node->safe_psql('postgres', 'SET colj.stripe_rows = 100; VACUUM FULL v');
my $taken = $node->safe_psql('postgres', "SELECT min(chunk_id) > $last FROM $toast WHERE chunk_id > 16384 AND chunk_id NOT BETWEEN $first AND $last");
is($taken, 't', 'the stripes have others');
is($old->query($content), $before, 'an old snapshot sees all values');
$old->query('COMMIT');
$old->quit;
is($node->safe_psql('postgres', "SELECT count(*), count(*) FILTER (WHERE md5(id::text) = big) FROM v"), '800|800', 'so do others');

# On a standby, and after a crash.
make_tables($node, 'postgres');
my $facts = '3000 0 25 25 3000';
my $stored = q{SELECT row_store_rows, column_store_rows, deleted_rows FROM colj_table_stats('t')};
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->safe_psql('postgres', 'VACUUM FULL t');
is($node->safe_psql('postgres', $stored), '0|3000|0', 'all rows are in stripes');
$node->wait_for_catchup($standby);
is(facts($standby, 'postgres'), $facts, 'the standby has all rows');
is($standby->safe_psql('postgres', "SELECT problem FROM colj_check('t')"), '', 'and sound stripes');
$node->safe_psql('postgres', 'CHECKPOINT');
$node->safe_psql('postgres', 'CLUSTER t USING t_pkey');
$node->stop('immediate');
$node->start;
is(facts($node, 'postgres'), $facts, 'after a crash all rows are there');
is($node->safe_psql('postgres', $stored), '0|3000|0', 'in stripes');
$standby->stop;

# Killed before it is done: nothing has happened.
$node->safe_psql('postgres', 'DELETE FROM t WHERE id < 100; DELETE FROM m WHERE id < 100');
$facts = '2902 0 24 24 2902';
for my $statement ('VACUUM FULL t', 'CLUSTER t USING t_v')
{
	$node->safe_psql('postgres', q{
		CREATE OR REPLACE FUNCTION wait_once(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
			$$ BEGIN IF current_setting('my.wait', true) = 'on' THEN PERFORM pg_sleep(600); END IF; RETURN id; END $$;
		CREATE INDEX IF NOT EXISTS t_wait ON t (wait_once(id))});
	my $session = session($node, 'postgres');
	my $pid = $session->query('SET my.wait = on; SELECT pg_backend_pid()');
	$session->send("$statement;");
	# the new table is complete, and its indexes are being built
	$node->poll_query_until('postgres', "SELECT phase = 'rebuilding index' AND count(*) > 0 FROM pg_stat_progress_cluster c
		JOIN pg_stat_activity a USING (pid) WHERE wait_event = 'PgSleep' GROUP BY phase");
	$node->safe_psql('postgres', 'CHECKPOINT');
	kill_backend($node, $pid);
	$session->quit;
	$node->start;
	is(facts($node, 'postgres'), $facts, "$statement, killed: all rows are there");
	is($node->safe_psql('postgres', $stored), '0|2902|98', 'as they were');
	ok(indexes_sound($node, 'postgres'), 'the indexes are sound');
	$node->safe_psql('postgres', 'DROP INDEX t_wait');
}

# With minimal WAL new files are not logged, but synced at commit.
$node->append_conf('postgresql.conf', "wal_level = minimal\nmax_wal_senders = 0\nwal_skip_threshold = 0\n");
$node->restart;
$node->safe_psql('postgres', 'VACUUM FULL t');
$node->stop('immediate');
$node->start;
is(facts($node, 'postgres'), $facts, 'minimal WAL: after a crash all rows are there');
is($node->safe_psql('postgres', $stored), '0|2902|0', 'in stripes');
$node->safe_psql('postgres', q{
	BEGIN;
	DELETE FROM t WHERE id > 4000;
	CLUSTER t USING t_v;
	INSERT INTO t VALUES (4001, NULL, 'new');
	UPDATE t SET v = 'changed' WHERE id = 101;
	DELETE FROM t WHERE id = 102;
	COMMIT;
	INSERT INTO m VALUES (4001, NULL, 'new');
	UPDATE m SET v = 'changed' WHERE id = 101;
	DELETE FROM m WHERE id = 102});
$node->stop('immediate');
$node->start;
is(facts($node, 'postgres'), '2902 0 24 25 2902', 'also with changes in the same transaction');
ok(indexes_sound($node, 'postgres'), 'the indexes are sound');

done_testing();
