/*-------------------------------------------------------------------------
 *
 * directory.c
 *	  Which stripes there are, where their bytes are, and row numbers.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "access/xact.h"
#include "catalog/catalog.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

#define META_MAGIC 0x6a6c6f63	/* "colj" */
#define META_VERSION 1
#define ROWS_MAX (UINT64CONST(0x7fffff00) * COLJ_BLOCK_ROWS)

/* chunk_data of the meta row. */
typedef struct Meta
{
	uint32		magic;
	uint32		version;
	uint64		next_row;		/* all below have been given away */
	int64		live;			/* rows in stripes, roughly */
} Meta;

/* chunk_data of a directory row; chunk_seq is first_row / COLJ_BLOCK_ROWS. */
typedef struct DirectoryRow
{
	uint64		first_row;
	uint64		size;
	uint32		rows;
	Oid			value;
	uint64		raw;
	uint32		filled;
	uint32		cold;
} DirectoryRow;

static void
damaged(ColjStore *store, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("the column store of table \"%s\" is damaged", RelationGetRelationName(store->table)),
			 errdetail("%s", what)));
}

/* Find the meta row; false if there is none. */
static bool
read_meta(ColjStore *store, Meta *meta, ItemPointer tid)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	Size		size = 0;
	const char *bytes = NULL;

	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_META, 0, 0);
	tuple = colj_store_scan_next(&scan, false);
	if (tuple != NULL)
	{
		bytes = colj_store_tuple_data(store, tuple, &size);
		if (size == sizeof(Meta))
			memcpy(meta, bytes, sizeof(Meta));
		*tid = tuple->t_self;
	}
	colj_store_scan_end(&scan);
	if (tuple == NULL)
		return false;
	if (size != sizeof(Meta) || meta->magic != META_MAGIC)
		damaged(store, "Its meta row is of the wrong size or kind.");
	if (meta->version != META_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the column store of table \"%s\" was written by a newer version of colj",
						RelationGetRelationName(store->table))));
	return true;
}

/*
 * The same for those who have not locked it: while it moves they may meet
 * neither the old one nor the new one, but not twice so soon.
 */
static bool
look_at_meta(ColjStore *store, Meta *meta)
{
	ItemPointerData tid;

	return read_meta(store, meta, &tid) || read_meta(store, meta, &tid);
}

static void
make_meta(ColjStore *store, Meta *meta, ItemPointer tid)
{
	*meta = (Meta){META_MAGIC, META_VERSION, 0, 0};
	colj_store_insert(store, COLJ_ID_META, 0, meta, sizeof(Meta), HEAP_INSERT_FROZEN);
	if (!read_meta(store, meta, tid))
		damaged(store, "Its meta row has disappeared.");
}

void
colj_meta_move(ColjStore *store)
{
	Meta		meta;
	ItemPointerData tid;

	/*
	 * Until the transaction ends: what others did to the old one would be
	 * lost
	 */
	LockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	if (!read_meta(store, &meta, &tid))
		return;
	simple_heap_delete(store->toast, &tid);
	colj_store_insert(store, COLJ_ID_META, 0, &meta, sizeof(Meta), 0);
}

/*
 * Change the meta row in place, which no rollback undoes.  Row numbers are
 * taken back only if the next one is `expected`.  Returns what it was before.
 * The lock keeps others from making it, or moving it, meanwhile.
 */
static Meta
change_meta(ColjStore *store, uint64 expected, int64 rows, int64 live)
{
	Meta		meta;
	Meta		changed;
	ItemPointerData tid;
	Buffer		buffer;
	GenericXLogState *xlog;
	Page		page;
	HeapTupleHeader tuple;
	char	   *data;

	LockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	if (!read_meta(store, &meta, &tid))
		make_meta(store, &meta, &tid);
	buffer = ReadBuffer(store->toast, ItemPointerGetBlockNumber(&tid));
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	xlog = GenericXLogStart(store->toast);
	page = GenericXLogRegisterBuffer(xlog, buffer, 0);
	tuple = (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, ItemPointerGetOffsetNumber(&tid)));

	/*
	 * chunk_id and chunk_seq take 4 bytes each, and chunk_data is never
	 * packed
	 */
	data = (char *) tuple + tuple->t_hoff + 2 * sizeof(int32) + VARHDRSZ;
	memcpy(&meta, data, sizeof(Meta));
	changed = meta;
	if (rows > 0 || meta.next_row == expected)
		changed.next_row += rows;
	changed.live += live;
	memcpy(data, &changed, sizeof(Meta));
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	UnlockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	return meta;
}

uint64
colj_rows_reserve(ColjStore *store, uint64 rows)
{
	uint64		first;

	rows = (rows + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS;
	first = change_meta(store, 0, (int64) rows, 0).next_row;
	if (first + rows > ROWS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("table \"%s\" has used up its row numbers", RelationGetRelationName(store->table)),
				 errhint("Rewrite the table: ALTER TABLE ... SET ACCESS METHOD heap, and back.")));
	return first;
}

void
colj_rows_count(ColjStore *store, int64 change)
{
	(void) change_meta(store, 0, 0, change);
}

bool
colj_rows_return(ColjStore *store, uint64 first, uint64 end)
{
	/* not between the two looks of who counts what is left of them */
	return change_meta(store, end, -(int64) (end - first), 0).next_row == end;
}

uint64
colj_rows_given(ColjStore *store, int64 *live)
{
	Meta		meta = {0};
	ItemPointerData tid;

	LockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	(void) read_meta(store, &meta, &tid);
	UnlockPage(store->toast, COLJ_META_LOCK, ExclusiveLock);
	*live = Max(meta.live, 0);
	return meta.next_row;
}

bool
colj_store_exists(Relation table)
{
	ColjStore	store;
	Meta		meta;
	bool		found;

	if (!colj_store_open(&store, table, AccessShareLock))
		return false;
	found = look_at_meta(&store, &meta);
	colj_store_close(&store);
	return found;
}

double
colj_store_estimate(Relation table, BlockNumber *blocks)
{
	ColjStore	store;
	Meta		meta;
	double		live = 0;

	*blocks = 0;
	if (!colj_store_open(&store, table, AccessShareLock))
		return 0;
	if (look_at_meta(&store, &meta) && meta.live > 0)
	{
		live = meta.live;
		*blocks = RelationGetNumberOfBlocks(store.toast);
	}
	colj_store_close(&store);
	return live;
}

Snapshot
colj_directory_snapshot(Snapshot snapshot)
{
	if (snapshot != NULL && snapshot->snapshot_type == SNAPSHOT_HISTORIC_MVCC)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("logical decoding cannot read stripes"),
				 errhint("VACUUM FULL brings the rows of a table with \"user_catalog_table\" into the row store.")));
	return snapshot != NULL && IsMVCCSnapshot(snapshot) ? snapshot : SnapshotSelf;
}

static void
read_entry(ColjStore *store, HeapTuple tuple, ColjStripeEntry *entry)
{
	DirectoryRow row;
	Size		size;
	const char *bytes = colj_store_tuple_data(store, tuple, &size);

	if (size != sizeof(row))
		damaged(store, "A row of its directory is of the wrong size.");
	memcpy(&row, bytes, sizeof(row));
	if (row.rows == 0 || row.size == 0 || row.filled > row.rows || row.cold > 1 || row.size > MaxAllocHugeSize / 2 ||
		row.first_row % COLJ_BLOCK_ROWS != 0 || row.first_row + row.rows > ROWS_MAX)
		damaged(store, "A row of its directory contradicts itself.");
	entry->first_row = row.first_row;
	entry->rows = row.rows;
	entry->filled = row.filled;
	entry->cold = row.cold != 0;
	entry->value = row.value;
	entry->size = row.size;
	entry->raw = row.raw;
	entry->xmin = HeapTupleHeaderGetXmin(tuple->t_data);
}

static int
read_entries(ColjStore *store, Snapshot snapshot, ColjStripeEntry **entries)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	int			n = 0;
	int			room = 64;

	*entries = palloc(room * sizeof(ColjStripeEntry));
	colj_store_scan_begin(&scan, store, snapshot, COLJ_ID_DIRECTORY, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		if (n == room)
		{
			room *= 2;
			*entries = repalloc_huge(*entries, room * sizeof(ColjStripeEntry));
		}
		read_entry(store, tuple, &(*entries)[n++]);
	}
	colj_store_scan_end(&scan);
	return n;
}

static bool
same_entries(const ColjStripeEntry *a, const ColjStripeEntry *b, int n)
{
	for (int i = 0; i < n; i++)
		if (!colj_entry_equals(&a[i], &b[i]))
			return false;
	return true;
}

/*
 * Without an MVCC snapshot stripes may be merged while they are read, so that
 * neither the old ones nor the new one are met: read until nothing changes.
 */
int
colj_directory_read(ColjStore *store, Snapshot snapshot, ColjStripeEntry **entries)
{
	Snapshot	used = colj_directory_snapshot(snapshot);
	int			n = read_entries(store, used, entries);
	ColjStripeEntry *before = NULL;
	int			nbefore = -1;

	while (used == SnapshotSelf && (n != nbefore || !same_entries(*entries, before, n)))
	{
		if (before != NULL)
			pfree(before);
		before = *entries;
		nbefore = n;
		n = read_entries(store, used, entries);
	}
	if (before != NULL)
		pfree(before);
	return n;
}

/* The last stripe that begins with this row or one before it. */
static bool
find_before(ColjStore *store, Snapshot snapshot, uint64 row, ColjStripeEntry *entry)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	colj_store_scan_begin(&scan, store, colj_directory_snapshot(snapshot), COLJ_ID_DIRECTORY,
						  0, (int32) (row / COLJ_BLOCK_ROWS));
	tuple = colj_store_scan_next(&scan, true);
	if (tuple != NULL)
		read_entry(store, tuple, entry);
	colj_store_scan_end(&scan);
	return tuple != NULL;
}

bool
colj_directory_find(ColjStore *store, Snapshot snapshot, uint64 row, ColjStripeEntry *entry)
{
	bool		again = colj_directory_snapshot(snapshot) == SnapshotSelf;

	if (row >= ROWS_MAX)
		return false;
	for (;;)
	{
		if (find_before(store, snapshot, row, entry) && row - entry->first_row < entry->rows)
			return true;

		/* it may have been merged meanwhile, as above; not twice so soon */
		if (!again)
			return false;
		again = false;
	}
}

bool
colj_directory_last(ColjStore *store, Snapshot snapshot, ColjStripeEntry *entry)
{
	return find_before(store, snapshot, ROWS_MAX - 1, entry);
}

/* Does a TOAST table have rows of this chunk_id, of whatever transaction? */
static bool
is_taken(Relation table, Oid toast, Oid value)
{
	ColjStore	store;
	ColjStoreScan scan;
	bool		found;

	colj_store_open_toast(&store, table, toast);
	colj_store_scan_begin(&scan, &store, SnapshotAny, value, 0, PG_INT32_MAX);
	found = colj_store_scan_next(&scan, false) != NULL;
	colj_store_scan_end(&scan);
	colj_store_close(&store);
	return found;
}

/*
 * A chunk_id of its own for a stripe.  VACUUM FULL and CLUSTER copy TOAST values under
 * the chunk_ids that they have in the old table: it must not be one of those.
 */
static Oid
new_value(ColjStore *store)
{
	Oid			old = store->table->rd_toastoid;
	Oid			value;

	do
		value = GetNewOidWithIndex(store->toast, RelationGetRelid(store->indexes[store->valid]), 1);
	while (OidIsValid(old) && is_taken(store->table, old, value));
	return value;
}

static void
insert_entry(ColjStore *store, const ColjStripeEntry *entry, CommandId cid, int options)
{
	DirectoryRow row = {
		.first_row = entry->first_row,
		.size = entry->size,
		.rows = entry->rows,
		.value = entry->value,
		.raw = entry->raw,
		.filled = entry->filled,
		.cold = entry->cold
	};

	(void) colj_store_insert_as(store, COLJ_ID_DIRECTORY, (int32) (row.first_row / COLJ_BLOCK_ROWS), &row,
								sizeof(row), cid, options);
}

/* Store a stripe's bytes, and its row of the directory. */
static void
store_stripe(ColjStore *store, ColjStripeEntry *entry, const uint8_t *bytes, CommandId cid, int options)
{
	entry->value = new_value(store);
	colj_pieces_store(store, entry->value, bytes, entry->size, options);
	insert_entry(store, entry, cid, options);
}

void
colj_stripe_store_as(ColjStore *store, ColjStripeEntry entry, const uint8_t *bytes, size_t size,
					 CommandId cid, int options)
{
	entry.size = size;
	entry.cold = false;
	store_stripe(store, &entry, bytes, cid, options);
}

void
colj_stripe_store_cold(ColjStore *store, ColjStripeEntry entry, const uint8_t *bytes, size_t size, int options)
{
	entry.size = size;
	entry.cold = true;
	store_stripe(store, &entry, bytes, GetCurrentCommandId(true), options);
}

void
colj_stripe_delete(ColjStore *store, const ColjStripeEntry *entry)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	int32		seq = (int32) (entry->first_row / COLJ_BLOCK_ROWS);
	ColjStripeEntry found;

	/* what has taken its place may begin with the same row */
	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_DIRECTORY, seq, seq);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		read_entry(store, tuple, &found);
		if (colj_entry_equals(&found, entry))
			simple_heap_delete(store->toast, &tuple->t_self);
	}
	colj_store_scan_end(&scan);
	colj_pieces_delete(store, entry->value);
}

void
colj_directory_move(ColjStore *store, HeapTuple tuple)
{
	ColjStripeEntry entry;

	read_entry(store, tuple, &entry);

	/* its rows are visible to everybody, or to this transaction alone */
	if (!TransactionIdIsCurrentTransactionId(entry.xmin))
		entry.cold = true;
	simple_heap_delete(store->toast, &tuple->t_self);
	insert_entry(store, &entry, GetCurrentCommandId(true), 0);
}
