/*-------------------------------------------------------------------------
 *
 * vector.h
 *	  Vectors: many values of one kind as few bytes.
 *
 * A vector is the unit of compression, skipping and decoding: the values of
 * one column in up to COLJ_VECTOR_ROWS_MAX consecutive rows.  Its in-memory
 * form is an array; its stored form is one of several encodings, which may
 * nest (a dictionary's codes are a vector of integers themselves), chosen by
 * trying those that a look at the values suggests.  README.md describes the
 * bytes.
 *
 * A stored vector does not say how many values it has, nor where it ends: the
 * decoder is told both, and refuses bytes that do not fit exactly.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_VECTOR_H
#define COLJ_VECTOR_H

#include "format/host.h"

#define COLJ_VECTOR_ROWS_MAX 4096

/* What a stored vector may cost to decode. */
typedef enum ColjCodec
{
	COLJ_CODEC_LIGHT,			/* encodings only: fastest to read */
	COLJ_CODEC_ZSTD				/* and zstd where that is smaller */
} ColjCodec;

/* Growing bytes in the host's memory; zero all but host to begin. */
typedef struct ColjSink
{
	const ColjHost *host;
	uint8_t    *data;
	size_t		len;
	size_t		room;
	ColjStatus	status;			/* first failure */
} ColjSink;

extern void colj_sink_bytes(ColjSink *sink, const void *bytes, size_t len);
extern void colj_sink_varint(ColjSink *sink, uint32_t value);
extern void colj_sink_free(ColjSink *sink);

/*
 * Strings as the decoder gives them and the encoder takes them: string i is
 * data[ends[i - 1], ends[i]), ends[-1] taken as 0.
 */
typedef struct ColjStrings
{
	uint32_t	n;
	const uint32_t *ends;
	const char *data;
} ColjStrings;

/* Working memory of encoders and decoders, kept from one vector to the next. */
typedef struct ColjVectorWork ColjVectorWork;

extern ColjVectorWork *colj_vector_work_create(const ColjHost *host, int zstd_level);
extern void colj_vector_work_free(ColjVectorWork *work);

/* Append the stored form of n (up to COLJ_VECTOR_ROWS_MAX) values. */
extern ColjStatus colj_encode_ints(ColjVectorWork *work, ColjCodec codec,
								   const int64_t *values, uint32_t n, ColjSink *out);
extern ColjStatus colj_encode_strings(ColjVectorWork *work, ColjCodec codec,
									  const ColjStrings *strings, ColjSink *out);

/*
 * Decode a stored vector of exactly n values from exactly len bytes.
 * COLJ_CORRUPT when the bytes are anything else; *problem (may be NULL) then
 * says what, as a full sentence.
 *
 * Strings come back in memory of the host's that the caller frees through
 * colj_strings_free: one piece, whose size was checked against max_bytes
 * before it was allocated.
 */
extern ColjStatus colj_decode_ints(ColjVectorWork *work, const uint8_t *bytes, size_t len,
								   int64_t *values, uint32_t n, const char **problem);
extern ColjStatus colj_decode_strings(ColjVectorWork *work, const uint8_t *bytes, size_t len,
									  uint32_t n, size_t max_bytes, ColjStrings *strings,
									  const char **problem);
extern void colj_strings_free(const ColjHost *host, ColjStrings *strings);

/* The name of a stored vector's outermost encoding, for reports. */
extern const char *colj_ints_encoding(const uint8_t *bytes, size_t len);
extern const char *colj_strings_encoding(const uint8_t *bytes, size_t len);

#endif							/* COLJ_VECTOR_H */
