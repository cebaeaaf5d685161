/*-------------------------------------------------------------------------
 *
 * fetch.h
 *	  Rows by TID, and what is done to them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_FETCH_H
#define COLJ_FETCH_H

#include "access/scan.h"

/* Does the snapshot see a row of a stripe?  Then *entry is its stripe. */
extern bool colj_row_visible(ColjStore *store, Snapshot snapshot, uint64 row, ColjStripeEntry *entry);

/* fetch.c */
extern struct IndexFetchTableData *colj_index_fetch_begin(Relation rel);
extern void colj_index_fetch_reset(struct IndexFetchTableData *base);
extern void colj_index_fetch_end(struct IndexFetchTableData *base);
extern bool colj_index_fetch_tuple(struct IndexFetchTableData *base, ItemPointer tid, Snapshot snapshot,
								   TupleTableSlot *slot, bool *call_again, bool *all_dead);
extern bool colj_fetch_version(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot);
extern bool colj_tid_valid(TableScanDesc scan, ItemPointer tid);
extern void colj_latest_tid(TableScanDesc scan, ItemPointer tid);
extern bool colj_satisfies_snapshot(Relation rel, TupleTableSlot *slot, Snapshot snapshot);
extern TransactionId colj_index_delete_tuples(Relation rel, TM_IndexDeleteOp *op);

/* modify.c */
extern TM_Result colj_tuple_delete(Relation rel, ItemPointer tid, CommandId cid, Snapshot snapshot,
								   Snapshot crosscheck, bool wait, TM_FailureData *tmfd, bool moving);
extern TM_Result colj_tuple_update(Relation rel, ItemPointer tid, TupleTableSlot *slot, CommandId cid,
								   Snapshot snapshot, Snapshot crosscheck, bool wait,
								   TM_FailureData *tmfd, LockTupleMode *mode, ColjUpdateIndexes *indexes);
extern TM_Result colj_tuple_lock(Relation rel, ItemPointer tid, Snapshot snapshot, TupleTableSlot *slot,
								 CommandId cid, LockTupleMode mode, LockWaitPolicy wait_policy,
								 uint8 flags, TM_FailureData *tmfd);

/* key.c: NO KEY EXCLUSIVE if the update leaves the key alone. */
extern LockTupleMode colj_update_lockmode(Relation rel, TupleTableSlot *old, TupleTableSlot *new);

/* modify.c: an insert that is part of another change is not to be counted. */
extern void colj_uncount_insert(Relation rel);

/*
 * thaw.c: a stripe's row as a tuple, which is deleted or updated at once, for
 * what that logs.  Nobody ever sees it.
 */
extern void colj_thaw_and_delete(Relation rel, TupleTableSlot *old, CommandId cid, bool moving);
extern void colj_thaw_and_update(Relation rel, TupleTableSlot *old, TupleTableSlot *new, CommandId cid);

/*
 * undecoded.c: delete a heap tuple as moved, without logical decoding seeing
 * it; false when someone has locked or changed it.
 */
extern bool colj_delete_undecoded(Relation rel, ItemPointer tid);

/* ddl.c */
struct VacuumParams;
extern void colj_keep_a_block(Relation rel);
extern void colj_vacuum(Relation rel, struct VacuumParams *params, BufferAccessStrategy strategy);
extern void colj_truncate(Relation rel);
extern void colj_estimate(Relation rel, int32 *widths, BlockNumber *pages, double *tuples, double *allvisfrac);
extern void colj_copy_for_cluster(Relation table, Relation copy, Relation index, bool use_sort,
								  TransactionId horizon, TransactionId *freeze, MultiXactId *multi,
								  double *tuples, double *vacuumed, double *recently_dead);

#endif							/* COLJ_FETCH_H */
