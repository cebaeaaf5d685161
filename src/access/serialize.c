/*-------------------------------------------------------------------------
 *
 * serialize.c
 *	  What serializable transactions read, and what they miss.
 *
 * A reader of a row of a stripe takes a SIREAD lock on its TID, and then looks
 * at its proxy; who changes the row changes the proxy, and then looks for
 * locks on the TID.  So the later one of the two finds the other, as under the
 * lock of a heap's page.  Looking at proxies and the directory locks nothing by
 * itself (store/rows.c).  Scans of the whole table lock it before they begin,
 * as heap's do; gaps between rows are locked in the indexes.
 *
 * Who has a snapshot that is older than a compaction reads rows under TIDs
 * that no writer looks for any more.  Such a scan locks the table for those
 * who come later, and looks for those who have been there already: a change
 * of any row in a stripe counts as a conflict.  A scan that had begun before
 * the compaction ended goes on with locks on the old TIDs, and looks at the
 * proxy of each tuple that has moved (moved.c); who changes a row looks for
 * locks on its old TID as well.
 *
 * Rows that are being loaded are in indexes before they are in a stripe: who
 * meets one there looks for its loader.  Who has come before the index entry
 * has locked the index, and who scans the table has locked that; the load looks
 * for those when it has stored the stripe.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/scan.h"

/* Find those who have changed rows of stripes and whom the snapshot misses. */
static void
find_writers(ColjStore *store, Snapshot snapshot)
{
	ColjStripeEntry *entries;
	int			n = colj_directory_read(store, SnapshotSelf, &entries);

	for (int i = 0; i < n; i++)
	{
		bits8	   *dead = colj_rows_dead(store, snapshot, entries[i].first_row, entries[i].rows);

		CHECK_FOR_INTERRUPTS();
		if (dead != NULL)
			pfree(dead);
	}
	pfree(entries);
}

void
colj_serialize_scan(Relation rel, Snapshot snapshot)
{
	ColjStore	store;
	ColjStripeEntry last;
	ColjStripeEntry seen;

	if (!IsolationIsSerializable() || snapshot == NULL || !IsMVCCSnapshot(snapshot) ||
		!colj_store_open(&store, rel, AccessShareLock))
		return;
	if (colj_directory_last(&store, SnapshotSelf, &last) &&
		(!colj_directory_last(&store, snapshot, &seen) || seen.first_row != last.first_row))
	{
		PredicateLockRelation(rel, snapshot);
		find_writers(&store, snapshot);
	}
	colj_store_close(&store);
}

void
colj_serialize_row(Relation rel, ItemPointer tid, Snapshot snapshot)
{
	if (IsolationIsSerializable() && snapshot != NULL && IsMVCCSnapshot(snapshot))
		PredicateLockTID(rel, tid, snapshot, InvalidTransactionId);
}

void
colj_serialize_missing(Relation rel, uint64 row, Snapshot snapshot)
{
	ColjStore	store;
	ColjStripeEntry entry;
	TransactionId loader;

	if (!IsolationIsSerializable() || snapshot == NULL || !IsMVCCSnapshot(snapshot) ||
		!colj_store_open(&store, rel, AccessShareLock))
		return;
	loader = colj_row_loader(&store, row);
	if (TransactionIdIsValid(loader))
		CheckForSerializableConflictOut(rel, loader, snapshot);
	else
		/* it may have ended just now: then the directory row tells who it was */
		(void) colj_directory_find(&store, snapshot, row, &entry);
	colj_store_close(&store);
}
