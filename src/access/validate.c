/*-------------------------------------------------------------------------
 *
 * validate.c
 *	  The second phase of a concurrent index build: rows that it has missed.
 *
 * The index's TIDs come sorted, and so do the rows, but within a page of the
 * heap the TIDs of roots may go back and forth: for the page at hand there is
 * a note for each line pointer that the index has.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "commands/progress.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "access/scan.h"

typedef struct Validation
{
	Relation	table;
	Relation	index;
	IndexInfo  *info;
	ValidateIndexState *state;
	EState	   *estate;
	ExprContext *econtext;
	ExprState  *predicate;
	TupleTableSlot *slot;
	ColjRoots	roots;
	bool		in_index[MaxHeapTuplesPerPage];
	bool		started;
	bool		exhausted;
	ItemPointerData cursor;		/* the index's TID at hand */
} Validation;

/* Step through the index's TIDs until one is not below the row's. */
static void
advance(Validation *v, ItemPointer tid)
{
	while (!v->exhausted &&
		   (!v->started || ItemPointerCompare(&v->cursor, tid) < 0))
	{
		Datum		value;
		bool		isnull;

		if (v->started && ItemPointerGetBlockNumber(&v->cursor) == v->roots.block)
			v->in_index[ItemPointerGetOffsetNumber(&v->cursor) - 1] = true;
		v->started = true;
		v->exhausted = !colj_tuplesort_getdatum(v->state->tuplesort, &value, &isnull);
		if (!v->exhausted)
			itemptr_decode(&v->cursor, DatumGetInt64(value));
	}
}

static bool
indexed(Validation *v, ItemPointer tid)
{
	advance(v, tid);
	if (!v->exhausted && ItemPointerCompare(&v->cursor, tid) == 0)
		return true;
	return ItemPointerGetBlockNumber(tid) == v->roots.block &&
		v->in_index[ItemPointerGetOffsetNumber(tid) - 1];
}

/* The row in the slot, if the index's predicate takes it. */
static void
add(Validation *v, ItemPointer tid)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];

	MemoryContextReset(v->econtext->ecxt_per_tuple_memory);
	if (v->predicate != NULL && !ExecQual(v->predicate, v->econtext))
		return;
	FormIndexDatum(v->info, v->slot, v->estate, values, isnull);
	index_insert(v->index, values, isnull, tid, v->table,
				 v->info->ii_Unique ? UNIQUE_CHECK_YES : UNIQUE_CHECK_NO,
				 false, v->info);
	v->state->tups_inserted += 1;
}

static void
validate_rows(Validation *v, TableScanDesc scan)
{
	HeapScanDesc hscan;

	scan = colj_heap_scan(scan);
	hscan = (HeapScanDesc) scan;
	pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_TOTAL, hscan->rs_nblocks);
	while (colj_heap_next(scan, ForwardScanDirection, v->slot))
	{
		ItemPointerData tid;

		CHECK_FOR_INTERRUPTS();
		v->state->htups += 1;
		if (colj_roots_enter(&v->roots, hscan))
		{
			memset(v->in_index, 0, sizeof(v->in_index));
			pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE, hscan->rs_cblock);
		}
		tid = colj_roots_tid(&v->roots, hscan, &hscan->rs_ctup);
		if (!indexed(v, &tid))
			add(v, &tid);
	}
}

/* Their TIDs are above all of the row store's. */
static void
validate_stripes(Validation *v, ColjScan *scan)
{
	v->roots.block = InvalidBlockNumber;
	while (colj_stripes_next(scan, ForwardScanDirection, v->slot))
	{
		ItemPointerData tid = v->slot->tts_tid;

		v->state->htups += 1;
		if (!indexed(v, &tid))
			add(v, &tid);
	}
}

void
colj_index_validate(Relation table, Relation index, IndexInfo *info, Snapshot snapshot,
					ValidateIndexState *state)
{
	Validation	v = {.table = table, .index = index, .info = info, .state = state};
	TableScanDesc scan;

	v.estate = CreateExecutorState();
	v.econtext = GetPerTupleExprContext(v.estate);
	v.slot = table_slot_create(table, NULL);
	v.econtext->ecxt_scantuple = v.slot;
	v.predicate = ExecPrepareQual(info->ii_Predicate, v.estate);
	v.roots.block = InvalidBlockNumber;

	scan = table_beginscan_strat(table, snapshot, 0, NULL, true, false);
	validate_rows(&v, scan);
	validate_stripes(&v, (ColjScan *) scan);
	table_endscan(scan);

	ExecDropSingleTupleTableSlot(v.slot);
	FreeExecutorState(v.estate);
	info->ii_ExpressionsState = NIL;
	info->ii_PredicateState = NULL;
}
