/*-------------------------------------------------------------------------
 *
 * inspect_table.c
 *	  colj_table_stats: how much of a table is in which store.
 *
 * The rows of the row store are counted, by a scan of it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "executor/tuptable.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"

#include "compat.h"
#include "access/access.h"
#include "access/inspect.h"
#include "access/slot.h"

PG_FUNCTION_INFO_V1(colj_table_stats);

static int64
count_heap_rows(ColjInspection *inspection)
{
	TableScanDesc scan = colj_heap()->scan_begin(inspection->table, inspection->snapshot, 0, NULL, NULL,
												 SO_TYPE_SEQSCAN | SO_ALLOW_STRAT | SO_ALLOW_SYNC | SO_ALLOW_PAGEMODE);
	TupleTableSlot *slot = table_slot_create(inspection->table, NULL);
	int64		rows = 0;

	while (colj_heap_next(scan, ForwardScanDirection, slot))
	{
		CHECK_FOR_INTERRUPTS();
		rows++;
	}
	ExecDropSingleTupleTableSlot(slot);
	colj_heap()->scan_end(scan);
	return rows;
}

static int64
toast_bytes(Relation table)
{
	Oid			toast = table->rd_rel->reltoastrelid;

	return OidIsValid(toast) ? DatumGetInt64(DirectFunctionCall1(pg_total_relation_size, ObjectIdGetDatum(toast))) : 0;
}

/*
 * colj_table_stats(table): rows and bytes in both stores, as one row.  The
 * rows of both stores together are what the user's snapshot sees; deleted ones
 * come on top.
 */
Datum
colj_table_stats(PG_FUNCTION_ARGS)
{
	TupleDesc	desc;
	ColjInspection inspection;
	ColjStripeEntry *entries;
	int			n;
	int64		rows = 0;
	int64		deleted = 0;
	int64		bytes = 0;
	Datum		values[7];
	bool		isnull[7] = {false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	colj_inspect_begin(&inspection, PG_GETARG_OID(0));
	n = colj_inspect_stripes(&inspection, &entries);
	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		rows += entries[i].filled;
		deleted += colj_inspect_deleted(&inspection, &entries[i]);
		bytes += (int64) entries[i].size;
	}
	values[0] = Int64GetDatum(count_heap_rows(&inspection));
	values[1] = Int64GetDatum((int64) RelationGetNumberOfBlocks(inspection.table) * BLCKSZ);
	values[2] = Int64GetDatum(n);
	values[3] = Int64GetDatum(rows - deleted);
	values[4] = Int64GetDatum(bytes);
	values[5] = Int64GetDatum(deleted);
	values[6] = Int64GetDatum(toast_bytes(inspection.table));
	colj_inspect_end(&inspection);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, isnull)));
}
