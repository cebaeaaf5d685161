# Logical decoding: what is decoded of a colj table is what is decoded of a heap
# that mirrors it, and a subscriber ends with the same rows, whenever
# compaction comes, on either side.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{COLJ_SEED} // 1;
srand($seed);

# Each identity has a table of either access method.
my %identity = (
	key => 'DEFAULT',
	full => 'FULL',
	other => 'USING INDEX %s_k');
my @identities = sort keys %identity;

sub create
{
	my ($table, $am, $type, $identity) = @_;
	my $clause = sprintf($identity{$identity} =~ /%s/ ? $identity{$identity} : "$identity{$identity}%s",
		$identity{$identity} =~ /%s/ ? $table : '');
	return "CREATE TABLE $table (id int PRIMARY KEY, k int NOT NULL, v text, d $type) USING $am;
		CREATE UNIQUE INDEX ${table}_k ON $table (k);
		ALTER TABLE $table REPLICA IDENTITY $clause;\n";
}

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->append_conf('postgresql.conf', "autovacuum = off\n");
$publisher->start;
$publisher->safe_psql('postgres', join '', 'CREATE EXTENSION colj;',
	map { create("c_$_", 'colj', 'colj', $_) . create("h_$_", 'heap', 'colj', $_) } @identities);

my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init(allows_streaming => 'logical');
$subscriber->append_conf('postgresql.conf', "autovacuum = off\n");
$subscriber->start;
$subscriber->safe_psql('postgres', join '', 'CREATE EXTENSION colj;',
	create('c_key', 'heap', 'jsonb', 'key'),
	create('c_full', 'colj', 'colj', 'full'),
	create('c_other', 'colj', 'colj', 'other'));

my ($libdir) = run_command(['pg_config', '--pkglibdir']);
my $decodes = -e "$libdir/test_decoding.so";
$publisher->safe_psql('postgres',
	q{SELECT pg_create_logical_replication_slot('decoded', 'test_decoding')}) if $decodes;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION p FOR TABLE ' . join(', ', map { "c_$_" } @identities));
$subscriber->safe_psql('postgres',
	'CREATE SUBSCRIPTION s CONNECTION $$' . $publisher->connstr('postgres') . '$$ PUBLICATION p');
$subscriber->wait_for_subscription_sync($publisher, 's');

sub pick { return $_[ int rand @_ ] }

# A statement about one row, for whichever table.
sub statement
{
	my $id = 1 + int rand 40;
	my $free = 41 + int rand 1_000_000;
	my $text = "repeat(md5('$free'), " . pick(1, 1, 2, 100) . ')';
	my $doc = qq('{"n": $free, "s": ") . 'x' x int(rand 30) . qq(", "a": [1, {"b": null}]}');
	return pick(
		"INSERT INTO %s VALUES ($id, $free, $text, $doc) ON CONFLICT DO NOTHING",
		"INSERT INTO %s VALUES ($id, $free, $text, $doc) ON CONFLICT (id) DO UPDATE SET v = excluded.v",
		"UPDATE %s SET v = $text WHERE id = $id",
		"UPDATE %s SET d = $doc WHERE id = $id",
		"UPDATE %s SET v = NULL, d = d || '{\"more\": 1}' WHERE id = $id",
		"UPDATE %s SET k = $free WHERE id = $id",
		"UPDATE %s SET id = $free WHERE id = $id",
		"SELECT FROM %s WHERE id = $id FOR " . pick('UPDATE', 'KEY SHARE'),
		"DELETE FROM %s WHERE id = $id");
}

sub everywhere
{
	my ($sql) = @_;
	return join '', map { sprintf("$sql;\n", "c_$_") . sprintf("$sql;\n", "h_$_") } @identities;
}

# Transactions, some of several statements, some rolled back in part or whole.
sub transaction
{
	return everywhere(statement()) if rand() < 0.6;
	my $sql = "BEGIN;\n" . everywhere(statement());
	$sql .= everywhere(statement()) if rand() < 0.5;
	if (rand() < 0.4)
	{
		$sql .= "SAVEPOINT s;\n" . everywhere(statement()) . everywhere(statement());
		$sql .= pick("ROLLBACK TO s;\n", "RELEASE s;\n");
		$sql .= everywhere(statement());
	}
	return $sql . (rand() < 0.8 ? "COMMIT;\n" : "ROLLBACK;\n");
}

sub compaction
{
	return join '', map { "SELECT colj_compact('c_$_');\n" } @identities;
}

sub rows
{
	my ($node, $table) = @_;
	return $node->safe_psql('postgres', "SELECT id, k, v, d FROM $table ORDER BY id");
}

# Reports the first difference only: the lists are long.
sub same_rows
{
	my ($left, $right, $name) = @_;
	my @left = split /\n/, $left;
	my @right = split /\n/, $right;
	my ($i) = grep { ($left[$_] // '') ne ($right[$_] // '') } 0 .. (@left > @right ? $#left : $#right);
	ok(!defined $i, $name) or diag("row $i:\n", $left[$i] // 'none', "\n", $right[$i] // 'none');
}

for my $round (1 .. 5)
{
	my $sql = '';
	for (1 .. 60)
	{
		$sql .= transaction();
		$sql .= compaction() if rand() < 0.1;
		$sql .= join '', map { "VACUUM c_$_;\n" } @identities if rand() < 0.05;
	}
	$publisher->safe_psql('postgres', $sql . compaction());
	$publisher->wait_for_catchup('s');
	for my $identity (@identities)
	{
		my $rows = rows($publisher, "c_$identity");
		same_rows($rows, rows($publisher, "h_$identity"), "round $round: c_$identity is as its mirror");
		same_rows($rows, rows($subscriber, "c_$identity"), "round $round: the subscriber's c_$identity, too");
	}
	$subscriber->safe_psql('postgres', "SELECT colj_compact('c_full'), colj_compact('c_other')");
}
cmp_ok($subscriber->safe_psql('postgres', "SELECT count(*) FROM c_full WHERE ctid >= '(2147483648,1)'"),
	'>', 0, 'the subscriber has rows in stripes');

# Many rows in one statement, in an order of their own.
$publisher->safe_psql('postgres', "UPDATE c_$_ SET v = 'all' WHERE k % 2 = 0; DELETE FROM c_$_ WHERE k % 3 = 0")
	for @identities;
$publisher->wait_for_catchup('s');
same_rows(rows($publisher, "c_$_"), rows($subscriber, "c_$_"), "many rows of c_$_") for @identities;

SKIP:
{
	skip 'no test_decoding', 7 unless $decodes;
	my $changes = $publisher->safe_psql('postgres',
		"SELECT data FROM pg_logical_slot_get_changes('decoded', NULL, NULL, 'include-xids', '0', 'skip-empty-xacts', '1')");
	# heap says that a value out of line has not changed, where colj stores it anew
	$changes =~ s/v\[text\]:(?:'[0-9a-f]{2000,}'|unchanged-toast-datum)/v[text]:long/g;
	unlike($changes, qr/no-tuple-data/, 'compaction is not decoded');
	for my $identity (@identities)
	{
		my @lines = grep { !/v\[text\]:'all'/ } split /\n/, $changes;
		my $heap = join "\n", grep { s/^table public\.h_$identity: // } @lines;
		my @colj = grep { s/^table public\.c_$identity: // } @lines;
		# the statements about many rows came last, and without a mirror
		my $n = () = $heap =~ /$/mg;
		cmp_ok($n, '>', 100, "the mirror of c_$identity decodes as something");
		splice @colj, $n;
		same_rows(join("\n", @colj), $heap, "c_$identity decodes as its mirror");
	}
}

# What compaction logs where changes are decoded brings back the same after a
# crash: in pages that were all visible, too, whose rows index-only scans take
# as there.
$publisher->safe_psql('postgres', join ' ', 'SET vacuum_freeze_min_age = 0;',
	map { ("INSERT INTO c_$_ SELECT g, g, 'v' || g FROM generate_series(2000001, 2001000) g;") } @identities);
$publisher->safe_psql('postgres', "VACUUM FREEZE c_$_") for @identities;
my %before = map { $_ => rows($publisher, "c_$_") } @identities;
$publisher->safe_psql('postgres', 'CHECKPOINT; ' . compaction());
$publisher->stop('immediate');
$publisher->start;
for my $identity (@identities)
{
	same_rows(rows($publisher, "c_$identity"), $before{$identity}, "c_$identity after a crash");
	same_rows($publisher->safe_psql('postgres',
			"SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT k FROM c_$identity ORDER BY k"),
		$publisher->safe_psql('postgres', "SELECT k FROM c_$identity ORDER BY k + 0"), "c_$identity by an index only");
}

$subscriber->stop;
$publisher->stop;
done_testing();
