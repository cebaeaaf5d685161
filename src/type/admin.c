/*-------------------------------------------------------------------------
 *
 * admin.c
 *	  What making and dropping dictionaries have in common: rights, and
 *	  commands on the table.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/admin.h"

Oid
colj_dictionary_table_required(void)
{
	Oid			table = colj_dictionary_table();

	if (!OidIsValid(table))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("table \"colj_dictionary\" of extension \"colj\" does not exist"),
				 errhint("Run CREATE EXTENSION colj.")));
	return table;
}

Oid
colj_type_oid(void)
{
	return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("colj"),
						   ObjectIdGetDatum(get_rel_namespace(colj_dictionary_table_required())));
}

void
colj_check_create(Oid schema)
{
	AclResult	result = colj_schema_aclcheck(schema, GetUserId(), ACL_CREATE);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, OBJECT_SCHEMA, get_namespace_name(schema));
}

void
colj_check_owner(const ColjDictionary *dictionary)
{
	Oid			owner = get_role_oid(NameStr(dictionary->owner), true);

	if (OidIsValid(owner) && has_privs_of_role(GetUserId(), owner))
		return;
	if (colj_class_ownercheck(colj_dictionary_table_required(), GetUserId()))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("must be owner of dictionary %s", NameStr(dictionary->name))));
}

static Oid
table_owner(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", table);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

void
colj_dictionary_execute(const char *command, int nargs, Oid *types, Datum *values)
{
	Oid			table = colj_dictionary_table_required();
	char	   *name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(table)),
												  get_rel_name(table));
	char	   *filled = psprintf(command, name);
	Oid			user;
	int			context;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(table_owner(table), context | SECURITY_LOCAL_USERID_CHANGE);
	SPI_connect();
	if (SPI_execute_with_args(filled, nargs, types, values, NULL, false, 0) < 0)
		elog(ERROR, "could not change the table of dictionaries");
	SPI_finish();
	SetUserIdAndSecContext(user, context);
}
