/*-------------------------------------------------------------------------
 *
 * walk.h
 *	  Visiting every value of a document, in order, without recursion.
 *
 * The order is that of jsonb's iterator: a container before its children, a
 * pair's key with its value, children in stored order.  Two documents can be
 * walked in step.  Nesting costs heap, not stack, so a document that could be
 * stored can always be walked.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_WALK_H
#define COLJ_WALK_H

#include "miscadmin.h"

#include "type/document.h"

/* Open containers that need no palloc. */
#define COLJ_WALK_LOCAL 6

typedef struct ColjWalk
{
	/* The value visited last. */
	ColjValue	value;
	ColjKey		key;
	bool		keyed;			/* it has a key, that is, an object around it */
	uint32		count;			/* its children, if it is a container */

	ColjDoc    *doc;
	bool		started;
	ColjIter   *open;			/* around the next value, root first */
	uint32		depth;			/* of them */
	uint32		room;
	ColjIter	local[COLJ_WALK_LOCAL];
} ColjWalk;

extern void colj_walk_begin(ColjWalk *walk, ColjDoc *doc);

/* What colj_walk_next does when it is not at a scalar in an open container. */
extern bool colj_walk_turn(ColjWalk *walk, ColjStatus status);

/* Visit the next value; false after the last.  Honours interrupts. */
static inline bool
colj_walk_next(ColjWalk *walk)
{
	ColjStatus	status = COLJ_ABSENT;

	CHECK_FOR_INTERRUPTS();

	if (walk->depth > 0)
	{
		ColjIter   *iter = &walk->open[walk->depth - 1];

		status = colj_iter_next(iter, &walk->key, &walk->value);
		walk->keyed = (iter->c.kind == COLJ_OBJECT);
		if (likely(status == COLJ_OK && walk->value.kind < COLJ_ARRAY))
			return true;
	}
	return colj_walk_turn(walk, status);
}

extern void colj_walk_end(ColjWalk *walk);

#endif							/* COLJ_WALK_H */
