/*-------------------------------------------------------------------------
 *
 * strings.h
 *	  The stored forms of vectors of strings: what strings.c writes and
 *	  unstrings.c reads.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_STRINGS_H
#define COLJ_STRIPE_STRINGS_H

#include <string.h>

#include "stripe/work.h"

/* The first byte of a vector of strings.  The numbers are frozen. */
typedef enum ColjStringEncoding
{
	COLJ_STRINGS_CONSTANT = 0,
	COLJ_STRINGS_PLAIN = 1,
	COLJ_STRINGS_ZSTD = 2,
	COLJ_STRINGS_CODES = 3,
	COLJ_STRINGS_AFFIXES = 4,
	COLJ_STRINGS_NUMBERS = 5,
	COLJ_STRINGS_PLANES = 6,
	COLJ_STRINGS_PLANES_ZSTD = 7
} ColjStringEncoding;

/* The most distinct strings that CODES lists; the longest strings in PLANES. */
#define COLJ_STRING_CODES_MAX 1024
#define COLJ_STRING_PLANES_MAX 128

/* Write a vector at the current depth of nesting. */
extern ColjStatus colj_put_strings(ColjVectorWork *work, ColjCodec codec,
								   const ColjStrings *strings, ColjSink *out);

/* PLAIN or, if that is smaller and the codec allows it, ZSTD. */
extern ColjStatus colj_put_plain(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings,
								 ColjSink *out);

/* Strings that all have one length, 1 .. COLJ_STRING_PLANES_MAX: by place, or as above (planes.c). */
extern ColjStatus colj_put_planes(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings,
								  uint32_t len, ColjSink *out);

/* A hash of a string and what seed stands for; stored nowhere. */
static inline uint64_t
colj_hash_string(uint64_t seed, const char *p, uint32_t len)
{
	uint64_t	hash = seed + len;
	uint64_t	word;

	for (; len >= 8; len -= 8, p += 8)
	{
		memcpy(&word, p, 8);
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	word = 0;
	if (len > 0)
		memcpy(&word, p, len);
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* How many bytes at a and b are the same, at most max. */
static inline uint32_t
colj_same_front(const char *a, const char *b, uint32_t max)
{
	uint32_t	same = 0;

	while (same < max && a[same] == b[same])
		same++;
	return same;
}

/* The same before a_end and b_end. */
static inline uint32_t
colj_same_back(const char *a_end, const char *b_end, uint32_t max)
{
	uint32_t	same = 0;

	while (same < max && a_end[-1 - (int64_t) same] == b_end[-1 - (int64_t) same])
		same++;
	return same;
}

#endif							/* COLJ_STRIPE_STRINGS_H */
