/*-------------------------------------------------------------------------
 *
 * key.c
 *	  Which lock an update of a stripe's row needs.
 *
 * As in a heap: an update that leaves the columns of all unique indexes as
 * they are can go on beside FOR KEY SHARE.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/tuptable.h"
#include "utils/datum.h"
#include "utils/relcache.h"

#include "compat.h"
#include "access/fetch.h"

static bool
same(TupleTableSlot *old, TupleTableSlot *new, int attnum)
{
	Form_pg_attribute att;
	bool		old_null;
	bool		new_null;
	Datum		old_value;
	Datum		new_value;

	/* a whole row: too much to look at; other system columns don't change */
	if (attnum <= 0)
		return attnum != 0;
	att = TupleDescAttr(old->tts_tupleDescriptor, attnum - 1);
	old_value = slot_getattr(old, attnum, &old_null);
	new_value = slot_getattr(new, attnum, &new_null);
	if (old_null || new_null)
		return old_null && new_null;
	return datum_image_eq(old_value, new_value, att->attbyval, att->attlen);
}

LockTupleMode
colj_update_lockmode(Relation rel, TupleTableSlot *old, TupleTableSlot *new)
{
	Bitmapset  *key = RelationGetIndexAttrBitmap(rel, INDEX_ATTR_BITMAP_KEY);
	LockTupleMode mode = LockTupleNoKeyExclusive;
	int			i = -1;

	while ((i = bms_next_member(key, i)) >= 0 && mode == LockTupleNoKeyExclusive)
		if (!same(old, new, i + FirstLowInvalidHeapAttributeNumber))
			mode = LockTupleExclusive;
	bms_free(key);
	return mode;
}
