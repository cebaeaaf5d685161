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

/*
 * The load of a command (cid, in the current subtransaction) into a table,
 * begun if there is none.  What another command has left is stored.
 */
extern ColjLoad *colj_load_get(Relation table, CommandId cid);

/*
 * Count rows that are coming.  True if they go into stripes: once there have
 * been min_rows, and the table is not given up.
 */
extern bool colj_load_takes(ColjLoad *load, int rows, int min_rows);

/* They don't, from now on. */
extern void colj_load_give_up(ColjLoad *load);

/*
 * Add a row.  It gets its TID at once, and is in a stripe some time later,
 * before anyone looks.  options as for heap_insert.
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
