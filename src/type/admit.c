/*-------------------------------------------------------------------------
 *
 * admit.c
 *	  What may happen to the table of dictionaries: its trigger.
 *
 * Rows come from colj_train_dictionary, from a dump, or from a publisher.
 * Those from elsewhere bring a number that may be taken here.  As nothing that
 * comes with them holds it (documents travel as text), they get another one;
 * and what is here already does not come again.
 *
 * Rows go by colj_drop_dictionary alone.  That a publisher has dropped one
 * says nothing about the values of a subscriber, where it stays.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "commands/sequence.h"
#include "commands/trigger.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "type/dictionary.h"

PG_FUNCTION_INFO_V1(colj_dictionary_changed);

bool		colj_dictionary_dropping = false;

uint32
colj_dictionary_next_id(void)
{
	Oid			sequence = get_relname_relid("colj_dictionary_id",
											 get_rel_namespace(colj_dictionary_table()));
	ColjDictionary other;
	int64		id;

	/* rows that came from elsewhere may be ahead of the sequence */
	do
		id = nextval_internal(sequence, false);
	while (colj_dictionary_by_id(id, &other, NULL));
	return (uint32) id;
}

static Datum
column(HeapTuple row, TupleDesc desc, int number, bool *isnull)
{
	return heap_getattr(row, number, desc, isnull);
}

/* Is a dictionary of this number, name and content here already? */
static bool
is_here(HeapTuple row, TupleDesc desc, uint32 id, bool *taken)
{
	bool		isnull;
	ColjDictionary other;
	bytea	   *theirs;
	bytea	   *ours;

	*taken = colj_dictionary_by_id(id, &other, &ours);
	if (!*taken)
		return false;
	if (strcmp(NameStr(other.name),
			   NameStr(*DatumGetName(column(row, desc, COLJ_DICTIONARY_NAME, &isnull)))) != 0)
		return false;
	theirs = DatumGetByteaPP(column(row, desc, COLJ_DICTIONARY_BYTES, &isnull));
	return VARSIZE_ANY_EXHDR(theirs) == VARSIZE_ANY_EXHDR(ours) &&
		memcmp(VARDATA_ANY(theirs), VARDATA_ANY(ours), VARSIZE_ANY_EXHDR(ours)) == 0;
}

/* A row on its way in: as it is, with another number, or NULL to leave it out. */
static HeapTuple
admit(HeapTuple row, TupleDesc desc)
{
	bool		nulls[3] = {false};
	int			number = COLJ_DICTIONARY_ID;
	bool		isnull = false;
	bool		taken;
	Datum		id;

	/* what the table's constraints refuse, they shall refuse */
	(void) column(row, desc, COLJ_DICTIONARY_NAME, &nulls[0]);
	(void) column(row, desc, COLJ_DICTIONARY_BYTES, &nulls[1]);
	id = column(row, desc, COLJ_DICTIONARY_ID, &nulls[2]);
	if (nulls[0] || nulls[1] || nulls[2])
		return row;
	if (is_here(row, desc, DatumGetInt32(id), &taken))
		return NULL;
	if (!taken)
		return row;
	id = Int32GetDatum(colj_dictionary_next_id());
	return heap_modify_tuple_by_cols(row, desc, 1, &number, &id, &isnull);
}

static void
refuse_change(Relation rel)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("dictionaries in \"%s\" cannot be changed",
					RelationGetRelationName(rel)),
			 errdetail("Stored values need the dictionaries that they were compressed with."),
			 errhint("Use colj_train_dictionary() to add a version, and colj_drop_dictionary() to remove a dictionary.")));
}

/* The trigger before each row, and before TRUNCATE. */
Datum
colj_dictionary_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	/* others' tables have other columns */
	if (!CALLED_AS_TRIGGER(fcinfo) ||
		RelationGetRelid(trigger->tg_relation) != colj_dictionary_table())
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" is only for the trigger of colj_dictionary",
						"colj_dictionary_changed")));
	CacheInvalidateRelcache(trigger->tg_relation);
	if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		return PointerGetDatum(admit(trigger->tg_trigtuple,
									 RelationGetDescr(trigger->tg_relation)));
	if (TRIGGER_FIRED_BY_DELETE(trigger->tg_event) && colj_dictionary_dropping)
		return PointerGetDatum(trigger->tg_trigtuple);
	if (TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event) ||
		SessionReplicationRole != SESSION_REPLICATION_ROLE_REPLICA)
		refuse_change(trigger->tg_relation);
	return PointerGetDatum(NULL);
}
