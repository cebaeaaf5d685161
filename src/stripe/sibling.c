/*-------------------------------------------------------------------------
 *
 * sibling.c
 *	  Strings that contain what another path of the same row says.
 *
 * Documents repeat themselves: a URL holds the login that stands beside it, two
 * URLs lead to the same picture, id_str is id.  Where a sample of the first
 * vector shows that many of a path's strings contain another path's text, or what
 * is left of that without some bytes at its ends (match.c), this is cut out of them
 * (cut.c), provided that the first vector gets clearly shorter by it.
 *
 * A path that refers to a sibling is no sibling to others, so that reading one
 * vector never takes more than one other.  Hence the paths that most others
 * contain are chosen first.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/match.h"

#include <string.h>

#include "stripe/memory.h"

/* Thousandths of a path's cost that are worth a thought. */
#define SHARE_MIN 125

/* A string path and another that it could refer to. */
typedef struct Pair
{
	ColjTexts  *string;
	ColjTexts  *other;
	uint64_t	gain;			/* stored bytes of the first vector, about; 0
								 * when it is out of the question */
} Pair;

/* The pairs that are worth a thought; returns how many. */
static uint32_t
list_pairs(ColjSearch *search, Pair *pairs)
{
	uint32_t	n = 0;

	for (uint32_t s = 0; s < search->n; s++)
		for (uint32_t o = 0; o < search->n; o++)
		{
			uint32_t	share = colj_share_saved(search, s, o);

			if (share < SHARE_MIN)
				continue;
			if (pairs != NULL)
				pairs[n] = (Pair){&search->texts[s], &search->texts[o], share};
			n++;
		}
	return n;
}

/* Where a string has most of another path's text. */
typedef struct Hit
{
	bool		whole_front;	/* all of the text up to the anchor */
	uint32_t	len;			/* of the text */
	uint32_t	tail;			/* bytes at its end that are not in the string */
} Hit;

static bool
find_hit(const char *string, uint32_t len, const ColjTexts *other, Hit *hit)
{
	uint32_t	best = 0;

	if (other->len < other->anchor + COLJ_ANCHOR)
		return false;
	for (uint32_t at = 0; at + COLJ_ANCHOR <= len && at < COLJ_SEARCH_BYTES; at++)
	{
		uint32_t	before;
		uint32_t	got;

		if (!colj_anchor_at(string + at, other))
			continue;
		got = colj_match_length(string, len, at, other, &before);
		if (got <= best)
			continue;
		best = got;
		*hit = (Hit){before == other->anchor, other->len, other->len - other->anchor - (got - before)};
	}
	return best > 0;
}

/* Collect hits in the first values of a string path; returns how many. */
static uint32_t
collect_hits(const Pair *pair, Hit *hits)
{
	const ColjColumn *column = &pair->string->path->column;
	const ColjColumn *other = &pair->other->path->column;
	uint32_t	value = 0;
	uint32_t	other_value = 0;
	uint32_t	n = 0;

	for (uint32_t row = 0; row < column->rows && value < 2 * COLJ_SAMPLE_VALUES; row++)
	{
		const char *string;
		uint32_t	len;
		bool		has_value = column->presence[row] == COLJ_IS_VALUE;
		bool		has_other = other->presence[row] == COLJ_IS_VALUE;

		if (has_value && has_other)
		{
			colj_column_text(column, value, NULL, &string, &len);
			colj_column_text(other, other_value, pair->other->number, &pair->other->text, &pair->other->len);
			n += find_hit(string, len, pair->other, &hits[n]);
		}
		value += has_value;
		other_value += has_other;
	}
	return n;
}

/* Bytes that are saved when a text loses `front` and `back` bytes. */
static uint64_t
count_saved(const Hit *hits, uint32_t n, uint32_t front, uint32_t back)
{
	uint64_t	saved = 0;

	for (uint32_t i = 0; i < n; i++)
		if ((front > 0 || hits[i].whole_front) && hits[i].tail <= back && hits[i].len > front + back)
			saved += hits[i].len - front - back;
	return saved;
}

/* Choose what the sibling's texts are to lose, if anything. */
static bool
choose_losses(const Pair *pair, ColjWritePath *path)
{
	Hit			hits[2 * COLJ_SAMPLE_VALUES];
	uint32_t	n = collect_hits(pair, hits);
	uint64_t	most = count_saved(hits, n, 0, 0);

	path->front = path->back = 0;
	for (uint32_t i = 0; i < n; i++)
		for (int whole = 1; whole >= 0; whole--)
		{
			uint32_t	front = whole ? 0 : pair->other->anchor;
			uint64_t	saved = count_saved(hits, n, front, hits[i].tail);

			if (saved <= most)
				continue;
			most = saved;
			path->front = front;
			path->back = hits[i].tail;
		}
	return most > 0;
}

/* Store the path's first vector with a sibling (or COLJ_NO_PATH). */
static bool
store_first(ColjSearch *search, ColjWritePath *path, uint32_t sibling, ColjSink *out)
{
	ColjStoring storing;

	path->entry.info.sibling = sibling;
	storing = colj_path_storing(search->writer, path);
	if (colj_column_put(search->writer->work, search->codec, &path->column, &storing, out) == COLJ_OK)
		return true;
	colj_sink_free(out);
	return false;
}

/* Turn shares into stored bytes. */
static void
weigh_pairs(ColjSearch *search, Pair *pairs, uint32_t npairs)
{
	for (uint32_t i = 0; i < npairs; i++)
	{
		ColjWritePath *path = pairs[i].string->path;

		if (path->first.len > 0 || store_first(search, path, COLJ_NO_PATH, &path->first))
			pairs[i].gain = path->first.len * pairs[i].gain / 1000;
		else
			pairs[i].gain = 0;
	}
}

/* Give a path its sibling if its first vector gets shorter by an eighth. */
static bool
try_pair(ColjSearch *search, const Pair *pair)
{
	ColjWritePath *path = pair->string->path;
	ColjSink	cut = {.host = search->writer->host};

	if (choose_losses(pair, path) &&
		store_first(search, path, (uint32_t) (pair->other->path - search->writer->paths), &cut) &&
		cut.len + cut.len / 8 < path->first.len)
	{
		colj_sink_free(&path->first);
		path->first = cut;
		pair->other->path->referred = true;
		return true;
	}
	colj_sink_free(&cut);
	path->entry.info.sibling = COLJ_NO_PATH;
	return false;
}

/* May the pair still be made? */
static bool
is_open(const Pair *pair)
{
	return pair->gain > 0 && !pair->string->path->referred &&
		pair->string->path->entry.info.sibling == COLJ_NO_PATH &&
		pair->other->path->entry.info.sibling == COLJ_NO_PATH;
}

/* Does nearly all come of the pair that the string can have? */
static bool
is_good(const ColjSearch *search, const Pair *pair, const uint64_t *best)
{
	return is_open(pair) && pair->gain * 8 >= best[pair->string - search->texts] * 7;
}

/*
 * The most that each string can gain (best), and all strings together from each
 * path (score), less what that path could gain itself.
 */
static void
add_up(const ColjSearch *search, const Pair *pairs, uint32_t npairs, uint64_t *best, int64_t *score)
{
	memset(best, 0, search->n * sizeof(uint64_t));
	memset(score, 0, search->n * sizeof(int64_t));
	for (uint32_t i = 0; i < npairs; i++)
	{
		uint64_t   *gain = &best[pairs[i].string - search->texts];

		if (is_open(&pairs[i]) && pairs[i].gain > *gain)
			*gain = pairs[i].gain;
	}
	for (uint32_t i = 0; i < npairs; i++)
		if (is_good(search, &pairs[i], best))
			score[pairs[i].other - search->texts] += (int64_t) pairs[i].gain;
	for (uint32_t i = 0; i < search->n; i++)
	{
		/* two that contain each other: one must be it */
		if (score[i] > 0)
			score[i] = score[i] > (int64_t) best[i] ? score[i] - (int64_t) best[i] : 1;
	}
}

/*
 * The path that the others gain most from.  Of those that are nearly as good the
 * one with the shortest texts, as whoever reads one of the others reads them, too.
 */
static ColjTexts *
choose_other(const ColjSearch *search, const int64_t *score)
{
	ColjTexts  *chosen = NULL;
	int64_t		most = 0;

	for (uint32_t i = 0; i < search->n; i++)
		most = score[i] > most ? score[i] : most;
	for (uint32_t i = 0; i < search->n && most > 0; i++)
	{
		ColjTexts  *c = &search->texts[i];

		if (score[i] >= most - most / 8 &&
			(chosen == NULL || c->bytes * chosen->sampled < chosen->bytes * c->sampled))
			chosen = c;
	}
	return chosen;
}

/* Make pairs until no path has anything to gain. */
static void
make_pairs(ColjSearch *search, Pair *pairs, uint32_t npairs)
{
	const ColjHost *host = search->writer->host;
	uint64_t   *best = colj_grab_zeroed(host, search->n, sizeof(uint64_t));
	int64_t    *score = colj_grab_zeroed(host, search->n, sizeof(int64_t));
	ColjTexts  *other = NULL;

	do
	{
		if (best == NULL || score == NULL)
			break;
		add_up(search, pairs, npairs, best, score);
		other = choose_other(search, score);
		for (uint32_t i = 0; i < npairs && other != NULL; i++)
			if (pairs[i].other == other && is_good(search, &pairs[i], best) && !try_pair(search, &pairs[i]))
				pairs[i].gain = 0;
	} while (other != NULL);
	colj_release(host, best);
	colj_release(host, score);
}

static void
choose_in_column(ColjStripeWriter *writer, uint32_t column)
{
	ColjSearch *search = colj_search(writer, column);
	uint32_t	npairs;
	Pair	   *pairs;

	if (search == NULL)
		return;
	npairs = list_pairs(search, NULL);
	pairs = colj_grab_zeroed(writer->host, npairs, sizeof(Pair));
	if (pairs != NULL)
	{
		(void) list_pairs(search, pairs);
		weigh_pairs(search, pairs, npairs);
		make_pairs(search, pairs, npairs);
	}
	colj_release(writer->host, pairs);
	colj_search_free(search);
}

void
colj_choose_siblings(ColjStripeWriter *writer)
{
	for (uint32_t i = 0; i < writer->ncolumns; i++)
		if (writer->specs[i].kind == COLJ_COLUMN_DOCUMENT)
			choose_in_column(writer, i);
}
