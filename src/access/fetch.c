/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  Rows by TID: for index scans, TID scans and the executor.
 *
 * A TID at or above COLJ_FIRST_BLOCK is a stripe's, all others are heap's.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "executor/tuptable.h"
#include "pgstat.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/fetch.h"
#include "access/moved.h"

typedef struct Fetch
{
	IndexFetchTableData base;
	IndexFetchTableData *heap;
	MemoryContext context;		/* of the scan */
	bool		begun;
	bool		open;
	ColjStore	store;
	Snapshot	snapshot;		/* that the entry was found under */
	ColjStripeEntry entry;
} Fetch;

struct IndexFetchTableData *
colj_index_fetch_begin(Relation rel)
{
	Fetch	   *fetch = palloc0(sizeof(Fetch));

	fetch->base.rel = rel;
	fetch->context = CurrentMemoryContext;
	fetch->heap = colj_heap()->index_fetch_begin(rel);
	return &fetch->base;
}

void
colj_index_fetch_reset(struct IndexFetchTableData *base)
{
	Fetch	   *fetch = (Fetch *) base;

	colj_heap()->index_fetch_reset(fetch->heap);
	fetch->snapshot = NULL;
}

void
colj_index_fetch_end(struct IndexFetchTableData *base)
{
	Fetch	   *fetch = (Fetch *) base;

	colj_heap()->index_fetch_end(fetch->heap);
	if (fetch->open)
		colj_store_close(&fetch->store);
	pfree(fetch);
}

/* Does the snapshot see a row of a stripe?  Then *entry is its stripe. */
bool
colj_row_visible(ColjStore *store, Snapshot snapshot, uint64 row, ColjStripeEntry *entry)
{
	return colj_directory_find(store, snapshot, row, entry) &&
		(snapshot == SnapshotAny || !colj_row_fate(store, snapshot, row).dead);
}

static bool
open_store(Fetch *fetch)
{
	if (!fetch->open)
	{
		MemoryContext old = MemoryContextSwitchTo(fetch->context);

		fetch->open = colj_store_open(&fetch->store, fetch->base.rel, AccessShareLock);
		MemoryContextSwitchTo(old);
	}
	return fetch->open;
}

static bool
find_stripe(Fetch *fetch, Snapshot snapshot, uint64 row)
{
	if (fetch->snapshot == snapshot && row - fetch->entry.first_row < fetch->entry.rows)
		return true;
	fetch->snapshot = NULL;
	if (!open_store(fetch) || !colj_directory_find(&fetch->store, snapshot, row, &fetch->entry))
		return false;
	fetch->snapshot = snapshot;
	return true;
}

/* Is another transaction loading the row?  Then it is in snapshot->xmin. */
static bool
is_being_loaded(Fetch *fetch, Snapshot snapshot, uint64 row)
{
	if (open_store(fetch))
		snapshot->xmin = colj_row_loader(&fetch->store, row);
	return TransactionIdIsValid(snapshot->xmin);
}

static bool
fetch_row(Fetch *fetch, uint64 row, Snapshot snapshot, TupleTableSlot *slot)
{
	ItemPointerData tid;

	if (snapshot->snapshot_type == SNAPSHOT_DIRTY)
	{
		snapshot->xmin = snapshot->xmax = InvalidTransactionId;
		snapshot->speculativeToken = 0;
		if (is_being_loaded(fetch, snapshot, row))
		{
			/* there is nothing to look at yet; the caller waits */
			ExecStoreAllNullTuple(slot);
			slot->tts_tid = colj_row_tid(row);
			return true;
		}
	}
	if (!find_stripe(fetch, snapshot, row))
	{
		colj_serialize_missing(fetch->base.rel, row, snapshot);
		return false;
	}
	tid = colj_row_tid(row);
	colj_serialize_row(fetch->base.rel, &tid, snapshot);
	if (snapshot != SnapshotAny)
	{
		ColjFate	fate = colj_indexed_row_fate(&fetch->store, snapshot, row);

		if (fate.dead)
			return false;
		if (snapshot->snapshot_type == SNAPSHOT_DIRTY)
			snapshot->xmax = fate.pending;
	}
	colj_slot_store(&fetch->store, &fetch->entry, row, slot);
	pgstat_count_heap_fetch(fetch->base.rel);
	return true;
}

bool
colj_index_fetch_tuple(struct IndexFetchTableData *base, ItemPointer tid, Snapshot snapshot,
					   TupleTableSlot *slot, bool *call_again, bool *all_dead)
{
	Fetch	   *fetch = (Fetch *) base;
	ItemPointerData moved;
	bool		lent;
	bool		found;

	if (!fetch->begun)
		colj_serialize_scan(base->rel, snapshot);
	fetch->begun = true;
	if (!colj_tid_in_stripe(tid))
	{
		lent = colj_slot_lend(slot);
		found = colj_heap()->index_fetch_tuple(fetch->heap, tid, snapshot, slot, call_again, all_dead);
		colj_slot_take_back(slot, lent);
		if (found || snapshot->snapshot_type != SNAPSHOT_DIRTY || (all_dead != NULL && *all_dead) ||
			!colj_moved_from_chain(base->rel, tid, &moved))
			return found && !colj_slot_gone(base->rel, snapshot, slot);

		/*
		 * its new entry may have come behind the index scan: go on where it
		 * is now
		 */
		tid = &moved;
	}
	*call_again = false;
	if (all_dead != NULL)
		*all_dead = false;
	return fetch_row(fetch, colj_tid_row(tid), snapshot, slot);
}

bool
colj_fetch_version(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot)
{
	ColjStore	store;
	ColjStripeEntry entry;
	uint64		row = colj_tid_row(tid);
	bool		lent;
	bool		found;

	if (!colj_tid_in_stripe(tid))
	{
		ItemPointerData place = *tid;	/* it may be the slot's own */

		lent = colj_slot_lend(slot);
		found = colj_heap()->tuple_fetch_row_version(rel, &place, snapshot, slot);
		colj_slot_take_back(slot, lent);
		return found && !colj_slot_gone(rel, snapshot, slot);
	}
	if (!colj_tid_possible(tid) || !colj_store_open(&store, rel, AccessShareLock))
		return false;
	colj_serialize_row(rel, tid, snapshot);
	found = colj_row_visible(&store, snapshot, row, &entry);
	if (found)
	{
		colj_slot_store(&store, &entry, row, slot);
		pgstat_count_heap_fetch(rel);
	}
	colj_store_close(&store);
	return found;
}

static bool
row_exists(Relation rel, Snapshot snapshot, ItemPointer tid)
{
	ColjStore	store;
	ColjStripeEntry entry;
	bool		found;

	if (!colj_tid_possible(tid) || !colj_store_open(&store, rel, AccessShareLock))
		return false;
	found = colj_row_visible(&store, snapshot, colj_tid_row(tid), &entry) ||
		colj_seen_before_move(&store, snapshot, colj_tid_row(tid));
	colj_store_close(&store);
	return found;
}

bool
colj_tid_valid(TableScanDesc scan, ItemPointer tid)
{
	if (colj_tid_in_stripe(tid))
		return row_exists(scan->rs_rd, SnapshotAny, tid);
	return colj_heap()->tuple_tid_valid(colj_heap_scan(scan), tid);
}

void
colj_latest_tid(TableScanDesc scan, ItemPointer tid)
{
	ColjStore	store;
	ColjFate	fate;

	if (!colj_tid_in_stripe(tid))
	{
		colj_heap()->tuple_get_latest_tid(colj_heap_scan(scan), tid);
		(void) colj_moved_from(scan->rs_rd, tid, scan->rs_snapshot, tid);
	}
	if (colj_tid_in_stripe(tid))
	{
		if (!colj_tid_possible(tid) || !colj_store_open(&store, scan->rs_rd, AccessShareLock))
			return;
		fate = colj_row_fate(&store, scan->rs_snapshot, colj_tid_row(tid));
		colj_store_close(&store);
		if (!fate.dead || !ItemPointerIsValid(&fate.forward) ||
			ItemPointerIndicatesMovedPartitions(&fate.forward))
			return;
		*tid = fate.forward;
		colj_heap()->tuple_get_latest_tid(colj_heap_scan(scan), tid);
	}
}

bool
colj_satisfies_snapshot(Relation rel, TupleTableSlot *slot, Snapshot snapshot)
{
	bool		lent;
	bool		result;

	if (colj_tid_in_stripe(&slot->tts_tid))
		return row_exists(rel, snapshot, &slot->tts_tid);
	lent = colj_slot_lend(slot);
	result = colj_heap()->tuple_satisfies_snapshot(rel, slot, snapshot);
	colj_slot_take_back(slot, lent);
	return result && !colj_slot_gone(rel, snapshot, slot);
}

TransactionId
colj_index_delete_tuples(Relation rel, TM_IndexDeleteOp *op)
{
	int			n = 0;

	/* whether a row of a stripe is dead is not for the heap to say */
	for (int i = 0; i < op->ndeltids; i++)
		if (!colj_tid_in_stripe(&op->deltids[i].tid))
			op->deltids[n++] = op->deltids[i];
	op->ndeltids = n;
	return n == 0 ? InvalidTransactionId : colj_heap()->index_delete_tuples(rel, op);
}
