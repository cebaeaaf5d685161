/*
 * ANALYZE, and how many rows the operators select.
 */
CREATE FUNCTION colj_typanalyze(internal) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_typanalyze(internal) IS 'colj typanalyze';

ALTER TYPE colj SET (ANALYZE = colj_typanalyze);

CREATE FUNCTION colj_contains_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_contains_sel(internal, oid, internal, integer) IS 'restriction selectivity of @> for colj';

CREATE FUNCTION colj_contained_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_contained_sel(internal, oid, internal, integer) IS 'restriction selectivity of <@ for colj';

CREATE FUNCTION colj_exists_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists_sel(internal, oid, internal, integer) IS 'restriction selectivity of ? for colj';

CREATE FUNCTION colj_exists_any_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists_any_sel(internal, oid, internal, integer) IS 'restriction selectivity of ?| for colj';

CREATE FUNCTION colj_exists_all_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists_all_sel(internal, oid, internal, integer) IS 'restriction selectivity of ?& for colj';

CREATE FUNCTION colj_path_exists_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_path_exists_sel(internal, oid, internal, integer) IS 'restriction selectivity of @? for colj';

CREATE FUNCTION colj_path_match_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_path_match_sel(internal, oid, internal, integer) IS 'restriction selectivity of @@ for colj';

ALTER OPERATOR @> (colj, colj) SET (RESTRICT = colj_contains_sel);
ALTER OPERATOR <@ (colj, colj) SET (RESTRICT = colj_contained_sel);
ALTER OPERATOR ? (colj, text) SET (RESTRICT = colj_exists_sel);
ALTER OPERATOR ?| (colj, text[]) SET (RESTRICT = colj_exists_any_sel);
ALTER OPERATOR ?& (colj, text[]) SET (RESTRICT = colj_exists_all_sel);
ALTER OPERATOR @? (colj, jsonpath) SET (RESTRICT = colj_path_exists_sel);
ALTER OPERATOR @@ (colj, jsonpath) SET (RESTRICT = colj_path_match_sel);

/*
 * The other accessors have a support function; these get one so that the
 * planner loads the library, with its hooks, in time.
 */
CREATE FUNCTION colj_load_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_load_support(internal) IS
    'planner support that lets the library be loaded';

ALTER FUNCTION colj_extract_path(colj, text[]) SUPPORT colj_load_support;
ALTER FUNCTION colj_extract_path_text(colj, text[]) SUPPORT colj_load_support;

CREATE FUNCTION colj_bool_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_bool_support(internal) IS
    'planner support for the cast to boolean: how many rows it selects';

ALTER FUNCTION bool(colj) SUPPORT colj_bool_support;
