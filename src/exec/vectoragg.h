/*-------------------------------------------------------------------------
 *
 * vectoragg.h
 *	  Aggregation of a table vector by vector.
 *
 * README.md tells how the parts work together.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_VECTORAGG_H
#define COLJ_VECTORAGG_H

#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/extensible.h"

#include "access/scan.h"
#include "type/path.h"

/*
 * The plan node (vectoragg_plan.c): a CustomScan whose custom_scan_tlist has the
 * grouping expressions and partial aggregates that it gives, and whose only child is
 * a sequential scan of the table.  The child's conditions are those of the scan.
 * Its target list has, for each entry of custom_scan_tlist in turn, the grouping
 * expression, or the aggregate's arguments and then its FILTER if it has one.
 */
extern const CustomScanMethods colj_vectoragg_scan_methods;

/* Install the planner's hook and make the node known. */
extern void colj_vectoragg_init(void);

/* vectoragg_node.c */
extern Node *colj_vectoragg_create_state(CustomScan *scan);

/* The row that is looked at, of a vector or of the row store. */
typedef struct ColjVectorRow
{
	TableScanDesc scan;
	TupleTableSlot *slot;		/* the scan's */
	ExprContext *econtext;		/* the scan's: one row's memory, parameters */
	MemoryContext vector_context;	/* what was computed for the vector */
	bool		in_vector;		/* else the slot is on a row of the row store */
	ColjScanVector vector;
	uint32		i;				/* the row in the vector */
	uint32		slot_i;			/* the one that the slot is on */
} ColjVectorRow;

/* What an expression gives for the rows that have one code. */
typedef struct ColjVectorMemo
{
	bool		known;
	bool		isnull;
	Datum		value;
} ColjVectorMemo;

/* How the values of an expression come about in the vector at hand. */
typedef enum ColjVectorHow
{
	COLJ_NOT_KNOWN,				/* nobody has asked for one */
	COLJ_BY_ROW,				/* computed for each row */
	COLJ_BY_CODE,				/* for each code */
	COLJ_TAKEN					/* taken from the vector */
} ColjVectorHow;

/* What an expression is that is no more than a value of the vector. */
typedef enum ColjVectorTaken
{
	COLJ_TAKE_NOTHING,			/* it is more */
	COLJ_TAKE_DATUM,			/* a column that is passed by value */
	COLJ_TAKE_INT2,
	COLJ_TAKE_INT4,
	COLJ_TAKE_INT8,
	COLJ_TAKE_FLOAT8,
	COLJ_TAKE_NUMERIC,
	COLJ_TAKE_TEXT				/* or another column that is bytes */
} ColjVectorTaken;

/* An expression over one row (vectoragg_expr.c). */
typedef struct ColjVectorExpr
{
	Expr	   *expr;
	ExprState  *state;
	int16		typlen;
	bool		typbyval;

	/*
	 * what it depends on: nothing, one column, one path in one column, or
	 * more
	 */
	enum
	{
		COLJ_ON_NOTHING, COLJ_ON_COLUMN, COLJ_ON_PATH, COLJ_ON_MORE
	}			depends;
	AttrNumber	column;			/* counted from 1 */
	ColjPath   *path;
	ColjVectorTaken taken;
	bool		null_is_null;	/* that is NULL for a JSON null */
	bool		is_key;			/* groups are made of it */

	/* of the vector at hand */
	ColjPlace	place;			/* of the path */
	ColjVectorHow how;
	uint32		ncodes;
	const uint16 *codes;
	bool		beside;			/* rows that have nothing in the column may
								 * have it elsewhere, */
	uint16		unsure;			/* with this code: none */
	ColjVectorMemo *memos;		/* COLJ_CODES_MAX of them; NULL for not made */
	const ColjPathVector *entries;
	ColjSpaced	texts;
} ColjVectorExpr;

extern ColjVectorExpr *colj_vector_expr_create(Expr *expr, PlanState *parent);

/*
 * Find out how the values come about in the vector that the row is in, if that is
 * not known.  It is as late as possible: it decodes what the expression depends on.
 */
extern void colj_vector_expr_enter(ColjVectorExpr *expr, const ColjVectorRow *row);

/*
 * Its value for the row: good until the row's memory is reset, or, if it is
 * from a memo, the vector's.
 */
extern Datum colj_vector_expr_compute(ColjVectorExpr *expr, ColjVectorRow *row, bool *isnull);

/* The row's code; COLJ_NO_CODE if it has none, or there are no codes. */
static inline uint16
colj_vector_expr_code(const ColjVectorExpr *expr, const ColjVectorRow *row)
{
	uint16		code = expr->how == COLJ_BY_CODE ? expr->codes[row->i] : COLJ_NO_CODE;

	return code == expr->unsure ? COLJ_NO_CODE : code;
}

static inline Datum
colj_vector_expr_value(ColjVectorExpr *expr, ColjVectorRow *row, bool *isnull)
{
	if (likely(expr->how == COLJ_BY_CODE && expr->codes[row->i] != COLJ_NO_CODE))
	{
		const ColjVectorMemo *memo = &expr->memos[expr->codes[row->i]];

		if (likely(memo->known))
		{
			*isnull = memo->isnull;
			return memo->value;
		}
	}
	return colj_vector_expr_compute(expr, row, isnull);
}

/* Is a condition true for the row? */
static inline bool
colj_vector_expr_true(ColjVectorExpr *expr, ColjVectorRow *row)
{
	bool		isnull;
	Datum		value = colj_vector_expr_value(expr, row, &isnull);

	return !isnull && DatumGetBool(value);
}

/* An aggregate's state in one group. */
typedef struct ColjVectorState
{
	Datum		value;
	bool		isnull;
	bool		none;			/* a strict function has had no value yet */
} ColjVectorState;

/* An aggregate (vectoragg_trans.c). */
typedef struct ColjVectorTrans ColjVectorTrans;

/*
 * Make one of a partial aggregate, whose arguments and FILTER (or NULL) come as
 * expressions.  context is an AggState, as aggregates' functions look for one; states
 * live in its curaggcontext.
 */
extern ColjVectorTrans *colj_vector_trans_create(const Aggref *aggref, List *args,
												 ColjVectorExpr *filter, AggState *context);
extern void colj_vector_trans_begin(const ColjVectorTrans *trans, ColjVectorState *state);
extern void colj_vector_trans_advance(ColjVectorTrans *trans, ColjVectorState *state, ColjVectorRow *row);

/* The state as the node gives it, in the current memory context. */
extern Datum colj_vector_trans_result(ColjVectorTrans *trans, ColjVectorState *state, bool *isnull);

/* A group: its keys, and a state for each aggregate. */
typedef struct ColjVectorGroup ColjVectorGroup;
struct ColjVectorGroup
{
	ColjVectorGroup *next;		/* that was made after it */
	uint32		hash;
	Datum	   *keys;
	bool	   *nulls;
	ColjVectorState *states;
};

/* Groups (vectoragg_group.c). */
typedef struct ColjVectorGroups ColjVectorGroups;

/* The context is reset by colj_vector_groups_reset, and holds what the groups hold. */
extern ColjVectorGroups *colj_vector_groups_create(ExprContext *context, int nkeys, ColjVectorExpr **keys,
												   int ntrans, ColjVectorTrans **trans);

/* Forget what was kept for codes, as there is another vector. */
extern void colj_vector_groups_leave(ColjVectorGroups *groups);

/* The group of the row, maybe a new one. */
extern ColjVectorGroup *colj_vector_groups_find(ColjVectorGroups *groups, ColjVectorRow *row);

/* The first of all groups, or NULL. */
extern ColjVectorGroup *colj_vector_groups_first(const ColjVectorGroups *groups);

/*
 * Do they take more memory than they may?  Looking closely takes longer, and also sees
 * what states keep in contexts of their own.
 */
extern bool colj_vector_groups_full(const ColjVectorGroups *groups, bool closely);
extern void colj_vector_groups_reset(ColjVectorGroups *groups);

#endif							/* COLJ_VECTORAGG_H */
