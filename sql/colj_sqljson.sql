--
-- SQL/JSON of the grammar: what takes a colj by its cast to jsonb, and how the
-- rest is written.  PostgreSQL 15 has none of it, 16 the constructors and IS
-- JSON, 17 all.
--
CREATE TABLE sqljson (id int, doc colj);
INSERT INTO sqljson VALUES (1, '{"a": 1, "s": "x", "list": [{"n": 1}, {"n": 2}]}'), (2, '[1, 2]'), (3, '"x"');

-- IS JSON asks for text, json, jsonb or bytea.
SELECT id, doc IS JSON, doc IS JSON OBJECT, doc IS JSON ARRAY, doc IS JSON SCALAR FROM sqljson ORDER BY id;
SELECT id, doc::jsonb IS JSON OBJECT AS object, doc::jsonb IS JSON ARRAY AS "array", doc::jsonb IS JSON SCALAR AS scalar FROM sqljson ORDER BY id;

-- Constructors take a colj as a value, and give json, or jsonb, or colj by a cast.
SELECT JSON_OBJECT('doc': doc) FROM sqljson WHERE id = 1;
SELECT JSON_ARRAY(doc, 1) FROM sqljson WHERE id = 1;
SELECT JSON_OBJECT('doc': doc RETURNING jsonb)::colj FROM sqljson WHERE id = 1;
SELECT JSON_OBJECT('doc': doc RETURNING colj) FROM sqljson WHERE id = 1;
SELECT JSON_ARRAYAGG(doc ORDER BY id) FROM sqljson;
SELECT JSON_ARRAYAGG(doc ORDER BY id RETURNING colj) FROM sqljson;
SELECT JSON_OBJECTAGG(id: doc RETURNING jsonb) FROM sqljson;
SELECT JSON_SCALAR(1)::colj, JSON('{"a": 1}')::colj;
SELECT JSON_SERIALIZE(doc) FROM sqljson WHERE id = 1;
SELECT JSON_SERIALIZE(doc::json) FROM sqljson WHERE id = 1;

-- Query functions take a colj as the document.
SELECT id, JSON_EXISTS(doc, '$.a') FROM sqljson ORDER BY id;
SELECT id, JSON_VALUE(doc, '$.a' RETURNING int) FROM sqljson ORDER BY id;
SELECT id, JSON_QUERY(doc, '$.list') FROM sqljson ORDER BY id;
SELECT JSON_QUERY(doc, '$.list' RETURNING colj) FROM sqljson WHERE id = 1;
SELECT JSON_QUERY(doc, '$.list')::colj FROM sqljson WHERE id = 1;
SELECT id, t.* FROM sqljson, JSON_TABLE(doc, '$.list[*]' COLUMNS (i FOR ORDINALITY, n int PATH '$.n', whole jsonb PATH '$')) t ORDER BY id, i;
-- Columns and results of JSON_VALUE are jsonb where they may be strings or no scalars.
SELECT t.whole::colj, t.n::colj FROM sqljson, JSON_TABLE(doc, '$.list[*]' COLUMNS (whole jsonb PATH '$', n jsonb PATH '$.n')) t;
SELECT t.* FROM sqljson, JSON_TABLE(doc, '$.list[*]' COLUMNS (whole colj PATH '$', n colj PATH '$.n')) t;
SELECT JSON_VALUE(doc, '$.s' RETURNING jsonb)::colj, JSON_VALUE(doc, '$.s' RETURNING colj) FROM sqljson WHERE id = 1;
SELECT JSON_VALUE(doc, '$x' PASSING doc AS x) FROM sqljson WHERE id = 3;

DROP TABLE sqljson;
