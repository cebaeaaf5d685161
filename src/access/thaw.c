/*-------------------------------------------------------------------------
 *
 * thaw.c
 *	  Changes of stripes' rows as logical decoding wants to see them.
 *
 * What decoding is told of an UPDATE or DELETE comes from the log of heap's
 * change of a tuple.  So where changes are decoded the row is thawed: its
 * tuple is inserted into the row store, which is not decoded, and updated or
 * deleted by heap in the same command.  Nobody ever sees that tuple, neither
 * other transactions, as xmin and xmax are ours, nor we.
 *
 * Heap does not change a tuple that the command itself has inserted.  So the
 * change is given the next command's number, and afterwards the tuples get
 * this one's.  While heap works nothing else looks at them in this backend,
 * and in others command numbers mean nothing.
 *
 * The new version must not be heap-only either: then the index entries would
 * have to be the thawed tuple's.
 *
 * Locking: both pages are locked at a time, the lower first, as in heap.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "access/heaptoast.h"
#include "access/htup_details.h"
#include "access/xact.h"
#include "executor/tuptable.h"
#include "storage/bufmgr.h"

#include "compat.h"
#include "access/fetch.h"

static void
thaw(Relation rel, TupleTableSlot *old, CommandId cid, ItemPointer tid)
{
	bool		should_free;
	HeapTuple	tuple = heap_copytuple(ExecFetchSlotHeapTuple(old, false, &should_free));

	tuple->t_tableOid = RelationGetRelid(rel);
	heap_insert(rel, tuple, cid, HEAP_INSERT_NO_LOGICAL, NULL);
	*tid = tuple->t_self;
	colj_uncount_insert(rel);

	/* its out-of-line values are ended, too, which asks for another command */
	if (tuple->t_len > TOAST_TUPLE_THRESHOLD)
		CommandCounterIncrement();
	heap_freetuple(tuple);
}

static HeapTupleHeader
header_at(Page page, ItemPointer tid)
{
	return (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, ItemPointerGetOffsetNumber(tid)));
}

/* Inserted and ended in this command. */
static void
settle_thawed(Page page, ItemPointer tid, CommandId cid)
{
	HeapTupleHeader header = header_at(page, tid);

	header->t_infomask &= ~HEAP_COMBOCID;
	header->t_choice.t_heap.t_field3.t_cid = cid;
	HeapTupleHeaderClearHotUpdated(header);
}

static void
settle_new(Page page, ItemPointer tid, CommandId cid)
{
	HeapTupleHeader header = header_at(page, tid);

	HeapTupleHeaderSetCmin(header, cid);
	HeapTupleHeaderClearHeapOnly(header);
}

static Buffer
lock_block(Relation rel, BlockNumber block)
{
	Buffer		buffer = ReadBuffer(rel, block);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	return buffer;
}

/* new is NULL for a delete. */
static void
settle(Relation rel, ItemPointer thawed, ItemPointer new, CommandId cid)
{
	BlockNumber block = ItemPointerGetBlockNumber(thawed);
	BlockNumber other = new != NULL ? ItemPointerGetBlockNumber(new) : block;
	Buffer		low = lock_block(rel, Min(block, other));
	Buffer		high = block != other ? lock_block(rel, Max(block, other)) : low;
	GenericXLogState *xlog = GenericXLogStart(rel);

	settle_thawed(GenericXLogRegisterBuffer(xlog, block < other ? low : high, 0), thawed, cid);
	if (new != NULL)
		settle_new(GenericXLogRegisterBuffer(xlog, block < other ? high : low, 0), new, cid);
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(low);
	if (high != low)
		UnlockReleaseBuffer(high);
}

static void
check(TM_Result result)
{
	if (result != TM_Ok)
		elog(ERROR, "unexpected result %d of changing a thawed row", (int) result);
}

void
colj_thaw_and_delete(Relation rel, TupleTableSlot *old, CommandId cid, bool moving)
{
	ItemPointerData thawed;
	TM_FailureData tmfd;

	thaw(rel, old, cid, &thawed);
	check(heap_delete(rel, &thawed, cid + 1, InvalidSnapshot, true, &tmfd, moving));
	settle(rel, &thawed, NULL, cid);
}

void
colj_thaw_and_update(Relation rel, TupleTableSlot *old, TupleTableSlot *new, CommandId cid)
{
	ItemPointerData thawed;
	TM_FailureData tmfd;
	LockTupleMode mode;
	ColjUpdateIndexes indexes;

	thaw(rel, old, cid, &thawed);
	check(colj_heap()->tuple_update(rel, &thawed, new, cid + 1, InvalidSnapshot, InvalidSnapshot,
									true, &tmfd, &mode, &indexes));
	settle(rel, &thawed, &new->tts_tid, cid);
}
