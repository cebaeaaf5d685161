/*-------------------------------------------------------------------------
 *
 * shares.h
 *	  How often a value at a path is what a query asks for.
 *
 * Every share is one of the times that the path is there, 0 to 1.  For a path
 * that was never seen they are 1: that it is rare stands in the node's own
 * share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SHARES_H
#define COLJ_SHARES_H

#include "type/pathstats.h"

typedef enum ColjComparison
{
	COLJ_LESS,
	COLJ_LESS_OR_EQUAL,
	COLJ_GREATER,
	COLJ_GREATER_OR_EQUAL,
	COLJ_STARTS_WITH			/* strings only */
} ColjComparison;

/* The share of a node of the times that its parent is there. */
extern double colj_share_of_parent(const ColjStatNode *parent, const ColjStatNode *node);

/* The value is a scalar equal to this one. */
extern double colj_share_equal(const ColjStatNode *node, ColjDoc *doc, const ColjValue *scalar);

/* The value is a number or string that compares so with this one. */
extern double colj_share_compare(const ColjStatNode *node, ColjComparison comparison,
								 ColjDoc *doc, const ColjValue *scalar);

/* The value is an array that has this scalar among its elements. */
extern double colj_share_element(const ColjStatNode *node, ColjDoc *doc,
								 const ColjValue *scalar);

/*
 * The value is an array with at least one element for which something holds
 * that holds for this share of all elements.
 */
extern double colj_share_any_element(const ColjStatNode *node, double share);

/*
 * Shares of things that tend to come together, as members of an object do, as
 * a share of all of them: between their product and the smallest.
 */
extern double colj_share_all(double *shares, int n);

#endif							/* COLJ_SHARES_H */
