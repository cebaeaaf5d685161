/*-------------------------------------------------------------------------
 *
 * batch.c
 *	  Rows of a table on their way into a stripe.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "guc.h"
#include "store/batch.h"
#include "type/context_host.h"
#include "type/document.h"

ColjBatch *
colj_batch_create(TupleDesc desc, MemoryContext parent)
{
	MemoryContext context = AllocSetContextCreate(parent, "colj rows for stripes", ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	ColjBatch  *batch = palloc0(sizeof(ColjBatch));

	batch->context = context;
	batch->stripe_context = AllocSetContextCreate(context, "colj stripe being made", ALLOCSET_DEFAULT_SIZES);
	batch->row_context = AllocSetContextCreate(context, "colj row being added", ALLOCSET_DEFAULT_SIZES);
	batch->host = colj_context_host(batch->stripe_context);
	batch->specs = colj_column_specs(desc);
	batch->cells = palloc0((desc->natts + 1) * sizeof(ColjCell));
	batch->docs = palloc0((desc->natts + 1) * sizeof(ColjDoc));
	MemoryContextSwitchTo(old);
	return batch;
}

void
colj_batch_free(ColjBatch *batch)
{
	MemoryContextDelete(batch->context);
}

/* zstd's part of the writer is malloc's. */
static void
free_writer(void *arg)
{
	ColjBatch  *batch = arg;

	colj_stripe_writer_free(batch->writer);
	batch->writer = NULL;
}

void
colj_batch_begin(ColjBatch *batch, TupleDesc desc)
{
	ColjStripeOptions options = {.vector_rows = colj_vector_rows, .max_paths = colj_max_paths, .zstd_level = colj_zstd_level};

	batch->writer = colj_stripe_writer_create(&batch->host, &options, batch->specs, desc->natts);
	if (batch->writer == NULL)
		colj_raise(COLJ_NO_MEMORY, NULL);
	batch->callback.func = free_writer;
	batch->callback.arg = batch;
	MemoryContextRegisterResetCallback(batch->stripe_context, &batch->callback);
}

void
colj_batch_add(ColjBatch *batch, TupleDesc desc, const Datum *values, const bool *isnull)
{
	MemoryContext old = MemoryContextSwitchTo(batch->row_context);

	colj_cells_fill(desc, batch->specs, values, isnull, batch->docs, batch->cells);
	colj_ensure(colj_stripe_writer_add(batch->writer, batch->cells), NULL);
	MemoryContextSwitchTo(old);
	MemoryContextReset(batch->row_context);
}

uint32
colj_batch_rows(const ColjBatch *batch)
{
	return batch->writer == NULL ? 0 : colj_stripe_writer_rows(batch->writer);
}

Size
colj_batch_bytes(const ColjBatch *batch)
{
	return batch->writer == NULL ? 0 : colj_stripe_writer_bytes(batch->writer);
}

bool
colj_batch_full(const ColjBatch *batch)
{
	uint32		rows = colj_batch_rows(batch);

	return rows >= (uint32) colj_stripe_rows_limit ||
		(rows > 0 && colj_batch_bytes(batch) >= COLJ_STRIPE_BYTES);
}

void
colj_batch_finish(ColjBatch *batch, const uint8_t **bytes, size_t *size)
{
	colj_ensure(colj_stripe_writer_finish(batch->writer, bytes, size), NULL);
}

void
colj_batch_end(ColjBatch *batch)
{
	MemoryContextReset(batch->stripe_context);
}
