/*-------------------------------------------------------------------------
 *
 * stripe.c
 *	  Reading a stripe: its directory, its vectors, single values.
 *
 * Decoded vectors stay with the stripe until colj_stripe_forget, so that the
 * caller who reads row after row decodes each once, and decides when they
 * have become too many (colj_stripe_memory).
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

#include <string.h>

#include "stripe/memory.h"

/* The last that was given to a stripe. */
static uint64_t last_epoch;

ColjStatus
colj_stripe_wrong(ColjStripe *stripe, const char *problem)
{
	if (stripe->problem == NULL)
		stripe->problem = problem;
	return COLJ_CORRUPT;
}

ColjStatus
colj_stripe_open(const ColjHost *host, ColjStripeWindow *window, ColjStripe **result,
				 const char **problem)
{
	ColjStripe *stripe = colj_grab_zeroed(host, 1, sizeof(ColjStripe));
	ColjStatus	status = COLJ_NO_MEMORY;

	*result = NULL;
	*problem = NULL;
	if (stripe == NULL)
		return status;
	stripe->host = host;
	stripe->window = window;
	stripe->work = colj_vector_work_create(host, 1);
	if (stripe->work != NULL)
		status = colj_directory_get(stripe->work, window, &stripe->directory, problem);
	if (status == COLJ_OK)
	{
		stripe->decoded = colj_grab_zeroed(host, stripe->directory.npaths, sizeof(ColjDecoded **));
		status = stripe->decoded == NULL ? COLJ_NO_MEMORY : COLJ_OK;
	}
	if (status != COLJ_OK)
	{
		colj_stripe_close(stripe);
		return status;
	}
	stripe->epoch = ++last_epoch;
	*result = stripe;
	return COLJ_OK;
}

void
colj_stripe_forget_vector(ColjStripe *stripe, uint32_t vector)
{
	stripe->epoch = ++last_epoch;
	for (uint32_t path = 0; path < stripe->directory.npaths; path++)
	{
		ColjDecoded **vectors = stripe->decoded[path];

		if (vectors == NULL || vectors[vector] == NULL)
			continue;
		stripe->memory -= vectors[vector]->vector.bytes;
		colj_decoded_free(stripe->host, vectors[vector]);
		colj_release(stripe->host, vectors[vector]);
		vectors[vector] = NULL;
	}
}

void
colj_stripe_forget(ColjStripe *stripe)
{
	for (uint32_t vector = 0; vector < stripe->directory.nvectors; vector++)
		colj_stripe_forget_vector(stripe, vector);
}

uint64_t
colj_stripe_epoch(const ColjStripe *stripe)
{
	return stripe->epoch;
}

void
colj_stripe_close(ColjStripe *stripe)
{
	const ColjHost *host = stripe->host;

	if (stripe->decoded != NULL)
	{
		colj_stripe_forget(stripe);
		for (uint32_t path = 0; path < stripe->directory.npaths; path++)
			colj_release(host, stripe->decoded[path]);
		colj_release(host, stripe->decoded);
	}
	stripe->directory.host = host;
	colj_directory_free(&stripe->directory);
	colj_vector_work_free(stripe->work);
	colj_release(host, stripe);
}

const char *
colj_stripe_problem(const ColjStripe *stripe)
{
	return stripe->problem;
}

uint32_t
colj_stripe_rows(const ColjStripe *stripe)
{
	return stripe->directory.rows;
}

uint32_t
colj_stripe_vector_rows(const ColjStripe *stripe)
{
	return stripe->directory.vector_rows;
}

uint32_t
colj_stripe_vectors(const ColjStripe *stripe)
{
	return stripe->directory.nvectors;
}

uint32_t
colj_stripe_columns(const ColjStripe *stripe)
{
	return stripe->directory.ncolumns;
}

uint32_t
colj_stripe_paths(const ColjStripe *stripe)
{
	return stripe->directory.npaths;
}

const ColjPathInfo *
colj_stripe_path(const ColjStripe *stripe, uint32_t path)
{
	return &stripe->directory.paths[path].info;
}

uint32_t
colj_stripe_root(const ColjStripe *stripe, uint32_t column)
{
	return stripe->directory.roots[column];
}

ColjCodec
colj_stripe_codec(const ColjStripe *stripe, uint32_t column)
{
	return stripe->directory.columns[column].codec;
}

const uint32_t *
colj_stripe_counts(const ColjStripe *stripe, uint32_t path, uint32_t vector)
{
	return stripe->directory.paths[path].zones[vector].counts;
}

size_t
colj_stripe_memory(const ColjStripe *stripe)
{
	return stripe->memory;
}

size_t
colj_stripe_directory_memory(const ColjStripe *stripe)
{
	const ColjDirectory *d = &stripe->directory;

	return d->npaths * (sizeof(ColjPathEntry) + d->nvectors * (sizeof(ColjStoredZone) + 2 * sizeof(uint32_t)));
}

uint32_t
colj_stripe_find(const ColjStripe *stripe, uint32_t parent, const char *key, uint32_t len)
{
	const ColjPathInfo *object = &stripe->directory.paths[parent].info;
	uint32_t	low = 0;
	uint32_t	high = object->nchildren;

	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		const ColjPathInfo *child = &stripe->directory.paths[object->first_child + mid].info;
		int			order = child->key_len != len ? (child->key_len < len ? -1 : 1)
		: memcmp(child->key, key, len);

		if (order == 0)
			return object->first_child + mid;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return COLJ_NO_PATH;
}

static void
show_zone(const ColjStoredZone *stored, ColjPathType type, ColjZone *zone)
{
	*zone = (ColjZone){.bounded = stored->bounded, .min_int = stored->min_int, .max_int = stored->max_int, .scale = stored->scale};
	memcpy(zone->counts, stored->counts, sizeof(zone->counts));
	if (type != COLJ_PATH_STRING)
		return;
	zone->min_bytes = stored->min_bytes;
	zone->min_len = stored->min_len;
	zone->max_bytes = stored->max_len > 0 ? stored->max_bytes : NULL;
	zone->max_len = stored->max_len;
}

static int
compare_bytes(const char *a, uint32_t alen, const char *b, uint32_t blen)
{
	uint32_t	len = alen < blen ? alen : blen;
	int			order = len > 0 ? memcmp(a, b, len) : 0;

	return order != 0 ? order : (alen > blen) - (alen < blen);
}

/* Widen a zone by that of another vector. */
static void
widen(ColjZone *zone, const ColjZone *more, bool first)
{
	uint32_t	values = more->counts[COLJ_IS_VALUE];

	for (int kind = 0; kind < 4; kind++)
		zone->counts[kind] += more->counts[kind];
	if (values == 0)
		return;
	if (first)
	{
		uint32_t	counts[4];

		memcpy(counts, zone->counts, sizeof(counts));
		*zone = *more;
		memcpy(zone->counts, counts, sizeof(counts));
		return;
	}
	zone->bounded = zone->bounded && more->bounded && zone->scale == more->scale;
	zone->min_int = more->min_int < zone->min_int ? more->min_int : zone->min_int;
	zone->max_int = more->max_int > zone->max_int ? more->max_int : zone->max_int;
	if (more->min_bytes != NULL && compare_bytes(more->min_bytes, more->min_len, zone->min_bytes, zone->min_len) < 0)
	{
		zone->min_bytes = more->min_bytes;
		zone->min_len = more->min_len;
	}
	if (more->max_bytes == NULL)
		zone->max_bytes = NULL;
	else if (zone->max_bytes != NULL && compare_bytes(more->max_bytes, more->max_len, zone->max_bytes, zone->max_len) > 0)
	{
		zone->max_bytes = more->max_bytes;
		zone->max_len = more->max_len;
	}
}

ColjStatus
colj_stripe_zone(ColjStripe *stripe, uint32_t path, uint32_t vector, ColjZone *zone)
{
	const ColjPathEntry *entry = &stripe->directory.paths[path];
	ColjZone	one;

	if (vector != COLJ_NO_PATH)
	{
		show_zone(&entry->zones[vector], entry->info.type, zone);
		return COLJ_OK;
	}
	memset(zone, 0, sizeof(*zone));
	for (uint32_t v = 0; v < entry->nvectors; v++)
	{
		show_zone(&entry->zones[v], entry->info.type, &one);
		widen(zone, &one, zone->counts[COLJ_IS_VALUE] == 0);
	}
	return COLJ_OK;
}

/* The stored bytes of a vector. */
static const uint8_t *
vector_bytes(ColjStripe *stripe, const ColjPathEntry *entry, uint32_t vector)
{
	ColjStripeWindow *window = stripe->window;
	size_t		off = stripe->directory.header_size + entry->offset;

	for (uint32_t v = 0; v < vector; v++)
		off += entry->lengths[v];
	if (window->fetch == NULL || window->fetch(window, off, entry->lengths[vector]))
		return window->data + off;
	colj_stripe_wrong(stripe, "A part of the stripe could not be fetched.");
	return NULL;
}

const char *
colj_stripe_encoding(ColjStripe *stripe, uint32_t path, uint32_t vector)
{
	const ColjPathEntry *entry = &stripe->directory.paths[path];
	const uint8_t *bytes = vector_bytes(stripe, entry, vector);
	const char *name = bytes == NULL ? NULL
	: colj_column_encoding(entry->info.type, entry->info.sibling != COLJ_NO_PATH, bytes, entry->lengths[vector]);

	return name == NULL ? "" : name;
}

/* The vector of the path whose value is cut out of this one's strings. */
static ColjStatus
sibling_vector(ColjStripe *stripe, const ColjPathEntry *entry, uint32_t vector, ColjStoredWith *with)
{
	if (entry->info.sibling == COLJ_NO_PATH)
		return COLJ_OK;
	with->sibling_type = stripe->directory.paths[entry->info.sibling].info.type;
	return colj_stripe_vector(stripe, entry->info.sibling, vector, &with->sibling);
}

/* The vector of the path, some levels up, whose presence this one has. */
static ColjStatus
like_vector(ColjStripe *stripe, uint32_t path, uint32_t vector, uint32_t levels, ColjStoredWith *with)
{
	for (uint32_t i = 0; i < levels; i++)
	{
		path = stripe->directory.paths[path].info.parent;
		if (path == COLJ_NO_PATH)
			return colj_stripe_wrong(stripe, "A path's presence is like that of a path that is not there.");
	}
	return levels == 0 ? COLJ_OK : colj_stripe_vector(stripe, path, vector, &with->like);
}

static ColjStatus
decode_vector(ColjStripe *stripe, uint32_t path, uint32_t vector, ColjDecoded *decoded)
{
	const ColjPathEntry *entry = &stripe->directory.paths[path];
	ColjStoredWith with = {.sibling_type = COLJ_PATH_NULL};
	const uint8_t *bytes;
	const char *problem = NULL;
	ColjStatus	status = sibling_vector(stripe, entry, vector, &with);

	if (status != COLJ_OK)
		return status;
	if (entry->raws[vector] > COLJ_VECTOR_RAW_MAX)
		return colj_stripe_wrong(stripe, "A vector's strings are longer than they may be.");
	bytes = vector_bytes(stripe, entry, vector);
	if (bytes == NULL)
		return COLJ_CORRUPT;
	status = like_vector(stripe, path, vector, colj_column_like(bytes, entry->lengths[vector]), &with);
	if (status != COLJ_OK)
		return status;
	status = colj_column_get(stripe->work, entry->info.type, bytes, entry->lengths[vector],
							 colj_directory_vector_rows(&stripe->directory, vector),
							 entry->raws[vector], &with, decoded, &problem);
	if (status == COLJ_CORRUPT)
		colj_stripe_wrong(stripe, problem);
	return status;
}

ColjStatus
colj_stripe_vector(ColjStripe *stripe, uint32_t path, uint32_t vector, const ColjPathVector **out)
{
	ColjDecoded **vectors = stripe->decoded[path];
	ColjDecoded *decoded;
	ColjStatus	status;

	if (vectors != NULL && vectors[vector] != NULL)
	{
		*out = &vectors[vector]->vector;
		return COLJ_OK;
	}
	if (vectors == NULL)
		vectors = stripe->decoded[path] = colj_grab_zeroed(stripe->host, stripe->directory.nvectors, sizeof(ColjDecoded *));
	decoded = vectors == NULL ? NULL : colj_grab_zeroed(stripe->host, 1, sizeof(ColjDecoded));
	if (decoded == NULL)
		return COLJ_NO_MEMORY;
	status = decode_vector(stripe, path, vector, decoded);
	if (status != COLJ_OK)
	{
		colj_release(stripe->host, decoded);
		return status;
	}
	vectors[vector] = decoded;
	stripe->memory += decoded->vector.bytes;
	*out = &decoded->vector;
	return COLJ_OK;
}

ColjStatus
colj_stripe_row(ColjStripe *stripe, uint32_t path, uint32_t row, const ColjPathVector **vector,
				uint32_t *i)
{
	uint32_t	vector_rows = stripe->directory.vector_rows;

	*i = row % vector_rows;
	return colj_stripe_vector(stripe, path, row / vector_rows, vector);
}

void
colj_vector_bytes(const ColjPathVector *vector, uint32_t i, const char **bytes, uint32_t *len)
{
	uint32_t	start = i > 0 ? vector->strings.ends[i - 1] : 0;

	*bytes = vector->strings.data + start;
	*len = vector->strings.ends[i] - start;
}

ColjStatus
colj_stripe_scalar(ColjStripe *stripe, uint32_t path, uint32_t row, ColjValue *value,
				   const char **bytes)
{
	ColjPathType type = stripe->directory.paths[path].info.type;
	const ColjPathVector *vector;
	uint32_t	i;
	ColjStatus	status = colj_stripe_row(stripe, path, row, &vector, &i);

	if (status != COLJ_OK)
		return status;
	memset(value, 0, sizeof(*value));
	switch ((ColjPresence) vector->presence[i])
	{
		case COLJ_IS_ABSENT:
			return COLJ_ABSENT;
		case COLJ_IS_NULL:
			value->kind = COLJ_NULL;
			return COLJ_OK;
		case COLJ_IS_ELSEWHERE:
			return COLJ_UNUSUAL;
		case COLJ_IS_VALUE:
			break;
	}
	if (type == COLJ_PATH_OBJECT || type == COLJ_PATH_DOCUMENT)
		return COLJ_UNUSUAL;
	if (type == COLJ_PATH_STRING)
	{
		value->kind = COLJ_STRING;
		colj_vector_bytes(vector, i, bytes, &value->len);
		return COLJ_OK;
	}
	value->kind = type == COLJ_PATH_BOOL ? COLJ_BOOL : vector->scales[i] > 0 ? COLJ_DECIMAL
		: COLJ_INT;
	value->integer = type == COLJ_PATH_BOOL ? vector->ints[i] != 0 : vector->ints[i];
	value->scale = vector->scales[i];
	return COLJ_OK;
}

ColjStatus
colj_stripe_cell(ColjStripe *stripe, uint32_t column, uint32_t row, ColjCell *cell)
{
	uint32_t	path = stripe->directory.roots[column];
	const ColjPathVector *vector;
	uint32_t	i;
	ColjStatus	status = colj_stripe_row(stripe, path, row, &vector, &i);

	if (status != COLJ_OK)
		return status;
	memset(cell, 0, sizeof(*cell));
	cell->null = vector->presence[i] != COLJ_IS_VALUE;
	if (cell->null)
		return COLJ_OK;
	if (stripe->directory.paths[path].info.type == COLJ_PATH_STRING)
		colj_vector_bytes(vector, i, &cell->bytes, &cell->len);
	else
		cell->integer = vector->ints[i];
	return COLJ_OK;
}
