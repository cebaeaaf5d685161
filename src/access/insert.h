/*-------------------------------------------------------------------------
 *
 * insert.h
 *	  Inserting rows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_INSERT_H
#define COLJ_INSERT_H

#include "access/access.h"

/* Take note of a table that has just been made. */
extern void colj_note_new(Relation rel);

extern void colj_tuple_insert(Relation rel, TupleTableSlot *slot, CommandId cid, int options,
							  struct BulkInsertStateData *bistate);
extern void colj_multi_insert(Relation rel, TupleTableSlot **slots, int n, CommandId cid, int options,
							  struct BulkInsertStateData *bistate);
extern void colj_finish_bulk_insert(Relation rel, int options);

#endif							/* COLJ_INSERT_H */
