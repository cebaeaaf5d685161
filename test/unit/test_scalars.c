/*-------------------------------------------------------------------------
 *
 * test_scalars.c
 *	  Scalars at their boundaries: as the root, in an array, in an object.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "tap.h"
#include "verify.h"

/* The tag of a document's root; its length has to be 0 in the entry. */
static unsigned
root_tag(const uint8_t *bytes)
{
	return bytes[2] >> 5;
}

/*
 * A scalar as the root, alone in an array, beside a long string in an array
 * and in an object.  Returns the root's tag; body_size is checked.
 */
static unsigned
verify_scalar(Model *scalar, Heap *heap, uint32_t body_size)
{
	static char filler[40];
	Model	   *array = model_new(heap, COLJ_ARRAY);
	Model	   *object = model_new(heap, COLJ_OBJECT);
	const uint8_t *bytes;
	uint32_t	size;
	unsigned	tag;

	memset(filler, 'f', sizeof(filler));
	bytes = verify_model(heap, scalar, 32, &size);
	CHECK_EQ(size, 3 + body_size);
	tag = root_tag(bytes);
	model_add(heap, array, scalar);
	verify_model(heap, array, 32, &size);
	model_add(heap, array, model_string(heap, filler, sizeof(filler)));
	model_add(heap, array, scalar);
	verify_model(heap, array, 1, &size);
	model_put(heap, object, "key", 3, scalar);
	model_put(heap, object, "k", 1, array);
	verify_model(heap, object, 32, &size);
	return tag;
}

static void
strings(void)
{
	static const uint32_t sizes[] = {0, 1, 29, 30, 31, 32, 254, 255, 256, 257,
	65534, 65535, 65536, 65537, 0xFFFFF0, 0x1000010};
	static char text[0x1000010];
	size_t		i;

	for (i = 0; i < sizeof(text); i++)
		text[i] = (char) (i * 7 + i / 256);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		Heap		heap;

		heap_open(&heap);
		tap_context("string of %" PRIu32 " bytes", sizes[i]);
		CHECK_EQ(verify_scalar(model_string(&heap, text, sizes[i]), &heap, sizes[i]), 1);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

static void
verify_integer(int64_t value)
{
	uint32_t	size = 1;
	Heap		heap;

	while (size < 8 && (value >= (int64_t) 1 << (8 * size - 1)
						|| value < -((int64_t) 1 << (8 * size - 1))))
		size++;
	if (value >= 0 && value <= 28)
		size = 0;
	heap_open(&heap);
	tap_context("integer %" PRId64, value);
	CHECK_EQ(verify_scalar(model_int(&heap, value), &heap, size), size == 0 ? 0 : 2);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
integers(void)
{
	int			bits;
	int64_t		value;

	for (value = -40; value <= 300; value++)
		verify_integer(value);
	for (bits = 7; bits < 64; bits++)
	{
		value = (int64_t) (((uint64_t) 1 << bits) - 1);
		verify_integer(value);
		verify_integer(value - 1);
		verify_integer(-value);
		verify_integer(-value - 1);
		if (bits < 63)
		{
			verify_integer(value + 1);
			verify_integer(-value - 2);
		}
	}
}

static void
decimals(void)
{
	static const int64_t mantissas[] = {0, 1, -1, 28, 127, 128, -128, -129, 32767, 32768,
	INT64_C(0x7FFFFFFF), INT64_C(0x80000000), INT64_MAX, INT64_MIN};
	static const uint32_t sizes[] = {0, 1, 1, 1, 1, 2, 1, 2, 2, 3, 4, 5, 8, 8};
	static const uint8_t scales[] = {1, 2, 127, 128, 255};
	size_t		i;
	size_t		j;

	for (i = 0; i < sizeof(mantissas) / sizeof(mantissas[0]); i++)
		for (j = 0; j < sizeof(scales); j++)
		{
			Heap		heap;

			heap_open(&heap);
			tap_context("decimal %" PRId64 " scale %u", mantissas[i], scales[j]);
			CHECK_EQ(verify_scalar(model_decimal(&heap, mantissas[i], scales[j]),
								   &heap, 1 + sizes[i]), 3);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

static void
decimal_of_scale_zero(void)
{
	Heap		heap;
	ColjBuilder b;
	uint32_t	size;
	uint8_t		bytes[8];

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	colj_builder_decimal(&b, 1000, 0);
	CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK);
	CHECK_EQ(size, 5);
	colj_builder_write(&b, bytes);
	CHECK_BYTES(bytes, 5, "\x10\x1F\x40\xE8\x03", 5);
	colj_builder_free(&b);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
bignums(void)
{
	static const char *const texts[] = {"0", "9223372036854775808", "-9223372036854775809",
		"1e30", "-1e-300", "1e-16383", "1e131071", "123456789012345678901234567890.5",
		"0.00000000000000000000000000000000000000012345678901234567890123",
		"99999999999999999999999999999999999999999999999999999999999999999999999999999",
	"-1e131071"};
	size_t		i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
	{
		Heap		heap;
		Model	   *model;
		const uint8_t *bytes;

		heap_open(&heap);
		tap_context("%.40s", texts[i]);
		model = model_new(&heap, COLJ_BIGNUM);
		CHECK(heap_bignum(&heap, texts[i], (uint32_t) strlen(texts[i]), &bytes, &model->len));
		model->bytes = (const char *) bytes;
		CHECK_EQ(verify_scalar(model, &heap, model->len), 4);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* The most digits a numeric can have: 131072 before the point, 16383 after. */
static void
longest_bignum(void)
{
	static char text[131072 + 1 + 16383];
	Heap		heap;
	Model	   *model;
	const uint8_t *bytes;

	memset(text, '9', sizeof(text));
	text[131072] = '.';
	heap_open(&heap);
	model = model_new(&heap, COLJ_BIGNUM);
	CHECK(heap_bignum(&heap, text, sizeof(text), &bytes, &model->len));
	model->bytes = (const char *) bytes;
	CHECK_EQ(model->len, 8 + 2 * (32768 + 4096));
	CHECK_EQ(bytes[0], 0x90);
	verify_scalar(model, &heap, model->len);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
literals(void)
{
	Heap		heap;
	Model	   *model;

	heap_open(&heap);
	CHECK_EQ(verify_scalar(model_new(&heap, COLJ_NULL), &heap, 0), 0);
	CHECK_EQ(verify_scalar(model_new(&heap, COLJ_BOOL), &heap, 0), 0);
	model = model_new(&heap, COLJ_BOOL);
	model->integer = 1;
	CHECK_EQ(verify_scalar(model, &heap, 0), 0);
	CHECK_EQ(heap_close(&heap), 0);
}

/* What is no container has no children. */
static void
scalars_as_containers(void)
{
	ColjDoc		doc;
	ColjValue	out;
	uint32_t	n;

	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F\x40\x64", 4), COLJ_OK);
	CHECK_EQ(doc.root.kind, COLJ_INT);
	CHECK_EQ(doc.root.integer, 100);
	CHECK_EQ(colj_get_key(&doc, &doc.root, "a", 1, &out), COLJ_ABSENT);
	CHECK_EQ(colj_get_index(&doc, &doc.root, 0, &out), COLJ_ABSENT);
	CHECK_EQ(colj_count(&doc, &doc.root, &n), COLJ_ABSENT);
	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F\xA0\x02\x03", 5), COLJ_OK);
	CHECK_EQ(colj_get_key(&doc, &doc.root, "", 0, &out), COLJ_ABSENT);
	CHECK_EQ(colj_get_index(&doc, &doc.root, 0, &out), COLJ_OK);
	CHECK_EQ(out.kind, COLJ_INT);
	CHECK_EQ(out.integer, 0);
}

int
main(void)
{
	tap_case("scalars: null, false, true", literals);
	tap_case("scalars: strings of 0 bytes to 16 MB", strings);
	tap_case("scalars: integers at every boundary", integers);
	tap_case("scalars: decimals", decimals);
	tap_case("scalars: a decimal of scale 0 is an integer", decimal_of_scale_zero);
	tap_case("scalars: big numbers", bignums);
	tap_case("scalars: the longest number", longest_bignum);
	tap_case("scalars: they have no children", scalars_as_containers);
	return tap_done();
}
