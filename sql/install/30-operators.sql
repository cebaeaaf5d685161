-- Comparison, containment and jsonpath operators.

CREATE FUNCTION colj_lt(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_lt'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_le(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_le'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_eq(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_eq'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_ne(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_ne'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_ge(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_ge'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_gt(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_gt'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_cmp(colj, colj)
RETURNS integer
AS 'MODULE_PATHNAME', 'colj_cmp'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR < (
	FUNCTION = colj_lt,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = >,
	NEGATOR = >=,
	RESTRICT = scalarltsel,
	JOIN = scalarltjoinsel
);

CREATE OPERATOR <= (
	FUNCTION = colj_le,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = >=,
	NEGATOR = >,
	RESTRICT = scalarlesel,
	JOIN = scalarlejoinsel
);

CREATE OPERATOR = (
	FUNCTION = colj_eq,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES,
	MERGES
);

CREATE OPERATOR <> (
	FUNCTION = colj_ne,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);

CREATE OPERATOR >= (
	FUNCTION = colj_ge,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = <=,
	NEGATOR = <,
	RESTRICT = scalargesel,
	JOIN = scalargejoinsel
);

CREATE OPERATOR > (
	FUNCTION = colj_gt,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = <,
	NEGATOR = <=,
	RESTRICT = scalargtsel,
	JOIN = scalargtjoinsel
);

CREATE FUNCTION colj_contains(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_contains'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_contained(colj, colj)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_contained'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR @> (
	FUNCTION = colj_contains,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = <@,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);

CREATE OPERATOR <@ (
	FUNCTION = colj_contained,
	LEFTARG = colj,
	RIGHTARG = colj,
	COMMUTATOR = @>,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);

CREATE FUNCTION colj_path_exists_opr(colj, jsonpath)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_twin'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION colj_path_match_opr(colj, jsonpath)
RETURNS boolean
AS 'MODULE_PATHNAME', 'colj_twin'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR @? (
	FUNCTION = colj_path_exists_opr,
	LEFTARG = colj,
	RIGHTARG = jsonpath,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);

CREATE OPERATOR @@ (
	FUNCTION = colj_path_match_opr,
	LEFTARG = colj,
	RIGHTARG = jsonpath,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);
