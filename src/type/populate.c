/*-------------------------------------------------------------------------
 *
 * populate.c
 *	  Records of simple columns, filled from the document itself.
 *
 * colj_twin asks here first whether a record can be filled without core.  It
 * can when its columns have types of core that take a scalar and whose input
 * functions call no code of users, since the document is open meanwhile.  What
 * they get is what core's populate_record gives them: a string without its
 * quotes, anything else as its JSON text.  For the usual pairs (a number for
 * an integer column) the text is left out.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "type/compare.h"
#include "type/populate.h"
#include "type/value.h"

/* Integers up to this one are floats without loss. */
#define FLOAT_EXACT (INT64CONST(1) << 53)

typedef struct Column
{
	bool		dropped;
	Oid			type;
	int32		typmod;
	const char *name;
	uint32		len;
	FmgrInfo	input;
	Oid			input_param;
} Column;

struct ColjColumns
{
	TupleDesc	desc;
	Column		columns[FLEXIBLE_ARRAY_MEMBER];
};

static bool
is_simple(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case NAMEOID:
		case DATEOID:
		case TIMEOID:
		case TIMETZOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case INTERVALOID:
		case UUIDOID:
		case INETOID:
			return true;
		default:
			return false;
	}
}

static void
learn_column(Column *column, Form_pg_attribute attr)
{
	Oid			input;

	column->type = attr->atttypid;
	column->typmod = attr->atttypmod;
	column->name = pstrdup(NameStr(attr->attname));
	column->len = strlen(column->name);
	getTypeInputInfo(attr->atttypid, &input, &column->input_param);
	fmgr_info_cxt(input, &column->input, CurrentMemoryContext);
}

ColjColumns *
colj_simple_columns(TupleDesc desc)
{
	ColjColumns *result;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		if (!attr->attisdropped && !is_simple(attr->atttypid))
			return NULL;
	}
	result = palloc0(offsetof(ColjColumns, columns) + desc->natts * sizeof(Column));
	result->desc = CreateTupleDescCopy(desc);
	if (desc->tdtypeid == RECORDOID)
		BlessTupleDesc(result->desc);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		result->columns[i].dropped = attr->attisdropped;
		if (!attr->attisdropped)
			learn_column(&result->columns[i], attr);
	}
	return result;
}

/* A value in a column of the type that fits it; false if there is more to do. */
static bool
fits(const Column *column, ColjDoc *doc, const ColjValue *value, Datum *datum)
{
	int64		integer = value->integer;
	bool		is_int = value->kind == COLJ_INT;

	switch (column->type)
	{
		case TEXTOID:
			*datum = PointerGetDatum(colj_value_text(doc, value));
			return true;
		case BOOLOID:
			*datum = BoolGetDatum(integer != 0);
			return value->kind == COLJ_BOOL;
		case INT2OID:
			*datum = Int16GetDatum((int16) integer);
			return is_int && integer == (int16) integer;
		case INT4OID:
			*datum = Int32GetDatum((int32) integer);
			return is_int && integer == (int32) integer;
		case INT8OID:
			*datum = Int64GetDatum(integer);
			return is_int;
		case FLOAT8OID:
			*datum = Float8GetDatum((float8) integer);
			return is_int && integer >= -FLOAT_EXACT && integer <= FLOAT_EXACT;
		case NUMERICOID:
			if (column->typmod >= 0 || !colj_is_number(value))
				return false;
			*datum = NumericGetDatum(colj_value_numeric(doc, value));
			return true;
		default:
			return false;
	}
}

static Datum
column_value(Column *column, ColjDoc *doc, const ColjValue *value)
{
	Datum		datum;
	char	   *string;

	if (fits(column, doc, value, &datum))
		return datum;
	string = text_to_cstring(colj_value_text(doc, value));
	return InputFunctionCall(&column->input, string, column->input_param, column->typmod);
}

/* Put an object's values in place of those that are there. */
static void
fill(const ColjColumns *columns, ColjDoc *doc, const ColjValue *object, Datum *values, bool *nulls)
{
	for (int i = 0; i < columns->desc->natts; i++)
	{
		Column	   *column = unconstify(Column *, &columns->columns[i]);
		ColjValue	value;

		if (column->dropped)
			nulls[i] = true;
		else if (colj_found(colj_get_key(doc, object, column->name, column->len, &value), doc))
		{
			nulls[i] = value.kind == COLJ_NULL;
			if (!nulls[i])
				values[i] = column_value(column, doc, &value);
		}
	}
}

/* What a record has before it is filled: that of the argument, or nulls. */
static void
begin_record(const ColjColumns *columns, HeapTupleHeader record, Datum *values, bool *nulls)
{
	HeapTupleData tuple = {.t_data = record};

	memset(values, 0, columns->desc->natts * sizeof(Datum));
	memset(nulls, true, columns->desc->natts * sizeof(bool));
	if (record == NULL)
		return;
	tuple.t_len = HeapTupleHeaderGetDatumLength(record);
	heap_deform_tuple(&tuple, columns->desc, values, nulls);
}

static Datum
fill_one(const ColjColumns *columns, ColjDoc *doc, HeapTupleHeader record)
{
	Datum	   *values = palloc(columns->desc->natts * sizeof(Datum));
	bool	   *nulls = palloc(columns->desc->natts * sizeof(bool));

	begin_record(columns, record, values, nulls);
	fill(columns, doc, &doc->root, values, nulls);
	return HeapTupleHeaderGetDatum(heap_form_tuple(columns->desc, values, nulls)->t_data);
}

/* A row for each object of an array; false when there is something else in it. */
static bool
put_rows(Tuplestorestate *store, const ColjColumns *columns, ColjDoc *doc, HeapTupleHeader record)
{
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "colj row",
													  ALLOCSET_DEFAULT_SIZES);
	Datum	   *values = palloc(columns->desc->natts * sizeof(Datum));
	bool	   *nulls = palloc(columns->desc->natts * sizeof(bool));
	MemoryContext old = MemoryContextSwitchTo(row_context);
	ColjIter	iter;
	ColjValue	element = {.kind = COLJ_OBJECT};

	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	while (colj_found(colj_iter_next(&iter, NULL, &element), doc) && element.kind == COLJ_OBJECT)
	{
		CHECK_FOR_INTERRUPTS();
		begin_record(columns, record, values, nulls);
		fill(columns, doc, &element, values, nulls);
		tuplestore_putvalues(store, columns->desc, values, nulls);
		MemoryContextReset(row_context);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(row_context);
	return iter.i == iter.c.n && (iter.c.n == 0 || element.kind == COLJ_OBJECT);
}

static bool
fill_set(ReturnSetInfo *rsinfo, const ColjColumns *columns, ColjDoc *doc, HeapTupleHeader record)
{
	MemoryContext old = MemoryContextSwitchTo(rsinfo->econtext->ecxt_per_query_memory);
	Tuplestorestate *store = tuplestore_begin_heap((rsinfo->allowedModes & SFRM_Materialize_Random) != 0,
												   false, work_mem);

	MemoryContextSwitchTo(old);
	if (!put_rows(store, columns, doc, record))
	{
		tuplestore_end(store);
		return false;
	}
	MemoryContextSwitchTo(rsinfo->econtext->ecxt_per_query_memory);
	rsinfo->returnMode = SFRM_Materialize;
	rsinfo->setResult = store;
	rsinfo->setDesc = CreateTupleDescCopy(columns->desc);
	MemoryContextSwitchTo(old);
	return true;
}

bool
colj_populate(FunctionCallInfo fcinfo, const ColjColumns *columns, int document, bool set,
			  Datum *result)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	HeapTupleHeader record = NULL;
	ColjDoc		local;
	ColjDoc    *doc;

	if (fcinfo->args[document].isnull)
		return false;
	if (set && (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo) ||
				(rsinfo->allowedModes & SFRM_Materialize) == 0))
		return false;
	doc = COLJ_GETARG(document, set ? COLJ_NEED_ALL : COLJ_NEED_PART, &local);
	if (doc->root.kind != (set ? COLJ_ARRAY : COLJ_OBJECT))
		return false;
	if (document > 0 && !fcinfo->args[document - 1].isnull)
		record = PG_GETARG_HEAPTUPLEHEADER(document - 1);
	if (!set)
		*result = fill_one(columns, doc, record);
	else if (!fill_set(rsinfo, columns, doc, record))
		return false;
	else
		*result = (Datum) 0;
	fcinfo->isnull = set;
	return true;
}
