/*-------------------------------------------------------------------------
 *
 * get.c
 *	  ->, ->>, #>, #>>, and colj_get, into which chains of -> are folded.
 *
 * Every variant finds a value and returns it, as a colj or as text; what is
 * not there is NULL, as for jsonb.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "type/document.h"
#include "type/lazy.h"
#include "type/path.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_object_field);
PG_FUNCTION_INFO_V1(colj_object_field_text);
PG_FUNCTION_INFO_V1(colj_array_element);
PG_FUNCTION_INFO_V1(colj_array_element_text);
PG_FUNCTION_INFO_V1(colj_extract_path);
PG_FUNCTION_INFO_V1(colj_extract_path_text);
PG_FUNCTION_INFO_V1(colj_get);
PG_FUNCTION_INFO_V1(colj_get_text);

static Datum
return_text(FunctionCallInfo fcinfo, ColjDoc *doc, const ColjValue *value)
{
	text	   *result = colj_value_text(doc, value);

	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(result);
}

/* The value of the key that is argument 1, in the document that is returned, or NULL. */
static inline ColjDoc *
find_field(FunctionCallInfo fcinfo, ColjDoc *local, ColjValue *value)
{
	text	   *key = PG_GETARG_TEXT_PP(1);
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc    *doc;

	if (lazy != NULL)
		return colj_lazy_find_key(lazy, fcinfo, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), local, value);
	doc = COLJ_GETARG(0, COLJ_NEED_PART, local);
	if (doc->root.kind != COLJ_OBJECT)
		return NULL;
	return colj_found(colj_get_key(doc, &doc->root, VARDATA_ANY(key),
								   VARSIZE_ANY_EXHDR(key), value), doc) ? doc : NULL;
}

static Datum
key_text(FunctionCallInfo fcinfo, ColjLazy *lazy)
{
	text	   *key = PG_GETARG_TEXT_PP(1);
	text	   *result = colj_lazy_key_text(lazy, fcinfo, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key));

	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(result);
}

Datum
colj_object_field(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc = find_field(fcinfo, &local, &value);

	if (doc == NULL)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_value_datum(doc, &value));
}

Datum
colj_object_field_text(PG_FUNCTION_ARGS)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc;

	if (lazy != NULL)
		return key_text(fcinfo, lazy);
	doc = find_field(fcinfo, &local, &value);
	if (doc == NULL)
		PG_RETURN_NULL();
	return return_text(fcinfo, doc, &value);
}

/* The element whose index is argument 1. */
static bool
find_element(FunctionCallInfo fcinfo, ColjDoc *doc, ColjValue *value)
{
	ColjStep	step = {NULL, 0, PG_GETARG_INT32(1), true};

	*value = doc->root;
	return colj_step(doc, &step, true, value);
}

Datum
colj_array_element(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	ColjValue	value;

	if (!find_element(fcinfo, doc, &value))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_value_datum(doc, &value));
}

Datum
colj_array_element_text(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	ColjValue	value;

	if (!find_element(fcinfo, doc, &value))
		PG_RETURN_NULL();
	return return_text(fcinfo, doc, &value);
}

/* The value at the end of a path, in the document that is returned, or NULL. */
static inline ColjDoc *
find_value(FunctionCallInfo fcinfo, ColjPath *path, ColjDoc *local, ColjValue *value)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc    *doc;

	if (path->has_null)
		return NULL;
	if (lazy != NULL)
		return colj_lazy_find(lazy, &path->place, path->steps, path->n, path->chain, local, value);
	doc = COLJ_GETARG(0, COLJ_NEED_PART, local);
	return colj_path_find(doc, path, value) ? doc : NULL;
}

/* An empty path gives the argument back. */
static Datum
get_value(FunctionCallInfo fcinfo, ColjPath *path)
{
	ColjDoc		local;
	ColjDoc    *doc;
	ColjValue	value;

	if (path->n == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	doc = find_value(fcinfo, path, &local, &value);
	if (doc == NULL)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_value_datum(doc, &value));
}

static Datum
get_text(FunctionCallInfo fcinfo, ColjPath *path)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc;
	text	   *result;

	if (lazy != NULL && !path->has_null)
	{
		result = colj_lazy_text(lazy, &path->place, path->steps, path->n, path->chain);
		if (result == NULL)
			PG_RETURN_NULL();
		PG_RETURN_TEXT_P(result);
	}
	doc = find_value(fcinfo, path, &local, &value);
	if (doc == NULL)
		PG_RETURN_NULL();
	return return_text(fcinfo, doc, &value);
}

Datum
colj_extract_path(PG_FUNCTION_ARGS)
{
	return get_value(fcinfo, colj_path_text_array(fcinfo, 1));
}

Datum
colj_extract_path_text(PG_FUNCTION_ARGS)
{
	return get_text(fcinfo, colj_path_text_array(fcinfo, 1));
}

Datum
colj_get(PG_FUNCTION_ARGS)
{
	return get_value(fcinfo, colj_path_document(fcinfo, 1));
}

Datum
colj_get_text(PG_FUNCTION_ARGS)
{
	return get_text(fcinfo, colj_path_document(fcinfo, 1));
}
