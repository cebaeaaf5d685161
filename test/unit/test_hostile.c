/*-------------------------------------------------------------------------
 *
 * test_hostile.c
 *	  Bytes that are no documents, or nearly: never a crash, and a verdict.
 *
 * The verdict is the reference decoder's: the checker accepts exactly what
 * the README allows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"
#include "golden.h"
#include "model.h"
#include "tap.h"

/* Exercise a copy of exactly this size, so that every over-read is seen. */
static bool
exercise(const uint8_t *bytes, uint32_t size)
{
	uint8_t    *copy = malloc(size > 0 ? size : 1);
	const char *wrong;
	bool		accepted;

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, size);
	wrong = exercise_bytes(copy, size, &accepted);
	free(copy);
	if (wrong != NULL)
		tap_fail(__FILE__, __LINE__, "wrong: %s", wrong);
	return accepted;
}

static void
golden_accepted(void)
{
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, golden_documents[i].hex, &size);
		tap_context("%.60s", golden_documents[i].json);
		CHECK(exercise(bytes, size));
		heap_close(&heap);
	}
}

static void
every_truncation(void)
{
	uint32_t	i;
	uint32_t	len;

	for (i = 0; i < golden_count; i++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, golden_documents[i].hex, &size);
		for (len = 0; len < size; len++)
		{
			tap_context("%.60s, %" PRIu32 " bytes", golden_documents[i].json, len);
			exercise(bytes, len);
		}
		heap_close(&heap);
	}
}

/* Every byte of a golden document in turn becomes every other value. */
static void
corrupt_document(const Golden *golden)
{
	Heap		heap;
	uint32_t	size;
	uint8_t    *bytes;
	uint32_t	at;
	unsigned	value;

	heap_open(&heap);
	bytes = golden_bytes(&heap, golden->hex, &size);
	for (at = 0; at < size && at < 120 && tap_failures() == 0; at++)
	{
		uint8_t		right = bytes[at];

		for (value = 0; value < 256; value++)
		{
			if (value == right)
				continue;
			tap_context("%.60s, byte %" PRIu32 " = %02x", golden->json, at, value);
			bytes[at] = (uint8_t) value;
			exercise(bytes, size);
		}
		bytes[at] = right;
	}
	heap_close(&heap);
}

static void
every_corruption(void)
{
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
		corrupt_document(&golden_documents[i]);
}

/* A byte more, of any value, at any place. */
static void
every_insertion(void)
{
	static const uint8_t values[] = {0x00, 0x01, 0x03, 0x1F, 0x20, 0x7F, 0x80, 0xFF};
	uint32_t	i;
	uint32_t	at;
	size_t		v;

	for (i = 0; i < golden_count; i++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;
		uint8_t    *longer;

		heap_open(&heap);
		bytes = golden_bytes(&heap, golden_documents[i].hex, &size);
		longer = heap_lend(&heap, size + 1);
		for (at = 0; at <= size && at < 120; at++)
			for (v = 0; v < sizeof(values); v++)
			{
				tap_context("%.60s, %02x inserted at %" PRIu32,
							golden_documents[i].json, values[v], at);
				memcpy(longer, bytes, at);
				longer[at] = values[v];
				memcpy(longer + at + 1, bytes + at, size - at);
				exercise(longer, size + 1);
			}
		heap_close(&heap);
	}
}

/* Several bytes at once, at random, in all golden documents. */
static void
random_corruption(void)
{
	Random		random = {.state = 0x123456789ABCDEF};
	uint32_t	round;

	for (round = 0; round < 8000 && tap_failures() == 0; round++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;
		uint32_t	flips = 2 + random_below(&random, 3);

		heap_open(&heap);
		tap_context("round %" PRIu32, round);
		bytes = golden_bytes(&heap, golden_documents[random_below(&random, golden_count)].hex, &size);
		while (flips-- > 0)
			bytes[random_below(&random, size)] = (uint8_t) random_below(&random, 256);
		bytes[0] = (uint8_t) (0x10 | (bytes[0] & 1));
		exercise(bytes, size);
		heap_close(&heap);
	}
}

/* Bytes in hexadecimal, and whether they are a document. */
typedef struct Example
{
	const char *name;
	const char *hex;
} Example;

static bool
accepts(const Example *example)
{
	Heap		heap;
	uint32_t	size;
	uint8_t    *bytes;
	bool		accepted;

	heap_open(&heap);
	bytes = golden_bytes(&heap, example->hex, &size);
	tap_context("%s", example->name);
	accepted = exercise(bytes, size);
	heap_close(&heap);
	return accepted;
}

/* What the encoder does not write, but readers must take. */
static void
valid_variants(void)
{
	static const Example examples[] = {
		{"integer with more bytes than needed", "101f 40 0100000000000000"},
		{"small integer that is no literal", "101f 40 05"},
		{"decimal of scale 0", "101f 60 00 64"},
		{"decimal without mantissa", "101f 60 05"},
		{"decimal with a long zero", "101f 60 05 0000000000000000"},
		{"big number that would fit an integer", "101f 80 0001 0000 0000 0000 0005"},
		{"big number of no digits", "101f 80 0000 0000 0000 0003"},
		{"negative zero among big numbers", "101f 80 0000 0000 4000 0000"},
		{"big number with leading and trailing zeros", "101f 80 0003 0001 0000 0000 0000 0005 0000"},
		{"overlong count", "101f a0 8200 04"},
		{"array of one entry of one length where entries would be shorter",
		"101f a0 05 48 0100000000000000 0200000000000000"},
		{"empty array of one entry", "101f a0 01 41"},
		{"empty array of one literal", "101f a0 01 00"},
		{"general array of equal values", "101f a0 04 4141 1e1f"},
		{"big value of one byte", "101f a0 02 3f 01 78"},
		{"big value of no bytes", "101f a0 02 3f 00"},
		{"body of 256 bytes, for which ends take 2", "101f a0 02 3f fc00 78*252"},
		{"body of 65536 bytes, for which ends take 3", "101f a0 02 3f fbff00 78*65531"},
		{"small value beside it", "101f a0 04 3f21 01 79 78"},
		{"run of keys in the long form", "101f c0 01 000101 61 03"},
		{"a long run in the long form, overlong", "101f c0 01 00818000 8100 61 03"},
		{"shape table without shapes", "111f 00 00 00"},
		{"shape that nothing uses", "111f 01 03 03 011161 00"},
		{"shape that one object uses", "111f 01 03 03 011161 e0 00 03"},
		{"two equal shapes", "111f 02 06 0306 011161 011161 e0 01 03"},
		{"shape without keys", "111f 01 01 01 00 e0 00"},
		{"shape named by an overlong number", "111f 01 03 03 011161 e0 8000 03"},
		{"32 equal literals", "101f a0 41 00"},
		{"32 empty strings", "101f a0 41 20"},
	};
	size_t		i;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		CHECK(accepts(&examples[i]));
}

/* Each breaks one rule. */
static void
invalid_variants(void)
{
	static const Example examples[] = {
		{"no bytes", ""},
		{"one byte", "10"},
		{"no root", "101f"},
		{"bytes after a literal", "101f 00 00"},
		{"length in the root's entry", "101f 41 05"},
		{"big root", "101f 3f 05"},
		{"integer of no bytes", "101f 40"},
		{"integer of nine bytes", "101f 40 000000000000000000"},
		{"decimal of no bytes", "101f 60"},
		{"decimal of ten bytes", "101f 60 01000000000000000000"},
		{"big number too short", "101f 80 0000 0000 0000 00"},
		{"big number with a byte too many", "101f 80 0000 0000 0000 0000 00"},
		{"big number with a digit too few", "101f 80 0002 0000 0000 0000 0005"},
		{"big number with a digit too many", "101f 80 0000 0000 0000 0000 0005"},
		{"big number with a digit of 10000", "101f 80 0001 0000 0000 0000 2710"},
		{"big number that is none", "101f 80 0000 0000 c000 0000"},
		{"big number that is infinite", "101f 80 0000 0000 d000 0000"},
		{"big number with a scale of 16384", "101f 80 0000 0000 0000 4000"},
		{"array without count", "101f a0"},
		{"array without entries", "101f a0 04"},
		{"array with a byte too many", "101f a0 02 03 00"},
		{"array with a small value too short", "101f a0 02 22 61"},
		{"array of one entry, big", "101f a0 03 3f"},
		{"array of one entry, too short", "101f a0 07 41 0102"},
		{"array of one entry, too long", "101f a0 05 41 010203"},
		{"array of one entry without it", "101f a0 01"},
		{"array of one entry, integers without bytes", "101f a0 05 40"},
		{"array of one entry, arrays without bytes", "101f a0 05 a0"},
		{"empty array of one big entry", "101f a0 01 3f"},
		{"empty array of one entry with bytes", "101f a0 01 41 00"},
		{"33 equal literals", "101f a0 43 00"},
		{"33 empty strings", "101f a0 43 20"},
		{"billions of literals", "101f a0 ffffffff0f 00"},
		{"ends out of order", "101f a0 04 3f3f 0201 6161"},
		{"end beyond the body", "101f a0 02 3f 02 61"},
		{"last end before the body's end", "101f a0 02 3f 01 6161"},
		{"ends cut off", "101f a0 04 3f3f 01"},
		{"anchor with a wrong offset", "1000 a0 04 4103 0200 1e"},
		{"anchor with a wrong rank", "1000 a0 04 4103 0101 1e"},
		{"anchor missing", "1000 a0 04 0303"},
		{"anchor too many", "1001 a0 04 0303 0000"},
		{"keys out of order", "101f c0 02 12 6261 0303"},
		{"keys out of order by length", "101f c0 02 2101 616162 0303"},
		{"equal keys", "101f c0 02 12 6161 0303"},
		{"two empty keys", "101f c0 02 02 0303"},
		{"one length in two runs", "101f c0 02 1101 6162 0303"},
		{"one length in two runs, long form", "101f c0 02 11 000001 6162 0303"},
		{"run of no keys", "101f c0 01 10 61 03"},
		{"run of no keys, long form", "101f c0 01 000100 61 03"},
		{"run of more keys than there are", "101f c0 01 12 6162 03"},
		{"keys cut off", "101f c0 02 22 616162"},
		{"run of four thousand million keys", "101f c0 ffffffff0f 0000ffffffff0f"},
		{"key of a thousand million bytes", "101f c0 01 00ffffffff0301 61 03"},
		{"lengths of keys that overflow", "101f c0 02 00ffffffff0f01 00ffffffff0f01 61 03"},
		{"object of a shape without a table", "101f e0 00 03"},
		{"object of a shape that is not there", "111f 01 03 03 011161 e0 01 03"},
		{"flag for a shape table that is not there", "111f 00"},
		{"shape that is too long for the table", "111f 01 03 04 01116161 00"},
		{"shape with a byte too many", "111f 01 04 04 01116100 00"},
		{"shape with a byte too few", "111f 01 02 02 0111 00"},
		{"bytes between shapes and value", "111f 01 04 03 01116100 00"},
		{"shapes out of order", "111f 02 06 0603 011161 011162 00"},
		{"shape table of bytes without shapes", "111f 00 01 61 00"},
		{"shape with keys out of order", "111f 01 04 04 02126261 00"},
		{"shape with one length in two runs", "111f 01 05 05 0211016162 00"},
		{"more shapes than bytes", "111f ffffffff0f 00 00"},
		{"shape table longer than the document", "111f 01 ffffffff0f 03 011161 00"},
		{"count of 33 bits", "101f a0 ffffffff1f 03"},
		{"count of six bytes", "101f a0 808080808000"},
	};
	size_t		i;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		CHECK(!accepts(&examples[i]));
}

/* Readers notice what they come upon, without the checker. */
static void
unchecked_children(void)
{
	static const struct
	{
		const char *hex;
		uint32_t	child;
	}			cases[] = {
		/* ends that decrease; an end beyond the body */
		{"101f a0 04 3f3f 0201 6161", 1},
		{"101f a0 04 3f3f 0003 0100 78*300", 1},
		{"101f a0 02 3f 02 61", 0},
		/* an anchor that counts more big values than there are */
		{"1000 a0 06 3f3f3f 0003 0002 010203 036161", 1},
		/* an anchor behind all small values, and behind the body */
		{"1000 a0 06 212121 0300 0200 616263", 1},
		{"1000 a0 06 212121 ff00 0200 616263", 1},
		/* an anchor that lets a small value run into the big ones */
		{"1000 a0 06 21213f 0200 0200 01 6162 63", 1},
	};
	size_t		i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		Heap		heap;
		ColjDoc		doc;
		ColjValue	out;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, cases[i].hex, &size);
		tap_context("%s", cases[i].hex);
		CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
		CHECK_EQ(colj_get_index(&doc, &doc.root, cases[i].child, &out), COLJ_CORRUPT);
		CHECK(doc.problem != NULL);
		heap_close(&heap);
	}
}

/* Containers that go on in the bytes of the value behind them. */
static void
unchecked_ends(void)
{
	static const char *const cases[] = {
		/* no count; no runs; no keys; no entries */
		"101f a0 04 a021 00", "101f a0 04 a021 04", "101f a0 04 c023 011161 04",
		"101f a0 04 c123 01 116104", "101f a0 04 c222 0111 6104", "101f a0 04 c321 011161 04",
		"101f a0 04 a121 04 05",
		/* an entry without its value */
		"101f a0 04 a322 0223 61 6161",
		/* a shared entry: none; a long one; without its values; of too many */
		"101f a0 04 a122 05 2161", "101f a0 04 a322 053f 61 6161", "101f a0 04 a524 0523 616161 61616161",
	"101f a0 04 a222 4300 6161"};
	size_t		i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		Heap		heap;
		ColjDoc		doc;
		ColjValue	child;
		ColjValue	out;
		ColjContainer c;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, cases[i], &size);
		tap_context("%s", cases[i]);
		CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
		CHECK_EQ(colj_get_index(&doc, &doc.root, 0, &child), COLJ_OK);
		CHECK_EQ(colj_container_open(&doc, &child, &c), COLJ_CORRUPT);
		CHECK_EQ(colj_get_index(&doc, &child, 0, &out), COLJ_CORRUPT);
		if (child.kind == COLJ_OBJECT)
			CHECK_EQ(colj_get_key(&doc, &child, "a", 1, &out), COLJ_CORRUPT);
		CHECK(doc.problem != NULL);
		heap_close(&heap);
	}
}

/* A shape beyond the last, where the bytes after the table would make one. */
static void
unchecked_shape(void)
{
	Heap		heap;
	ColjDoc		doc;
	ColjValue	out;
	uint32_t	size;
	uint32_t	n;
	uint8_t    *bytes;

	heap_open(&heap);
	bytes = golden_bytes(&heap, "111f 01 03 00 030300 e0 01 040404", &size);
	CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK);
	CHECK_EQ(colj_count(&doc, &doc.root, &n), COLJ_CORRUPT);
	CHECK(doc.problem != NULL);
	CHECK_EQ(colj_get_key(&doc, &doc.root, "", 0, &out), COLJ_CORRUPT);
	heap_close(&heap);
}

static void
versions_and_flags(void)
{
	unsigned	first;

	for (first = 0; first < 256; first++)
	{
		uint8_t		bytes[] = {(uint8_t) first, 31, 0, 0, 0};
		ColjDoc		doc;
		ColjStatus	expected = first == 0x10 || first == 0x11 ? COLJ_OK : COLJ_BAD_VERSION;

		tap_context("first byte %02x", first);
		CHECK_EQ(colj_open_bytes(&doc, bytes, first == 0x11 ? 5 : 3), expected);
		if (expected != COLJ_OK)
			CHECK(doc.problem != NULL);
		exercise(bytes, first == 0x11 ? 5 : 3);
	}
}

static void
every_stride(void)
{
	unsigned	stride;

	for (stride = 0; stride < 256; stride++)
	{
		uint8_t		bytes[] = {0x10, (uint8_t) stride, 0};
		ColjDoc		doc;

		CHECK_EQ(colj_open_bytes(&doc, bytes, 3), COLJ_OK);
		CHECK_EQ(doc.stride, stride + 1);
	}
}

static void
too_long(void)
{
	ColjDoc		doc;

	/* the bytes are not looked at */
	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F", (size_t) COLJ_MAX_SIZE + 1), COLJ_CORRUPT);
	CHECK(doc.problem != NULL);
	CHECK_EQ(colj_open_bytes(&doc, "\x10\x1F", SIZE_MAX), COLJ_CORRUPT);
}

int
main(void)
{
	tap_case("hostile: golden documents are accepted", golden_accepted);
	tap_case("hostile: what readers must take beyond what is written", valid_variants);
	tap_case("hostile: one rule broken at a time", invalid_variants);
	tap_case("hostile: readers that nobody has checked for", unchecked_children);
	tap_case("hostile: containers that go on behind their end", unchecked_ends);
	tap_case("hostile: a shape beyond the last", unchecked_shape);
	tap_case("hostile: versions and flags", versions_and_flags);
	tap_case("hostile: every stride", every_stride);
	tap_case("hostile: longer than a value can be", too_long);
	tap_case("hostile: every truncation of the golden documents", every_truncation);
	tap_case("hostile: every byte with every value", every_corruption);
	tap_case("hostile: every byte too many", every_insertion);
	tap_case("hostile: several bytes at random", random_corruption);
	return tap_done();
}
