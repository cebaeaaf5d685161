/*-------------------------------------------------------------------------
 *
 * shares.c
 *	  How often a value at a path is what a query asks for.
 *
 * A scalar that is among the common ones has its own count.  Any other gets
 * an equal part of what these leave, as in core's estimators.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "type/compare.h"
#include "type/shares.h"

static double
clamp(double share)
{
	if (isnan(share))
		return 0;
	return Max(0.0, Min(share, 1.0));
}

double
colj_share_of_parent(const ColjStatNode *parent, const ColjStatNode *node)
{
	if (parent->share <= 0)
		return 0;
	return clamp(node->share / parent->share);
}

/* The counts of one kind of scalars at a path. */
typedef struct Kind
{
	ColjKind	kind;			/* COLJ_STRING or COLJ_INT, for all numbers */
	double		count;			/* times that a scalar is of it */
	double		found;			/* of these, equal to what is looked for */
	double		found_rows;		/* rows with one that is */
	double		rest;			/* not among the common ones */
	double		common;			/* how many common ones there are */
	double		least;			/* count of the least frequent of them */
} Kind;

/* Look for a scalar among the common ones. */
static void
count_kind(const ColjStatNode *node, ColjDoc *doc, const ColjValue *scalar, Kind *k)
{
	ColjCommon	common;

	memset(k, 0, sizeof(Kind));
	k->kind = scalar->kind == COLJ_STRING ? COLJ_STRING : COLJ_INT;
	k->count = colj_stats_number(node, k->kind == COLJ_STRING ?
								 COLJ_STAT_STRING : COLJ_STAT_NUMBER);
	k->rest = k->count;
	k->least = k->count;
	if (!colj_stats_common_begin(node, &common))
		return;
	while (colj_stats_common_next(&common))
	{
		k->least = Min(k->least, common.count);
		if ((common.value.kind == COLJ_STRING) != (k->kind == COLJ_STRING))
			continue;
		k->rest -= common.count;
		k->common++;
		if (colj_equal_scalars(common.doc, &common.value, doc, scalar))
		{
			k->found += common.count;
			k->found_rows += common.nrows;
		}
	}
}

/* How often one of the scalars is seen that are not common. */
static double
average_count(const ColjStatNode *node, const Kind *k)
{
	double		distinct = colj_stats_distinct(node, k->kind) - k->common;

	if (k->rest <= 0)
		return 0;
	return Min(k->rest / Max(distinct, 1.0), k->least);
}

static double
literal_count(const ColjStatNode *node, const ColjValue *literal)
{
	if (literal->kind == COLJ_NULL)
		return colj_stats_number(node, COLJ_STAT_NULL);
	return colj_stats_number(node, literal->integer ? COLJ_STAT_TRUE : COLJ_STAT_FALSE);
}

static bool
is_literal(const ColjValue *value)
{
	return value->kind == COLJ_NULL || value->kind == COLJ_BOOL;
}

double
colj_share_equal(const ColjStatNode *node, ColjDoc *doc, const ColjValue *scalar)
{
	Kind		k;

	if (!node->known)
		return 1;
	if (is_literal(scalar))
		return clamp(literal_count(node, scalar) / node->count);
	count_kind(node, doc, scalar, &k);
	return clamp((k.found > 0 ? k.found : average_count(node, &k)) / node->count);
}

double
colj_share_any_element(const ColjStatNode *node, double share)
{
	ColjStatNode element;
	ColjIter	iter;
	ColjValue	value;
	double		arrays;

	if (!node->known)
		return share;
	colj_stats_any_element(node, &element);
	if (!element.known || !colj_stats_list(node, COLJ_STAT_LENGTHS, &iter) ||
		!colj_stats_next(&iter, &value))
		return 0;
	arrays = Max(colj_stats_double(node->stats->doc, &value), 1);
	return clamp(arrays / node->count * (1 - pow(1 - clamp(share), element.count / arrays)));
}

double
colj_share_element(const ColjStatNode *node, ColjDoc *doc, const ColjValue *scalar)
{
	ColjStatNode element;
	double		rows = colj_stats_number(node, COLJ_STAT_ROWS);
	Kind		k;

	if (!node->known)
		return 1;
	colj_stats_any_element(node, &element);
	if (!element.known)
		return 0;
	if (is_literal(scalar))
		return colj_share_any_element(node, colj_share_equal(&element, doc, scalar));
	if (rows <= 0)
		rows = node->count;
	count_kind(&element, doc, scalar, &k);
	return clamp((k.found > 0 ? k.found_rows : average_count(&element, &k)) / rows);
}

/* Does a scalar of the statistics compare as asked? */
static bool
compares(ColjDoc *adoc, const ColjValue *a, ColjComparison comparison,
		 ColjDoc *bdoc, const ColjValue *b)
{
	const char *x;
	const char *y;
	int			order;

	if (a->kind == COLJ_STRING)
	{
		x = colj_bytes(adoc, a);
		y = colj_bytes(bdoc, b);
		if (x == NULL || y == NULL)
			return false;
		order = memcmp(x, y, Min(a->len, b->len));
		if (comparison == COLJ_STARTS_WITH)
			return order == 0 && a->len >= b->len;
		if (order == 0)
			order = (a->len > b->len) - (a->len < b->len);
	}
	else
		order = colj_compare_numbers(adoc, a, bdoc, b);
	switch (comparison)
	{
		case COLJ_LESS:
			return order < 0;
		case COLJ_LESS_OR_EQUAL:
			return order <= 0;
		case COLJ_GREATER:
			return order > 0;
		case COLJ_GREATER_OR_EQUAL:
			return order >= 0;
		default:
			return false;
	}
}

/* Between two bounds of which one compares as asked: how far is it to there? */
static double
part_of_bin(double low, double high, double at, bool low_passes)
{
	double		part = high > low ? (at - low) / (high - low) : 0.5;

	return clamp(low_passes ? part : 1 - part);
}

/* The share of a histogram's values that compares as asked. */
static double
histogram_share(const ColjStatNode *node, ColjComparison comparison,
				ColjDoc *doc, const ColjValue *scalar)
{
	ColjDoc    *sdoc = node->stats->doc;
	ColjIter	iter;
	ColjValue	bound;
	double		last = 0;
	bool		last_passes = false;
	double		sum = 0;
	int			n = 0;

	if (!colj_stats_list(node, scalar->kind == COLJ_STRING ? COLJ_STAT_STRING_BOUNDS :
						 COLJ_STAT_NUMBER_BOUNDS, &iter))
		return 0.5;
	while (colj_stats_next(&iter, &bound))
	{
		bool		passes = compares(sdoc, &bound, comparison, doc, scalar);
		double		at = scalar->kind == COLJ_STRING ? 0 : colj_stats_double(sdoc, &bound);

		if (n++ > 0)
			sum += passes == last_passes ? passes :
				part_of_bin(last, at, scalar->kind == COLJ_STRING ? 0 :
							colj_stats_double(doc, scalar), last_passes);
		last = at;
		last_passes = passes;
	}
	return n > 1 ? sum / (n - 1) : 0.5;
}

double
colj_share_compare(const ColjStatNode *node, ColjComparison comparison,
				   ColjDoc *doc, const ColjValue *scalar)
{
	ColjCommon	common;
	double		found = 0;
	Kind		k;

	if (!node->known)
		return 1;
	if (scalar->kind != COLJ_STRING && !colj_is_number(scalar))
		return 0;
	count_kind(node, doc, scalar, &k);
	if (colj_stats_common_begin(node, &common))
	{
		while (colj_stats_common_next(&common))
		{
			if ((common.value.kind == COLJ_STRING) == (scalar->kind == COLJ_STRING) &&
				compares(common.doc, &common.value, comparison, doc, scalar))
				found += common.count;
		}
	}
	found += Max(k.rest, 0) * histogram_share(node, comparison, doc, scalar);
	return clamp(found / node->count);
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

double
colj_share_all(double *shares, int n)
{
	double		result = 1;
	double		exponent = 1;

	qsort(shares, n, sizeof(double), compare_doubles);
	for (int i = 0; i < n; i++)
	{
		result *= pow(clamp(shares[i]), exponent);
		exponent /= 2;
	}
	return result;
}
