/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *	  colj_agg, colj_object_agg and their variants.
 *
 * The state keeps each value as a colj of its own; the final function puts
 * them into one document, and may do so again and again for a window.  So a
 * colj that is aggregated is never printed and parsed, as it would be in
 * core's jsonb_agg.
 *
 * Values of types that core's to_jsonb has to convert are given to it one by
 * one.  For variants that this file does not know, and for keys that are not
 * texts, the state holds that of core's aggregate instead.
 *
 * Memory: the states live in the aggregate's context.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"

#include "compat.h"
#include "guc.h"
#include "type/build.h"
#include "type/document.h"
#include "type/twin.h"

PG_FUNCTION_INFO_V1(colj_agg_transfn);
PG_FUNCTION_INFO_V1(colj_object_agg_transfn);
PG_FUNCTION_INFO_V1(colj_core_transfn);
PG_FUNCTION_INFO_V1(colj_agg_finalfn);

typedef struct Collection
{
	MemoryContext context;
	bool		object;
	NullableDatum core;			/* the state of core's aggregate, if not NULL */
	Oid			colj;			/* the type's oid */
	ColjSource	source;			/* of the values */
	FmgrInfo	to_jsonb;		/* for OTHER */
	size_t		n;
	size_t		room;
	text	  **keys;			/* object only */
	struct varlena **values;
} Collection;

/* The aggregate's state; made for the first row. */
static Collection *
collection_of(FunctionCallInfo fcinfo, bool object)
{
	MemoryContext context;
	MemoryContext old;
	Collection *state;
	Oid			type;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "aggregate function called in non-aggregate context");
	if (!PG_ARGISNULL(0))
		return (Collection *) PG_GETARG_POINTER(0);
	old = MemoryContextSwitchTo(context);
	state = palloc0(sizeof(Collection));
	state->context = context;
	state->object = object;
	state->core.isnull = true;
	type = get_fn_expr_argtype(fcinfo->flinfo, object ? 2 : 1);
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("could not determine input data type")));
	state->colj = colj_twin_of(fcinfo)->colj;
	state->source = colj_source_of(type, state->colj);
	if (state->source == COLJ_SOURCE_OTHER)
		colj_prepare_to_jsonb(&state->to_jsonb, type, context);
	MemoryContextSwitchTo(old);
	return state;
}

/* A value as a colj of its own, in the state's context. */
static struct varlena *
make_value(Collection *state, NullableDatum *arg)
{
	ColjSource	source = state->source;
	Datum		value = arg->value;
	MemoryContext old;
	ColjBuilder *b;
	Datum		result;

	if (!arg->isnull && source == COLJ_SOURCE_OTHER)
	{
		value = FunctionCall1(&state->to_jsonb, value);
		source = COLJ_SOURCE_JSONB;
	}
	if (!arg->isnull)
		value = colj_source_detoast(source, value, state->colj);
	b = colj_builder_acquire();
	colj_push_source(b, source, value, arg->isnull);
	old = MemoryContextSwitchTo(state->context);
	result = colj_builder_datum(b);
	MemoryContextSwitchTo(old);
	return (struct varlena *) DatumGetPointer(result);
}

static void
make_room(Collection *state)
{
	size_t		room = state->room == 0 ? 16 : state->room * 2;
	size_t		size = room * sizeof(void *);

	if (state->n < state->room)
		return;
	if (state->room == 0)
	{
		state->values = MemoryContextAlloc(state->context, size);
		state->keys = state->object ? MemoryContextAlloc(state->context, size) : NULL;
	}
	else
	{
		state->values = repalloc_huge(state->values, size);
		state->keys = state->object ? repalloc_huge(state->keys, size) : NULL;
	}
	state->room = room;
}

/* Pass a row on to the transition function of core. */
static Datum
core_transition(FunctionCallInfo fcinfo, Collection *state)
{
	LOCAL_FCINFO(inner, 3);

	InitFunctionCallInfoData(*inner, &colj_twin_of(fcinfo)->core, fcinfo->nargs, fcinfo->fncollation,
							 fcinfo->context, fcinfo->resultinfo);
	memcpy(inner->args, fcinfo->args, fcinfo->nargs * sizeof(NullableDatum));
	inner->args[0] = state->core;
	state->core.value = colj_twin_call_core(inner);
	state->core.isnull = inner->isnull;
	PG_RETURN_POINTER(state);
}

/* Transition of colj_agg(anyelement) and colj_agg_strict(anyelement). */
Datum
colj_agg_transfn(PG_FUNCTION_ARGS)
{
	Collection *state = collection_of(fcinfo, false);

	if (PG_ARGISNULL(1) && colj_twin_of(fcinfo)->strict)
		PG_RETURN_POINTER(state);
	make_room(state);
	state->values[state->n] = make_value(state, &fcinfo->args[1]);
	state->n++;
	PG_RETURN_POINTER(state);
}

/* A copy of a key that is a text or a literal of no type. */
static text *
make_key(Collection *state, ColjSource source, Datum key)
{
	MemoryContext old = MemoryContextSwitchTo(state->context);
	text	   *copy;

	if (source == COLJ_SOURCE_CSTRING)
		copy = cstring_to_text(DatumGetCString(key));
	else
		copy = DatumGetTextPCopy(key);
	MemoryContextSwitchTo(old);
	return copy;
}

/* Transition of colj_object_agg("any", "any"). */
Datum
colj_object_agg_transfn(PG_FUNCTION_ARGS)
{
	Collection *state = collection_of(fcinfo, true);
	ColjTwin   *twin = colj_twin_of(fcinfo);
	ColjSource	source = colj_source_of(get_fn_expr_argtype(fcinfo->flinfo, 1), twin->colj);

	if (!state->core.isnull || PG_ARGISNULL(1) ||
		(source != COLJ_SOURCE_TEXT && source != COLJ_SOURCE_CSTRING))
		return core_transition(fcinfo, state);
	make_room(state);
	state->keys[state->n] = make_key(state, source, PG_GETARG_DATUM(1));
	state->values[state->n] = make_value(state, &fcinfo->args[2]);
	state->n++;
	PG_RETURN_POINTER(state);
}

/* Transition of every other aggregate of jsonb. */
Datum
colj_core_transfn(PG_FUNCTION_ARGS)
{
	return core_transition(fcinfo, collection_of(fcinfo, PG_NARGS() > 2));
}

static Datum
core_final(FunctionCallInfo fcinfo, Collection *state)
{
	LOCAL_FCINFO(inner, 1);
	Datum		result;

	InitFunctionCallInfoData(*inner, &colj_twin_of(fcinfo)->core, 1, fcinfo->fncollation,
							 fcinfo->context, fcinfo->resultinfo);
	inner->args[0] = state->core;
	result = colj_twin_call_core(inner);
	fcinfo->isnull = inner->isnull;
	return inner->isnull ? (Datum) 0 : colj_from_jsonb(DatumGetJsonbP(result));
}

/* Final function of all of them. */
Datum
colj_agg_finalfn(PG_FUNCTION_ARGS)
{
	Collection *state = PG_ARGISNULL(0) ? NULL : (Collection *) PG_GETARG_POINTER(0);
	ColjBuilder *b;

	if (state == NULL)
		PG_RETURN_NULL();
	if (!state->core.isnull)
		return core_final(fcinfo, state);
	b = colj_builder_acquire();
	if (state->object)
		colj_builder_begin_object(b);
	else
		colj_builder_begin_array(b);
	for (size_t i = 0; i < state->n; i++)
	{
		if (state->object)
			colj_builder_key(b, VARDATA_ANY(state->keys[i]), VARSIZE_ANY_EXHDR(state->keys[i]));
		colj_push_source(b, COLJ_SOURCE_COLJ, PointerGetDatum(state->values[i]), false);
	}
	colj_builder_end(b);
	return colj_builder_datum(b);
}
