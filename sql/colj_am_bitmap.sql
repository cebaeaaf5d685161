--
-- Bitmap scans of stripes and of both stores: exact and lossy blocks, scans
-- that are left and begun anew, shared by workers, serializable.
--
SET colj.stripe_rows = 1;
CREATE TABLE bm (id int, k int, pad text) USING colj;
ALTER TABLE bm ALTER pad SET STORAGE PLAIN;
CREATE INDEX bm_id ON bm (id);
CREATE INDEX bm_k ON bm (k);
CREATE FUNCTION bm_blocks(query text, exact OUT bool, lossy OUT bool) LANGUAGE plpgsql AS $$
DECLARE node json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT json) ' || query INTO node;
	node := node->0->'Plan'->'Plans'->0;
	ASSERT node->>'Node Type' = 'Bitmap Heap Scan';
	exact := (node->>'Exact Heap Blocks')::int > 0;
	lossy := (node->>'Lossy Heap Blocks')::int > 0;
END $$;
SET enable_seqscan = off;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET max_parallel_workers_per_gather = 0;

-- the first 1500 rows in stripes, one a block
INSERT INTO bm SELECT g, g % 10 FROM generate_series(1, 1500) g;
SELECT colj_compact('bm');
SELECT count(*), sum(id) FROM bm WHERE id BETWEEN 101 AND 300;
SELECT * FROM bm_blocks('SELECT count(*), sum(id) FROM bm WHERE id BETWEEN 101 AND 300');
SET work_mem = '64kB';
SELECT count(*), sum(id) FROM bm WHERE id > 10;
SELECT * FROM bm_blocks('SELECT count(*), sum(id) FROM bm WHERE id > 10');
RESET work_mem;

-- 1500 more in the row store, one a block
INSERT INTO bm SELECT g, g % 10, repeat('x', 5000) FROM generate_series(1501, 3000) g;
SELECT count(*), sum(id) FROM bm WHERE id BETWEEN 1401 AND 1600;
SET work_mem = '64kB';
SELECT count(*), sum(id) FROM bm WHERE id > 10;
SELECT count(*), sum(id), sum(length(pad)) FROM bm WHERE k IN (1, 2, 5);
SELECT * FROM bm_blocks('SELECT count(*), sum(id) FROM bm WHERE id > 10');
RESET work_mem;
-- dead rows of both stores
BEGIN;
DELETE FROM bm WHERE id % 500 = 1;
UPDATE bm SET k = 100 WHERE id % 500 = 2;
SELECT count(*), sum(id) FROM bm WHERE k IN (1, 2);
SELECT count(*), sum(id) FROM bm WHERE k = 100;
ROLLBACK;
SELECT count(*), sum(id) FROM bm WHERE k IN (1, 2) OR id BETWEEN 1499 AND 1502;

-- begun anew at the end, in the stripes, and in the row store
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
EXPLAIN (COSTS off) SELECT v.i, n FROM (VALUES (1), (2), (77)) v (i), LATERAL (SELECT count(pad) AS n FROM bm WHERE k = v.i OFFSET 0) s;
SELECT v.i, n FROM (VALUES (1), (2), (77)) v (i), LATERAL (SELECT count(*) AS n FROM bm WHERE k = v.i OFFSET 0) s;
SELECT v.i, n FROM (VALUES (1), (2), (77)) v (i), LATERAL (SELECT count(*) AS n FROM (SELECT FROM bm WHERE k = v.i LIMIT 100) l OFFSET 0) s;
SELECT v.i, n FROM (VALUES (1), (2), (77)) v (i), LATERAL (SELECT count(*) AS n FROM (SELECT FROM bm WHERE k = v.i LIMIT 200) l OFFSET 0) s;

-- shared by workers
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS off) SELECT count(*), sum(id) FROM bm WHERE id > 10;
SELECT count(*), sum(id) FROM bm WHERE id > 10;
SET parallel_leader_participation = off;
SELECT count(*), sum(id) FROM bm WHERE id > 10;
SET work_mem = '64kB';
SELECT count(*), sum(id) FROM bm WHERE id > 10;
RESET work_mem;
SET max_parallel_workers_per_gather = 0;

-- also where every row of the row store that the index names is looked at
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT count(*), sum(id) FROM bm WHERE id > 10;
COMMIT;

-- an index may name rows that no stripe has, when compaction has been rolled back
DROP TABLE bm;
CREATE TABLE bm (id int, k int, pad text) USING colj;
CREATE INDEX bm_id ON bm (id);
INSERT INTO bm SELECT g FROM generate_series(1, 10) g;
BEGIN;
SELECT colj_compact('bm');
ROLLBACK;
SELECT count(*), sum(id) FROM bm WHERE id > 1;
DROP TABLE bm;
DROP FUNCTION bm_blocks;
