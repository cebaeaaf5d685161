/*-------------------------------------------------------------------------
 *
 * vacuum_stats.c
 *	  What VACUUM says of a table: reltuples, and live and dead rows.
 *
 * Heap's part reckons with the row store alone.  It estimates what is in pages
 * that it skips by what pg_class says, so it is told that number without the
 * stripes' rows; afterwards they are added.  It also takes an index to have no
 * more entries than the row store has rows, which is corrected, too.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/pgstat_internal.h"
#include "utils/relcache.h"

#include "compat.h"
#include "access/vacuum_stats.h"

void
colj_vacuum_heap(Relation rel, struct VacuumParams *params, BufferAccessStrategy strategy, int64 in_stripes)
{
	Form_pg_class form = rel->rd_rel;

	/* the relcache's copy; at worst it is made anew meanwhile */
	if (form->reltuples >= 0)
		form->reltuples = Max(form->reltuples - in_stripes, 0);
	heap_vacuum_rel(rel, params, strategy);
}

static void
add_to_reltuples(Relation rel, int64 in_stripes)
{
	BlockNumber pages = Min((BlockNumber) rel->rd_rel->relpages, RelationGetNumberOfBlocks(rel));

	if (in_stripes > 0)
		colj_update_relstats(rel, pages, Max(rel->rd_rel->reltuples, 0) + in_stripes);
}

/* An index that is not partial has an entry of each row; of others nothing is known. */
static void
correct_indexes(Relation rel, int64 in_heap, int64 in_stripes)
{
	Relation   *indexes;
	int			n;

	vac_open_indexes(rel, RowExclusiveLock, &n, &indexes);
	for (int i = 0; i < n; i++)
	{
		if (indexes[i]->rd_rel->reltuples <= in_heap && RelationGetIndexPredicate(indexes[i]) == NIL)
			colj_update_relstats(indexes[i], indexes[i]->rd_rel->relpages, in_heap + in_stripes);
	}
	vac_close_indexes(n, indexes, NoLock);
}

/*
 * Heap has put its numbers into the table's statistics by now, and this goes on
 * top.  What the session has not reported yet is forgotten, as VACUUM has seen
 * the effects of that.
 */
static void
add_to_statistics(Relation rel, int64 live, int64 dead)
{
	PgStat_EntryRef *ref;
	PgStat_StatTabEntry *stats;

	if (!pgstat_should_count_relation(rel))
		return;
	COLJ_DELTA_LIVE(rel) = COLJ_DELTA_DEAD(rel) = 0;
	ref = pgstat_get_entry_ref_locked(PGSTAT_KIND_RELATION, MyDatabaseId, RelationGetRelid(rel), false);
	stats = &((PgStatShared_Relation *) ref->shared_stats)->stats;
	COLJ_LIVE_TUPLES(stats) += live;
	COLJ_DEAD_TUPLES(stats) += dead;
	pgstat_unlock_entry(ref);
}

void
colj_vacuum_report(Relation rel, const ColjReap *reap, bool reaped, bool reapable, int64 moved)
{
	int64		dead = reap->count.recent + (reapable && !reaped ? reap->count.dead : 0);

	int64		in_heap;

	/* for what heap has just written */
	CommandCounterIncrement();
	in_heap = (int64) Max(rel->rd_rel->reltuples, 0);
	if (!reaped && reap->live > 0)
		correct_indexes(rel, in_heap, reap->live);
	add_to_reltuples(rel, reap->live);
	add_to_statistics(rel, reap->live, dead + moved);
}
