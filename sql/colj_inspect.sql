--
-- Looking into tables of the access method: sizes, stripes, columns, damage.
--
SET colj.stripe_rows = 512;
SET colj.vector_rows = 256;
CREATE TABLE ins (id int PRIMARY KEY, at date, t text COLLATE "C", u uuid, f float8, doc colj) USING colj;
INSERT INTO ins
SELECT g, '2026-01-01'::date + g, 't' || g % 7, md5(g::text)::uuid, g / 2.0,
	CASE WHEN g % 10 <> 0 THEN jsonb_build_object('n', g, 'price', (g % 90 + 100) * 0.25, 'name', 'name ' || g % 90 + 100, 'ok', g % 2 = 0,
		'nothing', NULL, 'tags', jsonb_build_array(g % 3, 'x'),
		'in.side', jsonb_build_object('', g % 5, 'deep', CASE WHEN g % 50 = 1 THEN to_jsonb('text'::text) ELSE to_jsonb(g) END)) ||
		CASE WHEN g % 300 = 1 THEN '{"rare": [1]}' ELSE '{}'::jsonb END END
FROM generate_series(1, 1000) g;

-- nothing there yet
SELECT row_store_rows, row_store_bytes > 0 AS bytes, stripes, column_store_rows, column_store_bytes, deleted_rows FROM colj_table_stats('ins');
SELECT * FROM colj_stripes('ins');
SELECT * FROM colj_columns('ins');
SELECT * FROM colj_check('ins');

SELECT colj_compact('ins');
INSERT INTO ins (id) SELECT generate_series(2001, 2010);
DELETE FROM ins WHERE id BETWEEN 10 AND 19 OR id = 2001;
UPDATE ins SET t = 'updated' WHERE id = 600;
SELECT row_store_rows, stripes, column_store_rows, deleted_rows, column_store_bytes > 0 AND toast_bytes > column_store_bytes AS bytes
FROM colj_table_stats('ins');
SELECT row_store_rows + column_store_rows = (SELECT count(*) FROM ins) AS all FROM colj_table_stats('ins');
SELECT stripe, first_tid, last_tid, rows, deleted_rows, stored_bytes > 0 AS bytes FROM colj_stripes('ins');
SELECT sum(stored_bytes) = (SELECT column_store_bytes FROM colj_table_stats('ins')) AS same FROM colj_stripes('ins');
SELECT count(*) FROM ins, colj_stripes('ins') WHERE ctid BETWEEN first_tid AND last_tid;
SELECT column_name, path, present, nulls, mixed, type, codec, min, max FROM colj_columns('ins');
SELECT column_name, path, encoding, raw_bytes, stored_bytes BETWEEN 1 AND raw_bytes AS smaller FROM colj_columns('ins')
WHERE path IN ('{n}', '{name}', '{ok}') OR column_name = 'id';
SELECT * FROM colj_check('ins');

-- a snapshot older than what it looks at
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT column_store_rows, deleted_rows FROM colj_table_stats('ins');
DELETE FROM ins WHERE id = 700;
SELECT column_store_rows, deleted_rows FROM colj_table_stats('ins');
ROLLBACK;

-- stripes of one column have other types, or none of it
CREATE TABLE ins_types (doc colj) USING colj;
INSERT INTO ins_types SELECT jsonb_build_object('a', g, 'b', g, 'c', 'x') FROM generate_series(1, 100) g;
SELECT colj_compact('ins_types');
INSERT INTO ins_types SELECT jsonb_build_object('a', g * 1000 + 0.5, 'b', 'g') FROM generate_series(-2, 100) g;
SELECT colj_compact('ins_types');
ALTER TABLE ins_types ADD later int DEFAULT 1, ADD gone int;
INSERT INTO ins_types VALUES ('1', 2, 3);
SELECT colj_compact('ins_types');
ALTER TABLE ins_types DROP gone;
SELECT column_name, path, present, type, min, max FROM colj_columns('ins_types');
SELECT * FROM colj_check('ins_types');

-- bounds that can't be shown, or are cut
CREATE TABLE ins_text (a text, doc colj) USING colj;
INSERT INTO ins_text SELECT 'aaaaaaaaaaaaaaa' || chr(228) || g, jsonb_build_object('t', repeat('long ', 9) || g) FROM generate_series(1, 100) g;
SELECT colj_compact('ins_text');
SELECT column_name, path, min, max FROM colj_columns('ins_text');

-- who may, and what they see
CREATE ROLE ins_nobody;
CREATE ROLE ins_some;
CREATE ROLE ins_all;
CREATE ROLE ins_stats IN ROLE pg_stat_scan_tables;
GRANT SELECT (id) ON ins TO ins_some;
GRANT SELECT ON ins TO ins_all;
SET ROLE ins_nobody;
SELECT * FROM colj_table_stats('ins');
SELECT * FROM colj_stripes('ins');
SELECT * FROM colj_columns('ins');
SELECT * FROM colj_check('ins');
SET ROLE ins_some;
SELECT column_store_rows FROM colj_table_stats('ins');
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
SET ROLE ins_stats;
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
SELECT count(*) FROM colj_check('ins');
SET ROLE ins_all;
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
RESET ROLE;
ALTER TABLE ins ENABLE ROW LEVEL SECURITY;
SET ROLE ins_all;
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
RESET ROLE;
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
ALTER TABLE ins FORCE ROW LEVEL SECURITY;
ALTER TABLE ins OWNER TO ins_all;
SET ROLE ins_all;
SELECT count(*), count(path), count(min), count(max) FROM colj_columns('ins');
RESET ROLE;

-- what is no such table
CREATE TABLE ins_heap (a int) USING heap;
CREATE TABLE ins_part (a int) PARTITION BY LIST (a);
CREATE VIEW ins_view AS SELECT 1 AS a;
SELECT * FROM colj_table_stats('ins_heap');
SELECT * FROM colj_stripes('ins_part');
SELECT * FROM colj_columns('ins_view');
-- in words that differ between versions
\set VERBOSITY sqlstate
SELECT * FROM colj_check('ins_pkey');
\set VERBOSITY default
SELECT * FROM colj_check(0);

DROP TABLE ins, ins_types, ins_text, ins_heap, ins_part;
DROP VIEW ins_view;
DROP ROLE ins_nobody, ins_some, ins_all, ins_stats;
