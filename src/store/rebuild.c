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
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"

#include "compat.h"
#include "store/batch.h"
#include "store/rebuild.h"

struct ColjRebuild
{
	Relation	table;
	ColjBatch  *batch;
	ColjUnused	unused;			/* numbers behind stripes */
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

static void
end_stripe(ColjRebuild *rebuild)
{
	uint32		rows = colj_batch_rows(rebuild->batch);
	ColjStripeEntry entry = {.rows = rows, .filled = rows, .raw = colj_batch_bytes(rebuild->batch)};
	ColjStore	store;
	const uint8_t *bytes;
	size_t		size;
	uint64		end;

	colj_batch_finish(rebuild->batch, &bytes, &size);
	open_store(rebuild, &store);
	entry.first_row = colj_rows_reserve(&store, rows);
	colj_stripe_store_cold(&store, entry, bytes, size, HEAP_INSERT_FROZEN);
	colj_rows_count(&store, rows);
	end = entry.first_row + rows;
	colj_unused_add(&rebuild->unused, end, (end + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS);
	colj_store_close(&store);
	colj_batch_end(rebuild->batch);
}

void
colj_rebuild_add(ColjRebuild *rebuild, const Datum *values, const bool *isnull)
{
	TupleDesc	desc = RelationGetDescr(rebuild->table);

	if (colj_batch_full(rebuild->batch))
		end_stripe(rebuild);
	if (rebuild->batch->writer == NULL)
		colj_batch_begin(rebuild->batch, desc);
	colj_batch_add(rebuild->batch, desc, values, isnull);
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
