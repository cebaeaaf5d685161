/*-------------------------------------------------------------------------
 *
 * batch.h
 *	  Rows of a table on their way into a stripe.
 *
 * Compaction and bulk loads fill one stripe after the other:
 *
 *		colj_batch_create
 *			colj_batch_begin, colj_batch_add ..., colj_batch_finish, colj_batch_end
 *			...
 *		colj_batch_free
 *
 * A stripe ends when colj_batch_full says so.  All memory goes with the context
 * given to colj_batch_create, zstd's too: an error needs no clean-up.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_BATCH_H
#define COLJ_BATCH_H

#include "store/store.h"

/* Raw bytes of the rows of a stripe, about. */
#define COLJ_STRIPE_BYTES ((Size) 32 * 1024 * 1024)

typedef struct ColjBatch
{
	MemoryContext context;		/* of the batch */
	MemoryContext stripe_context;	/* of the stripe; reset when it ends */
	MemoryContext row_context;	/* of the row that is being added */
	ColjHost	host;
	ColjColumnSpec *specs;
	ColjCell   *cells;
	ColjDoc    *docs;
	ColjStripeWriter *writer;	/* NULL between stripes */
	MemoryContextCallback callback;
} ColjBatch;

/* desc is the table's, here and below. */
extern ColjBatch *colj_batch_create(TupleDesc desc, MemoryContext parent);
extern void colj_batch_free(ColjBatch *batch);

extern void colj_batch_begin(ColjBatch *batch, TupleDesc desc);
extern void colj_batch_add(ColjBatch *batch, TupleDesc desc, const Datum *values, const bool *isnull);

/* Rows, and about how many raw bytes; 0 between stripes. */
extern uint32 colj_batch_rows(const ColjBatch *batch);
extern Size colj_batch_bytes(const ColjBatch *batch);

/* As many rows or bytes as a stripe may have? */
extern bool colj_batch_full(const ColjBatch *batch);

/* The stripe's bytes, valid until it is ended. */
extern void colj_batch_finish(ColjBatch *batch, const uint8_t **bytes, size_t *size);
extern void colj_batch_end(ColjBatch *batch);

#endif							/* COLJ_BATCH_H */
