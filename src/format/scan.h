/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  Looking at text eight bytes at a time.
 *
 * Plain C on 64-bit words, loaded by memcpy so that alignment does not matter
 * and with the first byte of text in the lowest bits on every machine.  None
 * of this reads past the text it is given.
 *
 * The functions named mask set the top bit of every byte that matches.  A
 * subtraction may borrow from the byte above, so that only the first match is
 * certain to be one; nobody here asks for more.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SCAN_H
#define COLJ_SCAN_H

#include "bytes.h"

#define COLJ_WORD 8

/*
 * For the few functions that a loop over a document's values spends its time
 * in, and for what must not make that loop's code longer.
 */
#if defined(__GNUC__) || defined(__clang__)
#define COLJ_ALWAYS_INLINE inline __attribute__((always_inline))
#define COLJ_NEVER_INLINE __attribute__((noinline))
#else
#define COLJ_ALWAYS_INLINE inline
#define COLJ_NEVER_INLINE
#endif

static inline uint64_t
colj_word_load(const char *s)
{
	uint64_t	word;

	memcpy(&word, s, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static inline void
colj_word_store(char *out, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	memcpy(out, &word, sizeof(word));
}

/* The first match of a mask that has one: 0..7. */
static inline uint32_t
colj_word_first(uint64_t mask)
{
	return (uint32_t) __builtin_ctzll(mask) >> 3;
}

/* The bytes that cannot stand for themselves in a JSON string. */
static inline bool
colj_byte_special(uint8_t c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/*
 * The same for a word.  Flipping bit 1 swaps the quote (0x22) with the space
 * (0x20), after which the quote and all control characters are below 0x21.
 */
static inline uint64_t
colj_word_special_mask(uint64_t word)
{
	uint64_t	low = (word ^ COLJ_EACH_BYTE(0x02)) - COLJ_EACH_BYTE(0x21);
	uint64_t	backslash = (word ^ COLJ_EACH_BYTE('\\')) - COLJ_EACH_BYTE(0x01);

	return (low | backslash) & ~word & COLJ_EACH_BYTE(0x80);
}

/* The bytes that are no digits; exact for each byte. */
static inline uint64_t
colj_word_nondigit_mask(uint64_t word)
{
	uint64_t	value = word ^ COLJ_EACH_BYTE('0');

	return (((value & COLJ_EACH_BYTE(0x7F)) + COLJ_EACH_BYTE(0x80 - 10)) | value) & COLJ_EACH_BYTE(0x80);
}

/*
 * The number that the first n (1..8) bytes of a word, all digits, write.  They
 * are moved up behind zeros; then neighbours are joined to pairs, pairs to
 * fours, and fours to the whole.
 */
static inline uint64_t
colj_word_number(uint64_t word, uint32_t n)
{
	word = (word ^ COLJ_EACH_BYTE('0')) << (64 - 8 * n);
	word = (word * 10 + (word >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
	word = (word * 100 + (word >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
	return (word * 10000 + (word >> 32)) & UINT64_C(0xFFFFFFFF);
}

/* The first special byte of a text, or its end. */
static inline const char *
colj_scan_special(const char *s, const char *end)
{
	for (; end - s >= COLJ_WORD; s += COLJ_WORD)
	{
		uint64_t	mask = colj_word_special_mask(colj_word_load(s));

		if (mask != 0)
			return s + colj_word_first(mask);
	}
	while (s < end && !colj_byte_special((uint8_t) *s))
		s++;
	return s;
}

#endif							/* COLJ_SCAN_H */
