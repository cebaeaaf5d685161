/*-------------------------------------------------------------------------
 *
 * prefetch.c
 *	  Bitmap scans must not prefetch the blocks of stripes.
 *
 * Up to PostgreSQL 17 the node for bitmap scans prefetches the blocks that
 * the bitmap names from the main fork, which has none with the numbers of
 * stripes.  So prefetching is taken away from scans of colj tables when a
 * plan starts.  While a plan runs, EvalPlanQual may start copies of its
 * subplans, which take effective_io_concurrency anew: it is 0 for as long.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"

#include "compat.h"
#include "access/access.h"
#include "exec/prefetch.h"

#ifndef COLJ_BITMAP_ITERATOR

static ExecutorStart_hook_type next_start;
static ExecutorRun_hook_type next_run;

/* Take prefetching away; true if there was such a scan. */
static bool
stop_prefetch(PlanState *state, void *context)
{
	bool	   *found = context;

	if (state == NULL)
		return false;
	if (IsA(state, BitmapHeapScanState))
	{
		BitmapHeapScanState *scan = (BitmapHeapScanState *) state;
		Relation	rel = scan->ss.ss_currentRelation;

		if (rel != NULL && rel->rd_tableam->index_build_range_scan == colj_index_build)
		{
			scan->prefetch_maximum = 0;
			*found = true;
		}
	}
	return planstate_tree_walker(state, stop_prefetch, context);
}

/* Plans of subqueries hang from their own nodes, too, but not all are reached. */
static bool
stop_prefetch_in(QueryDesc *query)
{
	bool		found = false;
	ListCell   *cell;

	(void) stop_prefetch(query->planstate, &found);
	if (query->estate != NULL)
		foreach(cell, query->estate->es_subplanstates)
			(void) stop_prefetch(lfirst(cell), &found);
	return found;
}

static void
start(QueryDesc *query, int flags)
{
	if (next_start != NULL)
		next_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
	(void) stop_prefetch_in(query);
}

static void
continue_run(QueryDesc *query, ScanDirection direction, uint64 count, bool once)
{
	if (next_run != NULL)
		next_run(query, direction, count, once);
	else
		standard_ExecutorRun(query, direction, count, once);
}

static void
run(QueryDesc *query, ScanDirection direction, uint64 count, bool once)
{
	int			concurrency = effective_io_concurrency;

	if (!stop_prefetch_in(query))
	{
		continue_run(query, direction, count, once);
		return;
	}
	PG_TRY();
	{
		effective_io_concurrency = 0;
		continue_run(query, direction, count, once);
	}
	PG_FINALLY();
	{
		effective_io_concurrency = concurrency;
	}
	PG_END_TRY();
}

void
colj_prefetch_init(void)
{
	next_start = ExecutorStart_hook;
	ExecutorStart_hook = start;
	next_run = ExecutorRun_hook;
	ExecutorRun_hook = run;
}

#else

void
colj_prefetch_init(void)
{
}

#endif							/* COLJ_BITMAP_ITERATOR */
