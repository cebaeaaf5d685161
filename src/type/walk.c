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

/* Open the container that the walk is at, so that its children come next. */
static void
enter(ColjWalk *walk)
{
	ColjIter   *iter;

	if (walk->depth == walk->room)
		grow(walk);
	iter = &walk->open[walk->depth++];
	colj_ensure(colj_iter_open(walk->doc, &walk->value, iter), walk->doc);
	walk->count = iter->c.n;
}

/*
 * Begin, enter a container, or leave those that have ended.  The status is
 * that of the innermost iterator's last step.
 */
bool
colj_walk_turn(ColjWalk *walk, ColjStatus status)
{
	if (!walk->started)
	{
		walk->started = true;
		walk->value = walk->doc->root;
		status = COLJ_OK;
	}
	while (!colj_found(status, walk->doc))
	{
		ColjIter   *iter;

		if (walk->depth > 0)
			walk->depth--;
		if (walk->depth == 0)
			return false;
		iter = &walk->open[walk->depth - 1];
		status = colj_iter_next(iter, &walk->key, &walk->value);
		walk->keyed = (iter->c.kind == COLJ_OBJECT);
	}
	if (walk->value.kind >= COLJ_ARRAY)
		enter(walk);
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
