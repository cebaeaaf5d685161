/*-------------------------------------------------------------------------
 *
 * check_table.c
 *	  colj_check: is everything in a table's column store as it should be?
 *
 * Each stripe is read whole and decoded in full, its columns are compared
 * with the table's, and each proxy must belong to a row, and not to a settled
 * one.  What is damaged is reported, and the check goes on behind it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "compat.h"
#include "access/guard.h"
#include "access/inspect.h"
#include "type/document.h"

PG_FUNCTION_INFO_V1(colj_check);

typedef struct Check
{
	ColjInspection inspection;
	ReturnSetInfo *result;
	MemoryContext context;		/* of one stripe */
	int32	   *blocks;			/* chunk_seq of each row of the directory */
	int			n;
	int			current;		/* of blocks; -1 for none */
	ColjStripe *stripe;
	List	   *problems;		/* of the stripe at hand, as text */
	uint64		end;			/* of the last stripe that was read */
	int64		granule;		/* whose settled rows are at hand; -1 for none */
	bits8		settled[COLJ_GRANULE_BYTES];
} Check;

static void
put_problem(Check *c, const char *problem)
{
	Datum		values[2] = {c->current < 0 ? (Datum) 0 : Int64GetDatum(c->blocks[c->current]),
	CStringGetTextDatum(problem)};
	bool		isnull[2] = {c->current < 0, false};

	tuplestore_putvalues(c->result->setResult, c->result->setDesc, values, isnull);
}

/* What the check of a stripe finds is put out when its subtransaction is over. */
static void
note_problem(Check *c, const char *problem)
{
	c->problems = lappend(c->problems, pstrdup(problem));
}

/* Append a column of the table and the keys of a path below it. */
static void
name_path(Check *c, uint32 path, StringInfo name)
{
	const ColjPathInfo *info = colj_stripe_path(c->stripe, path);
	TupleDesc	desc = RelationGetDescr(c->inspection.table);

	if (info->parent != COLJ_NO_PATH)
		name_path(c, info->parent, name);
	else if (info->column < (uint32) desc->natts)
		appendStringInfo(name, "column \"%s\"", NameStr(TupleDescAttr(desc, info->column)->attname));
	else
		appendStringInfo(name, "column %u", info->column + 1);
	if (info->parent == COLJ_NO_PATH && colj_stripe_root(c->stripe, info->column) != path)
		appendStringInfoString(name, ", residual");
	if (info->parent != COLJ_NO_PATH && c->inspection.values)
		appendStringInfo(name, " -> %s", quote_literal_cstr(pnstrdup(info->key, info->key_len)));
}

static void
report_vector(void *arg, uint32_t path, uint32_t vector, const char *problem)
{
	Check	   *c = arg;
	StringInfoData text;
	uint32		first = vector * colj_stripe_vector_rows(c->stripe);
	uint32		last = Min(first + colj_stripe_vector_rows(c->stripe), colj_stripe_rows(c->stripe)) - 1;

	initStringInfo(&text);
	if (path != COLJ_NO_PATH)
	{
		name_path(c, path, &text);
		appendStringInfo(&text, ", rows %u to %u: ", first, last);
	}
	appendStringInfoString(&text, problem != NULL ? problem : "Its bytes contradict themselves.");
	note_problem(c, text.data);
}

/* Do all cells of a plain column fit the table's? */
static bool
cells_fit(Check *c, Form_pg_attribute att, uint32 column)
{
	ColjPathType type = colj_stripe_path(c->stripe, colj_stripe_root(c->stripe, column))->type;

	for (uint32 row = 0; row < colj_stripe_rows(c->stripe); row++)
	{
		ColjCell	cell;

		/* damage has been reported */
		if (colj_stripe_cell(c->stripe, column, row, &cell) == COLJ_OK && !colj_cell_fits(att, type, &cell))
			return false;
	}
	colj_stripe_forget(c->stripe);
	return true;
}

static void
compare_columns(Check *c)
{
	TupleDesc	desc = RelationGetDescr(c->inspection.table);

	if (colj_stripe_columns(c->stripe) > (uint32) desc->natts)
		note_problem(c, "It has more columns than the table.");
	for (uint32 i = 0; i < Min(colj_stripe_columns(c->stripe), (uint32) desc->natts); i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		bool		document = colj_column_kind(att) == COLJ_COLUMN_DOCUMENT;

		CHECK_FOR_INTERRUPTS();
		if (att->attisdropped)
			continue;
		if (document == colj_stripe_path(c->stripe, colj_stripe_root(c->stripe, i))->plain ||
			(!document && !cells_fit(c, att, i)))
			note_problem(c, psprintf("column \"%s\": It is of another kind than the table's.", NameStr(att->attname)));
	}
}

/* Check the stripe at hand, in a subtransaction. */
static void
check_stripe(void *arg)
{
	Check	   *c = arg;
	uint64		row = (uint64) c->blocks[c->current] * COLJ_BLOCK_ROWS;
	ColjStripeEntry entry;

	if (!colj_directory_find(&c->inspection.store, c->inspection.snapshot, row, &entry) || entry.first_row != row)
	{
		note_problem(c, "Its row of the directory is of another stripe.");
		return;
	}
	if (row < c->end)
		note_problem(c, "Its rows overlap those of the stripe before it.");
	c->end = Max(c->end, row + entry.rows);
	c->stripe = colj_stripe_whole(&c->inspection.store, &entry,
								  AllocSetContextCreate(c->context, "colj stripe being checked", ALLOCSET_DEFAULT_SIZES));
	colj_ensure(colj_stripe_check_all(c->stripe, report_vector, c), NULL);
	compare_columns(c);
}

/* Which stripes the directory has. */
static void
list_stripes(void *arg)
{
	Check	   *c = arg;
	ColjStoreScan scan;
	HeapTuple	tuple;
	int			room = 64;

	c->blocks = MemoryContextAlloc(c->context, room * sizeof(int32));
	colj_store_scan_begin(&scan, &c->inspection.store, c->inspection.snapshot, COLJ_ID_DIRECTORY, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		if (c->n == room)
			c->blocks = repalloc_huge(c->blocks, (room *= 2) * sizeof(int32));
		c->blocks[c->n++] = colj_store_tuple_seq(&c->inspection.store, tuple);
	}
	colj_store_scan_end(&scan);
}

static bool
is_settled(Check *c, uint64 row)
{
	uint32		i = row % COLJ_GRANULE_ROWS;

	if (c->granule != (int64) (row / COLJ_GRANULE_ROWS))
	{
		c->granule = (int64) (row / COLJ_GRANULE_ROWS);
		(void) colj_granule_read(&c->inspection.store, c->inspection.snapshot, (int32) c->granule, c->settled);
	}
	return (c->settled[i / 8] & (1 << (i % 8))) != 0;
}

/* All records of settled rows. */
static void
check_settled(void *arg)
{
	Check	   *c = arg;
	ColjStoreScan scan;
	HeapTuple	tuple;
	int64		before = -1;

	colj_store_scan_begin(&scan, &c->inspection.store, c->inspection.snapshot, COLJ_ID_SETTLED, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		int32		granule = colj_store_tuple_seq(&c->inspection.store, tuple);
		const char *problem = colj_granule_problem(&c->inspection.store, tuple, c->settled);

		CHECK_FOR_INTERRUPTS();
		if (problem == NULL && granule == before)
			problem = "There are two records of the same settled rows.";
		if (problem != NULL)
			note_problem(c, psprintf("rows " UINT64_FORMAT " and on: %s", (uint64) granule * COLJ_GRANULE_ROWS, problem));
		before = granule;
	}
	colj_store_scan_end(&scan);
}

/*
 * A version of a proxy.  One that says live is frozen, and stays when the
 * stripe of its row is rolled back, or is seen before that is committed.
 */
static void
check_proxy(Check *c, HeapTuple tuple, uint64 row, bool again)
{
	ColjStripeEntry entry;
	bool		dead;
	const char *problem = colj_proxy_problem(&c->inspection.store, tuple, &dead);

	if (problem == NULL && again)
		problem = "A row has two proxies.";
	if (problem == NULL && dead && !colj_directory_find(&c->inspection.store, c->inspection.snapshot, row, &entry))
		problem = "A proxy is of a row that is in no stripe.";
	if (problem == NULL && is_settled(c, row))
		problem = "A row that has settled has a proxy.";
	if (problem != NULL)
		note_problem(c, psprintf("row " UINT64_FORMAT ": %s", row, problem));
}

/* All proxies, whose chunk_ids say the upper bits of the row. */
static void
check_proxies(void *arg)
{
	Check	   *c = arg;

	for (uint64 upper = 0; upper < COLJ_PROXY_IDS; upper++)
	{
		ColjStoreScan scan;
		HeapTuple	tuple;
		int64		before = -1;

		colj_store_scan_begin(&scan, &c->inspection.store, c->inspection.snapshot,
							  COLJ_ID_PROXY + (Oid) upper, 0, PG_INT32_MAX);
		while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
		{
			int32		lower = colj_store_tuple_seq(&c->inspection.store, tuple);

			CHECK_FOR_INTERRUPTS();
			check_proxy(c, tuple, upper << 31 | (uint64) lower, lower == before);
			before = lower;
		}
		colj_store_scan_end(&scan);
	}
}

/* Run a step, then put out what it has found. */
static void
run(Check *c, void (*step) (void *arg))
{
	MemoryContext old = MemoryContextSwitchTo(c->context);
	char	   *problem;
	ListCell   *cell;

	c->problems = NIL;
	problem = colj_guard(step, c);
	foreach(cell, c->problems)
		put_problem(c, lfirst(cell));
	if (problem != NULL)
		put_problem(c, problem);
	MemoryContextSwitchTo(old);
}

static void
check_store(Check *c)
{
	MemoryContext all = c->context;

	c->current = -1;
	run(c, list_stripes);
	c->context = AllocSetContextCreate(all, "colj check", ALLOCSET_DEFAULT_SIZES);
	for (c->current = 0; c->current < c->n; c->current++)
	{
		run(c, check_stripe);
		MemoryContextReset(c->context);
	}
	c->current = -1;
	run(c, check_settled);
	c->granule = -1;
	run(c, check_proxies);
}

/*
 * colj_check(table): one row for each problem, with the number of the stripe
 * if it is in one.  No row: what the user's snapshot sees can be read.
 */
Datum
colj_check(PG_FUNCTION_ARGS)
{
	Check		c = {.result = (ReturnSetInfo *) fcinfo->resultinfo, .context = CurrentMemoryContext};

	InitMaterializedSRF(fcinfo, 0);
	colj_inspect_begin(&c.inspection, PG_GETARG_OID(0));
	if (c.inspection.has_store)
		check_store(&c);
	colj_inspect_end(&c.inspection);
	return (Datum) 0;
}
