/*-------------------------------------------------------------------------
 *
 * test_vector_strings.c
 *	  Vectors of strings: every encoding at its edges, and hostile ones.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "stripe/vector.h"
#include "stripes.h"
#include "tap.h"

static Purse purse;
static ColjVectorWork *work;

/* Strings that are being collected. */
typedef struct List
{
	uint32_t	n;
	uint32_t	ends[COLJ_VECTOR_ROWS_MAX];
	ColjSink	data;
} List;

static void
list_open(List *list)
{
	list->n = 0;
	list->data = (ColjSink){.host = &purse.host};
}

static void
list_add(List *list, const void *bytes, size_t len)
{
	colj_sink_bytes(&list->data, bytes, len);
	list->ends[list->n++] = (uint32_t) list->data.len;
}

static ColjStrings
list_strings(const List *list)
{
	return (ColjStrings)
	{
		list->n, list->ends, list->data.data == NULL ? "" : (const char *) list->data.data
	};
}

static ColjStatus
decode(const uint8_t *bytes, size_t len, uint32_t n, size_t max, ColjStrings *strings)
{
	uint8_t    *exact = malloc(len > 0 ? len : 1);
	const char *problem = "unset";
	ColjStatus	status;

	if (len > 0)
		memcpy(exact, bytes, len);
	status = colj_decode_strings(work, exact, len, n, max, strings, &problem);
	CHECK_EQ(status == COLJ_CORRUPT, problem != NULL);
	CHECK(status == COLJ_OK || strings->ends == NULL);
	free(exact);
	return status;
}

/* Decoded strings are those of the list. */
static void
compare(const List *list, const ColjStrings *back)
{
	CHECK_EQ(back->n, list->n);
	if (list->n == 0)
		return;
	CHECK(memcmp(back->ends, list->ends, list->n * sizeof(uint32_t)) == 0);
	CHECK_BYTES(back->data, back->ends[back->n - 1], list->data.data, list->data.len);
}

static size_t
round_trip(ColjCodec codec, const List *list, const char **name)
{
	ColjSink	sink = {.host = &purse.host};
	ColjStrings strings = list_strings(list);
	ColjStrings back;
	size_t		size;

	CHECK_EQ(colj_encode_strings(work, codec, &strings, &sink), COLJ_OK);
	if (CHECK_EQ(decode(sink.data, sink.len, list->n, list->data.len, &back), COLJ_OK))
		compare(list, &back);
	colj_strings_free(&purse.host, &back);
	if (list->n > 0)
	{
		CHECK_EQ(decode(sink.data, sink.len - 1, list->n, list->data.len, &back), COLJ_CORRUPT);
		if (list->data.len > 0)
			CHECK_EQ(decode(sink.data, sink.len, list->n, list->data.len - 1, &back), COLJ_CORRUPT);
	}
	if (name != NULL)
		*name = colj_strings_encoding(sink.data, sink.len);
	size = sink.len;
	colj_sink_free(&sink);
	return size;
}

/* A list's string i. */
static uint32_t
make_string(uint32_t kind, uint32_t i, Random *random, char *text)
{
	uint32_t	len = 0;

	switch (kind)
	{
		case 0:
			return 0;
		case 1:
			return (uint32_t) sprintf(text, "always the same");
		case 2:
			return (uint32_t) sprintf(text, "%u", (unsigned) i * 17);
		case 3:
			return (uint32_t) sprintf(text, "%s%u", i % 9 == 8 ? "0" : i % 5 == 4 ? "-" : "", (unsigned) i + 1);
		case 4:
			return (uint32_t) sprintf(text, "https://x.y/%u/end", (unsigned) random_below(random, 1000000));
		case 5:
			return (uint32_t) sprintf(text, "word %u", (unsigned) random_below(random, 40));
		case 6:
			for (len = 0; len < 20; len++)
				text[len] = "0123456789abcdef"[random_below(random, 16)];
			return len;
		case 7:
			return (uint32_t) sprintf(text, "2026-11-30T%02u:%02u:%02uZ", (unsigned) i / 3600 % 24, (unsigned) i / 60 % 60, (unsigned) i % 60);
		case 8:
			for (len = 0; len < random_below(random, 50); len++)
				text[len] = (char) random_below(random, 256);
			return len;
		case 9:
			for (len = 0; len < 3; len++)
				text[len] = (char) random_below(random, 256);
			return len;
		case 10:
			return i % 3 == 0 ? 0 : (uint32_t) sprintf(text, "ab%.*s", (int) (i % 7), "ababab");
		case 11:
			memset(text, 'x', 200);
			return 200;
		case 12:
			memset(text, 'a' + (int) (i % 23), 128);
			return 128;
		default:
			memset(text, (int) random_below(random, 250), 129);
			return 129;
	}
}

#define NKINDS 14

static void
make_list(List *list, uint32_t kind, uint32_t n)
{
	Random		random = {kind * 1000 + n + 1, NULL, 0};
	char		text[300];

	list_open(list);
	for (uint32_t i = 0; i < n; i++)
		list_add(list, text, make_string(kind, i, &random, text));
}

static void
patterns(void)
{
	static const uint32_t counts[] = {0, 1, 2, 3, 10, 100, 1000, 4095, 4096};
	static List list;

	for (uint32_t kind = 0; kind < NKINDS; kind++)
		for (uint32_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		{
			tap_context("pattern %" PRIu32 ", %" PRIu32 " strings", kind, counts[c]);
			make_list(&list, kind, counts[c]);
			round_trip(COLJ_CODEC_LIGHT, &list, NULL);
			round_trip(COLJ_CODEC_ZSTD, &list, NULL);
			colj_sink_free(&list.data);
		}
}

static bool
chosen(ColjCodec codec, uint32_t kind, uint32_t n, const char *expected)
{
	static List list;
	const char *name;

	make_list(&list, kind, n);
	round_trip(codec, &list, &name);
	colj_sink_free(&list.data);
	tap_context("%s", name);
	return strcmp(name, expected) == 0;
}

static void
choices(void)
{
	CHECK(chosen(COLJ_CODEC_LIGHT, 0, 4096, "constant"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 1, 2, "constant"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 2, 1000, "numbers"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 3, 1000, "plain"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 4, 1000, "affixes"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 5, 1000, "codes"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 6, 1000, "planes"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 8, 1000, "plain"));
	CHECK(chosen(COLJ_CODEC_ZSTD, 3, 1000, "zstd"));
	CHECK(chosen(COLJ_CODEC_ZSTD, 11, 1, "zstd"));
	CHECK(chosen(COLJ_CODEC_LIGHT, 11, 1, "constant"));
}

/* Which strings count as numbers: those that come back the same. */
static void
numbers(void)
{
	static const struct
	{
		const char *text;
		bool		number;
	}			cases[] = {
		{"0", true}, {"7", true}, {"-7", true}, {"10", true}, {"-0", false}, {"00", false}, {"07", false},
		{"", false}, {"-", false}, {"--1", false}, {"+1", false}, {"1 ", false}, {"1.0", false}, {"1e5", false},
		{"999999999999999999", true}, {"-999999999999999999", true}, {"1000000000000000000", false},
		{"-1000000000000000000", false}, {"9223372036854775807", false}, {"9223372036854775808", false},
	{"123456789012345678901234567890", false}, {":", false}, {"/", false}};
	static List list;

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		const char *name;

		tap_context("'%s'", cases[i].text);
		list_open(&list);
		list_add(&list, "5", 1);
		for (int repeat = 0; repeat < 3; repeat++)
			list_add(&list, cases[i].text, strlen(cases[i].text));
		list_add(&list, "-15", 3);
		round_trip(COLJ_CODEC_LIGHT, &list, &name);
		CHECK_EQ(strcmp(name, "numbers") == 0, cases[i].number);
		colj_sink_free(&list.data);
	}
}

/* Around the most distinct strings that are listed. */
static void
distinct_strings(void)
{
	static const uint32_t distinct[] = {1, 2, 3, 255, 256, 257, 1023, 1024, 1025, 2000};
	static List list;

	for (uint32_t d = 0; d < sizeof(distinct) / sizeof(distinct[0]); d++)
	{
		Random		random = {d + 1, NULL, 0};
		const char *name;

		list_open(&list);
		for (uint32_t i = 0; i < COLJ_VECTOR_ROWS_MAX; i++)
		{
			uint32_t	which = i < distinct[d] ? i : random_below(&random, distinct[d]);
			char		text[60];

			list_add(&list, text, (size_t) sprintf(text, "%.*s%u", (int) (which % 30), "abcdefghijklmnopqrstuvwxyzabcdefgh", (unsigned) which * 2654435761u));
		}
		tap_context("%" PRIu32 " distinct strings", distinct[d]);
		round_trip(COLJ_CODEC_ZSTD, &list, NULL);
		round_trip(COLJ_CODEC_LIGHT, &list, &name);
		if (distinct[d] > 1)
			CHECK_EQ(strcmp(name, "codes") == 0, distinct[d] <= 1024);
		colj_sink_free(&list.data);
	}
}

/* Planes of every number of distinct bytes. */
static void
planes(void)
{
	static List list;

	for (uint32_t bytes = 1; bytes <= 256; bytes += bytes < 20 ? 1 : 59)
		for (uint32_t n = 300; n < 310; n++)
		{
			list_open(&list);
			for (uint32_t i = 0; i < n; i++)
			{
				char		text[5] = {(char) (i % bytes), 'x', (char) (i * 7 % bytes), (char) (255 - i % bytes), (char) i};

				list_add(&list, text, sizeof(text));
			}
			round_trip(COLJ_CODEC_LIGHT, &list, NULL);
			round_trip(COLJ_CODEC_ZSTD, &list, NULL);
			colj_sink_free(&list.data);
		}
}

/* Bytes that are frozen: version 1 of stripes is made of these. */
typedef struct Frozen
{
	const char *hex;
	uint32_t	n;
	const char *strings[16];
	bool		written;		/* by this encoder: no libzstd in it, the best
								 * choice */
} Frozen;

static const Frozen frozen[] = {
	{"00 02 61 62", 3, {"ab", "ab", "ab"}, true},
	{"01 01 00 02 34 61 62 63 64", 3, {"", "a", "bcd"}, true},
	{"03 03 01 01 06 02 18 72 65 64 67 72 65 65 6e 62 6c 75 65 01 00 02 04 29 44", 12,
		{"red", "green", "red", "red", "green", "blue", "blue", "red", "red", "green", "red",
	"green"}, true},
	{"04 09 68 74 74 70 3a 2f 2f 78 2f 00 01 01 02 01 02 31 32 32 79", 3,
	{"http://x/1", "http://x/22", "http://x/y"}, true},
	{"05 01 05 3c 0d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 20 00 40 76 "
		"3a 6b 0b de", 4,
	{"10", "-3", "0", "999999999999999999"}, true},
	{"06 02 01 61 62 02 01 30 31 04", 3, {"a0", "b0", "a1"}, false},
	{"02 00 04 06 0f 28 b5 2f fd 20 06 31 00 00 61 62 63 64 65 66", 3,
	{"ab", "cd", "ef"}, false},
	{"07 02 06 0f 28 b5 2f fd 20 06 31 00 00 61 62 63 64 65 66", 3, {"ad", "be", "cf"}, false}
};

static void
frozen_bytes(void)
{
	static List list;
	Heap		heap;

	heap_open(&heap);
	for (uint32_t i = 0; i < sizeof(frozen) / sizeof(frozen[0]); i++)
	{
		ColjSink	sink = {.host = &purse.host};
		uint32_t	size;
		uint8_t    *bytes = golden_bytes(&heap, frozen[i].hex, &size);
		ColjStrings strings;
		ColjStrings back;

		tap_context("frozen vector %" PRIu32, i);
		list_open(&list);
		for (uint32_t s = 0; s < frozen[i].n; s++)
			list_add(&list, frozen[i].strings[s], strlen(frozen[i].strings[s]));
		strings = list_strings(&list);
		if (CHECK_EQ(decode(bytes, size, frozen[i].n, 1000, &back), COLJ_OK))
			compare(&list, &back);
		colj_strings_free(&purse.host, &back);
		if (frozen[i].written)
		{
			CHECK_EQ(colj_encode_strings(work, COLJ_CODEC_LIGHT, &strings, &sink), COLJ_OK);
			CHECK_BYTES(sink.data, sink.len, bytes, size);
		}
		colj_sink_free(&sink);
		colj_sink_free(&list.data);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* Bytes that no encoder writes, decoded as four strings of at most 1000 bytes. */
static void
wrong_bytes(void)
{
	static const struct
	{
		const char *hex;
		ColjStatus	status;
	}			cases[] = {
		{"", COLJ_CORRUPT},
		{"08 00", COLJ_CORRUPT},
		{"00 02 61 62", COLJ_OK},
		{"00 02 61", COLJ_CORRUPT},
		{"00 02 61 62 63", COLJ_CORRUPT},
		{"00 fb 01 61*251", COLJ_CORRUPT},	/* 1004 bytes */
		{"00 fa 01 61*250", COLJ_OK},
		{"00 ff ff ff ff ff 01", COLJ_CORRUPT},
		{"01 00 02 61 62 63 64", COLJ_OK},
		{"01 00 02 61 62 63", COLJ_CORRUPT},
		{"01 00 01 61 62 63 64", COLJ_CORRUPT}, /* lengths of -1 */
		{"01 00 80 80 80 80 80 80 80 01 61", COLJ_CORRUPT},
		{"02 00 02 04 04 61 62 63 64", COLJ_CORRUPT},	/* no frame */
		{"02 00 02 05 00", COLJ_CORRUPT},	/* another size */
		{"02 00 00 00 00", COLJ_OK},	/* a frame of no bytes */
		{"03 01 00 01 61 00 00", COLJ_OK},
		{"03 01 00 01 61 00 02", COLJ_CORRUPT}, /* code 1 of one */
		{"03 01 00 01 61 00 01", COLJ_CORRUPT}, /* code -1 */
		{"03 00 00 00", COLJ_CORRUPT},	/* codes of nothing */
		{"03 81 08 00 00 00 00", COLJ_CORRUPT}, /* 1025 strings */
		{"04 01 61 01 62 00 00", COLJ_OK},
		{"04 fa 01 61*250 01 62 00 00", COLJ_CORRUPT},
		{"04 01 61", COLJ_CORRUPT},
		{"05 00 02", COLJ_OK},
		{"05 00 ff ff ff ff ff ff ff ff ff 01", COLJ_OK},	/* the smallest number */
		{"06 00", COLJ_OK},		/* by place, but no places */
		{"06 01 00 61", COLJ_OK},
		{"06 01 01 61 62 0a", COLJ_OK},
		{"06 01 01 61 62", COLJ_CORRUPT},
		{"06 01 02 61 62 63 ff", COLJ_CORRUPT}, /* byte 3 of three */
		{"06 81 01", COLJ_CORRUPT}, /* 129 places */
		{"07 01 04 04 61 62 63 64", COLJ_CORRUPT},
		{"07 01 05 00", COLJ_CORRUPT},
		{"04 00 00 04 00 00 04 00 00 04 00 00 00 01 61", COLJ_OK},	/* nested four times */
		{"04 00 00 04 00 00 04 00 00 04 00 00 04 00 00 00 01 61", COLJ_CORRUPT},
		{"03 01 03 01 03 01 03 01 00 01 61 00 00 00 00 00 00 00 00", COLJ_OK},
		{"03 01 03 01 03 01 03 01 03 01 00 01 61 00 00 00 00 00 00 00 00 00 00", COLJ_CORRUPT},
	};
	Heap		heap;
	size_t		before;

	heap_open(&heap);
	before = purse.used;
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		uint32_t	size;
		uint8_t    *bytes = golden_bytes(&heap, cases[i].hex, &size);
		ColjStrings back;

		tap_context("wrong bytes %" PRIu32, i);
		CHECK_EQ(decode(bytes, size, 4, 1000, &back), cases[i].status);
		colj_strings_free(&purse.host, &back);
	}
	colj_vector_work_free(work);
	CHECK(purse.used == 0 || before > 0);
	CHECK_EQ(purse.used, 0);
	work = colj_vector_work_create(&purse.host, 3);
	CHECK_EQ(heap_close(&heap), 0);
}

/* No memory is taken for what a frame can't be. */
static void
bombs(void)
{
	static const uint8_t bomb[] = {2, 0, 0x80, 0x80, 0x80, 0x80, 4, 0x80, 0x80, 0x80, 0x80, 8, 1, 0};
	static const uint8_t planes_bomb[] = {7, 0x80, 1, 0x80, 0x80, 0x20, 1, 0};
	ColjStrings back;

	purse.most = purse.used;
	CHECK_EQ(decode(bomb, sizeof(bomb), 4, (size_t) 1 << 31, &back), COLJ_CORRUPT);
	CHECK_EQ(decode(planes_bomb, sizeof(planes_bomb), 4096, (size_t) 1 << 31, &back), COLJ_CORRUPT);
	CHECK(purse.most < purse.used + 100000);
}

static void
no_memory(void)
{
	static List list;

	for (uint32_t kind = 2; kind < 10; kind++)
		for (uint32_t k = 1; k < 40; k++)
		{
			ColjSink	sink;
			Purse		poor;
			ColjVectorWork *w;
			ColjStatus	status = COLJ_NO_MEMORY;
			ColjStrings strings;
			ColjStrings back = {0, NULL, NULL};

			make_list(&list, kind, 300);
			strings = list_strings(&list);
			purse_open(&poor);
			poor.fail_at = k;
			sink = (ColjSink){.host = &poor.host};
			w = colj_vector_work_create(&poor.host, 3);
			if (w != NULL)
				status = colj_encode_strings(w, k % 2 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT, &strings, &sink);
			CHECK(status == COLJ_OK || status == COLJ_NO_MEMORY);
			if (status == COLJ_OK)
				status = colj_decode_strings(w, sink.data, sink.len, 300, 100000, &back, NULL);
			CHECK(status == COLJ_OK || status == COLJ_NO_MEMORY);
			if (status == COLJ_OK)
				compare(&list, &back);
			colj_strings_free(&poor.host, &back);
			colj_sink_free(&sink);
			colj_vector_work_free(w);
			CHECK_EQ(poor.used, 0);
			colj_sink_free(&list.data);
		}
}

int
main(void)
{
	purse_open(&purse);
	work = colj_vector_work_create(&purse.host, 3);
	tap_case("vector of strings: patterns", patterns);
	tap_case("vector of strings: choices", choices);
	tap_case("vector of strings: numbers", numbers);
	tap_case("vector of strings: distinct strings", distinct_strings);
	tap_case("vector of strings: planes", planes);
	tap_case("vector of strings: bytes on disk", frozen_bytes);
	tap_case("vector of strings: wrong bytes", wrong_bytes);
	tap_case("vector of strings: sizes that cannot be true", bombs);
	tap_case("vector of strings: no memory", no_memory);
	colj_vector_work_free(work);
	return tap_done();
}
