-- VACUUM of tables with access method colj: rows that settle become stripes.
SET colj.stripe_rows = 1000;
-- rows of t in either store
CREATE FUNCTION stores(t regclass, OUT in_rows bigint, OUT in_stripes bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FILTER (WHERE ctid < ''(2147483648,0)''),
		count(*) FILTER (WHERE ctid >= ''(2147483648,0)'') FROM %s', t) INTO in_rows, in_stripes;
END $$;

CREATE TABLE v (id int PRIMARY KEY, doc colj) USING colj WITH (autovacuum_enabled = off);
INSERT INTO v SELECT g, jsonb_build_object('k', g) FROM generate_series(1, 3000) g;
-- too few rows wait
VACUUM v;
SELECT * FROM stores('v');
SET colj.compact_min_rows = 3000;
VACUUM v;
SELECT * FROM stores('v');
SELECT count(*), sum((doc->>'k')::int) FROM v;
INSERT INTO v SELECT g, jsonb_build_object('k', g) FROM generate_series(3001, 5999) g;
VACUUM v;
SELECT * FROM stores('v');
INSERT INTO v VALUES (6000, '{"k": 6000}');
VACUUM (ANALYZE) v;
SELECT * FROM stores('v');
SELECT count(*), sum((doc->>'k')::int) FROM v;
SET enable_seqscan = off;
SELECT doc FROM v WHERE id IN (1, 3000, 3001, 6000) ORDER BY id;
RESET enable_seqscan;
-- the heap's pages go when their rows have been moved away
VACUUM v;
VACUUM v;
SELECT pg_relation_size('v') <= 8192 AS small;
SELECT count(*), sum((doc->>'k')::int) FROM v;

-- numbers that a short stripe has not used are used by the next
SET colj.compact_min_rows = 1;
SET colj.stripe_rows = 10;
CREATE TABLE short (id int) USING colj WITH (autovacuum_enabled = off);
INSERT INTO short SELECT generate_series(1, 25);
VACUUM short;
SELECT min(ctid), max(ctid) FROM short;

-- whatever a session's transactions are like
CREATE TABLE level (id int) USING colj WITH (autovacuum_enabled = off);
INSERT INTO level SELECT generate_series(1, 20);
SET default_transaction_isolation = 'repeatable read';
VACUUM level;
SELECT * FROM stores('level');
INSERT INTO level SELECT generate_series(21, 30);
SET default_transaction_isolation = 'serializable';
VACUUM (ANALYZE) level;
SELECT * FROM stores('level');
DELETE FROM level WHERE id % 2 = 0;
INSERT INTO level SELECT generate_series(31, 40);
SET default_transaction_read_only = on;
SET default_transaction_deferrable = on;
VACUUM level;
SELECT * FROM stores('level');
SHOW transaction_isolation;
RESET default_transaction_isolation;
RESET default_transaction_read_only;
RESET default_transaction_deferrable;
SELECT deleted_rows FROM colj_table_stats('level');
SELECT * FROM colj_check('level');
DROP TABLE level;

-- a table that came from heap without a TOAST table
CREATE TABLE plain (id int) USING heap WITH (autovacuum_enabled = off);
INSERT INTO plain SELECT generate_series(1, 20);
ALTER TABLE plain SET ACCESS METHOD colj;
VACUUM plain;
SELECT * FROM stores('plain');

-- exclusion constraints
CREATE TABLE excl (c circle, EXCLUDE USING gist (c WITH &&)) USING colj WITH (autovacuum_enabled = off);
INSERT INTO excl SELECT circle(point(g * 10, 0), 1) FROM generate_series(1, 20) g;
VACUUM excl;
SELECT * FROM stores('excl');
INSERT INTO excl VALUES ('<(50, 0), 1>');
INSERT INTO excl VALUES ('<(55, 0), 1>');

-- when compaction fails, VACUUM goes on, and nothing is lost
CREATE FUNCTION fails(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF $1 = 7 AND current_setting('colj.compact_min_rows') = '2' THEN
		RAISE EXCEPTION 'no index entry for %', $1;
	END IF;
	RETURN $1;
END $$;
CREATE TABLE failing (id int) USING colj WITH (autovacuum_enabled = off);
CREATE INDEX ON failing (fails(id));
INSERT INTO failing SELECT generate_series(1, 20);
DELETE FROM failing WHERE id > 10;
SET colj.compact_min_rows = 2;
VACUUM failing;
SELECT * FROM stores('failing');
SELECT reltuples FROM pg_class WHERE relname = 'failing';
SET colj.compact_min_rows = 1;
VACUUM failing;
SELECT * FROM stores('failing');

-- privileges are those of VACUUM
CREATE ROLE colj_vacuum_other;
SET ROLE colj_vacuum_other;
SET client_min_messages = error;
VACUUM v;
RESET client_min_messages;
RESET ROLE;
DROP ROLE colj_vacuum_other;

-- partitions and materialized views
CREATE TABLE parts (id int, doc colj) PARTITION BY RANGE (id);
CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (100) USING colj;
CREATE TABLE part2 PARTITION OF parts FOR VALUES FROM (100) TO (200) USING colj;
INSERT INTO parts SELECT g, jsonb_build_object('k', g) FROM generate_series(0, 199) g;
CREATE MATERIALIZED VIEW mat USING colj AS SELECT * FROM parts;
VACUUM parts;
VACUUM mat;
SELECT * FROM stores('part1');
SELECT * FROM stores('part2');
SELECT * FROM stores('mat');
-- a row that goes to another partition is not one that compaction has moved
UPDATE parts SET id = id + 100 WHERE id < 3;
SELECT count(*), sum(id), tableoid::regclass FROM parts GROUP BY 3 ORDER BY 3;

-- VACUUM FULL and CLUSTER bring the rows of both stores into the row store, where they are few
SET colj.compact_min_rows = 1000;
CREATE TABLE full_ (id int PRIMARY KEY, dropped text, doc colj, big text) USING colj WITH (autovacuum_enabled = off);
CREATE INDEX full_k ON full_ ((doc->>'k'));
CREATE INDEX full_box ON full_ USING gist (point(id, id));
INSERT INTO full_ SELECT g, 'x', jsonb_build_object('k', g % 7), CASE WHEN g % 10 = 0 THEN repeat(md5(g::text), 500) END
	FROM generate_series(1, 40) g;
SELECT md5(string_agg(big, ',' ORDER BY id)) AS big FROM full_ \gset
SELECT colj_compact('full_');
ALTER TABLE full_ DROP COLUMN dropped;
ALTER TABLE full_ ADD COLUMN later int DEFAULT 5;
DELETE FROM full_ WHERE id % 4 = 1;
UPDATE full_ SET doc = '{"k": 9}', id = id + 100 WHERE id % 4 = 2;
INSERT INTO full_ VALUES (50, '{"k": 1}');
VACUUM FULL full_;
SELECT * FROM stores('full_');
SELECT count(*), sum(id), sum((doc->>'k')::int), sum(later) FROM full_;
SELECT md5(string_agg(big, ',' ORDER BY id % 100)) = :'big' AS same FROM full_;
SET enable_seqscan = off;
SELECT id, doc FROM full_ WHERE doc->>'k' = '3' ORDER BY id;
SELECT count(*) FROM full_ WHERE id BETWEEN 100 AND 110;
RESET enable_seqscan;
SELECT colj_compact('full_');
SELECT * FROM stores('full_');
UPDATE full_ SET doc = '{"k": 8}' WHERE id < 10;
CLUSTER full_ USING full_k;
SELECT * FROM stores('full_');
SELECT count(*), sum(id), bool_and(sorted) FROM
	(SELECT id, doc->>'k' >= lag(doc->>'k') OVER (ORDER BY ctid) IS NOT FALSE AS sorted FROM full_) s;
SELECT colj_compact('full_');
CLUSTER full_ USING full_box;
SELECT count(*), sum(id), md5(string_agg(big, ',' ORDER BY id % 100)) = :'big' AS same FROM full_;
-- in the transaction that compacts and changes
BEGIN;
SELECT colj_compact('full_');
DELETE FROM full_ WHERE id = 3;
CLUSTER full_ USING full__pkey;
SELECT count(*), sum(id) FROM full_;
ROLLBACK;
SELECT count(*), sum(id) FROM full_;
BEGIN;
SELECT colj_compact('full_');
DELETE FROM full_ WHERE id = 3;
CLUSTER full_ USING full__pkey;
COMMIT;
SELECT count(*), sum(id) FROM full_;
SELECT colj_compact('full_');
TRUNCATE full_;
SELECT count(*) FROM full_;

DROP MATERIALIZED VIEW mat;
DROP TABLE v, short, plain, excl, failing, parts, full_;
DROP FUNCTION stores, fails;
