/*-------------------------------------------------------------------------
 *
 * whole.c
 *	  Stripes for inspection: read whole, apart from those that stay open.
 *
 * What checks a stripe must see what is stored, and must not touch what
 * others have borrowed from an open one.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "store/store.h"
#include "type/context_host.h"
#include "type/document.h"

/* All that the reader borrows, in the context that it is read in. */
typedef struct Whole
{
	ColjHost	host;
	ColjStripeWindow window;
	ColjStripe *stripe;
	MemoryContextCallback callback;
} Whole;

/* zstd's part of it is malloc's. */
static void
close_stripe(void *arg)
{
	colj_stripe_close(((Whole *) arg)->stripe);
}

ColjStripe *
colj_stripe_whole(ColjStore *store, const ColjStripeEntry *entry, MemoryContext context)
{
	Whole	   *whole = MemoryContextAllocZero(context, sizeof(Whole));
	uint8	   *data = MemoryContextAllocHuge(context, entry->size);
	const char *problem = NULL;
	ColjStatus	status;

	colj_pieces_read(store, RelationGetRelid(store->table), entry, 0, colj_pieces_count(entry->size) - 1, data);
	whole->host = colj_context_host(context);
	whole->window = (ColjStripeWindow){.data = data, .size = entry->size};
	status = colj_stripe_open(&whole->host, &whole->window, &whole->stripe, &problem);
	if (status == COLJ_OK)
	{
		whole->callback.func = close_stripe;
		whole->callback.arg = whole;
		MemoryContextRegisterResetCallback(context, &whole->callback);
		if (colj_stripe_rows(whole->stripe) != entry->rows)
			colj_stripe_damaged(RelationGetRelid(store->table), entry, "It has another number of rows than the directory says.");
	}
	if (status == COLJ_CORRUPT)
		colj_stripe_damaged(RelationGetRelid(store->table), entry, problem);
	colj_ensure(status, NULL);
	return whole->stripe;
}
