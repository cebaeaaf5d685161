/*-------------------------------------------------------------------------
 *
 * settled.c
 *	  Rows that are dead to everybody, and of which no index knows any more.
 *
 * They need no proxy: a bit in a record says it all.  A record is of
 * COLJ_GRANULE_ROWS row numbers, whatever stripes they are in, and is an
 * ordinary tuple of the TOAST table.  Numbers that no row will ever have are
 * settled, too.
 *
 * Bits are only ever added, and a row's proxy is deleted by the transaction
 * that adds its bit.  So who looks at the proxy first, and then here, finds one
 * of the two.  MVCC snapshots see one version of a record; for all others every
 * version counts that has been committed: a scan may pass over both the old
 * and the new one while their transaction commits, but never over all of them.
 *
 * Only VACUUM and compaction write here, under ShareUpdateExclusiveLock on the
 * table, so one at a time.
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
#include "port/pg_bitutils.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

/* chunk_data is a bitmap, or, where that is shorter, a list of these. */
typedef struct Run
{
	uint16		first;
	uint16		last;
} Run;

#define RUNS_MAX (COLJ_GRANULE_BYTES / (int) sizeof(Run) - 1)

static inline bool
get_bit(const bits8 *bits, uint32 i)
{
	return (bits[i / 8] & (1 << (i % 8))) != 0;
}

/* Set the bits that a record has; what is wrong with it, or NULL. */
static const char *
decode(const char *bytes, Size size, bits8 *bits)
{
	int			before = -1;

	if (size == COLJ_GRANULE_BYTES)
	{
		for (int i = 0; i < COLJ_GRANULE_BYTES; i++)
			bits[i] |= (bits8) bytes[i];
		return NULL;
	}
	if (size > COLJ_GRANULE_BYTES || size % sizeof(Run) != 0)
		return "A record of settled rows is of the wrong size.";
	for (Size off = 0; off < size; off += sizeof(Run))
	{
		Run			run;

		memcpy(&run, bytes + off, sizeof(run));
		if (run.first <= before || run.last < run.first || run.last >= COLJ_GRANULE_ROWS)
			return "A record of settled rows contradicts itself.";
		for (uint32 i = run.first; i <= run.last; i++)
			bits[i / 8] |= 1 << (i % 8);
		before = run.last;
	}
	return NULL;
}

/* The runs of set bits; how many, or RUNS_MAX + 1 when they are too many. */
static int
find_runs(const bits8 *bits, Run *runs)
{
	int			n = 0;

	for (uint32 i = 0; i < COLJ_GRANULE_ROWS; i++)
	{
		if (!get_bit(bits, i))
			continue;
		if (n > 0 && runs[n - 1].last + 1 == (int) i)
			runs[n - 1].last++;
		else if (n == RUNS_MAX)
			return RUNS_MAX + 1;
		else
			runs[n++] = (Run){(uint16) i, (uint16) i};
	}
	return n;
}

/* Has the transaction that made this version committed, or is it ours? */
static bool
is_committed(HeapTupleHeader header)
{
	TransactionId xmin = HeapTupleHeaderGetRawXmin(header);

	if (HeapTupleHeaderXminCommitted(header))
		return true;
	if (HeapTupleHeaderXminInvalid(header))
		return false;
	return TransactionIdIsCurrentTransactionId(xmin) ||
		(!TransactionIdIsInProgress(xmin) && TransactionIdDidCommit(xmin));
}

const char *
colj_granule_problem(ColjStore *store, HeapTuple tuple, bits8 *bits)
{
	Size		size;
	const char *bytes = colj_store_tuple_data(store, tuple, &size);

	return decode(bytes, size, bits);
}

bool
colj_granule_read(ColjStore *store, Snapshot snapshot, int32 granule, bits8 *bits)
{
	bool		mvcc = IsMVCCSnapshot(snapshot);
	ColjStoreScan scan;
	HeapTuple	tuple;
	const char *problem = NULL;
	bool		found = false;

	memset(bits, 0, COLJ_GRANULE_BYTES);
	colj_store_scan_begin(&scan, store, mvcc ? snapshot : SnapshotAny, COLJ_ID_SETTLED, granule, granule);
	while (problem == NULL && (tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		if (!mvcc && !is_committed(tuple->t_data))
			continue;
		problem = colj_granule_problem(store, tuple, bits);
		found = true;
	}
	colj_store_scan_end(&scan);
	if (problem != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the column store of table \"%s\" is damaged", RelationGetRelationName(store->table)),
				 errdetail("%s", problem)));
	return found;
}

bool
colj_row_settled(ColjStore *store, Snapshot snapshot, uint64 row)
{
	bits8		bits[COLJ_GRANULE_BYTES];

	return colj_granule_read(store, snapshot, (int32) (row / COLJ_GRANULE_ROWS), bits) &&
		get_bit(bits, row % COLJ_GRANULE_ROWS);
}

bits8 *
colj_rows_settled(ColjStore *store, Snapshot snapshot, uint64 first, uint32 n, bits8 *into)
{
	bits8		bits[COLJ_GRANULE_BYTES];
	uint64		granule = first / COLJ_GRANULE_ROWS;

	Assert(first % COLJ_BLOCK_ROWS == 0);
	for (; n > 0 && granule <= (first + n - 1) / COLJ_GRANULE_ROWS; granule++)
	{
		uint64		from = Max(first, granule * COLJ_GRANULE_ROWS);
		uint64		to = Min(first + n, (granule + 1) * COLJ_GRANULE_ROWS);

		if (!colj_granule_read(store, snapshot, (int32) granule, bits))
			continue;
		for (uint64 row = from; row < to; row++)
		{
			if (!get_bit(bits, row % COLJ_GRANULE_ROWS))
				continue;
			if (into == NULL)
				into = palloc0(n / 8 + 1);
			into[(row - first) / 8] |= 1 << ((row - first) % 8);
		}
	}
	return into;
}

/* The version that is to be updated, and its bits; false if there is none. */
static bool
find_record(ColjStore *store, int32 granule, bits8 *bits, ItemPointer tid)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	colj_store_scan_begin(&scan, store, SnapshotSelf, COLJ_ID_SETTLED, granule, granule);
	if ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		(void) colj_granule_problem(store, tuple, bits);
		*tid = tuple->t_self;
	}
	colj_store_scan_end(&scan);
	return tuple != NULL;
}

void
colj_granule_add(ColjStore *store, int32 granule, const bits8 *add)
{
	bits8		bits[COLJ_GRANULE_BYTES];
	Run			runs[RUNS_MAX];
	const void *bytes = bits;
	Size		size = sizeof(bits);
	ItemPointerData tid;
	int			n;

	memcpy(bits, add, sizeof(bits));
	if (!find_record(store, granule, bits, &tid))
		ItemPointerSetInvalid(&tid);
	n = find_runs(bits, runs);
	if (n <= RUNS_MAX)
	{
		bytes = runs;
		size = n * sizeof(Run);
	}
	if (ItemPointerIsValid(&tid))
		colj_store_update(store, &tid, COLJ_ID_SETTLED, granule, bytes, size);
	else
		colj_store_insert(store, COLJ_ID_SETTLED, granule, bytes, size, 0);
}

void
colj_unused_add(ColjUnused *unused, uint64 first, uint64 end)
{
	if (first == end)
		return;
	if (unused->ranges == NULL)
	{
		unused->room = 16;
		unused->ranges = MemoryContextAlloc(unused->context, unused->room * sizeof(ColjRowRange));
	}
	else if (unused->n == unused->room)
	{
		unused->room *= 2;
		unused->ranges = repalloc_huge(unused->ranges, unused->room * sizeof(ColjRowRange));
	}
	unused->ranges[unused->n++] = (ColjRowRange){first, end};
}

void
colj_unused_settle(ColjStore *store, ColjUnused *unused)
{
	bits8		bits[COLJ_GRANULE_BYTES];
	int64		granule = -1;

	for (int i = 0; i < unused->n; i++)
	{
		for (uint64 row = unused->ranges[i].first; row < unused->ranges[i].end; row++)
		{
			int64		next = (int64) (row / COLJ_GRANULE_ROWS);
			uint32		at = row % COLJ_GRANULE_ROWS;

			if (next != granule)
			{
				if (granule >= 0)
					colj_granule_add(store, (int32) granule, bits);
				granule = next;
				memset(bits, 0, sizeof(bits));
			}
			bits[at / 8] |= 1 << (at % 8);
		}
	}
	if (granule >= 0)
		colj_granule_add(store, (int32) granule, bits);
	if (unused->ranges != NULL)
		pfree(unused->ranges);
	*unused = (ColjUnused){.context = unused->context};
}
