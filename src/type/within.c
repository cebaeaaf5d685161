/*-------------------------------------------------------------------------
 *
 * within.c
 *	  @> and <@ for a lazy document: only what the template has is looked up.
 *
 * An object contains a template if it has what stands at each end of the
 * template's tree of objects.  These ends are paths, which colj_lazy_find
 * follows; if it finds something below a key, there was an object.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/compare.h"
#include "type/lazy.h"

/* Ends whose places are remembered, and keys that lead to one. */
#define PLACES 16
#define DEPTH 32

typedef struct Kept
{
	bool		constant;		/* the template, for as long as this lives */
	ColjPlace	places[PLACES];
} Kept;

typedef struct Search
{
	ColjLazy   *lazy;
	ColjDoc    *tmpl;
	Kept	   *kept;			/* NULL: nothing can be remembered */
	int			end;			/* which of the ends comes next */
	int			depth;
	ColjStep	steps[DEPTH];	/* that lead to the object at hand */
} Search;

static Kept *
make_kept(FunctionCallInfo fcinfo, int template_arg)
{
	Kept	   *kept;

	if (fcinfo->flinfo == NULL)
		return NULL;
	kept = fcinfo->flinfo->fn_extra;
	if (kept == NULL)
	{
		kept = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Kept));
		kept->constant = get_fn_expr_arg_stable(fcinfo->flinfo, template_arg);
		fcinfo->flinfo->fn_extra = kept;
	}
	return kept->constant ? kept : NULL;
}

static bool
end_is_within(Search *s, const ColjValue *wanted)
{
	ColjPlace	forgotten = {0};
	bool		remember = s->kept != NULL && s->end < PLACES;
	ColjPlace  *place = remember ? &s->kept->places[s->end++] : &forgotten;
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc = colj_lazy_find(s->lazy, place, s->steps, s->depth, false, &local, &value);

	return doc != NULL && colj_value_contains(doc, &value, s->tmpl, wanted);
}

static bool
is_empty(ColjDoc *doc, const ColjValue *container)
{
	uint32		n;

	colj_ensure(colj_count(doc, container, &n), doc);
	return n == 0;
}

/* Is all that an object of the template has in the document? */
static bool
keys_are_within(Search *s, const ColjValue *object)
{
	ColjIter	iter;
	ColjKey		key;
	ColjValue	wanted;
	bool		result = true;

	colj_ensure(colj_iter_open(s->tmpl, object, &iter), s->tmpl);
	while (result && colj_found(colj_iter_next(&iter, &key, &wanted), s->tmpl))
	{
		CHECK_FOR_INTERRUPTS();
		s->steps[s->depth++] = (ColjStep){.key = key.bytes, .len = key.len};
		if (wanted.kind == COLJ_OBJECT && s->depth < DEPTH && !is_empty(s->tmpl, &wanted))
			result = keys_are_within(s, &wanted);
		else
			result = end_is_within(s, &wanted);
		s->depth--;
	}
	return result;
}

bool
colj_lazy_contains(FunctionCallInfo fcinfo, ColjLazy *lazy, int template_arg, bool *result)
{
	ColjDoc		local;
	Search		s;

	s.tmpl = COLJ_GETARG(template_arg, COLJ_NEED_ALL, &local);
	if (s.tmpl->root.kind != COLJ_OBJECT || is_empty(s.tmpl, &s.tmpl->root))
		return false;
	s.lazy = lazy;
	s.kept = make_kept(fcinfo, template_arg);
	s.end = s.depth = 0;
	*result = keys_are_within(&s, &s.tmpl->root);
	return true;
}
