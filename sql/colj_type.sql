--
-- The type: text in and out, the wire, limits, and damaged bytes.
--

-- What a statement gives: its value, or its error.
CREATE FUNCTION pg_temp.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	message text;
	detail text;
	hint text;
	context text;
BEGIN
	EXECUTE statement INTO result;
	RETURN 'value ' || coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
	RETURN concat_ws(' | ', sqlstate, message, detail, hint,
					 substring(context FROM '^JSON data[^\n]*'));
END $$;

-- A statement for jsonb whose twin gives something else.
CREATE FUNCTION pg_temp.differs(statement text, OUT jsonb_gives text, OUT colj_gives text)
RETURNS SETOF record LANGUAGE sql AS $$
	SELECT * FROM (SELECT pg_temp.outcome(statement), pg_temp.outcome(replace(statement, 'jsonb', 'colj'))) o(j, c)
	WHERE replace(j, 'jsonb', 'colj') IS DISTINCT FROM c
$$;

-- The canonical form.
SELECT '{"bb": 1, "a": [true, false, null, {}, []], "a\u0062c": "x\ty", "aa": 2}'::colj;
SELECT ' [ 1 , -0 , -0.0 , 1.00 , 1e2 , 1E-3 , 12345678901234567890 , -9223372036854775808 , 0.10e1 ] '::colj;
SELECT '"\ud83d\ude04 \u00e9 \" \\ \/ \b\f\n\r\t"'::colj;
-- the last of equal keys stays
SELECT '{"a": 1, "b": 2, "a": {"x": 1, "x": 2}}'::colj;
SELECT ''::colj;
SELECT '{"a": 1'::colj;
SELECT '"\u0000"'::colj;
SELECT '"\ud83d"'::colj;
SELECT '1e131072'::colj;
SELECT '{"a": 01}'::colj;

-- Whatever it is, jsonb says the same.
CREATE TEMP TABLE texts (n serial, t text);
INSERT INTO texts (t) VALUES
	(''), (' '), ('null'), ('true'), ('false'), (' 1 '), ('"a"'), ('[]'), ('{}'), ('nul'), ('nulll'), ('True'),
	('-'), ('+1'), ('01'), ('-01'), ('1.'), ('.5'), ('1e'), ('1e+'), ('1e5'), ('1E+5'), ('1e-5'), ('0e5'), ('0.0'), ('-0'),
	('-0.0'), ('0x10'), ('NaN'), ('Infinity'), ('1_000'), ('9223372036854775807'), ('9223372036854775808'),
	('-9223372036854775808'), ('-9223372036854775809'), ('123456789.123456789'), ('0.000000000000000000000001'),
	('1e131071'), ('1e131072'), ('1e-16383'), ('1e-16384'), ('1e400'), ('1.50e1'), ('12.3400e-2'), ('1e2147483648'),
	('"\u0041"'), ('"\u004"'), ('"\u00zz"'), ('"\x41"'), ('"\u0000"'), ('"a\u0000b"'), ('"\ud83d\ude04"'), ('"\ud83d"'),
	('"\ude04"'), ('"\ude04\ud83d"'), ('"\ud83d\ud83d"'), ('"\ud83dx"'), ('"\uD83D\uDE04"'), (E'"tab\there"'),
	(E'"new\nline"'), (E'"\u0001"'), ('"open'), ('"open\'), ('"open\"'), ('''a'''), ('"é€😀"'), ('"\é"'),
	('[1,]'), ('[,1]'), ('[1 2]'), ('[1,,2]'), ('['), (']'), ('[1'), ('[1,'), ('[[]'), ('[]]'), ('[} '), ('[1] 2'), ('[1],'),
	('{"a"}'), ('{"a":}'), ('{"a":1,}'), ('{,"a":1}'), ('{"a":1 "b":2}'), ('{a:1}'), ('{1:2}'), ('{"a" 1}'), ('{"a"::1}'),
	('{"a":1'), ('{"a"'), ('{"'), ('{'), ('}'), ('{]'), ('{"a":[}'), ('{"":""}'), ('{"\u0061":1,"a":2}'),
	('{"a":{"a":{"a":{}}}}'), ('[[[[[[[[]]]]]]]]'), ('{"a":1}{"b":2}'), ('// x'), ('[1] // x'), (E'\u00a0[1]'), (E'[1]\u00a0'),
	(E'\ufeff[1]'), ('["a", "b" : "c"]'), ('{"x":1,"x":2,"y":3,"x":null}'), ('{"b":1,"a":2,"aa":3,"":4,"Z":5}');
-- all lengths around which the layout changes
INSERT INTO texts (t) SELECT to_json(repeat('x', i))::text FROM generate_series(0, 40) i;
INSERT INTO texts (t) SELECT to_json(repeat('é', i))::text FROM unnest(array[100, 127, 128, 255, 256, 16383, 16384, 65535, 65536]) i;
INSERT INTO texts (t) SELECT jsonb_agg(j)::text FROM unnest(array[1, 2, 31, 32, 33, 64, 127, 128, 129, 300]) i, generate_series(1, i) j GROUP BY i;
INSERT INTO texts (t) SELECT jsonb_agg(repeat('y', j % 50))::text FROM unnest(array[1, 2, 31, 32, 33, 64, 127, 128, 129, 300]) i, generate_series(1, i) j GROUP BY i;
INSERT INTO texts (t) SELECT jsonb_object_agg('k' || j, repeat('z', j % 50))::text FROM unnest(array[1, 2, 31, 32, 33, 64, 127, 128, 129, 300]) i, generate_series(1, i) j GROUP BY i;
INSERT INTO texts (t) SELECT jsonb_agg(jsonb_build_object('id', j, 'name', 'n' || j, 'tags', array[j, j + 1]))::text FROM unnest(array[2, 10, 100]) i, generate_series(1, i) j GROUP BY i;
INSERT INTO texts (t) SELECT s || (10::numeric ^ e)::numeric(1000, 0)::text FROM generate_series(0, 25) e, unnest(array['', '-', '[1,', '0.', '-7.']) s;
INSERT INTO texts (t) SELECT m || 'e' || e FROM unnest(array['1', '-1', '1.5', '-0.00', '123456789012345678', '99999999999999999999']) m,
	unnest(array[-300, -256, -255, -254, -20, -19, -18, -4, -1, 0, 1, 4, 18, 19, 20, 300]) e;
SELECT count(*) AS texts, count(*) FILTER (WHERE pg_temp.outcome(format('SELECT %L::colj', t)) LIKE 'value%') AS accepted FROM texts;
SELECT n, left(t, 60) AS t, d.* FROM texts, pg_temp.differs(format('SELECT %L::jsonb', t)) d ORDER BY n;
SELECT n, left(t, 60) AS t, d.* FROM texts, pg_temp.differs(format('SELECT %L::jsonb', '[' || t || ', ' || t || ']')) d ORDER BY n;
SELECT n, left(t, 60) AS t, d.* FROM texts, pg_temp.differs(format('SELECT jsonb_send(%L)', t)) d ORDER BY n;

-- Soft errors, which the server has from version 16 on: no output.
SELECT current_setting('server_version_num')::int >= 160000 AS soft \gset
\if :soft
DO $$
DECLARE
	wrong text;
BEGIN
	SELECT string_agg(t, ' ') INTO wrong FROM texts
	WHERE pg_input_is_valid(t, 'colj') <> (pg_temp.outcome(format('SELECT %L::colj', t)) LIKE 'value%');
	IF wrong IS NOT NULL THEN
		RAISE 'pg_input_is_valid is wrong for %', wrong;
	END IF;
END $$;
\endif

-- The wire: a version byte, then text.
SELECT colj_send('[1, {"a": "é"}]');
CREATE TEMP TABLE wire (d colj);
\copy wire FROM PROGRAM 'printf "PGCOPY\\n\\377\\r\\n\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\010\\001[1.50 ]\\377\\377"' (FORMAT binary)
SELECT * FROM wire;
\copy wire FROM PROGRAM 'printf "PGCOPY\\n\\377\\r\\n\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\004\\002[1]\\377\\377"' (FORMAT binary)
\copy wire FROM PROGRAM 'printf "PGCOPY\\n\\377\\r\\n\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\003\\001[1\\377\\377"' (FORMAT binary)
\copy wire FROM PROGRAM 'printf "PGCOPY\\n\\377\\r\\n\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\004\\001\\042\\377\\042\\377\\377"' (FORMAT binary)
\copy wire FROM PROGRAM 'printf "PGCOPY\\n\\377\\r\\n\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\0\\377\\377"' (FORMAT binary)

-- Nesting ends where the stack does, or somewhat later.
SELECT length(pg_temp.outcome(format('SELECT %L::colj', repeat('[', 3000) || repeat(']', 3000)))) AS length_of_3000;
SELECT length(pg_temp.outcome(format('SELECT %L::colj', repeat('{"a":', 3000) || '1' || repeat('}', 3000)))) AS length_of_3000;
SELECT * FROM pg_temp.differs(format('SELECT %L::jsonb', repeat('[', 3000) || repeat(']', 3000)));
SELECT left(pg_temp.outcome(format('SELECT %L::colj', repeat('[', 1000000))), 36);
SELECT left(pg_temp.outcome(format('SELECT %L::colj', repeat('{"a":', 1000000))), 36);

CREATE TEMP TABLE deep AS SELECT (repeat('[{"a":', 1500) || '1' || repeat('}]', 1500))::colj AS d;
SET max_stack_depth = '100kB';
SELECT length(d::text) FROM deep;
SELECT jsonb_typeof(d::jsonb) FROM deep;
SELECT length(colj_pretty(d)) FROM deep;
RESET max_stack_depth;

-- The anchor stride of new documents.
SHOW colj.offset_stride;
SET colj.offset_stride = 0;
SET colj.offset_stride = 257;
SET colj.no_such = 1;
CREATE TEMP TABLE strides (stride int, d colj);
CREATE FUNCTION pg_temp.with_stride(stride int, t text) RETURNS colj LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('colj.offset_stride', stride::text, true);
	RETURN t::colj;
END $$;
INSERT INTO strides SELECT s, pg_temp.with_stride(s, (SELECT json_agg(repeat('x', i % 7)) FROM generate_series(1, 1000) i)::text)
	FROM unnest(array[1, 2, 3, 31, 32, 33, 255, 256]) s;
SELECT count(DISTINCT d::text) AS texts, count(DISTINCT pg_column_size(d)) > 4 AS sizes_differ,
	   bool_and((SELECT bool_and(d ->> i = repeat('x', (i + 1) % 7)) FROM generate_series(0, 999) i)) AS all_found FROM strides;
RESET colj.offset_stride;

-- Stored bytes are believed only as far as they make sense.
CREATE CAST (bytea AS colj) WITHOUT FUNCTION;
CREATE CAST (colj AS bytea) WITHOUT FUNCTION;
SELECT left(pg_temp.outcome($$SELECT '\x'::bytea::colj$$), 5) AS damaged, left(pg_temp.outcome($$SELECT '\x201f04'::bytea::colj$$), 5) AS unknown_version;
SELECT '\x'::bytea::colj;
SELECT '\x201f04'::bytea::colj;
SELECT '\xf01f04'::bytea::colj ->> 'a';
SELECT '\x101f'::bytea::colj ->> 'a';
SELECT '\x181f04'::bytea::colj;
SELECT '\x101f2461'::bytea::colj::jsonb;
SELECT '\x101f04'::bytea::colj;
-- every prefix and every changed byte: a document, or the error for damaged data
CREATE TEMP TABLE seeds (d bytea);
INSERT INTO seeds SELECT t::colj::bytea FROM unnest(array['{"a": [1, 2.50, "three", null, true, 1e30, -123456789], "bb": {"c": "a string of more than thirty bytes"}}',
	'[1, 2, 3, 4, 5, 6, 700]', '["x", {"y": 1}, {"y": 2}, {"z": []}]', '123456789012345678901234567890.50']) t;
INSERT INTO seeds SELECT json_agg(json_build_object('key_number_one', i, 'key_number_two', i, 'key_number_three', null))::text::colj::bytea FROM generate_series(1, 20) i;
SELECT bool_or(get_byte(d, 0) & 1 = 1) AS one_has_shapes, max(length(d)) < 1000 AS all_short FROM seeds;
CREATE FUNCTION pg_temp.try_bytes(d bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	doc colj = d::colj;
BEGIN
	PERFORM doc::text, doc::jsonb, doc -> 'a', doc ->> 0, doc #>> '{a,0}', doc ? 'a', colj_typeof(doc);
	RETURN 'fine';
EXCEPTION
	WHEN data_corrupted OR feature_not_supported THEN RETURN 'refused';
	WHEN OTHERS THEN RETURN sqlstate || ' ' || sqlerrm;
END $$;
CREATE TEMP TABLE tried AS
	SELECT pg_temp.try_bytes(substr(d, 1, i)) AS outcome FROM seeds, generate_series(0, length(d) - 1) i
	UNION ALL
	SELECT pg_temp.try_bytes(set_byte(d, i, (get_byte(d, i) # x) & 255)) FROM seeds, generate_series(0, length(d) - 1) i, unnest(array[1, 2, 4, 8, 16, 32, 64, 128, 255, 31]) x;
SELECT outcome, count(*) > 100 AS many FROM tried GROUP BY 1 ORDER BY 1;
DROP CAST (bytea AS colj);
DROP CAST (colj AS bytea);
