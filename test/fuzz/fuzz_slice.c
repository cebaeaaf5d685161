/*-------------------------------------------------------------------------
 *
 * fuzz_slice.c
 *	  Documents read through a window that shows only what was fetched.
 *
 * The input decides over a document, its stride, and the window.  Reading it,
 * slicing and copying its parts, and printing it must give what the whole
 * document gives.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/slice.h"
#include "format/text.h"
#include "model.h"
#include "window.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void) 0 : fail(#condition))

static void
fail(const char *condition)
{
	fprintf(stderr, "wrong: not %s\n", condition);
	abort();
}

/* A part taken out or rebuilt; NULL if it cannot be taken out. */
static uint8_t *
slice(Heap *heap, ColjDoc *doc, const ColjValue *value, uint32_t *size)
{
	ColjSlice	slice;
	uint8_t    *out;

	if (colj_slice_size(&slice, doc, value) != COLJ_OK)
		return NULL;
	*size = slice.size;
	out = heap_lend(heap, *size);
	REQUIRE(colj_slice_write(&slice, out) == COLJ_OK);
	return out;
}

static uint8_t *
copy(Heap *heap, ColjDoc *doc, const ColjValue *value, uint32_t stride, uint32_t *size)
{
	ColjBuilder b;
	uint8_t    *out;

	colj_builder_init(&b, &heap->host);
	REQUIRE(colj_builder_copy(&b, doc, value) == COLJ_OK);
	REQUIRE(colj_builder_finish(&b, stride, size) == COLJ_OK);
	out = heap_lend(heap, *size);
	colj_builder_write(&b, out);
	colj_builder_free(&b);
	return out;
}

static void
compare(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size)
{
	REQUIRE((a == NULL) == (b == NULL));
	if (a != NULL)
		REQUIRE(a_size == b_size && memcmp(a, b, a_size) == 0);
}

/* One child of the root, and the root: the same parts from both documents. */
static void
compare_parts(Heap *heap, ColjDoc *whole, ColjDoc *part, uint32_t at, uint32_t stride)
{
	ColjValue	values[2] = {whole->root, part->root};
	int			round;

	for (round = 0; round < 2; round++)
	{
		uint32_t	size[2];
		uint8_t    *bytes[2];
		uint32_t	n;

		bytes[0] = slice(heap, whole, &values[0], &size[0]);
		bytes[1] = slice(heap, part, &values[1], &size[1]);
		compare(bytes[0], size[0], bytes[1], size[1]);
		bytes[0] = copy(heap, whole, &values[0], stride, &size[0]);
		bytes[1] = copy(heap, part, &values[1], stride, &size[1]);
		compare(bytes[0], size[0], bytes[1], size[1]);
		if (colj_count(whole, &whole->root, &n) != COLJ_OK || n == 0)
			return;
		REQUIRE(colj_get_index(whole, &whole->root, at % n, &values[0]) == COLJ_OK);
		REQUIRE(colj_get_index(part, &part->root, at % n, &values[1]) == COLJ_OK);
	}
}

static void
compare_texts(Heap *heap, ColjDoc *part, const Model *model)
{
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 28, .bignum = heap_print_bignum};
	char	   *expected = model_print(heap, model);

	REQUIRE(colj_print(&text, part, &part->root) == COLJ_OK);
	REQUIRE(text.len == strlen(expected) && memcmp(text.data, expected, text.len) == 0);
	heap->host.resize(heap, text.data, 0);
}

/* Open a window of the shape that the input says. */
static void
open_window(Window *window, Random *random, const uint8_t *bytes, uint32_t size)
{
	uint32_t	chunk = 1 + random_below(random, 256);
	uint32_t	head = random_below(random, 4) == 0 ? 0 : random_below(random, size + 1);
	WindowMode	mode = random_below(random, 2) ? WINDOW_PIECES : WINDOW_PREFIX;

	if (chunk > 8)
		chunk = chunk / 8 * 8;
	window_open(window, bytes, size, chunk, head, mode,
				(uint8_t) random_below(random, 256));
	REQUIRE(colj_open(&window->doc) == COLJ_OK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const RandomSpec spec = {300, 8, 300};
	Heap		heap;
	Random		random = {.state = 1, .bytes = data, .left = size};
	uint32_t	stride = 1 + random_below(&random, 256);
	uint32_t	doc_size;
	uint32_t	at = random_below(&random, 256);
	Model	   *model;
	Model	   *read;
	const uint8_t *bytes;
	ColjDoc		whole;
	Window		window;

	heap_open(&heap);
	model = model_random(&heap, &random, &spec);
	bytes = model_write(&heap, model, stride, &doc_size);
	model_normalize(model);
	REQUIRE(colj_open_bytes(&whole, bytes, doc_size) == COLJ_OK);
	REQUIRE(colj_check_document(&whole, &heap.host) == COLJ_OK);
	open_window(&window, &random, bytes, doc_size);
	compare_parts(&heap, &whole, &window.doc, at, 1 + at);
	window_close(&window);
	open_window(&window, &random, bytes, doc_size);
	REQUIRE(model_probe(&window.doc, &window.doc.root, model) == NULL);
	read = model_read(&heap, &window.doc, &window.doc.root);
	REQUIRE(read != NULL && model_equal(read, model));
	compare_texts(&heap, &window.doc, model);
	REQUIRE(!window.outside);
	window_close(&window);
	REQUIRE(heap_close(&heap) == 0);
	return 0;
}
