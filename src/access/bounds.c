/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  The bounds of a path's values, put together from many zones.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "mb/pg_wchar.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "compat.h"
#include "access/bounds.h"

static int
compare_strings(const ColjBound *a, const ColjBound *b)
{
	int			order = memcmp(a->bytes, b->bytes, Min(a->len, b->len));

	return order != 0 ? order : (int) a->len - (int) b->len;
}

/* a and b at one scale; false if that overflows. */
static bool
align(ColjBound *a, ColjBound *b)
{
	while (a->scale < b->scale)
	{
		if (pg_mul_s64_overflow(a->number, 10, &a->number))
			return false;
		a->scale++;
	}
	return a->scale == b->scale || align(b, a);
}

/* Make it the lower (sign < 0) or the higher of both; false when that can't be told. */
static bool
take(ColjPathType type, ColjBound *bound, const ColjBound *other, int sign)
{
	ColjBound	a = *bound;
	ColjBound	b = *other;
	int			order;

	if (type == COLJ_PATH_STRING)
		order = compare_strings(&a, &b);
	else if (align(&a, &b))
		order = (a.number > b.number) - (a.number < b.number);
	else
		return false;
	if (order * sign < 0)
		*bound = *other;
	return true;
}

static ColjBound
make_bound(ColjPathType type, int64 number, uint8 scale, const char *bytes, uint32 len)
{
	ColjBound	bound = {.number = number, .scale = scale};

	if (type == COLJ_PATH_STRING)
	{
		bound.len = (uint8) Min(len, sizeof(bound.bytes));
		memcpy(bound.bytes, bytes, bound.len);
	}
	return bound;
}

void
colj_bounds_widen(ColjBounds *bounds, ColjPathType type, const ColjZone *zone)
{
	ColjBound	min;
	ColjBound	max;
	bool		has_max = zone->bounded && (type != COLJ_PATH_STRING || zone->max_bytes != NULL);

	if (zone->counts[COLJ_IS_VALUE] == 0)
		return;
	type = type == COLJ_PATH_INT ? COLJ_PATH_DECIMAL : type;
	min = make_bound(type, zone->min_int, zone->scale, zone->min_bytes, zone->min_len);
	max = make_bound(type, zone->max_int, zone->scale, has_max ? zone->max_bytes : "", zone->max_len);
	if (!bounds->any)
	{
		*bounds = (ColjBounds){true, zone->bounded, has_max, type, min, max};
		return;
	}
	if (type != bounds->type)
		bounds->has_min = bounds->has_max = false;
	bounds->has_min = bounds->has_min && zone->bounded && take(type, &bounds->min, &min, -1);
	bounds->has_max = bounds->has_max && has_max && take(type, &bounds->max, &max, 1);
}

/* A string as far as it is one. */
static char *
string_text(const ColjBounds *bounds, const ColjBound *bound)
{
	int			whole = pg_mbcliplen(bound->bytes, bound->len, bound->len);

	/* less of an upper bound is none */
	if (bound == &bounds->max && whole < bound->len)
		return NULL;
	return pg_verify_mbstr(GetDatabaseEncoding(), bound->bytes, whole, true) ? pnstrdup(bound->bytes, whole) : NULL;
}

/* Types whose order is that of the integer that holds them. */
static bool
is_ordered(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case OIDOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return true;
		default:
			return false;
	}
}

static char *
plain_text(const ColjBounds *bounds, const ColjBound *bound, Form_pg_attribute att)
{
	Oid			type = getBaseType(att->atttypid);
	Oid			output;
	bool		varlena;

	if (type == TEXTOID || type == VARCHAROID || type == BPCHAROID)
		return bounds->type == COLJ_PATH_STRING ? string_text(bounds, bound) : NULL;
	if (bounds->type == COLJ_PATH_STRING || !is_ordered(type))
		return NULL;
	getTypeOutputInfo(type, &output, &varlena);
	return OidOutputFunctionCall(output, Int64GetDatum(bound->number));
}

static char *
number_text(const ColjBound *bound)
{
	Numeric		number = int64_div_fast_to_numeric(bound->number, bound->scale);
	Datum		scaled = DirectFunctionCall2(numeric_round, NumericGetDatum(number), Int32GetDatum(bound->scale));

	return DatumGetCString(DirectFunctionCall1(numeric_out, scaled));
}

char *
colj_bound_text(const ColjBounds *bounds, const ColjBound *bound, Form_pg_attribute att)
{
	if (!bounds->any || !(bound == &bounds->min ? bounds->has_min : bounds->has_max))
		return NULL;
	if (att != NULL)
		return plain_text(bounds, bound, att);
	if (bounds->type == COLJ_PATH_STRING)
		return string_text(bounds, bound);
	if (bounds->type == COLJ_PATH_BOOL)
		return pstrdup(bound->number != 0 ? "true" : "false");
	return number_text(bound);
}
