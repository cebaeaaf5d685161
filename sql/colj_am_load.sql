--
-- Bulk loads into stripes.
--
SET colj.direct_load_min_rows = 1;
SET colj.stripe_rows = 512;
SET colj.vector_rows = 64;
CREATE TABLE load_src AS SELECT g AS id, jsonb_build_object('n', g, 's', 's' || g % 10) AS doc FROM generate_series(1, 1500) g;
CREATE FUNCTION load_stats(regclass) RETURNS text LANGUAGE sql AS
	$$ SELECT format('row store %s, stripes %s, column store %s, deleted %s', row_store_rows, stripes, column_store_rows, deleted_rows) FROM colj_table_stats($1) $$;

-- COPY, with an index and without; more rows follow
CREATE TABLE load (id int PRIMARY KEY, doc colj, sum int GENERATED ALWAYS AS (id + 1) STORED) USING colj;
COPY load (id, doc) FROM stdin;
1	{"n": 1}
2	{"n": 2, "deep": {"a": [1, null]}}
3	\N
\.
SELECT load_stats('load');
SELECT *, ctid FROM load;
SET enable_seqscan = off;
SELECT doc FROM load WHERE id = 2;
RESET enable_seqscan;
COPY load (id, doc) FROM stdin;
4	{"n": 4}
2	{"n": 2}
5	{"n": 5}
\.
SELECT load_stats('load'), count(*) FROM load;
COPY load (id, doc) FROM stdin;
6	{"n": 6}
6	{"n": 7}
\.
COPY load (id, doc) FROM stdin;
6	{"n": 6}
7	{"n": 7
\.
SELECT load_stats('load'), count(*) FROM load;
INSERT INTO load VALUES (1, '{}') ON CONFLICT (id) DO UPDATE SET doc = excluded.doc;
INSERT INTO load VALUES (7, '{}') ON CONFLICT DO NOTHING;
SELECT load_stats('load');
SELECT * FROM colj_check('load');

-- a first value without any bytes
CREATE TABLE load_void (id int, t text, b bytea) USING colj;
COPY load_void FROM stdin;
1		\\x
2	\N	\\x
3	x	\\x00
\.
SELECT load_stats('load_void'), * FROM load_void;
DROP TABLE load_void;

-- from how many rows on
SET colj.direct_load_min_rows = 3;
CREATE TABLE load_few (id int) USING colj;
COPY load_few FROM stdin;
1
2
\.
SELECT load_stats('load_few');
COPY load_few FROM stdin;
3
4
5
\.
SELECT load_stats('load_few');
SET colj.direct_load_min_rows = 0;
COPY load_few FROM stdin;
6
7
8
9
\.
SELECT load_stats('load_few');

-- rows are held while that is not known, if nobody asks for TIDs: all go into stripes, in order
SET colj.direct_load_min_rows = 100;
CREATE TABLE load_as USING colj AS SELECT * FROM load_src;
SELECT load_stats('load_as');
SELECT count(*) FROM (SELECT id, row_number() OVER () AS n FROM load_as) d WHERE id <> n;
SET colj.direct_load_min_rows = 2000;
CREATE TABLE load_held USING colj AS SELECT * FROM load_src;
SELECT load_stats('load_held'), min(ctid), max(ctid) < '(2147483648,0)' AS heap FROM load_held;
SELECT count(*) FROM (SELECT id, row_number() OVER () AS n FROM load_held) d WHERE id <> n;
DROP TABLE load_as, load_held;

-- held values of other tables, and of this one's column dropped since
CREATE TABLE load_long (id int, gone int, t text, j jsonb) USING colj;
ALTER TABLE load_long ALTER t SET STORAGE EXTERNAL, DROP gone;
INSERT INTO load_long SELECT g, repeat(md5(g::text), 300), jsonb_build_object('k', repeat(md5(g::text), 200)) FROM generate_series(1, 30) g;
CREATE TABLE load_held USING colj AS SELECT * FROM load_long;
SELECT load_stats('load_held');
SET colj.direct_load_min_rows = 20;
CREATE TABLE load_as USING colj AS SELECT * FROM load_long;
SELECT load_stats('load_as');
DO $$
DECLARE file text := format('%s/colj_load_%s', current_setting('data_directory'), pg_backend_pid());
BEGIN
	EXECUTE format('COPY load_held TO %L', file);
	EXECUTE format('COPY load_long FROM PROGRAM %L', format('cat %1$s; rm %1$s', file));
END $$;
SELECT load_stats('load_long');
SELECT count(*), count(DISTINCT x), max(n) FROM (SELECT x, count(*) AS n FROM (TABLE load_held UNION ALL TABLE load_as UNION ALL TABLE load_long) x GROUP BY x) d;
SELECT * FROM colj_check('load_as') UNION ALL SELECT * FROM colj_check('load_long');
DROP TABLE load_held, load_as, load_long;

-- a trigger after each row asks for TIDs, one after the statement does not
SET colj.direct_load_min_rows = 3;
CREATE FUNCTION load_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE '% rows', (SELECT count(*) FROM load_few);
	RETURN NULL;
END $$;
CREATE TRIGGER all_after AFTER INSERT ON load_few REFERENCING NEW TABLE AS new FOR EACH STATEMENT EXECUTE FUNCTION load_rows();
COPY load_few FROM stdin;
10
11
12
\.
SELECT load_stats('load_few');
CREATE TRIGGER row_after AFTER INSERT ON load_few FOR EACH ROW EXECUTE FUNCTION load_rows();
COPY load_few FROM stdin;
13
14
15
\.
SELECT load_stats('load_few');
DROP TRIGGER row_after ON load_few;

-- who looks while rows are held finds them in the row store, by every kind of scan
SET colj.direct_load_min_rows = 2000;
CREATE FUNCTION load_seen(condition text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
	EXECUTE 'SELECT count(*) FROM load_look ' || condition INTO n;
	RETURN n;
END $$;
CREATE TABLE load_look USING heap AS SELECT id, CASE WHEN id % 500 = 0 THEN load_seen('') END AS n FROM load_src;
SELECT * FROM load_look WHERE n IS NOT NULL;
DROP TABLE load_look;
CREATE TABLE load_look USING colj AS SELECT id, CASE WHEN id % 500 = 0 THEN load_seen('') END AS n FROM load_src;
SELECT * FROM load_look WHERE n IS NOT NULL;
SELECT load_stats('load_look');
SELECT count(*) FROM (SELECT id, row_number() OVER () AS n FROM load_look) d WHERE id <> n;
DROP TABLE load_look;
CREATE TABLE load_look USING colj AS SELECT id, CASE WHEN id = 700 THEN load_seen('TABLESAMPLE SYSTEM (100)') END AS n FROM load_src;
SELECT * FROM load_look WHERE n IS NOT NULL;
DROP TABLE load_look;
CREATE TABLE load_look USING colj AS SELECT id, CASE WHEN id = 700 THEN load_seen($$WHERE ctid >= '(0,1)'$$) END AS n FROM load_src;
SELECT * FROM load_look WHERE n IS NOT NULL;
DROP TABLE load_look;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE TABLE load_look USING colj AS SELECT id, CASE WHEN id = 700 THEN load_seen('') END AS n FROM load_src;
SELECT * FROM load_look WHERE n IS NOT NULL;
DROP TABLE load_look;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- and held rows that are lost go without a trace
BEGIN;
SAVEPOINT s;
COPY load_few FROM PROGRAM 'seq 1 700';
ROLLBACK TO s;
COPY load_few FROM stdin;
1
two
\.
ROLLBACK;
SELECT load_stats('load_few');
SET colj.direct_load_min_rows = 1;
DROP TABLE load_few;
DROP FUNCTION load_rows, load_seen;

-- statements that fill a table of their own
CREATE TABLE load_as USING colj AS SELECT * FROM load_src;
SELECT load_stats('load_as'), count(*), sum(id), sum((doc->>'n')::int) FROM load_as;
CREATE TABLE load_none USING colj AS SELECT * FROM load_src WITH NO DATA;
SELECT load_stats('load_none');
CREATE MATERIALIZED VIEW load_view USING colj AS SELECT * FROM load_src;
CREATE UNIQUE INDEX ON load_view (id);
REFRESH MATERIALIZED VIEW load_view;
SELECT load_stats('load_view'), count(*), sum(id) FROM load_view;
REFRESH MATERIALIZED VIEW CONCURRENTLY load_view;
ALTER TABLE load_as ADD PRIMARY KEY (id);
DELETE FROM load_as WHERE id = 5;
ALTER TABLE load_as ALTER id TYPE bigint, ADD more float8 DEFAULT random();
SELECT load_stats('load_as'), count(*), sum(id), count(DISTINCT more) > 1000 AS more FROM load_as;
ALTER TABLE load_as SET ACCESS METHOD heap;
ALTER TABLE load_as SET ACCESS METHOD colj;
SELECT load_stats('load_as'), count(*), sum(id) FROM load_as;
SET enable_seqscan = off;
SELECT id, doc FROM load_as WHERE id = 1234;
RESET enable_seqscan;
ALTER TABLE load_as ADD CHECK (id > 10);
ALTER TABLE load_as ALTER id TYPE int USING 1;
SELECT load_stats('load_as'), count(*), sum(id) FROM load_as;
ANALYZE load_as;
SELECT reltuples FROM pg_class WHERE oid = 'load_as'::regclass;

-- triggers see what was loaded, by the rules of commands
CREATE FUNCTION load_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
	SELECT count(*) INTO n FROM load_t;
	RAISE NOTICE '% % %: % rows', TG_WHEN, TG_LEVEL, CASE WHEN TG_LEVEL = 'ROW' THEN NEW.id END, n;
	RETURN NEW;
END $$;
CREATE TABLE load_t (id int PRIMARY KEY, doc colj) USING colj;
CREATE TRIGGER row_after AFTER INSERT ON load_t FOR EACH ROW EXECUTE FUNCTION load_trigger();
CREATE TRIGGER all_before BEFORE INSERT ON load_t FOR EACH STATEMENT EXECUTE FUNCTION load_trigger();
CREATE TRIGGER all_after AFTER INSERT ON load_t FOR EACH STATEMENT EXECUTE FUNCTION load_trigger();
COPY load_t FROM stdin;
1	1
2	2
\.
SELECT load_stats('load_t');
CREATE TRIGGER row_before BEFORE INSERT ON load_t FOR EACH ROW EXECUTE FUNCTION load_trigger();
COPY load_t FROM stdin;
3	3
4	4
\.
SELECT load_stats('load_t');
DROP TABLE load_t;

-- an expression that looks while rows wait
CREATE TABLE load_look (id int) USING colj;
CREATE FUNCTION load_count(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM load_look);
END $$;
CREATE INDEX ON load_look (load_count(id));
COPY load_look FROM stdin;
1
2
3
\.
SELECT load_stats('load_look'), count(*) FROM load_look;
CREATE OR REPLACE FUNCTION load_count(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM load_look);
EXCEPTION WHEN division_by_zero THEN
	RETURN 0;
END $$;
-- the context is in words that differ between versions
\set SHOW_CONTEXT never
COPY load_look FROM stdin;
4
5
\.
\set SHOW_CONTEXT errors
SELECT load_stats('load_look'), count(*) FROM load_look;
DROP TABLE load_look;

-- foreign keys, in both directions; deferred uniqueness
CREATE TABLE load_parent (id int PRIMARY KEY) USING colj;
CREATE TABLE load_child (id int UNIQUE DEFERRABLE INITIALLY DEFERRED, parent int REFERENCES load_parent DEFERRABLE) USING colj;
COPY load_parent FROM stdin;
1
2
\.
COPY load_child FROM stdin;
1	1
2	2
\.
COPY load_child FROM stdin;
3	3
\.
BEGIN;
SET CONSTRAINTS ALL DEFERRED;
COPY load_child FROM stdin;
3	3
3	2
\.
COPY load_parent FROM stdin;
3
\.
DELETE FROM load_child WHERE parent = 2 AND id = 3;
COMMIT;
SELECT id, parent FROM load_child ORDER BY 1;
BEGIN;
COPY load_child FROM stdin;
3	1
\.
COMMIT;
DELETE FROM load_parent WHERE id = 1;
SELECT load_stats('load_parent'), load_stats('load_child');

-- savepoints
BEGIN;
COPY load_parent FROM stdin;
10
\.
SAVEPOINT s;
COPY load_parent FROM stdin;
11
\.
SELECT count(*) FROM load_parent;
ROLLBACK TO s;
SELECT count(*) FROM load_parent;
SAVEPOINT s2;
COPY load_parent FROM stdin;
12
12
\.
ROLLBACK TO s2;
COPY load_parent FROM stdin;
11
\.
UPDATE load_parent SET id = 13 WHERE id = 11;
RELEASE s;
COMMIT;
SELECT id FROM load_parent ORDER BY id;
BEGIN;
CREATE TABLE load_new (id int) USING colj;
COPY load_new FROM stdin WITH (FREEZE);
1
2
\.
SELECT id FROM load_new;
TRUNCATE load_new;
COPY load_new FROM stdin;
3
\.
COMMIT;
SELECT id FROM load_new;

-- partitions, a temporary table, an exclusion constraint
CREATE TABLE load_part (id int, k int) PARTITION BY LIST (k);
CREATE TABLE load_part1 PARTITION OF load_part FOR VALUES IN (1) USING colj;
CREATE TABLE load_part2 PARTITION OF load_part FOR VALUES IN (2) USING colj;
COPY load_part FROM stdin;
1	1
2	2
3	1
4	2
\.
SELECT load_stats('load_part1'), load_stats('load_part2'), array_agg(id) FROM load_part;
CREATE TEMP TABLE load_temp (id int) USING colj;
COPY load_temp FROM stdin;
1
\.
SELECT load_stats('load_temp');
CREATE TABLE load_ex (r int4range, EXCLUDE USING gist (r WITH &&)) USING colj;
COPY load_ex FROM stdin;
[1,3)
[3,5)
\.
SELECT load_stats('load_ex');

-- more than a stripe, long values, and the same rows as COPY puts into a heap
SET colj.stripe_rows = 300;
CREATE TABLE load_heap (id int, t text, j jsonb, doc colj) USING heap;
CREATE TABLE load_big (LIKE load_heap) USING colj;
INSERT INTO load_heap SELECT g, CASE WHEN g % 400 = 0 THEN repeat(md5(g::text), 3000) END, jsonb_build_object('k', g), CASE WHEN g % 3 > 0 THEN jsonb_build_object('a', g, 'b', repeat('x', g)) END
FROM generate_series(1, 1200) g;
DO $$
DECLARE file text := format('%s/colj_load_%s', current_setting('data_directory'), pg_backend_pid());
BEGIN
	EXECUTE format('COPY load_heap TO %L', file);
	EXECUTE format('COPY load_big FROM PROGRAM %L', format('cat %1$s; rm %1$s', file));
END $$;
SELECT load_stats('load_big');
SELECT count(*) FROM ((TABLE load_heap EXCEPT ALL TABLE load_big) UNION ALL (TABLE load_big EXCEPT ALL TABLE load_heap)) d;
SELECT * FROM colj_check('load_big');

DROP TABLE load_src, load, load_as, load_none, load_parent, load_child, load_new, load_part, load_ex, load_heap, load_big CASCADE;
DROP FUNCTION load_stats, load_trigger, load_count;
