--
-- The table access method: rows of the row store.
--
CREATE TABLE am (id int PRIMARY KEY, doc colj, t text) USING colj;
SELECT reltoastrelid <> 0 AS has_toast, (SELECT amname FROM pg_am a WHERE a.oid = t.relam) AS toast_am
FROM pg_class c JOIN LATERAL (SELECT relam FROM pg_class WHERE oid = c.reltoastrelid) t ON true
WHERE c.oid = 'am'::regclass;
-- no column needs TOAST, but stripes will
CREATE TABLE am_int (a int) USING colj;
SELECT reltoastrelid <> 0 AS has_toast FROM pg_class WHERE oid = 'am_int'::regclass;
DROP TABLE am_int;

INSERT INTO am SELECT g, jsonb_build_object('a', g, 'b', repeat('x', g % 7))::colj, 't' || g FROM generate_series(1, 1000) g;
-- heap-only chains: the index gets the live member under the root's TID
UPDATE am SET t = t || '!' WHERE id % 10 = 0;
UPDATE am SET t = t || '?' WHERE id % 20 = 0;
DELETE FROM am WHERE id % 50 = 1;
CREATE INDEX am_t ON am (t);
CREATE INDEX CONCURRENTLY am_doc ON am USING gin (doc);
CREATE INDEX am_partial ON am ((doc->>'a')) WHERE id < 100;
CREATE UNIQUE INDEX CONCURRENTLY am_unique ON am (t, id) INCLUDE (doc);
REINDEX TABLE am;
SET enable_seqscan = off;
SELECT id, t FROM am WHERE t IN ('t20!?', 't10!', 't5', 't51') ORDER BY id;
SELECT count(*) FROM am WHERE doc @> '{"a": 20}';
SELECT id FROM am WHERE doc->>'a' = '60' AND id < 100;
RESET enable_seqscan;

-- BRIN follows blocks, rows may leave theirs
CREATE INDEX ON am USING brin (id);
CREATE TABLE am_brin (a int);
CREATE INDEX ON am_brin USING brin (a);
ALTER TABLE am_brin SET ACCESS METHOD colj;
SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.oid = 'am_brin'::regclass;
DROP TABLE am_brin;

-- there and back
CREATE TABLE am_mirror AS SELECT * FROM am;
ALTER TABLE am SET ACCESS METHOD heap;
SELECT count(*) FROM (TABLE am EXCEPT ALL TABLE am_mirror) d;
ALTER TABLE am SET ACCESS METHOD colj;
SELECT count(*) FROM (TABLE am EXCEPT ALL TABLE am_mirror) d;
SELECT count(*), sum(id) FROM am;
VACUUM FULL am;
CLUSTER am USING am_pkey;
ANALYZE am;
SELECT count(*), sum(id) FROM am;
SELECT reltuples FROM pg_class WHERE oid = 'am'::regclass;
DROP TABLE am, am_mirror;
