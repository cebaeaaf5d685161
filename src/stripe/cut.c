/*-------------------------------------------------------------------------
 *
 * cut.c
 *	  Strings without what a sibling says: writing them.
 *
 * Stored form: how many bytes the sibling's texts lose in front and at the end,
 * the length of a vector and the vector of the positions where what is left of
 * them is to be put in (0 for nowhere, else 1 + offset), then the strings
 * without it.  uncolumn.c puts them together again.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE				/* memmem */
#endif
#include "stripe/column.h"

#include <string.h>

#include "format/bytes.h"
#include "format/text.h"
#include "stripe/memory.h"

/* Strings on their way into the parts that are stored. */
typedef struct Cut
{
	int64_t    *positions;		/* of each value */
	uint32_t   *ends;			/* of what is left of it */
	char	   *rest;
	uint32_t	values;
	uint32_t	end;
} Cut;

/* Where the needle is: where it was in the last string, or the first place. */
static const char *
find_text(const char *hay, uint32_t hay_len, const char *needle, uint32_t len, int64_t guess)
{
	if (len > hay_len)
		return NULL;
	if (guess > 0 && guess - 1 <= hay_len - len && memcmp(hay + guess - 1, needle, len) == 0)
		return hay + guess - 1;
	return memmem(hay, hay_len, needle, len);
}

/* Keep what comes before a hit and what comes after it. */
static void
keep_rest(Cut *cut, const char *string, uint32_t len, const char *hit, uint32_t hit_len)
{
	uint32_t	before = hit == NULL ? len : (uint32_t) (hit - string);

	cut->positions[cut->values] = hit == NULL ? 0 : (int64_t) before + 1;
	if (before > 0)
		memcpy(cut->rest + cut->end, string, before);
	cut->end += before;
	if (hit != NULL && len > before + hit_len)
	{
		memcpy(cut->rest + cut->end, hit + hit_len, len - before - hit_len);
		cut->end += len - before - hit_len;
	}
	cut->ends[cut->values++] = cut->end;
}

static void
cut_strings(const ColjColumn *column, const ColjStoring *storing, Cut *cut)
{
	const ColjColumn *sibling = storing->sibling;
	char		buffer[COLJ_NUMBER_TEXT_MAX];
	uint32_t	other = 0;
	int64_t		guess = 0;

	for (uint32_t row = 0; row < column->rows; row++)
	{
		bool		has_other = sibling->presence[row] == COLJ_IS_VALUE;
		const char *string;
		const char *needle;
		const char *hit = NULL;
		uint32_t	len;
		uint32_t	needle_len = 0;

		other += has_other;
		if (column->presence[row] != COLJ_IS_VALUE)
			continue;
		colj_column_text(column, cut->values, NULL, &string, &len);
		if (has_other)
			colj_column_text(sibling, other - 1, buffer, &needle, &needle_len);
		if (needle_len > storing->front + storing->back)
		{
			needle_len -= storing->front + storing->back;
			hit = find_text(string, len, needle + storing->front, needle_len, guess);
		}
		keep_rest(cut, string, len, hit, needle_len);
		guess = hit == NULL ? guess : cut->positions[cut->values - 1];
	}
}

ColjStatus
colj_put_cut_strings(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
					 const ColjStoring *storing, ColjSink *out)
{
	Cut			cut = {.positions = colj_grab(work->host, column->values, sizeof(int64_t)),
		.ends = colj_grab(work->host, column->values, sizeof(uint32_t)),
	.rest = colj_grab(work->host, column->data.len, 1)};
	ColjStrings strings = {column->values, cut.ends, cut.rest};
	ColjStatus	status = COLJ_NO_MEMORY;

	if (cut.positions != NULL && cut.ends != NULL && cut.rest != NULL)
	{
		cut_strings(column, storing, &cut);
		colj_sink_varint(out, storing->front);
		colj_sink_varint(out, storing->back);
		status = colj_put_counted_ints(work, codec, cut.positions, column->values, out);
		if (status == COLJ_OK)
			status = colj_encode_strings(work, codec, &strings, out);
	}
	colj_release(work->host, cut.positions);
	colj_release(work->host, cut.ends);
	colj_release(work->host, cut.rest);
	return status;
}
