/*-------------------------------------------------------------------------
 *
 * spaced.c
 *	  Texts of a decoded vector, each with room before it.
 *
 * Who gives single values out as text, with a header of his own, need not copy
 * one after the other.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

#include <string.h>

#include "format/text.h"

/* Bytes that an integer's text takes, and what is spoilt behind it. */
#define INTEGER_ROOM 28

static size_t
aligned(size_t size)
{
	return (size + COLJ_SPACE - 1) / COLJ_SPACE * COLJ_SPACE;
}

/* The most that all texts take. */
static size_t
room_for(const ColjPathVector *vector, ColjPathType type)
{
	uint32_t	n = vector->n;

	if (type == COLJ_PATH_INT)
		return n * aligned(COLJ_SPACE + INTEGER_ROOM);
	return vector->strings.ends[n - 1] + (size_t) n * 2 * COLJ_SPACE;
}

/* Write the text of row i; returns its length. */
static uint32_t
put_text(const ColjPathVector *vector, ColjPathType type, uint32_t i, char *out)
{
	const char *bytes;
	uint32_t	len;

	if (type == COLJ_PATH_INT)
		return colj_number_text(vector->ints[i], 0, out);
	colj_vector_bytes(vector, i, &bytes, &len);
	memcpy(out, bytes, len);
	return len;
}

static ColjStatus
make_spaced(const ColjHost *host, ColjPathType type, ColjDecoded *decoded)
{
	ColjPathVector *vector = &decoded->vector;
	size_t		size = vector->n * sizeof(uint32_t) + room_for(vector, type);
	uint32_t   *starts = host->resize(host->arg, NULL, size);
	char	   *data;
	size_t		at = 0;

	if (starts == NULL)
		return COLJ_NO_MEMORY;
	data = (char *) (starts + vector->n);
	for (uint32_t i = 0; i < vector->n; i++)
	{
		uint32_t	len = put_text(vector, type, i, data + at + COLJ_SPACE);

		memcpy(data + at, &len, sizeof(len));
		starts[i] = (uint32_t) at;
		at += aligned(COLJ_SPACE + (size_t) len);
	}
	decoded->spaced = starts;
	vector->bytes += size;
	return COLJ_OK;
}

ColjStatus
colj_stripe_spaced(ColjStripe *stripe, uint32_t path, uint32_t vector, ColjSpaced *out, bool *fresh)
{
	const ColjPathVector *entries;
	ColjStatus	status = colj_stripe_vector(stripe, path, vector, &entries);
	ColjDecoded *decoded;
	size_t		before;

	*fresh = false;
	if (status != COLJ_OK)
		return status;
	decoded = stripe->decoded[path][vector];
	if (decoded->spaced == NULL)
	{
		before = entries->bytes;
		status = make_spaced(stripe->host, stripe->directory.paths[path].info.type, decoded);
		if (status != COLJ_OK)
			return status;
		stripe->memory += entries->bytes - before;
		*fresh = true;
	}
	out->starts = decoded->spaced;
	out->data = (char *) (decoded->spaced + entries->n);
	return COLJ_OK;
}
