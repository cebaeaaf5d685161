/*-------------------------------------------------------------------------
 *
 * load.c
 *	  Bulk loads: rows that go into stripes at once.
 *
 * The rows of a load wait in memory until they fill a stripe, or until someone
 * in this backend looks: whatever reads the column store of a table opens it,
 * and that stores what waits.  The stripe is inserted as of the command that
 * has loaded the rows, so the rules of what a command sees of its own hold.
 *
 * Index entries follow each row, before the stripe is there.  Other backends
 * that meet them in a unique check must wait for us: a row of the TOAST table
 * announces the range of row numbers beforehand, and its xmin tells who is
 * loading.  Nothing that waits outlives its subtransaction, and if that aborts
 * it is forgotten.
 *
 * Small stripes are of little use, so a load begins in the row store.  Where
 * nobody asks for the rows' TIDs (no index, no trigger) its first rows are held
 * instead, and go where all others will go: so the order of the rows is kept.
 *
 * Memory: LOADS_BYTES over all tables; then the largest is stored.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "pgstat.h"
#include "storage/predicate.h"
#include "utils/memutils.h"

#include "compat.h"
#include "guc.h"
#include "store/batch.h"
#include "store/held.h"
#include "store/load.h"
#include "type/document.h"

#define LOADS_BYTES ((Size)128 * 1024 * 1024)

/* Row numbers are reserved so many at a time at first, then more. */
#define RESERVE_MIN 1024

/* A load that is looked at before it has this many rows is given up. */
#define LOOKED_AT_ROWS 1000

struct ColjLoad
{
	ColjLoad   *next;
	Oid			table;
	CommandId	cid;
	SubTransactionId subid;
	MemoryContext context;		/* of the load, below TopTransactionContext */
	ColjLoadPlace place;		/* where the next row goes */
	int			min_rows;		/* to begin with stripes */
	int64		came;			/* rows, wherever they went */
	int			options;
	ColjHeld   *held;			/* NULL unless rows are being held */
	ColjBatch  *batch;			/* NULL as long as no row went into a stripe */
	uint64		first_row;		/* of the stripe */
	uint64		reserved;		/* up to where row numbers are ours */
	uint64		reserve;		/* how many to ask for next */
	List	   *announced;		/* TIDs of what announces them */
};

static ColjLoad *loads;

/* Is the store being opened from here? */
static bool busy;

static ColjLoad *
find(Oid table)
{
	ColjLoad   *load = loads;

	while (load != NULL && load->table != table)
		load = load->next;
	return load;
}

/* Are there rows in memory? */
static bool
waits(const ColjLoad *load)
{
	return load->held != NULL || (load->batch != NULL && load->batch->writer != NULL);
}

static void
forget(ColjLoad *load)
{
	ColjLoad  **link = &loads;

	while (*link != load)
		link = &(*link)->next;
	*link = load->next;
	MemoryContextDelete(load->context);
}

void
colj_load_forget(SubTransactionId subid)
{
	ColjLoad   *next;

	busy = false;
	for (ColjLoad *load = loads; load != NULL; load = next)
	{
		next = load->next;
		if (subid == InvalidSubTransactionId || load->subid == subid)
			forget(load);
	}
}

ColjLoad *
colj_load_begin(Relation table, CommandId cid, ColjLoadPlace place, int min_rows)
{
	MemoryContext context = AllocSetContextCreate(TopTransactionContext, "colj load", ALLOCSET_SMALL_SIZES);
	ColjLoad   *load = MemoryContextAllocZero(context, sizeof(ColjLoad));

	/* it is too late for that if somebody looks in a parallel query */
	(void) GetCurrentTransactionId();
	load->context = context;
	load->table = RelationGetRelid(table);
	load->cid = cid;
	load->subid = GetCurrentSubTransactionId();
	load->place = place;
	load->min_rows = min_rows;
	load->reserve = RESERVE_MIN;
	load->next = loads;
	loads = load;
	return load;
}

ColjLoad *
colj_load_find(Relation table, CommandId cid)
{
	ColjLoad   *load = find(RelationGetRelid(table));

	if (load == NULL || (load->cid == cid && load->subid == GetCurrentSubTransactionId()))
		return load;
	colj_load_end(load->table);
	return NULL;
}

bool
colj_load_takes(ColjLoad *load, int rows)
{
	if (load->place == COLJ_LOAD_LATER && load->came + 1 >= load->min_rows)
		load->place = COLJ_LOAD_STRIPES;
	load->came += rows;
	return load->place == COLJ_LOAD_HELD || load->place == COLJ_LOAD_STRIPES;
}

/* Open the store, for which nobody must store what waits. */
static void
open_store(ColjStore *store, Relation table)
{
	busy = true;
	if (!colj_store_open(store, table, RowExclusiveLock))
		elog(ERROR, "table \"%s\" has no TOAST table", RelationGetRelationName(table));
}

static void
close_store(ColjStore *store)
{
	colj_store_close(store);
	busy = false;
}

/* Store the rows that wait. */
static void
end_stripe(ColjLoad *load)
{
	uint32		rows = colj_batch_rows(load->batch);
	ColjStripeEntry entry = {.first_row = load->first_row, .rows = rows, .filled = rows, .raw = colj_batch_bytes(load->batch)};
	Relation	table = table_open(load->table, NoLock);
	ColjStore	store;
	const uint8_t *bytes;
	size_t		size;

	colj_batch_finish(load->batch, &bytes, &size);
	open_store(&store, table);
	colj_stripe_store_as(&store, entry, bytes, size, load->cid, load->options & HEAP_INSERT_FROZEN);
	colj_rows_count(&store, rows);
	close_store(&store);

	/* who reads the table from now on meets the directory row */
	CheckForSerializableConflictIn(table, NULL, InvalidBlockNumber);
	table_close(table, NoLock);
	colj_batch_end(load->batch);

	/* the next stripe begins at a multiple of a block's rows */
	load->first_row += (rows + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS;
}

/* The rows that are held stay few: they go into the row store, as all that follow. */
static void
give_up(ColjLoad *load)
{
	Relation	table = table_open(load->table, NoLock);
	ColjHeld   *held = load->held;

	load->place = COLJ_LOAD_NEVER;
	load->held = NULL;
	colj_held_insert(held, table, load->cid, load->options);
	colj_held_free(held);
	table_close(table, NoLock);
}

static void
flush(ColjLoad *load)
{
	if (!waits(load))
		return;
	if (load->subid != GetCurrentSubTransactionId())
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot read a table in a subtransaction of the command that loads rows into it"),
				 errhint("Set colj.direct_load_min_rows to 0.")));
	if (load->held != NULL)
		give_up(load);
	else
		end_stripe(load);
}

void
colj_load_flush(Oid table)
{
	ColjLoad   *load = loads == NULL || busy ? NULL : find(table);

	if (load == NULL || !waits(load))
		return;

	/* who looks at every row would get a stripe for every row */
	if (load->batch != NULL && colj_batch_rows(load->batch) < LOOKED_AT_ROWS)
		load->place = COLJ_LOAD_NEVER;
	flush(load);
}

void
colj_load_flush_all(void)
{
	for (ColjLoad *load = loads; load != NULL; load = load->next)
		if (load->subid == GetCurrentSubTransactionId())
			flush(load);
}

/* The rows are in stripes, so what announces them may go. */
static void
withdraw(ColjLoad *load)
{
	Relation	table;
	ColjStore	store;
	ListCell   *cell;

	if (load->announced == NIL || load->subid != GetCurrentSubTransactionId())
		return;
	table = table_open(load->table, NoLock);
	open_store(&store, table);
	foreach(cell, load->announced)
		colj_rows_withdraw(&store, lfirst(cell), load->cid);
	if (load->first_row < load->reserved)
		(void) colj_rows_return(&store, load->first_row, load->reserved);
	close_store(&store);
	table_close(table, NoLock);
}

void
colj_load_end(Oid table)
{
	ColjLoad   *load = find(table);

	if (load == NULL)
		return;
	flush(load);
	withdraw(load);
	forget(load);
}

/* Reserve more row numbers, and say so; the first of them. */
static uint64
reserve(ColjLoad *load, Relation table)
{
	MemoryContext old = MemoryContextSwitchTo(load->context);
	ItemPointer announced = palloc(sizeof(ItemPointerData));
	ColjStore	store;
	uint64		first;

	open_store(&store, table);
	first = colj_rows_announce(&store, load->reserve, load->cid, announced);
	close_store(&store);
	load->announced = lappend(load->announced, announced);
	MemoryContextSwitchTo(old);
	load->reserved = first + load->reserve;
	load->reserve = Min(load->reserve * 2, Max((uint64) colj_stripe_rows_limit, RESERVE_MIN));
	return first;
}

/*
 * Make sure that there is a stripe for one more row, with a number for it.  If
 * someone else has got the numbers that follow ours, it must be another stripe.
 */
static void
make_room(ColjLoad *load, Relation table)
{
	uint32		rows;

	if (colj_batch_full(load->batch))
		flush(load);
	rows = colj_batch_rows(load->batch);
	if (load->first_row + rows >= load->reserved)
	{
		uint64		first = reserve(load, table);

		if (first != load->first_row + rows)
		{
			flush(load);
			load->first_row = first;
		}
	}
	if (load->batch->writer == NULL)
		colj_batch_begin(load->batch, RelationGetDescr(table));
}

static ItemPointerData
add_to_stripe(ColjLoad *load, Relation table, const Datum *values, const bool *isnull)
{
	TupleDesc	desc = RelationGetDescr(table);
	ItemPointerData tid;

	if (load->batch == NULL)
		load->batch = colj_batch_create(desc, load->context);
	make_room(load, table);
	tid = colj_row_tid(load->first_row + colj_batch_rows(load->batch));
	colj_batch_add(load->batch, desc, values, isnull);
	pgstat_count_heap_insert(table, 1);
	return tid;
}

/* The load is a long one: what was held goes into stripes. */
static void
begin_stripes(ColjLoad *load, Relation table)
{
	ColjHeld   *held = load->held;
	TupleDesc	desc = RelationGetDescr(table);
	Datum	   *values = palloc((desc->natts + 1) * sizeof(Datum));
	bool	   *isnull = palloc((desc->natts + 1) * sizeof(bool));

	load->place = COLJ_LOAD_STRIPES;
	load->held = NULL;
	for (int i = 0; i < held->n; i++)
	{
		heap_deform_tuple(held->tuples[i], desc, values, isnull);
		(void) add_to_stripe(load, table, values, isnull);
		heap_freetuple(held->tuples[i]);
	}
	colj_held_free(held);
	pfree(values);
	pfree(isnull);
}

static void
hold(ColjLoad *load, Relation table, const Datum *values, const bool *isnull)
{
	if (load->held == NULL)
		load->held = colj_held_create(load->context);
	colj_held_add(load->held, RelationGetDescr(table), values, isnull);
	if (load->held->n >= load->min_rows || load->held->bytes >= COLJ_STRIPE_BYTES)
		begin_stripes(load, table);
}

static Size
bytes_of(const ColjLoad *load)
{
	if (!waits(load))
		return 0;
	return load->held != NULL ? load->held->bytes : colj_batch_bytes(load->batch);
}

/* Keep within LOADS_BYTES. */
static void
economize(void)
{
	Size		total = 0;
	ColjLoad   *largest = loads;

	for (ColjLoad *load = loads; load != NULL; load = load->next)
	{
		total += bytes_of(load);
		if (bytes_of(load) > bytes_of(largest))
			largest = load;
	}
	if (total > LOADS_BYTES)
		flush(largest);
}

ItemPointerData
colj_load_row(ColjLoad *load, Relation table, const Datum *values, const bool *isnull, int options)
{
	ItemPointerData tid;

	ItemPointerSetInvalid(&tid);
	load->options = options;
	if (load->place == COLJ_LOAD_HELD)
		hold(load, table, values, isnull);
	else
		tid = add_to_stripe(load, table, values, isnull);
	economize();
	return tid;
}
