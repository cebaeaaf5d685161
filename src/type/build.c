/*-------------------------------------------------------------------------
 *
 * build.c
 *	  to_colj, colj_build_array, colj_build_object.
 *
 * Values of the common types are pushed into the builder as they are; a colj
 * among them is taken without being printed and parsed again, and so is one in
 * a record (record.c).  When a value of any other type takes part, the whole
 * call goes through core (colj_twin), which knows dates, arrays and casts to
 * json.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "guc.h"
#include "type/build.h"
#include "type/document.h"
#include "type/twin.h"

PG_FUNCTION_INFO_V1(colj_from_any);
PG_FUNCTION_INFO_V1(colj_build_array);
PG_FUNCTION_INFO_V1(colj_build_object);

ColjSource
colj_source_of(Oid type, Oid colj)
{
	if (!OidIsValid(type))
		return COLJ_SOURCE_OTHER;
	type = getBaseType(type);
	if (type == colj)
		return COLJ_SOURCE_COLJ;
	switch (type)
	{
		case JSONBOID:
			return COLJ_SOURCE_JSONB;
		case TEXTOID:
		case VARCHAROID:
			return COLJ_SOURCE_TEXT;
		case UNKNOWNOID:
			return COLJ_SOURCE_CSTRING;
		case INT2OID:
			return COLJ_SOURCE_INT2;
		case INT4OID:
			return COLJ_SOURCE_INT4;
		case INT8OID:
			return COLJ_SOURCE_INT8;
		case NUMERICOID:
			return COLJ_SOURCE_NUMERIC;
		case BOOLOID:
			return COLJ_SOURCE_BOOL;
		default:
			return type_is_rowtype(type) ? COLJ_SOURCE_RECORD : COLJ_SOURCE_OTHER;
	}
}

/* A document that stays where it is, whatever the document cache does. */
static Datum
detoast_document(Datum value)
{
	ColjDoc		local;
	ColjDoc    *doc = colj_document_open(value, COLJ_NEED_ALL, &local);
	struct varlena *copy;

	if (doc == &local)
		return value;
	copy = palloc(VARHDRSZ + doc->size);
	SET_VARSIZE(copy, VARHDRSZ + doc->size);
	memcpy(VARDATA(copy), doc->data, doc->size);
	return PointerGetDatum(copy);
}

Datum
colj_source_detoast(ColjSource source, Datum value, Oid colj)
{
	switch (source)
	{
		case COLJ_SOURCE_COLJ:
			return detoast_document(value);
		case COLJ_SOURCE_JSONB:
			return PointerGetDatum(PG_DETOAST_DATUM(value));
		case COLJ_SOURCE_TEXT:
		case COLJ_SOURCE_NUMERIC:
			return PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
		case COLJ_SOURCE_RECORD:
			return colj_record_datum(value, colj);
		default:
			return value;
	}
}

/* NaN and the infinities have no place in JSON but as strings. */
static void
push_numeric(ColjBuilder *b, Datum value)
{
	Numeric		number = DatumGetNumeric(value);
	char	   *name;

	if (!numeric_is_nan(number) && !numeric_is_inf(number))
	{
		colj_builder_numeric(b, number);
		return;
	}
	name = DatumGetCString(DirectFunctionCall1(numeric_out, value));
	colj_builder_string(b, name, strlen(name));
}

static void
push_document(ColjBuilder *b, Datum value)
{
	ColjDoc		doc;

	(void) colj_document_open(value, COLJ_NEED_ALL, &doc);
	colj_ensure(colj_builder_part(b, &doc, &doc.root, colj_offset_stride), &doc);
}

void
colj_push_source(ColjBuilder *b, ColjSource source, Datum value, bool isnull)
{
	if (isnull)
	{
		colj_builder_null(b);
		return;
	}
	switch (source)
	{
		case COLJ_SOURCE_COLJ:
		case COLJ_SOURCE_RECORD:
			push_document(b, value);
			break;
		case COLJ_SOURCE_JSONB:
			colj_builder_jsonb(b, &((Jsonb *) DatumGetPointer(value))->root);
			break;
		case COLJ_SOURCE_TEXT:
			colj_builder_string(b, VARDATA_ANY(DatumGetPointer(value)),
								VARSIZE_ANY_EXHDR(DatumGetPointer(value)));
			break;
		case COLJ_SOURCE_CSTRING:
			colj_builder_string(b, DatumGetCString(value), strlen(DatumGetCString(value)));
			break;
		case COLJ_SOURCE_INT2:
			colj_builder_int(b, DatumGetInt16(value));
			break;
		case COLJ_SOURCE_INT4:
			colj_builder_int(b, DatumGetInt32(value));
			break;
		case COLJ_SOURCE_INT8:
			colj_builder_int(b, DatumGetInt64(value));
			break;
		case COLJ_SOURCE_NUMERIC:
			push_numeric(b, value);
			break;
		case COLJ_SOURCE_BOOL:
			colj_builder_bool(b, DatumGetBool(value));
			break;
		case COLJ_SOURCE_OTHER:
			elog(ERROR, "no way to push a value of this type");
	}
}

/* The sources of a call's arguments, learned in its first call. */
static const ColjSource *
argument_sources(FunctionCallInfo fcinfo)
{
	ColjTwin   *twin = colj_twin_of(fcinfo);

	if (twin->sources != NULL)
		return twin->sources;
	twin->sources = MemoryContextAlloc(twin->context, (fcinfo->nargs + 1) * sizeof(ColjSource));
	twin->direct = !get_fn_expr_variadic(fcinfo->flinfo);
	for (int i = 0; i < fcinfo->nargs; i++)
	{
		twin->sources[i] = colj_source_of(get_fn_expr_argtype(fcinfo->flinfo, i), twin->colj);
		if (twin->sources[i] == COLJ_SOURCE_OTHER)
			twin->direct = false;
	}
	return twin->sources;
}

/* Can this call do without core?  Then its arguments are detoasted. */
static bool
prepare_arguments(FunctionCallInfo fcinfo, NullableDatum *args)
{
	const ColjSource *sources = argument_sources(fcinfo);
	const ColjTwin *twin = colj_twin_of(fcinfo);

	if (!twin->direct)
		return false;
	for (int i = 0; i < fcinfo->nargs; i++)
	{
		args[i] = fcinfo->args[i];
		if (!args[i].isnull)
			args[i].value = colj_source_detoast(sources[i], args[i].value, twin->colj);
	}
	return true;
}

/* to_colj(anyelement) */
Datum
colj_from_any(PG_FUNCTION_ARGS)
{
	NullableDatum arg;
	ColjBuilder *b;

	if (argument_sources(fcinfo)[0] == COLJ_SOURCE_COLJ)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (!prepare_arguments(fcinfo, &arg))
		return colj_twin(fcinfo);
	b = colj_builder_acquire();
	colj_push_source(b, argument_sources(fcinfo)[0], arg.value, false);
	return colj_builder_datum(b);
}

/* colj_build_array(VARIADIC "any") */
Datum
colj_build_array(PG_FUNCTION_ARGS)
{
	NullableDatum args[FUNC_MAX_ARGS];
	const ColjSource *sources;
	ColjBuilder *b;

	if (!prepare_arguments(fcinfo, args))
		return colj_twin(fcinfo);
	sources = argument_sources(fcinfo);
	b = colj_builder_acquire();
	colj_builder_begin_array(b);
	for (int i = 0; i < fcinfo->nargs; i++)
		colj_push_source(b, sources[i], args[i].value, args[i].isnull);
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/* Are the arguments pairs with keys that are texts?  Core has the errors. */
static bool
has_text_keys(const NullableDatum *args, const ColjSource *sources, int nargs)
{
	for (int i = 0; i < nargs; i += 2)
		if (args[i].isnull || (sources[i] != COLJ_SOURCE_TEXT && sources[i] != COLJ_SOURCE_CSTRING))
			return false;
	return nargs % 2 == 0;
}

/* colj_build_object(VARIADIC "any") */
Datum
colj_build_object(PG_FUNCTION_ARGS)
{
	NullableDatum args[FUNC_MAX_ARGS];
	const ColjSource *sources;
	ColjBuilder *b;

	if (!prepare_arguments(fcinfo, args) ||
		!has_text_keys(args, argument_sources(fcinfo), fcinfo->nargs))
		return colj_twin(fcinfo);
	sources = argument_sources(fcinfo);
	b = colj_builder_acquire();
	colj_builder_begin_object(b);
	for (int i = 0; i < fcinfo->nargs; i += 2)
	{
		/* a key is pushed as the string that it is */
		colj_push_source(b, sources[i], args[i].value, false);
		colj_push_source(b, sources[i + 1], args[i + 1].value, args[i + 1].isnull);
	}
	colj_builder_end(b);
	return colj_builder_datum(b);
}
