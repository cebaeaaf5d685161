/*-------------------------------------------------------------------------
 *
 * access.h
 *	  The callbacks of the access method that are not heap's own.
 *
 * Each has the signature that access/tableam.h gives it; README.md has a
 * table of what it does.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_ACCESS_H
#define COLJ_ACCESS_H

#include "access/tableam.h"
#include "catalog/index.h"
#include "nodes/execnodes.h"

/* The heap's callbacks, which do the work on the row store. */
extern const TableAmRoutine *colj_heap(void);

/* build.c */
extern double colj_index_build(Relation table, Relation index, IndexInfo *info,
							   bool allow_sync, bool anyvisible, bool progress,
							   BlockNumber start, BlockNumber nblocks,
							   IndexBuildCallback callback, void *state,
							   TableScanDesc scan);

/* validate.c */
extern void colj_index_validate(Relation table, Relation index, IndexInfo *info,
								Snapshot snapshot, ValidateIndexState *state);

/* The line pointers that the tuples of a heap page are indexed under. */
typedef struct ColjRoots
{
	BlockNumber block;			/* InvalidBlockNumber for none yet */
	OffsetNumber offsets[MaxHeapTuplesPerPage];
} ColjRoots;

/* Refresh the roots when the scan has come to another page; true if so. */
extern bool colj_roots_enter(ColjRoots *roots, HeapScanDesc scan);

/* The TID under which a tuple of that page is indexed. */
extern ItemPointerData colj_roots_tid(ColjRoots *roots, HeapScanDesc scan, HeapTuple tuple);

#endif							/* COLJ_ACCESS_H */
