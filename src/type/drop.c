/*-------------------------------------------------------------------------
 *
 * drop.c
 *	  colj_drop_dictionary, when nothing needs the dictionary any more.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"

#include "compat.h"
#include "type/admin.h"

PG_FUNCTION_INFO_V1(colj_drop_dictionary);

/* Delete all versions, past the trigger that guards them. */
static void
delete_rows(const char *name)
{
	Oid			types[1] = {NAMEOID};
	NameData	row_name;
	Datum		values[1];

	namestrcpy(&row_name, name);
	values[0] = NameGetDatum(&row_name);
	colj_dictionary_dropping = true;
	PG_TRY();
	{
		colj_dictionary_execute("DELETE FROM %s WHERE name OPERATOR(pg_catalog.=) $1",
								1, types, values);
	}
	PG_FINALLY();
	{
		colj_dictionary_dropping = false;
	}
	PG_END_TRY();
}

/* colj_drop_dictionary(name, force): with force, what is in use too. */
Datum
colj_drop_dictionary(PG_FUNCTION_ARGS)
{
	char	   *name = NameStr(*PG_GETARG_NAME(0));
	bool		force = PG_GETARG_BOOL(1);
	ColjDictionary newest;

	PreventCommandIfReadOnly("colj_drop_dictionary()");

	/* who has packed holds a lock until the end of the transaction */
	LockRelationOid(colj_dictionary_table_required(), ExclusiveLock);
	if (!colj_dictionary_by_hash(colj_dictionary_hash(name), &newest) ||
		strcmp(NameStr(newest.name), name) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("dictionary \"%s\" does not exist", name)));
	colj_check_owner(&newest);
	if (!force)
		colj_dictionary_check_unused(name, colj_dictionary_versions(name));
	delete_rows(name);
	PG_RETURN_VOID();
}
