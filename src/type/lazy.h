/*-------------------------------------------------------------------------
 *
 * lazy.h
 *	  Documents in stripes that are not put together until they must be.
 *
 * A lazy document is a read-only expanded object: a Datum that points to a
 * row of an open stripe.  Accessors take single values out of the stripe's
 * vectors; everybody else gets the whole document, which core's functions ask
 * for when they detoast or copy the Datum.
 *
 * Whoever gives out the Datum (a table slot) changes `row` from one row to the
 * next, and keeps the stripe's vectors of that row decoded meanwhile.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_LAZY_H
#define COLJ_LAZY_H

#include "utils/expandeddatum.h"

#include "type/path.h"

typedef struct ColjLazy ColjLazy;
struct ColjLazy
{
	ExpandedObjectHeader header;
	ColjStripe *stripe;
	uint32		root;			/* path of the document in the stripe */
	uint32		row;			/* in the stripe */
	struct varlena *whole;		/* put together, in header.eoh_context; NULL
								 * for not yet */
	const ColjWanted *wanted;	/* who copies the Datum needs no other keys
								 * (src/exec/wanted.c); NULL: all */
	struct varlena *part;		/* with those; NULL for not yet */
	bool	   *made;			/* set when something is put there */
	void		(*raise) (const ColjLazy *lazy, ColjStatus status); /* reading has failed */
};

/* Make a lazy document; its pieces are set later. */
extern void colj_lazy_init(ColjLazy *lazy, MemoryContext context);

/* Forget what was put together, for each row. */
static inline void
colj_lazy_forget(ColjLazy *lazy)
{
	lazy->whole = lazy->part = NULL;
}

extern const ExpandedObjectMethods colj_lazy_methods;

/* The Datum's lazy document, or NULL if it is of another shape. */
static inline ColjLazy *
colj_lazy(Datum value)
{
	struct varlena *pointer = (struct varlena *) DatumGetPointer(value);
	ExpandedObjectHeader *header;

	if (likely(!VARATT_IS_EXTERNAL_EXPANDED(pointer)))
		return NULL;
	header = DatumGetEOHP(value);
	return header->eoh_methods == &colj_lazy_methods ? (ColjLazy *) header : NULL;
}

/* Forget the memory that putting together takes (after errors). */
extern void colj_lazy_release(void);

/* The whole document, with a header of four bytes; good until the row changes. */
extern struct varlena *colj_lazy_whole(ColjLazy *lazy);

/* Is the document an object? */
extern bool colj_lazy_is_object(ColjLazy *lazy);

/*
 * The value at the end of a path, as colj_step finds it: in *local, which is
 * returned, or another document.  NULL when there is none.  Good until the row
 * changes; what is put together is in the current memory context.
 */
extern ColjDoc *colj_lazy_find(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n,
							   bool chain, ColjDoc *local, ColjValue *value);

/*
 * Where the path leads for all rows of the vector that the row is in.  True if a
 * column tells what each has: what place->entries say of it, or no row has anything
 * (place->nothing).  Not told is the value of rows that have it elsewhere, and,
 * with place->beside, of those that have nothing in the column.
 */
extern bool colj_lazy_place(ColjLazy *lazy, ColjPlace *place, ColjPath *path);

/*
 * What colj_lazy_find finds as text, as colj_value_text gives it, or NULL.  It may be the
 * stripe's: good until the row changes.
 */
extern text *colj_lazy_text(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n,
							bool chain);

/*
 * The values of a vector of strings or integers as text Datums, which are made once:
 * that of row i is at data + starts[i], and aligned as int4 is.
 */
extern ColjStatus colj_vector_texts(ColjStripe *stripe, uint32 path, uint32 vector,
									ColjSpaced *texts);

/* The longest key whose place in stripes is kept. */
#define COLJ_KEY_MEMO_MAX 64

/* What a function of a document and a key keeps in fn_extra: where the key was last. */
typedef struct ColjKeyMemo
{
	ColjHint	hint;			/* in documents */
	ColjPlace	place;			/* in stripes, of the key below */
	bool		constant;		/* that key, for as long as this lives */
	uint32		len;
	char		key[COLJ_KEY_MEMO_MAX];
} ColjKeyMemo;

extern ColjKeyMemo *colj_make_key_memo(FmgrInfo *flinfo);

/* The call's memo, or NULL where nothing can be kept. */
static inline ColjKeyMemo *
colj_key_memo(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	if (unlikely(flinfo == NULL))
		return NULL;
	return likely(flinfo->fn_extra != NULL) ? flinfo->fn_extra : colj_make_key_memo(flinfo);
}

/* The same two for one key, with the place kept in fn_extra. */
extern ColjDoc *colj_lazy_find_key(ColjLazy *lazy, FunctionCallInfo fcinfo, const char *key,
								   uint32 len, ColjDoc *local, ColjValue *value);
extern text *colj_lazy_key_text(ColjLazy *lazy, FunctionCallInfo fcinfo, const char *key,
								uint32 len);

/*
 * Does the document contain argument template_arg of the call?  False when that is
 * not for here to say: the whole document is to be compared.
 */
extern bool colj_lazy_contains(FunctionCallInfo fcinfo, ColjLazy *lazy, int template_arg,
							   bool *result);

#endif							/* COLJ_LAZY_H */
