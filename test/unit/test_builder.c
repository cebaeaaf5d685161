/*-------------------------------------------------------------------------
 *
 * test_builder.c
 *	  The builder: memory, reuse, failures, limits.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "format/text.h"
#include "tap.h"
#include "verify.h"

/* Shapes, nesting, long and short values, many keys. */
static Model *
sample(Heap *heap)
{
	Model	   *root = model_new(heap, COLJ_ARRAY);
	uint32_t	i;

	for (i = 0; i < 40; i++)
	{
		Model	   *row = model_parse(heap, "{\"id\": 100, \"name\": \"a name\", \"tags\": [\"x\", \"y\"],"
									  " \"text\": \"a text that is longer than thirty bytes\"}");

		row->child[0]->integer += i;
		model_add(heap, root, row);
	}
	for (i = 0; i < 100; i++)
	{
		char		key[16];

		sprintf(key, "key%" PRIu32, i);
		model_put(heap, root->child[0], key, (uint32_t) strlen(key), model_int(heap, i));
	}
	return root;
}

/* Push and finish with call number fail_at of resize failing. */
static ColjStatus
build_failing(Heap *heap, const Model *model, size_t fail_at)
{
	ColjBuilder b;
	ColjStatus	status;
	uint32_t	size;

	heap->calls = 0;
	heap->fail_at = fail_at;
	colj_builder_init(&b, &heap->host);
	model_push(&b, model);
	status = colj_builder_finish(&b, 32, &size);
	if (status == COLJ_OK)
	{
		uint8_t    *out = heap_lend(heap, size);

		colj_builder_write(&b, out);
	}
	colj_builder_free(&b);
	CHECK_EQ(heap->blocks, 0);
	heap->fail_at = 0;
	return status;
}

static void
no_memory_to_build(void)
{
	Heap		heap;
	Model	   *model;
	size_t		at;

	heap_open(&heap);
	model = sample(&heap);
	for (at = 1; build_failing(&heap, model, at) != COLJ_OK; at++)
	{
		tap_context("allocation %zu", at);
		CHECK_EQ(build_failing(&heap, model, at), COLJ_NO_MEMORY);
		if (!CHECK(at < 1000))
			break;
	}
	CHECK(at > 10);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Copying, checking and printing, each with each allocation failing. */
static ColjStatus
use_failing(Heap *heap, ColjDoc *doc, int what, size_t fail_at)
{
	ColjBuilder b;
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 30};
	ColjStatus	status;

	heap->calls = 0;
	heap->fail_at = fail_at;
	if (what == 0)
		status = colj_check_document(doc, &heap->host);
	else if (what == 1)
	{
		status = colj_print(&text, doc, &doc->root);
		if (text.data != NULL)
			heap->host.resize(heap, text.data, 0);
	}
	else
	{
		colj_builder_init(&b, &heap->host);
		status = colj_builder_copy(&b, doc, &doc->root);
		colj_builder_free(&b);
	}
	CHECK_EQ(heap->blocks, 0);
	heap->fail_at = 0;
	return status;
}

static void
no_memory_to_read(void)
{
	Heap		heap;
	Model	   *nested;
	uint32_t	size;
	const uint8_t *bytes;
	ColjDoc		doc;
	int			what;
	size_t		at;
	int			i;

	heap_open(&heap);
	nested = sample(&heap);
	for (i = 0; i < 40; i++)
	{
		Model	   *outer = model_new(&heap, COLJ_ARRAY);

		model_add(&heap, outer, nested);
		nested = outer;
	}
	bytes = verify_model(&heap, nested, 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	for (what = 0; what < 3; what++)
	{
		for (at = 1; at < 1000; at++)
		{
			ColjStatus	status = use_failing(&heap, &doc, what, at);

			tap_context("use %d, allocation %zu", what, at);
			if (status == COLJ_OK)
				break;
			CHECK_EQ(status, COLJ_NO_MEMORY);
		}
		CHECK(at > 1 && at < 1000);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* One builder for many documents: the same bytes as from fresh ones. */
static void
reuse(void)
{
	static const char *const texts[] = {"[]", "{\"a\": [1, 2, {\"b\": \"c\"}]}", "3", "{}",
	"[\"a string that is longer than thirty bytes\", {\"\": []}]"};
	Heap		heap;
	ColjBuilder b;
	int			round;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	for (round = 0; round < 30; round++)
	{
		Model	   *model = round % 6 == 5 ? sample(&heap) : model_parse(&heap, texts[round % 6]);
		uint32_t	size;
		uint32_t	expected_size;
		uint8_t    *expected = model_write(&heap, model, 32, &expected_size);
		uint8_t    *out;

		tap_context("round %d", round);
		model_push(&b, model);
		CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK);
		out = heap_lend(&heap, size);
		colj_builder_write(&b, out);
		CHECK_BYTES(out, size, expected, expected_size);
		colj_builder_reset(&b);
	}
	CHECK(colj_builder_memory(&b) > 0);
	colj_builder_free(&b);
	CHECK_EQ(colj_builder_memory(&b), 0);
	CHECK_EQ(heap_close(&heap), 0);
}

/* After a failure a reset makes the builder good again. */
static void
reuse_after_failure(void)
{
	Heap		heap;
	ColjBuilder b;
	uint32_t	size;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	colj_builder_begin_array(&b);
	colj_builder_string(&b, "x", COLJ_MAX_SIZE);
	colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_TOO_LARGE);
	colj_builder_begin_object(&b);
	colj_builder_key(&b, "k", 1);
	colj_builder_null(&b);
	colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_TOO_LARGE);
	colj_builder_reset(&b);
	colj_builder_begin_object(&b);
	colj_builder_key(&b, "k", 1);
	colj_builder_null(&b);
	colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK);
	CHECK_EQ(size, 3 + 4);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Only the lengths of strings are looked at before the write. */
static ColjStatus
size_of_strings(uint32_t len, uint32_t n, uint32_t *size)
{
	Heap		heap;
	ColjBuilder b;
	ColjStatus	status;
	uint32_t	i;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	if (n > 1)
		colj_builder_begin_array(&b);
	for (i = 0; i < n; i++)
		colj_builder_string(&b, "x", len);
	if (n > 1)
		colj_builder_end(&b);
	status = colj_builder_finish(&b, 32, size);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
	return status;
}

static void
largest_document(void)
{
	uint32_t	size;

	CHECK_EQ(size_of_strings(COLJ_MAX_SIZE - 3, 1, &size), COLJ_OK);
	CHECK_EQ(size, COLJ_MAX_SIZE);
	CHECK_EQ(size_of_strings(COLJ_MAX_SIZE - 2, 1, &size), COLJ_TOO_LARGE);
	CHECK_EQ(size_of_strings(UINT32_MAX, 1, &size), COLJ_TOO_LARGE);
	/* count, two entries, two ends of four bytes */
	CHECK_EQ(size_of_strings((COLJ_MAX_SIZE - 3 - 1 - 2 - 8) / 2, 2, &size), COLJ_OK);
	CHECK(size >= COLJ_MAX_SIZE - 1);
	CHECK_EQ(size_of_strings((COLJ_MAX_SIZE - 3 - 1 - 2 - 8) / 2 + 1, 2, &size), COLJ_TOO_LARGE);
	CHECK_EQ(size_of_strings(0x3FFFFFF0, 5, &size), COLJ_TOO_LARGE);
	CHECK_EQ(size_of_strings(UINT32_MAX, 300, &size), COLJ_TOO_LARGE);
}

static void
scratch(void)
{
	static const size_t sizes[] = {1, 10, 0, 8000, 200, 100000, 1, 8192, 8193, 3};
	Heap		heap;
	ColjBuilder b;
	char	   *lent[10];
	size_t		i;
	size_t		j;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	for (i = 0; i < 10; i++)
	{
		lent[i] = colj_builder_scratch(&b, sizes[i]);
		CHECK(lent[i] != NULL);
		memset(lent[i], (int) i, sizes[i]);
	}
	for (i = 0; i < 10; i++)
		for (j = 0; j < sizes[i]; j++)
			CHECK(lent[i][j] == (char) i);
	CHECK(colj_builder_memory(&b) >= 100000);
	colj_builder_reset(&b);
	CHECK(colj_builder_memory(&b) < 100000);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Copying from corrupt bytes fails, and the builder remembers it. */
static void
copy_of_corrupt(void)
{
	Heap		heap;
	ColjBuilder b;
	ColjDoc		doc;
	uint32_t	size;

	heap_open(&heap);
	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F\xA0\x04\x03\x47", 6), COLJ_OK);
	colj_builder_init(&b, &heap.host);
	CHECK_EQ(colj_builder_copy(&b, &doc, &doc.root), COLJ_CORRUPT);
	CHECK(doc.problem != NULL);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_CORRUPT);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Every long loop asks for interrupts. */
static void
polls(void)
{
	Heap		heap;
	ColjBuilder b;
	ColjDoc		doc;
	ColjText	text;
	uint32_t	size;
	uint32_t	i;
	uint8_t    *bytes;

	heap_open(&heap);
	text = (ColjText){.host = &heap.host, .max = (size_t) 1 << 30};
	colj_builder_init(&b, &heap.host);
	colj_builder_begin_array(&b);
	for (i = 0; i < 50000; i++)
	{
		colj_builder_begin_object(&b);
		colj_builder_key(&b, "key", 3);
		colj_builder_int(&b, i);
		colj_builder_end(&b);
	}
	colj_builder_end(&b);
	CHECK(heap.polls > 10);
	heap.polls = 0;
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK);
	CHECK(heap.polls > 10);
	bytes = heap_lend(&heap, size);
	heap.polls = 0;
	colj_builder_write(&b, bytes);
	CHECK(heap.polls > 10);
	colj_builder_free(&b);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	heap.polls = 0;
	CHECK_EQ(colj_check_document(&doc, &heap.host), COLJ_OK);
	CHECK(heap.polls > 10);
	heap.polls = 0;
	CHECK_EQ(colj_print(&text, &doc, &doc.root), COLJ_OK);
	CHECK(heap.polls > 10);
	heap.host.resize(&heap, text.data, 0);
	heap.polls = 0;
	verify_copy(&heap, &doc, &doc.root, 32, &size);
	CHECK(heap.polls > 20);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Copying one long array asks for interrupts before its end. */
static void
polls_in_one_array(void)
{
	Heap		heap;
	ColjBuilder b;
	ColjDoc		doc;
	uint32_t	size;
	Model	   *array;
	uint32_t	i;
	const uint8_t *bytes;

	heap_open(&heap);
	array = model_new(&heap, COLJ_ARRAY);
	for (i = 0; i < 100000; i++)
		model_add(&heap, array, model_int(&heap, i));
	bytes = model_write(&heap, array, 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	colj_builder_init(&b, &heap.host);
	heap.polls = 0;
	CHECK_EQ(colj_builder_copy(&b, &doc, &doc.root), COLJ_OK);
	CHECK(heap.polls > 10);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("builder: no memory, at each allocation", no_memory_to_build);
	tap_case("builder: no memory to check, print, copy", no_memory_to_read);
	tap_case("builder: one builder for many documents", reuse);
	tap_case("builder: reset after a failure", reuse_after_failure);
	tap_case("builder: the largest document, and one byte more", largest_document);
	tap_case("builder: scratch memory", scratch);
	tap_case("builder: a copy of corrupt bytes", copy_of_corrupt);
	tap_case("builder: interrupts are asked for", polls);
	tap_case("builder: also within one long array", polls_in_one_array);
	return tap_done();
}
