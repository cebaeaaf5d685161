-- One round of checks on what fill.sql has stored.

\set QUIET on
\o /dev/null

-- Every call, on every document, in every storage.
SELECT run_call(k, s.name) FROM calls k, stores s ORDER BY k.number;

-- Texts, good and bad.
SELECT note(t || ' input', count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
			(array_agg(format('%s: jsonb %s, colj %s', label, brief(jr), brief(cr))) FILTER (WHERE jr IS DISTINCT FROM cr))[:3])
FROM (SELECT label, t, input(bytes, CASE t WHEN 'json to colj' THEN 'json to jsonb' ELSE 'jsonb' END) AS jr, input(bytes, t) AS cr
	  FROM texts, unnest(ARRAY['colj', 'json to colj']) t OFFSET 0) x GROUP BY t;

-- The same tree has the same bytes, whether it comes from text or from jsonb.
SELECT note('size of casts', count(*), count(*) FILTER (WHERE a <> b OR b <> c),
			(array_agg(format('#%s: text %s, jsonb %s, json %s bytes', id, a, b, c)) FILTER (WHERE a <> b OR b <> c))[:3])
FROM (SELECT id, pg_column_size(j::text::colj) AS a, pg_column_size(j::colj) AS b, pg_column_size(j::text::json::colj) AS c FROM plain OFFSET 0) x;

-- Order: the whole table, and pairs of documents.
SELECT note('ORDER BY', count(*), count(*) FILTER (WHERE jn <> cn),
			(array_agg(format('#%s: place %s by jsonb, %s by colj', id, jn, cn)) FILTER (WHERE jn <> cn))[:3])
FROM (SELECT id, rank() OVER (ORDER BY j) AS jn, rank() OVER (ORDER BY c) AS cn FROM plain) x;

SELECT note('comparison of two documents', count(*), count(*) FILTER (WHERE jr <> cr),
			(array_agg(format('#%s and #%s: jsonb %s, colj %s', aid, bid, jr, cr)) FILTER (WHERE jr <> cr))[:3])
FROM (SELECT a.id AS aid, b.id AS bid,
			 ROW(jsonb_cmp(a.j, b.j), a.j = b.j, a.j <> b.j, a.j < b.j, a.j <= b.j, a.j > b.j, a.j >= b.j, a.j @> b.j, a.j <@ b.j)::text AS jr,
			 ROW(colj_cmp(a.c, b.c), a.c = b.c, a.c <> b.c, a.c < b.c, a.c <= b.c, a.c > b.c, a.c >= b.c, a.c @> b.c, a.c <@ b.c)::text AS cr
	  FROM toasted a JOIN sliced b ON b.id BETWEEN a.id + 1 AND a.id + 20) x;

-- A value that ends or starts near the end of a TOAST chunk, read alone.
CREATE TEMP TABLE edges (n int, j jsonb, c colj);
CREATE TEMP TABLE edges_sliced (LIKE edges);
ALTER TABLE edges_sliced ALTER j SET STORAGE external, ALTER c SET STORAGE external;
CREATE FUNCTION pg_temp.edge_text(n int) RETURNS text
LANGUAGE sql AS $$
	SELECT format('{"a": "%s", "b": "%s", "c": ["%s", %s, "%s"], "d": "%s"}', left(repeat(md5(n::text), 700), n),
				  repeat('tail', 10), repeat('x', 50), n, repeat('y', 40), repeat('z', 9000))
$$;
INSERT INTO edges SELECT n, pg_temp.edge_text(n)::jsonb, pg_temp.edge_text(n)::colj FROM generate_series(19750, 19980) n;
INSERT INTO edges_sliced SELECT n, pg_temp.edge_text(n)::jsonb, pg_temp.edge_text(n)::colj FROM generate_series(19750, 19980) n;
CREATE FUNCTION pg_temp.edge_checks(store text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	call text;
BEGIN
	FOREACH call IN ARRAY ARRAY[$q$-> 'b'$q$, $q$->> 'c'$q$, $q$-> 'c' ->> 2$q$, $q$#> '{c,1}'$q$, $q$? 'd'$q$, $q$@> '{"c": [0]}'$q$, $q$@> '{"b": "tail"}'$q$]
	LOOP
		EXECUTE format($q$
			SELECT note('values at the edge of a TOAST chunk', count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
						(array_agg(format('%1$s %%s %%s: jsonb %%s, colj %%s', n, %2$L, brief(jr), brief(cr))) FILTER (WHERE jr IS DISTINCT FROM cr))[:3])
			FROM (SELECT n, (j %2$s)::text AS jr, (c %2$s)::text AS cr FROM %1$s OFFSET 0) x $q$, store, call);
	END LOOP;
END
$$;
SELECT pg_temp.edge_checks('edges');
SELECT pg_temp.edge_checks('edges_sliced');

-- Several documents in one row, read in turns: a cache must keep them apart.
SELECT note('documents read in turns', count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
			(array_agg(format('#%s: jsonb %s, colj %s', id, brief(jr), brief(cr))) FILTER (WHERE jr IS DISTINCT FROM cr))[:3])
FROM (SELECT p.id,
			 ROW(p.j -> 'a', t.j -> 'a', s.j -> 'a', o.j -> 'a', p.j ->> 'b', t.j ->> 0, s.j ->> -1, o.j #> '{a,b}', t.j -> 'c', s.j ? 'a', o.j @> '{}', p.j = s.j, t.j = o.j)::text AS jr,
			 ROW(p.c -> 'a', t.c -> 'a', s.c -> 'a', o.c -> 'a', p.c ->> 'b', t.c ->> 0, s.c ->> -1, o.c #> '{a,b}', t.c -> 'c', s.c ? 'a', o.c @> '{}', p.c = s.c, t.c = o.c)::text AS cr
	  FROM plain p JOIN toasted t USING (id) JOIN sliced s USING (id) JOIN sliced o ON o.id = p.id + 1) x;

-- Keys of 20 kinds from one document in one row.
SELECT note('many keys of one document', count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
			(array_agg(format('%s #%s: jsonb %s, colj %s', store, id, brief(jr), brief(cr))) FILTER (WHERE jr IS DISTINCT FROM cr))[:3])
FROM (SELECT tableoid::regclass AS store, id,
			 ROW(j -> 'f', j -> 'e', j -> 'd', j ->> 'c', j -> 'b', j -> 'a', j ->> 'aa', j -> 'abc', j -> 'key1', j -> 'key10', j ->> 'id', j ->> 'name', j -> '', j -> 'é', j -> '€', j -> 'jsonb', j -> 'a"b', j -> 0, j -> 1, j -> -1)::text AS jr,
			 ROW(c -> 'f', c -> 'e', c -> 'd', c ->> 'c', c -> 'b', c -> 'a', c ->> 'aa', c -> 'abc', c -> 'key1', c -> 'key10', c ->> 'id', c ->> 'name', c -> '', c -> 'é', c -> '€', c -> 'jsonb', c -> 'a"b', c -> 0, c -> 1, c -> -1)::text AS cr
	  FROM (SELECT tableoid, * FROM plain UNION ALL SELECT tableoid, * FROM toasted UNION ALL SELECT tableoid, * FROM sliced) s) x;

-- Groups and joins, by sorting and by hashing.
CREATE FUNCTION pg_temp.groups(way text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	other text := CASE way WHEN 'hash' THEN 'sort' ELSE 'hash' END;
	jn bigint[];
	cn bigint[];
BEGIN
	PERFORM set_config('enable_' || n, (w = way)::text, true)
	FROM (VALUES ('hashagg', 'hash'), ('hashjoin', 'hash'), ('sort', 'sort'), ('mergejoin', 'sort')) v (n, w);
	SET LOCAL enable_nestloop = off;
	jn := ARRAY(SELECT min(id) FROM toasted GROUP BY j ORDER BY 1)
		|| (SELECT count(*) FROM toasted a JOIN sliced b ON a.j = b.j) || (SELECT count(*) FROM (SELECT DISTINCT j FROM given) x)
		|| (SELECT count(*) FROM sliced a JOIN given b ON a.j = b.j);
	cn := ARRAY(SELECT min(id) FROM toasted GROUP BY c ORDER BY 1)
		|| (SELECT count(*) FROM toasted a JOIN sliced b ON a.c = b.c) || (SELECT count(*) FROM (SELECT DISTINCT c FROM given) x)
		|| (SELECT count(*) FROM sliced a JOIN given b ON a.c = b.c);
	PERFORM note('groups and joins by ' || way, cardinality(jn), CASE WHEN jn = cn THEN 0 ELSE 1 END,
				 CASE WHEN jn <> cn THEN ARRAY[format('jsonb %s, colj %s', jn, cn)] END);
END
$$;
SELECT pg_temp.groups('hash');
SELECT pg_temp.groups('sort');

-- Indexes against a sequential scan of the jsonb column.
CREATE INDEX ON sliced USING gin (c);
CREATE INDEX ON toasted USING gin (c colj_path_ops);
CREATE INDEX ON plain USING hash (c);
CREATE INDEX ON small USING btree (c);

-- Which documents a condition selects.
CREATE FUNCTION pg_temp.found(store text, condition text, operand text, by_index bool) RETURNS int[]
LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT array_agg(id ORDER BY id) FROM %s WHERE %s %s', store, condition, operand);
	plan text;
	line text;
	ids int[];
BEGIN
	PERFORM set_config('enable_seqscan', (NOT by_index)::text, true), set_config('enable_indexscan', by_index::text, true),
			set_config('enable_bitmapscan', by_index::text, true);
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP plan := concat(plan, line); END LOOP;
	IF by_index AND plan !~ 'Index' THEN
		RAISE 'no index is used for %: %', query, plan;
	END IF;
	EXECUTE query INTO ids;
	RETURN ids;
END
$$;

CREATE FUNCTION pg_temp.index_checks(title text, store text, condition text, operands text[], type text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	operand text;
	jids int[];
	cids int[];
BEGIN
	FOREACH operand IN ARRAY operands
	LOOP
		jids := pg_temp.found(store, 'j ' || condition, quote_literal(operand) || coalesce(type, '::jsonb'), false);
		cids := pg_temp.found(store, 'c ' || condition, quote_literal(operand) || coalesce(type, '::colj'), true);
		PERFORM note(title, 1, (jids IS DISTINCT FROM cids)::int,
					 CASE WHEN jids IS DISTINCT FROM cids THEN ARRAY[format('%s %s: jsonb %s, colj %s', condition, brief(operand), jids, cids)] END);
	END LOOP;
END
$$;

CREATE VIEW pg_temp.operands AS
	SELECT array_agg(txt) FILTER (WHERE n <= 2) AS parts, array_agg(txt) FILTER (WHERE n = 3 AND length(txt) < 1000) AS few,
		   array_agg(key) FILTER (WHERE n = 1) AS keys, array_agg(keys::text) FILTER (WHERE n <= 2) AS lists,
		   ARRAY['$.a', '$.*.b', '$[*]', '$.a ? (@ == 1)', '$[*] ? (@.a == "b")', '$.b ? (@ > 1)', '$.**.a ? (@ == null)', 'strict $.a.b', '$.key1 ? (exists(@.a))'] AS paths,
		   ARRAY['$.a == 1', '$.a == "a"', '$[*] == null', '$.a.b == true', 'exists($.c)', '$.**.b == 1', '$.a > 0', '$.a == 1 || $.b == 1'] AS tests
	FROM args WHERE id <= 60;

SELECT pg_temp.index_checks('GIN colj_ops @>', 'sliced', '@>', parts) FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_ops ?', 'sliced', '?', keys, '::text') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_ops ?|', 'sliced', '?|', lists, '::text[]') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_ops ?&', 'sliced', '?&', lists, '::text[]') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_ops @?', 'sliced', '@?', paths, '::jsonpath') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_ops @@', 'sliced', '@@', tests, '::jsonpath') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_path_ops @>', 'toasted', '@>', parts) FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_path_ops @?', 'toasted', '@?', paths, '::jsonpath') FROM pg_temp.operands;
SELECT pg_temp.index_checks('GIN colj_path_ops @@', 'toasted', '@@', tests, '::jsonpath') FROM pg_temp.operands;
SELECT pg_temp.index_checks('hash index =', 'plain', '=', few) FROM pg_temp.operands;
SELECT pg_temp.index_checks('hash index = its own', 'plain', '=', array_agg(txt)) FROM docs WHERE id <= 60;
SELECT pg_temp.index_checks('btree index ' || op, 'small', op, few)
FROM pg_temp.operands, unnest(ARRAY['<', '<=', '=', '>=', '>']) op;

DROP INDEX sliced_c_idx, toasted_c_idx, plain_c_idx, small_c_idx;

-- What was read and cached must not outlive an update, nor a rollback of one.
CREATE FUNCTION pg_temp.updates(store text, round text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$
		SELECT note('reading between updates', count(*), count(*) FILTER (WHERE jr IS DISTINCT FROM cr),
					(array_agg(format('%1$s #%%s %2$s: jsonb %%s, colj %%s', id, brief(jr), brief(cr))) FILTER (WHERE jr IS DISTINCT FROM cr))[:3])
		FROM (SELECT id, ROW(j -> 'a', j ->> 'b', j -> 0, j)::text AS jr, ROW(c -> 'a', c ->> 'b', c -> 0, c)::text AS cr
			  FROM %1$s ORDER BY id LIMIT 50) x $q$, store, round);
END
$$;
CREATE FUNCTION pg_temp.shift(store text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('UPDATE %1$s s SET j = o.j, c = o.c FROM %1$s o WHERE s.id <= 50 AND o.id = s.id + 50', store);
END
$$;
CREATE FUNCTION pg_temp.update_checks(store text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.updates(store, 'at first');
	PERFORM pg_temp.shift(store);
	PERFORM pg_temp.updates(store, 'updated');
	BEGIN
		PERFORM pg_temp.shift(store);
		EXECUTE format('UPDATE %s SET j = j #> ''{a}'', c = c #> ''{a}'' WHERE id <= 50', store);
		EXECUTE format('SELECT count(c -> ''a'') FROM %s WHERE id <= 50', store);
		RAISE division_by_zero;
	EXCEPTION WHEN division_by_zero THEN
		PERFORM pg_temp.updates(store, 'rolled back');
	END;
	PERFORM pg_temp.shift(store);
	PERFORM pg_temp.updates(store, 'updated again');
END
$$;
SELECT pg_temp.update_checks(name) FROM stores;
