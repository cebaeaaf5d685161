/*-------------------------------------------------------------------------
 *
 * rebuild.c
 *	  Stripes of a new table that is about to replace another.
 *
 * The rows have been visible to everybody in the old table, and must be so in
 * the new one, also for a snapshot that is older than it.  So everything is
 * inserted frozen.  Nobody sees the new table before its transaction commits,
 * and if that aborts it is gone with all that is in it.
 *
 * Indexes are built afterwards, so row numbers are not needed before a stripe
 * is complete.
 *
 * A stripe of the old table that would come out as it is can be taken over whole.
 * The rows before it must be in stripes then, so that the order stays.  Where they
 * are too few for one, they share the rows of the next such stripe by halves.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"

#include "compat.h"
#include "guc.h"
#include "store/batch.h"
#include "store/rebuild.h"

/* A stripe that lacks one of so many parts of a full one is taken for full. */
#define FULL_PART 16

struct ColjRebuild
{
	Relation	table;
	ColjBatch  *batch;
	ColjUnused	unused;			/* numbers behind stripes */
	uint32		share;			/* rows of the stripe at hand; 0: as many as
								 * can be */
};

ColjRebuild *
colj_rebuild_begin(Relation table)
{
	ColjRebuild *rebuild = palloc0(sizeof(ColjRebuild));

	rebuild->table = table;
	rebuild->unused.context = CurrentMemoryContext;
	rebuild->batch = colj_batch_create(RelationGetDescr(table), CurrentMemoryContext);
	return rebuild;
}

static void
open_store(ColjRebuild *rebuild, ColjStore *store)
{
	if (!colj_store_open(store, rebuild->table, RowExclusiveLock))
		elog(ERROR, "table \"%s\" has no TOAST table", RelationGetRelationName(rebuild->table));
}

/* Store a stripe, for which row numbers are reserved. */
static void
store_stripe(ColjRebuild *rebuild, ColjStripeEntry entry, const uint8_t *bytes, size_t size)
{
	ColjStore	store;
	uint64		end;

	open_store(rebuild, &store);
	entry.first_row = colj_rows_reserve(&store, entry.rows);
	colj_stripe_store_cold(&store, entry, bytes, size, HEAP_INSERT_FROZEN);
	colj_rows_count(&store, entry.rows);
	end = entry.first_row + entry.rows;
	colj_unused_add(&rebuild->unused, end, (end + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS);
	colj_store_close(&store);
}

static void
end_stripe(ColjRebuild *rebuild)
{
	uint32		rows = colj_batch_rows(rebuild->batch);
	ColjStripeEntry entry = {.rows = rows, .filled = rows, .raw = colj_batch_bytes(rebuild->batch)};
	const uint8_t *bytes;
	size_t		size;

	colj_batch_finish(rebuild->batch, &bytes, &size);
	store_stripe(rebuild, entry, bytes, size);
	colj_batch_end(rebuild->batch);
	rebuild->share = 0;
}

void
colj_rebuild_add(ColjRebuild *rebuild, const Datum *values, const bool *isnull)
{
	TupleDesc	desc = RelationGetDescr(rebuild->table);

	if (colj_batch_full(rebuild->batch) ||
		(rebuild->share > 0 && colj_batch_rows(rebuild->batch) >= rebuild->share))
		end_stripe(rebuild);
	if (rebuild->batch->writer == NULL)
		colj_batch_begin(rebuild->batch, desc);
	colj_batch_add(rebuild->batch, desc, values, isnull);
}

/* Is a stripe of so many rows, or raw bytes, one that VACUUM would not merge? */
static bool
is_large(uint32 rows, uint64 raw)
{
	return rows >= (uint32) colj_stripe_rows_limit / 2 || raw >= COLJ_STRIPE_BYTES / 2;
}

/* Would a stripe of these rows end where it does? */
static bool
is_full(const ColjStripeEntry *entry)
{
	uint32		limit = (uint32) colj_stripe_rows_limit;

	return entry->rows <= limit &&
		(entry->rows >= limit - limit / FULL_PART || entry->raw >= COLJ_STRIPE_BYTES - COLJ_STRIPE_BYTES / FULL_PART);
}

static void
copy_stripe(ColjRebuild *rebuild, ColjStore *from, const ColjStripeEntry *entry)
{
	uint8	   *bytes = palloc_extended(entry->size, MCXT_ALLOC_HUGE);

	colj_pieces_read(from, RelationGetRelid(from->table), entry, 0, colj_pieces_count(entry->size) - 1, bytes);
	store_stripe(rebuild, *entry, bytes, entry->size);
	pfree(bytes);
}

bool
colj_rebuild_take(ColjRebuild *rebuild, ColjStore *from, const ColjStripeEntry *entry)
{
	uint32		rows = colj_batch_rows(rebuild->batch);

	if (!is_full(entry) || !colj_stripe_is_current(from, entry, RelationGetDescr(rebuild->table)))
		return false;
	if (rows > 0 && !is_large(rows, colj_batch_bytes(rebuild->batch)))
	{
		rows += entry->rows;
		rebuild->share = rows > (uint32) colj_stripe_rows_limit ? (rows + 1) / 2 : 0;
		return false;
	}
	if (rows > 0)
		end_stripe(rebuild);
	copy_stripe(rebuild, from, entry);
	return true;
}

void
colj_rebuild_end(ColjRebuild *rebuild)
{
	ColjStore	store;

	if (colj_batch_rows(rebuild->batch) > 0)
		end_stripe(rebuild);
	if (rebuild->unused.n > 0)
	{
		/* VACUUM need not look for them in indexes */
		open_store(rebuild, &store);
		colj_unused_settle(&store, &rebuild->unused);
		colj_store_close(&store);
	}
	colj_batch_free(rebuild->batch);
	pfree(rebuild);
}
