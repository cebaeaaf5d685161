/*-------------------------------------------------------------------------
 *
 * accessor.h
 *	  Calls that take something out of a document.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_ACCESSOR_H
#define COLJ_ACCESSOR_H

#include "nodes/primnodes.h"

/* A call of ->, ->>, colj_get or colj_get_text with a constant key or path. */
typedef struct ColjAccessor
{
	Node	   *document;		/* the first argument */
	Const	   *path;			/* the second; not NULL */
	bool		chain;			/* it is a colj array, else a text */
	bool		text;			/* the result is a text, else a colj */
} ColjAccessor;

/* Is the expression such a call?  Operators must have their functions. */
extern bool colj_as_accessor(const Node *node, ColjAccessor *accessor);

/* A call's function and arguments; false if it is none. */
extern bool colj_as_call(const Node *node, Oid *function, List **args);

#endif							/* COLJ_ACCESSOR_H */
