/*-------------------------------------------------------------------------
 *
 * info.c
 *	  colj_info: how a value is stored.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "type/dictionary.h"
#include "type/unpack.h"

PG_FUNCTION_INFO_V1(colj_info);

/* The columns of the result. */
enum
{
	INFO_VERSION,
	INFO_STRIDE,
	INFO_CODEC,
	INFO_LEVEL,
	INFO_DICTIONARY,
	INFO_DICTIONARY_VERSION,
	INFO_RAW_BYTES,
	INFO_STORED_BYTES,
	INFO_BLOCKS,
	INFO_SHAPES,
	INFO_COLUMNS
};

static void
set_packed(const ColjPacked *packed, Datum *values, bool *nulls)
{
	ColjDictionary row;

	values[INFO_CODEC] = CStringGetTextDatum("zstd");
	values[INFO_LEVEL] = Int32GetDatum(packed->level);
	nulls[INFO_LEVEL] = false;
	values[INFO_BLOCKS] = Int32GetDatum(packed->nblocks);
	if (packed->dictionary == 0 ||
		!colj_dictionary_by_id(packed->dictionary, &row, NULL))
		return;
	values[INFO_DICTIONARY] = CStringGetTextDatum(NameStr(row.name));
	values[INFO_DICTIONARY_VERSION] = Int32GetDatum(row.version);
	nulls[INFO_DICTIONARY] = nulls[INFO_DICTIONARY_VERSION] = false;
}

Datum
colj_info(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	const ColjPacked *packed = colj_document_packed(doc);
	Datum		values[INFO_COLUMNS];
	bool		nulls[INFO_COLUMNS] = {0};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE ||
		desc->natts != INFO_COLUMNS)
		elog(ERROR, "colj_info must return a row of %d columns", INFO_COLUMNS);
	values[INFO_VERSION] = Int32GetDatum(doc->data[0] >> COLJ_VERSION_SHIFT);
	values[INFO_STRIDE] = Int32GetDatum(doc->stride);
	values[INFO_CODEC] = CStringGetTextDatum("none");
	nulls[INFO_LEVEL] = nulls[INFO_DICTIONARY] = nulls[INFO_DICTIONARY_VERSION] = true;
	values[INFO_RAW_BYTES] = Int32GetDatum(doc->size);
	values[INFO_STORED_BYTES] = Int32GetDatum(toast_datum_size(PG_GETARG_DATUM(0)));
	values[INFO_BLOCKS] = Int32GetDatum(1);
	values[INFO_SHAPES] = Int32GetDatum(doc->nshapes);
	if (packed != NULL)
		set_packed(packed, values, nulls);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
