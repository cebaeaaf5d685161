/*-------------------------------------------------------------------------
 *
 * rewrite.c
 *	  VACUUM FULL and CLUSTER: all rows of both stores into a new table.
 *
 * Rows that every snapshot sees, and nobody has changed since, go into stripes
 * of the new table, if there are enough of them; all others into its row store.
 * Both in the order of the index if there is one.  There the rules are heap's:
 * what a snapshot may still see is copied with its XIDs.
 *
 * A row that was compacted was visible to everybody before it moved.  So its
 * copy is, too, and where both the row in its stripe and the heap tuple that it
 * was before are there for the snapshots on either side of the move, the tuple
 * is left out.  A row that was loaded into its stripe has the stripe's xmin.  A
 * row's xmax is who has made its proxy dead.
 *
 * Without an index, stripes that need no change are taken over as they are.
 *
 * A frozen xmin without an xmax says of a tuple that it is for a stripe, also
 * while it waits to be sorted.  Row locks that are lost with its old xmax can
 * only be those of this transaction: the table is locked against all others.
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
#include "access/sysattr.h"
#include "access/transam.h"
#include "access/xact.h"
#include "commands/progress.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/tuplesort.h"

#include "compat.h"
#include "guc.h"
#include "access/compact.h"
#include "access/fetch.h"
#include "access/moved.h"
#include "access/scan.h"
#include "store/rebuild.h"

/* What becomes of a row. */
typedef enum Verdict
{
	LEAVE_OUT,
	KEEP_XIDS,					/* into the row store */
	FREEZE						/* into a stripe */
} Verdict;

/* XIDs to give to a tuple; no xmin: those that it has. */
typedef struct Xids
{
	TransactionId xmin;
	bool		frozen;
	TransactionId xmax;
} Xids;

/* A stripe of the old table. */
typedef struct OldStripe
{
	ColjStripeEntry entry;
	bits8	   *dead;			/* a bit for each row; NULL for none */
	bits8	   *settled;		/* of dead ones, and of those that never were */
} OldStripe;

typedef struct Rewrite
{
	Relation	table;
	Relation	copy;
	bool		has_store;
	ColjStore	store;
	OldStripe  *old;			/* in the order of their rows */
	int			nold;
	int			at;				/* where the last row was */
	int64		old_rows;		/* that are live in them */
	TransactionId horizon;
	RewriteState state;
	ColjRebuild *stripes;		/* NULL: all rows into the row store */
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

/* Nobody else changes any of them. */
static void
read_old_stripes(Rewrite *w)
{
	ColjStripeEntry *entries;

	w->nold = colj_directory_read(&w->store, SnapshotSelf, &entries);
	w->old = palloc_extended((w->nold + 1) * sizeof(OldStripe), MCXT_ALLOC_HUGE);
	for (int i = 0; i < w->nold; i++)
	{
		uint32		rows = entries[i].rows;
		bits8	   *dead = colj_rows_dead(&w->store, SnapshotSelf, entries[i].first_row, rows);

		CHECK_FOR_INTERRUPTS();
		w->old[i] = (OldStripe){entries[i], dead, colj_rows_settled(&w->store, SnapshotSelf, entries[i].first_row, rows, NULL)};
		w->old_rows += rows;
		if (dead != NULL)
			w->old_rows -= (int64) pg_popcount((const char *) dead, (int) (rows / 8 + 1));
	}
	pfree(entries);
}

/* The stripe of a row, which is in one. */
static const OldStripe *
find_stripe(Rewrite *w, uint64 row)
{
	int			low = 0;
	int			high = w->nold - 1;

	if (w->at < high && row >= w->old[w->at].entry.first_row && row < w->old[w->at + 1].entry.first_row)
		return &w->old[w->at];
	while (low < high)
	{
		int			middle = low + (high - low + 1) / 2;

		if (w->old[middle].entry.first_row <= row)
			low = middle;
		else
			high = middle - 1;
	}
	w->at = low;
	return &w->old[low];
}

/* Is it only where a compacted row was before? */
static bool
has_moved(Rewrite *w, HeapTuple tuple)
{
	uint64		row;

	return w->has_store &&
		HeapTupleHeaderIndicatesMovedPartitions(tuple->t_data) &&
		(tuple->t_data->t_infomask & HEAP_XMAX_INVALID) == 0 &&
		colj_moved_row(&w->store, &tuple->t_self, HeapTupleHeaderGetUpdateXid(tuple->t_data), &row);
}

/* A tuple that nobody sees; the rewrite may wait for it. */
static Verdict
leave_out_dead(Rewrite *w, HeapTuple tuple)
{
	w->dead += 1;
	if (rewrite_heap_dead_tuple(w->state, tuple))
	{
		w->dead += 1;
		w->recently_dead -= 1;
	}
	return LEAVE_OUT;
}

/* Somebody else's change of a table that is locked against it. */
static void
warn_of(Rewrite *w, TransactionId xid, const char *what)
{
	if (!TransactionIdIsCurrentTransactionId(xid))
		elog(WARNING, "concurrent %s in progress within table \"%s\"", what, RelationGetRelationName(w->table));
}

static Verdict
judge_tuple(Rewrite *w, Xids *xids)
{
	HeapTuple	tuple = ExecFetchSlotHeapTuple(w->slot, false, NULL);
	Buffer		buffer = ((BufferHeapTupleTableSlot *) w->slot)->buffer;
	TransactionId xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	HTSV_Result result;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	result = HeapTupleSatisfiesVacuum(tuple, w->horizon, buffer);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (result == HEAPTUPLE_DEAD)
		return leave_out_dead(w, tuple);
	if (result == HEAPTUPLE_LIVE && TransactionIdPrecedes(xmin, w->horizon))
	{
		*xids = (Xids){.xmin = HeapTupleHeaderGetRawXmin(tuple->t_data), .frozen = true};
		return FREEZE;
	}
	if (result == HEAPTUPLE_INSERT_IN_PROGRESS)
		warn_of(w, xmin, "insert");
	if (result == HEAPTUPLE_DELETE_IN_PROGRESS)
		warn_of(w, HeapTupleHeaderGetUpdateXid(tuple->t_data), "delete");
	if (result == HEAPTUPLE_RECENTLY_DEAD || result == HEAPTUPLE_DELETE_IN_PROGRESS)
	{
		if (has_moved(w, tuple))
			return LEAVE_OUT;
		w->recently_dead += 1;
	}
	return KEEP_XIDS;
}

/* Was every snapshot able to see the row before it came into its stripe? */
static bool
visible_to_all(Rewrite *w, uint64 row, TransactionId xmin)
{
	ItemPointerData origin;

	return TransactionIdPrecedes(xmin, w->horizon) || colj_origin_tid(&w->store, row, &origin);
}

static TransactionId
slot_xmin(TupleTableSlot *slot)
{
	bool		isnull;

	return DatumGetTransactionId(slot_getsysattr(slot, MinTransactionIdAttributeNumber, &isnull));
}

static bool
has_bit(const bits8 *bits, uint32 i)
{
	return bits != NULL && (bits[i / 8] & (1 << (i % 8))) != 0;
}

static Verdict
judge_row(Rewrite *w, Xids *xids)
{
	uint64		row = colj_tid_row(&w->slot->tts_tid);
	const OldStripe *stripe = find_stripe(w, row);
	uint32		i = (uint32) (row - stripe->entry.first_row);
	ColjFate	fate = {0};

	if (has_bit(stripe->settled, i))
		return LEAVE_OUT;
	if (has_bit(stripe->dead, i))
		fate = colj_row_fate(&w->store, SnapshotSelf, row);
	if (fate.dead && TransactionIdPrecedes(fate.killer, w->horizon))
	{
		w->dead += 1;
		return LEAVE_OUT;
	}
	xids->xmin = slot_xmin(w->slot);
	xids->frozen = visible_to_all(w, row, xids->xmin);
	if (!fate.dead)
		return xids->frozen ? FREEZE : KEEP_XIDS;
	xids->xmax = fate.killer;
	w->recently_dead += 1;
	return KEEP_XIDS;
}

static void
set_xids(HeapTuple tuple, const Xids *xids)
{
	HeapTupleHeader header = tuple->t_data;

	header->t_ctid = tuple->t_self;
	header->t_infomask &= ~HEAP_XACT_MASK;
	header->t_infomask2 &= ~HEAP2_XACT_MASK;
	HeapTupleHeaderSetXmin(header, xids->xmin);
	HeapTupleHeaderSetCmin(header, FirstCommandId);
	HeapTupleHeaderSetXmax(header, xids->xmax);
	if (xids->frozen)
		HeapTupleHeaderSetXminFrozen(header);
	if (TransactionIdIsValid(xids->xmax))
		header->t_infomask2 |= HEAP_KEYS_UPDATED;
	else
		header->t_infomask |= HEAP_XMAX_INVALID;
}

static bool
is_frozen(HeapTuple tuple)
{
	return HeapTupleHeaderXminFrozen(tuple->t_data) && (tuple->t_data->t_infomask & HEAP_XMAX_INVALID) != 0;
}

/* The row in the slot, not to be changed or kept. */
static HeapTuple
slot_tuple(Rewrite *w, const Xids *xids)
{
	HeapTuple	tuple;

	if (!TransactionIdIsValid(xids->xmin))
		return ExecFetchSlotHeapTuple(w->slot, false, NULL);
	tuple = ExecCopySlotHeapTuple(w->slot);
	set_xids(tuple, xids);
	return tuple;
}

/* Columns that have been dropped are null in the copy. */
static void
write_tuple(Rewrite *w, HeapTuple tuple)
{
	TupleDesc	desc = RelationGetDescr(w->copy);
	HeapTuple	copy;

	heap_deform_tuple(tuple, RelationGetDescr(w->table), w->values, w->isnull);
	if (w->stripes != NULL && is_frozen(tuple))
	{
		colj_rebuild_add(w->stripes, w->values, w->isnull);
		return;
	}
	for (int i = 0; i < desc->natts; i++)
		if (TupleDescAttr(desc, i)->attisdropped)
			w->isnull[i] = true;
	copy = heap_form_tuple(desc, w->values, w->isnull);
	rewrite_heap_tuple(w->state, tuple, copy);
	heap_freetuple(copy);
}

static void
copy_row(Rewrite *w)
{
	Xids		xids = {0};
	Verdict		verdict = colj_tid_in_stripe(&w->slot->tts_tid) ? judge_row(w, &xids) : judge_tuple(w, &xids);

	if (verdict == LEAVE_OUT)
		return;
	w->copied += 1;
	pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_SCANNED, (int64) w->copied);
	if (w->sort != NULL)
	{
		tuplesort_putheaptuple(w->sort, slot_tuple(w, &xids));
		return;
	}
	if (verdict == FREEZE && w->stripes != NULL)
	{
		/* without making a tuple of it */
		slot_getallattrs(w->slot);
		colj_rebuild_add(w->stripes, w->slot->tts_values, w->slot->tts_isnull);
	}
	else
		write_tuple(w, slot_tuple(w, &xids));
	pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_WRITTEN, (int64) w->copied);
}

/* Are all rows of a stripe alive, and visible to everybody? */
static bool
is_unchanged(Rewrite *w, const OldStripe *stripe)
{
	const ColjStripeEntry *entry = &stripe->entry;

	return stripe->dead == NULL && stripe->settled == NULL && entry->filled == entry->rows &&
		(entry->cold || TransactionIdPrecedes(entry->xmin, w->horizon));
}

/* The row in the slot is the first of a stripe: take that as a whole, if it can be. */
static bool
copy_stripe(Rewrite *w)
{
	ColjStripeCursor *cursor = &((ColjScan *) w->table_scan)->cursor;
	const OldStripe *stripe = find_stripe(w, colj_tid_row(&w->slot->tts_tid));

	if (!is_unchanged(w, stripe) || !colj_rebuild_take(w->stripes, &w->store, &stripe->entry))
		return false;
	w->copied += stripe->entry.rows;
	pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_SCANNED, (int64) w->copied);
	pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_WRITTEN, (int64) w->copied);
	colj_cursor_enter(cursor, cursor->stripe + 1, ForwardScanDirection);
	return true;
}

/* Is the scan, in no other order, at the first row of a stripe? */
static bool
begins_stripe(Rewrite *w)
{
	return w->table_scan != NULL && w->sort == NULL && w->stripes != NULL &&
		colj_tid_in_stripe(&w->slot->tts_tid) && ((ColjScan *) w->table_scan)->cursor.row == 0;
}

static void
copy_rows(Rewrite *w)
{
	while (next_row(w))
	{
		MemoryContext old = MemoryContextSwitchTo(w->row_context);

		CHECK_FOR_INTERRUPTS();
		if (!begins_stripe(w) || !copy_stripe(w))
			copy_row(w);
		MemoryContextSwitchTo(old);
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
		MemoryContext old = MemoryContextSwitchTo(w->row_context);

		CHECK_FOR_INTERRUPTS();
		write_tuple(w, tuple);
		pgstat_progress_update_param(PROGRESS_CLUSTER_HEAP_TUPLES_WRITTEN, ++written);
		MemoryContextSwitchTo(old);
		MemoryContextReset(w->row_context);
	}
	tuplesort_end(w->sort);
}

/* Are there as many rows for stripes as VACUUM would compact? */
static bool
stripes_due(Rewrite *w)
{
	int64		missing = colj_compact_min_rows - w->old_rows;

	if (RelationIsUsedAsCatalogTable(w->table))
		return false;
	return missing <= 0 || colj_cold_rows(w->table, missing) >= missing;
}

static void
copy_all(Rewrite *w, Relation index, bool use_sort)
{
	begin(w, index, use_sort);
	copy_rows(w);
	end(w);
	if (w->sort != NULL)
		write_sorted(w);
	MemoryContextDelete(w->row_context);
}

/* Heap's own callback will do where there are no stripes, before or after. */
void
colj_copy_for_cluster(Relation table, Relation copy, Relation index, bool use_sort,
					  TransactionId horizon, TransactionId *freeze, MultiXactId *multi,
					  double *tuples, double *vacuumed, double *recently_dead)
{
	Rewrite		w = {.table = table, .copy = copy, .horizon = horizon};
	bool		due;

	w.has_store = colj_store_open(&w.store, table, AccessShareLock);
	if (w.has_store)
		read_old_stripes(&w);
	due = stripes_due(&w);
	if (!due && w.nold == 0)
	{
		if (w.has_store)
			colj_store_close(&w.store);
		colj_heap()->relation_copy_for_cluster(table, copy, index, use_sort, horizon, freeze, multi,
											   tuples, vacuumed, recently_dead);
		return;
	}
	if (due)
	{
		(void) colj_ensure_toast(copy, true);
		w.stripes = colj_rebuild_begin(copy);
	}
	w.state = begin_heap_rewrite(table, copy, horizon, *freeze, *multi);
	copy_all(&w, index, use_sort);
	end_heap_rewrite(w.state);
	if (w.has_store)
		colj_store_close(&w.store);
	if (w.stripes != NULL)
	{
		colj_rebuild_end(w.stripes);
		if (RelationGetNumberOfBlocks(copy) == 0)
			colj_keep_a_block(copy);
	}
	*tuples = w.copied;
	*vacuumed = w.dead;
	*recently_dead = w.recently_dead;
}
