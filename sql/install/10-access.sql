/*
 * Accessors: ->, ->>, #>, #>>, ?, ?|, ?&, and what a document is.
 */
CREATE FUNCTION colj_get_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_get_support(internal) IS
    'planner support for accessors: folds chains of them into colj_get';

CREATE FUNCTION colj_object_field(from_json colj, field_name text) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_object_field(colj, text) IS 'implementation of -> operator';

CREATE FUNCTION colj_object_field_text(from_json colj, field_name text) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_object_field_text(colj, text) IS 'implementation of ->> operator';

CREATE FUNCTION colj_array_element(from_json colj, element_index integer) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_array_element(colj, integer) IS 'implementation of -> operator';

CREATE FUNCTION colj_array_element_text(from_json colj, element_index integer) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_array_element_text(colj, integer) IS 'implementation of ->> operator';

CREATE OPERATOR -> (
    LEFTARG = colj,
    RIGHTARG = text,
    FUNCTION = colj_object_field
);
COMMENT ON OPERATOR -> (colj, text) IS 'get colj object field';

CREATE OPERATOR ->> (
    LEFTARG = colj,
    RIGHTARG = text,
    FUNCTION = colj_object_field_text
);
COMMENT ON OPERATOR ->> (colj, text) IS 'get colj object field as text';

CREATE OPERATOR -> (
    LEFTARG = colj,
    RIGHTARG = integer,
    FUNCTION = colj_array_element
);
COMMENT ON OPERATOR -> (colj, integer) IS 'get colj array element';

CREATE OPERATOR ->> (
    LEFTARG = colj,
    RIGHTARG = integer,
    FUNCTION = colj_array_element_text
);
COMMENT ON OPERATOR ->> (colj, integer) IS 'get colj array element as text';

CREATE FUNCTION colj_extract_path(from_json colj, VARIADIC path_elems text[]) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_extract_path(colj, VARIADIC text[]) IS 'get value from colj with path elements';

CREATE FUNCTION colj_extract_path_text(from_json colj, VARIADIC path_elems text[]) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_extract_path_text(colj, VARIADIC text[]) IS 'get value from colj as text with path elements';

CREATE OPERATOR #> (
    LEFTARG = colj,
    RIGHTARG = text[],
    FUNCTION = colj_extract_path
);
COMMENT ON OPERATOR #> (colj, text[]) IS 'get value from colj with path elements';

CREATE OPERATOR #>> (
    LEFTARG = colj,
    RIGHTARG = text[],
    FUNCTION = colj_extract_path_text
);
COMMENT ON OPERATOR #>> (colj, text[]) IS 'get value from colj as text with path elements';

/*
 * Chains of -> and ->> with constant keys are folded into these.  They are
 * usable by themselves, too.
 */
CREATE FUNCTION colj_get(from_json colj, steps colj) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_get(colj, colj) IS 'get value from colj as a chain of -> does: steps is an array of object keys (strings) and array indexes (integers)';

CREATE FUNCTION colj_get_text(from_json colj, steps colj) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT colj_get_support;
COMMENT ON FUNCTION colj_get_text(colj, colj) IS 'get value from colj as a chain of -> that ends in ->> does: steps is an array of object keys (strings) and array indexes (integers)';

CREATE FUNCTION colj_exists(colj, text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists(colj, text) IS 'implementation of ? operator';

CREATE FUNCTION colj_exists_any(colj, text[]) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists_any(colj, text[]) IS 'implementation of ?| operator';

CREATE FUNCTION colj_exists_all(colj, text[]) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_exists_all(colj, text[]) IS 'implementation of ?& operator';

CREATE OPERATOR ? (
    LEFTARG = colj,
    RIGHTARG = text,
    FUNCTION = colj_exists,
    RESTRICT = matchingsel,
    JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ? (colj, text) IS 'key exists';

CREATE OPERATOR ?| (
    LEFTARG = colj,
    RIGHTARG = text[],
    FUNCTION = colj_exists_any,
    RESTRICT = matchingsel,
    JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ?| (colj, text[]) IS 'any key exists';

CREATE OPERATOR ?& (
    LEFTARG = colj,
    RIGHTARG = text[],
    FUNCTION = colj_exists_all,
    RESTRICT = matchingsel,
    JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ?& (colj, text[]) IS 'all keys exist';

CREATE FUNCTION colj_typeof(colj) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_typeof(colj) IS 'get the type of a colj value';

CREATE FUNCTION colj_array_length(colj) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_array_length(colj) IS 'length of colj array';

CREATE FUNCTION colj_pretty(colj) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_pretty(colj) IS 'indented text from colj';
