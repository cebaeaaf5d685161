/*-------------------------------------------------------------------------
 *
 * assemble.c
 *	  Putting a document together again.
 *
 * At each object column the keys come from two places: the columns of its
 * keys, and the residual's object at the same place.  A key that is in both
 * is one whose column says ELSEWHERE (its value is in the residual) or VALUE
 * (an object, parts of which are in the residual).
 *
 * Recursion is as deep as the tree of paths, whose depth the directory bounds.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

typedef struct Assembly
{
	ColjStripe *stripe;
	ColjBuilder *b;
	uint32_t	vector;			/* the row's */
	uint32_t	i;				/* and its place there */
	ColjDoc		residual;		/* open when the row has one */
} Assembly;

static ColjStatus assemble(Assembly *a, uint32_t path, const ColjPathVector *entries, const ColjValue *residual);

static inline Assembly
begin_assembly(ColjStripe *stripe, uint32_t row, ColjBuilder *b)
{
	uint32_t	vector_rows = stripe->directory.vector_rows;

	return (Assembly)
	{
		.stripe = stripe, .b = b, .vector = row / vector_rows, .i = row % vector_rows
	};
}

static inline ColjStatus
entries_of(Assembly *a, uint32_t path, const ColjPathVector **entries)
{
	return colj_stripe_vector(a->stripe, path, a->vector, entries);
}

/* The residual's part under a key; NULL for none. */
static ColjStatus
residual_part(Assembly *a, const ColjValue *residual, const ColjPathInfo *info, ColjValue *part,
			  const ColjValue **found)
{
	ColjStatus	status;

	*found = NULL;
	if (residual == NULL)
		return COLJ_OK;
	status = colj_get_key(&a->residual, residual, info->key, info->key_len, part);
	if (status == COLJ_ABSENT)
		return COLJ_OK;
	if (status != COLJ_OK)
		return colj_stripe_wrong(a->stripe, "A residual in the stripe is damaged.");
	*found = part;
	return COLJ_OK;
}

/* Push a part of the residual. */
static ColjStatus
copy_residual(Assembly *a, const ColjValue *part)
{
	ColjStatus	status = colj_builder_copy(a->b, &a->residual, part);

	return status == COLJ_CORRUPT ? colj_stripe_wrong(a->stripe, "A residual in the stripe is damaged.") : status;
}

/* Keys of the object that have columns. */
static ColjStatus
assemble_columns(Assembly *a, const ColjPathInfo *object, const ColjValue *residual)
{
	ColjStatus	status = COLJ_OK;

	for (uint32_t i = 0; i < object->nchildren && status == COLJ_OK; i++)
	{
		uint32_t	child = object->first_child + i;
		const ColjPathInfo *info = &a->stripe->directory.paths[child].info;
		const ColjPathVector *entries;
		ColjValue	part;
		const ColjValue *found;

		status = entries_of(a, child, &entries);
		if (status != COLJ_OK || entries->presence[a->i] == COLJ_IS_ABSENT)
			continue;
		status = residual_part(a, residual, info, &part, &found);
		if (status != COLJ_OK)
			break;
		colj_builder_key(a->b, info->key, info->key_len);
		status = assemble(a, child, entries, found);
	}
	return status;
}

/* A residual has values that are elsewhere, and what columns left of objects. */
static bool
may_have_residual(Assembly *a, uint32_t path, ColjPresence presence)
{
	return presence == COLJ_IS_ELSEWHERE ||
		(presence == COLJ_IS_VALUE && a->stripe->directory.paths[path].info.type == COLJ_PATH_OBJECT);
}

/* Keys of the object that are only in the residual. */
static ColjStatus
assemble_rest(Assembly *a, uint32_t path, const ColjValue *residual)
{
	const ColjPathVector *entries = NULL;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;
	ColjStatus	status = colj_iter_open(&a->residual, residual, &iter);

	while (status == COLJ_OK && (status = colj_iter_next(&iter, &key, &value)) == COLJ_OK)
	{
		uint32_t	child = colj_stripe_find(a->stripe, path, key.bytes, key.len);

		if (child != COLJ_NO_PATH && (status = entries_of(a, child, &entries)) != COLJ_OK)
			return status;
		if (child != COLJ_NO_PATH && !may_have_residual(a, child, (ColjPresence) entries->presence[a->i]))
			return colj_stripe_wrong(a->stripe, "A residual in the stripe contradicts its columns.");
		if (child != COLJ_NO_PATH)
			continue;
		colj_builder_key(a->b, key.bytes, key.len);
		status = copy_residual(a, &value);
	}
	if (status == COLJ_ABSENT)
		return COLJ_OK;
	return status == COLJ_CORRUPT ? colj_stripe_wrong(a->stripe, "A residual in the stripe is damaged.") : status;
}

static ColjStatus
assemble_object(Assembly *a, uint32_t path, const ColjValue *residual)
{
	const ColjPathInfo *info = &a->stripe->directory.paths[path].info;
	ColjStatus	status;

	if (residual != NULL && residual->kind != COLJ_OBJECT)
		return colj_stripe_wrong(a->stripe, "A residual in the stripe contradicts its columns.");
	colj_builder_begin_object(a->b);
	status = assemble_columns(a, info, residual);
	if (status == COLJ_OK && residual != NULL)
		status = assemble_rest(a, path, residual);
	colj_builder_end(a->b);
	return status;
}

static ColjStatus
assemble_document(Assembly *a, const ColjPathVector *entries)
{
	const char *bytes;
	uint32_t	len;
	ColjDoc		doc;
	ColjStatus	status;

	colj_vector_bytes(entries, a->i, &bytes, &len);
	status = colj_open_bytes(&doc, bytes, len);
	if (status == COLJ_OK)
		status = colj_builder_copy(a->b, &doc, &doc.root);
	return status == COLJ_CORRUPT || status == COLJ_BAD_VERSION
		? colj_stripe_wrong(a->stripe, "A part of a document in the stripe is damaged.") : status;
}

static ColjStatus
assemble_value(Assembly *a, uint32_t path, const ColjPathVector *entries, const ColjValue *residual)
{
	uint32_t	i = a->i;
	const char *bytes;
	uint32_t	len;

	switch (a->stripe->directory.paths[path].info.type)
	{
		case COLJ_PATH_OBJECT:
			return assemble_object(a, path, residual);
		case COLJ_PATH_DOCUMENT:
			return assemble_document(a, entries);
		case COLJ_PATH_BOOL:
			colj_builder_bool(a->b, entries->ints[i] != 0);
			break;
		case COLJ_PATH_INT:
			colj_builder_int(a->b, entries->ints[i]);
			break;
		case COLJ_PATH_DECIMAL:
			colj_builder_decimal(a->b, entries->ints[i], entries->scales[i]);
			break;
		case COLJ_PATH_STRING:
			colj_vector_bytes(entries, i, &bytes, &len);
			colj_builder_string(a->b, bytes, len);
			break;
		case COLJ_PATH_NULL:
			break;				/* uncolumn.c finds no value here */
	}
	return a->b->status;
}

/* Push what a row has at a path, whose vector these are. */
static ColjStatus
assemble(Assembly *a, uint32_t path, const ColjPathVector *entries, const ColjValue *residual)
{
	switch ((ColjPresence) entries->presence[a->i])
	{
		case COLJ_IS_ABSENT:
			return COLJ_ABSENT;
		case COLJ_IS_NULL:
			colj_builder_null(a->b);
			return a->b->status;
		case COLJ_IS_ELSEWHERE:
			if (residual == NULL)
				return colj_stripe_wrong(a->stripe, "A value is neither in its column nor in the residual.");
			return copy_residual(a, residual);
		case COLJ_IS_VALUE:
			break;
	}
	return assemble_value(a, path, entries, residual);
}

/* Open the row's residual, if it has one. */
static ColjStatus
open_residual(Assembly *a, uint32_t column, const ColjValue **root)
{
	uint32_t	path = a->stripe->directory.residuals[column];
	const ColjPathVector *entries;
	const char *bytes;
	uint32_t	len;
	ColjStatus	status;

	*root = NULL;
	if (path == COLJ_NO_PATH || a->stripe->directory.paths[path].info.counts[COLJ_IS_VALUE] == 0)
		return COLJ_OK;
	status = entries_of(a, path, &entries);
	if (status != COLJ_OK || entries->presence[a->i] != COLJ_IS_VALUE)
		return status;
	colj_vector_bytes(entries, a->i, &bytes, &len);
	if (colj_open_bytes(&a->residual, bytes, len) != COLJ_OK)
		return colj_stripe_wrong(a->stripe, "A residual in the stripe is damaged.");
	*root = &a->residual.root;
	return COLJ_OK;
}

/* The residual's part at a path, by way of the path's ancestors. */
static ColjStatus
residual_at(Assembly *a, uint32_t path, const ColjValue *root, ColjValue *part, const ColjValue **found)
{
	const ColjPathInfo *info = &a->stripe->directory.paths[path].info;
	const ColjValue *above;
	ColjValue	above_part;
	ColjStatus	status;

	*found = root;
	if (root == NULL || info->parent == COLJ_NO_PATH)
		return COLJ_OK;
	status = residual_at(a, info->parent, root, &above_part, &above);
	return status != COLJ_OK ? status : residual_part(a, above, info, part, found);
}

ColjStatus
colj_stripe_assemble(ColjStripe *stripe, uint32_t path, uint32_t row, ColjBuilder *b)
{
	Assembly	a = begin_assembly(stripe, row, b);
	const ColjPathVector *entries;
	const ColjValue *root;
	const ColjValue *residual;
	ColjValue	part;
	ColjStatus	status = open_residual(&a, stripe->directory.paths[path].info.column, &root);

	if (status == COLJ_OK)
		status = residual_at(&a, path, root, &part, &residual);
	if (status == COLJ_OK)
		status = entries_of(&a, path, &entries);
	return status != COLJ_OK ? status : assemble(&a, path, entries, residual);
}

/* One key of an object, with its value, if the row has it. */
static ColjStatus
assemble_key(Assembly *a, uint32_t path, const ColjWantedKey *key, const ColjValue *residual)
{
	uint32_t	child = colj_stripe_find(a->stripe, path, key->bytes, key->len);
	const ColjPathInfo info = {.key = key->bytes, .key_len = key->len};
	const ColjPathVector *entries = NULL;
	const ColjValue *found;
	ColjValue	part;
	ColjStatus	status = residual_part(a, residual, &info, &part, &found);

	if (status == COLJ_OK && child != COLJ_NO_PATH)
		status = entries_of(a, child, &entries);
	if (status != COLJ_OK)
		return status;
	if (entries != NULL ? entries->presence[a->i] == COLJ_IS_ABSENT : found == NULL)
		return COLJ_OK;
	colj_builder_key(a->b, key->bytes, key->len);
	return entries != NULL ? assemble(a, child, entries, found) : copy_residual(a, found);
}

ColjStatus
colj_stripe_assemble_keys(ColjStripe *stripe, uint32_t path, uint32_t row, const ColjWanted *wanted,
						  ColjBuilder *b)
{
	Assembly	a = begin_assembly(stripe, row, b);
	const ColjPathVector *entries;
	const ColjValue *root;
	ColjStatus	status = entries_of(&a, path, &entries);

	if (status != COLJ_OK)
		return status;
	if (entries->presence[a.i] != COLJ_IS_VALUE || stripe->directory.paths[path].info.type != COLJ_PATH_OBJECT)
		return colj_stripe_assemble(stripe, path, row, b);
	status = open_residual(&a, stripe->directory.paths[path].info.column, &root);
	if (status == COLJ_OK && root != NULL && root->kind != COLJ_OBJECT)
		return colj_stripe_wrong(stripe, "A residual in the stripe contradicts its columns.");
	colj_builder_begin_object(b);
	for (uint32_t i = 0; i < wanted->n && status == COLJ_OK; i++)
		status = assemble_key(&a, path, &wanted->keys[i], root);
	colj_builder_end(b);
	return status != COLJ_OK ? status : b->status;
}

ColjStatus
colj_stripe_residual(ColjStripe *stripe, uint32_t path, uint32_t row, ColjDoc *doc, ColjValue *value)
{
	Assembly	a = begin_assembly(stripe, row, NULL);
	const ColjValue *root;
	const ColjValue *found = NULL;
	ColjStatus	status = open_residual(&a, stripe->directory.paths[path].info.column, &root);

	if (status == COLJ_OK)
		status = residual_at(&a, path, root, value, &found);
	if (status != COLJ_OK)
		return status;
	if (found == NULL)
		return COLJ_ABSENT;
	*value = *found;
	*doc = a.residual;
	return COLJ_OK;
}
