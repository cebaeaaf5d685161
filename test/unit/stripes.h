/*-------------------------------------------------------------------------
 *
 * stripes.h
 *	  What the tests of vectors and stripes share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_STRIPES_H
#define COLJ_TEST_STRIPES_H

#include "model.h"
#include "stripe/stripe.h"

/* A host that counts bytes, and has no more of them than its limit. */
typedef struct Purse
{
	ColjHost	host;
	size_t		used;			/* bytes not yet freed */
	size_t		most;			/* the most there were */
	size_t		limit;			/* resize fails beyond it; 0: none */
	size_t		calls;			/* of resize, frees aside */
	size_t		fail_at;		/* the call that fails; 0: none */
} Purse;

extern void purse_open(Purse *purse);

/* One cell of a table of models. */
typedef struct StripeCell
{
	bool		null;
	int64_t		integer;		/* INT */
	Model	   *model;			/* DOCUMENT; BYTES: a string */
} StripeCell;

/* Rows as they go into a stripe; all memory is the heap's. */
typedef struct StripeTable
{
	Heap	   *heap;
	uint32_t	ncolumns;
	ColjColumnSpec specs[4];
	uint32_t	rows;
	uint32_t	room;
	StripeCell *cells;			/* rows * ncolumns */
} StripeTable;

/* kinds: "i", "b", "d" for a column of that kind. */
extern void table_open(StripeTable *table, Heap *heap, const char *kinds, ColjCodec codec);
extern StripeCell *table_add(StripeTable *table);

/* A table of one document column: each row a JSON text, NULL for SQL NULL. */
extern void table_add_json(StripeTable *table, const char *json);

/* Random rows: documents of one loose schema, with exceptions of every kind. */
extern void table_add_random(StripeTable *table, Random *random, uint32_t rows);

/* The stripe of a table, in memory of the heap's. */
extern uint8_t *table_write(const StripeTable *table, const ColjStripeOptions *options,
							size_t *size);

/* A stripe with its directory as it was before compression; *size changes. */
extern uint8_t *stripe_unpacked(Heap *heap, const uint8_t *bytes, size_t *size);

/* The same through any host; what became of it. */
extern ColjStatus table_try(const StripeTable *table, const ColjHost *host,
							const ColjStripeOptions *options, uint8_t *bytes, size_t *size);

/* Everything that must hold of a stripe of this table; failures are checks. */
extern void table_verify(const StripeTable *table, const uint8_t *bytes, size_t size);

/* Write and verify. */
extern void table_round_trip(const StripeTable *table, const ColjStripeOptions *options);

/* A stripe of which only the fetched chunks can be read. */
typedef struct StripeView
{
	ColjStripeWindow window;	/* give this to the readers */
	const uint8_t *whole;
	uint8_t    *memory;
	uint8_t    *have;
	size_t		fetched;
	uint32_t	calls;
	uint32_t	fail_at;
	bool		outside;
} StripeView;

#define STRIPE_CHUNK 64

extern void view_open(StripeView *view, const uint8_t *whole, size_t size);
extern void view_close(StripeView *view);

/*
 * Do everything with bytes that may be a stripe.  Returns what was wrong
 * (a reader that failed on what the check had accepted), or NULL.
 */
extern const char *exercise_stripe(const ColjHost *host, ColjStripeWindow *window, bool *accepted);

#endif							/* COLJ_TEST_STRIPES_H */
