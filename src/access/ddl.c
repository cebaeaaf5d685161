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

#include <math.h>

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "optimizer/plancat.h"
#include "storage/bufmgr.h"

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

/* Rows that fit into a page of the row store. */
static double
rows_per_page(Relation rel, int32 *widths)
{
	double		width = get_rel_data_width(rel, widths) + MAXALIGN(SizeofHeapTupleHeader) + sizeof(ItemIdData);

	return (BLCKSZ - SizeOfPageHeaderData) / width;
}

/*
 * How many rows are in the row store, of so many pages now.  pg_class.reltuples
 * is of both stores, but stripes may have come since.  Pages that have come since are as full as those that
 * were there, if any row was.
 */
static double
row_store_rows(Relation rel, int32 *widths, double in_stripes)
{
	double		then = rel->rd_rel->relpages;
	double		now = RelationGetNumberOfBlocks(rel);
	double		rows = Max(rel->rd_rel->reltuples, 0);

	if (rows >= in_stripes)
		rows -= in_stripes;
	if (then > 0 && rows > 0)
		return rows / then * now;
	return Max(now - Max(then, 1), 0) * rows_per_page(rel, widths);
}

void
colj_estimate(Relation rel, int32 *widths, BlockNumber *pages, double *tuples, double *allvisfrac)
{
	BlockNumber blocks;
	double		in_stripes = colj_store_estimate(rel, &blocks);

	colj_heap()->relation_estimate_size(rel, widths, pages, tuples, allvisfrac);
	if (in_stripes > 0)
	{
		*tuples = in_stripes + rint(row_store_rows(rel, widths, in_stripes));
		*pages += blocks;

		/* index-only scans look at every row of a stripe */
		*allvisfrac *= 1 - in_stripes / *tuples;
	}
}
