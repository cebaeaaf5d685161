/*-------------------------------------------------------------------------
 *
 * column.c
 *	  One vector of one path: filling and storing it; uncolumn.c reads it.
 *
 * Stored form: the length of the presence vector, that vector, then for the
 * rows that have a value, by type
 *
 *		BOOL, INT	the integers
 *		DECIMAL		a byte (0, or a scale + 1), the length of the scales' vector,
 *					the scales, the mantissas: at the scale of that byte for all,
 *					or each at its own when they do not fit so
 *		STRING		the strings; where the directory names a sibling, first the
 *					length of a vector and the vector of the positions of its
 *					value in them (0 for none, else 1 + offset), and then the
 *					strings without it
 *		DOCUMENT	the documents as strings
 *
 * OBJECT and NULL have nothing but presence.
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
#include "stripe/strings.h"

/* Powers of ten that fit into an int64. */
#define TEN_MAX 18

static void *
grab(const ColjHost *host, size_t size)
{
	return host->resize(host->arg, NULL, size > 0 ? size : 1);
}

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

ColjStatus
colj_column_create(ColjColumn *column, const ColjHost *host, ColjPathType type, uint32_t vector_rows)
{
	memset(column, 0, sizeof(*column));
	column->type = type;
	column->data.host = host;
	column->presence = grab(host, vector_rows);
	if (has_ints(type))
		column->ints = grab(host, vector_rows * sizeof(int64_t));
	if (type == COLJ_PATH_DECIMAL)
		column->scales = grab(host, vector_rows * sizeof(int64_t));
	if (has_strings(type))
		column->ends = grab(host, vector_rows * sizeof(uint32_t));
	if (column->presence == NULL || (has_ints(type) && column->ints == NULL) ||
		(type == COLJ_PATH_DECIMAL && column->scales == NULL) ||
		(has_strings(type) && column->ends == NULL))
		return COLJ_NO_MEMORY;
	return COLJ_OK;
}

static void
release(const ColjHost *host, void *memory)
{
	if (memory != NULL)
		host->resize(host->arg, memory, 0);
}

void
colj_column_free(ColjColumn *column, const ColjHost *host)
{
	release(host, column->presence);
	release(host, column->ints);
	release(host, column->scales);
	release(host, column->ends);
	colj_sink_free(&column->data);
}

void
colj_column_clear(ColjColumn *column)
{
	column->rows = 0;
	column->values = 0;
	column->data.len = 0;
}

void
colj_column_push(ColjColumn *column, ColjPresence presence)
{
	column->presence[column->rows++] = (uint8_t) presence;
}

void
colj_column_push_int(ColjColumn *column, int64_t value, uint8_t scale)
{
	column->ints[column->values] = value;
	if (column->scales != NULL)
		column->scales[column->values] = scale;
	column->values++;
	colj_column_push(column, COLJ_IS_VALUE);
}

void
colj_column_push_bytes(ColjColumn *column, const void *bytes, size_t len)
{
	colj_sink_bytes(&column->data, bytes, len);
	if (column->data.len > COLJ_VECTOR_RAW_MAX && column->data.status == COLJ_OK)
		column->data.status = COLJ_TOO_LARGE;
	column->ends[column->values++] = (uint32_t) column->data.len;
	colj_column_push(column, COLJ_IS_VALUE);
}

ColjStrings
colj_column_strings(const ColjColumn *column)
{
	/* if all are empty there is no memory, but there must be an address */
	return (ColjStrings)
	{
		column->values, column->ends, column->data.data == NULL ? "" : (const char *) column->data.data
	};
}

uint64_t
colj_column_raw(const ColjColumn *column)
{
	return has_strings(column->type) ? column->data.len : (uint64_t) column->values * sizeof(int64_t);
}

/* Append a vector with its length before it. */
static ColjStatus
put_counted_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
				 ColjSink *out)
{
	ColjSink	sink = {.host = work->host};
	ColjStatus	status = colj_encode_ints(work, codec, values, n, &sink);

	if (status == COLJ_OK)
	{
		colj_sink_varint(out, (uint32_t) sink.len);
		colj_sink_bytes(out, sink.data, sink.len);
		status = out->status;
	}
	colj_sink_free(&sink);
	return status;
}

static ColjStatus
put_presence(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column, ColjSink *out)
{
	int64_t    *wide = grab(work->host, column->rows * sizeof(int64_t));
	ColjStatus	status = COLJ_NO_MEMORY;

	if (wide != NULL)
	{
		for (uint32_t i = 0; i < column->rows; i++)
			wide[i] = column->presence[i];
		status = put_counted_ints(work, codec, wide, column->rows, out);
		release(work->host, wide);
	}
	return status;
}

/* The mantissas at the largest scale; false if one does not fit. */
static bool
align_mantissas(const ColjColumn *column, int64_t scale, int64_t *aligned)
{
	for (uint32_t i = 0; i < column->values; i++)
	{
		int64_t		value = column->ints[i];

		for (int64_t s = column->scales[i]; s < scale; s++)
			if (__builtin_mul_overflow(value, 10, &value))
				return false;
		aligned[i] = value;
	}
	return true;
}

static ColjStatus
put_decimals(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column, ColjSink *out)
{
	int64_t    *aligned = grab(work->host, column->values * sizeof(int64_t));
	int64_t		scale = 0;
	bool		fits;
	ColjStatus	status;

	if (aligned == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 0; i < column->values; i++)
		scale = column->scales[i] > scale ? column->scales[i] : scale;
	fits = scale < 255 && align_mantissas(column, scale, aligned);
	colj_sink_byte(out, fits ? (uint8_t) (scale + 1) : 0);
	status = put_counted_ints(work, codec, column->scales, column->values, out);
	if (status == COLJ_OK)
		status = colj_encode_ints(work, codec, fits ? aligned : column->ints, column->values, out);
	release(work->host, aligned);
	return status;
}

static const char *
find_text(const char *hay, uint32_t hay_len, const char *needle, uint32_t len)
{
	return len == 0 || len > hay_len ? NULL : memmem(hay, hay_len, needle, len);
}

/* The text of value i of a column. */
static bool
column_text(const ColjColumn *column, uint32_t i, char *buffer, const char **text, uint32_t *len)
{
	if (column->type == COLJ_PATH_STRING)
	{
		uint32_t	start = i > 0 ? column->ends[i - 1] : 0;

		*text = colj_column_strings(column).data + start;
		*len = column->ends[i] - start;
		return true;
	}
	*text = buffer;
	*len = colj_number_text(column->ints[i], 0, buffer);
	return true;
}

/*
 * Cut the sibling's value out of each string: positions[i] is 0 or 1 + where
 * it was, rest has what is left.
 */
static void
cut_sibling(const ColjColumn *column, const ColjColumn *sibling, int64_t *positions, uint32_t *ends,
			char *rest)
{
	char		buffer[COLJ_NUMBER_TEXT_MAX];
	uint32_t	value = 0;
	uint32_t	other = 0;
	uint32_t	end = 0;

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
		(void) column_text(column, value, NULL, &string, &len);
		if (has_other && column_text(sibling, other - 1, buffer, &needle, &needle_len))
			hit = find_text(string, len, needle, needle_len);
		positions[value] = hit == NULL ? 0 : hit - string + 1;
		needle_len = hit == NULL ? 0 : needle_len;
		hit = hit == NULL ? string + len : hit;
		if (len == 0)
		{
			ends[value++] = end;
			continue;
		}
		memcpy(rest + end, string, hit - string);
		end += hit - string;
		memcpy(rest + end, hit + needle_len, string + len - hit - needle_len);
		end += string + len - hit - needle_len;
		ends[value++] = end;
	}
}

static ColjStatus
put_cut_strings(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
				const ColjColumn *sibling, ColjSink *out)
{
	int64_t    *positions = grab(work->host, column->values * sizeof(int64_t));
	uint32_t   *ends = grab(work->host, column->values * sizeof(uint32_t));
	char	   *rest = grab(work->host, column->data.len);
	ColjStrings strings = {column->values, ends, rest};
	ColjStatus	status = COLJ_NO_MEMORY;

	if (positions != NULL && ends != NULL && rest != NULL)
	{
		cut_sibling(column, sibling, positions, ends, rest);
		status = put_counted_ints(work, codec, positions, column->values, out);
		if (status == COLJ_OK)
			status = colj_encode_strings(work, codec, &strings, out);
	}
	release(work->host, positions);
	release(work->host, ends);
	release(work->host, rest);
	return status;
}

ColjStatus
colj_column_put(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
				const ColjColumn *sibling, ColjSink *out)
{
	ColjStrings strings = colj_column_strings(column);
	ColjStatus	status = column->data.status;

	if (status == COLJ_OK)
		status = put_presence(work, codec, column, out);
	if (status != COLJ_OK || column->values == 0)
		return status;
	switch (column->type)
	{
		case COLJ_PATH_BOOL:
		case COLJ_PATH_INT:
			return colj_encode_ints(work, codec, column->ints, column->values, out);
		case COLJ_PATH_DECIMAL:
			return put_decimals(work, codec, column, out);
		case COLJ_PATH_STRING:
			if (sibling != NULL)
				return put_cut_strings(work, codec, column, sibling, out);
			return colj_encode_strings(work, codec, &strings, out);
		case COLJ_PATH_DOCUMENT:
			return colj_encode_strings(work, codec, &strings, out);
		case COLJ_PATH_OBJECT:
		case COLJ_PATH_NULL:
			break;
	}
	return COLJ_OK;
}

/* Order of two strings by their bytes. */
static int
compare_bytes(const char *a, uint32_t alen, const char *b, uint32_t blen)
{
	uint32_t	len = alen < blen ? alen : blen;
	int			order = len > 0 ? memcmp(a, b, len) : 0;

	return order != 0 ? order : (alen > blen) - (alen < blen);
}

/*
 * Cut the largest string to the room there is, so that what is left is not
 * below it: the last byte that can be raised is, and those after it go.
 */
static void
cut_max(ColjStoredZone *zone, const char *max, uint32_t len)
{
	uint32_t	keep = len < COLJ_ZONE_BYTES ? len : COLJ_ZONE_BYTES;

	if (keep > 0)
		memcpy(zone->max_bytes, max, keep);
	if (len > COLJ_ZONE_BYTES)
	{
		while (keep > 0 && (uint8_t) zone->max_bytes[keep - 1] == 0xFF)
			keep--;
		if (keep > 0)
			zone->max_bytes[keep - 1]++;
	}
	zone->max_len = (uint8_t) keep;
}

static void
bound_strings(const ColjColumn *column, ColjStoredZone *zone)
{
	const char *min;
	const char *max;
	uint32_t	min_len;
	uint32_t	max_len;

	(void) column_text(column, 0, NULL, &min, &min_len);
	max = min;
	max_len = min_len;
	for (uint32_t i = 1; i < column->values; i++)
	{
		const char *p;
		uint32_t	len;

		(void) column_text(column, i, NULL, &p, &len);
		if (compare_bytes(p, len, min, min_len) < 0)
		{
			min = p;
			min_len = len;
		}
		if (compare_bytes(p, len, max, max_len) > 0)
		{
			max = p;
			max_len = len;
		}
	}
	zone->bounded = true;
	zone->min_len = (uint8_t) (min_len < COLJ_ZONE_BYTES ? min_len : COLJ_ZONE_BYTES);
	if (zone->min_len > 0)
		memcpy(zone->min_bytes, min, zone->min_len);
	cut_max(zone, max, max_len);
}

static void
bound_ints(const int64_t *values, uint32_t n, ColjStoredZone *zone)
{
	zone->bounded = true;
	zone->min_int = zone->max_int = values[0];
	for (uint32_t i = 1; i < n; i++)
	{
		zone->min_int = values[i] < zone->min_int ? values[i] : zone->min_int;
		zone->max_int = values[i] > zone->max_int ? values[i] : zone->max_int;
	}
}

/* Decimals are bounded when all have one scale, so that mantissas compare. */
static void
bound_decimals(const ColjColumn *column, ColjStoredZone *zone)
{
	for (uint32_t i = 1; i < column->values; i++)
		if (column->scales[i] != column->scales[0])
			return;
	zone->scale = (uint8_t) column->scales[0];
	bound_ints(column->ints, column->values, zone);
}

void
colj_column_zone(const ColjColumn *column, ColjStoredZone *zone)
{
	memset(zone, 0, sizeof(*zone));
	for (uint32_t i = 0; i < column->rows; i++)
		zone->counts[column->presence[i]]++;
	if (column->values == 0)
		return;
	if (column->type == COLJ_PATH_STRING)
		bound_strings(column, zone);
	else if (column->type == COLJ_PATH_DECIMAL)
		bound_decimals(column, zone);
	else if (has_ints(column->type))
		bound_ints(column->ints, column->values, zone);
}
