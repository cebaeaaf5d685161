/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Stripes that are open, with what was fetched and decoded of them.
 *
 * The last few stripes that were read stay open, as fetches by TID come back
 * to them again and again.  A stripe's bytes never change, so an open one stays
 * good for as long as its key says: the TOAST table, the chunk_id, the first
 * row and the transaction that made it.
 *
 * Whoever holds a row has a pin on its vector: what is decoded of that vector
 * stays until the pin is released, whatever happens to the transaction.  Bytes
 * are fetched when they are needed, maybe long after the scan that found the
 * row has ended, so fetching opens the TOAST table by itself.
 *
 * Memory: OPEN_MAX stripes, together OPEN_BYTES of stored and decoded bytes;
 * beyond that only what is pinned.  Stripes stay open when a transaction aborts:
 * an error leaves them as they were before the call, at worst with some memory
 * that is freed when they are closed.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "utils/memutils.h"

#include "compat.h"
#include "store/store.h"
#include "type/context_host.h"
#include "type/document.h"

#define OPEN_MAX 64
#define OPEN_BYTES ((Size)64 * 1024 * 1024)

struct ColjOpenStripe
{
	MemoryContext context;		/* all of it, this too */
	Oid			table;
	Oid			toast;
	ColjStripeEntry entry;
	ColjHost	host;
	ColjStripeWindow window;
	ColjStripe *stripe;
	uint8	   *data;
	bits8	   *fetched;		/* a bit for each row of bytes */
	Size		bytes;			/* fetched */
	uint64		used;
	uint32		npins;
	uint32	   *pins;			/* of each vector */
	bool		forgotten;		/* to be closed with the last pin */
};

static ColjOpenStripe **stripes;
static int	nstripes;
static int	room;
static ColjOpenStripe *last;	/* the one that was used last, or NULL */
static uint64 clock;

static void
damaged(const ColjOpenStripe *open, const char *problem)
{
	colj_stripe_damaged(open->table, &open->entry, problem);
}

void
colj_stripe_raise(const ColjOpenStripe *open, ColjStatus status, const char *problem)
{
	if (status == COLJ_CORRUPT)
		damaged(open, problem != NULL ? problem : colj_stripe_problem(open->stripe));
	colj_raise(status, NULL);
}

static bool
have(const ColjOpenStripe *open, int32 piece)
{
	return (open->fetched[piece / 8] & (1 << (piece % 8))) != 0;
}

/*
 * Fetch the missing ones of pieces first..last.  Core copies values while a
 * sort's memory context is current, which takes no pfree: core's scans need
 * one that does.
 */
static void
fetch_pieces(ColjOpenStripe *open, int32 first, int32 last_piece)
{
	MemoryContext scratch = AllocSetContextCreate(open->context, "colj stripe pieces", ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	Relation	table = table_open(open->table, AccessShareLock);
	ColjStore	store;

	colj_store_open_toast(&store, table, open->toast);
	colj_pieces_read(&store, open->table, &open->entry, first, last_piece, open->data);
	colj_store_close(&store);
	table_close(table, NoLock);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	for (int32 i = first; i <= last_piece; i++)
		open->fetched[i / 8] |= 1 << (i % 8);
	open->bytes += (Size) (last_piece - first + 1) * COLJ_CHUNK;
}

static bool
fetch(ColjStripeWindow *window, size_t off, size_t len)
{
	ColjOpenStripe *open = window->fetch_arg;
	int32		first = off / COLJ_CHUNK;
	int32		last_piece = len == 0 ? first : (int32) ((off + len - 1) / COLJ_CHUNK);

	while (first <= last_piece && have(open, first))
		first++;
	while (first <= last_piece && have(open, last_piece))
		last_piece--;
	if (first <= last_piece)
		fetch_pieces(open, first, last_piece);
	return true;
}

static void
close_stripe(ColjOpenStripe *open)
{
	int			i = 0;

	while (stripes[i] != open)
		i++;
	stripes[i] = stripes[--nstripes];
	if (last == open)
		last = NULL;
	if (open->stripe != NULL)
		colj_stripe_close(open->stripe);
	MemoryContextDelete(open->context);
}

void
colj_stripe_cache_reset(void)
{
	for (int i = nstripes - 1; i >= 0; i--)
	{
		stripes[i]->forgotten = true;
		if (stripes[i]->npins == 0)
			close_stripe(stripes[i]);
	}
	last = NULL;
}

static Size
memory_held(void)
{
	Size		total = 0;

	for (int i = 0; i < nstripes; i++)
		if (stripes[i]->stripe != NULL)
			total += stripes[i]->bytes + colj_stripe_memory(stripes[i]->stripe) +
				colj_stripe_directory_memory(stripes[i]->stripe);
	return total;
}

/* The one that is not pinned and has not been used for longest, or NULL. */
static ColjOpenStripe *
least_used(const ColjOpenStripe *but)
{
	ColjOpenStripe *found = NULL;

	for (int i = 0; i < nstripes; i++)
		if (stripes[i] != but && stripes[i]->npins == 0 &&
			(found == NULL || stripes[i]->used < found->used))
			found = stripes[i];
	return found;
}

/* Keep within the limits; what is pinned stays, and so does one stripe. */
static void
economize(ColjOpenStripe *keep)
{
	while (nstripes > OPEN_MAX || memory_held() > OPEN_BYTES)
	{
		ColjOpenStripe *victim = least_used(keep);

		if (victim == NULL)
			break;
		close_stripe(victim);
	}
	if (memory_held() <= OPEN_BYTES)
		return;
	for (int i = 0; i < nstripes; i++)
		for (uint32 v = 0; v < colj_stripe_vectors(stripes[i]->stripe); v++)
			if (stripes[i]->pins[v] == 0)
				colj_stripe_forget_vector(stripes[i]->stripe, v);
}

static void
make_room(void)
{
	if (nstripes < room)
		return;
	if (stripes == NULL)
		stripes = MemoryContextAlloc(TopMemoryContext, (OPEN_MAX + 1) * sizeof(ColjOpenStripe *));
	else
		stripes = repalloc(stripes, 2 * room * sizeof(ColjOpenStripe *));
	room = room == 0 ? OPEN_MAX + 1 : 2 * room;
}

/* A stripe whose bytes can be fetched. */
static ColjOpenStripe *
begin_stripe(ColjStore *store, const ColjStripeEntry *entry)
{
	int32		pieces = colj_pieces_count(entry->size);
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "colj stripe", ALLOCSET_DEFAULT_SIZES);
	ColjOpenStripe *open = MemoryContextAllocZero(context, sizeof(ColjOpenStripe));

	open->context = context;
	open->table = RelationGetRelid(store->table);
	open->toast = RelationGetRelid(store->toast);
	open->entry = *entry;
	open->data = MemoryContextAllocHuge(context, entry->size);
	open->fetched = MemoryContextAllocZero(context, pieces / 8 + 1);
	open->host = colj_context_host(context);
	open->window = (ColjStripeWindow){.data = open->data, .size = entry->size, .fetch = fetch, .fetch_arg = open};
	return open;
}

static ColjOpenStripe *
open_stripe(ColjStore *store, const ColjStripeEntry *entry)
{
	ColjOpenStripe *open;

	make_room();
	open = begin_stripe(store, entry);
	PG_TRY();
	{
		const char *problem = NULL;
		ColjStatus	status = colj_stripe_open(&open->host, &open->window, &open->stripe, &problem);

		if (status == COLJ_CORRUPT || (status == COLJ_OK && colj_stripe_rows(open->stripe) != entry->rows))
			damaged(open, problem);
		colj_ensure(status, NULL);
		open->pins = MemoryContextAllocZero(open->context, colj_stripe_vectors(open->stripe) * sizeof(uint32));
	}
	PG_CATCH();
	{
		if (open->stripe != NULL)
			colj_stripe_close(open->stripe);
		MemoryContextDelete(open->context);
		PG_RE_THROW();
	}
	PG_END_TRY();
	stripes[nstripes++] = open;
	return open;
}

static inline bool
is_of(const ColjOpenStripe *open, const ColjStore *store, const ColjStripeEntry *entry)
{
	return open->toast == RelationGetRelid(store->toast) && colj_entry_equals(&open->entry, entry) &&
		!open->forgotten;
}

static ColjOpenStripe *
find(ColjStore *store, const ColjStripeEntry *entry)
{
	if (last != NULL && is_of(last, store, entry))
		return last;
	for (int i = 0; i < nstripes; i++)
		if (is_of(stripes[i], store, entry))
			return stripes[i];
	return open_stripe(store, entry);
}

ColjStripe *
colj_stripe_get(ColjStore *store, const ColjStripeEntry *entry)
{
	ColjOpenStripe *open = find(store, entry);

	open->used = ++clock;
	last = open;
	economize(open);
	return open->stripe;
}

ColjStripe *
colj_open_stripe(const ColjOpenStripe *open)
{
	return open->stripe;
}

void
colj_pin_take(ColjPin *pin, ColjStore *store, const ColjStripeEntry *entry, uint32 row)
{
	ColjOpenStripe *open = find(store, entry);
	uint32		vector_rows = colj_stripe_vector_rows(open->stripe);

	colj_pin_release(pin);
	open->used = ++clock;
	last = open;
	pin->open = open;
	pin->vector = row / vector_rows;
	pin->first = pin->vector * vector_rows;
	pin->n = Min(vector_rows, colj_stripe_rows(open->stripe) - pin->first);
	pin->toast = open->toast;
	pin->entry = open->entry;
	open->npins++;
	open->pins[pin->vector]++;
	economize(open);
}

void
colj_pin_share(ColjPin *pin, const ColjPin *other)
{
	colj_pin_release(pin);
	*pin = *other;
	if (pin->open == NULL)
		return;
	pin->open->npins++;
	pin->open->pins[pin->vector]++;
}

void
colj_pin_release(ColjPin *pin)
{
	ColjOpenStripe *open = pin->open;

	if (open == NULL)
		return;
	pin->open = NULL;
	open->npins--;
	open->pins[pin->vector]--;
	if (open->forgotten && open->npins == 0)
		close_stripe(open);
}
