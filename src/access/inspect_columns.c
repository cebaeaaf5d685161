/*-------------------------------------------------------------------------
 *
 * inspect_columns.c
 *	  colj_columns: the key paths that are columns, over all stripes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "compat.h"
#include "access/bounds.h"
#include "access/inspect.h"

PG_FUNCTION_INFO_V1(colj_columns);

/* How often a name was met; names are static. */
typedef struct Tally
{
	const char *name;
	int64		n;
} Tally;

#define TALLIES 16

/* What is known of a path: of all stripes together. */
typedef struct Path
{
	int			number;			/* in order of appearance */
	int			column;			/* of the table */
	struct Path *parent;
	int			depth;
	char	   *key;
	uint32		key_len;
	bool		residual;
	int64		counts[4];
	uint64		raw;
	uint64		stored;
	Tally		types[TALLIES];
	Tally		codecs[TALLIES];
	Tally		encodings[TALLIES];
	ColjBounds	bounds;
} Path;

/* The hash table's key: a path is known by its parent and its key. */
typedef struct PathKey
{
	int			above;			/* number of the parent, or -1 - 2 * column
								 * (one less for a residual) */
	uint32		len;
	const char *key;
} PathKey;

typedef struct PathSlot
{
	PathKey		key;
	Path	   *path;
} PathSlot;

typedef struct Collection
{
	ColjInspection inspection;
	MemoryContext context;		/* of the paths */
	HTAB	   *slots;
	int			n;
} Collection;

static uint32
hash_path(const void *key, Size size)
{
	const PathKey *k = key;

	(void) size;
	return hash_combine(hash_bytes((const unsigned char *) k->key, (int) k->len), murmurhash32((uint32) k->above));
}

static int
match_path(const void *x, const void *y, Size size)
{
	const PathKey *a = x;
	const PathKey *b = y;

	(void) size;
	return a->above != b->above || a->len != b->len || memcmp(a->key, b->key, a->len) != 0;
}

static void
begin_collection(Collection *c)
{
	HASHCTL		control = {.keysize = sizeof(PathKey), .entrysize = sizeof(PathSlot),
	.hash = hash_path, .match = match_path, .hcxt = CurrentMemoryContext};

	c->context = CurrentMemoryContext;
	c->slots = hash_create("paths of a colj table", 256, &control,
						   HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
}

/* The path that a stripe's path belongs to. */
static Path *
find_path(Collection *c, const ColjPathInfo *info, Path *parent, bool residual)
{
	PathKey		key = {parent != NULL ? parent->number : -1 - 2 * (int) info->column - residual,
	info->key_len, info->key_len > 0 ? info->key : ""};
	bool		found;
	PathSlot   *slot = hash_search(c->slots, &key, HASH_ENTER, &found);
	Path	   *path;

	if (found)
		return slot->path;
	path = slot->path = MemoryContextAllocZero(c->context, sizeof(Path));
	path->key = MemoryContextAlloc(c->context, info->key_len + 1);
	memcpy(path->key, key.key, info->key_len);
	path->key_len = info->key_len;
	slot->key.key = path->key;
	path->number = c->n++;
	path->column = (int) info->column;
	path->parent = parent;
	path->depth = parent == NULL ? 0 : parent->depth + 1;
	path->residual = residual;
	return path;
}

static void
tally(Tally *tallies, const char *name)
{
	int			i = 0;

	while (i < TALLIES - 1 && tallies[i].name != NULL && strcmp(tallies[i].name, name) != 0)
		i++;
	tallies[i].name = name;
	tallies[i].n++;
}

static const char *
type_name(ColjPathType type)
{
	static const char *const names[] = {"object", "boolean", "integer", "decimal", "string", "null", "any"};

	return names[type];
}

static void
add_path(Path *path, ColjStripe *stripe, uint32 number, const ColjPathInfo *info)
{
	for (int kind = 0; kind < 4; kind++)
		path->counts[kind] += info->counts[kind];
	path->raw += info->raw_bytes;
	path->stored += info->stored_bytes;
	if (!info->plain)
		tally(path->types, path->residual ? "residual" : type_name(info->type));
	tally(path->codecs, colj_stripe_codec(stripe, info->column) == COLJ_CODEC_ZSTD ? "zstd" : "light");
	for (uint32 v = 0; v < colj_stripe_vectors(stripe); v++)
	{
		ColjZone	zone;

		(void) colj_stripe_zone(stripe, number, v, &zone);
		if (zone.counts[COLJ_IS_VALUE] > 0 && info->type != COLJ_PATH_OBJECT)
			tally(path->encodings, colj_stripe_encoding(stripe, number, v));
		colj_bounds_widen(&path->bounds, info->type, &zone);
	}
}

static void
add_stripe(Collection *c, const ColjStripeEntry *entry)
{
	MemoryContext old = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(old, "colj stripe being inspected", ALLOCSET_DEFAULT_SIZES);
	ColjStripe *stripe = colj_stripe_whole(&c->inspection.store, entry, context);
	uint32		n = colj_stripe_paths(stripe);
	Path	  **paths = palloc0((n + 1) * sizeof(Path *));

	/* parents come before their children */
	for (uint32 i = 0; i < n; i++)
	{
		const ColjPathInfo *info = colj_stripe_path(stripe, i);
		bool		residual = info->parent == COLJ_NO_PATH && colj_stripe_root(stripe, info->column) != i;

		CHECK_FOR_INTERRUPTS();
		paths[i] = find_path(c, info, info->parent == COLJ_NO_PATH ? NULL : paths[info->parent], residual);
		add_path(paths[i], stripe, i, info);
	}
	pfree(paths);
	MemoryContextDelete(context);
}

static int
compare_keys(const Path *a, const Path *b)
{
	int			order = memcmp(a->key, b->key, Min(a->key_len, b->key_len));

	return order != 0 ? order : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

/* Parents before children, and those in the order of their keys. */
static int
compare_paths(const void *x, const void *y)
{
	const Path *a = *(Path *const *) x;
	const Path *b = *(Path *const *) y;
	int			deeper = a->depth - b->depth;

	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	if (a->residual != b->residual)
		return a->residual ? 1 : -1;
	while (a->depth > b->depth)
		a = a->parent;
	while (b->depth > a->depth)
		b = b->parent;
	if (a == b)
		return deeper;
	while (a->parent != b->parent)
	{
		a = a->parent;
		b = b->parent;
	}
	return compare_keys(a, b);
}

/* The keys that lead to a path, as an array of text. */
static Datum
keys_of(const Path *path)
{
	int			depth = path->depth;
	Datum	   *keys = palloc((depth + 1) * sizeof(Datum));

	for (; path->depth > 0; path = path->parent)
		keys[path->depth - 1] = PointerGetDatum(cstring_to_text_with_len(path->key, (int) path->key_len));
	return PointerGetDatum(construct_array(keys, depth, TEXTOID, -1, false, TYPALIGN_INT));
}

/* Names in the order of how often they were met; 0 for none. */
static Datum
names_of(Tally *tallies)
{
	StringInfoData names;

	initStringInfo(&names);
	for (;;)
	{
		Tally	   *most = &tallies[0];

		for (int i = 1; i < TALLIES; i++)
			if (tallies[i].n > most->n)
				most = &tallies[i];
		if (most->n == 0)
			break;
		appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", most->name);
		most->n = 0;
	}
	return names.len == 0 ? (Datum) 0 : CStringGetTextDatum(names.data);
}

static void
set_text(Datum *value, bool *isnull, char *text)
{
	*isnull = text == NULL;
	*value = text == NULL ? (Datum) 0 : CStringGetTextDatum(text);
}

static void
put_path(Collection *c, ReturnSetInfo *result, Path *path)
{
	Form_pg_attribute att = TupleDescAttr(RelationGetDescr(c->inspection.table), path->column);
	bool		plain = path->types[0].name == NULL;
	int64		values = path->counts[COLJ_IS_VALUE];
	int64		nulls = plain ? 0 : path->counts[COLJ_IS_NULL];
	Datum		d[12];
	bool		isnull[12] = {false};

	d[0] = NameGetDatum(&att->attname);
	d[1] = keys_of(path);
	d[2] = Int64GetDatum(values + nulls + path->counts[COLJ_IS_ELSEWHERE]);
	d[3] = Int64GetDatum(nulls);
	d[4] = Int64GetDatum(path->counts[COLJ_IS_ELSEWHERE]);
	d[5] = plain ? CStringGetTextDatum(format_type_with_typemod(att->atttypid, att->atttypmod)) : names_of(path->types);
	d[6] = names_of(path->codecs);
	d[7] = names_of(path->encodings);
	isnull[7] = d[7] == (Datum) 0;
	d[8] = Int64GetDatum((int64) path->raw);
	d[9] = Int64GetDatum((int64) path->stored);
	set_text(&d[10], &isnull[10], colj_bound_text(&path->bounds, &path->bounds.min, plain ? att : NULL));
	set_text(&d[11], &isnull[11], colj_bound_text(&path->bounds, &path->bounds.max, plain ? att : NULL));
	if (!c->inspection.values)
		isnull[1] = isnull[10] = isnull[11] = true;
	tuplestore_putvalues(result->setResult, result->setDesc, d, isnull);
}

static void
put_paths(Collection *c, ReturnSetInfo *result)
{
	Path	  **paths = palloc((c->n + 1) * sizeof(Path *));
	TupleDesc	desc = RelationGetDescr(c->inspection.table);
	HASH_SEQ_STATUS scan;
	PathSlot   *slot;

	hash_seq_init(&scan, c->slots);
	while ((slot = hash_seq_search(&scan)) != NULL)
		paths[slot->path->number] = slot->path;
	qsort(paths, c->n, sizeof(Path *), compare_paths);
	for (int i = 0; i < c->n; i++)
		if (paths[i]->column < desc->natts && !TupleDescAttr(desc, paths[i]->column)->attisdropped)
			put_path(c, result, paths[i]);
}

/*
 * colj_columns(table): one row for each key path that is a column in any
 * stripe, for the residual of each column of documents, and for each other
 * column.  Sizes in bytes; deleted rows count.
 */
Datum
colj_columns(PG_FUNCTION_ARGS)
{
	Collection	c = {0};
	ColjStripeEntry *entries;
	int			n;

	InitMaterializedSRF(fcinfo, 0);
	colj_inspect_begin(&c.inspection, PG_GETARG_OID(0));
	begin_collection(&c);
	n = colj_inspect_stripes(&c.inspection, &entries);
	for (int i = 0; i < n; i++)
		add_stripe(&c, &entries[i]);
	put_paths(&c, (ReturnSetInfo *) fcinfo->resultinfo);
	colj_inspect_end(&c.inspection);
	return (Datum) 0;
}
