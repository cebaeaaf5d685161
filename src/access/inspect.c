/*-------------------------------------------------------------------------
 *
 * inspect.c
 *	  What the functions that look into a table have in common: who may, and
 *	  which stripes there are.
 *
 * Sizes and counts are shown to whoever may read a part of the table, and to
 * pg_stat_scan_tables as for other functions of that kind.  Values, and the
 * keys of documents, which may be values as well, are shown to whoever may
 * read all of it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "access/access.h"
#include "access/inspect.h"

bool
colj_is_table(Relation rel)
{
	return rel->rd_tableam != NULL && rel->rd_tableam->index_build_range_scan == colj_index_build;
}

static bool
may_select(Oid relid, AclMaskHow how)
{
	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		pg_attribute_aclcheck_all(relid, GetUserId(), ACL_SELECT, how) == ACLCHECK_OK;
}

static void
check_table(Relation rel)
{
	char		kind = rel->rd_rel->relkind;

	if (!colj_is_table(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table of access method \"colj\"", RelationGetRelationName(rel)),
				 kind == RELKIND_PARTITIONED_TABLE ? errhint("Name its partitions, one by one.")
				 : kind == RELKIND_RELATION || kind == RELKIND_MATVIEW ? errhint("Use ALTER TABLE ... SET ACCESS METHOD colj.")
				 : 0));
	if (RELATION_IS_OTHER_TEMP(rel))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary tables of other sessions")));
}

void
colj_inspect_begin(ColjInspection *inspection, Oid relid)
{
	memset(inspection, 0, sizeof(*inspection));
	if (get_rel_name(relid) != NULL && !may_select(relid, ACLMASK_ANY) &&
		!has_privs_of_role(GetUserId(), ROLE_PG_STAT_SCAN_TABLES))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to inspect table \"%s\"", get_rel_name(relid)),
				 errhint("Roles that may SELECT from it, and members of pg_stat_scan_tables, may.")));
	inspection->table = table_open(relid, AccessShareLock);
	check_table(inspection->table);
	inspection->values = may_select(relid, ACLMASK_ALL) &&
		check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED;
	inspection->snapshot = GetActiveSnapshot();
	inspection->has_store = colj_store_open(&inspection->store, inspection->table, AccessShareLock);
}

void
colj_inspect_end(ColjInspection *inspection)
{
	if (inspection->has_store)
		colj_store_close(&inspection->store);
	table_close(inspection->table, NoLock);
}

int
colj_inspect_stripes(ColjInspection *inspection, ColjStripeEntry **entries)
{
	if (inspection->has_store)
		return colj_directory_read(&inspection->store, inspection->snapshot, entries);
	*entries = NULL;
	return 0;
}

/* Numbers between its rows, that were settled when it was made, are none of them. */
int64
colj_inspect_deleted(ColjInspection *inspection, const ColjStripeEntry *entry)
{
	bits8	   *dead = colj_rows_dead(&inspection->store, inspection->snapshot,
									  entry->first_row, entry->rows);
	int64		n;

	if (dead == NULL)
		return 0;
	n = (int64) pg_popcount((const char *) dead, (int) (entry->rows / 8 + 1)) - (entry->rows - entry->filled);
	pfree(dead);
	return Max(n, 0);
}
