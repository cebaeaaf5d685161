-- Comparison, containment, hashing and jsonpath operators.

-- The order: by type, then by size, then by contents.
CREATE TABLE colj_order (place int GENERATED ALWAYS AS IDENTITY, doc colj);
INSERT INTO colj_order (doc) VALUES
	('[]'), ('null'), ('""'), ('"a"'), ('"ab"'), ('"b"'),
	('-1e400'), ('-9223372036854775809'), ('-9223372036854775808'), ('-1'), ('-0.5'), ('-1e-300'),
	('0'), ('1e-300'), ('0.99'), ('1'), ('1.01'), ('1.1'), ('9'), ('10'), ('922337203685477580.7'),
	('9223372036854775807'), ('9223372036854775807.5'), ('9223372036854775808'), ('1e400'),
	('false'), ('true'),
	('[null]'), ('["a"]'), ('[1]'), ('[true]'), ('[[]]'), ('[[1]]'), ('[{}]'), ('[null, null]'), ('[1, 2]'), ('[1, 3]'), ('[2, 1]'),
	('{}'), ('{"a": null}'), ('{"a": 1}'), ('{"a": 2}'), ('{"a": []}'), ('{"b": null}'), ('{"a": 1, "b": 1}'), ('{"a": 1, "c": 0}'), ('{"b": 0, "c": 0}');

SELECT place, left(doc::text, 40) AS doc FROM colj_order ORDER BY colj_order.doc DESC, place;

-- Every operator agrees with that order.
SELECT count(*) AS pairs,
	   count(*) FILTER (WHERE (a.doc < b.doc) <> (a.place < b.place)) AS lt,
	   count(*) FILTER (WHERE (a.doc <= b.doc) <> (a.place <= b.place)) AS le,
	   count(*) FILTER (WHERE (a.doc = b.doc) <> (a.place = b.place)) AS eq,
	   count(*) FILTER (WHERE (a.doc <> b.doc) <> (a.place <> b.place)) AS ne,
	   count(*) FILTER (WHERE (a.doc >= b.doc) <> (a.place >= b.place)) AS ge,
	   count(*) FILTER (WHERE (a.doc > b.doc) <> (a.place > b.place)) AS gt,
	   count(*) FILTER (WHERE sign(colj_cmp(a.doc, b.doc)) <> sign(a.place - b.place)) AS cmp
FROM colj_order a, colj_order b;

-- Numbers are equal by value, whatever their scale and size.
SELECT a, b, a = b AS eq, a <> b AS ne, colj_cmp(a, b) AS cmp,
	   colj_hash(a) = colj_hash(b) AS hash, colj_hash_extended(a, 7) = colj_hash_extended(b, 7) AS extended
FROM (VALUES
	('1', '1.0'), ('1.0', '1.00'), ('-0', '0.0'), ('1e2', '100.000'), ('0.1', '0.10'), ('12e-1', '1.2'),
	('100000000000000000000', '1e20'), ('1e20', '100000000000000000000.0'), ('1e-30', '0.1e-29'),
	('9223372036854775807', '9223372036854775807.0'), ('[1, {"a": 2.0}]', '[1.0, {"a": 2}]'),
	('1', '1.0000000000000000001'), ('1', '2'), ('0.1', '0.01'), ('10', '1e20'), ('-10', '1e-20'),
	('9223372036854775807', '9223372036854775806.9'), ('{"a": 1}', '{"a": 1.1}')
) v (x, y), LATERAL (SELECT x::colj AS a, y::colj AS b) w;

-- Key order and duplicates in the text do not count.
SELECT '{"b": 1, "a": 2}'::colj = '{"a": 2, "b": 1}'::colj AS key_order,
	   '{"a": 1, "a": 2}'::colj = '{"a": 2}'::colj AS duplicates,
	   '[1, 2]'::colj = '[2, 1]'::colj AS element_order;

-- Hashes are jsonb's.
SELECT count(*), count(*) FILTER (WHERE colj_hash(doc) = jsonb_hash(doc::jsonb)) AS hash,
	   count(*) FILTER (WHERE colj_hash_extended(doc, 0) = jsonb_hash_extended(doc::jsonb, 0)) AS unseeded,
	   count(*) FILTER (WHERE colj_hash_extended(doc, -12345) = jsonb_hash_extended(doc::jsonb, -12345)) AS seeded
FROM colj_order;

-- Nulls.
SELECT NULL::colj = '1'::colj AS eq, '1'::colj < NULL::colj AS lt, colj_cmp(NULL, '1') AS cmp, '1'::colj @> NULL::colj AS contains, colj_hash(NULL) AS hash;

-- Containment.
SELECT a, b, a @> b AS "a @> b", b <@ a AS "b <@ a", b @> a AS "b @> a"
FROM (VALUES
	('{"a": 1, "b": 2}', '{}'), ('{"a": 1, "b": 2}', '{"b": 2}'), ('{"a": 1, "b": 2}', '{"a": 1, "b": 2}'),
	('{"a": 1, "b": 2}', '{"a": 2}'), ('{"a": 1, "b": 2}', '{"c": 1}'), ('{"a": 1}', '{"a": 1.00}'), ('{"a": 1}', '{"a": "1"}'),
	('{"a": null}', '{"a": null}'), ('{"a": null}', '{"a": false}'), ('{"a": true}', '{"a": true}'), ('{"a": true}', '{"a": false}'),
	('{"a": {"b": 1, "c": 2}}', '{"a": {"c": 2}}'), ('{"a": {"b": 1, "c": 2}}', '{"b": 1}'), ('{"a": {"b": 1}}', '{"a": {}}'), ('{"a": {"b": 1}}', '{"a": []}'),
	('{"a": [1, 2, 3]}', '{"a": [3, 1]}'), ('{"a": [1, 2, 3]}', '{"a": 1}'), ('{"a": 1}', '{"a": [1]}'), ('{"a": [{"b": 1, "c": 2}]}', '{"a": [{"b": 1}]}'),
	('[1, 2, 3]', '[]'), ('[1, 2, 3]', '[3, 1]'), ('[1, 2, 3]', '[1, 1, 1, 1]'), ('[1, 2, 3]', '[4]'), ('[1, 2, 3]', '[1.0]'), ('[1, 2, 3]', '["1"]'),
	('[1, 2, [1, 3]]', '[1, 3]'), ('[1, 2, [1, 3]]', '[[3]]'), ('[1, 2, [1, 3]]', '[[]]'), ('[1, 2, [1, 3]]', '[[], []]'), ('[1, 2]', '[[]]'),
	('[{"a": 1}, {"b": 2}]', '[{"a": 1}, {"a": 1}]'), ('[{"a": 1}, {"b": 2}]', '[{"a": 1, "b": 2}]'), ('[{"a": 1}, {"b": 2}]', '[{}]'), ('[{"a": 1}]', '{"a": 1}'),
	('[1, "a", null, true]', '[true, null]'), ('[]', '[]'), ('{}', '{}'), ('[]', '{}'), ('[{}]', '[{}]'),
	('1', '1.0'), ('1', '2'), ('"a"', '"a"'), ('"a"', '"b"'), ('null', 'null'), ('null', 'false'), ('true', 'true'),
	('[1, 2]', '1'), ('["a"]', '"a"'), ('[null]', 'null'), ('[1, 2]', '3'), ('[[1]]', '1'), ('1', '[1]'), ('1', '[]'), ('{"a": 1}', '"a"'), ('"a"', '{}')
) v (x, y), LATERAL (SELECT x::colj AS a, y::colj AS b) w;

-- Containment in a wide object, a long array and a document out of line.
CREATE TABLE colj_large (doc colj);
ALTER TABLE colj_large ALTER doc SET STORAGE EXTERNAL;
INSERT INTO colj_large
SELECT colj_object FROM (
	SELECT ('{' || string_agg(format('"key%s": {"n": %s, "text": "%s", "list": [%s, "x"]}', i, i, repeat(chr(97 + i % 26), 100), i), ',') || '}')::colj AS colj_object
	FROM generate_series(1, 1000) i) x
UNION ALL
SELECT ('[' || string_agg(format('%s, "%s"', i, repeat(chr(97 + i % 26), i % 50)), ',') || ']')::colj FROM generate_series(1, 3000) i;

SELECT doc @> '{"key500": {"n": 500}}' AS key, doc @> '{"key1000": {"list": ["x"]}, "key1": {"n": 1.0}}' AS keys,
	   doc @> '{"key500": {"n": 501}}' AS other, doc @> '[2999, 1, "zzz"]' AS elements, doc @> '"zzz"' AS scalar, doc @> '3001' AS absent,
	   doc @> doc AS itself, doc = doc AS equal
FROM colj_large;
SELECT a.doc = b.doc AS eq, a.doc < b.doc AS lt, a.doc @> b.doc AS contains FROM colj_large a, colj_large b;

-- Nesting costs comparison no stack.
SELECT a = a AS equal, a < b AS lower, colj_hash(a) = jsonb_hash(a::jsonb) AS hash, a @> a AS contains, a @> b AS contains_other
FROM (SELECT (repeat('[{"a": ', 1500) || '1' || repeat('}]', 1500))::colj AS a,
			 (repeat('[{"a": ', 1500) || '2' || repeat('}]', 1500))::colj AS b) x;

-- jsonpath.
SELECT doc, doc @? '$.a' AS has_a, doc @? '$[*] ? (@ > 1)' AS above_1, doc @@ '$.a == 1' AS a_is_1, doc @@ '$' AS itself, doc @@ 'strict $.a' AS strict_a
FROM (VALUES ('{"a": 1}'::colj), ('{"a": 2}'), ('{"b": 1}'), ('[1, 2]'), ('[]'), ('true'), ('null')) v (doc);

DROP TABLE colj_order, colj_large;

-- Functions and operators have the attributes of jsonb's.
WITH twins AS (
	SELECT replace(p.proname, 'colj', 'jsonb') AS name, replace(pg_get_function_arguments(p.oid), 'colj', 'jsonb') AS arguments,
		   replace(pg_get_function_result(p.oid), 'colj', 'jsonb') AS result,
		   provolatile, proisstrict, proparallel, proretset, proleakproof, procost, prorows
	FROM pg_proc p
	WHERE proname ~ '^colj_(eq|ne|lt|le|gt|ge|cmp|contains|contained|hash|hash_extended|path_exists_opr|path_match_opr|object_keys|each|each_text|array_elements|array_elements_text)$'
	   OR proname IN ('gin_extract_colj', 'gin_extract_colj_query', 'gin_extract_colj_path', 'gin_extract_colj_query_path',
					  'gin_consistent_colj', 'gin_consistent_colj_path', 'gin_triconsistent_colj', 'gin_triconsistent_colj_path')
)
SELECT count(*) AS functions, count(*) FILTER (WHERE ROW(twins.*) IN (
	SELECT proname::text, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
		   provolatile, proisstrict, proparallel, proretset, proleakproof, procost, prorows
	FROM pg_proc p WHERE pronamespace = 'pg_catalog'::regnamespace)) AS like_jsonb
FROM twins;

WITH operators AS (
	SELECT o.oprname, t.type, replace(oprcode::text, 'colj', 'jsonb') AS code, replace(oprright::regtype::text, 'colj', 'jsonb') AS righthand, oprresult,
		   oprcanmerge, oprcanhash,
		   /* colj's own estimators stand in for this one */
		   regexp_replace(oprrest::text, '^colj_.*_sel$', 'matchingsel') AS oprrest, oprjoin,
		   (SELECT oprname FROM pg_operator c WHERE c.oid = o.oprcom) AS commutator, (SELECT oprname FROM pg_operator n WHERE n.oid = o.oprnegate) AS negator
	FROM pg_operator o JOIN (VALUES ('colj'::regtype, 'colj'), ('jsonb', 'jsonb')) t (oid, type) ON t.oid = o.oprleft
	WHERE oprname IN ('=', '<>', '<', '<=', '>', '>=', '@>', '<@', '@?', '@@')
)
SELECT oprname, code, righthand, oprresult, oprcanmerge, oprcanhash, oprrest, oprjoin, commutator, negator, count(*) AS types
FROM operators GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY oprname COLLATE "C";
