# Dictionaries where documents travel: dumps, templates, upgrades, crashes,
# standbys, logical replication, and beside those who drop them.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# Documents that are like each other, as a query.
my $documents = q{
	SELECT n, jsonb_build_object('id', md5(n::text), 'type', (ARRAY['PushEvent', 'WatchEvent'])[n % 2 + 1],
		'created_at', '2024-01-' || 10 + n % 20, 'actor', jsonb_build_object('id', n, 'login', 'login' || n,
		'url', 'https://api.example.org/users/login' || n), 'public', true) AS doc
	FROM generate_series(1, 1000) n};

my $make = qq{
	CREATE EXTENSION colj;
	SELECT colj_train_dictionary('events', 'SELECT doc FROM ($documents) d WHERE n % 2 = 0', 4096);
	CREATE TABLE events (n int PRIMARY KEY, doc colj(zstd, events), plain colj);
	INSERT INTO events SELECT n, doc, doc FROM ($documents) d;};
$make =~ s/'SELECT doc FROM \((.*?)\) d WHERE/"'SELECT doc FROM (" . $1 =~ s{'}{''}gr . ") d WHERE"/es;

# In what forms the rows are, and whether they are what they should be.
my $forms = q{SELECT concat_ws(' ', codec, dictionary, dictionary_version), count(*), bool_and(doc = plain)
	FROM events, colj_info(doc) GROUP BY 1 ORDER BY 1};
my $all_packed = 'zstd events 1|1000|t';
my $type = q{SELECT format_type(atttypid, atttypmod) FROM pg_attribute
	WHERE attrelid = 'events'::regclass AND attname = 'doc'};

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 'logical');
$node->append_conf('postgresql.conf', "max_wal_senders = 10\nautovacuum = off\nlogical_decoding_work_mem = 64kB\n");
$node->start;
$node->safe_psql('postgres', $make);
is($node->safe_psql('postgres', $forms), $all_packed, 'packed with the dictionary');

# Dump and restore, as the programs do it.
my $dir = PostgreSQL::Test::Utils::tempdir;
my @dump = ('pg_dump', '-Fc', '-d', $node->connstr('postgres'));
$node->command_ok([@dump, '-f', "$dir/dump"], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok(['pg_restore', '-e', '-d', $node->connstr('restored'), "$dir/dump"], 'pg_restore');
is($node->safe_psql('restored', $type), 'colj(zstd,events)', 'a restored column names its dictionary');
is($node->safe_psql('restored', $forms), $all_packed, 'restored rows are packed with it');
is($node->safe_psql('restored', "SELECT colj_train_dictionary('events', 'SELECT doc FROM events')"),
	2, 'training goes on after a restore');
is($node->safe_psql('restored', 'SELECT count(DISTINCT id) FROM colj_dictionaries'), 2, 'with another number');

# The other way round: rows first, dictionary last.
my ($list) = run_command(['pg_restore', '-l', "$dir/dump"]);
my @lines = grep { /^\d/ } split /\n/, $list;
my @dictionary = grep { /colj_dictionary/ } @lines;
is(scalar @dictionary, 2, 'the dictionaries and their numbers are in the dump');
PostgreSQL::Test::Utils::append_to_file("$dir/list",
	join("\n", (grep { !/colj_dictionary/ } @lines), @dictionary, ''));
$node->safe_psql('postgres', 'CREATE DATABASE backwards');
$node->command_ok(['pg_restore', '-e', '-L', "$dir/list", '-d', $node->connstr('backwards'), "$dir/dump"],
	'pg_restore, dictionaries last');
is($node->safe_psql('backwards', $forms), 'none|1000|t', 'rows that came first do without');
is($node->safe_psql('backwards', $type), 'colj(zstd,events)', 'the column names the dictionary');
$node->safe_psql('backwards', 'UPDATE events SET doc = doc::colj');
is($node->safe_psql('backwards', $forms), $all_packed, 'and assigning them packs them with it');

# Restoring the data once more brings no dictionary twice.
$node->safe_psql('backwards', 'TRUNCATE events');
$node->command_ok(['pg_restore', '-e', '--data-only', '-d', $node->connstr('backwards'), "$dir/dump"], 'data alone, once more');
is($node->safe_psql('backwards', $forms), $all_packed, 'the rows are there');
is($node->safe_psql('backwards', 'SELECT count(*) FROM colj_dictionaries'), 1, 'and one dictionary');

# A plain script has the same.
$node->command_ok(['pg_dump', '-d', $node->connstr('postgres'), '-f', "$dir/script"], 'pg_dump as a script');
$node->safe_psql('postgres', 'CREATE DATABASE scripted');
$node->command_ok(['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/script", '-d', $node->connstr('scripted')],
	'the script runs');
is($node->safe_psql('scripted', $forms), $all_packed, 'and packs with the dictionary');

# A database's owner who is no superuser can do all that.
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE DATABASE owned OWNER owner');
my $owned = $node->connstr('owned') . ' user=owner';
$node->command_ok(['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $owned, '-c', $make], 'the owner of a database trains');
$node->command_ok(['pg_dump', '-Fc', '-d', $owned, '-f', "$dir/owned"], 'and dumps');
$node->safe_psql('postgres', 'CREATE DATABASE again OWNER owner');
$node->command_ok(['pg_restore', '-e', '-d', $node->connstr('again') . ' user=owner', "$dir/owned"], 'and restores');
is($node->safe_psql('again', $forms), $all_packed, 'with the dictionary');

# A template is copied as it is.
$node->safe_psql('postgres', 'CREATE DATABASE copied TEMPLATE restored');
is($node->safe_psql('copied', $forms), $all_packed, 'a database made from a template');
is($node->safe_psql('copied', q{INSERT INTO events SELECT -n, plain, plain FROM events; SELECT DISTINCT dictionary_version
	FROM events, colj_info(doc) WHERE n < 0}), 2, 'goes on packing');

# What one session trains, others hear of.
my $session = $node->background_psql('postgres') if $node->can('background_psql');
SKIP:
{
	skip 'no background sessions in this version of PostgreSQL::Test', 1 unless $session;
	my $pack = q{SELECT dictionary_version FROM colj_info((SELECT plain FROM events LIMIT 1)::colj(zstd, later))};
	is($session->query($pack), '', 'a session that knows of no dictionary');
	$node->safe_psql('postgres', "SELECT colj_train_dictionary('later', 'SELECT plain FROM events', 4096)");
	is($session->query($pack), 1, 'hears of one');
	$session->quit;
}

# Who has packed keeps the dictionary until the end of the transaction.
my ($in, $out, $err) = ('', '', '');
my $timer = IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default);
my $writer = IPC::Run::start(['psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('copied')],
	'<', \$in, '>', \$out, '2>', \$err, $timer);
$in .= qq{ALTER TABLE events ALTER doc TYPE colj; DELETE FROM events; VACUUM events; ANALYZE events; CREATE TABLE late (doc colj);
	BEGIN; INSERT INTO late SELECT doc::colj(zstd, events) FROM ($documents) d LIMIT 1; SELECT 'packed';\n};
$writer->pump until $out =~ /packed/;
my ($status, $drop, $message) = $node->psql('copied', "SET lock_timeout = 100; SELECT colj_drop_dictionary('events')");
like($message, qr/lock timeout/, 'a drop waits for those who pack');
is($node->safe_psql('copied', 'SELECT count(*) FROM colj_dictionaries'), 2, 'and meanwhile changes nothing');
$in .= "COMMIT; SELECT 'committed';\n";
$writer->pump until $out =~ /committed/;
($status, $drop, $message) = $node->psql('copied', "SELECT colj_drop_dictionary('events')");
like($message, qr/Table public\.late has such a value/, 'then it finds what they have written');
$in .= "\\q\n";
$writer->finish;

# An older snapshot still reads what was packed with a dropped dictionary.
($in, $out) = ('', '');
$writer = IPC::Run::start(['psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('copied')],
	'<', \$in, '>', \$out, '2>', \$err, $timer);
$in .= "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 'begun', count(*) FROM late;\n";
$writer->pump until $out =~ /begun/;
$node->safe_psql('copied', "DELETE FROM late; SELECT colj_drop_dictionary('events', true)");
$in .= "SELECT 'read', doc -> 'public' FROM late;\n";
$writer->pump until $out =~ /read|ERROR/ || $err =~ /ERROR/;
like($out, qr/read\|true/, 'an older snapshot has its dictionaries');
$in .= "\\q\n";
$writer->finish;

# A standby reads, and hears of what is trained.
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
is($standby->safe_psql('postgres', $forms), $all_packed, 'a standby reads');
is($standby->safe_psql('postgres', $type), 'colj(zstd,events)', 'and knows names');
$node->safe_psql('postgres', q{SELECT colj_train_dictionary('events', 'SELECT plain FROM events');
	INSERT INTO events SELECT -n, plain, plain FROM events});
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $forms), "$all_packed\nzstd events 2|1000|t", 'and gets new versions');
is($standby->safe_psql('postgres', 'SELECT DISTINCT dictionary_version FROM events, colj_info(plain::colj(zstd, events))'), 2,
	'and packs, in a query');
($status, $drop, $message) = $standby->psql('postgres', "SELECT colj_train_dictionary('events', 'SELECT plain FROM events')");
like($message, qr/read-only transaction/, 'but nothing is trained there');
($status, $drop, $message) = $standby->psql('postgres', "SELECT colj_drop_dictionary('events')");
like($message, qr/read-only transaction/, 'or dropped');
$standby->promote;
is($standby->safe_psql('postgres', "SELECT colj_train_dictionary('events', 'SELECT plain FROM events')"), 3,
	'before it is promoted');

# A crash.
$node->safe_psql('postgres', q{CHECKPOINT; SELECT colj_train_dictionary('crash', 'SELECT plain FROM events');
	CREATE TABLE crash AS SELECT plain::colj(zstd, crash) AS doc FROM events});
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', q{SELECT DISTINCT dictionary FROM crash, colj_info(doc)}), 'crash', 'after a crash');

# Logical replication: publishers read what is packed, also in the middle of a
# transaction; subscribers pack with the dictionary if they have it.
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;
$subscriber->safe_psql('postgres', q{CREATE EXTENSION colj;
	CREATE TABLE events (n int PRIMARY KEY, doc colj(zstd, events), plain colj)});
$node->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE events');
$subscriber->safe_psql('postgres', sprintf q{CREATE SUBSCRIPTION sub CONNECTION '%s' PUBLICATION pub WITH (streaming = on)}, $node->connstr('postgres') =~ s/'/''/gr);
$subscriber->wait_for_subscription_sync($node, 'sub');
is($subscriber->safe_psql('postgres', $forms), 'none|2000|t', 'a subscriber without dictionaries');
$node->safe_psql('postgres', 'ALTER PUBLICATION pub ADD TABLE colj_dictionary');
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub REFRESH PUBLICATION');
$subscriber->wait_for_subscription_sync($node, 'sub');
$node->safe_psql('postgres', q{INSERT INTO events SELECT 10000 + n, plain, plain FROM events WHERE n > 0;
	UPDATE events SET doc = colj_set(doc, '{new}', '1'), plain = colj_set(plain, '{new}', '1') WHERE n < 0});
$node->wait_for_catchup('sub');
is($subscriber->safe_psql('postgres', $forms), "none|1000|t\nzstd events 2|2000|t", 'one that gets them');
$node->safe_psql('postgres', qq{SELECT colj_train_dictionary('events', 'SELECT plain FROM events WHERE n > 5');
	INSERT INTO events SELECT 20000 + n, plain, plain FROM events WHERE n BETWEEN 1 AND 10});
$node->wait_for_catchup('sub');
is($subscriber->safe_psql('postgres', 'SELECT DISTINCT dictionary_version FROM events, colj_info(doc) WHERE n > 20000'), 3,
	'and new versions as they come');
# A subscriber keeps what the publisher drops, and what it had before.
$subscriber->safe_psql('postgres', q{SELECT colj_train_dictionary('own', 'SELECT plain FROM events')});
$node->safe_psql('postgres', q{SELECT colj_train_dictionary('short', 'SELECT plain FROM events');
	SELECT colj_drop_dictionary('short');
	SELECT colj_train_dictionary('short', 'SELECT plain FROM events')});
$node->wait_for_catchup('sub');
is($subscriber->safe_psql('postgres', q{SELECT name, version, count(*), count(DISTINCT id) FROM colj_dictionaries
	WHERE name IN ('own', 'short') GROUP BY 1, 2 ORDER BY 1, 2}), "own|1|1|1\nshort|1|2|2", 'a subscriber keeps dictionaries');
$subscriber->stop;

# Binary copies have type modifiers too.
$node->safe_psql('postgres', qq{COPY (SELECT n, doc, plain FROM events WHERE n BETWEEN 1 AND 100) TO '$dir/binary' (FORMAT binary);
	CREATE TABLE received (LIKE events); COPY received FROM '$dir/binary' (FORMAT binary)});
is($node->safe_psql('postgres', $forms =~ s/FROM events/FROM received/r), 'zstd events 3|100|t', 'a binary copy');

# pg_upgrade moves files.
$node->safe_psql('postgres', q{SELECT pg_drop_replication_slot('sub')});
$node->safe_psql('postgres', 'DROP PUBLICATION pub');
$node->safe_psql('postgres', "DROP DATABASE $_") for qw(restored backwards scripted owned again copied);
my $before = $node->safe_psql('postgres', $forms);
$node->stop;
my $new = PostgreSQL::Test::Cluster->new('new');
$new->init;
my $bindir = $node->config_data('--bindir');
chdir $dir;
command_ok(['pg_upgrade', '--no-sync', '-d', $node->data_dir, '-D', $new->data_dir, '-b', $bindir, '-B', $bindir,
	'-p', $node->port, '-P', $new->port, '-s', $new->host], 'pg_upgrade');
$new->start;
is($new->safe_psql('postgres', $forms), $before, 'the rows are as they were');
is($new->safe_psql('postgres', $type), 'colj(zstd,events)', 'so is the type');
is($new->safe_psql('postgres', "SELECT colj_train_dictionary('events', 'SELECT plain FROM events')"), 4, 'training goes on');
$new->stop;

done_testing();
