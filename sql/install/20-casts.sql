/*
 * Casts.  The functions are named after what they return, as core's are.
 * From and to text, a cast is the type's input or output function.
 */
CREATE FUNCTION jsonb(colj) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'colj_cast_to_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION jsonb(colj) IS 'convert colj to jsonb';
CREATE CAST (colj AS jsonb) WITH FUNCTION jsonb(colj) AS IMPLICIT;

CREATE FUNCTION colj(jsonb) RETURNS colj
    AS 'MODULE_PATHNAME', 'colj_cast_from_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj(jsonb) IS 'convert jsonb to colj';
CREATE CAST (jsonb AS colj) WITH FUNCTION colj(jsonb) AS ASSIGNMENT;

CREATE FUNCTION "json"(colj) RETURNS json
    AS 'MODULE_PATHNAME', 'colj_cast_to_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION "json"(colj) IS 'convert colj to json';
CREATE CAST (colj AS json) WITH FUNCTION "json"(colj) AS ASSIGNMENT;

CREATE FUNCTION colj(json) RETURNS colj
    AS 'MODULE_PATHNAME', 'colj_cast_from_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj(json) IS 'convert json to colj';
CREATE CAST (json AS colj) WITH FUNCTION colj(json) AS ASSIGNMENT;

CREATE FUNCTION bool(colj) RETURNS boolean
    AS 'MODULE_PATHNAME', 'colj_bool' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bool(colj) IS 'convert colj to boolean';
CREATE CAST (colj AS boolean) WITH FUNCTION bool(colj);

CREATE FUNCTION "numeric"(colj) RETURNS numeric
    AS 'MODULE_PATHNAME', 'colj_numeric' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION "numeric"(colj) IS 'convert colj to numeric';
CREATE CAST (colj AS numeric) WITH FUNCTION "numeric"(colj);

CREATE FUNCTION int2(colj) RETURNS smallint
    AS 'MODULE_PATHNAME', 'colj_int2' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION int2(colj) IS 'convert colj to int2';
CREATE CAST (colj AS smallint) WITH FUNCTION int2(colj);

CREATE FUNCTION int4(colj) RETURNS integer
    AS 'MODULE_PATHNAME', 'colj_int4' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION int4(colj) IS 'convert colj to int4';
CREATE CAST (colj AS integer) WITH FUNCTION int4(colj);

CREATE FUNCTION int8(colj) RETURNS bigint
    AS 'MODULE_PATHNAME', 'colj_int8' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION int8(colj) IS 'convert colj to int8';
CREATE CAST (colj AS bigint) WITH FUNCTION int8(colj);

CREATE FUNCTION float4(colj) RETURNS real
    AS 'MODULE_PATHNAME', 'colj_float4' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION float4(colj) IS 'convert colj to float4';
CREATE CAST (colj AS real) WITH FUNCTION float4(colj);

CREATE FUNCTION float8(colj) RETURNS double precision
    AS 'MODULE_PATHNAME', 'colj_float8' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION float8(colj) IS 'convert colj to float8';
CREATE CAST (colj AS double precision) WITH FUNCTION float8(colj);
