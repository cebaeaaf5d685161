/*-------------------------------------------------------------------------
 *
 * twin.c
 *	  Functions of jsonb that serve colj through a conversion.
 *
 * colj has a twin for every function that the server has for jsonb.  Those
 * whose cost users feel work on the format directly; the others share one C
 * function, colj_twin.  It finds the function of core by name ("colj" in its
 * own name read as "jsonb", its argument types likewise), converts colj
 * arguments to jsonb, calls it, and converts a jsonb result back.  So a new
 * function of a new server needs no code here, only the declaration that
 * sql/install/60-twins.sql makes from the server's catalog.
 *
 * The function of core gets an FmgrInfo of its own, with our call expression,
 * so that it may keep its state in fn_extra (set-returning functions,
 * populate_record's cache) and resolve polymorphic types as always.  Arguments
 * are converted into a copy of the call: the executor keeps constants in the
 * original and does not set them again for the next row.
 *
 * Simple jsonpaths need no core, nor do records of simple columns: pathcall.c
 * and populate.c answer them.
 *
 * Errors of core that speak of jsonb are rephrased to speak of colj.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/document.h"
#include "type/requote.h"
#include "type/twin.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_twin);

/* A copy of text with each "colj" for a "jsonb", or the other way round. */
static char *
rename_type(const char *text, const char *from, const char *to)
{
	StringInfoData result;
	const char *hit;

	initStringInfo(&result);
	while ((hit = strstr(text, from)) != NULL)
	{
		appendBinaryStringInfo(&result, text, hit - text);
		appendStringInfoString(&result, to);
		text = hit + strlen(from);
	}
	appendStringInfoString(&result, text);
	return result.data;
}

/* The function of core with this name and these argument types. */
static Oid
find_core_function(const char *name, oidvector *argtypes)
{
	char	   *core_name = rename_type(name, "colj", "jsonb");
	Oid			oid = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
									  CStringGetDatum(core_name),
									  PointerGetDatum(argtypes),
									  ObjectIdGetDatum(PG_CATALOG_NAMESPACE));

	if (!OidIsValid(oid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function %s is not available on this server", name),
				 errdetail("It stands for pg_catalog.%s, which this server does not have with these argument types.", core_name),
				 errhint("After an upgrade of the server, run ALTER EXTENSION colj UPDATE.")));
	return oid;
}

/* Learn from the catalog what this twin stands for. */
static ColjTwin *
make_twin(FmgrInfo *flinfo)
{
	ColjTwin   *twin = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(ColjTwin));
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(flinfo->fn_oid));
	Form_pg_proc proc;
	oidvector  *argtypes;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", flinfo->fn_oid);
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	twin->colj = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("colj"),
								 ObjectIdGetDatum(proc->pronamespace));
	twin->nargs = proc->pronargs;
	twin->returns_colj = proc->prorettype == twin->colj;
	argtypes = buildoidvector(proc->proargtypes.values, proc->pronargs);
	for (int i = 0; i < proc->pronargs; i++)
	{
		twin->is_colj[i] = argtypes->values[i] == twin->colj;
		if (twin->is_colj[i])
			argtypes->values[i] = JSONBOID;
	}
	twin->filler = !colj_fills_records(NameStr(proc->proname)) ? -1 : proc->pronargs > 1 ? 1 : 0;
	twin->only_tells = proc->prorettype == BOOLOID;
	twin->path = proc->pronargs > 1 && argtypes->values[1] == JSONPATHOID ? 1 : -1;
	twin->path_call = colj_path_call_of(NameStr(proc->proname));
	twin->strict = strstr(NameStr(proc->proname), "_strict") != NULL;
	twin->context = flinfo->fn_mcxt;
	fmgr_info_cxt(find_core_function(NameStr(proc->proname), argtypes), &twin->core, flinfo->fn_mcxt);
	twin->core.fn_expr = flinfo->fn_expr;
	ReleaseSysCache(tuple);
	return twin;
}

/* Forget what was learned of an argument; what is learned next lives as long. */
static MemoryContext
begin_learning(ColjTwin *twin)
{
	if (twin->learned == NULL)
		twin->learned = AllocSetContextCreate(twin->context, "colj twin", ALLOCSET_SMALL_SIZES);
	twin->path_source = NULL;
	twin->simple = NULL;
	twin->desc = NULL;
	twin->columns = NULL;
	twin->prune = NULL;
	MemoryContextReset(twin->learned);
	return MemoryContextSwitchTo(twin->learned);
}

/* Is the record that is passed of a domain?  Its constraints are core's to check. */
static bool
is_domain_call(FunctionCallInfo outer)
{
	Oid			type = get_fn_expr_argtype(outer->flinfo, 0);

	return OidIsValid(type) && get_typtype(type) == TYPTYPE_DOMAIN;
}

/*
 * Learn what records are filled.  A type that is known from the call stays;
 * that of an anonymous record is looked at in each call.
 */
static void
prepare_records(ColjTwin *twin, FunctionCallInfo outer)
{
	MemoryContext old;

	if (twin->desc != NULL && get_fn_expr_argtype(outer->flinfo, 0) != RECORDOID)
		return;
	old = begin_learning(twin);
	twin->desc = colj_record_descriptor(outer, twin->colj);
	twin->requotes = twin->desc != NULL && colj_record_has_colj(twin->desc, twin->colj);
	twin->prune = twin->desc == NULL ? NULL : colj_prune_record(twin->desc);
	if (twin->desc != NULL && !twin->only_tells && !is_domain_call(outer))
		twin->columns = colj_simple_columns(twin->desc);
	MemoryContextSwitchTo(old);
}

/* Learn what a jsonpath looks at, unless it is that of the last call. */
static void
prepare_path(ColjTwin *twin, Datum path)
{
	struct varlena *source = PG_DETOAST_DATUM(path);
	MemoryContext old;

	if (twin->path_source != NULL && VARSIZE(twin->path_source) == VARSIZE(source) &&
		memcmp(twin->path_source, source, VARSIZE(source)) == 0)
		return;
	old = begin_learning(twin);
	twin->path_source = (struct varlena *) DatumGetPointer(datumCopy(PointerGetDatum(source), false, -1));
	twin->simple = colj_path_compile((JsonPath *) twin->path_source);
	twin->prune = colj_prune_path((JsonPath *) twin->path_source);
	MemoryContextSwitchTo(old);
}

static Datum
convert_argument(ColjTwin *twin, Datum value, bool prunable)
{
	const ColjPrune *prune = prunable ? twin->prune : NULL;
	ColjDoc		local;
	ColjDoc    *doc = colj_document_open(value, prune != NULL ? COLJ_NEED_PART : COLJ_NEED_ALL, &local);

	if (prune != NULL)
		return JsonbPGetDatum(colj_pruned_jsonb(doc, &doc->root, prune));
	return JsonbPGetDatum(colj_value_jsonb(doc, &doc->root));
}

/* Copy the call's arguments, colj ones converted. */
static void
copy_arguments(ColjTwin *twin, FunctionCallInfo outer, FunctionCallInfo inner)
{
	int			pruned = twin->path == 1 ? 0 : twin->filler;

	/*
	 * The later calls for one set look at the function's state only, which is
	 * gone when the executor gave up on the set.
	 */
	bool		later = twin->in_set && twin->core.fn_extra != NULL;

	memcpy(inner->args, outer->args, outer->nargs * sizeof(NullableDatum));
	if (later)
		return;
	if (twin->filler >= 0)
		prepare_records(twin, outer);
	if (twin->path >= 0 && !outer->args[twin->path].isnull)
		prepare_path(twin, outer->args[twin->path].value);
	for (int i = 0; i < Min(outer->nargs, twin->nargs); i++)
		if (twin->is_colj[i] && !outer->args[i].isnull)
			inner->args[i].value = convert_argument(twin, outer->args[i].value, i == pruned);
	if (twin->requotes && !inner->args[twin->filler].isnull)
		inner->args[twin->filler].value =
			JsonbPGetDatum(colj_requote(DatumGetJsonbP(inner->args[twin->filler].value),
										twin->desc, twin->colj));
}

/* Let an error of core speak of colj. */
static void
rethrow(MemoryContext context)
{
	ErrorData  *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	if (error->message != NULL)
		error->message = rename_type(error->message, "jsonb", "colj");
	if (error->detail != NULL)
		error->detail = rename_type(error->detail, "jsonb", "colj");
	if (error->hint != NULL)
		error->hint = rename_type(error->hint, "jsonb", "colj");
	ReThrowError(error);
}

Datum
colj_twin_call_core(FunctionCallInfo inner)
{
	MemoryContext context = CurrentMemoryContext;
	Datum		result = (Datum) 0;

	PG_TRY();
	{
		result = FunctionCallInvoke(inner);
	}
	PG_CATCH();
	{
		rethrow(context);
	}
	PG_END_TRY();
	return result;
}

/* How a call that may return a set ended: does it have a result, and more? */
static bool
has_result(ColjTwin *twin, FunctionCallInfo inner)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) inner->resultinfo;

	twin->in_set = false;
	if (!twin->core.fn_retset || rsinfo == NULL)
		return !inner->isnull;
	if (rsinfo->returnMode != SFRM_ValuePerCall || rsinfo->isDone == ExprEndResult)
		return false;
	twin->in_set = rsinfo->isDone == ExprMultipleResult;
	return !inner->isnull;
}

ColjTwin *
colj_twin_of(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = make_twin(fcinfo->flinfo);
	return fcinfo->flinfo->fn_extra;
}

/*
 * Answer a call with a simple jsonpath; false if core has to.
 */
static bool
call_with_path(ColjTwin *twin, FunctionCallInfo fcinfo, Datum *result)
{
	bool		later = twin->in_set && twin->core.fn_extra != NULL;

	if (twin->path < 0 || later || fcinfo->args[twin->path].isnull)
		return false;
	prepare_path(twin, fcinfo->args[twin->path].value);
	return colj_path_call(fcinfo, twin->path_call, twin->simple, result);
}

/*
 * Fill records of simple columns; false if core has to.
 */
static bool
call_with_record(ColjTwin *twin, FunctionCallInfo fcinfo, Datum *result)
{
	if (twin->filler < 0)
		return false;
	prepare_records(twin, fcinfo);
	return twin->columns != NULL &&
		colj_populate(fcinfo, twin->columns, twin->filler, twin->core.fn_retset, result);
}

/*
 * colj_twin(...) - the C function of every twin that has no own one
 *
 * Arguments, result and errors are those of the function of jsonb.
 */
Datum
colj_twin(PG_FUNCTION_ARGS)
{
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	ColjTwin   *twin = colj_twin_of(fcinfo);
	Datum		result;

	if (call_with_path(twin, fcinfo, &result) || call_with_record(twin, fcinfo, &result))
	{
		twin->in_set = false;
		return result;
	}
	InitFunctionCallInfoData(*inner, &twin->core, fcinfo->nargs, fcinfo->fncollation,
							 fcinfo->context, fcinfo->resultinfo);
	copy_arguments(twin, fcinfo, inner);
	result = colj_twin_call_core(inner);
	fcinfo->isnull = inner->isnull;
	if (has_result(twin, inner) && twin->returns_colj)
		result = colj_from_jsonb(DatumGetJsonbP(result));
	return result;
}
