-- MERGE, ON CONFLICT, UPDATE ... FROM, DELETE ... USING, RETURNING, CTEs that change.
CREATE TABLE t (id int PRIMARY KEY, u int UNIQUE, v text, doc colj);
INSERT INTO t SELECT g, g * 2, 'v' || g, colj_build_object('k', g) FROM generate_series(1, 150) g;
SELECT half('t');
INSERT INTO t SELECT g, g * 2, 'v' || g, colj_build_object('k', g) FROM generate_series(151, 200) g;
SELECT cold('t');
CREATE TABLE s (id int, v text);
INSERT INTO s SELECT g, 's' || g FROM generate_series(140, 160) g;
SELECT half('s');
INSERT INTO s SELECT g, 's' || g FROM generate_series(195, 205) g;
SELECT cold('s');
CREATE VIEW state AS SELECT count(*), sum(id) AS ids, sum(u) AS us, md5(string_agg(concat_ws('|', id, u, v, doc), ',' ORDER BY id)) FROM t;
CREATE RULE noisy AS ON DELETE TO s WHERE old.id = 205 DO ALSO INSERT INTO t VALUES (205, 205 * 2, 'by rule');
BEGIN;
MERGE INTO t USING s ON t.id = s.id
	WHEN MATCHED AND s.id % 5 = 0 THEN DELETE
	WHEN MATCHED AND s.id % 5 = 1 THEN UPDATE SET v = s.v, doc = t.doc || colj_build_object('merged', s.id)
	WHEN MATCHED AND s.id % 5 = 2 THEN UPDATE SET id = t.id + 1000
	WHEN MATCHED THEN DO NOTHING
	WHEN NOT MATCHED AND s.id < 203 THEN INSERT (id, u, v) VALUES (s.id, s.id * 2, 'new ' || s.v);
TABLE state;
SAVEPOINT a;
MERGE INTO t USING (SELECT id, v FROM s UNION ALL SELECT id, v || ' twice' FROM s WHERE id = 199) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v;
ROLLBACK TO a;
MERGE INTO t USING t AS o ON t.id = o.id + 1 WHEN MATCHED AND o.id % 2 = 0 THEN UPDATE SET v = o.v || '+' WHEN MATCHED AND o.id % 7 = 0 THEN DELETE;
TABLE state;
COMMIT;
TABLE state;
MERGE INTO t USING s ON t.id = s.id AND t.v = 'none' WHEN NOT MATCHED AND s.id = 201 THEN INSERT VALUES (s.id, -1) WHEN NOT MATCHED AND s.id = 150 THEN INSERT VALUES (-150, 22);
TABLE state;
-- ON CONFLICT: rows of either store, both actions, several arbiters, the same row twice
INSERT INTO t SELECT g, g * 2, 'up' FROM generate_series(10, 160, 50) g ON CONFLICT (id) DO UPDATE SET v = t.v || ' ' || excluded.v, doc = t.doc || '{"up": 1}' RETURNING id, v, doc;
INSERT INTO t VALUES (11, 0, 'x'), (161, 0, 'y') ON CONFLICT (id) DO UPDATE SET id = excluded.id + 2000 WHERE t.id > 100 RETURNING *;
INSERT INTO t VALUES (9000, 26, 'x'), (9001, 324, 'y') ON CONFLICT (u) DO UPDATE SET u = -t.u RETURNING id, u, v;
INSERT INTO t VALUES (12, 9000), (9000, 28), (162, 9001), (9001, 330), (9002, 9002) ON CONFLICT DO NOTHING RETURNING id, u;
INSERT INTO t VALUES (12, 9100), (12, 9101) ON CONFLICT (id) DO UPDATE SET v = 'twice';
INSERT INTO t VALUES (9100, 9100), (9100, 9101) ON CONFLICT (id) DO NOTHING RETURNING id, u;
INSERT INTO t VALUES (12, 9200) ON CONFLICT (u) DO NOTHING;
WITH gone AS (DELETE FROM t WHERE id IN (13, 163) RETURNING id, u, v) INSERT INTO t SELECT id + 3000, u + 6000, v FROM gone RETURNING id, u, v;
WITH gone AS (DELETE FROM t WHERE id IN (14, 164) RETURNING id, u, v) INSERT INTO t SELECT id, u + 6000, v FROM gone ON CONFLICT (id) DO NOTHING;
TABLE state;
-- from and using; a row that meets several
UPDATE t SET v = s.v FROM s WHERE t.id = s.id AND s.id > 150 RETURNING t.id, t.v, s.v;
DELETE FROM t USING s, s AS s2 WHERE t.id = s.id AND s2.id < 145 AND s.id BETWEEN 150 AND 156 RETURNING t.id, s.id;
UPDATE t SET v = (SELECT max(v) FROM t AS o WHERE o.id <= t.id AND o.id > t.id - 3) WHERE id % 25 = 0;
UPDATE t SET doc = NULL, (u, v) = (SELECT max(o.u) + t.id, 'both' FROM t AS o) WHERE id % 30 = 0;
WITH a AS (UPDATE t SET v = 'cte' WHERE id % 20 = 1 RETURNING id), b AS (UPDATE t SET v = 'other' WHERE id % 20 = 1 RETURNING id) SELECT (SELECT count(*) FROM a) + (SELECT count(*) FROM b);
WITH a AS (DELETE FROM t WHERE id % 40 = 1 RETURNING *), b AS (SELECT count(*) AS n FROM t) SELECT count(*), min(n) FROM a, b;
TABLE state;
-- nothing changes, though it says so
UPDATE t SET v = v;
UPDATE t SET id = id WHERE id < 100;
TABLE state;
-- xmin and cmin mean nothing in stripes, but the system columns can be named
SELECT count(xmin), count(ctid), count(DISTINCT ctid) = count(*) AS tids, count(DISTINCT tableoid) FROM t;
-- by TID: a row of either store, and one that has been changed
BEGIN;
CREATE TEMP TABLE old AS SELECT id, ctid AS tid FROM t WHERE id IN (5, 170);
UPDATE t SET v = 'by tid' FROM old WHERE t.ctid = old.tid RETURNING t.id;
UPDATE t SET v = 'by old tid' FROM old WHERE t.ctid = old.tid RETURNING t.id;
SELECT id, v FROM t WHERE id IN (5, 170) ORDER BY id;
DELETE FROM t USING (SELECT ctid AS tid FROM t WHERE id IN (5, 6, 171)) o WHERE ctid = o.tid RETURNING id;
ROLLBACK;
-- COPY out, also of a query
COPY (SELECT id, v FROM t ORDER BY id) TO STDOUT (FORMAT csv);
COPY (SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM t) TO STDOUT;
-- a queue: each takes what the others have not
CREATE TABLE q (id int PRIMARY KEY, done bool DEFAULT false);
INSERT INTO q SELECT generate_series(1, 100);
SELECT half('q');
INSERT INTO q SELECT generate_series(101, 120);
SELECT cold('q');
DO $$
DECLARE n int;
BEGIN
	LOOP
		DELETE FROM q WHERE id IN (SELECT id FROM q WHERE NOT done ORDER BY id DESC LIMIT 7 FOR UPDATE SKIP LOCKED);
		GET DIAGNOSTICS n = ROW_COUNT;
		EXIT WHEN n = 0;
		COMMIT;
	END LOOP;
END $$;
SELECT count(*) FROM q;
DELETE FROM s;
TABLE state;
SELECT problems('t'), problems('s'), problems('q');
