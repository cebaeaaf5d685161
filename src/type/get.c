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

static inline Datum
return_text(FunctionCallInfo fcinfo, text *result)
{
	if (result == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(result);
}

/* The value of the key that is argument 1, in an open document. */
static inline bool
find_key(FunctionCallInfo fcinfo, ColjDoc *doc, const text *key, ColjValue *value)
{
	ColjKeyMemo *memo = colj_key_memo(fcinfo);
	const char *bytes = VARDATA_ANY(key);
	uint32		len = VARSIZE_ANY_EXHDR(key);

	return colj_found(likely(memo != NULL) ?
					  colj_get_key_hinted(doc, &doc->root, bytes, len, &memo->hint, value) :
					  colj_get_key(doc, &doc->root, bytes, len, value), doc);
}

Datum
colj_object_field(PG_FUNCTION_ARGS)
{
	text	   *key = PG_GETARG_TEXT_PP(1);
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc;

	if (lazy != NULL)
		doc = colj_lazy_find_key(lazy, fcinfo, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), &local, &value);
	else
	{
		doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
		if (!find_key(fcinfo, doc, key, &value))
			PG_RETURN_NULL();
	}
	if (doc == NULL)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_value_datum(doc, &value));
}

/* Of a document that is there as bytes. */
static pg_noinline Datum
field_text(FunctionCallInfo fcinfo, const text *key)
{
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);

	if (!find_key(fcinfo, doc, key, &value))
		PG_RETURN_NULL();
	return return_text(fcinfo, colj_value_text(doc, &value));
}

Datum
colj_object_field_text(PG_FUNCTION_ARGS)
{
	text	   *key = PG_GETARG_TEXT_PP(1);
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(0));

	if (lazy != NULL)
		return return_text(fcinfo, colj_lazy_key_text(lazy, fcinfo, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)));
	return field_text(fcinfo, key);
}

Datum
colj_array_element(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	ColjValue	value;

	if (!colj_element(doc, &doc->root, PG_GETARG_INT32(1), true, &value))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_value_datum(doc, &value));
}

Datum
colj_array_element_text(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	ColjValue	value;

	if (!colj_element(doc, &doc->root, PG_GETARG_INT32(1), true, &value))
		PG_RETURN_NULL();
	return return_text(fcinfo, colj_value_text(doc, &value));
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

	if (lazy != NULL && !path->has_null)
		return return_text(fcinfo, colj_lazy_text(lazy, &path->place, path->steps, path->n, path->chain));
	doc = find_value(fcinfo, path, &local, &value);
	if (doc == NULL)
		PG_RETURN_NULL();
	return return_text(fcinfo, colj_value_text(doc, &value));
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
