/*
 * Compression: type modifiers, the cast that applies them, dictionaries.
 */
CREATE FUNCTION colj_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_typmod_in(cstring[]) IS 'I/O typmod';
CREATE FUNCTION colj_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_typmod_out(integer) IS 'I/O typmod';

ALTER TYPE colj SET (TYPMOD_IN = colj_typmod_in, TYPMOD_OUT = colj_typmod_out);

-- Immutable, since the document that comes out is the one that went in.
CREATE FUNCTION colj(colj, integer, boolean) RETURNS colj
    AS 'MODULE_PATHNAME', 'colj_apply_typmod' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj(colj, integer, boolean) IS 'store a document as its type modifier says';
CREATE CAST (colj AS colj) WITH FUNCTION colj(colj, integer, boolean) AS IMPLICIT;

CREATE FUNCTION colj_info(colj, OUT version integer, OUT stride integer,
        OUT codec text, OUT level integer, OUT dictionary text,
        OUT dictionary_version integer, OUT raw_bytes integer,
        OUT stored_bytes integer, OUT blocks integer, OUT shapes integer)
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_info(colj) IS 'how a document is stored';

/*
 * Dictionaries.  Their bytes are pieces of documents, so the table is for its
 * owner; the view shows the rest to everybody.  Reading compressed values takes
 * no privilege.  The columns are numbered in src/type/dictionary.h.
 */
CREATE SEQUENCE colj_dictionary_id AS integer;

CREATE TABLE colj_dictionary (
    id integer NOT NULL PRIMARY KEY CHECK (id > 0),
    name name NOT NULL,
    version integer NOT NULL,
    owner name NOT NULL,
    created timestamptz NOT NULL,
    documents bigint NOT NULL,
    samples integer NOT NULL,
    sample_bytes integer NOT NULL,
    bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 1048576)
) WITH (user_catalog_table = true);
ALTER TABLE colj_dictionary ALTER bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE colj_dictionary IS 'dictionaries that colj values are compressed with';
COMMENT ON COLUMN colj_dictionary.id IS 'what compressed values call it; new ones take the highest of a name';
COMMENT ON COLUMN colj_dictionary.name IS 'what type modifiers call it';
COMMENT ON COLUMN colj_dictionary.version IS 'counts how often the name was trained';
COMMENT ON COLUMN colj_dictionary.owner IS 'role that may train or drop it';
COMMENT ON COLUMN colj_dictionary.documents IS 'documents that the training query gave';
COMMENT ON COLUMN colj_dictionary.samples IS 'pieces of them that were used';
COMMENT ON COLUMN colj_dictionary.sample_bytes IS 'and their bytes';

CREATE VIEW colj_dictionaries AS
    SELECT id, name, version, owner, created, length(bytes) AS size,
        documents, samples, sample_bytes
    FROM colj_dictionary;
COMMENT ON VIEW colj_dictionaries IS 'dictionaries that colj values are compressed with';
GRANT SELECT ON colj_dictionaries TO PUBLIC;

-- Who creates the extension can dump and restore it.
ALTER SEQUENCE colj_dictionary_id OWNER TO @extowner@;
ALTER TABLE colj_dictionary OWNER TO @extowner@;
ALTER VIEW colj_dictionaries OWNER TO @extowner@;

CREATE FUNCTION colj_dictionary_changed() RETURNS trigger
    AS 'MODULE_PATHNAME' LANGUAGE C;
COMMENT ON FUNCTION colj_dictionary_changed() IS 'keeps dictionaries from changing, tells backends of new ones';
CREATE TRIGGER colj_dictionary_changed BEFORE INSERT OR UPDATE OR DELETE ON colj_dictionary
    FOR EACH ROW EXECUTE FUNCTION colj_dictionary_changed();
CREATE TRIGGER colj_dictionary_truncated BEFORE TRUNCATE ON colj_dictionary
    FOR EACH STATEMENT EXECUTE FUNCTION colj_dictionary_changed();
-- replicated rows make no noise otherwise
ALTER TABLE colj_dictionary ENABLE ALWAYS TRIGGER colj_dictionary_changed;
ALTER TABLE colj_dictionary ENABLE ALWAYS TRIGGER colj_dictionary_truncated;

CREATE FUNCTION colj_train_dictionary(name name, query text, size integer DEFAULT 0)
    RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION colj_train_dictionary(name, text, integer)
    IS 'make a dictionary, or its next version, from the documents that a query gives';
CREATE FUNCTION colj_drop_dictionary(name name, force boolean DEFAULT false)
    RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION colj_drop_dictionary(name, boolean)
    IS 'drop all versions of a dictionary that is not in use';

SELECT pg_catalog.pg_extension_config_dump('colj_dictionary', '');
SELECT pg_catalog.pg_extension_config_dump('colj_dictionary_id', '');
