/*-------------------------------------------------------------------------
 *
 * compact.h
 *	  Moving cold rows from the row store into stripes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COMPACT_H
#define COLJ_COMPACT_H

#include "utils/rel.h"

/* What a compaction has done. */
typedef struct ColjCompactResult
{
	int64		moved;			/* rows */
	int64		stripes;
	int64		bytes;			/* of them */
	bool		awaited;		/* ended early, as somebody waited */
} ColjCompactResult;

/* Cold rows in the row store, counted until there are enough; none of a catalog table of logical decoding. */
extern int64 colj_cold_rows(Relation table, int64 enough);

/*
 * Move the cold rows of a table, which is locked for it.  For VACUUM the
 * progress is reported, and it ends early when somebody waits for a row.
 */
extern void colj_compact_rows(Relation table, bool vacuum, ColjCompactResult *result);

/* Delete what leads from the old TIDs of rows to their stripes, if no snapshot is so old; a part of compaction. */
extern void colj_forget_origins(Relation table);

/*
 * Lock a table more strongly than with ShareUpdateExclusiveLock if compaction
 * needs that; false when it would have to wait and must not.
 */
extern bool colj_lock_for_compaction(Relation table, bool wait);

/*
 * A table that was altered from heap may have no TOAST table: make it.  That
 * takes AccessExclusiveLock; false when it would have to wait and must not.
 */
extern bool colj_ensure_toast(Relation rel, bool wait);

#endif							/* COLJ_COMPACT_H */
