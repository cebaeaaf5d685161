--
-- Shredding: which key paths become columns, and that documents come back as they were.
--
SET colj.stripe_rows = 4096;
CREATE FUNCTION shred(t regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
	EXECUTE format('CREATE TEMP TABLE shred_before AS SELECT id, doc, doc::text AS t FROM %s', t);
	PERFORM colj_compact(t);
	EXECUTE format('SELECT count(*) FROM (SELECT id, doc::text FROM %s EXCEPT ALL SELECT id, t FROM shred_before) d', t) INTO n;
	DROP TABLE shred_before;
	RETURN format('differences %s, problems %s', n, (SELECT count(*) FROM colj_check(t)));
END $$;

-- dots, empty strings, prefixes, case, quotes and more in keys
CREATE TABLE shr (id int, doc colj) USING colj;
INSERT INTO shr SELECT g, format('{"": %s, "a": {"": {"": %s}, "b": %s}, "a.b": %s, "A": "%s", "aa": "x", "aA": [], "á": 1.50, "\"": true, "\\": null, " ": {}, "\u0001": 0, "$.a": [%s], "a\u002eb.c": "dots"}', g, g * 2, g * 3, -g, g, g)::colj
FROM generate_series(1, 200) g;
SELECT shred('shr');
SELECT path, type, present, min, max FROM colj_columns('shr') WHERE column_name = 'doc' ORDER BY path COLLATE "C";
SELECT doc->'a'->'b' AS nested, doc->'a.b' AS dotted, doc->'' AS empty, doc#>>'{a,"",""}' AS deep, doc->'A' AS upper, doc->'Aa' AS none FROM shr WHERE id = 7;
TRUNCATE shr;

-- absent, null, empty; SQL NULL; scalars and arrays as documents
INSERT INTO shr SELECT g, CASE g % 7 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN '{"a": null}' WHEN 3 THEN '{"a": {}}'
	WHEN 4 THEN '{"a": {"b": null}}' WHEN 5 THEN '{"a": {"b": 1}}' ELSE '{"a": {"c": [null, {}, []]}}' END::colj FROM generate_series(1, 700) g;
SELECT shred('shr');
SELECT path, type, present, nulls, mixed FROM colj_columns('shr') WHERE column_name = 'doc';
SELECT count(*), count(doc), count(doc->'a'), count(doc->>'a'), count(doc#>'{a,b}'), count(doc#>>'{a,b}'), count(*) FILTER (WHERE doc ? 'a') FROM shr;
TRUNCATE shr;
INSERT INTO shr SELECT g, CASE g % 5 WHEN 0 THEN '[1, [2, {"a": 3}]]' WHEN 1 THEN '"s"' WHEN 2 THEN '1.0' WHEN 3 THEN 'null' ELSE 'true' END::colj FROM generate_series(1, 300) g;
SELECT shred('shr');
TRUNCATE shr;

-- types that mix: a few of another type, many, integers among decimals, scales, numbers of all sizes
INSERT INTO shr SELECT g, jsonb_build_object('few', CASE WHEN g % 20 = 0 THEN to_jsonb('s' || g) ELSE to_jsonb(g) END,
	'many', CASE g % 3 WHEN 0 THEN to_jsonb(g) WHEN 1 THEN to_jsonb('s' || g) ELSE jsonb_build_object('x', g) END,
	'decimal', CASE WHEN g % 2 = 0 THEN to_jsonb(g) ELSE to_jsonb(g * 0.5) END,
	'scales', to_jsonb(round(g / 7.0, g % 6)), 'huge', to_jsonb((10::numeric ^ (g % 60))::numeric(80, 0) + g),
	'objects', CASE WHEN g % 10 = 0 THEN 'null' WHEN g % 11 = 0 THEN '[1]' ELSE jsonb_build_object('k', g) END,
	'bool', CASE WHEN g % 30 = 0 THEN to_jsonb(0) ELSE to_jsonb(g % 2 = 0) END)::colj FROM generate_series(1, 1000) g;
INSERT INTO shr VALUES (2001, '{"few": 9223372036854775807, "decimal": -9223372036854775808, "scales": 0.000000000000000001}'),
	(2002, '{"few": 9223372036854775808, "decimal": 1e400, "scales": 1.00}');
SELECT shred('shr');
SELECT path, type, present, nulls, mixed, min, max FROM colj_columns('shr') WHERE column_name = 'doc';
SELECT doc->'few' AS few, left(doc->>'decimal', 20) AS decimal, doc->'scales' AS scales, length(doc->>'huge') AS huge FROM shr WHERE doc->>'few' IN ('21', 's20', '9223372036854775808') ORDER BY id;
TRUNCATE shr;

-- the cap: the paths of most rows win; ids as keys are not followed
SET colj.max_paths = 10;
INSERT INTO shr SELECT g, (SELECT jsonb_object_agg('k' || k, k * g) FROM generate_series(1, 40) k WHERE g % k = 0)::colj FROM generate_series(1, 500) g;
SELECT shred('shr');
SELECT count(*), min(present), max(present) FROM colj_columns('shr') WHERE cardinality(path) > 0;
TRUNCATE shr;
SET colj.max_paths = 0;
INSERT INTO shr SELECT g, '{"a": 1}' FROM generate_series(1, 500) g;
SELECT shred('shr');
SELECT count(*) FROM colj_columns('shr') WHERE cardinality(path) > 0;
RESET colj.max_paths;
TRUNCATE shr;
INSERT INTO shr SELECT g, jsonb_build_object('type', 'users', 'users', (SELECT jsonb_object_agg(md5((g * 10 + k)::text), jsonb_build_object('name', 'n' || k, 'age', k)) FROM generate_series(1, 10) k))::colj
FROM generate_series(1, 2000) g;
SELECT shred('shr');
SELECT path, type, present FROM colj_columns('shr') WHERE column_name = 'doc';
SELECT doc->'users'->md5('12345')->'name' FROM shr WHERE doc->'users' ? md5('12345');
TRUNCATE shr;
INSERT INTO shr SELECT g, jsonb_build_object(g::text, jsonb_build_object('a', g))::colj FROM generate_series(1, 3000) g;
SELECT shred('shr');
SELECT count(*) FROM colj_columns('shr') WHERE column_name = 'doc' AND cardinality(path) > 0;
SELECT doc FROM shr WHERE id = 2999;
TRUNCATE shr;

-- depth
INSERT INTO shr SELECT g, (repeat('{"d": ', 60) || g || repeat('}', 60))::colj FROM generate_series(1, 100) g;
SELECT shred('shr');
SELECT max(cardinality(path)) FROM colj_columns('shr');
DROP TABLE shr;

-- STORAGE chooses the codec of what is compacted from then on
CREATE TABLE shr (id int, doc colj, t text) USING colj;
INSERT INTO shr SELECT g, jsonb_build_object('s', md5(g::text) || repeat(' other', g % 7) || g % 10), md5(g::text) || repeat(' other', g % 9) || g % 10 FROM generate_series(1, 500) g;
SELECT shred('shr');
SELECT column_name, path, codec, encoding FROM colj_columns('shr') WHERE type = 'string' OR column_name = 't';
SELECT stored_bytes AS zstd_bytes FROM colj_columns('shr') WHERE type = 'string' \gset
TRUNCATE shr;
ALTER TABLE shr ALTER doc SET STORAGE EXTERNAL, ALTER t SET STORAGE PLAIN;
INSERT INTO shr SELECT g, jsonb_build_object('s', md5(g::text) || repeat(' other', g % 7) || g % 10), md5(g::text) || repeat(' other', g % 9) || g % 10 FROM generate_series(1, 500) g;
SELECT shred('shr');
SELECT column_name, path, codec, encoding FROM colj_columns('shr') WHERE type = 'string' OR column_name = 't';
SELECT stored_bytes > :zstd_bytes AS larger FROM colj_columns('shr') WHERE type = 'string';
ALTER TABLE shr ALTER doc SET STORAGE MAIN, ALTER t SET STORAGE EXTENDED;
INSERT INTO shr SELECT g, jsonb_build_object('s', 'more ' || g), 'more ' || g FROM generate_series(501, 600) g;
SELECT shred('shr');
SELECT column_name, path, codec FROM colj_columns('shr') WHERE type = 'string' OR column_name = 't';

-- documents that are compressed by themselves
DROP TABLE shr;
SELECT colj_train_dictionary('shr', 'SELECT colj_build_object(''login'', ''user'' || g, ''url'', ''https://example.org/'' || g) FROM generate_series(1, 500) g', 1024) > 0;
CREATE TABLE shr (id int, doc colj(zstd), d colj(zstd, shr)) USING colj;
INSERT INTO shr SELECT g, d, d FROM generate_series(1, 300) g, LATERAL (SELECT colj_build_object('login', 'user' || g, 'url', 'https://example.org/' || g, 'text', repeat('long ', g))) d (d);
SELECT shred('shr');
SELECT count(*) FROM shr WHERE doc = d AND doc->>'login' = 'user' || id;
SELECT column_name, path, type, present FROM colj_columns('shr') WHERE column_name <> 'id';
DROP TABLE shr;
SELECT colj_drop_dictionary('shr');

-- jsonb is shredded, too, and comes back as the same jsonb; json stays text
CREATE TABLE shr_heap (id int, j jsonb, k json, n jsonb) USING heap;
INSERT INTO shr_heap SELECT g, CASE WHEN g % 9 > 0 THEN jsonb_build_object('n', g, 'dec', g * 0.25, 'name', 'name ' || g % 50, 'null', NULL,
	'in', jsonb_build_object('', g, 'big', (g || '0000000000000000000.50')::numeric), 'list', jsonb_build_array(g, 'x', NULL, jsonb_build_object('a', g))) END,
	json_build_object('n', g), CASE g % 6 WHEN 0 THEN '[]' WHEN 1 THEN 'null' WHEN 2 THEN '"s"' WHEN 3 THEN '1e10' WHEN 4 THEN '{}' ELSE '[[1.00, {"z": true}]]' END::jsonb
FROM generate_series(1, 600) g;
CREATE TABLE shr_j (LIKE shr_heap) USING colj;
INSERT INTO shr_j TABLE shr_heap;
CREATE INDEX ON shr_j USING gin (j);
CREATE INDEX ON shr_j ((j->>'name'));
SELECT colj_compact('shr_j');
SELECT column_name, path, type, present, min, max FROM colj_columns('shr_j') WHERE column_name <> 'id';
SELECT * FROM colj_check('shr_j');
SELECT count(*), count(*) FILTER (WHERE h.j IS DISTINCT FROM c.j OR h.n IS DISTINCT FROM c.n OR h::text IS DISTINCT FROM c::text) AS different,
	count(*) FILTER (WHERE jsonb_send(h.j) IS DISTINCT FROM jsonb_send(c.j) OR pg_column_size(h.j || '{}') <> pg_column_size(c.j || '{}')) AS other_bytes
FROM shr_heap h JOIN shr_j c USING (id);
SELECT id, j->'in'->'big' AS big, jsonb_typeof(n) AS typeof, j @> '{"name": "name 7"}' AS contains FROM shr_j WHERE j->>'name' = 'name 7' ORDER BY id LIMIT 3;
SET enable_seqscan = off;
SELECT count(*) FROM shr_j WHERE j @> '{"name": "name 7"}';
SELECT count(*) FROM shr_j WHERE j->>'name' = 'name 7';
RESET enable_seqscan;
SELECT count(*), jsonb_agg(n ORDER BY id) FILTER (WHERE id < 7), sum((j->>'n')::int), max(j->>'name') FROM shr_j;
SELECT count(DISTINCT j), count(DISTINCT n) FROM shr_j;
UPDATE shr_j SET j = j || '{"new": 1}' WHERE id = 5 RETURNING j->'new' AS new, j->'n' AS n;
DROP TABLE shr_heap, shr_j;
DROP FUNCTION shred;
