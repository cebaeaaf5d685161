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

#include "common/hashfn.h"
#include "fmgr.h"
#include "port/pg_bitutils.h"

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

/* Mix a scalar's own hash in as JsonbHashScalarValue does; not if wide. */
static inline void
mix_narrow(Hash *hash, uint32 code)
{
	hash->value = pg_rotate_left32((uint32) hash->value, 1) ^ code;
}

/* A string or a key, without making a JsonbValue of it where that can be saved. */
static inline void
hash_string(Hash *hash, const char *bytes, uint32 len)
{
	JsonbValue	scalar;

	if (likely(!hash->wide))
	{
		mix_narrow(hash, hash_bytes((const unsigned char *) bytes, len));
		return;
	}
	scalar.type = jbvString;
	scalar.val.string.val = unconstify(char *, bytes);
	scalar.val.string.len = len;
	hash_scalar(hash, &scalar);
}

/*
 * The digits of a number as numeric has them: in base 10000, without zeros at
 * either end, the last of them worth 10000^*weight.  Returns how many, or -1
 * when the digits do not fit into 64 bits.
 */
static int
number_digits(const ColjValue *number, int16 *digits, int *weight)
{
	static const int unit[] = {1, 1000, 100, 10};
	int			scale = number->kind == COLJ_DECIMAL ? number->scale : 0;
	uint64		rest = number->integer < 0 ? -(uint64) number->integer : (uint64) number->integer;
	int			n = 0;

	if (scale % 4 != 0 && rest > PG_UINT64_MAX / unit[scale % 4])
		return -1;
	rest *= unit[scale % 4];
	*weight = -(scale + 3) / 4;
	if (rest == 0)
		return 0;
	for (; rest % 10000 == 0; rest /= 10000)
		(*weight)++;
	for (; rest != 0; rest /= 10000)
		digits[n++] = rest % 10000;
	for (int i = 0; i < n / 2; i++)
	{
		int16		digit = digits[i];

		digits[i] = digits[n - 1 - i];
		digits[n - 1 - i] = digit;
	}
	return n;
}

/*
 * Mix a number in as hash_numeric and JsonbHashScalarValue do, but without
 * making a numeric of it.  False when that must be done.
 */
static bool
hash_number(Hash *hash, const ColjValue *number)
{
	int16		digits[6];
	int			weight;
	int			n;
	uint32		code = PG_UINT32_MAX;

	if (hash->wide || (number->kind != COLJ_INT && number->kind != COLJ_DECIMAL))
		return false;
	n = number_digits(number, digits, &weight);
	if (n < 0)
		return false;
	if (n > 0)
		code = hash_bytes((const unsigned char *) digits, n * sizeof(int16)) ^ (uint32) (weight + n - 1);
	mix_narrow(hash, code);
	return true;
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
	if (value->kind == COLJ_STRING)
	{
		hash_string(hash, colj_string_bytes(doc, value), value->len);
		return;
	}
	if (hash_number(hash, value))
		return;
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
			hash_string(&hash, walk.key.bytes, walk.key.len);
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
