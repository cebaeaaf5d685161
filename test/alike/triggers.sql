-- Triggers of every kind, foreign keys from and to rows of both stores.
CREATE TABLE log (n int GENERATED ALWAYS AS IDENTITY, what text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO log (what) VALUES (concat_ws(' ', TG_NAME, TG_WHEN, TG_LEVEL, TG_OP, CASE WHEN TG_LEVEL = 'ROW' THEN concat_ws(' -> ', OLD::text, NEW::text) END));
	RETURN coalesce(NEW, OLD);
END $$;
CREATE FUNCTION tables() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO log (what) SELECT concat_ws(' ', TG_NAME, 'new', count(*), sum(id), md5(string_agg(n::text, ',' ORDER BY id))) FROM n;
	ELSIF TG_OP = 'DELETE' THEN
		INSERT INTO log (what) SELECT concat_ws(' ', TG_NAME, 'old', count(*), sum(id), md5(string_agg(o::text, ',' ORDER BY id))) FROM o;
	ELSE
		INSERT INTO log (what) SELECT concat_ws(' ', TG_NAME, count(*), sum(o.id), md5(string_agg(concat(o, n), ',' ORDER BY id))) FROM o FULL JOIN n USING (id);
	END IF;
	RETURN NULL;
END $$;
CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.id % 10 = 0 THEN
		RETURN NULL;
	END IF;
	IF TG_OP = 'UPDATE' THEN
		NEW.doc := NEW.doc || colj_build_object('was', OLD.v);
		RETURN NEW;
	END IF;
	RETURN OLD;
END $$;
CREATE TABLE t (id int PRIMARY KEY, v text, doc colj);
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(1, 150) g;
SELECT half('t');
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g) FROM generate_series(151, 200) g;
SELECT cold('t');
CREATE TRIGGER t1 BEFORE INSERT OR UPDATE OR DELETE ON t FOR EACH STATEMENT EXECUTE FUNCTION note();
CREATE TRIGGER t2 AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH STATEMENT EXECUTE FUNCTION note();
CREATE TRIGGER t3 BEFORE UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION skip();
CREATE TRIGGER t4 AFTER UPDATE OF v OR DELETE ON t FOR EACH ROW WHEN (OLD.doc->>'k' > '14') EXECUTE FUNCTION note();
CREATE TRIGGER t5 AFTER UPDATE ON t REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION tables();
CREATE TRIGGER t6 AFTER DELETE ON t REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION tables();
CREATE TRIGGER t7 AFTER INSERT ON t REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION tables();
CREATE TRIGGER t8 BEFORE TRUNCATE ON t FOR EACH STATEMENT EXECUTE FUNCTION note();
CREATE CONSTRAINT TRIGGER t9 AFTER UPDATE OR DELETE ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note();
UPDATE t SET v = v || '!' WHERE id BETWEEN 145 AND 155;
UPDATE t SET doc = doc || '{"only": 1}' WHERE id IN (1, 160);
BEGIN;
DELETE FROM t WHERE id BETWEEN 146 AND 154;
UPDATE t SET v = 'then' WHERE id IN (2, 161);
DELETE FROM t WHERE id IN (2, 161);
COMMIT;
INSERT INTO t SELECT g, 'new' FROM generate_series(301, 350) g;
COPY t (id, v) FROM PROGRAM 'for i in 401 402 403; do printf "$i\tcopied\n"; done';
INSERT INTO t VALUES (3, 'up'), (162, 'up'), (500, 'up') ON CONFLICT (id) DO UPDATE SET v = excluded.v;
MERGE INTO t USING (VALUES (4), (163), (501)) s (i) ON id = i WHEN MATCHED AND i = 4 THEN UPDATE SET v = 'merged' WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (i, 'merged');
BEGIN;
TRUNCATE t;
ROLLBACK;
SELECT what FROM log ORDER BY n;
SELECT count(*), sum(id), md5(string_agg(t::text, ',' ORDER BY id)) FROM t;
-- a trigger that changes the row that fires it, and other rows of the table
CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE t SET v = 'meddled' WHERE id = OLD.id + 1;
	DELETE FROM t WHERE id = OLD.id + 2;
	RETURN NEW;
END $$;
DROP TRIGGER t3 ON t;
DROP TRIGGER t5 ON t;
CREATE TRIGGER m BEFORE UPDATE ON t FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION meddle();
UPDATE t SET v = 'direct' WHERE id IN (20, 170);
UPDATE t SET v = 'direct' WHERE id IN (30, 31, 180, 181);
SELECT id, v FROM t WHERE id BETWEEN 20 AND 34 OR id BETWEEN 170 AND 184 ORDER BY id;
CREATE FUNCTION itself() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET v = 'itself' WHERE id = OLD.id; RETURN NEW; END $$;
CREATE TRIGGER i BEFORE UPDATE ON t FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION itself();
UPDATE t SET v = 'direct' WHERE id = 40;
UPDATE t SET v = 'direct' WHERE id = 190;
-- instead, on a view; replica triggers
CREATE VIEW w AS SELECT id, v FROM t;
UPDATE w SET v = 'by view' WHERE id IN (350, 401) RETURNING *;
CREATE FUNCTION instead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t WHERE id = OLD.id; RETURN OLD; END $$;
CREATE TRIGGER inst INSTEAD OF DELETE ON w FOR EACH ROW EXECUTE FUNCTION instead();
DELETE FROM w WHERE id IN (5, 165) RETURNING id;
SET session_replication_role = replica;
UPDATE t SET v = 'silent' WHERE id IN (6, 166);
RESET session_replication_role;
SELECT count(*), sum(id), md5(string_agg(t::text, ',' ORDER BY id)), problems('t') FROM t;
SELECT count(*) FROM log;

-- foreign keys
CREATE TABLE p (id int PRIMARY KEY, alt int UNIQUE, v text);
CREATE TABLE c_cascade (id int PRIMARY KEY, p int REFERENCES p ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE c_null (id int PRIMARY KEY, p int REFERENCES p (alt) ON DELETE SET NULL ON UPDATE SET NULL, d int DEFAULT 1 REFERENCES p ON DELETE SET DEFAULT ON UPDATE CASCADE);
CREATE TABLE c_restrict (id int PRIMARY KEY, p int REFERENCES p ON DELETE RESTRICT);
CREATE TABLE c_late (id int PRIMARY KEY, p int REFERENCES p DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE tree (id int PRIMARY KEY, up int REFERENCES tree ON DELETE CASCADE);
INSERT INTO p SELECT g, g * 10, 'p' FROM generate_series(1, 80) g;
SELECT half('p');
INSERT INTO p SELECT g, g * 10, 'p' FROM generate_series(81, 100) g;
SELECT cold('p');
INSERT INTO c_cascade SELECT g, 1 + g % 100 FROM generate_series(1, 150) g;
INSERT INTO c_null SELECT g, 10 * (1 + g % 100), 1 + g % 100 FROM generate_series(1, 150) g;
INSERT INTO c_restrict VALUES (1, 70), (2, 90);
INSERT INTO c_late SELECT g, 1 + g % 100 FROM generate_series(1, 99) g;
INSERT INTO tree SELECT g, nullif(g / 2, 0) FROM generate_series(1, 150) g;
SELECT half(x) FROM unnest('{c_cascade,c_null,c_restrict,c_late,tree}'::regclass[]) x;
INSERT INTO c_cascade SELECT g, 1 + g % 100 FROM generate_series(151, 200) g;
INSERT INTO c_null SELECT g, 10 * (1 + g % 100), 1 + g % 100 FROM generate_series(151, 200) g;
INSERT INTO tree SELECT g, nullif(g / 2, 0) FROM generate_series(151, 200) g;
SELECT cold(x) FROM unnest('{c_cascade,c_null,c_restrict,c_late,tree}'::regclass[]) x;
CREATE VIEW fk AS SELECT (SELECT concat_ws(' ', count(*), sum(id), sum(alt)) FROM p) AS p, (SELECT concat_ws(' ', count(*), count(p), sum(p)) FROM c_cascade) AS c_cascade,
	(SELECT concat_ws(' ', count(*), count(p), sum(p), sum(d)) FROM c_null) AS c_null, (SELECT concat_ws(' ', count(*), count(p), sum(p)) FROM c_late) AS c_late,
	(SELECT concat_ws(' ', count(*), count(up), sum(up)) FROM tree) AS tree;
TABLE fk;
INSERT INTO c_cascade VALUES (1000, 1000);
DELETE FROM p WHERE id IN (70, 90);
DELETE FROM p WHERE id = 10;
BEGIN;
DELETE FROM p WHERE id IN (20, 95);
TABLE fk;
DELETE FROM c_late WHERE p IN (20, 95);
SAVEPOINT s;
UPDATE p SET id = id + 1000, alt = alt + 1000 WHERE id IN (30, 100);
TABLE fk;
ROLLBACK TO s;
UPDATE p SET v = 'not the key' WHERE id IN (30, 100);
COMMIT;
TABLE fk;
BEGIN;
UPDATE p SET id = id + 1000 WHERE id = 31;
COMMIT;
BEGIN;
INSERT INTO c_late VALUES (1000, 5000);
INSERT INTO p VALUES (5000, 50000);
COMMIT;
DELETE FROM tree WHERE id IN (3, 64);
TABLE fk;
UPDATE p SET alt = alt + 1 WHERE id IN (40, 99);
DELETE FROM c_late;
DELETE FROM c_restrict;
DELETE FROM p WHERE id > 50;
TABLE fk;
ALTER TABLE c_cascade DROP CONSTRAINT c_cascade_p_fkey, ADD FOREIGN KEY (p) REFERENCES p NOT VALID;
ALTER TABLE c_cascade VALIDATE CONSTRAINT c_cascade_p_fkey;
DELETE FROM p WHERE id = 1;
TRUNCATE p;
TRUNCATE p CASCADE;
TABLE fk;
SELECT problems(x) FROM unnest('{p,c_cascade,c_null,c_restrict,c_late,tree}'::regclass[]) x;
