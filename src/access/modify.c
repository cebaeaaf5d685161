/*-------------------------------------------------------------------------
 *
 * modify.c
 *	  Deleting, updating and locking rows of stripes, through their proxies.
 *
 * An update puts the new version into the row store, and leaves its TID in
 * the proxy for those who follow.  Both take the proxy's exclusive lock
 * first: it waits for every kind of row lock, also for FOR KEY SHARE, which
 * heap would carry over to the new version.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/catalog.h"
#include "executor/tuptable.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/fetch.h"

static void
open_for_write(ColjStore *store, Relation rel)
{
	if (!colj_store_open(store, rel, RowExclusiveLock))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the column store of table \"%s\" is missing", RelationGetRelationName(rel))));
}

/* What a change of a stripe's row would log is not what decoding needs. */
static void
refuse_decoded(Relation rel)
{
	if (RelationIsLogicallyLogged(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot change compacted rows of table \"%s\" while wal_level is \"logical\"",
						RelationGetRelationName(rel)),
				 errhint("Move the rows out of their stripes: ALTER TABLE ... SET ACCESS METHOD heap, and back.")));
}

/* Take the row for a change; TM_Ok means that it is there and ours. */
static TM_Result
take(ColjStore *store, ItemPointer tid, CommandId cid, Snapshot crosscheck, bool wait,
	 TM_FailureData *tmfd, ItemPointer proxy)
{
	ColjStripeEntry entry;
	TM_Result	result;

	CheckForSerializableConflictIn(store->table, tid, ItemPointerGetBlockNumber(tid));
	result = colj_row_lock(store, colj_tid_row(tid), cid, LockTupleExclusive,
						   wait ? LockWaitBlock : LockWaitSkip, tmfd, proxy);
	if (result != TM_Ok || crosscheck == InvalidSnapshot ||
		colj_row_visible(store, crosscheck, colj_tid_row(tid), &entry))
		return result;
	tmfd->ctid = *tid;
	tmfd->xmax = InvalidTransactionId;
	tmfd->cmax = InvalidCommandId;
	return TM_Updated;
}

TM_Result
colj_tuple_delete(Relation rel, ItemPointer tid, CommandId cid, Snapshot snapshot,
				  Snapshot crosscheck, bool wait, TM_FailureData *tmfd, bool moving)
{
	ColjStore	store;
	ItemPointerData proxy;
	ItemPointerData moved;
	TM_Result	result;

	if (!colj_tid_in_stripe(tid))
		return colj_heap()->tuple_delete(rel, tid, cid, snapshot, crosscheck, wait, tmfd, moving);
	refuse_decoded(rel);
	open_for_write(&store, rel);
	result = take(&store, tid, cid, crosscheck, wait, tmfd, &proxy);
	if (result == TM_Ok)
	{
		ItemPointerSetMovedPartitions(&moved);
		colj_row_kill(&store, colj_tid_row(tid), &proxy, cid, moving ? &moved : NULL);
		pgstat_count_heap_delete(rel);
	}
	colj_store_close(&store);
	return result;
}

TM_Result
colj_tuple_update(Relation rel, ItemPointer tid, TupleTableSlot *slot, CommandId cid,
				  Snapshot snapshot, Snapshot crosscheck, bool wait,
				  TM_FailureData *tmfd, LockTupleMode *mode, ColjUpdateIndexes *indexes)
{
	ColjStore	store;
	ItemPointerData row = *tid;
	ItemPointerData proxy;
	TM_Result	result;

	if (!colj_tid_in_stripe(tid))
		return colj_heap()->tuple_update(rel, tid, slot, cid, snapshot, crosscheck, wait, tmfd, mode, indexes);
	refuse_decoded(rel);
	*mode = LockTupleExclusive;
	open_for_write(&store, rel);
	result = take(&store, &row, cid, crosscheck, wait, tmfd, &proxy);
	if (result == TM_Ok)
	{
		/* tid may be the slot's own */
		colj_heap()->tuple_insert(rel, slot, cid, 0, NULL);
		colj_row_kill(&store, colj_tid_row(&row), &proxy, cid, &slot->tts_tid);
		*indexes = COLJ_UPDATE_ALL;
	}
	colj_store_close(&store);
	return result;
}

/* Is the heap tuple at tid still the one that this transaction has made? */
static bool
made_by(Relation rel, ItemPointer tid, TransactionId xid)
{
	Buffer		buffer;
	Page		page;
	bool		same = false;

	if (ItemPointerGetBlockNumber(tid) >= RelationGetNumberOfBlocks(rel))
		return false;
	buffer = ReadBuffer(rel, ItemPointerGetBlockNumber(tid));
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	page = BufferGetPage(buffer);
	if (ItemPointerGetOffsetNumber(tid) <= PageGetMaxOffsetNumber(page))
	{
		ItemId		item = PageGetItemId(page, ItemPointerGetOffsetNumber(tid));

		same = ItemIdIsNormal(item) &&
			HeapTupleHeaderGetRawXmin((HeapTupleHeader) PageGetItem(page, item)) == xid;
	}
	UnlockReleaseBuffer(buffer);
	return same;
}

/* The row has got a new version in the row store: lock the last one. */
static TM_Result
lock_forward(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot,
			 CommandId cid, LockTupleMode mode, LockWaitPolicy wait_policy,
			 uint8 flags, TM_FailureData *tmfd)
{
	TM_Result	result;

	if (ItemPointerIndicatesMovedPartitions(&tmfd->ctid))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("tuple to be locked was already moved to another partition due to concurrent update")));
	if (!made_by(rel, &tmfd->ctid, tmfd->xmax))
		return TM_Deleted;
	*tid = tmfd->ctid;
	result = colj_heap()->tuple_lock(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
	tmfd->traversed = true;
	return result;
}

TM_Result
colj_tuple_lock(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot,
				CommandId cid, LockTupleMode mode, LockWaitPolicy wait_policy,
				uint8 flags, TM_FailureData *tmfd)
{
	ColjStore	store;
	ItemPointerData row = *tid;
	ItemPointerData proxy;
	ColjStripeEntry entry;
	TM_Result	result;

	if (!colj_tid_in_stripe(tid))
		return colj_heap()->tuple_lock(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
	open_for_write(&store, rel);
	result = colj_row_lock(&store, colj_tid_row(&row), cid, mode, wait_policy, tmfd, &proxy);
	if (result != TM_Updated || (flags & TUPLE_LOCK_FLAG_FIND_LAST_VERSION) == 0)
	{
		if (colj_directory_find(&store, SnapshotAny, colj_tid_row(&row), &entry))
			colj_slot_store(&store, &entry, colj_tid_row(&row), slot);
		colj_store_close(&store);
		return result;
	}
	colj_store_close(&store);
	return lock_forward(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
}
