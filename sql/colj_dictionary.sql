--
-- Trained dictionaries: making, using, owning and dropping them.
--

-- Documents that are like each other.
CREATE TABLE source (n int, doc jsonb);
INSERT INTO source SELECT n, jsonb_build_object('id', md5(n::text), 'type', (ARRAY['PushEvent', 'WatchEvent', 'ForkEvent'])[n % 3 + 1],
	'created_at', '2024-01-' || 10 + n % 20 || 'T00:00:' || 10 + n % 50 || 'Z', 'public', n % 7 > 0,
	'actor', jsonb_build_object('id', n, 'login', 'login' || n, 'url', 'https://api.example.org/users/login' || n),
	'repository', jsonb_build_object('id', n * 3, 'name', 'repository' || n % 10, 'url', 'https://api.example.org/repos/login' || n || '/repository' || n % 10))
	FROM generate_series(1, 2000) n;
CREATE FUNCTION pg_temp.forms(VARIADIC docs colj[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', codec, level, dictionary, dictionary_version), ', ' ORDER BY o)
	FROM unnest(docs) WITH ORDINALITY u(d, o), colj_info(d)
$$;

-- A column may name a dictionary that does not exist: it is done without.
CREATE TABLE events (n int, doc colj(zstd, events)) WITH (autovacuum_enabled = off);
INSERT INTO events SELECT * FROM source WHERE n % 2 = 0 AND n <= 200;
SELECT DISTINCT pg_temp.forms(doc) FROM events;
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'events'::regclass AND attname = 'doc';

-- Too little to train with.
SELECT colj_train_dictionary('events', 'SELECT doc FROM source WHERE false');
SELECT colj_train_dictionary('events', 'SELECT NULL::colj FROM source');
SELECT colj_train_dictionary('events', 'SELECT doc FROM source LIMIT 3');
SELECT * FROM colj_dictionaries;
INSERT INTO events SELECT * FROM source WHERE n = 1001;
SELECT count(*) FROM events WHERE doc ->> 'id' IS NOT NULL;

-- And enough.
SELECT colj_train_dictionary('events', 'SELECT doc FROM source WHERE n % 2 = 1', 4096);
SELECT name, version, owner = current_user AS mine, created <= clock_timestamp() AS created, size <= 4096 AS size,
	documents, samples, sample_bytes > 100000 AS bytes FROM colj_dictionaries;
INSERT INTO events SELECT * FROM source WHERE n % 2 = 0 AND n > 200;
SELECT pg_temp.forms(doc), count(*) FROM events GROUP BY 1 ORDER BY 1;
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'events'::regclass AND attname = 'doc';
SELECT count(*), bool_and(e.doc::jsonb = s.doc), bool_and(e.doc = s.doc::colj), bool_and(e.doc ->> 'type' = s.doc ->> 'type')
	FROM events e JOIN source s USING (n);
SELECT sum(pg_column_size(e.doc)) < 0.35 * sum(pg_column_size(s.doc)) AS small FROM events e JOIN source s USING (n);
-- assigning without the modifier gives what came too early its dictionary
UPDATE events SET doc = doc::colj WHERE n < 100;
SELECT pg_temp.forms(doc), count(*) FROM events GROUP BY 1 ORDER BY 1;
ALTER TABLE events ALTER doc TYPE colj(zstd, events) USING doc::colj;
SELECT pg_temp.forms(doc), count(*) FROM events GROUP BY 1 ORDER BY 1;
SELECT pg_temp.forms(doc::colj(zstd, events, 9), doc::colj(zstd), doc::colj(none), doc::colj::colj(zstd, events, 3)) FROM events LIMIT 1;

-- A document in blocks.
SELECT pg_temp.forms(d), blocks > 10, d::jsonb = j FROM (SELECT jsonb_agg(doc ORDER BY n) FROM source WHERE n <= 500) s(j),
	LATERAL (SELECT j::colj(zstd, events)) c(d), colj_info(d);

-- Training again: new values use the new version, old ones stay readable.
SELECT colj_train_dictionary('events', 'SELECT doc::text::json FROM source WHERE n % 2 = 1 AND n < 1500');
-- without a size it is as large as suits the documents: these are small
SELECT max(size) FILTER (WHERE version = 1) <= 4096 AS named, max(size) FILTER (WHERE version = 2) BETWEEN 4097 AND 16384 AS chosen FROM colj_dictionaries WHERE name = 'events';
INSERT INTO events SELECT 3000, doc FROM source WHERE n = 2;
SELECT pg_temp.forms(doc), count(*) FROM events GROUP BY 1 ORDER BY 1;
SELECT count(*), bool_and(e.doc::jsonb = s.doc) FROM events e JOIN source s USING (n);
SELECT a.doc = b.doc, colj_hash(a.doc) = colj_hash(b.doc), pg_temp.forms(a.doc, b.doc) FROM events a, events b WHERE a.n = 2 AND b.n = 3000;
SELECT pg_temp.forms(doc, doc::colj::colj(zstd, events)) FROM events WHERE n = 2;

-- What is undone was never there.
BEGIN;
SAVEPOINT s;
SELECT colj_train_dictionary('events', 'SELECT doc::colj FROM source', 2048);
INSERT INTO events SELECT 3001, doc FROM source WHERE n = 2;
SELECT pg_temp.forms(doc) FROM events WHERE n = 3001;
ROLLBACK TO s;
INSERT INTO events SELECT 3001, doc FROM source WHERE n = 2;
SELECT pg_temp.forms(doc) FROM events WHERE n = 3001;
COMMIT;
SELECT name, version FROM colj_dictionaries ORDER BY id;

-- Names and sizes.
SELECT colj_train_dictionary('17', 'SELECT doc FROM source');
SELECT colj_train_dictionary('', 'SELECT doc FROM source');
SELECT colj_train_dictionary('#events', 'SELECT doc FROM source');
SELECT colj_train_dictionary('events', 'SELECT doc FROM source', 1023);
SELECT colj_train_dictionary('events', 'SELECT doc FROM source', 1048577);
SELECT colj_train_dictionary('events', 'SELECT n FROM source');
SELECT colj_train_dictionary('events', 'SELECT doc, n FROM source');
SELECT colj_train_dictionary('events', 'DELETE FROM source');
SELECT colj_train_dictionary('events', 'SELECT doc FROM nowhere');
-- two names that have one hash
SELECT colj_train_dictionary('events124', 'SELECT doc FROM source', 2048);
SELECT colj_train_dictionary('events2354', 'SELECT doc FROM source', 2048);
SELECT colj_drop_dictionary('events2354');
SELECT colj_drop_dictionary('events124');
-- a name that must be quoted
SELECT colj_train_dictionary('The "select" (1)', 'SELECT doc FROM source', 2048);
CREATE TABLE quoted (doc colj(zstd, "The ""select"" (1)", 5));
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'quoted'::regclass AND attname = 'doc';
DROP TABLE quoted;
SELECT colj_drop_dictionary('The "select" (1)');

-- The rows cannot be changed.
UPDATE colj_dictionary SET bytes = '';
DELETE FROM colj_dictionary;
TRUNCATE colj_dictionary;

-- Rows that come from elsewhere: known ones do not come again, others take a
-- number that is free.
CREATE TEMP TABLE dumped AS SELECT * FROM colj_dictionary;
INSERT INTO colj_dictionary SELECT * FROM dumped;
INSERT INTO colj_dictionary SELECT id, 'other', version, owner, created, documents, samples, sample_bytes, bytes FROM dumped;
SELECT name, version, count(*), count(DISTINCT id) FROM colj_dictionaries GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(doc ->> 'id') FROM events;
\set VERBOSITY terse
INSERT INTO colj_dictionary SELECT * FROM dumped WHERE id = 0 UNION ALL SELECT 1000, 'bad', 1, '', now(), 1, 1, 1, '';
INSERT INTO colj_dictionary (id, name) VALUES (1, 'bad');
INSERT INTO colj_dictionary SELECT NULL, name, version, owner, created, documents, samples, sample_bytes, bytes FROM dumped LIMIT 1;
\set VERBOSITY default
-- a dictionary of garbage is one that nobody can use
INSERT INTO colj_dictionary VALUES (999, 'garbage', 1, 'nobody', now(), 1, 1, 1, '\x37a430ec00000000');
SELECT doc::colj(zstd, garbage) FROM events LIMIT 1;
SELECT colj_drop_dictionary('other'), colj_drop_dictionary('garbage');
-- the trigger is for its own table
CREATE TEMP TABLE strange (a int);
CREATE TRIGGER strange BEFORE INSERT ON strange FOR EACH ROW EXECUTE FUNCTION colj_dictionary_changed();
INSERT INTO strange VALUES (1);
SELECT colj_dictionary_changed();

-- Roles: everybody reads values, the owner trains and drops.
CREATE ROLE regress_colj_reader;
CREATE ROLE regress_colj_trainer;
GRANT SELECT ON events, source TO regress_colj_reader, regress_colj_trainer;
SET ROLE regress_colj_reader;
SET search_path = pg_catalog;
SELECT count(public.colj_object_field_text(doc, 'id')) FROM public.events;
RESET search_path;
SELECT count(*) FROM colj_dictionary;
SELECT count(*) FROM colj_dictionaries;
SELECT pg_temp.forms(doc::colj(zstd, events)) FROM source WHERE n = 1;
SELECT colj_train_dictionary('events', 'SELECT doc FROM source');
SELECT colj_train_dictionary('others', 'SELECT doc FROM source');
SELECT colj_drop_dictionary('events', true);
SELECT colj_train_dictionary('events', 'SELECT doc FROM colj_dictionary');
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_colj_trainer;
SET ROLE regress_colj_trainer;
SELECT colj_train_dictionary('others', 'SELECT doc FROM source', 2048);
SELECT colj_train_dictionary('others', 'SELECT doc FROM source', 2048);
SELECT name, version, owner FROM colj_dictionaries WHERE name = 'others';
SELECT colj_drop_dictionary('events');
RESET ROLE;
SET ROLE regress_colj_reader;
SELECT colj_drop_dictionary('others');
RESET ROLE;
SET ROLE regress_colj_trainer;
SELECT colj_drop_dictionary('others');
RESET ROLE;
SELECT count(*) FROM colj_dictionaries WHERE name = 'others';
REVOKE ALL ON SCHEMA public FROM regress_colj_trainer;
REVOKE ALL ON events, source FROM regress_colj_reader, regress_colj_trainer;
DROP ROLE regress_colj_reader, regress_colj_trainer;

-- Parallel workers find dictionaries too.
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(doc ->> 'id') FROM events;
SELECT count(doc ->> 'id') FROM events;
SELECT count(DISTINCT pg_column_size(doc::colj(zstd, events))) > 1 FROM source;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- In another schema.
CREATE SCHEMA elsewhere;
ALTER EXTENSION colj SET SCHEMA elsewhere;
SELECT count(elsewhere.colj_object_field_text(doc, 'id')) FROM events;
INSERT INTO events SELECT 3002, elsewhere.colj(doc) FROM source WHERE n = 3;
SELECT dictionary, dictionary_version FROM events, elsewhere.colj_info(doc) WHERE n = 3002;
ALTER EXTENSION colj SET SCHEMA public;
DROP SCHEMA elsewhere;

-- What is in use is not dropped by accident.
SELECT colj_drop_dictionary('nobody');
SELECT colj_drop_dictionary('events');
CREATE DOMAIN packed AS colj(zstd, events);
ALTER TABLE events ALTER doc TYPE colj;
SELECT colj_drop_dictionary('events');
DROP DOMAIN packed;
SELECT colj_drop_dictionary('events');
CREATE TYPE pair AS (n int, doc colj);
CREATE TABLE inside (docs colj[], pairs pair[]);
INSERT INTO inside (docs) SELECT array_agg(doc) FROM events WHERE n < 10;
INSERT INTO inside (pairs) SELECT array_agg((n, doc)::pair) FROM events WHERE n < 10;
CREATE TABLE large AS SELECT jsonb_agg(doc)::colj(zstd, events)::colj AS doc FROM source;
DROP TABLE events;
SELECT colj_drop_dictionary('events');
DELETE FROM inside WHERE docs IS NOT NULL;
VACUUM inside;
SELECT colj_drop_dictionary('events');
UPDATE inside SET pairs = NULL;
-- rows that are gone for this transaction, but not for all
SELECT colj_drop_dictionary('events');
VACUUM inside;
SELECT colj_drop_dictionary('events');
DROP TABLE large;
-- statistics have values too
CREATE TABLE counted (doc colj);
INSERT INTO counted SELECT doc::colj(zstd, events) FROM source, generate_series(1, 3) WHERE n < 50;
ANALYZE counted;
TRUNCATE counted;
SELECT colj_drop_dictionary('events');
DROP TABLE counted;
SELECT colj_drop_dictionary('events');
SELECT count(*) FROM colj_dictionaries;

-- With force, values lose their dictionary.
SELECT colj_train_dictionary('events', 'SELECT doc FROM source', 2048);
CREATE TABLE lost (n int, doc colj(zstd, events));
INSERT INTO lost SELECT * FROM source WHERE n = 1;
SELECT colj_drop_dictionary('events', force => true);
\set VERBOSITY sqlstate
SELECT doc FROM lost;
\set VERBOSITY default
INSERT INTO lost SELECT * FROM source WHERE n = 2;
SELECT n, doc -> 'actor' -> 'login' FROM lost WHERE n = 2;
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'lost'::regclass AND attname = 'doc';
DROP TABLE lost, inside, source;
DROP TYPE pair;
