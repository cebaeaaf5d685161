/*-------------------------------------------------------------------------
 *
 * match.h
 *	  Which strings of a document column contain texts of other paths.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_MATCH_H
#define COLJ_STRIPE_MATCH_H

#include <string.h>

#include "stripe/writer.h"

/* Values of each path that are looked at, if there are so many. */
#define COLJ_SAMPLE_VALUES 32

/* Bytes by which a text is found. */
#define COLJ_ANCHOR 4

/* Bytes of a string that are searched. */
#define COLJ_SEARCH_BYTES 256

/* With more paths than this, only the first ones are compared. */
#define COLJ_SEARCH_PATHS 256

#define COLJ_SEARCH_SLOTS 1024

/* A path that may have a sibling, or be one. */
typedef struct ColjTexts
{
	ColjWritePath *path;
	uint32_t	anchor;			/* where its texts begin to differ, or a
								 * little before */
	uint32_t	prefix;			/* bytes that they share in front */
	uint32_t	suffix;			/* and at the end */
	bool		constant;		/* they are all the same */
	uint32_t	sampled;		/* rows of the sample that have a value */
	uint64_t	bytes;			/* of these */

	/* In the row at hand. */
	uint32_t	next;			/* number of its value */
	const char *text;			/* NULL for none */
	uint32_t	len;
	char		number[24];		/* the text of an integer */
	uint16_t	chain;			/* in the same slot: 1 + candidate, or 0 */

	/* In the string at hand. */
	uint32_t	hit;			/* bytes that it has of the text */
	uint32_t	before;			/* of these, before the anchor */
} ColjTexts;

/* Bytes of a path's strings that are another path's texts. */
typedef struct ColjMatch
{
	uint32_t	all;
	uint32_t	different;		/* without those that all these texts share */
} ColjMatch;

typedef struct ColjSearch
{
	ColjStripeWriter *writer;
	ColjCodec	codec;
	uint32_t	n;
	ColjTexts  *texts;
	ColjMatch  *matches;		/* [string][other], in the sample */
	uint16_t	slots[COLJ_SEARCH_SLOTS];	/* 1 + candidate, or 0 */
} ColjSearch;

/* Look at the first vector of one document column.  NULL without memory. */
extern ColjSearch *colj_search(ColjStripeWriter *writer, uint32_t column);
extern void colj_search_free(ColjSearch *search);

/*
 * Which part, in thousands, of what a path's strings cost is another path's texts.
 */
extern uint32_t colj_share_saved(const ColjSearch *search, uint32_t string, uint32_t other);

/* Are the anchor's bytes at p?  The text has all of them. */
static inline bool
colj_anchor_at(const char *p, const ColjTexts *other)
{
	return memcmp(p, other->text + other->anchor, COLJ_ANCHOR) == 0;
}

/*
 * Bytes that a string has of a text around its anchor, which is at `at` in the
 * string, and how many of these are before it; 0 if the anchor is not there, or too
 * much of the text's end is missing.
 */
extern uint32_t colj_match_length(const char *string, uint32_t len, uint32_t at,
								  const ColjTexts *other, uint32_t *before);

#endif							/* COLJ_STRIPE_MATCH_H */
