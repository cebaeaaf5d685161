/*-------------------------------------------------------------------------
 *
 * inspect_stripes.c
 *	  colj_stripes: the directory of a table.
 *
 * The stripes themselves are not read, so that the list is there, and with it
 * the TIDs, when one of them is damaged.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"

#include "compat.h"
#include "access/inspect.h"

PG_FUNCTION_INFO_V1(colj_stripes);

static void
put_stripe(ReturnSetInfo *result, ColjInspection *inspection, const ColjStripeEntry *entry)
{
	ItemPointerData first = colj_row_tid(entry->first_row);
	ItemPointerData last = colj_row_tid(entry->first_row + entry->rows - 1);
	Datum		values[6];
	bool		isnull[6] = {false};

	values[0] = Int64GetDatum((int64) (entry->first_row / COLJ_BLOCK_ROWS));
	values[1] = PointerGetDatum(&first);
	values[2] = PointerGetDatum(&last);
	values[3] = Int64GetDatum(entry->filled);
	values[4] = Int64GetDatum(colj_inspect_deleted(inspection, entry));
	values[5] = Int64GetDatum((int64) entry->size);
	tuplestore_putvalues(result->setResult, result->setDesc, values, isnull);
}

/* colj_stripes(table): one row for each stripe, in the order of the rows. */
Datum
colj_stripes(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	ColjInspection inspection;
	ColjStripeEntry *entries;
	int			n;

	InitMaterializedSRF(fcinfo, 0);
	colj_inspect_begin(&inspection, PG_GETARG_OID(0));
	n = colj_inspect_stripes(&inspection, &entries);
	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		put_stripe(result, &inspection, &entries[i]);
	}
	colj_inspect_end(&inspection);
	return (Datum) 0;
}
