/*-------------------------------------------------------------------------
 *
 * requote.c
 *	  Strings on their way into colj columns of a record.
 *
 * jsonb_populate_record and its kin know two types whose columns take a JSON
 * value as it is, json and jsonb.  For any other they pass a string without
 * its quotes to the type's input function, and a colj column would be asked
 * to read abc where the document says "abc".  So before such a function is
 * called through colj_twin, each string that is meant for a colj becomes the
 * string of its JSON text.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "type/requote.h"

static void requote_into(JsonbParseState **state, JsonbValue *value,
						 JsonbIteratorToken token, Oid type, Oid colj);

bool
colj_fills_records(const char *name)
{
	return strncmp(name, "colj_populate_record", strlen("colj_populate_record")) == 0 ||
		strncmp(name, "colj_to_record", strlen("colj_to_record")) == 0;
}

static bool leads_to_colj(Oid type, Oid colj);

bool
colj_record_has_colj(TupleDesc desc, Oid colj)
{
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		if (!attr->attisdropped && leads_to_colj(attr->atttypid, colj))
			return true;
	}
	return false;
}

static bool
leads_to_colj(Oid type, Oid colj)
{
	Oid			base = getBaseType(type);
	Oid			element = get_element_type(base);
	TupleDesc	desc;
	bool		result;

	check_stack_depth();
	if (base == colj)
		return true;
	if (OidIsValid(element))
		return leads_to_colj(element, colj);
	if (get_typtype(base) != TYPTYPE_COMPOSITE)
		return false;
	desc = lookup_rowtype_tupdesc(base, -1);
	result = colj_record_has_colj(desc, colj);
	ReleaseTupleDesc(desc);
	return result;
}

/* The column's type that an object's key goes to, or InvalidOid. */
static Oid
column_type(TupleDesc desc, const JsonbValue *key)
{
	for (int i = 0; desc != NULL && i < desc->natts; i++)
	{
		Form_pg_attribute attr = TupleDescAttr(desc, i);

		if (!attr->attisdropped &&
			strlen(NameStr(attr->attname)) == (size_t) key->val.string.len &&
			memcmp(NameStr(attr->attname), key->val.string.val, key->val.string.len) == 0)
			return attr->atttypid;
	}
	return InvalidOid;
}

/* The JSON text of a string. */
static void
quote(JsonbValue *string)
{
	StringInfoData text;

	initStringInfo(&text);
	escape_json(&text, pnstrdup(string->val.string.val, string->val.string.len));
	string->val.string.val = text.data;
	string->val.string.len = text.len;
}

/* Push an object, but not its end; its values go to the columns of desc. */
static void
requote_object(JsonbParseState **state, JsonbContainer *container, TupleDesc desc, Oid colj)
{
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	value;
	Oid			type = InvalidOid;

	(void) JsonbIteratorNext(&it, &value, true);
	pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
	while ((token = JsonbIteratorNext(&it, &value, true)) == WJB_KEY || token == WJB_VALUE)
	{
		if (token == WJB_KEY)
		{
			type = column_type(desc, &value);
			pushJsonbValue(state, WJB_KEY, &value);
		}
		else
			requote_into(state, &value, WJB_VALUE, type, colj);
	}
}

/*
 * How many dimensions core takes an array to have: as many as there are
 * arrays when the first element is followed.
 */
static int
count_dimensions(JsonbContainer *container)
{
	int			ndims = 0;

	for (;;)
	{
		JsonbIterator *it = JsonbIteratorInit(container);
		JsonbValue	value;

		ndims++;
		(void) JsonbIteratorNext(&it, &value, true);
		if (JsonbIteratorNext(&it, &value, true) != WJB_ELEM || value.type != jbvBinary ||
			!JsonContainerIsArray(value.val.binary.data))
			return ndims;
		container = value.val.binary.data;
	}
}

/* Push an array of ndims dimensions; arrays below these are elements. */
static void
requote_array(JsonbParseState **state, JsonbContainer *container, int ndims, Oid element, Oid colj)
{
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbValue	value;

	check_stack_depth();
	(void) JsonbIteratorNext(&it, &value, true);
	pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
	while (JsonbIteratorNext(&it, &value, true) == WJB_ELEM)
	{
		if (ndims > 1 && value.type == jbvBinary && JsonContainerIsArray(value.val.binary.data))
			requote_array(state, value.val.binary.data, ndims - 1, element, colj);
		else
			requote_into(state, &value, WJB_ELEM, element, colj);
	}
	pushJsonbValue(state, WJB_END_ARRAY, NULL);
}

/* Push a value that goes to a column of the given type. */
static void
requote_into(JsonbParseState **state, JsonbValue *value, JsonbIteratorToken token,
			 Oid type, Oid colj)
{
	Oid			base = OidIsValid(type) ? getBaseType(type) : InvalidOid;
	JsonbContainer *container = value->type == jbvBinary ? value->val.binary.data : NULL;
	TupleDesc	desc;

	check_stack_depth();
	if (value->type == jbvString && base == colj)
		quote(value);
	if (container == NULL || !OidIsValid(base) || base == colj || !leads_to_colj(base, colj))
		pushJsonbValue(state, token, value);
	else if (JsonContainerIsArray(container))
		requote_array(state, container, count_dimensions(container), get_element_type(base), colj);
	else
	{
		desc = get_typtype(base) == TYPTYPE_COMPOSITE ? lookup_rowtype_tupdesc(base, -1) : NULL;
		requote_object(state, container, desc, colj);
		pushJsonbValue(state, WJB_END_OBJECT, NULL);
		if (desc != NULL)
			ReleaseTupleDesc(desc);
	}
}

/* A composite type's descriptor; NULL if the type is none. */
static TupleDesc
copy_descriptor(Oid type, int32 typmod)
{
	TupleDesc	desc = lookup_rowtype_tupdesc_domain(type, typmod, true);
	TupleDesc	copy;

	if (desc == NULL)
		return NULL;
	copy = CreateTupleDescCopy(desc);
	ReleaseTupleDesc(desc);
	return copy;
}

/* They are those of the first argument, or else of the query's column list. */
TupleDesc
colj_record_descriptor(FunctionCallInfo fcinfo, Oid colj)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);
	HeapTupleHeader record;
	TupleDesc	desc = NULL;

	if (OidIsValid(type) && type != colj && type != RECORDOID)
		return copy_descriptor(type, -1);
	if (type == RECORDOID && !fcinfo->args[0].isnull)
	{
		record = DatumGetHeapTupleHeader(fcinfo->args[0].value);
		return copy_descriptor(HeapTupleHeaderGetTypeId(record), HeapTupleHeaderGetTypMod(record));
	}
	(void) get_call_result_type(fcinfo, NULL, &desc);
	return desc == NULL ? NULL : CreateTupleDescCopy(desc);
}

/* A set of records comes as an array of objects, a record as one object. */
Jsonb *
colj_requote(Jsonb *jb, TupleDesc desc, Oid colj)
{
	JsonbParseState *state = NULL;
	JsonbIterator *it;
	JsonbValue	value;

	if (JB_ROOT_IS_OBJECT(jb))
	{
		requote_object(&state, &jb->root, desc, colj);
		return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
	}
	if (!JB_ROOT_IS_ARRAY(jb) || JB_ROOT_IS_SCALAR(jb))
		return jb;
	it = JsonbIteratorInit(&jb->root);
	(void) JsonbIteratorNext(&it, &value, true);
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	while (JsonbIteratorNext(&it, &value, true) == WJB_ELEM)
	{
		if (value.type == jbvBinary && JsonContainerIsObject(value.val.binary.data))
		{
			requote_object(&state, value.val.binary.data, desc, colj);
			pushJsonbValue(&state, WJB_END_OBJECT, NULL);
		}
		else
			pushJsonbValue(&state, WJB_ELEM, &value);
	}
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL));
}
