-- The twins' part of the oracle: calls that change documents, make them, and
-- follow jsonpaths.  As in setup.sql, jsonb stands for both types.

-- What twins.pl writes.
CREATE TABLE twin_args (id int, n int, jp text, vars text, silent bool, rec text);
CREATE TABLE twin_calls (number int GENERATED ALWAYS AS IDENTITY, call text);

-- One row a set of arguments: the document and everything to call with.
CREATE TABLE twin_rows (id int, n int, key text, idx int, path text[], keys text[], jp text, silent bool,
	jd jsonb, cd colj, jfrag jsonb, cfrag colj, jvars jsonb, cvars colj, jrec jsonb, crec colj);
ALTER TABLE twin_rows SET (toast_tuple_target = 256);

-- The same statements for both types.
CREATE FUNCTION for_both(statements text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statements;
	EXECUTE replace(statements, 'jsonb', 'colj');
END
$$;

-- Records to fill, and documents in them.
CREATE DOMAIN twin_word AS varchar(4);
CREATE TYPE twin_plain AS (a text, b varchar(3), c int, aa numeric(6,2), ab bool, "key" text, id text, name char(6), y date, e text);
CREATE DOMAIN twin_plain_checked AS twin_plain CHECK ((VALUE).c IS NULL OR (VALUE).c > 0);
SELECT for_both($$
	CREATE DOMAIN twin_domain_jsonb AS jsonb CHECK (jsonb_typeof(VALUE) <> 'array');
	CREATE TYPE twin_inner_jsonb AS (c jsonb, t text, n int);
	CREATE DOMAIN twin_checked_jsonb AS twin_inner_jsonb CHECK ((VALUE).n IS NULL OR (VALUE).n >= 0);
	CREATE DOMAIN twin_list_jsonb AS jsonb[] CHECK (cardinality(VALUE) < 3);
	CREATE TYPE twin_deep_jsonb AS (p twin_inner_jsonb, q twin_domain_jsonb);
	CREATE TYPE twin_row_jsonb AS (a jsonb, b text, c int, d jsonb[], e twin_inner_jsonb, f twin_inner_jsonb[], aa numeric,
		ab bool, id twin_domain_jsonb, name twin_word, "key" json, "é" jsonb, x int[], y date, z twin_deep_jsonb);
	CREATE TYPE twin_other_jsonb AS (a twin_list_jsonb, e twin_checked_jsonb, id jsonb, d text, f jsonb, key "char");
$$);

-- Subscripts.
SELECT for_both($$
	CREATE FUNCTION put_1_jsonb(d jsonb, a text, v jsonb) RETURNS jsonb LANGUAGE plpgsql AS 'BEGIN d[a] := v; RETURN d; END';
	CREATE FUNCTION put_2_jsonb(d jsonb, a int, v jsonb) RETURNS jsonb LANGUAGE plpgsql AS 'BEGIN d[a] := v; RETURN d; END';
	CREATE FUNCTION put_3_jsonb(d jsonb, a text, b int, v jsonb) RETURNS jsonb LANGUAGE plpgsql AS 'BEGIN d[a][b] := v; RETURN d; END';
	CREATE FUNCTION put_4_jsonb(d jsonb, a int, b text, c text, v jsonb) RETURNS jsonb LANGUAGE plpgsql AS 'BEGIN d[a][b][c] := v; RETURN d; END';
$$);

-- An expression over a row; as call_N of setup.sql, with more arguments.
CREATE FUNCTION add_twin_call(prefix text, number int, call text) RETURNS void
LANGUAGE plpgsql AS $outer$
DECLARE
	type text;
BEGIN
	FOREACH type IN ARRAY ARRAY['jsonb', 'colj']
	LOOP
		EXECUTE format($f$
			CREATE FUNCTION %s_%s(d %s, frag %s, key text, idx int, path text[], keys text[], jp text, vars %s, silent bool, rec %s) RETURNS text
			LANGUAGE plpgsql AS $$
			DECLARE
				message text; detail text; hint text; context text; state text;
			BEGIN
				RETURN (%s)::text;
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
					hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, state = RETURNED_SQLSTATE;
				RETURN error_text(state, message, detail, hint, context);
			END $$ $f$, prefix, number, type, type, type, type, CASE type WHEN 'jsonb' THEN call ELSE replace(call, 'jsonb', 'colj') END);
	END LOOP;
END
$outer$;

-- An internal error of core's own (jsonb_set of what jsonb_insert has made, for
-- one) says nothing of what is right.
CREATE FUNCTION differs(jr text, cr text) RETURNS bool IMMUTABLE LANGUAGE sql AS $$
	SELECT jr IS DISTINCT FROM cr AND coalesce(jr, '') NOT LIKE 'ERROR XX%'
$$;

CREATE FUNCTION run_twin_call(prefix text, number int, title text, most int) RETURNS void
LANGUAGE plpgsql AS $outer$
BEGIN
	EXECUTE format($q$
		SELECT note($1, count(*), count(*) FILTER (WHERE differs(jr, cr)),
			   (array_agg(format('%%s: #%%s.%%s key %%L, index %%s, path %%s, keys %%s, jsonpath %%s, variables %%s, record %%s: jsonb %%s, colj %%s', $2,
								 id, n, left(key, 100), idx, left(path::text, 200), left(keys::text, 200), jp, jvars, brief(jrec::text), brief(jr), brief(cr)))
				FILTER (WHERE differs(jr, cr)))[:3])
		FROM (SELECT *, %1$s(jd, jfrag, key, idx, path, keys, jp, jvars, silent, jrec) AS jr,
					 %1$s(cd, cfrag, key, idx, path, keys, jp, cvars, silent, crec) AS cr
			  FROM twin_rows WHERE n <= $3 OFFSET 0) x $q$, prefix || '_' || number)
	USING CASE prefix WHEN 'random' THEN 'random expressions' ELSE title END, title, most;
END
$outer$;

CREATE TABLE fixed_calls (number int GENERATED ALWAYS AS IDENTITY, call text);
INSERT INTO fixed_calls (call) VALUES
	-- editing
	('jsonb_set(d, path, frag)'), ('jsonb_set(d, path, frag, false)'), ('jsonb_set(d, keys, frag)'), ('jsonb_set(d, ARRAY[key, idx::text], frag)'),
	('jsonb_set_lax(d, path, NULL, true, ''raise_exception'')'), ('jsonb_set_lax(d, path, NULL, true, ''use_json_null'')'),
	('jsonb_set_lax(d, path, NULL, false, ''delete_key'')'), ('jsonb_set_lax(d, path, NULL, true, ''return_target'')'),
	('jsonb_set_lax(d, path, NULL)'), ('jsonb_set_lax(d, path, frag)'), ('jsonb_set_lax(d, path, frag, NULL)'),
	('jsonb_set_lax(d, path, frag, true, NULL)'), ('jsonb_set_lax(d, path, NULL, true, ''else'')'),
	('jsonb_insert(d, path, frag)'), ('jsonb_insert(d, path, frag, true)'), ('jsonb_insert(d, ARRAY[idx::text], frag, silent)'),
	('d - key'), ('d - keys'), ('d - idx'), ('d - path'), ('d #- path'), ('d #- ARRAY[key]'), ('d #- keys'), ('jsonb_delete_path(d, ARRAY[path, path])'),
	('d || frag'), ('frag || d'), ('d || d'), ('d || ''[]'''), ('''{}'' || d'), ('d || NULL'), ('jsonb_concat(d, frag)'),
	('jsonb_strip_nulls(d)'), ('jsonb_strip_nulls(d || frag)'), ('jsonb_set(jsonb_set(d, path, frag), path, d)'),
	-- jsonpath
	('jsonb_path_exists(d, jp::jsonpath, vars, silent)'), ('jsonb_path_match(d, jp::jsonpath, vars, silent)'),
	('ARRAY(SELECT jsonb_path_query(d, jp::jsonpath, vars, silent))'), ('(SELECT array_agg(x) FROM jsonb_path_query(d, jp::jsonpath, vars) x)'),
	('jsonb_path_query_array(d, jp::jsonpath, vars, silent)'), ('jsonb_path_query_first(d, jp::jsonpath, vars, silent)'),
	('jsonb_path_exists_tz(d, jp::jsonpath, vars, silent)'), ('jsonb_path_match_tz(d, jp::jsonpath, vars, silent)'),
	('ARRAY(SELECT jsonb_path_query_tz(d, jp::jsonpath, vars, silent))'), ('jsonb_path_query_array_tz(d, jp::jsonpath, vars, silent)'),
	('jsonb_path_query_first_tz(d, jp::jsonpath, vars)'), ('jsonb_path_query_array(d, jp::jsonpath)'), ('jsonb_path_query_array(d, ''strict '' || jp)'),
	('ARRAY(SELECT jsonb_path_query(rec, jp::jsonpath, vars, silent))'), ('jsonb_path_query_array(rec, jp::jsonpath)'), ('jsonb_path_query_first(rec, jp::jsonpath, vars)'),
	('rec @? jp::jsonpath'), ('rec @@ jp::jsonpath'), ('jsonb_path_match(rec, jp::jsonpath, vars, silent)'), ('(SELECT x FROM jsonb_path_query(rec, jp::jsonpath) x LIMIT 1)'),
	('d @? jp::jsonpath'), ('d @@ jp::jsonpath'), ('frag @? jp::jsonpath'), ('frag @@ jp::jsonpath'),
	('jsonb_path_exists_opr(d, jp::jsonpath)'), ('jsonb_path_match_opr(d, jp::jsonpath)'),
	('jsonb_path_query_array(d, ''$.keyvalue()'')'), ('jsonb_path_query_array(d, ''$.**.keyvalue().id'', silent => true)'), ('jsonb_path_query_array(d, ''$.a.keyvalue()'')'),
	('jsonb_path_query_array(d, ''$.**'')'), ('jsonb_path_query_array(d, ''$.a.b, $.c''::text::jsonpath)'),
	('jsonb_path_query_array(d, ''$.a ? (@.b == $.c)'')'), ('jsonb_path_query_array(d, ''strict $.a ? (exists($.b.c))'')'),
	('jsonb_path_query_array(rec, ''$[*].a ? (@ == $[0].a)'')'), ('jsonb_path_query_array(rec, ''$.e.t, $.e.c''::text::jsonpath)'),
	('jsonb_path_query_array(rec, ''$.d[$.e.n]'')'), ('jsonb_path_query_array(rec, ''$.d[0 to $.c]'')'), ('jsonb_path_query(rec, ''strict $.e.t'')'),
	('jsonb_path_query(rec, ''strict $.e.nope'')'), ('jsonb_path_match(rec, ''strict $.ab'')'), ('jsonb_path_query_array(rec, ''lax $.f.t'')'),
	-- records
	('jsonb_populate_record(NULL::twin_row_jsonb, rec)'), ('jsonb_populate_record(NULL::twin_other_jsonb, rec)'), ('jsonb_populate_record(NULL::twin_row_jsonb, d)'),
	('jsonb_populate_record(ROW(''1'', ''t'', 7, ARRAY[''"q"'', NULL], ROW(''[2]'', ''u'', 8), NULL, 9, true, ''{}'', ''w'', ''{"j": 1}'', ''"é"'', ''{1,2}'', ''2000-01-01'', NULL)::twin_row_jsonb, rec)'),
	('jsonb_populate_record(ROW(NULL, ROW(d, key, 8), frag, key, d, ''y'')::twin_other_jsonb, rec)'), ('jsonb_populate_record(ROW(1, 2), rec)'), ('jsonb_populate_record(NULL::record, rec)'),
	('jsonb_populate_record(NULL::twin_checked_jsonb, rec -> ''e'')'), ('jsonb_populate_record(NULL::twin_checked_jsonb, rec)'), ('jsonb_populate_record(ROW(d, key, 1)::twin_inner_jsonb, NULL)'), ('jsonb_populate_record(1, rec)'),
	('(SELECT array_agg(x) FROM jsonb_populate_recordset(NULL::twin_row_jsonb, rec) x)'), ('ARRAY(SELECT jsonb_populate_recordset(NULL::twin_other_jsonb, rec))'),
	('(SELECT array_agg(x) FROM jsonb_populate_recordset(ROW(d, key, idx)::twin_inner_jsonb, rec) x)'), ('(SELECT array_agg(x) FROM jsonb_populate_recordset(NULL::twin_deep_jsonb, frag) x)'),
	('(SELECT x FROM jsonb_to_record(rec) AS x(a jsonb, b text, d jsonb[], f twin_inner_jsonb[], z twin_deep_jsonb))'), ('(SELECT x FROM jsonb_to_record(rec) AS x(id twin_domain_jsonb, key json, name name, b text, e text))'),
	('(SELECT x FROM jsonb_to_record(d) AS x(a jsonb, b jsonb, c text, "é" jsonb, id text))'), ('(SELECT array_agg(x) FROM jsonb_to_recordset(rec) AS x(a jsonb, c text, d text, e twin_inner_jsonb, "é" jsonb))'),
	('(SELECT array_agg(x) FROM jsonb_to_recordset(d) AS x(a text, b jsonb, key text))'), ('(SELECT array_agg(x.*) FROM jsonb_to_recordset(rec) AS x(e twin_checked_jsonb, d twin_list_jsonb))'),
	-- records of simple columns
	('jsonb_populate_record(NULL::twin_plain, rec)'), ('jsonb_populate_record(NULL::twin_plain, d)'), ('jsonb_populate_record(NULL::twin_plain_checked, rec)'),
	('jsonb_populate_record(ROW(''t'', key, idx, 1.5, true, NULL, ''u'', ''v'', ''2000-01-01'', ''w'')::twin_plain, rec)'), ('jsonb_populate_record(ROW(''t'', NULL, 7, 1.5, true, NULL, ''u'', ''v'', ''2000-01-01'', ''w'')::twin_plain, d)'),
	('(SELECT array_agg(x) FROM jsonb_populate_recordset(NULL::twin_plain, rec) x)'), ('ARRAY(SELECT jsonb_populate_recordset(ROW(key, NULL, idx, 1, NULL, NULL, NULL, NULL, NULL, NULL)::twin_plain, rec))'),
	('(SELECT array_agg(x) FROM jsonb_populate_recordset(NULL::twin_plain_checked, rec) x)'), ('jsonb_populate_record(ROW(1, key, true), d)'), ('jsonb_populate_record(NULL::twin_plain, NULL)'),
	('(SELECT x FROM jsonb_to_record(rec) AS x(a text, b text, c int8, aa float8, ab text, id name, name text, y timestamp, e text, f text))'), ('(SELECT x FROM jsonb_to_record(rec) AS x(c int2, aa numeric, a bool))'),
	('(SELECT x FROM jsonb_to_record(d) AS x(a text, b numeric, c float8, "é" text, key bool))'), ('(SELECT array_agg(x) FROM jsonb_to_recordset(rec) AS x(a text, c numeric, d text, e text, ab bool))'),
	('(SELECT array_agg(x) FROM jsonb_to_recordset(d) AS x(a text, b text, key text))'), ('(SELECT array_agg(x) FROM jsonb_to_recordset(d) AS x(a float4, b int8, key uuid))'),
	-- making
	('to_jsonb(d)'), ('to_jsonb(key)'), ('to_jsonb(path)'), ('to_jsonb(NULL::int)'), ('to_jsonb(ROW(d, key, idx, NULL))'), ('to_jsonb(ARRAY[d, frag, NULL])'), ('to_jsonb(jsonb_populate_record(NULL::twin_row_jsonb, rec))'),
	('to_jsonb(d::json)'), ('to_jsonb(d::text)'), ('to_jsonb(d::text::json)'), ('to_jsonb((d #>> path)::float8)'), ('to_jsonb(ROW(1.50, ''NaN''::float4, ''-Infinity''::numeric, now() - now(), date ''2020-02-29''))'),
	('jsonb_build_array()'), ('jsonb_build_array(d, key, idx, path, frag, NULL, true, 1.5::float4)'), ('jsonb_build_array(d, frag, NULL)'), ('jsonb_build_array(VARIADIC path)'), ('jsonb_build_array(VARIADIC NULL::text[])'), ('jsonb_build_array(VARIADIC ARRAY[d, NULL, frag])'),
	('jsonb_build_object()'), ('jsonb_build_object(key, d, ''a'', frag)'), ('jsonb_build_object(key, d, key, frag)'), ('jsonb_build_object(key, d, NULL)'), ('jsonb_build_object(NULL, d)'), ('jsonb_build_object(idx, d, 1.50, key, true, idx, date ''2020-02-29'', path)'),
	('jsonb_build_object(VARIADIC path)'), ('jsonb_build_object(VARIADIC keys)'), ('jsonb_build_object(VARIADIC ARRAY[d, frag])'), ('jsonb_build_object(d, 1)'), ('jsonb_build_object(path, 1)'), ('jsonb_build_object(ROW(1), 1)'), ('jsonb_build_object(''a'', ROW(d, ARRAY[frag]), ''b'', ARRAY[rec, NULL])'),
	('jsonb_object(keys)'), ('jsonb_object(path)'), ('jsonb_object(keys, path)'), ('jsonb_object(ARRAY[path, path])'), ('jsonb_object(ARRAY[[key, ''x''], [''b'', NULL]])'), ('jsonb_object(ARRAY[key, ''c''], ARRAY[NULL, d::text])'),
	-- aggregates, over the parts of a document
	('(SELECT jsonb_agg(value ORDER BY value) FROM jsonb_each(CASE jsonb_typeof(d) WHEN ''object'' THEN d ELSE ''{}'' END))'), ('(SELECT jsonb_agg(DISTINCT value) FROM jsonb_array_elements(CASE jsonb_typeof(d) WHEN ''array'' THEN d ELSE ''[1]'' END))'),
	('(SELECT jsonb_agg(value ORDER BY n DESC) FILTER (WHERE n % 2 = 0) FROM jsonb_array_elements(d) WITH ORDINALITY e(value, n))'), ('(SELECT jsonb_object_agg(key, value) FROM jsonb_each(d) x(key, value))'),
	('(SELECT jsonb_object_agg(x.key, NULLIF(x.value, ''null'')) FROM jsonb_each(d) x)'), ('(SELECT jsonb_object_agg(x, n) FROM unnest(keys) WITH ORDINALITY u(x, n))'), ('(SELECT jsonb_object_agg(n, x ORDER BY n DESC) FROM unnest(keys) WITH ORDINALITY u(x, n))'),
	('(SELECT jsonb_object_agg(left(x, 1), x ORDER BY n) FROM unnest(path) WITH ORDINALITY u(x, n))'), ('(SELECT jsonb_agg(x) FROM jsonb_each(d) x)'), ('(SELECT jsonb_agg(x) FROM unnest(keys) x)'), ('(SELECT jsonb_agg(x) FROM unnest(ARRAY[d, NULL, frag]) x)'),
	('(SELECT jsonb_agg(x::twin_word) FROM unnest(path) x)'), ('(SELECT jsonb_agg(x::twin_domain_jsonb) FROM unnest(ARRAY[d, NULL, frag]) x)'), ('(SELECT jsonb_agg(x) FROM unnest(''{1.50,NaN,1e400,NULL}''::numeric[]) x)'),
	('(SELECT jsonb_agg(x) FROM unnest(''{1.5,NaN,-Infinity,1e30}''::float8[]) x)'), ('(SELECT jsonb_agg(x) FROM unnest(''{2020-02-29,infinity}''::date[]) x)'), ('(SELECT jsonb_agg(ROW(x, d)) FROM unnest(path) x)'), ('(SELECT jsonb_agg(x) FROM generate_series(1, 0) x)'), ('(SELECT jsonb_agg(NULL))'),
	('(SELECT array_agg(w) FROM (SELECT jsonb_agg(value) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM jsonb_array_elements(d) WITH ORDINALITY e(value, n) WHERE n < 20) s(w))'), ('(SELECT array_agg(w) FROM (SELECT jsonb_object_agg(x.key, x.value) OVER (ORDER BY x.key) FROM jsonb_each(d) x LIMIT 20) s(w))'),
	('(SELECT array_agg(w ORDER BY w) FROM (SELECT jsonb_agg(value) FROM jsonb_array_elements(d) WITH ORDINALITY e(value, n) GROUP BY n % 3) s(w))'), ('(SELECT jsonb_object_agg(''k'', jsonb_typeof(value)) FROM jsonb_array_elements(d))'), ('(SELECT jsonb_agg(x ORDER BY x) FROM (SELECT jsonb_agg(n) FROM generate_series(1, 9) n GROUP BY n % 2) s(x))'),
	-- casts and texts
	('(d #> path)::numeric'), ('(d #> path)::bool'), ('(d #> path)::int'), ('(d #> path)::int2'), ('(d #> path)::int8'), ('(d #> path)::float4'), ('(d #> path)::float8'), ('(d -> key)::int'), ('frag::numeric'), ('frag::bool'), ('d::varchar(10)'), ('d::text::bytea'),
	('jsonb_pretty(d)'), ('jsonb_pretty(frag)'), ('to_tsvector(''simple'', d)'), ('jsonb_to_tsvector(''simple'', d, ''"all"'')'), ('jsonb_to_tsvector(''english'', frag, ''["string", "key"]'')'), ('jsonb_to_tsvector(''simple'', d, ''["numeric", "boolean"]'')'), ('jsonb_to_tsvector(''simple'', d, frag)'), ('to_tsvector(rec)'),
	('ts_headline(''simple'', d, ''a | b''::tsquery)'), ('ts_headline(rec, ''q | x''::tsquery, ''StartSel=<, StopSel=>'')'), ('ts_headline(''simple'', frag, ''abc''::tsquery, ''MaxWords=3, MinWords=1'')'),
	-- subscripts
	('d[key]'), ('d[idx]'), ('d[key][idx]'), ('d[idx][key]'), ('d[path[1]][path[2]]'), ('d[path[1]][path[2]][path[3]]'), ('d[''a''][0][''b'']'), ('d[NULL]'), ('(d #> path)[key]'),
	('put_1_jsonb(d, key, frag)'), ('put_1_jsonb(d, path[1], NULL)'), ('put_1_jsonb(NULL, key, frag)'), ('put_2_jsonb(NULL, idx % 50, frag)'), ('put_2_jsonb(d, -abs(idx % 50), frag)'), ('put_2_jsonb(d, NULL, frag)'), ('put_2_jsonb(d, idx % 50, frag)'),
	('put_3_jsonb(d, key, idx % 50, frag)'), ('put_3_jsonb(NULL, key, idx % 50, frag)'), ('put_4_jsonb(d, idx % 50, key, path[1], frag)'), ('put_4_jsonb(NULL, idx % 50, key, key, NULL)');
SELECT add_twin_call('fixed', number, call) FROM fixed_calls;

-- Queries over all rows: {d}, {frag} and {rec} are the documents.
CREATE TABLE twin_queries (query text);
INSERT INTO twin_queries VALUES
	('SELECT jsonb_agg({d} ORDER BY id, n) FROM twin_rows'),
	('SELECT jsonb_agg({rec} ORDER BY {rec}, id, n) FILTER (WHERE n < 3) FROM twin_rows GROUP BY id % 7'),
	('SELECT jsonb_agg(x ORDER BY x) FROM (SELECT DISTINCT {frag} FROM twin_rows) s(x)'),
	('SELECT jsonb_agg(DISTINCT jsonb_typeof({frag})) FROM twin_rows'),
	('SELECT jsonb_object_agg(id || key, {d} ORDER BY id, n) FROM twin_rows WHERE key IS NOT NULL'),
	('SELECT jsonb_object_agg(n, {frag} ORDER BY id) FROM twin_rows GROUP BY id % 5'),
	('SELECT jsonb_agg({frag}) OVER (PARTITION BY id ORDER BY n) FROM twin_rows'),
	('SELECT jsonb_object_agg(n::text, {frag}) OVER (PARTITION BY id ORDER BY n ROWS 1 PRECEDING) FROM twin_rows'),
	('SELECT jsonb_agg(t ORDER BY id, n) FROM (SELECT id, n, key, idx, path, {frag} AS frag FROM twin_rows) t GROUP BY n'),
	('SELECT {d} || {frag} FROM twin_rows WHERE {frag} @? ''$.a'''),
	('SELECT x FROM twin_rows, jsonb_path_query({d}, ''$.* ? (@ > 0)'') x'),
	('SELECT x FROM twin_rows, jsonb_to_recordset(CASE jsonb_typeof({rec}) WHEN ''array'' THEN jsonb_path_query_array({rec}, ''$[*] ? (@.type() == "object")'') ELSE ''[]'' END) AS x(b text, "é" jsonb)'),
	('SELECT x FROM twin_rows, jsonb_populate_record(NULL::twin_inner_jsonb, jsonb_build_object(''c'', {d}, ''t'', key, ''n'', idx)) x'),
	('SELECT (SELECT x FROM jsonb_path_query({rec}, ''$.d[*]'') x LIMIT 1) FROM twin_rows'),
	('SELECT jsonb_path_query({rec}, ''$.f[*]''), jsonb_path_query({rec}, ''$.d[*]'') FROM twin_rows');

-- Sorted, for DISTINCT and GROUP BY may give rows in any order.
CREATE FUNCTION run_twin_query(query text) RETURNS void
LANGUAGE plpgsql AS $outer$
DECLARE
	answers text[];
	answer text;
	type text;
	message text; detail text; hint text; context text; state text;
BEGIN
	FOREACH type IN ARRAY ARRAY['jsonb', 'colj']
	LOOP
		BEGIN
			EXECUTE format('SELECT string_agg(x::text, E''\n'' ORDER BY x::text) FROM (%s) x',
						   regexp_replace(replace(query, 'jsonb', type), '\{(d|frag|rec)\}', left(type, 1) || '\1', 'g'))
			INTO answer;
		EXCEPTION WHEN OTHERS THEN
			GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
				hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, state = RETURNED_SQLSTATE;
			answer := error_text(state, message, detail, hint, context);
		END;
		answers := answers || answer;
	END LOOP;
	PERFORM note(query, 1, (answers[1] IS DISTINCT FROM answers[2])::int,
				 CASE WHEN answers[1] IS DISTINCT FROM answers[2]
				 THEN ARRAY[format('jsonb %s, colj %s', brief(answers[1]), brief(answers[2]))] END);
END
$outer$;
