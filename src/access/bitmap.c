/*-------------------------------------------------------------------------
 *
 * bitmap.c
 *	  Bitmap heap scans, TABLESAMPLE and ANALYZE: by block, in both stores.
 *
 * A bitmap has the blocks of stripes' TIDs, as the indexes do.  For
 * TABLESAMPLE the stripes are blocks of COLJ_BLOCK_ROWS rows behind heap's.
 * ANALYZE samples blocks of the main fork only; each of them stands for its
 * share of the rows in stripes, of which a few are looked at.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/heapam.h"
#include "access/tsmapi.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/tidbitmap.h"
#include "pgstat.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/scan.h"

/* Rows that ANALYZE looks at in stripes, about, and at least for each block. */
#define ANALYZE_ROWS 60000.0
#define ANALYZE_BLOCKS 30000.0
#define ANALYZE_LEAST 10.0

#ifdef COLJ_BLOCK_CALLBACKS

/* Go to the stripe that a row is in; its place there, or -1. */
static int64
enter_row(ColjStripeCursor *cursor, uint64 row)
{
	int			low = 0;
	int			high = cursor->n;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (cursor->entries[middle].first_row <= row)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || row - cursor->entries[low - 1].first_row >= cursor->entries[low - 1].rows)
		return -1;
	colj_cursor_enter(cursor, low - 1, ForwardScanDirection);
	return (int64) (row - cursor->entries[low - 1].first_row);
}

/* Note the rows of a stripe's block that count. */
static void
note_row(ColjScan *scan, uint64 row)
{
	int64		at = enter_row(&scan->cursor, row);

	if (at >= 0 && colj_cursor_counts(&scan->cursor, at))
		scan->rows[scan->nrows++] = row;
}

static void
begin_block(ColjScan *scan)
{
	if (scan->rows == NULL)
		scan->rows = MemoryContextAlloc(scan->context, COLJ_BLOCK_ROWS * sizeof(uint64));
	scan->nrows = scan->next = 0;
}

/* The next noted row into the slot. */
static bool
next_noted(ColjScan *scan, TupleTableSlot *slot)
{
	ColjStripeCursor *cursor = &scan->cursor;
	uint64		row;

	if (scan->next >= scan->nrows)
		return false;
	CHECK_FOR_INTERRUPTS();
	row = scan->rows[scan->next++];
	(void) enter_row(cursor, row);
	colj_slot_store(&cursor->store, &cursor->entries[cursor->stripe], row, slot);
	pgstat_count_heap_fetch(scan->base.rs_base.rs_rd);
	return true;
}

bool
colj_bitmap_next_block(TableScanDesc sscan, struct TBMIterateResult *block)
{
	ColjScan   *scan = (ColjScan *) sscan;
	uint64		first;

	scan->heap->rs_snapshot = sscan->rs_snapshot;
	begin_block(scan);
	if (block->blockno < COLJ_FIRST_BLOCK)
		return colj_heap()->scan_bitmap_next_block(scan->heap, block);
	if (colj_scan_cursor(scan)->n == 0)
		return false;
	first = (uint64) (block->blockno - COLJ_FIRST_BLOCK) * COLJ_BLOCK_ROWS;
	if (block->ntuples >= 0)
	{
		for (int i = 0; i < block->ntuples; i++)
			note_row(scan, first + block->offsets[i] - 1);
	}
	else
	{
		for (int i = 0; i < COLJ_BLOCK_ROWS; i++)
			note_row(scan, first + i);
	}
	return scan->nrows > 0;
}

bool
colj_bitmap_next_tuple(TableScanDesc sscan, struct TBMIterateResult *block, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;

	if (block->blockno < COLJ_FIRST_BLOCK)
		return colj_heap()->scan_bitmap_next_tuple(scan->heap, block, slot);
	return next_noted(scan, slot);
}

/* Note some of the rows that a block of the main fork stands for. */
static void
note_share(ColjScan *scan, BlockNumber block)
{
	ColjStripeCursor *cursor = colj_scan_cursor(scan);
	double		nblocks = Max(1, ((HeapScanDesc) scan->heap)->rs_nblocks);
	double		most = Max(ANALYZE_LEAST, ANALYZE_ROWS / Min(nblocks, ANALYZE_BLOCKS));
	double		total = 0;
	double		from;
	double		to;
	double		step;
	double		before = 0;

	scan->nrows = scan->next = 0;
	for (int i = 0; i < cursor->n; i++)
		total += cursor->entries[i].rows;
	from = floor(total * block / nblocks);
	to = floor(total * (block + 1.0) / nblocks);
	step = Max(1.0, (to - from) / most);
	scan->rows = MemoryContextAllocHuge(scan->context, (Size) (Min(most, to - from) + 2) * sizeof(uint64));
	for (int i = 0; i < cursor->n; i++)
	{
		const ColjStripeEntry *entry = &cursor->entries[i];

		for (; from < to && from < before + entry->rows; from += step)
			if (scan->nrows <= most)
				note_row(scan, entry->first_row + (uint64) (from - before));
		before += entry->rows;
	}
	scan->share = scan->nrows * step;
}

bool
colj_analyze_next_block(TableScanDesc sscan, BlockNumber block, BufferAccessStrategy strategy)
{
	ColjScan   *scan = (ColjScan *) sscan;

	if (!colj_heap()->scan_analyze_next_block(scan->heap, block, strategy))
		return false;
	if (scan->rows != NULL)
		pfree(scan->rows);
	scan->rows = NULL;
	scan->share = 0;
	if (colj_scan_cursor(scan)->n > 0)
		note_share(scan, block);
	return true;
}

bool
colj_analyze_next_tuple(TableScanDesc sscan, TransactionId horizon, double *live,
						double *dead, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;

	if (scan->next == 0 &&
		colj_heap()->scan_analyze_next_tuple(scan->heap, horizon, live, dead, slot))
		return true;
	*live += scan->share;
	scan->share = 0;
	return next_noted(scan, slot);
}

#endif							/* COLJ_BLOCK_CALLBACKS */

/* The block that heap is to sample next. */
static BlockNumber pinned_block;

static BlockNumber
pinned(SampleScanState *state, BlockNumber nblocks)
{
	(void) state;
	(void) nblocks;
	return pinned_block;
}

/* Have heap sample this block, or end. */
static bool
sample_heap(ColjScan *scan, SampleScanState *state, BlockNumber block)
{
	TsmRoutine	routine = *state->tsmroutine;
	TsmRoutine *original = state->tsmroutine;
	bool		result;

	routine.NextSampleBlock = pinned;
	pinned_block = block;
	PG_TRY();
	{
		state->tsmroutine = &routine;
		result = colj_heap()->scan_sample_next_block(scan->heap, state);
	}
	PG_FINALLY();
	{
		state->tsmroutine = original;
	}
	PG_END_TRY();
	return result;
}

/* Block k behind heap's: enter its stripe, remember its first row. */
static bool
sample_stripe(ColjScan *scan, BlockNumber k)
{
	ColjStripeCursor *cursor = &scan->cursor;

	for (int i = 0; i < cursor->n; i++)
	{
		BlockNumber nblocks = (cursor->entries[i].rows + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS;

		if (k < nblocks)
		{
			colj_cursor_enter(cursor, i, ForwardScanDirection);
			cursor->row = (int64) k * COLJ_BLOCK_ROWS;
			return true;
		}
		k -= nblocks;
	}
	return false;
}

bool
colj_sample_next_block(TableScanDesc sscan, SampleScanState *state)
{
	ColjScan   *scan = (ColjScan *) sscan;
	ColjStripeCursor *cursor;
	BlockNumber heap_blocks = ((HeapScanDesc) scan->heap)->rs_nblocks;
	BlockNumber stripe_blocks = 0;
	BlockNumber block;
	bool		fresh = !scan->looked;

	cursor = colj_scan_cursor(scan);
	if (cursor->n == 0)
		return colj_heap()->scan_sample_next_block(scan->heap, state);
	if (fresh)
	{
		scan->in_heap = true;
		scan->next = -1;
	}
	for (int i = 0; i < cursor->n; i++)
		stripe_blocks += (cursor->entries[i].rows + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS;
	if (state->tsmroutine->NextSampleBlock == NULL)
	{
		if (scan->in_heap && colj_heap()->scan_sample_next_block(scan->heap, state))
			return true;
		scan->in_heap = false;
		return sample_stripe(scan, ++scan->next);
	}
	block = state->tsmroutine->NextSampleBlock(state, heap_blocks + stripe_blocks);
	scan->in_heap = !BlockNumberIsValid(block) || block < heap_blocks;
	if (scan->in_heap)
		return sample_heap(scan, state, block);
	return sample_stripe(scan, block - heap_blocks);
}

bool
colj_sample_next_tuple(TableScanDesc sscan, SampleScanState *state, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;
	ColjStripeCursor *cursor = &scan->cursor;
	const ColjStripeEntry *entry;
	int64		first = cursor->row;
	BlockNumber block;
	OffsetNumber most;
	OffsetNumber offset;

	if (cursor->n == 0 || scan->in_heap)
		return colj_heap()->scan_sample_next_tuple(scan->heap, state, slot);
	entry = &cursor->entries[cursor->stripe];
	block = COLJ_FIRST_BLOCK + (BlockNumber) ((entry->first_row + first) / COLJ_BLOCK_ROWS);
	most = (OffsetNumber) Min(COLJ_BLOCK_ROWS, entry->rows - first);
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		offset = state->tsmroutine->NextSampleTuple(state, block, most);
		if (!OffsetNumberIsValid(offset))
			break;
		if (!colj_cursor_counts(cursor, first + offset - 1))
			continue;
		colj_slot_store(&cursor->store, entry, entry->first_row + first + offset - 1, slot);
		pgstat_count_heap_getnext(sscan->rs_rd);
		return true;
	}
	ExecClearTuple(slot);
	return false;
}
