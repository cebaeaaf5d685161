-- VACUUM gives back what values of the row store, and stripes of before, have left empty.
CREATE EXTENSION amcheck;
SET colj.stripe_rows = 1000;
SET colj.vector_rows = 100;
SET colj.compact_min_rows = 1;
SET max_parallel_maintenance_workers = 0;
-- pages of the TOAST table, and how many would do
CREATE FUNCTION pages(t regclass, OUT pages bigint, OUT needed bigint) LANGUAGE sql AS $$
	SELECT pg_relation_size(reltoastrelid) / 8192, (SELECT sum((stored_bytes + 8091) / 8092) FROM colj_stripes(t))
	FROM pg_class WHERE oid = t $$;
-- is there little else?
CREATE FUNCTION tight(t regclass) RETURNS boolean LANGUAGE sql AS
	'SELECT pages <= needed * 1.07 + 4 FROM pages(t)';
-- no compression makes these fit into the row store
CREATE FUNCTION words(g int, n int) RETURNS colj LANGUAGE sql AS $$
	SELECT jsonb_build_object('k', g % 10, 't', string_agg(md5(g::text || i), ' '))::colj FROM generate_series(1, n) i $$;

CREATE TABLE s (id int PRIMARY KEY, doc colj, v text) USING colj WITH (autovacuum_enabled = off);
INSERT INTO s SELECT g, words(g, 150), 'v' || g FROM generate_series(1, 300) g;
SELECT colj_compact('s');
CREATE TABLE mirror AS SELECT ctid AS tid, * FROM s;
SELECT pages AS most FROM pages('s') \gset
-- the first frees what compaction has left, the second gives it back
VACUUM s;
SELECT pages = :most AS same, tight('s') FROM pages('s');
VACUUM s;
SELECT pages < :most / 2 AS less, tight('s') FROM pages('s');
SELECT count(*), count(*) FILTER (WHERE m.tid = s.ctid AND m.doc::text = s.doc::text AND m.v = s.v) FROM s JOIN mirror m USING (id);
SELECT * FROM colj_check('s');
SELECT bt_index_check('s_pkey', true), bt_index_check(indexrelid, true) FROM pg_index
WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE relname = 's');
-- it is done
SELECT pages AS least FROM pages('s') \gset
VACUUM s;
SELECT pages = :least AS same FROM pages('s');
-- rows can be changed, and row numbers go on
UPDATE s SET v = 'changed' WHERE id % 100 = 7;
DELETE FROM s WHERE id % 100 = 8;
INSERT INTO s SELECT g, words(g, 150), 'v' || g FROM generate_series(301, 400) g;
SELECT colj_compact('s');
SELECT count(*) = count(DISTINCT ctid) AS differ, min(ctid) FILTER (WHERE id > 300) > max(ctid) FILTER (WHERE id < 300) AS later FROM s WHERE v <> 'changed';
VACUUM s;
VACUUM s;
SELECT tight('s');
SELECT count(*), count(*) FILTER (WHERE v = 'changed'), count(DISTINCT doc::text) FROM s;
SELECT * FROM colj_check('s');

-- a table that gets rows, and loses some, all the time
SELECT stmt FROM generate_series(0, 11) g, LATERAL (VALUES
	(1, format('INSERT INTO s SELECT g, words(g, 150), ''again'' FROM generate_series(%s, %s) g', 401 + g * 50, 450 + g * 50)),
	(2, format('DELETE FROM s WHERE id < %s', 401 + g * 50 - 400)),
	(3, 'VACUUM s')) q (n, stmt) ORDER BY g, n \gexec
VACUUM s;
VACUUM s;
SELECT tight('s'), pg_relation_size('s') <= 8192 AS small;
SELECT count(*), min(id), max(id), count(DISTINCT doc::text) FROM s;
SELECT * FROM colj_check('s');
SELECT bt_index_check('s_pkey', true);

-- proxies cannot move: dead rows leave the indexes, however few, when they are in the way
CREATE TABLE p (id int PRIMARY KEY, doc colj) USING colj WITH (autovacuum_enabled = off);
INSERT INTO p SELECT g, words(g, 150) FROM generate_series(1, 300) g;
SELECT colj_compact('p');
-- they come behind the stripes
DELETE FROM p WHERE id = 5;
UPDATE p SET doc = '1' WHERE id = 7;
VACUUM p;
SELECT tight('p');
VACUUM p;
SELECT tight('p');
SELECT count(*), sum(id) FROM p;
SELECT * FROM colj_check('p');
-- a proxy of a row that lives stays, and all before it
INSERT INTO p SELECT g, words(g, 150) FROM generate_series(301, 600) g;
SELECT colj_compact('p');
SELECT id FROM p WHERE id = 599 FOR UPDATE;
VACUUM p;
VACUUM p;
SELECT tight('p');
-- until the row is dead
DELETE FROM p WHERE id = 599;
VACUUM p;
VACUUM p;
SELECT tight('p');
SELECT count(*), sum(id) FROM p;

-- nothing moves when nothing is given back
CREATE TABLE o (id int, doc colj) USING colj WITH (autovacuum_enabled = off);
INSERT INTO o SELECT g, words(g, 150) FROM generate_series(1, 300) g;
SELECT colj_compact('o');
CREATE FUNCTION places() RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
	EXECUTE format('SELECT md5(string_agg(ctid || '' '' || chunk_id, '' '' ORDER BY ctid)) FROM %s WHERE chunk_id <> 4',
		(SELECT reltoastrelid::regclass FROM pg_class WHERE relname = 'o')) INTO result;
	RETURN result;
END $$;
VACUUM o;
SELECT places() AS before \gset
VACUUM (TRUNCATE OFF) o;
SELECT places() = :'before' AS same;
VACUUM (INDEX_CLEANUP OFF) o;
SELECT places() = :'before' AS same;
ALTER TABLE o SET (toast.vacuum_truncate = off);
VACUUM o;
SELECT places() = :'before' AS same, tight('o');
ALTER TABLE o RESET (toast.vacuum_truncate);
-- rows that are not cold, and have values at the end, stay where they are
INSERT INTO o SELECT g, words(g, 150) FROM generate_series(301, 700) g;
SET colj.compact_min_rows = 100000;
VACUUM o;
SELECT places() AS before \gset
VACUUM o;
SELECT places() = :'before' AS same;
SET colj.compact_min_rows = 1;
VACUUM o;
VACUUM o;
VACUUM o;
SELECT tight('o');
SELECT count(*), sum(id), count(DISTINCT doc::text) FROM o;
-- stripes that were loaded, behind values; what moves is visible to everybody
INSERT INTO o SELECT g, words(g, 150) FROM generate_series(701, 1000) g;
SET colj.direct_load_min_rows = 1;
COPY o (id) FROM PROGRAM 'seq 1001 2000';
RESET colj.direct_load_min_rows;
SELECT DISTINCT xmin = '2' AS frozen FROM o WHERE id > 1000;
SELECT colj_compact('o');
DELETE FROM o WHERE id % 3 > 0 AND id <= 1000;
VACUUM o;
VACUUM o;
SELECT tight('o');
SELECT DISTINCT xmin = '2' AS frozen FROM o WHERE id > 1000;
SELECT count(*), sum(id), count(DISTINCT doc::text) FROM o;
SELECT * FROM colj_check('o');

-- pages of the main fork go, though there is always something to compact
CREATE TABLE w (id int, v text) USING colj WITH (autovacuum_enabled = off);
INSERT INTO w SELECT g, 'v' || g FROM generate_series(1, 30000) g;
VACUUM w;
INSERT INTO w SELECT g, 'v' || g FROM generate_series(30001, 30100) g;
VACUUM w;
INSERT INTO w SELECT g, 'v' || g FROM generate_series(30101, 30200) g;
VACUUM w;
SELECT pg_relation_size('w') <= 10 * 8192 AS small, relpages <= 10 AS known FROM pg_class WHERE relname = 'w';
SELECT count(*), sum(id) FROM w;

DROP TABLE s, mirror, p, o, w;
DROP FUNCTION places, tight, pages, words;
DROP EXTENSION amcheck;
