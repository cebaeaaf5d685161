/*-------------------------------------------------------------------------
 *
 * build.c
 *	  Index builds: every row of a table given to an index's callback.
 *
 * Heap's own loop cannot be used, as it insists on a table of the access
 * method heap.  The rules are heap's: a build under SnapshotAny indexes what
 * any snapshot may still see, and a chain of heap-only tuples is indexed by
 * its live member under the TID of its root.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "commands/progress.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/procarray.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/scan.h"

typedef struct Build
{
	Relation	table;
	Relation	index;
	IndexInfo  *info;
	bool		anyvisible;
	bool		progress;
	bool		unique;			/* unique or exclusion constraint */
	IndexBuildCallback callback;
	void	   *callback_state;
	TransactionId horizon;		/* for SnapshotAny */
	EState	   *estate;
	ExprContext *econtext;
	ExprState  *predicate;
	TupleTableSlot *slot;
	ColjRoots	roots;
	BlockNumber reported;
	double		live;
} Build;

/* What becomes of a tuple. */
typedef struct Verdict
{
	bool		index;
	bool		alive;			/* takes part in the check of uniqueness */
	TransactionId wait_for;		/* look again after this transaction */
	XLTW_Oper	wait_why;
} Verdict;

bool
colj_roots_enter(ColjRoots *roots, HeapScanDesc scan)
{
	if (roots->block == scan->rs_cblock)
		return false;
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	heap_get_root_tuples(BufferGetPage(scan->rs_cbuf), roots->offsets);
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
	roots->block = scan->rs_cblock;
	return true;
}

ItemPointerData
colj_roots_tid(ColjRoots *roots, HeapScanDesc scan, HeapTuple tuple)
{
	ItemPointerData tid = tuple->t_self;
	OffsetNumber offset = ItemPointerGetOffsetNumber(&tid);

	if (!HeapTupleIsHeapOnly(tuple))
		return tid;

	/* under a weak lock the chain may have grown since the page was entered */
	if (!OffsetNumberIsValid(roots->offsets[offset - 1]))
	{
		roots->block = InvalidBlockNumber;
		colj_roots_enter(roots, scan);
	}
	offset = roots->offsets[offset - 1];
	if (!OffsetNumberIsValid(offset))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg_internal("failed to find parent tuple for heap-only tuple at (%u,%u) in table \"%s\"",
								 ItemPointerGetBlockNumber(&tid),
								 ItemPointerGetOffsetNumber(&tid),
								 RelationGetRelationName(scan->rs_base.rs_rd))));
	ItemPointerSetOffsetNumber(&tid, offset);
	return tid;
}

static void
refuse_brin(Relation table, IndexInfo *info)
{
	if (info->ii_Am == BRIN_AM_OID)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("access method \"brin\" does not support tables of access method \"colj\""),
				 errdetail("Rows of table \"%s\" may move, which BRIN's ranges of blocks do not follow.",
						   RelationGetRelationName(table)),
				 errhint("Use a btree index, or no index: stripes know the bounds of their columns.")));
}

/* Another transaction's insert or delete is under way where none should be. */
static bool
foreign_write(Build *b, TransactionId xid, const char *what)
{
	if (TransactionIdIsCurrentTransactionId(xid))
		return false;
	elog(WARNING, "concurrent %s in progress within table \"%s\"", what,
		 RelationGetRelationName(b->table));
	return true;
}

static Verdict
judge_insert(Build *b, HeapTuple tuple)
{
	TransactionId xid = HeapTupleHeaderGetXmin(tuple->t_data);
	Verdict		v = {.index = true, .alive = true};

	if (b->anyvisible)
		b->live += 1;
	else if (!foreign_write(b, xid, "insert"))
		b->live += 1;
	else if (b->unique)
	{
		v.wait_for = xid;
		v.wait_why = XLTW_InsertIndexUnique;
	}
	return v;
}

static Verdict
judge_delete(Build *b, HeapTuple tuple)
{
	TransactionId xid = HeapTupleHeaderGetUpdateXid(tuple->t_data);
	Verdict		v = {.index = true, .alive = false};

	if (b->anyvisible)
	{
		b->live += 1;
		return v;
	}
	if (foreign_write(b, xid, "delete"))
	{
		if (b->unique || HeapTupleIsHotUpdated(tuple))
		{
			v.wait_for = xid;
			v.wait_why = XLTW_InsertIndexUnique;
			return v;
		}
		b->live += 1;
		return v;
	}
	if (HeapTupleIsHotUpdated(tuple))
	{
		v.index = false;
		b->info->ii_BrokenHotChain = true;
	}
	return v;
}

static Verdict
judge(Build *b, HeapScanDesc scan, HeapTuple tuple)
{
	Verdict		v = {0};

	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	switch (HeapTupleSatisfiesVacuum(tuple, b->horizon, scan->rs_cbuf))
	{
		case HEAPTUPLE_DEAD:
			break;
		case HEAPTUPLE_LIVE:
			v.index = v.alive = true;
			b->live += 1;
			break;
		case HEAPTUPLE_RECENTLY_DEAD:

			/*
			 * its successor in the chain is indexed, which old snapshots must
			 * not use
			 */
			if (HeapTupleIsHotUpdated(tuple))
				b->info->ii_BrokenHotChain = true;
			else
				v.index = true;
			break;
		case HEAPTUPLE_INSERT_IN_PROGRESS:
			v = judge_insert(b, tuple);
			break;
		case HEAPTUPLE_DELETE_IN_PROGRESS:
			v = judge_delete(b, tuple);
			break;
	}
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
	return v;
}

/* The row in the slot, if the index's predicate takes it. */
static void
give(Build *b, ItemPointer tid, bool alive)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];

	MemoryContextReset(b->econtext->ecxt_per_tuple_memory);
	if (b->predicate != NULL && !ExecQual(b->predicate, b->econtext))
		return;
	FormIndexDatum(b->info, b->slot, b->estate, values, isnull);
	b->callback(b->index, tid, values, isnull, alive, b->callback_state);
}

static void
report_total(Build *b, TableScanDesc scan)
{
	ParallelBlockTableScanDesc shared = (ParallelBlockTableScanDesc) scan->rs_parallel;

	if (b->progress)
		pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_TOTAL,
									 shared != NULL ? shared->phs_nblocks : ((HeapScanDesc) colj_heap_scan(scan))->rs_nblocks);
}

static void
report_page(Build *b, HeapScanDesc scan)
{
	ParallelBlockTableScanDesc shared = (ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;
	BlockNumber start = shared != NULL ? shared->phs_startblock : scan->rs_startblock;
	BlockNumber total = shared != NULL ? shared->phs_nblocks : scan->rs_nblocks;
	BlockNumber block = scan->rs_cblock;

	if (!b->progress || block == b->reported)
		return;
	pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE,
								 block >= start ? block - start : total - start + block);
	b->reported = block;
}

static void
build_rows(Build *b, TableScanDesc scan)
{
	HeapScanDesc hscan;

	scan = colj_heap_scan(scan);
	hscan = (HeapScanDesc) scan;
	while (colj_heap_next(scan, ForwardScanDirection, b->slot))
	{
		HeapTuple	tuple = &hscan->rs_ctup;
		Verdict		v = {.index = true, .alive = true};
		ItemPointerData tid;

		CHECK_FOR_INTERRUPTS();
		report_page(b, hscan);
		colj_roots_enter(&b->roots, hscan);
		if (scan->rs_snapshot == SnapshotAny)
		{
			while (v = judge(b, hscan, tuple), TransactionIdIsValid(v.wait_for))
			{
				XactLockTableWait(v.wait_for, b->table, &tuple->t_self, v.wait_why);
				CHECK_FOR_INTERRUPTS();
			}
		}
		else
			b->live += 1;
		if (!v.index)
			continue;
		tid = colj_roots_tid(&b->roots, hscan, tuple);
		give(b, &tid, v.alive);
	}
}

static void
free_bits(bits8 *bits)
{
	if (bits != NULL)
		pfree(bits);
}

/*
 * The rows of stripes.  Under SnapshotAny also dead ones are indexed, as old
 * snapshots may see them; but not what VACUUM has taken out of all indexes for
 * good.
 */
static void
build_stripes(Build *b, ColjScan *scan)
{
	ColjStripeCursor *cursor = colj_scan_cursor(scan);
	int			stripe = -1;
	bits8	   *dead = NULL;
	bits8	   *settled = NULL;

	while (colj_stripes_next(scan, ForwardScanDirection, b->slot))
	{
		ItemPointerData tid = b->slot->tts_tid;
		const ColjStripeEntry *entry = &cursor->entries[cursor->stripe];
		uint64		row = colj_tid_row(&tid) - entry->first_row;
		bool		alive;

		if (cursor->all && stripe != cursor->stripe)
		{
			stripe = cursor->stripe;
			free_bits(dead);
			free_bits(settled);
			dead = colj_rows_dead(&cursor->store, SnapshotSelf, entry->first_row, entry->rows);
			settled = colj_rows_settled(&cursor->store, SnapshotSelf, entry->first_row, entry->rows, NULL);
		}
		if (settled != NULL && (settled[row / 8] & (1 << (row % 8))) != 0)
			continue;
		alive = dead == NULL || (dead[row / 8] & (1 << (row % 8))) == 0;
		b->live += alive ? 1 : 0;
		give(b, &tid, alive);
	}
	free_bits(dead);
	free_bits(settled);
}

static void
begin(Build *b)
{
	b->unique = b->info->ii_Unique || b->info->ii_ExclusionOps != NULL;
	b->estate = CreateExecutorState();
	b->econtext = GetPerTupleExprContext(b->estate);
	b->slot = table_slot_create(b->table, NULL);
	b->econtext->ecxt_scantuple = b->slot;
	b->predicate = ExecPrepareQual(b->info->ii_Predicate, b->estate);
	b->roots.block = b->reported = InvalidBlockNumber;
	if (!b->info->ii_Concurrent)
		b->horizon = GetOldestNonRemovableTransactionId(b->table);
}

static void
end(Build *b)
{
	ExecDropSingleTupleTableSlot(b->slot);
	FreeExecutorState(b->estate);
	b->info->ii_ExpressionsState = NIL;
	b->info->ii_PredicateState = NULL;
}

double
colj_index_build(Relation table, Relation index, IndexInfo *info, bool allow_sync,
				 bool anyvisible, bool progress, BlockNumber start, BlockNumber nblocks,
				 IndexBuildCallback callback, void *state, TableScanDesc scan)
{
	Build		b = {.table = table, .index = index, .info = info, .anyvisible = anyvisible, .progress = progress, .callback = callback, .callback_state = state};
	Snapshot	registered = NULL;

	refuse_brin(table, info);
	begin(&b);
	if (scan == NULL)
	{
		if (!TransactionIdIsValid(b.horizon))
			registered = RegisterSnapshot(GetTransactionSnapshot());
		scan = table_beginscan_strat(table, registered != NULL ? registered : SnapshotAny,
									 0, NULL, true, allow_sync);
	}
	report_total(&b, scan);
	if (!allow_sync)
		heap_setscanlimits(colj_heap_scan(scan), start, nblocks);
	build_rows(&b, scan);
	build_stripes(&b, (ColjScan *) scan);
	if (progress)
	{
		ParallelBlockTableScanDesc shared = (ParallelBlockTableScanDesc) scan->rs_parallel;

		pgstat_progress_update_param(PROGRESS_SCAN_BLOCKS_DONE,
									 shared != NULL ? shared->phs_nblocks : ((HeapScanDesc) colj_heap_scan(scan))->rs_nblocks);
	}
	table_endscan(scan);
	if (registered != NULL)
		UnregisterSnapshot(registered);
	end(&b);
	return b.live;
}
