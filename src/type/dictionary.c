/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *	  Trained dictionaries: finding the table's rows.
 *
 * Rows are read below SQL, without privileges and whatever the search path:
 * whoever may read a value may unpack it.  By number, every row is found that
 * some transaction may still see, since an index can compare values that the
 * running transaction cannot see.  By name, only what is committed or the
 * transaction's own: a value must not depend on what may yet be rolled back.
 * The table is marked as a user catalog table, which logical decoding may read.
 *
 * A backend remembers which dictionary is the newest of a name, or that there
 * is none.  Every change of the table goes through its trigger (admit.c), also
 * when it is replicated or restored, and the trigger has all backends, here and
 * on standbys, forget.
 *
 * Who packs with a dictionary first locks the table in a mode that keeps it
 * from being dropped until the transaction ends, and that disturbs nobody
 * else.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "type/dictionary.h"

/* Names remembered; more are looked up each time. */
#define NAMES_KEPT 32

typedef struct KeptName
{
	uint32		hash;
	uint32		id;				/* 0: there is none */
} KeptName;

static Oid	table_oid = InvalidOid;
static KeptName names[NAMES_KEPT];
static int	nnames = 0;
static bool locked = false;

/* Counts what was forgotten, so that a lookup under way is not remembered. */
static uint64 generation = 0;

/* FNV-1a, with the high bits folded onto the low. */
uint32
colj_dictionary_hash(const char *name)
{
	const uint8 *bytes = (const uint8 *) name;
	uint32		hash = 0x811C9DC5;

	while (*bytes != 0)
		hash = (hash ^ *bytes++) * 0x01000193;
	hash = (hash ^ hash >> COLJ_NAME_HASH_BITS) & COLJ_NAME_HASH_MASK;
	return hash == 0 ? 1 : hash;
}

static void
table_changed(Datum arg, Oid relid)
{
	(void) arg;
	if (relid != InvalidOid && relid != table_oid)
		return;
	table_oid = InvalidOid;
	nnames = 0;
	generation++;
	colj_digests_invalidate();
}

/* The schema of the extension, or InvalidOid. */
static Oid
extension_schema(Oid extension)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	Oid			schema = InvalidOid;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_extension_oid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(extension));
	scan = systable_beginscan(rel, ExtensionOidIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		schema = ((Form_pg_extension) GETSTRUCT(tuple))->extnamespace;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return schema;
}

Oid
colj_dictionary_table(void)
{
	static bool registered = false;
	Oid			extension;
	Oid			schema;

	if (OidIsValid(table_oid))
		return table_oid;
	if (!registered)
		CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
	registered = true;
	extension = get_extension_oid("colj", true);
	schema = OidIsValid(extension) ? extension_schema(extension) : InvalidOid;
	if (OidIsValid(schema))
		table_oid = get_relname_relid("colj_dictionary", schema);
	return table_oid;
}

static void
read_row(HeapTuple tuple, TupleDesc desc, ColjDictionary *found)
{
	bool		isnull;

	found->id = DatumGetInt32(heap_getattr(tuple, COLJ_DICTIONARY_ID, desc, &isnull));
	found->version = DatumGetInt32(heap_getattr(tuple, COLJ_DICTIONARY_VERSION, desc, &isnull));
	found->name = *DatumGetName(heap_getattr(tuple, COLJ_DICTIONARY_NAME, desc, &isnull));
	found->owner = *DatumGetName(heap_getattr(tuple, COLJ_DICTIONARY_OWNER, desc, &isnull));
}

/* A copy of a row's dictionary, in the current memory context. */
static bytea *
read_bytes(HeapTuple tuple, TupleDesc desc)
{
	bool		isnull;
	Datum		bytes;
	bool		push = !ActiveSnapshotSet();

	/* TOAST wants to know that somebody holds back VACUUM */
	if (push)
		PushActiveSnapshot(GetTransactionSnapshot());
	bytes = heap_getattr(tuple, COLJ_DICTIONARY_BYTES, desc, &isnull);
	bytes = PointerGetDatum(PG_DETOAST_DATUM_COPY(bytes));
	if (push)
		PopActiveSnapshot();
	return DatumGetByteaP(bytes);
}

bool
colj_dictionary_by_id(uint32 id, ColjDictionary *found, bytea **bytes)
{
	Oid			oid = colj_dictionary_table();
	bool		hit = false;
	SnapshotData snapshot;
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (!OidIsValid(oid))
		return false;
	rel = table_open(oid, AccessShareLock);
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(rel));
	scan = systable_beginscan(rel, InvalidOid, false, &snapshot, 0, NULL);
	while (!hit && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		read_row(tuple, RelationGetDescr(rel), found);
		hit = found->id == id;
		if (hit && bytes != NULL)
			*bytes = read_bytes(tuple, RelationGetDescr(rel));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return hit;
}

bool
colj_dictionary_by_hash(uint32 hash, ColjDictionary *found)
{
	Oid			oid = colj_dictionary_table();
	bool		hit = false;
	ColjDictionary row;
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (!OidIsValid(oid))
		return false;
	rel = table_open(oid, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, SnapshotSelf, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		read_row(tuple, RelationGetDescr(rel), &row);
		if (colj_dictionary_hash(NameStr(row.name)) != hash ||
			(hit && row.id < found->id))
			continue;
		hit = true;
		*found = row;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return hit;
}

List *
colj_dictionary_versions(const char *name)
{
	Oid			oid = colj_dictionary_table();
	List	   *ids = NIL;
	ColjDictionary row;
	Relation	rel;
	SysScanDesc scan;
	HeapTuple	tuple;

	if (!OidIsValid(oid))
		return NIL;
	rel = table_open(oid, AccessShareLock);
	scan = systable_beginscan(rel, InvalidOid, false, SnapshotSelf, 0, NULL);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		read_row(tuple, RelationGetDescr(rel), &row);
		if (strcmp(NameStr(row.name), name) == 0)
			ids = lappend_int(ids, row.id);
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return ids;
}

/*
 * Keep dictionaries from being dropped until the end of the transaction.
 * Taking the lock also hears of changes that were committed before.
 */
static void
lock_table(void)
{
	Oid			oid = colj_dictionary_table();

	if (locked || !OidIsValid(oid))
		return;
	LockRelationOid(oid, RowShareLock);
	locked = true;
}

void
colj_dictionary_unlocked(void)
{
	locked = false;
}

uint32
colj_dictionary_for_packing(uint32 hash)
{
	ColjDictionary found;
	uint64		before;
	int			i;

	lock_table();
	for (i = 0; i < nnames; i++)
	{
		if (names[i].hash == hash)
			return names[i].id;
	}
	before = generation;
	if (!colj_dictionary_by_hash(hash, &found))
		found.id = 0;
	if (generation == before && nnames < NAMES_KEPT)
		names[nnames++] = (KeptName){hash, found.id};
	return found.id;
}
