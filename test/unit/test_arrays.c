/*-------------------------------------------------------------------------
 *
 * test_arrays.c
 *	  Arrays: general and of one entry, empty, nested, of every width.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "verify.h"

/* What the array at the root of a document is made of. */
typedef struct Facts
{
	uint32_t	size;			/* of the document */
	ColjContainer c;
} Facts;

static Facts
verify_text(const char *text, uint32_t stride)
{
	Heap		heap;
	Facts		facts;
	ColjDoc		doc;
	const uint8_t *bytes;

	heap_open(&heap);
	tap_context("%.60s at stride %" PRIu32, text, stride);
	bytes = verify_model(&heap, model_parse(&heap, text), stride, &facts.size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, facts.size), COLJ_OK);
	CHECK_EQ(colj_container_open(&doc, &doc.root, &facts.c), COLJ_OK);
	CHECK_EQ(heap_close(&heap), 0);
	return facts;
}

static void
empty_arrays(void)
{
	Facts		facts = verify_text("[]", 32);

	CHECK_EQ(facts.size, 4);
	CHECK_EQ(facts.c.n, 0);
	verify_text("[[]]", 32);
	verify_text("[[], [], []]", 32);
	verify_text("[[], {}, [], {}]", 1);
	verify_text("{\"\": []}", 32);
}

/* A document of an array of one entry: header, head, entry, values. */
static void
expect_fixed(const char *text, uint32_t n, uint8_t entry, uint32_t each)
{
	Facts		facts = verify_text(text, 32);

	CHECK_EQ(facts.c.n, n);
	CHECK(facts.c.fixed);
	CHECK_EQ(facts.c.entry, entry);
	CHECK_EQ(facts.size, 2 + 1 + 1 + 1 + n * each);
}

static void
fixed_arrays(void)
{
	expect_fixed("[100, 101, 102]", 3, 0x41, 1);
	expect_fixed("[1000, 1001]", 2, 0x42, 2);
	expect_fixed("[\"ab\", \"cd\", \"ef\"]", 3, 0x22, 2);
	expect_fixed("[1.5, 2.5, 3.5]", 3, 0x62, 2);
	expect_fixed("[0.0, 0.00]", 2, 0x61, 1);
	expect_fixed("[null, null, null]", 3, 0x00, 0);
	expect_fixed("[true, true]", 2, 0x02, 0);
	expect_fixed("[28, 28, 28, 28]", 4, 0x1F, 0);
	expect_fixed("[\"\", \"\", \"\"]", 3, 0x20, 0);
	expect_fixed("[[], [], []]", 3, 0xA1, 1);
	expect_fixed("[\"123456789012345678901234567890\", \"123456789012345678901234567890\"]",
				 2, 0x3E, 30);
}

/* Numbers are padded to the widest of them when that is no longer. */
static void
padded_numbers(void)
{
	expect_fixed("[100, 1000, 1001]", 3, 0x42, 2);
	expect_fixed("[1, 2, 3, 1000, 1001, 1002, 1003]", 7, 0x42, 2);
	expect_fixed("[-9223372036854775808, 9223372036854775807, -9223372036854775807,"
				 " 9223372036854775806, 9223372036854775805, 9223372036854775804,"
				 " 9223372036854775803, -1]", 8, 0x48, 8);
	expect_fixed("[0.25, 100.00, 100.01]", 3, 0x63, 3);
	expect_fixed("[0.0, 0.00, 0.5]", 3, 0x62, 2);
}

static void
general_arrays(void)
{
	CHECK(!verify_text("[1, 2, 3]", 32).c.fixed);
	CHECK(!verify_text("[1, \"a\"]", 32).c.fixed);
	CHECK(!verify_text("[true, false]", 32).c.fixed);
	CHECK(!verify_text("[100, 0.5]", 32).c.fixed);
	CHECK(!verify_text("[\"a\", \"bc\"]", 32).c.fixed);
	CHECK(!verify_text("[[], {}]", 32).c.fixed);
	CHECK(!verify_text("[1, 2, 3, 1000]", 32).c.fixed);
	CHECK(!verify_text("[-1, 100, 100000]", 32).c.fixed);
	/* values of 31 bytes and more have no place in an array of one entry */
	CHECK(!verify_text("[\"1234567890123456789012345678901\","
					   " \"1234567890123456789012345678901\"]", 32).c.fixed);
}

static void
nested_arrays(void)
{
	verify_text("[[[[[[[[[[]]]]]]]]]]", 32);
	verify_text("[[1, [2, [3, [4, \"a string that is longer than thirty bytes\"]]]], 5]", 2);
	verify_text("[{\"a\": [{\"b\": [1000, 1001]}]}, [[[\"x\"]]]]", 1);
	verify_text("[[100, 200], [300, 400], [500, 600]]", 32);
}

/* An array of n equal strings, whose body passes the limits of a width. */
static void
verify_width(uint32_t n, uint32_t len, uint32_t width)
{
	Heap		heap;
	Model	   *array;
	char	   *text;
	uint32_t	i;
	uint32_t	size;
	ColjDoc		doc;
	ColjContainer c;
	const uint8_t *bytes;

	heap_open(&heap);
	array = model_new(&heap, COLJ_ARRAY);
	text = heap_lend(&heap, len);
	for (i = 0; i < n; i++)
	{
		memset(text, (int) ('a' + i % 26), len);
		model_add(&heap, array, model_string(&heap, text, len));
	}
	bytes = verify_model(&heap, array, 2, &size);
	tap_context("%" PRIu32 " strings of %" PRIu32 ", body of %" PRIu32, n, len, size - 3);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(colj_container_open(&doc, &doc.root, &c), COLJ_OK);
	CHECK_EQ(c.width, width);
	CHECK_EQ(c.nbig, n);
	CHECK_EQ(heap_close(&heap), 0);
}

/*
 * One string: count (1), entry (1), end (width), so a body of 255 bytes is
 * the last of width 1, and so on.
 */
static void
end_widths(void)
{
	verify_width(1, 255 - 3, 1);
	verify_width(1, 255 - 2, 2);
	verify_width(1, 65535 - 4, 2);
	verify_width(1, 65535 - 3, 3);
	verify_width(1, 0xFFFFFF - 5, 3);
	verify_width(1, 0xFFFFFF - 4, 4);
	verify_width(5, 40, 1);
	verify_width(5, 60, 2);
	verify_width(700, 100, 3);
}

/* Elements around the limits of the head's varint, and a poll now and then. */
static void
long_arrays(void)
{
	static const uint32_t counts[] = {63, 64, 65, 8191, 8192, 8193, 100000};
	size_t		i;
	uint32_t	j;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
	{
		Heap		heap;
		Model	   *ints;
		Model	   *mixed;
		uint32_t	size;

		heap_open(&heap);
		ints = model_new(&heap, COLJ_ARRAY);
		mixed = model_new(&heap, COLJ_ARRAY);
		for (j = 0; j < counts[i]; j++)
		{
			model_add(&heap, ints, model_int(&heap, (int64_t) j * j));
			model_add(&heap, mixed, j % 3 ? model_int(&heap, j) : model_new(&heap, COLJ_NULL));
		}
		tap_context("%" PRIu32 " elements", counts[i]);
		verify_model(&heap, ints, 32, &size);
		verify_model(&heap, mixed, 32, &size);
		if (counts[i] >= 100000)
			CHECK(heap.polls > 10);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* Nesting costs no stack: far deeper than one could recurse. */
static void
deep_nesting(void)
{
	const uint32_t depth = 300000;
	Heap		heap;
	ColjBuilder b;
	ColjDoc		doc;
	uint32_t	size;
	uint32_t	i;
	uint8_t    *bytes;
	uint8_t    *copy;
	uint32_t	copy_size;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	for (i = 0; i < depth; i++)
	{
		colj_builder_begin_object(&b);
		colj_builder_key(&b, "k", 1);
		colj_builder_begin_array(&b);
	}
	for (i = 0; i < 2 * depth; i++)
		colj_builder_end(&b);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK);
	bytes = heap_lend(&heap, size);
	colj_builder_write(&b, bytes);
	colj_builder_free(&b);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(colj_check_document(&doc, &heap.host), COLJ_OK);
	copy = verify_copy(&heap, &doc, &doc.root, 32, &copy_size);
	CHECK_BYTES(copy, copy_size, bytes, size);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("arrays: empty", empty_arrays);
	tap_case("arrays: one entry for all elements", fixed_arrays);
	tap_case("arrays: numbers padded to one width", padded_numbers);
	tap_case("arrays: an entry for each element", general_arrays);
	tap_case("arrays: nested", nested_arrays);
	tap_case("arrays: ends of 1 to 4 bytes", end_widths);
	tap_case("arrays: many elements", long_arrays);
	tap_case("arrays: nested 600,000 deep", deep_nesting);
	return tap_done();
}
