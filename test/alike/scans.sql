-- Ways to read: every kind of index, index-only, bitmap, TID, ranges, samples, parallel; and the same after VACUUM and the like.
CREATE TABLE t (id int PRIMARY KEY, a int, v text COLLATE "C", n numeric, doc colj, j jsonb, p point, r int4range, ts tsvector, l int[], b bool, ip inet);
INSERT INTO t SELECT g, g % 10, 'v' || g, g * 0.5, colj_build_object('k', g % 13, 'tags', colj_build_array('a' || g % 3, 'b')), jsonb_build_object('k', g % 13), point(g, g), int4range(g, g + 3),
	to_tsvector('simple', 'w' || g % 5 || ' all'), ARRAY[g % 4, 7], CASE WHEN g % 9 > 0 THEN g % 2 = 0 END, '10.0.0.0'::inet + g FROM generate_series(1, 350) g;
SELECT half('t');
INSERT INTO t SELECT g, g % 10, 'v' || g, g * 0.5, colj_build_object('k', g % 13, 'tags', colj_build_array('a' || g % 3, 'b')), jsonb_build_object('k', g % 13), point(g, g), int4range(g, g + 3),
	to_tsvector('simple', 'w' || g % 5 || ' all'), ARRAY[g % 4, 7], CASE WHEN g % 9 > 0 THEN g % 2 = 0 END, '10.0.0.0'::inet + g FROM generate_series(351, 450) g;
SELECT cold('t');
UPDATE t SET a = -1 WHERE id % 40 = 0;
DELETE FROM t WHERE id % 40 = 1;
CREATE INDEX t_a ON t (a) INCLUDE (id, b);
CREATE UNIQUE INDEX t_v ON t (v DESC, id);
CREATE UNIQUE INDEX t_part ON t (n) WHERE b;
CREATE INDEX t_expr ON t ((doc->>'k'), (n * 2));
CREATE INDEX t_hash ON t USING hash (v);
CREATE INDEX t_gin ON t USING gin (doc);
CREATE INDEX t_ginp ON t USING gin (doc colj_path_ops);
CREATE INDEX t_ginj ON t USING gin (j);
CREATE INDEX t_gints ON t USING gin (ts);
CREATE INDEX t_ginl ON t USING gin (l);
CREATE INDEX t_gist ON t USING gist (p);
CREATE INDEX t_gistr ON t USING gist (r);
CREATE INDEX t_gistts ON t USING gist (ts);
CREATE INDEX t_spg ON t USING spgist (v);
CREATE INDEX t_spgp ON t USING spgist (p);
CREATE INDEX t_spgi ON t USING spgist (ip);
-- each query as it is planned, by a bitmap if that can be, and by a scan of all
CREATE FUNCTION q(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r text[] := '{}';
	x text;
BEGIN
	FOR i IN 1 .. 4 LOOP
		PERFORM set_config('enable_seqscan', (i = 3)::text, true), set_config('enable_indexscan', (i = 1 OR i = 4)::text, true), set_config('enable_bitmapscan', (i = 2)::text, true),
			set_config('enable_indexonlyscan', (i = 4)::text, true), set_config('work_mem', CASE WHEN i = 2 THEN '64kB' ELSE '4MB' END, true);
		EXECUTE format('SELECT count(*) || '' '' || coalesce(md5(string_agg(q::text, '','' ORDER BY q::text)), '''') FROM (%s) q', query) INTO x;
		r := r || x;
	END LOOP;
	RETURN CASE WHEN r[1] = ALL (r) THEN r[1] ELSE r::text END;
END $$;
CREATE PROCEDURE show_all() LANGUAGE plpgsql AS $$
DECLARE
	query text;
BEGIN
	FOREACH query IN ARRAY ARRAY['SELECT * FROM t WHERE id BETWEEN 90 AND 110', 'SELECT * FROM t WHERE id > 340', 'SELECT id, a, b FROM t WHERE a = 3', 'SELECT id FROM t WHERE a IN (-1, 5)', 'SELECT a, count(*) FROM t GROUP BY a',
		'SELECT v FROM t WHERE v > ''v4''', 'SELECT * FROM t WHERE v = ''v77''', 'SELECT id FROM t WHERE b AND n BETWEEN 40 AND 190', 'SELECT * FROM t WHERE doc->>''k'' = ''5''', 'SELECT id FROM t WHERE doc->>''k'' = ''5'' AND n * 2 > 300',
		'SELECT id FROM t WHERE doc @> ''{"tags": ["a1"]}''', 'SELECT id FROM t WHERE doc @> ''{"k": 3}''', 'SELECT id FROM t WHERE doc ? ''k''', 'SELECT id FROM t WHERE doc @? ''$.k ? (@ == 4)''', 'SELECT id FROM t WHERE j @> ''{"k": 3}''', 'SELECT id FROM t WHERE ts @@ ''w1''',
		'SELECT id FROM t WHERE ts @@ ''w1 & !all''', 'SELECT id FROM t WHERE l @> ''{2}''', 'SELECT id FROM t WHERE l && ''{1,3}''', 'SELECT p FROM t WHERE p <@ box ''(90,90),(110,110)''', 'SELECT id FROM t WHERE r && int4range(345, 355)', 'SELECT id FROM t WHERE r @> 7',
		'SELECT v FROM t WHERE v ^@ ''v35''', 'SELECT ip FROM t WHERE ip << ''10.0.1.0/25''', 'SELECT id FROM t WHERE b IS NULL AND a > 2', 'SELECT id FROM t WHERE id = 8 OR a = 9 OR v = ''v400''', 'SELECT id FROM t WHERE v IN (''v1'', ''v2'', ''v360'', ''none'')',
		'SELECT min(id), max(v), max(n) FROM t', 'SELECT x.id FROM t x JOIN t y ON x.id = y.id + 1 WHERE y.a = 4', 'SELECT id FROM t WHERE a = 2 AND doc @> ''{"k": 3}''', 'SELECT id FROM t WHERE NOT EXISTS (SELECT FROM t o WHERE o.id = t.id + 1)'] LOOP
		RAISE NOTICE '%: %', query, q(query);
	END LOOP;
END $$;
CALL show_all();
SELECT v FROM t ORDER BY v LIMIT 3;
SELECT v FROM t ORDER BY v DESC, id DESC LIMIT 3;
SELECT id, a FROM t ORDER BY a DESC, id LIMIT 4;
SELECT id, p <-> point(100.2, 100) AS d FROM t ORDER BY p <-> point(100.2, 100) LIMIT 5;
SELECT id FROM t ORDER BY p <-> point(354.1, 354) LIMIT 6;
-- marks that are restored
SET enable_mergejoin = on;
SET enable_nestloop = off;
SELECT count(*), sum(x.id), sum(y.id) FROM t x JOIN t y ON x.a = y.a;
RESET enable_mergejoin;
RESET enable_nestloop;
-- samples: of all, of none, and the same ones again
SELECT count(*), sum(id) FROM t TABLESAMPLE system (100);
SELECT count(*), sum(id) FROM t TABLESAMPLE bernoulli (100) WHERE a = 3;
SELECT count(*) FROM t TABLESAMPLE bernoulli (0);
SELECT count(*) FROM t TABLESAMPLE system (0);
SELECT (SELECT array_agg(id ORDER BY id) FROM t TABLESAMPLE bernoulli (30) REPEATABLE (5)) = (SELECT array_agg(id ORDER BY id) FROM t TABLESAMPLE bernoulli (30) REPEATABLE (5)) AS same;
SELECT (SELECT array_agg(id ORDER BY id) FROM t TABLESAMPLE system (50) REPEATABLE (7)) IS NOT DISTINCT FROM (SELECT array_agg(id ORDER BY id) FROM t TABLESAMPLE system (50) REPEATABLE (7)) AS same;
SELECT count(*) BETWEEN 130 AND 310 AS half FROM t TABLESAMPLE bernoulli (50) REPEATABLE (2);
-- by TID
SELECT count(*) FROM t WHERE ctid = ANY (ARRAY(SELECT ctid FROM t WHERE id % 3 = 0));
SELECT count(*) FROM t x JOIN t y ON x.ctid = y.ctid;
SELECT count(*) FROM t WHERE ctid > '(0,0)' AND ctid < '(4294967295,1)';
SELECT (SELECT count(*) FROM t WHERE ctid < x.tid) + (SELECT count(*) FROM t WHERE ctid >= x.tid) FROM (SELECT ctid AS tid FROM t WHERE id = 200) x;
SELECT (SELECT count(*) FROM t WHERE ctid < x.tid) + (SELECT count(*) FROM t WHERE ctid >= x.tid) FROM (SELECT ctid AS tid FROM t WHERE id = 440) x;
SELECT count(*) FROM t WHERE ctid < '(0,0)';
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM t WHERE ctid > '(0,0)' AND a >= 0;
FETCH 2 c;
FETCH LAST c;
FETCH BACKWARD 2 c;
COMMIT;
SELECT count(currtid2('t', ctid)) FROM t WHERE id IN (5, 402);
-- parallel
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 3;
SET max_parallel_maintenance_workers = 3;
ALTER TABLE t SET (parallel_workers = 3);
SET enable_hashjoin = on;
CALL show_all();
SET enable_seqscan = on;
SELECT a, count(*), sum(id), min(doc->>'k'), max(v) FROM t GROUP BY a ORDER BY a;
SELECT count(*), sum(x.id) FROM t x JOIN t y ON x.doc->>'k' = y.j->>'k' AND x.a = y.a;
SELECT id, doc->'tags' FROM t ORDER BY n DESC LIMIT 4;
CREATE TABLE par AS SELECT id, doc FROM t WHERE a < 5;
SELECT count(*), sum(id) FROM par;
SET maintenance_work_mem = '64MB';
REINDEX TABLE t;
CALL show_all();
SET enable_seqscan = off;
RESET max_parallel_workers_per_gather;
-- VACUUM and its kin change nothing
VACUUM t;
CALL show_all();
DELETE FROM t WHERE id % 40 = 3;
UPDATE t SET v = v || 'x' WHERE id % 40 = 5;
VACUUM (INDEX_CLEANUP ON, FREEZE, ANALYZE) t;
CALL show_all();
VACUUM (FREEZE, DISABLE_PAGE_SKIPPING, PARALLEL 2) t;
REINDEX TABLE CONCURRENTLY t;
CALL show_all();
SELECT problems('t');
VACUUM FULL t;
CALL show_all();
CLUSTER t USING t_v;
SELECT id FROM t LIMIT 3;
CALL show_all();
DELETE FROM t WHERE a = 7;
ALTER TABLE t CLUSTER ON t_pkey;
CLUSTER t;
CALL show_all();
ALTER TABLE t SET TABLESPACE pg_default;
CREATE EXTENSION amcheck;
SELECT bt_index_parent_check(indexrelid, true, true) FROM pg_index JOIN pg_opclass c ON c.oid = indclass[0] WHERE indrelid = 't'::regclass AND opcmethod = 403;
-- statistics
ANALYZE t;
SELECT reltuples = (SELECT count(*) FROM t) AS exact FROM pg_class WHERE relname = 't';
SELECT attname, round(null_frac::numeric, 3) AS null_frac, n_distinct FROM pg_stats WHERE tablename = 't' AND attname IN ('id', 'a', 'b', 'n', 'v') ORDER BY 1;
SELECT problems('t');
