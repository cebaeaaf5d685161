/*-------------------------------------------------------------------------
 *
 * stripes_verify.c
 *	  Everything that must hold of a stripe of known rows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "stripe/reading.h"
#include "stripes.h"
#include "tap.h"

/* A stripe that is being compared with its table. */
typedef struct Reading
{
	const StripeTable *table;
	ColjStripe *stripe;
	ColjBuilder b;
} Reading;

static const StripeCell *
cell_of(const Reading *r, uint32_t column, uint32_t row)
{
	return &r->table->cells[row * r->table->ncolumns + column];
}

/* The part of a model under a key; NULL for none. */
static const Model *
model_member(const Model *model, const char *key, uint32_t len)
{
	if (model == NULL || model->kind != COLJ_OBJECT)
		return NULL;
	for (uint32_t i = 0; i < model->n; i++)
		if (model->key[i].len == len && memcmp(model->key[i].bytes, key, len) == 0)
			return model->child[i];
	return NULL;
}

/* The part of a document at a path. */
static const Model *
model_at(const ColjStripe *stripe, uint32_t path, const Model *document)
{
	const ColjPathInfo *info = colj_stripe_path(stripe, path);

	if (info->parent == COLJ_NO_PATH)
		return document;
	return model_member(model_at(stripe, info->parent, document), info->key, info->key_len);
}

static void
verify_text(Heap *heap, const uint8_t *bytes, uint32_t size, const Model *model)
{
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 30, .bignum = heap_print_bignum, .data = NULL};
	const char *expected = model_print(heap, model);
	ColjDoc		doc;

	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	text.host = &heap->host;
	if (CHECK_EQ(colj_print(&text, &doc, &doc.root), COLJ_OK))
		CHECK_BYTES(text.data, text.len, expected, strlen(expected));
	if (text.data != NULL)
		heap->host.resize(heap->host.arg, text.data, 0);
}

/* What is printed at a path is the text of the part. */
static void
verify_print(Reading *r, uint32_t path, uint32_t row, const Model *part)
{
	Heap		heap;
	ColjText	text;
	const char *expected;

	heap_open(&heap);
	text = (ColjText){.host = &heap.host, .max = (size_t) 1 << 30, .bignum = heap_print_bignum};
	expected = model_print(&heap, part);
	if (CHECK_EQ(colj_stripe_print(r->stripe, path, row, &text), COLJ_OK))
		CHECK_BYTES(text.data, text.len, expected, strlen(expected));
	if (text.data != NULL)
		heap.host.resize(heap.host.arg, text.data, 0);
	CHECK_EQ(heap_close(&heap), 0);
}

/* What is put together at a path has the bytes, and the text, of the part. */
static void
verify_part(Reading *r, uint32_t path, uint32_t row, const Model *part)
{
	Heap		heap;
	uint32_t	size;
	uint32_t	expected_size;
	uint8_t    *bytes;
	const uint8_t *expected;
	ColjStatus	status;

	colj_builder_reset(&r->b);
	status = colj_stripe_assemble(r->stripe, path, row, &r->b);
	if (part == NULL)
	{
		CHECK_EQ(status, COLJ_ABSENT);
		return;
	}
	if (!CHECK_EQ(status, COLJ_OK) || !CHECK_EQ(colj_builder_finish(&r->b, 32, &size), COLJ_OK))
		return;
	heap_open(&heap);
	bytes = heap_lend(&heap, size);
	colj_builder_write(&r->b, bytes);
	expected = model_write(&heap, part, 32, &expected_size);
	CHECK_BYTES(bytes, size, expected, expected_size);
	if (colj_stripe_path(r->stripe, path)->parent == COLJ_NO_PATH && row % 16 == 0)
		verify_text(&heap, bytes, size, part);
	CHECK_EQ(heap_close(&heap), 0);
	if (row % 16 == 0)
		verify_print(r, path, row, part);
}

static void
verify_scalar(Reading *r, uint32_t path, uint32_t row, const Model *part)
{
	const ColjPathInfo *info = colj_stripe_path(r->stripe, path);
	ColjValue	value;
	const char *bytes;
	ColjStatus	status = colj_stripe_scalar(r->stripe, path, row, &value, &bytes);

	if (part == NULL)
	{
		CHECK_EQ(status, COLJ_ABSENT);
		return;
	}
	if (status == COLJ_UNUSUAL)
	{
		/* a column of scalars leaves only what is not of its type */
		CHECK(info->type == COLJ_PATH_OBJECT || info->type == COLJ_PATH_DOCUMENT || !info->complete);
		return;
	}
	CHECK_EQ(status, COLJ_OK);
	CHECK_EQ(value.kind, part->kind);
	if (part->kind == COLJ_STRING)
		CHECK_BYTES(bytes, value.len, part->bytes, part->len);
	else if (part->kind != COLJ_NULL)
	{
		CHECK_EQ(value.integer, part->integer);
		CHECK_EQ(value.scale, part->scale);
	}
}

static int
compare_bytes(const char *a, uint32_t alen, const char *b, uint32_t blen)
{
	int			order = memcmp(a, b, alen < blen ? alen : blen);

	return order != 0 ? order : (alen > blen) - (alen < blen);
}

/* A value of the column's type is within the zone. */
static void
verify_in_zone(const ColjZone *zone, ColjPathType type, const Model *part)
{
	if (!zone->bounded || part == NULL)
		return;
	if (type == COLJ_PATH_STRING && part->kind == COLJ_STRING)
	{
		CHECK(compare_bytes(part->bytes, part->len, zone->min_bytes, zone->min_len) >= 0);
		if (zone->max_bytes != NULL)
			CHECK(compare_bytes(part->bytes, part->len, zone->max_bytes, zone->max_len) <= 0);
	}
	if ((type == COLJ_PATH_INT && part->kind == COLJ_INT) || (type == COLJ_PATH_BOOL && part->kind == COLJ_BOOL) ||
		(type == COLJ_PATH_DECIMAL && (part->kind == COLJ_DECIMAL || part->kind == COLJ_INT)))
	{
		CHECK(part->integer >= zone->min_int && part->integer <= zone->max_int);
		CHECK_EQ(part->scale, zone->scale);
	}
}

/* The residual of a row as a model; NULL for none. */
static Model *
residual_of(Reading *r, Heap *heap, uint32_t column, uint32_t row)
{
	uint32_t	path = r->stripe->directory.residuals[column];
	const ColjPathVector *vector;
	const char *bytes;
	uint32_t	len;
	uint32_t	i;
	ColjDoc		doc;

	if (colj_stripe_row(r->stripe, path, row, &vector, &i) != COLJ_OK || vector->presence[i] != COLJ_IS_VALUE)
		return NULL;
	colj_vector_bytes(vector, i, &bytes, &len);
	if (!CHECK_EQ(colj_open_bytes(&doc, bytes, len), COLJ_OK))
		return NULL;
	return model_read(heap, &doc, &doc.root);
}

static void
verify_path_row(Reading *r, uint32_t path, uint32_t row, const Model *document, const Model *residual)
{
	const ColjPathInfo *info = colj_stripe_path(r->stripe, path);
	const Model *part = model_at(r->stripe, path, document);
	ColjZone	zone;

	tap_context("row %" PRIu32 ", path %" PRIu32, row, path);
	verify_part(r, path, row, part);
	verify_scalar(r, path, row, part);
	CHECK_EQ(colj_stripe_zone(r->stripe, path, row / colj_stripe_vector_rows(r->stripe), &zone), COLJ_OK);
	verify_in_zone(&zone, info->type, part);
	CHECK_EQ(colj_stripe_zone(r->stripe, path, COLJ_NO_PATH, &zone), COLJ_OK);
	verify_in_zone(&zone, info->type, part);
	if (info->complete)
		CHECK(residual == NULL || model_at(r->stripe, path, residual) == NULL);
	if (info->parent != COLJ_NO_PATH)
		CHECK_EQ(colj_stripe_find(r->stripe, info->parent, info->key, info->key_len), path);
}

static void
verify_document(Reading *r, uint32_t column, uint32_t row)
{
	const StripeCell *cell = cell_of(r, column, row);
	Heap		heap;
	Model	   *residual;

	heap_open(&heap);
	residual = residual_of(r, &heap, column, row);
	for (uint32_t path = 0; path < colj_stripe_paths(r->stripe); path++)
		if (colj_stripe_path(r->stripe, path)->column == column && !r->stripe->directory.paths[path].residual)
			verify_path_row(r, path, row, cell->null ? NULL : cell->model, residual);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
verify_cell(Reading *r, uint32_t column, uint32_t row)
{
	const StripeCell *cell = cell_of(r, column, row);
	ColjCell	got;
	ColjZone	zone;

	if (!CHECK_EQ(colj_stripe_cell(r->stripe, column, row, &got), COLJ_OK) || !CHECK_EQ(got.null, cell->null) || cell->null)
		return;
	CHECK_EQ(colj_stripe_zone(r->stripe, colj_stripe_root(r->stripe, column),
							  row / colj_stripe_vector_rows(r->stripe), &zone), COLJ_OK);
	if (r->table->specs[column].kind == COLJ_COLUMN_INT)
	{
		CHECK_EQ(got.integer, cell->integer);
		CHECK(zone.bounded && zone.min_int <= got.integer && zone.max_int >= got.integer);
		return;
	}
	CHECK_BYTES(got.bytes, got.len, cell->model->bytes, cell->model->len);
	verify_in_zone(&zone, COLJ_PATH_STRING, cell->model);
}

static void
verify_rows(Reading *r)
{
	for (uint32_t row = 0; row < r->table->rows; row++)
		for (uint32_t column = 0; column < r->table->ncolumns; column++)
		{
			if (r->table->specs[column].kind == COLJ_COLUMN_DOCUMENT)
				verify_document(r, column, row);
			else
				verify_cell(r, column, row);
		}
}

static bool
same_entry(const ColjPathVector *vector, ColjPathType type, uint32_t a, uint32_t b)
{
	const char *a_bytes;
	const char *b_bytes;
	uint32_t	a_len;
	uint32_t	b_len;

	if (vector->presence[a] != vector->presence[b] || vector->presence[a] != COLJ_IS_VALUE)
		return vector->presence[a] == vector->presence[b];
	if (type != COLJ_PATH_STRING && type != COLJ_PATH_DOCUMENT)
		return vector->ints[a] == vector->ints[b] && vector->scales[a] == vector->scales[b];
	colj_vector_bytes(vector, a, &a_bytes, &a_len);
	colj_vector_bytes(vector, b, &b_bytes, &b_len);
	return a_len == b_len && memcmp(a_bytes, b_bytes, a_len) == 0;
}

static uint32_t
count_distinct(const ColjPathVector *vector, ColjPathType type)
{
	uint32_t	n = 0;

	for (uint32_t i = 0; i < vector->n; i++)
	{
		uint32_t	j = 0;

		while (j < i && !same_entry(vector, type, j, i))
			j++;
		n += j == i;
	}
	return n;
}

/* Rows have the same code if, and only if, they have the same. */
static void
verify_codes(Reading *r, uint32_t path, uint32_t v)
{
	ColjPathType type = colj_stripe_path(r->stripe, path)->type;
	const ColjPathVector *vector;
	uint32_t	first[COLJ_CODES_MAX];
	uint32_t	n = 0;
	ColjCodes	codes;

	CHECK_EQ(colj_stripe_codes(r->stripe, path, v, &codes), COLJ_OK);
	CHECK_EQ(colj_stripe_vector(r->stripe, path, v, &vector), COLJ_OK);
	for (uint32_t i = 0; i < vector->n && codes.n > 0; i++)
	{
		uint16_t	code = codes.codes[i];

		CHECK_EQ(code == COLJ_NO_CODE, vector->presence[i] == COLJ_IS_ELSEWHERE);
		CHECK_EQ(code != COLJ_NO_CODE && code == codes.absent, vector->presence[i] == COLJ_IS_ABSENT);
		if (code == COLJ_NO_CODE || (code < n && CHECK(same_entry(vector, type, first[code], i))))
			continue;
		CHECK_EQ(code, n);
		for (uint32_t j = 0; j < n && j < 100; j++)
			CHECK(!same_entry(vector, type, first[j], i));
		first[n++] = i;
	}
	CHECK_EQ(codes.n, n);
	if (codes.n == 0 && type != COLJ_PATH_OBJECT && vector->n <= 64)
		CHECK(count_distinct(vector, type) > vector->n / 2 + 1 ||
			  colj_stripe_counts(r->stripe, path, v)[COLJ_IS_ELSEWHERE] == vector->n);
}

/* What the directory says adds up. */
static void
verify_facts(Reading *r, size_t size)
{
	uint64_t	stored = 0;

	CHECK_EQ(colj_stripe_rows(r->stripe), r->table->rows);
	CHECK_EQ(colj_stripe_columns(r->stripe), r->table->ncolumns);
	for (uint32_t path = 0; path < colj_stripe_paths(r->stripe); path++)
	{
		const ColjPathInfo *info = colj_stripe_path(r->stripe, path);

		CHECK_EQ(info->counts[0] + info->counts[1] + info->counts[2] + info->counts[3], r->table->rows);
		stored += info->stored_bytes;
		for (uint32_t v = 0; v < colj_stripe_vectors(r->stripe); v++)
			verify_codes(r, path, v);
	}
	CHECK_EQ(stored + r->stripe->directory.header_size, size);
}

void
table_verify(const StripeTable *table, const uint8_t *bytes, size_t size)
{
	Purse		purse;
	ColjStripeWindow window = {bytes, size, NULL, NULL};
	Reading		r = {.table = table};
	const char *problem;

	purse_open(&purse);
	if (!CHECK_EQ(colj_stripe_open(&purse.host, &window, &r.stripe, &problem), COLJ_OK))
		return;
	CHECK(problem == NULL);
	colj_builder_init(&r.b, &purse.host);
	if (!CHECK_EQ(colj_stripe_check(r.stripe), COLJ_OK))
		tap_fail(__FILE__, __LINE__, "%s", colj_stripe_problem(r.stripe));
	CHECK_EQ(colj_stripe_memory(r.stripe), 0);
	verify_facts(&r, size);
	verify_rows(&r);
	colj_stripe_forget(r.stripe);
	CHECK_EQ(colj_stripe_memory(r.stripe), 0);
	colj_builder_free(&r.b);
	colj_stripe_close(r.stripe);
	CHECK_EQ(purse.used, 0);
}

void
table_round_trip(const StripeTable *table, const ColjStripeOptions *options)
{
	size_t		size;
	uint8_t    *bytes = table_write(table, options, &size);

	table_verify(table, bytes, size);
}
