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

#include "type/document.h"

/* One step: usable on objects, on arrays, or on both. */
typedef struct ColjStep
{
	const char *key;			/* NULL: not for objects */
	uint32		len;
	int32		index;			/* negative counts from the end */
	bool		indexed;		/* else not for arrays */
} ColjStep;

/* Steps, made from an argument and kept for the next call. */
typedef struct ColjPath
{
	struct varlena *source;		/* the argument that they were made from */
	Size		source_size;
	bool		has_null;		/* an element was NULL: nothing is found */
	bool		chain;			/* index 0 and -1 of a scalar are itself */
	int			n;
	ColjStep	steps[FLEXIBLE_ARRAY_MEMBER];
} ColjPath;

/*
 * The steps of argument n: a text[] as of #>, or a colj array as of colj_get.
 * They are remembered in fn_extra, and made anew only when the argument's
 * bytes differ from the last call's.
 */
extern const ColjPath *colj_path_text_array(FunctionCallInfo fcinfo, int n);
extern const ColjPath *colj_path_document(FunctionCallInfo fcinfo, int n);

/* Go one step from *value; false when there is nothing. */
extern bool colj_step(ColjDoc *doc, const ColjStep *step, bool chain,
					  ColjValue *value);

/* Follow a path from the root; false when there is nothing. */
extern bool colj_path_find(ColjDoc *doc, const ColjPath *path, ColjValue *value);

/* As colj_path_find, for the n texts of a path that is not remembered. */
extern bool colj_follow_path(ColjDoc *doc, const Datum *path, int n,
							 ColjValue *value);

#endif							/* COLJ_PATH_H */
