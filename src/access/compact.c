/*-------------------------------------------------------------------------
 *
 * compact.c
 *	  Moving cold rows from the row store into stripes.
 *
 * A row is cold when every snapshot sees it and nobody has touched it since.
 * The move is an ordinary transaction: it writes the stripe, indexes its rows
 * under their new TIDs, and deletes the heap tuples.  Who has an older
 * snapshot goes on seeing those; what they do with one that has moved is in
 * moved.c.
 *
 * The lock is VACUUM's, ShareUpdateExclusiveLock: others read and write
 * meanwhile.  A row that somebody has locked stays where it is.  Who wants to
 * change a row that is on its way waits until this transaction ends, so VACUUM
 * ends it soon when it sees somebody wait.  Nobody here waits for a row.
 *
 * Exclusion constraints need ShareRowExclusiveLock.  Whoever checks one reads
 * the index without order, and could pass over a row in both of its places; in
 * a btree index the old place, with the lower TID, comes first.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/catalog.h"
#include "catalog/index.h"
#include "catalog/toasting.h"
#include "commands/progress.h"
#include "commands/tablecmds.h"
#include "commands/vacuum.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "storage/predicate.h"
#include "storage/procarray.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "guc.h"
#include "access/compact.h"
#include "access/fetch.h"
#include "access/merge.h"
#include "access/scan.h"
#include "store/batch.h"

PG_FUNCTION_INFO_V1(colj_compact);

/* Row numbers that are reserved at a time. */
#define RESERVE_ROWS (4 * COLJ_BLOCK_ROWS)

/* How many rows are moved between two looks for those who wait. */
#define WAITERS_ROWS 64

typedef struct CompactIndex
{
	Relation	rel;
	IndexInfo  *info;
	ExprState  *predicate;
} CompactIndex;

typedef struct Compaction
{
	Relation	table;
	ColjCompactResult *result;
	bool		vacuum;			/* report progress, and end early for others */
	ColjStore	store;
	TransactionId horizon;
	TupleTableSlot *slot;
	EState	   *estate;
	CompactIndex *indexes;
	int			nindexes;
	ColjBatch  *batch;
	uint64		first_row;		/* of the stripe */
	uint64		next_row;		/* numbers up to reserved_end are ours */
	uint64		reserved_end;
	ItemPointerData *origins;	/* of the stripe's rows */
	ColjUnused	unused;			/* numbers behind stripes */
} Compaction;

static void
open_indexes(Compaction *c)
{
	List	   *list = RelationGetIndexList(c->table);
	ListCell   *cell;

	c->indexes = palloc0((list_length(list) + 1) * sizeof(CompactIndex));
	foreach(cell, list)
	{
		Relation	rel = index_open(lfirst_oid(cell), RowExclusiveLock);
		CompactIndex *index = &c->indexes[c->nindexes];

		if (!rel->rd_index->indisready)
		{
			index_close(rel, NoLock);
			continue;
		}
		index->rel = rel;
		index->info = BuildIndexInfo(rel);
		index->predicate = ExecPrepareQual(index->info->ii_Predicate, c->estate);
		c->nindexes++;
	}
}

static void
index_row(Compaction *c, ItemPointer tid)
{
	ExprContext *econtext = GetPerTupleExprContext(c->estate);
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];

	econtext->ecxt_scantuple = c->slot;
	for (int i = 0; i < c->nindexes; i++)
	{
		CompactIndex *index = &c->indexes[i];

		if (index->predicate != NULL && !ExecQual(index->predicate, econtext))
			continue;
		FormIndexDatum(index->info, c->slot, c->estate, values, isnull);

		/* the row is in the table already: it cannot be a duplicate */
		index_insert(index->rel, values, isnull, tid, c->table, UNIQUE_CHECK_NO, false, index->info);
	}
	ResetExprContext(econtext);
}

static void
end_stripe(Compaction *c)
{
	uint64		used = c->next_row;
	const uint8_t *bytes;
	size_t		size;
	uint32		rows;

	if (c->batch->writer == NULL)
		return;
	rows = colj_batch_rows(c->batch);
	if (rows > 0)
	{
		ColjStripeEntry entry = {.first_row = c->first_row, .rows = rows, .filled = rows, .raw = colj_batch_bytes(c->batch)};

		colj_batch_finish(c->batch, &bytes, &size);
		colj_stripe_store_cold(&c->store, entry, bytes, size, 0);
		colj_origins_store(&c->store, c->first_row, c->origins, rows);
		c->result->moved += rows;
		c->result->stripes++;
		c->result->bytes += size;
	}
	colj_batch_end(c->batch);
	c->next_row = (used + COLJ_BLOCK_ROWS - 1) / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS;
	colj_unused_add(&c->unused, used, c->next_row);
}

/* Have a number for the next row, in the stripe at hand or in a new one. */
static void
number_row(Compaction *c)
{
	if (c->next_row == c->reserved_end)
	{
		uint64		first = colj_rows_reserve(&c->store, RESERVE_ROWS);

		if (first != c->reserved_end)
		{
			end_stripe(c);
			c->next_row = first;
		}
		c->reserved_end = first + RESERVE_ROWS;
	}
	if (c->batch->writer == NULL)
	{
		c->first_row = c->next_row;
		colj_batch_begin(c->batch, RelationGetDescr(c->table));
	}
}

/* Delete a heap tuple as moved; false when someone has locked or changed it. */
static bool
delete_tuple(Compaction *c, ItemPointer tid)
{
	TM_FailureData tmfd;

	if (RelationIsLogicallyLogged(c->table))
		return colj_delete_undecoded(c->table, tid);
	return heap_delete(c->table, tid, GetCurrentCommandId(true), InvalidSnapshot, false, &tmfd, true) == TM_Ok;
}

static void
move_row(Compaction *c)
{
	ItemPointerData tid;

	number_row(c);
	if (!delete_tuple(c, &c->slot->tts_tid))
		return;
	tid = colj_row_tid(c->next_row);
	c->origins[c->next_row - c->first_row] = c->slot->tts_tid;
	slot_getallattrs(c->slot);
	colj_batch_add(c->batch, RelationGetDescr(c->table), c->slot->tts_values, c->slot->tts_isnull);

	index_row(c, &tid);
	c->next_row++;
	if (colj_batch_full(c->batch))
		end_stripe(c);
}

/*
 * What was reserved in vain goes back, or is known to be in no index.  It
 * makes no gaps then that VACUUM would have to look into.
 */
static void
settle_unused(Compaction *c)
{
	if (c->next_row < c->reserved_end && !colj_rows_return(&c->store, c->next_row, c->reserved_end))
		colj_unused_add(&c->unused, c->next_row, c->reserved_end);
	colj_unused_settle(&c->store, &c->unused);
}

static bool
is_cold(TransactionId horizon, HeapScanDesc scan)
{
	HeapTuple	tuple = &scan->rs_ctup;
	HeapTupleHeader header = tuple->t_data;
	bool		cold;

	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	cold = HeapTupleSatisfiesVacuum(tuple, horizon, scan->rs_cbuf) == HEAPTUPLE_LIVE &&
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(header), horizon);
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
	return cold;
}

/* Does somebody wait for this transaction to end? */
static bool
awaited(void)
{
	TransactionId xid = GetCurrentTransactionIdIfAny();
	LOCKTAG		tag;

	if (!TransactionIdIsValid(xid))
		return false;
	SET_LOCKTAG_TRANSACTION(tag, xid);
	return LockHasWaiters(&tag, ExclusiveLock, false);
}

static TableScanDesc
begin_scan(Relation table)
{
	return colj_heap()->scan_begin(table, SnapshotAny, 0, NULL, NULL, SO_TYPE_SEQSCAN | SO_ALLOW_STRAT);
}

static void
move_rows(Compaction *c)
{
	TableScanDesc scan = begin_scan(c->table);
	HeapScanDesc hscan = (HeapScanDesc) scan;
	BlockNumber reported = InvalidBlockNumber;
	int			looked = 0;

	if (c->vacuum)
		pgstat_progress_update_param(PROGRESS_VACUUM_TOTAL_HEAP_BLKS, hscan->rs_nblocks);
	while (!c->result->awaited && heap_getnextslot(scan, ForwardScanDirection, c->slot))
	{
		if (hscan->rs_cblock != reported)
		{
			reported = hscan->rs_cblock;
			COLJ_VACUUM_DELAY_POINT();
			if (c->vacuum)
				pgstat_progress_update_param(PROGRESS_VACUUM_HEAP_BLKS_SCANNED, reported);
		}
		if (!is_cold(c->horizon, hscan))
			continue;
		move_row(c);
		if (c->vacuum && ++looked % WAITERS_ROWS == 0)
			c->result->awaited = awaited();
	}
	end_stripe(c);
	colj_heap()->scan_end(scan);
}

int64
colj_cold_rows(Relation table, int64 enough)
{
	TransactionId horizon = GetOldestNonRemovableTransactionId(table);
	TableScanDesc scan;
	TupleTableSlot *slot;
	int64		n = 0;

	if (RelationIsUsedAsCatalogTable(table) ||
		(int64) RelationGetNumberOfBlocks(table) * MaxHeapTuplesPerPage < enough)
		return 0;
	scan = begin_scan(table);
	slot = MakeSingleTupleTableSlot(RelationGetDescr(table), &TTSOpsBufferHeapTuple);
	while (n < enough && heap_getnextslot(scan, ForwardScanDirection, slot))
	{
		COLJ_VACUUM_DELAY_POINT();
		if (is_cold(horizon, (HeapScanDesc) scan))
			n++;
	}
	ExecDropSingleTupleTableSlot(slot);
	colj_heap()->scan_end(scan);
	return n;
}

/*
 * Delete what leads from the old TIDs of rows to their stripes, where no
 * snapshot is so old.  What serializable transactions have locked by those
 * TIDs is the whole table from now on.
 */
static void
forget_origins(ColjStore *store, TransactionId horizon)
{
	if (!colj_origins_settled(store, horizon))
		return;
	TransferPredicateLocksToHeapRelation(store->table);
	colj_origins_forget(store, horizon);
}

void
colj_forget_origins(Relation table)
{
	TransactionId horizon = GetOldestNonRemovableTransactionId(table);
	ColjStore	store;

	if (!colj_store_open(&store, table, RowExclusiveLock))
		return;
	forget_origins(&store, horizon);
	colj_store_close(&store);
}

/* The statistics are not to say that rows were deleted, but heap has a dead tuple of each. */
static void
count_moved(Relation table, int64 moved)
{
	if (moved == 0 || !pgstat_should_count_relation(table) || table->pgstat_info->trans == NULL)
		return;
	table->pgstat_info->trans->tuples_deleted -= moved;
	COLJ_DELTA_DEAD(table) += moved;
}

void
colj_compact_rows(Relation table, bool vacuum, ColjCompactResult *result)
{
	Compaction	c = {.table = table, .vacuum = vacuum, .result = result};

	memset(result, 0, sizeof(*result));
	c.horizon = GetOldestNonRemovableTransactionId(table);
	(void) colj_store_open(&c.store, table, RowExclusiveLock);
	c.slot = MakeSingleTupleTableSlot(RelationGetDescr(table), &TTSOpsBufferHeapTuple);
	c.estate = CreateExecutorState();
	open_indexes(&c);
	c.unused.context = CurrentMemoryContext;
	c.batch = colj_batch_create(RelationGetDescr(table), CurrentMemoryContext);
	c.origins = palloc(colj_stripe_rows_limit * sizeof(ItemPointerData));

	forget_origins(&c.store, c.horizon);
	move_rows(&c);
	settle_unused(&c);
	if (result->moved > 0)
		colj_rows_count(&c.store, result->moved);
	count_moved(table, result->moved);

	for (int i = 0; i < c.nindexes; i++)
		index_close(c.indexes[i].rel, NoLock);
	colj_batch_free(c.batch);
	ExecDropSingleTupleTableSlot(c.slot);
	FreeExecutorState(c.estate);
	colj_store_close(&c.store);
}

bool
colj_lock_for_compaction(Relation table, bool wait)
{
	List	   *list = RelationGetIndexList(table);
	ListCell   *cell;
	bool		exclusion = false;

	foreach(cell, list)
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		exclusion |= index->rd_index->indisexclusion;
		index_close(index, AccessShareLock);
	}
	list_free(list);
	if (!exclusion)
		return true;
	if (!wait)
		return ConditionalLockRelation(table, ShareRowExclusiveLock);
	LockRelation(table, ShareRowExclusiveLock);
	return true;
}

/* The table to compact, locked, if it can be and the user may. */
static Relation
open_table(Oid relid)
{
	Relation	rel;

	if (!colj_may_vacuum(relid))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to compact table \"%s\"", get_rel_name(relid)),
				 errhint("The owners of the table and of the database may.")));
	rel = table_open(relid, ShareUpdateExclusiveLock);
	if (rel->rd_tableam == NULL || rel->rd_tableam->index_build_range_scan != colj_index_build)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table of access method \"colj\"", RelationGetRelationName(rel)),
				 errhint("Use ALTER TABLE ... SET ACCESS METHOD colj.")));
	if (RelationIsUsedAsCatalogTable(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot compact table \"%s\", as logical decoding uses it as a catalog",
						RelationGetRelationName(rel)),
				 errhint("Reset its storage parameter \"user_catalog_table\".")));
	if (RELATION_IS_OTHER_TEMP(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot compact temporary tables of other sessions")));
	CheckTableNotInUse(rel, "colj_compact");
	return rel;
}

bool
colj_ensure_toast(Relation rel, bool wait)
{
	if (OidIsValid(rel->rd_rel->reltoastrelid))
		return true;
	if (wait)
		LockRelation(rel, AccessExclusiveLock);
	else if (!ConditionalLockRelation(rel, AccessExclusiveLock))
		return false;
	AlterTableCreateToastTable(RelationGetRelid(rel), (Datum) 0, AccessExclusiveLock);
	CommandCounterIncrement();
	return true;
}

Datum
colj_compact(PG_FUNCTION_ARGS)
{
	Relation	rel;
	ColjCompactResult result;
	ColjMergeResult merged;
	Oid			user;
	int			context;
	int			level;

	PreventCommandIfReadOnly("colj_compact()");
	PreventCommandIfParallelMode("colj_compact()");
	PreventCommandDuringRecovery("colj_compact()");
	rel = open_table(PG_GETARG_OID(0));
	(void) colj_ensure_toast(rel, true);
	(void) colj_lock_for_compaction(rel, true);

	/* expressions of indexes are the owner's */
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(rel->rd_rel->relowner, context | SECURITY_RESTRICTED_OPERATION);
	level = NewGUCNestLevel();
	colj_compact_rows(rel, false, &result);
	CommandCounterIncrement();
	colj_merge_stripes(rel, &merged);
	AtEOXact_GUC(false, level);
	SetUserIdAndSecContext(user, context);
	table_close(rel, NoLock);
	CommandCounterIncrement();
	PG_RETURN_INT64(result.moved);
}
