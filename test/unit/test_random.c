/*-------------------------------------------------------------------------
 *
 * test_random.c
 *	  Random documents at random strides: written, read, copied, printed.
 *
 * COLJ_TEST_TREES sets how many, COLJ_TEST_SEED where they start.  A failure
 * names the tree's own seed; COLJ_TEST_SEED set to it, with one tree, makes
 * the same tree again.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "tap.h"
#include "verify.h"
#include "window.h"

#define TREES 5000
#define SEED 20261130

static uint64_t
setting(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value == NULL || *value == '\0' ? otherwise : strtoull(value, NULL, 10);
}

static uint32_t
random_stride(Random *random)
{
	static const uint32_t strides[] = {1, 2, 3, 7, 31, 32, 33, 256};

	if (random_below(random, 2))
		return 1 + random_below(random, 256);
	return strides[random_below(random, 8)];
}

static const RandomSpec *
random_spec(Random *random)
{
	static const RandomSpec specs[] = {
		{8, 3, 40}, {40, 5, 100}, {40, 5, 100}, {200, 8, 300}, {200, 30, 30},
		{2000, 10, 70000}
	};

	return &specs[random_below(random, 97) % 6 == 5 && random_below(random, 8) ? 0
				  : random_below(random, 96) % 6];
}

/* Print the document; the text must be what the model prints. */
static void
verify_text(Heap *heap, ColjDoc *doc, const Model *model)
{
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 30,
	.bignum = heap_print_bignum};
	const char *expected = model_print(heap, model);

	if (CHECK_EQ(colj_print(&text, doc, &doc->root), COLJ_OK))
		CHECK_BYTES(text.data, text.len, expected, strlen(expected));
	if (text.data != NULL)
		heap->host.resize(heap->host.arg, text.data, 0);
}

/* Read through a window that starts with some of the document. */
static void
verify_window(Heap *heap, Random *random, const uint8_t *bytes, uint32_t size,
			  const Model *model)
{
	Window		window;
	Model	   *read = NULL;
	const char *wrong;

	window_open(&window, bytes, size, 1 + random_below(random, 100),
				random_below(random, size + 1),
				random_below(random, 2) ? WINDOW_PIECES : WINDOW_PREFIX, 0xEE);
	if (CHECK_EQ(colj_open(&window.doc), COLJ_OK))
	{
		wrong = model_probe(&window.doc, &window.doc.root, model);
		if (wrong != NULL)
			tap_fail(__FILE__, __LINE__, "in a window wrong: %s", wrong);
		read = model_read(heap, &window.doc, &window.doc.root);
		CHECK(read != NULL && model_equal(read, model));
	}
	window_close(&window);
}

static void
one_tree(uint64_t seed)
{
	Heap		heap;
	Random		random = {.state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1};
	uint32_t	stride = random_stride(&random);
	Model	   *model;
	const uint8_t *bytes;
	uint32_t	size;
	ColjDoc		doc;

	tap_context("COLJ_TEST_SEED=%" PRIu64, seed);
	heap_open(&heap);
	model = model_random(&heap, &random, random_spec(&random));
	bytes = verify_model(&heap, model, stride, &size);
	if (CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK))
	{
		verify_text(&heap, &doc, model);
		verify_window(&heap, &random, bytes, size, model);
		if (size < 500)
			verify_parts(&heap, &doc, &doc.root, model);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

static void
trees(void)
{
	uint64_t	n = setting("COLJ_TEST_TREES", TREES);
	uint64_t	seed = setting("COLJ_TEST_SEED", SEED);
	uint64_t	i;

	CHECK(n > 0);
	for (i = 0; i < n && tap_failures() < 5; i++)
		one_tree(seed + i);
}

int
main(void)
{
	tap_case("random: trees built, written, read, sliced, printed", trees);
	return tap_done();
}
