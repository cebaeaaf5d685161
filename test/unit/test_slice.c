/*-------------------------------------------------------------------------
 *
 * test_slice.c
 *	  Parts of documents as documents: taken as they are, or rebuilt.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "format/slice.h"
#include "tap.h"
#include "verify.h"

static const char document[] =
"{\"a\": [1, 2, {\"b\": \"a string that is longer than thirty bytes\", \"c\": null}],"
" \"d\": {\"e\": {\"f\": [1000, 1001, 1002]}, \"g\": \"\"},"
" \"h\": [true, 1.50, -7, 123456789012345678901234567890, \"short\", 28, 29, 0.0],"
" \"i\": {}, \"j\": [], \"k\": [[], [\"x\"]]}";

static void
every_part(void)
{
	static const uint32_t strides[] = {1, 2, 32, 256};
	size_t		i;

	for (i = 0; i < 4; i++)
	{
		Heap		heap;
		Model	   *model;
		ColjDoc		doc;
		uint32_t	size;
		const uint8_t *bytes;

		heap_open(&heap);
		tap_context("stride %" PRIu32, strides[i]);
		model = model_parse(&heap, document);
		bytes = verify_model(&heap, model, strides[i], &size);
		CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
		CHECK_EQ(doc.nshapes, 0);
		verify_parts(&heap, &doc, &doc.root, model);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* A slice of the root is the document; a slice and a copy are the same. */
static void
slice_equals_copy(void)
{
	Heap		heap;
	ColjDoc		doc;
	ColjValue	part;
	ColjSlice	taken;
	uint32_t	size;
	const uint8_t *bytes;
	uint8_t    *slice;
	uint8_t    *copy;
	uint32_t	i;

	heap_open(&heap);
	bytes = verify_model(&heap, model_parse(&heap, document), 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(colj_slice_size(&taken, &doc, &doc.root), COLJ_OK);
	slice = heap_lend(&heap, taken.size);
	CHECK_EQ(colj_slice_write(&taken, slice), COLJ_OK);
	CHECK_BYTES(slice, taken.size, bytes, size);
	for (i = 0; colj_get_index(&doc, &doc.root, i, &part) == COLJ_OK; i++)
	{
		CHECK_EQ(colj_slice_size(&taken, &doc, &part), COLJ_OK);
		slice = heap_lend(&heap, taken.size);
		CHECK_EQ(colj_slice_write(&taken, slice), COLJ_OK);
		copy = verify_copy(&heap, &doc, &part, 32, &size);
		CHECK_BYTES(slice, taken.size, copy, size);
	}
	CHECK_EQ(i, 6);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A padded integer is written in its shortest form when it stands alone. */
static void
padded_integer(void)
{
	Heap		heap;
	ColjDoc		doc;
	ColjValue	part;
	ColjSlice	taken;
	uint8_t		slice[8];

	heap_open(&heap);
	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F\xA0\x05\x43\x01\x00\x00\xFF\xFF\xFF", 11), COLJ_OK);
	CHECK_EQ(colj_check_document(&doc, &heap.host), COLJ_OK);
	CHECK_EQ(colj_get_index(&doc, &doc.root, 0, &part), COLJ_OK);
	CHECK_EQ(colj_slice_size(&taken, &doc, &part), COLJ_OK);
	CHECK_EQ(colj_slice_write(&taken, slice), COLJ_OK);
	CHECK_BYTES(slice, taken.size, "\x10\x1F\x04", 3);
	CHECK_EQ(colj_get_index(&doc, &doc.root, 1, &part), COLJ_OK);
	CHECK_EQ(colj_slice_size(&taken, &doc, &part), COLJ_OK);
	CHECK_EQ(colj_slice_write(&taken, slice), COLJ_OK);
	CHECK_BYTES(slice, taken.size, "\x10\x1F\x40\xFF", 4);
	CHECK_EQ(heap_close(&heap), 0);
}

/* One document out of parts of two, at another stride. */
static void
parts_of_two(void)
{
	Heap		heap;
	ColjDoc		one;
	ColjDoc		two;
	ColjValue	part;
	ColjBuilder b;
	Model	   *expected;
	uint32_t	size;
	const uint8_t *bytes;
	uint8_t    *out;

	heap_open(&heap);
	bytes = verify_model(&heap, model_parse(&heap, document), 1, &size);
	CHECK_EQ(colj_open_bytes(&one, bytes, size), COLJ_OK);
	bytes = verify_model(&heap, model_parse(&heap, "[{\"x\": 1}, \"other\"]"), 256, &size);
	CHECK_EQ(colj_open_bytes(&two, bytes, size), COLJ_OK);
	colj_builder_init(&b, &heap.host);
	colj_builder_begin_object(&b);
	CHECK_EQ(colj_get_key(&one, &one.root, "d", 1, &part), COLJ_OK);
	colj_builder_key(&b, "from one", 8);
	CHECK_EQ(colj_builder_copy(&b, &one, &part), COLJ_OK);
	colj_builder_key(&b, "from two", 8);
	CHECK_EQ(colj_builder_copy(&b, &two, &two.root), COLJ_OK);
	colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, 3, &size), COLJ_OK);
	out = heap_lend(&heap, size);
	colj_builder_write(&b, out);
	colj_builder_free(&b);
	expected = model_parse(&heap, "{\"from one\": {\"g\": \"\", \"e\": {\"f\": [1000, 1001, 1002]}},"
						   " \"from two\": [{\"x\": 1}, \"other\"]}");
	model_normalize(expected);
	verify_bytes(&heap, out, size, expected);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A document with all children of another, one replaced, and one more. */
static void
verify_edit(Heap *heap, const char *json, uint32_t stride, uint32_t new_stride)
{
	Model	   *model = model_parse(heap, json);
	Model	   *text = model_string(heap, "put in its place", 16);
	ColjDoc		doc;
	ColjBuilder b;
	ColjValue	part;
	uint32_t	size;
	uint32_t	i;
	const uint8_t *bytes = verify_model(heap, model, stride, &size);
	uint8_t    *out;

	tap_context("%.40s from stride %" PRIu32 " to %" PRIu32, json, stride, new_stride);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	colj_builder_init(&b, &heap->host);
	colj_builder_begin_object(&b);
	for (i = 0; i < model->n; i++)
	{
		colj_builder_key(&b, model->key[i].bytes, model->key[i].len);
		CHECK_EQ(colj_get_index(&doc, &doc.root, i, &part), COLJ_OK);
		if (i == 1)
			colj_builder_string(&b, text->bytes, text->len);
		else
			CHECK_EQ(colj_builder_part(&b, &doc, &part, new_stride), COLJ_OK);
	}
	colj_builder_key(&b, "whole", 5);
	CHECK_EQ(colj_builder_part(&b, &doc, &doc.root, new_stride), COLJ_OK);
	colj_builder_key(&b, "rebuilt", 7);
	CHECK_EQ(colj_builder_copy(&b, &doc, &doc.root), COLJ_OK);
	colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, new_stride, &size), COLJ_OK);
	out = heap_lend(heap, size);
	colj_builder_write(&b, out);
	colj_builder_free(&b);
	model = model_parse(heap, json);
	model_normalize(model);
	model->child[1] = text;
	model_put(heap, model, "whole", 5, model_parse(heap, json));
	model_put(heap, model, "rebuilt", 7, model_parse(heap, json));
	model_normalize(model);
	verify_bytes(heap, out, size, model);
}

static void
edited(void)
{
	static const char rows[] = "{\"rows\": [{\"name\": \"x\", \"number\": 1}, {\"name\": \"y\", \"number\": 2},"
	" {\"name\": \"z\", \"number\": 3}, {\"name\": \"x\", \"number\": 4}], \"one\": {}, \"other\":"
	" {\"name\": \"a name that is longer than thirty\", \"number\": 5}, \"list\": [[], {}, [7]]}";
	Heap		heap;

	heap_open(&heap);
	verify_edit(&heap, document, 32, 32);
	verify_edit(&heap, document, 1, 1);
	verify_edit(&heap, document, 1, 2);
	verify_edit(&heap, rows, 32, 32);
	verify_edit(&heap, rows, 32, 1);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A container alone, taken as it is, is the document that it was. */
static void
part_as_root(void)
{
	Heap		heap;
	ColjDoc		doc;
	ColjBuilder b;
	uint32_t	size;
	uint32_t	part_size;
	const uint8_t *bytes;
	uint8_t    *out;

	heap_open(&heap);
	bytes = verify_model(&heap, model_parse(&heap, document), 7, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	colj_builder_init(&b, &heap.host);
	CHECK_EQ(colj_builder_part(&b, &doc, &doc.root, 7), COLJ_OK);
	CHECK_EQ(colj_builder_finish(&b, 7, &part_size), COLJ_OK);
	out = heap_lend(&heap, part_size);
	colj_builder_write(&b, out);
	colj_builder_free(&b);
	CHECK_BYTES(out, part_size, bytes, size);
	CHECK_EQ(heap_close(&heap), 0);
}

/*
 * A part takes the shapes that it uses along; those before them become empty.
 * What it has is in the text that the part was made from.
 */
static void
verify_taken(Heap *heap, ColjDoc *doc, uint32_t i, const char *json, uint32_t nshapes)
{
	ColjValue	part;
	ColjSlice	taken;
	ColjDoc		read;
	Model	   *model = model_parse(heap, json);
	uint8_t    *bytes;

	tap_context("%s", json);
	CHECK_EQ(colj_get_index(doc, &doc->root, i, &part), COLJ_OK);
	if (!CHECK_EQ(colj_slice_size(&taken, doc, &part), COLJ_OK))
		return;
	bytes = heap_lend(heap, taken.size);
	CHECK_EQ(colj_slice_write(&taken, bytes), COLJ_OK);
	model_normalize(model);
	verify_bytes(heap, bytes, taken.size, model);
	CHECK_EQ(colj_open_bytes(&read, bytes, taken.size), COLJ_OK);
	CHECK_EQ(read.nshapes, nshapes);
	CHECK(taken.size < doc->size);
}

static const char two_shapes[] =
"[{\"first\": 1, \"second\": 2}, {\"first\": 3, \"second\": 4}, {\"first\": 5, \"second\": [6]},"
" {\"third\": 1, \"fourth\": 2}, {\"third\": 3, \"fourth\": 4}, {\"third\": [{\"x\": 5}, \"1234567890\", 7, 8, 9], \"fourth\": [{\"first\": 7, \"second\": [\"a string of some length\"]}]},"
" [1, 2, 3, \"no shapes\"]]";

static void
shapes_taken_along(void)
{
	Heap		heap;
	ColjDoc		doc;
	ColjValue	part;
	ColjSlice	taken;
	uint32_t	size;
	const uint8_t *bytes;
	uint8_t    *out;

	heap_open(&heap);
	bytes = verify_model(&heap, model_parse(&heap, two_shapes), 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(doc.nshapes, 2);
	verify_taken(&heap, &doc, 0, "{\"first\": 1, \"second\": 2}", 1);
	verify_taken(&heap, &doc, 4, "{\"third\": 3, \"fourth\": 4}", 2);
	verify_taken(&heap, &doc, 5, "{\"third\": [{\"x\": 5}, \"1234567890\", 7, 8, 9],"
				 " \"fourth\": [{\"first\": 7, \"second\": [\"a string of some length\"]}]}", 2);
	verify_taken(&heap, &doc, 6, "[1, 2, 3, \"no shapes\"]", 0);
	/* the second shape with its number, after an empty first one */
	CHECK_EQ(colj_get_index(&doc, &doc.root, 4, &part), COLJ_OK);
	CHECK_EQ(colj_slice_size(&taken, &doc, &part), COLJ_OK);
	out = heap_lend(&heap, taken.size);
	CHECK_EQ(colj_slice_write(&taken, out), COLJ_OK);
	CHECK_BYTES(out, taken.size,
				"\x11\x1F\x02\x0F\x01\x0F\x00\x02\x51\x11thirdfourth\xE0\x01\x06\x07", 25);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Nested deeper than is looked into. */
static void
shapes_left_to_builder(void)
{
	Heap		heap;
	Model	   *model;
	Model	   *inner;
	ColjDoc		doc;
	ColjValue	part;
	ColjSlice	taken;
	uint32_t	size;
	const uint8_t *bytes;

	heap_open(&heap);
	model = model_parse(&heap, "[{\"one long key\": 1}, {\"one long key\": 2}, {\"one long key\": 3},"
						" {\"one long key\": 4}, {\"a key\": 1}, {\"a key\": 2}, {\"a key\": 3}]");
	inner = model_parse(&heap, "[[[[[[[[[[[[[[[[[[{\"a key\": 4}]]]]]]]]]]]]]]]]]]");
	model->child[6] = inner;
	bytes = verify_model(&heap, model, 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(doc.nshapes, 2);
	CHECK_EQ(colj_get_index(&doc, &doc.root, 6, &part), COLJ_OK);
	CHECK_EQ(colj_slice_size(&taken, &doc, &part), COLJ_ABSENT);
	verify_parts(&heap, &doc, &doc.root, model);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("slice: every part of a document", every_part);
	tap_case("slice: shapes that are used go along", shapes_taken_along);
	tap_case("slice: what is left to the builder", shapes_left_to_builder);
	tap_case("slice: as it is or rebuilt, the same bytes", slice_equals_copy);
	tap_case("slice: a padded integer alone", padded_integer);
	tap_case("slice: one document from parts of two", parts_of_two);
	tap_case("slice: documents edited, the rest taken as it is", edited);
	tap_case("slice: a container taken as it is, alone", part_as_root);
	return tap_done();
}
