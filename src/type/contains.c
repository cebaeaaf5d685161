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

#include "compare.h"

PG_FUNCTION_INFO_V1(colj_contains);
PG_FUNCTION_INFO_V1(colj_contained);

static bool contains_value(ColjDoc *doc, const ColjValue *value,
						   ColjDoc *tdoc, const ColjValue *tmpl);

/* Is a value of the template contained in one of the array's elements? */
static bool
has_element(ColjDoc *doc, const ColjValue *array, ColjDoc *tdoc, const ColjValue *tmpl)
{
	ColjIter	iter;
	ColjValue	element;

	colj_ensure(colj_iter_open(doc, array, &iter), doc);
	while (colj_found(colj_iter_next(&iter, NULL, &element), doc))
	{
		CHECK_FOR_INTERRUPTS();
		if (contains_value(doc, &element, tdoc, tmpl))
			return true;
	}
	return false;
}

static bool
contains_array(ColjDoc *doc, const ColjValue *array, ColjDoc *tdoc, const ColjValue *tmpl)
{
	ColjIter	iter;
	ColjValue	wanted;

	colj_ensure(colj_iter_open(tdoc, tmpl, &iter), tdoc);
	while (colj_found(colj_iter_next(&iter, NULL, &wanted), tdoc))
	{
		if (!has_element(doc, array, tdoc, &wanted))
			return false;
	}
	return true;
}

static bool
contains_object(ColjDoc *doc, const ColjValue *object, ColjDoc *tdoc, const ColjValue *tmpl)
{
	ColjContainer c;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	wanted;
	ColjValue	value;
	uint32		i;

	colj_ensure(colj_container_open(doc, object, &c), doc);
	colj_ensure(colj_iter_open(tdoc, tmpl, &iter), tdoc);
	if (c.n < iter.c.n)
		return false;
	while (colj_found(colj_iter_next(&iter, &key, &wanted), tdoc))
	{
		CHECK_FOR_INTERRUPTS();
		if (!colj_found(colj_container_find(&c, key.bytes, key.len, &i), doc))
			return false;
		colj_ensure(colj_container_child(&c, i, &value), doc);
		if (!contains_value(doc, &value, tdoc, &wanted))
			return false;
	}
	return true;
}

/* The recursion.  Scalars are compared here, containers one level down. */
static bool
contains_value(ColjDoc *doc, const ColjValue *value, ColjDoc *tdoc, const ColjValue *tmpl)
{
	if (!colj_is_container(tmpl))
		return colj_equal_scalars(doc, value, tdoc, tmpl);
	if (value->kind != tmpl->kind)
		return false;
	check_stack_depth();
	if (tmpl->kind == COLJ_OBJECT)
		return contains_object(doc, value, tdoc, tmpl);
	return contains_array(doc, value, tdoc, tmpl);
}

static bool
contains_document(ColjDoc *doc, ColjDoc *tmpl)
{
	if (doc->root.kind == COLJ_ARRAY && !colj_is_container(&tmpl->root))
		return has_element(doc, &doc->root, tmpl, &tmpl->root);
	return contains_value(doc, &doc->root, tmpl, &tmpl->root);
}

Datum
colj_contains(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc		tlocal;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_PART, &local);
	ColjDoc    *tmpl = COLJ_GETARG(1, COLJ_NEED_ALL, &tlocal);

	PG_RETURN_BOOL(contains_document(doc, tmpl));
}

/* Commutator of colj_contains. */
Datum
colj_contained(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc		tlocal;
	ColjDoc    *doc = COLJ_GETARG(1, COLJ_NEED_PART, &local);
	ColjDoc    *tmpl = COLJ_GETARG(0, COLJ_NEED_ALL, &tlocal);

	PG_RETURN_BOOL(contains_document(doc, tmpl));
}
