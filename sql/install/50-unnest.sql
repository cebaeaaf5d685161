-- Documents as sets of rows.

CREATE FUNCTION colj_object_keys(colj)
RETURNS SETOF text
AS 'MODULE_PATHNAME', 'colj_object_keys'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

CREATE FUNCTION colj_each(from_json colj, OUT key text, OUT value colj)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'colj_each'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

CREATE FUNCTION colj_each_text(from_json colj, OUT key text, OUT value text)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'colj_each_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

CREATE FUNCTION colj_array_elements(from_json colj, OUT value colj)
RETURNS SETOF colj
AS 'MODULE_PATHNAME', 'colj_array_elements'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

CREATE FUNCTION colj_array_elements_text(from_json colj, OUT value text)
RETURNS SETOF text
AS 'MODULE_PATHNAME', 'colj_array_elements_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;
