--
-- Compression: type modifiers, the forms of a value, damaged bytes.
--

-- A document that compresses: about so many bytes.
CREATE FUNCTION pg_temp.sample(n int, bytes int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('id', n, 'kind', 'event', 'price', n / 4.0, 'last', 'z' || n, 'tags', jsonb_build_array('new', null, true),
		'items', jsonb_agg(jsonb_build_object('number', i, 'digest', md5(n || ' ' || i), 'title', 'A title like all others')))
	FROM generate_series(1, greatest(bytes / 75, 1)) i
$$;

-- Type modifiers, and what is none.
CREATE TABLE modifiers (a colj, b colj(none), c colj(zstd), d colj(zstd, 9), e colj(zstd, '#2a'),
	f colj(zstd, '#3fffff', 22), g colj(ZSTD, 3)[]);
SELECT format_type(atttypid, atttypmod), atttypmod FROM pg_attribute
	WHERE attrelid = 'modifiers'::regclass AND attnum > 0 ORDER BY attnum;
SELECT '1'::colj(lz4);
SELECT '1'::colj(none, 3);
SELECT '1'::colj(zstd, 0);
SELECT '1'::colj(zstd, 23);
SELECT '1'::colj(zstd, -1);
SELECT '1'::colj(zstd, 99999999999999999999);
SELECT '1'::colj(zstd, 3, 4);
SELECT '1'::colj(zstd, '#1', 3, 4);
SELECT '1'::colj(zstd, '');
SELECT '1'::colj(zstd, '#');
SELECT '1'::colj(zstd, '#0');
SELECT '1'::colj(zstd, '#400000');
SELECT '1'::colj(zstd, '#xyz');
SELECT '1'::colj(3);
-- a name may be a keyword, and need not be there yet
CREATE TABLE keyword (doc colj(zstd, "select"));
SELECT format_type(atttypid, atttypmod) FROM pg_attribute
	WHERE attrelid = 'keyword'::regclass AND attname = 'doc';
DROP TABLE modifiers, keyword;

-- One document in each form, and in each place.
CREATE TABLE forms (form text, size int, place text, doc colj);
ALTER TABLE forms ALTER doc SET STORAGE EXTERNAL;
CREATE TABLE compressed (LIKE forms);
ALTER TABLE compressed ALTER doc SET STORAGE EXTENDED;
INSERT INTO forms SELECT f, s, 'external', CASE f WHEN 'none' THEN d WHEN 'zstd' THEN d::colj(zstd)
	ELSE d::colj(zstd, 19) END
	FROM (VALUES ('none'), ('zstd'), ('best')) f(f), (VALUES (100), (1000), (5000), (40000), (1000000)) s(s),
	LATERAL (SELECT pg_temp.sample(s, s)::colj) d(d);
INSERT INTO compressed SELECT form, size, 'extended', doc FROM forms;
INSERT INTO forms SELECT * FROM compressed;
SELECT form, place, size, version, stride, codec, level, dictionary, blocks,
	abs(raw_bytes - size) < size / 2 + 200 AS about_that_size, stored_bytes < raw_bytes * 0.75 AS shrunk
	FROM forms, colj_info(doc) ORDER BY size, form, place;

-- All forms are one document, to every operation.
SELECT size, count(*), count(DISTINCT doc), count(DISTINCT doc::text), count(DISTINCT colj_hash(doc)),
	count(DISTINCT colj_hash_extended(doc, 1)), bool_and(doc::jsonb = pg_temp.sample(size, size)) AS same,
	bool_and(doc @> '{"kind": "event"}') AS contains, bool_and(doc ? 'last') AS has, min(doc ->> 'last') AS last,
	count(DISTINCT doc #>> '{items,0,digest}') AS digests, min(doc -> 'items' -> -1 ->> 'number') AS numbers
	FROM forms GROUP BY size ORDER BY size;
SELECT count(*), bool_and(a.doc = b.doc), bool_and(colj_cmp(a.doc, b.doc) = 0), bool_and(CASE WHEN size <= 5000 THEN a.doc @> b.doc END)
	FROM forms a JOIN forms b USING (size);
SELECT bool_and((a.doc < b.doc) = (a.doc::jsonb < b.doc::jsonb)) FROM forms a, forms b WHERE a.size <= 40000 AND b.size <= 40000;
-- several accessors on several documents at a time
SELECT count(*) FROM forms a JOIN forms b USING (size)
	WHERE (a.doc ->> 'last', a.doc -> 'price', b.doc ->> 'last', b.doc -> 'tags', a.doc -> 'tags')
		IS DISTINCT FROM (b.doc ->> 'last', b.doc -> 'price', a.doc ->> 'last', a.doc -> 'tags', b.doc -> 'tags');
SELECT size, count(DISTINCT doc || '{"kind": 1}'), count(DISTINCT doc - 'items'), count(DISTINCT colj_set(doc, '{price}', '1'))
	FROM forms GROUP BY size ORDER BY size;
SELECT form, place, (SELECT count(*) FROM colj_array_elements(doc -> 'items')), (SELECT count(*) FROM colj_each(doc)),
	jsonb_path_query_first(doc, '$.items[2].number')
	FROM forms WHERE size = 5000 ORDER BY form, place;

-- Indexes do not see the form.
CREATE TABLE indexed (n int, doc colj);
INSERT INTO indexed SELECT n, CASE n % 3 WHEN 0 THEN d WHEN 1 THEN d::colj(zstd) ELSE d::colj(zstd, 12) END
	FROM generate_series(1, 60) n, LATERAL (SELECT pg_temp.sample(n / 3, 500)::colj) d(d);
CREATE INDEX indexed_btree ON indexed (doc);
CREATE INDEX indexed_hash ON indexed USING hash (doc);
CREATE INDEX indexed_gin ON indexed USING gin (doc);
CREATE INDEX indexed_key ON indexed ((doc ->> 'last'));
SET enable_seqscan = off;
SELECT array_agg(n ORDER BY n) FROM indexed WHERE doc = pg_temp.sample(7, 500)::colj;
SELECT array_agg(n ORDER BY n) FROM indexed WHERE doc = pg_temp.sample(7, 500)::colj::colj(zstd, 5);
SELECT array_agg(n ORDER BY n) FROM indexed WHERE doc @> '{"last": "z7"}';
SELECT array_agg(n ORDER BY n) FROM indexed WHERE doc ->> 'last' = 'z7';
RESET enable_seqscan;
DELETE FROM indexed WHERE n < 3 OR n > 3 AND n % 3 > 0;
CREATE UNIQUE INDEX ON indexed (doc);
INSERT INTO indexed SELECT n, doc::colj(zstd, 19) FROM indexed ON CONFLICT (doc) DO NOTHING;
SELECT count(*) FROM (SELECT doc FROM indexed GROUP BY doc) d;
CREATE TABLE parted (doc colj) PARTITION BY HASH (doc);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT doc FROM indexed;
SELECT count(DISTINCT tableoid), count(*) FROM parted GROUP BY doc HAVING count(DISTINCT tableoid) > 1;

-- Assignment gives a value the column's form, and leaves alone what has it.
CREATE TABLE assigned (raw colj(none), packed colj(zstd), best colj(zstd, 19));
INSERT INTO assigned SELECT d, d, d FROM (SELECT pg_temp.sample(1, 1000)::colj) d(d);
INSERT INTO assigned SELECT packed, best, raw FROM assigned;
INSERT INTO assigned VALUES ('{"short": 1}', '{"short": 1}', '{"short": 1}');
CREATE FUNCTION pg_temp.forms(VARIADIC docs colj[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(concat_ws(' ', codec, level), ', ' ORDER BY o)
	FROM unnest(docs) WITH ORDINALITY u(d, o), colj_info(d)
$$;
SELECT pg_temp.forms(raw, packed, best) FROM assigned;
UPDATE assigned SET raw = colj_set(raw, '{kind}', '"changed"'), packed = colj_set(packed, '{kind}', '"changed"'),
	best['kind'] = '"changed"' WHERE packed ? 'kind';
SELECT pg_temp.forms(raw, packed, best), raw = packed, raw = best, raw ->> 'kind' FROM assigned;
ALTER TABLE assigned ALTER raw TYPE colj(zstd, 7), ALTER packed TYPE colj(none), ALTER best TYPE colj;
SELECT pg_temp.forms(raw, packed, best), raw = packed, raw = best, raw ->> 'kind' FROM assigned;
-- any level will do where none is named
ALTER TABLE assigned ALTER raw TYPE colj(zstd);
SELECT pg_temp.forms(raw) FROM assigned;
CREATE DOMAIN packed_colj AS colj(zstd, 4) CHECK (colj_typeof(VALUE) = 'object');
SELECT pg_temp.forms(pg_temp.sample(1, 1000)::colj::packed_colj, (ARRAY[pg_temp.sample(1, 1000)::colj]::colj(zstd, 6)[])[1]);
DO $$
DECLARE
	v colj(zstd, 8) := pg_temp.sample(1, 1000);
BEGIN
	RAISE NOTICE '%', (SELECT concat_ws(' ', codec, level) FROM colj_info(v));
	v := colj_set(v, '{kind}', '1');
	RAISE NOTICE '% %', v -> 'kind', (SELECT concat_ws(' ', codec, level) FROM colj_info(v));
END $$;
-- fast defaults
ALTER TABLE assigned ADD COLUMN added colj(zstd, 2) DEFAULT ('{"text": "' || repeat('ab', 200) || '"}')::colj;
SELECT DISTINCT pg_temp.forms(added), length(added ->> 'text') FROM assigned;

-- The settings are for values without a modifier, made from something else.
SHOW colj.compression;
SHOW colj.zstd_level;
SET colj.compression = 'zstd';
SET colj.zstd_level = 11;
SELECT pg_temp.forms(t::colj, t::json::colj, t::jsonb::colj, t::colj(none), t::colj(zstd), t::colj(zstd, 3),
	t::colj || '{}', '{"short": 1}') FROM (SELECT pg_temp.sample(1, 1000)::text) t(t);
SET colj.zstd_level = 23;
SET colj.compression = 'pglz';
RESET colj.zstd_level;
RESET colj.compression;

-- One key of a large document costs its own blocks.
CREATE FUNCTION pg_temp.blocks(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::int + (plan #>> '{0,Plan,Shared Read Blocks}')::int;
END $$;
CREATE TABLE large (doc colj(zstd));
ALTER TABLE large ALTER doc SET STORAGE EXTERNAL;
INSERT INTO large VALUES (pg_temp.sample(1, 1000000));
SELECT blocks > 100 AS cut, stored_bytes > 200000 AS long FROM large, colj_info(doc);
SELECT pg_temp.blocks('SELECT doc ->> ''last'' FROM large') < 12 AS in_head,
	pg_temp.blocks('SELECT doc -> ''items'' -> 9000 ->> ''title'' FROM large') < 24 AS element,
	pg_temp.blocks('SELECT doc -> ''items'' -> -1 ->> ''title'' FROM large') < 24 AS last_element,
	pg_temp.blocks('SELECT length(doc::text) FROM large') > 50 AS whole;
SELECT doc -> 'items' -> 9000 = pg_temp.sample(1, 1000000) -> 'items' -> 9000, doc::jsonb = pg_temp.sample(1, 1000000) FROM large;
-- noise is stored as it is
CREATE TABLE noise (doc colj(zstd));
INSERT INTO noise SELECT jsonb_agg(('x' || md5(i::text))::bit(64)::bigint) FROM generate_series(1, 8000) i;
SELECT codec, blocks FROM noise, colj_info(doc);

-- Damaged bytes, by way of casts that look into values.
CREATE CAST (bytea AS colj) WITHOUT FUNCTION;
CREATE CAST (colj AS bytea) WITHOUT FUNCTION;
CREATE FUNCTION pg_temp.outcome(value bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	message text;
	detail text;
	hint text;
BEGIN
	result := md5(value::colj::text);
	RETURN 'value';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws(' | ', sqlstate, message, detail, hint);
END $$;
SELECT x, outcome FROM (VALUES
	('\x12'), ('\x122303'), ('\x2223780055'), ('\x12437800550000106162010073'), ('\x1223ffffff'),
	-- sizes that cannot be true
	('\x1223fbffffff03004d000010'), ('\x1623fbffffff0300104d0000100000000000000000'), ('\x122300004d000010'),
	-- a dictionary that is not there, and a frame that is none
	('\x122378f0ff034d000010616201001234'), ('\x122378004d0000106162010012')) v(x),
	LATERAL pg_temp.outcome(x::bytea) outcome;
-- one byte after the other
CREATE TABLE damaged AS SELECT b, i, v FROM (SELECT pg_temp.sample(1, 400)::colj(zstd)::bytea) s(b),
	LATERAL generate_series(0, length(b) - 1) i, (VALUES (0), (85), (255)) v(v);
SELECT DISTINCT substr(pg_temp.outcome(set_byte(b, i, v)), 1, 5) AS outcome FROM damaged ORDER BY 1;
SELECT DISTINCT substr(pg_temp.outcome(substr(b, 1, i)), 1, 5) AS outcome FROM damaged WHERE i > 0 ORDER BY 1;
-- Core may compress a packed value once more, if a block that is stored as it
-- is lets it.
CREATE TABLE twice (doc colj COMPRESSION pglz);
INSERT INTO twice SELECT ('\x1223'::bytea || set_byte(set_byte('\x0000', 0, length(b) & 127 | 128), 1, length(b) >> 7) || '\x00' || b)::colj
	FROM (VALUES (1000), (3000)) v(n), LATERAL (SELECT jsonb_build_object('a', 1, 'long', repeat('long ', n), 'z', 'end')::colj::bytea) d(b);
INSERT INTO twice SELECT doc FROM twice;
SELECT pg_column_compression(doc), codec, doc -> 'a', length(doc ->> 'long'), doc ->> 'z' FROM twice, colj_info(doc);
DROP CAST (bytea AS colj);
DROP CAST (colj AS bytea);
DROP TABLE forms, compressed, indexed, parted, assigned, large, noise, twice, damaged;
DROP DOMAIN packed_colj;
