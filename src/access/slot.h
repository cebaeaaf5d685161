/*-------------------------------------------------------------------------
 *
 * slot.h
 *	  Slots for rows of both stores.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SLOT_H
#define COLJ_SLOT_H

#include "access/tableam.h"
#include "executor/tuptable.h"

#include "store/store.h"

extern const TupleTableSlotOps colj_slot_ops;

/*
 * Whoever copies the values of a row in a stripe out of the slot needs only these keys
 * of a document's column (counted from 0), so that copies need have no others.  It holds for
 * as long as the slot lives, and so must the keys; other slots are left alone.
 */
extern void colj_slot_want(TupleTableSlot *slot, int column, const ColjWanted *wanted);

/* The callback slot_callbacks. */
extern const TupleTableSlotOps *colj_slot_callbacks(Relation rel);

/* Put row number `row` of the table, which is in the stripe, into a slot of ours. */
extern void colj_slot_store(ColjStore *store, const ColjStripeEntry *entry, uint64 row,
							TupleTableSlot *slot);

/* The hold that a slot of ours, which is on such a row, has on the row's vector. */
extern const ColjPin *colj_slot_pin(const TupleTableSlot *slot);

/*
 * Heap's functions store into slots of heap's own kind only.  A slot of ours
 * begins as one and passes for one between these two calls, which nobody else
 * may see; it is empty of stripes' rows then.  Other slots are left alone.
 */
extern bool colj_slot_lend(TupleTableSlot *slot);
extern void colj_slot_take_back(TupleTableSlot *slot, bool lent);

/* heap_getnextslot into a slot of ours. */
extern bool colj_heap_next(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot);

#endif							/* COLJ_SLOT_H */
