/*-------------------------------------------------------------------------
 *
 * vectors.c
 *	  Sequential scans that take the stripes' rows vector by vector.
 *
 * What is read and in which order is as in scan.c, and so are the workers of a
 * parallel scan: they share out stripes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "pgstat.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/scan.h"

/* Go to the stripe that has the next vector. */
static bool
find_stripe(ColjScan *scan)
{
	ColjStripeCursor *cursor = colj_scan_cursor(scan);

	if (scan->in_heap)
		return false;
	while (cursor->stripe < 0 || cursor->row + 1 >= cursor->entries[cursor->stripe].rows)
	{
		if (!colj_scan_next_stripe(scan, ForwardScanDirection))
		{
			scan->in_heap = true;
			return false;
		}
	}
	return true;
}

/* The rows of the vector that count, for the table's statistics. */
static void
count_rows(Relation rel, const ColjScanVector *vector)
{
	uint32		n = vector->rows;

	for (uint32 i = 0; vector->dead != NULL && i < vector->rows; i++)
		n -= !colj_vector_row_counts(vector, i);
	COLJ_COUNT_RETURNED(rel, n);
}

bool
colj_scan_next_vector(TableScanDesc sscan, TupleTableSlot *slot, ColjScanVector *vector)
{
	ColjScan   *scan = (ColjScan *) sscan;
	ColjStripeCursor *cursor = &scan->cursor;
	const ColjStripeEntry *entry;
	const ColjPin *pin;

	Assert(IsMVCCSnapshot(sscan->rs_snapshot));
	CHECK_FOR_INTERRUPTS();
	if (!find_stripe(scan))
		return false;
	entry = &cursor->entries[cursor->stripe];
	cursor->row++;
	(void) colj_cursor_counts(cursor, cursor->row);
	colj_slot_store(&cursor->store, entry, entry->first_row + cursor->row, slot);
	pin = colj_slot_pin(slot);
	*vector = (ColjScanVector){colj_open_stripe(pin->open), pin->vector, pin->first, pin->n, cursor->dead};
	cursor->row = vector->first + vector->rows - 1;
	count_rows(sscan->rs_rd, vector);
	return true;
}

void
colj_scan_vector_row(TableScanDesc sscan, TupleTableSlot *slot, const ColjScanVector *vector, uint32 i)
{
	ColjStripeCursor *cursor = &((ColjScan *) sscan)->cursor;
	const ColjStripeEntry *entry = &cursor->entries[cursor->stripe];

	colj_slot_store(&cursor->store, entry, entry->first_row + vector->first + i, slot);
}
