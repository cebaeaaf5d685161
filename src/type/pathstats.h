/*-------------------------------------------------------------------------
 *
 * pathstats.h
 *	  Statistics on the paths of a colj column: where they are, what they say.
 *
 * ANALYZE stores them in a slot of the column's row in pg_statistic, of a kind
 * of our own.  Its numbers are
 *
 *		[0] how many rows the table had, [1] how many documents were looked at
 *
 * and its values are one colj document, which has the shape of the documents
 * it describes, so that what is known of a path is found by a few key
 * lookups.  A node describes one path:
 *
 *		count				times it was seen (at the root: documents)
 *		rows				rows that had it, if it may occur several times
 *		null, false, true, number, string, array, object
 *							how often the value was of that kind, if ever
 *		width				average bytes of a scalar's text
 *		distinct_numbers, distinct_strings
 *							how many: below zero, for one row of the table
 *		common				most common scalars, most frequent first
 *		common_count		how often they were seen
 *		common_rows			rows that had them, if "rows" is there
 *		number_bounds, string_bounds
 *							bounds of histograms of equal height of the scalars
 *							that are not common; long strings are cut
 *		lengths				[i]: arrays with more than i elements
 *		members				object: a node for each key that was kept
 *		others				object: a node for a member by any other key
 *		other_keys			how many such keys there are, in what was seen
 *		elements			array: a node for any element
 *
 * Whatever cannot be read as that counts as not known; statistics never raise
 * an error.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PATHSTATS_H
#define COLJ_PATHSTATS_H

#include "access/htup.h"

#include "type/document.h"

/* In the range that pg_statistic.h leaves to private use. */
#define COLJ_STATISTIC_KIND 21974

/* The slot's numbers. */
#define COLJ_STATISTIC_ROWS 0
#define COLJ_STATISTIC_DOCUMENTS 1
#define COLJ_STATISTIC_NUMBERS 2

/* Names of a node's members. */
#define COLJ_STAT_COUNT "count"
#define COLJ_STAT_ROWS "rows"
#define COLJ_STAT_NULL "null"
#define COLJ_STAT_FALSE "false"
#define COLJ_STAT_TRUE "true"
#define COLJ_STAT_NUMBER "number"
#define COLJ_STAT_STRING "string"
#define COLJ_STAT_ARRAY "array"
#define COLJ_STAT_OBJECT "object"
#define COLJ_STAT_WIDTH "width"
#define COLJ_STAT_DISTINCT_NUMBERS "distinct_numbers"
#define COLJ_STAT_DISTINCT_STRINGS "distinct_strings"
#define COLJ_STAT_COMMON "common"
#define COLJ_STAT_COMMON_COUNT "common_count"
#define COLJ_STAT_COMMON_ROWS "common_rows"
#define COLJ_STAT_NUMBER_BOUNDS "number_bounds"
#define COLJ_STAT_STRING_BOUNDS "string_bounds"
#define COLJ_STAT_LENGTHS "lengths"
#define COLJ_STAT_MEMBERS "members"
#define COLJ_STAT_OTHERS "others"
#define COLJ_STAT_OTHER_KEYS "other_keys"
#define COLJ_STAT_ELEMENTS "elements"

/* The statistics of one column, or of an expression over one. */
typedef struct ColjStats
{
	ColjDoc		local;
	ColjDoc    *doc;
	double		total_rows;		/* rows of the table when it was analyzed */
	double		documents;		/* that were looked at */
	double		not_null;		/* share of the rows that have a document */
} ColjStats;

/* What is known of one path. */
typedef struct ColjStatNode
{
	ColjStats  *stats;
	bool		known;			/* else the path was never seen */
	ColjValue	value;			/* the node in the statistics document */
	double		count;			/* its count */
	double		share;			/* share of the table's rows that have the
								 * path */
	bool		other;			/* stands for a key that was not kept */
} ColjStatNode;

/*
 * Find the statistics in a row of pg_statistic; false when there are none.
 * They are valid as long as the tuple, and until the next call that opens
 * other statistics from a syscache.
 */
extern bool colj_stats_open(ColjStats *stats, HeapTuple tuple);

/* The same by parts: see statcache.c. */
extern bool colj_stats_find(HeapTuple tuple, double *numbers, Datum *document);

extern void colj_stats_root(ColjStats *stats, ColjStatNode *root);

/*
 * One step down: a member by its key; an element by its index, negative ones
 * from the end.  The result may be a node that is not known: then its share
 * is what can be assumed of a path that was never seen.
 */
extern void colj_stats_member(const ColjStatNode *parent, const char *key, uint32 len,
							  ColjStatNode *node);
extern void colj_stats_element(const ColjStatNode *parent, int32 index, ColjStatNode *node);

/* Any element: share is that of rows with at least one. */
extern void colj_stats_any_element(const ColjStatNode *parent, ColjStatNode *node);

/* A number in a node, or 0 when it is not there. */
extern double colj_stats_number(const ColjStatNode *node, const char *name);

/* How often the value at a path is of a kind, of the times that it is there. */
extern double colj_stats_kind_share(const ColjStatNode *node, ColjKind kind);

/* An array in a node opened for iteration; false when it is not there. */
extern bool colj_stats_list(const ColjStatNode *node, const char *name, ColjIter *iter);

/* The next of it; false at the end. */
extern bool colj_stats_next(ColjIter *iter, ColjValue *value);

/* A value in a statistics document as a double. */
extern double colj_stats_double(ColjDoc *doc, const ColjValue *value);

/* Going through the common scalars of a path. */
typedef struct ColjCommon
{
	ColjDoc    *doc;
	ColjIter	values;
	ColjIter	counts;
	ColjIter	rows;
	bool		has_rows;
	ColjValue	value;			/* the current one, */
	double		count;			/* how often it was seen */
	double		nrows;			/* and in how many rows */
} ColjCommon;

extern bool colj_stats_common_begin(const ColjStatNode *node, ColjCommon *common);
extern bool colj_stats_common_next(ColjCommon *common);

/*
 * Distinct numbers or strings (kind COLJ_INT or COLJ_STRING) at a path, in the
 * whole table.
 */
extern double colj_stats_distinct(const ColjStatNode *node, ColjKind kind);

#endif							/* COLJ_PATHSTATS_H */
