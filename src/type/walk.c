/*-------------------------------------------------------------------------
 *
 * walk.c
 *	  Visiting every value of a document, in order, without recursion.
 *
 * walk.h describes the order.  The containers around the current value are a
 * stack of the format's iterators; the outermost few live in the walk itself.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/walk.h"

static void grow(ColjWalk *walk);

void
colj_walk_begin(ColjWalk *walk, ColjDoc *doc)
{
	walk->doc = doc;
	walk->started = false;
	walk->keyed = false;
	walk->count = 0;
	walk->open = walk->local;
	walk->depth = 0;
	walk->room = COLJ_WALK_LOCAL;
}

void
colj_walk_end(ColjWalk *walk)
{
	if (walk->open != walk->local)
		pfree(walk->open);
}

/* Step to the next value, leaving the containers that have ended. */
static bool
advance(ColjWalk *walk)
{
	if (!walk->started)
	{
		walk->started = true;
		walk->value = walk->doc->root;
		return true;
	}
	while (walk->depth > 0)
	{
		ColjIter   *iter = &walk->open[walk->depth - 1];

		if (colj_found(colj_iter_next(iter, &walk->key, &walk->value), walk->doc))
		{
			walk->keyed = (iter->c.kind == COLJ_OBJECT);
			return true;
		}
		walk->depth--;
	}
	return false;
}

bool
colj_walk_next(ColjWalk *walk)
{
	CHECK_FOR_INTERRUPTS();

	if (!advance(walk))
		return false;
	if (walk->value.kind == COLJ_ARRAY || walk->value.kind == COLJ_OBJECT)
	{
		ColjIter   *iter;

		if (walk->depth == walk->room)
			grow(walk);
		iter = &walk->open[walk->depth++];
		colj_ensure(colj_iter_open(walk->doc, &walk->value, iter), walk->doc);
		walk->count = iter->c.n;
	}
	return true;
}

static void
grow(ColjWalk *walk)
{
	Size		size = sizeof(ColjIter) * walk->room;

	if (walk->open == walk->local)
	{
		walk->open = palloc(size * 2);
		memcpy(walk->open, walk->local, size);
	}
	else
		walk->open = repalloc_huge(walk->open, size * 2);
	walk->room *= 2;
}
