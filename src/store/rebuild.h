/*-------------------------------------------------------------------------
 *
 * rebuild.h
 *	  Stripes of a new table that is about to replace another.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_REBUILD_H
#define COLJ_REBUILD_H

#include "store/store.h"

/* A new table with its stripes, as far as they are there. */
typedef struct ColjRebuild ColjRebuild;

/*
 * The table has a TOAST table, nobody else knows it, and it is dropped if this
 * (sub)transaction aborts.  An error needs no clean-up.
 */
extern ColjRebuild *colj_rebuild_begin(Relation table);

/* Add a row that every snapshot sees. */
extern void colj_rebuild_add(ColjRebuild *rebuild, const Datum *values, const bool *isnull);

/*
 * Take over a stripe of the old table, of rows that every snapshot sees, all of
 * them alive.  False if it can't be, or had better not be: then its rows are to
 * be added.
 */
extern bool colj_rebuild_take(ColjRebuild *rebuild, ColjStore *from, const ColjStripeEntry *entry);

extern void colj_rebuild_end(ColjRebuild *rebuild);

#endif							/* COLJ_REBUILD_H */
