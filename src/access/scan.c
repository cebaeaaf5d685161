/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  Sequential scans: the stripes first, then the row store.
 *
 * A scan holds a heap scan of its own, and does what that does on the row
 * store.  The workers of a parallel scan take stripes one by one from a
 * counter that they share, and then the heap's blocks as heap does.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "executor/tuptable.h"
#include "pgstat.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/moved.h"
#include "access/scan.h"
#include "store/load.h"

ColjStripeCursor *
colj_scan_cursor(ColjScan *scan)
{
	TableScanDesc base = &scan->base.rs_base;
	MemoryContext old;

	if (scan->looked)
		return &scan->cursor;
	old = MemoryContextSwitchTo(scan->context);
	(void) colj_cursor_begin(&scan->cursor, base->rs_rd,
							 base->rs_snapshot != NULL ? base->rs_snapshot : SnapshotSelf,
							 base->rs_snapshot == SnapshotAny);
	MemoryContextSwitchTo(old);
	scan->looked = true;
	scan->in_heap = scan->cursor.n == 0;
	return &scan->cursor;
}

TableScanDesc
colj_scan_begin(Relation rel, Snapshot snapshot, int nkeys, struct ScanKeyData *key,
				ParallelTableScanDesc parallel, uint32 flags)
{
	ColjScan   *scan = palloc0(sizeof(ColjScan));
	TableScanDesc base = &scan->base.rs_base;

	/* what waits may go into blocks of the row store */
	colj_load_flush(RelationGetRelid(rel));
	RelationIncrementReferenceCount(rel);
	base->rs_rd = rel;
	base->rs_snapshot = snapshot;
	base->rs_nkeys = nkeys;
	base->rs_flags = flags;
	base->rs_parallel = parallel;
	scan->context = CurrentMemoryContext;
	if (flags & SO_TYPE_TIDRANGESCAN)
		PredicateLockRelation(rel, snapshot);
	colj_serialize_scan(rel, snapshot);
	scan->heap = colj_heap()->scan_begin(rel, snapshot, nkeys, key, parallel, flags & ~SO_TEMP_SNAPSHOT);
	scan->base.rs_nblocks = ((HeapScanDesc) scan->heap)->rs_nblocks;
#ifdef COLJ_BITMAP_ITERATOR
	if (flags & SO_TYPE_BITMAPSCAN)
		colj_bitmap_begin(scan);
#endif
	return base;
}

void
colj_scan_end(TableScanDesc sscan)
{
	ColjScan   *scan = (ColjScan *) sscan;

	colj_heap()->scan_end(scan->heap);
	colj_cursor_end(&scan->cursor);
	RelationDecrementReferenceCount(sscan->rs_rd);
	if (sscan->rs_flags & SO_TEMP_SNAPSHOT)
		UnregisterSnapshot(sscan->rs_snapshot);
	pfree(scan);
}

void
colj_scan_rescan(TableScanDesc sscan, struct ScanKeyData *key, bool set_params,
				 bool allow_strat, bool allow_sync, bool allow_pagemode)
{
	ColjScan   *scan = (ColjScan *) sscan;

	scan->heap->rs_snapshot = sscan->rs_snapshot;
	colj_heap()->scan_rescan(scan->heap, key, set_params, allow_strat, allow_sync, allow_pagemode);
	colj_cursor_end(&scan->cursor);
	scan->looked = scan->late = false;
	scan->nrows = scan->next = 0;
#ifdef COLJ_BITMAP_ITERATOR
	scan->bitmap_reached = scan->bitmap_in_stripes = false;
#endif
}

/* Is no row of a stripe in the range of a TID range scan?  Then nobody need open it. */
static bool
is_outside(ColjScan *scan, int stripe)
{
	const ColjStripeEntry *entry = &scan->cursor.entries[stripe];
	ItemPointerData first = colj_row_tid(entry->first_row);
	ItemPointerData last = colj_row_tid(entry->first_row + entry->rows - 1);

	return scan->ranged && (ItemPointerCompare(&last, &scan->mintid) < 0 ||
							ItemPointerCompare(&first, &scan->maxtid) > 0);
}

bool
colj_scan_next_stripe(ColjScan *scan, ScanDirection direction)
{
	ColjStripeCursor *cursor = &scan->cursor;
	ColjSharedScan *shared = (ColjSharedScan *) scan->base.rs_base.rs_parallel;
	int			stripe;

	if (shared != NULL)
	{
		uint64		mine = pg_atomic_fetch_add_u64(&shared->next_stripe, 1);

		stripe = (int) Min(mine, (uint64) cursor->n);
	}
	else
	{
		stripe = cursor->stripe;
		do
			stripe += ScanDirectionIsBackward(direction) ? -1 : 1;
		while (stripe >= 0 && stripe < cursor->n && is_outside(scan, stripe));
	}
	colj_cursor_enter(cursor, stripe, direction);
	return stripe >= 0 && stripe < cursor->n;
}

bool
colj_stripes_next(ColjScan *scan, ScanDirection direction, TupleTableSlot *slot)
{
	ColjStripeCursor *cursor = colj_scan_cursor(scan);

	do
	{
		if (colj_cursor_next(cursor, direction, slot))
		{
			pgstat_count_heap_getnext(scan->base.rs_base.rs_rd);
			return true;
		}
	} while (colj_scan_next_stripe(scan, direction));

	/* stay next to the last row, so that the scan may turn round */
	cursor->stripe = Max(Min(cursor->stripe, cursor->n), -1);
	return false;
}

static bool
next_of_heap(ColjScan *scan, ScanDirection direction, TupleTableSlot *slot, bool tidrange)
{
	HeapScanDesc heap = (HeapScanDesc) scan->heap;
	bool		lent = colj_slot_lend(slot);
	bool		found;

	do
	{
		found = tidrange ? heap_getnextslot_tidrange(scan->heap, direction, slot)
			: heap_getnextslot(scan->heap, direction, slot);
	} while (found && colj_tuple_gone(scan->heap->rs_rd, scan->heap->rs_snapshot, &heap->rs_ctup));
	colj_slot_take_back(slot, lent);
	if (scan->base.rs_cblock != heap->rs_cblock)
	{
		scan->base.rs_nblocks = heap->rs_nblocks;
		scan->base.rs_cblock = heap->rs_cblock;
		scan->base.rs_startblock = heap->rs_startblock;
	}
	return found;
}

static bool
next_of_both(ColjScan *scan, ScanDirection direction, TupleTableSlot *slot, bool tidrange)
{
	bool		backward = ScanDirectionIsBackward(direction);
	bool		fresh = !scan->looked;
	ColjStripeCursor *cursor = colj_scan_cursor(scan);

	if (cursor->n == 0)
		return next_of_heap(scan, direction, slot, tidrange);
	if (fresh && backward)
		scan->in_heap = true;
	if (!scan->in_heap)
	{
		if (colj_stripes_next(scan, direction, slot))
			return true;
		if (backward)
		{
			ExecClearTuple(slot);
			return false;
		}
		scan->in_heap = true;
	}
	if (next_of_heap(scan, direction, slot, tidrange))
		return true;
	if (!backward)
		return false;
	scan->in_heap = false;
	colj_cursor_enter(cursor, cursor->n, direction);
	if (colj_stripes_next(scan, direction, slot))
		return true;
	ExecClearTuple(slot);
	return false;
}

/*
 * A compaction that commits while we look may have moved a row into a stripe,
 * after we have read which there are and before we come to where it was.  An MVCC
 * snapshot sees it there nevertheless; no other does, so new stripes are next.
 */
static bool
next_of_late(ColjScan *scan, TupleTableSlot *slot)
{
	if (!scan->late)
		colj_cursor_renew(colj_scan_cursor(scan), scan->base.rs_base.rs_rd);
	scan->late = true;
	if (colj_stripes_next(scan, ForwardScanDirection, slot))
		return true;
	ExecClearTuple(slot);
	return false;
}

/* Is it one that may pass over a row that is being moved?  SnapshotAny sees dead ones. */
static bool
may_pass_over(Snapshot snapshot)
{
	return snapshot != NULL && snapshot != SnapshotAny && !IsMVCCSnapshot(snapshot);
}

bool
colj_scan_next(TableScanDesc sscan, ScanDirection direction, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;
	bool		found;

	if (scan->late)
		return next_of_late(scan, slot);

	/* the short ways within the stripes, and where there are none */
	if (likely(scan->looked && !scan->in_heap) && colj_stripes_next(scan, direction, slot))
		return true;
	if (scan->looked && scan->cursor.n == 0)
		found = next_of_heap(scan, direction, slot, false);
	else
		found = next_of_both(scan, direction, slot, false);
	if (found || ScanDirectionIsBackward(direction) || !may_pass_over(sscan->rs_snapshot))
		return found;
	return next_of_late(scan, slot);
}

void
colj_scan_set_tidrange(TableScanDesc sscan, ItemPointer mintid, ItemPointer maxtid)
{
	ColjScan   *scan = (ColjScan *) sscan;

	scan->mintid = *mintid;
	scan->maxtid = *maxtid;
	scan->ranged = true;
	colj_heap()->scan_set_tidrange(scan->heap, mintid, maxtid);
}

bool
colj_scan_next_tidrange(TableScanDesc sscan, ScanDirection direction, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;

	while (next_of_both(scan, direction, slot, true))
	{
		if (!colj_tid_in_stripe(&slot->tts_tid) ||
			(ItemPointerCompare(&slot->tts_tid, &scan->mintid) >= 0 &&
			 ItemPointerCompare(&slot->tts_tid, &scan->maxtid) <= 0))
			return true;
	}
	return false;
}

Size
colj_parallelscan_estimate(Relation rel)
{
	(void) rel;
	return sizeof(ColjSharedScan);
}

Size
colj_parallelscan_initialize(Relation rel, ParallelTableScanDesc parallel)
{
	colj_load_flush(RelationGetRelid(rel));
	(void) table_block_parallelscan_initialize(rel, parallel);
	pg_atomic_init_u64(&((ColjSharedScan *) parallel)->next_stripe, 0);
	return sizeof(ColjSharedScan);
}

void
colj_parallelscan_reinitialize(Relation rel, ParallelTableScanDesc parallel)
{
	table_block_parallelscan_reinitialize(rel, parallel);
	pg_atomic_write_u64(&((ColjSharedScan *) parallel)->next_stripe, 0);
}
