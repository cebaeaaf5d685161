/*-------------------------------------------------------------------------
 *
 * load.h
 *	  Bulk loads: rows that go into stripes at once.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_LOAD_H
#define COLJ_LOAD_H

#include "store/store.h"

/* The rows that one command loads into one table. */
typedef struct ColjLoad ColjLoad;

/* Where the next row of a load goes. */
typedef enum ColjLoadPlace
{
	COLJ_LOAD_NEVER,			/* into the row store, as all that follow */
	COLJ_LOAD_LATER,			/* into the row store, until there are enough */
	COLJ_LOAD_HELD,				/* nowhere yet: all rows go where the last one
								 * goes */
	COLJ_LOAD_STRIPES,			/* into a stripe */
} ColjLoadPlace;

/*
 * The load of a command (cid, in the current subtransaction) into a table, or
 * NULL.  What another command has left is stored.
 */
extern ColjLoad *colj_load_find(Relation table, CommandId cid);

/*
 * Begin one, of which there must be none.  Stripes begin with min_rows rows,
 * if place is LATER or HELD; HELD is for tables where nobody asks for TIDs.
 */
extern ColjLoad *colj_load_begin(Relation table, CommandId cid, ColjLoadPlace place, int min_rows);

/* Count rows that are coming.  True if they are to be given to the load. */
extern bool colj_load_takes(ColjLoad *load, int rows);

/*
 * Add a row.  It is stored some time later, before anyone looks.  It gets its
 * TID at once; an invalid one if it is held.  options as for heap_insert.
 */
extern ItemPointerData colj_load_row(ColjLoad *load, Relation table, const Datum *values,
									 const bool *isnull, int options);

/* Store what there is of a table's load, so that it can be seen. */
extern void colj_load_flush(Oid table);

/* The same of all tables: a transaction or subtransaction is about to commit. */
extern void colj_load_flush_all(void);

/* Store and end a table's load. */
extern void colj_load_end(Oid table);

/* Forget the loads of a subtransaction that has aborted; Invalid: all. */
extern void colj_load_forget(SubTransactionId subid);

#endif							/* COLJ_LOAD_H */
