/*-------------------------------------------------------------------------
 *
 * held.h
 *	  The first rows of a bulk load, as long as nobody knows how long it gets.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_HELD_H
#define COLJ_HELD_H

#include "access/htup.h"
#include "utils/rel.h"

typedef struct ColjHeld
{
	MemoryContext context;
	MemoryContext tuple_context;	/* of the tuples */
	MemoryContext row_context;	/* of the row that is being added */
	HeapTuple  *tuples;			/* in the order in which they came */
	int			n;
	int			room;
	Size		bytes;			/* of the tuples */
} ColjHeld;

extern ColjHeld *colj_held_create(MemoryContext parent);
extern void colj_held_free(ColjHeld *held);

/* Add a row.  The copy is whole: nothing of it is left in another table. */
extern void colj_held_add(ColjHeld *held, TupleDesc desc, const Datum *values, const bool *isnull);

/* Put the rows into the row store, as heap_multi_insert does; this uses them up. */
extern void colj_held_insert(ColjHeld *held, Relation table, CommandId cid, int options);

#endif							/* COLJ_HELD_H */
