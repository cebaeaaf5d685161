/*-------------------------------------------------------------------------
 *
 * vectoragg_plan.c
 *	  Aggregation of a table vector by vector: the planner's part.
 *
 * Where a query aggregates one colj table that has rows in stripes, and every
 * aggregate can be computed in parts, a path is added that does the first part
 * in the scan (vectoragg_node.c) and has PostgreSQL's own aggregation combine
 * what comes out: as in a parallel query, but also without workers.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

#include "compat.h"
#include "guc.h"
#include "access/access.h"
#include "exec/vectoragg.h"
#include "store/store.h"

/* The share of a scan's processor time that is left when it goes by vectors. */
#define VECTOR_SHARE 0.2

static create_upper_paths_hook_type next_upper_paths;

/* What is planned. */
typedef struct Plans
{
	PlannerInfo *root;
	RelOptInfo *table;
	RelOptInfo *grouped;
	List	   *group_clause;
	List	   *having;
	PathTarget *partial;		/* what the scan gives, */
	List	   *keys;			/* and grouping expressions in it */
	double		groups;
} Plans;

/* Rows in stripes of a table of ours; -1 for other tables. */
static double
rows_in_stripes(Oid table)
{
	Relation	rel = table_open(table, NoLock);
	double		rows = -1;
	BlockNumber blocks;

	if (rel->rd_tableam != NULL && rel->rd_tableam->index_build_range_scan == colj_index_build)
		rows = colj_store_estimate(rel, &blocks);
	table_close(rel, NoLock);
	return rows;
}

/*
 * Is there a path that costs less than reading the whole table does?  So it is with
 * most queries that have an index, whose planning should not take longer.
 */
static bool
is_outdone(const RelOptInfo *table, const RelOptInfo *grouped)
{
	double		page_cost;
	ListCell   *cell;

	get_tablespace_page_costs(table->reltablespace, NULL, &page_cost);
	foreach(cell, grouped->pathlist)
	{
		const Path *path = lfirst(cell);

		if (path->total_cost < page_cost * table->pages && !COLJ_PATH_DISABLED(path))
			return true;
	}
	return false;
}

/* Is it a scan of one table that has rows enough in stripes? */
static bool
is_candidate(PlannerInfo *root, const RelOptInfo *rel, const RelOptInfo *grouped)
{
	const RangeTblEntry *rte;
	double		rows;

	if (colj_vectoragg_min_rows < 0 || root->parse->rowMarks != NIL || !IS_SIMPLE_REL(rel) ||
		rel->rtekind != RTE_RELATION || !bms_is_empty(rel->lateral_relids) || is_outdone(rel, grouped))
		return false;
	rte = planner_rt_fetch(rel->relid, root);
	if (rte->inh || rte->tablesample != NULL || (rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW))
		return false;
	rows = rows_in_stripes(rte->relid);
	return rows > 0 && rows >= colj_vectoragg_min_rows;
}

/* Expressions that must be computed just once for each row, or that run plans of their own. */
static bool
is_unfit(Node *expr)
{
	return contain_volatile_functions(expr) || contain_subplans(expr);
}

static bool
conditions_fit(const RelOptInfo *rel)
{
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		const RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant || is_unfit((Node *) info->clause))
			return false;
	}
	return true;
}

/* An aggregate of PostgreSQL's own, in the form that computes partial states. */
static Expr *
partial_aggregate(const Aggref *aggref)
{
	Aggref	   *partial;

	if (aggref->aggfnoid >= FirstNormalObjectId || aggref->aggkind != AGGKIND_NORMAL || aggref->agglevelsup > 0)
		return NULL;
	partial = makeNode(Aggref);
	*partial = *aggref;
	mark_partial_aggref(partial, AGGSPLIT_INITIAL_SERIAL);
	return (Expr *) partial;
}

/* Split the target into grouping expressions, which are added, and the rest. */
static List *
add_keys(Plans *plans, const PathTarget *target)
{
	List	   *others = NIL;
	int			i = 0;
	ListCell   *cell;

	foreach(cell, target->exprs)
	{
		Expr	   *expr = lfirst(cell);
		Index		sortgroup = get_pathtarget_sortgroupref(target, i++);

		if (sortgroup != 0 && get_sortgroupref_clause_noerr(sortgroup, plans->group_clause) != NULL)
			add_column_to_pathtarget(plans->partial, expr, sortgroup);
		else
			others = lappend(others, expr);
	}
	return others;
}

/* Find the aggregates in an expression above the scan; true when there is something unfit. */
static bool
find_aggregates(Node *node, void *context)
{
	Plans	   *plans = context;
	Expr	   *partial;

	if (node == NULL || list_member(plans->keys, node))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar) || IsA(node, GroupingFunc))
		return true;
	if (!IsA(node, Aggref))
		return expression_tree_walker(node, find_aggregates, context);
	partial = partial_aggregate((Aggref *) node);
	if (partial == NULL)
		return true;
	add_new_column_to_pathtarget(plans->partial, partial);
	return false;
}

/*
 * Find what the scan must give: the grouping expressions, and a partial aggregate
 * for each that is used above.  False when something else is used there.
 */
static bool
make_partial_target(Plans *plans)
{
	List	   *others;

	plans->partial = create_empty_pathtarget();
	others = add_keys(plans, plans->grouped->reltarget);
	plans->keys = list_copy(plans->partial->exprs);
	if (find_aggregates((Node *) others, plans) || find_aggregates((Node *) plans->having, plans))
		return false;
	set_pathtarget_cost_width(plans->root, plans->partial);
	return !is_unfit((Node *) plans->partial->exprs);
}

/* What the child's target list has, as vectoragg.h says. */
static List *
child_tlist(List *outputs)
{
	List	   *exprs = NIL;
	List	   *tlist = NIL;
	ListCell   *cell;

	foreach(cell, outputs)
	{
		Expr	   *expr = lfirst_node(TargetEntry, cell)->expr;

		if (IsA(expr, Aggref))
		{
			exprs = list_concat(exprs, get_tlist_exprs(((Aggref *) expr)->args, true));
			expr = ((Aggref *) expr)->aggfilter;
		}
		if (expr != NULL)
			exprs = lappend(exprs, expr);
	}
	foreach(cell, exprs)
		tlist = lappend(tlist, makeTargetEntry(copyObject(lfirst(cell)), list_length(tlist) + 1, NULL, false));
	return tlist;
}

static Plan *
make_plan(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses, List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	SeqScan    *child = linitial_node(SeqScan, children);

	(void) root;
	(void) rel;
	(void) path;
	(void) clauses;
	((Plan *) child)->targetlist = child_tlist(tlist);
	scan->scan.plan.targetlist = tlist;
	scan->custom_scan_tlist = copyObject(tlist);
	scan->custom_plans = children;
	scan->methods = &colj_vectoragg_scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "ColjVectorAgg",
	.PlanCustomPath = make_plan
};

/* The part of a scan's cost that is not I/O gets less. */
static Cost
vector_cost(const Plans *plans, const Path *scan)
{
	QualCost	restriction = plans->table->baserestrictcost;
	Cost		processor = (cpu_tuple_cost + restriction.per_tuple) * plans->table->tuples;

	if (scan->parallel_workers > 0)
		processor /= scan->parallel_workers + 1;
	return scan->total_cost - Min(processor, scan->total_cost - scan->startup_cost) * (1 - VECTOR_SHARE);
}

/* The path of the node over a scan of the table, with so many workers. */
static CustomPath *
make_path(const Plans *plans, int workers)
{
	Path	   *scan = create_seqscan_path(plans->root, plans->table, NULL, workers);
	CustomPath *path = makeNode(CustomPath);

	path->path.pathtype = T_CustomScan;
	path->path.parent = plans->grouped;
	path->path.pathtarget = plans->partial;
	path->path.parallel_safe = scan->parallel_safe && plans->grouped->consider_parallel;
	path->path.parallel_workers = workers;
	path->path.rows = clamp_row_est(Min(plans->groups, scan->rows));
	/* a group is made, and given */
	path->path.total_cost = vector_cost(plans, scan) + path->path.rows * 2 * cpu_tuple_cost;
	path->path.startup_cost = path->path.total_cost;
	COLJ_COPY_DISABLED(&path->path, scan);
	path->custom_paths = list_make1(scan);
	path->methods = &path_methods;
	return path;
}

/* Add a path that combines what comes out of one. */
static void
add_combination(const Plans *plans, Path *path)
{
	AggClauseCosts costs = {0};

	get_agg_clause_costs(plans->root, AGGSPLIT_FINAL_DESERIAL, &costs);
	add_path(plans->grouped, (Path *)
			 create_agg_path(plans->root, plans->grouped, path, plans->grouped->reltarget,
							 plans->group_clause != NIL ? AGG_HASHED : AGG_PLAIN, AGGSPLIT_FINAL_DESERIAL,
							 plans->group_clause, plans->having, &costs, plans->groups));
}

/* The same with workers. */
static void
add_parallel(const Plans *plans)
{
	int			workers = compute_parallel_worker(plans->table, plans->table->pages, -1,
												  max_parallel_workers_per_gather);
	Path	   *path;
	double		rows;

	if (!plans->table->consider_parallel || !plans->grouped->consider_parallel || workers <= 0)
		return;
	path = (Path *) make_path(plans, workers);
	rows = path->rows * workers;
	add_combination(plans, (Path *) create_gather_path(plans->root, plans->grouped, path, plans->partial,
													   NULL, &rows));
}

/* Can PostgreSQL combine what comes in parts, by hashing? */
static bool
can_combine(const PlannerInfo *root, const GroupPathExtraData *extra, List *group_clause)
{
	if ((extra->flags & GROUPING_CAN_PARTIAL_AGG) == 0 || extra->patype == PARTITIONWISE_AGGREGATE_PARTIAL ||
		root->parse->groupingSets != NIL || !grouping_is_hashable(group_clause))
		return false;

	/* a constant that is grouped by is one group, or none */
	return group_clause != NIL || root->parse->groupClause == NIL;
}

static void
add_paths(PlannerInfo *root, RelOptInfo *table, RelOptInfo *grouped, const GroupPathExtraData *extra)
{
	Plans		plans = {
		.root = root, .table = table, .grouped = grouped,
		.group_clause = COLJ_GROUP_CLAUSE(root), .having = (List *) extra->havingQual
	};

	if (!can_combine(root, extra, plans.group_clause) || !is_candidate(root, table, grouped) ||
		!conditions_fit(table) || !make_partial_target(&plans))
		return;
	plans.groups = plans.keys == NIL ? 1 : estimate_num_groups(root, plans.keys, table->rows, NULL, NULL);
	add_combination(&plans, (Path *) make_path(&plans, 0));
	add_parallel(&plans);
}

static void
add_upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input, RelOptInfo *output, void *extra)
{
	if (next_upper_paths != NULL)
		next_upper_paths(root, stage, input, output, extra);
	if (stage == UPPERREL_GROUP_AGG)
		add_paths(root, input, output, extra);
}

const CustomScanMethods colj_vectoragg_scan_methods = {
	.CustomName = "ColjVectorAgg",
	.CreateCustomScanState = colj_vectoragg_create_state
};

void
colj_vectoragg_init(void)
{
	RegisterCustomScanMethods(&colj_vectoragg_scan_methods);
	next_upper_paths = create_upper_paths_hook;
	create_upper_paths_hook = add_upper_paths;
}
