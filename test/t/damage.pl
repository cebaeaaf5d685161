# Damaged stripes: reading them is an error that says where, the rest of the
# table stays readable, and colj_check finds them.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('damaged');
# pages with checksums would be refused before anybody looks at what is in them
$node->init(no_data_checksums => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION colj;
	CREATE TABLE t (id int PRIMARY KEY, doc colj, f float8) USING colj;
	INSERT INTO t SELECT g, jsonb_build_object('n', g * g % 1000, 'name', md5(g::text), 'rare', CASE WHEN g % 100 = 0 THEN '[1]'::jsonb END), random()
		FROM generate_series(1, 3000) g;
	SET colj.stripe_rows = 1000;
	SELECT colj_compact('t');
	DELETE FROM t WHERE id = 1500});

my $check = 'SELECT stripe, problem FROM colj_check(\'t\')';
is($node->safe_psql('postgres', $check), '', 'an undamaged table');

# A row of the TOAST table as it is stored: the header of chunk_data is 4 bytes.
my $header = pack('L', 1) eq pack('V', 1) ? 4 : 1;
my $toast = $node->safe_psql('postgres', q{SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 't'::regclass});
my $file = $node->data_dir . '/' . $node->safe_psql('postgres', "SELECT pg_relation_filepath('$toast')");
sub chunk
{
	my ($where) = @_;
	my ($id, $seq, $data) = split /\|/, $node->safe_psql('postgres',
		"SELECT chunk_id, chunk_seq, encode(chunk_data, 'hex') FROM $toast WHERE $where");
	return pack('L l L', $id, $seq, (length($data) / 2 + 4) * $header) . pack 'H*', $data;
}

# Change a byte of a row's chunk_data in the file; the old file comes back.
sub damage
{
	my ($bytes, $offset) = @_;
	$offset += 12;
	$node->stop;
	my $old = slurp_file($file);
	my $new = $old;

	# pruning a page leaves copies behind
	for (my $at = -1; ($at = index $old, $bytes, $at + 1) >= 0;)
	{
		substr($new, $at + $offset, 1) ^= "\x11";
	}
	die 'the row is not in the file' if $new eq $old;
	put_file($new);
	$node->start;
	return $old;
}

sub put_file
{
	my ($content) = @_;
	open my $fh, '+<:raw', $file or die "$file: $!";
	print $fh $content;
	close $fh;
}

sub repair
{
	my ($content) = @_;
	$node->stop;
	put_file($content);
	$node->start;
}

# Each row of the second stripe's bytes, damaged in several places.
my $value = $node->safe_psql('postgres', "SELECT DISTINCT chunk_id FROM $toast WHERE chunk_id >= 16384 ORDER BY 1 LIMIT 1 OFFSET 1");
my $last = $node->safe_psql('postgres', "SELECT max(chunk_seq) FROM $toast WHERE chunk_id = $value");
cmp_ok($last, '>', 0, 'a stripe has several rows');
for my $seq (0, $last)
{
	my $bytes = chunk("chunk_id = $value AND chunk_seq = $seq");
	for my $offset (0, 4, 7, length($bytes) / 2, length($bytes) - 13)
	{
		my $name = "row $seq, byte " . int $offset;
		my $whole = damage($bytes, int $offset);
		for my $least (-1, 0)
		{
			my ($code, $out, $err) = $node->psql('postgres', "SET colj.vectoragg_min_rows = $least; SELECT count(*), sum(length(doc::text)), sum(f) FROM t",
				extra_params => ['-v', 'VERBOSITY=verbose']);
			like($err, qr/ERROR:  XX001: stripe 4 of table "t" is damaged/, "$name: reading it fails, by " . ($least < 0 ? 'rows' : 'vectors'));
		}
		is($node->safe_psql('postgres', q{SET enable_seqscan = off;
			SELECT (SELECT count(doc->>'n') FROM t WHERE id <= 1000), (SELECT count(doc->>'n') FROM t WHERE id > 2000)}), '1000|1000', "$name: the rest can be read");
		is($node->safe_psql('postgres', q{SELECT (SELECT count(doc->>'n') FROM t WHERE ctid < '(2147483652,1)') + (SELECT count(doc->>'n') FROM t WHERE ctid >= '(2147483656,1)')}),
			2000, "$name: by TIDs, too");
		like($node->safe_psql('postgres', $check), qr/^4\|stripe 4 of table "t" is damaged: The checksum of one of its rows in the TOAST table is wrong\.$/,
			"$name: the check finds it");
		is($node->safe_psql('postgres', 'SELECT count(*) FROM colj_stripes(\'t\')'), 3, "$name: the stripes are listed");
		repair($whole);
	}
}
is($node->safe_psql('postgres', $check), '', 'repaired');

# A page that PostgreSQL itself finds damaged: the context says what was read.
{
	my $bytes = chunk("chunk_id = $value AND chunk_seq = 0");
	$node->stop;
	my $old = slurp_file($file);
	my $page = int(index($old, $bytes) / 8192) * 8192;
	my $new = $old;
	substr($new, $page + 12, 2) = "\xff\xff";
	put_file($new);
	$node->start;
	my ($code, $out, $err) = $node->psql('postgres', 'SELECT count(doc) FROM t', extra_params => ['-v', 'VERBOSITY=verbose']);
	like($err, qr/ERROR:  XX001: invalid page.*CONTEXT:  reading stripe 4 of table "t"/s, 'a damaged page');
	like($node->safe_psql('postgres', $check), qr/^4\|invalid page/m, 'the check finds it');
	repair($old);
}

# The directory and the proxies.
my $whole = damage(chunk('chunk_id = 2 AND chunk_seq = 4'), 0);
like($node->safe_psql('postgres', $check), qr/^4\|.*directory/m, 'the check finds a damaged row of the directory');
repair($whole);
$whole = damage(chunk('chunk_id BETWEEN 4096 AND 5000'), 1);
is($node->safe_psql('postgres', $check), '|row 1523: A proxy says neither live nor dead.', 'the check finds a damaged proxy');
repair($whole);
$whole = damage(chunk('chunk_id = 5'), 1);
like($node->safe_psql('postgres', $check), qr/^\|rows 0 and on: A record of settled rows contradicts itself\.$/m, 'the check finds a damaged record of settled rows');
my (undef, undef, $settled) = $node->psql('postgres', 'SELECT count(*) FROM t', extra_params => ['-v', 'VERBOSITY=verbose']);
like($settled, qr/ERROR:  XX001: the column store of table "t" is damaged/, 'and reading fails');
repair($whole);
is($node->safe_psql('postgres', $check), '', 'repaired again');
is($node->safe_psql('postgres', 'SELECT count(*) FROM t'), 2999, 'all rows are there');

done_testing();
