/*-------------------------------------------------------------------------
 *
 * prune.c
 *	  Which keys of a document a function of core will look at.
 *
 * Functions that go through jsonb would convert the whole document to look at
 * one key of it.  Where the keys are known before, only they are converted
 * (and, from TOAST, only they are fetched).  They are known
 *
 *		for a jsonpath in which every $ is followed by a key.  What comes after
 *			the first keys of each $ sees the values at these keys whole, and
 *			@ stands for a part of such a value.  In strict mode a missing key
 *			is missing in the pruned document too, and raises the same error.
 *			A value on the way that is no object is kept whole, so that lax
 *			mode finds the arrays that it unwraps;
 *		for records: the names of their columns.
 *
 * .keyvalue() gives objects a number that comes from their place in the
 * jsonb: with it, nothing is left out.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "compat.h"
#include "type/prune.h"

static bool add_expression(ColjPrune *root, JsonPathItem *item);

int
colj_prune_compare(const ColjPrune *node, const char *key, uint32 len)
{
	if (node->len != len)
		return node->len < len ? -1 : 1;
	return memcmp(node->key, key, len);
}

/* The node of a key, made if it is new. */
static ColjPrune *
add_key(ColjPrune *parent, const char *key, uint32 len)
{
	ColjPrune **link = &parent->keys;
	ColjPrune  *node;

	while (*link != NULL && colj_prune_compare(*link, key, len) < 0)
		link = &(*link)->next;
	if (*link != NULL && colj_prune_compare(*link, key, len) == 0)
		return *link;
	node = palloc0(sizeof(ColjPrune));
	node->key = key;
	node->len = len;
	node->next = *link;
	*link = node;
	return node;
}

/* Follow the keys after a $; *item becomes the last of them.  False for none. */
static bool
add_root(ColjPrune *root, JsonPathItem *item)
{
	ColjPrune  *node = root;
	JsonPathItem next;

	while (jspHasNext(item))
	{
		char	   *key;
		int32		len;

		jspGetNext(item, &next);
		if (next.type != jpiKey)
			break;
		key = jspGetString(&next, &len);
		node = add_key(node, key, len);
		*item = next;
	}
	node->whole = true;
	return node != root;
}

static bool
add_subscripts(ColjPrune *root, JsonPathItem *item)
{
	for (int i = 0; i < item->content.array.nelems; i++)
	{
		JsonPathItem from;
		JsonPathItem to;
		bool		range = jspGetArraySubscript(item, &from, &to, i);

		if (!add_expression(root, &from) || (range && !add_expression(root, &to)))
			return false;
	}
	return true;
}

static bool
add_unary(ColjPrune *root, JsonPathItem *item)
{
	JsonPathItem argument;

	jspGetArg(item, &argument);
	return add_expression(root, &argument);
}

static bool
add_binary(ColjPrune *root, JsonPathItem *item)
{
	JsonPathItem left;
	JsonPathItem right;

	jspGetLeftArg(item, &left);
	jspGetRightArg(item, &right);
	return add_expression(root, &left) && add_expression(root, &right);
}

static bool
add_regex(ColjPrune *root, JsonPathItem *item)
{
	JsonPathItem argument;

	jspInitByBuffer(&argument, item->base, item->content.like_regex.expr);
	return add_expression(root, &argument);
}

/* What one item looks at, apart from the items after it. */
static bool
add_item(ColjPrune *root, JsonPathItem *item)
{
	switch (item->type)
	{
		case jpiRoot:
			return add_root(root, item);
		case jpiAnd:
		case jpiOr:
		case jpiEqual:
		case jpiNotEqual:
		case jpiLess:
		case jpiGreater:
		case jpiLessOrEqual:
		case jpiGreaterOrEqual:
		case jpiAdd:
		case jpiSub:
		case jpiMul:
		case jpiDiv:
		case jpiMod:
		case jpiStartsWith:
			return add_binary(root, item);
		case jpiNot:
		case jpiIsUnknown:
		case jpiExists:
		case jpiPlus:
		case jpiMinus:
		case jpiFilter:
			return add_unary(root, item);
		case jpiIndexArray:
			return add_subscripts(root, item);
		case jpiLikeRegex:
			return add_regex(root, item);
		case jpiNull:
		case jpiString:
		case jpiNumeric:
		case jpiBool:
		case jpiVariable:
		case jpiCurrent:
		case jpiLast:
		case jpiKey:
		case jpiAnyArray:
		case jpiAnyKey:
		case jpiAny:
		case jpiType:
		case jpiSize:
		case jpiAbs:
		case jpiFloor:
		case jpiCeiling:
		case jpiDouble:
			return true;
		default:
			/* .keyvalue(), and whatever newer servers have */
			return false;
	}
}

/* All that an expression and the items after it look at; false: anything. */
static bool
add_expression(ColjPrune *root, JsonPathItem *item)
{
	JsonPathItem next;

	check_stack_depth();
	for (;;)
	{
		if (!add_item(root, item))
			return false;
		if (!jspHasNext(item))
			return true;
		jspGetNext(item, &next);
		*item = next;
	}
}

ColjPrune *
colj_prune_path(JsonPath *path)
{
	ColjPrune  *root = palloc0(sizeof(ColjPrune));
	JsonPathItem item;

	jspInit(&item, path);
	return add_expression(root, &item) ? root : NULL;
}

ColjPrune *
colj_prune_record(TupleDesc desc)
{
	ColjPrune  *root = palloc0(sizeof(ColjPrune));

	root->each = true;
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);
		char	   *name = pstrdup(NameStr(attr->attname));

		if (!attr->attisdropped)
			add_key(root, name, strlen(name))->whole = true;
	}
	return root;
}
