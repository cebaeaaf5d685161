/*-------------------------------------------------------------------------
 *
 * compare.h
 *	  Equality and order of values, as jsonb defines them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COMPARE_H
#define COLJ_COMPARE_H

#include "type/document.h"

static inline bool
colj_is_container(const ColjValue *value)
{
	return value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT;
}

static inline bool
colj_is_number(const ColjValue *value)
{
	return value->kind == COLJ_INT || value->kind == COLJ_DECIMAL ||
		value->kind == COLJ_BIGNUM;
}

/* Compare two numbers by value: below, at or above zero, as numeric_cmp. */
extern int	colj_compare_numbers(ColjDoc *adoc, const ColjValue *a,
								 ColjDoc *bdoc, const ColjValue *b);

/* Are two scalars equal?  Strings by their bytes, numbers by value. */
extern bool colj_equal_scalars(ColjDoc *adoc, const ColjValue *a,
							   ColjDoc *bdoc, const ColjValue *b);

/* Does a value contain another, a part of a template, by the rules of @>? */
extern bool colj_value_contains(ColjDoc *doc, const ColjValue *value,
								ColjDoc *tdoc, const ColjValue *tmpl);

#endif							/* COLJ_COMPARE_H */
