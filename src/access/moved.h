/*-------------------------------------------------------------------------
 *
 * moved.h
 *	  Rows that a compaction has moved while others could see them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_MOVED_H
#define COLJ_MOVED_H

#include "access/htup_details.h"
#include "executor/tuptable.h"

#include "access/slot.h"
#include "store/store.h"

/*
 * Has a compaction moved the heap tuple that a change or a lock could not
 * have?  Then *row is the row's TID in its stripe.
 */
extern bool colj_moved_to(Relation rel, ItemPointer tid, TM_Result result,
						  const TM_FailureData *tmfd, ItemPointer row);

/* The same by a TID alone, for a tuple that the snapshot does not see. */
extern bool colj_moved_from(Relation rel, ItemPointer tid, Snapshot snapshot, ItemPointer row);

/* The same by the TID that an index has, for a chain of which no tuple is seen. */
extern bool colj_moved_from_chain(Relation rel, ItemPointer root, ItemPointer row);

/*
 * The row that was at a heap TID until a compaction has moved it, which has
 * been committed or is this transaction's; false if `mover` was none.
 */
extern bool colj_moved_row(ColjStore *store, ItemPointer tid, TransactionId mover, uint64 *row);

/* Does a snapshot that is older than its stripe see a row where it was before? */
extern bool colj_seen_before_move(ColjStore *store, Snapshot snapshot, uint64 row);

/* See colj_tuple_gone; for tuples that have been moved somewhere. */
extern bool colj_moved_tuple_gone(Relation rel, Snapshot snapshot, HeapTuple tuple);

/*
 * Has this transaction changed a row since it moved, although its snapshot
 * still sees the heap tuple?  To be asked for every tuple of the heap that a
 * snapshot sees.
 */
static inline bool
colj_tuple_gone(Relation rel, Snapshot snapshot, HeapTuple tuple)
{
	return HeapTupleHeaderIndicatesMovedPartitions(tuple->t_data) &&
		colj_moved_tuple_gone(rel, snapshot, tuple);
}

/* The same for a tuple in a slot; there may be none, where nobody looks at it. */
static inline bool
colj_slot_gone(Relation rel, Snapshot snapshot, TupleTableSlot *slot)
{
	HeapTuple	tuple = NULL;

	/* a slot of ours begins as a buffer slot */
	if (TTS_IS_BUFFERTUPLE(slot) || slot->tts_ops == &colj_slot_ops)
		tuple = ((HeapTupleTableSlot *) slot)->tuple;
	return tuple != NULL && colj_tuple_gone(rel, snapshot, tuple);
}

#endif							/* COLJ_MOVED_H */
