/*-------------------------------------------------------------------------
 *
 * column.c
 *	  One vector of one path: filling and storing it; uncolumn.c reads it.
 *
 * Stored form: the length of the presence vector, that vector (or 0, how many
 * levels up the path is that has a value where this one is not absent, and the
 * presence there), then for the rows that have a value, by type
 *
 *		BOOL, INT	the integers
 *		DECIMAL		a byte (0, or a scale + 1), the length of the scales' vector,
 *					the scales, the mantissas: at the scale of that byte for all,
 *					or each at its own when they do not fit so
 *		STRING		the strings; where the directory names a sibling, cut.c's form
 *		DOCUMENT	the documents as strings
 *
 * OBJECT and NULL have nothing but presence.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/column.h"

#include <string.h>

#include "format/bytes.h"
#include "format/scan.h"
#include "format/text.h"
#include "stripe/memory.h"
#include "stripe/strings.h"

/* Powers of ten that fit into an int64. */
#define TEN_MAX 18

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
	column->presence = colj_grab(host, vector_rows, 1);
	if (has_ints(type))
		column->ints = colj_grab(host, vector_rows, sizeof(int64_t));
	if (type == COLJ_PATH_DECIMAL)
		column->scales = colj_grab(host, vector_rows, sizeof(int64_t));
	if (has_strings(type))
		column->ends = colj_grab(host, vector_rows, sizeof(uint32_t));
	if (column->presence == NULL || (has_ints(type) && column->ints == NULL) ||
		(type == COLJ_PATH_DECIMAL && column->scales == NULL) ||
		(has_strings(type) && column->ends == NULL))
		return COLJ_NO_MEMORY;
	return COLJ_OK;
}

void
colj_column_free(ColjColumn *column, const ColjHost *host)
{
	colj_release(host, column->presence);
	colj_release(host, column->ints);
	colj_release(host, column->scales);
	colj_release(host, column->ends);
	colj_sink_free(&column->data);
}

void
colj_column_clear(ColjColumn *column)
{
	column->rows = 0;
	memset(column->counts, 0, sizeof(column->counts));
	column->values = 0;
	column->data.len = 0;
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

ColjStatus
colj_put_counted_ints(ColjVectorWork *work, ColjCodec codec, const int64_t *values, uint32_t n,
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
	int64_t		first = column->presence[0];
	int64_t    *wide;
	ColjStatus	status = COLJ_NO_MEMORY;

	/* as many of one value are written as one of it */
	if (column->counts[first] == column->rows)
		return colj_put_counted_ints(work, codec, &first, 1, out);
	wide = colj_grab(work->host, column->rows, sizeof(int64_t));
	if (wide != NULL)
	{
		for (uint32_t i = 0; i < column->rows; i++)
			wide[i] = column->presence[i];
		status = colj_put_counted_ints(work, codec, wide, column->rows, out);
		colj_release(work->host, wide);
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
	int64_t    *aligned = colj_grab(work->host, column->values, sizeof(int64_t));
	int64_t		scale = 0;
	bool		fits;
	ColjStatus	status;

	if (aligned == NULL)
		return COLJ_NO_MEMORY;
	for (uint32_t i = 0; i < column->values; i++)
		scale = column->scales[i] > scale ? column->scales[i] : scale;
	fits = scale < 255 && align_mantissas(column, scale, aligned);
	colj_sink_byte(out, fits ? (uint8_t) (scale + 1) : 0);
	status = colj_put_counted_ints(work, codec, column->scales, column->values, out);
	if (status == COLJ_OK)
		status = colj_encode_ints(work, codec, fits ? aligned : column->ints, column->values, out);
	colj_release(work->host, aligned);
	return status;
}

void
colj_column_text(const ColjColumn *column, uint32_t i, char *buffer, const char **text, uint32_t *len)
{
	uint32_t	start;

	if (column->type != COLJ_PATH_STRING)
	{
		*text = buffer;
		*len = colj_number_text(column->ints[i], 0, buffer);
		return;
	}
	start = i > 0 ? column->ends[i - 1] : 0;
	*text = colj_column_strings(column).data + start;
	*len = column->ends[i] - start;
}

/* The presence of the rows that are not absent. */
static uint8_t
presence_of_most(const ColjColumn *column)
{
	uint32_t	row = 0;

	while (column->presence[row] == COLJ_IS_ABSENT)
		row++;
	return column->presence[row];
}

/* Presence, or what it is like. */
static ColjStatus
put_presence_or_like(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column, uint32_t like,
					 ColjSink *out)
{
	if (like == 0)
		return put_presence(work, codec, column, out);
	colj_sink_byte(out, 0);
	colj_sink_varint(out, like);
	colj_sink_byte(out, presence_of_most(column));
	return out->status;
}

ColjStatus
colj_column_put(ColjVectorWork *work, ColjCodec codec, const ColjColumn *column,
				const ColjStoring *storing, ColjSink *out)
{
	ColjStrings strings = colj_column_strings(column);
	ColjStatus	status = column->data.status;

	if (status == COLJ_OK)
		status = put_presence_or_like(work, codec, column, storing->like, out);
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
			if (storing->sibling != NULL)
				return colj_put_cut_strings(work, codec, column, storing, out);
			return colj_encode_strings(work, codec, &strings, out);
		case COLJ_PATH_DOCUMENT:
			return colj_encode_strings(work, codec, &strings, out);
		case COLJ_PATH_OBJECT:
		case COLJ_PATH_NULL:
			break;
	}
	return COLJ_OK;
}

/* A string, and its first eight bytes as a number in their order: zeros behind a short one. */
typedef struct Bound
{
	const char *p;
	uint32_t	len;
	uint64_t	head;
} Bound;

static Bound
bound_at(const ColjColumn *column, uint32_t i)
{
	uint32_t	start = i > 0 ? column->ends[i - 1] : 0;
	Bound		bound = {colj_column_strings(column).data + start, column->ends[i] - start, 0};

	if (bound.len >= 8)
		bound.head = __builtin_bswap64(colj_word_load(bound.p));
	else
		for (uint32_t k = 0; k < 8; k++)
			bound.head = bound.head << 8 | (k < bound.len ? (uint8_t) bound.p[k] : 0);
	return bound;
}

/* Order of two strings by their bytes. */
static int
compare_bounds(const Bound *a, const Bound *b)
{
	uint32_t	len = a->len < b->len ? a->len : b->len;
	int			order;

	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	order = len > 0 ? memcmp(a->p, b->p, len) : 0;
	return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
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
	Bound		min = bound_at(column, 0);
	Bound		max = min;

	for (uint32_t i = 1; i < column->values; i++)
	{
		Bound		bound = bound_at(column, i);

		if (compare_bounds(&bound, &min) < 0)
			min = bound;
		else if (compare_bounds(&bound, &max) > 0)
			max = bound;
	}
	zone->bounded = true;
	zone->min_len = (uint8_t) (min.len < COLJ_ZONE_BYTES ? min.len : COLJ_ZONE_BYTES);
	if (zone->min_len > 0)
		memcpy(zone->min_bytes, min.p, zone->min_len);
	cut_max(zone, max.p, max.len);
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
	memcpy(zone->counts, column->counts, sizeof(zone->counts));
	if (column->values == 0)
		return;
	if (column->type == COLJ_PATH_STRING)
		bound_strings(column, zone);
	else if (column->type == COLJ_PATH_DECIMAL)
		bound_decimals(column, zone);
	else if (has_ints(column->type))
		bound_ints(column->ints, column->values, zone);
}
