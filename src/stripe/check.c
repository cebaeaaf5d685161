/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Is everything in a stripe what the rest of it says?
 *
 * Opening a stripe has checked its directory, and decoding a vector checks
 * that vector.  This looks at all of them together: what the zones claim,
 * what paths say of their parents, and whether every row can be put together.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

#include <string.h>

static int
compare_bytes(const char *a, uint32_t alen, const char *b, uint32_t blen)
{
	uint32_t	len = alen < blen ? alen : blen;
	int			order = len > 0 ? memcmp(a, b, len) : 0;

	return order != 0 ? order : (alen > blen) - (alen < blen);
}

/* Does the zone hold row i's value? */
static bool
is_within(const ColjZone *zone, ColjPathType type, const ColjPathVector *vector, uint32_t i)
{
	const char *bytes;
	uint32_t	len;

	if (type != COLJ_PATH_STRING)
		return vector->ints[i] >= zone->min_int && vector->ints[i] <= zone->max_int &&
			vector->scales[i] == zone->scale;
	colj_vector_bytes(vector, i, &bytes, &len);
	return compare_bytes(bytes, len, zone->min_bytes, zone->min_len) >= 0 &&
		(zone->max_bytes == NULL || compare_bytes(bytes, len, zone->max_bytes, zone->max_len) <= 0);
}

static ColjStatus
check_zone(ColjStripe *stripe, uint32_t path, uint32_t v, const ColjPathVector *vector)
{
	ColjPathType type = stripe->directory.paths[path].info.type;
	uint32_t	counts[4] = {0};
	ColjZone	zone;
	ColjStatus	status = colj_stripe_zone(stripe, path, v, &zone);
	bool		bounds = type != COLJ_PATH_OBJECT && type != COLJ_PATH_DOCUMENT && type != COLJ_PATH_NULL;

	if (status == COLJ_OK && zone.bounded && (!bounds || zone.counts[COLJ_IS_VALUE] == 0))
		return colj_stripe_wrong(stripe, "A zone has bounds, but no values that they bound.");
	for (uint32_t i = 0; i < vector->n && status == COLJ_OK; i++)
	{
		counts[vector->presence[i]]++;
		if (vector->presence[i] == COLJ_IS_VALUE && zone.bounded && !is_within(&zone, type, vector, i))
			return colj_stripe_wrong(stripe, "A value is outside of its zone.");
	}
	if (status == COLJ_OK && memcmp(counts, zone.counts, sizeof(counts)) != 0)
		return colj_stripe_wrong(stripe, "A vector has other rows than its zone counts.");
	return status;
}

/* A value must be one of its type; documents are checked in full. */
static ColjStatus
check_value(ColjStripe *stripe, ColjPathType type, const ColjPathVector *vector, uint32_t i)
{
	const char *bytes;
	uint32_t	len;
	ColjDoc		doc;
	ColjStatus	status = COLJ_OK;

	if (type == COLJ_PATH_BOOL && (vector->ints[i] < 0 || vector->ints[i] > 1))
		return colj_stripe_wrong(stripe, "A truth value is neither true nor false.");
	if (type != COLJ_PATH_DOCUMENT)
		return COLJ_OK;
	colj_vector_bytes(vector, i, &bytes, &len);
	status = colj_open_bytes(&doc, bytes, len);
	if (status == COLJ_OK)
		status = colj_check_document(&doc, stripe->host);
	return status == COLJ_OK || status == COLJ_NO_MEMORY ? status
		: colj_stripe_wrong(stripe, "A part of a document in the stripe is damaged.");
}

/* May a path of this kind have this presence? */
static bool
may_be(const ColjPathEntry *entry, ColjPresence presence)
{
	if (entry->info.plain)
		return presence == COLJ_IS_NULL || presence == COLJ_IS_VALUE;
	if (entry->residual)
		return presence == COLJ_IS_ABSENT || presence == COLJ_IS_VALUE;
	return presence != COLJ_IS_ELSEWHERE || !entry->info.complete;
}

static ColjStatus
check_vector(ColjStripe *stripe, uint32_t path, uint32_t v)
{
	const ColjPathEntry *entry = &stripe->directory.paths[path];
	const ColjPathVector *vector;
	const ColjPathVector *above = NULL;
	ColjStatus	status = colj_stripe_vector(stripe, path, v, &vector);

	if (status == COLJ_OK && entry->info.parent != COLJ_NO_PATH)
	{
		status = colj_stripe_vector(stripe, entry->info.parent, v, &above);

		/* which was found when the parent was checked */
		if (status == COLJ_CORRUPT)
		{
			stripe->problem = NULL;
			return COLJ_OK;
		}
	}
	if (status == COLJ_OK)
		status = check_zone(stripe, path, v, vector);
	for (uint32_t i = 0; status == COLJ_OK && i < vector->n; i++)
	{
		ColjPresence presence = (ColjPresence) vector->presence[i];

		if (!may_be(entry, presence) ||
			(above != NULL && presence != COLJ_IS_ABSENT && above->presence[i] != COLJ_IS_VALUE))
			return colj_stripe_wrong(stripe, "A row has at a path what can't be there.");
		if (presence == COLJ_IS_VALUE)
			status = check_value(stripe, entry->info.type, vector, i);
	}
	return status;
}

/* A path that calls itself complete must not have left anything behind. */
static ColjStatus
check_complete(ColjStripe *stripe)
{
	const ColjDirectory *d = &stripe->directory;

	for (uint32_t i = 0; i < d->npaths; i++)
	{
		const ColjPathInfo *info = &d->paths[i].info;
		uint32_t	residual = d->residuals[info->column];

		if (info->complete && info->type == COLJ_PATH_OBJECT && residual != COLJ_NO_PATH &&
			d->paths[residual].info.counts[COLJ_IS_VALUE] > 0)
			return colj_stripe_wrong(stripe, "A path is called complete, but there is a residual.");
	}
	return COLJ_OK;
}

/* Every row of a vector must come together to a document. */
static ColjStatus
check_rows(ColjStripe *stripe, uint32_t column, uint32_t v, ColjBuilder *b)
{
	const ColjDirectory *d = &stripe->directory;
	uint32_t	rows = colj_directory_vector_rows(d, v);
	ColjStatus	status = COLJ_OK;
	uint32_t	size;

	for (uint32_t i = 0; i < rows && status == COLJ_OK; i++)
	{
		colj_builder_reset(b);
		status = colj_stripe_assemble(stripe, d->roots[column], v * d->vector_rows + i, b);
		if (status == COLJ_OK)
			status = colj_builder_finish(b, COLJ_STRIDE_DEFAULT, &size);
		if (status == COLJ_ABSENT)
			status = COLJ_OK;
	}
	return status == COLJ_TOO_LARGE ? colj_stripe_wrong(stripe, "A document in the stripe is too large.") : status;
}

/* Whom to tell of problems; nobody: the first one ends the check. */
typedef struct Report
{
	ColjStripeReport report;
	void	   *arg;
} Report;

/* Tell of a problem; COLJ_OK if the check goes on. */
static ColjStatus
report_problem(ColjStripe *stripe, const Report *report, uint32_t path, uint32_t v, ColjStatus status)
{
	if (status != COLJ_CORRUPT || report->report == NULL)
		return status;
	report->report(report->arg, path, v, stripe->problem);
	stripe->problem = NULL;
	return COLJ_OK;
}

static ColjStatus
check_vectors(ColjStripe *stripe, uint32_t v, ColjBuilder *b, const Report *report)
{
	const ColjDirectory *d = &stripe->directory;
	ColjStatus	status = COLJ_OK;
	bool		damaged = false;

	for (uint32_t path = 0; path < d->npaths && status == COLJ_OK; path++)
	{
		status = check_vector(stripe, path, v);
		damaged = damaged || status != COLJ_OK;
		status = report_problem(stripe, report, path, v, status);
	}
	/* rows of damaged vectors would fail for the same reason */
	for (uint32_t i = 0; i < d->ncolumns && status == COLJ_OK && !damaged; i++)
		if (d->columns[i].kind == COLJ_COLUMN_DOCUMENT)
			status = report_problem(stripe, report, d->roots[i], v, check_rows(stripe, i, v, b));
	return status;
}

static ColjStatus
check_stripe(ColjStripe *stripe, const Report *report)
{
	ColjBuilder b;
	ColjStatus	status = report_problem(stripe, report, COLJ_NO_PATH, 0, check_complete(stripe));

	colj_builder_init(&b, stripe->host);
	for (uint32_t v = 0; v < stripe->directory.nvectors && status == COLJ_OK; v++)
	{
		status = check_vectors(stripe, v, &b, report);
		colj_stripe_forget(stripe);
		if (stripe->host->poll != NULL)
			stripe->host->poll(stripe->host->arg);
	}
	colj_builder_free(&b);
	return status;
}

ColjStatus
colj_stripe_check(ColjStripe *stripe)
{
	Report		nobody = {NULL, NULL};

	return check_stripe(stripe, &nobody);
}

ColjStatus
colj_stripe_check_all(ColjStripe *stripe, ColjStripeReport report, void *arg)
{
	Report		somebody = {report, arg};

	return check_stripe(stripe, &somebody);
}
