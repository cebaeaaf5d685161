--
-- The table access method: rows in stripes, and tables that have both kinds.
--
SET colj.stripe_rows = 300;
SET colj.vector_rows = 64;
CREATE FUNCTION am_differences() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT count(*) FROM ((TABLE am EXCEPT ALL TABLE mirror) UNION ALL (TABLE mirror EXCEPT ALL TABLE am)) d);
END $$;
-- stripes, as the directory has them
CREATE FUNCTION am_stripes(t regclass) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s WHERE chunk_id = 2',
		(SELECT reltoastrelid::regclass FROM pg_class WHERE oid = t)) INTO n;
	RETURN n;
END $$;

CREATE TABLE am (id int PRIMARY KEY, doc colj, t text, j jsonb, u uuid, f float8, n numeric, a int[], b bool, ts timestamptz, nothing text) USING colj;
INSERT INTO am
SELECT g, CASE WHEN g % 11 <> 0 THEN jsonb_build_object('a', g, 'b', jsonb_build_object('c', 'x' || g % 5, 'd', g % 3 = 0), '', null, 'k.' || g % 3, jsonb_build_array(g, null, 1.50))::colj END,
	CASE WHEN g % 7 <> 0 THEN 't' || g END, jsonb_build_object('k', g), md5(g::text)::uuid, g * 1.5, g / 7.0,
	ARRAY[g, NULL, g + 1], g % 2 = 0, '2026-01-01 00:00Z'::timestamptz + g * interval '1 minute'
FROM generate_series(1, 1000) g;
INSERT INTO am (id, t) VALUES (1001, repeat('long ', 20000));
CREATE INDEX am_t ON am (t) INCLUDE (b);
CREATE INDEX am_doc ON am USING gin (doc);
CREATE INDEX am_u ON am USING hash (u);
CREATE INDEX am_ts ON am USING spgist ((t || ''));
CREATE INDEX am_a ON am ((doc->>'a')) WHERE id > 500;
CREATE TABLE mirror AS TABLE am;

SELECT colj_compact('am');
SELECT am_stripes('am'), am_differences();
SELECT colj_compact('am');

-- by every kind of index and scan
SET enable_seqscan = off;
EXPLAIN (COSTS off) SELECT id, t FROM am WHERE id = 77;
SELECT id, doc, t, j, a, ctid FROM am WHERE id = 77;
SELECT id FROM am WHERE t = 't88';
SELECT count(*) FROM am WHERE doc @> '{"b": {"c": "x1"}}';
SELECT count(*) FROM mirror WHERE doc @> '{"b": {"c": "x1"}}';
SELECT id FROM am WHERE u = md5('99')::uuid;
SELECT id FROM am WHERE t || '' = 't100';
SELECT id FROM am WHERE doc->>'a' = '612' AND id > 500;
EXPLAIN (COSTS off) SELECT t, b FROM am WHERE t BETWEEN 't10' AND 't11';
SELECT count(*), count(b) FROM am WHERE t BETWEEN 't10' AND 't11';
SET enable_bitmapscan = off;
EXPLAIN (COSTS off) SELECT count(b) FROM am WHERE t BETWEEN 't10' AND 't11';
SELECT count(*), count(b) FROM am WHERE t BETWEEN 't10' AND 't11';
RESET enable_bitmapscan;
-- a bitmap with lossy blocks
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET work_mem = '64kB';
SELECT count(*), sum(id) FROM am WHERE id BETWEEN 200 AND 900;
RESET work_mem;
RESET enable_indexscan;
RESET enable_indexonlyscan;
SELECT id FROM am WHERE ctid = '(2147483648,5)';
-- no such rows
SELECT id FROM am WHERE ctid IN ('(2147483648,257)', '(2147483648,300)', '(2147483649,45)', '(4294967295,1)', '(4294967294,65535)', '(2147483648,0)');
SELECT count(*) FROM am WHERE ctid >= '(2147483648,10)' AND ctid < '(2147483650,1)';
RESET enable_seqscan;

-- both kinds
INSERT INTO am (id, t) SELECT g, 'hot' FROM generate_series(2001, 2010) g;
INSERT INTO mirror (id, t) SELECT g, 'hot' FROM generate_series(2001, 2010) g;
SELECT am_differences();
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM am;
FETCH 2 c;
FETCH LAST c;
FETCH RELATIVE -9 c;
FETCH BACKWARD 2 c;
FETCH 2 c;
FETCH ABSOLUTE 301 c;
FETCH BACKWARD 2 c;
MOVE BACKWARD ALL c;
FETCH 1 c;
COMMIT;
SELECT count(*) FROM am TABLESAMPLE bernoulli (100);
SELECT count(*) FROM am TABLESAMPLE system (100);
SELECT count(*) BETWEEN 300 AND 700 FROM am TABLESAMPLE bernoulli (50) REPEATABLE (1);

-- ANALYZE sees both, also when the row store has shrunk to nothing
VACUUM am;
ANALYZE am;
SELECT reltuples FROM pg_class WHERE oid = 'am'::regclass;
SELECT n_distinct, null_frac > 0.1 AS nulls FROM pg_stats WHERE tablename = 'am' AND attname IN ('id', 't') ORDER BY attname;

-- DML
UPDATE am SET t = 'updated' WHERE id IN (5, 305) RETURNING id, t;
UPDATE mirror SET t = 'updated' WHERE id IN (5, 305);
DELETE FROM am WHERE id BETWEEN 10 AND 19 OR id = 299;
DELETE FROM mirror WHERE id BETWEEN 10 AND 19 OR id = 299;
SELECT am_differences();
INSERT INTO am (id) VALUES (30);
INSERT INTO am (id, t) VALUES (30, 'conflict') ON CONFLICT (id) DO UPDATE SET t = excluded.t RETURNING id, t;
INSERT INTO am (id, t) VALUES (31, 'conflict') ON CONFLICT DO NOTHING;
UPDATE mirror SET t = 'conflict' WHERE id = 30;
INSERT INTO am (id, t) VALUES (10, 'again');
INSERT INTO mirror (id, t) VALUES (10, 'again');
MERGE INTO am USING (VALUES (40, 'merged'), (41, NULL), (3000, 'new')) v (id, t) ON am.id = v.id
	WHEN MATCHED AND v.t IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET t = v.t WHEN NOT MATCHED THEN INSERT (id, t) VALUES (v.id, v.t);
MERGE INTO mirror am USING (VALUES (40, 'merged'), (41, NULL), (3000, 'new')) v (id, t) ON am.id = v.id
	WHEN MATCHED AND v.t IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET t = v.t WHEN NOT MATCHED THEN INSERT (id, t) VALUES (v.id, v.t);
SELECT am_differences();
-- one row twice in a command, and twice in a transaction
BEGIN;
UPDATE am SET t = v.t FROM (VALUES ('first'), ('second')) v (t) WHERE id = 50;
UPDATE am SET t = t || '+' WHERE id = 50 RETURNING t;
DELETE FROM am WHERE id = 50;
DELETE FROM am WHERE id = 50;
SELECT id FROM am WHERE id = 50;
ROLLBACK;
-- rollback to a savepoint, with the proxy staying behind
BEGIN;
SAVEPOINT s;
DELETE FROM am WHERE id BETWEEN 100 AND 400;
SELECT count(*) FROM am WHERE id BETWEEN 100 AND 400;
ROLLBACK TO s;
SELECT am_differences();
SELECT count(*) FROM (SELECT FROM am WHERE id BETWEEN 100 AND 110 FOR UPDATE) l;
DECLARE c CURSOR FOR SELECT id, t FROM am WHERE id IN (60, 61) ORDER BY id FOR UPDATE;
FETCH 1 c;
UPDATE am SET t = 'current' WHERE CURRENT OF c RETURNING id, t;
FETCH 1 c;
DELETE FROM am WHERE CURRENT OF c RETURNING id;
ROLLBACK;
SELECT am_differences();

-- triggers see old rows of stripes
CREATE FUNCTION am_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE '% %: % -> %', TG_WHEN, TG_OP, OLD.t, CASE WHEN TG_OP = 'UPDATE' THEN NEW.t END;
	RETURN CASE WHEN TG_OP = 'UPDATE' THEN NEW ELSE OLD END;
END $$;
CREATE TRIGGER before BEFORE UPDATE OR DELETE ON am FOR EACH ROW EXECUTE FUNCTION am_trigger();
CREATE TRIGGER after AFTER UPDATE OR DELETE ON am FOR EACH ROW EXECUTE FUNCTION am_trigger();
BEGIN;
UPDATE am SET t = 'new' WHERE id = 71;
DELETE FROM am WHERE id = 72;
ROLLBACK;
DROP TRIGGER before ON am;
DROP TRIGGER after ON am;

-- foreign keys
CREATE TABLE am_child (id int PRIMARY KEY, parent int REFERENCES am ON DELETE CASCADE ON UPDATE CASCADE) USING colj;
INSERT INTO am_child SELECT g, 80 + g % 3 FROM generate_series(1, 9) g;
SELECT colj_compact('am_child');
INSERT INTO am_child VALUES (10, 10000);
BEGIN;
DELETE FROM am WHERE id = 80;
UPDATE am SET id = 8100 WHERE id = 81;
SELECT parent, count(*) FROM am_child GROUP BY 1 ORDER BY 1;
ROLLBACK;
DROP TABLE am_child;

-- index builds; dead rows are not in the way of uniqueness
CREATE UNIQUE INDEX am_unique ON am (id) INCLUDE (t);
CREATE INDEX CONCURRENTLY am_f ON am (f);
ALTER TABLE am SET (parallel_workers = 2);
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
CREATE INDEX am_n ON am (n);
REINDEX TABLE am;
REINDEX INDEX CONCURRENTLY am_t;
EXPLAIN (COSTS off) SELECT count(*), sum(id) FROM am;
SELECT count(*), sum(id) FROM am;
SELECT count(*), sum(id) FROM mirror;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
SET enable_seqscan = off;
SELECT count(*), sum(id) FROM am WHERE f BETWEEN 100 AND 900;
SELECT count(*), sum(id) FROM mirror WHERE f BETWEEN 100 AND 900;
SELECT count(*), sum(id) FROM am WHERE n BETWEEN 10 AND 90;
SELECT count(*), sum(id) FROM mirror WHERE n BETWEEN 10 AND 90;
RESET enable_seqscan;

-- columns come and go
ALTER TABLE am ADD COLUMN added text DEFAULT 'default', DROP COLUMN u;
ALTER TABLE mirror ADD COLUMN added text DEFAULT 'default', DROP COLUMN u;
SELECT am_differences();
SELECT colj_compact('am') > 0;
SELECT am_differences();
ALTER TABLE am ALTER COLUMN b TYPE text USING b::text;
ALTER TABLE mirror ALTER COLUMN b TYPE text USING b::text;
SELECT am_differences();
SELECT am_stripes('am');
SELECT colj_compact('am') > 0;

-- savepoints around compaction
BEGIN;
INSERT INTO am (id, t) VALUES (4000, 'not cold');
SAVEPOINT s;
CREATE TABLE am_copy (LIKE am) USING colj;
ROLLBACK TO s;
SELECT colj_compact('am');
ROLLBACK;
INSERT INTO am (id, t) VALUES (4000, 'cold soon');
INSERT INTO mirror (id, t) VALUES (4000, 'cold soon');
BEGIN;
SAVEPOINT s;
SELECT colj_compact('am');
SELECT am_differences();
ROLLBACK TO s;
SELECT am_differences();
COMMIT;
SELECT colj_compact('am');
SELECT am_differences();

VACUUM FULL am;
SELECT am_differences();
SELECT colj_compact('am') > 0 AS moved;
CLUSTER am USING am_pkey;
SELECT am_differences();
SELECT colj_compact('am') > 0 AS moved;
ALTER TABLE am SET ACCESS METHOD heap;
SELECT am_differences();
SELECT colj_compact('am');
ALTER TABLE am SET ACCESS METHOD colj;
SELECT am_differences();
SELECT colj_compact('am') > 0;

-- rescans
SELECT count(*) FROM generate_series(1, 3) g, LATERAL (SELECT id FROM am OFFSET g) a;

-- TRUNCATE
BEGIN;
TRUNCATE am;
SELECT count(*) FROM am;
ROLLBACK;
SELECT am_differences();
TRUNCATE am;
SELECT count(*), am_stripes('am') FROM am GROUP BY 2;
INSERT INTO am (id, t) VALUES (1, 'x');
SELECT colj_compact('am');
SELECT id, t FROM am;

-- of every persistence, of no column, and without a TOAST table at first
CREATE TEMP TABLE am_temp (a int PRIMARY KEY) USING colj ON COMMIT DELETE ROWS;
BEGIN;
INSERT INTO am_temp VALUES (1);
SELECT colj_compact('am_temp');
COMMIT;
CREATE TEMP TABLE am_temp2 (a int PRIMARY KEY) USING colj;
INSERT INTO am_temp2 SELECT generate_series(1, 10);
SELECT colj_compact('am_temp2');
DELETE FROM am_temp2 WHERE a > 5;
SELECT count(*) FROM am_temp2;
CREATE UNLOGGED TABLE am_unlogged (a int PRIMARY KEY) USING colj;
INSERT INTO am_unlogged SELECT generate_series(1, 10);
SELECT colj_compact('am_unlogged');
SELECT sum(a) FROM am_unlogged;
ALTER TABLE am_unlogged SET LOGGED;
SELECT sum(a) FROM am_unlogged;
CREATE TABLE am_empty () USING colj;
INSERT INTO am_empty DEFAULT VALUES;
INSERT INTO am_empty DEFAULT VALUES;
SELECT colj_compact('am_empty');
SELECT count(*) FROM am_empty;
CREATE TABLE am_plain (a int);
INSERT INTO am_plain VALUES (1);
ALTER TABLE am_plain SET ACCESS METHOD colj;
SELECT colj_compact('am_plain');
SELECT a FROM am_plain;
CREATE MATERIALIZED VIEW am_view USING colj AS SELECT g AS a FROM generate_series(1, 5) g;
CREATE UNIQUE INDEX ON am_view (a);
SELECT colj_compact('am_view');
REFRESH MATERIALIZED VIEW CONCURRENTLY am_view;
SELECT sum(a) FROM am_view;
-- made and truncated in one transaction
BEGIN;
CREATE TABLE am_new (a int PRIMARY KEY) USING colj;
INSERT INTO am_new VALUES (1);
TRUNCATE am_new;
INSERT INTO am_new VALUES (1);
COMMIT;
SELECT colj_compact('am_new');
SELECT a FROM am_new;

-- partitions: a row of a stripe moves to another partition
CREATE TABLE am_part (k int, v text) PARTITION BY LIST (k);
CREATE TABLE am_part1 PARTITION OF am_part FOR VALUES IN (1) USING colj;
CREATE TABLE am_part2 PARTITION OF am_part FOR VALUES IN (2) USING colj;
INSERT INTO am_part VALUES (1, 'a'), (1, 'b'), (2, 'c');
SELECT colj_compact('am_part1'), colj_compact('am_part2');
UPDATE am_part SET k = 2 WHERE v = 'a' RETURNING tableoid::regclass, *;
SELECT tableoid::regclass, * FROM am_part ORDER BY v;
SELECT colj_compact('am_part');

-- who may
CREATE ROLE am_nobody;
SET ROLE am_nobody;
SELECT colj_compact('am');
RESET ROLE;
DROP ROLE am_nobody;
SELECT colj_compact('mirror');
BEGIN READ ONLY;
SELECT colj_compact('am');
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM am;
FETCH 1 c;
SELECT colj_compact('am');
ROLLBACK;

DROP TABLE am, mirror CASCADE;
DROP TABLE am_temp, am_temp2, am_unlogged, am_empty, am_plain, am_new, am_part;
DROP MATERIALIZED VIEW am_view;
DROP FUNCTION am_stripes, am_trigger, am_differences;
