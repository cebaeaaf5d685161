# generate.pl SEED STEPS
#	The SQL of test/dml/run: each change is made to "t" (colj) and "m" (heap),
#	to both in one transaction, so that a crash finds them equal.

use strict;
use warnings;

my ($seed, $steps) = @ARGV;
my $state = $seed * 7919 + 1;
my $in_block = 0;

# A generator of our own, so that a seed means the same everywhere.
sub number
{
	my ($below) = @_;
	$state = ($state * 1103515245 + 12345) % 2147483648;
	return int($state / 65536) % $below;
}

sub both
{
	my ($sql) = @_;
	(my $t = $sql) =~ s/\bTAB\b/t/g;
	(my $m = $sql) =~ s/\bTAB\b/m/g;
	# a semicolon behind the data of COPY would repeat the command
	my $end = $sql =~ /^COPY/ ? '' : ';';
	print $in_block ? "$t$end\n$m$end\n" : "BEGIN;\n$t$end\n$m$end\nCOMMIT;\n";
}

sub range
{
	my $from = number(1800);
	return "id BETWEEN $from AND " . ($from + number(number(4) == 0 ? 300 : 12));
}

sub document
{
	my ($what) = @_;
	return "jsonb_build_object('k', $what % 17, 'n', CASE WHEN $what % 5 = 0 THEN to_jsonb('s'::text || $what) ELSE to_jsonb($what) END, "
		. "'a', jsonb_build_array($what, NULL, 1.50), 'o', jsonb_build_object('', $what % 3 = 0))::colj";
}

# A row as COPY takes it; its document is the one that document() makes.
sub line
{
	my ($id) = @_;
	my $n = $id % 5 == 0 ? qq{"s$id"} : $id;
	my $o = $id % 3 == 0 ? 'true' : 'false';
	return "$id\t" . qq|{"k": @{[$id % 17]}, "n": $n, "a": [$id, null, 1.50], "o": {"": $o}}| . "\tt@{[$id % 50]}\t$id\n";
}

my $next = 1400;
my $far = 100000;				# where no other id is
my @changes = (
	sub {
		my $n = 1 + number(40);
		both("INSERT INTO TAB SELECT g, " . document('g') . ", 't' || g % 50, g FROM generate_series($next, $next + $n) g");
		$next += $n + 1;
	},
	sub {
		my $n = 1 + number(60);
		my $lines = join '', map { line($_) } $next .. $next + $n;
		print 'SET colj.direct_load_min_rows = ', (0, 1, 1, 30)[number(4)], ";\n";
		both("COPY TAB FROM stdin;\n$lines\\.");
		$next += $n + 1;
	},
	sub { both("UPDATE TAB SET v = coalesce(v, 0) + 1 WHERE " . range()) },
	sub { both("UPDATE TAB SET t = 'u" . number(20) . "', doc = NULL WHERE " . range()) },
	sub { both("UPDATE TAB SET doc = " . document('id + ' . number(9)) . " WHERE " . range()) },
	sub { my $by = $far += 2000; both("UPDATE TAB SET id = id + $by WHERE id = " . number(1200)) },
	sub { both("DELETE FROM TAB WHERE " . range()) },
	sub { both("INSERT INTO TAB (id, t) SELECT g, 'back' FROM generate_series(" . join(', ', (sort { $a <=> $b } number(1200), number(1200))) . ", 7) g ON CONFLICT (id) DO UPDATE SET t = TAB.t || '+'") },
	sub { both("INSERT INTO TAB (id, t) SELECT g, 'new' FROM generate_series(" . number(1200) . ", 1300, 11) g ON CONFLICT DO NOTHING") },
	sub { print "SELECT count(*) FROM (SELECT FROM t WHERE ", range(), " FOR ", ('UPDATE', 'SHARE', 'KEY SHARE', 'NO KEY UPDATE')[number(4)], ") l;\n" },
);
my @outside = (
	sub { print "SELECT colj_compact('t');\n" },
	sub { print "SELECT colj_compact('t');\n" },
	sub { print "SET colj.stripe_rows = ", 1 + number(500), ";\n" },
	sub { print "VACUUM t;\n" },
	sub { print "VACUUM ANALYZE t;\n" },
	sub { print "VACUUM (INDEX_CLEANUP ON) t;\n" },
	sub { print "VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) t; VACUUM t;\n" },
	sub { print "SET colj.compact_min_rows = ", number(2) ? 1 : 100, ";\n" },
	sub { print "REINDEX TABLE t;\n" },
	sub { print((("VACUUM FULL t", "CLUSTER t USING t_pkey", "CLUSTER t USING t_t")[number(3)]), ";\n") },
	sub { print "REINDEX INDEX CONCURRENTLY t_t;\n" },
	sub { print "BEGIN; SELECT colj_compact('t'); ROLLBACK;\n" },
	# at once, since check_all() is for a colj table, also after a crash and on a standby
	sub { print "BEGIN; ALTER TABLE t SET ACCESS METHOD heap; ALTER TABLE t SET ACCESS METHOD colj; COMMIT;\n" if number(6) == 0 },
	sub { print "\\c -\nSET jit = off; SET colj.vector_rows = 64; SET colj.stripe_rows = 200;\n" },
);

sub change { $changes[number(scalar @changes)]->() }

sub compare
{
	print "SELECT check_all();\n";
}

print <<'END';
\set VERBOSITY terse
CREATE EXTENSION colj;
CREATE EXTENSION IF NOT EXISTS amcheck;
SET jit = off;
SET colj.vector_rows = 64;
SET colj.stripe_rows = 200;
CREATE TABLE t (id int PRIMARY KEY, doc colj, t text, v int) USING colj;
CREATE TABLE m (id int PRIMARY KEY, doc colj, t text, v int) USING heap;
CREATE INDEX t_t ON t (t);
CREATE INDEX t_doc ON t USING gin (doc);
CREATE INDEX t_v ON t USING hash (v);
CREATE INDEX t_k ON t ((doc->>'k')) WHERE v IS NOT NULL;
-- both tables by one access path; raises when they differ
CREATE FUNCTION check_path(what text, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	n bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM ((SELECT * FROM t WHERE %1$s EXCEPT ALL SELECT * FROM m WHERE %1$s)
		UNION ALL (SELECT * FROM m WHERE %1$s EXCEPT ALL SELECT * FROM t WHERE %1$s)) d', condition) INTO n;
	IF n <> 0 THEN
		RAISE EXCEPTION '% rows differ by %, %', n, what, condition;
	END IF;
END $$;
-- the same for groups, which are made vector by vector
CREATE FUNCTION check_groups(keys text, condition text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	-- keys have percent signs
	query text = 'SELECT ' || keys || ', count(*), count(v), sum(v), avg(id), min(t), max(doc->>''n''), count(*) FILTER (WHERE doc->''n'' > ''7'')
		FROM TAB WHERE ' || condition || ' GROUP BY ' || keys;
	of_t text = replace(query, 'TAB', 't');
	of_m text = replace(query, 'TAB', 'm');
	n bigint;
BEGIN
	EXECUTE 'SELECT count(*) FROM ((' || of_t || ' EXCEPT ALL ' || of_m || ') UNION ALL (' || of_m || ' EXCEPT ALL ' || of_t || ')) d' INTO n;
	IF n <> 0 THEN
		RAISE EXCEPTION '% groups differ by %, %', n, keys, condition;
	END IF;
END $$;
CREATE FUNCTION check_all() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM check_path('sequential scan', 'true');
	PERFORM bt_index_check('t_pkey', true), bt_index_check('t_t', true);
	-- it is a heap table for a moment
	IF EXISTS (SELECT FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.oid = 't'::regclass AND amname = 'colj') THEN
		IF EXISTS (SELECT FROM colj_check('t')) THEN
			RAISE EXCEPTION '%', (SELECT string_agg(problem, '; ') FROM colj_check('t'));
		END IF;
	END IF;
	SET LOCAL colj.vectoragg_min_rows = 0;
	PERFORM check_groups($q$doc->>'k'$q$, 'true');
	PERFORM check_groups($q$doc->'o'->>'', t$q$, $q$doc->>'k' <> '3'$q$);
	PERFORM check_groups('v % 7', $q$(doc->>'k')::int > 5 OR doc IS NULL$q$);
	RESET colj.vectoragg_min_rows;
	SET LOCAL enable_seqscan = off;
	PERFORM check_path('index scan', 'id BETWEEN 0 AND 2000000');
	PERFORM check_path('index', format('t = %L', x)) FROM unnest(ARRAY['t7', 'u3', 'back', 'new']) x;
	PERFORM check_path('hash', 'v = 3');
	PERFORM check_path('partial', $q$doc->>'k' = '3' AND v IS NOT NULL$q$);
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_indexonlyscan = off;
	PERFORM check_path('bitmap', 'id > 300');
	PERFORM check_path('gin', $q$doc @> '{"k": 4}'$q$);
	PERFORM check_path('gin', $q$doc @> '{"a": [null, 1.5]}'$q$);
	RESET enable_seqscan;
	RESET enable_indexscan;
	RESET enable_indexonlyscan;
END $$;
END
both("INSERT INTO TAB SELECT g, " . document('g') . ", 't' || g % 50, g FROM generate_series(0, 999) g");
for my $step (1 .. $steps)
{
	my $kind = number(10);
	if ($kind < 5)
	{
		change();
	}
	elsif ($kind < 8)
	{
		# a transaction that may roll back, to a savepoint or wholly
		print "BEGIN;\n";
		$in_block = 1;
		change() for 0 .. number(3);
		if (number(2))
		{
			print "SAVEPOINT s;\n";
			change() for 0 .. number(3);
			print number(2) ? "ROLLBACK TO s;\n" : "RELEASE s;\n";
			change();
		}
		print number(3) ? "COMMIT;\n" : "ROLLBACK;\n";
		$in_block = 0;
	}
	else
	{
		$outside[number(scalar @outside)]->();
	}
	compare() if $step % 5 == 0;
}
print "SELECT bt_index_check('t_pkey', true), bt_index_check('t_t', true);\n";
print "SELECT 'done';\n";
