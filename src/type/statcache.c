/*-------------------------------------------------------------------------
 *
 * statcache.c
 *	  Statistics documents out of rows of pg_statistic, and kept.
 *
 * The document of a wide column may have a few hundred kilobytes, which
 * pg_statistic stores compressed, and every query that mentions the column
 * wants something out of it: unpacking it each time would take longer than
 * the rest of planning.  So the last few are kept unpacked.  A row of
 * pg_statistic is known by its place and the transaction that wrote it;
 * ANALYZE writes a new one.  Rows made by the planner hooks (planstats.c)
 * have no place and are not compressed: they are read as they are.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "type/pathstats.h"

#define KEPT 8

typedef struct KeptStats
{
	MemoryContext context;		/* NULL: none here */
	uint64		used;			/* time of the last use */

	/* The row of pg_statistic. */
	Oid			relation;
	int16		attnum;
	bool		inherit;
	ItemPointerData place;
	TransactionId xmin;

	double		numbers[COLJ_STATISTIC_NUMBERS];
	Datum		document;
} KeptStats;

static KeptStats kept[KEPT];
static uint64 clock_ticks = 0;

static int
find_slot(HeapTuple tuple)
{
	Form_pg_statistic stats = (Form_pg_statistic) GETSTRUCT(tuple);

	for (int i = 0; i < STATISTIC_NUM_SLOTS; i++)
	{
		if ((&stats->stakind1)[i] == COLJ_STATISTIC_KIND)
			return i;
	}
	return -1;
}

static bool
read_numbers(HeapTuple tuple, int slot, double *numbers)
{
	bool		isnull;
	Datum		datum = SysCacheGetAttr(STATRELATTINH, tuple,
										Anum_pg_statistic_stanumbers1 + slot, &isnull);
	ArrayType  *array;

	if (isnull)
		return false;
	array = DatumGetArrayTypeP(datum);
	if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] != COLJ_STATISTIC_NUMBERS ||
		ARR_HASNULL(array) || ARR_ELEMTYPE(array) != FLOAT4OID)
		return false;
	for (int i = 0; i < COLJ_STATISTIC_NUMBERS; i++)
		numbers[i] = ((float4 *) ARR_DATA_PTR(array))[i];
	return true;
}

/* The document in the slot's array, which is unpacked into the current context. */
static bool
read_document(HeapTuple tuple, int slot, Datum *document)
{
	bool		isnull;
	Datum		datum = SysCacheGetAttr(STATRELATTINH, tuple,
										Anum_pg_statistic_stavalues1 + slot, &isnull);
	ArrayType  *array;

	if (isnull)
		return false;
	array = DatumGetArrayTypeP(datum);
	if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] != 1 || ARR_HASNULL(array))
		return false;
	*document = PointerGetDatum(ARR_DATA_PTR(array));
	return true;
}

static bool
is_kept(KeptStats *k, HeapTuple tuple)
{
	Form_pg_statistic stats = (Form_pg_statistic) GETSTRUCT(tuple);

	return k->context != NULL && k->relation == stats->starelid &&
		k->attnum == stats->staattnum && k->inherit == stats->stainherit &&
		ItemPointerEquals(&k->place, &tuple->t_self) &&
		k->xmin == HeapTupleHeaderGetRawXmin(tuple->t_data);
}

/* The entry used least recently, made free. */
static KeptStats *
make_room(void)
{
	KeptStats  *oldest = &kept[0];

	for (int i = 1; i < KEPT; i++)
	{
		if (kept[i].context == NULL ||
			(oldest->context != NULL && kept[i].used < oldest->used))
			oldest = &kept[i];
	}
	if (oldest->context != NULL)
		MemoryContextDelete(oldest->context);
	oldest->context = NULL;
	return oldest;
}

/* Unpack a row's statistics into a free entry; false if there are none in it. */
static bool
keep(KeptStats *k, HeapTuple tuple, int slot)
{
	Form_pg_statistic stats = (Form_pg_statistic) GETSTRUCT(tuple);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "colj statistics",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	bool		found = read_numbers(tuple, slot, k->numbers) &&
	read_document(tuple, slot, &k->document);

	MemoryContextSwitchTo(old);
	if (!found)
	{
		MemoryContextDelete(context);
		return false;
	}
	if ((char *) DatumGetPointer(k->document) >= (char *) tuple->t_data &&
		(char *) DatumGetPointer(k->document) < (char *) tuple->t_data + tuple->t_len)
	{
		/* not compressed: it lies in the tuple, which will not last */
		old = MemoryContextSwitchTo(context);
		k->document = PointerGetDatum(PG_DETOAST_DATUM_COPY(k->document));
		MemoryContextSwitchTo(old);
	}
	MemoryContextSetParent(context, CacheMemoryContext);
	k->context = context;
	k->relation = stats->starelid;
	k->attnum = stats->staattnum;
	k->inherit = stats->stainherit;
	k->place = tuple->t_self;
	k->xmin = HeapTupleHeaderGetRawXmin(tuple->t_data);
	return true;
}

static KeptStats *
find_kept(HeapTuple tuple, int slot)
{
	KeptStats  *k;

	for (int i = 0; i < KEPT; i++)
	{
		if (is_kept(&kept[i], tuple))
			return &kept[i];
	}
	k = make_room();
	return keep(k, tuple, slot) ? k : NULL;
}

bool
colj_stats_find(HeapTuple tuple, double *numbers, Datum *document)
{
	int			slot = find_slot(tuple);
	KeptStats  *k;

	if (slot < 0)
		return false;
	if (!ItemPointerIsValid(&tuple->t_self))
		return read_numbers(tuple, slot, numbers) && read_document(tuple, slot, document);
	k = find_kept(tuple, slot);
	if (k == NULL)
		return false;
	k->used = ++clock_ticks;
	memcpy(numbers, k->numbers, sizeof(k->numbers));
	*document = k->document;
	return true;
}
