/*-------------------------------------------------------------------------
 *
 * test_anchors.c
 *	  Anchors at every kind of stride, and that readers use them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "format/bytes.h"
#include "tap.h"
#include "verify.h"

static const uint32_t strides[] = {1, 2, 3, 31, 32, 33, 100, 255, 256};

#define NSTRIDES (sizeof(strides) / sizeof(strides[0]))

/* n children, every `every`th of them big, the others of 0 to 30 bytes. */
static Model *
mixed_array(Heap *heap, uint32_t n, uint32_t every)
{
	static const char text[] = "0123456789012345678901234567890123456789012345";
	Model	   *array = model_new(heap, COLJ_ARRAY);
	uint32_t	i;

	for (i = 0; i < n; i++)
	{
		uint32_t	len = i % every == every - 1 ? 31 + i % 16 : i % 31;

		if (i % 7 == 3)
			model_add(heap, array, model_int(heap, i % 29));
		else
			model_add(heap, array, model_string(heap, text, len));
	}
	return array;
}

/* The anchors of a document's root say what adding up the entries says. */
static void
verify_anchors(const uint8_t *bytes, uint32_t size, uint32_t stride)
{
	ColjDoc		doc;
	ColjContainer c;
	uint32_t	k;

	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(doc.stride, stride);
	CHECK_EQ(colj_container_open(&doc, &doc.root, &c), COLJ_OK);
	CHECK_EQ(c.ends - c.anchors, c.n == 0 ? 0 : (c.n - 1) / stride * 2 * c.width);
	for (k = 1; k * stride < c.n; k++)
	{
		ColjTally	sum = colj_tally(bytes + c.entries, k * stride, k * stride);
		const uint8_t *anchor = bytes + c.anchors + (k - 1) * 2 * c.width;

		CHECK_EQ(colj_load(anchor, c.width), sum.small);
		CHECK_EQ(colj_load(anchor + c.width, c.width), sum.big);
	}
}

static void
counts_around_strides(void)
{
	size_t		s;
	uint32_t	around;
	uint32_t	every;

	for (s = 0; s < NSTRIDES; s++)
		for (around = 0; around < 9; around++)
			for (every = 2; every < 200; every *= 7)
			{
				uint32_t	n = strides[s] * (1 + around / 3) + around % 3 - 1;
				Heap		heap;
				uint32_t	size;
				const uint8_t *bytes;

				heap_open(&heap);
				tap_context("%" PRIu32 " children at stride %" PRIu32 ", big every %" PRIu32,
							n, strides[s], every);
				bytes = verify_model(&heap, mixed_array(&heap, n, every), strides[s], &size);
				verify_anchors(bytes, size, strides[s]);
				CHECK_EQ(heap_close(&heap), 0);
			}
}

/* Anchors and ends of two, three and four bytes. */
static void
wide_anchors(void)
{
	static const uint32_t counts[] = {20, 400, 4000};
	size_t		i;
	size_t		s;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (s = 0; s < NSTRIDES; s++)
		{
			Heap		heap;
			Model	   *object;
			uint32_t	size;
			const uint8_t *bytes;
			uint32_t	j;

			heap_open(&heap);
			object = mixed_array(&heap, counts[i], 3);
			object->kind = COLJ_OBJECT;
			for (j = 0; j < counts[i]; j++)
			{
				char		key[12];

				sprintf(key, "%" PRIu32, j);
				object->key[j].len = (uint32_t) strlen(key);
				object->key[j].bytes = memcpy(heap_lend(&heap, 12), key, 12);
			}
			tap_context("%" PRIu32 " keys at stride %" PRIu32, counts[i], strides[s]);
			bytes = verify_model(&heap, object, strides[s], &size);
			verify_anchors(bytes, size, strides[s]);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

/* A body of 16 MB: anchors of four bytes. */
static void
widest_anchors(void)
{
	Heap		heap;
	Model	   *array;
	char	   *text;
	uint32_t	size;
	const uint8_t *bytes;

	heap_open(&heap);
	array = mixed_array(&heap, 50, 5);
	text = heap_lend(&heap, 0xFFFFFF);
	memset(text, 'x', 0xFFFFFF);
	array->child[20] = model_string(&heap, text, 0xFFFFFF);
	bytes = verify_model(&heap, array, 3, &size);
	verify_anchors(bytes, size, 3);
	CHECK_EQ(heap_close(&heap), 0);
}

/*
 * With a wrong anchor, a lookup behind it goes wrong or fails: so it is used.
 * The checker notices.
 */
static void
anchors_are_used(void)
{
	Heap		heap;
	Model	   *array;
	uint8_t    *bytes;
	uint32_t	size;
	ColjDoc		doc;
	ColjContainer c;
	ColjValue	before;
	ColjValue	after;

	heap_open(&heap);
	array = mixed_array(&heap, 100, 1000);
	bytes = model_write(&heap, array, 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(colj_container_open(&doc, &doc.root, &c), COLJ_OK);
	CHECK_EQ(colj_container_child(&c, 40, &before), COLJ_OK);
	bytes[c.anchors]--;
	CHECK_EQ(colj_container_child(&c, 40, &after), COLJ_OK);
	CHECK_EQ(after.off, before.off - 1);
	CHECK_EQ(colj_check_document(&doc, &heap.host), COLJ_CORRUPT);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("anchors: numbers of children around each stride", counts_around_strides);
	tap_case("anchors: two and three bytes wide, in objects", wide_anchors);
	tap_case("anchors: four bytes wide", widest_anchors);
	tap_case("anchors: readers use them, the checker checks them", anchors_are_used);
	return tap_done();
}
