-- Documents as sets of rows.

SELECT colj_object_keys('{"b": 1, "a": [], "": null, "aa": {"x": 1}}');
SELECT * FROM colj_object_keys('{"b": 1, "a": 2}') WITH ORDINALITY k (key, n);
SELECT colj_object_keys('{}');
SELECT colj_object_keys(NULL);
SELECT colj_object_keys('[1, 2]');
SELECT colj_object_keys('1');

SELECT * FROM colj_each('{"b": "text", "a": [1, 2.50, {}], "": null, "aa": {"x": "\"q\""}, "n": -0.10, "t": true}');
SELECT * FROM colj_each_text('{"b": "text", "a": [1, 2.50, {}], "": null, "aa": {"x": "\"q\""}, "n": -0.10, "t": true, "e": ""}');
SELECT key, value IS NULL AS is_null, length(value) FROM colj_each_text('{"a": null, "b": "", "c": "null"}');
SELECT * FROM colj_each('{}');
SELECT * FROM colj_each(NULL);
SELECT * FROM colj_each('[]');
SELECT * FROM colj_each('"a"');
SELECT * FROM colj_each_text('[]');
SELECT * FROM colj_each_text('null');

SELECT * FROM colj_array_elements('[1, "a", null, true, [2, [3]], {"b": 4}, 1e2, ""]');
SELECT * FROM colj_array_elements_text('[1, "a", null, true, [2, [3]], {"b": 4}, 1e2, ""]');
SELECT value, value IS NULL AS is_null FROM colj_array_elements_text('[null, "null", ""]');
SELECT * FROM colj_array_elements('[]');
SELECT * FROM colj_array_elements(NULL);
SELECT * FROM colj_array_elements('{}');
SELECT * FROM colj_array_elements('1');
SELECT * FROM colj_array_elements_text('{"a": 1}');
SELECT * FROM colj_array_elements_text('"a"');

-- In the select list, with aliases, as composites, over rows.
SELECT colj_each('{"a": 1, "b": null}');
SELECT (colj_each_text('{"a": 1, "b": null}')).*;
SELECT colj_array_elements('[1, 2]') AS a, colj_array_elements_text('["x", "y", "z"]') AS b;
SELECT k, v ->> 0 AS first FROM colj_each('{"a": [1], "b": ["2"]}') e (k, v);
SELECT n, e.value ->> 'a' AS a FROM generate_series(1, 2) n, colj_array_elements(('[{"a": ' || n || '}, {"a": "x"}]')::colj) e;
SELECT id, key FROM (VALUES (1, '{"a": 1, "b": 2}'::colj), (2, '{}'), (3, '{"c": 3}')) t (id, doc) LEFT JOIN LATERAL colj_object_keys(doc) key ON true ORDER BY id, key;
SELECT * FROM colj_array_elements('[1, 2, 3, 4]') LIMIT 2;
SELECT * FROM ROWS FROM (colj_each('{"a": 1}'), colj_array_elements('[1, 2]')) r (key, value, element);

-- What comes out is a document like any other.
SELECT colj_typeof(value), value = '{"a": [1, {"b": "c"}]}' AS same, value #>> '{a,1,b}' AS b, colj_hash(value) = jsonb_hash('{"a": [1, {"b": "c"}]}') AS hash
FROM colj_array_elements('[{"a": [1, {"b": "c"}]}]');

-- Objects that share their keys, wide objects, long arrays, values out of line.
CREATE TABLE colj_rows (id int, doc colj);
ALTER TABLE colj_rows ALTER doc SET STORAGE EXTERNAL;
INSERT INTO colj_rows
SELECT 1, ('[' || string_agg(format('{"id": %s, "name": "%s", "tags": ["t%s", null], "big": "%s"}', i, i % 7, i, repeat('x', i % 100)), ',') || ']')::colj FROM generate_series(1, 500) i
UNION ALL
SELECT 2, ('{' || string_agg(format('"key %s": %s', i, i * i), ',') || '}')::colj FROM generate_series(1, 400) i
UNION ALL
SELECT 3, ('[' || string_agg(i::text, ',') || ']')::colj FROM generate_series(1, 3000) i;

SELECT count(*), sum((value ->> 'id')::int) AS ids, sum(length(value ->> 'big')) AS big, count(DISTINCT value ->> 'name') AS names, count(DISTINCT value) AS "values"
FROM colj_rows, colj_array_elements(doc) WHERE id = 1;
SELECT count(*), sum(length(key)) AS keys, sum(value::text::int) AS "values" FROM colj_rows, colj_each(doc) WHERE id = 2;
SELECT count(*), count(DISTINCT key), min(key), max(key) FROM colj_rows, colj_object_keys(doc) key WHERE id = 2;
SELECT key, value FROM colj_rows, colj_each_text(doc) WHERE id = 2 LIMIT 3;
SELECT count(*), sum(value::int) FROM colj_rows, colj_array_elements_text(doc) WHERE id = 3;
SELECT id, key, count(*) FROM colj_rows, colj_array_elements(doc) e, colj_object_keys(e) key WHERE id = 1 GROUP BY 1, 2 ORDER BY 2;

-- Each row sees its own document when several are read at once.
SELECT a.n, a.value -> 'id' AS one, b.value AS three, c.key AS two
FROM (SELECT * FROM colj_rows, colj_array_elements(doc) WITH ORDINALITY e (value, n) WHERE id = 1) a
JOIN (SELECT * FROM colj_rows, colj_array_elements(doc) WITH ORDINALITY e (value, n) WHERE id = 3) b USING (n)
JOIN (SELECT * FROM colj_rows, colj_each(doc) WITH ORDINALITY e (key, value, n) WHERE id = 2) c USING (n)
WHERE n % 150 = 0 ORDER BY n;

DROP TABLE colj_rows;
