-- Operator classes: btree, hash, GIN; statistics; unique keys; partitions.

CREATE TABLE colj_indexed (id int PRIMARY KEY, doc colj);
INSERT INTO colj_indexed
SELECT i, format('{"id": %s, "kind": "%s", "tags": ["t%s", "t%s"], "deep": {"n": %s, "x": null}, "even": %s, "t%s": true}',
				 i, (ARRAY['red', 'green', 'blue'])[i % 3 + 1], i % 10, i % 17, i % 20, (i % 2 = 0)::text, i % 5)::colj
FROM generate_series(1, 1000) i;
INSERT INTO colj_indexed VALUES
	(2001, '[]'), (2002, '{}'), (2003, 'null'), (2004, '"red"'), (2005, '[1, "t1", null]'), (2006, '{"id": 1.00}'), (2007, '1'), (2008, '1.0'),
	(2009, '{"tags": "t1"}'), (2010, ('{"long": "' || repeat('x', 200) || '"}')::colj), (2011, NULL), (2012, '["kind"]'), (2013, '"t1"');
VACUUM ANALYZE colj_indexed;

-- Statistics.
SELECT attname, null_frac > 0 AS nulls, avg_width > 50 AS width, n_distinct, most_common_vals, histogram_bounds IS NOT NULL AS histogram
FROM pg_stats WHERE tablename = 'colj_indexed' AND attname = 'doc';
CREATE TABLE colj_few (doc colj);
INSERT INTO colj_few SELECT format('{"kind": %s}', i % 4)::colj FROM generate_series(1, 100) i;
ANALYZE colj_few;
SELECT n_distinct, most_common_vals, most_common_freqs, histogram_bounds FROM pg_stats WHERE tablename = 'colj_few';

-- What each question finds without an index, and then with each.
CREATE FUNCTION colj_found(question text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE 'SELECT concat(count(*), '' rows, ids '', sum(id)) FROM colj_indexed WHERE ' || question INTO result;
	RETURN result;
END
$$;
-- The nodes of a plan, and its index's conditions.
CREATE FUNCTION colj_plan(question text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE ' || question
	LOOP
		IF line ~ 'Scan|Index Cond' THEN
			result := result || ' ' || btrim(line);
		END IF;
	END LOOP;
	RETURN btrim(result);
END
$$;
CREATE TABLE colj_questions (id int GENERATED ALWAYS AS IDENTITY, gin text, question text, found text);
INSERT INTO colj_questions (gin, question) VALUES
	('@>', $$doc @> '{"kind": "red"}'$$), ('@>', $$doc @> '{"id": 1}'$$), ('@>', $$doc @> '{"id": 1.0, "kind": "green"}'$$),
	('@>', $$doc @> '{"tags": ["t1"]}'$$), ('@>', $$doc @> '{"tags": ["t1", "t2"]}'$$), ('@>', $$doc @> '{"deep": {"n": 7}}'$$),
	('@>', $$doc @> '{"deep": {"x": null}, "even": true}'$$), ('@>', $$doc @> '{"n": 7}'$$), ('@>', $$doc @> '{}'$$), ('@>', $$doc @> '[]'$$),
	('@>', $$doc @> '[1]'$$), ('@>', $$doc @> '1'$$), ('@>', $$doc @> '"t1"'$$), ('@>', $$doc @> '[null]'$$), ('@>', $$doc @> '["t1", 1]'$$),
	('@>', format($$doc @> '{"long": "%s"}'$$, repeat('x', 200))),
	('?', $$doc ? 't1'$$), ('?', $$doc ? 'kind'$$), ('?', $$doc ? 'red'$$), ('?', $$doc ? 'n'$$), ('?', $$doc ? ''$$),
	('?|', $$doc ?| '{t1,t2}'$$), ('?|', $$doc ?| '{nope,NULL}'$$), ('?|', $$doc ?| '{}'$$),
	('?&', $$doc ?& '{kind,t3}'$$), ('?&', $$doc ?& '{t1,t2}'$$), ('?&', $$doc ?& '{}'$$),
	('@?', $$doc @? '$.kind'$$), ('@?', $$doc @? '$.tags[*] ? (@ == "t1")'$$), ('@?', $$doc @? '$.deep ? (@.n == 3)'$$), ('@?', $$doc @? '$.id ? (@ > 990)'$$),
	('@@', $$doc @@ '$.kind == "blue"'$$), ('@@', $$doc @@ '$.deep.n == 3 && $.even == false'$$), ('@@', $$doc @@ 'exists($.t4)'$$), ('@@', $$doc @@ '$.id > 990'$$);
UPDATE colj_questions SET found = colj_found(question);
SELECT id, left(question, 60) AS question, found FROM colj_questions ORDER BY id;

SET enable_seqscan = off;
CREATE INDEX colj_gin ON colj_indexed USING gin (doc);
SELECT gin, count(*) AS questions, count(*) FILTER (WHERE colj_plan(question) LIKE 'Bitmap Heap Scan%Bitmap Index Scan on colj_gin Index Cond: (doc ' || gin || '%') AS use_index,
	   count(*) FILTER (WHERE colj_found(question) = found) AS found_the_same
FROM colj_questions GROUP BY gin ORDER BY gin COLLATE "C";
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc @> '{"kind": "red"}';
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc ?& '{kind,t3}';
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc @@ '$.kind == "red"';
DROP INDEX colj_gin;

CREATE INDEX colj_gin_path ON colj_indexed USING gin (doc colj_path_ops);
SELECT gin, count(*) AS questions, count(*) FILTER (WHERE colj_plan(question) LIKE 'Bitmap Heap Scan%Bitmap Index Scan on colj_gin_path Index Cond: (doc ' || gin || '%') AS use_index,
	   count(*) FILTER (WHERE colj_found(question) = found) AS found_the_same
FROM colj_questions GROUP BY gin ORDER BY gin COLLATE "C";
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc @> '{"kind": "red"}';
DROP INDEX colj_gin_path;

-- GIN follows changes.
CREATE INDEX colj_gin ON colj_indexed USING gin (doc) WITH (fastupdate = on);
UPDATE colj_indexed SET doc = '{"kind": "changed", "t1": 1}' WHERE id = 500;
DELETE FROM colj_indexed WHERE id = 501;
SELECT id, doc FROM colj_indexed WHERE doc @> '{"kind": "changed"}';
SELECT count(*) FROM colj_indexed WHERE doc @> '{"id": 501}';
VACUUM colj_indexed;
SELECT id, doc FROM colj_indexed WHERE doc @> '{"kind": "changed"}';
DROP INDEX colj_gin;

-- btree.
CREATE INDEX colj_btree ON colj_indexed USING btree (doc);
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc = '1';
SELECT id, doc FROM colj_indexed WHERE doc = '1' ORDER BY id;
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc <= '"red"' AND doc > '[]' ORDER BY doc;
SELECT id, doc FROM colj_indexed WHERE doc <= '"red"' ORDER BY doc;
SELECT id, doc FROM colj_indexed WHERE doc > '[1]' AND doc < '{"tags": "z"}' ORDER BY doc, id;
SELECT count(*) FROM colj_indexed WHERE doc >= '{}';
SELECT id, doc FROM colj_indexed WHERE doc IN ('1', '{"id": 1}', '{}', '"nope"') ORDER BY doc, id;
EXPLAIN (COSTS off) SELECT id FROM colj_indexed ORDER BY doc LIMIT 3;
SELECT id FROM colj_indexed ORDER BY doc DESC NULLS LAST LIMIT 3;
DROP INDEX colj_btree;

-- hash.
CREATE INDEX colj_hash_index ON colj_indexed USING hash (doc);
EXPLAIN (COSTS off) SELECT id FROM colj_indexed WHERE doc = '1.000';
SELECT id, doc FROM colj_indexed WHERE doc = '1.000' ORDER BY id;
SELECT id FROM colj_indexed WHERE doc = '{"id": 1}';
SELECT a.id, b.id FROM colj_indexed a JOIN colj_indexed b ON a.doc = b.doc AND a.id < b.id ORDER BY 1, 2;
DROP INDEX colj_hash_index;
RESET enable_seqscan;

-- Unique keys.
CREATE TABLE colj_unique (doc colj PRIMARY KEY);
INSERT INTO colj_unique VALUES ('{"a": 1}'), ('{"a": 2}');
INSERT INTO colj_unique VALUES ('{"a": 1.0}');
INSERT INTO colj_unique VALUES ('{"a": 1.0}') ON CONFLICT DO NOTHING;
INSERT INTO colj_unique VALUES ('{"a": 2.00}') ON CONFLICT (doc) DO UPDATE SET doc = excluded.doc RETURNING doc;

-- Grouping, by hash and by sort; joins of all kinds.
SELECT doc, count(*) FROM colj_few GROUP BY doc ORDER BY doc;
SET enable_hashagg = off;
SELECT doc, count(*) FROM colj_few GROUP BY doc ORDER BY doc;
RESET enable_hashagg;
SELECT count(DISTINCT doc) FROM colj_indexed;
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS off) SELECT count(*) FROM colj_few a JOIN colj_few b USING (doc);
SELECT count(*) FROM colj_few a JOIN colj_few b USING (doc);
RESET enable_mergejoin;
SET enable_hashjoin = off;
EXPLAIN (COSTS off) SELECT count(*) FROM colj_few a JOIN colj_few b USING (doc);
SELECT count(*) FROM colj_few a JOIN colj_few b USING (doc);
RESET enable_hashjoin;
RESET enable_nestloop;
SELECT count(*) FROM (SELECT '1'::colj UNION SELECT '1.0' UNION SELECT '[1]') x;

-- Partitions by hash and by range.
CREATE TABLE colj_parts (doc colj) PARTITION BY HASH (doc);
CREATE TABLE colj_parts_0 PARTITION OF colj_parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE colj_parts_1 PARTITION OF colj_parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO colj_parts SELECT format('{"n": %s}', i)::colj FROM generate_series(1, 10) i;
SELECT tableoid::regclass, doc FROM colj_parts ORDER BY doc;
SELECT tableoid::regclass, doc FROM colj_parts WHERE doc = '{"n": 3.0}';
CREATE TABLE colj_ranges (doc colj) PARTITION BY RANGE (doc);
CREATE TABLE colj_ranges_low PARTITION OF colj_ranges FOR VALUES FROM (MINVALUE) TO ('10');
CREATE TABLE colj_ranges_high PARTITION OF colj_ranges FOR VALUES FROM ('10') TO (MAXVALUE);
INSERT INTO colj_ranges VALUES ('null'), ('"a"'), ('9.99'), ('10.0'), ('11'), ('false'), ('{}');
SELECT tableoid::regclass, doc FROM colj_ranges ORDER BY doc;

DROP TABLE colj_indexed, colj_few, colj_unique, colj_questions, colj_parts, colj_ranges;
DROP FUNCTION colj_found, colj_plan;

-- The classes have the members of jsonb's.
WITH members AS (
	SELECT 'operator' AS what, amname, replace(opfname, 'jsonb', 'colj') AS family, amopstrategy AS number,
		   replace(amopopr::regoperator::text, 'jsonb', 'colj') AS member, opfname ~ 'jsonb' AS core
	FROM pg_amop JOIN pg_opfamily f ON amopfamily = f.oid JOIN pg_am a ON a.oid = opfmethod WHERE opfname ~ 'jsonb|colj'
	UNION ALL
	SELECT 'function', amname, replace(opfname, 'jsonb', 'colj'), amprocnum,
		   replace(replace(amproc::regprocedure::text, 'jsonb', 'colj'), 'gin_compare_colj', 'gin_compare_jsonb'), opfname ~ 'jsonb'
	FROM pg_amproc JOIN pg_opfamily f ON amprocfamily = f.oid JOIN pg_am a ON a.oid = opfmethod WHERE opfname ~ 'jsonb|colj'
	UNION ALL
	SELECT 'class', amname, replace(opcname, 'jsonb', 'colj'), opcdefault::int, opckeytype::regtype::text, opcname ~ 'jsonb'
	FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod WHERE opcname ~ 'jsonb|colj'
)
SELECT what, amname, family, number, member, count(*) FILTER (WHERE core) AS jsonb, count(*) FILTER (WHERE NOT core) AS colj
FROM members GROUP BY 1, 2, 3, 4, 5 HAVING count(*) <> 2 ORDER BY 1, 2, 3, 4;
SELECT amname, opcname, amvalidate(c.oid) FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod WHERE opcname ~ 'colj' ORDER BY 1, 2;
