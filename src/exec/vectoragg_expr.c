/*-------------------------------------------------------------------------
 *
 * vectoragg_expr.c
 *	  Expressions whose values are computed once for rows that are the same.
 *
 * Many expressions depend on one thing only: a column, or a path in a
 * document.  Where the stripe tells which rows have the same there (stripe.h,
 * colj_stripe_codes), the executor computes the expression for the first row
 * that has it and is asked for, and the others take the value from there.  That
 * is right for any expression that is not volatile, and errors come up for no
 * row for which they would not otherwise.  An expression that is no more than a
 * number or text of the stripe is taken from there.
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
#include "utils/numeric.h"

#include "compat.h"
#include "exec/accessor.h"
#include "exec/vectoragg.h"
#include "type/lazy.h"
#include "type/value.h"

extern Datum colj_int2(PG_FUNCTION_ARGS);
extern Datum colj_int4(PG_FUNCTION_ARGS);
extern Datum colj_int8(PG_FUNCTION_ARGS);
extern Datum colj_float8(PG_FUNCTION_ARGS);
extern Datum colj_numeric(PG_FUNCTION_ARGS);

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

/* Is it an accessor of a column's document?  One of another accessor's result is more. */
static bool
is_path(const Node *node, ColjAccessor *accessor)
{
	return colj_as_accessor(node, accessor) && IsA(accessor->document, Var);
}

/* Note what is read; true when it is too much. */
static bool
find_leaf(Node *node, void *context)
{
	ColjAccessor accessor;

	if (node == NULL)
		return false;
	if (is_path(node, &accessor))
		return note_leaf(context, ((Var *) accessor.document)->varattno, accessor.path, accessor.chain);
	if (IsA(node, Var))
		return note_leaf(context, ((Var *) node)->varattno, NULL, false);
	if (IsA(node, CurrentOfExpr))
		return note_leaf(context, 0, NULL, false);
	return expression_tree_walker(node, find_leaf, context);
}

static ColjVectorTaken
number_of_type(Oid type)
{
	switch (type)
	{
		case INT2OID:
			return COLJ_TAKE_INT2;
		case INT4OID:
			return COLJ_TAKE_INT4;
		case INT8OID:
			return COLJ_TAKE_INT8;
		case FLOAT8OID:
			return COLJ_TAKE_FLOAT8;
		case NUMERICOID:
			return COLJ_TAKE_NUMERIC;
		default:
			return COLJ_TAKE_NOTHING;
	}
}

/* A column by itself, whose values are in the stripe as they are in a Datum. */
static ColjVectorTaken
taken_of_column(const ColjVectorExpr *e)
{
	Oid			type;
	int16		typlen;
	bool		typbyval;
	char		typalign;

	if (!IsA(e->expr, Var))
		return COLJ_TAKE_NOTHING;
	type = ((const Var *) e->expr)->vartype;
	get_typlenbyvalalign(type, &typlen, &typbyval, &typalign);
	if (typbyval)
		return COLJ_TAKE_DATUM;
	return typlen == -1 && (typalign == TYPALIGN_INT || typalign == TYPALIGN_CHAR) ? COLJ_TAKE_TEXT : COLJ_TAKE_NOTHING;
}

/* (doc -> 'key')::int4, by one of our own casts */
static ColjVectorTaken
taken_by_cast(const Node *node)
{
	ColjAccessor accessor;
	FmgrInfo	info;
	Oid			function;
	List	   *args;

	if (!colj_as_call(node, &function, &args) || list_length(args) != 1 ||
		!is_path(linitial(args), &accessor) || accessor.text)
		return COLJ_TAKE_NOTHING;
	fmgr_info(function, &info);
	if (info.fn_addr == colj_int2 || info.fn_addr == colj_int4 || info.fn_addr == colj_int8 ||
		info.fn_addr == colj_float8 || info.fn_addr == colj_numeric)
		return number_of_type(exprType(node));
	return COLJ_TAKE_NOTHING;
}

/* doc ->> 'key', or (doc ->> 'key')::int4: a number's text is always one of the type's */
static ColjVectorTaken
taken_by_text(const Node *node)
{
	const CoerceViaIO *cast = (const CoerceViaIO *) node;
	ColjAccessor accessor;

	if (is_path(node, &accessor))
		return accessor.text ? COLJ_TAKE_TEXT : COLJ_TAKE_NOTHING;
	if (IsA(node, CoerceViaIO) && is_path((Node *) cast->arg, &accessor) && accessor.text)
		return number_of_type(cast->resulttype);
	return COLJ_TAKE_NOTHING;
}

/* Is it no more than a value of the stripe? */
static void
find_taken(ColjVectorExpr *e)
{
	e->null_is_null = true;
	if (e->depends == COLJ_ON_COLUMN)
		e->taken = taken_of_column(e);
	if (e->depends != COLJ_ON_PATH)
		return;
	e->taken = taken_by_text((Node *) e->expr);
	if (e->taken != COLJ_TAKE_NOTHING)
		return;
	e->taken = taken_by_cast((Node *) e->expr);
	e->null_is_null = COLJ_NULL_CASTS_TO_NULL;
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
	find_taken(e);
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
	if (codes.n > 0)
		e->how = COLJ_BY_CODE;
	return codes.n > 0;
}

/* Are values of the column's type such as the expression is? */
static bool
can_take(const ColjVectorExpr *e, ColjPathType type)
{
	switch (e->taken)
	{
		case COLJ_TAKE_NOTHING:
			return false;
		case COLJ_TAKE_NUMERIC:
			return type == COLJ_PATH_INT || type == COLJ_PATH_DECIMAL;
		case COLJ_TAKE_TEXT:
			return type == COLJ_PATH_STRING || (type == COLJ_PATH_INT && e->depends == COLJ_ON_PATH);
		default:
			return type == COLJ_PATH_INT;
	}
}

/* Take the values as they are. */
static bool
try_taking(ColjVectorExpr *e, const ColjVectorRow *row, uint32 path)
{
	ColjStripe *stripe = row->vector.stripe;

	if (!can_take(e, colj_stripe_path(stripe, path)->type))
		return false;
	ensure(row, colj_stripe_vector(stripe, path, row->vector.number, &e->entries));
	if (e->taken == COLJ_TAKE_TEXT)
		ensure(row, colj_vector_texts(stripe, path, row->vector.number, &e->texts));
	e->how = COLJ_TAKEN;
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

/* The values come from a column of the stripe: groups by code, and what is as cheap to take is taken. */
static void
use_path(ColjVectorExpr *e, const ColjVectorRow *row, uint32 path)
{
	if (e->typbyval && !e->is_key && try_taking(e, row, path))
		return;
	if (!try_codes(e, row, path))
		(void) try_taking(e, row, path);
}

static void
enter_column(ColjVectorExpr *e, const ColjVectorRow *row)
{
	ColjStripe *stripe = row->vector.stripe;
	uint32		path = colj_stripe_root(stripe, e->column - 1);

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
	/* a column that was added later has the same value in all rows */
	if (e->depends == COLJ_ON_NOTHING ||
		(e->depends != COLJ_ON_MORE && (uint32) e->column > colj_stripe_columns(row->vector.stripe)))
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

static Datum
make_numeric(const ColjVectorExpr *e, const ColjVectorRow *row)
{
	MemoryContext old = MemoryContextSwitchTo(row->econtext->ecxt_per_tuple_memory);
	uint8		scale = e->entries->scales[row->i];
	const ColjValue value = {.kind = scale > 0 ? COLJ_DECIMAL : COLJ_INT, .integer = e->entries->ints[row->i], .scale = scale};
	Datum		result = NumericGetDatum(colj_value_numeric(NULL, &value));

	MemoryContextSwitchTo(old);
	return result;
}

/* The value that a row has; false if that does not fit. */
static bool
convert(const ColjVectorExpr *e, const ColjVectorRow *row, Datum *value)
{
	int64		integer = e->taken == COLJ_TAKE_TEXT ? 0 : e->entries->ints[row->i];

	switch (e->taken)
	{
		case COLJ_TAKE_NOTHING:
			return false;
		case COLJ_TAKE_DATUM:
			*value = (Datum) integer;
			return true;
		case COLJ_TAKE_INT2:
			*value = Int16GetDatum((int16) integer);
			return integer == (int16) integer;
		case COLJ_TAKE_INT4:
			*value = Int32GetDatum((int32) integer);
			return integer == (int32) integer;
		case COLJ_TAKE_INT8:
			*value = Int64GetDatum(integer);
			return true;
		case COLJ_TAKE_FLOAT8:
			*value = Float8GetDatum((float8) integer);
			return true;
		case COLJ_TAKE_NUMERIC:
			*value = make_numeric(e, row);
			return true;
		case COLJ_TAKE_TEXT:
			*value = PointerGetDatum(e->texts.data + e->texts.starts[row->i]);
			return true;
	}
	return false;
}

/* What the column says of the row; false where it does not tell, or an error is due. */
static bool
take(const ColjVectorExpr *e, const ColjVectorRow *row, Datum *value, bool *isnull)
{
	*isnull = true;
	*value = (Datum) 0;
	switch ((ColjPresence) e->entries->presence[row->i])
	{
		case COLJ_IS_ABSENT:
			return !e->beside;
		case COLJ_IS_NULL:
			return e->null_is_null;
		case COLJ_IS_VALUE:
			*isnull = false;
			return convert(e, row, value);
		case COLJ_IS_ELSEWHERE:
			break;
	}
	return false;
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
	if (e->how == COLJ_TAKEN && take(e, row, &value, isnull))
		return value;
	value = compute(e, row, isnull);
	return code == COLJ_NO_CODE ? value : memorize(&e->memos[code], e, row, value, *isnull);
}
