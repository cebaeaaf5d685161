/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  Rows of a TOAST table: opening it, inserting, scanning.
 *
 * They are (chunk_id, chunk_seq, chunk_data) as TOAST's own, found by its
 * index, and visible or not by the ordinary rules.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/toast_internals.h"
#include "access/xact.h"
#include "storage/bufmgr.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/load.h"
#include "store/store.h"

bool
colj_store_open(ColjStore *store, Relation table, LOCKMODE lockmode)
{
	Oid			toast = table->rd_rel->reltoastrelid;

	if (!OidIsValid(toast))
		return false;
	colj_load_flush(RelationGetRelid(table));
	store->table = table;
	store->lockmode = lockmode;
	store->toast = table_open(toast, lockmode);

	/* TRUNCATE comes to the indexes of an emptied TOAST table last */
	if (lockmode == AccessShareLock && RelationGetNumberOfBlocks(store->toast) == 0)
	{
		table_close(store->toast, lockmode);
		return false;
	}
	store->valid = toast_open_indexes(store->toast, lockmode, &store->indexes, &store->nindexes);
	return true;
}

void
colj_store_open_toast(ColjStore *store, Relation table, Oid toast)
{
	store->table = table;
	store->lockmode = AccessShareLock;
	store->toast = table_open(toast, AccessShareLock);
	store->valid = toast_open_indexes(store->toast, AccessShareLock, &store->indexes, &store->nindexes);
}

void
colj_store_close(ColjStore *store)
{
	toast_close_indexes(store->indexes, store->nindexes, NoLock);
	table_close(store->toast, NoLock);
}

void
colj_store_insert(ColjStore *store, Oid id, int32 seq, const void *bytes, Size size, int options)
{
	(void) colj_store_insert_as(store, id, seq, bytes, size, GetCurrentCommandId(true), options);
}

static HeapTuple
form_tuple(ColjStore *store, Oid id, int32 seq, const void *bytes, Size size)
{
	bytea	   *data = palloc(VARHDRSZ + size);
	Datum		values[3] = {ObjectIdGetDatum(id), Int32GetDatum(seq), PointerGetDatum(data)};
	bool		isnull[3] = {false, false, false};
	HeapTuple	tuple;

	SET_VARSIZE(data, VARHDRSZ + size);
	memcpy(VARDATA(data), bytes, size);
	tuple = heap_form_tuple(RelationGetDescr(store->toast), values, isnull);
	pfree(data);
	return tuple;
}

ItemPointerData
colj_store_insert_as(ColjStore *store, Oid id, int32 seq, const void *bytes, Size size,
					 CommandId cid, int options)
{
	HeapTuple	tuple = form_tuple(store, id, seq, bytes, size);
	ItemPointerData tid;

	heap_insert(store->toast, tuple, cid, options | HEAP_INSERT_NO_LOGICAL, NULL);
	colj_store_index(store->toast, store->indexes, store->nindexes, tuple);
	tid = tuple->t_self;
	heap_freetuple(tuple);
	return tid;
}

void
colj_store_update(ColjStore *store, ItemPointer tid, Oid id, int32 seq, const void *bytes, Size size)
{
	HeapTuple	tuple = form_tuple(store, id, seq, bytes, size);
	TM_FailureData tmfd;
	LockTupleMode mode;
	TM_Result	result = colj_heap_update(store->toast, tid, tuple, GetCurrentCommandId(true), &tmfd, &mode);

	if (result != TM_Ok)
		elog(ERROR, "unexpected result %d of updating a row of the column store", (int) result);
	if (!HeapTupleIsHeapOnly(tuple))
		colj_store_index(store->toast, store->indexes, store->nindexes, tuple);
	heap_freetuple(tuple);
}

void
colj_store_scan_begin(ColjStoreScan *scan, ColjStore *store, Snapshot snapshot, Oid id,
					  int32 first, int32 last)
{
	ScanKeyData keys[3];

	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(id));
	ScanKeyInit(&keys[1], 2, BTGreaterEqualStrategyNumber, F_INT4GE, Int32GetDatum(first));
	ScanKeyInit(&keys[2], 2, BTLessEqualStrategyNumber, F_INT4LE, Int32GetDatum(last));
	scan->store = store;
	scan->judge = IsolationIsSerializable() && IsMVCCSnapshot(snapshot) ? snapshot : NULL;
	if (scan->judge != NULL)
		snapshot = SnapshotAny;
	scan->scan = systable_beginscan_ordered(store->toast, store->indexes[store->valid],
											snapshot, 3, keys);
}

/*
 * Does a serializable transaction see the tuple?  What it has read is a row of
 * the main table, which is locked there: a lock on the proxies around would
 * make it conflict with changes of other rows.  But who has changed the tuple
 * without being seen is a conflict.
 */
static bool
judge(ColjStoreScan *scan, HeapTuple tuple)
{
	Buffer		buffer = ((BufferHeapTupleTableSlot *) scan->scan->slot)->buffer;
	bool		visible;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	visible = HeapTupleSatisfiesVisibility(tuple, scan->judge, buffer);
	HeapCheckForSerializableConflictOut(visible, scan->store->toast, tuple, buffer, scan->judge);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return visible;
}

HeapTuple
colj_store_scan_next(ColjStoreScan *scan, bool backward)
{
	HeapTuple	tuple;

	do
	{
		CHECK_FOR_INTERRUPTS();
		tuple = systable_getnext_ordered(scan->scan, backward ? BackwardScanDirection : ForwardScanDirection);
	} while (tuple != NULL && scan->judge != NULL && !judge(scan, tuple));
	return tuple;
}

void
colj_store_scan_end(ColjStoreScan *scan)
{
	systable_endscan_ordered(scan->scan);
}

int32
colj_store_tuple_seq(ColjStore *store, HeapTuple tuple)
{
	bool		isnull;

	return DatumGetInt32(fastgetattr(tuple, 2, RelationGetDescr(store->toast), &isnull));
}

const char *
colj_store_tuple_data(ColjStore *store, HeapTuple tuple, Size *size)
{
	bool		isnull;
	Datum		data = fastgetattr(tuple, 3, RelationGetDescr(store->toast), &isnull);

	*size = VARSIZE_ANY_EXHDR(DatumGetPointer(data));
	return VARDATA_ANY(DatumGetPointer(data));
}
