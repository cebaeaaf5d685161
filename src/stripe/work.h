/*-------------------------------------------------------------------------
 *
 * work.h
 *	  What the encoders and decoders of vectors share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_WORK_H
#define COLJ_STRIPE_WORK_H

#include <zstd.h>

#include "stripe/vector.h"

/* A growing piece of the host's memory without a meaning of its own. */
typedef struct ColjRoom
{
	void	   *data;
	size_t		size;
} ColjRoom;

/*
 * Encodings nest, so temporary arrays come from a stack: a level of nesting
 * takes what it needs and gives it back.  The deepest nesting is that of
 * strings in a dictionary whose codes are runs.
 */
#define COLJ_NESTING_MAX 6

struct ColjVectorWork
{
	const ColjHost *host;
	int			zstd_level;
	ZSTD_CCtx  *cctx;			/* made at the first use */
	ZSTD_DCtx  *dctx;
	uint32_t	depth;			/* of nesting, now */
	ColjRoom	values;			/* of the vector at hand */
	ColjRoom	rooms[COLJ_NESTING_MAX * 3];	/* three for each level */
	ColjSink	scratch[COLJ_NESTING_MAX];	/* what a level tries before it
											 * decides */
};

/* Room for the values of a vector beside all levels; NULL without memory. */
extern int64_t *colj_work_values(ColjVectorWork *work, uint32_t n);

/* Room i (0..2) of the current level, of at least size bytes; NULL without memory. */
extern void *colj_work_room(ColjVectorWork *work, uint32_t i, size_t size);

/* The current level's sink, empty. */
extern ColjSink *colj_work_sink(ColjVectorWork *work);

/*
 * Append len bytes as a zstd frame behind its two sizes (varints).  COLJ_OK
 * and nothing appended when they would not shrink to `below` bytes.
 */
extern ColjStatus colj_put_zstd(ColjVectorWork *work, const void *bytes, size_t len, size_t below,
								ColjSink *out, bool *done);

/* Bytes that are being decoded. */
typedef struct ColjInput
{
	const uint8_t *p;
	const uint8_t *end;
	const char *problem;		/* the first, or NULL */
} ColjInput;

/* len bytes; there may be no address when there are none. */
static inline ColjInput
colj_input(const uint8_t *bytes, size_t len)
{
	return (ColjInput)
	{
		bytes, len == 0 ? bytes : bytes + len, NULL
	};
}

extern ColjStatus colj_input_wrong(ColjInput *in, const char *problem);
extern bool colj_input_byte(ColjInput *in, uint8_t *byte);
extern bool colj_input_varint(ColjInput *in, uint32_t *value);
extern bool colj_input_varint64(ColjInput *in, uint64_t *value);

/* The next len bytes; NULL (and a problem) if there are fewer. */
extern const uint8_t *colj_input_bytes(ColjInput *in, size_t len);

/*
 * A zstd frame takes at least four bytes for each block of at most 128 kB, so
 * what claims to be longer is refused before memory is taken for it.
 */
static inline bool
colj_zstd_can_be(size_t raw, size_t frame)
{
	return raw / 32768 <= frame;
}

/* The raw size of the zstd frame that comes, at most max. */
extern bool colj_input_zstd_size(ColjInput *in, size_t max, uint32_t *raw);

/* Decode it into exactly raw bytes. */
extern bool colj_input_zstd(ColjVectorWork *work, ColjInput *in, void *out, uint32_t raw);

extern void colj_sink_byte(ColjSink *sink, uint8_t byte);
extern void colj_sink_varint64(ColjSink *sink, uint64_t value);
extern uint8_t *colj_sink_reserve(ColjSink *sink, size_t len);

/* Signed numbers as unsigned ones, small magnitudes first. */
static inline uint64_t
colj_zigzag(int64_t value)
{
	return (uint64_t) value << 1 ^ (uint64_t) (value >> 63);
}

static inline int64_t
colj_unzigzag(uint64_t value)
{
	return (int64_t) (value >> 1 ^ (0 - (value & 1)));
}

/* Bits that a number needs. */
static inline uint32_t
colj_bits(uint64_t value)
{
	uint32_t	bits = 0;

	while (value > 0)
	{
		value >>= 1;
		bits++;
	}
	return bits;
}

/* The forms of ints.c, for strings.c to nest. */
extern ColjStatus colj_put_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values,
								uint32_t n, ColjSink *out);
extern ColjStatus colj_get_ints(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n);

#endif							/* COLJ_STRIPE_WORK_H */
