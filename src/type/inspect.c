/*-------------------------------------------------------------------------
 *
 * inspect.c
 *	  What a document is: its type, its length.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "type/lazy.h"

PG_FUNCTION_INFO_V1(colj_typeof);
PG_FUNCTION_INFO_V1(colj_array_length);

static const char *
kind_name(ColjKind kind)
{
	switch (kind)
	{
		case COLJ_NULL:
			return "null";
		case COLJ_BOOL:
			return "boolean";
		case COLJ_STRING:
			return "string";
		case COLJ_ARRAY:
			return "array";
		case COLJ_OBJECT:
			return "object";
		default:
			return "number";
	}
}

Datum
colj_typeof(PG_FUNCTION_ARGS)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc		local;
	ColjKind	kind = COLJ_OBJECT;

	if (lazy == NULL || !colj_lazy_is_object(lazy))
		kind = COLJ_GETARG(0, COLJ_NEED_PART, &local)->root.kind;
	PG_RETURN_TEXT_P(cstring_to_text(kind_name(kind)));
}

Datum
colj_array_length(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	uint32		n;

	if (doc->root.kind == COLJ_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot get array length of a non-array")));
	if (doc->root.kind != COLJ_ARRAY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot get array length of a scalar")));
	colj_ensure(colj_count(doc, &doc->root, &n), doc);
	PG_RETURN_INT32(n);
}
