/*-------------------------------------------------------------------------
 *
 * match.c
 *	  Which strings of a document column contain texts of other paths.
 *
 * In each row of a sample of the first vector all texts are entered in a hash table
 * by four bytes, from where those of their path begin to differ, and all strings
 * are searched for them.  So it takes time by the length of the rows, not by the
 * number of pairs.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/match.h"

#include <string.h>

#include "stripe/memory.h"
#include "stripe/strings.h"

/* Rows that are looked at, at most. */
#define SAMPLE_ROWS 256

/* So many bytes of a text's end, beside those that all have, may be missing. */
#define TAIL_MAX 4

static uint32_t
hash_anchor(const char *p)
{
	uint32_t	word;

	memcpy(&word, p, COLJ_ANCHOR);
	return (word * UINT32_C(2654435761)) >> 22;
}

/* Find out where the texts of a path differ. */
static void
set_anchor(ColjTexts *c)
{
	const ColjColumn *column = &c->path->column;
	uint32_t	n = column->values < COLJ_SAMPLE_VALUES ? column->values : COLJ_SAMPLE_VALUES;
	char		first_number[24];
	char		number[24];
	const char *first;
	const char *text;
	uint32_t	first_len;
	uint32_t	shortest;
	uint32_t	longest;
	uint32_t	len;

	colj_column_text(column, 0, first_number, &first, &first_len);
	c->prefix = c->suffix = shortest = longest = first_len;
	for (uint32_t i = 1; i < n; i++)
	{
		colj_column_text(column, i, number, &text, &len);
		shortest = len < shortest ? len : shortest;
		longest = len > longest ? len : longest;
		c->prefix = colj_same_front(first, text, shortest < c->prefix ? shortest : c->prefix);
		c->suffix = colj_same_back(first + first_len, text + len, shortest < c->suffix ? shortest : c->suffix);
	}
	c->constant = longest < COLJ_ANCHOR || (c->prefix == longest && shortest == longest);
	c->suffix = c->suffix > shortest - c->prefix ? shortest - c->prefix : c->suffix;
	c->anchor = c->prefix + COLJ_ANCHOR <= longest ? c->prefix : longest - COLJ_ANCHOR;
}

/* Is there a path with a value in this row that the sample has few of yet? */
static bool
is_wanted(const ColjSearch *search, uint32_t row)
{
	for (uint32_t i = 0; i < search->n; i++)
		if (search->texts[i].sampled < COLJ_SAMPLE_VALUES &&
			search->texts[i].path->column.presence[row] == COLJ_IS_VALUE)
			return true;
	return false;
}

/* Take the texts of a row; all rows must come by, in order. */
static void
take_row(ColjSearch *search, uint32_t row, bool wanted)
{
	memset(search->slots, 0, sizeof(search->slots));
	for (uint32_t i = 0; i < search->n; i++)
	{
		ColjTexts  *c = &search->texts[i];
		uint16_t   *slot;

		c->text = NULL;
		if (c->path->column.presence[row] != COLJ_IS_VALUE)
			continue;
		if (wanted)
		{
			colj_column_text(&c->path->column, c->next, c->number, &c->text, &c->len);
			c->sampled++;
			c->bytes += c->len;
		}
		c->next++;
		if (!wanted || c->constant || c->len < c->anchor + COLJ_ANCHOR)
			continue;
		slot = &search->slots[hash_anchor(c->text + c->anchor)];
		c->chain = *slot;
		*slot = (uint16_t) (i + 1);
	}
}

uint32_t
colj_match_length(const char *string, uint32_t len, uint32_t at, const ColjTexts *other, uint32_t *before)
{
	const char *text = other->text + other->anchor;
	uint32_t	left = other->len - other->anchor;
	uint32_t	after = colj_same_front(string + at, text, left < len - at ? left : len - at);

	if (after < COLJ_ANCHOR || left - after > other->suffix + TAIL_MAX)
		return 0;
	*before = colj_same_back(string + at, text, at < other->anchor ? at : other->anchor);
	return *before + after;
}

/* Count what the string at hand has of a text. */
static void
count_match(ColjMatch *match, const ColjTexts *other)
{
	uint32_t	most = other->len - other->anchor - other->suffix;
	uint32_t	after = other->hit - other->before;

	match->all += other->hit;
	match->different += after < most || most == 0 ? after : most;
}

/* ColjSearch one string of the row for all texts. */
static void
search_string(ColjSearch *search, uint32_t s)
{
	const ColjTexts *string = &search->texts[s];
	uint32_t	end = string->len < COLJ_SEARCH_BYTES ? string->len : COLJ_SEARCH_BYTES;
	uint32_t	touched[COLJ_SEARCH_PATHS];
	uint32_t	ntouched = 0;

	for (uint32_t at = 0; at + COLJ_ANCHOR <= end; at++)
		for (uint32_t i = search->slots[hash_anchor(string->text + at)]; i != 0; i = search->texts[i - 1].chain)
		{
			ColjTexts  *other = &search->texts[i - 1];
			uint32_t	before = 0;
			uint32_t	hit;

			if (other == string || !colj_anchor_at(string->text + at, other))
				continue;
			hit = colj_match_length(string->text, string->len, at, other, &before);
			if (other->hit == 0 && hit > 0)
				touched[ntouched++] = i - 1;
			if (hit > other->hit)
			{
				other->hit = hit;
				other->before = before;
			}
		}
	for (uint32_t i = 0; i < ntouched; i++)
	{
		ColjTexts  *other = &search->texts[touched[i]];

		count_match(&search->matches[s * search->n + touched[i]], other);
		other->hit = 0;
	}
}

static void
take_sample(ColjSearch *search)
{
	uint32_t	rows = search->texts[0].path->column.rows;
	uint32_t	taken = 0;

	for (uint32_t row = 0; row < rows && taken < SAMPLE_ROWS; row++)
	{
		bool		wanted = is_wanted(search, row);

		take_row(search, row, wanted);
		taken += wanted;
		for (uint32_t s = 0; wanted && s < search->n; s++)
			if (search->texts[s].text != NULL && search->texts[s].path->column.type == COLJ_PATH_STRING)
				search_string(search, s);
	}
}

/* Bytes of a path's texts in the sample that are not the same in all. */
static uint64_t
different_bytes(const ColjTexts *c)
{
	uint64_t	same = (uint64_t) (c->prefix + c->suffix) * c->sampled;

	return c->bytes > same ? c->bytes - same : 0;
}

/*
 * The different bytes are what costs; but where they are just a few odd ones all
 * bytes count.
 */
uint32_t
colj_share_saved(const ColjSearch *search, uint32_t s, uint32_t o)
{
	const ColjMatch *match = &search->matches[s * search->n + o];
	uint64_t	different = different_bytes(&search->texts[s]);
	uint64_t	share;
	uint64_t	share_of_all;

	if (match->all == 0 || different == 0)
		return 0;
	share = match->different < different ? (uint64_t) match->different * 1000 / different : 1000;
	share_of_all = (uint64_t) match->all * 1000 / search->texts[s].bytes;
	return (uint32_t) (share > share_of_all ? share : share_of_all);
}

/* The paths of one document column that may take part. */
static void
list_paths(ColjSearch *search, uint32_t column)
{
	ColjStripeWriter *writer = search->writer;

	for (uint32_t i = 0; i < writer->npaths && search->n < COLJ_SEARCH_PATHS; i++)
	{
		ColjWritePath *path = &writer->paths[i];

		if (path->entry.info.column != column || path->entry.residual || path->column.values == 0 ||
			(path->column.type != COLJ_PATH_STRING && path->column.type != COLJ_PATH_INT))
			continue;
		search->texts[search->n] = (ColjTexts){.path = path};
		set_anchor(&search->texts[search->n++]);
	}
}

void
colj_search_free(ColjSearch *search)
{
	const ColjHost *host = search->writer->host;

	colj_release(host, search->matches);
	colj_release(host, search->texts);
	colj_release(host, search);
}

ColjSearch *
colj_search(ColjStripeWriter *writer, uint32_t column)
{
	const ColjHost *host = writer->host;
	ColjSearch *search = colj_grab_zeroed(host, 1, sizeof(ColjSearch));

	if (search == NULL)
		return NULL;
	search->writer = writer;
	search->codec = writer->specs[column].codec;
	search->texts = colj_grab_zeroed(host, COLJ_SEARCH_PATHS, sizeof(ColjTexts));
	if (search->texts != NULL)
		list_paths(search, column);
	search->matches = colj_grab_zeroed(host, search->n * search->n, sizeof(ColjMatch));
	if (search->texts == NULL || search->matches == NULL)
	{
		colj_search_free(search);
		return NULL;
	}
	if (search->n > 0)
		take_sample(search);
	return search;
}
