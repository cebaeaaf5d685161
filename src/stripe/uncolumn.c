/*-------------------------------------------------------------------------
 *
 * uncolumn.c
 *	  One vector of one path: from its stored form to an entry for each row.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/column.h"

#include <string.h>

#include "format/text.h"

static bool
has_strings(ColjPathType type)
{
	return type == COLJ_PATH_STRING || type == COLJ_PATH_DOCUMENT;
}

static bool
has_ints(ColjPathType type)
{
	return type == COLJ_PATH_BOOL || type == COLJ_PATH_INT || type == COLJ_PATH_DECIMAL;
}

/* The pieces of a decoded vector's block, in the order of their alignment. */
typedef struct Block
{
	int64_t    *ints;			/* a row each */
	int64_t    *values;			/* a value each, before they are spread */
	uint32_t   *ends;			/* a row each */
	uint8_t    *scales;			/* a row each */
	uint8_t    *presence;		/* a row each */
} Block;

static ColjStatus
make_block(const ColjHost *host, uint32_t rows, ColjDecoded *decoded, Block *block)
{
	size_t		size = rows * (2 * sizeof(int64_t) + sizeof(uint32_t) + 2) + 1;

	decoded->block = host->resize(host->arg, NULL, size);
	if (decoded->block == NULL)
		return COLJ_NO_MEMORY;
	block->ints = decoded->block;
	block->values = block->ints + rows;
	block->ends = (uint32_t *) (block->values + rows);
	block->scales = (uint8_t *) (block->ends + rows);
	block->presence = block->scales + rows;
	decoded->vector.n = rows;
	decoded->vector.presence = block->presence;
	decoded->vector.ints = block->ints;
	decoded->vector.scales = block->scales;
	decoded->vector.bytes = size;
	return COLJ_OK;
}

void
colj_decoded_free(const ColjHost *host, ColjDecoded *decoded)
{
	colj_strings_free(host, &decoded->owned);
	if (decoded->block != NULL)
		host->resize(host->arg, decoded->block, 0);
	memset(decoded, 0, sizeof(*decoded));
}

/* A vector of integers that has its length before it. */
static ColjStatus
get_counted_ints(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	uint32_t	len;
	const uint8_t *bytes;
	ColjStatus	status;

	if (!colj_input_varint(in, &len) || (bytes = colj_input_bytes(in, len)) == NULL)
		return COLJ_CORRUPT;
	status = colj_decode_ints(work, bytes, len, values, n, &in->problem);
	return status;
}

/* The rest of the input is a vector of integers. */
static ColjStatus
get_ints(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	return colj_decode_ints(work, in->p, (size_t) (in->end - in->p), values, n, &in->problem);
}

static ColjStatus
get_presence(ColjVectorWork *work, ColjInput *in, Block *block, uint32_t rows, uint32_t *values)
{
	ColjStatus	status = get_counted_ints(work, in, block->values, rows);

	*values = 0;
	for (uint32_t i = 0; i < rows && status == COLJ_OK; i++)
	{
		if (block->values[i] < COLJ_IS_ABSENT || block->values[i] > COLJ_IS_ELSEWHERE)
			return colj_input_wrong(in, "A row's presence at a path is of no known kind.");
		block->presence[i] = (uint8_t) block->values[i];
		*values += block->presence[i] == COLJ_IS_VALUE;
	}
	return status;
}

/* Give each row its value, or 0. */
static void
spread_ints(Block *block, uint32_t rows)
{
	uint32_t	next = 0;

	for (uint32_t i = 0; i < rows; i++)
		block->ints[i] = block->presence[i] == COLJ_IS_VALUE ? block->values[next++] : 0;
}

/* Give each row its scale; *values has them for the rows that have a value. */
static bool
spread_scales(Block *block, uint32_t rows)
{
	uint32_t	next = 0;

	for (uint32_t i = 0; i < rows; i++)
	{
		int64_t		scale = block->presence[i] == COLJ_IS_VALUE ? block->values[next++] : 0;

		if (scale < 0 || scale > COLJ_DECIMAL_SCALE_MAX)
			return false;
		block->scales[i] = (uint8_t) scale;
	}
	return true;
}

/* From the scale that all share down to each row's own. */
static bool
unalign_mantissas(Block *block, uint32_t rows, int64_t shared)
{
	for (uint32_t i = 0; i < rows; i++)
	{
		if (block->presence[i] != COLJ_IS_VALUE)
			continue;
		if (block->scales[i] > shared)
			return false;
		for (int64_t s = shared; s > block->scales[i]; s--)
		{
			if (block->ints[i] % 10 != 0)
				return false;
			block->ints[i] /= 10;
			if (block->ints[i] == 0)
				break;
		}
	}
	return true;
}

static ColjStatus
get_decimals(ColjVectorWork *work, ColjInput *in, Block *block, uint32_t rows, uint32_t values)
{
	uint8_t		shared;
	ColjStatus	status;

	if (!colj_input_byte(in, &shared))
		return COLJ_CORRUPT;
	status = get_counted_ints(work, in, block->values, values);
	if (status == COLJ_OK && !spread_scales(block, rows))
		return colj_input_wrong(in, "A decimal's scale is out of range.");
	if (status == COLJ_OK)
		status = get_ints(work, in, block->values, values);
	if (status != COLJ_OK)
		return status;
	spread_ints(block, rows);
	if (shared > 0 && !unalign_mantissas(block, rows, shared - 1))
		return colj_input_wrong(in, "A decimal's mantissa does not have its scale.");
	return COLJ_OK;
}

/* Give each row the end of its string; rows without one are empty. */
static void
spread_ends(ColjDecoded *decoded, Block *block, uint32_t rows)
{
	uint32_t	next = 0;
	uint32_t	end = 0;

	for (uint32_t i = 0; i < rows; i++)
	{
		if (block->presence[i] == COLJ_IS_VALUE)
			end = decoded->owned.ends[next++];
		block->ends[i] = end;
	}
	decoded->vector.strings = (ColjStrings){rows, block->ends, decoded->owned.data};
	decoded->vector.bytes += end;
}

static ColjStatus
get_strings(ColjVectorWork *work, ColjInput *in, uint32_t values, uint64_t raw, ColjStrings *strings)
{
	return colj_decode_strings(work, in->p, (size_t) (in->end - in->p), values, (size_t) raw, strings,
							   &in->problem);
}

bool
colj_vector_text(const ColjPathVector *vector, ColjPathType type, uint32_t row, char *buffer,
				 const char **text, uint32_t *len)
{
	if (vector->presence[row] != COLJ_IS_VALUE)
		return false;
	if (type == COLJ_PATH_INT)
	{
		*text = buffer;
		*len = colj_number_text(vector->ints[row], 0, buffer);
		return true;
	}
	if (type != COLJ_PATH_STRING)
		return false;
	*len = vector->strings.ends[row];
	*text = vector->strings.data;
	if (row > 0)
	{
		*text += vector->strings.ends[row - 1];
		*len -= vector->strings.ends[row - 1];
	}
	return true;
}

/* What a row's string is made of: a part, the sibling's value, another part. */
typedef struct Parts
{
	const char *text;			/* the sibling's value */
	uint32_t	text_len;
	const char *rest;
	uint32_t	rest_len;
	uint32_t	before;			/* bytes of rest before it */
} Parts;

static bool
find_parts(const Block *block, const ColjStrings *rest, uint32_t value, uint32_t row,
		   const ColjPathVector *sibling, ColjPathType sibling_type, char *buffer, Parts *parts)
{
	int64_t		position = block->values[value];
	uint32_t	start = value > 0 ? rest->ends[value - 1] : 0;

	parts->rest = rest->data + start;
	parts->rest_len = rest->ends[value] - start;
	parts->before = parts->rest_len;
	parts->text_len = 0;
	if (position == 0)
		return true;
	if (position < 0 || position - 1 > parts->rest_len ||
		!colj_vector_text(sibling, sibling_type, row, buffer, &parts->text, &parts->text_len))
		return false;
	parts->before = (uint32_t) position - 1;
	return true;
}

/* Put the sibling's values back into the strings that they were cut out of. */
static ColjStatus
rejoin(ColjVectorWork *work, ColjInput *in, Block *block, uint32_t rows, const ColjStrings *rest,
	   uint64_t raw, const ColjPathVector *sibling, ColjPathType sibling_type, ColjStrings *strings)
{
	uint32_t   *ends = work->host->resize(work->host->arg, NULL, rest->n * sizeof(uint32_t) + raw + 1);
	char	   *data = (char *) (ends + rest->n);
	char		buffer[COLJ_NUMBER_TEXT_MAX];
	uint32_t	value = 0;
	uint64_t	end = 0;
	Parts		parts;

	if (ends == NULL)
		return COLJ_NO_MEMORY;
	*strings = (ColjStrings){rest->n, ends, data};
	for (uint32_t row = 0; row < rows; row++)
	{
		if (block->presence[row] != COLJ_IS_VALUE)
			continue;
		if (!find_parts(block, rest, value, row, sibling, sibling_type, buffer, &parts) ||
			end + parts.text_len + parts.rest_len > raw)
			return colj_input_wrong(in, "A string refers to a sibling that does not fit into it.");
		memcpy(data + end, parts.rest, parts.before);
		end += parts.before;
		if (parts.text_len > 0)
			memcpy(data + end, parts.text, parts.text_len);
		end += parts.text_len;
		memcpy(data + end, parts.rest + parts.before, parts.rest_len - parts.before);
		end += parts.rest_len - parts.before;
		ends[value++] = (uint32_t) end;
	}
	return COLJ_OK;
}

static ColjStatus
get_cut_strings(ColjVectorWork *work, ColjInput *in, Block *block, uint32_t rows, uint32_t values,
				uint64_t raw, const ColjPathVector *sibling, ColjPathType sibling_type,
				ColjStrings *strings)
{
	ColjStrings rest = {0, NULL, NULL};
	ColjStatus	status = get_counted_ints(work, in, block->values, values);

	if (status == COLJ_OK)
		status = get_strings(work, in, values, raw, &rest);
	if (status == COLJ_OK)
		status = rejoin(work, in, block, rows, &rest, raw, sibling, sibling_type, strings);
	colj_strings_free(work->host, &rest);
	return status;
}

static ColjStatus
get_values(ColjVectorWork *work, ColjInput *in, ColjPathType type, Block *block, uint32_t rows,
		   uint32_t values, uint64_t raw, const ColjPathVector *sibling, ColjPathType sibling_type,
		   ColjDecoded *decoded)
{
	ColjStatus	status = COLJ_OK;

	if (type == COLJ_PATH_DECIMAL && values > 0)
		return get_decimals(work, in, block, rows, values);
	if (has_ints(type))
	{
		if (values > 0)
			status = get_ints(work, in, block->values, values);
		spread_ints(block, rows);
		memset(block->scales, 0, rows);
		return status;
	}
	if (has_strings(type) && values > 0)
		status = sibling != NULL
			? get_cut_strings(work, in, block, rows, values, raw, sibling, sibling_type, &decoded->owned)
			: get_strings(work, in, values, raw, &decoded->owned);
	if (has_strings(type) && status == COLJ_OK)
		spread_ends(decoded, block, rows);
	return status;
}

ColjStatus
colj_column_get(ColjVectorWork *work, ColjPathType type, const uint8_t *bytes, size_t len,
				uint32_t rows, uint64_t raw, const ColjPathVector *sibling,
				ColjPathType sibling_type, ColjDecoded *decoded, const char **problem)
{
	ColjInput	in = {bytes, bytes + len, NULL};
	uint32_t	values;
	Block		block;
	ColjStatus	status;

	memset(decoded, 0, sizeof(*decoded));
	status = make_block(work->host, rows, decoded, &block);
	if (status == COLJ_OK)
		status = get_presence(work, &in, &block, rows, &values);
	if (status == COLJ_OK)
		status = get_values(work, &in, type, &block, rows, values, raw, sibling, sibling_type, decoded);
	if (status != COLJ_OK)
		colj_decoded_free(work->host, decoded);
	*problem = in.problem;
	return status;
}
