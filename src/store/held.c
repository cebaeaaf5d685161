/*-------------------------------------------------------------------------
 *
 * held.c
 *	  The first rows of a bulk load, as long as nobody knows how long it gets.
 *
 * They are heap tuples in memory, since most loads are short and end in the row
 * store.  They have no TIDs, so this is only for tables where nobody asks for
 * them: load.c says which.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "executor/tuptable.h"
#include "utils/memutils.h"

#include "compat.h"
#include "store/held.h"

/* Rows that are inserted at a time, as COPY does. */
#define INSERT_ROWS 1000

ColjHeld *
colj_held_create(MemoryContext parent)
{
	MemoryContext context = AllocSetContextCreate(parent, "colj held rows", ALLOCSET_DEFAULT_SIZES);
	ColjHeld   *held = MemoryContextAllocZero(context, sizeof(ColjHeld));

	held->context = context;
	held->row_context = AllocSetContextCreate(context, "colj row being held", ALLOCSET_SMALL_SIZES);

	/* without the rounding of sizes: pages cost when they are first touched */
	held->tuple_context = GenerationContextCreate(context, "colj tuples being held", ALLOCSET_DEFAULT_SIZES);
	held->room = INSERT_ROWS;
	held->tuples = MemoryContextAlloc(context, held->room * sizeof(HeapTuple));
	return held;
}

void
colj_held_free(ColjHeld *held)
{
	MemoryContextDelete(held->context);
}

/* heap_form_tuple flattens expanded objects. */
static bool
must_be_fetched(TupleDesc desc, int i, const Datum *values, const bool *isnull)
{
	return !isnull[i] && TupleDescAttr(desc, i)->attlen == -1 &&
		VARATT_IS_EXTERNAL(DatumGetPointer(values[i])) &&
		!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(values[i]));
}

/* The same values, with those that are out of line fetched, in the row's context. */
static const Datum *
fetch_external(ColjHeld *held, TupleDesc desc, const Datum *values, const bool *isnull)
{
	Datum	   *whole = NULL;

	for (int i = 0; i < desc->natts; i++)
	{
		MemoryContext old;

		if (!must_be_fetched(desc, i, values, isnull))
			continue;
		old = MemoryContextSwitchTo(held->row_context);
		if (whole == NULL)
		{
			whole = palloc(desc->natts * sizeof(Datum));
			memcpy(whole, values, desc->natts * sizeof(Datum));
		}
		whole[i] = PointerGetDatum(detoast_external_attr((struct varlena *) DatumGetPointer(values[i])));
		MemoryContextSwitchTo(old);
	}
	return whole != NULL ? whole : values;
}

void
colj_held_add(ColjHeld *held, TupleDesc desc, const Datum *values, const bool *isnull)
{
	const Datum *whole = fetch_external(held, desc, values, isnull);
	MemoryContext old = MemoryContextSwitchTo(held->tuple_context);

	if (held->n == held->room)
	{
		held->room *= 2;
		held->tuples = repalloc_huge(held->tuples, held->room * sizeof(HeapTuple));
	}
	held->tuples[held->n] = heap_form_tuple(desc, unconstify(Datum *, whole), unconstify(bool *, isnull));
	held->bytes += HEAPTUPLESIZE + held->tuples[held->n++]->t_len;
	MemoryContextSwitchTo(old);
	if (whole != values)
		MemoryContextReset(held->row_context);
}

void
colj_held_insert(ColjHeld *held, Relation table, CommandId cid, int options)
{
	MemoryContext old = MemoryContextSwitchTo(held->row_context);
	BulkInsertState bistate = GetBulkInsertState();
	int			nslots = Min(held->n, INSERT_ROWS);
	TupleTableSlot **slots = palloc((nslots + 1) * sizeof(TupleTableSlot *));

	for (int i = 0; i < nslots; i++)
		slots[i] = MakeSingleTupleTableSlot(RelationGetDescr(table), &TTSOpsHeapTuple);
	for (int done = 0; done < held->n; done += nslots)
	{
		int			n = Min(nslots, held->n - done);

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < n; i++)
			ExecStoreHeapTuple(held->tuples[done + i], slots[i], true);
		heap_multi_insert(table, slots, n, cid, options, bistate);
		for (int i = 0; i < n; i++)
			ExecClearTuple(slots[i]);
	}
	for (int i = 0; i < nslots; i++)
		ExecDropSingleTupleTableSlot(slots[i]);
	FreeBulkInsertState(bistate);
	held->n = 0;
	held->bytes = 0;
	MemoryContextSwitchTo(old);
	MemoryContextReset(held->row_context);
}
