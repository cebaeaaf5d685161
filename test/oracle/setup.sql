-- What the oracle knows: tables, calls, and how to compare them.
--
-- A call is an expression over a document and its arguments, written for
-- jsonb.  For each there are two functions, call_N(jsonb, ...) and
-- call_N(colj, ...), that return its result as text, or its error as text:
-- SQLSTATE, message, detail, hint, and the line that names the place in JSON
-- text.  "colj" in an error counts as "jsonb".

CREATE EXTENSION colj;

CREATE TABLE docs (id int PRIMARY KEY, txt text);
CREATE TABLE args (id int, n int, key text, idx int, path text[], keys text[], txt text);
CREATE TABLE texts (label text, bytes bytea);

-- What is compared: the same documents, as jsonb and colj, stored alike.
CREATE TABLE plain (id int PRIMARY KEY, stride int, j jsonb, c colj);
CREATE TABLE small (LIKE plain INCLUDING ALL);	-- enough for a btree entry
CREATE TABLE toasted (LIKE plain INCLUDING ALL);
CREATE TABLE sliced (LIKE plain INCLUDING ALL);
ALTER TABLE plain ALTER j SET STORAGE main, ALTER c SET STORAGE main;
ALTER TABLE toasted SET (toast_tuple_target = 256);
ALTER TABLE sliced ALTER j SET STORAGE external, ALTER c SET STORAGE external,
	SET (toast_tuple_target = 128);
CREATE TABLE stores (name text);
INSERT INTO stores VALUES ('plain'), ('toasted'), ('sliced');

-- A server may be built without lz4.
SELECT 'lz4' = ANY (enumvals) AS has_lz4 FROM pg_settings WHERE name = 'default_toast_compression' \gset
\if :has_lz4
CREATE TABLE squeezed (LIKE plain INCLUDING ALL);
ALTER TABLE squeezed SET (toast_tuple_target = 256);
ALTER TABLE squeezed ALTER j SET COMPRESSION lz4, ALTER c SET COMPRESSION lz4;
INSERT INTO stores VALUES ('squeezed');
\endif

-- Where COPY comes in.
CREATE TABLE copied_jsonb (n int GENERATED ALWAYS AS IDENTITY, d jsonb);
CREATE TABLE copied_colj (n int GENERATED ALWAYS AS IDENTITY, d colj);

-- Fragments and keys to call with.
CREATE TABLE given (id int, n int, key text, idx int, path text[], keys text[], j jsonb, c colj);

-- One row a check: calls made, calls that differed, the first few of those.
CREATE TABLE results (name text PRIMARY KEY, place int GENERATED ALWAYS AS IDENTITY,
					  tried bigint, failed bigint, sample text[]);

CREATE FUNCTION note(name text, tried bigint, failed bigint, sample text[]) RETURNS void
LANGUAGE sql AS $$
	INSERT INTO results AS r VALUES (name, DEFAULT, tried, failed, sample)
	ON CONFLICT ON CONSTRAINT results_pkey DO UPDATE
	SET tried = r.tried + excluded.tried, failed = r.failed + excluded.failed,
		sample = CASE WHEN cardinality(r.sample) >= 3 THEN r.sample ELSE r.sample || excluded.sample END
$$;

CREATE FUNCTION brief(t text) RETURNS text IMMUTABLE
LANGUAGE sql AS $$
	SELECT CASE WHEN t IS NULL THEN 'NULL' WHEN length(t) <= 300 THEN t
			ELSE left(t, 150) || '...' || right(t, 100) || format(' (%s characters, md5 %s)', length(t), md5(t)) END
$$;

-- The text of an error, in a handler.
CREATE FUNCTION error_text(state text, message text, detail text, hint text, context text) RETURNS text
IMMUTABLE LANGUAGE sql AS $$
	SELECT replace(format('ERROR %s: %s|%s|%s|%s', state, message, detail, hint,
						  substring(context FROM '(?n)^JSON data.*$')), 'colj', 'jsonb')
$$;

CREATE TABLE calls (number int GENERATED ALWAYS AS IDENTITY, call text, uses_args bool);

-- Make the pair of functions of a call.  In the call, jsonb stands for both
-- types unless the colj expression is given.
CREATE FUNCTION add_call(call text, uses_args bool, colj_call text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $outer$
DECLARE
	number int;
	type text;
	expression text;
BEGIN
	INSERT INTO calls (call, uses_args) VALUES (call, uses_args) RETURNING calls.number INTO number;
	FOREACH type IN ARRAY ARRAY['jsonb', 'colj']
	LOOP
		expression := CASE type WHEN 'jsonb' THEN call ELSE coalesce(colj_call, replace(call, 'jsonb', 'colj')) END;
		EXECUTE format($f$
			CREATE FUNCTION call_%s(d %s, key text, idx int, path text[], keys text[], frag %s) RETURNS text
			LANGUAGE plpgsql AS $$
			DECLARE
				message text; detail text; hint text; context text; state text;
			BEGIN
				RETURN (%s)::text;
			EXCEPTION WHEN OTHERS OR assert_failure THEN
				GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
					hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, state = RETURNED_SQLSTATE;
				RETURN error_text(state, message, detail, hint, context);
			END $$ $f$, number, type, type, expression);
	END LOOP;
END
$outer$;

-- Run a call over the documents of a table, with the arguments given.
CREATE FUNCTION run_call(which calls, store regclass) RETURNS void
LANGUAGE plpgsql AS $outer$
DECLARE
	tried bigint;
	failed bigint;
	sample text[];
BEGIN
	EXECUTE format(CASE WHEN which.uses_args THEN $q$
		SELECT count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
			   (array_agg(format('%2$s #%%s.%%s stride %%s, key %%L, index %%s, path %%s, keys %%s: jsonb %%s, colj %%s',
								 id, n, stride, left(key, 100), idx, left(path::text, 200), left(keys::text, 200), brief(jr), brief(cr)))
				FILTER (WHERE jr IS DISTINCT FROM cr))[:3]
		FROM (SELECT s.id, s.stride, g.n, g.key, g.idx, g.path, g.keys,
					 call_%1$s(s.j, g.key, g.idx, g.path, g.keys, g.j) AS jr,
					 call_%1$s(s.c, g.key, g.idx, g.path, g.keys, g.c) AS cr
			  FROM %2$s s JOIN given g USING (id) OFFSET 0) x $q$
	ELSE $q$
		SELECT count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
			   (array_agg(format('%2$s #%%s stride %%s: jsonb %%s, colj %%s', id, stride, brief(jr), brief(cr)))
				FILTER (WHERE jr IS DISTINCT FROM cr))[:3]
		FROM (SELECT s.id, s.stride,
					 call_%1$s(s.j, NULL, NULL, NULL, NULL, NULL::jsonb) AS jr,
					 call_%1$s(s.c, NULL, NULL, NULL, NULL, NULL::colj) AS cr
			  FROM %2$s s OFFSET 0) x $q$
	END, which.number, store) INTO tried, failed, sample;
	PERFORM note(which.call, tried, failed, sample);
END
$outer$;

-- Calls on the document alone.
SELECT add_call(call, false, colj_call) FROM (VALUES
	('d', NULL),
	('jsonb_out(d)', NULL),
	('jsonb_send(d)', NULL),
	('jsonb_typeof(d)', NULL),
	('jsonb_pretty(d)', NULL),
	('jsonb_array_length(d)', NULL),
	('d::json', NULL),
	('d::json::jsonb', NULL),
	('d::text::jsonb', NULL),
	('d::jsonb', 'd::jsonb'),
	('jsonb_strip_nulls(d)', 'jsonb_strip_nulls(d)'),
	('d', 'd::jsonb::colj'),
	('pg_typeof(d::jsonb)', 'pg_typeof(d::jsonb)'),
	('jsonb_hash(d)', NULL),
	('jsonb_hash_extended(d, 0)', NULL),
	('jsonb_hash_extended(d, 1234567890123)', NULL),
	('(SELECT array_agg(x) FROM jsonb_object_keys(d) x)', NULL),
	('ARRAY(SELECT jsonb_object_keys(d))', NULL),
	('(SELECT array_agg(x) FROM jsonb_object_keys(d) WITH ORDINALITY x LIMIT 2)', NULL),
	('(SELECT array_agg(x) FROM jsonb_each(d) x)', NULL),
	('(SELECT array_agg(x) FROM jsonb_each_text(d) x)', NULL),
	('ARRAY(SELECT jsonb_each(d))', NULL),
	('(SELECT array_agg(x) FROM jsonb_array_elements(d) x)', NULL),
	('(SELECT array_agg(x) FROM jsonb_array_elements_text(d) x)', NULL),
	('ARRAY(SELECT jsonb_array_elements(d) ->> ''a'')', NULL),
	('(SELECT array_agg(jsonb_typeof(value) || jsonb_hash(value)) FROM jsonb_each(d))', NULL),
	('(SELECT array_agg(jsonb_typeof(value) || jsonb_hash(value)) FROM jsonb_array_elements(d))', NULL),
	('(SELECT array_agg(x ORDER BY x) FROM jsonb_array_elements(d) x)', NULL),
	('(SELECT array_agg(DISTINCT value) FROM jsonb_each(d))', NULL),
	-- constant steps, which may be folded into one look-up
	('d -> ''a''', NULL), ('d ->> ''b''', NULL), ('d -> ''''', NULL), ('d ->> ''0''', NULL),
	('d -> ''a'' -> ''b''', NULL), ('d -> ''a'' ->> ''b''', NULL), ('d -> ''a'' -> ''b'' ->> ''c''', NULL),
	('d -> 0', NULL), ('d ->> -1', NULL), ('d -> 0 -> 0', NULL), ('d -> 0 -> ''a''', NULL), ('d -> 1 ->> ''name''', NULL),
	('d -> ''a'' -> 0', NULL), ('d -> ''b'' -> -1 ->> ''a''', NULL), ('d -> ''b'' -> 1 -> ''a'' -> 2', NULL),
	('d #> ''{a}''', NULL), ('d #>> ''{a,b}''', NULL), ('d #> ''{a,0}''', NULL), ('d #>> ''{0,a}''', NULL),
	('d #> ''{}''', NULL), ('d #>> ''{}''', NULL), ('d #> ''{-1}'' ->> ''a''', NULL), ('d -> ''a'' #> ''{b,c}''', NULL),
	('(d -> ''a'' ? ''b'') || (d -> ''a'' @> ''{}'')::text', NULL),
	('jsonb_extract_path(d)', NULL), ('jsonb_extract_path(d, ''a'', ''b'')', NULL), ('jsonb_extract_path_text(d, ''a'', ''0'')', NULL),
	('jsonb_extract_path(d, ''a'', NULL)', NULL), ('jsonb_extract_path(d, VARIADIC NULL::text[])', NULL),
	('d @> ''{}''', NULL), ('d @> ''[]''', NULL), ('d <@ ''[null]''', NULL), ('d @> ''{"a": {}}''', NULL),
	('d @> d', NULL), ('d <@ d', NULL), ('d = d', NULL), ('d <= d', NULL), ('jsonb_cmp(d, d)', NULL),
	('jsonb_cmp(d, ''[]'')', NULL), ('jsonb_cmp(''[]'', d)', NULL), ('jsonb_cmp(d, ''[1]'')', NULL), ('jsonb_cmp(''[1]'', d)', NULL),
	('jsonb_cmp(d, ''null'')', NULL), ('jsonb_cmp(d, ''1'')', NULL), ('jsonb_cmp(d, ''"a"'')', NULL), ('jsonb_cmp(d, ''{}'')', NULL),
	('d @? ''$.a''', NULL), ('d @? ''$[*] ? (@ > 1)''', NULL), ('d @? ''strict $.a.b''', NULL),
	('d @@ ''$.a == 1''', NULL), ('d @@ ''$[0]''', NULL), ('d @@ ''strict $.a''', NULL)
) v (call, colj_call);

-- Calls with arguments.
SELECT add_call(call, true) FROM (VALUES
	('d -> key'), ('d ->> key'), ('d -> idx'), ('d ->> idx'), ('d #> path'), ('d #>> path'),
	('d ? key'), ('d ?| keys'), ('d ?& keys'),
	('jsonb_object_field(d, key)'), ('jsonb_object_field_text(d, key)'),
	('jsonb_array_element(d, idx)'), ('jsonb_array_element_text(d, idx)'),
	('jsonb_extract_path(d, VARIADIC path)'), ('jsonb_extract_path_text(d, VARIADIC path)'),
	('jsonb_exists(d, key)'), ('jsonb_exists_any(d, keys)'), ('jsonb_exists_all(d, keys)'),
	('d -> key -> idx'), ('d -> key ->> key'), ('d -> idx -> key'), ('d -> key -> key -> key'), ('d -> idx ->> idx'),
	('(d -> key)::text || (d ->> idx) || (d #>> path)'),
	('jsonb_typeof(d -> key)'), ('jsonb_typeof(d #> path)'), ('jsonb_array_length(d #> path)'), ('jsonb_pretty(d #> path)'),
	('jsonb_hash(d #> path)'), ('d #> path #>> ''{}'''), ('(SELECT count(*) FROM jsonb_object_keys(d #> path))'),
	('ARRAY(SELECT jsonb_array_elements_text(d #> path))'), ('(SELECT array_agg(x) FROM jsonb_each(d -> key) x)'),
	('(d #> path) @> (frag #> path)'), ('d -> key = d #> path'), ('d #> path = d #> path'), ('(d #> path) < frag'),
	('d @> frag'), ('d <@ frag'), ('frag @> d'), ('frag <@ d'), ('jsonb_contains(d, frag)'), ('jsonb_contained(d, frag)'),
	('d = frag'), ('d <> frag'), ('d < frag'), ('d <= frag'), ('d > frag'), ('d >= frag'),
	('jsonb_cmp(d, frag)'), ('jsonb_cmp(frag, d)'), ('jsonb_eq(d, frag)'), ('jsonb_ne(d, frag)'),
	('jsonb_lt(d, frag)'), ('jsonb_le(d, frag)'), ('jsonb_gt(d, frag)'), ('jsonb_ge(d, frag)'),
	('frag'), ('jsonb_hash(frag)'), ('frag -> key'), ('frag #>> path'),
	('(d = frag) = (jsonb_hash(d) = jsonb_hash(frag)) OR NOT (d = frag)')
) v (call);

-- Text to document and back, or the error.
CREATE FUNCTION input(bytes bytea, type text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	message text; detail text; hint text; context text; state text;
BEGIN
	IF type = 'jsonb' THEN
		RETURN convert_from(bytes, 'UTF8')::jsonb;
	ELSIF type = 'json to jsonb' THEN
		RETURN convert_from(bytes, 'UTF8')::json::jsonb;
	ELSIF type = 'json to colj' THEN
		RETURN convert_from(bytes, 'UTF8')::json::colj;
	END IF;
	RETURN convert_from(bytes, 'UTF8')::colj;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
		hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT, state = RETURNED_SQLSTATE;
	RETURN error_text(state, message, detail, hint, context);
END
$$;
