/*-------------------------------------------------------------------------
 *
 * fuzz_packed.c
 *	  Any bytes as a packed document, and any bytes packed.
 *
 * Every block that the head promises is decoded into memory of exactly its
 * size, through a window that shows only what was fetched.  Then the input,
 * repeated to where it is cut into blocks, is packed; what comes back must be
 * the same.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/packed.h"
#include "window.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void) 0 : fail(#condition))

/* Blocks looked at of a document, and bytes packed, at most. */
#define BLOCKS_MAX 64
#define RAW_MAX 40000

static ColjZstd zstd;

static void
fail(const char *condition)
{
	fprintf(stderr, "wrong: not %s\n", condition);
	abort();
}

static void
decode_any(const uint8_t *data, uint32_t size)
{
	Window		window;
	ColjPacked	packed;
	uint32_t	dictionary;

	window_open(&window, data, size, 8, 0, WINDOW_PIECES, 0xEE);
	if (colj_packed_open(&packed, &window.doc) == COLJ_OK)
	{
		REQUIRE(packed.nblocks > 0 && packed.raw_size <= COLJ_MAX_SIZE);
		REQUIRE(colj_packed_dictionary(&window.doc, &dictionary) == COLJ_OK);
		REQUIRE(dictionary == packed.dictionary);
		for (uint32_t i = 0; i < packed.nblocks && i < BLOCKS_MAX; i++)
		{
			uint32_t	len = colj_packed_block_size(&packed, i);
			uint8_t    *out = malloc(len);

			REQUIRE(len > 0 && len <= COLJ_BLOCK_MAX);
			(void) colj_packed_decode(&packed, i, &zstd, NULL, out, 0);
			free(out);
		}
	}
	REQUIRE(!window.outside);
	window_close(&window);
}

static void
decode_own(const uint8_t *bytes, uint32_t size, const uint8_t *raw, uint32_t raw_size)
{
	ColjDoc		stored = {.data = bytes, .avail = size, .size = size};
	ColjPacked	packed;

	REQUIRE(colj_packed_open(&packed, &stored) == COLJ_OK);
	REQUIRE(packed.raw_size == raw_size);
	for (uint32_t i = 0; i < packed.nblocks; i++)
	{
		uint32_t	len = colj_packed_block_size(&packed, i);
		uint8_t    *out = malloc(len);

		REQUIRE(colj_packed_decode(&packed, i, &zstd, NULL, out, 0) == COLJ_OK);
		REQUIRE(memcmp(out, raw + (size_t) i * packed.block_size, len) == 0);
		free(out);
	}
}

static void
pack_any(const uint8_t *data, uint32_t size)
{
	uint32_t	raw_size = data[0] % 4 == 0 ? RAW_MAX - data[0] : size;
	ColjPacking how = {1 + data[0] % 9, data[0], NULL, NULL};
	uint8_t    *raw = malloc(raw_size);
	uint8_t    *out = malloc(colj_pack_room(raw_size));
	uint32_t	packed_size;

	for (uint32_t i = 0; i < raw_size; i++)
		raw[i] = data[i % size];
	if (colj_pack(&zstd, &how, raw, raw_size, out, &packed_size) == COLJ_OK)
	{
		REQUIRE(packed_size < raw_size);
		decode_own(out, packed_size, raw, raw_size);
	}
	free(raw);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	decode_any(data, (uint32_t) size);
	if (size > 0)
		pack_any(data, (uint32_t) size);
	return 0;
}
