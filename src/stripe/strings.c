/*-------------------------------------------------------------------------
 *
 * strings.c
 *	  Vectors of strings: choosing an encoding and writing it.
 *
 * The first byte is the encoding; unstrings.c reads what this file writes.
 *
 *		CONSTANT	the string (its length, its bytes)
 *		PLAIN		a vector of the lengths, then all bytes
 *		ZSTD		the same, with the bytes as a zstd frame
 *		CODES		how many distinct strings, a vector of them, a vector of
 *					their positions
 *		AFFIXES		what all begin with, what all end with, a vector of the rest
 *		NUMBERS		a vector of integers, of which the strings are the decimals
 *		PLANES		one length for all; for each place in them how many bytes
 *					occur there, which, and their positions, bit-packed
 *		PLANES_ZSTD	one length for all; all first bytes, all second bytes, ... as
 *					a zstd frame
 *
 * PLANES (planes.c) is for what programs write with a fixed form: times, hashes,
 * ids in base 32 or 64.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/strings.h"

#include <string.h>

/* More distinct strings than this are not worth a list. */
#define CODES_MAX COLJ_STRING_CODES_MAX

/* Strings of one length, up to this, may be stored by place. */
#define PLANES_MAX COLJ_STRING_PLANES_MAX

/* One string for all, longer than this, is worth a try of zstd. */
#define CONSTANT_MAX 128

/* Affixes that gain less than this for each string stay where they are. */
#define AFFIX_MIN 2

#define DEPTH_MAX (COLJ_NESTING_MAX - 2)

static inline const char *
string_at(const ColjStrings *strings, uint32_t i)
{
	return strings->data + (i > 0 ? strings->ends[i - 1] : 0);
}

static inline uint32_t
length_at(const ColjStrings *strings, uint32_t i)
{
	return strings->ends[i] - (i > 0 ? strings->ends[i - 1] : 0);
}

static inline uint32_t
total_length(const ColjStrings *strings)
{
	return strings->n == 0 ? 0 : strings->ends[strings->n - 1];
}

static bool
same_string(const ColjStrings *strings, uint32_t i, uint32_t j)
{
	return length_at(strings, i) == length_at(strings, j) &&
		(length_at(strings, i) == 0 || memcmp(string_at(strings, i), string_at(strings, j), length_at(strings, i)) == 0);
}

static bool
all_same(const ColjStrings *strings)
{
	for (uint32_t i = 1; i < strings->n; i++)
		if (!same_string(strings, 0, i))
			return false;
	return true;
}

/* Is this how colj_number_text writes an integer that fits into an int64? */
static bool
parse_number(const char *p, uint32_t len, int64_t *value)
{
	bool		negative = len > 0 && *p == '-';
	int64_t		sum = 0;

	if (negative)
	{
		p++;
		len--;
	}
	if (len == 0 || len > 18 || (*p == '0' && (len > 1 || negative)))
		return false;
	for (uint32_t i = 0; i < len; i++)
	{
		if (p[i] < '0' || p[i] > '9')
			return false;
		sum = sum * 10 + (p[i] - '0');
	}
	*value = negative ? -sum : sum;
	return true;
}

/* The distinct strings of a vector. */
typedef struct Codes
{
	uint32_t	n;
	uint32_t	bytes;			/* of all of them */
	uint32_t   *first;			/* where each occurs first */
	int64_t    *codes;			/* of each string */
} Codes;

/*
 * Number the distinct strings in order of appearance.  False when they are
 * too many to list.
 */
static bool
look_for_codes(ColjVectorWork *work, const ColjStrings *strings, Codes *codes)
{
	uint32_t	limit = strings->n / 3 < CODES_MAX ? strings->n / 3 : CODES_MAX;
	uint32_t	nslots = UINT32_C(4) << colj_bits(limit);
	uint16_t   *slots = colj_work_room(work, 2, nslots * sizeof(uint16_t));

	codes->n = 0;
	codes->bytes = 0;
	codes->first = colj_work_room(work, 0, (limit + 1) * sizeof(uint32_t));
	codes->codes = colj_work_room(work, 1, strings->n * sizeof(int64_t));
	if (slots == NULL || codes->first == NULL || codes->codes == NULL)
		return false;
	memset(slots, 0, nslots * sizeof(uint16_t));
	for (uint32_t i = 0; i < strings->n; i++)
	{
		uint32_t	slot = (uint32_t) (colj_hash_string(0, string_at(strings, i), length_at(strings, i)) >> 20) & (nslots - 1);

		while (slots[slot] != 0 && !same_string(strings, codes->first[slots[slot] - 1], i))
			slot = (slot + 1) & (nslots - 1);
		if (slots[slot] == 0)
		{
			if (codes->n >= limit)
				return false;
			codes->first[codes->n] = i;
			codes->bytes += length_at(strings, i) + 1;
			slots[slot] = (uint16_t) ++codes->n;
		}
		codes->codes[i] = slots[slot] - 1;
	}
	return true;
}

static void
put_string(ColjSink *out, const char *p, uint32_t len)
{
	colj_sink_varint(out, len);
	colj_sink_bytes(out, p, len);
}

static ColjStatus
put_inner_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n, ColjSink *out)
{
	ColjStatus	status;

	work->depth++;
	status = colj_put_ints(work, codec, values, n, out);
	work->depth--;
	return status;
}

static ColjStatus
put_inner(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	ColjStatus	status;

	work->depth++;
	status = colj_put_strings(work, codec, strings, out);
	work->depth--;
	return status;
}

static ColjStatus
put_lengths(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	int64_t    *lengths = colj_work_room(work, 0, strings->n * sizeof(int64_t));

	if (lengths == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 0; i < strings->n; i++)
		lengths[i] = length_at(strings, i);
	return put_inner_ints(work, codec, lengths, strings->n, out);
}

ColjStatus
colj_put_plain(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	size_t		start = out->len;
	bool		done = false;
	ColjStatus	status;

	colj_sink_byte(out, COLJ_STRINGS_ZSTD);
	status = put_lengths(work, codec, strings, out);
	if (status == COLJ_OK && codec == COLJ_CODEC_ZSTD)
		status = colj_put_zstd(work, strings->data, total_length(strings), total_length(strings), out, &done);
	if (status != COLJ_OK || done)
		return status;
	if (out->status == COLJ_OK)
		out->data[start] = COLJ_STRINGS_PLAIN;
	colj_sink_bytes(out, strings->data, total_length(strings));
	return out->status;
}

static ColjStatus
put_codes(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, const Codes *codes,
		  ColjSink *out)
{
	uint32_t   *ends = colj_work_room(work, 2, codes->n * sizeof(uint32_t) + codes->bytes);
	char	   *data;
	ColjStrings distinct;
	uint32_t	end = 0;
	ColjStatus	status;

	if (ends == NULL)
		return COLJ_NO_MEMORY;
	data = (char *) (ends + codes->n);
	distinct = (ColjStrings){codes->n, ends, data};
	for (uint32_t i = 0; i < codes->n; i++)
	{
		memcpy(data + end, string_at(strings, codes->first[i]), length_at(strings, codes->first[i]));
		end += length_at(strings, codes->first[i]);
		ends[i] = end;
	}
	colj_sink_byte(out, COLJ_STRINGS_CODES);
	colj_sink_varint(out, codes->n);
	status = put_inner(work, codec, &distinct, out);
	return status != COLJ_OK ? status : put_inner_ints(work, codec, codes->codes, strings->n, out);
}

static bool
try_numbers(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	int64_t    *numbers = colj_work_room(work, 0, strings->n * sizeof(int64_t));

	if (numbers == NULL)
		return false;
	for (uint32_t i = 0; i < strings->n; i++)
		if (!parse_number(string_at(strings, i), length_at(strings, i), &numbers[i]))
			return false;
	colj_sink_byte(out, COLJ_STRINGS_NUMBERS);
	return put_inner_ints(work, codec, numbers, strings->n, out) == COLJ_OK;
}

/* How long a prefix and a suffix all strings share, without overlap. */
static void
look_for_affixes(const ColjStrings *strings, uint32_t *prefix, uint32_t *suffix)
{
	const char *first = string_at(strings, 0);
	uint32_t	first_len = length_at(strings, 0);
	uint32_t	shortest = first_len;

	*prefix = *suffix = shortest;
	for (uint32_t i = 1; i < strings->n && *prefix + *suffix > 0; i++)
	{
		const char *p = string_at(strings, i);
		uint32_t	len = length_at(strings, i);

		if (len < shortest)
		{
			shortest = len;
			*prefix = *prefix < len ? *prefix : len;
			*suffix = *suffix < len ? *suffix : len;
		}
		if (*prefix > 0 && memcmp(p, first, *prefix) != 0)
			*prefix = colj_same_front(p, first, *prefix);
		if (*suffix > 0 && p[len - 1] != first[first_len - 1])
			*suffix = 0;
		else
			*suffix = colj_same_back(p + len, first + first_len, *suffix);
	}
	if (*suffix > shortest - *prefix)
		*suffix = shortest - *prefix;
}

static ColjStatus
put_affixes(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, uint32_t prefix,
			uint32_t suffix, ColjSink *out)
{
	uint32_t   *ends = colj_work_room(work, 0, strings->n * sizeof(uint32_t));
	char	   *data = colj_work_room(work, 1, total_length(strings));
	ColjStrings rest = {strings->n, ends, data};
	uint32_t	end = 0;

	if (ends == NULL || data == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 0; i < strings->n; i++)
	{
		uint32_t	len = length_at(strings, i) - prefix - suffix;

		memcpy(data + end, string_at(strings, i) + prefix, len);
		end += len;
		ends[i] = end;
	}
	colj_sink_byte(out, COLJ_STRINGS_AFFIXES);
	put_string(out, string_at(strings, 0), prefix);
	put_string(out, string_at(strings, 0) + length_at(strings, 0) - suffix, suffix);
	return put_inner(work, codec, &rest, out);
}

/* The one length of all strings, or 0. */
static uint32_t
shared_length(const ColjStrings *strings)
{
	uint32_t	len = length_at(strings, 0);

	for (uint32_t i = 1; i < strings->n; i++)
		if (length_at(strings, i) != len)
			return 0;
	return len;
}

/* A list of the distinct strings must beat what else could be done. */
static bool
codes_pay(const ColjStrings *strings, const Codes *codes, ColjCodec codec)
{
	uint64_t	size = codes->bytes + (uint64_t) strings->n * colj_bits(codes->n - 1) / 8;

	/* zstd would find repeated strings too, at some bytes for each */
	return codec == COLJ_CODEC_ZSTD ? size < total_length(strings) / 2 : size < total_length(strings);
}

ColjStatus
colj_put_strings(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	bool		nests = work->depth < DEPTH_MAX;
	size_t		start = out->len;
	uint32_t	prefix;
	uint32_t	suffix;
	Codes		codes;
	uint32_t	len;

	if (strings->n == 0)
		return out->status;
	if (all_same(strings) && (codec == COLJ_CODEC_LIGHT || length_at(strings, 0) <= CONSTANT_MAX))
	{
		colj_sink_byte(out, COLJ_STRINGS_CONSTANT);
		put_string(out, string_at(strings, 0), length_at(strings, 0));
		return out->status;
	}
	if (strings->n == 1)
		return colj_put_plain(work, codec, strings, out);
	if (try_numbers(work, codec, strings, out))
		return out->status;
	out->len = start;
	if (nests && look_for_codes(work, strings, &codes) && codes_pay(strings, &codes, codec))
		return put_codes(work, codec, strings, &codes, out);
	look_for_affixes(strings, &prefix, &suffix);
	if (nests && prefix + suffix >= AFFIX_MIN)
		return put_affixes(work, codec, strings, prefix, suffix, out);
	len = shared_length(strings);
	if (len > 0 && len <= PLANES_MAX)
		return colj_put_planes(work, codec, strings, len, out);
	return colj_put_plain(work, codec, strings, out);
}

ColjStatus
colj_encode_strings(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, ColjSink *out)
{
	work->depth = 0;
	return colj_put_strings(work, codec, strings, out);
}
