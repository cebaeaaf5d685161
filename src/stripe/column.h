/*-------------------------------------------------------------------------
 *
 * column.h
 *	  One vector of one path while it is filled, and as it is stored.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COLUMN_H
#define COLJ_COLUMN_H

#include <string.h>

#include "stripe/directory.h"

/* The most bytes that the strings of one vector have together. */
#define COLJ_VECTOR_RAW_MAX (UINT32_MAX / 2)

/* Values of one path in the rows of one vector. */
typedef struct ColjColumn
{
	ColjPathType type;
	uint32_t	rows;			/* pushed so far */
	uint32_t	counts[4];		/* of them, by presence */
	uint32_t	values;			/* of them, with presence VALUE */
	uint8_t    *presence;		/* room for a vector's rows, as the next three */
	int64_t    *ints;			/* values only: INT, BOOL, DECIMAL */
	int64_t    *scales;			/* values only: DECIMAL */
	uint32_t   *ends;			/* values only: STRING, DOCUMENT */
	ColjSink	data;			/* their bytes */
} ColjColumn;

extern ColjStatus colj_column_create(ColjColumn *column, const ColjHost *host, ColjPathType type,
									 uint32_t vector_rows);
extern void colj_column_free(ColjColumn *column, const ColjHost *host);
extern void colj_column_clear(ColjColumn *column);

/* Push one row.  VALUE comes through one of the two last. */
static inline void
colj_column_push(ColjColumn *column, ColjPresence presence)
{
	column->presence[column->rows++] = (uint8_t) presence;
	column->counts[presence]++;
}

static inline void
colj_column_push_int(ColjColumn *column, int64_t value, uint8_t scale)
{
	column->ints[column->values] = value;
	if (column->scales != NULL)
		column->scales[column->values] = scale;
	column->values++;
	colj_column_push(column, COLJ_IS_VALUE);
}

extern void colj_column_push_bytes(ColjColumn *column, const void *bytes, size_t len);

/* Rows up to this one that it has not been told of are absent. */
static inline void
colj_column_push_absent(ColjColumn *column, uint32_t rows)
{
	if (column->rows >= rows)
		return;
	memset(column->presence + column->rows, COLJ_IS_ABSENT, rows - column->rows);
	column->counts[COLJ_IS_ABSENT] += rows - column->rows;
	column->rows = rows;
}

/* The values as strings (STRING, DOCUMENT). */
extern ColjStrings colj_column_strings(const ColjColumn *column);

/* Bytes of the values as they came. */
extern uint64_t colj_column_raw(const ColjColumn *column);

/* The text of value i, as it may occur in a sibling's string; buffer is for integers. */
extern void colj_column_text(const ColjColumn *column, uint32_t i, char *buffer, const char **text,
							 uint32_t *len);

/* What a column's stored form leaves to other columns of the same rows. */
typedef struct ColjStoring
{
	const ColjColumn *sibling;	/* its texts are cut out of the strings; NULL
								 * for none */
	uint32_t	front;			/* bytes that they lose before that, in front */
	uint32_t	back;			/* and at the end */
	uint32_t	like;			/* the path so many levels up has a value
								 * where this one is not absent; 0: nothing
								 * known */
} ColjStoring;

/* Append the stored form. */
extern ColjStatus colj_column_put(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
								  const ColjStoring *storing, ColjSink *out);

/* Of that, what a column with a sibling has in the place of its strings. */
extern ColjStatus colj_put_cut_strings(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
									   const ColjStoring *storing, ColjSink *out);

/* Append a vector of integers with its length before it. */
extern ColjStatus colj_put_counted_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values,
										uint32_t n, ColjSink *out);

/* Counts and bounds of the values. */
extern void colj_column_zone(const ColjColumn *column, ColjStoredZone *zone);

/* A decoded vector that owns its memory. */
typedef struct ColjDecoded
{
	ColjPathVector vector;
	void	   *block;			/* presence, ints, scales, ends */
	ColjStrings owned;			/* strings as they came from the decoder */
	uint32_t   *spaced;			/* spaced.c: where each text begins in what
								 * follows this array; NULL for not made */
	uint16_t   *codes;			/* codes.c; NULL for not made */
	uint16_t	absent_code;
	uint32_t	ncodes;			/* other ones among them */
	bool		uncoded;		/* there would be too many */
} ColjDecoded;

/* Decoded vectors of other paths that one is stored with; NULL for none. */
typedef struct ColjStoredWith
{
	const ColjPathVector *like; /* whose presence it has */
	const ColjPathVector *sibling;	/* whose texts are cut out of its strings */
	ColjPathType sibling_type;
} ColjStoredWith;

/*
 * How many levels above a stored vector's path the one is whose presence it has;
 * 0 when it has its own, or is damaged.
 */
extern uint32_t colj_column_like(const uint8_t *bytes, size_t len);

/* Decode a stored vector of `rows` rows whose values have at most raw bytes. */
extern ColjStatus colj_column_get(ColjVectorWork *work, ColjPathType type, const uint8_t *bytes,
								  size_t len, uint32_t rows, uint64_t raw,
								  const ColjStoredWith *with, ColjDecoded *decoded,
								  const char **problem);

/* The name of the encoding of its values; NULL for bytes that have none. */
extern const char *colj_column_encoding(ColjPathType type, bool cut, const uint8_t *bytes,
										size_t len);

extern void colj_decoded_free(const ColjHost *host, ColjDecoded *decoded);

/*
 * The text of a row's value, as it may occur in a sibling's string: of
 * strings their bytes, of integers their decimals (in buffer).  False for
 * none.
 */
extern bool colj_vector_text(const ColjPathVector *vector, ColjPathType type, uint32_t row,
							 char *buffer, const char **text, uint32_t *len);

#endif							/* COLJ_COLUMN_H */
