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
#include "access/xact.h"
#include "commands/vacuum.h"
#include "common/pg_prng.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "nodes/tidbitmap.h"
#include "pgstat.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/moved.h"
#include "access/scan.h"

/*
 * Rows that ANALYZE looks at in stripes, about, and at least for each block.  It
 * samples 300 for each unit of the statistics target, from as many blocks.
 */
#define ANALYZE_ROWS 60000.0
#define ANALYZE_BLOCKS 30000.0
#define ANALYZE_LEAST 10.0

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

/*
 * Does a row of the stripe at hand count?  A serializable transaction locks it
 * before it looks.
 */
static bool
row_counts(ColjScan *scan, uint64 row, int64 at)
{
	ColjStripeCursor *cursor = &scan->cursor;
	ItemPointerData tid;

	if (!IsolationIsSerializable() || !IsMVCCSnapshot(cursor->snapshot))
		return colj_cursor_counts(cursor, at);
	tid = colj_row_tid(row);
	colj_serialize_row(scan->base.rs_base.rs_rd, &tid, cursor->snapshot);
	return !colj_row_fate(&cursor->store, cursor->snapshot, row).dead;
}

/* Note a row if it counts. */
static void
note_row(ColjScan *scan, uint64 row)
{
	int64		at = enter_row(&scan->cursor, row);

	if (at < 0)
		colj_serialize_missing(scan->base.rs_base.rs_rd, row, scan->base.rs_base.rs_snapshot);
	else if (row_counts(scan, row, at))
		scan->rows[scan->nrows++] = row;
}

/* Note the rows of a block: those at the offsets, or all if there is no list. */
static void
note_block(ColjScan *scan, BlockNumber block, const OffsetNumber *offsets, int n)
{
	uint64		first = (uint64) (block - COLJ_FIRST_BLOCK) * COLJ_BLOCK_ROWS;

	if (scan->rows == NULL)
		scan->rows = MemoryContextAlloc(scan->context, COLJ_BLOCK_ROWS * sizeof(uint64));
	scan->nrows = scan->next = 0;
	if (colj_scan_cursor(scan)->n == 0 && !IsolationIsSerializable())
		return;
	for (int i = 0; i < (offsets != NULL ? n : COLJ_BLOCK_ROWS); i++)
		note_row(scan, first + (offsets != NULL ? offsets[i] - 1 : i));
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

#ifdef COLJ_BITMAP_ITERATOR

/*
 * The bitmap's blocks for heap's read stream, up to the first of stripes:
 * blocks come in ascending order, so no more of heap's follow.
 */
static BlockNumber
next_heap_block(ReadStream *stream, void *arg, void *per_buffer_data)
{
	ColjScan   *scan = arg;
	TBMIterateResult *block = per_buffer_data;
	BlockNumber nblocks = ((HeapScanDesc) scan->heap)->rs_nblocks;

	(void) stream;
	while (!scan->bitmap_reached && tbm_iterate(&scan->base.rs_base.st.rs_tbmiterator, block))
	{
		CHECK_FOR_INTERRUPTS();
		if (block->blockno >= COLJ_FIRST_BLOCK)
		{
			scan->bitmap_block = *block;
			scan->bitmap_reached = true;
		}

		/*
		 * what was added since is not for this snapshot, but may be a
		 * conflict
		 */
		else if (block->blockno < nblocks || IsolationIsSerializable())
			return block->blockno;
	}
	return InvalidBlockNumber;
}

/* Heap's own stream would take the iterator in heap's scan, all of it. */
void
colj_bitmap_begin(ColjScan *scan)
{
	HeapScanDesc heap = (HeapScanDesc) scan->heap;

	read_stream_end(heap->rs_read_stream);
	heap->rs_read_stream = read_stream_begin_relation(READ_STREAM_DEFAULT, heap->rs_strategy,
													  heap->rs_base.rs_rd, MAIN_FORKNUM,
													  next_heap_block, scan, sizeof(TBMIterateResult));
}

/* Note the rows of the bitmap's next block of stripes; false behind the last. */
static bool
next_stripe_block(ColjScan *scan, bool *recheck, uint64 *lossy, uint64 *exact)
{
	TBMIterateResult *block = &scan->bitmap_block;
	OffsetNumber offsets[TBM_MAX_TUPLES_PER_PAGE];
	int			n = 0;

	if (!scan->bitmap_reached)
		return false;
	if (!block->lossy)
		n = tbm_extract_page_tuple(block, offsets, TBM_MAX_TUPLES_PER_PAGE);
	note_block(scan, block->blockno, block->lossy ? NULL : offsets, n);
	*recheck = block->recheck;
	++*(block->lossy ? lossy : exact);
	scan->bitmap_reached = tbm_iterate(&scan->base.rs_base.st.rs_tbmiterator, block);
	return true;
}

bool
colj_bitmap_next_tuple(TableScanDesc sscan, TupleTableSlot *slot, bool *recheck,
					   uint64 *lossy, uint64 *exact)
{
	ColjScan   *scan = (ColjScan *) sscan;
	bool		lent;
	bool		found = false;

	scan->heap->rs_snapshot = sscan->rs_snapshot;
	if (!scan->bitmap_in_stripes)
	{
		lent = colj_slot_lend(slot);
		do
		{
			found = colj_heap()->scan_bitmap_next_tuple(scan->heap, slot, recheck, lossy, exact);
		} while (found && colj_slot_gone(sscan->rs_rd, sscan->rs_snapshot, slot));
		colj_slot_take_back(slot, lent);
	}
	if (found)
		return true;
	scan->bitmap_in_stripes = true;
	while (!next_noted(scan, slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (!next_stripe_block(scan, recheck, lossy, exact))
			return false;
	}
	return true;
}

#else

bool
colj_bitmap_next_block(TableScanDesc sscan, struct TBMIterateResult *block)
{
	ColjScan   *scan = (ColjScan *) sscan;

	scan->heap->rs_snapshot = sscan->rs_snapshot;
	if (block->blockno < COLJ_FIRST_BLOCK)
		return colj_heap()->scan_bitmap_next_block(scan->heap, block);
	note_block(scan, block->blockno, block->ntuples >= 0 ? block->offsets : NULL, block->ntuples);
	return scan->nrows > 0;
}

bool
colj_bitmap_next_tuple(TableScanDesc sscan, struct TBMIterateResult *block, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;
	bool		lent;
	bool		found;

	if (block->blockno < COLJ_FIRST_BLOCK)
	{
		lent = colj_slot_lend(slot);
		do
		{
			found = colj_heap()->scan_bitmap_next_tuple(scan->heap, block, slot);
		} while (found && colj_slot_gone(sscan->rs_rd, sscan->rs_snapshot, slot));
		colj_slot_take_back(slot, lent);
		return found;
	}
	return next_noted(scan, slot);
}

#endif							/* COLJ_BITMAP_ITERATOR */

/* How many rows there are for every block of the main fork, and how many of them are looked at. */
static void
begin_shares(ColjScan *scan)
{
	ColjStripeCursor *cursor = colj_scan_cursor(scan);
	double		nblocks = Max(1, ((HeapScanDesc) scan->heap)->rs_nblocks);
	double		rows = Max(ANALYZE_ROWS, 2.0 * 300 * default_statistics_target);
	double		most = Max(ANALYZE_LEAST, rows / Min(nblocks, ANALYZE_BLOCKS));

	scan->total = 0;
	for (int i = 0; i < cursor->n; i++)
		scan->total += cursor->entries[i].rows;
	scan->step = Max(1.0, scan->total / nblocks / most);

	/* dead rows are counted once, and spread evenly */
	scan->dead_share = cursor->n > 0 ? colj_proxies_dead(&cursor->store) / nblocks : 0;
}

/* How many rows to pass over, so that each is taken with the same chance. */
static double
rows_between(const ColjScan *scan)
{
	if (scan->step <= 1)
		return 0;
	return floor(log(1 - pg_prng_double(&pg_global_prng_state)) / log(1 - 1 / scan->step));
}

/*
 * Note some of the rows that a block of the main fork stands for, at random, as
 * what is in them may repeat with a period.  Returns how many live ones it
 * stands for.
 */
static double
note_share(ColjScan *scan, BlockNumber block)
{
	ColjStripeCursor *cursor = &scan->cursor;
	double		nblocks = Max(1, ((HeapScanDesc) scan->heap)->rs_nblocks);
	double		from = floor(scan->total * block / nblocks);
	double		to = floor(scan->total * (block + 1.0) / nblocks);
	const ColjStripeEntry *entry = cursor->entries;
	double		before = 0;
	double		chosen = 0;
	double		room = (to - from) / scan->step;

	/* so many more are next to impossible */
	room += 20 + 10 * sqrt(room);
	if (scan->rows != NULL)
		pfree(scan->rows);
	scan->rows = MemoryContextAllocHuge(scan->context, (Size) room * sizeof(uint64));
	scan->nrows = scan->next = 0;
	for (double row = from + rows_between(scan); row < to && chosen < floor(room); row += 1 + rows_between(scan))
	{
		while (row >= before + entry->rows)
			before += (entry++)->rows;
		chosen++;
		note_row(scan, entry->first_row + (uint64) (row - before));
	}
	return chosen == 0 ? 0 : (to - from) * scan->nrows / chosen;
}

bool
colj_analyze_next_block(TableScanDesc sscan, COLJ_ANALYZE_PARAMS)
{
	ColjScan   *scan = (ColjScan *) sscan;

	/* before heap locks the block */
	if (scan->step == 0)
		begin_shares(scan);
	scan->in_heap = colj_heap()->scan_analyze_next_block(scan->heap, COLJ_ANALYZE_ARGS);
	return scan->in_heap;
}

/*
 * ANALYZE takes the order of TIDs for that of the rows.  Stripes come first in
 * a scan, so for ANALYZE their blocks change places with those of the main fork.
 */
static void
change_places(ItemPointer tid)
{
	ItemPointerSetBlockNumber(tid, ItemPointerGetBlockNumberNoCheck(tid) ^ COLJ_FIRST_BLOCK);
}

/*
 * The next tuple of heap's block.  Rows of both stores have the same chance: if
 * not all of the stripes are looked at, neither are all of the main fork.
 */
static bool
next_heap_sample(ColjScan *scan, TransactionId horizon, double *live, double *dead, TupleTableSlot *slot)
{
	bool		lent = colj_slot_lend(slot);
	bool		found;

	do
		found = colj_heap()->scan_analyze_next_tuple(scan->heap, horizon, live, dead, slot);
	while (found && scan->step > 1 && pg_prng_double(&pg_global_prng_state) * scan->step >= 1);
	if (found)
		change_places(&((HeapTupleTableSlot *) slot)->tuple->t_self);
	colj_slot_take_back(slot, lent);
	return found;
}

bool
colj_analyze_next_tuple(TableScanDesc sscan, TransactionId horizon, double *live,
						double *dead, TupleTableSlot *slot)
{
	ColjScan   *scan = (ColjScan *) sscan;

	if (scan->in_heap)
	{
		if (next_heap_sample(scan, horizon, live, dead, slot))
			return true;

		/* now that heap has unlocked the block */
		*live += note_share(scan, ((HeapScanDesc) scan->heap)->rs_cblock);
		*dead += scan->dead_share;
		scan->in_heap = false;
	}
	if (!next_noted(scan, slot))
		return false;
	change_places(&slot->tts_tid);
	return true;
}

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
	bool		lent;
	bool		found;

	if (cursor->n == 0 || scan->in_heap)
	{
		lent = colj_slot_lend(slot);
		do
		{
			found = colj_heap()->scan_sample_next_tuple(scan->heap, state, slot);
		} while (found && colj_slot_gone(sscan->rs_rd, sscan->rs_snapshot, slot));
		colj_slot_take_back(slot, lent);
		return found;
	}
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
