/*-------------------------------------------------------------------------
 *
 * test_window.c
 *	  Documents read through a window that shows only what was fetched.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "verify.h"
#include "window.h"

/* A document with shapes, long and short values, and several anchors. */
static Model *
sample(Heap *heap, bool shapes)
{
	Model	   *root = model_new(heap, COLJ_OBJECT);
	Model	   *rows = model_new(heap, COLJ_ARRAY);
	char		text[300];
	uint32_t	i;

	memset(text, 't', sizeof(text));
	for (i = 0; i < 60; i++)
	{
		Model	   *row = model_new(heap, COLJ_OBJECT);
		char		key[40];

		model_put(heap, row, "number", 6, model_int(heap, i * 1000));
		sprintf(key, "a_longer_key_%" PRIu32, shapes ? 0 : i);
		model_put(heap, row, key, (uint32_t) strlen(key), model_string(heap, text, i * 5));
		model_add(heap, rows, row);
		sprintf(key, "k%" PRIu32, i);
		model_put(heap, root, key, (uint32_t) strlen(key), model_decimal(heap, i - 30, 2));
	}
	model_put(heap, root, "rows", 4, rows);
	model_put(heap, root, "list", 4, model_parse(heap, "[100, 2000, 30000, 400000, 5000000]"));
	model_put(heap, root, "mixed", 5, model_parse(heap, "[\"text of some length\", 70000, \"end\"]"));
	model_put(heap, root, "big", 3, model_parse(heap, "-123456789012345678901234567890.25"));
	return root;
}

/* Open, check, iterate and probe through one window. */
static void
verify_window(Heap *heap, Window *window, const Model *model)
{
	Model	   *read;
	const char *wrong;

	if (CHECK_EQ(colj_open(&window->doc), COLJ_OK))
	{
		wrong = model_probe(&window->doc, &window->doc.root, model);
		if (wrong != NULL)
			tap_fail(__FILE__, __LINE__, "wrong: %s", wrong);
		read = model_read(heap, &window->doc, &window->doc.root);
		CHECK(read != NULL && model_equal(read, model));
		CHECK_EQ(colj_check_document(&window->doc, &heap->host), COLJ_OK);
	}
	CHECK(!window->outside);
}

/* Each kind of window on one document. */
static void
verify_windows(Heap *heap, Model *model, uint32_t stride)
{
	static const uint32_t chunks[] = {1, 3, 8, 64, 1000};
	static const uint32_t heads[] = {0, 8, 40, 64, 1000};
	uint32_t	size;
	const uint8_t *bytes = verify_model(heap, model, stride, &size);
	size_t		i;
	size_t		j;
	unsigned	mode;

	for (i = 0; i < 5; i++)
		for (j = 0; j < 5; j++)
			for (mode = 0; mode < 4; mode++)
			{
				Window		window;

				tap_context("chunks of %" PRIu32 ", head %" PRIu32 ", mode %u",
							chunks[i], heads[j], mode);
				window_open(&window, bytes, size, chunks[i], heads[j],
							mode % 2 ? WINDOW_PREFIX : WINDOW_PIECES, mode / 2 ? 0xEE : 0x11);
				verify_window(heap, &window, model);
				window_close(&window);
			}
}

static void
whole_documents(void)
{
	Heap		heap;

	heap_open(&heap);
	verify_windows(&heap, sample(&heap, true), 32);
	verify_windows(&heap, sample(&heap, false), 2);
	verify_windows(&heap, model_parse(&heap, "[]"), 32);
	verify_windows(&heap, model_parse(&heap, "\"some text\""), 32);
	CHECK_EQ(heap_close(&heap), 0);
}

/* The first element of an array of which nothing was fetched before. */
static void
verify_first(Heap *heap, ColjDoc *doc, const ColjValue *array, const Model *model)
{
	ColjValue	element;
	Model	   *read;

	CHECK_EQ(colj_get_index(doc, array, 0, &element), COLJ_OK);
	read = model_read(heap, doc, &element);
	CHECK(read != NULL && model_equal(read, model->child[0]));
}

/* Each child alone, in a window of its own: nothing was fetched before. */
static void
single_lookups(void)
{
	Heap		heap;
	Model	   *model;
	uint32_t	size;
	uint32_t	i;
	const uint8_t *bytes;

	heap_open(&heap);
	model = sample(&heap, true);
	bytes = verify_model(&heap, model, 4, &size);
	for (i = 0; i < model->n; i++)
	{
		Window		window;
		ColjValue	child;
		const char *wrong;

		window_open(&window, bytes, size, 8, 0, WINDOW_PIECES, 0xEE);
		CHECK_EQ(colj_open(&window.doc), COLJ_OK);
		CHECK_EQ(colj_get_key(&window.doc, &window.doc.root, model->key[i].bytes,
							  model->key[i].len, &child), COLJ_OK);
		if (child.kind == COLJ_ARRAY)
			verify_first(&heap, &window.doc, &child, model->child[i]);
		wrong = model_probe(&window.doc, &child, model->child[i]);
		if (wrong != NULL)
			tap_fail(__FILE__, __LINE__, "wrong: %s", wrong);
		window_close(&window);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* A short value of a large document comes from its head. */
static void
small_values_first(void)
{
	Heap		heap;
	Model	   *model;
	char	   *text;
	uint32_t	size;
	const uint8_t *bytes;
	Window		window;
	ColjValue	child;

	heap_open(&heap);
	model = model_parse(&heap, "{\"a\": \"first\", \"z\": \"last\", \"n\": 123456}");
	text = heap_lend(&heap, 1000000);
	model_put(&heap, model, "b", 1, model_string(&heap, text, 1000000));
	model_put(&heap, model, "y", 1, model_string(&heap, text, 1000000));
	bytes = verify_model(&heap, model, 32, &size);
	window_open(&window, bytes, size, 64, 0, WINDOW_PIECES, 0xEE);
	CHECK_EQ(colj_open(&window.doc), COLJ_OK);
	CHECK_EQ(colj_get_key(&window.doc, &window.doc.root, "z", 1, &child), COLJ_OK);
	CHECK(colj_bytes(&window.doc, &child) != NULL);
	CHECK_EQ(colj_get_key(&window.doc, &window.doc.root, "q", 1, &child), COLJ_ABSENT);
	CHECK_EQ(window.fetched, 64);
	/* the second large value costs its own bytes, not the first's */
	CHECK_EQ(colj_get_key(&window.doc, &window.doc.root, "y", 1, &child), COLJ_OK);
	CHECK_EQ(window.fetched, 64);
	CHECK(colj_bytes(&window.doc, &child) != NULL);
	CHECK(window.fetched <= 1000000 + 3 * 64);
	window_close(&window);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Whichever fetch fails, a status says so and a problem is set. */
static void
failing_fetches(void)
{
	Heap		heap;
	Model	   *model;
	uint32_t	size;
	uint32_t	at;
	const uint8_t *bytes;

	heap_open(&heap);
	model = sample(&heap, true);
	bytes = verify_model(&heap, model, 8, &size);
	for (at = 1;; at += 1 + at / 8)
	{
		Window		window;
		ColjStatus	status;

		window_open(&window, bytes, size, 16, 0, WINDOW_PIECES, 0xEE);
		window.fail_at = at;
		status = colj_open(&window.doc);
		if (status == COLJ_OK)
			status = colj_check_document(&window.doc, &heap.host);
		if (window.calls < at)
		{
			CHECK_EQ(status, COLJ_OK);
			window_close(&window);
			break;
		}
		CHECK_EQ(status, COLJ_CORRUPT);
		CHECK(window.doc.problem != NULL);
		window_close(&window);
	}
	CHECK(at > 100);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("window: everything, for all sizes of chunks and heads", whole_documents);
	tap_case("window: one lookup at a time", single_lookups);
	tap_case("window: short values need the head only", small_values_first);
	tap_case("window: failing fetches", failing_fetches);
	return tap_done();
}
