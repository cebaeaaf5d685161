/*-------------------------------------------------------------------------
 *
 * relocate.c
 *	  Moving rows of the column store to the front of the TOAST table.
 *
 * VACUUM of a TOAST table can cut off pages at its end only.  So what is ours
 * there moves into empty pages in front, page after page from the end, until
 * they meet or there is a page with something that has to stay: values of the
 * row store, proxies, what others are writing.
 *
 * A row moves by being deleted and inserted again.  Pieces of stripes keep
 * their chunk_id: who reads them takes any version, as they are all the same.
 * The meta row is changed by others in place, so they have to wait from the
 * time when it is copied until the transaction ends; it is the last to move.
 *
 * Empty pages are those that no entry of the TOAST index points to.  The free
 * space map, which is not logged, does not know them after a crash.
 *
 * The first pass over the pages only looks.  What moves takes fewer pages than
 * are given back, which have been added by somebody else's writing: so all
 * relocations together write no more than everybody else.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/procarray.h"

#include "compat.h"
#include "store/relocate.h"
#include "store/store.h"

/* What moves in one VACUUM, at most. */
#define WORK_PAGES (128 * 1024 * 1024 / BLCKSZ)

/* VACUUM does not cut off less: so many pages, or such a part of all. */
#define CUT_PAGES 1000
#define CUT_PART 16

/* Room in an empty page, for tuples and their line pointers. */
#define PAGE_ROOM (MaxHeapTupleSize + sizeof(ItemIdData))

/* What is to become of a tuple. */
typedef enum Lot
{
	GONE,						/* nothing: it is deleted */
	MOVES,
	STAYS
} Lot;

typedef struct Relocation
{
	ColjStore	store;
	TransactionId horizon;
	Oid		   *values;			/* chunk_ids of stripes, sorted */
	int			nvalues;
	uint64		needed;			/* pages for their bytes */
	bool		reaped;			/* proxies of dead rows are to go first */
	bits8	   *taken;			/* a bit for each page that is not empty */
	BlockNumber front;			/* empty pages from here on are to be had */
	BlockNumber shared;			/* page for small rows */
	Size		room;			/* in that */
	BlockNumber blocks;
	BlockNumber end;			/* all from here on can be given back */
	int			pages;			/* that rows move from */
	ColjRelocated *result;
} Relocation;

static int
compare_values(const void *a, const void *b)
{
	Oid			x = *(const Oid *) a;
	Oid			y = *(const Oid *) b;

	return x < y ? -1 : x > y;
}

/* Begin a pass. */
static void
reset(Relocation *r)
{
	r->front = 0;
	r->shared = InvalidBlockNumber;
	r->room = 0;
	r->pages = 0;
}

static bool
open_relocation(Relocation *r, Relation table, LOCKMODE lockmode)
{
	ColjStripeEntry *entries;

	if (!colj_store_open(&r->store, table, lockmode))
		return false;
	r->horizon = GetOldestNonRemovableTransactionId(table);
	r->nvalues = colj_directory_read(&r->store, SnapshotSelf, &entries);
	r->values = palloc_extended((r->nvalues + 1) * sizeof(Oid), MCXT_ALLOC_HUGE);
	for (int i = 0; i < r->nvalues; i++)
	{
		r->values[i] = entries[i].value;
		r->needed += colj_pieces_count(entries[i].size);
	}
	qsort(r->values, r->nvalues, sizeof(Oid), compare_values);
	pfree(entries);
	reset(r);
	return true;
}

static void
close_relocation(Relocation *r)
{
	pfree(r->values);
	if (r->taken != NULL)
		pfree(r->taken);
	colj_store_close(&r->store);
}

static Oid
chunk_id(Relocation *r, HeapTuple tuple)
{
	bool		isnull;

	return DatumGetObjectId(fastgetattr(tuple, 1, RelationGetDescr(r->store.toast), &isnull));
}

/* What becomes of a row that is there for us, by what it is. */
static Lot
lot_of_row(Relocation *r, HeapTuple tuple)
{
	TransactionId xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	bool		settled = TransactionIdPrecedes(xmin, r->horizon);
	Oid			id = chunk_id(r, tuple);

	switch (id)
	{
		case COLJ_ID_META:
		case COLJ_ID_SETTLED:
			return MOVES;
		case COLJ_ID_DIRECTORY:
			/* its xmin counts until everybody sees it */
			return settled || TransactionIdIsCurrentTransactionId(xmin) ? MOVES : STAYS;
		case COLJ_ID_ORIGIN:
			return settled ? GONE : STAYS;
		default:
			if (id >= COLJ_ID_PROXY && id < COLJ_ID_PROXY + COLJ_PROXY_IDS)
				return r->reaped && settled && colj_proxy_is_dead(&r->store, tuple) ? GONE : STAYS;
			return bsearch(&id, r->values, r->nvalues, sizeof(Oid), compare_values) != NULL ? MOVES : STAYS;
	}
}

/* The page is locked. */
static Lot
lot_of(Relocation *r, HeapTuple tuple, Buffer buffer)
{
	HeapTupleHeader header = tuple->t_data;

	switch (HeapTupleSatisfiesVacuum(tuple, r->horizon, buffer))
	{
		case HEAPTUPLE_DEAD:
		case HEAPTUPLE_RECENTLY_DEAD:
			return GONE;
		case HEAPTUPLE_DELETE_IN_PROGRESS:
			return TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(header)) ? GONE : STAYS;
		case HEAPTUPLE_INSERT_IN_PROGRESS:
			return TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(header)) ? lot_of_row(r, tuple) : STAYS;
		case HEAPTUPLE_LIVE:
			return lot_of_row(r, tuple);
	}
	return STAYS;
}

/* Tuple number offset of a page that is locked; false if there is none. */
static bool
tuple_at(Relocation *r, Buffer buffer, OffsetNumber offset, HeapTuple tuple)
{
	Page		page = BufferGetPage(buffer);
	ItemId		item = PageGetItemId(page, offset);

	if (!ItemIdIsNormal(item))
		return false;
	tuple->t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple->t_len = ItemIdGetLength(item);
	tuple->t_tableOid = RelationGetRelid(r->store.toast);
	ItemPointerSet(&tuple->t_self, BufferGetBlockNumber(buffer), offset);
	return true;
}

/*
 * The rows that move from a page, copied to the array, which has room for
 * MaxHeapTuplesPerPage; how many, or -1 if something stays there.
 */
static int
read_page(Relocation *r, BlockNumber block, HeapTuple *rows)
{
	Buffer		buffer = ReadBuffer(r->store.toast, block);
	Page		page = BufferGetPage(buffer);
	OffsetNumber last;
	int			n = 0;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	last = PageIsNew(page) ? 0 : PageGetMaxOffsetNumber(page);
	for (OffsetNumber offset = FirstOffsetNumber; n >= 0 && offset <= last; offset++)
	{
		HeapTupleData tuple;
		Lot			lot = tuple_at(r, buffer, offset, &tuple) ? lot_of(r, &tuple, buffer) : GONE;

		if (lot == MOVES)
			rows[n++] = heap_copytuple(&tuple);
		else if (lot == STAYS)
		{
			while (n > 0)
				heap_freetuple(rows[--n]);
			n = -1;
		}
	}
	UnlockReleaseBuffer(buffer);
	return n;
}

/* Find out which pages have tuples, all of which are indexed. */
static void
find_taken(Relocation *r)
{
	Relation	index = r->store.indexes[r->store.valid];
	IndexScanDesc scan = colj_index_beginscan(r->store.toast, index, SnapshotAny);
	ItemPointer tid;
	uint32		n = 0;

	r->taken = palloc_extended(r->blocks / 8 + 1, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	index_rescan(scan, NULL, 0, NULL, 0);
	while ((tid = index_getnext_tid(scan, ForwardScanDirection)) != NULL)
	{
		BlockNumber block = ItemPointerGetBlockNumber(tid);

		if (++n % 1024 == 0)
			COLJ_VACUUM_DELAY_POINT();
		if (block < r->blocks)
			r->taken[block / 8] |= 1 << (block % 8);
	}
	index_endscan(scan);
}

/* Somebody may have put something there since. */
static bool
is_empty(Relation toast, BlockNumber block)
{
	Buffer		buffer = ReadBuffer(toast, block);
	Page		page = BufferGetPage(buffer);
	bool		empty;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	empty = PageIsNew(page) || PageGetHeapFreeSpace(page) >= MaxHeapTupleSize;
	UnlockReleaseBuffer(buffer);
	return empty;
}

/* The next empty page below a limit. */
static BlockNumber
next_empty(Relocation *r, BlockNumber limit)
{
	while (r->front < limit)
	{
		BlockNumber block = r->front++;

		if ((r->taken[block / 8] & (1 << (block % 8))) == 0 && is_empty(r->store.toast, block))
			return block;
	}
	return InvalidBlockNumber;
}

/* Where a row of that size goes, below a limit. */
static BlockNumber
find_place(Relocation *r, Size size, BlockNumber limit)
{
	Size		need = MAXALIGN(size) + sizeof(ItemIdData);
	BlockNumber block;

	if (need <= r->room)
	{
		r->room -= need;
		return r->shared;
	}
	block = next_empty(r, limit);
	if (block != InvalidBlockNumber && PAGE_ROOM - need > r->room)
	{
		r->shared = block;
		r->room = PAGE_ROOM - need;
	}
	return block;
}

/* Could all of a page go? */
static bool
can_empty(Relocation *r, BlockNumber block)
{
	HeapTuple	rows[MaxHeapTuplesPerPage];
	int			n = read_page(r, block, rows);
	bool		can = n >= 0;

	for (int i = 0; i < n; i++)
	{
		can = can && find_place(r, rows[i]->t_len, block) != InvalidBlockNumber;
		heap_freetuple(rows[i]);
	}
	r->pages += n > 0;
	return can;
}

static bool
is_enough(const Relocation *r, uint64 given)
{
	return given >= CUT_PAGES || given >= Max(1, r->blocks / CUT_PART);
}

/* Does something of ours lie at the end, and would all of it take much less? */
static bool
is_promising(Relocation *r)
{
	HeapTuple	rows[MaxHeapTuplesPerPage];
	BlockNumber end = r->blocks;
	int			n = 0;

	if (r->nvalues == 0 || r->blocks <= r->needed || !is_enough(r, r->blocks - r->needed))
		return false;
	while (n == 0 && end > 0)
		n = read_page(r, --end, rows);
	for (int i = 0; i < n; i++)
		heap_freetuple(rows[i]);
	return n > 0;
}

/* Find out how far it goes; true if that is far enough. */
static bool
plan(Relocation *r)
{
	r->blocks = r->end = RelationGetNumberOfBlocks(r->store.toast);
	if (!is_promising(r))
		return false;
	find_taken(r);
	while (r->end > r->front && r->pages < WORK_PAGES && can_empty(r, r->end - 1))
	{
		COLJ_VACUUM_DELAY_POINT();
		r->end--;
	}
	return r->pages > 0 && is_enough(r, r->blocks - r->end);
}

/* Take a row from where it is, and put it into a page in front. */
static void
move_row(Relocation *r, HeapTuple row, BlockNumber target)
{
	ColjStore  *store = &r->store;
	Oid			id = chunk_id(r, row);
	Size		size;
	const char *bytes;

	/* heap_insert looks there first */
	RelationSetTargetBlock(store->toast, target);
	r->result->rows++;
	r->result->bytes += row->t_len;
	if (id == COLJ_ID_META)
		colj_meta_move(store);
	else if (id == COLJ_ID_DIRECTORY)
		colj_directory_move(store, row);
	else
	{
		bytes = colj_store_tuple_data(store, row, &size);
		simple_heap_delete(store->toast, &row->t_self);
		colj_store_insert(store, id, colj_store_tuple_seq(store, row), bytes, size, 0);
	}
}

/* Empty the pages that are to be given back; others may have taken room meanwhile. */
static void
move_rows(Relocation *r)
{
	HeapTuple	rows[MaxHeapTuplesPerPage];
	HeapTuple	meta = NULL;
	BlockNumber target = 0;

	for (BlockNumber block = r->blocks; block > r->end && target != InvalidBlockNumber; block--)
	{
		int			n = read_page(r, block - 1, rows);

		COLJ_VACUUM_DELAY_POINT();
		for (int i = 0; i < n; i++)
		{
			if (chunk_id(r, rows[i]) == COLJ_ID_META)
			{
				meta = rows[i];
				continue;
			}
			if (target != InvalidBlockNumber)
				target = find_place(r, rows[i]->t_len, r->end);
			if (target != InvalidBlockNumber)
				move_row(r, rows[i], target);
			heap_freetuple(rows[i]);
		}
	}
	if (meta != NULL && target != InvalidBlockNumber &&
		(target = find_place(r, meta->t_len, r->end)) != InvalidBlockNumber)
		move_row(r, meta, target);
	RelationSetTargetBlock(r->store.toast, InvalidBlockNumber);
}

bool
colj_relocation_is_due(Relation table, bool reaped)
{
	Relocation	r = {.reaped = reaped};
	bool		due;

	if (!open_relocation(&r, table, AccessShareLock))
		return false;
	due = colj_toast_is_cut(r.store.toast) && plan(&r);
	close_relocation(&r);
	return due;
}

bool
colj_relocation_is_promising(Relation table, int64 dead)
{
	Relocation	r = {0};
	bool		promising;

	if (!open_relocation(&r, table, AccessShareLock))
		return false;
	r.blocks = RelationGetNumberOfBlocks(r.store.toast);
	promising = is_enough(&r, (uint64) Max(dead, 0)) && colj_toast_is_cut(r.store.toast) && is_promising(&r);
	close_relocation(&r);
	return promising;
}

void
colj_relocate(Relation table, ColjRelocated *result)
{
	Relocation	r = {.result = result};

	memset(result, 0, sizeof(*result));
	if (!open_relocation(&r, table, RowExclusiveLock))
		return;
	if (plan(&r))
	{
		result->blocks = r.blocks;
		result->left = r.end;
		reset(&r);
		move_rows(&r);
	}
	close_relocation(&r);
}
