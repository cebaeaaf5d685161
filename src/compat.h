/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between the PostgreSQL versions that are supported, 15-18.
 *
 * The only file that looks at PG_VERSION_NUM.  Include it after postgres.h
 * and before other headers of the extension.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COMPAT_H
#define COLJ_COMPAT_H

#include "access/genam.h"
#include "access/heapam.h"
#include "access/multixact.h"
#include "access/nbtxlog.h"
#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "commands/vacuum.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/rel.h"
#include "utils/tuplesort.h"

#if PG_VERSION_NUM < 150000
#error "colj needs PostgreSQL 15 or later"
#endif

#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#endif

/* 18 replaced this macro by one that stands before the declaration. */
#ifndef pg_attribute_noreturn
#define pg_attribute_noreturn() __attribute__((noreturn))
#endif

/*
 * Call a type's input function on a cstring.  False when it reported a soft
 * error to escontext; without soft errors (before 16, or when escontext is
 * NULL) errors are raised.
 */
static inline bool
colj_input_call(PGFunction function, const char *text, Node *escontext,
				Datum *result)
{
#if PG_VERSION_NUM >= 160000
	return DirectInputFunctionCallSafe(function, unconstify(char *, text),
									   InvalidOid, -1, escontext, result);
#else
	(void) escontext;
	*result = DirectFunctionCall3(function, CStringGetDatum(text),
								  ObjectIdGetDatum(InvalidOid),
								  Int32GetDatum(-1));
	return true;
#endif
}

/*
 * As colj_input_call, but an error that can be soft is only told by false.
 * Before 16 it is raised.
 */
static inline bool
colj_input_try(PGFunction function, const char *text, Datum *result)
{
#if PG_VERSION_NUM >= 160000
	ErrorSaveContext escontext = {.type = T_ErrorSaveContext};

	return colj_input_call(function, text, (Node *) &escontext, result);
#else
	return colj_input_call(function, text, NULL, result);
#endif
}

/* 16 has one function for all kinds of objects. */
#if PG_VERSION_NUM >= 160000
#define colj_schema_aclcheck(schema, role, mode) \
	object_aclcheck(NamespaceRelationId, (schema), (role), (mode))
#define colj_class_ownercheck(table, role) \
	object_ownercheck(RelationRelationId, (table), (role))
#else
#define colj_schema_aclcheck(schema, role, mode) \
	pg_namespace_aclcheck((schema), (role), (mode))
#define colj_class_ownercheck(table, role) \
	pg_class_ownercheck((table), (role))
#endif

/* The next datum of a sort, which is of a type passed by value. */
static inline bool
colj_tuplesort_getdatum(Tuplesortstate *sort, Datum *value, bool *isnull)
{
#if PG_VERSION_NUM >= 160000
	return tuplesort_getdatum(sort, true, false, value, isnull, NULL);
#else
	return tuplesort_getdatum(sort, true, value, isnull, NULL);
#endif
}

/* Index a tuple of a TOAST table. */
static inline void
colj_store_index(Relation toast, Relation *indexes, int nindexes, HeapTuple tuple)
{
	Datum		values[3];
	bool		isnull[3];

	heap_deform_tuple(tuple, RelationGetDescr(toast), values, isnull);
	for (int i = 0; i < nindexes; i++)
		if (indexes[i]->rd_index->indisready)
			index_insert(indexes[i], values, isnull, &tuple->t_self, toast,
						 indexes[i]->rd_index->indisunique ? UNIQUE_CHECK_YES : UNIQUE_CHECK_NO,
						 false, NULL);
}

/* heap_update of a tuple whose indexed columns stay as they are. */
static inline TM_Result
colj_heap_update(Relation rel, ItemPointer tid, HeapTuple tuple, CommandId cid,
				 TM_FailureData *tmfd, LockTupleMode *lockmode)
{
#if PG_VERSION_NUM >= 160000
	TU_UpdateIndexes update_indexes;

	return heap_update(rel, tid, tuple, cid, InvalidSnapshot, true, tmfd, lockmode, &update_indexes);
#else
	return heap_update(rel, tid, tuple, cid, InvalidSnapshot, true, tmfd, lockmode);
#endif
}

/*
 * Since 18 a bitmap scan takes the blocks from the bitmap's iterator, which is
 * in its descriptor; before, the node hands them out one by one, and prefetches
 * them itself.
 */
#if PG_VERSION_NUM >= 180000
#define COLJ_BITMAP_ITERATOR
#endif

/* Where ANALYZE's next block comes from: since 17, a stream of them. */
#if PG_VERSION_NUM >= 170000
#define COLJ_ANALYZE_PARAMS ReadStream *stream
#define COLJ_ANALYZE_ARGS stream
#else
#define COLJ_ANALYZE_PARAMS BlockNumber block, BufferAccessStrategy strategy
#define COLJ_ANALYZE_ARGS block, strategy
#endif

/* May the user do with a table what VACUUM does?  Raises if there is none. */
static inline bool
colj_may_vacuum(Oid relid)
{
#if PG_VERSION_NUM >= 170000
	return pg_class_aclcheck(relid, GetUserId(), ACL_MAINTAIN) == ACLCHECK_OK;
#elif PG_VERSION_NUM >= 160000
	return object_ownercheck(RelationRelationId, relid, GetUserId()) ||
		object_ownercheck(DatabaseRelationId, MyDatabaseId, GetUserId());
#else
	return pg_class_ownercheck(relid, GetUserId()) ||
		pg_database_ownercheck(MyDatabaseId, GetUserId());
#endif
}

/* Has a transaction ended?  Waits as little as that takes to tell. */
static inline bool
colj_transaction_ended(TransactionId xid)
{
#if PG_VERSION_NUM >= 180000
	return ConditionalXactLockTableWait(xid, false);
#else
	return ConditionalXactLockTableWait(xid);
#endif
}

/* The callback that makes new storage, and the type that names it. */
#if PG_VERSION_NUM >= 160000
#define COLJ_SET_NEW_STORAGE(routine) ((routine)->relation_set_new_filelocator)
typedef RelFileLocator ColjFileLocator;
#else
#define COLJ_SET_NEW_STORAGE(routine) ((routine)->relation_set_new_filenode)
typedef RelFileNode ColjFileLocator;
#endif

/* Slots: what 17 and 18 have added to the callbacks. */
#if PG_VERSION_NUM >= 170000
#define COLJ_SLOT_KNOWS_XACT
#endif
#if PG_VERSION_NUM >= 180000
#define COLJ_EXTRA_PARAMETER , Size extra
#define COLJ_EXTRA_ARGUMENT , extra
#else
#define COLJ_EXTRA_PARAMETER
#define COLJ_EXTRA_ARGUMENT
#endif

/* Count an UPDATE that is not heap-only; after pgstat.h. */
#if PG_VERSION_NUM >= 160000
#define COLJ_COUNT_UPDATE(rel) pgstat_count_heap_update(rel, false, false)
#else
#define COLJ_COUNT_UPDATE(rel) pgstat_count_heap_update(rel, false)
#endif

/* What tuple_update says of the indexes. */
#if PG_VERSION_NUM >= 160000
typedef TU_UpdateIndexes ColjUpdateIndexes;
#define COLJ_UPDATE_ALL TU_All
#else
typedef bool ColjUpdateIndexes;
#define COLJ_UPDATE_ALL true
#endif

/* Since 18 a JSON null is cast to an SQL NULL; before, that is an error. */
#if PG_VERSION_NUM >= 180000
#define COLJ_NULL_CASTS_TO_NULL true
#else
#define COLJ_NULL_CASTS_TO_NULL false
#endif

/*
 * ANALYZE: the statistics target that std_typanalyze has found, and a place
 * where it, or VACUUM, may be told to wait.
 */
#if PG_VERSION_NUM >= 170000
#define COLJ_ANALYZE_TARGET(stats) ((stats)->attstattarget)
#else
#define COLJ_ANALYZE_TARGET(stats) ((stats)->attr->attstattarget)
#endif
#if PG_VERSION_NUM >= 180000
#define COLJ_ANALYZE_DELAY_POINT() vacuum_delay_point(true)
#define COLJ_VACUUM_DELAY_POINT() vacuum_delay_point(false)
#else
#define COLJ_ANALYZE_DELAY_POINT() vacuum_delay_point()
#define COLJ_VACUUM_DELAY_POINT() vacuum_delay_point()
#endif

/* A scan of a whole index. */
static inline IndexScanDesc
colj_index_beginscan(Relation table, Relation index, Snapshot snapshot)
{
#if PG_VERSION_NUM >= 180000
	return index_beginscan(table, index, snapshot, NULL, 0, 0);
#else
	return index_beginscan(table, index, snapshot, 0, 0);
#endif
}

/* What VACUUM tells an index; the number of rows is an estimate. */
static inline IndexVacuumInfo
colj_index_vacuum_info(Relation table, Relation index, int level, BufferAccessStrategy strategy)
{
	IndexVacuumInfo info = {.index = index};

	info.estimated_count = true;

	info.message_level = level;
	info.num_heap_tuples = Max(table->rd_rel->reltuples, 0);
	info.strategy = strategy;
#if PG_VERSION_NUM >= 160000
	info.heaprel = table;
#endif
	return info;
}

/* Update pg_class in place; nothing is said of XIDs. */
static inline void
colj_update_relstats(Relation rel, BlockNumber pages, double tuples)
{
	Form_pg_class form = rel->rd_rel;

#if PG_VERSION_NUM >= 180000
	vac_update_relstats(rel, pages, tuples, form->relallvisible, form->relallfrozen, form->relhasindex,
						InvalidTransactionId, InvalidMultiXactId, NULL, NULL, false);
#else
	vac_update_relstats(rel, pages, tuples, form->relallvisible, form->relhasindex,
						InvalidTransactionId, InvalidMultiXactId, NULL, NULL, false);
#endif
}

/* Is the table so old that VACUUM is to do nothing but freeze? */
static inline bool
colj_in_failsafe(Relation rel)
{
#if PG_VERSION_NUM >= 160000
	struct VacuumCutoffs cutoffs = {0};

	cutoffs.relfrozenxid = rel->rd_rel->relfrozenxid;
	cutoffs.relminmxid = rel->rd_rel->relminmxid;
	return vacuum_xid_failsafe_check(&cutoffs);
#else
	return vacuum_xid_failsafe_check(rel->rd_rel->relfrozenxid, rel->rd_rel->relminmxid);
#endif
}

/* Does VACUUM cut off pages of a TOAST table, unless it is told otherwise? */
static inline bool
colj_toast_is_cut(Relation toast)
{
	StdRdOptions *options = (StdRdOptions *) toast->rd_options;

#if PG_VERSION_NUM >= 180000
	return options != NULL && options->vacuum_truncate_set ? options->vacuum_truncate : vacuum_truncate;
#else
	return options == NULL || options->vacuum_truncate;
#endif
}

/* A record that makes standbys end queries that see what this XID has deleted. */
static inline xl_btree_reuse_page
colj_reuse_page(Relation rel, FullTransactionId xid)
{
	xl_btree_reuse_page record = {.block = 0};

#if PG_VERSION_NUM >= 160000
	record.locator = rel->rd_locator;
	record.snapshotConflictHorizon = xid;
	record.isCatalogRel = RelationIsAccessibleInLogicalDecoding(rel);
#else
	record.node = rel->rd_node;
	record.latestRemovedFullXid = xid;
#endif
	return record;
}

/*
 * Counts of a table that are on their way to its statistics, and in these; after
 * pgstat.h.
 */
#if PG_VERSION_NUM >= 160000
#define COLJ_DELTA_LIVE(rel) ((rel)->pgstat_info->counts.delta_live_tuples)
#define COLJ_DELTA_DEAD(rel) ((rel)->pgstat_info->counts.delta_dead_tuples)
#define COLJ_LIVE_TUPLES(stats) ((stats)->live_tuples)
#define COLJ_DEAD_TUPLES(stats) ((stats)->dead_tuples)
#define COLJ_TUPLES_RETURNED(rel) ((rel)->pgstat_info->counts.tuples_returned)
#else
#define COLJ_DELTA_LIVE(rel) ((rel)->pgstat_info->t_counts.t_delta_live_tuples)
#define COLJ_DELTA_DEAD(rel) ((rel)->pgstat_info->t_counts.t_delta_dead_tuples)
#define COLJ_LIVE_TUPLES(stats) ((stats)->n_live_tuples)
#define COLJ_DEAD_TUPLES(stats) ((stats)->n_dead_tuples)
#define COLJ_TUPLES_RETURNED(rel) ((rel)->pgstat_info->t_counts.t_tuples_returned)
#endif

/* pgstat_count_heap_getnext for n rows. */
#define COLJ_COUNT_RETURNED(rel, n) \
	do { \
		if (pgstat_should_count_relation(rel)) \
			COLJ_TUPLES_RETURNED(rel) += (n); \
	} while (0)

/* Is this a worker of autovacuum? */
#if PG_VERSION_NUM >= 170000
#define COLJ_IN_AUTOVACUUM() AmAutoVacuumWorkerProcess()
#else
#define COLJ_IN_AUTOVACUUM() IsAutoVacuumWorkerProcess()
#endif

/* The grouping clauses that are not redundant, and what 18 says of paths that are turned off. */
#if PG_VERSION_NUM >= 160000
#define COLJ_GROUP_CLAUSE(root) ((root)->processed_groupClause)
#else
#define COLJ_GROUP_CLAUSE(root) ((root)->parse->groupClause)
#endif
#if PG_VERSION_NUM >= 180000
#define COLJ_COPY_DISABLED(path, from) ((path)->disabled_nodes = (from)->disabled_nodes)
#define COLJ_PATH_DISABLED(path) ((path)->disabled_nodes > 0)
#else
#define COLJ_PATH_DISABLED(path) false
#define COLJ_COPY_DISABLED(path, from) ((void) (from))
#endif

/* Since 16 a Var knows which outer joins may have made it NULL. */
#if PG_VERSION_NUM >= 160000
#define COLJ_VAR_NULLABLE(var) ((var)->varnullingrels != NULL)
#define COLJ_VAR_CLEAR_NULLABLE(var) ((var)->varnullingrels = NULL)
#else
#define COLJ_VAR_NULLABLE(var) false
#define COLJ_VAR_CLEAR_NULLABLE(var) ((void) (var))
#endif

/* Since 16 a type's input function can say that a text is none of its own. */
#if PG_VERSION_NUM >= 160000
#define COLJ_SOFT_INPUT true
static inline bool
colj_soft_input(FmgrInfo *input, const char *text, Oid param, int32 typmod,
				Datum *result)
{
	ErrorSaveContext escontext = {.type = T_ErrorSaveContext};

	return InputFunctionCallSafe(input, unconstify(char *, text), param, typmod,
								 (Node *) &escontext, result);
}
#else
#define COLJ_SOFT_INPUT false
static inline bool
colj_soft_input(FmgrInfo *input, const char *text, Oid param, int32 typmod,
				Datum *result)
{
	*result = InputFunctionCall(input, unconstify(char *, text), param, typmod);
	return true;
}
#endif

/*
 * Whether core says which rows of a table the user may see statistics on
 * (it came in minor releases).
 */
#if PG_VERSION_NUM >= 180000 || \
	(PG_VERSION_NUM >= 170006 && PG_VERSION_NUM < 180000) || \
	(PG_VERSION_NUM >= 160010 && PG_VERSION_NUM < 170000) || \
	(PG_VERSION_NUM >= 150014 && PG_VERSION_NUM < 160000)
#define COLJ_HAVE_ALL_ROWS_SELECTABLE
#endif

#endif							/* COLJ_COMPAT_H */
