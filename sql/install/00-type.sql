/*
 * The type and its input and output.
 */
CREATE TYPE colj;

CREATE FUNCTION colj_in(cstring, oid, integer) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION colj_out(colj) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION colj_recv(internal, oid, integer) RETURNS colj
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION colj_send(colj) RETURNS bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE colj (
    INPUT = colj_in,
    OUTPUT = colj_out,
    RECEIVE = colj_recv,
    SEND = colj_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = int4,
    STORAGE = extended
);

COMMENT ON TYPE colj IS 'JSON document, stored compactly and read in place';
COMMENT ON FUNCTION colj_in(cstring, oid, integer) IS 'I/O';
COMMENT ON FUNCTION colj_out(colj) IS 'I/O';
COMMENT ON FUNCTION colj_recv(internal, oid, integer) IS 'I/O';
COMMENT ON FUNCTION colj_send(colj) IS 'I/O';
