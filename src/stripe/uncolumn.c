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
#include "stripe/memory.h"

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

/* The pieces of a decoded vector's block that its type needs, in the order of their alignment. */
typedef struct Block
{
	int64_t    *values;			/* the work's: a value each, before they are
								 * spread */
	int64_t    *ints;			/* a row each */
	uint32_t   *ends;			/* a row each */
	uint8_t    *scales;			/* a row each */
	const uint8_t *presence;	/* a row each */
	uint32_t	rows;
	uint32_t	nvalues;
} Block;

/* What most vectors have: a value in each row, and no decimals. */
static const uint8_t no_scales[COLJ_VECTOR_ROWS_MAX];
static const uint8_t all_values[COLJ_VECTOR_ROWS_MAX] = {
#define EIGHT COLJ_IS_VALUE, COLJ_IS_VALUE, COLJ_IS_VALUE, COLJ_IS_VALUE, \
		COLJ_IS_VALUE, COLJ_IS_VALUE, COLJ_IS_VALUE, COLJ_IS_VALUE
#define SIXTY_FOUR EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
#define HALF_THOUSAND SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR, \
		SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR
	HALF_THOUSAND, HALF_THOUSAND, HALF_THOUSAND, HALF_THOUSAND,
	HALF_THOUSAND, HALF_THOUSAND, HALF_THOUSAND, HALF_THOUSAND
};

/* Take memory for the entries, whose presences are the work's values. */
static ColjStatus
make_block(const ColjHost *host, ColjPathType type, ColjDecoded *decoded, Block *block)
{
	uint32_t	rows = block->rows;
	size_t		ints = has_ints(type) ? rows * sizeof(int64_t) : 0;
	size_t		ends = has_strings(type) && block->nvalues < rows ? rows * sizeof(uint32_t) : 0;
	size_t		scales = type == COLJ_PATH_DECIMAL ? rows : 0;
	size_t		presence = block->nvalues < rows ? rows : 0;
	char	   *p;

	decoded->block = p = host->resize(host->arg, NULL, ints + ends + scales + presence + 1);
	if (p == NULL)
		return COLJ_NO_MEMORY;
	block->ints = (int64_t *) p;
	block->ends = (uint32_t *) (p + ints);
	block->scales = (uint8_t *) p + ints + ends;
	for (uint32_t i = 0; presence > 0 && i < rows; i++)
		block->scales[scales + i] = (uint8_t) block->values[i];
	block->presence = presence > 0 ? block->scales + scales : all_values;
	decoded->vector.n = rows;
	decoded->vector.presence = block->presence;
	decoded->vector.ints = ints > 0 ? block->ints : NULL;
	decoded->vector.scales = scales > 0 ? block->scales : no_scales;
	decoded->vector.bytes = sizeof(*decoded) + ints + ends + scales + presence;
	return COLJ_OK;
}

void
colj_decoded_free(const ColjHost *host, ColjDecoded *decoded)
{
	colj_strings_free(host, &decoded->owned);
	colj_release(host, decoded->block);
	colj_release(host, decoded->spaced);
	colj_release(host, decoded->codes);
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

uint32_t
colj_column_like(const uint8_t *bytes, size_t len)
{
	ColjInput	in = colj_input(bytes, len);
	uint32_t	length;
	uint32_t	levels;

	return colj_input_varint(&in, &length) && length == 0 && colj_input_varint(&in, &levels) ? levels : 0;
}

/* One presence where another path has a value. */
static ColjStatus
get_likeness(ColjInput *in, const ColjPathVector *like, Block *block)
{
	uint32_t	levels;
	uint8_t		same;

	if (!colj_input_varint(in, &levels) || !colj_input_byte(in, &same))
		return COLJ_CORRUPT;
	if (like == NULL || like->n != block->rows)
		return colj_input_wrong(in, "A path's presence is like that of a path that is not there.");
	for (uint32_t i = 0; i < block->rows; i++)
		block->values[i] = like->presence[i] == COLJ_IS_VALUE ? same : COLJ_IS_ABSENT;
	return COLJ_OK;
}

/* Presences that are stored, or those of another path. */
static ColjStatus
get_stored_presence(ColjVectorWork *work, ColjInput *in, const ColjPathVector *like, Block *block)
{
	uint32_t	len;
	const uint8_t *bytes;

	if (!colj_input_varint(in, &len) || (bytes = colj_input_bytes(in, len)) == NULL)
		return COLJ_CORRUPT;
	if (len == 0)
		return get_likeness(in, like, block);
	return colj_decode_ints(work, bytes, len, block->values, block->rows, &in->problem);
}

/* Read the presences into the work's values, and count. */
static ColjStatus
get_presence(ColjVectorWork *work, ColjInput *in, const ColjPathVector *like, Block *block)
{
	ColjStatus	status = get_stored_presence(work, in, like, block);

	block->nvalues = 0;
	for (uint32_t i = 0; i < block->rows && status == COLJ_OK; i++)
	{
		if (block->values[i] < COLJ_IS_ABSENT || block->values[i] > COLJ_IS_ELSEWHERE)
			return colj_input_wrong(in, "A row's presence at a path is of no known kind.");
		block->nvalues += block->values[i] == COLJ_IS_VALUE;
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
		for (int64_t s = shared; s > block->scales[i] && block->ints[i] != 0; s--)
		{
			if (block->ints[i] % 10 != 0)
				return false;
			block->ints[i] /= 10;
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
	decoded->vector.strings.ends = block->ends;
}

/* The strings by rows. */
static void
place_strings(ColjDecoded *decoded, Block *block)
{
	const ColjStrings *owned = &decoded->owned;
	uint32_t	n = block->nvalues;

	decoded->vector.strings = (ColjStrings){block->rows, owned->ends, owned->data == NULL ? "" : owned->data};
	decoded->vector.bytes += n * sizeof(uint32_t) + (n == 0 ? 0 : owned->ends[n - 1]);
	if (n < block->rows)
		spread_ends(decoded, block, block->rows);
}

/* The rest of the input is a vector of strings, of at most raw bytes together. */
static ColjStatus
get_strings(ColjVectorWork *work, ColjInput *in, uint32_t values, uint64_t raw, ColjStrings *strings)
{
	return colj_decode_strings(work, in->p, (size_t) (in->end - in->p), values, (size_t) raw, strings,
							   &in->problem);
}

/* Together they have just the bytes that the directory says. */
static ColjStatus
check_raw(ColjInput *in, const ColjStrings *strings, uint64_t raw)
{
	if ((strings->n == 0 ? 0 : strings->ends[strings->n - 1]) == raw)
		return COLJ_OK;
	return colj_input_wrong(in, "A vector's strings are shorter than its stripe says.");
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

/* What a sibling's texts lose before they are put in. */
typedef struct Losses
{
	uint32_t	front;
	uint32_t	back;
} Losses;

/* The sibling's text of a row, as far as it was cut out. */
static bool
sibling_text(const ColjStoredWith *with, const Losses *losses, uint32_t row, char *buffer, Parts *parts)
{
	uint32_t	len;

	if (!colj_vector_text(with->sibling, with->sibling_type, row, buffer, &parts->text, &len) ||
		len < (uint64_t) losses->front + losses->back)
		return false;
	parts->text += losses->front;
	parts->text_len = len - losses->front - losses->back;
	return true;
}

static bool
find_parts(const Block *block, const ColjStrings *rest, uint32_t value, uint32_t row,
		   const ColjStoredWith *with, const Losses *losses, char *buffer, Parts *parts)
{
	int64_t		position = block->values[value];
	uint32_t	start = value > 0 ? rest->ends[value - 1] : 0;

	parts->rest = rest->data + start;
	parts->rest_len = rest->ends[value] - start;
	parts->before = parts->rest_len;
	parts->text_len = 0;
	if (position == 0)
		return true;
	if (position < 0 || position - 1 > parts->rest_len || !sibling_text(with, losses, row, buffer, parts))
		return false;
	parts->before = (uint32_t) position - 1;
	return true;
}

/* Write a string's parts; returns the end. */
static char *
put_parts(char *to, const Parts *parts)
{
	memcpy(to, parts->rest, parts->before);
	to += parts->before;
	if (parts->text_len > 0)
		memcpy(to, parts->text, parts->text_len);
	to += parts->text_len;
	memcpy(to, parts->rest + parts->before, parts->rest_len - parts->before);
	return to + parts->rest_len - parts->before;
}

/* Put the sibling's values back into the strings that they were cut out of. */
static ColjStatus
rejoin(ColjInput *in, Block *block, uint32_t rows, const ColjStrings *rest, uint64_t raw,
	   const ColjStoredWith *with, const Losses *losses, uint32_t *ends)
{
	char	   *data = (char *) (ends + rest->n);
	char	   *p = data;
	char		buffer[COLJ_NUMBER_TEXT_MAX];
	uint32_t	value = 0;
	Parts		parts;

	for (uint32_t row = 0; row < rows; row++)
	{
		if (block->presence[row] != COLJ_IS_VALUE)
			continue;
		if (!find_parts(block, rest, value, row, with, losses, buffer, &parts) ||
			(uint64_t) parts.text_len + parts.rest_len > raw - (uint64_t) (p - data))
			return colj_input_wrong(in, "A string refers to a sibling that does not fit into it.");
		p = put_parts(p, &parts);
		ends[value++] = (uint32_t) (p - data);
	}
	return COLJ_OK;
}

/*
 * The most bytes that the strings can have once each has got its sibling's
 * value, so that memory is taken for these and not for what raw claims.
 */
static uint64_t
most_rejoined(const Block *block, uint32_t rows, const ColjStrings *rest, const ColjStoredWith *with)
{
	uint64_t	most = rest->n == 0 ? 0 : rest->ends[rest->n - 1];
	char		buffer[COLJ_NUMBER_TEXT_MAX];
	const char *text;
	uint32_t	len;

	for (uint32_t row = 0; row < rows; row++)
		if (block->presence[row] == COLJ_IS_VALUE &&
			colj_vector_text(with->sibling, with->sibling_type, row, buffer, &text, &len))
			most += len;
	return most;
}

static ColjStatus
get_cut_strings(ColjVectorWork *work, ColjInput *in, Block *block, uint32_t rows, uint32_t values,
				uint64_t raw, const ColjStoredWith *with, ColjStrings *strings)
{
	ColjStrings rest = {0, NULL, NULL};
	Losses		losses;
	ColjStatus	status;
	uint32_t   *ends = NULL;

	if (!colj_input_varint(in, &losses.front) || !colj_input_varint(in, &losses.back))
		return COLJ_CORRUPT;
	status = get_counted_ints(work, in, block->values, values);
	if (status == COLJ_OK)
		status = get_strings(work, in, values, raw, &rest);
	if (status == COLJ_OK && most_rejoined(block, rows, &rest, with) < raw)
		status = colj_input_wrong(in, "A vector's strings are shorter than its stripe says.");
	if (status == COLJ_OK)
	{
		ends = work->host->resize(work->host->arg, NULL, rest.n * sizeof(uint32_t) + raw + 1);
		status = ends == NULL ? COLJ_NO_MEMORY : COLJ_OK;
	}
	if (status == COLJ_OK)
	{
		*strings = (ColjStrings){rest.n, ends, (char *) (ends + rest.n)};
		status = rejoin(in, block, rows, &rest, raw, with, &losses, ends);
	}
	colj_strings_free(work->host, &rest);
	return status;
}

static ColjStatus
get_values(ColjVectorWork *work, ColjInput *in, ColjPathType type, Block *block, uint32_t rows,
		   uint32_t values, uint64_t raw, const ColjStoredWith *with, ColjDecoded *decoded)
{
	ColjStatus	status = COLJ_OK;

	if (type == COLJ_PATH_NULL && values > 0)
		return colj_input_wrong(in, "A path that is only ever null has a value.");
	if (values == 0 || type == COLJ_PATH_OBJECT)
	{
		if (has_ints(type))
			memset(block->ints, 0, rows * sizeof(int64_t));
		if (type == COLJ_PATH_DECIMAL)
			memset(block->scales, 0, rows);
		status = in->p == in->end ? COLJ_OK : colj_input_wrong(in, "A vector has bytes after its values.");
	}
	else if (type == COLJ_PATH_DECIMAL)
		return get_decimals(work, in, block, rows, values);
	else if (has_ints(type))
	{
		/* where each row has one they are in place already */
		status = get_ints(work, in, values == rows ? block->ints : block->values, values);
		if (status != COLJ_OK)
			return status;
		if (values < rows)
			spread_ints(block, rows);
	}
	else if (with->sibling != NULL)
		status = get_cut_strings(work, in, block, rows, values, raw, with, &decoded->owned);
	else
		status = get_strings(work, in, values, raw, &decoded->owned);
	if (has_strings(type) && status == COLJ_OK)
		status = check_raw(in, &decoded->owned, raw);
	if (has_strings(type) && status == COLJ_OK)
		place_strings(decoded, block);
	return status;
}

/* Step over a vector that has its length before it; *len is that. */
static bool
skip_counted(ColjInput *in, uint32_t *len)
{
	return colj_input_varint(in, len) && colj_input_bytes(in, *len) != NULL;
}

/* Step over what comes before the strings of a path with a sibling. */
static bool
skip_cut(ColjInput *in)
{
	uint32_t	ignored;

	return colj_input_varint(in, &ignored) && colj_input_varint(in, &ignored) && skip_counted(in, &ignored);
}

const char *
colj_column_encoding(ColjPathType type, bool cut, const uint8_t *bytes, size_t len)
{
	ColjInput	in = colj_input(bytes, len);
	uint32_t	length;
	uint8_t		byte;

	if (!skip_counted(&in, &length))
		return NULL;
	if (length == 0 && (!colj_input_varint(&in, &length) || !colj_input_byte(&in, &byte)))
		return NULL;
	if (in.p == in.end)
		return colj_ints_encoding(NULL, 0);
	if (type == COLJ_PATH_DECIMAL && (!colj_input_byte(&in, &byte) || !skip_counted(&in, &length)))
		return NULL;
	if (cut && !skip_cut(&in))
		return NULL;
	return has_strings(type) ? colj_strings_encoding(in.p, (size_t) (in.end - in.p))
		: colj_ints_encoding(in.p, (size_t) (in.end - in.p));
}

ColjStatus
colj_column_get(ColjVectorWork *work, ColjPathType type, const uint8_t *bytes, size_t len,
				uint32_t rows, uint64_t raw, const ColjStoredWith *with, ColjDecoded *decoded,
				const char **problem)
{
	ColjInput	in = colj_input(bytes, len);
	Block		block = {.rows = rows, .values = colj_work_values(work, rows)};
	ColjStatus	status = block.values == NULL ? COLJ_NO_MEMORY : COLJ_OK;

	memset(decoded, 0, sizeof(*decoded));
	if (status == COLJ_OK)
		status = get_presence(work, &in, with->like, &block);
	if (status == COLJ_OK)
		status = make_block(work->host, type, decoded, &block);
	if (status == COLJ_OK)
		status = get_values(work, &in, type, &block, rows, block.nvalues, raw, with, decoded);
	if (status != COLJ_OK)
		colj_decoded_free(work->host, decoded);
	*problem = in.problem;
	return status;
}
