# Compaction by autovacuum, what VACUUM VERBOSE says, and those who interrupt.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum_naptime = 1s\nautovacuum_vacuum_insert_threshold = 100\n"
	. "autovacuum_vacuum_insert_scale_factor = 0\ncolj.compact_min_rows = 100\n"
	# autovacuum does not care
	. "default_transaction_isolation = 'serializable'\n");
$node->start;

my $in_stripes = q{SELECT count(*) FROM t WHERE ctid >= '(2147483648,0)'};
$node->safe_psql('postgres', q{
	CREATE EXTENSION colj;
	CREATE TABLE t (id int PRIMARY KEY, doc colj) USING colj;
	INSERT INTO t SELECT g, jsonb_build_object('k', g) FROM generate_series(1, 5000) g;});
ok($node->poll_query_until('postgres', "SELECT ($in_stripes) = 5000"), 'autovacuum compacts');
is($node->safe_psql('postgres', q{SELECT sum((doc->>'k')::int) FROM t}), '12502500', 'all rows are there');

# dead rows of stripes call for it as those of a heap do
my $toast = $node->safe_psql('postgres', q{SELECT reltoastrelid::regclass FROM pg_class WHERE relname = 't'});
my $proxies = "SELECT count(*) FROM $toast WHERE chunk_id BETWEEN 4096 AND 16383";
$node->safe_psql('postgres', q{CREATE TABLE kept AS TABLE t; DELETE FROM t WHERE id <= 2000});
is($node->safe_psql('postgres', $proxies), '2000', 'deleted rows have proxies');
ok($node->poll_query_until('postgres', "SELECT ($proxies) = 0"), 'autovacuum reaps them');
ok($node->poll_query_until('postgres', q{SELECT n_live_tup = 3000 AND n_dead_tup = 0 FROM pg_stat_user_tables WHERE relname = 't'}),
	'live and dead rows are counted');
is($node->safe_psql('postgres', q{SELECT reltuples FROM pg_class WHERE relname = 't'}), '3000', 'reltuples is of both stores');
$node->safe_psql('postgres', q{INSERT INTO t SELECT * FROM kept WHERE id <= 2000});
ok($node->poll_query_until('postgres', "SELECT ($in_stripes) = 5000"), 'autovacuum compacts again');

# by hand from here on
$node->append_conf('postgresql.conf', "autovacuum = off\ndefault_transaction_isolation = 'read committed'");
$node->reload;
$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'});
$node->safe_psql('postgres', q{INSERT INTO t SELECT g, jsonb_build_object('k', g) FROM generate_series(5001, 6000) g});
my (undef, undef, $said) = $node->psql('postgres', 'VACUUM (VERBOSE) t');
like($said, qr/INFO:  compacted "postgres\.public\.t": 1000 rows moved into 1 stripes of \d+ bytes/, 'VERBOSE says it');
$node->safe_psql('postgres', q{
	CREATE TABLE reaped (id int PRIMARY KEY) USING colj;
	INSERT INTO reaped SELECT generate_series(1, 1000);
	SELECT colj_compact('reaped');
	DELETE FROM reaped WHERE id % 2 = 0;});
(undef, undef, $said) = $node->psql('postgres', 'VACUUM (VERBOSE) reaped');
like($said, qr/INFO:  index "reaped_pkey": removed 500 entries of dead rows of stripes, 500 remain/, 'and what was removed from indexes');
like($said, qr/INFO:  removed dead rows of stripes of "postgres\.public\.reaped" from indexes: 500 rows, 0 unused row numbers, 500 index entries/,
	'of all of them');
like($said, qr/INFO:  merged stripes of "postgres\.public\.reaped": 1 stripes of \d+ bytes became 1 stripes of \d+ bytes/, 'and what was thinned');

# the heap's part of VACUUM stays when compaction is cancelled
$node->safe_psql('postgres', q{
	CREATE FUNCTION slow(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
	BEGIN
		IF current_setting('application_name') = 'slow' AND $1 = 6002 THEN
			PERFORM pg_sleep(60);
		END IF;
		RETURN $1;
	END $$;
	CREATE INDEX t_slow ON t (slow(id));
	INSERT INTO t SELECT g, NULL FROM generate_series(6001, 6400) g;
	DELETE FROM t WHERE id > 6200;});
my $slow = $node->background_psql('postgres', on_error_stop => 0);
$slow->query_until(qr/begun/, qq{SET application_name = 'slow';\n\\echo begun\nVACUUM t;\n\\echo ended\n});
ok($node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_progress_vacuum
	WHERE relid = 't'::regclass AND phase = 'scanning heap' AND heap_blks_total > 0 AND heap_blks_scanned <= heap_blks_total}),
	'progress is reported');
# readers and writers go on meanwhile
is($node->safe_psql('postgres', 'SELECT count(*) FROM t WHERE id > 6000'), '200', 'others read');
is($node->safe_psql('postgres', 'UPDATE t SET doc = \'1\' WHERE id = 6100 RETURNING id'), '6100', 'others write');
is($node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_progress_vacuum}), 't', 'cancelled');
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_progress_vacuum}), 'it ends');
is($node->safe_psql('postgres', $in_stripes), '6000', 'compaction has not been');
is($node->safe_psql('postgres', q{SELECT n_dead_tup < 200 FROM pg_stat_user_tables WHERE relname = 't'}), 't', 'heap has been vacuumed');
$slow->quit;

# a compaction that somebody waits for ends early
$node->safe_psql('postgres', q{CREATE OR REPLACE FUNCTION slow(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
	BEGIN
		IF current_setting('application_name') = 'slow' THEN
			PERFORM pg_sleep(0.05);
		END IF;
		RETURN $1;
	END $$;});
$slow = $node->background_psql('postgres', on_error_stop => 0);
$slow->query_until(qr/begun/, qq{SET application_name = 'slow';\n\\echo begun\nVACUUM (VERBOSE) t;\n});
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
	WHERE a.application_name = 'slow' AND l.locktype = 'transactionid'});
is($node->safe_psql('postgres', q{UPDATE t SET doc = '2' WHERE id = 6001 RETURNING id}), '6001', 'who waits gets its row');
$slow->quit;
cmp_ok($node->safe_psql('postgres', $in_stripes), '<', 6190, 'compaction has ended early');
is($node->safe_psql('postgres', q{SELECT count(*), count(DISTINCT id) FROM t}), '6200|6200', 'all rows are there once');

$node->stop;
done_testing();
