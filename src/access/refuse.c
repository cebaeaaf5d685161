/*-------------------------------------------------------------------------
 *
 * refuse.c
 *	  Tables with stripes on a server that this version can't read them on.
 *
 * Where colj_compact is not offered there are no stripes, but for a table that
 * came with pg_upgrade from an older server.  Its scans must not pass over
 * the rows in them in silence.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/rel.h"

#include "compat.h"
#include "access/access.h"
#include "store/store.h"

#ifndef COLJ_BLOCK_CALLBACKS

static void
refuse_stripes(Relation rel)
{
	if (!colj_store_exists(rel))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot read table \"%s\" on this version of PostgreSQL",
					RelationGetRelationName(rel)),
			 errdetail("Some of its rows are in stripes, which this version of colj reads on PostgreSQL 15 and 16 only."),
			 errhint("Upgrade the extension, or convert the table to access method heap before you upgrade the server.")));
}

TableScanDesc
colj_refusing_scan_begin(Relation rel, Snapshot snapshot, int nkeys, struct ScanKeyData *key,
						 ParallelTableScanDesc parallel, uint32 flags)
{
	refuse_stripes(rel);
	return colj_heap()->scan_begin(rel, snapshot, nkeys, key, parallel, flags);
}

struct IndexFetchTableData *
colj_refusing_index_fetch_begin(Relation rel)
{
	refuse_stripes(rel);
	return colj_heap()->index_fetch_begin(rel);
}

#endif							/* COLJ_BLOCK_CALLBACKS */
