/*-------------------------------------------------------------------------
 *
 * insert.c
 *	  Inserting rows: into the row store, and bulk loads into stripes.
 *
 * COPY comes through multi_insert, and CREATE TABLE AS, REFRESH MATERIALIZED
 * VIEW and rewrites through tuple_insert, each with a call at the end.  COPY
 * uses tuple_insert without such a call where triggers or defaults need it: so
 * what comes through tuple_insert is a load only into a table that the same
 * statement has made.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/catalog.h"
#include "catalog/pg_index.h"
#include "executor/tuptable.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "guc.h"
#include "access/fetch.h"
#include "access/insert.h"
#include "store/load.h"

/* The table that was made last, and by which statement. */
static Oid	newest;
static TimestampTz newest_since;

void
colj_note_new(Relation rel)
{
	newest = RelationGetRelid(rel);
	newest_since = GetCurrentStatementStartTimestamp();
}

/* Does nobody but the statement that fills the table know it? */
static bool
is_being_made(Relation rel)
{
	return OidIsValid(rel->rd_rel->relrewrite) ||
		(RelationGetRelid(rel) == newest && newest_since == GetCurrentStatementStartTimestamp());
}

static bool
has_exclusion(Relation rel)
{
	List	   *list = RelationGetIndexList(rel);
	ListCell   *cell;
	bool		found = false;

	foreach(cell, list)
	{
		HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		found = found || ((Form_pg_index) GETSTRUCT(tuple))->indisexclusion;
		ReleaseSysCache(tuple);
	}
	list_free(list);
	return found;
}

/*
 * Can rows be loaded into stripes?  Logical decoding must see them as heap's
 * rows, and reads catalog tables with snapshots that know no stripes.  An exclusion constraint may have to look at a row of another backend
 * that is in no stripe yet.
 */
static bool
can_load(Relation rel)
{
	return OidIsValid(rel->rd_rel->reltoastrelid) && !RelationIsUsedAsCatalogTable(rel) &&
		(OidIsValid(rel->rd_rel->relrewrite) || !RelationIsLogicallyLogged(rel)) && !has_exclusion(rel);
}

/* Does somebody ask for the TIDs of rows as soon as they are inserted? */
static bool
is_followed(Relation rel)
{
	return rel->rd_rel->relhasindex || (rel->trigdesc != NULL && rel->trigdesc->trig_insert_after_row);
}

static ColjLoadPlace
place_for(Relation rel)
{
	if (!can_load(rel))
		return COLJ_LOAD_NEVER;
	return is_followed(rel) ? COLJ_LOAD_LATER : COLJ_LOAD_HELD;
}

/* The load that takes n rows, or NULL: they go into the row store. */
static ColjLoad *
load_for(Relation rel, int n, CommandId cid)
{
	ColjLoad   *load;

	if (colj_direct_load_min_rows == 0)
		return NULL;
	load = colj_load_find(rel, cid);
	if (load == NULL)
		load = colj_load_begin(rel, cid, place_for(rel), colj_direct_load_min_rows);
	return colj_load_takes(load, n) ? load : NULL;
}

static void
load_slot(ColjLoad *load, Relation rel, TupleTableSlot *slot, int options)
{
	slot_getallattrs(slot);
	slot->tts_tid = colj_load_row(load, rel, slot->tts_values, slot->tts_isnull, options);
	slot->tts_tableOid = RelationGetRelid(rel);
}

void
colj_tuple_insert(Relation rel, TupleTableSlot *slot, CommandId cid, int options,
				  struct BulkInsertStateData *bistate)
{
	ColjLoad   *load = bistate != NULL && is_being_made(rel) ? load_for(rel, 1, cid) : NULL;

	if (load == NULL)
	{
		colj_heap()->tuple_insert(rel, slot, cid, options, bistate);
		return;
	}
	load_slot(load, rel, slot, options);
}

void
colj_multi_insert(Relation rel, TupleTableSlot **slots, int n, CommandId cid, int options,
				  struct BulkInsertStateData *bistate)
{
	ColjLoad   *load = load_for(rel, n, cid);

	if (load == NULL)
	{
		colj_heap()->multi_insert(rel, slots, n, cid, options, bistate);
		return;
	}
	for (int i = 0; i < n; i++)
		load_slot(load, rel, slots[i], options);
}

void
colj_finish_bulk_insert(Relation rel, int options)
{
	colj_load_end(RelationGetRelid(rel));
	if (RelationGetNumberOfBlocks(rel) == 0 && colj_store_exists(rel))
		colj_keep_a_block(rel);
	if (colj_heap()->finish_bulk_insert != NULL)
		colj_heap()->finish_bulk_insert(rel, options);
}
