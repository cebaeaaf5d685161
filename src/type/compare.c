/*-------------------------------------------------------------------------
 *
 * compare.c
 *	  = <> < <= > >= and colj_cmp: jsonb's order.
 *
 * The order is jsonb's, with its history:
 *
 *	- by type: null, string, number, boolean, array, object;
 *	- containers by their number of children first, then child by child, an
 *	  object's keys before their values;
 *	- strings and keys under the database's default collation;
 *	- a scalar at the root counts as an array of one element when it meets an
 *	  array, which makes [] lower than null.
 *
 * Two documents are walked in step until they differ.  As counts are compared
 * when a container is entered, both walks leave it together.  Documents of
 * the same bytes are equal without a look into them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "common/int.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/varlena.h"

#include "type/compare.h"
#include "type/value.h"
#include "type/walk.h"

PG_FUNCTION_INFO_V1(colj_eq);
PG_FUNCTION_INFO_V1(colj_ne);
PG_FUNCTION_INFO_V1(colj_lt);
PG_FUNCTION_INFO_V1(colj_le);
PG_FUNCTION_INFO_V1(colj_gt);
PG_FUNCTION_INFO_V1(colj_ge);
PG_FUNCTION_INFO_V1(colj_cmp);

/* What the caller wants to know of two documents. */
typedef enum Question
{
	WHICH_IS_LOWER,
	ARE_THEY_EQUAL				/* any non-zero answer means no */
} Question;

#define SIGN(a, b) (((a) > (b)) - ((a) < (b)))

/* Powers of ten that fit into an int64. */
#define TEN_MAX 18
static const int64 ten[TEN_MAX + 1] = {
	INT64CONST(1), INT64CONST(10), INT64CONST(100), INT64CONST(1000),
	INT64CONST(10000), INT64CONST(100000), INT64CONST(1000000),
	INT64CONST(10000000), INT64CONST(100000000), INT64CONST(1000000000),
	INT64CONST(10000000000), INT64CONST(100000000000),
	INT64CONST(1000000000000), INT64CONST(10000000000000),
	INT64CONST(100000000000000), INT64CONST(1000000000000000),
	INT64CONST(10000000000000000), INT64CONST(100000000000000000),
	INT64CONST(1000000000000000000)
};

static inline int
scale_of(const ColjValue *number)
{
	return number->kind == COLJ_DECIMAL ? number->scale : 0;
}

/*
 * Compare coarse * 10^shift with fine.  A product beyond int64 lies further
 * from zero than any fine.
 */
static int
compare_scaled(int64 coarse, int64 fine, int shift)
{
	int64		scaled;

	if (coarse == 0)
		return SIGN(0, fine);
	if (shift > TEN_MAX || pg_mul_s64_overflow(coarse, ten[shift], &scaled))
		return SIGN(coarse, 0);
	return SIGN(scaled, fine);
}

static int
compare_numerics(ColjDoc *adoc, const ColjValue *a, ColjDoc *bdoc, const ColjValue *b)
{
	Numeric		x = colj_value_numeric(adoc, a);
	Numeric		y = colj_value_numeric(bdoc, b);
	int			result;

	result = DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(x),
											   NumericGetDatum(y)));
	pfree(x);
	pfree(y);
	return result;
}

int
colj_compare_numbers(ColjDoc *adoc, const ColjValue *a, ColjDoc *bdoc, const ColjValue *b)
{
	int			shift;

	if (a->kind == COLJ_BIGNUM || b->kind == COLJ_BIGNUM)
		return compare_numerics(adoc, a, bdoc, b);
	shift = scale_of(b) - scale_of(a);
	if (shift == 0)
		return SIGN(a->integer, b->integer);
	if (shift > 0)
		return compare_scaled(a->integer, b->integer, shift);
	return -compare_scaled(b->integer, a->integer, -shift);
}

bool
colj_equal_scalars(ColjDoc *adoc, const ColjValue *a, ColjDoc *bdoc, const ColjValue *b)
{
	if (colj_is_number(a))
		return colj_is_number(b) && colj_compare_numbers(adoc, a, bdoc, b) == 0;
	if (a->kind != b->kind)
		return false;
	if (a->kind == COLJ_BOOL)
		return a->integer == b->integer;
	if (a->kind != COLJ_STRING)
		return true;
	return a->len == b->len &&
		memcmp(colj_string_bytes(adoc, a), colj_string_bytes(bdoc, b), a->len) == 0;
}

/*
 * Compare two strings under the default collation.  That is deterministic
 * (PostgreSQL allows no other as a default): the same bytes or not equal.
 */
static int
compare_strings(const char *a, uint32 alen, const char *b, uint32 blen, Question question)
{
	if (alen == blen && memcmp(a, b, alen) == 0)
		return 0;
	if (question == ARE_THEY_EQUAL)
		return 1;
	return varstr_cmp(a, alen, b, blen, DEFAULT_COLLATION_OID);
}

/* Where a value's type stands in the order of types. */
static int
type_rank(const ColjValue *value)
{
	switch (value->kind)
	{
		case COLJ_NULL:
			return 0;
		case COLJ_STRING:
			return 1;
		case COLJ_INT:
		case COLJ_DECIMAL:
		case COLJ_BIGNUM:
			return 2;
		case COLJ_BOOL:
			return 3;
		case COLJ_ARRAY:
			return 4;
		default:
			return 5;
	}
}

/* Compare the values that two walks stand at, without their children. */
static int
compare_step(ColjWalk *a, ColjWalk *b, Question question)
{
	const ColjValue *x = &a->value;
	const ColjValue *y = &b->value;
	int			result = 0;

	if (a->keyed)
		result = compare_strings(a->key.bytes, a->key.len,
								 b->key.bytes, b->key.len, question);
	if (result == 0)
		result = SIGN(type_rank(x), type_rank(y));
	if (result != 0)
		return result;
	if (colj_is_container(x))
		return SIGN(a->count, b->count);
	if (colj_is_number(x))
		return colj_compare_numbers(a->doc, x, b->doc, y);
	if (x->kind == COLJ_BOOL)
		return SIGN(x->integer, y->integer);
	if (x->kind == COLJ_NULL)
		return 0;
	return compare_strings(colj_string_bytes(a->doc, x), x->len,
						   colj_string_bytes(b->doc, y), y->len, question);
}

/* A scalar at the root against an array: an array of one, but lower. */
static int
compare_scalar_to_array(ColjDoc *array)
{
	uint32		n;

	colj_ensure(colj_count(array, &array->root, &n), array);
	return n == 0 ? 1 : -1;
}

static int
compare_walks(ColjDoc *a, ColjDoc *b, Question question)
{
	ColjWalk	awalk;
	ColjWalk	bwalk;
	int			result = 0;

	colj_walk_begin(&awalk, a);
	colj_walk_begin(&bwalk, b);
	while (result == 0 && colj_walk_next(&awalk) && colj_walk_next(&bwalk))
		result = compare_step(&awalk, &bwalk, question);
	colj_walk_end(&awalk);
	colj_walk_end(&bwalk);
	return result;
}

static int
compare_documents(ColjDoc *a, ColjDoc *b, Question question)
{
	bool		ascalar = !colj_is_container(&a->root);
	bool		bscalar = !colj_is_container(&b->root);

	if (a->size == b->size && a->avail == a->size && b->avail == b->size &&
		memcmp(a->data, b->data, a->size) == 0)
		return 0;
	if (ascalar && b->root.kind == COLJ_ARRAY)
		return compare_scalar_to_array(b);
	if (bscalar && a->root.kind == COLJ_ARRAY)
		return -compare_scalar_to_array(a);
	return compare_walks(a, b, question);
}

static int
compare_args(FunctionCallInfo fcinfo, Question question)
{
	ColjDoc		alocal;
	ColjDoc		blocal;
	ColjDoc    *a = COLJ_GETARG(0, COLJ_NEED_PART, &alocal);
	ColjDoc    *b = COLJ_GETARG(1, COLJ_NEED_PART, &blocal);

	return compare_documents(a, b, question);
}

Datum
colj_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, ARE_THEY_EQUAL) == 0);
}

Datum
colj_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, ARE_THEY_EQUAL) != 0);
}

Datum
colj_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, WHICH_IS_LOWER) < 0);
}

Datum
colj_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, WHICH_IS_LOWER) <= 0);
}

Datum
colj_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, WHICH_IS_LOWER) > 0);
}

Datum
colj_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_args(fcinfo, WHICH_IS_LOWER) >= 0);
}

/*
 * Sign (a, b) as an integer below, at or above zero: support function 1 of
 * the btree operator class.
 */
Datum
colj_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_args(fcinfo, WHICH_IS_LOWER));
}
