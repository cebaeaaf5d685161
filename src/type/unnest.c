/*-------------------------------------------------------------------------
 *
 * unnest.c
 *	  Documents as sets of rows: colj_object_keys, colj_each(_text),
 *	  colj_array_elements(_text).
 *
 * A container's children are read in one pass and go into a tuplestore, as
 * jsonb's do; what a row needs on the way is freed before the next.  Keys
 * alone are few and small: they are handed out one a call, so that no
 * tuplestore is needed.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "type/compare.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_object_keys);
PG_FUNCTION_INFO_V1(colj_each);
PG_FUNCTION_INFO_V1(colj_each_text);
PG_FUNCTION_INFO_V1(colj_array_elements);
PG_FUNCTION_INFO_V1(colj_array_elements_text);

/* Keys of an object, not yet handed out. */
typedef struct Keys
{
	text	  **texts;
	uint32		n;
	uint32		next;
} Keys;

static void
cannot_call(const char *function, const char *what)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("cannot call %s on %s", function, what));
}

static void
cannot_extract_from(const char *what)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("cannot extract elements from %s", what));
}

static text *
key_text(const ColjKey *key)
{
	return cstring_to_text_with_len(key->bytes, key->len);
}

/* Copy all keys into the current memory context. */
static Keys *
read_keys(ColjDoc *doc)
{
	Keys	   *keys = palloc0(sizeof(Keys));
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;

	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	keys->texts = palloc_extended(sizeof(text *) * (Size) iter.c.n, MCXT_ALLOC_HUGE);
	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		CHECK_FOR_INTERRUPTS();
		keys->texts[keys->n++] = key_text(&key);
	}
	return keys;
}

static Keys *
keys_of_arg(FunctionCallInfo fcinfo)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);

	if (!colj_is_container(&doc->root))
		cannot_call("colj_object_keys", "a scalar");
	else if (doc->root.kind == COLJ_ARRAY)
		cannot_call("colj_object_keys", "an array");
	return read_keys(doc);
}

/* An object's keys, in stored order. */
Datum
colj_object_keys(PG_FUNCTION_ARGS)
{
	FuncCallContext *funcctx;
	Keys	   *keys;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		funcctx = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(funcctx->multi_call_memory_ctx);
		funcctx->user_fctx = keys_of_arg(fcinfo);
		MemoryContextSwitchTo(old);
	}
	funcctx = SRF_PERCALL_SETUP();
	keys = funcctx->user_fctx;
	if (keys->next < keys->n)
		SRF_RETURN_NEXT(funcctx, PointerGetDatum(keys->texts[keys->next++]));
	SRF_RETURN_DONE(funcctx);
}

/* A child as the last column of a row; null texts are SQL nulls. */
static void
set_value(ColjDoc *doc, const ColjValue *value, bool as_text, Datum *datum, bool *isnull)
{
	text	   *result;

	*isnull = false;
	if (!as_text)
	{
		*datum = colj_value_datum(doc, value);
		return;
	}
	result = colj_value_text(doc, value);
	*datum = PointerGetDatum(result);
	*isnull = (result == NULL);
}

/* One row a child: its key, if it has one, and its value. */
static void
put_children(ReturnSetInfo *rsinfo, ColjDoc *doc, bool as_text)
{
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "colj row",
													  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(row_context);
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;

	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		Datum		row[2];
		bool		nulls[2] = {false, false};
		int			natts = 0;

		CHECK_FOR_INTERRUPTS();
		if (iter.c.kind == COLJ_OBJECT)
			row[natts++] = PointerGetDatum(key_text(&key));
		set_value(doc, &value, as_text, &row[natts], &nulls[natts]);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, row, nulls);
		MemoryContextReset(row_context);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(row_context);
}

static void
put_each(FunctionCallInfo fcinfo, const char *function, bool as_text)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	if (doc->root.kind != COLJ_OBJECT)
		cannot_call(function, "a non-object");
	InitMaterializedSRF(fcinfo, MAT_SRF_BLESS);
	put_children((ReturnSetInfo *) fcinfo->resultinfo, doc, as_text);
}

static void
put_elements(FunctionCallInfo fcinfo, bool as_text)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	if (!colj_is_container(&doc->root))
		cannot_extract_from("a scalar");
	else if (doc->root.kind != COLJ_ARRAY)
		cannot_extract_from("an object");
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC | MAT_SRF_BLESS);
	put_children((ReturnSetInfo *) fcinfo->resultinfo, doc, as_text);
}

/* An object's pairs. */
Datum
colj_each(PG_FUNCTION_ARGS)
{
	put_each(fcinfo, "colj_each", false);
	return (Datum) 0;
}

/* An object's pairs, values as ->> gives them. */
Datum
colj_each_text(PG_FUNCTION_ARGS)
{
	put_each(fcinfo, "colj_each_text", true);
	return (Datum) 0;
}

/* An array's elements. */
Datum
colj_array_elements(PG_FUNCTION_ARGS)
{
	put_elements(fcinfo, false);
	return (Datum) 0;
}

/* An array's elements as ->> gives them. */
Datum
colj_array_elements_text(PG_FUNCTION_ARGS)
{
	put_elements(fcinfo, true);
	return (Datum) 0;
}
