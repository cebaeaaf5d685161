/*-------------------------------------------------------------------------
 *
 * vectoragg_trans.c
 *	  Aggregates, from rows to the partial states that PostgreSQL combines.
 *
 * Counting and sums of small integers are done here; all else by the
 * aggregate's own functions, called as the executor's nodeAgg.c calls them:
 * strict ones see no NULL, a state that is passed by reference belongs to the
 * aggregate's memory context, and the functions find an AggState in their call,
 * of which they know no more than that context.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_agg.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "compat.h"
#include "exec/vectoragg.h"

typedef enum Kind
{
	COUNT_ROWS,
	COUNT_VALUES,
	SUM_INT2,
	SUM_INT4,
	BY_FUNCTION
} Kind;

struct ColjVectorTrans
{
	Kind		kind;
	int			nargs;
	ColjVectorExpr **args;
	ColjVectorExpr *filter;		/* NULL for none */
	ColjVectorState initial;
	int16		typlen;			/* of the state */
	bool		typbyval;
	FmgrInfo	function;
	FmgrInfo	serialize;
	bool		serialized;		/* by that function */
	AggState   *aggstate;		/* says which context states live in */
	FunctionCallInfo call;
};

static Kind
kind_of(Oid function)
{
	switch (function)
	{
		case F_INT8INC:
			return COUNT_ROWS;
		case F_INT8INC_ANY:
			return COUNT_VALUES;
		case F_INT2_SUM:
			return SUM_INT2;
		case F_INT4_SUM:
			return SUM_INT4;
		default:
			return BY_FUNCTION;
	}
}

/* Look the state's functions up. */
static void
find_functions(ColjVectorTrans *t, const Aggref *aggref, Form_pg_aggregate form)
{
	Oid			types[FUNC_MAX_ARGS];
	int			n = get_aggregate_argtypes(unconstify(Aggref *, aggref), types);
	Expr	   *expr;

	build_aggregate_transfn_expr(types, n, 0, aggref->aggvariadic, aggref->aggtranstype,
								 aggref->inputcollid, form->aggtransfn, InvalidOid, &expr, NULL);
	fmgr_info(form->aggtransfn, &t->function);
	fmgr_info_set_expr((Node *) expr, &t->function);
	t->serialized = aggref->aggtranstype == INTERNALOID && OidIsValid(form->aggserialfn);
	if (!t->serialized)
		return;
	build_aggregate_serialfn_expr(form->aggserialfn, &expr);
	fmgr_info(form->aggserialfn, &t->serialize);
	fmgr_info_set_expr((Node *) expr, &t->serialize);
}

/* The state that a group begins with. */
static ColjVectorState
initial_state(HeapTuple tuple, Oid type, bool strict)
{
	bool		isnull;
	Datum		initval = SysCacheGetAttr(AGGFNOID, tuple, Anum_pg_aggregate_agginitval, &isnull);
	Oid			input;
	Oid			param;

	if (isnull)
		return (ColjVectorState)
	{
		.isnull = true, .none = strict
	};
	getTypeInputInfo(type, &input, &param);
	return (ColjVectorState)
	{
		.value = OidInputFunctionCall(input, TextDatumGetCString(initval), param, -1)
	};
}

ColjVectorTrans *
colj_vector_trans_create(const Aggref *aggref, List *args, ColjVectorExpr *filter, AggState *context)
{
	ColjVectorTrans *t = palloc0(sizeof(ColjVectorTrans));
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_aggregate form;
	ListCell   *cell;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for aggregate %u", aggref->aggfnoid);
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	t->kind = kind_of(form->aggtransfn);
	t->args = palloc(Max(list_length(args), 1) * sizeof(ColjVectorExpr *));
	foreach(cell, args)
		t->args[t->nargs++] = lfirst(cell);
	t->filter = filter;
	t->aggstate = context;
	get_typlenbyval(aggref->aggtranstype, &t->typlen, &t->typbyval);
	find_functions(t, aggref, form);
	t->initial = initial_state(tuple, aggref->aggtranstype, t->function.fn_strict);
	t->call = palloc0(SizeForFunctionCallInfo(t->nargs + 1));
	InitFunctionCallInfoData(*t->call, &t->function, t->nargs + 1, aggref->inputcollid, (Node *) context, NULL);
	ReleaseSysCache(tuple);
	return t;
}

/* Where states live. */
static MemoryContext
state_context(const ColjVectorTrans *t)
{
	return t->aggstate->curaggcontext->ecxt_per_tuple_memory;
}

static Datum
copy_state(const ColjVectorTrans *t, Datum value)
{
	MemoryContext old = MemoryContextSwitchTo(state_context(t));

	value = datumCopy(value, t->typbyval, t->typlen);
	MemoryContextSwitchTo(old);
	return value;
}

void
colj_vector_trans_begin(const ColjVectorTrans *t, ColjVectorState *state)
{
	*state = t->initial;
	if (!state->isnull && !t->typbyval)
		state->value = copy_state(t, state->value);
}

static bool
is_expanded(const ColjVectorTrans *t, Datum value)
{
	return t->typlen == -1 && VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(value));
}

/* Free a state that has been replaced. */
static void
free_state(const ColjVectorTrans *t, Datum value)
{
	if (is_expanded(t, value))
		DeleteExpandedObject(value);
	else
		pfree(DatumGetPointer(value));
}

/* Does the value live where states do, as an object of its own? */
static bool
is_own_object(const ColjVectorTrans *t, Datum value)
{
	return is_expanded(t, value) &&
		MemoryContextGetParent(DatumGetEOHP(value)->eoh_context) == state_context(t);
}

/* Take what the function has given as the new state. */
static void
replace_state(const ColjVectorTrans *t, ColjVectorState *state, Datum value, bool isnull)
{
	bool		same = DatumGetPointer(value) == DatumGetPointer(state->value);

	if (!t->typbyval && !(same && !isnull && !state->isnull))
	{
		if (!isnull && !is_own_object(t, value))
			value = copy_state(t, value);
		if (!state->isnull)
			free_state(t, state->value);
	}
	state->value = isnull ? (Datum) 0 : value;
	state->isnull = isnull;
}

/* Fill in the arguments; is one of them NULL? */
static bool
fill_arguments(ColjVectorTrans *t, ColjVectorRow *row)
{
	bool		some_null = false;

	for (int i = 0; i < t->nargs; i++)
	{
		NullableDatum *arg = &t->call->args[i + 1];

		arg->value = colj_vector_expr_value(t->args[i], row, &arg->isnull);
		some_null |= arg->isnull;
	}
	return some_null;
}

/* The function's call, in the row's memory. */
static Datum
call_function(ColjVectorTrans *t, const ColjVectorState *state, ColjVectorRow *row)
{
	MemoryContext old = MemoryContextSwitchTo(row->econtext->ecxt_per_tuple_memory);
	Datum		result;

	t->call->args[0] = (NullableDatum){state->value, state->isnull};
	t->call->isnull = false;
	result = FunctionCallInvoke(t->call);
	MemoryContextSwitchTo(old);
	return result;
}

static void
advance_by_function(ColjVectorTrans *t, ColjVectorState *state, ColjVectorRow *row)
{
	bool		some_null = fill_arguments(t, row);
	Datum		value;

	if (t->function.fn_strict)
	{
		if (some_null)
			return;
		if (state->none)
		{
			*state = (ColjVectorState){copy_state(t, t->call->args[1].value), false, false};
			return;
		}
		if (state->isnull)
			return;
	}
	value = call_function(t, state, row);
	replace_state(t, state, value, t->call->isnull);
}

/* Add an integer to a sum that is NULL before the first one. */
static inline void
add_integer(ColjVectorTrans *t, ColjVectorState *state, ColjVectorRow *row)
{
	bool		isnull;
	Datum		value = colj_vector_expr_value(t->args[0], row, &isnull);
	int64		integer = t->kind == SUM_INT2 ? DatumGetInt16(value) : DatumGetInt32(value);

	if (isnull)
		return;
	state->value = Int64GetDatum((state->isnull ? 0 : DatumGetInt64(state->value)) + integer);
	state->isnull = false;
}

void
colj_vector_trans_advance(ColjVectorTrans *t, ColjVectorState *state, ColjVectorRow *row)
{
	bool		isnull = false;

	if (t->filter != NULL && !colj_vector_expr_true(t->filter, row))
		return;
	switch (t->kind)
	{
		case COUNT_VALUES:
			(void) colj_vector_expr_value(t->args[0], row, &isnull);
			/* FALLTHROUGH */
		case COUNT_ROWS:
			if (!isnull)
				state->value = Int64GetDatum(DatumGetInt64(state->value) + 1);
			break;
		case SUM_INT2:
		case SUM_INT4:
			add_integer(t, state, row);
			break;
		case BY_FUNCTION:
			advance_by_function(t, state, row);
			break;
	}
}

Datum
colj_vector_trans_result(ColjVectorTrans *t, ColjVectorState *state, bool *isnull)
{
	LOCAL_FCINFO(call, 1);
	Datum		result;

	*isnull = state->isnull;
	if (!t->serialized)
		return state->isnull ? (Datum) 0 : MakeExpandedObjectReadOnly(state->value, false, t->typlen);
	if (state->isnull && t->serialize.fn_strict)
		return (Datum) 0;
	InitFunctionCallInfoData(*call, &t->serialize, 1, InvalidOid, (Node *) t->aggstate, NULL);
	call->args[0] = (NullableDatum){state->value, state->isnull};
	result = FunctionCallInvoke(call);
	*isnull = call->isnull;
	return result;
}
