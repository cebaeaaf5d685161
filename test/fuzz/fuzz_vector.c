/*-------------------------------------------------------------------------
 *
 * fuzz_vector.c
 *	  Any bytes as vectors, and any values through vectors.
 *
 * The first two bytes are the number of values; the rest is decoded as that
 * many integers, and as that many strings, and then taken as values that are
 * encoded and decoded again.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stripe/vector.h"
#include "stripes.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void) 0 : fail(#condition))

static Purse purse;
static ColjVectorWork *work;

static void
fail(const char *condition)
{
	fprintf(stderr, "wrong: not %s\n", condition);
	abort();
}

static void
decode_any(const uint8_t *data, size_t size, uint32_t n)
{
	int64_t    *values = malloc((n + 1) * sizeof(int64_t));
	ColjStrings strings;
	const char *problem;
	ColjStatus	status = colj_decode_ints(work, data, size, values, n, &problem);

	REQUIRE(status == COLJ_OK || status == COLJ_NO_MEMORY || (status == COLJ_CORRUPT && problem != NULL));
	status = colj_decode_strings(work, data, size, n, (size_t) 16 << 20, &strings, &problem);
	REQUIRE(status == COLJ_OK || status == COLJ_NO_MEMORY || (status == COLJ_CORRUPT && problem != NULL));
	for (uint32_t i = 1; i < strings.n; i++)
		REQUIRE(strings.ends[i] >= strings.ends[i - 1]);
	if (strings.n > 0)
		REQUIRE(memchr(strings.data, 0, strings.ends[strings.n - 1]) != strings.data + strings.ends[strings.n - 1]);
	colj_strings_free(&purse.host, &strings);
	free(values);
}

/* Values of `width` input bytes each; the input is used again from its start. */
static void
ints_round_trip(const uint8_t *data, size_t size, uint32_t n, uint32_t width, bool sums, ColjCodec codec)
{
	int64_t    *values = malloc(n * sizeof(int64_t) + 1);
	int64_t    *back = malloc(n * sizeof(int64_t) + 1);
	ColjSink	sink = {.host = &purse.host};

	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	value = 0;

		for (uint32_t w = 0; w < width; w++)
			value = value << 8 | data[((size_t) i * width + w) % size];
		values[i] = (int64_t) (value + (sums && i > 0 ? (uint64_t) values[i - 1] : 0));
	}
	REQUIRE(colj_encode_ints(work, codec, values, n, &sink) == COLJ_OK);
	REQUIRE(colj_decode_ints(work, sink.data, sink.len, back, n, NULL) == COLJ_OK);
	REQUIRE(memcmp(values, back, n * sizeof(int64_t)) == 0);
	colj_sink_free(&sink);
	free(values);
	free(back);
}

/* Strings that end where the input has a byte below `stop`. */
static void
strings_round_trip(const uint8_t *data, size_t size, uint32_t n, uint8_t stop, ColjCodec codec)
{
	uint32_t   *ends = malloc(n * sizeof(uint32_t) + 1);
	ColjSink	bytes = {.host = &purse.host};
	ColjSink	sink = {.host = &purse.host};
	ColjStrings strings;
	ColjStrings back;
	size_t		at = 0;

	colj_sink_bytes(&bytes, data, 0);
	for (uint32_t i = 0; i < n; i++)
	{
		size_t		start = at;

		while (at - start < 200 && data[at % size] >= stop)
			at++;
		for (size_t k = start; k < at; k++)
			colj_sink_bytes(&bytes, &data[k % size], 1);
		at++;
		ends[i] = (uint32_t) bytes.len;
	}
	strings = (ColjStrings){n, ends, (const char *) bytes.data};
	REQUIRE(colj_encode_strings(work, codec, &strings, &sink) == COLJ_OK);
	REQUIRE(colj_decode_strings(work, sink.data, sink.len, n, bytes.len, &back, NULL) == COLJ_OK);
	REQUIRE(n == 0 || memcmp(back.ends, ends, n * sizeof(uint32_t)) == 0);
	REQUIRE(n == 0 || memcmp(back.data, bytes.data, bytes.len) == 0);
	colj_strings_free(&purse.host, &back);
	colj_sink_free(&sink);
	colj_sink_free(&bytes);
	free(ends);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t	n;
	ColjCodec	codec;

	if (size < 4)
		return 0;
	if (work == NULL)
	{
		purse_open(&purse);
		purse.limit = (size_t) 64 << 20;
		work = colj_vector_work_create(&purse.host, 1);
	}
	n = (data[0] | (uint32_t) data[1] << 8) % (COLJ_VECTOR_ROWS_MAX + 1);
	codec = data[2] & 1 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT;
	decode_any(data + 3, size - 3, n);
	n %= 512;
	ints_round_trip(data + 3, size - 3, n, 1 + data[2] / 2 % 8, data[2] & 16, codec);
	strings_round_trip(data + 3, size - 3, n, data[2] & 32 ? 0x21 : data[2] & 64 ? 0x2C : 0x01, codec);
	return 0;
}
