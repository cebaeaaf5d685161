/*-------------------------------------------------------------------------
 *
 * vectoragg_node.c
 *	  Aggregation of a table vector by vector: the executor's node.
 *
 * The node takes the rows of its child, a sequential scan, out of the child's
 * scan descriptor itself: those of stripes by vectors, then those of the row
 * store.  It gives a row with partial states for each group.  When the groups
 * take more memory than a hash table may, it gives what there is and begins
 * anew: a group may come more than once, and PostgreSQL's own aggregation above
 * combines them.
 *
 * Memory: "colj vectoragg" is the node's for as long as the query runs; below it
 * are the values computed for one vector.  Groups and states are in an expression
 * context's memory, which is reset when they have been given, and what is
 * computed for one row in the child's.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "exec/vectoragg.h"

/* Rows of the row store that are taken together. */
#define HEAP_ROWS 1024

typedef struct VectorAggState
{
	CustomScanState css;
	SeqScanState *child;
	int			nquals;
	ColjVectorExpr **quals;
	int			nkeys;
	ColjVectorExpr **keys;
	int			ntrans;
	ColjVectorTrans **trans;
	List	   *exprs;			/* all expressions, none of them twice */
	ColjVectorGroups *groups;
	int			noutputs;
	bool	   *is_key;			/* of each output; else it is an aggregate */
	ColjVectorRow row;
	bool		in_heap;		/* all vectors have been taken, */
	bool		done;			/* all rows */
	bool		giving;			/* groups, of which this is the next: */
	ColjVectorGroup *next;
} VectorAggState;

/* The expression, if there is none like it already. */
static ColjVectorExpr *
add_expr(VectorAggState *state, Expr *expr)
{
	ColjVectorExpr *made;
	ListCell   *cell;

	foreach(cell, state->exprs)
	{
		made = lfirst(cell);
		if (equal(made->expr, expr))
			return made;
	}
	made = colj_vector_expr_create(expr, &state->child->ss.ps);
	state->exprs = lappend(state->exprs, made);
	return made;
}

/* Functions of aggregates look here for the context of their states. */
static AggState *
make_agg_context(VectorAggState *state)
{
	EState	   *estate = state->css.ss.ps.state;
	AggState   *context = makeNode(AggState);

	context->ss.ps.state = estate;
	context->curaggcontext = CreateExprContext(estate);
	context->tmpcontext = state->child->ss.ps.ps_ExprContext;
	return context;
}

/* The aggregate, whose expressions are next in the child's target list. */
static ColjVectorTrans *
make_trans(VectorAggState *state, const Aggref *aggref, AggState *context, ListCell **next)
{
	List	   *tlist = state->child->ss.ps.plan->targetlist;
	ColjVectorExpr *filter = NULL;
	List	   *args = NIL;

	for (int i = 0; i < list_length(aggref->args); i++, *next = lnext(tlist, *next))
		args = lappend(args, add_expr(state, lfirst_node(TargetEntry, *next)->expr));
	if (aggref->aggfilter != NULL)
	{
		filter = add_expr(state, lfirst_node(TargetEntry, *next)->expr);
		*next = lnext(tlist, *next);
	}
	return colj_vector_trans_create(aggref, args, filter, context);
}

/* Make keys and aggregates as the plan lists them (vectoragg.h). */
static void
make_outputs(VectorAggState *state, AggState *context)
{
	List	   *outputs = ((CustomScan *) state->css.ss.ps.plan)->custom_scan_tlist;
	List	   *tlist = state->child->ss.ps.plan->targetlist;
	ListCell   *next = list_head(tlist);
	ListCell   *cell;

	state->keys = palloc0(list_length(outputs) * sizeof(ColjVectorExpr *));
	state->trans = palloc0(list_length(outputs) * sizeof(ColjVectorTrans *));
	state->is_key = palloc0(list_length(outputs) * sizeof(bool));
	foreach(cell, outputs)
	{
		Node	   *output = (Node *) lfirst_node(TargetEntry, cell)->expr;

		state->is_key[state->noutputs++] = !IsA(output, Aggref);
		if (IsA(output, Aggref))
			state->trans[state->ntrans++] = make_trans(state, (Aggref *) output, context, &next);
		else
		{
			state->keys[state->nkeys] = add_expr(state, lfirst_node(TargetEntry, next)->expr);
			state->keys[state->nkeys++]->is_key = true;
			next = lnext(tlist, next);
		}
	}
}

static void
make_quals(VectorAggState *state)
{
	List	   *quals = state->child->ss.ps.plan->qual;
	ListCell   *cell;

	state->quals = palloc0(Max(list_length(quals), 1) * sizeof(ColjVectorExpr *));
	foreach(cell, quals)
		state->quals[state->nquals++] = add_expr(state, lfirst(cell));
}

static void
begin(CustomScanState *node, EState *estate, int eflags)
{
	VectorAggState *state = (VectorAggState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	MemoryContext context = AllocSetContextCreate(estate->es_query_cxt, "colj vectoragg", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old;
	AggState   *agg_context;

	state->child = castNode(SeqScanState, ExecInitNode(linitial(plan->custom_plans), estate, eflags));
	node->custom_ps = list_make1(state->child);
	old = MemoryContextSwitchTo(context);
	agg_context = make_agg_context(state);
	make_quals(state);
	make_outputs(state, agg_context);
	state->groups = colj_vector_groups_create(agg_context->curaggcontext, state->nkeys, state->keys,
											  state->ntrans, state->trans);
	state->row.slot = state->child->ss.ss_ScanTupleSlot;
	state->row.econtext = state->child->ss.ps.ps_ExprContext;
	state->row.vector_context = AllocSetContextCreate(context, "colj vectoragg vector", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(old);
}

/* A parallel scan has been begun by the executor. */
static TableScanDesc
child_scan(VectorAggState *state)
{
	ScanState  *child = &state->child->ss;

	if (child->ss_currentScanDesc == NULL)
		child->ss_currentScanDesc = table_beginscan(child->ss_currentRelation,
													child->ps.state->es_snapshot, 0, NULL);
	return child->ss_currentScanDesc;
}

/* Leave what is known of the vector before, for another, or for the rows of the row store. */
static void
enter(VectorAggState *state, bool in_vector)
{
	ColjVectorRow *row = &state->row;
	ListCell   *cell;

	row->in_vector = in_vector;
	row->i = row->slot_i = 0;
	MemoryContextReset(row->vector_context);
	foreach(cell, state->exprs)
		((ColjVectorExpr *) lfirst(cell))->how = COLJ_NOT_KNOWN;
	colj_vector_groups_leave(state->groups);
}

/* Does the row meet the conditions?  They are looked at in the planner's order. */
static inline bool
row_passes(VectorAggState *state)
{
	for (int i = 0; i < state->nquals; i++)
	{
		if (!colj_vector_expr_true(state->quals[i], &state->row))
		{
			InstrCountFiltered1(state->child, 1);
			return false;
		}
	}
	return true;
}

/* Take the row into its group, if it counts; was it one? */
static bool
take_row(VectorAggState *state)
{
	ColjVectorRow *row = &state->row;
	bool		passes = row_passes(state);

	if (passes)
	{
		ColjVectorGroup *group = colj_vector_groups_find(state->groups, row);

		for (int i = 0; i < state->ntrans; i++)
			colj_vector_trans_advance(state->trans[i], &group->states[i], row);
	}
	ResetExprContext(row->econtext);
	return passes;
}

/* Take rows of the vector at hand, as long as there is room for groups. */
static uint64
take_vector(VectorAggState *state)
{
	ColjVectorRow *row = &state->row;
	uint64		taken = 0;

	while (row->i < row->vector.rows && !colj_vector_groups_full(state->groups, false))
	{
		CHECK_FOR_INTERRUPTS();
		if (colj_vector_row_counts(&row->vector, row->i))
			taken += take_row(state);
		row->i++;
	}
	return taken;
}

/* Take the next vector, or what is left of one. */
static uint64
take_some_of_stripes(VectorAggState *state)
{
	ColjVectorRow *row = &state->row;

	if (!row->in_vector || row->i >= row->vector.rows)
	{
		if (!colj_scan_next_vector(row->scan, row->slot, &row->vector))
		{
			state->in_heap = true;
			enter(state, false);
			return 0;
		}
		enter(state, true);
	}
	return take_vector(state);
}

static uint64
take_some_of_heap(VectorAggState *state)
{
	ColjVectorRow *row = &state->row;
	uint64		taken = 0;

	for (int i = 0; i < HEAP_ROWS && !colj_vector_groups_full(state->groups, false); i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!table_scan_getnextslot(row->scan, ForwardScanDirection, row->slot))
		{
			state->done = true;
			break;
		}
		taken += take_row(state);
	}
	return taken;
}

/* Take rows, which count as the child's. */
static void
take_some(VectorAggState *state)
{
	Instrumentation *instrument = state->child->ss.ps.instrument;
	uint64		taken;

	if (instrument != NULL)
		InstrStartNode(instrument);
	taken = state->in_heap ? take_some_of_heap(state) : take_some_of_stripes(state);
	if (instrument != NULL)
		InstrStopNode(instrument, (double) taken);
}

/* Take rows until there is no more room for groups, or none are left. */
static void
gather(VectorAggState *state)
{
	state->row.scan = child_scan(state);
	do
		take_some(state);
	while (!state->done && !colj_vector_groups_full(state->groups, true));
	state->giving = true;
	state->next = colj_vector_groups_first(state->groups);
}

/* Give the next group. */
static TupleTableSlot *
give(VectorAggState *state)
{
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	TupleTableSlot *slot = ExecClearTuple(state->css.ss.ss_ScanTupleSlot);
	ColjVectorGroup *group = state->next;
	MemoryContext old;
	int			key = 0;
	int			trans = 0;

	state->next = group->next;
	ResetExprContext(econtext);
	old = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	for (int i = 0; i < state->noutputs; i++)
	{
		if (state->is_key[i])
		{
			slot->tts_values[i] = group->keys[key];
			slot->tts_isnull[i] = group->nulls[key++];
			continue;
		}
		slot->tts_values[i] = colj_vector_trans_result(state->trans[trans], &group->states[trans],
													   &slot->tts_isnull[i]);
		trans++;
	}
	MemoryContextSwitchTo(old);
	ExecStoreVirtualTuple(slot);
	if (state->css.ss.ps.ps_ProjInfo == NULL)
		return slot;
	econtext->ecxt_scantuple = slot;
	return ExecProject(state->css.ss.ps.ps_ProjInfo);
}

static TupleTableSlot *
next(CustomScanState *node)
{
	VectorAggState *state = (VectorAggState *) node;

	for (;;)
	{
		if (!state->giving)
		{
			if (state->done)
				return ExecClearTuple(node->ss.ss_ScanTupleSlot);
			gather(state);
		}
		if (state->next != NULL)
			return give(state);
		state->giving = false;
		colj_vector_groups_reset(state->groups);
	}
}

static void
rescan(CustomScanState *node)
{
	VectorAggState *state = (VectorAggState *) node;
	PlanState  *child = &state->child->ss.ps;

	if (node->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(child, node->ss.ps.chgParam);
	ExecReScan(child);
	colj_vector_groups_reset(state->groups);
	state->in_heap = state->done = state->giving = state->row.in_vector = false;
}

static void
end(CustomScanState *node)
{
	ExecEndNode(&((VectorAggState *) node)->child->ss.ps);
}

static const CustomExecMethods methods = {
	.CustomName = "ColjVectorAgg",
	.BeginCustomScan = begin,
	.ExecCustomScan = next,
	.EndCustomScan = end,
	.ReScanCustomScan = rescan
};

Node *
colj_vectoragg_create_state(CustomScan *scan)
{
	VectorAggState *state = palloc0(sizeof(VectorAggState));

	(void) scan;
	NodeSetTag(state, T_CustomScanState);
	state->css.methods = &methods;
	return (Node *) state;
}
