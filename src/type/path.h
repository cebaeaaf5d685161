/*-------------------------------------------------------------------------
 *
 * path.h
 *	  The steps from a document's root to a value in it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PATH_H
#define COLJ_PATH_H

#include "fmgr.h"

#include "stripe/stripe.h"
#include "type/document.h"

/* One step: usable on objects, on arrays, or on both. */
typedef struct ColjStep
{
	const char *key;			/* NULL: not for objects */
	uint32		len;
	int32		index;			/* negative counts from the end */
	bool		indexed;		/* else not for arrays */
	ColjHint	hint;			/* where the key was last; zero at first */
} ColjStep;

/*
 * Where a path leads in the vector that was read last.  To be kept from one
 * call to the next for one path, zero at first.
 */
typedef struct ColjPlace
{
	uint64		epoch;			/* of the stripe; 0 for nowhere */
	uint32		root;
	uint32		vector;
	uint32		first;			/* the vector's first row */
	uint32		rows;			/* and how many it has */
	uint32		path;			/* the last column on the way, */
	int			taken;			/* so many steps from the root */
	bool		nothing;		/* no row of the vector has the value */
	bool		beside;			/* a row without it may have it elsewhere */
	ColjPathType type;
	const ColjPathVector *entries;	/* of that column */
	uint32		looks;			/* at texts in this vector, so far */
	ColjSpaced	texts;			/* of this vector; data NULL for none */
} ColjPlace;

/* Steps, made from an argument and kept for the next call. */
typedef struct ColjPath
{
	struct varlena *source;		/* the argument that they were made from */
	Size		source_size;
	bool		has_null;		/* an element was NULL: nothing is found */
	bool		chain;			/* index 0 and -1 of a scalar are itself */
	ColjPlace	place;			/* in a stripe, of a lazy document */
	int			n;
	ColjStep	steps[FLEXIBLE_ARRAY_MEMBER];
} ColjPath;

/*
 * The steps of argument n: a text[] as of #>, or a colj array as of colj_get.
 * They are remembered in fn_extra, and made anew only when the argument's
 * bytes differ from the last call's.
 */
extern ColjPath *colj_path_text_array(FunctionCallInfo fcinfo, int n);
extern ColjPath *colj_path_document(FunctionCallInfo fcinfo, int n);

/* The same of a path that does not change: the key of -> and ->>, and a colj array. */
extern ColjPath *colj_path_key(MemoryContext context, Datum key);
extern ColjPath *colj_path_chain(MemoryContext context, Datum path);

/*
 * The key at the beginning of a colj array as of colj_get; false if there is none,
 * or no such array.  It points into the Datum, or what was made of it.
 */
extern bool colj_path_first_key(Datum path, const char **key, uint32 *len);

/* Go one step from *value; false when there is nothing. */
extern bool colj_step(ColjDoc *doc, ColjStep *step, bool chain,
					  ColjValue *value);

/*
 * An element of an array, counted from the end when negative; of a scalar, with
 * chain, itself for 0 and -1.  False when there is none.
 */
extern bool colj_element(ColjDoc *doc, const ColjValue *value, int32 index, bool chain, ColjValue *out);

/* Follow a path from the root; false when there is nothing. */
extern bool colj_path_find(ColjDoc *doc, ColjPath *path, ColjValue *value);

/*
 * Follow the n texts of a path that is not remembered, in a colj Datum.  Returns
 * the document that the value is in, as colj_lazy_find does, or NULL.
 */
extern ColjDoc *colj_follow_path(Datum document, const Datum *path, int n,
								 ColjDoc *local, ColjValue *value);

#endif							/* COLJ_PATH_H */
