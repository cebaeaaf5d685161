/*-------------------------------------------------------------------------
 *
 * vectoragg_expr.c
 *	  Expressions whose values are computed once for rows that are the same.
 *
 * Many expressions depend on one thing only: a column, or a path in a
 * document.  Where the stripe tells which rows have the same there
 * (stripe.h, colj_stripe_codes), the executor computes the expression for the first
 * row that has it and is asked for, and the others take the value from there.  That is right for any
 * expression that is not volatile, and errors come up for no row for which they would not
 * otherwise.  Integers are taken from the vector as they are.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "exec/accessor.h"
#include "exec/vectoragg.h"
#include "type/lazy.h"

extern Datum colj_int2(PG_FUNCTION_ARGS);
extern Datum colj_int4(PG_FUNCTION_ARGS);
extern Datum colj_int8(PG_FUNCTION_ARGS);

/* What all that an expression reads of a row is. */
typedef struct Leaf
{
	bool		more;			/* than one thing */
	AttrNumber	column;			/* 0 for nothing yet */
	Const	   *path;			/* in its document; NULL for the column */
	bool		chain;
} Leaf;

static bool
note_leaf(Leaf *leaf, AttrNumber column, Const *path, bool chain)
{
	bool		same = leaf->column == column && leaf->chain == chain && equal(leaf->path, path);

	if (column <= 0 || (leaf->column != 0 && !same))
		leaf->more = true;
	*leaf = (Leaf){leaf->more, column, path, chain};
	return leaf->more;
}

/* Note what is read; true when it is too much. */
static bool
find_leaf(Node *node, void *context)
{
	ColjAccessor accessor;

	if (node == NULL)
		return false;
	if (colj_as_accessor(node, &accessor) && IsA(accessor.document, Var))
		return note_leaf(context, ((Var *) accessor.document)->varattno, accessor.path, accessor.chain);
	if (IsA(node, Var))
		return note_leaf(context, ((Var *) node)->varattno, NULL, false);
	if (IsA(node, CurrentOfExpr))
		return note_leaf(context, 0, NULL, false);
	return expression_tree_walker(node, find_leaf, context);
}

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

/* (doc ->> 'key')::int4: an integer's text is never out of its syntax. */
static bool
is_cast_text(const Node *node, Oid *type)
{
	const CoerceViaIO *cast = (const CoerceViaIO *) node;
	ColjAccessor accessor;

	if (!IsA(node, CoerceViaIO) || !colj_as_accessor((Node *) cast->arg, &accessor) || !accessor.text)
		return false;
	*type = cast->resulttype;
	return is_integer(*type);
}

/* (doc -> 'key')::int4 */
static bool
is_cast_value(const Node *node, Oid *type)
{
	ColjAccessor accessor;
	FmgrInfo	info;
	Oid			function;
	List	   *args;

	if (!colj_as_call(node, &function, &args) || list_length(args) != 1 ||
		!colj_as_accessor(linitial(args), &accessor) || accessor.text)
		return false;
	fmgr_info(function, &info);
	*type = exprType(node);
	return info.fn_addr == colj_int2 || info.fn_addr == colj_int4 || info.fn_addr == colj_int8;
}

/* Is it no more than the integer that its leaf is? */
static void
find_integer(ColjVectorExpr *e)
{
	const Node *node = (const Node *) e->expr;

	e->integer = InvalidOid;
	e->null_is_null = true;
	if (e->depends == COLJ_ON_COLUMN && IsA(node, Var) && e->typbyval)
		e->integer = ((const Var *) node)->vartype;
	if (e->depends != COLJ_ON_PATH || is_cast_text(node, &e->integer))
		return;
	e->null_is_null = COLJ_NULL_CASTS_TO_NULL;
	if (!is_cast_value(node, &e->integer))
		e->integer = InvalidOid;
}

/* Find out what it depends on. */
static void
find_dependence(ColjVectorExpr *e)
{
	Leaf		leaf = {0};

	e->depends = COLJ_ON_MORE;
	if (find_leaf((Node *) e->expr, &leaf))
		return;
	e->column = leaf.column;
	if (leaf.column == 0)
		e->depends = COLJ_ON_NOTHING;
	else if (leaf.path == NULL)
		e->depends = COLJ_ON_COLUMN;
	else
	{
		e->depends = COLJ_ON_PATH;
		e->path = leaf.chain ? colj_path_chain(CurrentMemoryContext, leaf.path->constvalue)
			: colj_path_key(CurrentMemoryContext, leaf.path->constvalue);
	}
}

ColjVectorExpr *
colj_vector_expr_create(Expr *expr, PlanState *parent)
{
	ColjVectorExpr *e = palloc0(sizeof(ColjVectorExpr));

	e->expr = expr;
	e->state = ExecInitExpr(expr, parent);
	get_typlenbyval(exprType((Node *) expr), &e->typlen, &e->typbyval);
	find_dependence(e);
	find_integer(e);
	return e;
}

static void
ensure(const ColjVectorRow *row, ColjStatus status)
{
	if (unlikely(status != COLJ_OK))
		colj_stripe_raise(colj_slot_pin(row->slot)->open, status, NULL);
}

/* Take the values by code, if there are few. */
static bool
try_codes(ColjVectorExpr *e, const ColjVectorRow *row, uint32 path)
{
	ColjCodes	codes;

	ensure(row, colj_stripe_codes(row->vector.stripe, path, row->vector.number, &codes));
	e->ncodes = codes.n;
	e->codes = codes.codes;
	e->unsure = e->beside ? codes.absent : COLJ_NO_CODE;
	return codes.n > 0;
}

/* Take the integers, if it is these. */
static bool
try_integers(ColjVectorExpr *e, const ColjVectorRow *row, uint32 path)
{
	if (!OidIsValid(e->integer) || colj_stripe_path(row->vector.stripe, path)->type != COLJ_PATH_INT)
		return false;
	ensure(row, colj_stripe_vector(row->vector.stripe, path, row->vector.number, &e->entries));
	return true;
}

/* All rows have the same. */
static void
use_one_code(ColjVectorExpr *e)
{
	static const uint16 zeros[COLJ_VECTOR_ROWS_MAX];

	e->how = COLJ_BY_CODE;
	e->ncodes = 1;
	e->codes = zeros;
}

/* The values come from a column of the stripe. */
static void
use_path(ColjVectorExpr *e, const ColjVectorRow *row, uint32 path)
{
	if (try_integers(e, row, path))
		e->how = COLJ_BY_INTEGER;
	else if (try_codes(e, row, path))
		e->how = COLJ_BY_CODE;
}

static void
enter_column(ColjVectorExpr *e, const ColjVectorRow *row)
{
	ColjStripe *stripe = row->vector.stripe;
	uint32		path;

	/* one that was added later has the same value in all rows */
	if ((uint32) e->column > colj_stripe_columns(stripe))
	{
		use_one_code(e);
		return;
	}
	path = colj_stripe_root(stripe, e->column - 1);
	if (colj_stripe_path(stripe, path)->plain)
		use_path(e, row, path);
}

/* A document of the vector, of which only the place is looked up. */
typedef struct Probe
{
	ColjLazy	lazy;
	const ColjVectorRow *row;
} Probe;

static void
raise_probe(const ColjLazy *lazy, ColjStatus status)
{
	ensure(((const Probe *) lazy)->row, status);
}

static void
enter_path(ColjVectorExpr *e, const ColjVectorRow *row)
{
	ColjStripe *stripe = row->vector.stripe;
	Probe		probe = {.lazy = {.stripe = stripe, .row = row->vector.first, .raise = raise_probe}, .row = row};

	if ((uint32) e->column > colj_stripe_columns(stripe))
		return;
	probe.lazy.root = colj_stripe_root(stripe, e->column - 1);
	if (colj_stripe_path(stripe, probe.lazy.root)->plain || !colj_lazy_place(&probe.lazy, &e->place, e->path))
		return;
	e->beside = e->place.beside;
	if (e->place.nothing)
		use_one_code(e);
	else
		use_path(e, row, e->place.path);
}

void
colj_vector_expr_enter(ColjVectorExpr *e, const ColjVectorRow *row)
{
	if (e->how != COLJ_NOT_KNOWN)
		return;
	e->how = COLJ_BY_ROW;
	e->beside = false;
	e->unsure = COLJ_NO_CODE;
	if (!row->in_vector)
		return;
	if (e->depends == COLJ_ON_NOTHING)
		use_one_code(e);
	else if (e->depends == COLJ_ON_COLUMN)
		enter_column(e, row);
	else if (e->depends == COLJ_ON_PATH)
		enter_path(e, row);
	if (e->how != COLJ_BY_CODE)
		return;
	if (e->memos == NULL)
		e->memos = MemoryContextAlloc(GetMemoryChunkContext(e), COLJ_CODES_MAX * sizeof(ColjVectorMemo));
	for (uint32 i = 0; i < e->ncodes; i++)
		e->memos[i].known = false;
}

/* Have the executor compute it. */
static Datum
compute(ColjVectorExpr *e, ColjVectorRow *row, bool *isnull)
{
	if (row->in_vector && row->slot_i != row->i)
	{
		colj_scan_vector_row(row->scan, row->slot, &row->vector, row->i);
		row->slot_i = row->i;
	}
	row->econtext->ecxt_scantuple = row->slot;
	return ExecEvalExprSwitchContext(e->state, row->econtext, isnull);
}

/* The integer of the row, if it fits. */
static bool
take_integer(const ColjVectorExpr *e, const ColjVectorRow *row, Datum *value, bool *isnull)
{
	ColjPresence presence = (ColjPresence) e->entries->presence[row->i];
	int64		integer = e->entries->ints[row->i];

	*isnull = presence != COLJ_IS_VALUE;
	*value = (Datum) integer;
	if (presence == COLJ_IS_NULL)
		return e->null_is_null;
	if (presence == COLJ_IS_ABSENT)
		return !e->beside;
	if (*isnull || e->depends == COLJ_ON_COLUMN)
		return presence != COLJ_IS_ELSEWHERE;
	*value = e->integer == INT2OID ? Int16GetDatum((int16) integer)
		: e->integer == INT4OID ? Int32GetDatum((int32) integer) : Int64GetDatum(integer);
	return e->integer == INT2OID ? integer == (int16) integer
		: e->integer == INT4OID ? integer == (int32) integer : true;
}

/* Remember a value for the code; not if that would take too much memory. */
static Datum
memorize(ColjVectorMemo *memo, const ColjVectorExpr *e, const ColjVectorRow *row, Datum value, bool isnull)
{
	MemoryContext old;

	if (!isnull && !e->typbyval)
	{
		if (MemoryContextMemAllocated(row->vector_context, false) > work_mem * (Size) 1024)
			return value;
		old = MemoryContextSwitchTo(row->vector_context);
		value = datumCopy(value, e->typbyval, e->typlen);
		MemoryContextSwitchTo(old);
	}
	*memo = (ColjVectorMemo){true, isnull, value};
	return value;
}

Datum
colj_vector_expr_compute(ColjVectorExpr *e, ColjVectorRow *row, bool *isnull)
{
	uint16		code;
	Datum		value;

	if (e->how == COLJ_NOT_KNOWN)
	{
		colj_vector_expr_enter(e, row);
		return colj_vector_expr_value(e, row, isnull);
	}
	code = colj_vector_expr_code(e, row);
	if (e->how == COLJ_BY_INTEGER && take_integer(e, row, &value, isnull))
		return value;
	value = compute(e, row, isnull);
	return code == COLJ_NO_CODE ? value : memorize(&e->memos[code], e, row, value, *isnull);
}
