/* Twins: what jsonb has and the files before this one have not made. */

/*
 * Every function of core that takes or returns jsonb, of the server at hand.
 * Most of them are colj_twin, which finds its function of jsonb by name.
 */
DO $twins$
DECLARE
	/* those that work on the format directly */
	native CONSTANT text[] := '{colj_concat, colj_delete, colj_delete_array, colj_delete_idx, colj_delete_path,
		colj_insert, colj_set, colj_set_lax, colj_strip_nulls, colj_build_array, colj_build_object,
		colj_agg_transfn, colj_object_agg_transfn, colj_agg_finalfn}';
	twin record;
BEGIN
	FOR twin IN
		SELECT p.*,
			   replace(p.prosrc, 'jsonb', 'colj') AS symbol,
			   replace(p.proname, 'jsonb', 'colj') AS name,
			   replace(pg_catalog.pg_get_function_arguments(p.oid), 'jsonb', 'colj') AS arguments,
			   replace(pg_catalog.pg_get_function_result(p.oid), 'jsonb', 'colj') AS result
		FROM pg_catalog.pg_proc p
		WHERE p.pronamespace = 'pg_catalog'::regnamespace
		  AND p.prokind = 'f'
		  AND (p.proname LIKE '%jsonb%' OR p.prorettype = 'jsonb'::regtype
			   OR 'jsonb'::regtype = ANY (p.proargtypes))
		  AND p.proname <> 'jsonb_subscript_handler'
		ORDER BY p.oid
	LOOP
		CONTINUE WHEN EXISTS (
			SELECT FROM pg_catalog.pg_proc p
			WHERE p.proname = twin.name
			  AND p.pronamespace = (SELECT typnamespace FROM pg_catalog.pg_type WHERE oid = 'colj'::regtype)
			  AND p.proargtypes::oid[] = array_replace(twin.proargtypes::oid[], 'jsonb'::regtype::oid, 'colj'::regtype::oid));
		EXECUTE format('CREATE FUNCTION %I(%s) RETURNS %s AS %s %s %s PARALLEL %s COST %s %s',
			twin.name, twin.arguments, twin.result,
			format($$'MODULE_PATHNAME', %L LANGUAGE C$$,
				CASE WHEN twin.symbol = ANY (native) THEN twin.symbol
					 WHEN twin.symbol = 'to_colj' THEN 'colj_from_any'
					 WHEN twin.symbol = 'colj_agg_strict_transfn' THEN 'colj_agg_transfn'
					 WHEN twin.symbol = 'colj_object_agg_finalfn' THEN 'colj_agg_finalfn'
					 WHEN twin.symbol LIKE '%transfn' THEN 'colj_core_transfn'
					 WHEN twin.symbol IN ('colj_build_array_noargs', 'colj_build_object_noargs')
					 THEN replace(twin.symbol, '_noargs', '')
					 ELSE 'colj_twin' END),
			CASE twin.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
			CASE WHEN twin.proisstrict THEN 'STRICT' ELSE '' END,
			CASE twin.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' ELSE 'UNSAFE' END,
			twin.procost,
			CASE WHEN twin.proretset THEN 'ROWS ' || twin.prorows ELSE '' END);
	END LOOP;
END
$twins$;

/* Aggregates. */
DO $twins$
DECLARE
	twin record;
BEGIN
	FOR twin IN
		SELECT a.*, p.proname, p.proparallel,
			   replace(p.proname, 'jsonb', 'colj') AS name,
			   pg_catalog.pg_get_function_arguments(p.oid) AS arguments
		FROM pg_catalog.pg_aggregate a
		JOIN pg_catalog.pg_proc p ON p.oid = a.aggfnoid
		WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prorettype = 'jsonb'::regtype
		ORDER BY p.oid
	LOOP
		EXECUTE format(
			'CREATE AGGREGATE %I(%s) (SFUNC = %I, STYPE = internal, FINALFUNC = %I, PARALLEL = %s)',
			twin.name, twin.arguments,
			replace(twin.aggtransfn::text, 'jsonb', 'colj'), replace(twin.aggfinalfn::text, 'jsonb', 'colj'),
			CASE twin.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' ELSE 'UNSAFE' END);
	END LOOP;
END
$twins$;

CREATE OPERATOR || (LEFTARG = colj, RIGHTARG = colj, FUNCTION = colj_concat);
CREATE OPERATOR - (LEFTARG = colj, RIGHTARG = text, FUNCTION = colj_delete);
CREATE OPERATOR - (LEFTARG = colj, RIGHTARG = text[], FUNCTION = colj_delete);
CREATE OPERATOR - (LEFTARG = colj, RIGHTARG = integer, FUNCTION = colj_delete);
CREATE OPERATOR #- (LEFTARG = colj, RIGHTARG = text[], FUNCTION = colj_delete_path);

CREATE FUNCTION colj_subscript_handler(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION colj_subscript_handler(internal) IS 'colj subscripting logic';
ALTER TYPE colj SET (SUBSCRIPT = colj_subscript_handler);
