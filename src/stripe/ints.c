/*-------------------------------------------------------------------------
 *
 * ints.c
 *	  Vectors of integers.
 *
 * The first byte is the encoding.  One look at the values (smallest, largest,
 * steps, runs, distinct ones) gives the size of each encoding, and the
 * smallest is written; only whether zstd helps is found out by trying.
 *
 *		CONSTANT	the value
 *		PACKED		the smallest value, bits of a difference, differences to it
 *		STEPS		the first value, then a vector of the steps
 *		RUNS		how many, then a vector of values and one of lengths less 1
 *		CODES		how many distinct values, a vector of them (rising), a vector
 *					of their positions
 *		BYTES		as PACKED, but in whole bytes and compressed by zstd
 *
 * Values and bits are varints, differences and steps wrap around at 64 bits.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "stripe/work.h"

typedef enum IntEncoding
{
	INT_CONSTANT = 0,
	INT_PACKED = 1,
	INT_STEPS = 2,
	INT_RUNS = 3,
	INT_CODES = 4,
	INT_BYTES = 5
} IntEncoding;

/* More distinct values than this are not worth a list. */
#define CODES_MAX 1024

/* Values that are this close together can be looked up in a table. */
#define NEAR_SPAN 1024

/* Vectors in vectors: each level must gain something, and the stack is short. */
#define DEPTH_MAX (COLJ_NESTING_MAX - 1)

/* Below this, zstd has nothing to find. */
#define ZSTD_MIN 64

/* What a look at the values says. */
typedef struct Look
{
	int64_t		min;
	int64_t		max;
	uint64_t	step_bits;		/* bits of the widest step, seen as a
								 * difference */
	uint32_t	runs;
	uint32_t	distinct;		/* CODES_MAX + 1 for more */
	int64_t    *codes;			/* the distinct values, rising, if not more */
} Look;

static uint32_t
span_bits(int64_t min, int64_t max)
{
	return colj_bits((uint64_t) max - (uint64_t) min);
}

static int
compare_ints(const void *x, const void *y)
{
	int64_t		a = *(const int64_t *) x;
	int64_t		b = *(const int64_t *) y;

	return (a > b) - (a < b);
}

static bool
are_near(const Look *look)
{
	return (uint64_t) look->max - (uint64_t) look->min < NEAR_SPAN;
}

/* Collect the distinct values where they are near; false if they are too many. */
static bool
collect_near(const int64_t *values, uint32_t n, uint32_t limit, Look *look)
{
	bool		seen[NEAR_SPAN] = {false};
	uint32_t	span = (uint32_t) (look->max - look->min) + 1;

	for (uint32_t i = 0; i < n; i++)
		seen[values[i] - look->min] = true;
	for (uint32_t i = 0; i < span; i++)
	{
		if (!seen[i])
			continue;
		if (look->distinct >= limit)
			return false;
		look->codes[look->distinct++] = look->min + i;
	}
	return true;
}

/* The same of any values. */
static bool
collect_far(ColjVectorWork *work, const int64_t *values, uint32_t n, uint32_t limit, Look *look)
{
	int64_t    *codes = look->codes;
	uint32_t	bits = colj_bits(limit) + 1;
	uint32_t	mask = (UINT32_C(1) << bits) - 1;
	uint16_t   *slots = colj_work_room(work, 1, (mask + 1) * sizeof(uint16_t));

	if (slots == NULL)
		return false;
	memset(slots, 0, (mask + 1) * sizeof(uint16_t));
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t	slot = (uint32_t) (((uint64_t) values[i] * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - bits));

		while (slots[slot] != 0 && codes[slots[slot] - 1] != values[i])
			slot = (slot + 1) & mask;
		if (slots[slot] != 0)
			continue;
		if (look->distinct >= limit)
			return false;
		codes[look->distinct] = values[i];
		slots[slot] = (uint16_t) ++look->distinct;
	}
	qsort(codes, look->distinct, sizeof(int64_t), compare_ints);
	return true;
}

static void
look_for_codes(ColjVectorWork *work, const int64_t *values, uint32_t n, Look *look)
{
	uint32_t	limit = n / 4 < CODES_MAX ? n / 4 : CODES_MAX;

	look->codes = colj_work_room(work, 0, (CODES_MAX + 1) * sizeof(int64_t));
	look->distinct = 0;
	if (look->codes == NULL ||
		!(are_near(look) ? collect_near(values, n, limit, look) : collect_far(work, values, n, limit, look)))
		look->distinct = CODES_MAX + 1;
}

static void
look_at(ColjVectorWork *work, const int64_t *values, uint32_t n, Look *look)
{
	int64_t		min_step = INT64_MAX;
	int64_t		max_step = INT64_MIN;

	*look = (Look){.min = values[0], .max = values[0], .runs = 1, .distinct = CODES_MAX + 1};
	for (uint32_t i = 1; i < n; i++)
	{
		int64_t		value = values[i];
		int64_t		step = (int64_t) ((uint64_t) value - (uint64_t) values[i - 1]);

		look->min = value < look->min ? value : look->min;
		look->max = value > look->max ? value : look->max;
		min_step = step < min_step ? step : min_step;
		max_step = step > max_step ? step : max_step;
		look->runs += step != 0;
	}
	look->step_bits = n < 2 ? 0 : span_bits(min_step, max_step);
	if (look->min != look->max && span_bits(look->min, look->max) > 1)
		look_for_codes(work, values, n, look);
}

static size_t
packed_size(uint32_t n, uint32_t bits)
{
	return ((uint64_t) n * bits + 7) / 8;
}

static void
put_packed(const int64_t *values, uint32_t n, int64_t min, uint32_t bits, ColjSink *out)
{
	uint8_t    *p;
	uint32_t	at = 0;

	colj_sink_byte(out, INT_PACKED);
	colj_sink_varint64(out, colj_zigzag(min));
	colj_sink_varint(out, bits);
	p = colj_sink_reserve(out, packed_size(n, bits));
	if (p == NULL)
		return;
	memset(p, 0, packed_size(n, bits));
	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	rest = (uint64_t) values[i] - (uint64_t) min;

		for (uint32_t left = bits; left > 0;)
		{
			uint32_t	shift = at % 8;
			uint32_t	take = 8 - shift < left ? 8 - shift : left;

			p[at / 8] |= (uint8_t) (rest << shift);
			rest >>= take;
			at += take;
			left -= take;
		}
	}
}

/* Differences in whole bytes, through zstd; *done if that beats `below` bytes. */
static ColjStatus
put_bytes(ColjVectorWork *work, const int64_t *values, uint32_t n, const Look *look, size_t below,
		  ColjSink *out, bool *done)
{
	uint32_t	width = (span_bits(look->min, look->max) + 7) / 8;
	uint8_t    *bytes = colj_work_room(work, 0, (size_t) n * width);
	size_t		start = out->len;

	if (bytes == NULL)
		return COLJ_NO_MEMORY;
	/* bytes of one weight stand together: the high ones repeat */
	for (uint32_t w = 0; w < width; w++)
		for (uint32_t i = 0; i < n; i++)
			bytes[(size_t) w * n + i] = (uint8_t) (((uint64_t) values[i] - (uint64_t) look->min) >> (8 * w));
	colj_sink_byte(out, INT_BYTES);
	colj_sink_varint64(out, colj_zigzag(look->min));
	colj_sink_byte(out, (uint8_t) width);
	if (colj_put_zstd(work, bytes, (size_t) n * width, below, out, done) != COLJ_OK)
		return COLJ_NO_MEMORY;
	if (!*done)
		out->len = start;
	return out->status;
}

/* Put a vector one level deeper. */
static ColjStatus
put_inner(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n, ColjSink *out)
{
	ColjStatus	status;

	work->depth++;
	status = colj_put_ints(work, codec, values, n, out);
	work->depth--;
	return status;
}

static ColjStatus
put_steps(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n, ColjSink *out)
{
	int64_t    *steps = colj_work_room(work, 0, n * sizeof(int64_t));

	if (steps == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 1; i < n; i++)
		steps[i - 1] = (int64_t) ((uint64_t) values[i] - (uint64_t) values[i - 1]);
	colj_sink_byte(out, INT_STEPS);
	colj_sink_varint64(out, colj_zigzag(values[0]));
	return put_inner(work, codec, steps, n - 1, out);
}

static ColjStatus
put_runs(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
		 uint32_t runs, ColjSink *out)
{
	int64_t    *heads = colj_work_room(work, 0, runs * sizeof(int64_t));
	int64_t    *lengths = colj_work_room(work, 1, runs * sizeof(int64_t));
	uint32_t	run = 0;
	ColjStatus	status;

	if (heads == NULL || lengths == NULL)
		return COLJ_NO_MEMORY;
	heads[0] = values[0];
	lengths[0] = 0;
	for (uint32_t i = 1; i < n; i++)
	{
		if (values[i] == values[i - 1])
		{
			lengths[run]++;
			continue;
		}
		heads[++run] = values[i];
		lengths[run] = 0;
	}
	colj_sink_byte(out, INT_RUNS);
	colj_sink_varint(out, runs);
	status = put_inner(work, codec, heads, runs, out);
	return status != COLJ_OK ? status : put_inner(work, codec, lengths, runs, out);
}

static ColjStatus
put_codes(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
		  const Look *look, ColjSink *out)
{
	int64_t    *positions = colj_work_room(work, 1, n * sizeof(int64_t));
	uint16_t	near[NEAR_SPAN];
	ColjStatus	status;

	if (positions == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 0; i < look->distinct && are_near(look); i++)
		near[look->codes[i] - look->min] = (uint16_t) i;
	for (uint32_t i = 0; i < n; i++)
		positions[i] = are_near(look) ? near[values[i] - look->min]
			: (int64_t *) bsearch(&values[i], look->codes, look->distinct, sizeof(int64_t), compare_ints) - look->codes;
	colj_sink_byte(out, INT_CODES);
	colj_sink_varint(out, look->distinct);
	status = put_inner(work, codec, look->codes, look->distinct, out);
	return status != COLJ_OK ? status : put_inner(work, codec, positions, n, out);
}

/* About what an encoding takes; the nested ones are guessed as PACKED. */
static size_t
guess_size(IntEncoding encoding, const Look *look, uint32_t n)
{
	uint32_t	bits = span_bits(look->min, look->max);
	size_t		never = SIZE_MAX;

	switch (encoding)
	{
		case INT_PACKED:
			return 4 + packed_size(n, bits);
		case INT_STEPS:
			return n < 8 ? never : 10 + packed_size(n, (uint32_t) look->step_bits);
		case INT_RUNS:
			return look->runs > n / 3 ? never : 12 + packed_size(look->runs, bits + colj_bits(n / look->runs) + 1);
		case INT_CODES:
			return look->distinct > CODES_MAX ? never
				: 12 + packed_size(look->distinct, bits) + packed_size(n, colj_bits(look->distinct - 1));
		default:
			return never;
	}
}

static IntEncoding
choose(const ColjVectorWork *work, const Look *look, uint32_t n, size_t *size)
{
	IntEncoding best = INT_PACKED;
	IntEncoding last = work->depth < DEPTH_MAX ? INT_CODES : INT_PACKED;

	*size = guess_size(INT_PACKED, look, n);
	for (IntEncoding encoding = INT_STEPS; encoding <= last; encoding++)
	{
		size_t		guess = guess_size(encoding, look, n);

		if (guess < *size)
		{
			*size = guess;
			best = encoding;
		}
	}
	return best;
}

ColjStatus
colj_put_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
			  ColjSink *out)
{
	IntEncoding encoding;
	size_t		size;
	Look		look;
	bool		done = false;

	if (n == 0)
		return out->status;
	look_at(work, values, n, &look);
	if (look.min == look.max)
	{
		colj_sink_byte(out, INT_CONSTANT);
		colj_sink_varint64(out, colj_zigzag(look.min));
		return out->status;
	}
	encoding = choose(work, &look, n, &size);
	if (encoding == INT_STEPS)
		return put_steps(work, codec, values, n, out);
	if (encoding == INT_RUNS)
		return put_runs(work, codec, values, n, look.runs, out);
	if (encoding == INT_CODES)
		return put_codes(work, codec, values, n, &look, out);
	if (codec == COLJ_CODEC_ZSTD && size > ZSTD_MIN &&
		put_bytes(work, values, n, &look, size, out, &done) != COLJ_OK)
		return COLJ_NO_MEMORY;
	if (!done)
		put_packed(values, n, look.min, span_bits(look.min, look.max), out);
	return out->status;
}

ColjStatus
colj_encode_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
				 ColjSink *out)
{
	work->depth = 0;
	return colj_put_ints(work, codec, values, n, out);
}

/* Decoders.  Each fills exactly n values or fails. */

static ColjStatus
get_constant(ColjInput *in, int64_t *values, uint32_t n)
{
	uint64_t	value;

	if (!colj_input_varint64(in, &value))
		return COLJ_CORRUPT;
	for (uint32_t i = 0; i < n; i++)
		values[i] = colj_unzigzag(value);
	return COLJ_OK;
}

/* Eight bytes at p, or fewer up to the end, as a little-endian number. */
static inline uint64_t
load_word(const uint8_t *p, size_t left)
{
	uint64_t	word = 0;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (left >= 8)
	{
		memcpy(&word, p, 8);
		return word;
	}
#endif
	for (size_t i = 0; i < left && i < 8; i++)
		word |= (uint64_t) p[i] << (8 * i);
	return word;
}

/* Up to 64 bits at bit position `at`; the bytes are there. */
static inline uint64_t
bits_at(const uint8_t *p, size_t len, uint64_t at, uint32_t bits)
{
	size_t		byte = at / 8;
	uint32_t	shift = at % 8;
	uint64_t	word = load_word(p + byte, len - byte) >> shift;

	if (shift + bits > 64)
		word |= (uint64_t) p[byte + 8] << (64 - shift);
	return bits == 64 ? word : word & ((UINT64_C(1) << bits) - 1);
}

static ColjStatus
get_packed(ColjInput *in, int64_t *values, uint32_t n)
{
	uint64_t	min;
	uint32_t	bits;
	size_t		len;
	const uint8_t *p;

	if (!colj_input_varint64(in, &min) || !colj_input_varint(in, &bits))
		return COLJ_CORRUPT;
	if (bits > 64)
		return colj_input_wrong(in, "A vector packs more bits than a number has.");
	len = packed_size(n, bits);
	p = colj_input_bytes(in, len);
	if (p == NULL)
		return COLJ_CORRUPT;
	min = (uint64_t) colj_unzigzag(min);
	for (uint32_t i = 0; i < n; i++)
		values[i] = (int64_t) (min + (bits == 0 ? 0 : bits_at(p, len, (uint64_t) i * bits, bits)));
	return COLJ_OK;
}

static ColjStatus
get_bytes(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint64_t	min;
	uint8_t		width;
	uint32_t	raw;
	uint8_t    *bytes;

	if (!colj_input_varint64(in, &min) || !colj_input_byte(in, &width))
		return COLJ_CORRUPT;
	if (width > 8)
		return colj_input_wrong(in, "A vector's numbers are longer than 8 bytes.");
	if (!colj_input_zstd_size(in, (size_t) n * width, &raw))
		return COLJ_CORRUPT;
	if (raw != (uint32_t) n * width)
		return colj_input_wrong(in, "A compressed vector has another size than its values.");
	bytes = colj_work_room(work, 0, raw);
	if (bytes == NULL)
		return COLJ_NO_MEMORY;
	if (!colj_input_zstd(work, in, bytes, raw))
		return COLJ_CORRUPT;
	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	difference = 0;

		for (uint32_t w = 0; w < width; w++)
			difference |= (uint64_t) bytes[(size_t) w * n + i] << (8 * w);
		values[i] = (int64_t) ((uint64_t) colj_unzigzag(min) + difference);
	}
	return COLJ_OK;
}

static ColjStatus
get_inner(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	ColjStatus	status;

	if (work->depth >= DEPTH_MAX)
		return colj_input_wrong(in, "Vectors are nested too deeply.");
	work->depth++;
	status = colj_get_ints(work, in, values, n);
	work->depth--;
	return status;
}

static ColjStatus
get_steps(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint64_t	first;
	ColjStatus	status;

	if (!colj_input_varint64(in, &first))
		return COLJ_CORRUPT;
	values[0] = colj_unzigzag(first);
	status = get_inner(work, in, values + 1, n - 1);
	if (status != COLJ_OK)
		return status;
	for (uint32_t i = 1; i < n; i++)
		values[i] = (int64_t) ((uint64_t) values[i] + (uint64_t) values[i - 1]);
	return COLJ_OK;
}

static ColjStatus
get_runs(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint32_t	runs;
	uint32_t	at = 0;
	int64_t    *heads;
	int64_t    *lengths;
	ColjStatus	status;

	if (!colj_input_varint(in, &runs))
		return COLJ_CORRUPT;
	if (runs > n)
		return colj_input_wrong(in, "A vector has more runs than values.");
	heads = colj_work_room(work, 0, runs * sizeof(int64_t));
	lengths = colj_work_room(work, 1, runs * sizeof(int64_t));
	if (heads == NULL || lengths == NULL)
		return COLJ_NO_MEMORY;
	status = get_inner(work, in, heads, runs);
	if (status == COLJ_OK)
		status = get_inner(work, in, lengths, runs);
	if (status != COLJ_OK)
		return status;
	for (uint32_t run = 0; run < runs; run++)
	{
		if (lengths[run] < 0 || lengths[run] >= (int64_t) n - at)
			return colj_input_wrong(in, "A vector's runs are longer than it is.");
		for (int64_t i = 0; i <= lengths[run]; i++)
			values[at++] = heads[run];
	}
	return at == n ? COLJ_OK : colj_input_wrong(in, "A vector's runs are shorter than it is.");
}

static ColjStatus
get_codes(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint32_t	distinct;
	int64_t    *codes;
	ColjStatus	status;

	if (!colj_input_varint(in, &distinct))
		return COLJ_CORRUPT;
	if (distinct > CODES_MAX)
		return colj_input_wrong(in, "A vector lists more distinct values than it may.");
	codes = colj_work_room(work, 0, distinct * sizeof(int64_t));
	if (codes == NULL)
		return COLJ_NO_MEMORY;
	status = get_inner(work, in, codes, distinct);
	if (status == COLJ_OK)
		status = get_inner(work, in, values, n);
	if (status != COLJ_OK)
		return status;
	for (uint32_t i = 0; i < n; i++)
	{
		if (values[i] < 0 || values[i] >= distinct)
			return colj_input_wrong(in, "A vector refers to a value that it does not list.");
		values[i] = codes[values[i]];
	}
	return COLJ_OK;
}

ColjStatus
colj_get_ints(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint8_t		encoding;

	if (n == 0)
		return COLJ_OK;
	if (!colj_input_byte(in, &encoding))
		return COLJ_CORRUPT;
	switch (encoding)
	{
		case INT_CONSTANT:
			return get_constant(in, values, n);
		case INT_PACKED:
			return get_packed(in, values, n);
		case INT_STEPS:
			return get_steps(work, in, values, n);
		case INT_RUNS:
			return get_runs(work, in, values, n);
		case INT_CODES:
			return get_codes(work, in, values, n);
		case INT_BYTES:
			return get_bytes(work, in, values, n);
		default:
			return colj_input_wrong(in, "A vector has an encoding that is not known.");
	}
}

const char *
colj_ints_encoding(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"constant", "packed", "steps", "runs", "codes", "bytes"};

	return len == 0 ? "empty" : bytes[0] <= INT_BYTES ? names[bytes[0]]
		: "unknown";
}

ColjStatus
colj_decode_ints(ColjVectorWork *work, const uint8_t *bytes, size_t len, int64_t *values,
				 uint32_t n, const char **problem)
{
	ColjInput	in = colj_input(bytes, len);
	ColjStatus	status;

	work->depth = 0;
	status = colj_get_ints(work, &in, values, n);
	if (status == COLJ_OK && in.p != in.end)
		status = colj_input_wrong(&in, "A vector has bytes after its values.");
	if (problem != NULL)
		*problem = in.problem;
	return status;
}
