/*-------------------------------------------------------------------------
 *
 * convert.c
 *	  Documents from jsonb, and scalars to it; jsonb_write.c has the rest.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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
