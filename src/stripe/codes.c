/*-------------------------------------------------------------------------
 *
 * codes.c
 *	  Numbers for what the rows of a decoded vector have, the same for the same.
 *
 * They are made from the decoded vector, whatever its encoding is: that costs
 * less than decoding did, is done once, and is given up as soon as a vector
 * turns out to have few rows that are the same.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

#include <string.h>

#include "stripe/memory.h"
#include "stripe/strings.h"

/* Give up when there are more codes than this, and than one for so many rows. */
#define CODES_FREE 64
#define ROWS_PER_CODE 4

/* In the end there must be so many rows to a code. */
#define ROWS_PER_CODE_LEAST 2

#define SLOTS (4 * COLJ_CODES_MAX)

_Static_assert(COLJ_CODES_MAX <= COLJ_NO_CODE, "each code fits, and none is COLJ_NO_CODE");

/* A hash table over what the rows have. */
typedef struct Search
{
	const ColjPathVector *vector;
	bool		strings;		/* values are strings, else integers */
	uint32_t	n;
	uint16_t	absent;			/* code of absent rows; COLJ_NO_CODE if none */
	uint16_t	first[COLJ_CODES_MAX];	/* row where each code occurs first */
	uint16_t	slots[SLOTS];	/* code plus 1; 0 is free */
} Search;

static uint64_t
hash_row(const Search *search, uint32_t row)
{
	const ColjPathVector *vector = search->vector;
	const char *bytes;
	uint32_t	len;

	if (vector->presence[row] != COLJ_IS_VALUE)
		return vector->presence[row];
	if (!search->strings)
		return (uint64_t) vector->ints[row] * UINT64_C(0x9E3779B97F4A7C15) >> 32;
	colj_vector_bytes(vector, row, &bytes, &len);
	return colj_hash_string(0, bytes, len) >> 20;
}

static bool
same_value(const Search *search, uint32_t a, uint32_t b)
{
	const ColjPathVector *vector = search->vector;
	const char *a_bytes;
	const char *b_bytes;
	uint32_t	a_len;
	uint32_t	b_len;

	if (!search->strings)
		return vector->ints[a] == vector->ints[b] && vector->scales[a] == vector->scales[b];
	colj_vector_bytes(vector, a, &a_bytes, &a_len);
	colj_vector_bytes(vector, b, &b_bytes, &b_len);
	return a_len == b_len && memcmp(a_bytes, b_bytes, a_len) == 0;
}

static bool
same_row(const Search *search, uint32_t a, uint32_t b)
{
	const uint8_t *presence = search->vector->presence;

	return presence[a] == presence[b] && (presence[a] != COLJ_IS_VALUE || same_value(search, a, b));
}

/* The row's code, maybe a new one; COLJ_NO_CODE when there is no room for that. */
static uint16_t
code_of(Search *search, uint32_t row)
{
	uint32_t	i = (uint32_t) hash_row(search, row) % SLOTS;

	for (; search->slots[i] != 0; i = (i + 1) % SLOTS)
		if (same_row(search, search->first[search->slots[i] - 1], row))
			return search->slots[i] - 1;
	if (search->n == COLJ_CODES_MAX || search->n > CODES_FREE + row / ROWS_PER_CODE)
		return COLJ_NO_CODE;
	search->first[search->n] = (uint16_t) row;
	search->slots[i] = (uint16_t) ++search->n;
	return search->slots[i] - 1;
}

/* False when there are too many. */
static bool
find_codes(Search *search, uint16_t *codes)
{
	const ColjPathVector *vector = search->vector;

	for (uint32_t row = 0; row < vector->n; row++)
	{
		codes[row] = COLJ_NO_CODE;
		if (vector->presence[row] == COLJ_IS_ELSEWHERE)
			continue;
		codes[row] = code_of(search, row);
		if (codes[row] == COLJ_NO_CODE)
			return false;
		if (vector->presence[row] == COLJ_IS_ABSENT)
			search->absent = codes[row];
	}
	return search->n <= vector->n / ROWS_PER_CODE_LEAST + 1;
}

static ColjStatus
make_codes(ColjStripe *stripe, ColjPathType type, ColjDecoded *decoded)
{
	size_t		size = decoded->vector.n * sizeof(uint16_t);
	Search		search = {.vector = &decoded->vector, .absent = COLJ_NO_CODE};

	search.strings = type == COLJ_PATH_STRING || type == COLJ_PATH_DOCUMENT;
	decoded->codes = colj_grab(stripe->host, 1, size);
	if (decoded->codes == NULL)
		return COLJ_NO_MEMORY;
	if (find_codes(&search, decoded->codes))
	{
		decoded->ncodes = search.n;
		decoded->absent_code = search.absent;
		decoded->vector.bytes += size;
		stripe->memory += size;
		return COLJ_OK;
	}
	colj_release(stripe->host, decoded->codes);
	decoded->codes = NULL;
	decoded->uncoded = true;
	return COLJ_OK;
}

ColjStatus
colj_stripe_codes(ColjStripe *stripe, uint32_t path, uint32_t vector, ColjCodes *out)
{
	ColjPathType type = stripe->directory.paths[path].info.type;
	const ColjPathVector *entries;
	ColjStatus	status = colj_stripe_vector(stripe, path, vector, &entries);
	ColjDecoded *decoded;

	*out = (ColjCodes){0, COLJ_NO_CODE, NULL};
	if (status != COLJ_OK || type == COLJ_PATH_OBJECT)
		return status;
	decoded = stripe->decoded[path][vector];
	if (decoded->codes == NULL && !decoded->uncoded)
		status = make_codes(stripe, type, decoded);
	if (status == COLJ_OK && decoded->codes != NULL)
		*out = (ColjCodes){decoded->ncodes, decoded->absent_code, decoded->codes};
	return status;
}
