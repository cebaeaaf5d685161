--
-- Accessors: ->, ->>, #>, #>>, ?, ?|, ?&, and chains of them.
--
CREATE TEMP TABLE docs (n serial, t text);
INSERT INTO docs (t) VALUES
	('null'), ('true'), ('0'), ('"a"'), ('"0"'), ('[]'), ('{}'), ('[1, "a", null, [2, [3]], {"a": "x"}]'),
	('{"a": 1, "b": null, "c": "text", "d": [10, 20, {"a": "deep"}], "e": {"a": {"b": {"c": 1.50}}}, "0": "zero", "-1": "minus", "": "empty"}'),
	('{"a": {"a": {"a": [[["a"]]]}}}'), ('["a", "b", "0"]'), ('[{"a": 0}, {"a": 1}, {"a": 2}]'), ('{"a": "a string that is longer than thirty bytes"}'),
	('{"a": 1e40, "b": -0.00, "c": [1.5, 1e-40]}');
INSERT INTO docs (t) SELECT json_object_agg('key' || i, json_build_array(i, 'value ' || i))::text || '' FROM generate_series(1, 200) i;
CREATE TEMP TABLE keys (k text);
INSERT INTO keys VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('0'), ('-1'), (''), ('key1'), ('key150'), ('key201'), ('kez'), ('A'), ('é'), (NULL);
CREATE TEMP TABLE indexes (i int);
INSERT INTO indexes VALUES (0), (1), (2), (3), (4), (5), (-1), (-2), (-5), (-6), (2147483647), (-2147483648), (NULL);
CREATE TEMP TABLE paths (p text[]);
INSERT INTO paths VALUES ('{}'), ('{a}'), ('{0}'), ('{-1}'), ('{d,2,a}'), ('{d,-1,a}'), ('{e,a,b,c}'), ('{e,a,b,c,d}'), ('{a,a,a,0,0,0}'), ('{3,1,0}'),
	('{4,a}'), ('{" 0"}'), ('{"0 "}'), ('{+0}'), ('{00}'), ('{0x0}'), ('{1.0}'), ('{""}'), ('{2147483647}'), ('{2147483648}'), ('{-2147483648}'), ('{-2147483649}'),
	('{99999999999999999999}'), ('{a,NULL}'), ('{NULL}'), ('{key7,1}'), ('{{a,a},{a,0}}'), (NULL);

-- All documents with all keys, indexes and paths, as jsonb has them.
SELECT n, k FROM docs, keys
WHERE t::jsonb -> k IS DISTINCT FROM (t::colj -> k)::jsonb OR t::jsonb ->> k IS DISTINCT FROM t::colj ->> k
   OR t::jsonb ? k IS DISTINCT FROM t::colj ? k;
SELECT n, i FROM docs, indexes
WHERE t::jsonb -> i IS DISTINCT FROM (t::colj -> i)::jsonb OR t::jsonb ->> i IS DISTINCT FROM t::colj ->> i;
SELECT n, p FROM docs, paths
WHERE t::jsonb #> p IS DISTINCT FROM (t::colj #> p)::jsonb OR t::jsonb #>> p IS DISTINCT FROM t::colj #>> p
   OR jsonb_extract_path(t::jsonb, VARIADIC p) IS DISTINCT FROM colj_extract_path(t::colj, VARIADIC p)::jsonb
   OR jsonb_extract_path_text(t::jsonb, VARIADIC p) IS DISTINCT FROM colj_extract_path_text(t::colj, VARIADIC p)
   OR t::jsonb ?| p IS DISTINCT FROM t::colj ?| p OR t::jsonb ?& p IS DISTINCT FROM t::colj ?& p;
SELECT n FROM docs WHERE jsonb_typeof(t::jsonb) IS DISTINCT FROM colj_typeof(t::colj) OR jsonb_pretty(t::jsonb) IS DISTINCT FROM colj_pretty(t::colj)
   OR CASE WHEN t LIKE '[%' THEN jsonb_array_length(t::jsonb) <> colj_array_length(t::colj) END;
-- so that the above compared something
SELECT count(t::colj -> k) > 20 AS fields, count(t::colj ->> i) > 20 AS elements, count(t::colj #>> p) > 20 AS paths,
	   count(*) FILTER (WHERE t::colj ? k) > 20 AS keys
FROM docs, keys, indexes, paths;

-- What jsonb does, in a few words.
\pset null NULL
SELECT d -> 'a' AS a, d ->> 'a' AS a_text, d -> 'b' AS b, d ->> 'b' AS b_text, d -> 'no' AS no FROM (VALUES ('{"a": "x", "b": null}'::colj)) v (d);
SELECT '[1, [2, 3]]'::colj -> 1 -> -1 AS last, '[1]'::colj -> 1 AS beyond, '[1]'::colj -> -2 AS before, '{"0": 1}'::colj -> 0 AS of_object;
SELECT '"x"'::colj -> 0 AS itself, '"x"'::colj -> 1 AS beyond, '"x"'::colj -> 'x' AS key, '"x"'::colj #> '{0}' AS path;
SELECT colj_array_length('[1, [2, 3], {}]'), colj_typeof('-1e5'), colj_pretty('{"a": [1]}');
SELECT colj_array_length('{}');
SELECT colj_array_length('"x"');
SELECT '{"a": 1, "b": 2}'::colj ?| '{x,NULL,b}' AS any, '{"a": 1, "b": 2}'::colj ?& '{a,NULL,b}' AS all, '{"a": 1}'::colj ?& '{}' AS all_of_none, '{"a": 1}'::colj ?| '{}' AS any_of_none;

-- Paths that change from row to row are read anew.
SELECT n, p, '{"a": {"b": 1}, "b": [2, 3]}'::colj #>> p AS v
FROM (VALUES (1, '{a,b}'::text[]), (2, '{a,b}'), (3, '{b,1}'), (4, '{b,-1}'), (5, NULL), (6, '{a,b}'), (7, '{a,NULL}'), (8, '{b,0}')) v (n, p) ORDER BY n;

-- colj_get: what a chain of -> does.
SELECT colj_get('{"a": [1, {"b": 2}]}', '["a", 1, "b"]') AS found, colj_get('{"a": [1]}', '["a", "0"]') AS key_of_array, colj_get('{"0": 1}', '[0]') AS index_of_object,
	   colj_get('{"a": 5}', '["a", 0]') AS of_scalar, colj_get('{"a": 5}', '[]') AS whole, colj_get_text('"x"', '[]') AS whole_text, colj_get_text('{"a": null}', '["a"]') AS null_text;
SELECT colj_get('{"a": 1}', '"a"');
SELECT colj_get('{"a": 1}', '["a", 1.5]');
SELECT colj_get('[1]', '[2147483648]');
SELECT colj_get_text('{"a": 1}', '[null]');
SELECT n, colj_get_text('{"a": {"b": 1}, "c": [2, 3]}', s) FROM (VALUES (1, '["a", "b"]'::colj), (2, '["c", 1]'), (3, '["c", -1]'), (4, '["a", "b"]')) v (n, s) ORDER BY n;

-- Chains of constant keys are folded, and mean the same.
CREATE TABLE colj_chains (id int, d colj, j jsonb);
INSERT INTO colj_chains SELECT n, t::colj, t::jsonb FROM docs;
EXPLAIN (VERBOSE, COSTS OFF) SELECT d -> 'a' -> 'b' ->> 'c', d -> 'a' -> 0 -> -1, d -> 'a', d ->> 0 FROM colj_chains;
EXPLAIN (VERBOSE, COSTS OFF) SELECT colj_get(d -> 'a', '["b", 0]') -> 'c', colj_get_text(d, '["a"]'), (d -> 'a' -> 'b')::jsonb -> 'c' -> 'd' FROM colj_chains;
-- not keys that aren't constants, and not #>, whose rules differ
EXPLAIN (VERBOSE, COSTS OFF) SELECT d -> 'a' -> id ->> 'b', d -> 'a' -> NULL -> 'b', d #> '{a}' -> 'b' FROM colj_chains;
SELECT id FROM colj_chains WHERE
	   d -> 'a' -> 'a' ->> 'a' IS DISTINCT FROM j -> 'a' -> 'a' ->> 'a' OR (d -> 'e' -> 'a' -> 'b')::jsonb IS DISTINCT FROM j -> 'e' -> 'a' -> 'b'
	OR d -> 'd' -> 2 ->> 'a' IS DISTINCT FROM j -> 'd' -> 2 ->> 'a' OR (d -> 3 -> 1 -> 0)::jsonb IS DISTINCT FROM j -> 3 -> 1 -> 0
	OR d -> 'a' ->> 0 IS DISTINCT FROM j -> 'a' ->> 0 OR d -> 'a' ->> -1 IS DISTINCT FROM j -> 'a' ->> -1 OR d -> 'a' ->> 1 IS DISTINCT FROM j -> 'a' ->> 1
	OR d -> 'a' -> 0 -> 0 ->> 0 IS DISTINCT FROM j -> 'a' -> 0 -> 0 ->> 0 OR d -> 0 ->> 'a' IS DISTINCT FROM j -> 0 ->> 'a' OR d -> 'c' ->> '0' IS DISTINCT FROM j -> 'c' ->> '0'
	OR d -> '0' ->> 0 IS DISTINCT FROM j -> '0' ->> 0 OR d -> 'b' ->> 'b' IS DISTINCT FROM j -> 'b' ->> 'b' OR d -> -1 -> -1 ->> 'a' IS DISTINCT FROM j -> -1 -> -1 ->> 'a';

-- An index on a chain serves the same chain; its definition stays as written.
INSERT INTO colj_chains SELECT i, json_build_object('a', json_build_object('b', 'v' || i), 'c', json_build_array(i))::text::colj FROM generate_series(1000, 3000) i;
CREATE INDEX colj_chains_text ON colj_chains ((d -> 'a' ->> 'b'));
CREATE INDEX colj_chains_partial ON colj_chains (id) WHERE d -> 'c' ->> 0 = '1234';
SELECT pg_get_indexdef('colj_chains_text'::regclass), pg_get_indexdef('colj_chains_partial'::regclass);
ANALYZE colj_chains;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM colj_chains WHERE d -> 'a' ->> 'b' = 'v1234';
SELECT id FROM colj_chains WHERE d -> 'a' ->> 'b' = 'v1234';
EXPLAIN (COSTS OFF) SELECT id FROM colj_chains WHERE d -> 'c' ->> 0 = '1234' ORDER BY id;
SELECT id FROM colj_chains WHERE d -> 'c' ->> 0 = '1234' ORDER BY id;
-- a prepared statement with the keys as parameters: folded when they are known
PREPARE by_keys(text, text, text) AS SELECT id FROM colj_chains WHERE d -> $1 ->> $2 = $3;
SET plan_cache_mode = force_custom_plan;
EXPLAIN (COSTS OFF) EXECUTE by_keys('a', 'b', 'v1234');
EXECUTE by_keys('a', 'b', 'v1234');
SET plan_cache_mode = force_generic_plan;
RESET enable_seqscan;
EXPLAIN (COSTS OFF) EXECUTE by_keys('a', 'b', 'v1234');
EXECUTE by_keys('a', 'b', 'v1234');
EXECUTE by_keys('a', NULL, 'v1234');
RESET plan_cache_mode;

-- What the query groups by is not folded away.
CREATE TEMP TABLE grouped (d colj, j jsonb);
INSERT INTO grouped SELECT t::colj, t::jsonb FROM (VALUES ('{"a": {"b": 1, "c": 1}}'), ('{"a": {"b": 1, "c": 1}, "x": 1}'), ('{"a": {"b": 2}}'), ('{}')) v (t);
SELECT d -> 'a' AS a, d -> 'a' ->> 'b' AS b, count(*) FROM grouped GROUP BY GROUPING SETS ((d -> 'a'), ()) ORDER BY 1, 3;
SELECT j -> 'a' AS a, j -> 'a' ->> 'b' AS b, count(*) FROM grouped GROUP BY GROUPING SETS ((j -> 'a'), ()) ORDER BY 1, 3;
SELECT d -> 'a' -> 'b' ->> 0 AS b, count(*) FROM grouped GROUP BY ROLLUP (d -> 'a' -> 'b') ORDER BY 1, 2;
SELECT j -> 'a' -> 'b' ->> 0 AS b, count(*) FROM grouped GROUP BY ROLLUP (j -> 'a' -> 'b') ORDER BY 1, 2;
SELECT d -> 'a' ->> 'b' AS b, count(*) FROM grouped GROUP BY d -> 'a' HAVING d -> 'a' ->> 'c' = '1';
SELECT d -> 'a' ->> 'b' AS b, count(*) FROM grouped GROUP BY d -> 'a' ->> 'b' ORDER BY 1;
SELECT b, b ->> 'b' FROM grouped g LEFT JOIN (SELECT d -> 'a' AS b FROM grouped) s ON s.b ->> 'b' = '2' AND g.d ? 'x' ORDER BY 1;

DROP TABLE colj_chains;
