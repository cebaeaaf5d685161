/*-------------------------------------------------------------------------
 *
 * merge.h
 *	  Merging and thinning of stripes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_MERGE_H
#define COLJ_MERGE_H

#include "utils/rel.h"

/* What has become of stripes. */
typedef struct ColjMergeResult
{
	int64		before;			/* stripes that are no more */
	int64		bytes_before;	/* of them */
	int64		stripes;		/* that have taken their place */
	int64		bytes;
} ColjMergeResult;

/* Is there anything to merge or to thin? */
extern bool colj_merge_is_due(Relation table);

/*
 * Do it, in a table that is locked for compaction.  A damaged stripe is left
 * as it is, with a warning.
 */
extern void colj_merge_stripes(Relation table, ColjMergeResult *result);

#endif							/* COLJ_MERGE_H */
