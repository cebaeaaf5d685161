/*-------------------------------------------------------------------------
 *
 * sibling.c
 *	  Strings that contain what another path of the same row says.
 *
 * Documents repeat themselves: a URL holds the login that stands beside it,
 * id_str is id.  Where a sample of the first vector shows that a path's
 * strings mostly contain a sibling's value, that value is cut out of them
 * (column.c), provided that the first vector gets shorter by it.
 *
 * A path that refers to a sibling is no sibling to others, so that reading
 * one vector never takes more than one other.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE				/* memmem */
#endif
#include "stripe/writer.h"

#include <string.h>

#include "format/text.h"

/* Rows of the first vector that are looked at. */
#define SAMPLE 128

/* A value shorter than this occurs in strings by accident. */
#define TEXT_MIN 4

/* Of a path's bytes in the sample, that part must be a sibling's. */
#define GAIN(saved, bytes) ((saved) * 4 >= (bytes) && (saved) > SAMPLE)

/* With more paths than this, only the first ones are compared. */
#define PATHS_MAX 256

/* One path's texts in the sample. */
typedef struct Sample
{
	ColjWritePath *path;
	const char *texts[SAMPLE];	/* NULL for none */
	uint32_t	lens[SAMPLE];
	char		numbers[SAMPLE][24];	/* of integers */
	uint64_t	bytes;
} Sample;

static void
take_sample(ColjWritePath *path, uint32_t rows, Sample *sample)
{
	const ColjColumn *column = &path->column;
	bool		is_string = column->type == COLJ_PATH_STRING;
	uint32_t	value = 0;

	sample->path = path;
	sample->bytes = 0;
	for (uint32_t row = 0; row < rows; row++)
	{
		sample->texts[row] = NULL;
		if (column->presence[row] != COLJ_IS_VALUE)
			continue;
		if (is_string)
		{
			uint32_t	start = value > 0 ? column->ends[value - 1] : 0;

			sample->texts[row] = colj_column_strings(column).data + start;
			sample->lens[row] = column->ends[value] - start;
		}
		else
		{
			sample->texts[row] = sample->numbers[row];
			sample->lens[row] = colj_number_text(column->ints[value], 0, sample->numbers[row]);
		}
		sample->bytes += sample->lens[row];
		value++;
	}
}

/* Bytes of a path's strings that are the other path's values. */
static uint64_t
count_saved(const Sample *strings, const Sample *other, uint32_t rows)
{
	uint64_t	saved = 0;

	for (uint32_t row = 0; row < rows; row++)
		if (strings->texts[row] != NULL && other->texts[row] != NULL && other->lens[row] >= TEXT_MIN &&
			other->lens[row] <= strings->lens[row] &&
			memmem(strings->texts[row], strings->lens[row], other->texts[row], other->lens[row]) != NULL)
			saved += other->lens[row];
	return saved;
}

/* Is the path's first vector shorter without the sibling's values? */
static bool
gets_shorter(ColjStripeWriter *writer, ColjCodec codec, const Sample *strings, const Sample *other)
{
	ColjSink	plain = {.host = writer->host};
	ColjSink	cut = {.host = writer->host};
	bool		shorter = colj_column_put(writer->work, codec, &strings->path->column, NULL, &plain) == COLJ_OK &&
	colj_column_put(writer->work, codec, &strings->path->column, &other->path->column, &cut) == COLJ_OK &&
	cut.len < plain.len;

	colj_sink_free(&plain);
	colj_sink_free(&cut);
	return shorter;
}

static void
choose_sibling(ColjStripeWriter *writer, Sample *samples, uint32_t n, Sample *strings, uint32_t rows)
{
	uint32_t	column = strings->path->entry.info.column;
	Sample	   *best = NULL;
	uint64_t	most = 0;

	for (uint32_t i = 0; i < n; i++)
	{
		Sample	   *other = &samples[i];
		uint64_t	saved;

		if (other == strings || other->path->refers || other->path->entry.info.column != column)
			continue;
		saved = count_saved(strings, other, rows);
		if (saved > most)
		{
			most = saved;
			best = other;
		}
	}
	if (best == NULL || !GAIN(most, strings->bytes) ||
		!gets_shorter(writer, writer->specs[column].codec, strings, best))
		return;
	strings->path->entry.info.sibling = (uint32_t) (best->path - writer->paths);
	strings->path->refers = true;
	best->path->referred = true;
}

void
colj_choose_siblings(ColjStripeWriter *writer)
{
	Sample	   *samples = writer->host->resize(writer->host->arg, NULL, PATHS_MAX * sizeof(Sample));
	uint32_t	n = 0;
	uint32_t	rows = 0;

	writer->siblings_chosen = true;
	if (samples == NULL)
		return;
	for (uint32_t i = 0; i < writer->npaths && n < PATHS_MAX; i++)
	{
		ColjWritePath *path = &writer->paths[i];

		if (path->entry.info.plain || path->entry.residual || path->column.values == 0 ||
			(path->column.type != COLJ_PATH_STRING && path->column.type != COLJ_PATH_INT))
			continue;
		rows = path->column.rows < SAMPLE ? path->column.rows : SAMPLE;
		take_sample(path, rows, &samples[n++]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (samples[i].path->column.type == COLJ_PATH_STRING && !samples[i].path->referred)
			choose_sibling(writer, samples, n, &samples[i], rows);
	writer->host->resize(writer->host->arg, samples, 0);
}
