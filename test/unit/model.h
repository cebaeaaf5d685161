/*-------------------------------------------------------------------------
 *
 * model.h
 *	  Documents as plain trees: what the tests compare the format with.
 *
 * A model is a tree of pointers without any cleverness.  It is pushed into a
 * builder, read back from a document, compared, written as JSON text and
 * parsed from it.  All memory belongs to a Heap and lives until heap_close.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_MODEL_H
#define COLJ_TEST_MODEL_H

#include "format/builder.h"
#include "format/reader.h"
#include "heap.h"

typedef struct Model Model;
struct Model
{
	ColjKind	kind;
	uint8_t		scale;			/* DECIMAL */
	int64_t		integer;		/* BOOL, INT, DECIMAL */
	const char *bytes;			/* STRING, BIGNUM */
	uint32_t	len;
	uint32_t	n;				/* ARRAY, OBJECT */
	uint32_t	room;
	Model	  **child;
	ColjKey    *key;			/* OBJECT */
};

/*
 * A source of random numbers; any state but 0 is good.  With bytes given, they
 * decide, and when they are used up all numbers are 0.
 */
typedef struct Random
{
	uint64_t	state;
	const uint8_t *bytes;
	size_t		left;
} Random;

extern uint32_t random_below(Random *random, uint32_t n);

/* What model_random makes. */
typedef struct RandomSpec
{
	uint32_t	nodes;			/* about this many values */
	uint32_t	depth;			/* at most this deep */
	uint32_t	longest;		/* string, in bytes */
} RandomSpec;

extern Model *model_new(Heap *heap, ColjKind kind);
extern Model *model_int(Heap *heap, int64_t value);
extern Model *model_decimal(Heap *heap, int64_t mantissa, uint8_t scale);
extern Model *model_string(Heap *heap, const char *bytes, uint32_t len);
extern void model_add(Heap *heap, Model *array, Model *child);

/* Copies the key.  Keys may repeat and stand in any order. */
extern void model_put(Heap *heap, Model *object, const char *key, uint32_t len,
					  Model *child);

/* Sort keys by (length, bytes) and drop all but the last of equal ones. */
extern void model_normalize(Model *model);

extern bool model_equal(const Model *a, const Model *b);
extern void model_push(ColjBuilder *b, const Model *model);
extern Model *model_random(Heap *heap, Random *random, const RandomSpec *spec);

/* Build at a stride and write; the bytes live until heap_close. */
extern uint8_t *model_write(Heap *heap, const Model *model, uint32_t stride,
							uint32_t *size);

/* Read a value by iteration; NULL when a reader fails or a count lies. */
extern Model *model_read(Heap *heap, ColjDoc *doc, const ColjValue *value);

/*
 * Read every value of a normalized model by every other access function, and
 * keys and elements that are not there.  Returns what went wrong, or NULL.
 */
extern const char *model_probe(ColjDoc *doc, const ColjValue *value,
							   const Model *model);

/*
 * Terminated JSON text as a model; NULL when jsonb would not take it (but the
 * bytes of strings are not looked at).  The reverse, as jsonb writes it.
 */
extern Model *model_parse(Heap *heap, const char *text);
extern char *model_print(Heap *heap, const Model *model);

#endif							/* COLJ_TEST_MODEL_H */
