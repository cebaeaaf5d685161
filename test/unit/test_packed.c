/*-------------------------------------------------------------------------
 *
 * test_packed.c
 *	  Packed documents: round trips, their exact bytes, and hostile ones.
 *
 * Packing does not look into a document, so the bytes to pack are made up.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>
#include <zdict.h>

#include "format/packed.h"
#include "tap.h"
#include "window.h"

#define SIZE_MAX_TRIED 300000

static ColjZstd zstd;

/* Bytes that compress to about a third, the same for the same seed. */
static uint8_t *
make_bytes(uint32_t size, uint32_t seed)
{
	static const char *const words[] = {"created_at", "screen_name", "profile", "https://", "0.25", "true"};
	uint8_t    *bytes = malloc((size_t) size + 1);
	uint32_t	i = 0;

	while (i < size)
	{
		seed = seed * 1664525 + 1013904223;
		if (seed >> 30 == 0)
			bytes[i++] = (uint8_t) (seed >> 16);
		else
			for (const char *p = words[(seed >> 16) % 6]; *p != '\0' && i < size; p++)
				bytes[i++] = (uint8_t) *p;
	}
	return bytes;
}

static uint8_t *
make_noise(uint32_t size, uint32_t seed)
{
	uint8_t    *bytes = malloc((size_t) size + 1);

	for (uint32_t i = 0; i < size; i++)
	{
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (uint8_t) (seed >> 23);
	}
	return bytes;
}

/* A dictionary trained on make_bytes. */
static size_t
make_dictionary(void *dictionary, size_t room)
{
	size_t		sizes[200];
	uint8_t    *samples = malloc(200 * 1000);
	size_t		size;

	for (uint32_t i = 0; i < 200; i++)
	{
		uint8_t    *bytes = make_bytes(1000, i + 1000);

		memcpy(samples + i * 1000, bytes, 1000);
		sizes[i] = 1000;
		free(bytes);
	}
	size = ZDICT_trainFromBuffer(dictionary, room, samples, sizes, 200);
	free(samples);
	return size;
}

/* Pack into memory of exactly the size that came out; NULL if it did not shrink. */
static uint8_t *
pack(const ColjPacking *how, const uint8_t *raw, uint32_t size, uint32_t *packed_size)
{
	uint8_t    *out = malloc(colj_pack_room(size));
	ColjStatus	status = colj_pack(&zstd, how, raw, size, out, packed_size);
	uint8_t    *exact = NULL;

	if (status == COLJ_OK)
	{
		exact = malloc(*packed_size);
		memcpy(exact, out, *packed_size);
	}
	else
		CHECK_EQ(status, COLJ_ABSENT);
	free(out);
	return exact;
}

/* Decode every block, the last one first, into memory of exactly its size. */
static void
check_blocks(ColjPacked *packed, const ZSTD_DDict *ddict, const uint8_t *raw)
{
	for (uint32_t i = packed->nblocks; i-- > 0;)
	{
		uint32_t	size = colj_packed_block_size(packed, i);
		uint8_t    *out = malloc(size);

		if (CHECK_EQ(colj_packed_decode(packed, i, &zstd, ddict, out, 0), COLJ_OK))
			CHECK(memcmp(out, raw + (size_t) i * packed->block_size, size) == 0);
		free(out);
	}
}

static void
check_round_trip(const ColjPacking *how, const ZSTD_DDict *ddict, const uint8_t *raw, uint32_t size)
{
	uint32_t	stored_size;
	uint8_t    *bytes = pack(how, raw, size, &stored_size);
	ColjDoc		stored = {.data = bytes, .avail = stored_size, .size = stored_size};
	ColjPacked	packed;
	uint32_t	dictionary;

	if (!CHECK(bytes != NULL))
		return;
	CHECK(colj_is_packed(bytes, stored_size));
	if (CHECK_EQ(colj_packed_open(&packed, &stored), COLJ_OK))
	{
		CHECK_EQ(packed.raw_size, size);
		CHECK_EQ(packed.level, how->level);
		CHECK_EQ(packed.dictionary, how->dictionary);
		CHECK_EQ(packed.cut, size > COLJ_PACK_CUT_ABOVE);
		check_blocks(&packed, ddict, raw);
	}
	CHECK_EQ(colj_packed_dictionary(&stored, &dictionary), COLJ_OK);
	CHECK_EQ(dictionary, how->dictionary);
	free(bytes);
}

static const uint32_t sizes[] = {64, 100, 127, 128, 500, 1000, 4096, 16383, 16384, 32767, 32768,
32769, 40960, 65535, 65536, 100000, SIZE_MAX_TRIED};

static void
round_trips(void)
{
	static const int levels[] = {1, 3, 9, 19, 22};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t j = 0; j < 5; j++)
		{
			uint8_t    *raw = make_bytes(sizes[i], (uint32_t) i + 1);
			ColjPacking how = {levels[j], 0, NULL, NULL};

			tap_context("%" PRIu32 " bytes, level %d", sizes[i], levels[j]);
			check_round_trip(&how, NULL, raw, sizes[i]);
			free(raw);
		}
}

static void
round_trips_with_dictionary(void)
{
	static const int levels[] = {1, 3, 12, 22};
	uint8_t		dictionary[8192];
	size_t		size = make_dictionary(dictionary, sizeof(dictionary));
	ZSTD_DDict *ddict = ZSTD_createDDict(dictionary, size);

	CHECK(!ZDICT_isError(size));
	for (size_t j = 0; j < 4; j++)
	{
		ZSTD_CDict *cdict = ZSTD_createCDict(dictionary, size, levels[j]);
		ColjPacking how = {levels[j], 1000000, cdict, NULL};

		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		{
			uint8_t    *raw = make_bytes(sizes[i], (uint32_t) i + 1);

			tap_context("%" PRIu32 " bytes, level %d", sizes[i], levels[j]);
			check_round_trip(&how, ddict, raw, sizes[i]);
			free(raw);
		}
		colj_zstd_forget(&zstd);
		ZSTD_freeCDict(cdict);
	}
	ZSTD_freeDDict(ddict);
}

/* What does not shrink is left alone; parts that do not are stored as they are. */
static void
noise(void)
{
	ColjPacking how = {3, 0, NULL, NULL};
	uint8_t    *raw = make_noise(100000, 1);
	uint32_t	size;
	uint8_t    *part;

	CHECK(pack(&how, raw, 0, &size) == NULL);
	CHECK(pack(&how, raw, 31, &size) == NULL);
	CHECK(pack(&how, raw, 1000, &size) == NULL);
	CHECK(pack(&how, raw, 100000, &size) == NULL);
	part = make_bytes(50000, 1);
	memcpy(raw, part, 50000);
	check_round_trip(&how, NULL, raw, 100000);
	free(part);
	free(raw);
}

/* Words and ids: bytes that repeat, and bytes that only codes make shorter. */
static uint8_t *
make_ids(uint32_t size, uint32_t seed, uint32_t share)
{
	uint8_t    *bytes = make_bytes(size, seed);

	for (uint32_t i = 0; i < size; i++)
	{
		seed = seed * 1664525 + 1013904223;
		if (i % 100 < share)
			bytes[i] = (uint8_t) "abcdefghijklmnopqrstuvwxyz234567"[seed >> 27];
	}
	return bytes;
}

/* Size of a frame less what is not stored of it; literals as of packed.c. */
static uint32_t
frame_size(ZSTD_CCtx *cctx, int literals, const uint8_t *raw, uint32_t size)
{
	static uint8_t frame[ZSTD_COMPRESSBOUND(COLJ_BLOCK_MAX)];
	size_t		got;

	ZSTD_CCtx_setParameter(cctx, ZSTD_c_experimentalParam5, literals);
	got = ZSTD_compress2(cctx, frame, sizeof(frame), raw, size) - 6;
	return got < size ? (uint32_t) got : size;
}

/*
 * What is chosen is what the rule says, whatever was chosen before.  Where zstd
 * gives up without codes, the rule goes by a size that does not show here.
 */
static bool
check_choice(ZSTD_CCtx *cctx, const ColjPacking *how, const uint8_t *raw, uint32_t size)
{
	uint32_t	plain = frame_size(cctx, 2, raw, size);
	uint32_t	coded = frame_size(cctx, 0, raw, size);
	uint32_t	gain = how->cdict != NULL ? COLJ_PACK_CODES_GAIN : COLJ_PACK_TABLE_GAIN;
	bool		pays = plain > size / 3 && plain > coded && plain - coded > size / gain;
	uint8_t		out[10000];
	uint32_t	packed_size[2];

	tap_context("%" PRIu32 " bytes, plain %" PRIu32 ", coded %" PRIu32, size, plain, coded);
	for (int codes = 0; codes < 2; codes++)
	{
		zstd.codes = codes;
		colj_pack(&zstd, how, raw, size, out, &packed_size[codes]);
	}
	CHECK_EQ(packed_size[0], packed_size[1]);
	if (plain < size)
		CHECK_EQ(packed_size[0] - 2 - (size < 128 ? 1 : 2) - 1, pays ? coded : plain);
	return pays;
}

static void
choices(const void *dictionary, size_t dictionary_size)
{
	ZSTD_CDict *cdict = dictionary_size > 0 ? ZSTD_createCDict(dictionary, dictionary_size, 3) : NULL;
	ColjPacking how = {3, 0, cdict, NULL};
	ZSTD_CCtx  *cctx = ZSTD_createCCtx();
	uint32_t	paid = 0;
	uint32_t	tried = 0;

	ZSTD_CCtx_setParameter(cctx, ZSTD_c_contentSizeFlag, 0);
	ZSTD_CCtx_setParameter(cctx, ZSTD_c_dictIDFlag, 0);
	ZSTD_CCtx_setParameter(cctx, ZSTD_c_compressionLevel, 3);
	ZSTD_CCtx_refCDict(cctx, cdict);
	for (uint32_t size = 64; size < 9000; size += size / 5)
		for (uint32_t share = 0; share <= 100; share += 5, tried++)
		{
			uint8_t    *raw = make_ids(size, size + share, share);

			paid += check_choice(cctx, &how, raw, size);
			free(raw);
		}
	CHECK(paid > tried / 10 && paid < tried - tried / 10);
	colj_zstd_forget(&zstd);
	ZSTD_freeCCtx(cctx);
	ZSTD_freeCDict(cdict);
}

static void
codes_where_they_pay(void)
{
	uint8_t		dictionary[8192];

	choices(NULL, 0);
	choices(dictionary, make_dictionary(dictionary, sizeof(dictionary)));
}

/*
 * Documents as they are on disk.  Other versions of libzstd may pack the same
 * bytes differently, but all must read these.
 *
 * The first is one block, 60 times "ab", with level 3 and dictionary 300.
 */
static const uint8_t frozen_one[] = {0x12, 0x23, 0x78, 0xAC, 0x02, 0x4D, 0x00, 0x00,
0x10, 'a', 'b', 0x01, 0x00, 0xB3, 0xD4, 0x61, 0x01};

/* The second is cut: 1024 zeros, and as they are 1024 bytes and 2. */
static const uint8_t frozen_head[] = {0x16, 0x23, 0x82, 0x10, 0x00, 0x0A, 0x0C, 0x00,
0x0C, 0x04, 0x0E, 0x04, 0x4D, 0x00, 0x00, 0x10, 0x00, 0x00, 0x01, 0x00, 0xFB, 0x2B, 0x80, 0x05};

#define FROZEN_CUT_SIZE (sizeof(frozen_head) + 1024 + 2)

static void
make_frozen_cut(uint8_t *bytes)
{
	memcpy(bytes, frozen_head, sizeof(frozen_head));
	for (uint32_t i = 0; i < 1026; i++)
		bytes[sizeof(frozen_head) + i] = (uint8_t) i;
}

static void
frozen_bytes(void)
{
	uint8_t		bytes[FROZEN_CUT_SIZE];
	uint8_t		raw[2050] = {0};
	ColjDoc		stored = {.data = frozen_one, .avail = sizeof(frozen_one), .size = sizeof(frozen_one)};
	ColjPacked	packed;

	for (uint32_t i = 0; i < 120; i++)
		raw[i] = i % 2 == 0 ? 'a' : 'b';
	CHECK_EQ(colj_packed_open(&packed, &stored), COLJ_OK);
	CHECK_EQ(packed.raw_size, 120);
	CHECK_EQ(packed.dictionary, 300);
	CHECK_EQ(packed.level, 3);
	CHECK_EQ(packed.nblocks, 1);
	check_blocks(&packed, NULL, raw);

	memset(raw, 0, 1024);
	for (uint32_t i = 0; i < 1026; i++)
		raw[1024 + i] = (uint8_t) i;
	make_frozen_cut(bytes);
	stored = (ColjDoc){.data = bytes, .avail = sizeof(bytes), .size = sizeof(bytes)};
	CHECK_EQ(colj_packed_open(&packed, &stored), COLJ_OK);
	CHECK_EQ(packed.raw_size, 2050);
	CHECK_EQ(packed.nblocks, 3);
	check_blocks(&packed, NULL, raw);
}

/* Open and decode all; what comes out, or the first failure. */
static ColjStatus
read_all(const uint8_t *bytes, uint32_t size, uint8_t *out, uint32_t room)
{
	uint8_t    *exact = malloc(size > 0 ? size : 1);
	ColjDoc		stored = {.data = exact, .avail = size, .size = size};
	ColjPacked	packed;
	ColjStatus	status;

	memcpy(exact, bytes, size);
	status = colj_packed_open(&packed, &stored);
	CHECK(status != COLJ_OK || packed.raw_size <= room);
	for (uint32_t i = 0; status == COLJ_OK && i < packed.nblocks && packed.raw_size <= room; i++)
		status = colj_packed_decode(&packed, i, &zstd, NULL, out + (size_t) i * packed.block_size, 0);
	CHECK(status == COLJ_OK || status == COLJ_BAD_VERSION || stored.problem != NULL);
	free(exact);
	return status;
}

static void
cut_short(void)
{
	uint8_t		bytes[FROZEN_CUT_SIZE];
	uint8_t    *out = malloc(COLJ_BLOCK_MAX);

	make_frozen_cut(bytes);
	for (uint32_t size = 0; size < sizeof(frozen_one); size++)
		CHECK_EQ(read_all(frozen_one, size, out, COLJ_BLOCK_MAX), COLJ_CORRUPT);
	for (uint32_t size = 0; size < FROZEN_CUT_SIZE; size++)
		CHECK_EQ(read_all(bytes, size, out, COLJ_BLOCK_MAX), COLJ_CORRUPT);
	CHECK_EQ(read_all(bytes, FROZEN_CUT_SIZE, out, COLJ_BLOCK_MAX), COLJ_OK);
	free(out);
}

/* Any byte of the head or of a frame may be any other. */
static void
changed_bytes(void)
{
	uint8_t		bytes[FROZEN_CUT_SIZE];
	uint8_t    *out = malloc(16 * COLJ_BLOCK_MAX);

	for (uint32_t i = 0; i < sizeof(frozen_head); i++)
		for (uint32_t value = 0; value < 256; value++)
		{
			make_frozen_cut(bytes);
			bytes[i] = (uint8_t) value;
			(void) read_all(bytes, FROZEN_CUT_SIZE, out, 16 * COLJ_BLOCK_MAX);
			if (i < sizeof(frozen_one))
			{
				memcpy(bytes, frozen_one, sizeof(frozen_one));
				bytes[i] = (uint8_t) value;
				(void) read_all(bytes, sizeof(frozen_one), out, 16 * COLJ_BLOCK_MAX);
			}
		}
	free(out);
}

/* The status of the frozen document that is cut with one byte changed. */
static ColjStatus
with_byte(uint32_t i, uint8_t value)
{
	uint8_t		bytes[FROZEN_CUT_SIZE];
	uint8_t    *out = malloc(16 * COLJ_BLOCK_MAX);
	ColjStatus	status;

	make_frozen_cut(bytes);
	bytes[i] = value;
	status = read_all(bytes, FROZEN_CUT_SIZE, out, 16 * COLJ_BLOCK_MAX);
	free(out);
	return status;
}

static void
wrong_heads(void)
{
	CHECK_EQ(with_byte(0, 0x26), COLJ_BAD_VERSION);
	CHECK_EQ(with_byte(0, 0x14), COLJ_BAD_VERSION); /* not packed */
	CHECK_EQ(with_byte(0, 0x17), COLJ_CORRUPT); /* shapes */
	CHECK_EQ(with_byte(0, 0x1E), COLJ_CORRUPT);
	CHECK_EQ(with_byte(1, 0x03), COLJ_CORRUPT); /* codec 0 */
	CHECK_EQ(with_byte(1, 0x43), COLJ_CORRUPT); /* codec 2 */
	CHECK_EQ(with_byte(2, 0x81), COLJ_CORRUPT); /* a byte less than there is */
	CHECK_EQ(with_byte(2, 0x83), COLJ_CORRUPT);
	CHECK_EQ(with_byte(5, 9), COLJ_CORRUPT);
	CHECK_EQ(with_byte(5, 17), COLJ_CORRUPT);
	CHECK_EQ(with_byte(6, 0x0D), COLJ_CORRUPT);
	CHECK_EQ(with_byte(7, 0x05), COLJ_CORRUPT); /* ends fall */
	CHECK_EQ(with_byte(11, 0x05), COLJ_CORRUPT);	/* past the end */
}

/* Sizes that cannot be true are refused before anybody allots them. */
static void
bombs(void)
{
	/* 1 GB: in one block, in blocks of 64 kB, and beyond the limit */
	static const uint8_t one[] = {0x12, 0x23, 0xFB, 0xFF, 0xFF, 0xFF, 0x03, 0x00, 0x4D, 0x00, 0x00, 0x10};
	static const uint8_t cut[200] = {0x16, 0x23, 0xFB, 0xFF, 0xFF, 0xFF, 0x03, 0x00, 0x10};
	static const uint8_t beyond[200] = {0x16, 0x23, 0xFC, 0xFF, 0xFF, 0xFF, 0x03, 0x00, 0x10};
	static const uint8_t empty[200] = {0x12, 0x23, 0x00, 0x00};
	static const uint8_t endless[] = {0x12, 0x23, 0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00};

	CHECK_EQ(read_all(one, sizeof(one), NULL, 0), COLJ_CORRUPT);
	CHECK_EQ(read_all(cut, sizeof(cut), NULL, 0), COLJ_CORRUPT);
	CHECK_EQ(read_all(beyond, sizeof(beyond), NULL, 0), COLJ_CORRUPT);
	CHECK_EQ(read_all(empty, sizeof(empty), NULL, 0), COLJ_CORRUPT);
	CHECK_EQ(read_all(endless, sizeof(endless), NULL, 0), COLJ_CORRUPT);
}

/* A frame must give the size that the head says, not less and not more. */
static void
frames_that_lie(void)
{
	uint8_t		bytes[sizeof(frozen_one)];
	uint8_t		out[300];

	for (uint32_t size = 18; size < 128; size++)
	{
		memcpy(bytes, frozen_one, sizeof(bytes));
		bytes[2] = (uint8_t) size;
		CHECK_EQ(read_all(bytes, sizeof(bytes), out, sizeof(out)), size == 120 ? COLJ_OK : COLJ_CORRUPT);
	}
}

/* Without its dictionary, or with another, a document is not what it was. */
static void
wrong_dictionary(void)
{
	uint8_t		dictionary[8192];
	size_t		size = make_dictionary(dictionary, sizeof(dictionary));
	ZSTD_CDict *cdict = ZSTD_createCDict(dictionary, size, 3);
	ColjPacking how = {3, 1, cdict, NULL};
	uint8_t    *raw = make_bytes(1000, 77);
	uint8_t		out[1000];
	uint32_t	packed_size;
	uint8_t    *bytes = pack(&how, raw, 1000, &packed_size);

	if (CHECK(bytes != NULL))
		CHECK(read_all(bytes, packed_size, out, sizeof(out)) != COLJ_OK || memcmp(out, raw, 1000) != 0);
	colj_zstd_forget(&zstd);
	ZSTD_freeCDict(cdict);
	free(bytes);
	free(raw);
}

/* One block costs the head, two ends, and its own bytes. */
static void
windows(void)
{
	ColjPacking how = {3, 0, NULL, NULL};
	uint8_t    *raw = make_bytes(SIZE_MAX_TRIED, 5);
	uint32_t	size;
	uint8_t    *bytes = pack(&how, raw, SIZE_MAX_TRIED, &size);
	uint32_t	nblocks = (SIZE_MAX_TRIED - 1) / (1 << COLJ_PACK_SHIFT) + 1;

	for (uint32_t i = 0; CHECK(bytes != NULL) && i < nblocks; i++)
	{
		Window		window;
		ColjPacked	packed;
		uint8_t		out[1 << COLJ_PACK_SHIFT];

		window_open(&window, bytes, size, 64, 0, WINDOW_PIECES, 0xEE);
		CHECK_EQ(colj_packed_open(&packed, &window.doc), COLJ_OK);
		CHECK_EQ(packed.nblocks, nblocks);
		CHECK_EQ(colj_packed_decode(&packed, i, &zstd, NULL, out, 0), COLJ_OK);
		CHECK(memcmp(out, raw + (i << COLJ_PACK_SHIFT), colj_packed_block_size(&packed, i)) == 0);
		CHECK(window.fetched < size / nblocks * 2 + 6 * 64);
		CHECK(!window.outside);
		window_close(&window);
	}
	free(bytes);
	free(raw);
}

int
main(void)
{
	colj_zstd_init(&zstd);
	tap_case("packed: round trips", round_trips);
	tap_case("packed: round trips with a dictionary", round_trips_with_dictionary);
	tap_case("packed: what does not shrink", noise);
	tap_case("packed: codes where they pay", codes_where_they_pay);
	tap_case("packed: bytes on disk", frozen_bytes);
	tap_case("packed: cut short", cut_short);
	tap_case("packed: changed bytes", changed_bytes);
	tap_case("packed: wrong heads", wrong_heads);
	tap_case("packed: sizes that cannot be true", bombs);
	tap_case("packed: frames that lie", frames_that_lie);
	tap_case("packed: wrong dictionary", wrong_dictionary);
	tap_case("packed: one block alone", windows);
	colj_zstd_free(&zstd);
	return tap_done();
}
