--
-- Aggregation by vectors (src/exec/vectoragg_*.c), beside the same rows on heap.
--
SET colj.stripe_rows = 1000;
SET colj.vector_rows = 256;
SET colj.vectoragg_min_rows = 0;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
CREATE TABLE va_heap (id int, gone int, doc colj, s int2, big int8, f float8, n numeric, t text, d date, yes bool,
	raw bytea, arr int[], other jsonb, fixed char(3));
INSERT INTO va_heap
SELECT g, g, CASE g % 40
		WHEN 0 THEN '[1, {"a": 2}]'
		WHEN 1 THEN '"a"'
		WHEN 2 THEN NULL
		WHEN 3 THEN '{}'
		WHEN 4 THEN '{"few": null, "int": null, "o": null, "mixed": null}'
		ELSE jsonb_build_object('one', 'x', 'few', 'f' || g % 7, 'many', 'm' || g, 'int', g % 500 - 250, 'big', g::int8 * 10000000000,
			'dec', (g % 9) / 4.0, 'yes', g % 3 = 0, 'mixed', CASE g % 4 WHEN 0 THEN to_jsonb(g % 5) WHEN 1 THEN '"s"' WHEN 2 THEN 'null' ELSE '[1]' END,
			'o', jsonb_build_object('k', g % 4, 'empty', '', 'deep', jsonb_build_object('e', 'é' || g % 3)), 'arr', jsonb_build_array(g % 3, 'a'),
			'some' || g % 2, g % 10, 'odd', CASE WHEN g % 20 = 7 THEN to_jsonb('odd' || g % 3) ELSE to_jsonb(g % 5) END, 'price', round(g / 100.0, 2),
			'weird', CASE WHEN g % 20 = 7 THEN to_jsonb('w' || g) ELSE to_jsonb(g) END, 'text', repeat('long ', 10 + g % 3)) END::colj,
	g % 100, g::int8 * 1000000, g / 8.0, g % 10 / 4.0, CASE WHEN g % 11 > 0 THEN 't' || g % 13 END, '2026-01-01'::date + g % 30, g % 5 = 0,
	decode(repeat('ab', g % 4), 'hex'), ARRAY[g % 2, NULL], jsonb_build_object('a', g % 3), 'c' || g % 2
FROM generate_series(1, 3000) g;
-- stripes alone; and the same with rows that have gone, have changed, and have come later
CREATE TABLE va_am USING colj AS TABLE va_heap;
SELECT colj_compact('va_am');
ALTER TABLE va_heap DROP COLUMN gone, ADD COLUMN late text DEFAULT 'late', ADD COLUMN later int, ADD COLUMN late_doc colj DEFAULT '{"a": 1}';
ALTER TABLE va_am DROP COLUMN gone, ADD COLUMN late text DEFAULT 'late', ADD COLUMN later int, ADD COLUMN late_doc colj DEFAULT '{"a": 1}';
CREATE TABLE va_heap2 AS TABLE va_heap;
CREATE TABLE va_am2 USING colj AS TABLE va_heap;
SELECT colj_compact('va_am2');
SET colj.stripe_rows = 16384;
DELETE FROM va_heap2 WHERE id % 7 = 0 OR id BETWEEN 200 AND 600;
DELETE FROM va_am2 WHERE id % 7 = 0 OR id BETWEEN 200 AND 600;
UPDATE va_heap2 SET t = 'updated', doc = colj_set(doc, '{few}', '"new"') WHERE id % 10 = 0 AND doc IS NOT NULL AND id % 40 <> 1;
UPDATE va_am2 SET t = 'updated', doc = colj_set(doc, '{few}', '"new"') WHERE id % 10 = 0 AND doc IS NOT NULL AND id % 40 <> 1;
INSERT INTO va_heap2 SELECT * FROM va_heap WHERE id % 5 = 0;
INSERT INTO va_am2 SELECT * FROM va_heap WHERE id % 5 = 0;
-- and one whose documents are all objects
CREATE TABLE va_heap4 AS SELECT * FROM va_heap WHERE doc ? 'few';
CREATE TABLE va_am4 USING colj AS TABLE va_heap4;
SELECT colj_compact('va_am4');
ANALYZE va_heap, va_am, va_heap2, va_am2, va_heap4, va_am4;

-- what a query with {} in the place of a table answers on both, and how
CREATE FUNCTION va(query text, tables text[] DEFAULT ARRAY['va_heap', 'va_am'], sorted bool DEFAULT true) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answers text[];
	answer text;
	line text;
	way text = 'by rows';
	name text;
BEGIN
	FOREACH name IN ARRAY tables LOOP
		EXECUTE format('SELECT string_agg(q::text, %L %s) FROM (%s) q', ' ', CASE WHEN sorted THEN 'ORDER BY q::text' END,
			replace(query, '{}', name)) INTO answer;
		answers := answers || answer;
	END LOOP;
	FOR line IN EXECUTE 'EXPLAIN ' || replace(query, '{}', tables[2]) LOOP
		IF line LIKE '%ColjVectorAgg%' THEN way := 'by vectors'; END IF;
	END LOOP;
	RETURN CASE WHEN answers[1] IS NOT DISTINCT FROM answers[2] THEN 'same, ' || way ELSE answers::text END;
END $$;

-- the same for many queries on each pair of tables: how many, and which differ
CREATE FUNCTION va_all(queries text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	q text;
	said text;
	n int = 0;
	vectors int = 0;			-- the planner takes rows where groups are many
	pair text[];
BEGIN
	FOREACH pair SLICE 1 IN ARRAY ARRAY[['va_heap', 'va_am'], ['va_heap2', 'va_am2'], ['va_heap4', 'va_am4']] LOOP
		FOREACH q IN ARRAY queries LOOP
			said := va(q, pair);
			IF said NOT LIKE 'same, %' THEN
				RETURN NEXT format('%s: %s', q, left(said, 300));
			END IF;
			n := n + 1;
			vectors := vectors + (said = 'same, by vectors')::int;
		END LOOP;
	END LOOP;
	RETURN NEXT format('%s queries, more than half by vectors: %s', n, vectors > n / 2);
END $$;
-- every expression as key and as argument, every aggregate, every condition
CREATE TABLE va_exprs (e text);
INSERT INTO va_exprs VALUES
	('doc ->> ''one'''), ('doc ->> ''few'''), ('doc ->> ''many'''), ('doc -> ''few'''), ('doc ->> ''int'''), ('(doc ->> ''int'')::int'),
	('(doc ->> ''int'')::int2'), ('(doc ->> ''big'')::int8'), ('(doc ->> ''dec'')::numeric'), ('doc ->> ''yes'''), ('(doc ->> ''yes'')::bool'),
	('doc ->> ''mixed'''), ('doc -> ''mixed'''), ('doc -> ''o'''), ('doc -> ''o'' ->> ''k'''), ('(doc -> ''o'' -> ''k'')::int8'),
	('doc -> ''o'' ->> ''empty'''), ('doc #>> ''{o,deep,e}'''), ('doc -> ''o'' -> ''deep'' ->> ''e'''), ('doc -> ''arr'' ->> 0'), ('doc -> 0'),
	('doc ->> ''some0'''), ('doc ->> ''odd'''), ('doc -> ''odd'''), ('doc ->> ''absent'''), ('doc ->> ''text'''), ('upper(doc ->> ''few'') || ''!'''),
	('coalesce(doc ->> ''few'', doc ->> ''one'')'), ('doc'), ('s'), ('big'), ('f'), ('n'), ('t'), ('d'), ('yes'), ('raw'), ('arr'), ('other'),
	('other ->> ''a'''), ('fixed'), ('late'), ('later'), ('late_doc ->> ''a'''), ('(late_doc -> ''a'')::int'), ('s % 7'), ('id'), ('NULL::int'), ('''constant''::text'), ('date_trunc(''month'', d)');
SELECT va_all(array_agg(format('SELECT %s AS key, count(*), count(%s), sum(s), sum(big), avg(f), min(t), count(*) FILTER (WHERE yes) FROM {} WHERE %s GROUP BY 1', e, e, c)))
FROM va_exprs, LATERAL unnest(ARRAY['true', 'doc ->> ''few'' = ''f3''', 's > 20 AND doc ->> ''int'' LIKE ''1%''',
	'doc -> ''mixed'' <> ''1'' OR t IS NULL', '(' || e || ') IS NOT NULL', 'id < 0']) c;
CREATE TABLE va_aggs (a text);
INSERT INTO va_aggs VALUES
	('count(*)'), ('count(doc)'), ('count(doc ->> ''some1'')'), ('count(7)'), ('sum(s)'), ('sum(id)'), ('sum(big)'), ('sum(n)'), ('sum(f)'),
	('sum((doc ->> ''int'')::int)'), ('sum((doc ->> ''big'')::int8)'), ('sum((doc ->> ''dec'')::numeric)'), ('sum((doc ->> ''int'')::float8)'),
	('sum((doc -> ''o'' -> ''k'')::int2)'), ('avg(s)'), ('avg(id)'), ('avg(big)'), ('avg(n)'), ('avg(f)'), ('avg((doc ->> ''dec'')::numeric)'),
	('sum((doc -> ''dec'')::numeric)'), ('sum((doc ->> ''int'')::numeric)'), ('avg((doc ->> ''dec'')::float8)'), ('sum((doc -> ''o'' -> ''k'')::float8)'),
	('min(doc ->> ''int'')'), ('max(doc -> ''o'' -> ''deep'' ->> ''e'')'), ('count(raw)'), ('max(raw::text)'), ('max(doc ->> ''mixed'')'), ('max(doc ->> ''odd'')'),
	('min(n)'), ('max(other ->> ''a'')'), ('min(doc ->> ''big'')'), ('sum((doc ->> ''price'')::numeric)'), ('sum((doc -> ''price'')::float8)'), ('max((doc ->> ''price'')::float8)'),
	('max(doc ->> ''weird'')'), ('count(doc ->> ''weird'')'), ('count(doc -> ''price'')'),
	('min(s)'), ('max(t)'), ('min(n)'), ('max(f)'), ('min(d)'), ('max(doc ->> ''many'')'), ('min(doc ->> ''absent'')'), ('max(fixed)'),
	('min(arr)'), ('max((doc ->> ''int'')::int)'), ('bool_and(yes)'), ('bool_or((doc ->> ''yes'')::bool)'), ('bit_or(s)'), ('bit_and(id)'),
	('stddev(s)'), ('var_pop(n)'), ('round(variance(f)::numeric, 6)'), ('regr_count(f, s)'), ('sum(later)'), ('max(late)'), ('every(true)'),
	('count(*) FILTER (WHERE doc ->> ''few'' = ''f1'')'), ('sum((doc ->> ''few'')::int) FILTER (WHERE doc ->> ''few'' = ''nothing'')'),
	('max(d) FILTER (WHERE yes)'), ('sum(s + 1) * 2 + count(*)');
SELECT va_all(array_agg(format(q, a)))
FROM va_aggs, unnest(ARRAY['SELECT %s FROM {}', 'SELECT %s FROM {} WHERE false OR id < 0', 'SELECT doc ->> ''few'', t, %s FROM {} GROUP BY 1, 2',
	'SELECT doc ->> ''many'', %s FROM {} WHERE s < 90 GROUP BY 1', 'SELECT s, id, %s FROM {} GROUP BY 1, 2']) q;

-- clauses around it
CREATE TABLE va_queries (n int GENERATED ALWAYS AS IDENTITY, q text);
INSERT INTO va_queries (q) VALUES
	('SELECT upper(doc ->> ''few'') || count(*), doc ->> ''few'' FROM {} GROUP BY doc ->> ''few'''),
	('SELECT t FROM {} GROUP BY t'),
	('SELECT doc -> ''int'', doc -> ''int'' ->> ''k'', (doc -> ''int'' ->> ''k'')::int, max(doc -> ''int'' ->> ''k'') FROM {} GROUP BY 1, 2, 3'),
	('SELECT t, count(*) AS c FROM {} GROUP BY t HAVING count(*) > 250 AND max(s) > 3 ORDER BY c DESC, t LIMIT 3'),
	('SELECT count(*) FROM {} HAVING count(*) < 0'),
	('SELECT t, sum(count(*)) OVER (ORDER BY t) FROM {} GROUP BY t'),
	('SELECT x.t, c FROM (SELECT t, count(*) AS c FROM {} GROUP BY t) x JOIN (SELECT t, max(s) AS m FROM {} GROUP BY t) y ON x.t = y.t AND c > m'),
	('WITH x AS MATERIALIZED (SELECT t, count(*) AS c FROM {} GROUP BY t) SELECT sum(c) FROM x'),
	('SELECT x, (SELECT count(*) FROM {} WHERE doc ->> ''few'' = x) FROM unnest(ARRAY[''f1'', ''f2'', ''none'', NULL]) x'),
	('SELECT x, c FROM unnest(ARRAY[3, 2999]) x, LATERAL (SELECT t, count(*) AS c FROM {} WHERE id > x GROUP BY t) l'),
	('SELECT count(*) FROM {} WHERE t = ANY (ARRAY[''t1'', ''t2'']) AND (doc ->> ''int'')::int BETWEEN -5 AND 5'),
	('SELECT tableoid::regclass::text <> '''', count(*) FROM {} GROUP BY 1'),
	('SELECT count(*), count({}) FROM {}'),
	('SELECT generate_series(1, 2), count(*) FROM {}'),
	('SELECT count(*) FROM {} WHERE s > (SELECT 50)'),
	('SELECT t, count(*) FROM {} GROUP BY t, ''x''::text'),
	('SELECT count(*) FROM {} WHERE now() > ''2000-01-01'''),
	-- not by vectors
	('SELECT count(DISTINCT t), count(*) FROM {}'),
	('SELECT string_agg(t, '','' ORDER BY id) FROM {} WHERE id < 20'),
	('SELECT t, s, count(*) FROM {} GROUP BY GROUPING SETS ((t), (s))'),
	('SELECT t, grouping(t), count(*) FROM {} GROUP BY t'),
	('SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY s) FROM {}'),
	('SELECT count(*) FROM {} WHERE random() >= 0'),
	('SELECT count(*) FROM {} WHERE s = (SELECT s FROM generate_series(1, 3) x WHERE x = s)'),
	('SELECT count(*) FROM {} a JOIN {} b ON a.id = b.id'),
	('SELECT count(*) FROM {} TABLESAMPLE system (100)'),
	('SELECT colj_agg(s) FROM (SELECT s FROM {} WHERE id < 5 ORDER BY id) x');
SELECT n, va(q), va(q, ARRAY['va_heap2', 'va_am2']) FROM va_queries ORDER BY n;
SELECT va('SELECT count(*) FROM {} GROUP BY ''x''::text') LIKE 'same, %' AS same;
SELECT DISTINCT va(q, ARRAY['va_heap', 'va_am'], false) FROM va_queries WHERE q LIKE '%LIMIT 3';

-- the plan, and what it says of the rows
EXPLAIN (COSTS OFF, VERBOSE)
SELECT doc ->> 'few', sum(s) FILTER (WHERE yes), sum(s) FROM va_am WHERE t = 't1' GROUP BY 1 HAVING count(*) > 1;
CREATE FUNCTION va_explain(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
		IF line NOT LIKE '%Batches%' THEN
			RETURN NEXT regexp_replace(line, '(rows=\d+)\.00', '\1');
		END IF;
	END LOOP;
END $$;
SELECT va_explain('SELECT doc ->> ''few'', count(*) FROM va_am2 WHERE id > 1000 GROUP BY 1');
SELECT count(*) FROM va_am2 WHERE id > 1000;
SET colj.vectoragg_min_rows = -1;
EXPLAIN (COSTS OFF) SELECT count(*) FROM va_am;
SET colj.vectoragg_min_rows = 3001;
EXPLAIN (COSTS OFF) SELECT count(*) FROM va_am;
RESET colj.vectoragg_min_rows;
EXPLAIN (COSTS OFF) SELECT count(*) FROM va_am;
SET colj.vectoragg_min_rows = 3000;
EXPLAIN (COSTS OFF) SELECT count(*) FROM va_am;
SET colj.vectoragg_min_rows = 0;
CREATE TABLE va_hot (doc colj) USING colj;
INSERT INTO va_hot VALUES ('{"a": 1}');
EXPLAIN (COSTS OFF) SELECT count(*) FROM va_hot;

-- more groups than fit into memory come in several parts; of tables without statistics, lest rows be taken
CREATE TABLE va_heap3 AS TABLE va_heap2;
CREATE TABLE va_am3 USING colj AS TABLE va_heap2;
SELECT colj_compact('va_am3');
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT va(q, ARRAY['va_heap3', 'va_am3']) FROM unnest(ARRAY[
	'SELECT id, doc ->> ''many'', count(*), sum(n), avg(big) FROM {} GROUP BY 1, 2',
	'SELECT doc, max(doc ->> ''many''), sum(n) FROM {} GROUP BY 1',
	'SELECT t, max(repeat(doc ->> ''text'', 1000)) FROM {} GROUP BY 1']) q;
SELECT substring(line FROM 'rows=(\d+)')::int > 20 AS several_parts
FROM va_explain('SELECT t, max(repeat(doc ->> ''text'', 1000)) FROM va_am3 GROUP BY 1') line WHERE line LIKE '%ColjVectorAgg%';
RESET work_mem;
RESET hash_mem_multiplier;
SELECT va('SELECT id, doc ->> ''many'', count(*), sum(n), avg(big) FROM {} GROUP BY 1, 2', ARRAY['va_heap3', 'va_am3']);

-- parameters, and plans that are kept
SET plan_cache_mode = force_generic_plan;
PREPARE va_prepared (text, int) AS SELECT t, count(*) FROM va_am WHERE doc ->> 'few' = $1 AND s < $2 GROUP BY t ORDER BY t LIMIT 2;
EXECUTE va_prepared ('f1', 50);
EXECUTE va_prepared ('f2', 20);
EXECUTE va_prepared (NULL, 20);
DELETE FROM va_am WHERE t = 't1';
EXECUTE va_prepared ('f1', 50);
INSERT INTO va_am SELECT * FROM va_heap WHERE t = 't1';
EXECUTE va_prepared ('f1', 50);
RESET plan_cache_mode;

-- changes of the own transaction, of one that is rolled back, and an old snapshot
BEGIN;
DELETE FROM va_am WHERE id <= 1000;
SELECT count(*), sum(s) FROM va_am;
SAVEPOINT s;
UPDATE va_am SET s = 0;
SELECT count(*), sum(s) FROM va_am;
ROLLBACK TO s;
SELECT count(*), sum(s) FROM va_am;
ROLLBACK;
SELECT count(*), sum(s) FROM va_am;
BEGIN;
DECLARE va_cursor SCROLL CURSOR FOR SELECT t, count(*) FROM va_am GROUP BY t ORDER BY t;
FETCH 2 FROM va_cursor;
DELETE FROM va_am;
FETCH 1 FROM va_cursor;
FETCH BACKWARD 2 FROM va_cursor;
ROLLBACK;

-- workers
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT doc ->> 'few', count(*) FROM va_am WHERE s > 3 GROUP BY 1;
SELECT n, va(q), va(q, ARRAY['va_heap2', 'va_am2']) FROM va_queries WHERE n IN (1, 4, 5, 8, 11, 14) ORDER BY n;
SELECT va('SELECT doc ->> ''many'', count(*), sum(n), avg(big) FROM {} GROUP BY 1', ARRAY['va_heap3', 'va_am3']);
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- partitions, each by itself
CREATE TABLE va_parts (LIKE va_heap) PARTITION BY RANGE (s);
CREATE TABLE va_part1 PARTITION OF va_parts FOR VALUES FROM (0) TO (50) USING colj;
CREATE TABLE va_part2 PARTITION OF va_parts FOR VALUES FROM (50) TO (100) USING colj;
INSERT INTO va_parts TABLE va_heap;
SELECT colj_compact('va_part1') + colj_compact('va_part2');
ANALYZE va_parts;
SET enable_partitionwise_aggregate = on;
SELECT va('SELECT s, doc ->> ''few'', count(*), sum(s) FROM {} GROUP BY 1, 2', ARRAY['va_heap', 'va_parts']);
SELECT va('SELECT doc ->> ''few'', count(*), sum(s) FROM {} GROUP BY 1', ARRAY['va_heap', 'va_parts']);
RESET enable_partitionwise_aggregate;

-- errors are those of the expression, and come up for no other rows
SELECT sum((doc ->> 'few')::int) FROM va_am;
SELECT sum((doc ->> 'big')::int) FROM va_am;
SELECT sum((doc ->> 'big')::int) FROM va_am4;
SELECT count(*) FROM va_am WHERE doc ->> 'few' = 'nothing' AND (doc ->> 'few')::int = 1;
CREATE FUNCTION va_outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE answer text;
BEGIN
	EXECUTE query INTO answer;
	RETURN answer;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT q, va_outcome(replace(q, '{}', 'va_heap')) = va_outcome(replace(q, '{}', 'va_am')) AS same,
	va_outcome(replace(q, '{}', 'va_heap4')) = va_outcome(replace(q, '{}', 'va_am4')) AS same4
FROM unnest(ARRAY['SELECT sum((doc -> ''int'')::int) FROM {}', 'SELECT sum((doc -> ''int'')::int) FROM {} WHERE doc ->> ''int'' > ''1''',
	'SELECT sum((doc -> ''o'' -> ''k'')::int2) FROM {}', 'SELECT sum((doc -> ''o'')::int2) FROM {}',
	'SELECT sum((doc ->> ''int'')::int2) FROM {}', 'SELECT sum((doc ->> ''mixed'')::int) FROM {} WHERE doc ->> ''mixed'' < ''3''',
	'SELECT sum((doc ->> ''big'')::int8::int) FROM {}', 'SELECT sum((doc -> ''big'')::int) FROM {} WHERE s > 3',
	'SELECT sum((doc ->> ''big'')::int2) FROM {}', 'SELECT sum((doc -> ''big'')::int2) FROM {}', 'SELECT sum((doc ->> ''weird'')::int) FROM {} WHERE s = 0',
	'SELECT sum((doc ->> ''weird'')::int) FROM {}', 'SELECT sum(1 / (s - 50)) FROM {}',
	'SELECT sum(big * 10000000000000000) FROM {}']) q;

-- row-level security looks first
CREATE ROLE va_reader;
GRANT SELECT ON va_am TO va_reader;
ALTER TABLE va_am ENABLE ROW LEVEL SECURITY;
CREATE POLICY va_policy ON va_am USING (t = 't1');
CREATE FUNCTION va_tell(text) RETURNS bool LANGUAGE plpgsql STABLE COST 0.0001 AS $$
BEGIN
	IF $1 IS DISTINCT FROM 't1' THEN RAISE NOTICE 'seen %', $1; END IF;
	RETURN true;
END $$;
SET ROLE va_reader;
SELECT t, count(*) FROM va_am WHERE va_tell(t) GROUP BY t;
RESET ROLE;
DROP TABLE va_heap, va_heap2, va_heap3, va_heap4, va_am, va_am2, va_am3, va_am4, va_parts, va_hot, va_exprs, va_aggs, va_queries;
DROP FUNCTION va, va_all, va_explain, va_outcome, va_tell;
DROP ROLE va_reader;
