/*-------------------------------------------------------------------------
 *
 * hash.c
 *	  colj_hash and colj_hash_extended: jsonb's hash values.
 *
 * Equal documents must have equal hashes whatever their bytes (1.0 and 1.00
 * are equal), and the values are those of jsonb_hash, so that hash partitions
 * and user tables of hashes stay valid when a column changes its type.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "type/compare.h"
#include "type/value.h"
#include "type/walk.h"

PG_FUNCTION_INFO_V1(colj_hash);
PG_FUNCTION_INFO_V1(colj_hash_extended);

typedef struct Hash
{
	bool		wide;			/* 64 bits with a seed, or 32 bits */
	uint64		seed;
	uint64		value;
} Hash;

/* Mix the mark of a container in: jsonb's flag, in both halves if wide. */
static void
hash_container(Hash *hash, ColjKind kind)
{
	uint64		flag = kind == COLJ_OBJECT ? JB_FOBJECT : JB_FARRAY;

	hash->value ^= hash->wide ? flag << 32 | flag : flag;
}

static void
hash_scalar(Hash *hash, const JsonbValue *scalar)
{
	uint32		narrow = (uint32) hash->value;

	if (hash->wide)
		JsonbHashScalarValueExtended(scalar, &hash->value, hash->seed);
	else
	{
		JsonbHashScalarValue(scalar, &narrow);
		hash->value = narrow;
	}
}

static void
hash_key(Hash *hash, const ColjKey *key)
{
	JsonbValue	scalar;

	scalar.type = jbvString;
	scalar.val.string.val = unconstify(char *, key->bytes);
	scalar.val.string.len = key->len;
	hash_scalar(hash, &scalar);
}

static void
hash_value(Hash *hash, ColjDoc *doc, const ColjValue *value)
{
	JsonbValue	scalar;

	if (colj_is_container(value))
	{
		hash_container(hash, value->kind);
		return;
	}
	colj_value_scalar(doc, value, &scalar);
	hash_scalar(hash, &scalar);
	if (scalar.type == jbvNumeric)
		pfree(scalar.val.numeric);
}

/* Has the document no children, not even itself as a scalar? */
static bool
is_empty(ColjDoc *doc)
{
	uint32		n;

	if (!colj_is_container(&doc->root))
		return false;
	colj_ensure(colj_count(doc, &doc->root, &n), doc);
	return n == 0;
}

/*
 * As jsonb has it, an empty container at the root hashes to the seed, and a
 * scalar there as an array of one element.
 */
static uint64
hash_document(Datum datum, bool wide, uint64 seed)
{
	Hash		hash = {.wide = wide, .seed = seed, .value = 0};
	ColjDoc		local;
	ColjDoc    *doc = colj_document_open(datum, COLJ_NEED_ALL, &local);
	ColjWalk	walk;

	if (is_empty(doc))
		return seed;
	if (!colj_is_container(&doc->root))
		hash_container(&hash, COLJ_ARRAY);
	colj_walk_begin(&walk, doc);
	while (colj_walk_next(&walk))
	{
		if (walk.keyed)
			hash_key(&hash, &walk.key);
		hash_value(&hash, doc, &walk.value);
	}
	colj_walk_end(&walk);
	return hash.value;
}

Datum
colj_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32((int32) hash_document(PG_GETARG_DATUM(0), false, 0));
}

/* As colj_hash (document), in 64 bits and with a seed. */
Datum
colj_hash_extended(PG_FUNCTION_ARGS)
{
	uint64		seed = (uint64) PG_GETARG_INT64(1);

	PG_RETURN_UINT64(hash_document(PG_GETARG_DATUM(0), true, seed));
}
