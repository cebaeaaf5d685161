/*-------------------------------------------------------------------------
 *
 * reap.c
 *	  Taking dead rows of stripes out of the indexes.
 *
 * What is to be reaped: rows that are dead to everybody, and row numbers that
 * are in no stripe, as whatever has put them into indexes has aborted.  Rows
 * that are being loaded are in no stripe yet, but announced; nobody can be
 * compacting, as VACUUM's lock keeps that out.
 *
 * The order: first the entries go from all indexes; then, in one transaction,
 * rows become settled (store/settled.c) and lose their proxies.  After a crash
 * in between the next VACUUM does the first step again.
 *
 * On a standby a query may still see rows that are dead here.  Heap's VACUUM
 * tells it by the record of its pruning, before it comes to indexes; here is
 * nothing to prune, so a record is written for that alone.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xloginsert.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/pg_bitutils.h"
#include "storage/lmgr.h"
#include "storage/procarray.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/reap.h"

/* What VACUUM goes through indexes for, as a part of all rows; heap's is that of pages. */
#define WORTH_FRACTION 0.02

/* What a collection compares row numbers with. */
typedef struct Known
{
	ColjStripeEntry *stripes;
	int			nstripes;
	int			stripe;			/* the first that does not end before */
	ColjRowRange *loading;
	int			nloading;
	uint64		given;
} Known;

static void
clear_range(bits8 *bits, uint64 first, uint64 from, uint64 to)
{
	from = Max(from, first);
	to = Min(to, first + COLJ_GRANULE_ROWS);
	for (uint64 row = from; row < to; row++)
		bits[(row - first) / 8] &= ~(1 << ((row - first) % 8));
}

/* Set the bits of numbers that have been given away, and are in no stripe. */
static void
find_gone(Known *known, int32 granule, bits8 *bits)
{
	uint64		first = (uint64) granule * COLJ_GRANULE_ROWS;
	uint64		end = first + COLJ_GRANULE_ROWS;

	memset(bits, 0xff, COLJ_GRANULE_BYTES);
	clear_range(bits, first, known->given, end);
	while (known->stripe < known->nstripes &&
		   known->stripes[known->stripe].first_row + known->stripes[known->stripe].rows <= first)
		known->stripe++;
	for (int i = known->stripe; i < known->nstripes && known->stripes[i].first_row < end; i++)
		clear_range(bits, first, known->stripes[i].first_row, known->stripes[i].first_row + known->stripes[i].rows);
	for (int i = 0; i < known->nloading; i++)
		if (known->loading[i].first < end && known->loading[i].end > first)
			clear_range(bits, first, known->loading[i].first, known->loading[i].end);
}

/* Take away what is settled already; how many of those are in stripes. */
static int64
remove_settled(ColjStore *store, int32 granule, bits8 *gone)
{
	bits8		settled[COLJ_GRANULE_BYTES];
	int64		inside = 0;

	if (!colj_granule_read(store, SnapshotSelf, granule, settled))
		return 0;
	for (int i = 0; i < COLJ_GRANULE_BYTES; i++)
	{
		inside += pg_number_of_ones[settled[i] & ~gone[i] & 0xff];
		gone[i] &= ~settled[i];
	}
	return inside;
}

/* Room for one more, or NULL. */
static ColjReapGranule *
next_granule(ColjReap *reap)
{
	if (reap->n == reap->most)
		return NULL;
	if (reap->n == reap->room)
	{
		reap->room = Min(reap->most, Max(16, reap->room * 2));
		reap->granules = reap->granules == NULL
			? palloc_extended((Size) reap->room * sizeof(ColjReapGranule), MCXT_ALLOC_HUGE)
			: repalloc_huge(reap->granules, (Size) reap->room * sizeof(ColjReapGranule));
	}
	return &reap->granules[reap->n];
}

/* Where there is no room for more granules, they are counted nevertheless. */
static void
collect_granules(ColjStore *store, ColjReap *reap, Known *known)
{
	int32		end = (int32) ((known->given + COLJ_GRANULE_ROWS - 1) / COLJ_GRANULE_ROWS);
	ColjReapGranule scratch;

	for (int32 i = reap->from; i < end; i++)
	{
		ColjReapGranule *g = next_granule(reap);

		COLJ_VACUUM_DELAY_POINT();
		if (g == NULL)
			g = &scratch;
		g->granule = i;
		find_gone(known, i, g->bits);
		reap->live -= remove_settled(store, i, g->bits);
		reap->gone += pg_popcount((const char *) g->bits, COLJ_GRANULE_BYTES);
		colj_proxies_judge(store, i, reap->horizon, g->bits, &reap->count);
		if (pg_popcount((const char *) g->bits, COLJ_GRANULE_BYTES) == 0)
			continue;
		if (g != &scratch)
			reap->n++;
		else if (!reap->more)
		{
			reap->more = true;
			reap->next = i;
		}
	}
}

void
colj_reap_collect(Relation table, int32 from, ColjReap *reap)
{
	ColjStore	store;
	Known		known = {0};
	int64		counted;

	memset(reap, 0, sizeof(*reap));
	reap->from = from;
	if (!colj_store_open(&store, table, AccessShareLock))
		return;
	reap->horizon = GetOldestNonRemovableTransactionId(table);
	reap->most = (int) Max(1, Min((Size) maintenance_work_mem * 1024 / sizeof(ColjReapGranule), PG_INT32_MAX / 2));

	/*
	 * In this order: what has been loaded meanwhile is in one of the two.
	 * Under the lock no load gives numbers back, which others may have got by
	 * then.
	 */
	LockPage(store.toast, COLJ_META_LOCK, ExclusiveLock);
	known.given = colj_rows_given(&store, &counted);
	known.nloading = colj_rows_loading(&store, &known.loading);
	UnlockPage(store.toast, COLJ_META_LOCK, ExclusiveLock);
	known.nstripes = colj_directory_read(&store, SnapshotSelf, &known.stripes);
	for (int i = 0; i < known.nstripes; i++)
		reap->live += known.stripes[i].rows;
	collect_granules(&store, reap, &known);
	reap->live -= reap->count.dead + reap->count.recent;
	if (from == 0 && counted != reap->live)
		colj_rows_count(&store, reap->live - counted);
	pfree(known.loading);
	pfree(known.stripes);
	colj_store_close(&store);
}

bool
colj_reap_is_worth(const ColjReap *reap, const VacuumParams *params)
{
	if (params->index_cleanup == VACOPTVALUE_DISABLED || reap->n == 0)
		return false;
	return params->index_cleanup == VACOPTVALUE_ENABLED ||
		reap->count.dead + reap->gone >= reap->live * WORTH_FRACTION;
}

bool
colj_reap_has_idle(const ColjReap *reap, const VacuumParams *params)
{
	if (params->index_cleanup == VACOPTVALUE_DISABLED || reap->count.alive == 0)
		return false;
	return params->index_cleanup == VACOPTVALUE_ENABLED || reap->count.alive >= reap->live * WORTH_FRACTION;
}

/* The callback of ambulkdelete. */
static bool
is_reaped(ItemPointer tid, void *arg)
{
	ColjReap   *reap = arg;
	uint64		row;
	int32		granule;
	int			low = 0;
	int			high = reap->n;

	if (!colj_tid_in_stripe(tid) || !colj_tid_possible(tid))
		return false;
	row = colj_tid_row(tid);
	granule = (int32) (row / COLJ_GRANULE_ROWS);
	if (reap->granules[reap->last].granule != granule)
	{
		while (low < high)
		{
			int			middle = low + (high - low) / 2;

			if (reap->granules[middle].granule < granule)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == reap->n || reap->granules[low].granule != granule)
			return false;
		reap->last = low;
	}
	row %= COLJ_GRANULE_ROWS;
	return (reap->granules[reap->last].bits[row / 8] & (1 << (row % 8))) != 0;
}

/*
 * Make standbys end the queries that still see rows made dead by this XID.
 * The record is the one of a btree page that is used again, which is about no
 * page when it is replayed.
 */
static void
log_conflict(Relation table, TransactionId xid)
{
	FullTransactionId next = ReadNextFullTransactionId();
	uint32		epoch = EpochFromFullTransactionId(next) - (xid > XidFromFullTransactionId(next) ? 1 : 0);
	xl_btree_reuse_page record = colj_reuse_page(table, FullTransactionIdFromEpochAndXid(epoch, xid));

	XLogBeginInsert();
	XLogRegisterData((char *) &record, SizeOfBtreeReusePage);
	XLogInsert(RM_BTREE_ID, XLOG_BTREE_REUSE_PAGE);
}

static void
reap_index(Relation table, Relation index, ColjReap *reap, int level, BufferAccessStrategy strategy)
{
	IndexVacuumInfo info = colj_index_vacuum_info(table, index, level, strategy);
	IndexBulkDeleteResult *stats = index_bulk_delete(&info, NULL, is_reaped, reap);
	int64		removed = stats != NULL ? (int64) stats->tuples_removed : 0;

	stats = index_vacuum_cleanup(&info, stats);
	if (stats == NULL)
		return;
	reap->entries += removed;
	if (!stats->estimated_count)
		colj_update_relstats(index, stats->num_pages, stats->num_index_tuples);
	ereport(level,
			(errmsg("index \"%s\": removed " INT64_FORMAT " entries of dead rows of stripes, %.0f remain",
					RelationGetRelationName(index), removed, stats->num_index_tuples)));
	pfree(stats);
}

void
colj_reap_indexes(Relation table, ColjReap *reap, const VacuumParams *params, BufferAccessStrategy strategy)
{
	int			level = (params->options & VACOPT_VERBOSE) != 0 ? INFO : DEBUG2;
	Relation   *indexes;
	int			n;

	if (TransactionIdIsValid(reap->count.latest) && RelationNeedsWAL(table) && XLogStandbyInfoActive())
		log_conflict(table, reap->count.latest);
	vac_open_indexes(table, RowExclusiveLock, &n, &indexes);
	pgstat_progress_start_command(PROGRESS_COMMAND_VACUUM, RelationGetRelid(table));
	pgstat_progress_update_param(PROGRESS_VACUUM_PHASE, PROGRESS_VACUUM_PHASE_VACUUM_INDEX);
	for (int i = 0; i < n; i++)
		reap_index(table, indexes[i], reap, level, strategy);
	pgstat_progress_end_command();
	vac_close_indexes(n, indexes, NoLock);
}

void
colj_reap_settle(Relation table, ColjReap *reap)
{
	ColjStore	store;

	if (!colj_store_open(&store, table, RowExclusiveLock))
		return;
	for (int i = 0; i < reap->n; i++)
	{
		ColjReapGranule *g = &reap->granules[i];

		COLJ_VACUUM_DELAY_POINT();
		colj_proxies_settle(&store, g->granule, g->bits);
		colj_granule_add(&store, g->granule, g->bits);
	}
	colj_store_close(&store);
}

void
colj_reap_free(ColjReap *reap)
{
	if (reap->granules != NULL)
		pfree(reap->granules);
	reap->granules = NULL;
	reap->n = reap->room = 0;
}
