-- Logical decoding of all that changes rows of either store.
CREATE TABLE t (id int PRIMARY KEY, v text, doc colj);
CREATE TABLE f (id int, v text, doc colj);
ALTER TABLE f REPLICA IDENTITY FULL;
CREATE TABLE n (id int, v text);
CREATE TABLE p (k int PRIMARY KEY, v text) PARTITION BY RANGE (k);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (100);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (100) TO (200) USING heap;
CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (200) TO (300);
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(1, 80) g;
INSERT INTO f SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(1, 80) g;
INSERT INTO n SELECT g, 'v' || g FROM generate_series(1, 80) g;
INSERT INTO p SELECT g, 'v' || g FROM generate_series(1, 299) g;
SELECT half(x) FROM unnest('{t,f,n,p1,p3}'::regclass[]) x;
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(81, 100) g;
INSERT INTO f SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(81, 100) g;
INSERT INTO n SELECT g, 'v' || g FROM generate_series(81, 100) g;
SELECT cold(x) FROM unnest('{t,f,n,p1,p3}'::regclass[]) x;
SELECT slot_name FROM pg_create_logical_replication_slot('alike', 'test_decoding');
CREATE FUNCTION changes() RETURNS SETOF text LANGUAGE sql AS $$
	SELECT data FROM pg_logical_slot_get_changes('alike', NULL, NULL, 'include-xids', '0', 'skip-empty-xacts', '1') $$;
UPDATE t SET v = 'new' WHERE id IN (1, 90);
UPDATE t SET id = id + 1000 WHERE id IN (2, 91);
DELETE FROM t WHERE id IN (3, 92);
UPDATE f SET v = 'new' WHERE id IN (1, 90);
UPDATE f SET id = id + 1000, doc = NULL WHERE id IN (2, 91);
DELETE FROM f WHERE id IN (3, 92);
UPDATE n SET v = 'new' WHERE id IN (1, 90);
DELETE FROM n WHERE id IN (3, 92);
SELECT * FROM changes();
-- partitions
UPDATE p SET v = 'same' WHERE k IN (1, 101, 201);
UPDATE p SET k = k + 300 - 1 WHERE k = 0;
DELETE FROM p WHERE k IN (10, 11, 110, 111, 210, 211);
UPDATE p SET k = k + 100 WHERE k = 10;
UPDATE p SET k = k - 100 WHERE k IN (112, 212) AND NOT EXISTS (SELECT FROM p q WHERE q.k = p.k - 100);
UPDATE p SET k = 110 WHERE k = 12;
UPDATE p SET k = 10 WHERE k = 113;
UPDATE p SET k = 111 WHERE k = 213;
SELECT * FROM changes();
-- MERGE, ON CONFLICT, COPY, the same row again and again
MERGE INTO t USING (VALUES (10), (11), (93), (94), (500)) s (i) ON id = i WHEN MATCHED AND i % 2 = 0 THEN UPDATE SET v = 'merged' WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (i, 'merged');
INSERT INTO t VALUES (12, 'up'), (95, 'up'), (501, 'up') ON CONFLICT (id) DO UPDATE SET v = excluded.v;
INSERT INTO t VALUES (13, 'up'), (96, 'up'), (502, 'up') ON CONFLICT DO NOTHING;
COPY t (id, v) FROM PROGRAM 'for i in 600 601 602; do printf "$i\tcopied\n"; done';
CREATE TABLE made AS SELECT g AS a FROM generate_series(1, 5) g;
BEGIN;
UPDATE t SET v = 'first' WHERE id IN (14, 97);
UPDATE t SET v = 'second' WHERE id IN (14, 97);
SAVEPOINT s;
UPDATE t SET v = 'undone' WHERE id IN (14, 15, 97, 98);
DELETE FROM t WHERE id IN (16, 99);
ROLLBACK TO s;
UPDATE t SET id = id + 2000 WHERE id IN (14, 97);
DELETE FROM t WHERE id IN (2014, 2097);
INSERT INTO t VALUES (14, 'again');
SELECT id FROM t WHERE id IN (20, 21, 98) ORDER BY id FOR UPDATE;
COMMIT;
SELECT * FROM changes();
BEGIN;
DELETE FROM t WHERE id < 30;
ROLLBACK;
SELECT * FROM changes();
-- values out of line, before and after
INSERT INTO t VALUES (700, repeat(md5('x'), 1000), colj_build_object('long', repeat(md5('y'), 1000)));
UPDATE t SET doc = doc || '{"a": 1}' WHERE id = 700;
DELETE FROM t WHERE id = 700;
INSERT INTO f SELECT g, string_agg(md5((g * i)::text), '') FROM generate_series(701, 703) g, generate_series(1, 300) i GROUP BY g;
SELECT count(*), md5(string_agg(x, ',')) FROM changes() x;
-- rows that are loaded or moved while somebody decodes
SELECT cold('f'), half('f');
UPDATE f SET id = id + 10 WHERE id BETWEEN 701 AND 703;
DELETE FROM f WHERE id BETWEEN 711 AND 713;
SELECT count(*), md5(string_agg(regexp_replace(x, 'unchanged-toast-datum', '', 'g'), ',')) FROM changes() x WHERE x ~ 'DELETE';
-- TRUNCATE, rewrites, VACUUM and compaction
TRUNCATE n;
TRUNCATE p1, n;
ALTER TABLE t ADD w int DEFAULT 3;
UPDATE t SET w = 4 WHERE id IN (40, 88);
ALTER TABLE t ALTER w TYPE text;
UPDATE t SET w = '5' WHERE id IN (40, 88);
VACUUM t;
VACUUM FULL t;
CLUSTER t USING t_pkey;
UPDATE t SET w = '6' WHERE id IN (40, 88);
ALTER TABLE t SET ACCESS METHOD heap;
UPDATE t SET w = '7' WHERE id IN (40, 88);
ALTER TABLE t SET ACCESS METHOD colj;
UPDATE t SET w = '8' WHERE id IN (40, 88);
SELECT cold('t');
UPDATE t SET w = '9' WHERE id IN (40, 88);
SELECT * FROM changes();
-- many subtransactions, more than fits into the decoder's memory
SET logical_decoding_work_mem = '64kB';
DO $$
BEGIN
	FOR i IN 41 .. 87 LOOP
		FOR j IN 1 .. 10 LOOP
			BEGIN
				UPDATE t SET w = repeat('w', i * j % 50) WHERE id = i;
				IF j % 3 = 0 THEN
					RAISE division_by_zero;
				END IF;
			EXCEPTION WHEN division_by_zero THEN
				DELETE FROM t WHERE id = i + 1000;
			END;
		END LOOP;
	END LOOP;
END $$;
SELECT count(*), md5(string_agg(x, ',')) FROM changes() x;
-- other identities
ALTER TABLE t REPLICA IDENTITY NOTHING;
UPDATE t SET v = 'nothing' WHERE id IN (50, 86);
DELETE FROM t WHERE id IN (51, 85);
CREATE UNIQUE INDEX t_w ON t (id, w);
ALTER TABLE t ALTER w SET NOT NULL;
ALTER TABLE t REPLICA IDENTITY USING INDEX t_w;
UPDATE t SET v = 'index' WHERE id IN (52, 84);
UPDATE t SET w = w || 'x' WHERE id IN (52, 84);
DELETE FROM t WHERE id IN (53, 83);
SELECT * FROM changes();
SELECT problems('t'), problems('f'), problems('p1'), problems('p3');
SELECT FROM pg_drop_replication_slot('alike');
