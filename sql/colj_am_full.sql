-- VACUUM FULL and CLUSTER write stripes.
SET jit = off;
SET colj.stripe_rows = 200;
SET colj.compact_min_rows = 300;
\set VERBOSITY terse
CREATE FUNCTION stores(t regclass, OUT in_rows bigint, OUT in_stripes bigint, OUT stripes bigint, OUT deleted bigint, OUT problems bigint)
	LANGUAGE sql AS $$
	SELECT row_store_rows, column_store_rows, s.stripes, deleted_rows, (SELECT count(*) FROM colj_check(t))
	FROM colj_table_stats(t) s $$;

-- t and its mirror m: rows of both stores, dead and changed ones, nulls, values out of line, a dropped column,
-- a generated one, and one that was added later
CREATE TABLE t (id int PRIMARY KEY, dropped text, doc colj, big text, list int[], price numeric, at timestamptz, j jsonb,
	twice int GENERATED ALWAYS AS (id * 2) STORED) USING colj WITH (autovacuum_enabled = off);
CREATE INDEX t_k ON t ((doc->>'k'), id DESC);
CREATE INDEX t_doc ON t USING gin (doc);
CREATE INDEX t_list ON t USING hash (list);
CREATE UNIQUE INDEX t_some ON t (price) INCLUDE (at) WHERE id % 3 = 0;
CREATE FUNCTION fill(of text, first int, last int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$INSERT INTO %I (id, doc, big, list, price, at, j) SELECT g,
		CASE WHEN g %% 11 <> 0 THEN jsonb_build_object('k', g %% 7, 'name', md5(g::text), 'deep', jsonb_build_array(g, NULL, '{"a": 1.50}'::jsonb))::colj END,
		CASE WHEN g %% 10 = 0 THEN (SELECT string_agg(md5((g * 1000 + i)::text), '') FROM generate_series(1, 100) i) END,
		CASE WHEN g %% 5 <> 0 THEN ARRAY[g, NULL, g %% 9] END, g * 1.10, '2024-01-01 UTC'::timestamptz + g * interval '1 hour',
		jsonb_build_object('j', g)
		FROM generate_series(%s, %s) g$q$, of, first, last);
END $$;
SELECT fill('t', 1, 500);
SELECT colj_compact('t');
ALTER TABLE t DROP COLUMN dropped;
ALTER TABLE t ADD COLUMN later int DEFAULT 5;
SELECT fill('t', 501, 800);
CREATE TABLE m AS TABLE t;
-- how many rows of t, by every index, are not those of m
CREATE FUNCTION differences() RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
	result bigint[];
	n bigint;
	path text[];
BEGIN
	FOREACH path SLICE 1 IN ARRAY ARRAY[['seqscan', 'true'], ['indexscan', 'id > 0'], ['indexscan', 'doc->>''k'' = ''3'''],
		['bitmapscan', 'doc @> ''{"k": 4}'''], ['indexscan', 'list = ARRAY[7, NULL, 7]'],
		['indexscan', 'price > 300 AND id % 3 = 0'], ['tidscan', 'ctid > ''(0,0)''']] LOOP
		PERFORM set_config('enable_' || x, CASE WHEN x = path[1] THEN 'on' ELSE 'off' END, true)
		FROM unnest(ARRAY['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan', 'tidscan']) x;
		EXECUTE format('WITH a AS MATERIALIZED (SELECT * FROM t WHERE %1$s), b AS MATERIALIZED (SELECT * FROM m WHERE %1$s)
			SELECT count(*) FROM ((TABLE a EXCEPT ALL TABLE b) UNION ALL (TABLE b EXCEPT ALL TABLE a)) d', path[2]) INTO n;
		result := result || n;
	END LOOP;
	RETURN result;
END $$;
CREATE FUNCTION change(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE replace(what, 'TAB', 't');
	EXECUTE replace(what, 'TAB', 'm');
END $$;
SELECT differences();
SELECT change('DELETE FROM TAB WHERE id % 20 = 3');
-- (the mirror has no generated column)
UPDATE t SET doc = '{"k": 9}', id = id + 1000 WHERE id % 20 = 4;
UPDATE m SET doc = '{"k": 9}', id = id + 1000, twice = (id + 1000) * 2 WHERE id % 20 = 4;
SELECT change('UPDATE TAB SET big = NULL, later = 6 WHERE id % 30 = 0');
-- rolled back, and locks: none of it matters
BEGIN;
DELETE FROM t WHERE id % 2 = 0;
ROLLBACK;
BEGIN;
SELECT count(*) FROM (SELECT FROM t WHERE id % 7 = 0 FOR UPDATE) s;
COMMIT;
SELECT * FROM stores('t');
VACUUM (FULL, VERBOSE) t;
SELECT * FROM stores('t');
SELECT differences();
-- they can be merged at once: nothing is left behind them
SET colj.stripe_rows = 10000;
VACUUM (INDEX_CLEANUP OFF) t;
SELECT * FROM stores('t');
SELECT differences();
SET colj.stripe_rows = 200;
VACUUM FULL t;
SELECT * FROM stores('t');
-- what comes then
SELECT change('UPDATE TAB SET later = 7 WHERE id < 20');
SELECT change('DELETE FROM TAB WHERE id BETWEEN 50 AND 60');
INSERT INTO t (id) VALUES (100);
SELECT differences();
SELECT colj_compact('t');
SELECT differences();

-- CLUSTER, by a scan of the index and by a sort
CREATE FUNCTION disorder() RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM (SELECT (doc->>'k', -id) < lag((doc->>'k', -id)) OVER (ORDER BY ctid) AS wrong FROM t WHERE doc IS NOT NULL) s WHERE wrong $$;
SELECT disorder() > 100 AS disorder;
SET enable_sort = off;
CLUSTER VERBOSE t USING t_k;
RESET enable_sort;
SELECT * FROM stores('t');
SELECT disorder();
SELECT differences();
CLUSTER t USING t_pkey;
SELECT disorder() > 100 AS disorder;
SELECT change('DELETE FROM TAB WHERE id BETWEEN 61 AND 70');
-- they are no rows any more
VACUUM (INDEX_CLEANUP ON) t;
SET enable_indexscan = off;
CLUSTER VERBOSE t USING t_k;
RESET enable_indexscan;
SELECT * FROM stores('t');
SELECT disorder();
SELECT differences();

-- changes of the same transaction go into the row store, and what they have changed
BEGIN;
SELECT change('DELETE FROM TAB WHERE id BETWEEN 71 AND 80');
SELECT change('UPDATE TAB SET later = 8 WHERE id BETWEEN 81 AND 90');
SELECT fill('t', 801, 810), fill('m', 801, 810);
UPDATE m SET twice = id * 2, later = 5 WHERE id BETWEEN 801 AND 810;
SELECT count(*) FROM (SELECT FROM t WHERE id > 700 FOR UPDATE) s;
DECLARE c CURSOR FOR SELECT id FROM t ORDER BY id;
CLOSE c;
CLUSTER t USING t_pkey;
SELECT * FROM stores('t');
SELECT differences();
SAVEPOINT s;
SELECT change('DELETE FROM TAB WHERE id BETWEEN 91 AND 95');
CLUSTER t USING t_k;
SELECT differences();
ROLLBACK TO s;
SELECT differences();
SELECT change('UPDATE TAB SET later = 9 WHERE id BETWEEN 85 AND 99');
ROLLBACK;
SELECT differences();
BEGIN;
SELECT colj_compact('t');
SELECT change('DELETE FROM TAB WHERE id BETWEEN 71 AND 80');
SELECT change('UPDATE TAB SET later = 8 WHERE id BETWEEN 81 AND 90');
CLUSTER t USING t_pkey;
SELECT change('UPDATE TAB SET later = 9 WHERE id BETWEEN 85 AND 99');
COMMIT;
SELECT differences();
SELECT colj_compact('t');
SELECT * FROM stores('t');
SELECT differences();

-- pg_stat_progress_cluster, as an index that is built sees it
CREATE FUNCTION watch(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF id = 1 AND current_setting('my.watch', true) = 'on' THEN
		RAISE NOTICE '%', (SELECT format('%s, %s: %s tuples scanned, %s written', command, phase, heap_tuples_scanned, heap_tuples_written)
			FROM pg_stat_progress_cluster WHERE relid = 'public.t'::regclass);
	END IF;
	RETURN id;
END $$;
CREATE INDEX t_watch ON t (watch(id));
SET my.watch = on;
VACUUM FULL t;
CLUSTER t USING t_pkey;
SELECT count(*) FROM m;
SET my.watch = off;
DROP INDEX t_watch;

-- the planner knows how many rows there are, also when some follow in the row store
CREATE FUNCTION estimate(q text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || q INTO plan;
	RETURN plan->0->'Plan'->>'Plan Rows';
END $$;
SELECT estimate('SELECT FROM t') - count(*) AS off FROM m;
BEGIN;
SELECT fill('t', 2001, 3000);
SELECT estimate('SELECT FROM t') BETWEEN count(*) / 2 AND count(*) * 2 AS near FROM t;
ROLLBACK;

-- space: as if all had been loaded at once
CREATE TABLE s (id int, doc colj) USING colj WITH (autovacuum_enabled = off);
CREATE VIEW docs AS SELECT g AS id, jsonb_build_object('id', g, 'body', (SELECT string_agg(md5((g * 1000 + i)::text), '') FROM generate_series(1, 90) i))::colj AS doc
	FROM generate_series(1, 600) g;
INSERT INTO s SELECT * FROM docs;
SELECT colj_compact('s');
SET colj.direct_load_min_rows = 1;
CREATE TABLE loaded USING colj AS TABLE docs;
SET colj.direct_load_min_rows = 10000;
SELECT s.toast_bytes > 1.5 * l.toast_bytes AS waste FROM colj_table_stats('s') s, colj_table_stats('loaded') l;
VACUUM FULL s;
SELECT s.toast_bytes - l.toast_bytes AS more, s.column_store_bytes - l.column_store_bytes AS more, s.row_store_bytes
	FROM colj_table_stats('s') s, colj_table_stats('loaded') l;
SELECT count(*) FROM s JOIN docs d USING (id) WHERE s.doc = d.doc;
-- stripes become small when many of their rows are dead, and full again
DELETE FROM s WHERE id % 2 = 0;
VACUUM FULL s;
SELECT * FROM stores('s');
-- dead rows of stripes do not count: too few are left
DELETE FROM s WHERE id > 597;
VACUUM FULL s;
SELECT * FROM stores('s');
INSERT INTO s SELECT * FROM docs WHERE id > 598;
VACUUM FULL s;
SELECT * FROM stores('s');
TRUNCATE s;
VACUUM FULL s;
SELECT * FROM stores('s');

-- stripes that need no change are taken over: those here show it, as they have no columns for keys
SET colj.compact_min_rows = 1;
CREATE TABLE k (id int PRIMARY KEY, doc colj, note text) USING colj WITH (autovacuum_enabled = off);
CREATE PROCEDURE note_k() LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('my.bytes', string_agg(stored_bytes::text, ','), false) FROM colj_stripes('k');
	PERFORM set_config('my.rows', count(*)::text, false) FROM k;
END $$;
CREATE PROCEDURE make_k() LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE k;
	INSERT INTO k SELECT g, jsonb_build_object('id', g, 'name', md5(g::text))::colj, 'n' || g FROM generate_series(1, 1000) g;
	COMMIT;
	PERFORM set_config('colj.max_paths', '1', true), colj_compact('k');
	COMMIT;
	CALL note_k();
END $$;
-- rows of each stripe, those taken over without a mark; rows out of order, lost or wrong ones, problems
CREATE FUNCTION full_k() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(s.rows || CASE WHEN s.stored_bytes = ANY (string_to_array(current_setting('my.bytes'), ',')::int[]) THEN '' ELSE '*' END, ' ' ORDER BY s.stripe) ||
		(SELECT format(', %s, %s, %s', count(*) FILTER (WHERE id < before), current_setting('my.rows')::int - count(*),
				count(*) FILTER (WHERE doc->>'id' <> id::text OR doc->>'name' <> md5(id::text) OR note <> 'n' || id))
			FROM (SELECT *, lag(id) OVER (ORDER BY ctid) AS before FROM k) r) ||
		(SELECT format(', %s', count(*)) FROM colj_check('k'))
	FROM colj_stripes('k') s $$;
CALL make_k();
VACUUM FULL k;
SELECT full_k();
SELECT count(*) FROM (SELECT FROM k WHERE id IN (300, 301) FOR UPDATE) s;
VACUUM FULL k;
SELECT full_k();
SET enable_seqscan = off;
SELECT id, note FROM k WHERE id IN (1, 200, 201, 777, 1000) ORDER BY id;
RESET enable_seqscan;
-- one with a dead row, and one that is left with too few rows: they go with half of the next
DELETE FROM k WHERE id = 300;
CALL note_k();
VACUUM FULL k;
SELECT full_k();
DELETE FROM k WHERE id BETWEEN 401 AND 550;
CALL note_k();
VACUUM FULL k;
SELECT full_k();
-- rows that have settled, and rows of the row store
CALL make_k();
DELETE FROM k WHERE id = 1;
VACUUM (INDEX_CLEANUP ON) k;
INSERT INTO k SELECT g, jsonb_build_object('id', g, 'name', md5(g::text))::colj, 'n' || g FROM generate_series(1001, 1010) g;
CALL note_k();
VACUUM FULL k;
SELECT full_k();
-- not in another order
CALL make_k();
CLUSTER k USING k_pkey;
SELECT full_k();
-- settings, storage
CALL make_k();
SET colj.vector_rows = 100;
VACUUM FULL k;
SELECT full_k();
RESET colj.vector_rows;
CALL make_k();
SET colj.zstd_level = 1;
VACUUM FULL k;
SELECT full_k();
RESET colj.zstd_level;
CALL make_k();
SET colj.max_paths = 10;
VACUUM FULL k;
SELECT full_k();
RESET colj.max_paths;
CALL make_k();
SET colj.stripe_rows = 100;
VACUUM FULL k;
SELECT full_k();
SET colj.stripe_rows = 400;
CALL make_k();
VACUUM FULL k;
SELECT full_k();
SET colj.stripe_rows = 200;
CALL make_k();
ALTER TABLE k ALTER doc SET STORAGE EXTERNAL;
VACUUM FULL k;
SELECT full_k();
ALTER TABLE k ALTER doc SET STORAGE EXTENDED;
-- columns
CALL make_k();
ALTER TABLE k ADD COLUMN later int DEFAULT 5, ADD COLUMN gone int DEFAULT 7;
VACUUM FULL k;
SELECT full_k();
SELECT count(*) FROM k WHERE later = 5 AND gone = 7;
CALL make_k();
ALTER TABLE k DROP COLUMN gone;
VACUUM FULL k;
SELECT full_k();
CALL make_k();
VACUUM FULL k;
SELECT full_k();
SELECT count(*) FROM k WHERE later = 5;
-- a load
SET colj.direct_load_min_rows = 1;
SET colj.max_paths = 1;
TRUNCATE k;
COPY k (id, doc, note) FROM PROGRAM 'seq 1 300 | while read i; do m=$(printf %s $i | md5sum | cut -c 1-32); printf "%s\t{\"id\": %s, \"name\": \"%s\"}\tn%s\n" $i $i $m $i; done';
RESET colj.max_paths;
CALL note_k();
VACUUM FULL k;
SELECT full_k();
DROP TABLE k;
DROP PROCEDURE make_k, note_k;
DROP FUNCTION full_k;
SET colj.compact_min_rows = 300;
SET colj.direct_load_min_rows = 10000;

-- kinds of tables
SET colj.compact_min_rows = 1;
CREATE TABLE ints (a int) USING heap;
INSERT INTO ints SELECT generate_series(1, 300);
ALTER TABLE ints SET ACCESS METHOD colj;
SELECT reltoastrelid = 0 AS no_toast FROM pg_class WHERE relname = 'ints';
VACUUM FULL ints;
SELECT * FROM stores('ints');
SELECT count(*), sum(a) FROM ints;
SELECT t.relname = 'pg_toast_' || c.oid AS name FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.relname = 'ints';
CREATE TEMP TABLE temp_ (id int PRIMARY KEY, doc colj) USING colj;
INSERT INTO temp_ SELECT id, doc FROM t;
CLUSTER temp_ USING temp__pkey;
CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY, doc colj) USING colj;
INSERT INTO unlogged SELECT id, doc FROM t;
VACUUM FULL unlogged;
CREATE MATERIALIZED VIEW view USING colj AS SELECT id, doc FROM t;
VACUUM FULL view;
CREATE TABLE parts (id int PRIMARY KEY, doc colj) PARTITION BY RANGE (id);
CREATE TABLE parts1 PARTITION OF parts FOR VALUES FROM (0) TO (400) USING colj;
CREATE TABLE parts2 PARTITION OF parts FOR VALUES FROM (400) TO (10000) USING colj;
INSERT INTO parts SELECT id, doc FROM t;
CLUSTER parts USING parts_pkey;
SELECT x, stores(x) FROM unnest(ARRAY['temp_', 'unlogged', 'view']::regclass[]) x;
SELECT count(*) FROM temp_ JOIN unlogged USING (id) JOIN view USING (id) JOIN t USING (id)
	WHERE (temp_.doc, unlogged.doc, view.doc) IS NOT DISTINCT FROM (t.doc, t.doc, t.doc);
SELECT x, stores(x) FROM unnest(ARRAY['parts1', 'parts2']::regclass[]) x;
SELECT count(*) FROM parts JOIN t USING (id) WHERE parts.doc IS NOT DISTINCT FROM t.doc;
-- what logical decoding reads as a catalog has no stripes
CREATE TABLE cat (id int PRIMARY KEY) USING colj WITH (user_catalog_table);
SET colj.direct_load_min_rows = 1;
INSERT INTO cat SELECT generate_series(1, 300);
COPY cat FROM PROGRAM 'seq 301 400';
SELECT * FROM stores('cat');
VACUUM cat;
SELECT colj_compact('cat');
SELECT * FROM stores('cat');
VACUUM FULL cat;
SELECT * FROM stores('cat');
ALTER TABLE cat RESET (user_catalog_table);
SELECT colj_compact('cat');
ALTER TABLE cat SET (user_catalog_table);
DELETE FROM cat WHERE id > 350;
VACUUM FULL cat;
SELECT * FROM stores('cat');
SELECT count(*), sum(id) FROM cat;

DROP TABLE t, m, s, loaded, ints, temp_, unlogged, parts, cat CASCADE;
DROP VIEW docs;
DROP FUNCTION stores, fill, differences, change, watch, estimate;
