/*-------------------------------------------------------------------------
 *
 * relocate.h
 *	  Moving rows of the column store to the front of the TOAST table.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_RELOCATE_H
#define COLJ_RELOCATE_H

#include "storage/block.h"
#include "utils/rel.h"

/* What has become of the TOAST table. */
typedef struct ColjRelocated
{
	BlockNumber blocks;			/* that it has */
	BlockNumber left;			/* without those at its end that nothing stays
								 * in */
	int64		rows;			/* that have moved */
	int64		bytes;			/* of them */
} ColjRelocated;

/*
 * Would it give back enough for VACUUM of the TOAST table to cut it off, when
 * dead rows have been reaped before?
 */
extern bool colj_relocation_is_due(Relation table, bool reaped);

/* Might it, when so many dead rows of the TOAST table have been removed? */
extern bool colj_relocation_is_promising(Relation table, int64 dead);

/*
 * Do it, if it is due, in a table that is locked for compaction, as the last
 * thing that this transaction does to the column store.
 */
extern void colj_relocate(Relation table, ColjRelocated *result);

#endif							/* COLJ_RELOCATE_H */
