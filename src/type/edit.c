/*-------------------------------------------------------------------------
 *
 * edit.c
 *	  colj_set, colj_insert, -, #-, ||: documents that are changed a little.
 *
 * Only the containers along the path are made anew; everything beside it is
 * taken as it is, bytes and all (colj_builder_part).  What a path means, when
 * it creates, and which errors it raises is exactly as for jsonb.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "common/string.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "compat.h"
#include "guc.h"
#include "type/document.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_set);
PG_FUNCTION_INFO_V1(colj_set_lax);
PG_FUNCTION_INFO_V1(colj_insert);
PG_FUNCTION_INFO_V1(colj_delete);
PG_FUNCTION_INFO_V1(colj_delete_array);
PG_FUNCTION_INFO_V1(colj_delete_idx);
PG_FUNCTION_INFO_V1(colj_delete_path);
PG_FUNCTION_INFO_V1(colj_concat);
PG_FUNCTION_INFO_V1(colj_strip_nulls);

/* What happens at the end of the path. */
typedef enum EditKind
{
	EDIT_DELETE,
	EDIT_REPLACE,				/* what is there, and nothing else */
	EDIT_CREATE,				/* replace or add */
	EDIT_INSERT_BEFORE,
	EDIT_INSERT_AFTER
} EditKind;

typedef struct Edit
{
	EditKind	kind;
	ColjBuilder *b;
	ColjDoc    *doc;
	ColjDoc    *new_doc;		/* its root is the new value; NULL for DELETE */
	Datum	   *path;
	bool	   *nulls;
	int			n;
} Edit;

static void edit_value(Edit *edit, const ColjValue *value, int level);

static bool
is_container(const ColjValue *value)
{
	return value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT;
}

static void
push_part(ColjBuilder *b, ColjDoc *doc, const ColjValue *value)
{
	colj_ensure(colj_builder_part(b, doc, value, colj_offset_stride), doc);
}

static void
push_new(Edit *edit)
{
	push_part(edit->b, edit->new_doc, &edit->new_doc->root);
}

static bool
adds(const Edit *edit)
{
	return edit->kind >= EDIT_CREATE;
}

/* The value at the end of the path, and the new one beside or instead of it. */
static void
edit_element(Edit *edit, const ColjValue *old)
{
	bool		keeps = edit->kind == EDIT_INSERT_BEFORE || edit->kind == EDIT_INSERT_AFTER;

	if (edit->kind == EDIT_INSERT_BEFORE || edit->kind == EDIT_CREATE)
		push_new(edit);
	if (keeps)
		push_part(edit->b, edit->doc, old);
	if (edit->kind == EDIT_INSERT_AFTER || edit->kind == EDIT_REPLACE)
		push_new(edit);
}

static void
edit_field(Edit *edit, const ColjKey *key, const ColjValue *old, int level)
{
	bool		last = level == edit->n - 1;

	if (last && (edit->kind == EDIT_INSERT_BEFORE || edit->kind == EDIT_INSERT_AFTER))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot replace existing key"),
				 errhint("Try using the function colj_set to replace key value.")));
	if (last && edit->kind == EDIT_DELETE)
		return;
	colj_builder_key(edit->b, key->bytes, key->len);
	if (last)
		push_new(edit);
	else
		edit_value(edit, old, level + 1);
}

static void
edit_object(Edit *edit, const ColjValue *object, int level)
{
	text	   *step = DatumGetTextPP(edit->path[level]);
	ColjKey		wanted = {VARDATA_ANY(step), VARSIZE_ANY_EXHDR(step)};
	bool		found = false;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;

	colj_ensure(colj_iter_open(edit->doc, object, &iter), edit->doc);
	colj_builder_begin_object(edit->b);
	while (colj_found(colj_iter_next(&iter, &key, &value), edit->doc))
	{
		if (!found && key.len == wanted.len && memcmp(key.bytes, wanted.bytes, key.len) == 0)
		{
			found = true;
			edit_field(edit, &key, &value, level);
			continue;
		}
		colj_builder_key(edit->b, key.bytes, key.len);
		push_part(edit->b, edit->doc, &value);
	}
	if (!found && adds(edit) && level == edit->n - 1)
	{
		colj_builder_key(edit->b, wanted.bytes, wanted.len);
		push_new(edit);
	}
	colj_builder_end(edit->b);
}

/*
 * The index that a step names in an array of count elements: PG_INT32_MIN for
 * one before the first, count for one after the last.
 */
static int
array_index(Edit *edit, int level, uint32 count)
{
	char	   *step = TextDatumGetCString(edit->path[level]);
	char	   *end;
	int			index;

	errno = 0;
	index = strtoint(step, &end, 10);
	if (end == step || *end != '\0' || errno != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("path element at position %d is not an integer: \"%s\"", level + 1, step)));
	if (index < 0)
		return -(int64) index > count ? PG_INT32_MIN : (int) (count + (int64) index);
	return index > (int64) count ? (int) count : index;
}

static void
edit_array(Edit *edit, const ColjValue *array, int level)
{
	bool		last = level == edit->n - 1;
	bool		done = false;
	ColjIter	iter;
	ColjValue	value;
	int			index;

	colj_ensure(colj_iter_open(edit->doc, array, &iter), edit->doc);
	index = array_index(edit, level, iter.c.n);
	colj_builder_begin_array(edit->b);
	if (last && adds(edit) && (index == PG_INT32_MIN || iter.c.n == 0))
	{
		push_new(edit);
		done = true;
	}
	for (int i = 0; colj_found(colj_iter_next(&iter, NULL, &value), edit->doc); i++)
	{
		done = done || i == index;
		if (i != index)
			push_part(edit->b, edit->doc, &value);
		else if (last)
			edit_element(edit, &value);
		else
			edit_value(edit, &value, level + 1);
	}
	if (last && adds(edit) && !done)
		push_new(edit);
	colj_builder_end(edit->b);
}

/* Push a value whose part at path[level...] is to change. */
static void
edit_value(Edit *edit, const ColjValue *value, int level)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (edit->nulls[level])
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("path element at position %d is null", level + 1)));
	if (value->kind == COLJ_OBJECT)
		edit_object(edit, value, level);
	else if (value->kind == COLJ_ARRAY)
		edit_array(edit, value, level);
	else
		push_part(edit->b, edit->doc, value);
}

/* Number of children of the root, which a scalar has one of. */
static uint32
root_count(ColjDoc *doc)
{
	uint32		n = 1;

	if (is_container(&doc->root))
		colj_ensure(colj_count(doc, &doc->root, &n), doc);
	return n;
}

static void
require_container(const ColjDoc *doc, const char *what)
{
	if (!is_container(&doc->root))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot %s scalar", what)));
}

static ArrayType *
require_one_dimension(ArrayType *array)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("wrong number of array subscripts")));
	return array;
}

/*
 * Change argument 0 at the path that is argument 1.  new_arg is the argument
 * that is the new value, or 0 for none.
 */
static Datum
edit_argument(FunctionCallInfo fcinfo, EditKind kind, int new_arg, const char *what)
{
	ArrayType  *path = require_one_dimension(PG_GETARG_ARRAYTYPE_P(1));
	ColjDoc		local;
	ColjDoc		new_local;
	Edit		edit = {.kind = kind};

	edit.doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);
	require_container(edit.doc, what);
	if (!adds(&edit) && root_count(edit.doc) == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	deconstruct_array(path, TEXTOID, -1, false, TYPALIGN_INT, &edit.path, &edit.nulls, &edit.n);
	if (edit.n == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (new_arg > 0)
		edit.new_doc = COLJ_GETARG(new_arg, COLJ_NEED_ALL, &new_local);
	edit.b = colj_builder_acquire();
	edit_value(&edit, &edit.doc->root, 0);
	return colj_builder_datum(edit.b);
}

/* colj_set(target, path text[], value colj, create boolean) */
Datum
colj_set(PG_FUNCTION_ARGS)
{
	return edit_argument(fcinfo, PG_GETARG_BOOL(3) ? EDIT_CREATE : EDIT_REPLACE, 2, "set path in");
}

/* What colj_set_lax does when the new value is NULL: its last argument says it. */
static Datum
set_to_null(FunctionCallInfo fcinfo, const char *treatment)
{
	if (strcmp(treatment, "raise_exception") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("JSON value must not be null"),
				 errdetail("Exception was raised because null_value_treatment is \"raise_exception\"."),
				 errhint("To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.")));
	if (strcmp(treatment, "use_json_null") == 0)
	{
		fcinfo->args[2].value = colj_from_text("null", 4);
		fcinfo->args[2].isnull = false;
		return colj_set(fcinfo);
	}
	if (strcmp(treatment, "delete_key") == 0)
		return colj_delete_path(fcinfo);
	if (strcmp(treatment, "return_target") == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")));
}

/* colj_set_lax(target, path text[], value colj, create boolean, treatment text) */
Datum
colj_set_lax(PG_FUNCTION_ARGS)
{
	LOCAL_FCINFO(inner, 5);

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(3))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(4))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")));
	if (!PG_ARGISNULL(2))
		return colj_set(fcinfo);
	/* a copy: the executor keeps constants in the original */
	InitFunctionCallInfoData(*inner, fcinfo->flinfo, fcinfo->nargs, fcinfo->fncollation,
							 fcinfo->context, fcinfo->resultinfo);
	memcpy(inner->args, fcinfo->args, fcinfo->nargs * sizeof(NullableDatum));
	return set_to_null(inner, TextDatumGetCString(PG_GETARG_DATUM(4)));
}

/* colj_insert(target, path text[], value colj, after boolean) */
Datum
colj_insert(PG_FUNCTION_ARGS)
{
	return edit_argument(fcinfo, PG_GETARG_BOOL(3) ? EDIT_INSERT_AFTER : EDIT_INSERT_BEFORE, 2,
						 "set path in");
}

/* colj #- text[] */
Datum
colj_delete_path(PG_FUNCTION_ARGS)
{
	return edit_argument(fcinfo, EDIT_DELETE, 0, "delete path in");
}

/* Is this text one of n? */
static bool
is_one_of(const char *bytes, uint32 len, const Datum *texts, const bool *nulls, int n)
{
	for (int i = 0; i < n; i++)
	{
		text	   *candidate = (text *) DatumGetPointer(texts[i]);

		if (!(nulls != NULL && nulls[i]) && VARSIZE_ANY_EXHDR(candidate) == len &&
			memcmp(VARDATA_ANY(candidate), bytes, len) == 0)
			return true;
	}
	return false;
}

/* Leave out keys of an object, or strings of an array, that are one of n texts. */
static Datum
delete_texts(ColjDoc *doc, const Datum *texts, const bool *nulls, int n)
{
	bool		object = doc->root.kind == COLJ_OBJECT;
	ColjBuilder *b = colj_builder_acquire();
	ColjIter	iter;
	ColjKey		key = {NULL, 0};
	ColjValue	value;

	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	if (object)
		colj_builder_begin_object(b);
	else
		colj_builder_begin_array(b);
	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		if (!object && value.kind == COLJ_STRING)
			key = (ColjKey){colj_bytes(doc, &value), value.len};
		if ((object || value.kind == COLJ_STRING) && is_one_of(key.bytes, key.len, texts, nulls, n))
			continue;
		if (object)
			colj_builder_key(b, key.bytes, key.len);
		push_part(b, doc, &value);
	}
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/* colj - text */
Datum
colj_delete(PG_FUNCTION_ARGS)
{
	Datum		key = PointerGetDatum(PG_GETARG_TEXT_PP(1));
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);

	require_container(doc, "delete from");
	if (root_count(doc) == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	return delete_texts(doc, &key, NULL, 1);
}

/* colj - text[] */
Datum
colj_delete_array(PG_FUNCTION_ARGS)
{
	ArrayType  *keys = require_one_dimension(PG_GETARG_ARRAYTYPE_P(1));
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);
	Datum	   *texts;
	bool	   *nulls;
	int			n;

	require_container(doc, "delete from");
	deconstruct_array(keys, TEXTOID, -1, false, TYPALIGN_INT, &texts, &nulls, &n);
	if (root_count(doc) == 0 || n == 0)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	return delete_texts(doc, texts, nulls, n);
}

/* colj - integer */
Datum
colj_delete_idx(PG_FUNCTION_ARGS)
{
	int64		index = PG_GETARG_INT32(1);
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);
	uint32		count = root_count(doc);
	ColjBuilder *b;
	ColjIter	iter;
	ColjValue	value;

	require_container(doc, "delete from");
	if (doc->root.kind == COLJ_OBJECT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot delete from object using integer index")));
	if (index < 0)
		index += count;
	if (index < 0 || index >= count)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = colj_builder_acquire();
	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	colj_builder_begin_array(b);
	for (uint32 i = 0; colj_found(colj_iter_next(&iter, NULL, &value), doc); i++)
		if (i != index)
			push_part(b, doc, &value);
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/* Push what an object or array has in it, or else the value itself. */
static void
push_contents(ColjBuilder *b, ColjDoc *doc, ColjKind container)
{
	ColjIter	iter;
	ColjKey		key;
	ColjValue	value;

	if (doc->root.kind != container)
	{
		push_part(b, doc, &doc->root);
		return;
	}
	colj_ensure(colj_iter_open(doc, &doc->root, &iter), doc);
	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		if (container == COLJ_OBJECT)
			colj_builder_key(b, key.bytes, key.len);
		push_part(b, doc, &value);
	}
}

/*
 * colj || colj
 *
 * Two objects are merged; anything else is an array of what the arrays among
 * the two have in them, and of the other values.  An empty container of the
 * other's kind leaves that other as it is.
 */
Datum
colj_concat(PG_FUNCTION_ARGS)
{
	ColjDoc		locals[2];
	ColjDoc    *left = COLJ_GETARG(0, COLJ_NEED_ALL, &locals[0]);
	ColjDoc    *right = COLJ_GETARG(1, COLJ_NEED_ALL, &locals[1]);
	bool		objects = left->root.kind == COLJ_OBJECT && right->root.kind == COLJ_OBJECT;
	ColjKind	container = objects ? COLJ_OBJECT : COLJ_ARRAY;
	ColjBuilder *b;

	if ((left->root.kind == COLJ_OBJECT) == (right->root.kind == COLJ_OBJECT))
	{
		if (root_count(left) == 0 && is_container(&right->root))
			PG_RETURN_DATUM(PG_GETARG_DATUM(1));
		if (root_count(right) == 0 && is_container(&left->root))
			PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	b = colj_builder_acquire();
	if (objects)
		colj_builder_begin_object(b);
	else
		colj_builder_begin_array(b);
	push_contents(b, left, container);
	push_contents(b, right, container);
	colj_builder_end(b);
	return colj_builder_datum(b);
}

/* Push a value without the null fields of its objects (and array elements). */
static void
push_without_nulls(ColjBuilder *b, ColjDoc *doc, const ColjValue *value, bool in_arrays)
{
	bool		object = value->kind == COLJ_OBJECT;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	child;

	if (!is_container(value))
	{
		push_part(b, doc, value);
		return;
	}
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	colj_ensure(colj_iter_open(doc, value, &iter), doc);
	if (object)
		colj_builder_begin_object(b);
	else
		colj_builder_begin_array(b);
	while (colj_found(colj_iter_next(&iter, &key, &child), doc))
	{
		if (child.kind == COLJ_NULL && (object || in_arrays))
			continue;
		if (object)
			colj_builder_key(b, key.bytes, key.len);
		push_without_nulls(b, doc, &child, in_arrays);
	}
	colj_builder_end(b);
}

/* colj_strip_nulls(target [, strip_in_arrays boolean]), the latter from 18 on */
Datum
colj_strip_nulls(PG_FUNCTION_ARGS)
{
	bool		in_arrays = PG_NARGS() > 1 && PG_GETARG_BOOL(1);
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);
	ColjBuilder *b;

	if (!is_container(&doc->root))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = colj_builder_acquire();
	push_without_nulls(b, doc, &doc->root, in_arrays);
	return colj_builder_datum(b);
}
