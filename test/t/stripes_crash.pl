# Stripes when processes are killed, in prepared transactions, in unlogged
# tables, and in other tablespaces.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

my $node = PostgreSQL::Test::Cluster->new('crash');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nmax_prepared_transactions = 10\nallow_in_place_tablespaces = on\n");
$node->start;
make_tables($node, 'postgres');
my $facts = '3000 0 25 25 3000';
is(facts($node, 'postgres'), $facts, 'the tables are as they should be');

# Random changes, of which a process is killed in the midst.
for my $seed (21 .. 23)
{
	$node->safe_psql('postgres', "CREATE DATABASE dml$seed");
	my $dml = start_dml($node, "dml$seed", $seed, 2000);
	$node->poll_query_until("dml$seed", q{SELECT count(*) = 1 FROM pg_proc WHERE proname = 'check_all'});
	select undef, undef, undef, 2 + $seed % 3;
	# the session that has polled may still be there, and one of a parallel worker
	my $sessions = "FROM pg_stat_activity WHERE datname = 'dml$seed' AND backend_type = 'client backend'";
	$node->poll_query_until('postgres', "SELECT count(*) <= 1 $sessions");
	kill_backend($node, $node->safe_psql('postgres', "SELECT pid $sessions")) or diag(finish_dml($dml));
	unlike(finish_dml($dml), qr/differ|TRAP|damaged/, "random changes, seed $seed, killed");
	$node->start;
	is($node->safe_psql("dml$seed", 'SELECT check_all()'), '', 'after recovery both tables are the same');
	ok(indexes_sound($node, "dml$seed"), 'and the indexes sound');
	$node->safe_psql("dml$seed", q{SELECT colj_compact('t')});
	is($node->safe_psql("dml$seed", 'SELECT check_all()'), '', 'also after a compaction');
	$node->safe_psql('postgres', "DROP DATABASE dml$seed WITH (FORCE)");
}

# A compaction that never commits, on disk and in the log.
my $stripes = q{SELECT count(*) FROM t WHERE ctid >= '(2147483648,0)'};
my $before = $node->safe_psql('postgres', $stripes);
my $session = session($node, 'postgres');
$session->query(q{BEGIN; SELECT colj_compact('t')});
my $taken = $session->query(q{SELECT max((ctid::text::point)[0]::bigint) FROM t WHERE v = 'hot'});
my $pid = $session->query('SELECT pg_backend_pid()');
$node->safe_psql('postgres', 'CHECKPOINT');
kill_backend($node, $pid);
$session->quit;
$node->start;
is($node->safe_psql('postgres', $stripes), $before, 'a compaction that was killed has moved nothing');
is(facts($node, 'postgres'), $facts, 'and all rows are there');
$node->safe_psql('postgres', q{SELECT colj_compact('t')});
cmp_ok($node->safe_psql('postgres', q{SELECT min((ctid::text::point)[0]::bigint) FROM t WHERE v = 'hot'}), '>', $taken,
	'the next one takes other row numbers');
is(facts($node, 'postgres'), $facts, 'and moves the rows');
ok(indexes_sound($node, 'postgres'), 'the indexes are sound');
# the same, with the postmaster killed before anything but the log is written
$node->safe_psql('postgres', q{INSERT INTO t SELECT g, NULL, 'late' FROM generate_series(4001, 4010) g; INSERT INTO m SELECT * FROM t WHERE v = 'late'});
$node->safe_psql('postgres', q{SELECT colj_compact('t')});
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', $stripes), 3010, 'a compaction that has committed stays');
is(facts($node, 'postgres'), '3010 0 25 25 3010', 'with all rows');

# Prepared transactions keep locks and changes of rows in stripes.
my $try = q{SET lock_timeout = '100ms'; UPDATE t SET v = v WHERE id = %d};
for my $stop ('fast', 'immediate')
{
	$node->safe_psql('postgres', q{
		BEGIN; DELETE FROM t WHERE id = 1; UPDATE t SET v = 'prepared' WHERE id = 2; PREPARE TRANSACTION 'commits';
		BEGIN; DELETE FROM t WHERE id = 3; UPDATE t SET v = 'prepared' WHERE id = 4; PREPARE TRANSACTION 'rolls back';
		BEGIN; SELECT FROM t WHERE id = 5 FOR KEY SHARE; PREPARE TRANSACTION 'locks'});
	$node->stop($stop);
	$node->start;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM t WHERE id BETWEEN 1 AND 5'), 5, "prepared transactions are open after a stop ($stop)");
	for my $id (1 .. 4)
	{
		my ($status, $out, $err) = $node->psql('postgres', sprintf $try, $id);
		like($err, qr/lock timeout/, "row $id is locked");
	}
	my ($status, $out, $err) = $node->psql('postgres', q{SET lock_timeout = '100ms'; DELETE FROM t WHERE id = 5});
	like($err, qr/lock timeout/, 'row 5 cannot be deleted');
	$node->safe_psql('postgres', q{COMMIT PREPARED 'commits'; ROLLBACK PREPARED 'rolls back'; COMMIT PREPARED 'locks'});
	is($node->safe_psql('postgres', 'SELECT id, v FROM t WHERE id BETWEEN 1 AND 5 ORDER BY id'),
		"2|prepared\n3|v3\n4|v4\n5|v5", 'they end as they are told to');
	$node->safe_psql('postgres', q{INSERT INTO t SELECT * FROM m WHERE id = 1; UPDATE t SET v = 'v2' WHERE id = 2});
	$node->safe_psql('postgres', q{SELECT colj_compact('t')});
	is(facts($node, 'postgres'), '3010 0 25 25 3010', 'and rows that were put back move');
}
# a compaction that is prepared
$node->safe_psql('postgres', q{UPDATE t SET v = v WHERE id < 100});
my $hot = $node->safe_psql('postgres', $stripes);
$node->safe_psql('postgres', q{BEGIN; SELECT colj_compact('t'); PREPARE TRANSACTION 'compaction'});
$node->stop('immediate');
$node->start;
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'compaction'});
is($node->safe_psql('postgres', $stripes), $hot, 'a prepared compaction can be rolled back');
$node->safe_psql('postgres', q{BEGIN; SELECT colj_compact('t'); PREPARE TRANSACTION 'compaction'});
$node->stop('immediate');
$node->start;
$node->safe_psql('postgres', q{COMMIT PREPARED 'compaction'});
is($node->safe_psql('postgres', $stripes), 3010, 'or committed');
is(facts($node, 'postgres'), '3010 0 25 25 3010', 'with all rows');

# An unlogged table: whole after a clean stop, empty after a crash.
$node->safe_psql('postgres', 'CREATE DATABASE unlogged');
make_tables($node, 'unlogged', 'UNLOGGED');
$node->stop('fast');
$node->start;
is(facts($node, 'unlogged'), $facts, 'an unlogged table after a clean stop');
$node->stop('immediate');
$node->start;
$node->safe_psql('unlogged', 'TRUNCATE m');
is(facts($node, 'unlogged'), '0 0 0 0 0', 'and after a crash');
$node->safe_psql('unlogged', q{INSERT INTO t SELECT g, NULL, 'new' FROM generate_series(1, 10) g; INSERT INTO m TABLE t});
$node->safe_psql('unlogged', q{SELECT colj_compact('t')});
is($node->safe_psql('unlogged', $stripes), 10, 'then it has stripes again');
is(facts($node, 'unlogged'), '10 0 0 0 10', 'and rows');
ok(indexes_sound($node, 'unlogged'), 'and sound indexes');
$node->safe_psql('unlogged', q{ALTER TABLE t SET LOGGED});
$node->stop('immediate');
$node->start;
is(facts($node, 'unlogged'), '10 0 0 0 10', 'SET LOGGED keeps them');

# Tablespaces; also what a transaction writes that has made the file.
$node->safe_psql('postgres', q{CREATE TABLESPACE other LOCATION ''});
my $toast = toast_of($node, 'postgres', 't');
$node->safe_psql('postgres', q{ALTER TABLE t SET TABLESPACE other; ALTER INDEX t_pkey SET TABLESPACE other});
like(relfile($node, 'postgres', $toast), qr/pg_tblspc/, 'stripes go to another tablespace');
is(facts($node, 'postgres'), '3010 0 25 25 3010', 'with all rows');
$node->safe_psql('postgres', q{UPDATE t SET v = v WHERE id BETWEEN 500 AND 700});
$node->safe_psql('postgres', q{BEGIN; ALTER TABLE t SET TABLESPACE pg_default; SELECT colj_compact('t'); COMMIT});
$node->stop('immediate');
$node->start;
unlike(relfile($node, 'postgres', $toast), qr/pg_tblspc/, 'and back');
is($node->safe_psql('postgres', $stripes), 3010, 'in the same transaction rows have moved');
is(facts($node, 'postgres'), '3010 0 25 25 3010', 'and are there after a crash');
ok(indexes_sound($node, 'postgres'), 'the indexes are sound');
$node->safe_psql('postgres', 'CREATE DATABASE d2 TABLESPACE other');
make_tables($node, 'd2');
$node->safe_psql('postgres', 'ALTER DATABASE d2 SET TABLESPACE pg_default');
is(facts($node, 'd2'), $facts, 'a database that goes to another tablespace');
$node->safe_psql('postgres', 'CREATE DATABASE d3 TEMPLATE d2');
is(facts($node, 'd3'), $facts, 'and one that is copied');
$node->stop;

done_testing();
