/*-------------------------------------------------------------------------
 *
 * test_shapes.c
 *	  Shape tables: there when smaller, readable, absent otherwise.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "verify.h"

/* rows objects with nkeys keys each; row i's values tell i. */
static Model *
table(Heap *heap, uint32_t rows, uint32_t nkeys, const char *prefix)
{
	Model	   *array = model_new(heap, COLJ_ARRAY);
	uint32_t	i;
	uint32_t	j;

	for (i = 0; i < rows; i++)
	{
		Model	   *row = model_new(heap, COLJ_OBJECT);

		for (j = 0; j < nkeys; j++)
		{
			char		key[40];

			sprintf(key, "%s%" PRIu32, prefix, j);
			model_put(heap, row, key, (uint32_t) strlen(key), model_int(heap, i * nkeys + j));
		}
		model_add(heap, array, row);
	}
	return array;
}

/* Verify a model and all its parts; returns the shapes in its document. */
static uint32_t
shapes_of(Heap *heap, Model *model, uint32_t stride, uint32_t *size)
{
	const uint8_t *bytes = verify_model(heap, model, stride, size);
	ColjDoc		doc;

	CHECK_EQ(colj_open_bytes(&doc, bytes, *size), COLJ_OK);
	CHECK_EQ(bytes[0], doc.nshapes > 0 ? 0x11 : 0x10);
	verify_parts(heap, &doc, &doc.root, model);
	return doc.nshapes;
}

static uint32_t
shapes_of_table(uint32_t rows, uint32_t nkeys, const char *prefix)
{
	Heap		heap;
	uint32_t	size;
	uint32_t	shapes;

	heap_open(&heap);
	tap_context("%" PRIu32 " rows of %" PRIu32 " keys", rows, nkeys);
	shapes = shapes_of(&heap, table(&heap, rows, nkeys, prefix), 32, &size);
	CHECK_EQ(heap_close(&heap), 0);
	return shapes;
}

static void
repeated_objects(void)
{
	CHECK_EQ(shapes_of_table(20, 5, "name"), 1);
	CHECK_EQ(shapes_of_table(2, 40, "a_long_key_"), 1);
	CHECK_EQ(shapes_of_table(300, 1, "k"), 1);
	CHECK_EQ(shapes_of_table(40, 40, "x"), 1);
}

/* Without repetition, or in a small document, a table would not pay. */
static void
no_repetition(void)
{
	CHECK_EQ(shapes_of_table(0, 0, ""), 0);
	CHECK_EQ(shapes_of_table(1, 50, "some_key_"), 0);
	CHECK_EQ(shapes_of_table(2, 2, "k"), 0);
	CHECK_EQ(shapes_of_table(500, 0, "k"), 0);
}

/* A table that saves some bytes, but little of a large document. */
static void
little_gain(void)
{
	static char text[2000];
	Heap		heap;
	Model	   *root;
	uint32_t	size;
	uint32_t	len;

	for (len = 100; len <= sizeof(text); len += 1900)
	{
		memset(text, 't', sizeof(text));
		heap_open(&heap);
		tap_context("beside a text of %" PRIu32 " bytes", len);
		root = table(&heap, 6, 3, "key_");
		model_add(&heap, root, model_string(&heap, text, len));
		CHECK_EQ(shapes_of(&heap, root, 32, &size), len == 100 ? 1 : 0);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* With a table the document is smaller than the same without one. */
static void
table_saves(void)
{
	Heap		heap;
	Model	   *rows;
	uint32_t	shared;
	uint32_t	separate = 0;
	uint32_t	i;

	heap_open(&heap);
	rows = table(&heap, 20, 6, "column_");
	CHECK_EQ(shapes_of(&heap, rows, 32, &shared), 1);
	for (i = 0; i < rows->n; i++)
	{
		uint32_t	size;

		CHECK_EQ(shapes_of(&heap, rows->child[i], 32, &size), 0);
		separate += size - 3;
	}
	CHECK(shared < separate / 2);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Several key lists, some of them used once, and objects within objects. */
static void
several_shapes(void)
{
	Heap		heap;
	Model	   *root;
	Model	   *rows[3];
	uint32_t	size;
	uint32_t	i;

	heap_open(&heap);
	root = model_new(&heap, COLJ_OBJECT);
	rows[0] = table(&heap, 12, 7, "first_");
	rows[1] = table(&heap, 9, 3, "second_");
	rows[2] = table(&heap, 5, 20, "");
	for (i = 0; i < 9; i++)
	{
		model_put(&heap, rows[0]->child[i], "child", 5, rows[1]->child[i]);
		model_put(&heap, rows[1]->child[i], "list", 4, rows[2]->child[i % 5]);
	}
	model_put(&heap, root, "rows", 4, rows[0]);
	model_put(&heap, root, "once", 4, table(&heap, 1, 9, "lonely_"));
	/* rows with and without the child: two shapes; and one for each table */
	CHECK_EQ(shapes_of(&heap, root, 2, &size), 4);
	CHECK_EQ(heap_close(&heap), 0);
}

/* More shapes than one byte can number, and a table of more than 255 bytes. */
static void
many_shapes(void)
{
	Heap		heap;
	Model	   *root;
	uint32_t	size;
	uint32_t	i;
	uint32_t	shapes;

	heap_open(&heap);
	root = model_new(&heap, COLJ_ARRAY);
	for (i = 0; i < 600; i++)
	{
		char		prefix[20];

		sprintf(prefix, "key_%" PRIu32 "_", i % 200);
		model_add(&heap, root, table(&heap, 1, 6, prefix)->child[0]);
	}
	shapes = shapes_of(&heap, root, 32, &size);
	CHECK_EQ(shapes, 200);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Keys that were overwritten leave no trace in the table. */
static void
overwritten_objects(void)
{
	Heap		heap;
	Model	   *root;
	uint32_t	size;

	heap_open(&heap);
	root = model_new(&heap, COLJ_OBJECT);
	model_put(&heap, root, "rows", 4, table(&heap, 20, 5, "gone_"));
	model_put(&heap, root, "rest", 4, table(&heap, 10, 5, "stays_"));
	model_put(&heap, root, "rows", 4, model_new(&heap, COLJ_NULL));
	CHECK_EQ(shapes_of(&heap, root, 32, &size), 1);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A key list that names two objects' keys in another order is the same list. */
static void
order_of_pushing(void)
{
	Heap		heap;
	Model	   *root;
	uint32_t	size;
	uint32_t	i;

	heap_open(&heap);
	root = table(&heap, 20, 2, "column_");
	for (i = 0; i < root->n; i += 2)
	{
		Model	   *row = root->child[i];
		ColjKey		key = row->key[0];
		Model	   *child = row->child[0];

		row->key[0] = row->key[1];
		row->child[0] = row->child[1];
		row->key[1] = key;
		row->child[1] = child;
	}
	CHECK_EQ(shapes_of(&heap, root, 32, &size), 1);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("shapes: objects with the same keys share a key list", repeated_objects);
	tap_case("shapes: no table where it would not pay", no_repetition);
	tap_case("shapes: no table for a little gain", little_gain);
	tap_case("shapes: a table makes the document smaller", table_saves);
	tap_case("shapes: several, nested", several_shapes);
	tap_case("shapes: two hundred", many_shapes);
	tap_case("shapes: overwritten objects leave no trace", overwritten_objects);
	tap_case("shapes: keys pushed in any order", order_of_pushing);
	return tap_done();
}
