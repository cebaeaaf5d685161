/*-------------------------------------------------------------------------
 *
 * bytes.h
 *	  Numbers as bytes: varints, little-endian integers, sums over entries.
 *
 * Nothing here checks bounds; callers have made sure of the bytes they pass.
 * Unaligned access goes through memcpy, which compilers turn into one load.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_BYTES_H
#define COLJ_BYTES_H

#include <stdbool.h>
#include <string.h>

#include "layout.h"

#if defined(__GNUC__) || defined(__clang__)
#define COLJ_LIKELY(x) __builtin_expect((x) != 0, 1)
#define COLJ_UNLIKELY(x) __builtin_expect((x) != 0, 0)
#else
#define COLJ_LIKELY(x) ((x) != 0)
#define COLJ_UNLIKELY(x) ((x) != 0)
#endif

/* The longest varint that fits into 32 bits. */
#define COLJ_VARINT_MAX 5

static inline uint32_t
colj_varint_size(uint32_t value)
{
	uint32_t	size = 1;

	while (value >= 0x80)
	{
		value >>= 7;
		size++;
	}
	return size;
}

/* Write a varint and return the position after it. */
static inline uint8_t *
colj_put_varint(uint8_t *out, uint32_t value)
{
	while (value >= 0x80)
	{
		*out++ = (uint8_t) (value | 0x80);
		value >>= 7;
	}
	*out++ = (uint8_t) value;
	return out;
}

/* The fewest bytes in which a number up to max fits. */
static inline uint32_t
colj_width(uint32_t max)
{
	return max <= 0xFF ? 1 : max <= 0xFFFF ? 2
		: max <= 0xFFFFFF ? 3
		: 4;
}

/* Write a document's first bytes and return the position after them. */
static inline uint8_t *
colj_put_header(uint8_t *out, uint8_t flags, uint32_t stride)
{
	*out++ = (uint8_t) (COLJ_FORMAT_VERSION << COLJ_VERSION_SHIFT | flags);
	*out++ = (uint8_t) (stride - 1);
	return out;
}

/* An unsigned number of width 1..4 bytes. */
static inline uint32_t
colj_load(const uint8_t *p, uint32_t width)
{
	switch (width)
	{
		case 1:
			return p[0];
		case 2:
			return p[0] | (uint32_t) p[1] << 8;
		case 3:
			return p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16;
		default:
			return p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
	}
}

static inline void
colj_store(uint8_t *p, uint32_t width, uint32_t value)
{
	for (uint32_t i = 0; i < width; i++)
	{
		p[i] = (uint8_t) value;
		value >>= 8;
	}
}

/*
 * Number i of a table of n numbers of one width that is stored byte by byte: the
 * lowest bytes of all numbers, then the next ones, and so on.
 */
static inline uint32_t
colj_load_split(const uint8_t *table, uint32_t n, uint32_t width, uint32_t i)
{
	uint32_t	value = table[i];

	if (width == 1)
		return value;
	value |= (uint32_t) table[n + i] << 8;
	for (uint32_t k = 2; k < width; k++)
		value |= (uint32_t) table[(size_t) k * n + i] << (8 * k);
	return value;
}

static inline void
colj_store_split(uint8_t *table, uint32_t n, uint32_t width, uint32_t i, uint32_t value)
{
	for (uint32_t k = 0; k < width; k++)
	{
		table[(size_t) k * n + i] = (uint8_t) value;
		value >>= 8;
	}
}

/* A signed number of len 0..8 bytes; no bytes are 0. */
static inline int64_t
colj_load_int(const uint8_t *p, uint32_t len)
{
	uint64_t	value = 0;
	uint32_t	unused = 64 - 8 * len;

	if (len == 0)
		return 0;
	for (uint32_t i = 0; i < len; i++)
		value |= (uint64_t) p[i] << (8 * i);
	/* shift the sign bit up and, arithmetically, down again */
	return (int64_t) (value << unused) >> unused;
}

static inline void
colj_store_int(uint8_t *p, uint32_t len, int64_t value)
{
	for (uint32_t i = 0; i < len; i++)
		p[i] = (uint8_t) ((uint64_t) value >> (8 * i));
}

/*
 * The fewest bytes, 1..8, in which a signed number fits: its bits without the
 * leading copies of the sign, and the sign, in whole bytes.
 */
static inline uint32_t
colj_int_size(int64_t value)
{
	uint64_t	bits = (uint64_t) (value < 0 ? ~value : value) << 1 | 1;

	return (71 - (uint32_t) __builtin_clzll(bits)) / 8;
}

/* Does an integer stand in its entry? */
static inline bool
colj_is_literal_int(int64_t integer)
{
	return integer >= 0 && integer <= COLJ_LITERAL_INT_MAX;
}

/* Does this entry's value take bytes among the big ones? */
static inline bool
colj_entry_is_big(uint8_t entry)
{
	return COLJ_ENTRY_LEN(entry) == COLJ_BIG && COLJ_ENTRY_TAG(entry) != COLJ_TAG_LITERAL;
}

/* Bytes that this entry's value takes among the small ones. */
static inline uint32_t
colj_entry_small_size(uint8_t entry)
{
	if (COLJ_ENTRY_TAG(entry) == COLJ_TAG_LITERAL || COLJ_ENTRY_LEN(entry) == COLJ_BIG)
		return 0;
	return COLJ_ENTRY_LEN(entry);
}

#define COLJ_EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/*
 * Add up eight entries at once, each in its own byte of a word.  A byte holds
 * at most 30, so that the eight sum to less than 256: a multiplication by
 * 0x0101... leaves the sum in the top byte.
 */
static inline void
colj_tally_word(uint64_t word, ColjTally *tally)
{
	uint64_t	len = word & COLJ_EACH_BYTE(COLJ_ENTRY_LEN_MASK);
	uint64_t	tagged = ((word >> 5) | (word >> 6) | (word >> 7)) & COLJ_EACH_BYTE(1);
	uint64_t	big = ((len + COLJ_EACH_BYTE(1)) >> COLJ_ENTRY_LEN_BITS) & tagged;

	/* literals have no bytes, big values no small ones */
	len &= (tagged & ~big) * COLJ_ENTRY_LEN_MASK;
	tally->small += (uint32_t) ((len * COLJ_EACH_BYTE(1)) >> 56);
	tally->big += (uint32_t) ((big * COLJ_EACH_BYTE(1)) >> 56);
}

/* The first n < 8 bytes of a word in memory order; the others become 0. */
static inline uint64_t
colj_first_bytes(uint64_t word, uint32_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return n == 0 ? 0 : word & ~(UINT64_MAX >> (8 * n));
#else
	return word & ((UINT64_C(1) << (8 * n)) - 1);
#endif
}

/*
 * What n entries add up to.  room is how many bytes can be read at entries, at
 * least n: where it allows, the last few entries are read as one word too.
 */
static inline ColjTally
colj_tally(const uint8_t *entries, uint32_t n, uint32_t room)
{
	ColjTally	tally = {0, 0};
	uint64_t	word;

	for (; n >= 8; n -= 8, entries += 8, room -= 8)
	{
		memcpy(&word, entries, 8);
		colj_tally_word(word, &tally);
	}
	if (n == 0)
		return tally;
	/* the missing entries count as null: they add nothing */
	word = 0;
	if (COLJ_LIKELY(room >= 8))
	{
		memcpy(&word, entries, 8);
		word = colj_first_bytes(word, n);
	}
	else
		memcpy(&word, entries, n);
	colj_tally_word(word, &tally);
	return tally;
}

/* What up to eight entries that can be read as one word add up to, and the first i of them. */
static inline void
colj_tally_both(const uint8_t *entries, uint32_t n, uint32_t i, ColjTally *before, ColjTally *total)
{
	uint64_t	word;
	ColjTally	all = {0, 0};
	ColjTally	first = {0, 0};

	memcpy(&word, entries, 8);
	if (n < 8)
		word = colj_first_bytes(word, n);
	colj_tally_word(word, &all);
	colj_tally_word(colj_first_bytes(word, i), &first);
	*total = all;
	*before = first;
}

#endif							/* COLJ_BYTES_H */
