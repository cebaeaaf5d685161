/*-------------------------------------------------------------------------
 *
 * subscript.c
 *	  doc['key'][0]: reading by path, and assignment in UPDATE and PL/pgSQL.
 *
 * A subscript is text (a key, or an array position) or an integer; integers
 * become text at execution, so that a path is what #> takes.  Reading follows
 * the path in the format.  Assignment goes through core's jsonb_set_element,
 * which knows when to make missing arrays and objects.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/execExpr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/subscripting.h"
#include "parser/parse_coerce.h"
#include "parser/parse_expr.h"
#include "utils/builtins.h"

#include "compat.h"
#include "type/document.h"
#include "type/path.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_subscript_handler);

/* The path of one subscripted reference while it is evaluated. */
typedef struct Workspace
{
	bool		expect_array;	/* assignment into NULL makes an array */
	Oid		   *types;			/* of each subscript: text or integer */
	Datum	   *path;			/* text of each subscript */
} Workspace;

static Node *
pick_type(ParseState *pstate, Node *subscript, Oid type, Oid *target)
{
	bool		as_int = type == UNKNOWNOID ? false : can_coerce_type(1, &type, &(Oid){INT4OID}, COERCION_IMPLICIT);
	bool		as_text = type == UNKNOWNOID ? true : can_coerce_type(1, &type, &(Oid){TEXTOID}, COERCION_IMPLICIT);

	if (as_int == as_text)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("subscript type %s is not supported", format_type_be(type)),
				 as_int ? errhint("colj subscript must be coercible to only one type, integer or text.")
				 : errhint("colj subscript must be coercible to either integer or text."),
				 parser_errposition(pstate, exprLocation(subscript))));
	*target = as_int ? INT4OID : TEXTOID;
	return coerce_type(pstate, subscript, type, *target, -1, COERCION_IMPLICIT,
					   COERCE_IMPLICIT_CAST, -1);
}

static void
reject_slice(ParseState *pstate, A_Indices *indices)
{
	Node	   *bound = indices->uidx != NULL ? indices->uidx : indices->lidx;

	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("colj subscript does not support slices"),
			 parser_errposition(pstate, exprLocation(bound))));
}

static void
transform(SubscriptingRef *ref, List *indirection, ParseState *pstate, bool is_slice,
		  bool is_assignment)
{
	ListCell   *cell;

	(void) is_assignment;
	foreach(cell, indirection)
	{
		A_Indices  *indices = lfirst_node(A_Indices, cell);
		Node	   *subscript;
		Oid			target;

		if (is_slice)
			reject_slice(pstate, indices);
		subscript = transformExpr(pstate, indices->uidx, pstate->p_expr_kind);
		subscript = pick_type(pstate, subscript, exprType(subscript), &target);
		ref->refupperindexpr = lappend(ref->refupperindexpr, subscript);
	}
	ref->reflowerindexpr = NIL;
	ref->refrestype = ref->refcontainertype;
	ref->reftypmod = -1;
}

/* Turn the evaluated subscripts into a path; false if one is NULL. */
static bool
check_subscripts(ExprState *state, ExprEvalStep *op, ExprContext *econtext)
{
	SubscriptingRefState *ref = op->d.sbsref_subscript.state;
	Workspace  *work = ref->workspace;

	(void) state;
	(void) econtext;
	for (int i = 0; i < ref->numupper; i++)
	{
		if (ref->upperindexnull[i])
		{
			if (ref->isassignment)
				ereport(ERROR,
						(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						 errmsg("colj subscript in assignment must not be null")));
			*op->resnull = true;
			return false;
		}
		work->path[i] = ref->upperindex[i];
		if (work->types[i] == INT4OID)
			work->path[i] = CStringGetTextDatum(DatumGetCString(DirectFunctionCall1(int4out, ref->upperindex[i])));
		if (i == 0)
			work->expect_array = work->types[i] == INT4OID;
	}
	return true;
}

/* The value at the path; NULL if there is none. */
static Datum
fetch_path(Datum container, const Workspace *work, int n, bool *isnull)
{
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc = colj_follow_path(container, work->path, n, &local, &value);

	*isnull = doc == NULL;
	return *isnull ? (Datum) 0 : colj_value_datum(doc, &value);
}

static void
fetch(ExprState *state, ExprEvalStep *op, ExprContext *econtext)
{
	SubscriptingRefState *ref = op->d.sbsref.state;

	(void) state;
	(void) econtext;
	*op->resvalue = fetch_path(*op->resvalue, ref->workspace, ref->numupper, op->resnull);
}

static void
fetch_old(ExprState *state, ExprEvalStep *op, ExprContext *econtext)
{
	SubscriptingRefState *ref = op->d.sbsref.state;

	(void) state;
	(void) econtext;
	ref->prevvalue = (Datum) 0;
	ref->prevnull = true;
	if (!*op->resnull)
		ref->prevvalue = fetch_path(*op->resvalue, ref->workspace, ref->numupper, &ref->prevnull);
}

static Jsonb *
datum_to_jsonb(Datum datum)
{
	ColjDoc		local;
	ColjDoc    *doc = colj_document_open(datum, COLJ_NEED_ALL, &local);

	return colj_value_jsonb(doc, &doc->root);
}

/* An empty array or object, for assignment into NULL. */
static Jsonb *
empty_container(bool array)
{
	JsonbValue	value;

	memset(&value, 0, sizeof(value));
	value.type = array ? jbvArray : jbvObject;
	return JsonbValueToJsonb(&value);
}

static void
assign(ExprState *state, ExprEvalStep *op, ExprContext *econtext)
{
	SubscriptingRefState *ref = op->d.sbsref.state;
	Workspace  *work = ref->workspace;
	JsonbValue	replacement;
	Jsonb	   *source;

	(void) state;
	(void) econtext;
	if (ref->replacenull)
		replacement.type = jbvNull;
	else
		JsonbToJsonbValue(datum_to_jsonb(ref->replacevalue), &replacement);
	source = *op->resnull ? empty_container(work->expect_array) : datum_to_jsonb(*op->resvalue);
	source = DatumGetJsonbP(jsonb_set_element(source, work->path, ref->numupper, &replacement));
	*op->resvalue = colj_from_jsonb(source);
	*op->resnull = false;
}

static void
exec_setup(const SubscriptingRef *ref, SubscriptingRefState *state, SubscriptExecSteps *methods)
{
	int			n = state->numupper;
	Workspace  *work = palloc0(sizeof(Workspace));
	ListCell   *cell;

	work->types = palloc(n * sizeof(Oid));
	work->path = palloc(n * sizeof(Datum));
	foreach(cell, ref->refupperindexpr)
		work->types[foreach_current_index(cell)] = exprType(lfirst(cell));
	state->workspace = work;
	methods->sbs_check_subscripts = check_subscripts;
	methods->sbs_fetch = fetch;
	methods->sbs_assign = assign;
	methods->sbs_fetch_old = fetch_old;
}

/* colj_subscript_handler(internal) returns internal: the type's SUBSCRIPT */
Datum
colj_subscript_handler(PG_FUNCTION_ARGS)
{
	static const SubscriptRoutines routines = {
		.transform = transform,
		.exec_setup = exec_setup,
		.fetch_strict = true,	/* reading from NULL gives NULL */
		.fetch_leakproof = true,	/* it raises no error about what it reads */
		.store_leakproof = false	/* assignment complains */
	};

	PG_RETURN_POINTER(&routines);
}
