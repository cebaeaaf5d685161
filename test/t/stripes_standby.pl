# Stripes on a physical standby: a base backup that is taken while rows change
# and move, reading beside replay, snapshots older than a compaction, and
# promotion.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

# How long replay waits for readers.
sub set_delay
{
	my ($standby, $delay) = @_;
	$standby->safe_psql('postgres', "ALTER SYSTEM SET max_standby_streaming_delay = $delay");
	$standby->reload;
	$standby->poll_query_until('postgres', "SELECT current_setting('max_standby_streaming_delay') = '$delay'");
}

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "wal_level = replica\nautovacuum = off\njit = off\n");
$node->start;
make_tables($node, 'postgres');
my $facts = facts($node, 'postgres');
is($facts, '3000 0 25 25 3000', 'the tables are as they should be');

# A base backup in the midst of random changes, and checks beside their replay.
$node->safe_psql('postgres', 'CREATE DATABASE dml');
my $dml = start_dml($node, 'dml', 11, 500);
$node->poll_query_until('dml', q{SELECT count(*) > 0 FROM pg_class WHERE relname = 't_k'});
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "hot_standby_feedback = off\nmax_standby_streaming_delay = 1s\n");
$standby->start;
my ($checks, $failures) = (0, '');
while ($dml->{run}->pumpable && ${$dml->{log}} !~ /done|ERROR/)
{
	# replay stops at any point, and readers do not wait for locks that it holds
	my ($status, $out, $err) = $standby->psql('dml', q{SET lock_timeout = '100ms'; SELECT pg_wal_replay_pause();
		SELECT check_all()});
	until ($standby->psql('dml', 'SELECT pg_wal_replay_resume()') == 0)
	{
		# in the way of replay itself
	}
	$checks++ if $status == 0;
	# the function comes after the tables
	$failures .= $err if $status != 0 && $err !~ /function check_all\(\) does not exist|lock timeout|conflict with recovery/;
	$dml->{run}->pump_nb;
}
is((split /\n/, finish_dml($dml))[-1], 'done', 'random changes');
cmp_ok($checks, '>', 3, 'were looked at on the standby meanwhile');
is($failures, '', 'and it always had both tables the same');
$node->wait_for_catchup($standby);
is($standby->safe_psql('dml', 'SELECT check_all()'), '', 'also at the end');
my $digest = 'SELECT count(*), sum(hashtext(t::text)::bigint) FROM t';
is($standby->safe_psql('dml', $digest), $node->safe_psql('dml', $digest), 'the standby has what the primary has');
is(facts($standby, 'postgres'), $facts, 'the other table, too');

# A snapshot on the standby that is older than a compaction sees the rows where
# they were, once.  Replay waits before it removes them.
set_delay($standby, -1);
my $reader = session($standby, 'postgres');
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM m');
$node->safe_psql('postgres', q{INSERT INTO t VALUES (9999, NULL, 'later')});
$node->safe_psql('postgres', q{SELECT colj_compact('t')});
$node->wait_for_catchup($standby);
my $both = q{SELECT count(*), count(DISTINCT id), count(v = 'hot' OR NULL) FROM t};
is($reader->query($both), '3000|3000|525', 'an old snapshot after a compaction');
is($reader->query(q{SET enable_seqscan = off; SELECT count(*) FROM t WHERE v = 'hot'}), '525', 'and by an index');
$reader->query('COMMIT; RESET enable_seqscan');
is($reader->query($both), '3001|3001|525', 'a new snapshot');
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM m');
$node->safe_psql('postgres', q{DELETE FROM t WHERE v = 'hot'; VACUUM (TRUNCATE off) t});
is($reader->query($both), '3001|3001|525', 'an old snapshot after VACUUM on the primary');
# which has taken the rows out of the indexes; replay waits before it does
my $by_index = q{SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT count(v) FROM t WHERE id > 0; RESET enable_seqscan};
sleep 1;
is($reader->query($by_index), '3001', 'by an index, too');
my $proxies = 'SELECT count(*) FROM ' . toast_of($node, 'postgres', 't') . ' WHERE chunk_id BETWEEN 4096 AND 16383';
is($node->safe_psql('postgres', $proxies), '0', 'where they have settled');
$reader->query('COMMIT');
$node->wait_for_catchup($standby);
is($reader->query($both), '2476|2476|0', 'a new one');
is($reader->query($by_index), '2476', 'by an index, too');

# A single row leaves the indexes before anything else of it goes.
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM t');
$node->safe_psql('postgres', q{DELETE FROM t WHERE id = 9999; VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) t});
sleep 1;
is($reader->query($by_index), '2476', 'an old snapshot after a single row has left the indexes');
$reader->query('COMMIT');
$node->safe_psql('postgres', q{INSERT INTO t VALUES (9999, NULL, 'later')});
$node->wait_for_catchup($standby);

# Without patience, it is cancelled rather than wrong.
set_delay($standby, 0);
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM t');
$node->safe_psql('postgres', q{INSERT INTO t VALUES (10000, NULL, 'x')});
$node->safe_psql('postgres', q{SELECT colj_compact('t'); VACUUM t});
$node->wait_for_catchup($standby);
like($reader->query($both), qr/^2476\|2476\|0$|conflict with recovery/, 'a reader in the way sees its rows or is cancelled');
$reader->quit;
$reader = session($standby, 'postgres');
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM t');
$node->safe_psql('postgres', q{DELETE FROM t WHERE id = 10000; VACUUM (INDEX_CLEANUP ON) t;
	INSERT INTO t VALUES (10000, NULL, 'x'); SELECT colj_compact('t')});
$node->wait_for_catchup($standby);
like($reader->query($by_index), qr/conflict with recovery|terminating/, 'a reader of what has left the indexes is cancelled');
$reader->quit;
is($standby->safe_psql('postgres', $both), '2477|2477|0', 'and then comes again');

# Nothing is written there.
my ($status, $out, $err) = $standby->psql('postgres', q{SELECT colj_compact('t')});
like($err, qr/read-only|recovery/, 'no compaction on a standby');

$node->stop('fast');
$standby->promote;
$standby->safe_psql('postgres', q{TRUNCATE m; INSERT INTO m TABLE t});
my $before = facts($standby, 'postgres');
like($before, qr/^2477 0 /, 'after promotion');
$standby->safe_psql('postgres', q{UPDATE t SET v = v || '!' WHERE id % 3 = 0; UPDATE m SET v = v || '!' WHERE id % 3 = 0});
$standby->safe_psql('postgres', q{SELECT colj_compact('t'); VACUUM t});
like(facts($standby, 'postgres'), qr/^2477 0 /, 'rows change and move');
ok(indexes_sound($standby, 'postgres'), 'and the indexes are sound');
is($standby->safe_psql('dml', 'SELECT check_all()'), '', 'the randomly changed table');
ok(indexes_sound($standby, 'dml'), 'and its indexes');
$standby->stop;

done_testing();
