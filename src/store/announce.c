/*-------------------------------------------------------------------------
 *
 * announce.c
 *	  Who is loading which rows.
 *
 * While a load goes on, its rows are in indexes but not yet in a stripe, and
 * other transactions must not take them for dead.  An ordinary row of the TOAST
 * table announces them; its xmin is who loads them.  It is deleted by the
 * same transaction when they are in stripes, so when that has ended it is gone
 * either way.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "storage/lmgr.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

uint64
colj_rows_announce(ColjStore *store, uint64 rows, CommandId cid, ItemPointer announced)
{
	uint32		n = (uint32) rows;
	uint64		first;

	/* who counts what has been given away finds all of it announced */
	LockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	first = colj_rows_reserve(store, rows);
	*announced = colj_store_insert_as(store, COLJ_ID_LOAD, (int32) (first / COLJ_BLOCK_ROWS), &n, sizeof(n), cid, 0);
	UnlockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	return first;
}

void
colj_rows_withdraw(ColjStore *store, ItemPointer announced, CommandId cid)
{
	TM_FailureData tmfd;

	/* it was inserted by the same command, so it takes a later one to see it */
	TM_Result	result = heap_delete(store->toast, announced, cid + 1, InvalidSnapshot, false, &tmfd, false);

	if (result != TM_Ok)
		elog(ERROR, "unexpected result %d of deleting an announcement", (int) result);
}

TransactionId
colj_row_loader(ColjStore *store, uint64 row)
{
	SnapshotData dirty;
	ColjStoreScan scan;
	HeapTuple	tuple;
	TransactionId loader = InvalidTransactionId;
	ColjStripeEntry entry;
	int32		block = (int32) (row / COLJ_BLOCK_ROWS);

	InitDirtySnapshot(dirty);
	colj_store_scan_begin(&scan, store, &dirty, COLJ_ID_LOAD, 0, block);
	if ((tuple = colj_store_scan_next(&scan, true)) != NULL)
	{
		uint32		rows = 0;
		Size		size;
		const char *data = colj_store_tuple_data(store, tuple, &size);
		uint64		first = (uint64) colj_store_tuple_seq(store, tuple) * COLJ_BLOCK_ROWS;

		memcpy(&rows, data, Min(size, sizeof(rows)));
		if (row - first < rows)
			loader = dirty.xmin;
	}
	colj_store_scan_end(&scan);

	/*
	 * What a load has not needed may be somebody else's, while it is still
	 * announced
	 */
	if (TransactionIdIsValid(loader) && colj_directory_find(store, SnapshotSelf, row, &entry))
		return InvalidTransactionId;
	return loader;
}

int
colj_rows_loading(ColjStore *store, ColjRowRange **ranges)
{
	SnapshotData dirty;
	ColjStoreScan scan;
	HeapTuple	tuple;
	int			n = 0;
	int			room = 16;

	*ranges = palloc(room * sizeof(ColjRowRange));
	InitDirtySnapshot(dirty);
	colj_store_scan_begin(&scan, store, &dirty, COLJ_ID_LOAD, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		uint32		rows = 0;
		Size		size;
		const char *data = colj_store_tuple_data(store, tuple, &size);
		uint64		first = (uint64) colj_store_tuple_seq(store, tuple) * COLJ_BLOCK_ROWS;

		/* one that was left behind by a transaction that has ended */
		if (!TransactionIdIsValid(dirty.xmin))
			continue;
		if (n == room)
			*ranges = repalloc_huge(*ranges, (room *= 2) * sizeof(ColjRowRange));
		memcpy(&rows, data, Min(size, sizeof(rows)));
		(*ranges)[n++] = (ColjRowRange){first, first + rows};
	}
	colj_store_scan_end(&scan);
	return n;
}
