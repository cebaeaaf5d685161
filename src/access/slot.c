/*-------------------------------------------------------------------------
 *
 * slot.c
 *	  Slots for rows of both stores.
 *
 * A slot holds one of two things.  A tuple of the row store, or values that
 * the executor has put there, are held as heap's slots hold them, by heap's own
 * callbacks.  Of a row of a stripe the slot holds a reader (store/values.c),
 * whose values are made when they are asked for; a tuple is formed only for who
 * wants one.  Materializing turns the latter into the former.
 *
 * What the slot needs for stripes is in a memory context of its own below the
 * slot's, made with the first such row.  The reader's pin is released with it,
 * so that an error leaves none behind.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/xact.h"
#include "utils/memutils.h"

#include "compat.h"
#include "access/slot.h"

typedef struct Slot
{
	BufferHeapTupleTableSlot heap;	/* with a tuple of the stripe's row if one
									 * was asked for */
	bool		in_stripe;		/* the reader has the row */
	MemoryContext context;		/* of the reader; NULL for none yet */
	ColjRowReader *reader;
	TupleDesc	desc;			/* that the reader is for */
	const ColjWanted **wanted;	/* by column; NULL: all keys of all */
} Slot;

#define HEAP (&TTSOpsBufferHeapTuple)

static void
drop_reader(Slot *s)
{
	if (s->context != NULL)
		MemoryContextDelete(s->context);
	s->context = NULL;
	s->reader = NULL;
}

/* The slot is not on the row any more. */
static void
leave_stripe(Slot *s)
{
	s->in_stripe = false;
	colj_row_reader_leave(s->reader);
	if (!TTS_FIXED(&s->heap.base.base))
		drop_reader(s);
}

static void
init_slot(TupleTableSlot *slot)
{
	HEAP->init(slot);
}

static void
release_slot(TupleTableSlot *slot)
{
	drop_reader((Slot *) slot);
	HEAP->release(slot);
}

static void
clear_slot(TupleTableSlot *slot)
{
	Slot	   *s = (Slot *) slot;

	if (s->in_stripe)
		leave_stripe(s);
	HEAP->clear(slot);
}

static void
get_some_attributes(TupleTableSlot *slot, int natts)
{
	Slot	   *s = (Slot *) slot;

	if (!s->in_stripe)
	{
		HEAP->getsomeattrs(slot, natts);
		return;
	}
	natts = Min(natts, slot->tts_tupleDescriptor->natts);
	colj_row_reader_values(s->reader, slot->tts_nvalid, natts, slot->tts_values, slot->tts_isnull);
	slot	  ->tts_nvalid = natts;
}

/* A tuple of the stripe's row in the current memory context. */
static HeapTuple
form_tuple(TupleTableSlot *slot)
{
	HeapTuple	tuple;

	slot_getallattrs(slot);
	tuple = heap_form_tuple(slot->tts_tupleDescriptor, slot->tts_values, slot->tts_isnull);
	tuple->t_self = slot->tts_tid;
	tuple->t_tableOid = slot->tts_tableOid;

	HeapTupleHeaderSetXmin(tuple->t_data, colj_row_reader_xmin(((Slot *) slot)->reader));
	HeapTupleHeaderSetCmin(tuple->t_data, FirstCommandId);
	HeapTupleHeaderSetXmax(tuple->t_data, InvalidTransactionId);
	tuple->t_data->t_infomask |= HEAP_XMAX_INVALID;
	tuple->t_data->t_ctid = tuple->t_self;
	return tuple;
}

/* The slot's own tuple of the stripe's row. */
static HeapTuple
own_tuple(TupleTableSlot *slot)
{
	Slot	   *s = (Slot *) slot;
	MemoryContext old;

	if (s->heap.base.tuple == NULL)
	{
		old = MemoryContextSwitchTo(slot->tts_mcxt);
		s->heap.base.tuple = form_tuple(slot);
		slot	  ->tts_flags |= TTS_FLAG_SHOULDFREE;

		MemoryContextSwitchTo(old);
	}
	return s->heap.base.tuple;
}

static Datum
get_system_attribute(TupleTableSlot *slot, int attnum, bool *isnull)
{
	Slot	   *s = (Slot *) slot;

	if (!s->in_stripe)
		return HEAP->getsysattr(slot, attnum, isnull);
	*isnull = false;
	switch (attnum)
	{
		case SelfItemPointerAttributeNumber:
			return PointerGetDatum(&slot->tts_tid);
		case TableOidAttributeNumber:
			return ObjectIdGetDatum(slot->tts_tableOid);
		case MinTransactionIdAttributeNumber:
			return TransactionIdGetDatum(colj_row_reader_xmin(s->reader));
		case MaxTransactionIdAttributeNumber:
			return TransactionIdGetDatum(InvalidTransactionId);
		case MinCommandIdAttributeNumber:
		case MaxCommandIdAttributeNumber:
			return CommandIdGetDatum(FirstCommandId);
		default:
			elog(ERROR, "invalid attnum: %d", attnum);
			return (Datum) 0;
	}
}

static void
materialize_slot(TupleTableSlot *slot)
{
	Slot	   *s = (Slot *) slot;

	if (!s->in_stripe)
	{
		HEAP->materialize(slot);
		return;
	}
	(void) own_tuple(slot);
	s->heap.base.off = 0;
	slot	  ->tts_nvalid = 0;

	leave_stripe(s);
}

/* Begin to hold a stripe's row, whose reader is returned. */
static ColjRowReader *
enter_stripe(TupleTableSlot *slot)
{
	Slot	   *s = (Slot *) slot;

	if (s->reader != NULL && s->desc == slot->tts_tupleDescriptor)
		return s->reader;
	drop_reader(s);
	s->context = AllocSetContextCreate(slot->tts_mcxt, "colj slot", ALLOCSET_SMALL_SIZES);
	s->desc = slot->tts_tupleDescriptor;

	s->reader = colj_row_reader_create(s->context, s->desc);
	for (int i = 0; s->wanted != NULL && i < s->desc->natts; i++)
		colj_row_reader_want(s->reader, i, s->wanted[i]);
	return s->reader;
}

void
colj_slot_want(TupleTableSlot *slot, int column, const ColjWanted *wanted)
{
	Slot	   *s = (Slot *) slot;

	if (slot->tts_ops != &colj_slot_ops || !TTS_FIXED(slot))
		return;
	if (s->wanted == NULL)
		s->wanted = MemoryContextAllocZero(slot->tts_mcxt,
										   slot->tts_tupleDescriptor->natts * sizeof(ColjWanted *));
	s->wanted[column] = wanted;
	drop_reader(s);
}

static void
set_row(TupleTableSlot *slot, ItemPointerData tid, Oid table)
{
	((Slot *) slot)->in_stripe = true;
	slot	  ->tts_flags &= ~TTS_FLAG_EMPTY;
	slot	  ->tts_nvalid = 0;
	slot	  ->tts_tid = tid;
	slot	  ->tts_tableOid = table;
}

static void
copy_slot(TupleTableSlot *to, TupleTableSlot *from)
{
	const Slot *source = (const Slot *) from;

	if (from->tts_ops != &colj_slot_ops || !source->in_stripe)
		HEAP->copyslot(to, from);
	else
	{
		ExecClearTuple(to);
		colj_row_reader_follow(enter_stripe(to), source->reader);
		set_row(to, from->tts_tid, from->tts_tableOid);
	}
	to->tts_tid = from->tts_tid;
	to->tts_tableOid = from->tts_tableOid;
}

static HeapTuple
get_tuple(TupleTableSlot *slot)
{
	return ((Slot *) slot)->in_stripe ? own_tuple(slot) : HEAP->get_heap_tuple(slot);
}

static HeapTuple
copy_tuple(TupleTableSlot *slot)
{
	return ((Slot *) slot)->in_stripe ? form_tuple(slot) : HEAP->copy_heap_tuple(slot);
}

static MinimalTuple
copy_minimal(TupleTableSlot *slot COLJ_EXTRA_PARAMETER)
{
	if (!((Slot *) slot)->in_stripe)
		return HEAP->copy_minimal_tuple(slot COLJ_EXTRA_ARGUMENT);
	slot_getallattrs(slot);
	return heap_form_minimal_tuple(slot->tts_tupleDescriptor, slot->tts_values,
								   slot->tts_isnull COLJ_EXTRA_ARGUMENT);
}

#ifdef COLJ_SLOT_KNOWS_XACT
static bool
is_current(TupleTableSlot *slot)
{
	if (!((Slot *) slot)->in_stripe)
		return HEAP->is_current_xact_tuple(slot);
	return TransactionIdIsCurrentTransactionId(colj_row_reader_xmin(((Slot *) slot)->reader));
}
#endif

const TupleTableSlotOps colj_slot_ops = {
	.base_slot_size = sizeof(Slot),
	.init = init_slot,
	.release = release_slot,
	.clear = clear_slot,
	.getsomeattrs = get_some_attributes,
	.getsysattr = get_system_attribute,
#ifdef COLJ_SLOT_KNOWS_XACT
	.is_current_xact_tuple = is_current,
#endif
	.materialize = materialize_slot,
	.copyslot = copy_slot,
	.get_heap_tuple = get_tuple,
	.get_minimal_tuple = NULL,
	.copy_heap_tuple = copy_tuple,
	.copy_minimal_tuple = copy_minimal
};

const TupleTableSlotOps *
colj_slot_callbacks(Relation rel)
{
	(void) rel;
	return &colj_slot_ops;
}

/* Who has a slot of another kind gets a tuple. */
static void
store_foreign(ColjStore *store, const ColjStripeEntry *entry, uint64 row, TupleTableSlot *slot)
{
	TupleTableSlot *ours = MakeSingleTupleTableSlot(slot->tts_tupleDescriptor, &colj_slot_ops);

	colj_slot_store(store, entry, row, ours);
	ExecCopySlot(slot, ours);
	slot	  ->tts_tid = ours->tts_tid;
	slot	  ->tts_tableOid = ours->tts_tableOid;

	ExecDropSingleTupleTableSlot(ours);
}

void
colj_slot_store(ColjStore *store, const ColjStripeEntry *entry, uint64 row, TupleTableSlot *slot)
{
	Slot	   *s = (Slot *) slot;

	if (unlikely(slot->tts_ops != &colj_slot_ops))
	{
		store_foreign(store, entry, row, slot);
		return;
	}
	if (!s->in_stripe || TTS_SHOULDFREE(slot))
		ExecClearTuple(slot);
	colj_row_reader_move(enter_stripe(slot), store, entry, row);
	set_row(slot, colj_row_tid(row), RelationGetRelid(store->table));
}

const		ColjPin *
colj_slot_pin(const TupleTableSlot *slot)
{
	return colj_row_reader_pin(((const Slot *) slot)->reader);
}

/* The member is declared const; whoever makes a slot writes it in the same way. */
static void
set_ops(TupleTableSlot *slot, const TupleTableSlotOps *ops)
{
	*((const TupleTableSlotOps **) &slot->tts_ops) = ops;
}

bool
colj_slot_lend(TupleTableSlot *slot)
{
	if (slot->tts_ops != &colj_slot_ops)
		return false;
	if (((Slot *) slot)->in_stripe)
		ExecClearTuple(slot);
	set_ops(slot, HEAP);
	return true;
}

void
colj_slot_take_back(TupleTableSlot *slot, bool lent)
{
	if (lent)
		set_ops(slot, &colj_slot_ops);
}

bool
colj_heap_next(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot)
{
	bool		lent = colj_slot_lend(slot);
	bool		found = heap_getnextslot(scan, direction, slot);

	colj_slot_take_back(slot, lent);
	return found;
}
