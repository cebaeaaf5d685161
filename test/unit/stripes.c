/*-------------------------------------------------------------------------
 *
 * stripes.c
 *	  What the tests of vectors and stripes share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "format/bytes.h"
#include "stripes.h"

#define HEADER_SIZE 9

#if defined(__SANITIZE_ADDRESS__)
#define POISONING
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONING
#endif
#endif

#ifdef POISONING
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#endif

static void *
purse_resize(void *arg, void *old, size_t size)
{
	Purse	   *purse = arg;
	size_t		had = old == NULL ? 0 : malloc_usable_size(old);

	if (size == 0)
	{
		purse->used -= had;
		free(old);
		return NULL;
	}
	if (++purse->calls == purse->fail_at ||
		(purse->limit > 0 && (size > purse->limit || purse->used - had > purse->limit - size)))
		return NULL;
	old = realloc(old, size);
	if (old == NULL)
		abort();
	purse->used += malloc_usable_size(old) - had;
	purse->most = purse->used > purse->most ? purse->used : purse->most;
	return old;
}

void
purse_open(Purse *purse)
{
	*purse = (Purse){.host = {purse_resize, NULL, NULL, purse}};
}

void
table_open(StripeTable *table, Heap *heap, const char *kinds, ColjCodec codec)
{
	*table = (StripeTable){.heap = heap, .ncolumns = (uint32_t) strlen(kinds)};
	for (uint32_t i = 0; i < table->ncolumns; i++)
	{
		table->specs[i] = (ColjColumnSpec){.kind = COLJ_COLUMN_DOCUMENT, .codec = codec};
		if (kinds[i] == 'i' || kinds[i] == 'b')
			table->specs[i].kind = kinds[i] == 'i' ? COLJ_COLUMN_INT : COLJ_COLUMN_BYTES;
	}
}

StripeCell *
table_add(StripeTable *table)
{
	if (table->rows == table->room)
	{
		uint32_t	room = table->room == 0 ? 64 : table->room * 2;
		StripeCell *cells = heap_lend(table->heap, room * table->ncolumns * sizeof(StripeCell));

		if (table->rows > 0)
			memcpy(cells, table->cells, table->rows * table->ncolumns * sizeof(StripeCell));
		table->cells = cells;
		table->room = room;
	}
	return &table->cells[table->rows++ * table->ncolumns];
}

void
table_add_json(StripeTable *table, const char *json)
{
	StripeCell *cell = table_add(table);

	cell->null = json == NULL;
	cell->model = json == NULL ? NULL : model_parse(table->heap, json);
	if (json == NULL)
		return;
	if (cell->model == NULL)
		abort();
	model_normalize(cell->model);
}

ColjStatus
table_try(const StripeTable *table, const ColjHost *host, const ColjStripeOptions *options,
		  uint8_t *bytes, size_t *size)
{
	ColjStripeWriter *writer = colj_stripe_writer_create(host, options, table->specs, table->ncolumns);
	ColjStatus	status = writer == NULL ? COLJ_NO_MEMORY : COLJ_OK;
	const uint8_t *out = NULL;
	size_t		room = *size;

	for (uint32_t row = 0; row < table->rows && status == COLJ_OK; row++)
	{
		ColjCell	cells[4];
		ColjDoc		docs[4];

		for (uint32_t i = 0; i < table->ncolumns; i++)
		{
			const StripeCell *cell = &table->cells[row * table->ncolumns + i];
			uint32_t	len = 0;
			const uint8_t *doc = NULL;

			if (!cell->null && table->specs[i].kind == COLJ_COLUMN_DOCUMENT)
			{
				doc = model_write(table->heap, cell->model, 32, &len);
				if (colj_open_bytes(&docs[i], doc, len) != COLJ_OK)
					abort();
			}
			cells[i] = (ColjCell){.null = cell->null, .integer = cell->integer, .doc = &docs[i]};
			if (!cell->null && table->specs[i].kind == COLJ_COLUMN_BYTES)
			{
				cells[i].bytes = cell->model->bytes;
				cells[i].len = cell->model->len;
			}
		}
		status = colj_stripe_writer_add(writer, cells);
	}
	if (status == COLJ_OK)
		status = colj_stripe_writer_finish(writer, &out, size);
	if (status == COLJ_OK && bytes != NULL && *size <= room)
		memcpy(bytes, out, *size);
	if (writer != NULL)
		colj_stripe_writer_free(writer);
	return status;
}

uint8_t *
table_write(const StripeTable *table, const ColjStripeOptions *options, size_t *size)
{
	size_t		room = (size_t) 64 << 20;
	uint8_t    *big = malloc(room);
	uint8_t    *exact;

	*size = room;
	if (table_try(table, &table->heap->host, options, big, size) != COLJ_OK || *size > room)
		abort();
	exact = heap_lend(table->heap, *size);
	memcpy(exact, big, *size);
	free(big);
	return exact;
}

uint8_t *
stripe_unpacked(Heap *heap, const uint8_t *bytes, size_t *size)
{
	uint32_t	raw = colj_load(bytes + 1, 4);
	uint32_t	stored = colj_load(bytes + 5, 4);
	uint8_t    *out = heap_lend(heap, *size + raw - stored);

	memcpy(out, bytes, HEADER_SIZE);
	colj_store(out + 5, 4, raw);
	if (raw == stored)
		memcpy(out + HEADER_SIZE, bytes + HEADER_SIZE, raw);
	else if (ZSTD_decompress(out + HEADER_SIZE, raw, bytes + HEADER_SIZE, stored) != raw)
		abort();
	memcpy(out + HEADER_SIZE + raw, bytes + HEADER_SIZE + stored, *size - HEADER_SIZE - stored);
	*size += raw - stored;
	return out;
}

static bool
view_fetch(ColjStripeWindow *window, size_t off, size_t len)
{
	StripeView *view = window->fetch_arg;

	if (off > window->size || len > window->size - off)
		view->outside = true;
	if (++view->calls == view->fail_at || view->outside)
		return false;
	for (size_t i = off / STRIPE_CHUNK; len > 0 && i <= (off + len - 1) / STRIPE_CHUNK; i++)
	{
		size_t		start = i * STRIPE_CHUNK;
		size_t		n = window->size - start < STRIPE_CHUNK ? window->size - start : STRIPE_CHUNK;

		if (view->have[i])
			continue;
		ASAN_UNPOISON_MEMORY_REGION(view->memory + start, n);
		memcpy(view->memory + start, view->whole + start, n);
		view->have[i] = 1;
		view->fetched += n;
	}
	return true;
}

void
view_open(StripeView *view, const uint8_t *whole, size_t size)
{
	*view = (StripeView){.whole = whole};
	view->memory = malloc(size + 1);
	view->have = calloc(size / STRIPE_CHUNK + 1, 1);
	if (view->memory == NULL || view->have == NULL)
		abort();
	memset(view->memory, 0xEE, size + 1);
	ASAN_POISON_MEMORY_REGION(view->memory, size + 1);
	view->window = (ColjStripeWindow){view->memory, size, view_fetch, view};
}

void
view_close(StripeView *view)
{
	ASAN_UNPOISON_MEMORY_REGION(view->memory, view->window.size + 1);
	free(view->memory);
	free(view->have);
}
