/*-------------------------------------------------------------------------
 *
 * convert.c
 *	  Documents from and to jsonb.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "type/document.h"
#include "type/value.h"

static void
push_scalar(ColjBuilder *b, const JsonbValue *scalar)
{
	switch (scalar->type)
	{
		case jbvNull:
			colj_builder_null(b);
			break;
		case jbvBool:
			colj_builder_bool(b, scalar->val.boolean);
			break;
		case jbvString:
			colj_builder_string(b, scalar->val.string.val, scalar->val.string.len);
			break;
		case jbvNumeric:
			colj_builder_numeric(b, scalar->val.numeric);
			break;
		default:
			elog(ERROR, "unexpected jsonb type %d", (int) scalar->type);
	}
}

/* A scalar jsonb is an array of one element that is marked as no array. */
void
colj_builder_jsonb(ColjBuilder *b, JsonbContainer *container)
{
	bool		scalar = JsonContainerIsScalar(container);
	JsonbIterator *it = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	v;

	while ((token = JsonbIteratorNext(&it, &v, false)) != WJB_DONE)
	{
		switch (token)
		{
			case WJB_BEGIN_ARRAY:
				if (!scalar)
					colj_builder_begin_array(b);
				break;
			case WJB_BEGIN_OBJECT:
				colj_builder_begin_object(b);
				break;
			case WJB_END_ARRAY:
				if (!scalar)
					colj_builder_end(b);
				break;
			case WJB_END_OBJECT:
				colj_builder_end(b);
				break;
			case WJB_KEY:
				colj_builder_key(b, v.val.string.val, v.val.string.len);
				break;
			default:
				push_scalar(b, &v);
		}
	}
}

Datum
colj_from_jsonb(Jsonb *jb)
{
	ColjBuilder *b = colj_builder_acquire();

	colj_builder_jsonb(b, &jb->root);
	return colj_builder_datum(b);
}

static void
set_string(JsonbValue *out, const char *bytes, uint32 len)
{
	out->type = jbvString;
	out->val.string.val = unconstify(char *, bytes);
	out->val.string.len = len;
}

void
colj_value_scalar(ColjDoc *doc, const ColjValue *value, JsonbValue *out)
{
	const char *bytes;

	switch (value->kind)
	{
		case COLJ_NULL:
			out->type = jbvNull;
			break;
		case COLJ_BOOL:
			out->type = jbvBool;
			out->val.boolean = value->integer != 0;
			break;
		case COLJ_STRING:
			bytes = colj_bytes(doc, value);
			if (bytes == NULL)
				colj_raise(COLJ_CORRUPT, doc);
			set_string(out, bytes, value->len);
			break;
		default:
			out->type = jbvNumeric;
			out->val.numeric = colj_value_numeric(doc, value);
	}
}

static inline bool
is_container(const ColjValue *value)
{
	return value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT;
}

/*
 * Push a container and all that is in it; returns what the last push did.
 * The depth of a document is its author's choice: mind the stack.
 */
static JsonbValue *
push_container(JsonbParseState **state, ColjDoc *doc, const ColjValue *value)
{
	bool		object = value->kind == COLJ_OBJECT;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	child;
	JsonbValue	v;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	colj_ensure(colj_iter_open(doc, value, &iter), doc);
	pushJsonbValue(state, object ? WJB_BEGIN_OBJECT : WJB_BEGIN_ARRAY, NULL);
	while (colj_found(colj_iter_next(&iter, &key, &child), doc))
	{
		if (object)
		{
			set_string(&v, key.bytes, key.len);
			pushJsonbValue(state, WJB_KEY, &v);
		}
		if (is_container(&child))
			push_container(state, doc, &child);
		else
		{
			colj_value_scalar(doc, &child, &v);
			pushJsonbValue(state, object ? WJB_VALUE : WJB_ELEM, &v);
		}
	}
	return pushJsonbValue(state, object ? WJB_END_OBJECT : WJB_END_ARRAY, NULL);
}

Jsonb *
colj_value_jsonb(ColjDoc *doc, const ColjValue *value)
{
	JsonbParseState *state = NULL;
	JsonbValue	scalar;

	if (is_container(value))
		return JsonbValueToJsonb(push_container(&state, doc, value));
	colj_value_scalar(doc, value, &scalar);
	return JsonbValueToJsonb(&scalar);
}
