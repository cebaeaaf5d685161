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

#include "compat.h"
#include "access/fetch.h"

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
