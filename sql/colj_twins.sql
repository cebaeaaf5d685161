--
-- Twins: whatever core has for jsonb, the extension has for colj.
--

-- Functions and aggregates without a twin of the same arguments and result.
CREATE FUNCTION twin_type(type oid) RETURNS oid LANGUAGE sql AS $$
	SELECT CASE type WHEN 'jsonb'::regtype THEN 'colj'::regtype::oid
					 WHEN 'jsonb[]'::regtype THEN 'colj[]'::regtype::oid ELSE type END
$$;
CREATE FUNCTION twin_types(types oidvector) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(twin_type(t)::text, ' ' ORDER BY i), '') FROM unnest(types) WITH ORDINALITY a(t, i)
$$;
CREATE VIEW jsonb_functions AS
	SELECT p.*, replace(p.proname, 'jsonb', 'colj') AS twin,
		   twin_types(p.proargtypes) AS twin_args, twin_type(p.prorettype) AS twin_result
	FROM pg_proc p
	WHERE p.pronamespace = 'pg_catalog'::regnamespace
	  AND (p.proname LIKE '%jsonb%' OR 'jsonb'::regtype IN (p.prorettype, p.provariadic)
		   OR 'jsonb'::regtype = ANY (p.proargtypes));
SELECT j.oid::regprocedure AS without_twin
FROM jsonb_functions j
LEFT JOIN pg_proc c ON c.proname = j.twin AND c.proargtypes::text = j.twin_args
	AND c.pronamespace <> 'pg_catalog'::regnamespace
WHERE c.oid IS NULL OR c.prorettype <> j.twin_result OR c.prokind <> j.prokind
ORDER BY 1::text;

-- Twins that differ in what the planner and the parser know of them (CREATE
-- AGGREGATE can't set a volatility).
SELECT j.oid::regprocedure AS differs, c.oid::regprocedure AS twin
FROM jsonb_functions j
JOIN pg_proc c ON c.proname = j.twin AND c.proargtypes::text = j.twin_args
	AND c.pronamespace <> 'pg_catalog'::regnamespace
WHERE (CASE j.prokind WHEN 'f' THEN j.provolatile ELSE c.provolatile END, j.proisstrict, j.proretset, j.proparallel, j.proleakproof, j.provariadic, j.pronargdefaults)
	IS DISTINCT FROM
	  (c.provolatile, c.proisstrict, c.proretset, c.proparallel, c.proleakproof, c.provariadic, c.pronargdefaults)
   OR replace(j.proargnames::text, 'jsonb', 'colj') IS DISTINCT FROM c.proargnames::text
   OR j.proargmodes IS DISTINCT FROM c.proargmodes
ORDER BY 1::text;

-- Operators.
SELECT o.oid::regoperator AS without_twin
FROM pg_operator o
LEFT JOIN pg_operator c ON c.oprname = o.oprname
	AND c.oprleft = twin_type(o.oprleft) AND c.oprright = twin_type(o.oprright)
WHERE 'jsonb'::regtype IN (o.oprleft, o.oprright)
  AND (c.oid IS NULL OR c.oprresult <> twin_type(o.oprresult)
	   OR (c.oprcanmerge, c.oprcanhash, c.oprcom = 0, c.oprnegate = 0)
		  <> (o.oprcanmerge, o.oprcanhash, o.oprcom = 0, o.oprnegate = 0))
ORDER BY 1::text;

-- Casts.
SELECT j.castsource::regtype, j.casttarget::regtype
FROM pg_cast j
LEFT JOIN pg_cast c ON c.castsource = twin_type(j.castsource) AND c.casttarget = twin_type(j.casttarget)
WHERE 'jsonb'::regtype IN (j.castsource, j.casttarget) AND 'colj'::regtype NOT IN (j.castsource, j.casttarget)
  AND (c.oid IS NULL OR c.castcontext <> j.castcontext)
ORDER BY 1::text, 2::text;

-- Operator classes, with all operators and support functions.
SELECT am.amname, j.opcname, j.opcdefault
FROM pg_opclass j
JOIN pg_am am ON am.oid = j.opcmethod
LEFT JOIN pg_opclass c ON c.opcmethod = j.opcmethod AND c.opcdefault = j.opcdefault
	AND c.opcname = replace(j.opcname, 'jsonb', 'colj') AND c.opcintype = 'colj'::regtype
WHERE j.opcintype = 'jsonb'::regtype
  AND c.oid IS NULL
ORDER BY 1, 2;
SELECT am.amname, j.opfname, a.amopstrategy, o.oprname
FROM pg_opfamily j
JOIN pg_am am ON am.oid = j.opfmethod
JOIN pg_amop a ON a.amopfamily = j.oid AND a.amoplefttype = 'jsonb'::regtype
JOIN pg_operator o ON o.oid = a.amopopr
WHERE NOT EXISTS (
	SELECT FROM pg_opfamily f JOIN pg_amop b ON b.amopfamily = f.oid JOIN pg_operator p ON p.oid = b.amopopr
	WHERE f.opfmethod = j.opfmethod AND f.opfname = replace(j.opfname, 'jsonb', 'colj')
	  AND b.amopstrategy = a.amopstrategy AND p.oprname = o.oprname
	  AND b.amoplefttype = 'colj'::regtype AND b.amoprighttype = twin_type(a.amoprighttype))
ORDER BY 1, 2, 3;
SELECT am.amname, j.opfname, a.amprocnum
FROM pg_opfamily j
JOIN pg_am am ON am.oid = j.opfmethod
JOIN pg_amproc a ON a.amprocfamily = j.oid AND a.amproclefttype = 'jsonb'::regtype
WHERE NOT EXISTS (
	SELECT FROM pg_opfamily f JOIN pg_amproc b ON b.amprocfamily = f.oid
	WHERE f.opfmethod = j.opfmethod AND f.opfname = replace(j.opfname, 'jsonb', 'colj')
	  AND b.amprocnum = a.amprocnum AND b.amproclefttype = 'colj'::regtype)
ORDER BY 1, 2, 3;

-- Subscripting.
SELECT typsubscript FROM pg_type WHERE oid = 'colj'::regtype;

-- The errors speak of colj.
\set VERBOSITY sqlstate
SELECT colj_set('1', '{a}', '2');
SELECT colj_populate_recordset(NULL::record, '{"a": 1}');
\set VERBOSITY default
SELECT colj_object_agg(NULL, 1);
SELECT colj_delete('"a"', 'a');
SELECT colj_path_query('1', '$.a', '[]');
SELECT * FROM colj_to_recordset('{"a": 1}') AS t(a int);

-- Sets: one after the other, given up halfway, of many rows.
SELECT x, colj_path_query(('[' || x || ', 7]')::colj, '$[*]') FROM generate_series(1, 2) x;
SELECT (SELECT colj_path_query(('[' || x || ', 7]')::colj, '$[*]') LIMIT 1) FROM generate_series(1, 3) x;
SELECT count(*) FROM generate_series(1, 100) x, colj_path_query('[1, 2, 3]', '$[*]');

-- Strings that go to colj columns of records keep their quotes.
CREATE TYPE twin_inner AS (c colj, t text);
CREATE TYPE twin_outer AS (a colj, many colj[], i twin_inner, list twin_inner[]);
SELECT * FROM colj_populate_record(NULL::twin_outer,
	'{"a": "x", "many": ["y", 1, null], "i": {"c": "z\"\\", "t": "t"}, "list": [{"c": "w"}, {"c": [1]}]}');
SELECT * FROM colj_to_record('{"a": "x", "b": [["p", "q"], ["r", "s"]]}') AS t(a colj, b colj[]);

-- An array has as many dimensions as its first elements say; what is an array
-- below these is one element.
SELECT * FROM colj_to_record('{"a": ["x", ["y", "z"]], "b": [[1], [["w"]]]}') AS t(a colj[], b colj[]);

-- Records of simple columns are filled from the document, others by core.
CREATE TYPE twin_plain AS (t text, n int, big int8, num numeric(5,1), f float8, b bool, d date, v varchar(3));
SELECT * FROM colj_populate_record(NULL::twin_plain,
	'{"t": {"a": [1, "x"]}, "n": 7, "big": 9007199254740993, "num": 12.345, "f": 1.5, "b": true, "d": "2000-01-02", "v": "abc"}');
SELECT * FROM colj_populate_record(('x', 1, 2, 3, 4, false, '2000-01-01', 'v')::twin_plain, '{"t": null, "n": "8", "b": "yes"}');
SELECT * FROM colj_populate_recordset(('x', 1, 2, 3, 4, false, '2000-01-01', 'v')::twin_plain, '[{"t": "a"}, {"n": 2, "t": 1.50}, {}]');
SELECT * FROM colj_to_recordset('[{"t": "a", "f": 3}, {"f": 1e40, "t": [true]}]') AS t(f numeric, t text);
SELECT colj_populate_record(('x', 1, 2, 3, 4, false, '2000-01-01', 'v')::twin_plain, '{}');
SELECT colj_populate_record(NULL::twin_plain, '{"n": 2147483648}');
SELECT colj_populate_record(NULL::twin_plain, '{"n": 1.0}');
SELECT colj_populate_record(NULL::twin_plain, '{"v": "abcd"}');
SELECT colj_populate_record(NULL::twin_plain, '[1]');
SELECT colj_populate_recordset(NULL::twin_plain, '[{"n": 1}, 2]');
CREATE DOMAIN twin_positive AS twin_plain CHECK ((VALUE).n > 0);
SELECT colj_populate_record(NULL::twin_positive, '{"n": 0}');

-- A document that is a constant is the same in every row.
SELECT '[]'::colj @? p, '{"a": 1}'::colj @@ p FROM unnest('{$,$.a == 1,strict $.b.c}'::jsonpath[]) p;

-- Simple jsonpaths are followed in the document, others in core.
SELECT p, colj_path_query_array('{"a": [{"b": 1}, {"b": "x"}, [{"b": 2}]], "c": null}', p::jsonpath) AS "all",
	   colj_path_exists('{"a": [{"b": 1}]}', p::jsonpath) AS some, colj_path_query_first('{"a": {"b": [3, 4]}}', p::jsonpath) AS first
FROM string_to_table('$.a.b;$.a[*].b;$.a[*][*].b;$.*;$.a ? (@.b > 0);$.a[*] ? (@.b == "x" || @.b < 2);$.a ? (exists(@.b));strict $.a;$.c;$.x', ';') p;
SELECT p, '{"a": [1, "x"], "b": true, "c": null}'::colj @@ p::jsonpath AS answer
FROM string_to_table('$.a == 1;$.a > 1;$.a == "x";$.a < "x";$.c == null;$.c < 1;$.c != 1;$.b;$.a;$.c;$.b == true && $.a == 2;exists($.d)', ';') p;
SELECT colj_path_exists('{}', '$.a', '[1]');
SELECT colj_path_match('{"a": [1]}', '$.a');

-- NULL as a new value.
SELECT t, colj_set_lax('{"a": 1, "b": 2}', '{a}', NULL, true, t) FROM unnest('{use_json_null,delete_key,return_target}'::text[]) t;
SELECT colj_set_lax('{"a": 1}', '{a}', NULL, true, 'raise_exception');
SELECT colj_set_lax('{"a": 1}', '{a}', NULL, true, 'other');
SELECT colj_set_lax('{"a": 1}', '{a}', '2', true, NULL);

-- Records, with documents and records in them.
SELECT to_colj(r), colj_build_object('r', r), colj_agg(r) OVER ()
FROM (SELECT '{"x": "y"}'::colj AS doc, 'NaN'::numeric AS n, ROW(1, '[1.50]'::colj) AS inner, date '2020-02-29' AS day, NULL::int AS none) r;

-- Layout for human readers.
SELECT colj_pretty('{"a,\"b]": ["{", [], {}, [1, {"c": null}]], "d": "e\\"}'), colj_pretty('[]'), colj_pretty('"a, b"');

-- Subscripting.
CREATE TABLE twin_subscript (id int, doc colj);
INSERT INTO twin_subscript VALUES (1, '{"a": [1, {"b": "c"}]}'), (2, NULL);
SELECT id, doc['a'], doc['a'][1]['b'], doc['a'][-1], doc['x'], doc[NULL] FROM twin_subscript ORDER BY id;
UPDATE twin_subscript SET doc['a'][1]['b'] = '{"d": 1.50}', doc['new'][2] = '"n"';
SELECT id, doc FROM twin_subscript ORDER BY id;
UPDATE twin_subscript SET doc[0]['x'] = NULL WHERE id = 2;
UPDATE twin_subscript SET doc[NULL] = '1';
UPDATE twin_subscript SET doc['a']['b']['c'] = '1' WHERE id = 1;
SELECT doc['a':'b'] FROM twin_subscript;
SELECT doc[1.5] FROM twin_subscript;

-- Could a record be filled?  The server has that from version 17 on: no output.
SELECT current_setting('server_version_num')::int >= 170000 AS tells \gset
\if :tells
CREATE TYPE twin_short AS (a char(2), b int);
DO $$
DECLARE
	doc text;
BEGIN
	FOREACH doc IN ARRAY ARRAY['{"a": "aaa"}', '{"a": "aa"}', '{"b": "x"}', '{"b": 1}', '{"b": 1e10}', '{}'] LOOP
		IF colj_populate_record_valid(NULL::twin_short, doc::colj) <> jsonb_populate_record_valid(NULL::twin_short, doc::jsonb) THEN
			RAISE 'colj_populate_record_valid is wrong for %', doc;
		END IF;
	END LOOP;
END $$;
DROP TYPE twin_short;
\endif

DROP TABLE twin_subscript;
DROP TYPE twin_outer, twin_inner;
DROP VIEW jsonb_functions;
DROP FUNCTION twin_types, twin_type;
