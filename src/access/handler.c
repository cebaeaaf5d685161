/*-------------------------------------------------------------------------
 *
 * handler.c
 *	  The table access method colj: who does what.
 *
 * Heap's routine is taken as it is, and what must know more is replaced.
 * Nothing else happens here.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "catalog/pg_am.h"

#include "compat.h"
#include "access/fetch.h"
#include "access/insert.h"

PG_FUNCTION_INFO_V1(colj_tableam_handler);

const TableAmRoutine *
colj_heap(void)
{
	return GetHeapamTableAmRoutine();
}

/* Stripes live in the TOAST table, whatever the columns are. */
static bool
needs_toast_table(Relation rel)
{
	(void) rel;
	return true;
}

static Oid
toast_am(Relation rel)
{
	(void) rel;
	return HEAP_TABLE_AM_OID;
}

static void
set_new_storage(Relation rel, const ColjFileLocator *locator, char persistence,
				TransactionId *freeze_xid, MultiXactId *min_multi)
{
	colj_note_new(rel);
	COLJ_SET_NEW_STORAGE(colj_heap()) (rel, locator, persistence, freeze_xid, min_multi);
}

/* What stripes change. */
static void
override_for_stripes(TableAmRoutine *r)
{
	r->slot_callbacks = colj_slot_callbacks;
	r->scan_begin = colj_scan_begin;
	r->scan_end = colj_scan_end;
	r->scan_rescan = colj_scan_rescan;
	r->scan_getnextslot = colj_scan_next;
	r->scan_set_tidrange = colj_scan_set_tidrange;
	r->scan_getnextslot_tidrange = colj_scan_next_tidrange;
	r->parallelscan_estimate = colj_parallelscan_estimate;
	r->parallelscan_initialize = colj_parallelscan_initialize;
	r->parallelscan_reinitialize = colj_parallelscan_reinitialize;
	r->index_fetch_begin = colj_index_fetch_begin;
	r->index_fetch_reset = colj_index_fetch_reset;
	r->index_fetch_end = colj_index_fetch_end;
	r->index_fetch_tuple = colj_index_fetch_tuple;
	r->tuple_fetch_row_version = colj_fetch_version;
	r->tuple_tid_valid = colj_tid_valid;
	r->tuple_get_latest_tid = colj_latest_tid;
	r->tuple_satisfies_snapshot = colj_satisfies_snapshot;
	r->index_delete_tuples = colj_index_delete_tuples;
	r->tuple_insert = colj_tuple_insert;
	r->multi_insert = colj_multi_insert;
	r->finish_bulk_insert = colj_finish_bulk_insert;
	COLJ_SET_NEW_STORAGE(r) = set_new_storage;
	r->tuple_delete = colj_tuple_delete;
	r->tuple_update = colj_tuple_update;
	r->tuple_lock = colj_tuple_lock;
	r->relation_nontransactional_truncate = colj_truncate;
	r->relation_copy_for_cluster = colj_copy_for_cluster;
	r->relation_vacuum = colj_vacuum;
	r->relation_estimate_size = colj_estimate;
	r->scan_analyze_next_block = colj_analyze_next_block;
	r->scan_analyze_next_tuple = colj_analyze_next_tuple;
#ifndef COLJ_BITMAP_ITERATOR
	r->scan_bitmap_next_block = colj_bitmap_next_block;
#endif
	r->scan_bitmap_next_tuple = colj_bitmap_next_tuple;
	r->scan_sample_next_block = colj_sample_next_block;
	r->scan_sample_next_tuple = colj_sample_next_tuple;
}

Datum
colj_tableam_handler(PG_FUNCTION_ARGS)
{
	static TableAmRoutine routine;

	if (routine.type != T_TableAmRoutine)
	{
		TableAmRoutine r = *colj_heap();

		r.relation_needs_toast_table = needs_toast_table;
		r.relation_toast_am = toast_am;
		r.index_build_range_scan = colj_index_build;
		r.index_validate_scan = colj_index_validate;
		override_for_stripes(&r);
		routine = r;
	}
	PG_RETURN_POINTER(&routine);
}
