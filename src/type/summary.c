/*-------------------------------------------------------------------------
 *
 * summary.c
 *	  From what ANALYZE has gathered to a statistics document.
 *
 * For each path: the scalars that are clearly more common than the others,
 * how many distinct ones there are, and bounds of a histogram of the others,
 * numbers and strings apart.  The number of distinct values is estimated as
 * ANALYZE does for ordinary columns (the estimator of Haas and Stokes that
 * its source names): n d / (n - f1 + f1 n / N), where of n values sampled
 * from N, d are distinct, and f1 of these were seen once.
 *
 * When the document grows beyond its limit, all lists become shorter.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_collation.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/varlena.h"

#include "guc.h"
#include "type/collect.h"
#include "type/number.h"
#include "type/pathstats.h"
#include "type/value.h"

/* Lists are not made shorter than this. */
#define LIST_MIN 4

/* Above this share of the rows, distinct values are taken to grow with them. */
#define DISTINCT_GROWS 0.1

/* Decimal places of what is not whole. */
#define PLACES 6
#define PLACES_FACTOR 1e6

/* The scalars of one path while they are looked at. */
typedef struct Scalars
{
	const ColjSample *sample;
	ColjPathNode *node;
	ColjSeen  **list;
	int			n;
	double		distinct[2];	/* numbers, strings: how many there are */
} Scalars;

static bool
is_number(const ColjSeen *seen)
{
	return seen->kind == COLJ_INT || seen->kind == COLJ_DECIMAL || seen->kind == COLJ_BIGNUM;
}

static double
count_of_kind(const ColjPathNode *node, ColjKind kind)
{
	if (kind == COLJ_STRING)
		return node->kinds[COLJ_STRING];
	return node->kinds[COLJ_INT] + node->kinds[COLJ_DECIMAL] + node->kinds[COLJ_BIGNUM];
}

/* Have all documents of the table been looked at? */
static bool
complete(const ColjSample *sample)
{
	return sample->documents > sample->total - 0.5;
}

/* How many distinct numbers, or strings, the table has at the path. */
static double
estimate_distinct(Scalars *s, ColjKind kind)
{
	double		n = 0;
	double		d = 0;
	double		once = 0;
	double		all;

	for (int i = 0; i < s->n; i++)
	{
		ColjSeen   *seen = s->list[i];

		if (is_number(seen) != (kind != COLJ_STRING) || !colj_seen_sampled(s->node, seen))
			continue;
		n += seen->count;
		d++;
		once += seen->count == 1;
	}
	if (!complete(s->sample) && d > 0)
	{
		all = n * s->sample->total / s->sample->documents;
		d = Max(d, Min(all, n * d / ((n - once) + once * n / all)));
	}
	return floor(ldexp(d, s->node->level) + 0.5);
}

/*
 * A number of distinct values as pg_statistic has it, but that there may be
 * more of them than rows, in arrays.
 */
static double
scale_distinct(const ColjSample *sample, double distinct)
{
	if (distinct > sample->total_rows * DISTINCT_GROWS)
		return -distinct / sample->total_rows;
	return distinct;
}

/* Most frequent first; ties in some order that does not vary. */
static int
compare_frequency(const void *a, const void *b)
{
	const ColjSeen *x = *(ColjSeen *const *) a;
	const ColjSeen *y = *(ColjSeen *const *) b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (int) x->kind - (int) y->kind;
}

/*
 * Is a value seen count times common, where rest values of about so many
 * distinct ones, this among them, are left?  It must stand out from their
 * average by more than chance, and have been seen twice unless all was seen.
 */
static bool
stands_out(const Scalars *s, double count, double rest, double distinct)
{
	double		average = rest / Max(distinct, 1.0);

	if (complete(s->sample))
		return count > average * 1.25;
	return count > 1 && count > average + 2 * sqrt(average);
}

/* Do the most frequent n of the scalars hold all there are? */
static bool
list_is_all(const Scalars *s)
{
	double		distinct = s->distinct[0] + s->distinct[1];

	for (int i = 0; i < s->n; i++)
	{
		if (s->list[i]->cut)
			return false;
	}
	return s->node->level == 0 && s->n <= s->sample->target && distinct <= s->n;
}

/* Choose the most common scalars; moves them to the front of the list. */
static int
choose_common(Scalars *s)
{
	double		rest = s->node->kinds[COLJ_STRING] + count_of_kind(s->node, COLJ_INT);
	double		distinct = s->distinct[0] + s->distinct[1];
	bool		all = list_is_all(s);
	int			n;

	qsort(s->list, s->n, sizeof(ColjSeen *), compare_frequency);
	for (n = 0; n < s->n && n < s->sample->target; n++)
	{
		ColjSeen   *seen = s->list[n];

		if (!all && (seen->cut || !stands_out(s, seen->count, rest, distinct - n)))
			break;
		rest -= seen->count;
	}
	return n;
}

static double
number_value(const ColjSeen *seen)
{
	char	   *text;
	double		value;

	if (seen->kind != COLJ_BIGNUM)
		return (double) seen->integer / pow(10, seen->scale);
	text = colj_bignum_to_text((const uint8_t *) seen->bytes, seen->len);
	value = text != NULL ? strtod(text, NULL) : 0;
	if (text != NULL)
		pfree(text);
	return value;
}

/* Compare two numbers; what differs by less than a double's precision is alike. */
static int
compare_numbers(const void *a, const void *b)
{
	double		x = number_value(*(ColjSeen *const *) a);
	double		y = number_value(*(ColjSeen *const *) b);

	return (x > y) - (x < y);
}

static int
shown_len(const ColjSeen *seen, int limit)
{
	int			len = seen->cut ? COLJ_SEEN_CUT : (int) seen->len;

	return len <= limit && !seen->cut ? len : pg_mbcliplen(seen->bytes, len, limit);
}

static int
compare_strings(const void *a, const void *b)
{
	const ColjSeen *x = *(ColjSeen *const *) a;
	const ColjSeen *y = *(ColjSeen *const *) b;

	return varstr_cmp(x->bytes, shown_len(x, COLJ_SEEN_WHOLE),
					  y->bytes, shown_len(y, COLJ_SEEN_WHOLE), DEFAULT_COLLATION_OID);
}

/*
 * Bounds of a histogram over sorted scalars, each weighed by its count: the
 * values that stand at equal distances, the first and the last among them.
 */
static ColjSeen **
choose_bounds(ColjSeen **sorted, int n, int max, int *nbounds)
{
	ColjSeen  **bounds;
	double		total = 0;
	double		passed = 0;
	int			at = 0;

	for (int i = 0; i < n; i++)
		total += sorted[i]->count;
	*nbounds = (int) Min(max, total);
	if (*nbounds < 2)
	{
		*nbounds = 0;
		return NULL;
	}
	bounds = palloc(sizeof(ColjSeen *) * *nbounds);
	for (int i = 0; i < *nbounds; i++)
	{
		double		wanted = (total - 1) * i / (*nbounds - 1);

		while (at < n - 1 && passed + sorted[at]->count <= wanted)
			passed += sorted[at++]->count;
		bounds[i] = sorted[at];
	}
	return bounds;
}

/* The histogram of the numbers, or strings, that are not common. */
static ColjSeen **
make_histogram(const Scalars *s, ColjKind kind, int *nbounds)
{
	ColjSeen  **others = palloc(sizeof(ColjSeen *) * (s->n + 1));
	ColjSeen  **bounds;
	int			n = 0;

	for (int i = s->node->summary.ncommon; i < s->n; i++)
	{
		if (is_number(s->list[i]) == (kind != COLJ_STRING) &&
			colj_seen_sampled(s->node, s->list[i]))
			others[n++] = s->list[i];
	}
	qsort(others, n, sizeof(ColjSeen *), kind == COLJ_STRING ? compare_strings : compare_numbers);
	bounds = choose_bounds(others, n, s->sample->target + 1, nbounds);
	pfree(others);
	return bounds;
}

/* Numbers and strings seen at a path; booleans are counted as kinds. */
static ColjSeen **
list_scalars(const ColjPathNode *node, int *n)
{
	int			all;
	ColjSeen  **list = colj_collect_list(node, &all);

	*n = 0;
	for (int i = 0; i < all; i++)
	{
		if (list[i]->kind != COLJ_BOOL)
			list[(*n)++] = list[i];
	}
	return list;
}

static void
summarize_node(const ColjSample *sample, ColjPathNode *node)
{
	ColjSummary *summary = &node->summary;
	Scalars		s = {.sample = sample, .node = node};

	s.list = list_scalars(node, &s.n);
	if (s.n == 0)
		return;
	s.distinct[0] = estimate_distinct(&s, COLJ_INT);
	s.distinct[1] = estimate_distinct(&s, COLJ_STRING);
	summary->distinct_numbers = scale_distinct(sample, s.distinct[0]);
	summary->distinct_strings = scale_distinct(sample, s.distinct[1]);
	summary->common = s.list;
	summary->ncommon = choose_common(&s);
	summary->numbers = make_histogram(&s, COLJ_INT, &summary->nnumbers);
	summary->strings = make_histogram(&s, COLJ_STRING, &summary->nstrings);
}

static void
summarize(const ColjSample *sample, ColjPathNode *node)
{
	CHECK_FOR_INTERRUPTS();
	summarize_node(sample, node);
	for (ColjPathNode *member = node->first; member != NULL; member = member->next)
		summarize(sample, member);
	if (node->others != NULL)
		summarize(sample, node->others);
	if (node->elements != NULL)
		summarize(sample, node->elements);
}

/* Writing: the builder, and how many entries a list may have. */
typedef struct Writer
{
	ColjBuilder *b;
	int			max;
} Writer;

static void
put_key(Writer *w, const char *name)
{
	colj_builder_key(w->b, name, strlen(name));
}

/* A whole number, unless it is zero. */
static void
put_count(Writer *w, const char *name, double count)
{
	if (count <= 0)
		return;
	put_key(w, name);
	colj_builder_int(w->b, (int64) count);
}

/* A number with some places, unless it is zero. */
static void
put_decimal(Writer *w, const char *name, double value)
{
	if (value == 0)
		return;
	put_key(w, name);
	if (value == floor(value))
		colj_builder_int(w->b, (int64) value);
	else
		colj_builder_decimal(w->b, (int64) rint(value * PLACES_FACTOR), PLACES);
}

static void
put_scalar(Writer *w, const ColjSeen *seen, int limit)
{
	if (seen->kind == COLJ_STRING)
		colj_builder_string(w->b, seen->bytes, shown_len(seen, limit));
	else if (seen->kind == COLJ_BIGNUM)
		colj_builder_bignum(w->b, (const uint8_t *) seen->bytes, seen->len);
	else
		colj_builder_decimal(w->b, seen->integer, seen->scale);
}

/* n bounds, or as many of them as fit, at equal distances. */
static void
put_bounds(Writer *w, const char *name, ColjSeen **bounds, int n)
{
	int			shown = Min(n, w->max + 1);

	if (n < 2)
		return;
	put_key(w, name);
	colj_builder_begin_array(w->b);
	for (int i = 0; i < shown; i++)
		put_scalar(w, bounds[(int64) i * (n - 1) / (shown - 1)], COLJ_SEEN_CUT);
	colj_builder_end(w->b);
}

static void
put_common_counts(Writer *w, const char *name, const ColjSummary *summary, bool rows)
{
	put_key(w, name);
	colj_builder_begin_array(w->b);
	for (int i = 0; i < Min(summary->ncommon, w->max); i++)
		colj_builder_int(w->b, rows ? summary->common[i]->rows : summary->common[i]->count);
	colj_builder_end(w->b);
}

static void
put_common(Writer *w, const ColjPathNode *node)
{
	const ColjSummary *summary = &node->summary;

	if (summary->ncommon == 0)
		return;
	put_key(w, COLJ_STAT_COMMON);
	colj_builder_begin_array(w->b);
	for (int i = 0; i < Min(summary->ncommon, w->max); i++)
		put_scalar(w, summary->common[i], COLJ_SEEN_WHOLE);
	colj_builder_end(w->b);
	put_common_counts(w, COLJ_STAT_COMMON_COUNT, summary, false);
	if (node->repeated)
		put_common_counts(w, COLJ_STAT_COMMON_ROWS, summary, true);
}

static void
put_kinds(Writer *w, const ColjPathNode *node)
{
	double		trues = 0;
	int			n;
	ColjSeen  **list;

	if (node->kinds[COLJ_BOOL] > 0)
	{
		list = colj_collect_list(node, &n);
		for (int i = 0; i < n; i++)
		{
			if (list[i]->kind == COLJ_BOOL && list[i]->integer)
				trues = list[i]->count;
		}
		pfree(list);
	}
	put_count(w, COLJ_STAT_NULL, node->kinds[COLJ_NULL]);
	put_count(w, COLJ_STAT_FALSE, node->kinds[COLJ_BOOL] - trues);
	put_count(w, COLJ_STAT_TRUE, trues);
	put_count(w, COLJ_STAT_NUMBER, count_of_kind(node, COLJ_INT));
	put_count(w, COLJ_STAT_STRING, node->kinds[COLJ_STRING]);
	put_count(w, COLJ_STAT_ARRAY, node->kinds[COLJ_ARRAY]);
	put_count(w, COLJ_STAT_OBJECT, node->kinds[COLJ_OBJECT]);
}

static void
put_lengths(Writer *w, const ColjPathNode *node)
{
	if (node->lengths[0] == 0)
		return;
	put_key(w, COLJ_STAT_LENGTHS);
	colj_builder_begin_array(w->b);
	for (int i = 0; i < COLJ_LENGTHS; i++)
		colj_builder_int(w->b, (int64) node->lengths[i]);
	colj_builder_end(w->b);
}

static void
put_scalars(Writer *w, const ColjPathNode *node)
{
	double		scalars = count_of_kind(node, COLJ_INT) + node->kinds[COLJ_STRING] +
	node->kinds[COLJ_BOOL];

	if (scalars == 0)
		return;
	put_count(w, COLJ_STAT_WIDTH, rint(node->width / scalars));
	put_decimal(w, COLJ_STAT_DISTINCT_NUMBERS, node->summary.distinct_numbers);
	put_decimal(w, COLJ_STAT_DISTINCT_STRINGS, node->summary.distinct_strings);
	put_common(w, node);
	put_bounds(w, COLJ_STAT_NUMBER_BOUNDS, node->summary.numbers, node->summary.nnumbers);
	put_bounds(w, COLJ_STAT_STRING_BOUNDS, node->summary.strings, node->summary.nstrings);
}

static void put_node(Writer *w, ColjPathNode *node);

static void
put_members(Writer *w, ColjPathNode *node)
{
	if (node->first == NULL)
		return;
	put_key(w, COLJ_STAT_MEMBERS);
	colj_builder_begin_object(w->b);
	for (ColjPathNode *member = node->first; member != NULL; member = member->next)
	{
		colj_builder_key(w->b, member->key, member->key_len);
		put_node(w, member);
	}
	colj_builder_end(w->b);
}

static void
put_node(Writer *w, ColjPathNode *node)
{
	colj_builder_begin_object(w->b);
	put_count(w, COLJ_STAT_COUNT, node->count);
	if (node->repeated)
		put_count(w, COLJ_STAT_ROWS, node->rows);
	put_kinds(w, node);
	put_scalars(w, node);
	put_lengths(w, node);
	put_members(w, node);
	if (node->others != NULL)
	{
		put_key(w, COLJ_STAT_OTHERS);
		put_node(w, node->others);
		if (node->other_keys != NULL)
			put_count(w, COLJ_STAT_OTHER_KEYS, Max(1, rint(estimateHyperLogLog(node->other_keys))));
	}
	if (node->elements != NULL)
	{
		put_key(w, COLJ_STAT_ELEMENTS);
		put_node(w, node->elements);
	}
	colj_builder_end(w->b);
}

Datum
colj_collect_summary(ColjCollection *c, const ColjSample *sample)
{
	Writer		w = {NULL, sample->target};
	uint32_t	size;

	summarize(sample, c->root);
	for (;;)
	{
		w.b = colj_builder_acquire();
		put_node(&w, c->root);
		colj_ensure(colj_builder_finish(w.b, colj_offset_stride, &size), NULL);
		if (size <= sample->size_limit || w.max <= LIST_MIN)
			break;
		w.max = Max(LIST_MIN, Min(w.max * 3 / 4, (int) ((double) w.max * sample->size_limit / size)));
	}
	return colj_builder_datum(w.b);
}
