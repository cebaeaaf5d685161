/*-------------------------------------------------------------------------
 *
 * modify.c
 *	  Deleting, updating and locking rows of stripes, through their proxies.
 *
 * An update puts the new version into the row store, and leaves its TID in
 * the proxy for those who follow.  Both lock the proxy first, in the mode in
 * which heap would lock the row, and so wait for whom heap would wait for.
 *
 * Where changes are decoded, a row is thawed first, for the log to have what
 * decoding needs (thaw.c).
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
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/fetch.h"
#include "access/moved.h"

static void
open_for_write(ColjStore *store, Relation rel)
{
	if (!colj_store_open(store, rel, RowExclusiveLock))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the column store of table \"%s\" is missing", RelationGetRelationName(rel))));
}

/* The row as it is in its stripe, in a slot of its own. */
static TupleTableSlot *
old_row(ColjStore *store, ItemPointer tid)
{
	TupleTableSlot *slot = table_slot_create(store->table, NULL);
	ColjStripeEntry entry;

	if (!colj_directory_find(store, SnapshotAny, colj_tid_row(tid), &entry))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the stripe of a row of table \"%s\" is missing",
						RelationGetRelationName(store->table))));
	colj_slot_store(store, &entry, colj_tid_row(tid), slot);
	return slot;
}

/* Take the row for a change; TM_Ok means that it is there and ours. */
static TM_Result
take(ColjStore *store, ItemPointer tid, CommandId cid, LockTupleMode mode, Snapshot crosscheck,
	 bool wait, TM_FailureData *tmfd, ItemPointer proxy)
{
	ColjStripeEntry entry;
	TM_Result	result;

	CheckForSerializableConflictIn(store->table, tid, ItemPointerGetBlockNumber(tid));
	result = colj_row_lock(store, colj_tid_row(tid), cid, mode,
						   wait ? LockWaitBlock : LockWaitSkip, false, tmfd, proxy);
	if (result != TM_Ok || crosscheck == InvalidSnapshot ||
		colj_row_visible(store, crosscheck, colj_tid_row(tid), &entry) ||
		colj_seen_before_move(store, crosscheck, colj_tid_row(tid)))
		return result;
	tmfd->ctid = *tid;
	tmfd->xmax = InvalidTransactionId;
	tmfd->cmax = InvalidCommandId;
	return TM_Updated;
}

void
colj_uncount_insert(Relation rel)
{
	if (pgstat_should_count_relation(rel) && rel->pgstat_info->trans != NULL)
		rel->pgstat_info->trans->tuples_inserted--;
}

/* Make it dead; who reads it serializably has looked before, or finds that. */
static void
kill_row(ColjStore *store, ItemPointer tid, ItemPointer proxy, CommandId cid, ItemPointer forward)
{
	ItemPointerData origin;

	colj_row_kill(store, colj_tid_row(tid), proxy, cid, forward);
	CheckForSerializableConflictIn(store->table, tid, ItemPointerGetBlockNumber(tid));

	/* it may have been read where it was before */
	if (IsolationIsSerializable() && colj_origin_tid(store, colj_tid_row(tid), &origin))
		CheckForSerializableConflictIn(store->table, &origin, ItemPointerGetBlockNumber(&origin));
}

TM_Result
colj_tuple_delete(Relation rel, ItemPointer tid, CommandId cid, Snapshot snapshot,
				  Snapshot crosscheck, bool wait, TM_FailureData *tmfd, bool moving)
{
	ColjStore	store;
	ItemPointerData row = *tid;
	ItemPointerData proxy;
	ItemPointerData moved;
	TM_Result	result;

	if (!colj_tid_in_stripe(tid))
	{
		result = colj_heap()->tuple_delete(rel, tid, cid, snapshot, crosscheck, wait, tmfd, moving);
		if (!colj_moved_to(rel, &row, result, tmfd, &row))
			return result;
	}
	open_for_write(&store, rel);
	result = take(&store, &row, cid, LockTupleExclusive, crosscheck, wait, tmfd, &proxy);
	if (result == TM_Ok)
	{
		if (RelationIsLogicallyLogged(rel))
		{
			TupleTableSlot *old = old_row(&store, &row);

			colj_thaw_and_delete(rel, old, cid, moving);
			ExecDropSingleTupleTableSlot(old);
		}
		else
			pgstat_count_heap_delete(rel);

		/* triggers fetch the old row by this, when its heap tuple may be gone */
		*tid = row;
		ItemPointerSetMovedPartitions(&moved);
		kill_row(&store, &row, &proxy, cid, moving ? &moved : NULL);
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
	TupleTableSlot *old;
	TM_Result	result;

	if (!colj_tid_in_stripe(tid))
	{
		result = colj_heap()->tuple_update(rel, tid, slot, cid, snapshot, crosscheck, wait, tmfd, mode, indexes);
		if (!colj_moved_to(rel, &row, result, tmfd, &row))
			return result;
	}
	open_for_write(&store, rel);
	old = old_row(&store, &row);
	*mode = colj_update_lockmode(rel, old, slot);
	result = take(&store, &row, cid, *mode, crosscheck, wait, tmfd, &proxy);
	if (result == TM_Ok)
	{
		/*
		 * for triggers, as above; or it is the slot's own, and gets the new
		 * TID
		 */
		*tid = row;
		if (RelationIsLogicallyLogged(rel))
			colj_thaw_and_update(rel, old, slot, cid);
		else
		{
			colj_heap()->tuple_insert(rel, slot, cid, 0, NULL);
			colj_uncount_insert(rel);
			COLJ_COUNT_UPDATE(rel);
		}
		kill_row(&store, &row, &proxy, cid, &slot->tts_tid);
		*indexes = COLJ_UPDATE_ALL;
	}
	ExecDropSingleTupleTableSlot(old);
	colj_store_close(&store);
	return result;
}

/* Wait for who is about to change a tuple; false if the policy is to skip it. */
static bool
wait_for(Relation rel, ItemPointer tid, TransactionId xid, LockWaitPolicy wait_policy)
{
	if (wait_policy == LockWaitBlock)
	{
		XactLockTableWait(xid, rel, tid, XLTW_FetchUpdated);
		return true;
	}
	if (colj_transaction_ended(xid))
		return true;
	if (wait_policy == LockWaitError)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not obtain lock on row in relation \"%s\"",
						RelationGetRelationName(rel))));
	return false;
}

/*
 * What to do with the tuple that a chain of updates has led to; TM_Ok: lock
 * it, TM_Updated: go on with *tid and *prior.
 */
static TM_Result
judge_version(HeapTuple tuple, bool valid, CommandId cid, ItemPointer tid,
			  TransactionId *prior, TM_FailureData *tmfd)
{
	/* another tuple has got the place of the one that was meant */
	if (!TransactionIdEquals(HeapTupleHeaderGetXmin(tuple->t_data), *prior))
		return TM_Deleted;
	if (valid)
	{
		if (!TransactionIdIsCurrentTransactionId(*prior) ||
			HeapTupleHeaderGetCmin(tuple->t_data) < cid)
			return TM_Ok;
		tmfd->xmax = *prior;
		tmfd->cmax = HeapTupleHeaderGetCmin(tuple->t_data);
		return TM_SelfModified;
	}
	if (ItemPointerEquals(&tuple->t_self, &tuple->t_data->t_ctid))
		return TM_Deleted;
	*tid = tuple->t_data->t_ctid;
	*prior = HeapTupleHeaderGetUpdateXid(tuple->t_data);
	return TM_Updated;
}

/*
 * Follow a row from its stripe to its last version, which *tid is then.  The
 * rules are heap's: each version must be of the transaction that has ended
 * the one before.
 */
static TM_Result
find_last_version(Relation rel, ItemPointer tid, CommandId cid, LockWaitPolicy wait_policy,
				  TM_FailureData *tmfd)
{
	TransactionId prior = tmfd->xmax;

	*tid = tmfd->ctid;
	for (;;)
	{
		SnapshotData dirty;
		HeapTupleData tuple;
		Buffer		buffer;
		bool		valid;
		TM_Result	result;

		CHECK_FOR_INTERRUPTS();
		if (ItemPointerIndicatesMovedPartitions(tid))
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("tuple to be locked was already moved to another partition due to concurrent update")));
		InitDirtySnapshot(dirty);
		tuple.t_self = *tid;
		valid = heap_fetch(rel, &dirty, &tuple, &buffer, true);
		if (!valid && tuple.t_data == NULL)
			return TM_Deleted;
		if (valid && TransactionIdIsValid(dirty.xmax) &&
			TransactionIdEquals(HeapTupleHeaderGetXmin(tuple.t_data), prior))
		{
			ReleaseBuffer(buffer);
			if (!wait_for(rel, tid, dirty.xmax, wait_policy))
				return TM_WouldBlock;
			continue;
		}
		result = judge_version(&tuple, valid, cid, tid, &prior, tmfd);
		ReleaseBuffer(buffer);
		if (result != TM_Updated)
			return result;
	}
}

/* heap's tuple_lock on the row store. */
static TM_Result
lock_in_heap(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot,
			 CommandId cid, LockTupleMode mode, LockWaitPolicy wait_policy,
			 uint8 flags, TM_FailureData *tmfd)
{
	ItemPointerData place = *tid;
	bool		lent = colj_slot_lend(slot);
	TM_Result	result;

	*tid = place;				/* it may be the slot's own */
	result = colj_heap()->tuple_lock(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
	colj_slot_take_back(slot, lent);
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
	{
		/* heap follows no row that was moved, but raises an error */
		result = lock_in_heap(rel, tid, snapshot, slot, cid, mode, wait_policy,
							  flags & ~TUPLE_LOCK_FLAG_FIND_LAST_VERSION, tmfd);
		if (result != TM_Updated)
			return result;
		if (!colj_moved_to(rel, &row, result, tmfd, &row))
		{
			*tid = row;
			return lock_in_heap(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
		}
	}
	open_for_write(&store, rel);
	result = colj_row_lock(&store, colj_tid_row(&row), cid, mode, wait_policy,
						   (flags & TUPLE_LOCK_FLAG_LOCK_UPDATE_IN_PROGRESS) != 0, tmfd, &proxy);
	if (result != TM_Updated || (flags & TUPLE_LOCK_FLAG_FIND_LAST_VERSION) == 0)
	{
		if (colj_directory_find(&store, SnapshotAny, colj_tid_row(&row), &entry))
			colj_slot_store(&store, &entry, colj_tid_row(&row), slot);
		colj_store_close(&store);
		return result;
	}
	colj_store_close(&store);
	result = find_last_version(rel, tid, cid, wait_policy, tmfd);
	if (result == TM_Ok)
		result = lock_in_heap(rel, tid, snapshot, slot, cid, mode, wait_policy, flags, tmfd);
	tmfd->traversed = true;
	return result;
}
