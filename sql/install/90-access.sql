/*
 * The table access method.
 */
CREATE FUNCTION colj_tableam_handler(internal) RETURNS table_am_handler
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION colj_tableam_handler(internal) IS 'handler of the table access method colj';

CREATE ACCESS METHOD colj TYPE TABLE HANDLER colj_tableam_handler;
COMMENT ON ACCESS METHOD colj IS 'heap rows that become columns';

CREATE FUNCTION colj_compact(regclass) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION colj_compact(regclass) IS 'move rows that have settled into stripes; returns how many';
