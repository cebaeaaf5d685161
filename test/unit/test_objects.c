/*-------------------------------------------------------------------------
 *
 * test_objects.c
 *	  Objects: key lists with runs of every form, order, duplicates, lookup.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "verify.h"

/* Add a key of a given length, number i of its kind, with value i. */
static void
put_numbered(Heap *heap, Model *object, uint32_t len, uint32_t i)
{
	char	   *key = heap_lend(heap, len + 1);
	uint32_t	j;
	uint32_t	n = i;

	for (j = len; j-- > 0; n /= 62)
		key[j] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[n % 62];
	model_put(heap, object, key, len, model_int(heap, i));
}

static void
key_counts(void)
{
	static const uint32_t counts[] = {0, 1, 2, 14, 15, 16, 17, 31, 32, 33, 100, 127, 128,
	129, 1000, 3844};
	static const uint32_t strides[] = {1, 32, 256};
	size_t		i;
	size_t		j;
	uint32_t	k;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (j = 0; j < 3; j++)
		{
			Heap		heap;
			Model	   *object;
			uint32_t	size;

			heap_open(&heap);
			object = model_new(&heap, COLJ_OBJECT);
			for (k = 0; k < counts[i]; k++)
				put_numbered(&heap, object, 2, k);
			tap_context("%" PRIu32 " keys of one length", counts[i]);
			verify_model(&heap, object, strides[j], &size);
			CHECK_EQ(object->n, counts[i]);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

static void
many_keys(void)
{
	Heap		heap;
	Model	   *object;
	uint32_t	size;
	uint32_t	i;

	heap_open(&heap);
	object = model_new(&heap, COLJ_OBJECT);
	for (i = 0; i < 10000; i++)
		put_numbered(&heap, object, 3 + i % 7, i * 7919 % 10007);
	verify_model(&heap, object, 32, &size);
	CHECK_EQ(object->n, 10000);
	CHECK_EQ(heap_close(&heap), 0);
}

/* One key of every length, so that each run is of one key. */
static void
key_lengths(void)
{
	Heap		heap;
	Model	   *object;
	uint32_t	size;
	uint32_t	len;

	heap_open(&heap);
	object = model_new(&heap, COLJ_OBJECT);
	for (len = 0; len <= 300; len++)
		put_numbered(&heap, object, len, len);
	verify_model(&heap, object, 32, &size);
	CHECK_EQ(object->n, 301);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Two lengths and how often each occurs: around what fits in half a byte. */
static void
run_forms(void)
{
	static const uint32_t lens[] = {0, 1, 14, 15, 16, 17, 127, 128, 300, 16400};
	static const uint32_t counts[] = {1, 14, 15, 16, 17};
	size_t		i;
	size_t		j;
	uint32_t	k;

	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++)
		for (j = 0; j < sizeof(counts) / sizeof(counts[0]); j++)
		{
			Heap		heap;
			Model	   *object;
			uint32_t	size;
			uint32_t	n = lens[i] == 0 ? 1 : counts[j];

			heap_open(&heap);
			object = model_new(&heap, COLJ_OBJECT);
			for (k = 0; k < n; k++)
			{
				put_numbered(&heap, object, lens[i], k);
				put_numbered(&heap, object, lens[i] + counts[j], k);
			}
			tap_context("runs of %" PRIu32 " keys, %" PRIu32 " and %" PRIu32 " long",
						n, lens[i], lens[i] + counts[j]);
			verify_model(&heap, object, 32, &size);
			CHECK_EQ(object->n, 2 * n);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

static void
verify_text(const char *text, const char *expected)
{
	Heap		heap;
	Model	   *model;
	uint32_t	size;

	heap_open(&heap);
	tap_context("%.80s", text);
	model = model_parse(&heap, text);
	verify_model(&heap, model, 32, &size);
	CHECK(strcmp(model_print(&heap, model), expected) == 0);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Shorter keys first, then by bytes, which are unsigned. */
static void
key_order(void)
{
	verify_text("{\"b\": 1, \"a\": 2, \"aa\": 3, \"\": 4}",
				"{\"\": 4, \"a\": 2, \"b\": 1, \"aa\": 3}");
	verify_text("{\"\\u00e9\": 1, \"zz\": 2, \"z\": 3}",
				"{\"z\": 3, \"zz\": 2, \"\303\251\": 1}");
	verify_text("{\"abcdx\": 1, \"abcda\": 2, \"abcd\": 3, \"abcdxy\": 4, \"abcdax\": 5}",
				"{\"abcd\": 3, \"abcda\": 2, \"abcdx\": 1, \"abcdax\": 5, \"abcdxy\": 4}");
}

/* To the format, a key is bytes: zeros and all. */
static void
any_bytes(void)
{
	Heap		heap;
	Model	   *object;
	uint32_t	size;
	int			c;

	heap_open(&heap);
	object = model_new(&heap, COLJ_OBJECT);
	for (c = 255; c >= 0; c--)
	{
		char		key[3] = {'k', (char) c, 0};

		model_put(&heap, object, key, 3, model_int(&heap, c));
		model_put(&heap, object, key + 1, 1, model_int(&heap, c));
	}
	verify_model(&heap, object, 32, &size);
	CHECK_EQ(object->n, 512);
	CHECK_EQ(object->child[0]->integer, 0);
	CHECK_EQ(object->child[511]->integer, 255);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
duplicate_keys(void)
{
	verify_text("{\"a\": 1, \"a\": 2}", "{\"a\": 2}");
	verify_text("{\"a\": 1, \"b\": 2, \"a\": 3, \"b\": 4, \"a\": 5}", "{\"a\": 5, \"b\": 4}");
	verify_text("{\"\": 1, \"\": null}", "{\"\": null}");
	verify_text("{\"abcdefgh\": 1, \"abcdefgi\": 2, \"abcdefgh\": 3}",
				"{\"abcdefgh\": 3, \"abcdefgi\": 2}");
	/* what is overwritten may be large, or hold what the rest holds too */
	verify_text("{\"a\": {\"x\": [1, 2, {\"y\": \"a string that is longer than thirty\"}]},"
				" \"a\": {\"x\": []}}", "{\"a\": {\"x\": []}}");
	verify_text("{\"a\": [1, 2, 3], \"a\": 4, \"b\": {\"a\": {}, \"a\": []}}",
				"{\"a\": 4, \"b\": {\"a\": []}}");
}

/* The last of many equal keys among many. */
static void
many_duplicates(void)
{
	Heap		heap;
	Model	   *object;
	uint32_t	size;
	uint32_t	i;

	heap_open(&heap);
	object = model_new(&heap, COLJ_OBJECT);
	for (i = 0; i < 5000; i++)
	{
		put_numbered(&heap, object, 6, i * 31 % 500);
		object->child[i]->integer = i;
	}
	verify_model(&heap, object, 32, &size);
	CHECK_EQ(object->n, 500);
	for (i = 0; i < 500; i++)
		CHECK(object->child[i]->integer >= 4500);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A key of a document with and without a hint that is from another one. */
static void
verify_hinted(Heap *heap, const char *json, const char *key, ColjHint *hint)
{
	ColjDoc		doc;
	ColjValue	plain = {0};
	ColjValue	hinted = {0};
	uint32_t	size;
	const uint8_t *bytes = verify_model(heap, model_parse(heap, json), 32, &size);
	ColjStatus	status;

	tap_context("%s of %s", key, json);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	status = colj_get_key(&doc, &doc.root, key, (uint32_t) strlen(key), &plain);
	CHECK_EQ(colj_get_key_hinted(&doc, &doc.root, key, (uint32_t) strlen(key), hint, &hinted), status);
	CHECK_EQ(hinted.kind, plain.kind);
	CHECK_EQ(hinted.off, plain.off);
	CHECK_EQ(hinted.len, plain.len);
	CHECK_EQ(hinted.integer, plain.integer);
}

/* From each document to each other one, by way of every key. */
static void
hints(void)
{
	static const char *const documents[] = {
		"{\"a\": 1000, \"b\": \"text\", \"id\": 77777}",
		"{\"a\": 1000, \"c\": \"text\", \"id\": 77777}",	/* same lengths, another
															 * key */
		"{\"a\": 100000, \"b\": \"text\", \"id\": 7}",	/* same keys, other
														 * lengths */
		"{\"a\": \"a text that is too long for the small values\", \"b\": 1, \"id\": 9}",
		"{\"a\": 5, \"b\": {\"id\": 1}, \"id\": [1, 2]}",
		"{\"a\": 5, \"id\": 6}",
		"{\"id\": 1}",
		"{\"b\": null, \"d\": null, \"id\": null}",
		"{}",
		"[1, 2]",
		"{\"b\": 1, \"id\": 2, \"key\": 3, \"long\": 4, \"longer\": 5, \"a longer\": 6, \"another key\": 7}",
		"{\"b\": 1, \"c\": 2, \"d\": 3, \"e\": 4, \"f\": 5, \"g\": 6, \"h\": 7, \"i\": 8, \"id\": 9000}",
	};
	static const char *const keys[] = {"a", "b", "c", "id", "i", "another key", ""};
	size_t		ndocuments = sizeof(documents) / sizeof(documents[0]);

	for (size_t i = 0; i < ndocuments * ndocuments; i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
		{
			Heap		heap;
			ColjHint	hint = {0};

			heap_open(&heap);
			verify_hinted(&heap, documents[i / ndocuments], keys[k], &hint);
			verify_hinted(&heap, documents[i / ndocuments], keys[k], &hint);
			verify_hinted(&heap, documents[i % ndocuments], keys[k], &hint);
			verify_hinted(&heap, documents[i % ndocuments], keys[(k + 1) % 7], &hint);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

int
main(void)
{
	tap_case("objects: 0 to 3844 keys of one length", key_counts);
	tap_case("objects: 10,000 keys", many_keys);
	tap_case("objects: a key of every length up to 300", key_lengths);
	tap_case("objects: both forms of runs", run_forms);
	tap_case("objects: order of keys", key_order);
	tap_case("objects: keys of any bytes", any_bytes);
	tap_case("objects: the last of equal keys stays", duplicate_keys);
	tap_case("objects: many equal keys", many_duplicates);
	tap_case("objects: hints from other documents", hints);
	return tap_done();
}
