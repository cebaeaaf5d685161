--
-- Documents of stripes that are copied with the keys that are needed (src/exec/wanted.c):
-- aggregation over sorts, beside the same rows on heap.
--
SET colj.stripe_rows = 1000;
SET enable_hashagg = off;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE want_heap (id int, doc colj, other jsonb);
INSERT INTO want_heap
SELECT g, CASE g % 20
		WHEN 0 THEN '[1, {"a": 2}]'
		WHEN 1 THEN '"a"'
		WHEN 2 THEN NULL
		WHEN 3 THEN '{}'
		WHEN 4 THEN '{"a": null, "b": {"c": []}}'
		WHEN 5 THEN jsonb_build_object('a', jsonb_build_object('c', g), 'b', g, 'rare' || g, g)
		ELSE jsonb_build_object('a', g % 7, 'b', jsonb_build_object('c', 'c' || g % 5, 'd', g % 3, 'rare' || g, g),
			'pad', repeat('x', g % 50), 'k1', 1, 'k2', 2, 'k3', 3, 'k4', 4, 'k5', 5, 'k6', 6, 'k7', 7, 'k8', 8,
			'k9', 9, 'k10', 10, 'k11', 11, 'k12', 12, 'k13', 13, 'k14', 14, 'k15', 15, 'k16', g % 2, 'rare' || g, 1)
		END::jsonb::colj,
	jsonb_build_object('a', g % 7, 'b', g)
FROM generate_series(1, 3000) g;
CREATE TABLE want_am USING colj AS TABLE want_heap;
SELECT colj_compact('want_am') >= 0 AS compacted;
CREATE TABLE want_parts (LIKE want_heap) PARTITION BY RANGE (id);
CREATE TABLE want_part1 PARTITION OF want_parts FOR VALUES FROM (0) TO (1500) USING colj;
CREATE TABLE want_part2 PARTITION OF want_parts FOR VALUES FROM (1500) TO (9999) USING colj;
INSERT INTO want_parts TABLE want_heap;
SELECT colj_compact('want_part1') >= 0, colj_compact('want_part2') >= 0;
ANALYZE want_heap, want_am, want_parts;

-- what a query with {} in the place of a table answers on each of them
CREATE FUNCTION want(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	names text[] := ARRAY['want_heap', 'want_am', 'want_parts'];
	answers text[];
	answer text;
	name text;
BEGIN
	FOREACH name IN ARRAY names LOOP
		EXECUTE format('SELECT string_agg(q::text, %L ORDER BY q::text) FROM (%s) q', ' ', replace(query, '{}', name)) INTO answer;
		answers := answers || answer;
	END LOOP;
	RETURN CASE WHEN answers[1] = ALL (answers) AND answers[1] IS NOT NULL THEN 'same' ELSE answers::text END;
END $$;
-- kB that the sort takes
CREATE FUNCTION want_sorted(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) ' || query INTO plan;
	RETURN jsonb_path_query_first(plan, '$.**."Sort Space Used"');
END $$;

CREATE TABLE wanted_queries (n int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO wanted_queries (query) VALUES
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT doc -> ''b'' ->> ''c'', count(DISTINCT doc -> ''b''), count(DISTINCT doc -> ''a'') FROM {} GROUP BY 1'),
	('SELECT colj_get_text(doc, ''["b", "d"]''), count(DISTINCT colj_get(doc, ''["b", "c"]'')::text) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''rare25'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc -> 1) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc #> ''{b,c}''), count(DISTINCT doc #>> ''{1,a}'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT colj_get(doc, ''[1, "a"]'')) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT colj_get(doc, ''[]'')) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b''), max(doc::text) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b''), string_agg(doc ->> ''pad'', '','' ORDER BY doc ->> ''pad'', id) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT id) FILTER (WHERE doc ? ''b'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT id) FILTER (WHERE doc @> ''{"k1": 1}'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT id) FILTER (WHERE doc ->> ''k16'' = ''1'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT id) FROM {} GROUP BY 1 HAVING max(doc ->> ''k3'') = ''3'''),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b'') FROM {} WHERE doc @> ''{"k2": 2}'' GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> (SELECT ''b'')) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT (SELECT d ->> ''b'' FROM (SELECT doc) s(d))) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b''), count(DISTINCT CASE WHEN id > 9 THEN doc END) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT {}) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT id), min({}::text) > '''' FROM {} GROUP BY 1'),
	('SELECT doc, count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', doc ->> ''k1'', count(DISTINCT doc ->> ''b'') FROM {} GROUP BY GROUPING SETS ((1), (2), (1, 2))'),
	('SELECT count(*), max(doc ->> ''b'') FROM {} GROUP BY doc'),
	('SELECT count(*), count(DISTINCT doc ->> ''b'') FROM {} GROUP BY GROUPING SETS ((doc), (doc ->> ''a''))'),
	('SELECT count(*), max(doc ->> ''b'') FROM {} GROUP BY GROUPING SETS ((doc ->> ''a''), (doc))'),
	('SELECT string_agg(doc ->> ''pad'', '','') FROM (SELECT doc FROM {} ORDER BY doc LIMIT 2500) s'),
	('SELECT ROW(doc)::text, count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b'') FROM {} WHERE ROW(doc)::text LIKE ''%k15%'' GROUP BY 1'),
	('SELECT doc ->> ''a'', concat(' || (SELECT string_agg(format('max(doc ->> ''k%s'')', k), ', ') FROM generate_series(1, 16) k) ||
		', max(doc ->> ''pad''), count(DISTINCT doc ->> ''b'')) FROM {} GROUP BY 1'),
	('SELECT doc ->> ''a'', count(DISTINCT doc ->> ''b''), count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT other ->> ''a'', count(DISTINCT other ->> ''b''), count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT other ->> ''a'', count(DISTINCT other), count(DISTINCT doc ->> ''b'') FROM {} GROUP BY 1'),
	('SELECT a, count(DISTINCT d ->> ''b'') FROM (SELECT doc ->> ''a'' AS a, doc AS d FROM {} ORDER BY id LIMIT 500) s GROUP BY 1'),
	('SELECT a, count(DISTINCT d ->> ''b''), max(e ->> ''k1'') FROM (SELECT doc ->> ''a'' AS a, doc AS d, doc AS e FROM {} ORDER BY id LIMIT 500) s GROUP BY 1'),
	('SELECT a, count(DISTINCT d ->> ''b'') FROM (SELECT doc ->> ''a'' AS a, doc AS d FROM {} ORDER BY doc, id LIMIT 500) s GROUP BY 1'),
	('SELECT max(d ->> ''b''), max(d::text) FROM (SELECT doc AS d FROM {} ORDER BY id LIMIT 500) s'),
	('SELECT count(*), max(x.doc ->> ''b'') FROM (SELECT doc FROM {} ORDER BY id LIMIT 500) x, (SELECT doc FROM {} ORDER BY id LIMIT 500) y WHERE x.doc ->> ''a'' = y.doc ->> ''pad'' OR x.doc = y.doc'),
	('SELECT n, count(DISTINCT d ->> ''b'') FROM (SELECT row_number() OVER (ORDER BY id) % 3 AS n, doc AS d FROM {}) s GROUP BY 1'),
	('SELECT a, count(*) FROM (SELECT doc ->> ''a'' AS a, count(DISTINCT doc ->> ''b'') AS n FROM {} GROUP BY 1) s GROUP BY 1');
SELECT n, want(query) FROM wanted_queries ORDER BY n;

-- the same in parallel, and where the row store has rows, too
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
INSERT INTO want_heap SELECT id + 3000, doc, other FROM want_heap WHERE id < 30;
INSERT INTO want_am SELECT id + 3000, doc, other FROM want_am WHERE id < 30;
INSERT INTO want_parts SELECT id + 3000, doc, other FROM want_parts WHERE id < 30;
SELECT n, want(query) FROM wanted_queries WHERE want(query) <> 'same' ORDER BY n;
SET max_parallel_workers_per_gather = 0;

-- hash tables that spill, and cursors
SET enable_hashagg = on;
SET enable_sort = off;
SET work_mem = '64kB';
SELECT n, want(query) FROM wanted_queries WHERE want(query) <> 'same' ORDER BY n;
RESET enable_sort;
RESET work_mem;
SET enable_hashagg = off;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT doc ->> 'a', count(DISTINCT doc ->> 'b') FROM want_am GROUP BY 1;
FETCH 2 c;
FETCH BACKWARD 1 c;
FETCH LAST c;
COMMIT;

-- does it help?  Only key "a" is sorted along.
CREATE TABLE want_large USING colj AS
SELECT colj_build_object('a', g % 10, 'b', g % 3, 'pad', repeat('x', 1000)) AS doc FROM generate_series(1, 1000) g;
SELECT colj_compact('want_large') >= 0 AS compacted;
SELECT want_sorted('SELECT doc ->> ''b'', count(DISTINCT doc ->> ''a'') FROM want_large GROUP BY 1') < 500
	OR current_setting('server_version_num')::int >= 170000 AS keys_only,
	want_sorted('SELECT doc ->> ''b'', count(DISTINCT doc::text) FROM want_large GROUP BY 1') < 500 AS whole_documents;
DROP TABLE want_heap, want_am, want_parts, want_large, wanted_queries;
DROP FUNCTION want, want_sorted;
