/*-------------------------------------------------------------------------
 *
 * print.c
 *	  A row's document as JSON text, without putting it together first.
 *
 * The keys of an object come from two places, its columns and the residual's
 * object at the same place (assemble.c), both in the documents' order of keys;
 * so the text is a merge of the two.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/reading.h"

#include <string.h>

typedef struct Printing
{
	ColjStripe *stripe;
	ColjText   *text;
	uint32_t	vector;
	uint32_t	i;				/* the row's place in it */
	ColjDoc		residual;		/* open when the row has one */
} Printing;

/* What an object's residual part has left. */
typedef struct Rest
{
	bool		more;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;
} Rest;

static ColjStatus print_entry(Printing *p, uint32_t path, const ColjPathVector *entries, const ColjValue *residual);

static ColjStatus
damaged_residual(Printing *p)
{
	return colj_stripe_wrong(p->stripe, "A residual in the stripe is damaged.");
}

static ColjStatus
next_rest(Printing *p, Rest *rest)
{
	ColjStatus	status = colj_iter_next(&rest->iter, &rest->key, &rest->value);

	rest->more = status == COLJ_OK;
	return status == COLJ_OK || status == COLJ_ABSENT ? COLJ_OK : damaged_residual(p);
}

static ColjStatus
begin_rest(Printing *p, const ColjValue *residual, Rest *rest)
{
	rest->more = false;
	if (residual == NULL)
		return COLJ_OK;
	if (residual->kind != COLJ_OBJECT)
		return colj_stripe_wrong(p->stripe, "A residual in the stripe contradicts its columns.");
	if (colj_iter_open(&p->residual, residual, &rest->iter) != COLJ_OK)
		return damaged_residual(p);
	return next_rest(p, rest);
}

/* The documents' order of keys: by length, then by bytes. */
static int
compare_keys(const ColjKey *a, const char *key, uint32_t len)
{
	if (a->len != len)
		return a->len < len ? -1 : 1;
	return memcmp(a->bytes, key, len);
}

static ColjStatus
print_key(Printing *p, const char *key, uint32_t len, bool *first)
{
	ColjStatus	status = COLJ_OK;

	if (!*first)
		status = colj_print_bytes(p->text, ", ", 2);
	*first = false;
	if (status == COLJ_OK)
		status = colj_print_string(p->text, key, len, key + len);
	return status != COLJ_OK ? status : colj_print_bytes(p->text, ": ", 2);
}

/* A part of the residual. */
static ColjStatus
print_residual(Printing *p, const ColjValue *value)
{
	ColjStatus	status = colj_print(p->text, &p->residual, value);

	return status == COLJ_CORRUPT ? damaged_residual(p) : status;
}

/* Keys that only the residual has, up to a key that has a column; NULL for all. */
static ColjStatus
print_rest(Printing *p, Rest *rest, const ColjPathInfo *until, bool *first)
{
	ColjStatus	status = COLJ_OK;

	while (status == COLJ_OK && rest->more &&
		   (until == NULL || compare_keys(&rest->key, until->key, until->key_len) < 0))
	{
		status = print_key(p, rest->key.bytes, rest->key.len, first);
		if (status == COLJ_OK)
			status = print_residual(p, &rest->value);
		if (status == COLJ_OK)
			status = next_rest(p, rest);
	}
	return status;
}

/* A key that has a column; what the residual has at it goes with it. */
static ColjStatus
print_child(Printing *p, uint32_t child, Rest *rest, bool *first)
{
	const ColjPathInfo *info = &p->stripe->directory.paths[child].info;
	const ColjPathVector *entries;
	ColjPresence presence;
	bool		both;
	ColjStatus	status = colj_stripe_vector(p->stripe, child, p->vector, &entries);

	if (status == COLJ_OK && rest->more)
		status = print_rest(p, rest, info, first);
	if (status != COLJ_OK)
		return status;
	presence = (ColjPresence) entries->presence[p->i];
	both = rest->more && compare_keys(&rest->key, info->key, info->key_len) == 0;
	if (both && presence != COLJ_IS_ELSEWHERE && (presence != COLJ_IS_VALUE || info->type != COLJ_PATH_OBJECT))
		return colj_stripe_wrong(p->stripe, "A residual in the stripe contradicts its columns.");
	if (presence == COLJ_IS_ABSENT)
		return COLJ_OK;
	status = print_key(p, info->key, info->key_len, first);
	if (status == COLJ_OK)
		status = print_entry(p, child, entries, both ? &rest->value : NULL);
	return status == COLJ_OK && both ? next_rest(p, rest) : status;
}

static ColjStatus
print_object(Printing *p, uint32_t path, const ColjValue *residual)
{
	const ColjPathInfo *object = &p->stripe->directory.paths[path].info;
	bool		first = true;
	Rest		rest;
	ColjStatus	status = begin_rest(p, residual, &rest);

	if (status == COLJ_OK)
		status = colj_print_bytes(p->text, "{", 1);
	for (uint32_t i = 0; i < object->nchildren && status == COLJ_OK; i++)
		status = print_child(p, object->first_child + i, &rest, &first);
	if (status == COLJ_OK)
		status = print_rest(p, &rest, NULL, &first);
	return status != COLJ_OK ? status : colj_print_bytes(p->text, "}", 1);
}

static ColjStatus
print_document(Printing *p, const char *bytes, uint32_t len)
{
	ColjDoc		doc;
	ColjStatus	status = colj_open_bytes(&doc, bytes, len);

	if (status == COLJ_OK)
		status = colj_print(p->text, &doc, &doc.root);
	return status == COLJ_CORRUPT || status == COLJ_BAD_VERSION
		? colj_stripe_wrong(p->stripe, "A part of a document in the stripe is damaged.") : status;
}

static ColjStatus
print_bytes(Printing *p, ColjPathType type, const ColjPathVector *entries)
{
	const char *bytes;
	uint32_t	len;

	colj_vector_bytes(entries, p->i, &bytes, &len);
	if (type == COLJ_PATH_DOCUMENT)
		return print_document(p, bytes, len);
	return colj_print_string(p->text, bytes, len, entries->strings.data + entries->strings.ends[entries->n - 1]);
}

/* What a row has at a path. */
static ColjStatus
print_entry(Printing *p, uint32_t path, const ColjPathVector *entries, const ColjValue *residual)
{
	ColjPathType type = p->stripe->directory.paths[path].info.type;
	ColjPresence presence = (ColjPresence) entries->presence[p->i];

	if (presence == COLJ_IS_ABSENT)
		return COLJ_ABSENT;
	if (presence == COLJ_IS_NULL)
		return colj_print_bytes(p->text, "null", 4);
	if (presence == COLJ_IS_ELSEWHERE)
		return residual != NULL ? print_residual(p, residual)
			: colj_stripe_wrong(p->stripe, "A value is neither in its column nor in the residual.");
	switch (type)
	{
		case COLJ_PATH_OBJECT:
			return print_object(p, path, residual);
		case COLJ_PATH_BOOL:
			return entries->ints[p->i] != 0 ? colj_print_bytes(p->text, "true", 4)
				: colj_print_bytes(p->text, "false", 5);
		case COLJ_PATH_INT:
		case COLJ_PATH_DECIMAL:
			return colj_print_number(p->text, entries->ints[p->i], entries->scales[p->i]);
		case COLJ_PATH_STRING:
		case COLJ_PATH_DOCUMENT:
			return print_bytes(p, type, entries);
		case COLJ_PATH_NULL:
			break;				/* uncolumn.c finds no value here */
	}
	return COLJ_OK;
}

ColjStatus
colj_stripe_print(ColjStripe *stripe, uint32_t path, uint32_t row, ColjText *text)
{
	uint32_t	vector_rows = stripe->directory.vector_rows;
	Printing	p = {.stripe = stripe, .text = text, .vector = row / vector_rows, .i = row % vector_rows};
	const ColjPathVector *entries;
	ColjValue	residual;
	ColjStatus	found = colj_stripe_residual(stripe, path, row, &p.residual, &residual);
	ColjStatus	status = found == COLJ_ABSENT ? COLJ_OK : found;

	if (status == COLJ_OK)
		status = colj_stripe_vector(stripe, path, p.vector, &entries);
	return status != COLJ_OK ? status
		: print_entry(&p, path, entries, found == COLJ_OK ? &residual : NULL);
}
