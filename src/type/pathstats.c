/*-------------------------------------------------------------------------
 *
 * pathstats.c
 *	  Reading statistics on paths.
 *
 * pathstats.h tells what a statistics document has.  Everything is looked up
 * in place.  A node's share of the rows is multiplied up on the way down: each
 * step's count by that of the step before.
 *
 * A path that was never seen is not impossible.  If all of the table was
 * looked at, it was absent then, and its share is 0; else it is taken to be in
 * half a row of the sample.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"

#include "type/pathstats.h"
#include "type/collect.h"
#include "type/value.h"

#define UNSEEN_ROWS 0.5

/* What a node that never came with a count may be divided by. */
#define COUNT_MIN 1.0

static bool
find(ColjDoc *doc, const ColjValue *object, const char *name, ColjValue *value)
{
	return object->kind == COLJ_OBJECT &&
		colj_get_key(doc, object, name, strlen(name), value) == COLJ_OK;
}

bool
colj_stats_open(ColjStats *stats, HeapTuple tuple)
{
	double		numbers[COLJ_STATISTIC_NUMBERS];
	Datum		document;
	struct varlena *bytes;

	if (!HeapTupleIsValid(tuple) || !colj_stats_find(tuple, numbers, &document))
		return false;
	bytes = PG_DETOAST_DATUM_PACKED(document);
	if (colj_open_bytes(&stats->local, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)) != COLJ_OK ||
		stats->local.root.kind != COLJ_OBJECT)
		return false;
	stats->doc = &stats->local;
	stats->total_rows = Max(numbers[COLJ_STATISTIC_ROWS], 1);
	stats->documents = Max(numbers[COLJ_STATISTIC_DOCUMENTS], 1);
	stats->not_null = 1.0 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	return true;
}

void
colj_stats_root(ColjStats *stats, ColjStatNode *root)
{
	root->stats = stats;
	root->known = true;
	root->value = stats->doc->root;
	root->count = Max(colj_stats_number(root, COLJ_STAT_COUNT), COUNT_MIN);
	root->share = stats->not_null;
	root->other = false;
}

/* A path that was never seen, below a parent. */
static void
set_unknown(const ColjStatNode *parent, ColjStatNode *node)
{
	ColjStats  *stats = parent->stats;
	bool		complete = stats->documents >= floor(stats->total_rows * stats->not_null);

	memset(node, 0, sizeof(ColjStatNode));
	node->stats = stats;
	node->count = COUNT_MIN;
	node->share = complete ? 0 : Min(UNSEEN_ROWS / stats->documents, parent->share);
}

/* A node that lies in its parent; share is set as if it were as frequent. */
static bool
set_known(const ColjStatNode *parent, const ColjValue *container, const char *name,
		  uint32 len, ColjStatNode *node)
{
	if (container->kind != COLJ_OBJECT ||
		colj_get_key(parent->stats->doc, container, name, len, &node->value) != COLJ_OK)
		return false;
	node->stats = parent->stats;
	node->known = true;
	node->other = parent->other;
	node->count = Max(colj_stats_number(node, COLJ_STAT_COUNT), COUNT_MIN);
	node->share = parent->share;
	return true;
}

void
colj_stats_member(const ColjStatNode *parent, const char *key, uint32 len,
				  ColjStatNode *node)
{
	ColjValue	members;
	double		keys;

	if (!parent->known)
	{
		*node = *parent;
		return;
	}
	if (find(parent->stats->doc, &parent->value, COLJ_STAT_MEMBERS, &members) &&
		set_known(parent, &members, key, len, node))
	{
		node->share *= Min(node->count / parent->count, 1.0);
		return;
	}
	if (set_known(parent, &parent->value, COLJ_STAT_OTHERS, strlen(COLJ_STAT_OTHERS), node))
	{
		keys = Max(colj_stats_number(parent, COLJ_STAT_OTHER_KEYS), 1.0);
		node->share *= Min(node->count / keys / parent->count, 1.0);
		node->other = true;
		return;
	}
	set_unknown(parent, node);
}

/* The share of times that the value is an array of more than i elements. */
static double
longer_share(const ColjStatNode *node, int i)
{
	ColjIter	iter;
	ColjValue	value;
	double		share = 0;
	int			at = 0;

	if (!colj_stats_list(node, COLJ_STAT_LENGTHS, &iter))
		return 0;
	while (at <= i && colj_stats_next(&iter, &value))
	{
		share = colj_stats_double(node->stats->doc, &value) / node->count;
		at++;
	}
	return Min(share, 1.0);
}

void
colj_stats_element(const ColjStatNode *parent, int32 index, ColjStatNode *node)
{
	int			from_end = index < 0 ? -(index + 1) : index;

	colj_stats_any_element(parent, node);
	if (!node->known)
		return;
	node->share = parent->share * longer_share(parent, Min(from_end, COLJ_LENGTHS - 1));
}

void
colj_stats_any_element(const ColjStatNode *parent, ColjStatNode *node)
{
	if (!parent->known)
	{
		*node = *parent;
		return;
	}
	if (!set_known(parent, &parent->value, COLJ_STAT_ELEMENTS, strlen(COLJ_STAT_ELEMENTS), node))
	{
		set_unknown(parent, node);
		return;
	}
	node->share *= longer_share(parent, 0);
}

double
colj_stats_double(ColjDoc *doc, const ColjValue *value)
{
	const char *bytes;
	char	   *text;
	double		number = 0;

	if (value->kind == COLJ_INT)
		return (double) value->integer;
	if (value->kind == COLJ_DECIMAL)
		return (double) value->integer / pow(10, value->scale);
	if (value->kind != COLJ_BIGNUM || (bytes = colj_bytes(doc, value)) == NULL)
		return 0;
	text = colj_value_cstring(doc, value);
	number = strtod(text, NULL);
	pfree(text);
	return number;
}

double
colj_stats_number(const ColjStatNode *node, const char *name)
{
	ColjValue	value;

	if (!node->known || !find(node->stats->doc, &node->value, name, &value))
		return 0;
	return colj_stats_double(node->stats->doc, &value);
}

double
colj_stats_kind_share(const ColjStatNode *node, ColjKind kind)
{
	double		count;

	switch (kind)
	{
		case COLJ_NULL:
			count = colj_stats_number(node, COLJ_STAT_NULL);
			break;
		case COLJ_BOOL:
			count = colj_stats_number(node, COLJ_STAT_TRUE) +
				colj_stats_number(node, COLJ_STAT_FALSE);
			break;
		case COLJ_STRING:
			count = colj_stats_number(node, COLJ_STAT_STRING);
			break;
		case COLJ_ARRAY:
			count = colj_stats_number(node, COLJ_STAT_ARRAY);
			break;
		case COLJ_OBJECT:
			count = colj_stats_number(node, COLJ_STAT_OBJECT);
			break;
		default:
			count = colj_stats_number(node, COLJ_STAT_NUMBER);
	}
	return Min(count / node->count, 1.0);
}

bool
colj_stats_list(const ColjStatNode *node, const char *name, ColjIter *iter)
{
	ColjValue	list;

	return node->known && find(node->stats->doc, &node->value, name, &list) &&
		list.kind == COLJ_ARRAY &&
		colj_iter_open(node->stats->doc, &list, iter) == COLJ_OK;
}

bool
colj_stats_next(ColjIter *iter, ColjValue *value)
{
	return colj_iter_next(iter, NULL, value) == COLJ_OK;
}

bool
colj_stats_common_begin(const ColjStatNode *node, ColjCommon *common)
{
	common->doc = node->stats->doc;
	if (!colj_stats_list(node, COLJ_STAT_COMMON, &common->values) ||
		!colj_stats_list(node, COLJ_STAT_COMMON_COUNT, &common->counts))
		return false;
	common->has_rows = colj_stats_list(node, COLJ_STAT_COMMON_ROWS, &common->rows);
	return true;
}

bool
colj_stats_common_next(ColjCommon *common)
{
	ColjValue	number;

	if (!colj_stats_next(&common->values, &common->value) ||
		!colj_stats_next(&common->counts, &number))
		return false;
	common->count = colj_stats_double(common->doc, &number);
	common->nrows = common->count;
	if (common->has_rows && colj_stats_next(&common->rows, &number))
		common->nrows = colj_stats_double(common->doc, &number);
	return true;
}

double
colj_stats_distinct(const ColjStatNode *node, ColjKind kind)
{
	double		distinct = colj_stats_number(node, kind == COLJ_STRING ?
											 COLJ_STAT_DISTINCT_STRINGS : COLJ_STAT_DISTINCT_NUMBERS);

	if (distinct < 0)
		distinct = -distinct * node->stats->total_rows;
	return distinct;
}
