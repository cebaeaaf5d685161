-- Index operator classes: btree, hash, GIN.

CREATE FUNCTION colj_hash(colj)
RETURNS integer
AS 'MODULE_PATHNAME', 'colj_hash'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_hash_extended(colj, bigint)
RETURNS bigint
AS 'MODULE_PATHNAME', 'colj_hash_extended'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR CLASS colj_ops
DEFAULT FOR TYPE colj USING btree AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 colj_cmp(colj, colj);

CREATE OPERATOR CLASS colj_ops
DEFAULT FOR TYPE colj USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 colj_hash(colj),
	FUNCTION 2 colj_hash_extended(colj, bigint);

-- What GIN asks about entries needs no document: core's functions answer.

CREATE FUNCTION gin_extract_colj(colj, internal, internal)
RETURNS internal
AS 'MODULE_PATHNAME', 'colj_gin_extract'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_extract_colj_query(colj, internal, smallint, internal, internal, internal, internal)
RETURNS internal
AS 'MODULE_PATHNAME', 'colj_gin_extract_query'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_consistent_colj(internal, smallint, colj, integer, internal, internal, internal, internal)
RETURNS boolean
AS 'gin_consistent_jsonb'
LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_triconsistent_colj(internal, smallint, colj, integer, internal, internal, internal)
RETURNS "char"
AS 'gin_triconsistent_jsonb'
LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_extract_colj_path(colj, internal, internal)
RETURNS internal
AS 'MODULE_PATHNAME', 'colj_gin_extract_path'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_extract_colj_query_path(colj, internal, smallint, internal, internal, internal, internal)
RETURNS internal
AS 'MODULE_PATHNAME', 'colj_gin_extract_query_path'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_consistent_colj_path(internal, smallint, colj, integer, internal, internal, internal, internal)
RETURNS boolean
AS 'gin_consistent_jsonb_path'
LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION gin_triconsistent_colj_path(internal, smallint, colj, integer, internal, internal, internal)
RETURNS "char"
AS 'gin_triconsistent_jsonb_path'
LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR CLASS colj_ops
DEFAULT FOR TYPE colj USING gin AS
	OPERATOR 7 @>,
	OPERATOR 9 ? (colj, text),
	OPERATOR 10 ?| (colj, text[]),
	OPERATOR 11 ?& (colj, text[]),
	OPERATOR 15 @? (colj, jsonpath),
	OPERATOR 16 @@ (colj, jsonpath),
	FUNCTION 1 gin_compare_jsonb(text, text),
	FUNCTION 2 gin_extract_colj(colj, internal, internal),
	FUNCTION 3 gin_extract_colj_query(colj, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 gin_consistent_colj(internal, smallint, colj, integer, internal, internal, internal, internal),
	FUNCTION 6 gin_triconsistent_colj(internal, smallint, colj, integer, internal, internal, internal),
	STORAGE text;

CREATE OPERATOR CLASS colj_path_ops
FOR TYPE colj USING gin AS
	OPERATOR 7 @>,
	OPERATOR 15 @? (colj, jsonpath),
	OPERATOR 16 @@ (colj, jsonpath),
	FUNCTION 1 btint4cmp(integer, integer),
	FUNCTION 2 gin_extract_colj_path(colj, internal, internal),
	FUNCTION 3 gin_extract_colj_query_path(colj, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 gin_consistent_colj_path(internal, smallint, colj, integer, internal, internal, internal, internal),
	FUNCTION 6 gin_triconsistent_colj_path(internal, smallint, colj, integer, internal, internal, internal),
	STORAGE integer;
