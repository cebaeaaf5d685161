/*-------------------------------------------------------------------------
 *
 * contains.c
 *	  @> and <@: is one document contained in another?
 *
 * As for jsonb: an object contains the objects whose keys it has with values
 * that it contains; an array contains the arrays whose every element is equal
 * to, or contained in, one of its own, in any order and number; scalars
 * contain their equals.  At the root an array also contains a bare scalar
 * that is one of its elements, but a scalar contains no array.
 *
 * The container is read in place: an object's key by lookup, so of a document
 * that is stored out of line only the parts asked for are fetched.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "type/compare.h"
#include "type/lazy.h"

PG_FUNCTION_INFO_V1(colj_contains);
PG_FUNCTION_INFO_V1(colj_contained);

/*
 * What one level of nesting needs.  Levels live in a chain that grows with
 * the depth reached and is used again and again, so that the recursion costs
 * little stack: whatever jsonb can compare before max_stack_depth, so can we.
 */
typedef struct Level Level;
struct Level
{
	ColjDoc    *doc;
	ColjDoc    *tdoc;			/* the template's */
	ColjIter	titer;			/* over a container of the template */
	ColjValue	wanted;			/* its current child */
	ColjIter	iter;			/* array: over the elements that may match */
	ColjValue	value;			/* the candidate for wanted */
	Level	   *inner;
};

static bool contains_value(Level *level, const ColjValue *value, const ColjValue *tmpl);

/* The level below, made on first use. */
static Level *
descend(Level *level)
{
	check_stack_depth();
	if (level->inner == NULL)
	{
		level->inner = palloc(sizeof(Level));
		level->inner->doc = level->doc;
		level->inner->tdoc = level->tdoc;
		level->inner->inner = NULL;
	}
	return level->inner;
}

/* Does one of the array's elements contain the wanted value? */
static bool
has_wanted(Level *level, const ColjValue *array)
{
	colj_ensure(colj_iter_open(level->doc, array, &level->iter), level->doc);
	while (colj_found(colj_iter_next(&level->iter, NULL, &level->value), level->doc))
	{
		CHECK_FOR_INTERRUPTS();
		if (contains_value(level, &level->value, &level->wanted))
			return true;
	}
	return false;
}

static bool
contains_array(Level *level, const ColjValue *array, const ColjValue *tmpl)
{
	colj_ensure(colj_iter_open(level->tdoc, tmpl, &level->titer), level->tdoc);
	while (colj_found(colj_iter_next(&level->titer, NULL, &level->wanted), level->tdoc))
	{
		if (!has_wanted(level, array))
			return false;
	}
	return true;
}

static bool
contains_object(Level *level, const ColjValue *object, const ColjValue *tmpl)
{
	ColjKey		key;
	uint32		n;

	colj_ensure(colj_count(level->doc, object, &n), level->doc);
	colj_ensure(colj_iter_open(level->tdoc, tmpl, &level->titer), level->tdoc);
	if (n < level->titer.c.n)
		return false;
	while (colj_found(colj_iter_next(&level->titer, &key, &level->wanted), level->tdoc))
	{
		CHECK_FOR_INTERRUPTS();
		if (!colj_found(colj_get_key(level->doc, object, key.bytes, key.len, &level->value),
						level->doc) ||
			!contains_value(level, &level->value, &level->wanted))
			return false;
	}
	return true;
}

/* The recursion: scalars are compared here, containers one level down. */
static bool
contains_value(Level *level, const ColjValue *value, const ColjValue *tmpl)
{
	if (!colj_is_container(tmpl))
		return colj_equal_scalars(level->doc, value, level->tdoc, tmpl);
	if (value->kind != tmpl->kind)
		return false;
	if (tmpl->kind == COLJ_OBJECT)
		return contains_object(descend(level), value, tmpl);
	return contains_array(descend(level), value, tmpl);
}

static void
free_levels(Level *outer)
{
	while (outer->inner != NULL)
	{
		Level	   *inner = outer->inner;

		outer->inner = inner->inner;
		pfree(inner);
	}
}

bool
colj_value_contains(ColjDoc *doc, const ColjValue *value, ColjDoc *tdoc, const ColjValue *tmpl)
{
	Level		outer = {.doc = doc, .tdoc = tdoc};
	bool		result = contains_value(&outer, value, tmpl);

	free_levels(&outer);
	return result;
}

static bool
contains_document(ColjDoc *doc, ColjDoc *tmpl)
{
	Level		outer = {.doc = doc, .tdoc = tmpl, .wanted = tmpl->root};
	bool		result;

	if (doc->root.kind == COLJ_ARRAY && !colj_is_container(&tmpl->root))
		result = has_wanted(&outer, &doc->root);
	else
		result = contains_value(&outer, &doc->root, &tmpl->root);
	free_levels(&outer);
	return result;
}

/* The document of argument doc_arg contains that of argument template_arg. */
static bool
contains(FunctionCallInfo fcinfo, int doc_arg, int template_arg)
{
	ColjLazy   *lazy = colj_lazy(PG_GETARG_DATUM(doc_arg));
	ColjDoc		local;
	ColjDoc		tlocal;
	ColjDoc    *doc;
	bool		result;

	if (lazy != NULL && colj_lazy_contains(fcinfo, lazy, template_arg, &result))
		return result;
	doc = COLJ_GETARG(doc_arg, COLJ_NEED_PART, &local);
	return contains_document(doc, COLJ_GETARG(template_arg, COLJ_NEED_ALL, &tlocal));
}

Datum
colj_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains(fcinfo, 0, 1));
}

/* Commutator of colj_contains. */
Datum
colj_contained(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains(fcinfo, 1, 0));
}
