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
 * that is left for the next VACUUM when there is something to compact.
 *
 * Our part is a subtransaction: when it fails, heap's work stays, VACUUM goes
 * on, and the failure is a warning.  When the user cancels it, it all ends.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "commands/dbcommands.h"
#include "commands/progress.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
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
#include "access/fetch.h"

/* May this VACUUM move rows at all? */
static bool
may_compact(const VacuumParams *params)
{
	return !params->is_wraparound && !IsInParallelMode();
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

static void
report(Relation rel, const VacuumParams *params, TimestampTz start, const ColjCompactResult *result)
{
	bool		verbose = (params->options & VACOPT_VERBOSE) != 0;
	bool		log = COLJ_IN_AUTOVACUUM() && params->log_min_duration >= 0 &&
	TimestampDifferenceExceeds(start, GetCurrentTimestamp(), params->log_min_duration);

	ereport(verbose ? INFO : log ? LOG : DEBUG2,
			(errmsg("compacted \"%s.%s.%s\": " INT64_FORMAT " rows moved into " INT64_FORMAT " stripes of " INT64_FORMAT " bytes",
					get_database_name(MyDatabaseId), get_namespace_name(RelationGetNamespace(rel)),
					RelationGetRelationName(rel), result->moved, result->stripes, result->bytes),
			 result->awaited ? errdetail("It ended early, as other transactions waited for rows.") : 0));
}

static void
compact(Relation rel, const VacuumParams *params)
{
	ColjCompactResult result;
	TimestampTz start = GetCurrentTimestamp();

	if (!colj_ensure_toast(rel, false) || !colj_lock_for_compaction(rel, false))
	{
		ereport((params->options & VACOPT_VERBOSE) != 0 ? INFO : DEBUG2,
				(errmsg("table \"%s\" is not compacted, as others use it", RelationGetRelationName(rel)),
				 errdetail("It has no TOAST table yet, or an exclusion constraint, and needs a stronger lock.")));
		return;
	}
	pgstat_progress_start_command(PROGRESS_COMMAND_VACUUM, RelationGetRelid(rel));
	pgstat_progress_update_param(PROGRESS_VACUUM_PHASE, PROGRESS_VACUUM_PHASE_SCAN_HEAP);
	colj_compact_rows(rel, true, &result);
	pgstat_progress_end_command();
	report(rel, params, start, &result);
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
compact_in_subtransaction(Relation rel, const VacuumParams *params)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData  *volatile error = NULL;

	CommandCounterIncrement();
	BeginInternalSubTransaction(NULL);
	PG_TRY();
	{
		compact(rel, params);
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
		fail(rel, error);
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

void
colj_vacuum(Relation rel, struct VacuumParams *params, BufferAccessStrategy strategy)
{
	VacuumParams mine = *params;
	bool		due = may_compact(params) &&
	colj_cold_rows(rel, colj_compact_min_rows) >= colj_compact_min_rows;

	if (due)
		mine.truncate = VACOPTVALUE_DISABLED;
	heap_vacuum_rel(rel, &mine, strategy);
	if (due)
	{
		if (leave_vacuum())
			compact_in_subtransaction(rel, params);
		else
			ereport((params->options & VACOPT_VERBOSE) != 0 ? INFO : DEBUG2,
					(errmsg("table \"%s\" is not compacted, as the transaction keeps a snapshot",
							RelationGetRelationName(rel)),
					 errhint("Run VACUUM with default_transaction_isolation set to \"read committed\".")));
	}
	if (RelationGetNumberOfBlocks(rel) == 0 && colj_store_exists(rel))
		colj_keep_a_block(rel);
}
