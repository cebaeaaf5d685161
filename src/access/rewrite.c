/*-------------------------------------------------------------------------
 *
 * rewrite.c
 *	  VACUUM FULL and CLUSTER: all rows of both stores into a new table.
 *
 * In the new table all rows are in the row store; the next VACUUM compacts
 * them.  The rules are heap's: what a snapshot may still see is copied with
 * its XIDs, in the order of the index if there is one.  A row that was
 * compacted was visible to everybody before it moved.  So its copy is, too,
 * and where both the row in its stripe and the heap tuple that it was before
 * are there for the snapshots on either side of the move, the tuple is left
 * out.  A row that was loaded into its stripe has the stripe's xmin.  A row's
 * xmax is who has made its proxy dead.
 *
 * The table is locked against everybody else.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/relscan.h"
#include "access/rewriteheap.h"
#include "access/transam.h"
#include "access/xact.h"
#include "commands/progress.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "access/fetch.h"
#include "access/moved.h"
#include "access/scan.h"

typedef struct Rewrite
{
	Relation	table;
	Relation	copy;
	ColjStore	store;
	TransactionId horizon;
	RewriteState state;
	IndexScanDesc index_scan;	/* one of them */
	TableScanDesc table_scan;
	Tuplesortstate *sort;		/* NULL for rows that come in order */
	TupleTableSlot *slot;
	MemoryContext row_context;
	Datum	   *values;
	bool	   *isnull;
	BlockNumber reported;
	double		copied;
	double		dead;
	double		recently_dead;
} Rewrite;

static void
begin(Rewrite *w, Relation index, bool use_sort)
{
	bool		by_index = index != NULL && !use_sort;

	if (use_sort)
		w->sort = tuplesort_begin_cluster(RelationGetDescr(w->table), index, maintenance_work_mem, NULL, TUPLESORT_NONE);
	pgstat_progress_update_param(PROGRESS_CLUSTER_PHASE,
								 by_index ? PROGRESS_CLUSTER_PHASE_INDEX_SCAN_HEAP : PROGRESS_CLUSTER_PHASE_SEQ_SCAN_HEAP);
	if (by_index)
	{
		pgstat_progress_update_param(PROGRESS_CLUSTER_INDEX_RELID, RelationGetRelid(index));
		w->index_scan = colj_index_beginscan(w->table, index, SnapshotAny);
		index_rescan(w->index_scan, NULL, 0, NULL, 0);
	}
	else
	{
		w->table_scan = table_beginscan(w->table, SnapshotAny, 0, NULL);
		pgstat_progress_update_param(PROGRESS_CLUSTER_TOTAL_HEAP_BLKS,
									 ((HeapScanDesc) colj_heap_scan(w->table_scan))->rs_nblocks);
	}
	w->slot = table_slot_create(w->table, NULL);
	w->row_context = AllocSetContextCreate(CurrentMemoryContext, "colj row being copied", ALLOCSET_DEFAULT_SIZES);
	w->values = palloc((RelationGetDescr(w->copy)->natts + 1) * sizeof(Datum));
	w->isnull = palloc((RelationGetDescr(w->copy)->natts + 1) * sizeof(bool));
	w->reported = InvalidBlockNumber;
}

static void
end(Rewrite *w)
{
	if (w->index_scan != NULL)
		index_endscan(w->index_scan);
	if (w->table_scan != NULL)
		table_endscan(w->table_scan);
	ExecDropSingleTupleTableSlot(w->slot);
	MemoryContextDelete(w->row_context);
}

static bool
next_row(Rewrite *w)
{
	HeapScanDesc heap;

	if (w->index_scan != NULL)
	{
		if (!index_getnext_slot(w->index_scan, ForwardScanDirection, w->slot))
			return false;
		if (w->index_scan->xs_recheck)
			elog(ERROR, "CLUSTER does not support lossy index conditions");
		return true;
	}
	heap = (HeapScanDesc) colj_heap_scan(w->table_scan);
	if (!table_scan_getnextslot(w->table_scan, ForwardScanDirection, w->slot))
	{
		pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_BLKS_SCANNED, heap->rs_nblocks);
		return false;
	}
	if (!colj_tid_in_stripe(&w->slot->tts_tid) && w->reported != heap->rs_cblock)
	{
		w->reported = heap->rs_cblock;
		pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_BLKS_SCANNED,
									 (heap->rs_cblock + heap->rs_nblocks - heap->rs_startblock) % heap->rs_nblocks + 1);
	}
	return true;
}

/* Is it only where a compacted row was before? */
static bool
has_moved(Rewrite *w, HeapTuple tuple)
{
	uint64		row;

	return HeapTupleHeaderIndicatesMovedPartitions(tuple->t_data) &&
		(tuple->t_data->t_infomask & HEAP_XMAX_INVALID) == 0 &&
		colj_moved_row(&w->store, &tuple->t_self, HeapTupleHeaderGetUpdateXid(tuple->t_data), &row);
}

/* A tuple of the heap: NULL if it is not to be copied. */
static HeapTuple
judge_tuple(Rewrite *w)
{
	HeapTuple	tuple = ExecFetchSlotHeapTuple(w->slot, false, NULL);
	Buffer		buffer = ((BufferHeapTupleTableSlot *) w->slot)->buffer;
	HTSV_Result result;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	result = HeapTupleSatisfiesVacuum(tuple, w->horizon, buffer);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (result == HEAPTUPLE_DEAD)
	{
		w->dead += 1;
		if (rewrite_heap_dead_tuple(w->state, tuple))
		{
			w->dead += 1;
			w->recently_dead -= 1;
		}
		return NULL;
	}
	if (result == HEAPTUPLE_INSERT_IN_PROGRESS &&
		!TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data)))
		elog(WARNING, "concurrent insert in progress within table \"%s\"", RelationGetRelationName(w->table));
	if (result == HEAPTUPLE_DELETE_IN_PROGRESS &&
		!TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(tuple->t_data)))
		elog(WARNING, "concurrent delete in progress within table \"%s\"", RelationGetRelationName(w->table));
	if (result == HEAPTUPLE_RECENTLY_DEAD || result == HEAPTUPLE_DELETE_IN_PROGRESS)
	{
		if (has_moved(w, tuple))
			return NULL;
		w->recently_dead += 1;
	}
	return tuple;
}

/* Was every snapshot able to see the row before it came into its stripe? */
static bool
visible_to_all(Rewrite *w, uint64 row, TransactionId xmin)
{
	ItemPointerData origin;

	return TransactionIdPrecedes(xmin, w->horizon) || colj_origin_tid(&w->store, row, &origin);
}

/* A row of a stripe as a tuple with XIDs; NULL if it is not to be copied. */
static HeapTuple
judge_row(Rewrite *w)
{
	uint64		row = colj_tid_row(&w->slot->tts_tid);
	ColjFate	fate = colj_row_fate(&w->store, SnapshotSelf, row);
	HeapTuple	tuple;
	TransactionId xmin;

	if (fate.dead && TransactionIdPrecedes(fate.killer, w->horizon))
	{
		w->dead += 1;
		return NULL;
	}
	tuple = ExecCopySlotHeapTuple(w->slot);
	xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	tuple->t_self = w->slot->tts_tid;
	tuple->t_data->t_ctid = tuple->t_self;
	tuple->t_data->t_infomask &= ~HEAP_XACT_MASK;
	tuple->t_data->t_infomask2 &= ~HEAP2_XACT_MASK;
	HeapTupleHeaderSetXmin(tuple->t_data, xmin);
	if (visible_to_all(w, row, xmin))
		HeapTupleHeaderSetXminFrozen(tuple->t_data);
	HeapTupleHeaderSetCmin(tuple->t_data, FirstCommandId);
	if (fate.dead)
	{
		HeapTupleHeaderSetXmax(tuple->t_data, fate.killer);
		tuple->t_data->t_infomask2 |= HEAP_KEYS_UPDATED;
		w->recently_dead += 1;
	}
	else
	{
		HeapTupleHeaderSetXmax(tuple->t_data, InvalidTransactionId);
		tuple->t_data->t_infomask |= HEAP_XMAX_INVALID;
	}
	return tuple;
}

/* Columns that have been dropped are null in the copy. */
static void
write_tuple(Rewrite *w, HeapTuple tuple)
{
	TupleDesc	desc = RelationGetDescr(w->copy);
	HeapTuple	copy;

	heap_deform_tuple(tuple, RelationGetDescr(w->table), w->values, w->isnull);
	for (int i = 0; i < desc->natts; i++)
		if (TupleDescAttr(desc, i)->attisdropped)
			w->isnull[i] = true;
	copy = heap_form_tuple(desc, w->values, w->isnull);
	rewrite_heap_tuple(w->state, tuple, copy);
	heap_freetuple(copy);
}

static void
copy_rows(Rewrite *w)
{
	while (next_row(w))
	{
		MemoryContext old = MemoryContextSwitchTo(w->row_context);
		HeapTuple	tuple;

		CHECK_FOR_INTERRUPTS();
		tuple = colj_tid_in_stripe(&w->slot->tts_tid) ? judge_row(w) : judge_tuple(w);
		MemoryContextSwitchTo(old);
		if (tuple != NULL)
		{
			w->copied += 1;
			pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_SCANNED, (int64) w->copied);
			if (w->sort != NULL)
				tuplesort_putheaptuple(w->sort, tuple);
			else
			{
				write_tuple(w, tuple);
				pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_WRITTEN, (int64) w->copied);
			}
		}
		MemoryContextReset(w->row_context);
	}
}

static void
write_sorted(Rewrite *w)
{
	HeapTuple	tuple;
	int64		written = 0;

	pgstat_progress_update_param(PROGRESS_CLUSTER_PHASE, PROGRESS_CLUSTER_PHASE_SORT_TUPLES);
	tuplesort_performsort(w->sort);
	pgstat_progress_update_param(PROGRESS_CLUSTER_PHASE, PROGRESS_CLUSTER_PHASE_WRITE_NEW_HEAP);
	while ((tuple = tuplesort_getheaptuple(w->sort, true)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		write_tuple(w, tuple);
		pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_WRITTEN, ++written);
	}
	tuplesort_end(w->sort);
}

/* Heap's own callback will do where there are no stripes. */
void
colj_copy_for_cluster(Relation table, Relation copy, Relation index, bool use_sort,
					  TransactionId horizon, TransactionId *freeze, MultiXactId *multi,
					  double *tuples, double *vacuumed, double *recently_dead)
{
	Rewrite		w = {.table = table, .copy = copy, .horizon = horizon};

	if (!colj_store_exists(table))
	{
		colj_heap()->relation_copy_for_cluster(table, copy, index, use_sort, horizon, freeze, multi,
											   tuples, vacuumed, recently_dead);
		return;
	}
	(void) colj_store_open(&w.store, table, AccessShareLock);
	w.state = begin_heap_rewrite(table, copy, horizon, *freeze, *multi);
	begin(&w, index, use_sort);
	copy_rows(&w);
	end(&w);
	if (w.sort != NULL)
		write_sorted(&w);
	end_heap_rewrite(w.state);
	colj_store_close(&w.store);
	*tuples = w.copied;
	*vacuumed = w.dead;
	*recently_dead = w.recently_dead;
}
