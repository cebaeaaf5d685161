/*-------------------------------------------------------------------------
 *
 * exists.c
 *	  ?, ?| and ?&: is a string a key, or an element, of the document?
 *
 * As for jsonb: of an object its keys count, of an array those elements that
 * are strings, and a string alone counts as itself.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "type/lazy.h"

PG_FUNCTION_INFO_V1(colj_exists);
PG_FUNCTION_INFO_V1(colj_exists_any);
PG_FUNCTION_INFO_V1(colj_exists_all);

static bool
string_equals(ColjDoc *doc, const ColjValue *value, const char *bytes, uint32 len)
{
	const char *own;

	if (value->kind != COLJ_STRING || value->len != len)
		return false;
	own = colj_bytes(doc, value);
	if (own == NULL)
		colj_raise(COLJ_CORRUPT, doc);
	return memcmp(own, bytes, len) == 0;
}

static bool
array_has(ColjDoc *doc, const char *bytes, uint32 len)
{
	ColjIter	iter;
	ColjValue	element;

	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	while (colj_found(colj_iter_next(&iter, NULL, &element), doc))
	{
		if (string_equals(doc, &element, bytes, len))
			return true;
	}
	return false;
}

static bool
has(ColjDoc *doc, Datum string)
{
	text	   *key = DatumGetTextPP(string);
	const char *bytes = VARDATA_ANY(key);
	uint32		len = VARSIZE_ANY_EXHDR(key);
	ColjValue	value;

	if (doc->root.kind == COLJ_OBJECT)
		return colj_found(colj_get_key(doc, &doc->root, bytes, len, &value), doc);
	if (doc->root.kind == COLJ_ARRAY)
		return array_has(doc, bytes, len);
	return string_equals(doc, &doc->root, bytes, len);
}

Datum
colj_exists(PG_FUNCTION_ARGS)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc		local;
	ColjDoc    *doc;
	ColjValue	value;
	text	   *key;

	if (lazy != NULL && colj_lazy_is_object(lazy))
	{
		key = PG_GETARG_TEXT_PP(1);
		PG_RETURN_BOOL(colj_lazy_find_key(lazy, fcinfo, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key),
										  &local, &value) != NULL);
	}
	doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	PG_RETURN_BOOL(has(doc, PG_GETARG_DATUM(1)));
}

/*
 * Whether the first string of the array in argument 1 that counts (NULLs do
 * not) and for which has() says `looked_for` exists.
 */
static bool
any_is(FunctionCallInfo fcinfo, bool looked_for)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	Datum	   *strings;
	bool	   *nulls;
	int			n;
	int			i;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(1), TEXTOID, -1, false, TYPALIGN_INT,
					  &strings, &nulls, &n);
	for (i = 0; i < n; i++)
	{
		if (!nulls[i] && has(doc, strings[i]) == looked_for)
			return true;
	}
	return false;
}

Datum
colj_exists_any(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(any_is(fcinfo, true));
}

Datum
colj_exists_all(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!any_is(fcinfo, false));
}
