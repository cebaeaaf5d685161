/*-------------------------------------------------------------------------
 *
 * wanted.c
 *	  Keys that are all that a plan needs of a document.
 *
 * PostgreSQL sorts the rows of "SELECT count(DISTINCT doc ->> 'a') ... GROUP BY
 * doc ->> 'b'" with the whole document in them, since the aggregate's argument is
 * computed above the sort.  Documents of stripes would be put together for that.  So
 * where a plan starts, what aggregation needs of its input is followed down to
 * the scan: a document of which nothing but keys is ever asked for, and these by
 * name, is copied with these keys only.
 *
 * Everything that is not known here to leave documents alone needs them whole: a node
 * of another kind, a document that is an argument of any function but
 * the accessors below, a column that is sorted or grouped by.  Expressions of the
 * scan count, too, as functions copy documents in order to read them; but not
 * the accessors in them, which are given the row itself.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "compat.h"
#include "access/slot.h"
#include "exec/accessor.h"
#include "exec/wanted.h"
#include "type/path.h"

/* More keys of one document are not worth it. */
#define MAX_KEYS 16

/* What is needed of a column. */
typedef struct Need
{
	bool		whole;
	List	   *keys;			/* ColjWantedKey *; none of them twice */
} Need;

/* Columns that expressions refer to by Vars of this number. */
typedef struct Columns
{
	int			varno;
	int			n;
	Need	   *needs;
	bool		copied;			/* else accessors are given the row itself */
} Columns;

static ExecutorStart_hook_type next_start;

static Columns
make_columns(int varno, int n)
{
	return (Columns)
	{
		.varno = varno, .n = n, .needs = palloc0(Max(n, 1) * sizeof(Need)), .copied = varno == OUTER_VAR
	};
}

static void
need_key(Need *need, const ColjWantedKey *key)
{
	ColjWantedKey *copy;
	ListCell   *cell;

	foreach(cell, need->keys)
	{
		const ColjWantedKey *known = lfirst(cell);

		if (known->len == key->len && memcmp(known->bytes, key->bytes, key->len) == 0)
			return;
	}
	need->whole |= list_length(need->keys) == MAX_KEYS;
	if (need->whole)
		return;
	copy = palloc(sizeof(ColjWantedKey));
	*copy = *key;
	need->keys = lappend(need->keys, copy);
}

static void
need_more(Need *need, const Need *other)
{
	ListCell   *cell;

	need->whole |= other->whole;
	foreach(cell, other->keys)
		need_key(need, lfirst(cell));
}

/* The columns with these numbers, counted from 1, are needed whole. */
static void
need_whole(Need *needs, const AttrNumber *columns, int n)
{
	for (int i = 0; i < n; i++)
		needs[columns[i] - 1].whole = true;
}

/* The column that an expression is, if it is nothing else; NULL if it is not. */
static Need *
bare_column(const Columns *columns, const Node *node)
{
	const Var  *var = (const Var *) node;

	if (node == NULL || !IsA(node, Var) || var->varno != columns->varno ||
		var->varattno < 1 || var->varattno > columns->n)
		return NULL;
	return &columns->needs[var->varattno - 1];
}

/* The first key that an accessor takes. */
static bool
accessor_key(const ColjAccessor *accessor, ColjWantedKey *key)
{
	text	   *name;

	if (accessor->chain)
		return colj_path_first_key(accessor->path->constvalue, &key->bytes, &key->len);
	name = DatumGetTextPP(accessor->path->constvalue);
	*key = (ColjWantedKey){VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name)};
	return true;
}

/* Is it a call that takes a key of a column? */
static bool
takes_key(Node *node, const Columns *columns, Need **need, ColjWantedKey *key)
{
	ColjAccessor accessor;

	if (!colj_as_accessor(node, &accessor))
		return false;
	*need = bare_column(columns, accessor.document);
	return *need != NULL && accessor_key(&accessor, key);
}

/* Add what an expression needs of the columns. */
static bool
add_needs(Node *node, void *context)
{
	Columns    *columns = context;
	ColjWantedKey key;
	Need	   *need;

	if (node == NULL)
		return false;
	if (takes_key(node, columns, &need, &key))
	{
		if (columns->copied)
			need_key(need, &key);
		return false;
	}
	if (IsA(node, Var) && ((Var *) node)->varno == columns->varno)
		for (int i = 0; i < columns->n; i++)
			if (((Var *) node)->varattno == i + 1 || ((Var *) node)->varattno == 0)
				columns->needs[i].whole = true;
	return expression_tree_walker(node, add_needs, context);
}

/* The same for a node that gives its columns to one above, who needs `above` of them. */
static void
pass_needs(const Plan *plan, const Need *above, Columns *columns)
{
	ListCell   *cell;
	int			i = 0;

	foreach(cell, plan->targetlist)
	{
		Node	   *expression = (Node *) lfirst_node(TargetEntry, cell)->expr;
		Need	   *need = bare_column(columns, expression);

		if (need != NULL)
			need_more(need, &above[i]);
		else
			(void) add_needs(expression, columns);
		i++;
	}
	(void) add_needs((Node *) plan->qual, columns);
}

/* The keys as a slot takes them. */
static ColjWanted *
wanted_keys(const Need *need)
{
	ColjWanted *wanted = palloc(sizeof(ColjWanted));
	ListCell   *cell;

	wanted->n = 0;
	wanted->keys = palloc(MAX_KEYS * sizeof(ColjWantedKey));
	foreach(cell, need->keys)
		wanted->keys[wanted->n++] = *(ColjWantedKey *) lfirst(cell);
	return wanted;
}

/* Tell the scan's slot. */
static void
tell_scan(ScanState *scan, const Need *above)
{
	TupleTableSlot *slot = scan->ss_ScanTupleSlot;
	Columns		columns;

	if (slot->tts_ops != &colj_slot_ops)
		return;
	columns = make_columns(((Scan *) scan->ps.plan)->scanrelid, slot->tts_tupleDescriptor->natts);
	pass_needs(scan->ps.plan, above, &columns);
	for (int i = 0; i < columns.n; i++)
		if (!columns.needs[i].whole)
			colj_slot_want(slot, i, wanted_keys(&columns.needs[i]));
}

/* Sorting and its kin read some columns; false: not a node that only passes rows on. */
static bool
read_keys(const Plan *plan, Need *above)
{
	switch (nodeTag(plan))
	{
		case T_Sort:
		case T_IncrementalSort:
			need_whole(above, ((const Sort *) plan)->sortColIdx, ((const Sort *) plan)->numCols);
			return true;
		case T_GatherMerge:
			need_whole(above, ((const GatherMerge *) plan)->sortColIdx, ((const GatherMerge *) plan)->numCols);
			return true;
		case T_Gather:
		case T_Limit:
		case T_Material:
			return true;
		default:
			return false;
	}
}

static void follow(PlanState *state, Need *above);

static void
follow_all(PlanState **states, int n, const Need *above, int columns)
{
	for (int i = 0; i < n; i++)
	{
		Columns		copy = make_columns(OUTER_VAR, columns);

		/* planned so; but arrays shall not depend on it */
		if (list_length(states[i]->plan->targetlist) != columns)
			continue;
		for (int j = 0; j < columns; j++)
			need_more(&copy.needs[j], &above[j]);
		follow(states[i], copy.needs);
	}
}

/* Go down with what is needed of a node's columns. */
static void
follow(PlanState *state, Need *above)
{
	const Plan *plan = state->plan;

	if (IsA(state, SeqScanState))
		tell_scan((ScanState *) state, above);
	else if (IsA(state, AppendState))
		follow_all(((AppendState *) state)->appendplans, ((AppendState *) state)->as_nplans, above,
				   list_length(plan->targetlist));
	else if (outerPlanState(state) != NULL && innerPlanState(state) == NULL && read_keys(plan, above))
	{
		Columns		columns = make_columns(OUTER_VAR, list_length(outerPlan(plan)->targetlist));

		pass_needs(plan, above, &columns);
		follow(outerPlanState(state), columns.needs);
	}
}

/* What aggregation needs of its input. */
static void
start_at(AggState *state)
{
	const Agg  *agg = (const Agg *) state->ss.ps.plan;
	Columns		columns = make_columns(OUTER_VAR, list_length(outerPlan(agg)->targetlist));

	if (agg->groupingSets != NIL || agg->chain != NIL)
		return;
	(void) add_needs((Node *) agg->plan.targetlist, &columns);
	(void) add_needs((Node *) agg->plan.qual, &columns);
	need_whole(columns.needs, agg->grpColIdx, agg->numCols);
	follow(outerPlanState(state), columns.needs);
}

static bool
find_aggregation(PlanState *state, void *context)
{
	if (state == NULL)
		return false;
	if (IsA(state, AggState))
		start_at((AggState *) state);
	return planstate_tree_walker(state, find_aggregation, context);
}

static void
start(QueryDesc *query, int flags)
{
	MemoryContext old;

	if (next_start != NULL)
		next_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
	if (query->estate == NULL)
		return;
	old = MemoryContextSwitchTo(query->estate->es_query_cxt);
	(void) find_aggregation(query->planstate, NULL);
	MemoryContextSwitchTo(old);
}

void
colj_wanted_init(void)
{
	next_start = ExecutorStart_hook;
	ExecutorStart_hook = start;
}
