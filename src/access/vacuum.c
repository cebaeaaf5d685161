/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *	  VACUUM: heap's, and then the upkeep of the column store.
 *
 * VACUUM runs in a transaction that other backends take no notice of when they
 * look for the oldest snapshot, and whose XID no snapshot lists as running.
 * Such a transaction must not write rows.  So between heap's part and ours it
 * becomes an ordinary one, which is sound only while it has neither a snapshot
 * nor an XID.  It has an XID when heap has cut pages off the end of the table;
 * so when there is something to compact we do that ourselves, later (cut.c).
 *
 * The steps of our part: take dead rows of stripes out of the indexes (reap.c),
 * still as VACUUM, as it may take long, and writes no rows; settle them; move
 * cold rows (compact.c); merge stripes (merge.c); cut off pages; move stripes to
 * the front of the TOAST table (store/relocate.c).  All but the first are
 * subtransactions: when one fails, what was done before stays, VACUUM goes on,
 * and the failure is a warning.  When the user cancels it, it all ends.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "commands/dbcommands.h"
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/predicate.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "guc.h"
#include "access/compact.h"
#include "access/cut.h"
#include "access/fetch.h"
#include "access/merge.h"
#include "access/vacuum_stats.h"
#include "store/relocate.h"

/* What one VACUUM has to do for the column store. */
typedef struct Upkeep
{
	Relation	rel;
	const VacuumParams *params;
	BufferAccessStrategy strategy;
	ColjReap	reap;
	bool		reaps;
	bool		compacts;
	bool		merges;
	bool		drops;			/* proxies of rows that nobody holds */
	bool		relocates;
	bool		left;			/* it has become an ordinary transaction */
	int64		moved;			/* rows that compaction has moved */
} Upkeep;

typedef void (*Step) (Upkeep *u);

static int
level(const VacuumParams *params)
{
	return (params->options & VACOPT_VERBOSE) != 0 ? INFO : DEBUG2;
}

/* Nothing is gained if the TOAST table's VACUUM, which comes next, gives no pages back. */
static bool
may_relocate(const VacuumParams *params)
{
	return params->truncate != VACOPTVALUE_DISABLED && params->index_cleanup != VACOPTVALUE_DISABLED;
}

/*
 * Autovacuum comes to a TOAST table after its table, in a list that it made
 * before.  So what a compaction has left there is still in the way when the
 * table has its next turn, which may be the last for long.
 */
static bool
vacuum_toast(Upkeep *u)
{
	Oid			oid = u->rel->rd_rel->reltoastrelid;
	PgStat_StatTabEntry *stats = OidIsValid(oid) ? pgstat_fetch_stat_tabentry(oid) : NULL;
	VacuumParams params = *u->params;
	Relation	toast;

	if (!COLJ_IN_AUTOVACUUM() || stats == NULL ||
		!colj_relocation_is_promising(u->rel, COLJ_DEAD_TUPLES(stats)) ||
		!ConditionalLockRelationOid(oid, ShareUpdateExclusiveLock))
		return false;
	toast = table_open(oid, NoLock);
	params.truncate = VACOPTVALUE_DISABLED;
	heap_vacuum_rel(toast, &params, u->strategy);
	table_close(toast, NoLock);
	CommandCounterIncrement();
	return true;
}

static void
plan_relocation(Upkeep *u)
{
	if (!may_relocate(u->params))
		return;
	u->relocates = colj_relocation_is_due(u->rel, u->reaps);
	if (!u->relocates && vacuum_toast(u))
		u->relocates = colj_relocation_is_due(u->rel, u->reaps);
	if (!u->relocates && !u->reaps && u->reap.n > 0)
		u->relocates = u->reaps = colj_relocation_is_due(u->rel, true);
}

/* Find out what there is to do. */
static void
plan(Upkeep *u)
{
	colj_reap_collect(u->rel, 0, &u->reap);
	if (u->params->is_wraparound || IsInParallelMode())
		return;
	u->reaps = colj_reap_is_worth(&u->reap, u->params);
	u->compacts = colj_cold_rows(u->rel, colj_compact_min_rows) >= colj_compact_min_rows;
	u->merges = colj_merge_is_due(u->rel);
	u->drops = colj_reap_has_idle(&u->reap, u->params);
	plan_relocation(u);
}

/*
 * Above READ COMMITTED a transaction keeps its first snapshot, which VACUUM has
 * taken while others took no notice of it: rows that it sees may be gone.
 * VACUUM has no use for it.  So forget it, as the end of a transaction does,
 * and be READ COMMITTED up to the end of this one, which is also when an error
 * ends that.  To others nothing changes when rows move, so a serializable
 * VACUUM must not be in conflict with them about it.
 */
static void
forget_first_snapshot(void)
{
	if (!IsolationUsesXactSnapshot() || ActiveSnapshotSet() || !ThereAreNoPriorRegisteredSnapshots())
		return;
	ReleasePredicateLocks(false, false);
	AtEOXact_Snapshot(true, true);
	XactIsoLevel = XACT_READ_COMMITTED;
}

/*
 * Become an ordinary transaction, with a snapshot; false if this one can't.
 */
static bool
leave_vacuum(void)
{
	bool		left = false;

	PopActiveSnapshot();
	InvalidateCatalogSnapshot();
	forget_first_snapshot();
	if (!TransactionIdIsValid(MyProc->xmin) && !TransactionIdIsValid(GetTopTransactionIdIfAny()))
	{
		LWLockAcquire(ProcArrayLock, LW_EXCLUSIVE);
		MyProc->statusFlags &= ~PROC_IN_VACUUM;
		ProcGlobal->statusFlags[MyProc->pgxactoff] = MyProc->statusFlags;
		LWLockRelease(ProcArrayLock);
		left = true;
	}
	PushActiveSnapshot(GetTransactionSnapshot());
	return left;
}

/* The level of a report on a step that began then. */
static int
report_level(const VacuumParams *params, TimestampTz start)
{
	bool		log = COLJ_IN_AUTOVACUUM() && params->log_min_duration >= 0 &&
	TimestampDifferenceExceeds(start, GetCurrentTimestamp(), params->log_min_duration);

	return log && (params->options & VACOPT_VERBOSE) == 0 ? LOG : level(params);
}

static char *
full_name(Relation rel)
{
	return psprintf("%s.%s.%s", get_database_name(MyDatabaseId), get_namespace_name(RelationGetNamespace(rel)),
					RelationGetRelationName(rel));
}

static void
report(Relation rel, const VacuumParams *params, TimestampTz start, const ColjCompactResult *result)
{
	ereport(report_level(params, start),
			(errmsg("compacted \"%s\": " INT64_FORMAT " rows moved into " INT64_FORMAT " stripes of " INT64_FORMAT " bytes",
					full_name(rel), result->moved, result->stripes, result->bytes),
			 result->awaited ? errdetail("It ended early, as other transactions waited for rows.") : 0));
}

static void
begin_progress(Relation rel, int phase)
{
	pgstat_progress_start_command(PROGRESS_COMMAND_VACUUM, RelationGetRelid(rel));
	pgstat_progress_update_param(PROGRESS_VACUUM_PHASE, phase);
}

static void
compact(Upkeep *u)
{
	ColjCompactResult result;
	TimestampTz start = GetCurrentTimestamp();

	if (!colj_ensure_toast(u->rel, false) || !colj_lock_for_compaction(u->rel, false))
	{
		ereport(level(u->params),
				(errmsg("table \"%s\" is not compacted, as others use it", RelationGetRelationName(u->rel)),
				 errdetail("It has no TOAST table yet, or an exclusion constraint, and needs a stronger lock.")));
		return;
	}
	begin_progress(u->rel, PROGRESS_VACUUM_PHASE_SCAN_HEAP);
	colj_compact_rows(u->rel, true, &result);
	pgstat_progress_end_command();
	u->moved = result.moved;
	report(u->rel, u->params, start, &result);
}

static void
merge(Upkeep *u)
{
	ColjMergeResult result;
	TimestampTz start = GetCurrentTimestamp();

	if (!colj_merge_is_due(u->rel))
		return;
	begin_progress(u->rel, PROGRESS_VACUUM_PHASE_SCAN_HEAP);
	colj_merge_stripes(u->rel, &result);
	pgstat_progress_end_command();
	ereport(report_level(u->params, start),
			(errmsg("merged stripes of \"%s\": " INT64_FORMAT " stripes of " INT64_FORMAT " bytes became "
					INT64_FORMAT " stripes of " INT64_FORMAT " bytes",
					full_name(u->rel), result.before, result.bytes_before, result.stripes, result.bytes)));
}

static void
cut(Upkeep *u)
{
	colj_cut_pages(u->rel, u->strategy);
}

static void
relocate(Upkeep *u)
{
	ColjRelocated result;
	TimestampTz start = GetCurrentTimestamp();

	colj_forget_origins(u->rel);
	CommandCounterIncrement();
	begin_progress(u->rel, PROGRESS_VACUUM_PHASE_TRUNCATE);
	colj_relocate(u->rel, &result);
	pgstat_progress_end_command();
	if (result.rows == 0)
		return;
	ereport(report_level(u->params, start),
			(errmsg("relocated stripes of \"%s\": " INT64_FORMAT " rows of the TOAST table, " INT64_FORMAT
					" bytes, so that %u of %u pages can be given back",
					full_name(u->rel), result.rows, result.bytes, result.blocks - result.left, result.blocks)));
}

/* Settle what has been reaped; and what maintenance_work_mem has not had room for. */
static void
settle(Upkeep *u)
{
	ColjReap	rest = {.more = u->reap.more, .next = u->reap.next};

	colj_reap_settle(u->rel, &u->reap);
	while (rest.more)
	{
		colj_reap_collect(u->rel, rest.next, &rest);
		if (rest.n > 0)
			colj_reap_indexes(u->rel, &rest, u->params, u->strategy);
		colj_reap_settle(u->rel, &rest);
		colj_reap_free(&rest);
	}
}

static void
drop_idle(Upkeep *u)
{
	ColjStore	store;
	uint64		dropped;

	if (!colj_store_open(&store, u->rel, RowExclusiveLock))
		return;
	dropped = colj_proxies_drop(&store);
	colj_store_close(&store);
	ereport(level(u->params),
			(errmsg("dropped proxies of \"%s\", whose rows nobody holds: " UINT64_FORMAT, full_name(u->rel), dropped)));
}

/* A failure becomes a warning, but for what ends the session or the command. */
static void
fail(Relation rel, ErrorData *error)
{
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED ||
		ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION)
		ReThrowError(error);
	ereport(WARNING,
			(errcode(error->sqlerrcode),
			 errmsg("could not compact table \"%s\": %s", RelationGetRelationName(rel), error->message),
			 error->detail != NULL ? errdetail_internal("%s", error->detail) : 0,
			 error->hint != NULL ? errhint("%s", error->hint) : 0));
	FreeErrorData(error);
}

static void
run(Upkeep *u, Step step)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	CommandCounterIncrement();
	BeginInternalSubTransaction(NULL);
	PG_TRY();
	{
		step(u);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		pgstat_progress_end_command();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (error != NULL)
		fail(u->rel, error);
}

/*
 * ANALYZE samples the stripes by the blocks of the main fork, so there must
 * be one.
 */
void
colj_keep_a_block(Relation rel)
{
	Buffer		buffer;

	LockRelationForExtension(rel, ExclusiveLock);
	if (RelationGetNumberOfBlocks(rel) == 0)
	{
		buffer = ReadBufferExtended(rel, MAIN_FORKNUM, P_NEW, RBM_ZERO_AND_LOCK, NULL);
		START_CRIT_SECTION();
		PageInit(BufferGetPage(buffer), BufferGetPageSize(buffer), 0);
		MarkBufferDirty(buffer);
		if (RelationNeedsWAL(rel))
			log_newpage_buffer(buffer, true);
		END_CRIT_SECTION();
		UnlockReleaseBuffer(buffer);
	}
	UnlockRelationForExtension(rel, ExclusiveLock);
}

static void
do_upkeep(Upkeep *u)
{
	if (u->reaps)
	{
		TimestampTz start = GetCurrentTimestamp();

		colj_reap_indexes(u->rel, &u->reap, u->params, u->strategy);
		ereport(report_level(u->params, start),
				(errmsg("removed dead rows of stripes of \"%s\" from indexes: " UINT64_FORMAT " rows, "
						UINT64_FORMAT " unused row numbers, " INT64_FORMAT " index entries",
						full_name(u->rel), u->reap.count.dead, u->reap.gone, u->reap.entries)));
	}
	u->left = leave_vacuum();
	if (!u->left)
	{
		ereport(level(u->params),
				(errmsg("table \"%s\" is not compacted, as the transaction keeps a snapshot or has an XID",
						RelationGetRelationName(u->rel))));
		return;
	}
	if (u->reaps)
		run(u, settle);
	if (u->drops)
		run(u, drop_idle);
	if (u->compacts)
		run(u, compact);
	run(u, merge);
	if (u->params->truncate != VACOPTVALUE_DISABLED)
		run(u, cut);
	/* loads wait for the end of the transaction then */
	if (may_relocate(u->params))
		run(u, relocate);
}

void
colj_vacuum(Relation rel, struct VacuumParams *params, BufferAccessStrategy strategy)
{
	VacuumParams mine = *params;
	Upkeep		u = {.rel = rel, .params = params, .strategy = strategy};
	bool		due;

	plan(&u);
	due = u.reaps || u.compacts || u.merges || u.drops || u.relocates;
	if (due)
		mine.truncate = VACOPTVALUE_DISABLED;
	colj_vacuum_heap(rel, &mine, strategy, u.reap.live);
	if (due && !colj_in_failsafe(rel))
		do_upkeep(&u);
	else
		u.reaps = false;
	colj_vacuum_report(rel, &u.reap, u.reaps && u.left, params->index_cleanup != VACOPTVALUE_DISABLED, u.moved);
	colj_reap_free(&u.reap);
	if (RelationGetNumberOfBlocks(rel) == 0 && colj_store_exists(rel))
		colj_keep_a_block(rel);
}
