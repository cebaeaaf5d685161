/*-------------------------------------------------------------------------
 *
 * statvalue.h
 *	  Scalars of a document as values of the type that an expression has.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STATVALUE_H
#define COLJ_STATVALUE_H

#include "fmgr.h"

#include "type/chain.h"

/* An expression's type and how to make, order and store values of it. */
typedef struct ColjTarget
{
	ColjChainResult result;
	Oid			type;
	int16		len;
	bool		byval;
	char		align;
	Oid			collation;
	Oid			eq_operator;
	Oid			lt_operator;
	FmgrInfo   *compare;
	FmgrInfo	input;			/* TEXT_CAST */
	Oid			input_param;
} ColjTarget;

/* False for a type whose values cannot be made without the risk of an error. */
extern bool colj_target_init(ColjTarget *target, const ColjChain *chain);

/*
 * The scalar as the expression gives it; false if that would be NULL, or an
 * error.  Raises none.
 */
extern bool colj_target_value(ColjTarget *target, ColjDoc *doc, const ColjValue *scalar,
							  Datum *value);

#endif							/* COLJ_STATVALUE_H */
