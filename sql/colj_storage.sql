--
-- Stored documents: what is fetched of them, and what is kept.
--

-- Blocks that a query touches, once what it needs of the catalogs is cached.
-- An error, caught, empties the extension's own cache before the second run.
CREATE FUNCTION pg_temp.blocks(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE query;
	BEGIN
		RAISE 'undone';
	EXCEPTION WHEN OTHERS THEN NULL;
	END;
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::int + (plan #>> '{0,Plan,Shared Read Blocks}')::int;
END $$;

CREATE FUNCTION pg_temp.big(n int, items int) RETURNS text LANGUAGE sql AS $$
	SELECT json_build_object('id', n, 'name', 'document ' || n, 'flag', true, 'long', repeat('long ', 10) || n,
		'items', json_agg(json_build_object('i', i, 'code', md5(i::text || n), 'text', 'item number ' || i || ' of document ' || n)),
		'the_tail', json_build_object('end', n, 'note', 'the last object of document ' || n))::text
	FROM generate_series(1, items) i
$$;

-- EXTERNAL: out of line, not compressed; EXTENDED and MAIN: compressed.
CREATE TABLE colj_stored (kind text, n int, d colj COMPRESSION pglz, j jsonb COMPRESSION pglz);
ALTER TABLE colj_stored ALTER d SET STORAGE external, ALTER j SET STORAGE external;
INSERT INTO colj_stored SELECT 'external', n, t::colj, t::jsonb FROM (SELECT n, pg_temp.big(n, 6000) AS t FROM generate_series(1, 3) n) s;
ALTER TABLE colj_stored ALTER d SET STORAGE extended, ALTER j SET STORAGE extended;
INSERT INTO colj_stored SELECT 'pglz', n, replace(t, '"code"', '"same"')::colj, replace(t, '"code"', '"same"')::jsonb
	FROM (SELECT n, regexp_replace(pg_temp.big(n, 6000), '[0-9a-f]{32}', 'all the same all the same all', 'g') AS t FROM generate_series(1, 3) n) s;
INSERT INTO colj_stored SELECT 'inline pglz', n, t::colj, t::jsonb FROM (SELECT n, json_build_object('a', n, 'long', repeat('abc ', 1500) || n, 'z', json_build_array(n, 'z' || n))::text AS t FROM generate_series(1, 3) n) s;
INSERT INTO colj_stored SELECT 'inline', n, t::colj, t::jsonb FROM (SELECT n, pg_temp.big(n, 3) AS t FROM generate_series(1, 3) n) s;
INSERT INTO colj_stored SELECT 'short', n, t::colj, t::jsonb FROM (SELECT n, json_build_object('id', n)::text AS t FROM generate_series(1, 3) n) s;
SELECT kind, count(*), min(pg_column_size(d)) > 2000 AS large, min(pg_column_size(d)) < min(length(d::text)) / 2 AS half_the_text FROM colj_stored GROUP BY 1 ORDER BY 1;

-- Wherever it is stored, a document reads the same.
SELECT kind, n FROM colj_stored
WHERE d::text <> j::text OR d::jsonb <> j OR d ->> 'id' IS DISTINCT FROM j ->> 'id' OR d ->> 'long' IS DISTINCT FROM j ->> 'long'
   OR d -> 'items' -> 3000 ->> 'text' IS DISTINCT FROM j -> 'items' -> 3000 ->> 'text' OR d -> 'items' -> -1 ->> 'i' IS DISTINCT FROM j -> 'items' -> -1 ->> 'i'
   OR (d -> 'items' -> 2)::jsonb IS DISTINCT FROM j -> 'items' -> 2 OR d -> 'the_tail' ->> 'note' IS DISTINCT FROM j -> 'the_tail' ->> 'note' OR d ->> 'none' IS NOT NULL
   OR d ? 'the_tail' <> (j ? 'the_tail') OR d ?& '{id,name}' <> (j ?& '{id,name}') OR colj_typeof(d) <> 'object' OR colj_array_length(coalesce(d -> 'items', '[]')) <> jsonb_array_length(coalesce(j -> 'items', '[]'));
-- the same with a new cache for each accessor, so that each starts from nothing
CREATE TEMP TABLE read_alone (kind text, n int, got text, want text);
DO $$
DECLARE
	accessor text;
BEGIN
	FOREACH accessor IN ARRAY array['->> ''id''', '->> ''long''', '-> ''items'' -> 3000 ->> ''text''', '-> ''items'' -> -1 ->> ''i''', '-> ''the_tail'' ->> ''note''', '#>> ''{items,5999}''', '->> ''none''', '->> ''z'''] LOOP
		EXECUTE format('INSERT INTO read_alone SELECT kind, n, d %s, j %1$s FROM colj_stored', accessor);
		COMMIT;
	END LOOP;
END $$;
SELECT count(*), count(got) > 50 AS enough, count(*) FILTER (WHERE got IS DISTINCT FROM want) AS wrong FROM read_alone;

-- One key of a large uncompressed document: few blocks, wherever the key is.
SELECT pg_temp.blocks($$SELECT d ->> 'id' FROM colj_stored WHERE kind = 'external' AND n = 1$$) < 12 AS small_key,
	   pg_temp.blocks($$SELECT d ->> 'long' FROM colj_stored WHERE kind = 'external' AND n = 1$$) < 16 AS long_value,
	   pg_temp.blocks($$SELECT d -> 'the_tail' ->> 'end' FROM colj_stored WHERE kind = 'external' AND n = 1$$) < 20 AS at_the_end,
	   pg_temp.blocks($$SELECT d -> 'items' -> 3000 ->> 'code' FROM colj_stored WHERE kind = 'external' AND n = 1$$) < 30 AS in_the_middle,
	   pg_temp.blocks($$SELECT d::text FROM colj_stored WHERE kind = 'external' AND n = 1$$) > 50 AS whole,
	   pg_temp.blocks($$SELECT j ->> 'id' FROM colj_stored WHERE kind = 'external' AND n = 1$$) > 60 AS jsonb;
-- pglz: the heads of the documents only
SELECT pg_temp.blocks($$SELECT d ->> 'id' FROM colj_stored WHERE kind = 'pglz'$$) * 2
	 < pg_temp.blocks($$SELECT d::text FROM colj_stored WHERE kind = 'pglz'$$) AS head_is_cheap;

-- Several accessors on one document fetch it once, in whatever order.
SELECT pg_temp.blocks($$SELECT d::text, d -> 'items', d ->> 'id', d -> 'the_tail' ->> 'end', colj_typeof(d) FROM colj_stored WHERE kind = 'external'$$)
	<= pg_temp.blocks($$SELECT d::text FROM colj_stored WHERE kind = 'external'$$) + 3 AS whole_then_parts,
	   pg_temp.blocks($$SELECT d ->> 'id', d ->> 'name', d ->> 'flag', d ? 'id', d ->> 'none' FROM colj_stored WHERE kind = 'external'$$)
	<= pg_temp.blocks($$SELECT d ->> 'id' FROM colj_stored WHERE kind = 'external'$$) + 3 AS parts,
	   pg_temp.blocks($$SELECT i ->> 'code', d ->> 'id' FROM colj_stored, colj_array_elements(d -> 'items') i WHERE kind = 'external' AND n = 1$$)
	<= pg_temp.blocks($$SELECT d -> 'items' FROM colj_stored WHERE kind = 'external' AND n = 1$$) + 20 AS beside_its_elements,
	   pg_temp.blocks($$SELECT j ->> 'id', j ->> 'name' FROM colj_stored WHERE kind = 'external'$$)
	 > pg_temp.blocks($$SELECT j ->> 'id' FROM colj_stored WHERE kind = 'external'$$) * 1.5 AS not_so_jsonb;

-- What is kept follows what is stored.
BEGIN;
SELECT d ->> 'id', d ->> 'name' FROM colj_stored WHERE kind = 'external' AND n = 2;
UPDATE colj_stored SET d = replace(d::text, 'document 2', 'changed 2')::colj WHERE kind = 'external' AND n = 2;
SELECT d ->> 'id', d ->> 'name', d -> 'the_tail' ->> 'note' FROM colj_stored WHERE kind = 'external' AND n = 2;
SAVEPOINT s;
UPDATE colj_stored SET d = replace(d::text, 'changed 2', 'undone 2')::colj WHERE kind = 'external' AND n = 2;
SELECT d ->> 'name' FROM colj_stored WHERE kind = 'external' AND n = 2;
ROLLBACK TO s;
SELECT d ->> 'name', d -> 'the_tail' ->> 'note' FROM colj_stored WHERE kind = 'external' AND n = 2;
ROLLBACK;
SELECT d ->> 'name' FROM colj_stored WHERE kind = 'external' AND n = 2;
-- two documents at a time, and more than are kept
SELECT count(*), bool_and((a.d -> 'the_tail' ->> 'end')::int = a.n AND (b.d -> 'the_tail' ->> 'end')::int = b.n AND a.d ->> 'name' < b.d ->> 'name')
FROM colj_stored a, colj_stored b WHERE a.kind IN ('external', 'pglz') AND b.kind IN ('external', 'pglz', 'inline') AND a.n < b.n;

-- Memory: bounded while the transaction runs, given back at its end.
CREATE VIEW pg_temp.kept AS
	SELECT coalesce(sum(total_bytes), 0) AS bytes FROM pg_backend_memory_contexts WHERE name LIKE 'colj document%';
CREATE TABLE colj_heavy (n int, d colj);
ALTER TABLE colj_heavy ALTER d SET STORAGE external;
INSERT INTO colj_heavy SELECT n, json_build_object('id', n, 'text', repeat('0123456789', 700000), 'z', n)::text::colj FROM generate_series(1, 6) n;
INSERT INTO colj_heavy SELECT 7, json_build_object('id', 7, 'text', repeat('0123456789', 3500000), 'z', 7)::text::colj;
BEGIN;
SELECT count(d ->> 'id'), sum(length(d ->> 'text')), sum((d ->> 'z')::int) FROM colj_heavy;
SELECT bytes BETWEEN 7000000 AND 34000000 AS bounded FROM pg_temp.kept;
COMMIT;
SELECT bytes < 200000 AS given_back FROM pg_temp.kept;
SELECT pg_temp.blocks($$SELECT d ->> 'id', d ->> 'z' FROM colj_heavy WHERE n = 7$$) < 20 AS too_large_to_keep;
BEGIN;
SELECT count(d ->> 'id') FROM colj_heavy;
SAVEPOINT s;
SELECT 1 / 0;
ROLLBACK TO s;
SELECT bytes < 200000 AS given_back FROM pg_temp.kept;
SELECT d ->> 'id' FROM colj_heavy WHERE n = 3;
COMMIT;

-- lz4, where the server has it: no output.
SELECT 'lz4' = ANY (enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression' \gset
\if :lz4
DO $$
DECLARE
	wrong int;
BEGIN
	CREATE TEMP TABLE lz4 (n int, d colj COMPRESSION lz4);
	INSERT INTO lz4 SELECT n, d::text::colj FROM colj_stored WHERE kind = 'pglz';
	INSERT INTO lz4 SELECT n, d::text::colj FROM colj_stored WHERE kind = 'inline pglz';
	SELECT count(*) INTO wrong FROM lz4 WHERE pg_column_compression(d) <> 'lz4' OR d::text NOT IN (SELECT d::text FROM colj_stored s WHERE s.n = lz4.n)
		OR coalesce(d ->> 'id', d ->> 'a') <> n::text OR coalesce(d -> 'the_tail' ->> 'end', d -> 'z' ->> 0) <> n::text;
	IF wrong > 0 OR (SELECT count(*) FROM lz4) <> 6 THEN
		RAISE 'documents under lz4 do not read the same';
	END IF;
END $$;
\endif

-- Damage in what is fetched later is found when it is read.
CREATE CAST (bytea AS colj) WITHOUT FUNCTION;
CREATE CAST (colj AS bytea) WITHOUT FUNCTION;
CREATE TABLE colj_damaged (d colj);
ALTER TABLE colj_damaged ALTER d SET STORAGE external;
INSERT INTO colj_damaged SELECT substr(d::bytea, 1, length(d::bytea) - 1000)::colj FROM colj_stored WHERE kind = 'external' AND n = 1;
SELECT d ->> 'id' FROM colj_damaged;
SELECT d -> 'the_tail' ->> 'end' FROM colj_damaged;
SELECT length(d::text) FROM colj_damaged;
SELECT length(d::text) > 100000 AS fine FROM colj_stored WHERE kind = 'external' AND n = 1;
DROP CAST (bytea AS colj);
DROP CAST (colj AS bytea);
DROP TABLE colj_stored, colj_heavy, colj_damaged;
