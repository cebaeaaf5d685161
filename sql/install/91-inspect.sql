/*
 * Looking into tables of the access method.
 */
CREATE FUNCTION colj_table_stats(regclass, OUT row_store_rows bigint, OUT row_store_bytes bigint,
        OUT stripes bigint, OUT column_store_rows bigint, OUT column_store_bytes bigint,
        OUT deleted_rows bigint, OUT toast_bytes bigint)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION colj_table_stats(regclass) IS 'how much of a table is in its row store and in its column store';

CREATE FUNCTION colj_stripes(regclass, OUT stripe bigint, OUT first_tid tid, OUT last_tid tid,
        OUT rows bigint, OUT deleted_rows bigint, OUT stored_bytes bigint)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION colj_stripes(regclass) IS 'the stripes of a table';

CREATE FUNCTION colj_columns(regclass, OUT column_name name, OUT path text[], OUT present bigint,
        OUT nulls bigint, OUT mixed bigint, OUT type text, OUT codec text, OUT encoding text,
        OUT raw_bytes bigint, OUT stored_bytes bigint, OUT min text, OUT max text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION colj_columns(regclass) IS 'the key paths that are columns in the stripes of a table';

CREATE FUNCTION colj_check(regclass, OUT stripe bigint, OUT problem text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION colj_check(regclass) IS 'problems in the column store of a table';
