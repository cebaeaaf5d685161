-- Cursors: every direction, holdable, WHERE CURRENT OF, across the border of the two stores.
CREATE TABLE t (id int PRIMARY KEY, v text, doc colj);
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g, 's', 's' || g % 7) FROM generate_series(1, 150) g;
SELECT half('t');
INSERT INTO t SELECT g, 'v' || g, colj_build_object('k', g, 's', 's' || g % 7) FROM generate_series(151, 200) g;
SELECT cold('t');
-- backward and forward over the whole
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, doc->>'s' AS s FROM t;
FETCH 2 c;
FETCH ABSOLUTE 64 c;
FETCH 3 c;
FETCH BACKWARD 4 c;
FETCH ABSOLUTE 149 c;
FETCH 4 c;
FETCH BACKWARD 5 c;
FETCH ABSOLUTE -1 c;
FETCH RELATIVE -49 c;
FETCH PRIOR c;
FETCH NEXT c;
FETCH LAST c;
FETCH NEXT c;
FETCH NEXT c;
FETCH PRIOR c;
FETCH FIRST c;
FETCH PRIOR c;
FETCH PRIOR c;
FETCH NEXT c;
MOVE FORWARD ALL c;
FETCH BACKWARD 2 c;
MOVE BACKWARD ALL c;
FETCH RELATIVE 0 c;
FETCH ABSOLUTE 0 c;
FETCH FORWARD 1 c;
FETCH BACKWARD 0 c;
COMMIT;
-- with a condition, and one that nothing meets
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM t WHERE id % 50 = 0;
FETCH ALL c;
FETCH BACKWARD ALL c;
FETCH ALL c;
DECLARE n SCROLL CURSOR FOR SELECT id FROM t WHERE doc->>'s' = 'none';
FETCH ALL n;
FETCH BACKWARD ALL n;
FETCH 1 n;
COMMIT;
-- a cursor does not see what comes after it
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, v FROM t;
FETCH 1 c;
DELETE FROM t WHERE id IN (2, 65, 151, 200);
UPDATE t SET v = 'new' WHERE id IN (3, 66, 152);
INSERT INTO t VALUES (1000, 'later');
FETCH 2 c;
FETCH ABSOLUTE 64 c;
FETCH 3 c;
FETCH ABSOLUTE 151 c;
FETCH 2 c;
FETCH LAST c;
FETCH BACKWARD 2 c;
DECLARE d CURSOR FOR SELECT count(*), sum(id), count(*) FILTER (WHERE v = 'new') FROM t;
FETCH 1 d;
ROLLBACK;
-- WHERE CURRENT OF, forward and backward, rows of either store, in and out of savepoints
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id, v FROM t WHERE id IN (1, 64, 65, 150, 151, 200);
FETCH 1 c;
UPDATE t SET v = v || ' a' WHERE CURRENT OF c RETURNING id, v;
FETCH 2 c;
SAVEPOINT s;
UPDATE t SET v = v || ' b' WHERE CURRENT OF c RETURNING id, v;
ROLLBACK TO s;
UPDATE t SET v = v || ' c' WHERE CURRENT OF c RETURNING id, v;
FETCH BACKWARD 1 c;
DELETE FROM t WHERE CURRENT OF c RETURNING id;
SAVEPOINT gone;
DELETE FROM t WHERE CURRENT OF c RETURNING id;
ROLLBACK TO gone;
FETCH 3 c;
SAVEPOINT s2;
DELETE FROM t WHERE CURRENT OF c RETURNING id, doc;
ROLLBACK TO s2;
UPDATE t SET doc = doc || '{"current": true}' WHERE CURRENT OF c RETURNING id, doc;
FETCH LAST c;
UPDATE t SET id = 300 WHERE CURRENT OF c RETURNING id, v;
FETCH NEXT c;
SAVEPOINT off;
UPDATE t SET id = 301 WHERE CURRENT OF c RETURNING id, v;
ROLLBACK TO off;
CLOSE c;
SELECT id, v, doc FROM t WHERE v <> 'v' || id OR doc ? 'current' ORDER BY id;
SELECT count(*), sum(id) FROM t;
ROLLBACK;
-- FOR UPDATE cursors
BEGIN;
DECLARE c CURSOR FOR SELECT id, v FROM t WHERE id > 148 FOR UPDATE;
FETCH 3 c;
UPDATE t SET v = 'locked' WHERE CURRENT OF c RETURNING id;
FETCH 1 c;
DELETE FROM t WHERE CURRENT OF c RETURNING id;
COMMIT;
DO $$
DECLARE
	r record;
	c CURSOR FOR SELECT * FROM t ORDER BY id FOR NO KEY UPDATE;
BEGIN
	OPEN c;
	LOOP
		FETCH c INTO r;
		EXIT WHEN NOT FOUND;
		IF r.id % 3 = 0 THEN
			UPDATE t SET v = r.v || '!' WHERE CURRENT OF c;
		ELSIF r.id % 40 = 1 THEN
			DELETE FROM t WHERE CURRENT OF c;
		END IF;
	END LOOP;
END $$;
SELECT count(*), sum(id), count(*) FILTER (WHERE v LIKE '%!'), md5(string_agg(v, ',' ORDER BY id)) FROM t;
-- a loop that changes what it reads, and commits in it
DO $$
DECLARE
	r record;
BEGIN
	FOR r IN SELECT * FROM t WHERE id > 100 ORDER BY id LOOP
		UPDATE t SET v = 'loop ' || r.id, doc = r.doc || '{"loop": 1}' WHERE id = r.id;
		IF r.id % 10 = 0 THEN
			COMMIT;
		ELSIF r.id % 10 = 5 THEN
			ROLLBACK;
		END IF;
	END LOOP;
END $$;
SELECT count(*), count(*) FILTER (WHERE v LIKE 'loop%'), count(*) FILTER (WHERE doc ? 'loop') FROM t;
-- holdable: after the commit the rows are those of before
BEGIN;
DECLARE h SCROLL CURSOR WITH HOLD FOR SELECT id, v, doc FROM t WHERE id BETWEEN 60 AND 156 ORDER BY id;
FETCH 2 h;
COMMIT;
UPDATE t SET v = 'after', doc = NULL WHERE id BETWEEN 60 AND 156;
FETCH 2 h;
FETCH LAST h;
FETCH BACKWARD 2 h;
TRUNCATE t;
FETCH ABSOLUTE 3 h;
CLOSE h;
-- one that is left open by a savepoint which is rolled back
INSERT INTO t SELECT g, 'v' || g FROM generate_series(1, 100) g;
SELECT half('t');
INSERT INTO t SELECT g, 'v' || g FROM generate_series(101, 130) g;
SELECT cold('t');
BEGIN;
SAVEPOINT s;
DECLARE c CURSOR FOR SELECT id FROM t;
FETCH 1 c;
ROLLBACK TO s;
FETCH 1 c;
ROLLBACK;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT id FROM t;
SAVEPOINT s;
FETCH 99 c \g /dev/null
DELETE FROM t;
FETCH 3 c;
ROLLBACK TO s;
FETCH BACKWARD 2 c;
FETCH 3 c;
COMMIT;
SELECT problems('t');
