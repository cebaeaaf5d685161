/*-------------------------------------------------------------------------
 *
 * pathcall.c
 *	  colj_path_exists, _match, _query, _query_first, _query_array and the
 *	  operators @? and @@, for simple jsonpaths.
 *
 * colj_twin asks here first whether the call can be answered without core.
 * It can when the path is one of the simple ones (jsonpath.c) and the answer
 * is no error.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "guc.h"
#include "type/pathcall.h"
#include "type/value.h"

ColjPathCall
colj_path_call_of(const char *name)
{
	static const struct
	{
		const char *name;
		ColjPathCall call;
	}			calls[] = {
		{"colj_path_exists", COLJ_PATH_EXISTS},
		{"colj_path_exists_opr", COLJ_PATH_EXISTS},
		{"colj_path_exists_tz", COLJ_PATH_EXISTS},
		{"colj_path_match", COLJ_PATH_MATCH},
		{"colj_path_match_opr", COLJ_PATH_MATCH},
		{"colj_path_match_tz", COLJ_PATH_MATCH},
		{"colj_path_query", COLJ_PATH_QUERY},
		{"colj_path_query_tz", COLJ_PATH_QUERY},
		{"colj_path_query_first", COLJ_PATH_FIRST},
		{"colj_path_query_first_tz", COLJ_PATH_FIRST},
		{"colj_path_query_array", COLJ_PATH_ARRAY},
		{"colj_path_query_array_tz", COLJ_PATH_ARRAY},
	};

	for (size_t i = 0; i < lengthof(calls); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].call;
	return COLJ_PATH_OTHER;
}

/* Core has an error for variables that are no object. */
static bool
variables_are_object(FunctionCallInfo fcinfo)
{
	ColjDoc		local;

	return fcinfo->nargs < 3 ||
		COLJ_GETARG(2, COLJ_NEED_PART, &local)->root.kind == COLJ_OBJECT;
}

/* What a predicate or a single boolean says; false if core has an error. */
static bool
answer_match(FunctionCallInfo fcinfo, ColjDoc *doc, const ColjPathItem *path, Datum *result)
{
	ColjMatches found = {.most = 2};
	ColjTruth	truth;

	if (colj_path_is_predicate(path))
	{
		truth = colj_path_test(doc, path);
		fcinfo->isnull = truth == COLJ_UNKNOWN;
		*result = BoolGetDatum(truth == COLJ_TRUE);
		return true;
	}
	colj_path_follow(doc, path, &found);
	if (found.n != 1 || found.values[0].kind != COLJ_BOOL)
		return false;
	*result = BoolGetDatum(found.values[0].integer != 0);
	return true;
}

static Datum
matches_array(ColjDoc *doc, const ColjMatches *found)
{
	ColjBuilder *b = colj_builder_acquire();

	colj_builder_begin_array(b);
	for (uint32 i = 0; i < found->n; i++)
		colj_ensure(colj_builder_part(b, doc, &found->values[i], colj_offset_stride), doc);
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/* A row for each value found. */
static void
put_matches(FunctionCallInfo fcinfo, ColjDoc *doc, const ColjMatches *found)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row_context;
	MemoryContext old;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC | MAT_SRF_BLESS);
	row_context = AllocSetContextCreate(CurrentMemoryContext, "colj row", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(row_context);
	for (uint32 i = 0; i < found->n; i++)
	{
		bool		isnull = false;
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		value = colj_value_datum(doc, &found->values[i]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, &value, &isnull);
		MemoryContextReset(row_context);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(row_context);
}

bool
colj_path_call(FunctionCallInfo fcinfo, ColjPathCall call, const ColjPathItem *path, Datum *result)
{
	bool		first = call == COLJ_PATH_EXISTS || call == COLJ_PATH_FIRST;
	ColjMatches found = {.most = first ? 1 : PG_UINT32_MAX};
	ColjDoc		local;
	ColjDoc    *doc;

	if (call == COLJ_PATH_OTHER || path == NULL || !variables_are_object(fcinfo) ||
		(colj_path_is_predicate(path) && call != COLJ_PATH_MATCH))
		return false;
	doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	*result = (Datum) 0;
	if (call == COLJ_PATH_MATCH)
		return answer_match(fcinfo, doc, path, result);
	colj_path_follow(doc, path, &found);
	if (call == COLJ_PATH_EXISTS)
		*result = BoolGetDatum(found.n > 0);
	else if (call == COLJ_PATH_ARRAY)
		*result = matches_array(doc, &found);
	else if (call == COLJ_PATH_QUERY)
		put_matches(fcinfo, doc, &found);
	else if (found.n > 0)
		*result = colj_value_datum(doc, &found.values[0]);
	else
		fcinfo->isnull = true;
	return true;
}
