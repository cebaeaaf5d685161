/*-------------------------------------------------------------------------
 *
 * test_bytes.c
 *	  Varints, widths, little-endian numbers, and sums over entries.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "format/bytes.h"
#include "model.h"
#include "tap.h"

static void
varint_bytes(void)
{
	static const struct
	{
		uint32_t	value;
		uint32_t	size;
		uint8_t		bytes[5];
	}			cases[] = {
		{0, 1, {0x00}},
		{1, 1, {0x01}},
		{0x7F, 1, {0x7F}},
		{0x80, 2, {0x80, 0x01}},
		{300, 2, {0xAC, 0x02}},
		{0x3FFF, 2, {0xFF, 0x7F}},
		{0x4000, 3, {0x80, 0x80, 0x01}},
		{0x1FFFFF, 3, {0xFF, 0xFF, 0x7F}},
		{0x200000, 4, {0x80, 0x80, 0x80, 0x01}},
		{0xFFFFFFF, 4, {0xFF, 0xFF, 0xFF, 0x7F}},
		{0x10000000, 5, {0x80, 0x80, 0x80, 0x80, 0x01}},
		{0xFFFFFFFF, 5, {0xFF, 0xFF, 0xFF, 0xFF, 0x0F}},
	};
	size_t		i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		uint8_t		out[8];
		uint8_t    *end = colj_put_varint(out, cases[i].value);

		tap_context("value %" PRIu32, cases[i].value);
		CHECK_EQ(colj_varint_size(cases[i].value), cases[i].size);
		CHECK_BYTES(out, (size_t) (end - out), cases[i].bytes, cases[i].size);
	}
}

/* The number of elements of an array whose body is these bytes. */
static ColjStatus
count_of(const uint8_t *body, size_t len, uint32_t *n)
{
	uint8_t		bytes[16] = {0x10, 31, 0xA0};
	ColjDoc		doc;

	memcpy(bytes + 3, body, len);
	CHECK_EQ(colj_open_bytes(&doc, bytes, 3 + len), COLJ_OK);
	return colj_count(&doc, &doc.root, n);
}

static void
varint_reading(void)
{
	uint32_t	n = 0;

	CHECK_EQ(count_of((uint8_t[]){0xAC, 0x02}, 2, &n), COLJ_OK);
	CHECK_EQ(n, 150);
	/* longer than needed, but a number of 32 bits */
	CHECK_EQ(count_of((uint8_t[]){0xAC, 0x82, 0x80, 0x80, 0x00}, 5, &n), COLJ_OK);
	CHECK_EQ(n, 150);
	CHECK_EQ(count_of((uint8_t[]){0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, 5, &n), COLJ_OK);
	CHECK_EQ(n, 0x7FFFFFFF);
	/* 33 bits; six bytes; cut off */
	CHECK_EQ(count_of((uint8_t[]){0xFF, 0xFF, 0xFF, 0xFF, 0x1F}, 5, &n), COLJ_CORRUPT);
	CHECK_EQ(count_of((uint8_t[]){0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 6, &n), COLJ_CORRUPT);
	CHECK_EQ(count_of((uint8_t[]){0x80, 0x80}, 2, &n), COLJ_CORRUPT);
	CHECK_EQ(count_of((const uint8_t *) "", 0, &n), COLJ_CORRUPT);
}

static void
widths(void)
{
	CHECK_EQ(colj_width(0), 1);
	CHECK_EQ(colj_width(0xFF), 1);
	CHECK_EQ(colj_width(0x100), 2);
	CHECK_EQ(colj_width(0xFFFF), 2);
	CHECK_EQ(colj_width(0x10000), 3);
	CHECK_EQ(colj_width(0xFFFFFF), 3);
	CHECK_EQ(colj_width(0x1000000), 4);
	CHECK_EQ(colj_width(COLJ_MAX_SIZE), 4);
}

static void
unsigned_numbers(void)
{
	uint32_t	width;

	for (width = 1; width <= 4; width++)
	{
		uint8_t		out[6] = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
		uint32_t	value = 0xA4A3A2A1 & (0xFFFFFFFF >> (32 - 8 * width));

		tap_context("width %" PRIu32, width);
		colj_store(out, width, value);
		CHECK_EQ(out[0], 0xA1);
		CHECK_EQ(out[width - 1], 0xA0 + width);
		CHECK_EQ(out[width], 0x55);
		CHECK_EQ(colj_load(out, width), value);
	}
}

static void
signed_round_trip(int64_t value, uint32_t size)
{
	uint8_t		out[9] = {0};
	uint32_t	wide;

	tap_context("%" PRId64, value);
	CHECK_EQ(colj_int_size(value), size);
	for (wide = size; wide <= 8; wide++)
	{
		colj_store_int(out, wide, value);
		CHECK_EQ(colj_load_int(out, wide), value);
	}
	if (size > 1)
	{
		colj_store_int(out, size - 1, value);
		CHECK(colj_load_int(out, size - 1) != value);
	}
}

static void
signed_numbers(void)
{
	uint32_t	bits;

	CHECK_EQ(colj_load_int((const uint8_t *) "", 0), 0);
	signed_round_trip(0, 1);
	signed_round_trip(-1, 1);
	for (bits = 7; bits <= 63; bits += 8)
	{
		int64_t		max = (int64_t) (((uint64_t) 1 << bits) - 1);
		uint32_t	size = (bits + 1) / 8;

		signed_round_trip(max, size);
		signed_round_trip(-max - 1, size);
		if (size < 8)
		{
			signed_round_trip(max + 1, size + 1);
			signed_round_trip(-max - 2, size + 1);
		}
	}
}

/* One entry at a time, from the layout's description. */
static void
add_entry(uint8_t entry, ColjTally *sum)
{
	if (entry >> 5 == 0)
		return;
	if ((entry & 31) == 31)
		sum->big++;
	else
		sum->small += entry & 31;
}

static void
tally_every_entry(void)
{
	unsigned	entry;

	for (entry = 0; entry < 256; entry++)
	{
		uint8_t		row[11];
		ColjTally	one = {0, 0};
		ColjTally	sum;
		uint32_t	n;

		memset(row, (int) entry, sizeof(row));
		add_entry((uint8_t) entry, &one);
		tap_context("entry %u", entry);
		CHECK_EQ(colj_entry_is_big((uint8_t) entry), one.big);
		CHECK_EQ(colj_entry_small_size((uint8_t) entry), one.small);
		for (n = 0; n <= sizeof(row); n++)
		{
			sum = colj_tally(row, n, n);
			CHECK_EQ(sum.small, n * one.small);
			CHECK_EQ(sum.big, n * one.big);
		}
	}
}

static void
tally_random_entries(void)
{
	Random		random = {.state = 88172645463325252};
	uint32_t	round;

	for (round = 0; round < 20000; round++)
	{
		uint8_t		row[80];
		ColjTally	expected = {0, 0};
		ColjTally	sum;
		uint32_t	start = random_below(&random, 8);
		uint32_t	n = random_below(&random, 70);
		uint32_t	i;

		for (i = 0; i < sizeof(row); i++)
			row[i] = (uint8_t) random_below(&random, 256) | (round % 3 == 0 ? 31 : 0);
		for (i = 0; i < n; i++)
			add_entry(row[start + i], &expected);
		sum = colj_tally(row + start, n, i % 2 == 0 ? n : sizeof(row) - start);
		CHECK_EQ(sum.small, expected.small);
		CHECK_EQ(sum.big, expected.big);
	}
}

int
main(void)
{
	tap_case("bytes: a varint's bytes at every boundary", varint_bytes);
	tap_case("bytes: reading varints, overlong and too large ones", varint_reading);
	tap_case("bytes: the fewest bytes for a length", widths);
	tap_case("bytes: unsigned numbers of 1 to 4 bytes", unsigned_numbers);
	tap_case("bytes: signed numbers of 0 to 8 bytes", signed_numbers);
	tap_case("bytes: what each entry adds to a sum", tally_every_entry);
	tap_case("bytes: sums over random entries", tally_random_entries);
	return tap_done();
}
