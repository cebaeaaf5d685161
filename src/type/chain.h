/*-------------------------------------------------------------------------
 *
 * chain.h
 *	  Expressions that take one value out of a colj column.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_CHAIN_H
#define COLJ_CHAIN_H

#include "nodes/primnodes.h"

#include "type/path.h"

typedef enum ColjChainResult
{
	COLJ_CHAIN_COLJ,			/* the value itself */
	COLJ_CHAIN_TEXT,			/* its text, as of ->> */
	COLJ_CHAIN_TEXT_CAST,		/* that text as another type */
	COLJ_CHAIN_COLJ_CAST		/* a number or boolean as an SQL one */
} ColjChainResult;

#define COLJ_CHAIN_MAX 32

typedef struct ColjChain
{
	Var		   *column;			/* where the document is */
	ColjChainResult result;
	Oid			type;			/* of the whole expression, */
	Oid			collation;		/* and its collation */
	int			n;
	ColjStep	steps[COLJ_CHAIN_MAX];	/* keys point into the expression */
} ColjChain;

/* Is this the type colj, or a domain over it? */
extern bool colj_is_colj_type(Oid type);

/*
 * Is the expression one or more accessors with constant keys (operators,
 * functions or subscripts) on a column, perhaps cast?
 */
extern bool colj_chain_parse(Node *node, ColjChain *chain);

#endif							/* COLJ_CHAIN_H */
