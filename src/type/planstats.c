/*-------------------------------------------------------------------------
 *
 * planstats.c
 *	  Statistics for expressions over colj columns, for core's estimators.
 *
 * The operators in doc ->> 'k' = 'x' or (doc ->> 'n')::int < 5 are those of
 * text and integer, and so are their estimators.  These ask examine_variable
 * for statistics on the expression, and it looks for an index over the same
 * expression, whose statistics get_index_stats_hook may supply.  So a relation
 * with a colj column gets one index more, which does not exist: its columns
 * are the expressions of this query that take a value out of the column.  When
 * one of them is asked about, derive.c makes its statistics from those on the
 * column's paths.
 *
 * The index must have no other effect.  Who looks at RelOptInfo.indexlist, in
 * PostgreSQL 15 to 18, and why this index means nothing to them:
 *
 *		examine_variable		the purpose.  Not unique, so isunique stays as
 *			it is.  The index stands last in the list: the statistics of a real
 *			index on the expression are found first.  It is partial, so there
 *			is no lookup in the syscache if another module's hook comes first.
 *			Extended statistics on the expression come after indexes; where
 *			there are any, our hook leaves the expression to them.
 *		has_unique_index, relation_has_unique_index_for (_ext from 18 on),
 *		rel_supports_distinctness (join and self-join removal),
 *		remove_useless_groupby_columns (18)
 *			want unique indexes; this one is not unique, and partial.
 *		create_index_paths		skips partial indexes with !predOK.
 *		check_index_predicates	sets predOK if the predicate is implied by
 *			the query.  The predicate is constant FALSE, which only a clause
 *			that is constant FALSE itself implies; then, too, no path comes of
 *			it, as get_index_paths adds none unless the index has amgettuple or
 *			amgetbitmap.  amoptionalkey is false, so that no time is spent to
 *			find clauses that the predicate implies.
 *		build_paths_for_OR, group_similar_or_args (18)
 *			skip indexes without amgetbitmap.
 *		get_actual_variable_range
 *			skips indexes that are not btrees (17 and older) or not ordered
 *			(18), that are partial, or hypothetical: this one is all of these.
 *		plan_cluster_use_sort	looks for one index by its OID, in a query
 *			made for the purpose that has no expressions.
 *		infer_arbiter_indexes, foreign keys, the executor
 *			look at the relation's own list, not at this one.
 *
 * Before 16 an inheritance parent has an empty list, from 16 on one of its
 * partitioned indexes; with ours in it nothing changes, as paths over a parent
 * are those of its children.  Join relations have no list.  EXPLAIN shows paths
 * only.  Other modules may walk the list: all arrays have their lengths,
 * hypothetical is set, as they know from others that do the same, and
 * the index's OID is that of the table, a relation that can be looked up.
 *
 * Whose statistics these are: acl_ok is set as for a column, so operators that
 * are not leakproof see values only if the user may read the whole column.
 *
 * The hooks are there from the moment that the library is loaded, which in a
 * session's first query happens while constants of the type are parsed, or
 * when the planner simplifies the accessors by calling their support function:
 * before it builds relations.  A subscript in a view or a function's body is
 * not simplified by us, so a session that does nothing else would plan its first
 * query over it without statistics.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/appendinfo.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "statistics/statistics.h"
#include "utils/acl.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/derive.h"
#include "type/planstats.h"

PG_FUNCTION_INFO_V1(colj_load_support);
PG_FUNCTION_INFO_V1(colj_bool_support);

/* Expressions of one relation that get statistics. */
#define MAX_EXPRESSIONS 64

/* The index that does not exist, and statistics on its columns. */
typedef struct StatIndex
{
	IndexOptInfo index;
	bool	   *made;			/* by column: have statistics been looked for? */
	HeapTuple  *tuples;			/* by column: a row of pg_statistic, or NULL */
} StatIndex;

/* What find_expressions is looking for. */
typedef struct Search
{
	PlannerInfo *root;
	Index		relid;
	List	   *found;
} Search;

static get_relation_info_hook_type next_relation_info = NULL;
static get_index_stats_hook_type next_index_stats = NULL;

/* A path over the index, should somebody make one, is to be the worst. */
static void
cost_of_nothing(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup,
				Cost *total, Selectivity *selectivity, double *correlation, double *pages)
{
	(void) root;
	(void) path;
	(void) loop_count;
	*startup = *total = 1.0e30;
	*selectivity = 1.0;
	*correlation = 0.0;
	*pages = 0;
}

static StatIndex *
find_stat_index(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		if (index->amcostestimate == cost_of_nothing)
			return (StatIndex *) index;
	}
	return NULL;
}

static bool
has_colj_column(Oid relation_id)
{
	Relation	relation = table_open(relation_id, NoLock);
	TupleDesc	desc = RelationGetDescr(relation);
	bool		found = false;

	for (int i = 0; i < desc->natts && !found; i++)
		found = !TupleDescAttr(desc, i)->attisdropped &&
			colj_is_colj_type(TupleDescAttr(desc, i)->atttypid);
	table_close(relation, NoLock);
	return found;
}

/* Is this range table entry the same table once more? */
static bool
same_table(PlannerInfo *root, Index a, Index b)
{
	RangeTblEntry *x;
	RangeTblEntry *y;

	if (a == b)
		return true;
	if (IS_SPECIAL_VARNO(a))
		return false;
	x = planner_rt_fetch(a, root);
	y = planner_rt_fetch(b, root);
	return x->rtekind == RTE_RELATION && y->rtekind == RTE_RELATION && x->relid == y->relid;
}

static void
remember(Search *search, Node *expression)
{
	if (list_length(search->found) < MAX_EXPRESSIONS)
		search->found = list_append_unique(search->found, expression);
}

/*
 * Take an expression over the relation we look for.  One over the same table
 * under another name counts, too: self-join removal may put the one for the
 * other.  So does the form in which a column has not passed an outer join.
 */
static void
take_expression(Search *search, Node *node, ColjChain *chain)
{
	Index		varno = chain->column->varno;

	if (!same_table(search->root, varno, search->relid))
		return;
	node = copyObject(node);
	if (varno != search->relid)
		ChangeVarNodes(node, varno, search->relid, 0);
	if (!colj_chain_parse(node, chain))
		return;
	if (COLJ_VAR_NULLABLE(chain->column))
	{
		remember(search, copyObject(node));
		COLJ_VAR_CLEAR_NULLABLE(chain->column);
	}
	remember(search, node);
}

static bool
find_expressions(Node *node, void *arg)
{
	Search	   *search = arg;
	ColjChain	chain;

	if (node == NULL)
		return false;
	if ((IsA(node, OpExpr) || IsA(node, FuncExpr) || IsA(node, CoerceViaIO) ||
		 IsA(node, SubscriptingRef)) &&
		colj_chain_parse(node, &chain))
		take_expression(search, node, &chain);
	return expression_tree_walker(node, find_expressions, arg);
}

/* All expressions of the query over a relation of it. */
static List *
query_expressions(PlannerInfo *root, Index relid)
{
	Query	   *query = root->parse;
	Search		search = {root, relid, NIL};

	find_expressions((Node *) query->jointree, &search);
	find_expressions((Node *) root->processed_tlist, &search);
	find_expressions(query->havingQual, &search);
	find_expressions((Node *) planner_rt_fetch(relid, root)->securityQuals, &search);
	return search.found;
}

/* A parent's expressions as they are over one of its children. */
static List *
translate_expressions(PlannerInfo *root, List *expressions, AppendRelInfo *appinfo)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, expressions)
	{
		Node	   *node = adjust_appendrel_attrs(root, lfirst(lc), 1, &appinfo);
		ColjChain	chain;

		node = eval_const_expressions(root, node);
		if (colj_chain_parse(node, &chain) && (Index) chain.column->varno == appinfo->child_relid)
			result = list_append_unique(result, node);
	}
	return result;
}

/* The expressions over a relation; those of a child come from its parent. */
static List *
relation_expressions(PlannerInfo *root, Index relid)
{
	AppendRelInfo *appinfo = root->append_rel_array != NULL ?
	root->append_rel_array[relid] : NULL;
	RelOptInfo *parent;
	StatIndex  *known = NULL;

	if (appinfo == NULL)
		return query_expressions(root, relid);
	parent = root->simple_rel_array[appinfo->parent_relid];
	if (parent != NULL)
		known = find_stat_index(parent);
	return translate_expressions(root, known != NULL ? known->index.indexprs :
								 relation_expressions(root, appinfo->parent_relid),
								 appinfo);
}

static StatIndex *
make_stat_index(RelOptInfo *rel, Oid relation_id, List *expressions)
{
	StatIndex  *made = palloc0(sizeof(StatIndex));
	IndexOptInfo *index = &made->index;
	int			n = list_length(expressions);

	NodeSetTag(index, T_IndexOptInfo);
	index->indexoid = relation_id;
	index->rel = rel;
	index->tuples = rel->tuples;
	index->tree_height = -1;
	index->ncolumns = n;
	index->nkeycolumns = 1;
	index->indexkeys = palloc0(sizeof(int) * n);
	index->canreturn = palloc0(sizeof(bool) * n);
	index->indexcollations = palloc0(sizeof(Oid));
	index->opfamily = palloc0(sizeof(Oid));
	index->opcintype = palloc0(sizeof(Oid));
	index->indexprs = expressions;
	index->indpred = list_make1(makeBoolConst(false, false));
	index->hypothetical = true;
	index->amcostestimate = cost_of_nothing;
	made->made = palloc0(sizeof(bool) * n);
	made->tuples = palloc0(sizeof(HeapTuple) * n);
	return made;
}

static void
add_stat_index(PlannerInfo *root, Oid relation_id, bool inhparent, RelOptInfo *rel)
{
	List	   *expressions;

	if (next_relation_info != NULL)
		next_relation_info(root, relation_id, inhparent, rel);
	if (!has_colj_column(relation_id))
		return;
	expressions = relation_expressions(root, rel->relid);
	if (expressions != NIL)
		rel->indexlist = lappend(rel->indexlist,
								 make_stat_index(rel, relation_id, expressions));
}

/* Did a user make statistics on just this expression? */
static bool
has_extended_statistics(PlannerInfo *root, RelOptInfo *rel, Node *expression)
{
	ListCell   *lc;

	foreach(lc, rel->statlist)
	{
		StatisticExtInfo *info = lfirst(lc);

		if (info->kind == STATS_EXT_EXPRESSIONS &&
			info->inherit == planner_rt_fetch(rel->relid, root)->inh &&
			list_member(info->exprs, expression))
			return true;
	}
	return false;
}

/* Statistics on a column of the index, in the planner's memory. */
static HeapTuple
make_statistics(PlannerInfo *root, RelOptInfo *rel, Node *expression)
{
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, root);
	MemoryContext old;
	HeapTuple	column;
	HeapTuple	result;
	ColjChain	chain;

	if (has_extended_statistics(root, rel, expression) ||
		!colj_chain_parse(expression, &chain))
		return NULL;
	column = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
							 Int16GetDatum(chain.column->varattno), BoolGetDatum(rte->inh));
	if (!HeapTupleIsValid(column))
		return NULL;
	old = MemoryContextSwitchTo(root->planner_cxt);
	result = colj_derive_statistics(column, &chain);
	MemoryContextSwitchTo(old);
	ReleaseSysCache(column);
	return result;
}

/* May the user see every value of the column that the expression is over? */
static bool
may_see_column(PlannerInfo *root, Index relid, Node *expression)
{
#ifdef COLJ_HAVE_ALL_ROWS_SELECTABLE
	ColjChain	chain;

	return colj_chain_parse(expression, &chain) &&
		all_rows_selectable(root, relid,
							bms_make_singleton(chain.column->varattno -
											   FirstLowInvalidHeapAttributeNumber));
#else
	RangeTblEntry *rte;

	(void) expression;
	while (root->append_rel_array != NULL && root->append_rel_array[relid] != NULL)
		relid = root->append_rel_array[relid]->parent_relid;
	rte = planner_rt_fetch(relid, root);
	return rte->rtekind == RTE_RELATION && rte->securityQuals == NIL &&
		pg_class_aclcheck(rte->relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
#endif
}

/* The tuples last as long as the planner's memory. */
static void
free_nothing(HeapTuple tuple)
{
	(void) tuple;
}

static bool
supply_statistics(PlannerInfo *root, Oid index_id, AttrNumber column,
				  VariableStatData *vardata)
{
	StatIndex  *ours = vardata->rel != NULL ? find_stat_index(vardata->rel) : NULL;
	Node	   *expression;

	if (ours == NULL || ours->index.indexoid != index_id ||
		column < 1 || column > ours->index.ncolumns)
		return next_index_stats != NULL &&
			next_index_stats(root, index_id, column, vardata);
	expression = list_nth(ours->index.indexprs, column - 1);
	if (!ours->made[column - 1])
		ours->tuples[column - 1] = make_statistics(root, vardata->rel, expression);
	ours->made[column - 1] = true;
	vardata->statsTuple = ours->tuples[column - 1];
	vardata->freefunc = free_nothing;
	if (HeapTupleIsValid(vardata->statsTuple))
		vardata->acl_ok = may_see_column(root, vardata->rel->relid, expression);
	return true;
}

/*
 * colj_load_support(internal) - planner support that does nothing
 *
 * It lets the planner load the library, and so the hooks, before it builds
 * relations.
 */
Datum
colj_load_support(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_POINTER(NULL);
}

/*
 * colj_bool_support(internal) - planner support of the cast to boolean
 *
 * Core asks a function in WHERE for the share of rows for which it is true,
 * where it asks statistics for any other boolean expression.
 */
Datum
colj_bool_support(PG_FUNCTION_ARGS)
{
	SupportRequestSelectivity *request = (SupportRequestSelectivity *) PG_GETARG_POINTER(0);
	FuncExpr   *call;

	if (!IsA(request, SupportRequestSelectivity) || request->is_join)
		PG_RETURN_POINTER(NULL);
	call = makeFuncExpr(request->funcid, BOOLOID, request->args, InvalidOid,
						request->inputcollid, COERCE_EXPLICIT_CAST);
	request->selectivity = boolvarsel(request->root, (Node *) call, request->varRelid);
	PG_RETURN_POINTER(request);
}

void
colj_planner_init(void)
{
	next_relation_info = get_relation_info_hook;
	get_relation_info_hook = add_stat_index;
	next_index_stats = get_index_stats_hook;
	get_index_stats_hook = supply_statistics;
}
