/*-------------------------------------------------------------------------
 *
 * derive.c
 *	  Statistics on an expression, from those on the paths of its column.
 *
 * The most common scalars of the path become a list of most common values, the
 * two histograms of the others become one.  Scalars that the expression's type
 * does not have (those whose text is no integer, for a cast to integer) count
 * as NULL: no row that is found can have them.  Objects and arrays have no
 * values in the statistics, only a share; as texts they all begin alike, and
 * that beginning stands for them among the common values.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "type/derive.h"
#include "type/statvalue.h"
#include "type/value.h"

/* Above this share of the rows, distinct values are taken to grow with them. */
#define DISTINCT_GROWS 0.1

/* A value with the share of rows that have it, or that it stands for. */
typedef struct Weighted
{
	Datum		value;
	double		weight;
} Weighted;

typedef struct WeightedList
{
	Weighted   *items;
	int			n;
	int			room;
} WeightedList;

/* What is on the way from a node to a row of pg_statistic. */
typedef struct Derivation
{
	ColjStatNode node;
	ColjTarget	target;
	double		unit;			/* share of rows for one time that the path
								 * was seen */
	WeightedList common;
	WeightedList others;
	double		distinct;
	double		not_null;
} Derivation;

void
colj_stats_follow(ColjStats *stats, const ColjChain *chain, ColjStatNode *node)
{
	colj_stats_root(stats, node);
	for (int i = 0; i < chain->n; i++)
	{
		const ColjStep *step = &chain->steps[i];
		ColjStatNode parent = *node;
		bool		array = step->key == NULL;

		/* where a step may be both, what the document mostly is decides */
		if (step->key != NULL && step->indexed)
			array = colj_stats_kind_share(&parent, COLJ_ARRAY) >
				colj_stats_kind_share(&parent, COLJ_OBJECT);
		if (array)
			colj_stats_element(&parent, step->index, node);
		else
			colj_stats_member(&parent, step->key, step->len, node);
	}
}

static void
add(WeightedList *list, Datum value, double weight)
{
	if (list->n == list->room)
	{
		list->room = list->room * 2 + 64;
		list->items = list->items == NULL ? palloc(sizeof(Weighted) * list->room) :
			repalloc(list->items, sizeof(Weighted) * list->room);
	}
	list->items[list->n].value = value;
	list->items[list->n].weight = weight;
	list->n++;
}

static bool
add_scalar(Derivation *d, WeightedList *list, const ColjValue *scalar, double weight)
{
	Datum		value;

	if (weight <= 0 || !colj_target_value(&d->target, d->node.stats->doc, scalar, &value))
		return false;
	add(list, value, weight);
	return true;
}

/* Booleans, and the JSON null, have counts of their own. */
static void
add_literals(Derivation *d)
{
	static const struct
	{
		const char *name;
		ColjKind	kind;
		int64		value;
	}			literals[] = {
		{COLJ_STAT_FALSE, COLJ_BOOL, 0},
		{COLJ_STAT_TRUE, COLJ_BOOL, 1},
		{COLJ_STAT_NULL, COLJ_NULL, 0},
	};

	for (int i = 0; i < (int) lengthof(literals); i++)
	{
		ColjValue	scalar = {.kind = literals[i].kind, .integer = literals[i].value};
		double		count = colj_stats_number(&d->node, literals[i].name);

		if (literals[i].kind == COLJ_NULL && d->target.result != COLJ_CHAIN_COLJ)
			continue;
		if (d->target.result == COLJ_CHAIN_COLJ)
		{
			if (count > 0)
				add(&d->common, colj_from_text(literals[i].name, strlen(literals[i].name)),
					count * d->unit);
		}
		else
			add_scalar(d, &d->common, &scalar, count * d->unit);
		d->distinct += count > 0;
	}
}

/* The common scalars; takes their counts off those of their kinds. */
static void
add_common(Derivation *d, double *numbers, double *strings)
{
	ColjCommon	common;

	if (!colj_stats_common_begin(&d->node, &common))
		return;
	while (colj_stats_common_next(&common))
	{
		double	   *rest = common.value.kind == COLJ_STRING ? strings : numbers;

		*rest = Max(*rest - common.count, 0);
		add_scalar(d, &d->common, &common.value, common.count * d->unit);
	}
}

/*
 * The histogram of one kind of scalars, which are `rest` ones.  Returns the
 * share of its bounds that the expression's type has.
 */
static double
add_bounds(Derivation *d, const char *name, double rest)
{
	ColjIter	iter;
	ColjValue	bound;
	int			first = d->others.n;
	int			n = 0;

	if (!colj_stats_list(&d->node, name, &iter))
		return 1;
	while (colj_stats_next(&iter, &bound))
	{
		n++;
		add_scalar(d, &d->others, &bound, 1);
	}
	for (int i = first; i < d->others.n; i++)
		d->others.items[i].weight = rest * d->unit / n;
	return n > 0 ? (double) (d->others.n - first) / n : 1;
}

/* Objects and arrays: nothing of them is known but that they are there. */
static double
add_containers(Derivation *d)
{
	static const struct
	{
		ColjKind	kind;
		const char *text;
	}			containers[] = {{COLJ_ARRAY, "["}, {COLJ_OBJECT, "{"}};
	double		sum = 0;

	if (d->target.result != COLJ_CHAIN_TEXT && d->target.result != COLJ_CHAIN_COLJ)
		return 0;
	for (int i = 0; i < (int) lengthof(containers); i++)
	{
		double		share = colj_stats_kind_share(&d->node, containers[i].kind) * d->node.share;

		sum += share;
		if (share > 0 && d->target.result == COLJ_CHAIN_TEXT)
			add(&d->common, CStringGetTextDatum(containers[i].text), share);
	}
	return sum;
}

static double
sum_weights(const WeightedList *list)
{
	double		sum = 0;

	for (int i = 0; i < list->n; i++)
		sum += list->items[i].weight;
	return sum;
}

/* Bring values, shares and distinct values together. */
static void
collect(Derivation *d)
{
	double		numbers = colj_stats_number(&d->node, COLJ_STAT_NUMBER);
	double		strings = colj_stats_number(&d->node, COLJ_STAT_STRING);
	double		number_part;
	double		string_part;
	double		containers;

	if (!d->node.known)
	{
		d->not_null = d->node.share;
		d->distinct = 1;
		return;
	}
	d->unit = d->node.share / d->node.count;
	add_literals(d);
	add_common(d, &numbers, &strings);
	d->not_null = sum_weights(&d->common);
	number_part = add_bounds(d, COLJ_STAT_NUMBER_BOUNDS, numbers);
	string_part = add_bounds(d, COLJ_STAT_STRING_BOUNDS, strings);
	containers = add_containers(d);
	d->not_null += (numbers * number_part + strings * string_part) * d->unit + containers;
	d->distinct += colj_stats_distinct(&d->node, COLJ_INT) * number_part +
		colj_stats_distinct(&d->node, COLJ_STRING) * string_part +
		containers * d->node.stats->total_rows;
	d->distinct = Min(d->distinct, Max(d->not_null * d->node.stats->total_rows, 1));
}

static int
compare_values(const void *a, const void *b, void *arg)
{
	ColjTarget *target = arg;

	return DatumGetInt32(FunctionCall2Coll(target->compare, target->collation,
										   ((const Weighted *) a)->value,
										   ((const Weighted *) b)->value));
}

static int
compare_weights(const void *a, const void *b)
{
	double		x = ((const Weighted *) a)->weight;
	double		y = ((const Weighted *) b)->weight;

	return (x < y) - (x > y);
}

/* Values that are equal in the expression's type become one. */
static void
unite_equals(WeightedList *list, ColjTarget *target)
{
	int			n = 0;

	qsort_arg(list->items, list->n, sizeof(Weighted), compare_values, target);
	for (int i = 0; i < list->n; i++)
	{
		if (n > 0 && compare_values(&list->items[n - 1], &list->items[i], target) == 0)
			list->items[n - 1].weight += list->items[i].weight;
		else
			list->items[n++] = list->items[i];
	}
	list->n = n;
}

/*
 * Two histograms, sorted into one another, as one of equal height: at equal
 * distances of the weights summed up, with the first and the last value.
 */
static void
level_heights(WeightedList *list, ColjTarget *target)
{
	double		total = sum_weights(list);
	double		passed = 0;
	Weighted   *level = palloc(sizeof(Weighted) * Max(list->n, 1));
	int			at = 0;

	qsort_arg(list->items, list->n, sizeof(Weighted), compare_values, target);
	for (int i = 0; i < list->n; i++)
	{
		double		wanted = total * (i + 0.5) / list->n;

		while (at < list->n - 1 && passed + list->items[at].weight <= wanted)
			passed += list->items[at++].weight;
		level[i] = list->items[at];
	}
	if (list->n > 0)
	{
		level[0] = list->items[0];
		level[list->n - 1] = list->items[list->n - 1];
	}
	list->items = level;
}

static Datum
make_array(const WeightedList *list, const ColjTarget *target)
{
	Datum	   *values = palloc(sizeof(Datum) * list->n);

	for (int i = 0; i < list->n; i++)
		values[i] = list->items[i].value;
	return PointerGetDatum(construct_array(values, list->n, target->type, target->len,
										   target->byval, target->align));
}

static Datum
make_numbers(const double *numbers, int n)
{
	Datum	   *values = palloc(sizeof(Datum) * n);

	for (int i = 0; i < n; i++)
		values[i] = Float4GetDatum((float4) numbers[i]);
	return PointerGetDatum(construct_array(values, n, FLOAT4OID, sizeof(float4), true,
										   TYPALIGN_INT));
}

/* A row of pg_statistic while it is filled. */
typedef struct Row
{
	Datum		values[Natts_pg_statistic];
	bool		nulls[Natts_pg_statistic];
	int			slots;
} Row;

/* Fill the next slot; numbers may be 0. */
static void
put_slot(Row *row, int16 kind, Oid operator, Oid collation, Datum numbers, Datum values)
{
	int			slot = row->slots++;

	row->values[Anum_pg_statistic_stakind1 - 1 + slot] = Int16GetDatum(kind);
	row->values[Anum_pg_statistic_staop1 - 1 + slot] = ObjectIdGetDatum(operator);
	row->values[Anum_pg_statistic_stacoll1 - 1 + slot] = ObjectIdGetDatum(collation);
	row->values[Anum_pg_statistic_stanumbers1 - 1 + slot] = numbers;
	row->nulls[Anum_pg_statistic_stanumbers1 - 1 + slot] = numbers == (Datum) 0;
	row->values[Anum_pg_statistic_stavalues1 - 1 + slot] = values;
	row->nulls[Anum_pg_statistic_stavalues1 - 1 + slot] = false;
}

static void
put_common(Row *row, Derivation *d)
{
	double	   *shares;

	if (d->common.n == 0)
		return;
	unite_equals(&d->common, &d->target);
	qsort(d->common.items, d->common.n, sizeof(Weighted), compare_weights);
	shares = palloc(sizeof(double) * d->common.n);
	for (int i = 0; i < d->common.n; i++)
		shares[i] = d->common.items[i].weight;
	put_slot(row, STATISTIC_KIND_MCV, d->target.eq_operator, d->target.collation,
			 make_numbers(shares, d->common.n), make_array(&d->common, &d->target));
}

static void
put_histogram(Row *row, Derivation *d)
{
	if (d->others.n < 2)
		return;
	level_heights(&d->others, &d->target);
	put_slot(row, STATISTIC_KIND_HISTOGRAM, d->target.lt_operator, d->target.collation,
			 (Datum) 0, make_array(&d->others, &d->target));
}

/* Below a colj there may be further paths: the node is a statistics document. */
static void
put_paths(Row *row, Derivation *d)
{
	double		numbers[COLJ_STATISTIC_NUMBERS];
	WeightedList list = {NULL, 0, 0};

	if (d->target.result != COLJ_CHAIN_COLJ || !d->node.known)
		return;
	numbers[COLJ_STATISTIC_ROWS] = d->node.stats->total_rows;
	numbers[COLJ_STATISTIC_DOCUMENTS] = d->node.stats->documents;
	add(&list, colj_value_datum(d->node.stats->doc, &d->node.value), 0);
	put_slot(row, COLJ_STATISTIC_KIND, InvalidOid, InvalidOid,
			 make_numbers(numbers, COLJ_STATISTIC_NUMBERS), make_array(&list, &d->target));
}

static int32
value_width(const Derivation *d)
{
	if (d->target.len > 0)
		return d->target.len;
	return (int32) colj_stats_number(&d->node, COLJ_STAT_WIDTH) + VARHDRSZ_SHORT;
}

static float4
scaled_distinct(const Derivation *d)
{
	double		rows = d->node.stats->total_rows;

	if (d->distinct > rows * DISTINCT_GROWS)
		return (float4) -Min(d->distinct / rows, 1.0);
	return (float4) Max(d->distinct, 1.0);
}

static void
fill_row(Row *row, Derivation *d, Form_pg_statistic column)
{
	memset(row->values, 0, sizeof(row->values));
	memset(row->nulls, 0, sizeof(row->nulls));
	for (int i = Anum_pg_statistic_stanumbers1 - 1; i < Natts_pg_statistic; i++)
		row->nulls[i] = true;
	row->slots = 0;
	row->values[Anum_pg_statistic_starelid - 1] = ObjectIdGetDatum(column->starelid);
	row->values[Anum_pg_statistic_staattnum - 1] = Int16GetDatum(column->staattnum);
	row->values[Anum_pg_statistic_stainherit - 1] = BoolGetDatum(column->stainherit);
	row->values[Anum_pg_statistic_stanullfrac - 1] =
		Float4GetDatum((float4) Max(1.0 - d->not_null, 0.0));
	row->values[Anum_pg_statistic_stawidth - 1] = Int32GetDatum(value_width(d));
	row->values[Anum_pg_statistic_stadistinct - 1] = Float4GetDatum(scaled_distinct(d));
	put_common(row, d);
	put_histogram(row, d);
	put_paths(row, d);
}

static HeapTuple
form_row(Row *row)
{
	Relation	catalog = table_open(StatisticRelationId, AccessShareLock);
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(catalog), row->values, row->nulls);

	table_close(catalog, AccessShareLock);
	return tuple;
}

HeapTuple
colj_derive_statistics(HeapTuple column, const ColjChain *chain)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "colj derived statistics",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Derivation *d = palloc0(sizeof(Derivation));
	ColjStats	stats;
	HeapTuple	tuple = NULL;
	Row			row;

	if (colj_stats_open(&stats, column) && colj_target_init(&d->target, chain))
	{
		colj_stats_follow(&stats, chain, &d->node);
		collect(d);
		fill_row(&row, d, (Form_pg_statistic) GETSTRUCT(column));
		tuple = form_row(&row);
		MemoryContextSwitchTo(old);
		tuple = heap_copytuple(tuple);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return tuple;
}
