/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Stripes that are open, and rows read from them.
 *
 * The last few stripes that were read stay open, with what was fetched and
 * decoded of them, as fetches by TID come back to them again and again.  A
 * stripe's bytes never change, so an open one stays good for as long as its
 * key says: the TOAST table, the chunk_id, the first row and the transaction
 * that made it.
 *
 * Memory: COLJ_OPEN_MAX stripes, together OPEN_BYTES of stored and decoded
 * bytes plus the vectors of the one row that is being read.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/transam.h"
#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"
#include "type/document.h"
#include "type/value.h"

#define OPEN_MAX 8
#define OPEN_BYTES ((Size)64 * 1024 * 1024)

struct ColjOpenStripe
{
	MemoryContext context;		/* all of it; NULL for a free place */
	Oid			toast;
	ColjStripeEntry entry;
	ColjHost	host;
	ColjStripeWindow window;
	ColjStripe *stripe;
	ColjStore  *store;			/* during a call */
	uint8	   *data;
	bits8	   *fetched;		/* a bit for each row of bytes */
	Size		bytes;			/* fetched */
	uint64		used;
};

static ColjOpenStripe places[OPEN_MAX];
static uint64 clock;

static void *
resize(void *arg, void *old, size_t size)
{
	if (old == NULL)
		return MemoryContextAllocExtended((MemoryContext) arg, size, MCXT_ALLOC_HUGE);
	if (size > 0)
		return repalloc_huge(old, size);
	pfree(old);
	return NULL;
}

static void
poll_interrupts(void *arg)
{
	(void) arg;
	CHECK_FOR_INTERRUPTS();
}

static bool
have(const ColjOpenStripe *open, int32 piece)
{
	return (open->fetched[piece / 8] & (1 << (piece % 8))) != 0;
}

/* Fetch the missing ones of pieces first..last. */
static void
fetch_pieces(ColjOpenStripe *open, int32 first, int32 last)
{
	colj_pieces_read(open->store, RelationGetRelid(open->store->table), &open->entry, first, last, open->data);
	for (int32 i = first; i <= last; i++)
		open->fetched[i / 8] |= 1 << (i % 8);
	open->bytes += (Size) (last - first + 1) * COLJ_CHUNK;
}

static bool
fetch(ColjStripeWindow *window, size_t off, size_t len)
{
	ColjOpenStripe *open = window->fetch_arg;
	int32		first = off / COLJ_CHUNK;
	int32		last = len == 0 ? first : (int32) ((off + len - 1) / COLJ_CHUNK);

	while (first <= last && have(open, first))
		first++;
	while (first <= last && have(open, last))
		last--;
	if (first <= last)
		fetch_pieces(open, first, last);
	return true;
}

static void
forget(ColjOpenStripe *open)
{
	/* zstd's part of it is malloc's */
	if (open->stripe != NULL)
		colj_stripe_close(open->stripe);
	if (open->context != NULL)
		MemoryContextDelete(open->context);
	memset(open, 0, sizeof(*open));
}

void
colj_stripe_cache_reset(void)
{
	for (int i = 0; i < OPEN_MAX; i++)
		forget(&places[i]);
}

static Size
memory_of(const ColjOpenStripe *open)
{
	return open->stripe == NULL ? 0 : open->bytes + colj_stripe_memory(open->stripe);
}

static ColjOpenStripe *
least_used(const ColjOpenStripe *but)
{
	ColjOpenStripe *found = NULL;

	for (int i = 0; i < OPEN_MAX; i++)
		if (&places[i] != but && (found == NULL || places[i].used < found->used))
			found = &places[i];
	return found;
}

/* Keep within OPEN_BYTES; called when nothing borrows from a stripe. */
static void
economize(ColjOpenStripe *open)
{
	Size		total = 0;

	for (int i = 0; i < OPEN_MAX; i++)
		total += memory_of(&places[i]);
	if (total <= OPEN_BYTES)
		return;
	for (int i = 0; i < OPEN_MAX; i++)
		if (&places[i] != open)
			forget(&places[i]);
	if (memory_of(open) > OPEN_BYTES)
		colj_stripe_forget(open->stripe);
}

static void
open_stripe(ColjOpenStripe *open, ColjStore *store, const ColjStripeEntry *entry)
{
	int32		pieces = colj_pieces_count(entry->size);
	const char *problem = NULL;
	ColjStatus	status;

	forget(open);
	open->context = AllocSetContextCreate(TopMemoryContext, "colj stripe", ALLOCSET_DEFAULT_SIZES);
	open->entry = *entry;
	open->store = store;
	open->data = MemoryContextAllocHuge(open->context, entry->size);
	open->fetched = MemoryContextAllocZero(open->context, pieces / 8 + 1);
	open->host = (ColjHost){resize, poll_interrupts, NULL, open->context};
	open->window = (ColjStripeWindow){.data = open->data, .size = entry->size, .fetch = fetch, .fetch_arg = open};
	status = colj_stripe_open(&open->host, &open->window, &open->stripe, &problem);
	if (status == COLJ_CORRUPT || (status == COLJ_OK && colj_stripe_rows(open->stripe) != entry->rows))
		colj_stripe_damaged(RelationGetRelid(store->table), entry, problem);
	colj_ensure(status, NULL);
	open->toast = RelationGetRelid(store->toast);
}

ColjOpenStripe *
colj_stripe_get(ColjStore *store, const ColjStripeEntry *entry)
{
	ColjOpenStripe *open = NULL;

	for (int i = 0; i < OPEN_MAX; i++)
		if (places[i].stripe != NULL && places[i].toast == RelationGetRelid(store->toast) &&
			places[i].entry.first_row == entry->first_row && places[i].entry.value == entry->value &&
			places[i].entry.xmin == entry->xmin && places[i].entry.size == entry->size)
			open = &places[i];
	if (open == NULL)
	{
		open = least_used(NULL);
		open_stripe(open, store, entry);
	}
	open->store = store;
	open->used = ++clock;
	economize(open);
	return open;
}

static Datum
fixed_datum(Form_pg_attribute att, const ColjCell *cell)
{
	char	   *copy;

	if (att->attlen == -1)
	{
		struct varlena *v = palloc(VARHDRSZ + cell->len);

		SET_VARSIZE(v, VARHDRSZ + cell->len);
		memcpy(VARDATA(v), cell->bytes, cell->len);
		return PointerGetDatum(v);
	}
	copy = palloc(cell->len + 1);
	memcpy(copy, cell->bytes, cell->len);
	return PointerGetDatum(copy);
}

/* The value of a column; it was in the table when the stripe was made. */
static Datum
column_value(ColjOpenStripe *open, Form_pg_attribute att, uint32 column, uint32 row, bool *isnull)
{
	const ColjPathInfo *info = colj_stripe_path(open->stripe, colj_stripe_root(open->stripe, column));
	ColjStatus	status;
	ColjCell	cell;

	*isnull = false;
	if (!info->plain)
	{
		ColjBuilder *b = colj_builder_acquire();

		status = colj_stripe_assemble(open->stripe, colj_stripe_root(open->stripe, column), row, b);
		if (status == COLJ_OK)
			return colj_builder_datum(b);
		*isnull = status == COLJ_ABSENT;
	}
	else
	{
		status = colj_stripe_cell(open->stripe, column, row, &cell);
		*isnull = cell.null;
		if (status == COLJ_OK && !colj_cell_fits(att, info->type, &cell))
			colj_stripe_damaged(RelationGetRelid(open->store->table), &open->entry, "A column is of another kind than the table's.");
		if (status == COLJ_OK && !cell.null)
			return att->attbyval ? (Datum) cell.integer : fixed_datum(att, &cell);
	}
	if (status == COLJ_CORRUPT)
		colj_stripe_damaged(RelationGetRelid(open->store->table), &open->entry, colj_stripe_problem(open->stripe));
	if (status != COLJ_ABSENT)
		colj_ensure(status, NULL);
	return (Datum) 0;
}

static void
fill_header(ColjStore *store, const ColjStripeEntry *entry, uint64 row, HeapTuple tuple)
{
	tuple->t_self = colj_row_tid(row);
	tuple->t_tableOid = RelationGetRelid(store->table);
	HeapTupleHeaderSetXmin(tuple->t_data, entry->xmin);
	HeapTupleHeaderSetCmin(tuple->t_data, FirstCommandId);
	HeapTupleHeaderSetXmax(tuple->t_data, InvalidTransactionId);
	tuple->t_data->t_infomask |= HEAP_XMAX_INVALID;
	tuple->t_data->t_ctid = tuple->t_self;
}

HeapTuple
colj_stripe_tuple(ColjStore *store, const ColjStripeEntry *entry, uint64 row, TupleDesc desc)
{
	ColjOpenStripe *open = colj_stripe_get(store, entry);
	uint32		ncolumns = colj_stripe_columns(open->stripe);
	Datum	   *values = palloc0((desc->natts + 1) * sizeof(Datum));
	bool	   *isnull = palloc((desc->natts + 1) * sizeof(bool));
	MemoryContext result = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(result, "colj row", ALLOCSET_SMALL_SIZES);
	HeapTuple	tuple;

	MemoryContextSwitchTo(scratch);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		isnull[i] = true;
		if (att->attisdropped)
			continue;
		if ((uint32) i >= ncolumns)
			values[i] = getmissingattr(desc, i + 1, &isnull[i]);
		else
			values[i] = column_value(open, att, i, (uint32) (row - entry->first_row), &isnull[i]);
	}
	MemoryContextSwitchTo(result);
	tuple = heap_form_tuple(desc, values, isnull);
	fill_header(store, entry, row, tuple);
	MemoryContextDelete(scratch);
	pfree(values);
	pfree(isnull);
	return tuple;
}
