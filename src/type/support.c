/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support: chains of accessors become one lookup.
 *
 * doc -> 'a' -> 0 ->> 'b' builds a colj for each step on the way.  When the
 * keys are constants, the planner gets colj_get_text(doc, '["a", 0, "b"]')
 * instead, which walks the path in place.  The planner simplifies arguments
 * first, so each call sees its argument already folded and adds its own step.
 * The expressions of indexes and partition keys pass through the same
 * simplification, so what matched before still matches.
 *
 * One thing must not be folded: an inner accessor that the query groups by.
 * With GROUPING SETS its value becomes NULL above the aggregate, which
 * happens by finding the grouped expression inside the target list; and even
 * without, folding would make the aggregate carry whole documents.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "type/document.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_get_support);

/* A call of a function that has this support function and a constant step. */
typedef struct Accessor
{
	Node	   *document;
	Const	   *step;			/* text: key, int4: index, else colj array */
} Accessor;

static bool
as_accessor(Node *node, Oid support, Accessor *accessor)
{
	List	   *args;
	Oid			function;

	if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		function = ((OpExpr *) node)->opfuncid;
		args = ((OpExpr *) node)->args;
	}
	else if (IsA(node, FuncExpr))
	{
		function = ((FuncExpr *) node)->funcid;
		args = ((FuncExpr *) node)->args;
	}
	else
		return false;
	if (list_length(args) != 2 || !IsA(lsecond(args), Const) ||
		get_func_support(function) != support)
		return false;
	accessor->document = linitial(args);
	accessor->step = lsecond(args);
	return !accessor->step->constisnull;
}

static Const *
text_const(const char *bytes, uint32 len)
{
	return makeConst(TEXTOID, -1, InvalidOid, -1,
					 PointerGetDatum(cstring_to_text_with_len(bytes, len)),
					 false, false);
}

static Const *
int_const(int32 i)
{
	return makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(i),
					 false, true);
}

/* A step constant as a list of simple ones; NIL if colj_get would refuse it. */
static List *
simple_steps(const Const *step)
{
	List	   *steps = NIL;
	ColjDoc		local;
	ColjDoc    *doc;
	ColjIter	iter;
	ColjValue	v;

	if (step->consttype == INT4OID)
		return list_make1(int_const(DatumGetInt32(step->constvalue)));
	if (step->consttype == TEXTOID)
	{
		text	   *key = DatumGetTextPP(step->constvalue);

		return list_make1(text_const(VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)));
	}
	doc = colj_document_open(step->constvalue, COLJ_NEED_ALL, &local);
	if (doc->root.kind != COLJ_ARRAY)
		return NIL;
	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	while (colj_found(colj_iter_next(&iter, NULL, &v), doc))
	{
		if (v.kind == COLJ_STRING)
			steps = lappend(steps, text_const(colj_bytes(doc, &v), v.len));
		else if (v.kind == COLJ_INT && v.integer == (int32) v.integer)
			steps = lappend(steps, int_const((int32) v.integer));
		else
			return NIL;
	}
	return steps;
}

static bool is_grouped(PlannerInfo *root, Oid support, Node *node);

/*
 * Take accessors off a node as long as they may be folded; puts their steps
 * in front of *steps and returns what is left.  root may be NULL.
 */
static Node *
split_chain(PlannerInfo *root, Oid support, Node *node, List **steps)
{
	Accessor	accessor;

	while (as_accessor(node, support, &accessor) && !is_grouped(root, support, node))
	{
		List	   *own = simple_steps(accessor.step);

		if (own == NIL)
			break;
		*steps = list_concat(own, *steps);
		node = accessor.document;
	}
	return node;
}

static bool
same_chain(Oid support, Node *a, Node *b)
{
	List	   *a_steps = NIL;
	List	   *b_steps = NIL;

	a = split_chain(NULL, support, a, &a_steps);
	b = split_chain(NULL, support, b, &b_steps);
	return equal(a, b) && equal(a_steps, b_steps);
}

/*
 * Whether the query groups by this accessor.  With grouping sets any grouped
 * accessor will do: there a mistake would be a wrong result, and grouped
 * expressions, not simplified yet, may look different from what they become.
 */
static bool
is_grouped(PlannerInfo *root, Oid support, Node *node)
{
	ListCell   *lc;

	if (root == NULL)
		return false;
	foreach(lc, root->parse->groupClause)
	{
		Node	   *grouped = get_sortgroupclause_expr(lfirst(lc),
													   root->parse->targetList);
		Accessor	accessor;

		if (!as_accessor(grouped, support, &accessor))
			continue;
		if (root->parse->groupingSets != NIL || same_chain(support, grouped, node))
			return true;
	}
	return false;
}

/* A list of text and int4 constants as a colj array. */
static Datum
steps_datum(List *steps)
{
	ColjBuilder *b = colj_builder_acquire();
	ListCell   *lc;

	colj_builder_begin_array(b);
	foreach(lc, steps)
	{
		Const	   *step = lfirst(lc);

		if (step->consttype == INT4OID)
			colj_builder_int(b, DatumGetInt32(step->constvalue));
		else
		{
			text	   *key = DatumGetTextPP(step->constvalue);

			colj_builder_string(b, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key));
		}
	}
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/*
 * colj_get or colj_get_text beside the given function, in its schema.  No
 * lookup by name: a caller need not have the right to use that schema.
 */
static Oid
find_getter(Oid function, Oid colj_type, Oid result_type, Oid support)
{
	Oid			types[2] = {colj_type, colj_type};
	Oid			getter;

	getter = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							 CStringGetDatum(result_type == TEXTOID ?
											 "colj_get_text" : "colj_get"),
							 PointerGetDatum(buildoidvector(types, 2)),
							 ObjectIdGetDatum(get_func_namespace(function)));
	if (OidIsValid(getter) && get_func_support(getter) == support)
		return getter;
	return InvalidOid;
}

/* The folded call, or NULL when there is nothing to fold. */
static Node *
fold(SupportRequestSimplify *req, Oid support)
{
	FuncExpr   *call = req->fcall;
	Node	   *inner = linitial(call->args);
	Accessor	accessor;
	List	   *steps;
	Node	   *base;
	Oid			colj_type;
	Oid			getter;

	if (!as_accessor((Node *) call, support, &accessor))
		return NULL;
	steps = simple_steps(accessor.step);
	if (steps == NIL)
		return NULL;
	base = split_chain(req->root, support, inner, &steps);
	if (base == inner)
		return NULL;
	colj_type = exprType(inner);
	getter = find_getter(call->funcid, colj_type, call->funcresulttype, support);
	if (!OidIsValid(getter))
		return NULL;
	return (Node *) makeFuncExpr(getter, call->funcresulttype,
								 list_make2(base,
											makeConst(colj_type, -1, InvalidOid, -1,
													  steps_datum(steps), false, false)),
								 call->funccollid, call->inputcollid,
								 COERCE_EXPLICIT_CALL);
}

Datum
colj_get_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(fold((SupportRequestSimplify *) request,
						   fcinfo->flinfo->fn_oid));
}
