/*-------------------------------------------------------------------------
 *
 * pathsel.c
 *	  How many rows a jsonpath selects.
 *
 * A path is followed through the statistics: keys to members, [*] and
 * subscripts to elements, and filters by the share of values that pass.  As in
 * lax mode, arrays are taken apart where something else is asked for, and then
 * one element that passes is enough.
 *
 * What is not followed (.*, .**, methods, arithmetic, variables, like_regex)
 * makes the whole path one that is left to core's estimator.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "type/selectivity.h"
#include "type/shares.h"
#include "type/value.h"

/* What shall hold for a value at the end of a path. */
typedef struct Test
{
	JsonPathItemType operator;	/* a comparison, or jpiExists for none */
	ColjDoc    *doc;			/* what to compare with, a scalar */
} Test;

typedef struct Search
{
	ColjStatNode root;
	bool		failed;			/* there was something that cannot be followed */
} Search;

static double follow(Search *search, JsonPathItem *item, const ColjStatNode *node,
					 const Test *test);
static double predicate_share(Search *search, JsonPathItem *item, const ColjStatNode *node);

static double
give_up(Search *search)
{
	search->failed = true;
	return 0;
}

static double
test_share(const ColjStatNode *node, const Test *test)
{
	const ColjValue *scalar = &test->doc->root;

	switch (test->operator)
	{
		case jpiEqual:
			return colj_share_equal(node, test->doc, scalar);
		case jpiNotEqual:
			return 1 - colj_share_equal(node, test->doc, scalar);
		case jpiLess:
			return colj_share_compare(node, COLJ_LESS, test->doc, scalar);
		case jpiLessOrEqual:
			return colj_share_compare(node, COLJ_LESS_OR_EQUAL, test->doc, scalar);
		case jpiGreater:
			return colj_share_compare(node, COLJ_GREATER, test->doc, scalar);
		case jpiGreaterOrEqual:
			return colj_share_compare(node, COLJ_GREATER_OR_EQUAL, test->doc, scalar);
		default:
			return colj_share_compare(node, COLJ_STARTS_WITH, test->doc, scalar);
	}
}

/* At the end of a path: an array passes if one of its elements does. */
static double
end_share(const ColjStatNode *node, const Test *test)
{
	ColjStatNode element;
	double		share;

	if (test->operator == jpiExists || !node->known)
		return 1;
	share = test_share(node, test);
	if (colj_stats_kind_share(node, COLJ_ARRAY) == 0)
		return share;
	if (test->operator == jpiNotEqual)
		share = Max(share - colj_stats_kind_share(node, COLJ_ARRAY), 0);
	if (test->operator == jpiEqual)
		return Min(share + colj_share_element(node, test->doc, &test->doc->root), 1.0);
	colj_stats_any_element(node, &element);
	return Min(share + colj_share_any_element(node, test_share(&element, test)), 1.0);
}

/* What comes after an item of a path, or its end. */
static double
follow_next(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	JsonPathItem next;

	if (jspGetNext(item, &next))
		return follow(search, &next, node, test);
	return end_share(node, test);
}

static double
follow_key(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	ColjStatNode member;
	ColjStatNode element;
	int32		len;
	char	   *key = jspGetString(item, &len);
	double		share;

	colj_stats_member(node, key, len, &member);
	share = colj_share_of_parent(node, &member) * follow_next(search, item, &member, test);
	if (colj_stats_kind_share(node, COLJ_ARRAY) == 0)
		return share;
	colj_stats_any_element(node, &element);
	colj_stats_member(&element, key, len, &member);
	return share + colj_share_any_element(node, colj_share_of_parent(&element, &member) *
										  follow_next(search, item, &member, test));
}

/* [*]: in lax mode a value that is no array is its own element. */
static double
follow_elements(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	double		arrays = colj_stats_kind_share(node, COLJ_ARRAY);
	ColjStatNode element;
	double		share = 0;

	if (arrays < 1)
		share = (1 - arrays) * follow_next(search, item, node, test);
	if (arrays == 0)
		return share;
	colj_stats_any_element(node, &element);
	return share + colj_share_any_element(node, follow_next(search, item, &element, test));
}

/* One constant subscript; lists and ranges of them are taken for [*]. */
static double
follow_subscript(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	JsonPathItem from;
	JsonPathItem to;
	ColjStatNode element;
	double		index;

	if (item->content.array.nelems != 1 || jspGetArraySubscript(item, &from, &to, 0) ||
		from.type != jpiNumeric || jspHasNext(&from))
		return follow_elements(search, item, node, test);
	index = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
											   NumericGetDatum(jspGetNumeric(&from))));
	colj_stats_element(node, (int32) Max(Min(index, PG_INT32_MAX), PG_INT32_MIN), &element);
	return colj_share_of_parent(node, &element) * follow_next(search, item, &element, test);
}

/* ? (predicate): where there mostly are arrays, one element that passes is enough. */
static double
follow_filter(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	double		arrays = colj_stats_kind_share(node, COLJ_ARRAY);
	ColjStatNode element;
	JsonPathItem predicate;

	jspGetArg(item, &predicate);
	if (arrays < 0.5)
		return predicate_share(search, &predicate, node) *
			follow_next(search, item, node, test);
	colj_stats_any_element(node, &element);
	return colj_share_any_element(node, predicate_share(search, &predicate, &element) *
								  follow_next(search, item, &element, test));
}

/*
 * Of the times that a path is there, how often something is found by going on
 * from it, that passes the test.
 */
static double
follow(Search *search, JsonPathItem *item, const ColjStatNode *node, const Test *test)
{
	check_stack_depth();
	if (search->failed)
		return 0;
	switch (item->type)
	{
		case jpiRoot:
		case jpiCurrent:
			return follow_next(search, item, node, test);
		case jpiKey:
			return follow_key(search, item, node, test);
		case jpiAnyArray:
			return follow_elements(search, item, node, test);
		case jpiIndexArray:
			return follow_subscript(search, item, node, test);
		case jpiFilter:
			return follow_filter(search, item, node, test);
		default:
			return give_up(search);
	}
}

/* A path that begins at $, or at @. */
static double
path_share(Search *search, JsonPathItem *path, const ColjStatNode *node, const Test *test)
{
	if (path->type == jpiRoot)
		return follow(search, path, &search->root, test);
	if (path->type == jpiCurrent)
		return follow(search, path, node, test);
	return give_up(search);
}

/* A literal as a document; NULL if it is none. */
static ColjDoc *
literal_document(JsonPathItem *item)
{
	ColjBuilder *b;
	ColjDoc    *doc = palloc(sizeof(ColjDoc));
	int32		len;
	char	   *string;

	if (!jspIsScalar(item->type) || jspHasNext(item))
		return NULL;
	b = colj_builder_acquire();
	if (item->type == jpiNull)
		colj_builder_null(b);
	else if (item->type == jpiBool)
		colj_builder_bool(b, jspGetBool(item));
	else if (item->type == jpiNumeric)
		colj_builder_numeric(b, jspGetNumeric(item));
	else
	{
		string = jspGetString(item, &len);
		colj_builder_string(b, string, len);
	}
	return colj_document_open(colj_builder_datum(b), COLJ_NEED_ALL, doc);
}

static JsonPathItemType
turned_around(JsonPathItemType operator)
{
	switch (operator)
	{
		case jpiLess:
			return jpiGreater;
		case jpiGreater:
			return jpiLess;
		case jpiLessOrEqual:
			return jpiGreaterOrEqual;
		case jpiGreaterOrEqual:
			return jpiLessOrEqual;
		default:
			return operator;
	}
}

static double
comparison_share(Search *search, JsonPathItem *item, const ColjStatNode *node)
{
	JsonPathItem left;
	JsonPathItem right;
	Test		test = {item->type, NULL};

	jspGetLeftArg(item, &left);
	jspGetRightArg(item, &right);
	test.doc = literal_document(&right);
	if (test.doc != NULL)
		return path_share(search, &left, node, &test);
	test.doc = literal_document(&left);
	if (test.doc == NULL || item->type == jpiStartsWith)
		return give_up(search);
	test.operator = turned_around(item->type);
	return path_share(search, &right, node, &test);
}

static double
both_share(Search *search, JsonPathItem *item, const ColjStatNode *node)
{
	JsonPathItem arg;
	double		left;
	double		right;

	jspGetLeftArg(item, &arg);
	left = predicate_share(search, &arg, node);
	jspGetRightArg(item, &arg);
	right = predicate_share(search, &arg, node);
	return item->type == jpiAnd ? left * right : left + right - left * right;
}

/* Of the times that a path is there, how often a predicate is true. */
static double
predicate_share(Search *search, JsonPathItem *item, const ColjStatNode *node)
{
	JsonPathItem arg;
	Test		exists = {jpiExists, NULL};

	check_stack_depth();
	switch (item->type)
	{
		case jpiAnd:
		case jpiOr:
			return both_share(search, item, node);
		case jpiNot:
			jspGetArg(item, &arg);
			return 1 - predicate_share(search, &arg, node);
		case jpiExists:
			jspGetArg(item, &arg);
			return path_share(search, &arg, node, &exists);
		case jpiEqual:
		case jpiNotEqual:
		case jpiLess:
		case jpiLessOrEqual:
		case jpiGreater:
		case jpiGreaterOrEqual:
		case jpiStartsWith:
			return comparison_share(search, item, node);
		default:
			return give_up(search);
	}
}

bool
colj_jsonpath_share(ColjStats *stats, JsonPath *path, bool is_predicate, double *share)
{
	Search		search = {.failed = false};
	Test		exists = {jpiExists, NULL};
	JsonPathItem item;

	colj_stats_root(stats, &search.root);
	jspInit(&item, path);
	if (is_predicate)
		*share = predicate_share(&search, &item, &search.root);
	else
		*share = path_share(&search, &item, &search.root, &exists);
	*share *= search.root.share;
	return !search.failed;
}
