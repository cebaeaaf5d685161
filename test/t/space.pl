# VACUUM that moves stripes to the front of the TOAST table: killed in the midst of it,
# stopped at once behind it, on a standby, beside loads that wait for the meta row,
# and by autovacuum.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

my $node = PostgreSQL::Test::Cluster->new('space');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\ncolj.compact_min_rows = 1\nautovacuum_naptime = 1s\n");
$node->start;
make_tables($node, 'postgres');
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\n");
$standby->start;

# Long values, compacted and vacuumed once, so that the next VACUUM has something to do.
my $toast = toast_of($node, 'postgres', 't');
my $pages = "SELECT pg_relation_size('$toast') / 8192";
my $tight = qq{SELECT ($pages) <= (SELECT sum((stored_bytes + 8091) / 8092) FROM colj_stripes('t')) * 1.07 + 4};
my $count = 3000;
sub insert
{
	my $first = $count * 10;
	$node->safe_psql('postgres', qq{
		INSERT INTO t SELECT g, jsonb_build_object('t', (SELECT string_agg(md5(g::text || i), ' ') FROM generate_series(1, 150) i)), 'long'
			FROM generate_series($first, $first + 199) g;
		INSERT INTO m SELECT * FROM t WHERE id >= $first});
	$count += 200;
}
sub prepare
{
	insert();
	$node->safe_psql('postgres', q{SELECT colj_compact('t')});
	$node->safe_psql('postgres', 'VACUUM t');
}
sub check
{
	my ($at, $what) = @_;
	is(facts($at, 'postgres'), "$count 0 25 25 $count", "$what: all rows are there");
	is($at->safe_psql('postgres', q{SELECT problem FROM colj_check('t')}), '', 'and sound stripes');
}

# Killed while it moves them, on disk and in the log.
for my $how ('checkpoint', 'log alone')
{
	prepare();
	my $before = $node->safe_psql('postgres', $pages);
	my $session = session($node, 'postgres');
	my $pid = $session->query('SET vacuum_cost_delay = 20; SET vacuum_cost_limit = 100; SELECT pg_backend_pid()');
	$session->send('VACUUM t;');
	$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_stat_progress_vacuum WHERE pid = $pid AND phase = 'truncating heap'");
	select undef, undef, undef, 0.3;
	$node->safe_psql('postgres', 'CHECKPOINT') if $how eq 'checkpoint';
	is($node->safe_psql('postgres', "SELECT phase FROM pg_stat_progress_vacuum WHERE pid = $pid"), 'truncating heap', "$how: it is on its way");
	kill_backend($node, $pid);
	$session->quit;
	$node->start;
	is($node->safe_psql('postgres', $pages), $before, 'no page has gone');
	check($node, 'killed');
	# what has been inserted by then is freed first
	$node->safe_psql('postgres', 'VACUUM t') for 1 .. 3;
	is($node->safe_psql('postgres', $tight), 't', 'later ones give the pages back');
	check($node, 'then');
}

# Stopped when it has committed.
prepare();
$node->safe_psql('postgres', 'VACUUM t');
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', $tight), 't', 'pages are given back before a crash');
check($node, 'after a crash');
ok(indexes_sound($node, 'postgres'), 'the indexes are sound');
$node->wait_for_catchup($standby);
check($standby, 'standby');

# A snapshot on the standby keeps what it may still read.
prepare();
$node->wait_for_catchup($standby);
my $content = q{SELECT md5(string_agg(doc::text, NULL ORDER BY id)) FROM t};
my $old = session($standby, 'postgres');
$old->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
my $expected = $node->safe_psql('postgres', $content);
$node->safe_psql('postgres', 'VACUUM t');
is($node->safe_psql('postgres', $tight), 't', 'moved, and cut');
is($old->query($content), $expected, 'an old snapshot on the standby sees all rows');
$old->query('COMMIT');
$old->quit;
$node->wait_for_catchup($standby);
check($standby, 'standby');

# Loads go on while VACUUM moves stripes, and none of them gets a row number twice.
prepare();
my $vacuum = session($node, 'postgres');
$vacuum->query('SET vacuum_cost_delay = 10; SET vacuum_cost_limit = 100');
$vacuum->send('VACUUM t;');
$node->poll_query_until('postgres', "SELECT count(*) > 0 FROM pg_stat_progress_vacuum WHERE phase = 'truncating heap'");
my $loads = 0;
do
{
	my $first = 1000000 + 2000 * $loads++;
	$node->safe_psql('postgres', "SET colj.direct_load_min_rows = 1; COPY t (id) FROM PROGRAM 'seq $first " . ($first + 1999) . "'");
} while $loads < 100 && $node->safe_psql('postgres', 'SELECT count(*) FROM pg_stat_progress_vacuum') > 0;
$vacuum->query('SELECT 1');
$vacuum->quit;
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT ctid), count(DISTINCT id) FROM t WHERE id >= 1000000'),
	join('|', (2000 * $loads) x 3), "$loads loads meanwhile have rows of their own");
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('t')}), '', 'and sound stripes');
$node->safe_psql('postgres', 'DELETE FROM t WHERE id >= 1000000');
check($node, 'without them');
ok(indexes_sound($node, 'postgres'), 'the indexes are sound');

# The meta row is behind values where a table is filled by INSERT. When it has moved, nobody
# reserves row numbers before VACUUM has committed; here that waits for a standby that there is not.
sub make_other
{
	my ($name) = @_;
	$node->safe_psql('postgres', qq{
		CREATE TABLE $name (id int PRIMARY KEY, doc colj) USING colj;
		INSERT INTO $name SELECT id, doc FROM m WHERE v = 'long'});
	my $toast = toast_of($node, 'postgres', $name);
	return qq{SELECT pg_relation_size('$toast') / 8192 <= (SELECT sum((stored_bytes + 8091) / 8092) FROM colj_stripes('$name')) * 1.07 + 4};
}
$tight = make_other('u');
$node->safe_psql('postgres', q{SELECT colj_compact('u')});
$node->safe_psql('postgres', 'VACUUM u');
$node->safe_psql('postgres', q{ALTER SYSTEM SET synchronous_standby_names = 'nobody'; SELECT pg_reload_conf()});
$vacuum = session($node, 'postgres');
$vacuum->send('VACUUM u;');
my $load = session($node, 'postgres');
$load->query('SET synchronous_commit = local; SET colj.direct_load_min_rows = 1');
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'});
$load->send(q{COPY u (id) FROM PROGRAM 'seq 2000001 2002000';});
ok($node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = 'page'}),
	'a load waits for row numbers');
$node->safe_psql('postgres', q{ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()});
$_->query('SELECT 1') for $vacuum, $load;
$load->query(q{COPY u (id) FROM PROGRAM 'seq 2002001 2004000'});
$_->quit for $vacuum, $load;
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT ctid) FROM u WHERE id > 2000000'), '4000|4000', 'and gets some of its own');
# the load may have kept that VACUUM from cutting the file
$node->safe_psql('postgres', 'VACUUM u') for 1 .. 2;
is($node->safe_psql('postgres', $tight), 't', 'VACUUM gives pages back');
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('u')}), '', 'all stripes are sound');

# Autovacuum does it by itself, without anything that happens afterwards; also if the TOAST
# table is not in the list of what is to be vacuumed when the table is compacted.
$tight = make_other('a');
my $settings = 'autovacuum_vacuum_threshold = 50, %1$sautovacuum_vacuum_scale_factor = 0, %1$sautovacuum_vacuum_insert_scale_factor = 0';
$node->safe_psql('postgres', sprintf "ALTER TABLE a SET (%1\$s$settings)", $_) for '', 'toast.';
$node->safe_psql('postgres', 'ALTER TABLE a SET (autovacuum_vacuum_insert_threshold = 50, toast.autovacuum_vacuum_insert_threshold = -1)');
$node->append_conf('postgresql.conf', "autovacuum = on\nautovacuum_max_workers = 1\n");
$node->restart;
$node->safe_psql('postgres', q{INSERT INTO a SELECT id + 1000000, doc FROM a});
ok($node->poll_query_until('postgres', q{SELECT row_store_rows = 0 FROM colj_table_stats('a')}), 'autovacuum compacts');
ok($node->poll_query_until('postgres', $tight), 'and gives pages back');
is($node->safe_psql('postgres', 'SELECT count(*) = count(DISTINCT ctid) AND count(*) = 2 * count(DISTINCT doc::text) FROM a'), 't', 'of all rows');
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('a')}), '', 'all stripes are sound');
$node->stop;
$standby->stop;

done_testing();
