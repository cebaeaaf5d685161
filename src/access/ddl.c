/*-------------------------------------------------------------------------
 *
 * ddl.c
 *	  What commands do to a table as a whole.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/table.h"
#include "access/xloginsert.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"

#include "compat.h"
#include "access/fetch.h"

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
	heap_vacuum_rel(rel, params, strategy);
	if (RelationGetNumberOfBlocks(rel) == 0 && colj_store_exists(rel))
		colj_keep_a_block(rel);
}

/* The indexes are built anew before the TOAST table is truncated. */
void
colj_truncate(Relation rel)
{
	if (OidIsValid(rel->rd_rel->reltoastrelid))
	{
		Relation	toast = table_open(rel->rd_rel->reltoastrelid, AccessExclusiveLock);

		table_relation_nontransactional_truncate(toast);
		table_close(toast, NoLock);
	}
	colj_heap()->relation_nontransactional_truncate(rel);
	colj_stripe_cache_reset();
}

/*
 * pg_class.reltuples is of both stores after ANALYZE, of the row store after
 * VACUUM; it cannot be less than what is in stripes.
 */
void
colj_estimate(Relation rel, int32 *widths, BlockNumber *pages, double *tuples, double *allvisfrac)
{
	BlockNumber blocks;
	double		stripes = colj_store_estimate(rel, &blocks);

	colj_heap()->relation_estimate_size(rel, widths, pages, tuples, allvisfrac);
	if (stripes > 0)
	{
		*tuples = Max(*tuples, stripes);
		*pages += blocks;
		*allvisfrac = 0;
	}
}

void
colj_copy_for_cluster(Relation table, Relation copy, Relation index, bool use_sort,
					  TransactionId horizon, TransactionId *freeze, MultiXactId *multi,
					  double *tuples, double *vacuumed, double *recently_dead)
{
	if (colj_store_exists(table))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("VACUUM FULL and CLUSTER do not support table \"%s\", which has compacted rows",
						RelationGetRelationName(table)),
				 errhint("Rewrite the table: ALTER TABLE ... SET ACCESS METHOD heap, and back.")));
	colj_heap()->relation_copy_for_cluster(table, copy, index, use_sort, horizon, freeze, multi,
										   tuples, vacuumed, recently_dead);
}
