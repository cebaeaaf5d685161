/*-------------------------------------------------------------------------
 *
 * moved.c
 *	  Rows that a compaction has moved while others could see them.
 *
 * Compaction deletes a heap tuple as an update does that moves it to another
 * partition: its t_ctid says so.  A transaction with an older snapshot still
 * sees the tuple.  When it wants to change or lock it, it is sent on to the
 * row in its stripe, under the same snapshot: a row that has moved has not
 * been changed.  Its change is then in the row's proxy, which scans with that
 * snapshot must look at, too, before they take the heap tuple for live.
 * Nobody else's change can matter to them: it is younger than the snapshot.
 *
 * Whether the mover was a compaction is told by the origins that it has left
 * (store/origin.c); they stay for as long as there may be such a snapshot.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/transam.h"
#include "access/xact.h"
#include "storage/bufmgr.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/moved.h"
#include "access/scan.h"

bool
colj_moved_row(ColjStore *store, ItemPointer tid, TransactionId mover, uint64 *row)
{
	if (!TransactionIdIsNormal(mover) ||
		(!TransactionIdIsCurrentTransactionId(mover) &&
		 (TransactionIdIsInProgress(mover) || !TransactionIdDidCommit(mover))))
		return false;
	return colj_origin_row(store, tid, mover, row);
}

static bool
find_tid(Relation rel, ItemPointer tid, TransactionId mover, ItemPointer row_tid)
{
	ColjStore	store;
	uint64		row;
	bool		found;

	if (!colj_store_open(&store, rel, AccessShareLock))
		return false;
	found = colj_moved_row(&store, tid, mover, &row);
	colj_store_close(&store);
	if (found)
		*row_tid = colj_row_tid(row);
	return found;
}

bool
colj_moved_to(Relation rel, ItemPointer tid, TM_Result result, const TM_FailureData *tmfd, ItemPointer row)
{
	return result == TM_Updated &&
		ItemPointerIndicatesMovedPartitions(&tmfd->ctid) &&
		find_tid(rel, tid, tmfd->xmax, row);
}

bool
colj_moved_from(Relation rel, ItemPointer tid, Snapshot snapshot, ItemPointer row)
{
	HeapTupleData tuple;
	Buffer		buffer;
	TransactionId mover = InvalidTransactionId;

	if (ItemPointerGetBlockNumber(tid) >= RelationGetNumberOfBlocks(rel))
		return false;
	tuple.t_self = *tid;
	if (heap_fetch(rel, snapshot, &tuple, &buffer, true))
	{
		ReleaseBuffer(buffer);
		return false;
	}
	if (!BufferIsValid(buffer))
		return false;
	if (HeapTupleHeaderIndicatesMovedPartitions(tuple.t_data))
		mover = HeapTupleHeaderGetUpdateXid(tuple.t_data);
	ReleaseBuffer(buffer);
	return TransactionIdIsValid(mover) && find_tid(rel, tid, mover, row);
}

bool
colj_moved_from_chain(Relation rel, ItemPointer root, ItemPointer row)
{
	ItemPointerData tid = *root;
	Buffer		buffer = ReadBuffer(rel, ItemPointerGetBlockNumber(root));
	HeapTupleData tuple;
	TransactionId mover = InvalidTransactionId;
	bool		moved = false;
	bool		first = true;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	while (!moved && heap_hot_search_buffer(&tid, rel, buffer, SnapshotAny, &tuple, NULL, first))
	{
		moved = HeapTupleHeaderIndicatesMovedPartitions(tuple.t_data);
		first = false;
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (moved)
		mover = HeapTupleHeaderGetUpdateXid(tuple.t_data);
	ReleaseBuffer(buffer);
	return TransactionIdIsValid(mover) && find_tid(rel, &tid, mover, row);
}

bool
colj_seen_before_move(ColjStore *store, Snapshot snapshot, uint64 row)
{
	ColjStripeEntry entry;
	ItemPointerData tid;
	HeapTupleData tuple;
	Buffer		buffer;
	bool		seen;

	if (!IsMVCCSnapshot(snapshot) || colj_directory_find(store, snapshot, row, &entry) ||
		!colj_origin_tid(store, row, &tid) ||
		ItemPointerGetBlockNumber(&tid) >= RelationGetNumberOfBlocks(store->table))
		return false;
	tuple.t_self = tid;
	if (!heap_fetch(store->table, snapshot, &tuple, &buffer, false))
		return false;
	seen = HeapTupleHeaderIndicatesMovedPartitions(tuple.t_data) && !colj_row_fate(store, snapshot, row).dead;
	ReleaseBuffer(buffer);
	return seen;
}

bool
colj_moved_tuple_gone(Relation rel, Snapshot snapshot, HeapTuple tuple)
{
	ColjStore	store;
	uint64		row;
	bool		gone;

	/*
	 * Only changes of our own can be seen, but a serializable transaction
	 * must be noted to have looked.
	 */
	if (snapshot == NULL || !IsMVCCSnapshot(snapshot) ||
		(tuple->t_data->t_infomask & HEAP_XMAX_INVALID) != 0 ||
		(!TransactionIdIsValid(GetTopTransactionIdIfAny()) && !IsolationIsSerializable()))
		return false;
	if (!colj_store_open(&store, rel, AccessShareLock))
		return false;
	gone = colj_moved_row(&store, &tuple->t_self, HeapTupleHeaderGetUpdateXid(tuple->t_data), &row) &&
		colj_row_fate(&store, snapshot, row).dead;
	colj_store_close(&store);
	return gone;
}
