/*-------------------------------------------------------------------------
 *
 * gin.c
 *	  GIN operator classes colj_ops and colj_path_ops.
 *
 * The index entries are jsonb's: a document is turned into a jsonb and handed
 * to core.  What GIN asks afterwards (comparing entries, consistency) is about
 * entries alone, so the operator classes name core's functions for that.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "fmgr.h"
#include "utils/fmgrprotos.h"

#include "type/document.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_gin_extract);
PG_FUNCTION_INFO_V1(colj_gin_extract_query);
PG_FUNCTION_INFO_V1(colj_gin_extract_path);
PG_FUNCTION_INFO_V1(colj_gin_extract_query_path);

/* Put a jsonb in the place of the first argument, a colj. */
static void
convert_first_arg(FunctionCallInfo fcinfo)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	fcinfo->args[0].value = JsonbPGetDatum(colj_value_jsonb(doc, &doc->root));
}

/* The query of @> is a document; that of other operators is core's business. */
static void
convert_query(FunctionCallInfo fcinfo)
{
	StrategyNumber strategy = PG_GETARG_UINT16(2);

	if (strategy == JsonbContainsStrategyNumber)
		convert_first_arg(fcinfo);
}

/* (document, number of entries out, null flags out) to entries */
Datum
colj_gin_extract(PG_FUNCTION_ARGS)
{
	convert_first_arg(fcinfo);
	return gin_extract_jsonb(fcinfo);
}

/* (query, number out, strategy, ...) to the entries that it looks for */
Datum
colj_gin_extract_query(PG_FUNCTION_ARGS)
{
	convert_query(fcinfo);
	return gin_extract_jsonb_query(fcinfo);
}

/* As colj_gin_extract, for colj_path_ops. */
Datum
colj_gin_extract_path(PG_FUNCTION_ARGS)
{
	convert_first_arg(fcinfo);
	return gin_extract_jsonb_path(fcinfo);
}

/* As colj_gin_extract_query, for colj_path_ops. */
Datum
colj_gin_extract_query_path(PG_FUNCTION_ARGS)
{
	convert_query(fcinfo);
	return gin_extract_jsonb_query_path(fcinfo);
}
