/*-------------------------------------------------------------------------
 *
 * path.c
 *	  The steps from a document's root to a value in it.
 *
 * Two kinds of paths differ in small ways, and both exist because they must
 * do exactly what the expressions they stand for do:
 *
 *		text[], of #> and #>>: an element is a key for an object and, when it
 *			looks like an integer, an index for an array.  A scalar has no
 *			parts.
 *		a chain of -> as a colj array, of colj_get: a string is only a key, a
 *			number only an index, and index 0 or -1 of a scalar is that
 *			scalar, as it is for ->.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/string.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "type/lazy.h"
#include "type/pack.h"
#include "type/path.h"

/* Steps of a lazy document's path that are followed column by column. */
#define LAZY_STEPS 32

/* The steps made for the last call, if the argument is still the same. */
static ColjPath *
remembered(FunctionCallInfo fcinfo, const struct varlena *source)
{
	ColjPath   *path = fcinfo->flinfo->fn_extra;

	if (path != NULL && path->source_size == VARSIZE_ANY(source) &&
		memcmp(path->source, source, path->source_size) == 0)
		return path;
	return NULL;
}

/*
 * Room for n steps, in one piece with a copy of the argument, into which the
 * steps' keys shall point.
 */
static ColjPath *
make_path(MemoryContext context, const struct varlena *source, int n)
{
	Size		steps_size = MAXALIGN(offsetof(ColjPath, steps) + n * sizeof(ColjStep));
	Size		source_size = VARSIZE_ANY(source);
	ColjPath   *path = MemoryContextAllocZero(context, steps_size + source_size);

	path->source = (struct varlena *) ((char *) path + steps_size);
	path->source_size = source_size;
	path->n = n;
	memcpy(path->source, source, source_size);
	return path;
}

/* Replace what fn_extra remembers, now that the steps are complete. */
static void
remember(FunctionCallInfo fcinfo, ColjPath *path)
{
	if (fcinfo->flinfo->fn_extra != NULL)
		pfree(fcinfo->flinfo->fn_extra);
	fcinfo->flinfo->fn_extra = path;
}

/* An element of a text[] as a step, read as core's #> reads it. */
static void
make_text_step(ColjStep *step, const text *element)
{
	char	   *number = text_to_cstring(element);
	char	   *end;

	step->key = VARDATA_ANY(element);
	step->len = VARSIZE_ANY_EXHDR(element);
	step->hint.mask = 0;
	errno = 0;
	step->index = strtoint(number, &end, 10);
	step->indexed = end != number && *end == '\0' && errno == 0;
	pfree(number);
}

ColjPath *
colj_path_text_array(FunctionCallInfo fcinfo, int n)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(n);
	ColjPath   *known = remembered(fcinfo, (struct varlena *) array);
	ColjPath   *path;
	Datum	   *elements;
	bool	   *nulls;
	int			i;

	if (known != NULL)
		return known;
	path = make_path(fcinfo->flinfo->fn_mcxt, (struct varlena *) array,
					 ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)));
	path->has_null = array_contains_nulls(array);
	if (!path->has_null)
	{
		deconstruct_array((ArrayType *) path->source, TEXTOID, -1, false,
						  TYPALIGN_INT, &elements, &nulls, &path->n);
		for (i = 0; i < path->n; i++)
			make_text_step(&path->steps[i], DatumGetTextPP(elements[i]));
	}
	remember(fcinfo, path);
	return path;
}

static void
raise_bad_steps(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("steps must be an array of strings and integers"),
			 errhint("Write a path such as [\"key\", 0, \"key\"].")));
}

/* An element of a colj array as a step; keys point into that document. */
static void
make_chain_step(ColjStep *step, ColjDoc *doc, const ColjValue *element)
{
	if (element->kind == COLJ_STRING)
	{
		step->key = colj_bytes(doc, element);
		step->len = element->len;
		if (step->key == NULL)
			colj_raise(COLJ_CORRUPT, doc);
	}
	else if (element->kind == COLJ_INT &&
			 element->integer >= PG_INT32_MIN && element->integer <= PG_INT32_MAX)
	{
		step->index = (int32) element->integer;
		step->indexed = true;
	}
	else
		raise_bad_steps();
}

ColjPath *
colj_path_key(MemoryContext context, Datum key)
{
	struct varlena *source = (struct varlena *) DatumGetTextPP(key);
	ColjPath   *path = make_path(context, source, 1);

	path->steps[0] = (ColjStep){.key = VARDATA_ANY(path->source), .len = VARSIZE_ANY_EXHDR(path->source)};
	return path;
}

/* The steps that an unpacked colj array names. */
static ColjPath *
make_chain(MemoryContext context, const struct varlena *source)
{
	ColjPath   *path;
	ColjIter	iter;
	ColjDoc		doc;
	ColjValue	element;
	uint32		count;
	int			i;

	colj_ensure(colj_open_bytes(&doc, VARDATA_ANY(source), VARSIZE_ANY_EXHDR(source)),
				&doc);
	if (doc.root.kind != COLJ_ARRAY)
		raise_bad_steps();
	colj_ensure(colj_count(&doc, &doc.root, &count), &doc);
	if (count > MaxAllocSize / sizeof(ColjStep) / 2)
		raise_bad_steps();

	path = make_path(context, source, count);
	path->chain = true;
	colj_ensure(colj_open_bytes(&doc, VARDATA_ANY(path->source),
								VARSIZE_ANY_EXHDR(path->source)), &doc);
	colj_ensure(colj_iter_open(&doc, &doc.root, &iter), &doc);
	for (i = 0; colj_found(colj_iter_next(&iter, NULL, &element), &doc); i++)
		make_chain_step(&path->steps[i], &doc, &element);
	return path;
}

ColjPath *
colj_path_chain(MemoryContext context, Datum path)
{
	return make_chain(context, colj_unpacked(path));
}

ColjPath *
colj_path_document(FunctionCallInfo fcinfo, int n)
{
	struct varlena *source = colj_unpacked(PG_GETARG_DATUM(n));
	ColjPath   *path = remembered(fcinfo, source);

	if (path == NULL)
	{
		path = make_chain(fcinfo->flinfo->fn_mcxt, source);
		remember(fcinfo, path);
	}
	return path;
}

bool
colj_path_first_key(Datum path, const char **key, uint32 *len)
{
	struct varlena *source = colj_unpacked(path);
	ColjValue	element;
	ColjDoc		doc;

	if (colj_open_bytes(&doc, VARDATA_ANY(source), VARSIZE_ANY_EXHDR(source)) != COLJ_OK ||
		doc.root.kind != COLJ_ARRAY || colj_get_index(&doc, &doc.root, 0, &element) != COLJ_OK ||
		element.kind != COLJ_STRING)
		return false;
	*key = colj_bytes(&doc, &element);
	*len = element.len;
	return *key != NULL;
}

bool
colj_element(ColjDoc *doc, const ColjValue *value, int32 index, bool chain, ColjValue *out)
{
	int64		i = index;
	uint32		count;

	if (value->kind != COLJ_ARRAY)
	{
		*out = *value;
		return value->kind != COLJ_OBJECT && chain && (index == 0 || index == -1);
	}
	if (index < 0)
	{
		colj_ensure(colj_count(doc, value, &count), doc);
		i += count;
	}
	return i >= 0 && colj_found(colj_get_index(doc, value, (uint32) i, out), doc);
}

bool
colj_step(ColjDoc *doc, ColjStep *step, bool chain, ColjValue *value)
{
	ColjValue	from = *value;

	if (from.kind != COLJ_OBJECT)
		return step->indexed && colj_element(doc, &from, step->index, chain, value);
	return step->key != NULL &&
		colj_found(colj_get_key_hinted(doc, &from, step->key, step->len, &step->hint, value), doc);
}

bool
colj_path_find(ColjDoc *doc, ColjPath *path, ColjValue *value)
{
	int			i;

	if (path->has_null)
		return false;
	*value = doc->root;
	for (i = 0; i < path->n; i++)
	{
		if (!colj_step(doc, &path->steps[i], path->chain, value))
			return false;
	}
	return true;
}

/* colj_follow_path for a lazy document. */
static ColjDoc *
follow_lazily(ColjLazy *lazy, const Datum *path, int n, ColjDoc *local, ColjValue *value)
{
	ColjStep	steps[LAZY_STEPS];
	ColjPlace	place = {0};

	for (int i = 0; i < n; i++)
		make_text_step(&steps[i], DatumGetTextPP(path[i]));
	return colj_lazy_find(lazy, &place, steps, n, false, local, value);
}

ColjDoc *
colj_follow_path(Datum document, const Datum *path, int n, ColjDoc *local, ColjValue *value)
{
	ColjLazy   *lazy = colj_lazy(document);
	ColjStep	step;
	ColjDoc    *doc;

	if (lazy != NULL && n <= LAZY_STEPS)
		return follow_lazily(lazy, path, n, local, value);
	doc = colj_document_open(document, COLJ_NEED_PART, local);
	*value = doc->root;
	for (int i = 0; i < n; i++)
	{
		make_text_step(&step, DatumGetTextPP(path[i]));
		if (!colj_step(doc, &step, false, value))
			return NULL;
	}
	return doc;
}
