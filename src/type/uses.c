/*-------------------------------------------------------------------------
 *
 * uses.c
 *	  Does anything in the database use a dictionary?
 *
 * Types use one by their modifiers: columns and domains, which the catalogs
 * have.  Values use one by number, wherever they have gone, so every table
 * with a column that can hold a colj is read through.  Only the heads of the
 * values are looked at.
 *
 * Rows of heap tables count until VACUUM has removed them: an index may have
 * entries for them that are compared with new ones, and older snapshots see
 * them.  Values out of line count in rows that can be seen, for the others'
 * may be half gone.
 *
 * Not looked at: temporary tables of other sessions, and ranges of colj.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/catalog.h"
#include "catalog/pg_am.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "format/packed.h"
#include "type/admin.h"
#include "type/pack.h"

/* Bytes of a value that have its head. */
#define HEAD_BYTES 32

typedef struct Search
{
	const char *name;
	uint32		hash;
	List	   *ids;			/* numbers of the dictionary's versions */
	Oid			colj;
	bool		visible;		/* is the row at hand seen by new snapshots? */
} Search;

static void
raise_used_by_type(const Search *search, const char *user)
{
	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("cannot drop dictionary \"%s\" because other objects depend on it",
					search->name),
			 errdetail("The type of %s names it.", user),
			 errhint("Change the type, or drop the dictionary with force => true.")));
}

static void
raise_used_by_value(const Search *search, const char *user)
{
	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("cannot drop dictionary \"%s\" because values are compressed with it",
					search->name),
			 errdetail("Table %s has such a value.", user),
			 errhint("Assign the values to another type modifier, or delete them, then run VACUUM, and ANALYZE where statistics hold them.")));
}

static bool
names_it(const Search *search, Oid type, int32 typmod)
{
	ColjForm	form;

	if (typmod < 0 || (type != search->colj && get_element_type(type) != search->colj))
		return false;
	colj_form(typmod, &form);
	return form.dictionary == search->hash;
}

static char *
column_name(Oid table, const char *column)
{
	return psprintf("column \"%s\" of \"%s\"", column, get_rel_name(table));
}

/* Columns, among them those of composite types and of indexes. */
static void
check_columns(const Search *search)
{
	Relation	rel = table_open(AttributeRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_attribute column = (Form_pg_attribute) GETSTRUCT(tuple);

		if (!column->attisdropped && names_it(search, column->atttypid, column->atttypmod))
			raise_used_by_type(search, column_name(column->attrelid, NameStr(column->attname)));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
check_domains(const Search *search)
{
	Relation	rel = table_open(TypeRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_type type = (Form_pg_type) GETSTRUCT(tuple);

		if (names_it(search, type->typbasetype, type->typtypmod))
			raise_used_by_type(search, psprintf("domain \"%s\"", NameStr(type->typname)));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static bool holds_colj(const Search *search, Oid type);

static bool
row_holds_colj(const Search *search, Oid type)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(type, -1);
	bool		found = false;
	int			i;

	for (i = 0; i < desc->natts && !found; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);

		found = !column->attisdropped && holds_colj(search, column->atttypid);
	}
	ReleaseTupleDesc(desc);
	return found;
}

/* Can a value of this type hold a colj? */
static bool
holds_colj(const Search *search, Oid type)
{
	check_stack_depth();
	type = getBaseType(type);
	if (type == search->colj || type == ANYARRAYOID)
		return true;
	if (OidIsValid(get_element_type(type)))
		return holds_colj(search, get_element_type(type));
	return get_typtype(type) == TYPTYPE_COMPOSITE && row_holds_colj(search, type);
}

/* The number of the dictionary that a colj was packed with, or 0. */
static uint32
dictionary_of(Datum value)
{
	struct varlena *head = PG_DETOAST_DATUM_SLICE(value, 0, HEAD_BYTES);
	ColjDoc		stored = {.data = (uint8 *) VARDATA_ANY(head)};
	uint32		id;

	stored.avail = stored.size = VARSIZE_ANY_EXHDR(head);
	if (!colj_is_packed(stored.data, stored.size) ||
		colj_packed_dictionary(&stored, &id) != COLJ_OK)
		return 0;
	return id;
}

static bool value_uses_it(const Search *search, Oid type, Datum value);

static bool
array_uses_it(const Search *search, Datum value)
{
	ArrayIterator iterator = array_create_iterator(DatumGetArrayTypeP(value), 0, NULL);
	Oid			type = ARR_ELEMTYPE(DatumGetArrayTypeP(value));
	bool		found = false;
	Datum		element;
	bool		isnull;

	if (!holds_colj(search, type))
		return false;
	while (!found && array_iterate(iterator, &element, &isnull))
		found = !isnull && value_uses_it(search, type, element);
	array_free_iterator(iterator);
	return found;
}

static bool
row_uses_it(const Search *search, Datum value)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row),
											  HeapTupleHeaderGetTypMod(row));
	HeapTupleData tuple = {.t_data = row, .t_len = HeapTupleHeaderGetDatumLength(row)};
	bool		found = false;
	int			i;

	for (i = 0; i < desc->natts && !found; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);
		bool		isnull;
		Datum		field;

		if (column->attisdropped || !holds_colj(search, column->atttypid))
			continue;
		field = heap_getattr(&tuple, i + 1, desc, &isnull);
		found = !isnull && value_uses_it(search, column->atttypid, field);
	}
	ReleaseTupleDesc(desc);
	return found;
}

/* Was a value, or a value in it, packed with the dictionary? */
static bool
value_uses_it(const Search *search, Oid type, Datum value)
{
	check_stack_depth();
	if (!search->visible && VARATT_IS_EXTERNAL(DatumGetPointer(value)))
		return false;
	type = getBaseType(type);
	if (type == search->colj)
		return list_member_int(search->ids, dictionary_of(value));
	if (get_typtype(type) == TYPTYPE_COMPOSITE)
		return row_uses_it(search, value);
	return array_uses_it(search, value);
}

static bool
slot_uses_it(const Search *search, TupleTableSlot *slot, const Bitmapset *columns)
{
	int			i = -1;

	while ((i = bms_next_member(columns, i)) >= 0)
	{
		bool		isnull;
		Datum		value = slot_getattr(slot, i, &isnull);

		if (!isnull &&
			value_uses_it(search, TupleDescAttr(slot->tts_tupleDescriptor, i - 1)->atttypid, value))
			return true;
	}
	return false;
}

static bool
table_uses_it(Search *search, Relation rel, const Bitmapset *columns)
{
	bool		dead_too = rel->rd_rel->relam == HEAP_TABLE_AM_OID && !IsCatalogRelation(rel);
	Snapshot	latest = RegisterSnapshot(GetLatestSnapshot());
	TableScanDesc scan = table_beginscan(rel, dead_too ? SnapshotAny : latest, 0, NULL);
	TupleTableSlot *slot = table_slot_create(rel, NULL);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "colj row",
												  ALLOCSET_DEFAULT_SIZES);
	bool		found = false;

	while (!found && table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		CHECK_FOR_INTERRUPTS();
		search->visible = !dead_too || table_tuple_satisfies_snapshot(rel, slot, latest);
		found = slot_uses_it(search, slot, columns);
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
	ExecDropSingleTupleTableSlot(slot);
	table_endscan(scan);
	UnregisterSnapshot(latest);
	MemoryContextDelete(context);
	return found;
}

static void
check_table(Search *search, Oid table)
{
	Relation	rel = try_relation_open(table, AccessShareLock);
	Bitmapset  *columns = NULL;
	int			i;

	if (rel == NULL)
		return;
	for (i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute column = TupleDescAttr(RelationGetDescr(rel), i);

		if (!column->attisdropped && holds_colj(search, column->atttypid))
			columns = bms_add_member(columns, i + 1);
	}
	if (columns != NULL && !RELATION_IS_OTHER_TEMP(rel) && table_uses_it(search, rel, columns))
		raise_used_by_value(search,
							quote_qualified_identifier(get_namespace_name(RelationGetNamespace(rel)),
													   RelationGetRelationName(rel)));
	bms_free(columns);
	relation_close(rel, AccessShareLock);
}

/* All tables and materialized views, the oldest first. */
static List *
list_tables(void)
{
	Relation	rel = table_open(RelationRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	List	   *tables = NIL;
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_class class = (Form_pg_class) GETSTRUCT(tuple);

		if (class->relkind == RELKIND_RELATION || class->relkind == RELKIND_MATVIEW)
			tables = lappend_oid(tables, class->oid);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	list_sort(tables, list_oid_cmp);
	return tables;
}

void
colj_dictionary_check_unused(const char *name, List *ids)
{
	Search		search = {name, colj_dictionary_hash(name), ids, colj_type_oid(), true};
	ListCell   *lc;

	check_columns(&search);
	check_domains(&search);
	foreach(lc, list_tables())
		check_table(&search, lfirst_oid(lc));
}
