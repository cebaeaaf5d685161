/*-------------------------------------------------------------------------
 *
 * record.c
 *	  A record as a document: an object of its columns.
 *
 * core's to_jsonb would print a colj column and parse it again.  Here columns
 * of the common types are pushed as they are (build.c), records in records
 * become documents of their own first, and only what is left goes through
 * to_jsonb, column by column.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/fmgroids.h"
#include "utils/typcache.h"

#include "compat.h"
#include "type/build.h"

/* A column on its way into the document. */
typedef struct Column
{
	ColjSource	source;
	Datum		value;
	bool		isnull;
} Column;

void
colj_prepare_to_jsonb(FmgrInfo *flinfo, Oid type, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	Const	   *argument = makeNullConst(type, -1, InvalidOid);

	fmgr_info_cxt(F_TO_JSONB, flinfo, context);
	fmgr_info_set_expr((Node *) makeFuncExpr(F_TO_JSONB, JSONBOID, list_make1(argument), InvalidOid,
											 InvalidOid, COERCE_EXPLICIT_CALL),
					   flinfo);
	MemoryContextSwitchTo(old);
}

/* Make a column's value one that can be pushed. */
static void
prepare_column(Column *column, Oid type, Oid colj)
{
	FmgrInfo	to_jsonb;

	column->source = colj_source_of(type, colj);
	if (column->isnull)
		return;
	if (column->source == COLJ_SOURCE_OTHER)
	{
		colj_prepare_to_jsonb(&to_jsonb, type, CurrentMemoryContext);
		column->value = FunctionCall1(&to_jsonb, column->value);
		column->source = COLJ_SOURCE_JSONB;
	}
	column->value = colj_source_detoast(column->source, column->value, colj);
}

static Datum
columns_object(TupleDesc desc, const Column *columns)
{
	ColjBuilder *b = colj_builder_acquire();

	colj_builder_begin_object(b);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		if (attr->attisdropped)
			continue;
		colj_builder_key(b, NameStr(attr->attname), strlen(NameStr(attr->attname)));
		colj_push_source(b, columns[i].source, columns[i].value, columns[i].isnull);
	}
	colj_builder_end(b);
	return colj_builder_datum(b);
}

Datum
colj_record_datum(Datum record, Oid colj)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(record);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header),
											  HeapTupleHeaderGetTypMod(header));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
	Datum	   *values = palloc(desc->natts * sizeof(Datum));
	bool	   *nulls = palloc(desc->natts * sizeof(bool));
	Column	   *columns = palloc0(desc->natts * sizeof(Column));
	Datum		result;

	check_stack_depth();
	heap_deform_tuple(&tuple, desc, values, nulls);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		columns[i].value = values[i];
		columns[i].isnull = nulls[i];
		if (!attr->attisdropped)
			prepare_column(&columns[i], attr->atttypid, colj);
	}
	result = columns_object(desc, columns);
	ReleaseTupleDesc(desc);
	return result;
}
