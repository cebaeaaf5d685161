# Tables of access method colj where they travel: dumps in every form, also in
# parallel, and pg_upgrade.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use Stripes;

my $node = PostgreSQL::Test::Cluster->new('old');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nmax_wal_senders = 5\nwal_level = replica\n");
$node->start;
make_tables($node, 'postgres');
my $facts = '3000 0 25 25 3000';
is(facts($node, 'postgres'), $facts, 'the tables are as they should be');
$node->safe_psql('postgres', q{
	CREATE TABLE parts (id int, doc colj(zstd, 9)) PARTITION BY RANGE (id);
	CREATE TABLE cold PARTITION OF parts FOR VALUES FROM (0) TO (1000) USING colj;
	CREATE TABLE hot PARTITION OF parts FOR VALUES FROM (1000) TO (2000) USING heap;
	INSERT INTO parts SELECT g, jsonb_build_object('n', g) FROM generate_series(0, 1999) g;
	ALTER TABLE cold ALTER doc SET STORAGE EXTERNAL;
	CREATE MATERIALIZED VIEW mv USING colj AS SELECT id, doc FROM t WHERE id < 100;
	CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES t) USING colj;
	INSERT INTO child SELECT g, g FROM generate_series(10, 90, 10) g;
	CREATE TABLE gone (a int, b colj, c text DEFAULT 'late') USING colj;
	INSERT INTO gone VALUES (1, '{"x": 1}');});
$node->safe_psql('postgres', "SELECT colj_compact('$_')") for qw(cold mv child gone);
$node->safe_psql('postgres', q{ALTER TABLE gone DROP a; ALTER TABLE gone ADD d int DEFAULT 7; INSERT INTO gone VALUES ('{"x": 2}', 'new', 8)});

# What is told of the tables, and what is in them.
my $shape = q{
	SELECT c.relname, amname, string_agg(format('%s %s %s', attname, format_type(atttypid, atttypmod), attstorage), ', ' ORDER BY attnum)
	FROM pg_class c JOIN pg_am am ON am.oid = relam JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
	WHERE c.relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'colj%' GROUP BY 1, 2 ORDER BY 1};
my $content = join ';', map { "SELECT '$_', count(*), sum(hashtext(x::text)::bigint) FROM $_ x" } qw(t parts mv child gone);
my $old_shape = $node->safe_psql('postgres', $shape);
my $old_content = $node->safe_psql('postgres', $content);
like($old_shape, qr/cold\|colj\|id integer p, doc colj\(zstd,9\) e/, 'a partition of its own kind');
is($node->safe_psql('postgres', 'SELECT count(*) FROM cold WHERE ctid >= $$(2147483648,0)$$'), 1000, 'is in stripes');

my $dir = PostgreSQL::Test::Utils::tempdir;
my %restores = (
	custom => [['-Fc', '-f', "$dir/custom"], ['pg_restore', '-e']],
	directory => [['-Fd', '-j2', '-f', "$dir/directory"], ['pg_restore', '-e', '-j2']],
	script => [['-f', "$dir/script"], ['psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f']],
	inserts => [['--inserts', '-f', "$dir/inserts"], ['psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f']],
);
for my $form (sort keys %restores)
{
	my ($dump, $restore) = @{$restores{$form}};
	$node->command_ok(['pg_dump', @$dump, '-d', $node->connstr('postgres')], "dump, $form");
	$node->safe_psql('postgres', "CREATE DATABASE $form");
	$node->command_ok([@$restore, "$dir/$form", '-d', $node->connstr($form)], 'restore');
	is($node->safe_psql($form, $shape), $old_shape, 'the tables are as they were');
	is($node->safe_psql($form, $content), $old_content, 'so are the rows');
	$node->safe_psql($form, "SELECT colj_compact('$_')") for qw(t cold mv child gone);
	is($node->safe_psql($form, $content), $old_content, 'and after they have moved');
	is(facts($node, $form), $facts, 'by every access path');
	$node->safe_psql('postgres', "DROP DATABASE $form");
}

# Without the access method the same rows are restored into heap.
$node->command_ok(['pg_dump', '--no-table-access-method', '-f', "$dir/plain", '-d', $node->connstr('postgres')], 'dump without access methods');
$node->safe_psql('postgres', 'CREATE DATABASE plain');
$node->command_ok(['psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain", '-d', $node->connstr('plain')], 'restore');
is($node->safe_psql('plain', $content), $old_content, 'the rows are there');
is($node->safe_psql('plain', q{SELECT count(*) FROM pg_class JOIN pg_am a ON a.oid = relam WHERE amname = 'colj'}), 0, 'in heap tables');
$node->safe_psql('postgres', 'DROP DATABASE plain');

# A dump sees one snapshot, also while rows move.
my $session = session($node, 'postgres');
$session->query('BEGIN ISOLATION LEVEL REPEATABLE READ');
my $snapshot = $session->query('SELECT pg_export_snapshot()');
is($node->safe_psql('postgres', q{SELECT colj_compact('t') > 500}), 't', 'rows move');
$node->safe_psql('postgres', q{UPDATE t SET v = 'moved' WHERE id % 2 = 0; INSERT INTO t SELECT g, NULL, 'x' FROM generate_series(5001, 5100) g});
$node->command_ok(['pg_dump', '-Fc', "--snapshot=$snapshot", '-f', "$dir/moved", '-d', $node->connstr('postgres')], 'a dump of an old snapshot');
$session->query('COMMIT');
$session->quit;
$node->safe_psql('postgres', 'CREATE DATABASE moved');
$node->command_ok(['pg_restore', '-e', '-d', $node->connstr('moved'), "$dir/moved"], 'restore');
is($node->safe_psql('moved', $content), $old_content, 'has the rows that it saw');
$node->safe_psql('postgres', 'DROP DATABASE moved');
$node->safe_psql('postgres', q{TRUNCATE m; INSERT INTO m TABLE t});
$node->safe_psql('postgres', q{SELECT colj_compact('t')});
$old_content = $node->safe_psql('postgres', $content);

# pg_upgrade takes the files as they are.
$node->stop;
my $new = PostgreSQL::Test::Cluster->new('new');
$new->init;
my $bindir = $node->config_data('--bindir');
chdir $dir;
command_ok(['pg_upgrade', '--no-sync', '-d', $node->data_dir, '-D', $new->data_dir, '-b', $bindir, '-B', $bindir,
	'-p', $node->port, '-P', $new->port, '-s', $new->host], 'pg_upgrade');
$new->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$new->start;
is($new->safe_psql('postgres', $shape), $old_shape, 'the tables are as they were');
is($new->safe_psql('postgres', $content), $old_content, 'so are the rows');
like(facts($new, 'postgres'), qr/^3100 0 25 \d+ 3100$/, 'by every access path');
ok(indexes_sound($new, 'postgres'), 'the indexes are sound');
is($new->safe_psql('postgres', q{SELECT count(*) FROM t WHERE ctid >= '(2147483648,0)'}), 3100, 'in the stripes where they were');
$new->safe_psql('postgres', q{UPDATE t SET v = 'upgraded' WHERE id % 2 = 0; DELETE FROM t WHERE id % 3 = 0 AND id NOT IN (SELECT parent FROM child);
	TRUNCATE m; INSERT INTO m TABLE t});
my $changed = facts($new, 'postgres');
$new->safe_psql('postgres', q{SELECT colj_compact('t'); VACUUM t});
is(facts($new, 'postgres'), $changed, 'rows change and move again');
is($new->safe_psql('postgres', q{SELECT count(*) FROM t WHERE ctid < '(2147483648,0)'}), 0, 'all of them');
ok(indexes_sound($new, 'postgres'), 'the indexes are sound');
my ($status, $out, $err) = $new->psql('postgres', 'DELETE FROM t WHERE id = 10');
like($err, qr/foreign key/, 'and foreign keys hold');
$new->stop;

done_testing();
