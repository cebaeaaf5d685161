/*-------------------------------------------------------------------------
 *
 * casts.c
 *	  Casts between colj and jsonb, json and the types of scalars.
 *
 * Casts from and to text are the input and output functions.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "utils/builtins.h"

#include "type/document.h"
#include "type/pack.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_cast_to_jsonb);
PG_FUNCTION_INFO_V1(colj_cast_from_jsonb);
PG_FUNCTION_INFO_V1(colj_cast_to_json);
PG_FUNCTION_INFO_V1(colj_cast_from_json);
PG_FUNCTION_INFO_V1(colj_bool);
PG_FUNCTION_INFO_V1(colj_numeric);
PG_FUNCTION_INFO_V1(colj_int2);
PG_FUNCTION_INFO_V1(colj_int4);
PG_FUNCTION_INFO_V1(colj_int8);
PG_FUNCTION_INFO_V1(colj_float4);
PG_FUNCTION_INFO_V1(colj_float8);

Datum
colj_cast_to_jsonb(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	PG_RETURN_JSONB_P(colj_value_jsonb(doc, &doc->root));
}

Datum
colj_cast_from_jsonb(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(colj_made(colj_from_jsonb(PG_GETARG_JSONB_P(0)), -1));
}

Datum
colj_cast_to_json(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	PG_RETURN_TEXT_P(colj_value_json(doc, &doc->root));
}

Datum
colj_cast_from_json(PG_FUNCTION_ARGS)
{
	text	   *json = PG_GETARG_TEXT_PP(0);

	PG_RETURN_DATUM(colj_made(colj_from_text(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json)), -1));
}

static void
raise_cannot_cast(ColjKind kind, const char *type)
{
	const char *name = "numeric";

	if (kind == COLJ_NULL)
		name = "null";
	else if (kind == COLJ_BOOL)
		name = "boolean";
	else if (kind == COLJ_STRING)
		name = "string";
	else if (kind == COLJ_ARRAY)
		name = "array";
	else if (kind == COLJ_OBJECT)
		name = "object";
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cannot cast colj %s to type %s", name, type)));
}

/*
 * The argument's document when it is a number; NULL when the cast's result is
 * an SQL NULL.  Any other kind is an error that names the type wanted.
 */
static ColjDoc *
number_argument(FunctionCallInfo fcinfo, const char *type, ColjDoc *local)
{
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, local);
	ColjKind	kind = doc->root.kind;

	if (kind == COLJ_NULL && COLJ_NULL_CASTS_TO_NULL)
		return NULL;
	if (kind != COLJ_INT && kind != COLJ_DECIMAL && kind != COLJ_BIGNUM)
		raise_cannot_cast(kind, type);
	return doc;
}

Datum
colj_bool(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);

	if (doc->root.kind == COLJ_NULL && COLJ_NULL_CASTS_TO_NULL)
		PG_RETURN_NULL();
	if (doc->root.kind != COLJ_BOOL)
		raise_cannot_cast(doc->root.kind, "boolean");
	PG_RETURN_BOOL(doc->root.integer != 0);
}

Datum
colj_numeric(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = number_argument(fcinfo, "numeric", &local);

	if (doc == NULL)
		PG_RETURN_NULL();
	PG_RETURN_NUMERIC(colj_value_numeric(doc, &doc->root));
}

/* Cast through numeric by one of core's functions, which round and check. */
static Datum
cast_number(FunctionCallInfo fcinfo, const char *type, PGFunction function)
{
	ColjDoc		local;
	ColjDoc    *doc = number_argument(fcinfo, type, &local);

	if (doc == NULL)
		PG_RETURN_NULL();
	return DirectFunctionCall1(function,
							   NumericGetDatum(colj_value_numeric(doc, &doc->root)));
}

/*
 * Whether the argument is a short integer, as most numbers are: it needs no
 * numeric on the way.
 */
static bool
integer_argument(FunctionCallInfo fcinfo, int64 min, int64 max, int64 *result)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);

	*result = doc->root.integer;
	return doc->root.kind == COLJ_INT && *result >= min && *result <= max;
}

Datum
colj_int2(PG_FUNCTION_ARGS)
{
	int64		value;

	if (integer_argument(fcinfo, PG_INT16_MIN, PG_INT16_MAX, &value))
		PG_RETURN_INT16((int16) value);
	return cast_number(fcinfo, "smallint", numeric_int2);
}

Datum
colj_int4(PG_FUNCTION_ARGS)
{
	int64		value;

	if (integer_argument(fcinfo, PG_INT32_MIN, PG_INT32_MAX, &value))
		PG_RETURN_INT32((int32) value);
	return cast_number(fcinfo, "integer", numeric_int4);
}

Datum
colj_int8(PG_FUNCTION_ARGS)
{
	int64		value;

	if (integer_argument(fcinfo, PG_INT64_MIN, PG_INT64_MAX, &value))
		PG_RETURN_INT64(value);
	return cast_number(fcinfo, "bigint", numeric_int8);
}

Datum
colj_float4(PG_FUNCTION_ARGS)
{
	return cast_number(fcinfo, "real", numeric_float4);
}

/*
 * Integers up to 2^53 and powers of ten up to 10^22 are exact as float8, so
 * one division of them rounds as reading the number's text does.
 */
static bool
float_argument(FunctionCallInfo fcinfo, float8 *result)
{
	static const float8 pow10[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
	};
	const int64 exact = INT64CONST(1) << 53;
	ColjDoc		local;
	ColjValue  *root = &COLJ_GETARG(0, COLJ_NEED_PART, &local)->root;
	int			scale = root->kind == COLJ_DECIMAL ? root->scale : 0;

	if (FLT_EVAL_METHOD != 0 ||
		(root->kind != COLJ_INT && root->kind != COLJ_DECIMAL) ||
		root->integer < -exact || root->integer > exact ||
		scale >= (int) lengthof(pow10))
		return false;
	*result = (float8) root->integer / pow10[scale];
	return true;
}

Datum
colj_float8(PG_FUNCTION_ARGS)
{
	float8		value;

	if (float_argument(fcinfo, &value))
		PG_RETURN_FLOAT8(value);
	return cast_number(fcinfo, "double precision", numeric_float8);
}
