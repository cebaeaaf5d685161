-- VACUUM takes dead rows of stripes out of the indexes, and stripes are merged and thinned.
CREATE EXTENSION amcheck;
SET colj.stripe_rows = 1000;
SET colj.vector_rows = 100;
SET colj.compact_min_rows = 1;
SET max_parallel_maintenance_workers = 0;
-- what is known of rows of t that are dead: proxies that say so, and records of settled rows
CREATE FUNCTION traces(t regclass, OUT proxies bigint, OUT records bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE chunk_id BETWEEN 4096 AND 16383), count(*) FILTER (WHERE chunk_id = 5) FROM %s',
		(SELECT reltoastrelid::regclass FROM pg_class WHERE oid = t)) INTO proxies, records;
END $$;
-- entries in the indexes of t, as VACUUM has counted them
CREATE FUNCTION entries(t regclass) RETURNS TABLE (index name, entries real) LANGUAGE sql AS
	'SELECT relname, reltuples FROM pg_class JOIN pg_index ON indexrelid = oid WHERE indrelid = t ORDER BY relname';

CREATE TABLE r (id int PRIMARY KEY, doc colj) USING colj WITH (autovacuum_enabled = off);
CREATE INDEX r_hash ON r USING hash (id);
CREATE INDEX r_k ON r ((doc->>'k')) INCLUDE (id);
CREATE INDEX r_gist ON r USING gist (point(id, 0));
CREATE INDEX r_spgist ON r USING spgist (point(id, 0));
CREATE INDEX r_part ON r (id) WHERE id % 2 = 0;
INSERT INTO r SELECT g, jsonb_build_object('k', g % 10, 't', md5(g::text)) FROM generate_series(1, 3000) g;
VACUUM r;
-- less than two in a hundred is not worth it
DELETE FROM r WHERE id <= 50;
VACUUM r;
SELECT * FROM traces('r');
-- more is, unless it is forbidden
DELETE FROM r WHERE id % 3 = 0;
VACUUM (INDEX_CLEANUP OFF) r;
SELECT * FROM traces('r');
DELETE FROM r WHERE id = 200;
VACUUM (INDEX_CLEANUP OFF) r;
VACUUM r;
SELECT * FROM traces('r');
SELECT * FROM entries('r');
SELECT column_store_rows, deleted_rows FROM colj_table_stats('r');
SELECT count(*), sum(id), sum((doc->>'k')::int) FROM r;
SELECT bt_index_check('r_pkey', true), bt_index_check('r_k', true), bt_index_check('r_part', true);
SELECT * FROM colj_check('r');
-- or any number, if that is wanted
DELETE FROM r WHERE id = 100;
VACUUM r;
SELECT * FROM traces('r');
VACUUM (INDEX_CLEANUP ON) r;
SELECT * FROM traces('r');
SELECT entries FROM entries('r') WHERE index = 'r_pkey';
-- they do not come back by a build
REINDEX TABLE r;
DELETE FROM r WHERE id = 202;
VACUUM (INDEX_CLEANUP ON) r;
SELECT * FROM entries('r');
-- and the table knows how many rows it has
SELECT reltuples FROM pg_class WHERE relname = 'r';
SELECT pg_stat_force_next_flush();
SELECT pg_stat_get_live_tuples('r'::regclass) AS live, pg_stat_get_dead_tuples('r'::regclass) AS dead;
-- every way to look
SELECT count(*) FROM r WHERE ctid = ANY (ARRAY(SELECT format('(2147483648,%s)', g)::tid FROM generate_series(1, 256) g));
SET enable_seqscan = off;
SELECT id FROM r WHERE id IN (51, 52, 99, 100) ORDER BY id;
SET enable_indexscan = off;
SELECT count(*) FROM r WHERE id < 60;
RESET enable_seqscan;
RESET enable_indexscan;
SELECT count(*) FROM r TABLESAMPLE bernoulli (100);
ANALYZE r;
SELECT reltuples FROM pg_class WHERE relname = 'r';
-- what is gone cannot be changed
UPDATE r SET doc = '1' WHERE ctid = '(2147483648,3)';
DELETE FROM r WHERE ctid = '(2147483648,3)';
SELECT * FROM traces('r');
-- keys can come back
INSERT INTO r VALUES (3, '{"k": 3}'), (51, '{"k": 51}') ON CONFLICT (id) DO UPDATE SET doc = colj_set(r.doc, '{u}', '1');
SELECT id, doc->>'k' AS k, doc->>'u' AS u FROM r WHERE id IN (3, 51) ORDER BY id;
VACUUM r;
UPDATE r SET doc = '{"k": 7}' WHERE id IN (3, 52);
VACUUM (INDEX_CLEANUP ON) r;
SELECT id, doc FROM r WHERE id IN (3, 52) ORDER BY id;
SELECT count(*), sum(id) FROM r;
SELECT * FROM colj_check('r');

-- what aborted transactions have left behind in indexes
CREATE TABLE a (id int PRIMARY KEY) USING colj WITH (autovacuum_enabled = off);
INSERT INTO a SELECT generate_series(1, 1000);
BEGIN;
SELECT colj_compact('a');
ROLLBACK;
SET colj.direct_load_min_rows = 1;
BEGIN;
COPY a FROM PROGRAM 'seq 2001 2700';
ROLLBACK;
BEGIN;
COPY a FROM PROGRAM 'seq 3001 3100';
SAVEPOINT s;
COPY a FROM PROGRAM 'seq 4001 4100';
ROLLBACK TO s;
COPY a FROM PROGRAM 'seq 5001 5100';
COMMIT;
RESET colj.direct_load_min_rows;
VACUUM a;
SELECT * FROM entries('a');
SELECT count(*), sum(id) FROM a;
SELECT bt_index_check('a_pkey', true);
-- 1000 tuples that have moved wait for the next VACUUM
SELECT pg_stat_force_next_flush();
SELECT pg_stat_get_live_tuples('a'::regclass) AS live, pg_stat_get_dead_tuples('a'::regclass) AS dead;
VACUUM a;
SELECT pg_stat_force_next_flush();
SELECT pg_stat_get_live_tuples('a'::regclass) AS live, pg_stat_get_dead_tuples('a'::regclass) AS dead;
SELECT * FROM entries('a');
DELETE FROM a WHERE id <= 3;
VACUUM a;
-- dead rows of stripes that it leaves count
SELECT pg_stat_force_next_flush();
SELECT pg_stat_get_live_tuples('a'::regclass) AS live, pg_stat_get_dead_tuples('a'::regclass) AS dead;
SELECT traces FROM traces('a');
-- for ANALYZE, too
DELETE FROM a WHERE id BETWEEN 11 AND 17;
SELECT pg_stat_force_next_flush();
ANALYZE a;
SELECT pg_stat_get_live_tuples('a'::regclass) AS live, pg_stat_get_dead_tuples('a'::regclass) AS dead;
SELECT reltuples FROM pg_class WHERE relname = 'a';

-- small stripes: every number of rows comes, and few stripes stay
CREATE TABLE m (id int PRIMARY KEY, doc colj, big text, fix char(3) NOT NULL, n numeric) USING colj WITH (autovacuum_enabled = off);
CREATE TABLE tids (id int, tid tid);
DO $$
BEGIN
	FOR i IN 0..39 LOOP
		INSERT INTO m SELECT i * 20 + g, jsonb_build_object('k', g % 5, 'a', jsonb_build_array(g, i)), md5(g::text), 'x', g FROM generate_series(1, 20) g;
		PERFORM colj_compact('m');
		COMMIT;
	END LOOP;
END $$;
INSERT INTO tids SELECT id, ctid FROM m;
SELECT count(*) AS stripes, sum(rows - deleted_rows) AS rows, min(rows - deleted_rows) FROM colj_stripes('m');
SELECT count(*) FROM m JOIN tids USING (id) WHERE m.ctid = tids.tid;
SELECT count(*), sum(id), sum((doc->>'k')::int), count(DISTINCT big), count(fix), sum(n), sum((doc->'a'->>1)::int) FROM m;
SELECT bt_index_check('m_pkey', true);
SELECT * FROM colj_check('m');
-- a column that came later, and one that has gone
ALTER TABLE m ADD COLUMN later int DEFAULT 5;
ALTER TABLE m DROP COLUMN big;
DELETE FROM m WHERE id % 2 = 0;
VACUUM m;
SELECT sum(rows - deleted_rows) AS rows FROM colj_stripes('m');
SELECT count(*), sum(id), sum((doc->>'k')::int), sum(later), count(fix) FROM m;
SELECT count(*) FROM m JOIN tids USING (id) WHERE m.ctid = tids.tid;
SELECT * FROM colj_check('m');
-- what an aborted load has left between two stripes comes to light by no merge
CREATE TABLE gap (id int PRIMARY KEY) USING colj WITH (autovacuum_enabled = off);
INSERT INTO gap SELECT generate_series(1, 20);
SELECT colj_compact('gap');
SET colj.direct_load_min_rows = 1;
BEGIN;
COPY gap FROM PROGRAM 'seq 101 200';
ROLLBACK;
RESET colj.direct_load_min_rows;
INSERT INTO gap SELECT generate_series(21, 40);
SELECT colj_compact('gap');
SELECT colj_compact('gap');
SELECT count(*) AS stripes, sum(rows) AS rows FROM colj_stripes('gap');
SELECT count(*), sum(id) FROM gap;
VACUUM (INDEX_CLEANUP ON) gap;
SELECT count(*) AS stripes, sum(rows) AS rows FROM colj_stripes('gap');
SELECT count(*), sum(id) FROM gap;
SELECT bt_index_check('gap_pkey', true);
-- thinning gives the space back
CREATE TABLE thin (id int PRIMARY KEY, doc colj) USING colj WITH (autovacuum_enabled = off);
INSERT INTO thin SELECT g, jsonb_build_object('t', md5(g::text)) FROM generate_series(1, 1000) g;
VACUUM thin;
SELECT stored_bytes AS before FROM colj_stripes('thin') \gset
DELETE FROM thin WHERE id % 5 = 0;
VACUUM thin;
SELECT rows, deleted_rows, stored_bytes = :before AS same FROM colj_stripes('thin');
DELETE FROM thin WHERE id % 5 < 4;
VACUUM thin;
SELECT rows, deleted_rows, stored_bytes < :before / 3 AS small FROM colj_stripes('thin');
SELECT count(*), sum(id) FROM thin;
VACUUM thin;
SELECT rows, deleted_rows, stored_bytes < :before / 3 AS small FROM colj_stripes('thin');
-- what has no rows is no more
DELETE FROM thin WHERE id < 600;
VACUUM thin;
SELECT stripe, rows, deleted_rows FROM colj_stripes('thin');
DELETE FROM thin;
VACUUM thin;
SELECT * FROM colj_stripes('thin');
SELECT column_store_rows, deleted_rows FROM colj_table_stats('thin');
SELECT * FROM entries('thin');
SELECT count(*) FROM thin;
INSERT INTO thin VALUES (1, '{"t": 1}');
VACUUM thin;
SELECT * FROM thin;
SELECT stripe, rows FROM colj_stripes('thin');
-- memory for few of them at a time
SET maintenance_work_mem = '1MB';
-- without an index, and with rows of several stripes that are gone
CREATE TABLE no_index (id int, doc jsonb) USING colj WITH (autovacuum_enabled = off);
INSERT INTO no_index SELECT g, jsonb_build_object('t', g) FROM generate_series(1, 5000) g;
VACUUM no_index;
DELETE FROM no_index WHERE id BETWEEN 500 AND 4500;
VACUUM no_index;
SELECT * FROM traces('no_index');
SELECT count(*) AS stripes, sum(rows - deleted_rows) AS rows FROM colj_stripes('no_index');
SELECT count(*), sum((doc->>'t')::int) FROM no_index;
RESET maintenance_work_mem;
-- in a transaction that is undone, and in its own eyes
BEGIN;
DELETE FROM no_index WHERE id % 2 = 0;
SELECT colj_compact('no_index');
SELECT count(*), sum((doc->>'t')::int) FROM no_index;
ROLLBACK;
SELECT count(*), sum((doc->>'t')::int) FROM no_index;
-- then they are rewritten
VACUUM FULL no_index;
VACUUM FULL m;
SELECT count(*), sum((doc->>'t')::int) FROM no_index;
SELECT count(*), sum(id), sum((doc->>'k')::int), sum(later), count(fix) FROM m;
-- a VACUUM that begins with a snapshot to keep does it as well
DELETE FROM r WHERE id > 1000;
SELECT proxies > 0 AS proxies FROM traces('r');
SET default_transaction_isolation = 'repeatable read';
VACUUM (INDEX_CLEANUP ON) r;
RESET default_transaction_isolation;
SELECT * FROM traces('r');
SELECT count(*), sum(id) FROM r;

DROP TABLE r, a, m, gap, tids, thin, no_index;
DROP FUNCTION traces, entries;
DROP EXTENSION amcheck;
