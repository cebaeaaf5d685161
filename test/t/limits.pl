# Large documents in stripes: one of 100 MB, and 600 of 2 MB, by compaction and
# by a load, and by VACUUM FULL and CLUSTER; what memory that takes.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('large');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nshared_buffers = 16MB\nmax_wal_size = 4GB\nfsync = off\n");
$node->start;

# The most memory that the backend has had, shared buffers included, in MB.
$node->safe_psql('postgres', q{
	CREATE EXTENSION colj;
	CREATE FUNCTION most_memory() RETURNS int LANGUAGE sql AS
		$$ SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\s+(\d+)'))[1]::int / 1024 $$;
	CREATE TABLE part AS SELECT string_agg(md5(g::text), '') AS s FROM generate_series(1, 65536) g;});
my $knows_memory = -e '/proc/self/status';
# it keeps what has been freed for a while, and marks every byte
my $sanitized = $node->safe_psql('postgres', 'SELECT version()') =~ /sanitize/;

sub memory_at_most
{
	my ($most, $limit, $name) = @_;
	return unless $knows_memory;
	SKIP:
	{
		skip 'AddressSanitizer takes memory of its own', 1 if $sanitized;
		cmp_ok($most, '<', $limit, "$name: less than $limit MB of memory");
	}
}

# One document of 100 MB.
$node->safe_psql('postgres', q{
	CREATE TABLE one (id int, doc colj) USING colj;
	INSERT INTO one SELECT 1, colj_build_object('n', 1, 'parts', (SELECT colj_agg(s || g) FROM part, generate_series(1, 50) g))});
my $content = 'SELECT octet_length(doc::text), md5(doc::text) FROM one';
my $before = $node->safe_psql('postgres', $content);
like($before, qr/^10\d{7}\|/, 'a document of 100 MB');
my ($moved, $most) = split /\n/, $node->safe_psql('postgres', q{SELECT colj_compact('one'); SELECT most_memory()});
is($moved, 1, 'it is compacted');
memory_at_most($most, 1000, 'compacting it');
is($node->safe_psql('postgres', $content), $before, 'and the same');
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('one')}), '', 'the check finds nothing');
$node->safe_psql('postgres', 'DROP TABLE one');

# 600 rows of 2 MB: stripes end by their bytes.
my @statements = (
	['load', q{SET colj.direct_load_min_rows = 1; CREATE TABLE many USING colj AS SELECT g AS id,
		colj_build_object('id', g, 'body', s || g) AS doc FROM part, generate_series(1, 600) g; SELECT most_memory()}],
	['compaction', q{UPDATE many SET id = id WHERE id % 3 = 0; SELECT colj_compact('many') > 0; SELECT most_memory()}],
	['VACUUM FULL', q{SET colj.compact_min_rows = 1; VACUUM FULL many; SELECT most_memory()}],
	['CLUSTER', q{SET colj.compact_min_rows = 1; CREATE INDEX ON many (id); SET enable_indexscan = off; CLUSTER many USING many_id_idx; SELECT most_memory()}],
	['reading', q{SELECT count(*), sum(length(doc->>'body')), count(DISTINCT id) FROM many; SELECT most_memory()}]);
for my $statement (@statements)
{
	my ($name, $sql) = @$statement;
	my @lines = split /\n/, $node->safe_psql('postgres', $sql);
	is($lines[0], '600|1258292892|600', 'all rows are there') if $name eq 'reading';
	memory_at_most($lines[-1], 400, $name);
}
is($node->safe_psql('postgres', q{SELECT max(rows) <= 20, count(*) >= 35 FROM colj_stripes('many')}), 't|t', 'stripes of some 32 MB');
is($node->safe_psql('postgres', q{SELECT problem FROM colj_check('many')}), '', 'the check finds nothing');

done_testing();
