--
-- The table access method: what a table can have and do, with its rows in
-- stripes, as on heap.  Every statement runs on two schemas that differ in the
-- access method only; what is shown is heap's result, or both if they differ.
--
SET client_min_messages = warning;
SET lc_monetary = 'C';
CREATE SCHEMA am_heap;
CREATE SCHEMA am_colj;
CREATE FUNCTION am_compact() RETURNS bigint LANGUAGE sql AS $$
	SELECT coalesce(sum(colj_compact(c.oid)), 0) FROM pg_class c JOIN pg_am a ON a.oid = c.relam
	WHERE relnamespace = 'am_colj'::regnamespace AND relkind IN ('r', 'm') AND amname = 'colj'
$$;
-- the rows that a query gives, in their order, or the error
CREATE FUNCTION am_run(am text, sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	r record;
	n bigint;
BEGIN
	PERFORM set_config('search_path', 'am_' || am || ', public', true), set_config('default_table_access_method', am, true);
	IF sql ~* '^\s*(SELECT|VALUES|WITH|TABLE)|RETURNING' THEN
		FOR r IN EXECUTE sql LOOP
			result := result || r::text || E'\n';
		END LOOP;
		SET CONSTRAINTS ALL IMMEDIATE;
		RETURN rtrim(result, E'\n');
	END IF;
	EXECUTE sql;
	GET DIAGNOSTICS n = ROW_COUNT;
	SET CONSTRAINTS ALL IMMEDIATE;
	RETURN n || ' rows';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION am_both(sql text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	heap text := am_run('heap', sql);
	colj text := am_run('colj', sql);
BEGIN
	RETURN CASE WHEN heap = colj THEN heap ELSE E'heap:\n' || heap || E'\ncolj:\n' || colj END;
END $$;
\pset format unaligned
\pset tuples_only on

-- every plain type, several documents, no document at all
SELECT am_both($$CREATE TABLE types (i2 int2, i4 int4 PRIMARY KEY, i8 int8, f4 float4, f8 float8, n numeric, n2 numeric(10,2),
	b bool, c char(5), vc varchar(10), t text, nm name, by bytea, "char" "char", d date, tm time, tz timetz, ts timestamp,
	tsz timestamptz, iv interval, u uuid, ip inet, cd cidr, mac macaddr, m8 macaddr8, bt bit(5), vb varbit, mo money,
	js json, jb jsonb, doc1 colj, doc2 colj, pt point, ls lseg, bx box, pth path, pg polygon, ci circle, li line,
	tq tsquery, tv tsvector, r4 int4range, mr nummultirange, ia int[], ta text[][], o oid, reg regclass, snap pg_snapshot,
	comp pg_language, tidc tid)$$);
SELECT am_both($$INSERT INTO types SELECT CASE WHEN g % 5 <> 0 THEN g END, g, g * 10000000000, g / 3.0, 1.0 / g, g / 7.0, g, g % 2 = 0, 'c' || g,
	'vc' || g, repeat('t', g % 300), 'nm' || g, decode(md5(g::text), 'hex'), chr(65 + g % 26)::"char", date '2026-01-01' + g,
	time '00:00' + g * interval '1 min', timetz '00:00+01' + g * interval '1 min', timestamp '2026-01-01' + g * interval '1 min',
	timestamptz '2026-01-01 00:00Z' + g * interval '1 min', g * interval '1 day 1 sec', md5(g::text)::uuid, '10.0.0.1'::inet + g,
	('10.0.' || g % 256 || '.0/24')::cidr, '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', g::bit(5), g::bit(9)::varbit, g::money,
	json_build_object('g', g), jsonb_build_object('g', g), jsonb_build_object('one', g)::colj, jsonb_build_array(g, 'two')::colj,
	point(g, g), lseg(point(0, 0), point(g, g)), box(point(0, 0), point(g, g)), '[(0,0),(1,1)]', '((0,0),(1,1),(2,0))',
	circle(point(0, 0), g), '{1,2,3}', 'a & b', 'a b c', int4range(g, g + 5), nummultirange(numrange(g, g + 1)), ARRAY[g, NULL],
	ARRAY[['a', 'b'], ['c', g::text]], g, 'pg_class', '1:9:3,5', NULL, '(1,2)'
	FROM generate_series(1, 400) g$$);
SELECT am_both($$INSERT INTO types (i4) VALUES (1000)$$);
SELECT am_compact();
SELECT am_both($$SELECT md5(string_agg(types::text, ',' ORDER BY i4)), count(*) FROM types$$);
SELECT am_both($$SELECT types.* FROM types WHERE i4 IN (7, 1000) ORDER BY i4$$);
SELECT am_both($$UPDATE types SET i2 = 1, doc1 = '{"new": 1}', doc2 = doc2 || '[3]' WHERE i4 % 100 = 0$$);
SELECT am_both($$SELECT md5(string_agg(types::text, ',' ORDER BY i4)), count(*) FROM types$$);

-- every kind of index; exclusion constraints
SELECT am_both($$CREATE INDEX ON types USING gist (pt); CREATE INDEX ON types USING gist (r4); CREATE INDEX ON types USING spgist (t);
	CREATE INDEX ON types USING hash (u); CREATE INDEX ON types USING gin (tv); CREATE INDEX ON types USING gin (doc1);
	CREATE INDEX ON types (n DESC NULLS LAST) INCLUDE (t, b); CREATE INDEX ON types ((i8 % 7)) WHERE b;
	CREATE INDEX ON types USING gin (ia); ALTER TABLE types ADD EXCLUDE USING gist (ci WITH ~=)$$);
SET enable_seqscan = off;
SELECT am_both($$SELECT i4 FROM types WHERE pt <@ box(point(10, 10), point(13, 13)) ORDER BY i4$$);
SELECT am_both($$SELECT i4 FROM types ORDER BY pt <-> point(50.2, 50) LIMIT 3$$);
SELECT am_both($$SELECT i4 FROM types WHERE r4 @> 20 ORDER BY i4$$);
SELECT am_both($$SELECT count(*) FROM types WHERE t = repeat('t', 7)$$);
SELECT am_both($$SELECT i4 FROM types WHERE u = md5('9')::uuid$$);
SELECT am_both($$SELECT count(*) FROM types WHERE tv @@ 'a & c'$$);
SELECT am_both($$SELECT count(*) FROM types WHERE doc1 @> '{"new": 1}'$$);
SELECT am_both($$SELECT n, b FROM types WHERE n BETWEEN 3 AND 3.5 ORDER BY n DESC$$);
SELECT am_both($$SELECT count(*) FROM types WHERE i8 % 7 = 3 AND b$$);
SELECT am_both($$SELECT count(*) FROM types WHERE ia @> '{17}'$$);
SELECT am_both($$INSERT INTO types (i4, ci) VALUES (2000, circle(point(0, 0), 17))$$);
SELECT am_both($$DELETE FROM types WHERE i4 = 17$$);
SELECT am_both($$INSERT INTO types (i4, ci) VALUES (2000, circle(point(0, 0), 17))$$);
RESET enable_seqscan;
-- an index takes a new version's entries whatever has changed
SELECT am_both($$UPDATE types SET b = NOT b, pt = point(1000, 1000) WHERE i4 BETWEEN 30 AND 33$$);
SET enable_seqscan = off;
SELECT am_both($$SELECT i4 FROM types WHERE pt ~= point(1000, 1000) ORDER BY i4$$);
SELECT am_both($$SELECT i4 FROM types WHERE i4 BETWEEN 29 AND 34 ORDER BY i4$$);
RESET enable_seqscan;

-- columns: generated, identity, defaults on old rows, dropped, altered
SELECT am_both($$CREATE TABLE cols (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a int CHECK (a > 0), twice int GENERATED ALWAYS AS (a * 2) STORED, doc colj DEFAULT '{}')$$);
SELECT am_both($$INSERT INTO cols (a) SELECT g FROM generate_series(1, 10) g$$);
SELECT am_compact();
SELECT am_both($$UPDATE cols SET a = a + 100 WHERE id = 3 RETURNING *$$);
SELECT am_both($$UPDATE cols SET a = -1 WHERE id = 4$$);
SELECT am_both($$UPDATE cols SET id = 40 WHERE id = 4$$);
SELECT am_both($$ALTER TABLE cols ADD COLUMN lazy text DEFAULT 'old rows have it', ADD COLUMN number int NOT NULL DEFAULT 7$$);
SELECT am_both($$ALTER TABLE cols ALTER COLUMN lazy SET DEFAULT 'new rows have this'$$);
SELECT am_both($$INSERT INTO cols (a) VALUES (11)$$);
SELECT am_both($$SELECT * FROM cols ORDER BY id$$);
SELECT am_both($$UPDATE cols SET a = 5000 WHERE id = 5 RETURNING *$$);
SELECT am_compact();
SELECT am_both($$SELECT * FROM cols ORDER BY id$$);
SELECT am_both($$ALTER TABLE cols DROP COLUMN number, ALTER COLUMN lazy DROP DEFAULT$$);
SELECT am_both($$INSERT INTO cols (a) VALUES (12)$$);
SELECT am_both($$SELECT * FROM cols WHERE id > 9 ORDER BY id$$);
SELECT am_both($$ALTER TABLE cols ALTER COLUMN a TYPE bigint, ADD COLUMN filled float8 DEFAULT sqrt(4)$$);
SELECT am_both($$ALTER TABLE cols ADD COLUMN again int GENERATED BY DEFAULT AS IDENTITY$$);
SELECT am_both($$SELECT * FROM cols ORDER BY id$$);
SELECT am_compact();
SELECT am_both($$ALTER TABLE cols ADD CONSTRAINT small CHECK (a < 1000) NOT VALID$$);
SELECT am_both($$ALTER TABLE cols VALIDATE CONSTRAINT small$$);
SELECT am_both($$ALTER TABLE cols ALTER COLUMN lazy SET NOT NULL$$);
SELECT am_both($$UPDATE cols SET lazy = NULL WHERE id = 1$$);
SELECT am_both($$ALTER TABLE cols DROP COLUMN doc, ADD COLUMN doc colj DEFAULT '{"later": true}'$$);
SELECT am_both($$SELECT * FROM cols WHERE id < 4 ORDER BY id$$);

-- ON CONFLICT and MERGE
SELECT am_both($$CREATE TABLE conf (k int PRIMARY KEY, u text, v int, UNIQUE (u))$$);
SELECT am_both($$INSERT INTO conf SELECT g, 'u' || g, 0 FROM generate_series(1, 20) g$$);
SELECT am_compact();
SELECT am_both($$INSERT INTO conf VALUES (1, 'x', 1), (21, 'u21', 1), (2, 'y', 1) ON CONFLICT (k) DO UPDATE SET v = conf.v + excluded.v WHERE conf.k <> 2 RETURNING *$$);
SELECT am_both($$INSERT INTO conf VALUES (3, 'x', 1), (30, 'u4', 1), (31, 'u31', 1) ON CONFLICT DO NOTHING RETURNING *$$);
SELECT am_both($$INSERT INTO conf VALUES (30, 'u5', 1) ON CONFLICT ON CONSTRAINT conf_u_key DO UPDATE SET k = excluded.k RETURNING *$$);
SELECT am_both($$INSERT INTO conf VALUES (6, 'z', 1), (6, 'zz', 2) ON CONFLICT (k) DO UPDATE SET v = 1$$);
SELECT am_both($$INSERT INTO conf VALUES (7, 'dup', 1)$$);
SELECT am_both($$MERGE INTO conf USING generate_series(7, 25) g ON k = g WHEN MATCHED AND g % 3 = 0 THEN DELETE
	WHEN MATCHED AND g % 3 = 1 THEN UPDATE SET v = v + g WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT VALUES (g, 'm' || g, g)$$);
SELECT am_both($$MERGE INTO conf USING (VALUES (8), (8)) d (g) ON k = g WHEN MATCHED THEN UPDATE SET v = 1$$);
SELECT am_both($$SELECT * FROM conf ORDER BY k$$);
SELECT am_both($$UPDATE conf SET k = k + 1 WHERE k BETWEEN 10 AND 12$$);
SELECT am_both($$ALTER TABLE conf DROP CONSTRAINT conf_u_key, ADD UNIQUE (u) DEFERRABLE INITIALLY DEFERRED$$);
SELECT am_compact();
SELECT am_both($$WITH a AS (UPDATE conf SET u = 'swap' || k WHERE k < 5 RETURNING u), b AS (DELETE FROM conf WHERE k = 20 RETURNING u) SELECT * FROM a UNION ALL SELECT * FROM b ORDER BY 1$$);
SELECT am_both($$SELECT count(*), sum(v) FROM conf$$);

-- triggers: rows, statements with their tables, deferred; WHEN conditions
SELECT am_both($$CREATE TABLE trig (k int PRIMARY KEY, v text, doc colj); CREATE TABLE seen (n int GENERATED ALWAYS AS IDENTITY, what text)$$);
SELECT am_both($$CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
	INSERT INTO seen (what) VALUES (concat_ws('' '', TG_NAME, TG_OP, OLD::text, NEW::text)); RETURN coalesce(NEW, OLD); END';
	CREATE FUNCTION note_all() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
	INSERT INTO seen (what) SELECT concat_ws('' '', TG_NAME, o::text, n::text) FROM o FULL JOIN n USING (k) ORDER BY k; RETURN NULL; END';
	CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.v := NEW.v || '' changed''; RETURN NEW; END'$$);
SELECT am_both($$INSERT INTO trig SELECT g, 'v' || g, jsonb_build_object('k', g) FROM generate_series(1, 6) g$$);
SELECT am_compact();
SELECT am_both($$CREATE TRIGGER a_before BEFORE UPDATE OR DELETE ON trig FOR EACH ROW EXECUTE FUNCTION note();
	CREATE TRIGGER b_change BEFORE UPDATE ON trig FOR EACH ROW WHEN (OLD.k % 2 = 0) EXECUTE FUNCTION change();
	CREATE TRIGGER c_after AFTER UPDATE OR DELETE ON trig FOR EACH ROW WHEN ((OLD.doc->>'k')::int < 4) EXECUTE FUNCTION note();
	CREATE TRIGGER d_all AFTER UPDATE ON trig REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION note_all();
	CREATE CONSTRAINT TRIGGER e_late AFTER DELETE ON trig DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note()$$);
SELECT am_both($$UPDATE trig SET v = 'new' WHERE k IN (2, 3)$$);
SELECT am_both($$DELETE FROM trig WHERE k + 0 IN (1, 2, 5)$$);
SELECT am_both($$SELECT what FROM seen ORDER BY what$$);
SELECT am_both($$SELECT * FROM trig ORDER BY k$$);

-- foreign keys, to and from stripes
SELECT am_both($$CREATE TABLE par (k int PRIMARY KEY, alt text UNIQUE, v int);
	CREATE TABLE casc (id int PRIMARY KEY, k int REFERENCES par ON UPDATE CASCADE ON DELETE CASCADE);
	CREATE TABLE nul (id int PRIMARY KEY, alt text DEFAULT 'p9' REFERENCES par (alt) ON UPDATE SET DEFAULT ON DELETE SET NULL);
	CREATE TABLE restr (id int PRIMARY KEY, k int REFERENCES par DEFERRABLE INITIALLY DEFERRED);
	CREATE TABLE self (id int PRIMARY KEY, up int REFERENCES self)$$);
SELECT am_both($$INSERT INTO par SELECT g, 'p' || g, 0 FROM generate_series(1, 9) g; INSERT INTO casc SELECT g, 1 + g % 4 FROM generate_series(1, 20) g;
	INSERT INTO nul SELECT g, 'p' || 1 + g % 4 FROM generate_series(1, 8) g; INSERT INTO restr VALUES (1, 8);
	INSERT INTO self VALUES (1, NULL), (2, 1), (3, 2)$$);
SELECT am_compact();
SELECT am_both($$INSERT INTO casc VALUES (100, 77)$$);
SELECT am_both($$UPDATE casc SET k = 77 WHERE id = 1$$);
SELECT am_both($$UPDATE par SET k = 20 WHERE k = 2$$);
SELECT am_both($$DELETE FROM par WHERE k = 3$$);
SELECT am_both($$UPDATE par SET alt = 'other' WHERE k = 1$$);
SELECT am_both($$SELECT k, count(*) FROM casc GROUP BY k ORDER BY k$$);
SELECT am_both($$SELECT * FROM nul ORDER BY id$$);
SELECT am_both($$DELETE FROM self WHERE id = 1$$);
SELECT am_both($$DELETE FROM self WHERE id > 1$$);
SELECT am_both($$DELETE FROM self WHERE id = 1$$);
SELECT am_both($$SET CONSTRAINTS ALL IMMEDIATE; DELETE FROM par WHERE k = 8$$);
SELECT am_both($$ALTER TABLE casc DROP CONSTRAINT casc_k_fkey, ADD FOREIGN KEY (k) REFERENCES par$$);
SELECT am_both($$TRUNCATE par$$);

-- partitions and inheritance
SELECT am_both($$CREATE TABLE part (k int, v text, PRIMARY KEY (k)) PARTITION BY RANGE (k);
	CREATE TABLE part1 PARTITION OF part FOR VALUES FROM (1) TO (10); CREATE TABLE part2 (v text, extra int, k int NOT NULL);
	ALTER TABLE part2 DROP COLUMN extra; ALTER TABLE part ATTACH PARTITION part2 FOR VALUES FROM (10) TO (20);
	CREATE TABLE parent (k int, v text); CREATE TABLE child (more text) INHERITS (parent)$$);
SELECT am_both($$INSERT INTO part SELECT g, 'v' || g FROM generate_series(1, 19) g; INSERT INTO parent SELECT g, 'p' FROM generate_series(1, 3) g;
	INSERT INTO child SELECT g, 'c', 'm' FROM generate_series(3, 5) g$$);
SELECT am_compact();
SELECT am_both($$UPDATE part SET k = k + 10 WHERE k = 9 RETURNING k, v$$);
SELECT am_both($$DELETE FROM part WHERE k > 17$$);
SELECT am_both($$UPDATE part SET k = k + 10 WHERE k IN (8, 9) RETURNING k, v$$);
SELECT am_both($$INSERT INTO part VALUES (5, 'again'), (18, 'again') ON CONFLICT (k) DO UPDATE SET v = excluded.v RETURNING k, v$$);
SELECT am_both($$SELECT tableoid::regclass::text ~ 'part1', * FROM part ORDER BY k$$);
SELECT am_both($$UPDATE parent SET v = v || '+' WHERE k = 3$$);
SELECT am_both($$DELETE FROM parent WHERE k = 4$$);
SELECT am_both($$ALTER TABLE parent ADD COLUMN late int DEFAULT 3$$);
SELECT am_both($$SELECT tableoid::regclass::text ~ 'child', * FROM parent ORDER BY k, v, 1$$);
SELECT am_both($$SELECT * FROM child ORDER BY k$$);
SELECT am_both($$ALTER TABLE part DETACH PARTITION part2$$);
SELECT am_both($$SELECT * FROM part2 ORDER BY k$$);

-- row locks of every strength, also in subtransactions (EXCEPTION makes them)
SELECT am_both($$SELECT k FROM par WHERE k IN (4, 5) ORDER BY k FOR UPDATE$$);
SELECT am_both($$SELECT k FROM par WHERE k IN (4, 5) ORDER BY k FOR NO KEY UPDATE NOWAIT$$);
SELECT am_both($$SELECT k FROM par WHERE k IN (4, 5) ORDER BY k FOR SHARE SKIP LOCKED$$);
SELECT am_both($$SELECT k, id FROM par JOIN casc USING (k) ORDER BY k, id FOR KEY SHARE OF par$$);

-- materialized views, COPY, temporary and unlogged tables
SELECT am_both($$CREATE MATERIALIZED VIEW view AS SELECT k, count(*) AS n FROM casc GROUP BY k$$);
SELECT am_both($$CREATE UNIQUE INDEX ON view (k)$$);
SELECT am_compact();
SELECT am_both($$INSERT INTO casc VALUES (200, 4)$$);
SELECT am_both($$REFRESH MATERIALIZED VIEW CONCURRENTLY view$$);
SELECT am_both($$SELECT * FROM view ORDER BY k$$);
SELECT am_both($$REFRESH MATERIALIZED VIEW view$$);
SELECT am_both($$SELECT * FROM view ORDER BY k$$);

\pset format aligned
\pset tuples_only off

-- cursors: holdable ones go on after the rows have changed
CREATE TABLE am_cursor (k int PRIMARY KEY, v text) USING colj;
INSERT INTO am_cursor SELECT g, 'v' || g FROM generate_series(1, 10) g;
SELECT colj_compact('am_cursor');
BEGIN;
DECLARE held SCROLL CURSOR WITH HOLD FOR SELECT * FROM am_cursor ORDER BY k;
DECLARE old CURSOR FOR SELECT * FROM am_cursor;
FETCH 1 old;
UPDATE am_cursor SET v = 'changed' WHERE k = 2;
DELETE FROM am_cursor WHERE k = 3;
FETCH 3 old;
COMMIT;
FETCH 3 held;
DELETE FROM am_cursor WHERE k = 4;
FETCH BACKWARD 1 held;
FETCH LAST held;
CLOSE held;
-- WHERE CURRENT OF: a row that has been updated and deleted since
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM am_cursor WHERE k > 4;
FETCH 1 c;
UPDATE am_cursor SET v = 'current' WHERE CURRENT OF c;
UPDATE am_cursor SET v = 'once more' WHERE CURRENT OF c;
FETCH 1 c;
DELETE FROM am_cursor WHERE CURRENT OF c;
DELETE FROM am_cursor WHERE CURRENT OF c;
COMMIT;
BEGIN;
DECLARE c CURSOR FOR SELECT * FROM am_cursor WHERE k > 6 FOR UPDATE;
FETCH 1 c;
SAVEPOINT s;
UPDATE am_cursor SET v = 'undone' WHERE CURRENT OF c;
ROLLBACK TO s;
UPDATE am_cursor SET v = v || ' done' WHERE CURRENT OF c RETURNING *;
COMMIT;
SELECT * FROM am_cursor ORDER BY k;

-- changes are counted as what they are
CREATE TABLE am_counted (k int PRIMARY KEY, v text) USING colj;
INSERT INTO am_counted SELECT g, 'v' || g FROM generate_series(1, 10) g;
SELECT colj_compact('am_counted');
SELECT pg_stat_force_next_flush();
BEGIN;
UPDATE am_counted SET v = 'new' WHERE k < 4;
DELETE FROM am_counted WHERE k > 8;
INSERT INTO am_counted VALUES (11);
SELECT n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_xact_user_tables WHERE relid = 'am_counted'::regclass;
COMMIT;

DROP TABLE am_cursor, am_counted;
DROP SCHEMA am_heap, am_colj CASCADE;
DROP FUNCTION am_compact, am_run, am_both;
