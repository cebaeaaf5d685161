/*-------------------------------------------------------------------------
 *
 * compact.c
 *	  Moving cold rows from the row store into stripes.
 *
 * A row is cold when every snapshot sees it and nobody has touched it since.
 * The move is an ordinary transaction: it writes the stripe, indexes its rows
 * under their new TIDs, and deletes the heap tuples.  Who has an older
 * snapshot goes on seeing those.  The table is locked against everyone else
 * meanwhile, so that nobody waits for a tuple that moves away.
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
#include "commands/tablecmds.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "storage/procarray.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "guc.h"
#include "access/fetch.h"
#include "access/scan.h"
#include "type/document.h"

PG_FUNCTION_INFO_V1(colj_compact);

/* Raw bytes of the rows of a stripe, about. */
#define STRIPE_BYTES ((Size)32 * 1024 * 1024)

typedef struct CompactIndex
{
	Relation	rel;
	IndexInfo  *info;
	ExprState  *predicate;
} CompactIndex;

typedef struct Compaction
{
	Relation	table;
	ColjStore	store;
	TransactionId horizon;
	TupleTableSlot *slot;
	EState	   *estate;
	CompactIndex *indexes;
	int			nindexes;
	MemoryContext stripe_context;
	MemoryContext row_context;
	ColjHost	host;
	ColjColumnSpec *specs;
	ColjCell   *cells;
	ColjDoc    *docs;
	ColjStripeWriter *writer;	/* NULL between stripes */
	uint64		first_row;
	int64		moved;
} Compaction;

static void *
resize(void *arg, void *old, size_t size)
{
	if (old == NULL)
		return MemoryContextAllocExtended((MemoryContext) arg, size, MCXT_ALLOC_HUGE);
	if (size > 0)
		return repalloc_huge(old, size);
	pfree(old);
	return NULL;
}

static void
poll_interrupts(void *arg)
{
	(void) arg;
	CHECK_FOR_INTERRUPTS();
}

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
begin_stripe(Compaction *c)
{
	ColjStripeOptions options = {.vector_rows = colj_vector_rows, .max_paths = colj_max_paths, .zstd_level = colj_zstd_level};

	c->first_row = colj_rows_reserve(&c->store, colj_stripe_rows_limit);
	c->host = (ColjHost){resize, poll_interrupts, NULL, c->stripe_context};
	c->writer = colj_stripe_writer_create(&c->host, &options, c->specs, RelationGetDescr(c->table)->natts);
}

static void
end_stripe(Compaction *c)
{
	const uint8_t *bytes;
	size_t		size;

	if (c->writer == NULL)
		return;
	colj_ensure(colj_stripe_writer_finish(c->writer, &bytes, &size), NULL);
	colj_stripe_store(&c->store, c->first_row, colj_stripe_writer_rows(c->writer), bytes, size);
	c->moved += colj_stripe_writer_rows(c->writer);
	colj_stripe_writer_free(c->writer);
	c->writer = NULL;
	MemoryContextReset(c->stripe_context);
}

static void
delete_tuple(Compaction *c, ItemPointer tid)
{
	TM_FailureData tmfd;
	TM_Result	result;

	if (RelationIsLogicallyLogged(c->table))
		result = colj_delete_undecoded(c->table, tid) ? TM_Ok : TM_BeingModified;
	else
		result = heap_delete(c->table, tid, GetCurrentCommandId(true), InvalidSnapshot, true, &tmfd, true);
	if (result != TM_Ok)
		elog(ERROR, "unexpected result %d of deleting a cold row", (int) result);
}

static void
move_row(Compaction *c)
{
	MemoryContext old;
	ItemPointerData tid;

	if (c->writer == NULL)
		begin_stripe(c);
	tid = colj_row_tid(c->first_row + colj_stripe_writer_rows(c->writer));
	old = MemoryContextSwitchTo(c->row_context);
	slot_getallattrs(c->slot);
	colj_cells_fill(RelationGetDescr(c->table), c->specs, c->slot->tts_values, c->slot->tts_isnull,
					c->docs, c->cells);
	colj_ensure(colj_stripe_writer_add(c->writer, c->cells), NULL);
	MemoryContextSwitchTo(old);
	MemoryContextReset(c->row_context);

	index_row(c, &tid);
	delete_tuple(c, &c->slot->tts_tid);
	if (colj_stripe_writer_rows(c->writer) >= (uint32) colj_stripe_rows_limit ||
		colj_stripe_writer_bytes(c->writer) >= STRIPE_BYTES)
		end_stripe(c);
}

static bool
is_cold(Compaction *c, HeapScanDesc scan)
{
	HeapTuple	tuple = &scan->rs_ctup;
	HeapTupleHeader header = tuple->t_data;
	bool		cold;

	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	cold = HeapTupleSatisfiesVacuum(tuple, c->horizon, scan->rs_cbuf) == HEAPTUPLE_LIVE &&
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(header), c->horizon);
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
	return cold;
}

static void
move_rows(Compaction *c)
{
	TableScanDesc scan = colj_heap()->scan_begin(c->table, SnapshotAny, 0, NULL, NULL,
												 SO_TYPE_SEQSCAN | SO_ALLOW_STRAT);

	while (colj_heap_next(scan, ForwardScanDirection, c->slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (is_cold(c, (HeapScanDesc) scan))
			move_row(c);
	}
	end_stripe(c);
	colj_heap()->scan_end(scan);
}

static int64
compact(Relation table)
{
	Compaction	c = {.table = table};
	int			natts = RelationGetDescr(table)->natts;

	/* rows that serializable transactions have read leave their TIDs */
	TransferPredicateLocksToHeapRelation(table);
	c.horizon = GetOldestNonRemovableTransactionId(table);
	(void) colj_store_open(&c.store, table, RowExclusiveLock);
	c.slot = table_slot_create(table, NULL);
	c.estate = CreateExecutorState();
	open_indexes(&c);
	c.stripe_context = AllocSetContextCreate(CurrentMemoryContext, "colj stripe being made", ALLOCSET_DEFAULT_SIZES);
	c.row_context = AllocSetContextCreate(CurrentMemoryContext, "colj row being moved", ALLOCSET_DEFAULT_SIZES);
	c.specs = colj_column_specs(RelationGetDescr(table));
	c.cells = palloc0((natts + 1) * sizeof(ColjCell));
	c.docs = palloc0((natts + 1) * sizeof(ColjDoc));

	move_rows(&c);
	if (c.moved > 0)
		colj_rows_count(&c.store, c.moved);

	for (int i = 0; i < c.nindexes; i++)
		index_close(c.indexes[i].rel, NoLock);
	ExecDropSingleTupleTableSlot(c.slot);
	FreeExecutorState(c.estate);
	colj_store_close(&c.store);
	return c.moved;
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
	rel = table_open(relid, AccessExclusiveLock);
	if (rel->rd_tableam == NULL || rel->rd_tableam->index_build_range_scan != colj_index_build)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table of access method \"colj\"", RelationGetRelationName(rel)),
				 errhint("Use ALTER TABLE ... SET ACCESS METHOD colj.")));
	if (RELATION_IS_OTHER_TEMP(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot compact temporary tables of other sessions")));
	CheckTableNotInUse(rel, "colj_compact");
	return rel;
}

/* A table that was altered from heap may have no TOAST table. */
static Relation
ensure_toast(Relation rel)
{
	Oid			relid = RelationGetRelid(rel);

	if (OidIsValid(rel->rd_rel->reltoastrelid))
		return rel;
	table_close(rel, NoLock);
	AlterTableCreateToastTable(relid, (Datum) 0, AccessExclusiveLock);
	CommandCounterIncrement();
	return table_open(relid, NoLock);
}

Datum
colj_compact(PG_FUNCTION_ARGS)
{
	Relation	rel;
	int64		moved;
	Oid			user;
	int			context;
	int			level;

	PreventCommandIfReadOnly("colj_compact()");
	PreventCommandIfParallelMode("colj_compact()");
	PreventCommandDuringRecovery("colj_compact()");
	rel = ensure_toast(open_table(PG_GETARG_OID(0)));

	/* expressions of indexes are the owner's */
	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(rel->rd_rel->relowner, context | SECURITY_RESTRICTED_OPERATION);
	level = NewGUCNestLevel();
	moved = compact(rel);
	AtEOXact_GUC(false, level);
	SetUserIdAndSecContext(user, context);
	table_close(rel, NoLock);
	CommandCounterIncrement();
	PG_RETURN_INT64(moved);
}
