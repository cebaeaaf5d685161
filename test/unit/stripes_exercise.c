/*-------------------------------------------------------------------------
 *
 * stripes_exercise.c
 *	  Everything one can do with bytes that may be a stripe.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "stripe/reading.h"
#include "stripes.h"

/* Decoded vectors are given back beyond this. */
#define HELD_MAX ((size_t) 8 << 20)

/* Add up bytes, so that a sanitizer sees each of them read. */
static volatile unsigned seen;

static void
touch(const void *bytes, size_t len)
{
	unsigned	sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += ((const uint8_t *) bytes)[i];
	seen += sum;
}

static ColjStatus
read_zones(ColjStripe *stripe, uint32_t path)
{
	ColjZone	zone;
	ColjStatus	status = colj_stripe_zone(stripe, path, COLJ_NO_PATH, &zone);

	for (uint32_t v = 0; v < colj_stripe_vectors(stripe) && status == COLJ_OK; v++)
	{
		status = colj_stripe_zone(stripe, path, v, &zone);
		touch(colj_stripe_encoding(stripe, path, v), 1);
		touch(zone.min_bytes, zone.min_bytes == NULL ? 0 : zone.min_len);
		touch(zone.max_bytes, zone.max_bytes == NULL ? 0 : zone.max_len);
	}
	return status;
}

static ColjStatus
read_spaced(ColjStripe *stripe, uint32_t path, uint32_t v, uint32_t n)
{
	ColjSpaced	texts;
	bool		fresh;
	uint32_t	len;
	ColjStatus	status = colj_stripe_spaced(stripe, path, v, &texts, &fresh);

	for (uint32_t i = 0; i < n && status == COLJ_OK && fresh; i++)
	{
		memcpy(&len, texts.data + texts.starts[i], sizeof(len));
		touch(texts.data + texts.starts[i] + COLJ_SPACE, len);
	}
	return status;
}

static ColjStatus
read_vector(ColjStripe *stripe, uint32_t path, uint32_t v)
{
	ColjPathType type = colj_stripe_path(stripe, path)->type;
	const ColjPathVector *vector;
	ColjCodes	codes;
	ColjStatus	status = colj_stripe_codes(stripe, path, v, &codes);

	if (status == COLJ_OK)
		status = colj_stripe_vector(stripe, path, v, &vector);
	if (status != COLJ_OK)
		return status;
	if (codes.n > 0)
		touch(codes.codes, vector->n * sizeof(uint16_t));
	touch(vector->presence, vector->n);
	if (type == COLJ_PATH_INT || type == COLJ_PATH_BOOL || type == COLJ_PATH_DECIMAL)
	{
		touch(vector->ints, vector->n * sizeof(int64_t));
		touch(vector->scales, vector->n);
	}
	if (type == COLJ_PATH_STRING || type == COLJ_PATH_DOCUMENT)
		touch(vector->strings.data, vector->n == 0 ? 0 : vector->strings.ends[vector->n - 1]);
	if (type == COLJ_PATH_INT || type == COLJ_PATH_STRING)
		return read_spaced(stripe, path, v, vector->n);
	return COLJ_OK;
}

static ColjStatus
read_part(ColjStripe *stripe, uint32_t path, uint32_t row, ColjBuilder *b)
{
	uint32_t	size;
	uint8_t    *bytes;
	ColjStatus	status;

	colj_builder_reset(b);
	status = colj_stripe_assemble(stripe, path, row, b);
	if (status == COLJ_OK)
		status = colj_builder_finish(b, 32, &size);
	if (status != COLJ_OK)
		return status == COLJ_ABSENT ? COLJ_OK : status;
	bytes = malloc(size);
	colj_builder_write(b, bytes);
	free(bytes);
	return COLJ_OK;
}

/* Big numbers have no text here, and large texts are not waited for. */
static ColjStatus
read_text(ColjStripe *stripe, uint32_t path, uint32_t row)
{
	ColjText	text = {.host = stripe->host, .max = HELD_MAX};
	ColjStatus	status = colj_stripe_print(stripe, path, row, &text);

	touch(text.data, text.len);
	if (text.data != NULL)
		stripe->host->resize(stripe->host->arg, text.data, 0);
	return status == COLJ_ABSENT || status == COLJ_UNUSUAL || status == COLJ_TOO_LARGE ? COLJ_OK : status;
}

static ColjStatus
read_residual(ColjStripe *stripe, uint32_t path, uint32_t row)
{
	ColjDoc		doc;
	ColjValue	value;
	ColjStatus	status = colj_stripe_residual(stripe, path, row, &doc, &value);

	if (status == COLJ_OK)
		touch(doc.data, doc.size);
	return status == COLJ_ABSENT ? COLJ_OK : status;
}

static ColjStatus
read_row(ColjStripe *stripe, uint32_t path, uint32_t row, ColjBuilder *b)
{
	const ColjPathInfo *info = colj_stripe_path(stripe, path);
	ColjValue	value;
	ColjCell	cell;
	const char *bytes;
	ColjStatus	status = read_part(stripe, path, row, b);

	if (status == COLJ_OK && row % 8 == 0)
		status = read_text(stripe, path, row);
	if (status == COLJ_OK && row % 8 == 0)
		status = read_residual(stripe, path, row);
	if (status != COLJ_OK)
		return status;
	status = colj_stripe_scalar(stripe, path, row, &value, &bytes);
	if (status == COLJ_OK && value.kind == COLJ_STRING)
		touch(bytes, value.len);
	if (status == COLJ_ABSENT || status == COLJ_UNUSUAL)
		status = COLJ_OK;
	if (status == COLJ_OK && info->plain)
		status = colj_stripe_cell(stripe, info->column, row, &cell);
	if (status == COLJ_OK && info->parent != COLJ_NO_PATH)
		(void) colj_stripe_find(stripe, info->parent, info->key, info->key_len);
	return status;
}

/* Read all there is; the first failure, though reading goes on. */
static ColjStatus
read_everything(ColjStripe *stripe, ColjBuilder *b)
{
	ColjStatus	first = COLJ_OK;

	for (uint32_t path = 0; path < colj_stripe_paths(stripe); path++)
	{
		uint32_t	rows = colj_stripe_rows(stripe);
		ColjStatus	status = read_zones(stripe, path);

		for (uint32_t v = 0; v < colj_stripe_vectors(stripe) && status == COLJ_OK; v++)
			status = read_vector(stripe, path, v);
		for (uint32_t row = 0; row < rows && row < 600 && status == COLJ_OK; row++)
			status = read_row(stripe, path, row, b);
		first = first == COLJ_OK ? status : first;
		if (colj_stripe_memory(stripe) > HELD_MAX)
			colj_stripe_forget(stripe);
	}
	return first;
}

const char *
exercise_stripe(const ColjHost *host, ColjStripeWindow *window, bool *accepted)
{
	ColjStripe *stripe;
	ColjBuilder b;
	const char *problem;
	const char *wrong = NULL;
	ColjStatus	read;
	ColjStatus	status = colj_stripe_open(host, window, &stripe, &problem);

	*accepted = false;
	if (status != COLJ_OK)
		return problem == NULL && status != COLJ_NO_MEMORY ? "no problem is told" : NULL;
	colj_builder_init(&b, host);
	read = read_everything(stripe, &b);
	if (read == COLJ_CORRUPT && colj_stripe_problem(stripe) == NULL)
		wrong = "a reader does not tell the problem";
	colj_stripe_forget(stripe);
	status = colj_stripe_check(stripe);
	*accepted = status == COLJ_OK;
	if (status != COLJ_OK && status != COLJ_CORRUPT && status != COLJ_NO_MEMORY)
		wrong = "the check ends with another status than there should be";
	if (*accepted && read != COLJ_OK && read != COLJ_NO_MEMORY)
		wrong = "a reader fails on a stripe that the check accepts";
	colj_builder_free(&b);
	colj_stripe_close(stripe);
	return wrong;
}
