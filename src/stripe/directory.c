/*-------------------------------------------------------------------------
 *
 * directory.c
 *	  The bytes before a stripe's columns.
 *
 * A stripe begins with its version (1 byte) and the sizes of the directory,
 * raw and stored (4 bytes each, little-endian); when they differ the
 * directory is a zstd frame.  Everything in the directory is made of varints,
 * strings with their length before them, and vectors with theirs.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/directory.h"

#include <string.h>

#include "format/bytes.h"
#include "stripe/memory.h"

#define HEADER_SIZE 9

/* A directory larger than this is none. */
#define DIRECTORY_MAX ((uint32_t) 256 * 1024 * 1024)

/* Flags of a path. */
#define PATH_PLAIN 1
#define PATH_COMPLETE 2
#define PATH_RESIDUAL 4

static void
put_string(ColjSink *out, const char *bytes, uint32_t len)
{
	colj_sink_varint(out, len);
	colj_sink_bytes(out, bytes, len);
}

/* Append a vector with its length before it. */
static ColjStatus
put_vector(ColjVectorWork *work, const int64_t *values, uint32_t n, ColjSink *out)
{
	ColjSink	sink = {.host = work->host};
	ColjStatus	status = colj_encode_ints(work, COLJ_CODEC_LIGHT, values, n, &sink);

	put_string(out, (const char *) sink.data, (uint32_t) sink.len);
	colj_sink_free(&sink);
	return status != COLJ_OK ? status : out->status;
}

/* The numbers that the directory has for each vector of a path. */
typedef enum Series
{
	SERIES_LENGTH,
	SERIES_RAW,
	SERIES_ABSENT,
	SERIES_NULL,
	SERIES_VALUE,
	SERIES_BOUNDED,				/* 0, or 1 + scale */
	SERIES_MIN,
	SERIES_MAX
} Series;

#define NSERIES (SERIES_MAX + 1)

static int64_t
get_series(const ColjPathEntry *path, Series series, uint32_t vector)
{
	const ColjStoredZone *zone = &path->zones[vector];

	switch (series)
	{
		case SERIES_LENGTH:
			return path->lengths[vector];
		case SERIES_RAW:
			return path->raws[vector];
		case SERIES_ABSENT:
			return zone->counts[COLJ_IS_ABSENT];
		case SERIES_NULL:
			return zone->counts[COLJ_IS_NULL];
		case SERIES_VALUE:
			return zone->counts[COLJ_IS_VALUE];
		case SERIES_BOUNDED:
			return zone->bounded ? zone->scale + 1 : 0;
		case SERIES_MIN:
			return zone->min_int;
		case SERIES_MAX:
			return zone->max_int;
	}
	return 0;
}

/* False when the number can't be one of this series. */
static bool
set_series(ColjPathEntry *path, Series series, uint32_t vector, int64_t value)
{
	ColjStoredZone *zone = &path->zones[vector];
	bool		small = value >= 0 && value <= UINT32_MAX;

	switch (series)
	{
		case SERIES_LENGTH:
			path->lengths[vector] = (uint32_t) value;
			return small;
		case SERIES_RAW:
			path->raws[vector] = (uint32_t) value;
			return small;
		case SERIES_ABSENT:
		case SERIES_NULL:
		case SERIES_VALUE:
			zone->counts[series - SERIES_ABSENT] = (uint32_t) value;
			return small && value <= COLJ_VECTOR_ROWS_MAX;
		case SERIES_BOUNDED:
			zone->bounded = value > 0;
			zone->scale = value > 0 ? (uint8_t) (value - 1) : 0;
			return value >= 0 && value <= COLJ_DECIMAL_SCALE_MAX + 1;
		case SERIES_MIN:
			zone->min_int = value;
			return true;
		case SERIES_MAX:
			zone->max_int = value;
			return true;
	}
	return false;
}

static ColjStatus
put_path(ColjVectorWork *work, const ColjPathEntry *path, int64_t *values, ColjSink *out)
{
	const ColjPathInfo *info = &path->info;

	colj_sink_byte(out, (uint8_t) info->type);
	colj_sink_byte(out, (uint8_t) ((info->plain ? PATH_PLAIN : 0) | (info->complete ? PATH_COMPLETE : 0) |
								   (path->residual ? PATH_RESIDUAL : 0)));
	colj_sink_varint(out, info->column);
	colj_sink_varint(out, info->parent == COLJ_NO_PATH ? 0 : info->parent + 1);
	colj_sink_varint(out, info->first_child);
	colj_sink_varint(out, info->nchildren);
	colj_sink_varint(out, info->sibling == COLJ_NO_PATH ? 0 : info->sibling + 1);
	put_string(out, info->key, info->key_len);
	for (Series series = 0; series < NSERIES; series++)
	{
		ColjStatus	status;

		for (uint32_t v = 0; v < path->nvectors; v++)
			values[v] = get_series(path, series, v);
		status = put_vector(work, values, path->nvectors, out);
		if (status != COLJ_OK)
			return status;
	}
	for (uint32_t v = 0; v < path->nvectors && info->type == COLJ_PATH_STRING; v++)
	{
		put_string(out, path->zones[v].min_bytes, path->zones[v].min_len);
		put_string(out, path->zones[v].max_bytes, path->zones[v].max_len);
	}
	return out->status;
}

static ColjStatus
put_directory(ColjVectorWork *work, const ColjDirectory *d, ColjSink *out)
{
	int64_t    *values = work->host->resize(work->host->arg, NULL, (d->nvectors + 1) * sizeof(int64_t));
	ColjStatus	status = values == NULL ? COLJ_NO_MEMORY : COLJ_OK;

	colj_sink_varint(out, d->rows);
	colj_sink_varint(out, d->vector_rows);
	colj_sink_varint(out, d->ncolumns);
	colj_sink_varint(out, d->npaths);
	for (uint32_t i = 0; i < d->ncolumns; i++)
	{
		colj_sink_byte(out, (uint8_t) d->columns[i].kind);
		colj_sink_byte(out, (uint8_t) d->columns[i].codec);
		colj_sink_varint(out, d->roots[i]);
		colj_sink_varint(out, d->residuals[i] == COLJ_NO_PATH ? 0 : d->residuals[i] + 1);
	}
	for (uint32_t i = 0; i < d->npaths && status == COLJ_OK; i++)
		status = put_path(work, &d->paths[i], values, out);
	colj_release(work->host, values);
	return status != COLJ_OK ? status : out->status;
}

ColjStatus
colj_directory_put(ColjVectorWork *work, const ColjDirectory *directory, ColjSink *out)
{
	ColjSink	raw = {.host = work->host};
	ColjStatus	status = put_directory(work, directory, &raw);
	size_t		bound = ZSTD_compressBound(raw.len);
	size_t		start = out->len;
	size_t		size = 0;
	uint8_t    *p;

	if (status == COLJ_OK && raw.len > DIRECTORY_MAX)
		status = COLJ_TOO_LARGE;
	p = status == COLJ_OK ? colj_sink_reserve(out, HEADER_SIZE + bound) : NULL;
	if (p != NULL)
	{
		size = ZSTD_compress(p + HEADER_SIZE, bound, raw.data, raw.len, 3);
		if (ZSTD_isError(size) || size >= raw.len || !colj_zstd_can_be(raw.len, size))
		{
			memcpy(p + HEADER_SIZE, raw.data, raw.len);
			size = raw.len;
		}
		p[0] = COLJ_STRIPE_VERSION;
		colj_store(p + 1, 4, (uint32_t) raw.len);
		colj_store(p + 5, 4, (uint32_t) size);
		out->len = start + HEADER_SIZE + size;
	}
	colj_sink_free(&raw);
	return status != COLJ_OK ? status : out->status;
}

/* Reading. */

static bool
get_string(ColjInput *in, const char **bytes, uint32_t *len)
{
	if (!colj_input_varint(in, len))
		return false;
	*bytes = (const char *) colj_input_bytes(in, *len);
	return *bytes != NULL;
}

/* A number that is 0 for none, else one more than what it stands for. */
static bool
get_optional(ColjInput *in, uint32_t *value)
{
	if (!colj_input_varint(in, value))
		return false;
	*value = *value == 0 ? COLJ_NO_PATH : *value - 1;
	return true;
}

static bool
get_all_series(ColjVectorWork *work, ColjInput *in, ColjPathEntry *path, int64_t *values)
{
	for (Series series = 0; series < NSERIES; series++)
	{
		const char *bytes;
		uint32_t	len;

		if (!get_string(in, &bytes, &len) ||
			colj_decode_ints(work, (const uint8_t *) bytes, len, values, path->nvectors, &in->problem) != COLJ_OK)
			return false;
		for (uint32_t v = 0; v < path->nvectors; v++)
			if (!set_series(path, series, v, values[v]))
			{
				colj_input_wrong(in, "A number in a stripe's directory is out of range.");
				return false;
			}
	}
	return true;
}

static bool
get_bound(ColjInput *in, char *to, uint8_t *to_len)
{
	const char *bytes;
	uint32_t	len;

	if (!get_string(in, &bytes, &len))
		return false;
	if (len > COLJ_ZONE_BYTES)
	{
		colj_input_wrong(in, "A bound in a stripe's directory is too long.");
		return false;
	}
	memcpy(to, bytes, len);
	*to_len = (uint8_t) len;
	return true;
}

static bool
get_path_head(ColjInput *in, ColjPathEntry *path)
{
	ColjPathInfo *info = &path->info;
	uint8_t		type;
	uint8_t		flags;

	if (!colj_input_byte(in, &type) || !colj_input_byte(in, &flags) ||
		!colj_input_varint(in, &info->column) || !get_optional(in, &info->parent) ||
		!colj_input_varint(in, &info->first_child) || !colj_input_varint(in, &info->nchildren) ||
		!get_optional(in, &info->sibling) || !get_string(in, &info->key, &info->key_len))
		return false;
	info->type = (ColjPathType) type;
	info->plain = (flags & PATH_PLAIN) != 0;
	info->complete = (flags & PATH_COMPLETE) != 0;
	path->residual = (flags & PATH_RESIDUAL) != 0;
	if (type <= COLJ_PATH_DOCUMENT)
		return true;
	colj_input_wrong(in, "A path in a stripe's directory has a type that is not known.");
	return false;
}

/* References between paths must lead to paths, and down the tree only. */
static bool
check_references(ColjInput *in, const ColjDirectory *d, uint32_t i)
{
	const ColjPathInfo *info = &d->paths[i].info;
	bool		good = info->column < d->ncolumns &&
	(info->parent == COLJ_NO_PATH || info->parent < i) &&
	(info->nchildren == 0 || (info->first_child > i && info->first_child < d->npaths &&
							  info->nchildren <= d->npaths - info->first_child)) &&
	(info->nchildren == 0 || info->type == COLJ_PATH_OBJECT) &&
	(info->sibling == COLJ_NO_PATH ||
	 (info->sibling < d->npaths && info->sibling != i && info->type == COLJ_PATH_STRING));

	if (!good)
		colj_input_wrong(in, "A path in a stripe's directory refers to one that is not there.");
	return good;
}

/* What a vector's counts leave is elsewhere; sums go into the path's facts. */
static bool
add_up(ColjInput *in, const ColjDirectory *d, ColjPathEntry *path, uint64_t *offset)
{
	path->offset = *offset;
	for (uint32_t v = 0; v < path->nvectors; v++)
	{
		ColjStoredZone *zone = &path->zones[v];
		uint32_t	rows = colj_directory_vector_rows(d, v);
		uint32_t	known = zone->counts[COLJ_IS_ABSENT] + zone->counts[COLJ_IS_NULL] + zone->counts[COLJ_IS_VALUE];

		if (known > rows)
		{
			colj_input_wrong(in, "A vector in a stripe's directory has more rows than the stripe.");
			return false;
		}
		zone->counts[COLJ_IS_ELSEWHERE] = rows - known;
		for (int kind = 0; kind < 4; kind++)
			path->info.counts[kind] += zone->counts[kind];
		path->info.raw_bytes += path->raws[v];
		path->info.stored_bytes += path->lengths[v];
		*offset += path->lengths[v];
	}
	return true;
}

static bool
get_path(ColjVectorWork *work, ColjInput *in, ColjDirectory *d, uint32_t i, int64_t *values)
{
	ColjPathEntry *path = &d->paths[i];

	path->nvectors = d->nvectors;
	path->lengths = colj_grab_zeroed(d->host, d->nvectors, sizeof(uint32_t));
	path->raws = colj_grab_zeroed(d->host, d->nvectors, sizeof(uint32_t));
	path->zones = colj_grab_zeroed(d->host, d->nvectors, sizeof(ColjStoredZone));
	if (path->lengths == NULL || path->raws == NULL || path->zones == NULL)
		return false;
	if (!get_path_head(in, path) || !check_references(in, d, i) || !get_all_series(work, in, path, values))
		return false;
	for (uint32_t v = 0; v < d->nvectors && path->info.type == COLJ_PATH_STRING; v++)
		if (!get_bound(in, path->zones[v].min_bytes, &path->zones[v].min_len) ||
			!get_bound(in, path->zones[v].max_bytes, &path->zones[v].max_len))
			return false;
	return true;
}

static bool
get_columns(ColjInput *in, ColjDirectory *d)
{
	for (uint32_t i = 0; i < d->ncolumns; i++)
	{
		uint8_t		kind;
		uint8_t		codec;

		if (!colj_input_byte(in, &kind) || !colj_input_byte(in, &codec) ||
			!colj_input_varint(in, &d->roots[i]) || !get_optional(in, &d->residuals[i]))
			return false;
		d->columns[i] = (ColjColumnSpec){.kind = (ColjColumnKind) kind, .codec = (ColjCodec) codec};
		if (kind > COLJ_COLUMN_DOCUMENT || codec > COLJ_CODEC_ZSTD || d->roots[i] >= d->npaths ||
			(d->residuals[i] != COLJ_NO_PATH && d->residuals[i] >= d->npaths) ||
			(kind == COLJ_COLUMN_DOCUMENT) != (d->residuals[i] != COLJ_NO_PATH))
		{
			colj_input_wrong(in, "A column in a stripe's directory is of no known kind.");
			return false;
		}
	}
	return true;
}

static bool
get_head(ColjInput *in, ColjDirectory *d, uint64_t space)
{
	if (!colj_input_varint(in, &d->rows) || !colj_input_varint(in, &d->vector_rows) ||
		!colj_input_varint(in, &d->ncolumns) || !colj_input_varint(in, &d->npaths))
		return false;
	d->nvectors = d->vector_rows == 0 ? 0 : (uint32_t) (((uint64_t) d->rows + d->vector_rows - 1) / d->vector_rows);

	/*
	 * Each path takes sixteen bytes of the directory or more, each column
	 * four, and each vector at least the three of its presence.
	 */
	if (d->vector_rows == 0 || d->vector_rows > COLJ_VECTOR_ROWS_MAX || d->nvectors > COLJ_STRIPE_VECTORS_MAX ||
		d->npaths > (size_t) (in->end - in->p) / 16 || d->ncolumns > (size_t) (in->end - in->p) / 4 ||
		(uint64_t) d->npaths * d->nvectors > space / 3)
	{
		colj_input_wrong(in, "A stripe's directory has impossible sizes.");
		return false;
	}
	return true;
}

/* Is path i where its parent looks for it, and behind the key before it? */
static bool
is_in_place(const ColjDirectory *d, uint32_t i)
{
	const ColjPathInfo *info = &d->paths[i].info;
	const ColjPathInfo *parent = &d->paths[info->parent].info;
	const ColjPathInfo *before = &d->paths[i - 1].info;

	if (i - parent->first_child >= parent->nchildren || info->column != parent->column ||
		info->plain || d->paths[i].residual)
		return false;
	if (i == parent->first_child)
		return true;
	return before->key_len != info->key_len ? before->key_len < info->key_len
		: memcmp(before->key, info->key, info->key_len) < 0;
}

/*
 * The paths of each column must be one tree: every child names the parent
 * that names it, keys rise, and no path is deeper than the writer goes.  So
 * putting a row together visits no path twice.
 */
static bool
check_tree(ColjInput *in, const ColjDirectory *d, uint8_t *depths)
{
	for (uint32_t i = 0; i < d->npaths; i++)
	{
		const ColjPathInfo *info = &d->paths[i].info;
		bool		good = info->sibling == COLJ_NO_PATH || d->paths[info->sibling].info.sibling == COLJ_NO_PATH;

		depths[i] = info->parent == COLJ_NO_PATH ? 0 : depths[info->parent] + 1;
		for (uint32_t c = 0; c < info->nchildren && good; c++)
			good = d->paths[info->first_child + c].info.parent == i;
		if (info->parent != COLJ_NO_PATH)
			good = good && depths[i] <= COLJ_PATH_DEPTH_MAX && is_in_place(d, i);
		else
			good = good && (d->roots[info->column] == i || d->residuals[info->column] == i);
		if (!good)
			colj_input_wrong(in, "The paths in a stripe's directory are no tree.");
		if (!good)
			return false;
	}
	return true;
}

/* A column's paths must be of its kind. */
static bool
check_columns(ColjInput *in, const ColjDirectory *d)
{
	for (uint32_t i = 0; i < d->ncolumns; i++)
	{
		const ColjPathEntry *root = &d->paths[d->roots[i]];
		const ColjPathEntry *residual = d->residuals[i] == COLJ_NO_PATH ? NULL : &d->paths[d->residuals[i]];
		ColjColumnKind kind = d->columns[i].kind;
		bool		good = root->info.column == i && root->info.parent == COLJ_NO_PATH && !root->residual &&
		root->info.plain == (residual == NULL);

		if (residual != NULL)
			good = good && residual->info.column == i && residual->info.parent == COLJ_NO_PATH &&
				residual->residual && !residual->info.plain && residual->info.type == COLJ_PATH_DOCUMENT;
		else
			good = good && root->info.sibling == COLJ_NO_PATH &&
				root->info.type == (kind == COLJ_COLUMN_INT ? COLJ_PATH_INT : COLJ_PATH_STRING);
		if (!good)
			colj_input_wrong(in, "A column in a stripe's directory has a path of another kind.");
		if (!good)
			return false;
	}
	return true;
}

/* All that can only be seen when all paths are known. */
static bool
check_paths(ColjInput *in, const ColjDirectory *d)
{
	uint8_t    *depths = colj_grab_zeroed(d->host, d->npaths, 1);
	bool		good = depths != NULL && check_columns(in, d) && check_tree(in, d, depths);

	colj_release(d->host, depths);
	return good;
}

/*
 * The memory of all paths is bounded before it is taken: a directory that
 * says that it has many vectors must have the stripe's bytes for them.
 */
static bool
get_directory(ColjVectorWork *work, ColjInput *in, ColjDirectory *d, uint64_t space)
{
	int64_t    *values;
	uint64_t	offset = 0;
	bool		good;

	if (!get_head(in, d, space))
		return false;
	d->columns = colj_grab_zeroed(d->host, d->ncolumns, sizeof(ColjColumnSpec));
	d->roots = colj_grab_zeroed(d->host, d->ncolumns, sizeof(uint32_t));
	d->residuals = colj_grab_zeroed(d->host, d->ncolumns, sizeof(uint32_t));
	d->paths = colj_grab_zeroed(d->host, d->npaths, sizeof(ColjPathEntry));
	values = colj_grab_zeroed(d->host, d->nvectors, sizeof(int64_t));
	good = d->columns != NULL && d->roots != NULL && d->residuals != NULL && d->paths != NULL &&
		values != NULL && get_columns(in, d);
	for (uint32_t i = 0; i < d->npaths && good; i++)
		good = get_path(work, in, d, i, values) && add_up(in, d, &d->paths[i], &offset);
	colj_release(d->host, values);
	if (good && (in->p != in->end || offset != space))
	{
		colj_input_wrong(in, "A stripe's directory does not describe all of it.");
		return false;
	}
	return good && check_paths(in, d);
}

/* Bytes of the window; NULL (and a problem) if they are not there. */
static const uint8_t *
reveal(ColjStripeWindow *window, size_t off, size_t len, const char **problem)
{
	if (off > window->size || len > window->size - off)
		*problem = "The stripe ends before its contents do.";
	else if (window->fetch != NULL && !window->fetch(window, off, len))
		*problem = "A part of the stripe could not be fetched.";
	else
		return window->data + off;
	return NULL;
}

/* The directory's bytes, decompressed into d->keys, as keys point into them. */
static ColjStatus
load(ColjStripeWindow *window, ColjDirectory *d, uint32_t *raw, const char **problem)
{
	const uint8_t *p = reveal(window, 0, HEADER_SIZE, problem);
	uint32_t	stored;
	size_t		size;

	if (p == NULL)
		return COLJ_CORRUPT;
	if (p[0] != COLJ_STRIPE_VERSION)
	{
		*problem = "The stripe was written by a version that is not known.";
		return COLJ_BAD_VERSION;
	}
	*raw = colj_load(p + 1, 4);
	stored = colj_load(p + 5, 4);
	*problem = "The stripe's directory has an impossible size.";
	if (*raw > DIRECTORY_MAX || stored > *raw || !colj_zstd_can_be(*raw, stored))
		return COLJ_CORRUPT;
	p = reveal(window, HEADER_SIZE, stored, problem);
	d->keys = p == NULL ? NULL : colj_grab_zeroed(d->host, *raw, 1);
	if (d->keys == NULL)
		return p == NULL ? COLJ_CORRUPT : COLJ_NO_MEMORY;
	d->header_size = HEADER_SIZE + stored;
	size = stored;
	if (stored < *raw)
		size = ZSTD_decompress(d->keys, *raw, p, stored);
	else
		memcpy(d->keys, p, stored);
	*problem = NULL;
	if (!ZSTD_isError(size) && size == *raw)
		return COLJ_OK;
	*problem = "The stripe's directory does not decompress.";
	return COLJ_CORRUPT;
}

ColjStatus
colj_directory_get(ColjVectorWork *work, ColjStripeWindow *window, ColjDirectory *directory,
				   const char **problem)
{
	uint32_t	raw;
	ColjInput	in;
	ColjStatus	status;

	memset(directory, 0, sizeof(*directory));
	directory->host = work->host;
	status = load(window, directory, &raw, problem);
	if (status != COLJ_OK)
		return status;
	in = (ColjInput){(uint8_t *) directory->keys, (uint8_t *) directory->keys + raw, NULL};
	if (get_directory(work, &in, directory, window->size - directory->header_size))
		return COLJ_OK;
	*problem = in.problem;
	return in.problem == NULL ? COLJ_NO_MEMORY : COLJ_CORRUPT;
}

void
colj_directory_free(ColjDirectory *directory)
{
	const ColjHost *host = directory->host;

	for (uint32_t i = 0; directory->paths != NULL && i < directory->npaths; i++)
	{
		colj_release(host, directory->paths[i].lengths);
		colj_release(host, directory->paths[i].raws);
		colj_release(host, directory->paths[i].zones);
	}
	colj_release(host, directory->columns);
	colj_release(host, directory->roots);
	colj_release(host, directory->residuals);
	colj_release(host, directory->paths);
	colj_release(host, directory->keys);
	memset(directory, 0, sizeof(*directory));
}
