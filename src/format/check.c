/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Is every byte of a document what its neighbours say it is?
 *
 * Readers check what they touch.  This walks over everything, so that after
 * it no reader can fail, and is stricter than they are: no gaps between
 * values, anchors that agree with the entries, keys in strict order.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "bytes.h"
#include "reader.h"

/* Containers that have been entered and not left, with what was seen. */
typedef struct Walk
{
	ColjDoc    *doc;
	const ColjHost *host;
	ColjIter   *stack;
	size_t		depth;
	size_t		room;
	uint32_t	steps;
} Walk;

static ColjStatus
wrong(ColjDoc *doc, const char *problem)
{
	if (doc->problem == NULL)
		doc->problem = problem;
	return COLJ_CORRUPT;
}

static int
load_be16(const char *p)
{
	const uint8_t *u = (const uint8_t *) p;

	return u[0] << 8 | u[1];
}

/* The wire format of numeric, as far as it can be judged without numeric.c. */
static ColjStatus
check_bignum(ColjDoc *doc, const ColjValue *value)
{
	const char *p = colj_bytes(doc, value);

	if (p == NULL)
		return COLJ_CORRUPT;
	if (COLJ_BIGNUM_HEADER_SIZE + 2 * (uint32_t) load_be16(p) != value->len)
		return wrong(doc, "A number's digits are not as many as it says.");
	if ((load_be16(p + 4) & ~0x4000) != 0 || load_be16(p + 6) > 0x3FFF)
		return wrong(doc, "A number has an impossible sign or scale.");
	for (uint32_t i = COLJ_BIGNUM_HEADER_SIZE; i < value->len; i += 2)
		if (load_be16(p + i) > 9999)
			return wrong(doc, "A number has an impossible digit.");
	return COLJ_OK;
}

/* The anchors of a container must say what adding up the entries says. */
static ColjStatus
check_anchors(const ColjContainer *c)
{
	ColjDoc    *doc = c->doc;
	uint32_t	nanchors = c->fixed || c->n <= doc->stride ? 0 : (c->n - 1) / doc->stride;
	ColjValue	place = {.kind = COLJ_STRING};
	ColjTally	sum = {0, 0};

	for (uint32_t k = 0; k < nanchors; k++)
	{
		const uint8_t *p;
		ColjTally	more;

		place.off = c->entries + k * doc->stride;
		place.len = doc->stride;
		if ((p = (const uint8_t *) colj_bytes(doc, &place)) == NULL)
			return COLJ_CORRUPT;
		more = colj_tally(p, doc->stride, doc->stride);
		sum.small += more.small;
		sum.big += more.big;
		place.off = c->anchors + k * 2 * c->width;
		place.len = 2 * c->width;
		if ((p = (const uint8_t *) colj_bytes(doc, &place)) == NULL)
			return COLJ_CORRUPT;
		if (colj_load(p, c->width) != sum.small || colj_load(p + c->width, c->width) != sum.big)
			return wrong(doc, "A container's anchors contradict its entries.");
	}
	return COLJ_OK;
}

/*
 * Keys must rise by (length, bytes), in runs as long as can be: colj_get_key
 * looks into one run only.  The iterator sees nulls for the values; *end is
 * set to the position after the keys.
 */
static ColjStatus
check_keys(const ColjContainer *c, Walk *walk, uint32_t *end)
{
	ColjIter	iter = {.c = *c, .run_pos = c->runs, .key_pos = c->keys};
	ColjKey		key;
	ColjKey		last = {NULL, 0};
	ColjValue	child;
	ColjStatus	status;
	bool		new_run = true;

	iter.c.fixed = true;
	iter.c.entry = COLJ_ENTRY(COLJ_TAG_LITERAL, COLJ_LITERAL_NULL);
	while ((status = colj_iter_next(&iter, &key, &child)) == COLJ_OK)
	{
		if (iter.i > 1 && (key.len < last.len || (key.len == last.len && (new_run || memcmp(last.bytes, key.bytes, key.len) >= 0))))
			return wrong(c->doc, "An object's keys are out of order.");
		last = key;
		new_run = iter.run_left == 0;
		if (iter.i % COLJ_POLL_EVERY == 0 && walk->host->poll != NULL)
			walk->host->poll(walk->host->arg);
	}
	*end = iter.key_pos;
	return status == COLJ_ABSENT ? COLJ_OK : status;
}

/* The shapes must fill the table, each with a key list and nothing else. */
static ColjStatus
check_shapes(ColjDoc *doc, Walk *walk)
{
	uint32_t	expected = doc->shape_base;
	uint32_t	end;
	ColjContainer c;
	ColjStatus	status;

	for (uint32_t id = 0; id < doc->nshapes; id++)
	{
		status = colj_shape_open(doc, id, &c);
		if (status == COLJ_OK)
			status = check_keys(&c, walk, &end);
		if (status != COLJ_OK)
			return status;
		if (end != c.limit)
			return wrong(doc, "A shape has bytes after its keys.");
		expected = c.limit;
	}
	if (expected != doc->shape_base + doc->shape_size)
		return wrong(doc, "A shape table has bytes after its shapes.");
	return COLJ_OK;
}

static ColjStatus
enter(Walk *walk, const ColjValue *container)
{
	ColjIter   *iter;
	ColjStatus	status;
	uint32_t	end;

	if (walk->depth == walk->room)
	{
		size_t		room = walk->room == 0 ? 16 : walk->room * 2;
		void	   *stack = walk->host->resize(walk->host->arg, walk->stack, room * sizeof(ColjIter));

		if (stack == NULL)
			return COLJ_NO_MEMORY;
		walk->stack = stack;
		walk->room = room;
	}
	iter = &walk->stack[walk->depth++];
	status = colj_iter_open(walk->doc, container, iter);
	if (status == COLJ_OK)
		status = check_anchors(&iter->c);
	if (status == COLJ_OK && container->kind == COLJ_OBJECT && !container->shaped)
		status = check_keys(&iter->c, walk, &end);
	return status;
}

/* After the last child nothing may be left over. */
static ColjStatus
leave(Walk *walk)
{
	const ColjIter *iter = &walk->stack[--walk->depth];

	if (iter->small != iter->c.big || iter->big != iter->c.limit)
		return wrong(walk->doc, "A container has bytes that belong to no value.");
	return COLJ_OK;
}

static ColjStatus
check_value(Walk *walk, const ColjValue *value)
{
	if (++walk->steps % COLJ_POLL_EVERY == 0 && walk->host->poll != NULL)
		walk->host->poll(walk->host->arg);
	switch (value->kind)
	{
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			return enter(walk, value);
		case COLJ_BIGNUM:
			return check_bignum(walk->doc, value);
		case COLJ_STRING:
			return colj_bytes(walk->doc, value) != NULL ? COLJ_OK : COLJ_CORRUPT;
		default:
			return COLJ_OK;
	}
}

static ColjStatus
walk_document(Walk *walk)
{
	ColjStatus	status = check_value(walk, &walk->doc->root);
	ColjValue	child;

	while (status == COLJ_OK && walk->depth > 0)
	{
		status = colj_iter_next(&walk->stack[walk->depth - 1], NULL, &child);
		if (status == COLJ_OK)
			status = check_value(walk, &child);
		else if (status == COLJ_ABSENT)
			status = leave(walk);
	}
	return status;
}

ColjStatus
colj_check_document(ColjDoc *doc, const ColjHost *host)
{
	Walk		walk = {.doc = doc, .host = host};
	const ColjValue *root = &doc->root;
	ColjStatus	status;

	if (root->kind < COLJ_ARRAY && root->off + root->len != doc->size)
		return wrong(doc, "A document has bytes after its value.");
	status = check_shapes(doc, &walk);
	if (status == COLJ_OK)
		status = walk_document(&walk);
	if (walk.stack != NULL)
		host->resize(host->arg, walk.stack, 0);
	return status;
}
