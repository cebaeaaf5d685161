--
-- Casts: jsonb, json, text, and the types of scalars.
--

-- The same contexts as jsonb's, and jsonb itself.
SELECT castsource::regtype, casttarget::regtype, castcontext FROM pg_cast
WHERE (castsource = 'colj'::regtype) <> (casttarget = 'colj'::regtype) ORDER BY 1::text, 2::text;

CREATE FUNCTION pg_temp.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result;
	RETURN 'value ' || coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ' ' || sqlerrm;
END $$;

-- Documents through jsonb and json, both ways.
CREATE TEMP TABLE docs (n serial, t text);
INSERT INTO docs (t) VALUES
	('null'), ('true'), ('false'), ('0'), ('-0.00'), ('1.50'), ('12345678901234567890.5'), ('1e100'), ('-1e-100'), ('1e400'), ('1e-400'), ('"text"'), ('""'), ('[]'), ('{}'),
	('[[], {}, [[]], {"a": {}}]'), ('{"b": 1, "a": [1, 1.0, 1.00, "é", null, true, {"x": {"y": ["z"]}}], "": ""}'),
	('9223372036854775807'), ('-9223372036854775808'), ('9223372036854775808'), ('-9223372036854775809'), ('0.9223372036854775807'), ('92233720368547758.08'),
	('[-922337203685477580.8, 922337203685477580.7, 0.0000000000000000000000, 100000, 10000.0001, 0.00010000, 123400000000000]');
INSERT INTO docs (t) SELECT m || 'e' || e FROM unnest(array['1', '-7', '12345', '-99999999', '1234567890123456789']) m, generate_series(-26, 26) e;
INSERT INTO docs (t) SELECT left('0.' || repeat('0', z) || '1234567890', 2 + z + d) FROM generate_series(0, 9) z, generate_series(1, 10) d;
INSERT INTO docs (t) SELECT '1e-' || e FROM unnest(array[253, 254, 255, 256, 257, 1000, 16383]) e;
INSERT INTO docs (t) SELECT '0e-' || e FROM unnest(array[1, 2, 254, 255, 256, 257, 1000]) e;
INSERT INTO docs (t) SELECT json_agg(i * 1.5)::text FROM generate_series(1, 500) i;
INSERT INTO docs (t) SELECT json_object_agg('k' || i, i)::text FROM generate_series(1, 500) i;
SELECT n, t FROM docs
WHERE t::colj::jsonb::text <> t::jsonb::text OR t::jsonb::colj::text <> t::jsonb::text OR t::json::colj::text <> t::jsonb::text
   OR t::colj::json::text <> t::jsonb::text OR t::colj::text <> t::jsonb::text OR t::colj::jsonb <> t::jsonb
   OR pg_column_size(t::jsonb::colj) <> pg_column_size(t::colj) OR pg_column_size(t::colj::jsonb) <> pg_column_size(t::jsonb);
SELECT count(*) FROM docs;

-- Implicitly to jsonb, by assignment from jsonb and json.
SELECT jsonb_set('{"a": 1}'::colj, '{b}', '[2]'::colj), '{"a": 1}'::colj || '{"b": 2}'::jsonb AS concatenated, jsonb_path_query_array('[1, 2, 3]'::colj, '$[*] ? (@ > 1)');
CREATE TEMP TABLE target (d colj, j jsonb, t text);
INSERT INTO target SELECT '{"a": 1}'::jsonb, '{"a": 1}'::colj, '{"a": 1}'::colj;
INSERT INTO target (d) SELECT '{"b" : 2}'::json;
INSERT INTO target (d) SELECT '{"c" : 3}'::text;
SELECT * FROM target;
SELECT coalesce(d, j) FROM (SELECT NULL::colj AS d, '[1]'::jsonb AS j) s;
SELECT '{"a": '::json::colj;
SELECT E'"\\u0000"'::json::colj;
SELECT pg_typeof(colj('[1]'::jsonb)), pg_typeof(colj('[1]'::json)), pg_typeof(jsonb('[1]'::colj)), pg_typeof(colj('[1]'::text));

-- To the types of scalars: values, rounding and errors are jsonb's.
SELECT '1.50'::colj::numeric, '1.50'::colj::int, '2.5'::colj::int2, '-1.5'::colj::int8, '1e3'::colj::int4, '0.1'::colj::float8, '0.1'::colj::float4, 'true'::colj::bool;
SELECT ('{"a": 42}'::colj -> 'a')::int + 1 AS a;
SELECT '"1"'::colj::int;
SELECT '[1]'::colj::numeric;
SELECT '{}'::colj::float4;
SELECT '1'::colj::bool;
SELECT 'true'::colj::int8;
SELECT '40000'::colj::int2;
SELECT t, c.type, o.* FROM docs, unnest(array['bool', 'numeric', 'int2', 'int4', 'int8', 'float4', 'float8']) AS c (type),
	LATERAL (SELECT pg_temp.outcome(format('SELECT %L::jsonb::%s', t, c.type)) AS jsonb_gives, pg_temp.outcome(format('SELECT %L::colj::%s', t, c.type)) AS colj_gives) o
WHERE replace(jsonb_gives, 'jsonb', 'colj') IS DISTINCT FROM colj_gives;
SELECT count(*) FILTER (WHERE o LIKE 'value%') > 200 AS many_values, count(*) FILTER (WHERE o LIKE '22%') > 50 AS many_errors
FROM docs, unnest(array['bool', 'numeric', 'int2', 'int4', 'int8', 'float4', 'float8']) AS c (type), pg_temp.outcome(format('SELECT %L::colj::%s', t, c.type)) o;
-- numbers that need no numeric on the way
SELECT t FROM (SELECT m || 'e-' || s AS t FROM unnest(array[0, 1, 3, 5, 7, 9, 99, 123456789, 9007199254740991, 9007199254740992, 9007199254740993, 9223372036854775807, -32768, -32769, 32767, 32768, -2147483648, 2147483648]::numeric[]) m, generate_series(0, 24) s) v
WHERE t::colj::float8 IS DISTINCT FROM t::jsonb::float8 OR t::colj::float4 IS DISTINCT FROM t::jsonb::float4 OR t::colj::numeric::text <> t::jsonb::numeric::text
   OR pg_temp.outcome(format('SELECT %L::colj::int8', t)) <> pg_temp.outcome(format('SELECT %L::jsonb::int8', t))
   OR pg_temp.outcome(format('SELECT %L::colj::int4', t)) <> pg_temp.outcome(format('SELECT %L::jsonb::int4', t))
   OR pg_temp.outcome(format('SELECT %L::colj::int2', t)) <> pg_temp.outcome(format('SELECT %L::jsonb::int2', t));
SELECT count(*) FROM generate_series(1, 5000) i, LATERAL (SELECT round(i * 98765.4321 / 7, i % 20)::text AS t) v WHERE t::colj::float8 <> t::jsonb::float8;
