/*-------------------------------------------------------------------------
 *
 * test_text.c
 *	  JSON text in and out, against the simple parser and printer of the model.
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

/* Parse exactly these bytes; the document's text, or NULL and the status. */
static char *
round_trip(Heap *heap, const char *json, size_t len, bool utf8, ColjStatus *status)
{
	ColjBuilder b;
	ColjDoc		doc;
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 24, .bignum = heap_print_bignum};
	char	   *copy = memcpy(heap_lend(heap, len), json, len);
	char	   *result = NULL;
	uint32_t	size;
	uint8_t    *bytes;

	colj_builder_init(&b, &heap->host);
	*status = colj_parse(&b, copy, len, utf8);
	if (*status == COLJ_OK && CHECK_EQ(colj_builder_finish(&b, 32, &size), COLJ_OK))
	{
		bytes = heap_lend(heap, size);
		colj_builder_write(&b, bytes);
		CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
		CHECK_EQ(colj_check_document(&doc, &heap->host), COLJ_OK);
		CHECK_EQ(colj_print(&text, &doc, &doc.root), COLJ_OK);
		result = heap_lend(heap, text.len + 1);
		memcpy(result, text.data, text.len);
		heap->host.resize(heap, text.data, 0);
	}
	colj_builder_free(&b);
	return result;
}

static void
expect(const char *json, const char *expected)
{
	Heap		heap;
	ColjStatus	status;
	char	   *text;

	heap_open(&heap);
	tap_context("%.80s", json);
	text = round_trip(&heap, json, strlen(json), true, &status);
	CHECK_EQ(status, COLJ_OK);
	if (text != NULL && strcmp(text, expected) != 0)
		tap_fail(__FILE__, __LINE__, "%.80s, expected %.80s", text, expected);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
refuse(const char *json, size_t len, bool utf8)
{
	Heap		heap;
	ColjStatus	status;

	heap_open(&heap);
	tap_context("%.80s", json);
	round_trip(&heap, json, len, utf8, &status);
	CHECK_EQ(status, COLJ_UNUSUAL);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
values(void)
{
	expect(" null ", "null");
	expect("\n[ true\t,false\r,null]", "[true, false, null]");
	expect("{}", "{}");
	expect("[]", "[]");
	expect("{\"b\":1,\"a\":[{}],\"b\":2}", "{\"a\": [{}], \"b\": 2}");
	expect("[[[[[[[[[[[[1]]]]]]]]]]]]", "[[[[[[[[[[[[1]]]]]]]]]]]]");
	expect("[        1        ,                 2                   ]", "[1, 2]");
}

static void
numbers(void)
{
	expect("[0, -0, 0.0, -0.0, 0e5, 0.00e1, 0e-3, -0e1]",
		   "[0, 0, 0.0, 0.0, 0, 0.0, 0.000, 0]");
	expect("[1e2, 1E+2, 1.5e1, 1.50e1, 1e-2, 12.5e-3, 100e-2]",
		   "[100, 100, 15, 15.0, 0.01, 0.0125, 1.00]");
	expect("[9223372036854775807, -9223372036854775808, 9223372036854775808,"
		   " -9223372036854775809, 18446744073709551615, 18446744073709551616]",
		   "[9223372036854775807, -9223372036854775808, 9223372036854775808,"
		   " -9223372036854775809, 18446744073709551615, 18446744073709551616]");
	expect("[0.9223372036854775807, 0.9223372036854775808, -922337203685477580.8,"
		   " -922337203685477580.9]",
		   "[0.9223372036854775807, 0.9223372036854775808, -922337203685477580.8,"
		   " -922337203685477580.9]");
	expect("[1.000000000000000000, 1.0000000000000000000, 0.00000000000000000000001]",
		   "[1.000000000000000000, 1.0000000000000000000, 0.00000000000000000000001]");
	expect("[1e18, 1e19, 9e18, 92e17, 93e17]",
		   "[1000000000000000000, 10000000000000000000, 9000000000000000000,"
		   " 9200000000000000000, 9300000000000000000]");
	expect("123456789012345678901234567890.123456789012345678901234567890",
		   "123456789012345678901234567890.123456789012345678901234567890");
	expect("1e-5", "0.00001");

	/*
	 * exponents that the parser leaves to the host, of numbers that it need
	 * not
	 */
	expect("[0e10000, -0.0e20000, 0.00e99999]", "[0, 0, 0]");
}

/* Scale 255 is a decimal's last; 256 takes a big number. */
static void
long_scales(void)
{
	char		json[400];
	int			scale;

	for (scale = 250; scale <= 260; scale++)
	{
		memset(json, '0', sizeof(json));
		json[1] = '.';
		json[1 + scale] = '7';
		json[2 + scale] = '\0';
		expect(json, json);
		json[0] = '4';
		expect(json, json);
	}
}

static void
strings(void)
{
	expect("\"\"", "\"\"");
	expect("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
	expect("\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\u0001\\u001f\\u007f\"",
		   "\"A\303\251\342\202\254\360\237\230\200\\u0001\\u001f\177\"");
	expect("\"a plain text \\n with an escape in it, and more after it\"",
		   "\"a plain text \\n with an escape in it, and more after it\"");
	expect("{\"k\\u0065y\": \"v\", \"key\": \"w\"}", "{\"key\": \"w\"}");
	expect("\"\303\251\\n\303\251\"", "\"\303\251\\n\303\251\"");
}

/* An escape at every place, beside strings of every length. */
static void
escapes_at_every_place(void)
{
	char		json[64];
	int			len;
	int			at;

	for (len = 0; len < 40; len++)
		for (at = 0; at <= len; at++)
		{
			memset(json, 'x', sizeof(json));
			json[0] = '"';
			memcpy(json + 1 + at, at % 3 == 0 ? "\\n" : at % 3 == 1 ? "\\\"" : "\\\\", 2);
			json[3 + len] = '"';
			json[4 + len] = '\0';
			expect(json, json);
		}
}

static void
refused(void)
{
	static const char *const texts[] = {"", " ", "nul", "nulll", "tru", "True", "[1,]", "[,1]", "[1 2]",
		"{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "{\"a\" 1}", "[", "]", "{", "}", "[1", "{\"a\":1",
		"[1}", "{\"a\":1]", "1 2", "[] []", "\"", "\"a", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u00g0\"",
		"\"\\u0000\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ud83d\\ud83d\"", "\"\\ud83d\\ue000\"", "\"\\ud83d\\uffff\"",
		"01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+", "1e-", "0x10", "--1", "1e5.5", "NaN", "Infinity",
		"\"\n\"", "\"\t\"", "\"\001\"", "'a'", "[1]x", "/**/1", "\v1", "\f1", "[1\v]", "\357\273\2771",
	"1e1000000", "1e-1000000", "1e131072"};
	size_t		i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refuse(texts[i], strlen(texts[i]), true);
	refuse("1\0", 2, true);
	refuse("\"\0\"", 3, true);
	refuse("[\0]", 3, true);
}

/* In other encodings an escape of a character beyond ASCII is core's matter. */
static void
other_encodings(void)
{
	Heap		heap;
	ColjStatus	status;
	char	   *text;

	heap_open(&heap);
	text = round_trip(&heap, "\"\351\\u0041\"", 9, false, &status);
	CHECK_EQ(status, COLJ_OK);
	CHECK(text != NULL && strcmp(text, "\"\351A\"") == 0);
	CHECK_EQ(heap_close(&heap), 0);
	refuse("\"\\u00e9\"", 8, false);
	refuse("\"\\ud83d\\ude00\"", 14, false);
}

static char *
nested(Heap *heap, int depth)
{
	char	   *json = heap_lend(heap, (size_t) depth * 2 + 1);

	memset(json, '[', (size_t) depth);
	memset(json + depth, ']', (size_t) depth);
	return json;
}

static void
depth_limit(void)
{
	Heap		heap;
	ColjStatus	status;
	char	   *text;
	char	   *json;

	heap_open(&heap);
	json = nested(&heap, COLJ_PARSE_DEPTH_MAX);
	text = round_trip(&heap, json, strlen(json), true, &status);
	CHECK_EQ(status, COLJ_OK);
	CHECK(text != NULL && strcmp(text, json) == 0);
	json = nested(&heap, COLJ_PARSE_DEPTH_MAX + 1);
	round_trip(&heap, json, strlen(json), true, &status);
	CHECK_EQ(status, COLJ_UNUSUAL);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Every prefix of a text: only the whole is JSON. */
static void
prefixes(void)
{
	static const char json[] = "{\"key\": [1.5e3, -2, \"a\\u00e9\\ud83d\\ude00\\n\", true, null, {}], \"\": false}";
	size_t		len;

	for (len = 0; len < sizeof(json) - 1; len++)
		refuse(json, len, true);
	expect(json, "{\"\": false, \"key\": [1500, -2, \"a\303\251\360\237\230\200\\n\", true, null, {}]}");
}

/* The text's limit is exact. */
static void
text_limit(void)
{
	static const char expected[] = "{\"a\": [1, \"tw\\n\", 3.00]}";
	Heap		heap;
	ColjDoc		doc;
	uint32_t	size;
	const uint8_t *bytes;
	size_t		max;

	heap_open(&heap);
	bytes = verify_model(&heap, model_parse(&heap, expected), 32, &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	for (max = 0; max <= strlen(expected); max++)
	{
		ColjText	text = {.host = &heap.host, .max = max};

		tap_context("at most %zu", max);
		CHECK_EQ(colj_print(&text, &doc, &doc.root),
				 max < strlen(expected) ? COLJ_TOO_LARGE : COLJ_OK);
		CHECK(text.len <= max);
		if (max == strlen(expected))
			CHECK_BYTES(text.data, text.len, expected, strlen(expected));
		if (text.data != NULL)
			heap.host.resize(&heap, text.data, 0);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

static void
number_text(void)
{
	static const int64_t mantissas[] = {0, 1, -1, 9, 10, 99, 100, -12345, 999999999, 1000000000,
	INT64_MAX, INT64_MIN};
	static const uint32_t scales[] = {0, 1, 2, 3, 18, 19, 20, 254, 255};
	size_t		i;
	size_t		j;

	for (i = 0; i < sizeof(mantissas) / sizeof(mantissas[0]); i++)
		for (j = 0; j < sizeof(scales) / sizeof(scales[0]); j++)
		{
			Heap		heap;
			char	   *out;
			char	   *expected;
			uint32_t	len;

			heap_open(&heap);
			tap_context("%" PRId64 " scale %" PRIu32, mantissas[i], scales[j]);
			out = heap_lend(&heap, COLJ_NUMBER_TEXT_MAX);
			expected = model_print(&heap, model_decimal(&heap, mantissas[i], (uint8_t) scales[j]));
			len = colj_number_text(mantissas[i], scales[j], out);
			CHECK_BYTES(out, len, expected, strlen(expected));
			heap_close(&heap);
		}
}

/* Random documents as text, parsed by both parsers. */
static void
random_texts(void)
{
	static const RandomSpec spec = {60, 6, 60};
	Random		random = {.state = 987654321};
	int			round;

	for (round = 0; round < 3000 && tap_failures() == 0; round++)
	{
		Heap		heap;
		Model	   *model;
		char	   *json;
		char	   *text;
		ColjStatus	status;

		heap_open(&heap);
		model = model_random(&heap, &random, &spec);
		model_normalize(model);
		json = model_print(&heap, model);
		tap_context("round %d: %.100s", round, json);
		text = round_trip(&heap, json, strlen(json), true, &status);
		CHECK_EQ(status, COLJ_OK);
		CHECK(text != NULL && strcmp(text, json) == 0);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

int
main(void)
{
	tap_case("text: values and white space", values);
	tap_case("text: numbers", numbers);
	tap_case("text: numbers with long scales", long_scales);
	tap_case("text: strings", strings);
	tap_case("text: an escape at every place", escapes_at_every_place);
	tap_case("text: what is left to core's parser", refused);
	tap_case("text: encodings other than UTF-8", other_encodings);
	tap_case("text: depth of nesting", depth_limit);
	tap_case("text: every prefix of a text", prefixes);
	tap_case("text: the limit of a printed text", text_limit);
	tap_case("text: numbers alone", number_text);
	tap_case("text: random documents", random_texts);
	return tap_done();
}
