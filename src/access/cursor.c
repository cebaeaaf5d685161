/*-------------------------------------------------------------------------
 *
 * cursor.c
 *	  Going through the rows of all stripes, in either direction.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/scan.h"

bool
colj_cursor_begin(ColjStripeCursor *cursor, Relation table, Snapshot snapshot, bool all)
{
	memset(cursor, 0, sizeof(*cursor));
	cursor->stripe = cursor->dead_of = -1;
	cursor->row = -1;
	cursor->snapshot = snapshot;
	cursor->all = all;
	cursor->context = CurrentMemoryContext;
	if (!colj_store_open(&cursor->store, table, AccessShareLock))
		return false;
	cursor->n = colj_directory_read(&cursor->store, snapshot, &cursor->entries);
	if (cursor->n > 0)
		return true;
	pfree(cursor->entries);
	colj_store_close(&cursor->store);
	return false;
}

void
colj_cursor_end(ColjStripeCursor *cursor)
{
	if (cursor->n == 0)
		return;
	pfree(cursor->entries);
	if (cursor->dead != NULL)
		pfree(cursor->dead);
	colj_store_close(&cursor->store);
	cursor->n = 0;
	cursor->dead = NULL;
}

static bool
is_among(const ColjStripeEntry *entry, const ColjStripeCursor *cursor)
{
	for (int i = 0; i < cursor->n; i++)
		if (entry->first_row < cursor->entries[i].first_row + cursor->entries[i].rows &&
			cursor->entries[i].first_row < entry->first_row + entry->rows)
			return true;
	return false;
}

void
colj_cursor_renew(ColjStripeCursor *cursor, Relation table)
{
	ColjStripeCursor known = *cursor;
	MemoryContext old = MemoryContextSwitchTo(cursor->context);
	int			n = 0;

	(void) colj_cursor_begin(cursor, table, known.snapshot, known.all);
	for (int i = 0; i < cursor->n; i++)
		if (!is_among(&cursor->entries[i], &known))
			cursor->entries[n++] = cursor->entries[i];
	if (n == 0)
		colj_cursor_end(cursor);
	cursor->n = n;
	colj_cursor_end(&known);
	MemoryContextSwitchTo(old);
}

void
colj_cursor_enter(ColjStripeCursor *cursor, int stripe, ScanDirection direction)
{
	cursor->stripe = stripe;
	cursor->row = -1;
	if (ScanDirectionIsBackward(direction) && stripe >= 0 && stripe < cursor->n)
		cursor->row = cursor->entries[stripe].rows;
}

/* SnapshotDirty also wants to know who is about to make the row dead. */
static bool
dirty_row_counts(ColjStripeCursor *cursor, uint64 row)
{
	ColjFate	fate = colj_row_fate(&cursor->store, cursor->snapshot, row);

	cursor->snapshot->xmin = InvalidTransactionId;
	cursor->snapshot->xmax = fate.pending;
	cursor->snapshot->speculativeToken = 0;
	return !fate.dead;
}

bool
colj_cursor_counts(ColjStripeCursor *cursor, int64 row)
{
	const ColjStripeEntry *entry = &cursor->entries[cursor->stripe];

	if (cursor->all)
		return true;
	if (cursor->snapshot->snapshot_type == SNAPSHOT_DIRTY)
		return dirty_row_counts(cursor, entry->first_row + row);
	if (cursor->dead_of != cursor->stripe)
	{
		/* the caller's context may be that of one row */
		MemoryContext old = MemoryContextSwitchTo(cursor->context);

		if (cursor->dead != NULL)
			pfree(cursor->dead);
		cursor->dead = colj_rows_dead(&cursor->store, cursor->snapshot, entry->first_row, entry->rows);
		cursor->dead_of = cursor->stripe;
		MemoryContextSwitchTo(old);
	}
	return cursor->dead == NULL || (cursor->dead[row / 8] & (1 << (row % 8))) == 0;
}

bool
colj_cursor_next(ColjStripeCursor *cursor, ScanDirection direction, TupleTableSlot *slot)
{
	int			step = ScanDirectionIsBackward(direction) ? -1 : 1;

	for (;;)
	{
		const ColjStripeEntry *entry;

		if (cursor->stripe < 0 || cursor->stripe >= cursor->n)
			return false;
		entry = &cursor->entries[cursor->stripe];
		cursor->row += step;
		if (cursor->row < 0 || cursor->row >= entry->rows)
			return false;
		if ((cursor->dead_of == cursor->stripe && cursor->dead == NULL) || colj_cursor_counts(cursor, cursor->row))
		{
			CHECK_FOR_INTERRUPTS();
			colj_slot_store(&cursor->store, entry, entry->first_row + cursor->row, slot);
			return true;
		}
	}
}
