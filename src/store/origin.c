/*-------------------------------------------------------------------------
 *
 * origin.c
 *	  Where the rows of stripes were before: their TIDs in the row store.
 *
 * A transaction that began before a compaction ended still sees the heap
 * tuples that the compaction has deleted, and may want to change or lock one.
 * It finds the row's new place here, by the old TID and by who moved it.
 * There is a row for each COLJ_BLOCK_ROWS rows of a stripe, written with the
 * stripe, and of no use when no snapshot is older than that: then
 * colj_origins_forget deletes it.
 *
 * Looking up a TID takes the bounds of all origins of one compaction, which
 * never change and so are kept for the next look.  16 bytes for each
 * COLJ_BLOCK_ROWS rows of the compaction that was asked for last.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

/* Offsets have 11 bits; what is above counts blocks. */
#define OFFSET_BITS 11
#define OFFSET_MASK ((1 << OFFSET_BITS) - 1)

/* chunk_data begins with this; a varint for each row follows. */
typedef struct Origin
{
	BlockNumber first;			/* heap block of the first row */
	BlockNumber last;			/* and of the last */
} Origin;

/* The bounds of one origin, and its chunk_seq. */
typedef struct Bounds
{
	BlockNumber first;
	BlockNumber last;
	int32		seq;
} Bounds;

/* Those of one compaction, in the order of their blocks. */
static struct
{
	Oid			toast;
	TransactionId mover;
	int			n;
	Bounds	   *bounds;
} known;

static void
damaged(ColjStore *store)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("the column store of table \"%s\" is damaged", RelationGetRelationName(store->table)),
			 errdetail("The list of where rows were before is damaged.")));
}

static Size
put_varint(char *to, uint64 value)
{
	Size		n = 0;

	for (; value >= 0x80; value >>= 7)
		to[n++] = (char) (value | 0x80);
	to[n++] = (char) value;
	return n;
}

/* One varint from *p, which is moved behind it. */
static uint64
get_varint(ColjStore *store, const char **p, const char *end)
{
	uint64		value = 0;
	int			shift = 0;

	for (;;)
	{
		uint8		byte;

		if (*p >= end || shift > 42)
			damaged(store);
		byte = (uint8) *(*p)++;
		value |= (uint64) (byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
		shift += 7;
	}
}

void
colj_origins_store(ColjStore *store, uint64 first_row, const ItemPointerData *tids, uint32 n)
{
	/* a delta of blocks and an offset take 43 bits, 7 in a byte */
	char		bytes[sizeof(Origin) + 7 * COLJ_BLOCK_ROWS];

	for (uint32 from = 0; from < n; from += COLJ_BLOCK_ROWS)
	{
		uint32		to = Min(n, from + COLJ_BLOCK_ROWS);
		Origin		head = {ItemPointerGetBlockNumber(&tids[from]), ItemPointerGetBlockNumber(&tids[to - 1])};
		BlockNumber block = head.first;
		Size		size = sizeof(head);

		memcpy(bytes, &head, sizeof(head));
		for (uint32 i = from; i < to; i++)
		{
			BlockNumber next = ItemPointerGetBlockNumber(&tids[i]);

			Assert(next >= block && ItemPointerGetOffsetNumber(&tids[i]) <= OFFSET_MASK);
			size += put_varint(bytes + size, (uint64) (next - block) << OFFSET_BITS | ItemPointerGetOffsetNumber(&tids[i]));
			block = next;
		}
		colj_store_insert(store, COLJ_ID_ORIGIN, (int32) ((first_row + from) / COLJ_BLOCK_ROWS), bytes, size, 0);
	}
}

static Origin
read_head(ColjStore *store, HeapTuple tuple, const char **bytes, const char **end)
{
	Origin		head;
	Size		size;

	*bytes = colj_store_tuple_data(store, tuple, &size);
	if (size < sizeof(head))
		damaged(store);
	*end = *bytes + size;
	memcpy(&head, *bytes, sizeof(head));
	*bytes += sizeof(head);
	return head;
}

/* The TIDs of an origin; how many. */
static int
read_tids(ColjStore *store, HeapTuple tuple, ItemPointerData *tids)
{
	const char *p;
	const char *end;
	BlockNumber block = read_head(store, tuple, &p, &end).first;
	int			n = 0;

	while (p < end)
	{
		uint64		value = get_varint(store, &p, end);

		if (n == COLJ_BLOCK_ROWS)
			damaged(store);
		block += (BlockNumber) (value >> OFFSET_BITS);
		ItemPointerSet(&tids[n], block, (OffsetNumber) (value & OFFSET_MASK));
		n++;
	}
	return n;
}

/* The TIDs of the origin with a chunk_seq, if it is there; how many, or 0. */
static int
fetch_tids(ColjStore *store, int32 seq, TransactionId mover, ItemPointerData *tids)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	int			n = 0;

	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_ORIGIN, seq, seq);
	tuple = colj_store_scan_next(&scan, false);
	if (tuple != NULL &&
		(mover == InvalidTransactionId || TransactionIdEquals(HeapTupleHeaderGetXmin(tuple->t_data), mover)))
		n = read_tids(store, tuple, tids);
	colj_store_scan_end(&scan);
	return n;
}

static void
add_bounds(Origin head, int32 seq, int *room)
{
	if (known.n == *room)
	{
		*room = Max(64, *room * 2);
		known.		bounds = known.bounds == NULL
		? MemoryContextAllocHuge(TopMemoryContext, *room * sizeof(Bounds))
		: repalloc_huge(known.bounds, *room * sizeof(Bounds));
	}
	known.		bounds[known.n++] = (Bounds){head.first, head.last, seq};
}

/* Make the origins of a compaction the known ones. */
static void
learn(ColjStore *store, TransactionId mover)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	int			room = 0;

	if (known.bounds != NULL)
		pfree(known.bounds);
	memset(&known, 0, sizeof(known));
	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_ORIGIN, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		const char *bytes;
		const char *end;

		CHECK_FOR_INTERRUPTS();
		if (TransactionIdEquals(HeapTupleHeaderGetXmin(tuple->t_data), mover))
			add_bounds(read_head(store, tuple, &bytes, &end), colj_store_tuple_seq(store, tuple), &room);
	}
	colj_store_scan_end(&scan);
	known.		toast = RelationGetRelid(store->toast);
	known.		mover = mover;
}

/* The first of the known origins that does not end before a block. */
static int
first_reaching(BlockNumber block)
{
	int			low = 0;
	int			high = known.n;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (known.bounds[middle].last < block)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
colj_origin_row(ColjStore *store, ItemPointer tid, TransactionId mover, uint64 *row)
{
	BlockNumber block = ItemPointerGetBlockNumber(tid);

	/* a compaction that has not ended may write more of them */
	if (known.toast != RelationGetRelid(store->toast) || !TransactionIdEquals(known.mover, mover) ||
		TransactionIdIsCurrentTransactionId(mover))
		learn(store, mover);
	for (int i = first_reaching(block); i < known.n && known.bounds[i].first <= block; i++)
	{
		ItemPointerData tids[COLJ_BLOCK_ROWS];
		int			n = fetch_tids(store, known.bounds[i].seq, mover, tids);

		for (int k = 0; k < n; k++)
		{
			if (!ItemPointerEquals(&tids[k], tid))
				continue;
			*row = (uint64) known.bounds[i].seq * COLJ_BLOCK_ROWS + k;

			return true;
		}
	}
	return false;
}

bool
colj_origin_tid(ColjStore *store, uint64 row, ItemPointer tid)
{
	ItemPointerData tids[COLJ_BLOCK_ROWS];
	int			n = fetch_tids(store, (int32) (row / COLJ_BLOCK_ROWS), InvalidTransactionId, tids);
	int			i = (int) (row % COLJ_BLOCK_ROWS);

	if (i >= n)
		return false;
	*tid = tids[i];
	return true;
}

bool
colj_origins_settled(ColjStore *store, TransactionId horizon)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	bool		found = false;

	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_ORIGIN, 0, PG_INT32_MAX);
	while (!found && (tuple = colj_store_scan_next(&scan, false)) != NULL)
		found = TransactionIdPrecedes(HeapTupleHeaderGetXmin(tuple->t_data), horizon);
	colj_store_scan_end(&scan);
	return found;
}

void
colj_origins_forget(ColjStore *store, TransactionId horizon)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_ORIGIN, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (TransactionIdPrecedes(HeapTupleHeaderGetXmin(tuple->t_data), horizon))
			simple_heap_delete(store->toast, &tuple->t_self);
	}
	colj_store_scan_end(&scan);
}
