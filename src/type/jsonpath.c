/*-------------------------------------------------------------------------
 *
 * jsonpath.c
 *	  Simple jsonpaths, followed in the document itself.
 *
 * Most jsonpaths that applications send are a few keys, perhaps with a filter
 * that compares with a constant.  For these no jsonb is made: they are read
 * once into a tree of items and then followed in the document.  Everything
 * else goes through core (twin.c): strict mode, variables, methods,
 * arithmetic, subscripts, **.
 *
 * In lax mode none of the items here can fail.  What they mean is jsonpath's:
 * a key, .* and a filter look into an array's elements, [*] takes a value
 * that is no array as one of one element, and so do comparisons with what
 * they compare.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "compat.h"
#include "type/compare.h"
#include "type/jsonpath.h"
#include "type/value.h"

struct ColjPathItem
{
	JsonPathItemType type;
	const char *key;			/* jpiKey */
	uint32		len;
	ColjPathItem *left;			/* operand, or what a filter or exists() has */
	ColjPathItem *right;
	ColjPathItem *next;			/* what comes after it in a path */
	ColjDoc		literal;		/* its root is the constant */
};

/* Where a path is followed. */
typedef struct Place
{
	ColjDoc    *doc;
	ColjValue	current;		/* what @ stands for */
} Place;

static ColjPathItem *compile_predicate(JsonPathItem *item);
static ColjTruth test(Place *place, const ColjPathItem *item);
static void follow(Place *place, const ColjPathItem *item, const ColjValue *value, bool unwrap,
				   ColjMatches *found);

static ColjPathItem *
make_item(JsonPathItemType type)
{
	ColjPathItem *item = palloc0(sizeof(ColjPathItem));

	item->type = type;
	return item;
}

/* A step after $ or @; NULL if it is not simple. */
static ColjPathItem *
compile_step(JsonPathItem *item)
{
	ColjPathItem *step = make_item(item->type);
	JsonPathItem argument;
	int32		len;

	switch (item->type)
	{
		case jpiKey:
			step->key = jspGetString(item, &len);
			step->len = len;
			return step;
		case jpiAnyKey:
		case jpiAnyArray:
			return step;
		case jpiFilter:
			jspGetArg(item, &argument);
			step->left = compile_predicate(&argument);
			return step->left == NULL ? NULL : step;
		default:
			return NULL;
	}
}

/* $ or @ and the steps after it. */
static ColjPathItem *
compile_path(JsonPathItem *item)
{
	ColjPathItem *path;
	ColjPathItem **link;
	JsonPathItem next;

	if (item->type != jpiRoot && item->type != jpiCurrent)
		return NULL;
	path = make_item(item->type);
	link = &path->next;
	while (jspHasNext(item))
	{
		jspGetNext(item, &next);
		*link = compile_step(&next);
		if (*link == NULL)
			return NULL;
		link = &(*link)->next;
		*item = next;
	}
	return path;
}

static ColjPathItem *
compile_literal(JsonPathItem *item)
{
	ColjPathItem *literal = make_item(item->type);
	ColjBuilder *b = colj_builder_acquire();
	const char *string;
	int32		len;

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
	(void) colj_document_open(colj_builder_datum(b), COLJ_NEED_ALL, &literal->literal);
	return literal;
}

static ColjPathItem *
compile_operand(JsonPathItem *item)
{
	switch (item->type)
	{
		case jpiNull:
		case jpiBool:
		case jpiNumeric:
		case jpiString:
			return jspHasNext(item) ? NULL : compile_literal(item);
		default:
			return compile_path(item);
	}
}

/* A predicate of two operands, or of two predicates. */
static ColjPathItem *
compile_binary(JsonPathItem *item, ColjPathItem *(*compile) (JsonPathItem *))
{
	ColjPathItem *predicate = make_item(item->type);
	JsonPathItem argument;

	jspGetLeftArg(item, &argument);
	predicate->left = compile(&argument);
	jspGetRightArg(item, &argument);
	predicate->right = predicate->left == NULL ? NULL : compile(&argument);
	return predicate->right == NULL ? NULL : predicate;
}

static ColjPathItem *
compile_predicate(JsonPathItem *item)
{
	ColjPathItem *predicate;
	JsonPathItem argument;

	check_stack_depth();
	if (jspHasNext(item))
		return NULL;
	switch (item->type)
	{
		case jpiAnd:
		case jpiOr:
			return compile_binary(item, compile_predicate);
		case jpiEqual:
		case jpiNotEqual:
		case jpiLess:
		case jpiGreater:
		case jpiLessOrEqual:
		case jpiGreaterOrEqual:
			/* strings are compared as UTF-8 */
			return GetDatabaseEncoding() == PG_UTF8 ? compile_binary(item, compile_operand) : NULL;
		case jpiExists:
			predicate = make_item(item->type);
			jspGetArg(item, &argument);
			predicate->left = compile_path(&argument);
			return predicate->left == NULL ? NULL : predicate;
		default:
			return NULL;
	}
}

ColjPathItem *
colj_path_compile(JsonPath *path)
{
	JsonPathItem item;

	if ((path->header & JSONPATH_LAX) == 0)
		return NULL;
	jspInit(&item, path);
	return item.type == jpiRoot ? compile_path(&item) : compile_predicate(&item);
}

bool
colj_path_is_predicate(const ColjPathItem *path)
{
	return path->type != jpiRoot;
}

static void
add_match(ColjMatches *found, const ColjValue *value)
{
	if (found->n == found->room)
	{
		found->room = found->room == 0 ? 4 : found->room * 2;
		found->values = found->values == NULL ? palloc(found->room * sizeof(ColjValue)) :
			repalloc_huge(found->values, found->room * sizeof(ColjValue));
	}
	found->values[found->n++] = *value;
}

/* Take an item, or all that follows it, on each child of a container. */
static void
follow_children(Place *place, const ColjPathItem *item, const ColjValue *container, bool unwrap,
				ColjMatches *found)
{
	ColjIter	iter;
	ColjValue	child;

	CHECK_FOR_INTERRUPTS();
	colj_ensure(colj_iter_open(place->doc, container, &iter), place->doc);
	while (found->n < found->most &&
		   colj_found(colj_iter_next(&iter, NULL, &child), place->doc))
		follow(place, item, &child, unwrap, found);
}

/* The item on a value that is no array to be looked into. */
static void
follow_one(Place *place, const ColjPathItem *item, const ColjValue *value, ColjMatches *found)
{
	Place		inner = {place->doc, *value};
	ColjValue	child;

	if (item->type == jpiAnyArray)
		follow(place, item->next, value, true, found);
	else if (item->type == jpiFilter)
	{
		if (test(&inner, item->left) == COLJ_TRUE)
			follow(place, item->next, value, true, found);
	}
	else if (value->kind != COLJ_OBJECT)
		return;
	else if (item->type == jpiAnyKey)
		follow_children(place, item->next, value, true, found);
	else if (colj_found(colj_get_key(place->doc, value, item->key, item->len, &child), place->doc))
		follow(place, item->next, &child, true, found);
}

/*
 * Take a step and those after it on a value.  unwrap: an array stands for its
 * elements, which are then taken as they are.
 */
static void
follow(Place *place, const ColjPathItem *item, const ColjValue *value, bool unwrap,
	   ColjMatches *found)
{
	check_stack_depth();
	if (item == NULL)
		add_match(found, value);
	else if (value->kind != COLJ_ARRAY)
		follow_one(place, item, value, found);
	else if (item->type == jpiAnyArray)
		follow_children(place, item->next, value, true, found);
	else if (unwrap)
		follow_children(place, item, value, false, found);
	else
		follow_one(place, item, value, found);
}

static void
follow_path(Place *place, const ColjPathItem *path, ColjMatches *found)
{
	const ColjValue *start = path->type == jpiRoot ? &place->doc->root : &place->current;

	follow(place, path->next, start, true, found);
}

/* One side of a comparison: values of *doc, arrays among them as their elements. */
static ColjMatches
operand_values(Place *place, const ColjPathItem *operand, ColjDoc **doc)
{
	ColjMatches found = {.most = PG_UINT32_MAX};
	ColjMatches unwrapped = {.most = PG_UINT32_MAX};
	bool		arrays = false;

	if (operand->type != jpiRoot && operand->type != jpiCurrent)
	{
		*doc = unconstify(ColjDoc *, &operand->literal);
		add_match(&found, &(*doc)->root);
		return found;
	}
	*doc = place->doc;
	follow_path(place, operand, &found);
	for (uint32 i = 0; i < found.n; i++)
		arrays = arrays || found.values[i].kind == COLJ_ARRAY;
	if (!arrays)
		return found;
	for (uint32 i = 0; i < found.n; i++)
	{
		if (found.values[i].kind == COLJ_ARRAY)
			follow_children(place, NULL, &found.values[i], false, &unwrapped);
		else
			add_match(&unwrapped, &found.values[i]);
	}
	pfree(found.values);
	return unwrapped;
}

/* Types that can be compared with each other only. */
static int
comparison_type(const ColjValue *value)
{
	if (colj_is_number(value))
		return COLJ_INT;
	return colj_is_container(value) ? COLJ_OBJECT : value->kind;
}

static int
compare_strings(ColjDoc *ldoc, const ColjValue *l, ColjDoc *rdoc, const ColjValue *r)
{
	const char *x = colj_bytes(ldoc, l);
	const char *y = colj_bytes(rdoc, r);
	int			order;

	if (x == NULL || y == NULL)
		colj_raise(COLJ_CORRUPT, x == NULL ? ldoc : rdoc);
	order = memcmp(x, y, Min(l->len, r->len));
	return order != 0 ? order : (l->len > r->len) - (l->len < r->len);
}

static bool
order_satisfies(JsonPathItemType type, int order)
{
	switch (type)
	{
		case jpiEqual:
			return order == 0;
		case jpiNotEqual:
			return order != 0;
		case jpiLess:
			return order < 0;
		case jpiGreater:
			return order > 0;
		case jpiLessOrEqual:
			return order <= 0;
		default:
			return order >= 0;
	}
}

static ColjTruth
compare_items(JsonPathItemType type, ColjDoc *ldoc, const ColjValue *l, ColjDoc *rdoc,
			  const ColjValue *r)
{
	int			kind = comparison_type(l);
	int			order = 0;

	if (kind != comparison_type(r))
	{
		if (l->kind == COLJ_NULL || r->kind == COLJ_NULL)
			return type == jpiNotEqual ? COLJ_TRUE : COLJ_FALSE;
		return COLJ_UNKNOWN;
	}
	if (kind == COLJ_OBJECT)
		return COLJ_UNKNOWN;
	if (kind == COLJ_INT)
		order = colj_compare_numbers(ldoc, l, rdoc, r);
	else if (kind == COLJ_STRING)
		order = compare_strings(ldoc, l, rdoc, r);
	else if (kind == COLJ_BOOL)
		order = (int) (l->integer != 0) - (int) (r->integer != 0);
	return order_satisfies(type, order) ? COLJ_TRUE : COLJ_FALSE;
}

/* Some pair of the values on both sides must be as the operator says. */
static ColjTruth
test_comparison(Place *place, const ColjPathItem *item)
{
	ColjDoc    *ldoc;
	ColjDoc    *rdoc;
	ColjMatches left = operand_values(place, item->left, &ldoc);
	ColjMatches right = operand_values(place, item->right, &rdoc);
	ColjTruth	result = COLJ_FALSE;

	for (uint32 i = 0; i < left.n && result != COLJ_TRUE; i++)
	{
		for (uint32 j = 0; j < right.n && result != COLJ_TRUE; j++)
		{
			ColjTruth	truth = compare_items(item->type, ldoc, &left.values[i], rdoc, &right.values[j]);

			if (truth != COLJ_FALSE)
				result = truth;
		}
	}
	if (left.values != NULL)
		pfree(left.values);
	if (right.values != NULL)
		pfree(right.values);
	return result;
}

static ColjTruth
test_exists(Place *place, const ColjPathItem *path)
{
	ColjMatches found = {.most = 1};

	follow_path(place, path, &found);
	if (found.values != NULL)
		pfree(found.values);
	return found.n > 0 ? COLJ_TRUE : COLJ_FALSE;
}

static ColjTruth
test(Place *place, const ColjPathItem *item)
{
	ColjTruth	left;
	ColjTruth	right;

	check_stack_depth();
	if (item->type == jpiExists)
		return test_exists(place, item->left);
	if (item->type != jpiAnd && item->type != jpiOr)
		return test_comparison(place, item);
	left = test(place, item->left);
	if (left == (item->type == jpiAnd ? COLJ_FALSE : COLJ_TRUE))
		return left;
	right = test(place, item->right);
	return right == (item->type == jpiAnd ? COLJ_TRUE : COLJ_FALSE) ? left : right;
}

ColjTruth
colj_path_test(ColjDoc *doc, const ColjPathItem *path)
{
	Place		place = {doc, doc->root};

	return test(&place, path);
}

void
colj_path_follow(ColjDoc *doc, const ColjPathItem *path, ColjMatches *found)
{
	Place		place = {doc, doc->root};

	follow_path(&place, path, found);
}
