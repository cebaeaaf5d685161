/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  The bounds of a path's values, put together from many zones.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_BOUNDS_H
#define COLJ_BOUNDS_H

#include "stripe/stripe.h"

/* One bound: a number (mantissa and scale), or the beginning of a string. */
typedef struct ColjBound
{
	int64		number;
	uint8		scale;
	uint8		len;
	char		bytes[16];
} ColjBound;

typedef struct ColjBounds
{
	bool		any;			/* is there any value? */
	bool		has_min;		/* known, and of all values */
	bool		has_max;
	ColjPathType type;			/* BOOL, DECIMAL (integers too) or STRING */
	ColjBound	min;
	ColjBound	max;
} ColjBounds;

/* Widen the bounds by the zone of a vector of a path. */
extern void colj_bounds_widen(ColjBounds *bounds, ColjPathType type, const ColjZone *zone);

/*
 * A bound as text in the current memory context, as the values of a document
 * are written, or those of the plain column att (may be NULL).  NULL if it
 * says nothing: for types in whose order integers or bytes do not stand, and
 * for strings that are cut within a character.
 */
extern char *colj_bound_text(const ColjBounds *bounds, const ColjBound *bound, Form_pg_attribute att);

#endif							/* COLJ_BOUNDS_H */
