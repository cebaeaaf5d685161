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
#include "access/access.h"

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
		routine = r;
	}
	PG_RETURN_POINTER(&routine);
}
