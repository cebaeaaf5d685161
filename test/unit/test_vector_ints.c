/*-------------------------------------------------------------------------
 *
 * test_vector_ints.c
 *	  Vectors of integers: every encoding at its edges, and hostile ones.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "stripe/vector.h"
#include "stripes.h"
#include "tap.h"

static Purse purse;
static ColjVectorWork *work;

static ColjStatus
decode(const uint8_t *bytes, size_t len, int64_t *values, uint32_t n)
{
	uint8_t    *exact = malloc(len > 0 ? len : 1);
	const char *problem = "unset";
	ColjStatus	status;

	if (len > 0)
		memcpy(exact, bytes, len);
	status = colj_decode_ints(work, exact, len, values, n, &problem);
	CHECK_EQ(status == COLJ_CORRUPT, problem != NULL);
	free(exact);
	return status;
}

/* Encode and decode; the size, and the outermost encoding's name. */
static size_t
round_trip(ColjCodec codec, const int64_t *values, uint32_t n, const char **name)
{
	ColjSink	sink = {.host = &purse.host};
	int64_t    *back = malloc((n + 1) * sizeof(int64_t));
	size_t		size;

	back[n] = 4711;
	CHECK_EQ(colj_encode_ints(work, codec, values, n, &sink), COLJ_OK);
	CHECK_EQ(decode(sink.data, sink.len, back, n), COLJ_OK);
	CHECK(memcmp(values, back, n * sizeof(int64_t)) == 0);
	CHECK_EQ(back[n], 4711);
	if (n > 0)
		CHECK_EQ(decode(sink.data, sink.len - 1, back, n), COLJ_CORRUPT);
	if (name != NULL)
		*name = colj_ints_encoding(sink.data, sink.len);
	size = sink.len;
	colj_sink_free(&sink);
	free(back);
	return size;
}

static size_t
both_codecs(const int64_t *values, uint32_t n)
{
	size_t		light = round_trip(COLJ_CODEC_LIGHT, values, n, NULL);
	size_t		zstd = round_trip(COLJ_CODEC_ZSTD, values, n, NULL);

	CHECK(zstd <= light + 16);
	return light;
}

static int64_t
pattern(uint32_t kind, uint32_t i, Random *random)
{
	static const int64_t extremes[] = {INT64_MIN, INT64_MAX, 0, -1, 1, INT64_MIN + 1, INT64_MAX - 1};

	switch (kind)
	{
		case 0:
			return 7;
		case 1:
			return i;
		case 2:
			return INT64_MIN + (int64_t) i * 1000;
		case 3:
			return extremes[i % 7];
		case 4:
			return extremes[random_below(random, 7)];
		case 5:
			return i / 100;
		case 6:
			return random_below(random, 3);
		case 7:
			return (int64_t) ((uint64_t) random_below(random, UINT32_MAX) << 32 | random_below(random, UINT32_MAX));
		case 8:
			return (int64_t) random_below(random, 5) * 1000000007;
		case 9:
			return (int64_t) i * 1000 + random_below(random, 9);
		case 10:
			return INT64_MAX - (int64_t) (i / 50 % 3);
		default:
			return i % 2 ? INT64_MIN : INT64_MAX;
	}
}

static void
patterns(void)
{
	static const uint32_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4095, 4096};

	for (uint32_t kind = 0; kind < 12; kind++)
		for (uint32_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		{
			int64_t		values[COLJ_VECTOR_ROWS_MAX];
			Random		random = {kind * 100 + c + 1, NULL, 0};

			for (uint32_t i = 0; i < counts[c]; i++)
				values[i] = pattern(kind, i, &random);
			tap_context("pattern %" PRIu32 ", %" PRIu32 " values", kind, counts[c]);
			both_codecs(values, counts[c]);
		}
}

/* Every width of bits, at counts that end anywhere in a byte. */
static void
widths(void)
{
	for (uint32_t bits = 0; bits <= 64; bits++)
		for (uint32_t n = 2; n <= 20; n++)
		{
			int64_t		values[20];
			uint64_t	top = bits == 0 ? 0 : bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
			Random		random = {bits * 64 + n, NULL, 0};

			for (uint32_t i = 0; i < n; i++)
				values[i] = (int64_t) (((uint64_t) random_below(&random, UINT32_MAX) << 32 | random_below(&random, UINT32_MAX)) & top);
			values[n - 1] = (int64_t) top;
			tap_context("%" PRIu32 " bits, %" PRIu32 " values", bits, n);
			both_codecs(values, n);
		}
}

/* Around the most distinct values that are listed. */
static void
distinct_values(void)
{
	static const uint32_t distinct[] = {1, 2, 3, 255, 256, 257, 1023, 1024, 1025, 2000};

	for (uint32_t d = 0; d < sizeof(distinct) / sizeof(distinct[0]); d++)
	{
		int64_t		values[COLJ_VECTOR_ROWS_MAX];
		Random		random = {d + 1, NULL, 0};
		const char *name;

		for (uint32_t i = 0; i < COLJ_VECTOR_ROWS_MAX; i++)
		{
			uint32_t	which = i < distinct[d] ? i : random_below(&random, distinct[d]);

			values[i] = (int64_t) ((uint64_t) which * which * which * UINT64_C(0x9E3779B97F4A7C15));
		}
		tap_context("%" PRIu32 " distinct values", distinct[d]);
		both_codecs(values, COLJ_VECTOR_ROWS_MAX);
		round_trip(COLJ_CODEC_LIGHT, values, COLJ_VECTOR_ROWS_MAX, &name);
		if (distinct[d] > 1)
			CHECK_EQ(strcmp(name, "codes") == 0, distinct[d] <= 1024);
	}
}

static const char *
name_of(ColjCodec codec, uint32_t kind, uint32_t n)
{
	int64_t		values[COLJ_VECTOR_ROWS_MAX];
	Random		random = {kind + 1, NULL, 0};
	const char *name;

	for (uint32_t i = 0; i < n; i++)
		values[i] = pattern(kind, i, &random);
	round_trip(codec, values, n, &name);
	return name;
}

/* The encoding that is meant for it is what comes out. */
static void
choices(void)
{
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 0, 4096), "constant") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 1, 4096), "steps") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 2, 4096), "steps") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 5, 4096), "runs") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 6, 4096), "packed") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 7, 4096), "packed") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 8, 4096), "codes") == 0);
	CHECK(strcmp(name_of(COLJ_CODEC_LIGHT, 9, 4096), "steps") == 0);
}

/* Bytes that are frozen: version 1 of stripes is made of these. */
typedef struct Frozen
{
	const char *hex;
	uint32_t	n;
	int64_t		values[20];
	bool		written;		/* by this encoder: no libzstd in it, the best
								 * choice */
} Frozen;

static const Frozen frozen[] = {
	{"00 0e", 3, {7, 7, 7}, true},
	{"00 01", 1, {-1}, true},
	{"01 03 04 37 05 08", 5, {5, 1, 3, -2, 6}, true},
	{"01 ff ff ff ff ff ff ff ff ff 01 40 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff", 2,
	{INT64_MIN, INT64_MAX}, true},
	{"02 d0 0f 01 c4 01 02 cf f3 3c cf 33", 20,
		{1000, 1101, 1202, 1300, 1401, 1502, 1600, 1701, 1802, 1900, 2001, 2102, 2200, 2301,
	2402, 2500, 2601, 2702, 2800, 2901}, true},
	{"03 02 01 09 1e 0c ca 9a 3b 00 00 00 00 01 0e 03 04", 20,
		{1000000007, 1000000007, 1000000007, 1000000007, 1000000007, 1000000007, 1000000007,
			1000000007, 1000000007, 1000000007, 1000000007, 1000000007, -5, -5, -5, -5, -5, -5, -5,
	-5}, true},
	{"04 03 01 e3 ff bf e1 ee be ee b8 ea 01 40 00 00 00 00 00 00 00 00 f2 ff 17 76 fb dc 38 75 "
		"f9 ff 0b bb 7d 6e 9c ba 01 00 02 49 92 24 49 92", 20,
		{0, 5000000000000000007, -8446744073709551602, 0, 5000000000000000007,
			-8446744073709551602, 0, 5000000000000000007, -8446744073709551602, 0,
			5000000000000000007, -8446744073709551602, 0, 5000000000000000007, -8446744073709551602,
	0, 5000000000000000007, -8446744073709551602, 0, 5000000000000000007}, true},
	{"05 0e 02 08 11 28 b5 2f fd 20 08 41 00 00 00 01 02 03 00 00 01 01", 4,
	{7, 8, 265, 266}, false}
};

static void
frozen_bytes(void)
{
	Heap		heap;

	heap_open(&heap);
	for (uint32_t i = 0; i < sizeof(frozen) / sizeof(frozen[0]); i++)
	{
		ColjSink	sink = {.host = &purse.host};
		uint32_t	size;
		uint8_t    *bytes = golden_bytes(&heap, frozen[i].hex, &size);
		int64_t		back[20];

		tap_context("frozen vector %" PRIu32, i);
		if (CHECK_EQ(decode(bytes, size, back, frozen[i].n), COLJ_OK))
			CHECK(memcmp(back, frozen[i].values, frozen[i].n * sizeof(int64_t)) == 0);
		if (frozen[i].written)
		{
			CHECK_EQ(colj_encode_ints(work, COLJ_CODEC_LIGHT, frozen[i].values, frozen[i].n, &sink), COLJ_OK);
			CHECK_BYTES(sink.data, sink.len, bytes, size);
		}
		colj_sink_free(&sink);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* Bytes that no encoder writes, decoded as four values. */
static void
wrong_bytes(void)
{
	static const struct
	{
		const char *hex;
		ColjStatus	status;
	}			cases[] = {
		{"", COLJ_CORRUPT},
		{"00 0e", COLJ_OK},
		{"00 0e 00", COLJ_CORRUPT}, /* a byte more */
		{"06 00", COLJ_CORRUPT},	/* no encoding */
		{"00 ff ff ff ff ff ff ff ff ff 01", COLJ_OK},
		{"00 ff ff ff ff ff ff ff ff ff 02", COLJ_CORRUPT}, /* a 65th bit */
		{"00 ff ff ff ff ff ff ff ff ff ff 01", COLJ_CORRUPT},
		{"01 00 00", COLJ_OK},	/* no bits at all */
		{"01 00 08 01 02 03 04", COLJ_OK},
		{"01 00 08 01 02 03", COLJ_CORRUPT},
		{"01 00 41", COLJ_CORRUPT}, /* 65 bits */
		{"02 00 00 02", COLJ_OK},
		{"02 00 02 00 00 02", COLJ_OK},
		{"02 00 02 00 02 00 02 00", COLJ_OK},
		{"03 05 00 00 00 00", COLJ_CORRUPT},	/* five runs */
		{"03 00 00 00", COLJ_CORRUPT},	/* none */
		{"03 01 00 02 00 06", COLJ_OK}, /* one of four */
		{"03 01 00 02 00 08", COLJ_CORRUPT},	/* of five */
		{"03 01 00 02 00 04", COLJ_CORRUPT},	/* of three */
		{"03 01 00 02 00 01", COLJ_CORRUPT},	/* of none */
		{"03 01 00 02 00 fe ff ff ff ff ff ff ff ff 01", COLJ_CORRUPT},
		{"04 02 01 00 01 01 01 00 01 0f", COLJ_OK},
		{"04 02 01 00 01 01 01 00 02 e4", COLJ_CORRUPT},	/* code 2 of two */
		{"04 00 00 00", COLJ_CORRUPT},	/* codes of nothing */
		{"04 81 08 00 00 00 00", COLJ_CORRUPT}, /* 1025 codes */
		{"05 00 09 04 01", COLJ_CORRUPT},	/* nine bytes each */
		{"05 00 01 03 01 00", COLJ_CORRUPT},	/* three values */
		{"05 00 01 04 01 00", COLJ_CORRUPT},	/* no frame */
		/* nested, as deep as may be, and deeper */
		{"03 04 03 04 03 04 03 04 03 04 00 02 00 00 00 00 00 00 00 00 00 00", COLJ_OK},
		{"03 04 03 04 03 04 03 04 03 04 03 04 00 02 00 00 00 00 00 00 00 00 00 00 00 00", COLJ_CORRUPT},
	};
	Heap		heap;

	heap_open(&heap);
	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		uint32_t	size;
		uint8_t    *bytes = golden_bytes(&heap, cases[i].hex, &size);
		int64_t		back[4];

		tap_context("wrong bytes %" PRIu32, i);
		CHECK_EQ(decode(bytes, size, back, 4), cases[i].status);
		/* a failure leaves nothing behind for the next */
		CHECK_EQ(decode((const uint8_t *) "\0\2", 2, back, 4), COLJ_OK);
		CHECK_EQ(back[3], 1);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* A frame can't be longer than frames can be; no memory is taken to find out. */
static void
bombs(void)
{
	static const uint8_t bomb[] = {5, 0, 8, 0x80, 0x80, 2, 0};
	int64_t    *back = malloc(COLJ_VECTOR_ROWS_MAX * sizeof(int64_t));
	size_t		before = purse.calls;

	CHECK_EQ(decode(bomb, sizeof(bomb), back, COLJ_VECTOR_ROWS_MAX), COLJ_CORRUPT);
	CHECK_EQ(purse.calls, before);
	free(back);
}

/* Memory that is not there is no corruption, and nothing is lost. */
static void
no_memory(void)
{
	int64_t		values[600];
	int64_t		back[600];

	for (uint32_t i = 0; i < 600; i++)
		values[i] = (int64_t) (i / 7 % 5) * 1000000007;
	for (uint32_t k = 1; k < 40; k++)
	{
		ColjSink	sink;
		Purse		poor;
		ColjVectorWork *w;
		ColjStatus	status = COLJ_NO_MEMORY;

		purse_open(&poor);
		poor.fail_at = k;
		sink = (ColjSink){.host = &poor.host};
		w = colj_vector_work_create(&poor.host, 3);
		if (w != NULL)
			status = colj_encode_ints(w, k % 2 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT, values, 600, &sink);
		CHECK(status == COLJ_OK || status == COLJ_NO_MEMORY);
		if (status == COLJ_OK)
			status = colj_decode_ints(w, sink.data, sink.len, back, 600, NULL);
		CHECK(status == COLJ_OK || status == COLJ_NO_MEMORY);
		CHECK(status != COLJ_OK || memcmp(values, back, sizeof(values)) == 0);
		colj_sink_free(&sink);
		colj_vector_work_free(w);
		CHECK_EQ(poor.used, 0);
	}
}

int
main(void)
{
	purse_open(&purse);
	work = colj_vector_work_create(&purse.host, 3);
	tap_case("vector of integers: patterns", patterns);
	tap_case("vector of integers: widths", widths);
	tap_case("vector of integers: distinct values", distinct_values);
	tap_case("vector of integers: choices", choices);
	tap_case("vector of integers: bytes on disk", frozen_bytes);
	tap_case("vector of integers: wrong bytes", wrong_bytes);
	tap_case("vector of integers: sizes that cannot be true", bombs);
	tap_case("vector of integers: no memory", no_memory);
	colj_vector_work_free(work);
	return tap_done();
}
