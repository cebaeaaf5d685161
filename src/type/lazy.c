/*-------------------------------------------------------------------------
 *
 * lazy.c
 *	  Documents in stripes that are not put together until they must be.
 *
 * A path's keys are looked up among the stripe's paths once for each vector,
 * as far as there are columns.  Then a row's value is an array access.  What is
 * not in a column of its own (a rare key, a value of another type, something in
 * an array) is found in the small document that the row has instead: in the
 * last column on the way, or in the residual.
 *
 * Putting together uses a builder of its own, as the backend's (value.c) may
 * be in use by the function whose argument is being detoasted.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "guc.h"
#include "type/context_host.h"
#include "type/lazy.h"
#include "type/value.h"

/* Bytes of builder memory kept for the next document. */
#define BUILDER_KEEP (1024 * 1024)

/* So many texts of one vector are copied before all of them are made. */
#define LOOKS_FOR_TEXTS 16

static Size lazy_flat_size(ExpandedObjectHeader *header);
static void lazy_flatten(ExpandedObjectHeader *header, void *result, Size size);

const ExpandedObjectMethods colj_lazy_methods = {lazy_flat_size, lazy_flatten};

static MemoryContext builder_context;
static ColjBuilder builder;

static void *
builder_resize(void *arg, void *old, size_t size)
{
	(void) arg;
	return colj_context_resize(builder_context, old, size);
}

static const ColjHost builder_host = {builder_resize, colj_poll_interrupts, NULL, NULL};

static ColjBuilder *
begin_build(void)
{
	if (builder_context == NULL)
	{
		builder_context = AllocSetContextCreate(TopMemoryContext, "colj lazy documents", ALLOCSET_DEFAULT_SIZES);
		colj_builder_init(&builder, &builder_host);
	}
	colj_builder_reset(&builder);
	return &builder;
}

void
colj_lazy_release(void)
{
	if (builder_context == NULL)
		return;
	MemoryContextDelete(builder_context);
	builder_context = NULL;
}

static void
ensure(const ColjLazy *lazy, ColjStatus status)
{
	if (unlikely(status != COLJ_OK))
		lazy->raise(lazy, status);
}

/*
 * What is at a path of the row, as a colj in a memory context; NULL for nothing.
 * If keys are wanted, it has only these.
 */
static struct varlena *
put_together(ColjLazy *lazy, uint32 path, const ColjWanted *wanted, MemoryContext context)
{
	ColjBuilder *b = begin_build();
	ColjStatus	status = wanted == NULL ? colj_stripe_assemble(lazy->stripe, path, lazy->row, b)
	: colj_stripe_assemble_keys(lazy->stripe, path, lazy->row, wanted, b);
	struct varlena *result;
	uint32_t	size;

	if (status == COLJ_ABSENT)
		return NULL;
	ensure(lazy, status);
	ensure(lazy, colj_builder_finish(b, colj_offset_stride, &size));
	if (size > MaxAllocSize - VARHDRSZ)
		colj_raise(COLJ_TOO_LARGE, NULL);
	result = MemoryContextAlloc(context, size + VARHDRSZ);
	SET_VARSIZE(result, size + VARHDRSZ);
	colj_builder_write(b, (uint8_t *) VARDATA(result));
	if (colj_builder_memory(b) > BUILDER_KEEP)
		colj_lazy_release();
	return result;
}

void
colj_lazy_init(ColjLazy *lazy, MemoryContext context)
{
	EOH_init_header(&lazy->header, &colj_lazy_methods, context);
	lazy->wanted = NULL;
	colj_lazy_forget(lazy);
}

/* The document, with the wanted keys or all. */
static struct varlena *
put_root_together(ColjLazy *lazy, const ColjWanted *wanted)
{
	struct varlena *result;
	MemoryContext old;

	*lazy->made = true;

	/* a sort's context, in which core copies values, takes no pfree */
	old = MemoryContextSwitchTo(lazy->header.eoh_context);
	result = put_together(lazy, lazy->root, wanted, lazy->header.eoh_context);
	MemoryContextSwitchTo(old);
	if (result == NULL)
		lazy->raise(lazy, COLJ_CORRUPT);
	return result;
}

struct varlena *
colj_lazy_whole(ColjLazy *lazy)
{
	if (lazy->whole == NULL)
		lazy->whole = put_root_together(lazy, NULL);
	return lazy->whole;
}

/* What core copies. */
static struct varlena *
flat(ColjLazy *lazy)
{
	if (lazy->wanted == NULL)
		return colj_lazy_whole(lazy);
	if (lazy->part == NULL)
		lazy->part = put_root_together(lazy, lazy->wanted);
	return lazy->part;
}

static Size
lazy_flat_size(ExpandedObjectHeader *header)
{
	return VARSIZE(flat((ColjLazy *) header));
}

static void
lazy_flatten(ExpandedObjectHeader *header, void *result, Size size)
{
	struct varlena *whole = flat((ColjLazy *) header);

	Assert(size == VARSIZE(whole));
	memcpy(result, whole, size);
}

/* Has any row of a vector a value of a path in its residual? */
static bool
some_elsewhere(const ColjLazy *lazy, uint32 path, uint32 vector)
{
	return colj_stripe_counts(lazy->stripe, path, vector)[COLJ_IS_ELSEWHERE] > 0;
}

/* Find the last column on the way, for the rows of the vector at hand. */
static void
enter_vector(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n)
{
	uint32		vector_rows = colj_stripe_vector_rows(lazy->stripe);
	uint32		path = lazy->root;
	const ColjPathInfo *info = colj_stripe_path(lazy->stripe, path);

	place->epoch = 0;
	place->root = lazy->root;
	place->vector = lazy->row / vector_rows;
	place->first = place->vector * vector_rows;
	place->rows = Min(vector_rows, colj_stripe_rows(lazy->stripe) - place->first);
	place->beside = place->nothing = false;
	place->looks = 0;
	place->texts.data = NULL;
	for (place->taken = 0; place->taken < n && info->type == COLJ_PATH_OBJECT; place->taken++)
	{
		const ColjStep *step = &steps[place->taken];
		uint32		child = step->key == NULL ? COLJ_NO_PATH
		: colj_stripe_find(lazy->stripe, path, step->key, step->len);

		if (child == COLJ_NO_PATH)
		{
			place->nothing = info->complete;
			break;
		}
		place->beside |= some_elsewhere(lazy, path, place->vector);
		path = child;
		info = colj_stripe_path(lazy->stripe, path);
	}
	place->path = path;
	place->type = info->type;
	place->nothing &= !place->beside;
	if (!place->nothing)
		ensure(lazy, colj_stripe_vector(lazy->stripe, path, place->vector, &place->entries));
	place->epoch = colj_stripe_epoch(lazy->stripe);
}

/* A document for a value that is not in one: its bytes, if it has any. */
static ColjDoc *
bare_document(ColjDoc *local, const char *bytes, uint32 len)
{
	local->data = (const uint8_t *) bytes;
	local->avail = local->size = len;
	local->fetch = NULL;
	local->stride = colj_offset_stride;
	local->nshapes = 0;
	local->problem = NULL;
	return local;
}

static ColjDoc *
scalar_value(const ColjPlace *place, uint32 i, ColjDoc *local, ColjValue *value)
{
	const ColjPathVector *entries = place->entries;
	const char *bytes = "";

	memset(value, 0, sizeof(*value));
	if (entries->presence[i] == COLJ_IS_NULL)
		value->kind = COLJ_NULL;
	else if (place->type == COLJ_PATH_STRING)
	{
		uint32		start = i > 0 ? entries->strings.ends[i - 1] : 0;

		value->kind = COLJ_STRING;
		bytes = entries->strings.data + start;
		value->len = entries->strings.ends[i] - start;
	}
	else if (place->type == COLJ_PATH_BOOL)
	{
		value->kind = COLJ_BOOL;
		value->integer = entries->ints[i] != 0;
	}
	else
	{
		value->kind = entries->scales[i] > 0 ? COLJ_DECIMAL : COLJ_INT;
		value->integer = entries->ints[i];
		value->scale = entries->scales[i];
	}
	return bare_document(local, bytes, value->len);
}

/* Open a document that the stripe has checked to be one, or not. */
static ColjDoc *
open_part(const ColjLazy *lazy, const char *bytes, uint32 len, ColjDoc *local, ColjValue *value)
{
	ColjStatus	status = colj_open_bytes(local, bytes, len);

	ensure(lazy, status == COLJ_OK ? status : COLJ_CORRUPT);
	*value = local->root;
	return local;
}

/* Put together the object that the path is, to be found in it or to be given back. */
static ColjDoc *
open_object(ColjLazy *lazy, uint32 path, ColjDoc *local, ColjValue *value)
{
	struct varlena *part = path == lazy->root ? colj_lazy_whole(lazy)
	: put_together(lazy, path, NULL, CurrentMemoryContext);

	if (part == NULL)
		return NULL;
	return open_part(lazy, VARDATA(part), VARSIZE(part) - VARHDRSZ, local, value);
}

/* What the row's residual has at the path. */
static ColjDoc *
open_residual(const ColjLazy *lazy, uint32 path, ColjDoc *local, ColjValue *value)
{
	ColjStatus	status = colj_stripe_residual(lazy->stripe, path, lazy->row, local, value);

	if (status == COLJ_ABSENT)
		return NULL;
	ensure(lazy, status);
	return local;
}

/* The value at the end of the columns, or the document in which to go on from there. */
static ColjDoc *
value_here(ColjLazy *lazy, const ColjPlace *place, uint32 i, int n, ColjDoc *local, ColjValue *value)
{
	const ColjPathVector *entries = place->entries;
	uint32		start;

	if (entries->presence[i] == COLJ_IS_ELSEWHERE)
		return open_residual(lazy, place->path, local, value);
	if (entries->presence[i] == COLJ_IS_VALUE && place->type == COLJ_PATH_OBJECT)
	{
		/* a key that has no column can only be in the residual */
		if (place->taken < n)
			return open_residual(lazy, place->path, local, value);
		return open_object(lazy, place->path, local, value);
	}
	if (entries->presence[i] == COLJ_IS_VALUE && place->type == COLJ_PATH_DOCUMENT)
	{
		start = i > 0 ? entries->strings.ends[i - 1] : 0;
		return open_part(lazy, entries->strings.data + start, entries->strings.ends[i] - start, local, value);
	}
	return scalar_value(place, i, local, value);
}

/* Make sure that the place is that of the row. */
static inline void
settle(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n)
{
	if (unlikely(place->epoch != colj_stripe_epoch(lazy->stripe) || place->root != lazy->root ||
				 lazy->row - place->first >= place->rows))
		enter_vector(lazy, place, steps, n);
}

static inline ColjDoc *
find(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n, bool chain,
	 ColjDoc *local, ColjValue *value)
{
	ColjDoc    *doc;
	uint32		i;
	int			taken;

	settle(lazy, place, steps, n);
	if (place->nothing)
		return NULL;
	i = lazy->row - place->first;
	taken = place->taken;
	if (likely(place->entries->presence[i] != COLJ_IS_ABSENT))
		doc = value_here(lazy, place, i, n, local, value);
	else if (!place->beside)
		return NULL;
	else
	{
		doc = open_object(lazy, lazy->root, local, value);
		taken = 0;
	}
	for (; doc != NULL && taken < n; taken++)
		if (!colj_step(doc, &steps[taken], chain, value))
			return NULL;
	return doc;
}

ColjDoc *
colj_lazy_find(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n, bool chain,
			   ColjDoc *local, ColjValue *value)
{
	return find(lazy, place, steps, n, chain, local, value);
}

bool
colj_lazy_place(ColjLazy *lazy, ColjPlace *place, ColjPath *path)
{
	settle(lazy, place, path->steps, path->n);
	return place->nothing || place->taken == path->n;
}

ColjKeyMemo *
colj_make_key_memo(FmgrInfo *flinfo)
{
	ColjKeyMemo *kept = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(ColjKeyMemo));

	kept->constant = get_fn_expr_arg_stable(flinfo, 1);
	flinfo->fn_extra = kept;
	return kept;
}

/* The place that is kept for the key; NULL if none can be. */
static inline ColjPlace *
key_place(FunctionCallInfo fcinfo, const char *key, uint32 len)
{
	ColjKeyMemo *kept = colj_key_memo(fcinfo);

	if (kept == NULL || len > COLJ_KEY_MEMO_MAX)
		return NULL;
	if (kept->place.epoch == 0 ||
		(!kept->constant && (kept->len != len || memcmp(kept->key, key, len) != 0)))
	{
		kept->place.epoch = 0;
		kept->len = len;
		memcpy(kept->key, key, len);
	}
	return &kept->place;
}

ColjDoc *
colj_lazy_find_key(ColjLazy *lazy, FunctionCallInfo fcinfo, const char *key, uint32 len,
				   ColjDoc *local, ColjValue *value)
{
	ColjStep	step = {.key = key, .len = len};
	ColjPlace	forgotten = {0};
	ColjPlace  *place = key_place(fcinfo, key, len);

	return find(lazy, place != NULL ? place : &forgotten, &step, 1, false, local, value);
}

ColjStatus
colj_vector_texts(ColjStripe *stripe, uint32 path, uint32 vector, ColjSpaced *texts)
{
	const ColjPathVector *entries;
	bool		fresh;
	ColjStatus	status = colj_stripe_vector(stripe, path, vector, &entries);

	StaticAssertStmt(COLJ_SPACE == VARHDRSZ && COLJ_SPACE == sizeof(uint32),
					 "a header must fit before a spaced text");
	if (status == COLJ_OK)
		status = colj_stripe_spaced(stripe, path, vector, texts, &fresh);
	for (uint32 i = 0; status == COLJ_OK && fresh && i < entries->n; i++)
	{
		char	   *header = texts->data + texts->starts[i];

		SET_VARSIZE(header, VARHDRSZ + *(uint32 *) header);
	}
	return status;
}

/* Are there texts of the whole vector?  They are made when it is worth it. */
static inline bool
has_texts(ColjLazy *lazy, ColjPlace *place)
{
	if (likely(place->texts.data != NULL))
		return true;
	if ((place->type != COLJ_PATH_STRING && place->type != COLJ_PATH_INT) || ++place->looks <= LOOKS_FOR_TEXTS)
		return false;
	/* it has turned out that many are asked for */
	ensure(lazy, colj_vector_texts(lazy->stripe, place->path, place->vector, &place->texts));
	return true;
}

/* Make the text that is asked for; apart, so that the usual way has a small frame. */
static pg_noinline text *
make_text(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n, bool chain)
{
	ColjDoc		local;
	ColjValue	value;
	ColjDoc    *doc = find(lazy, place, steps, n, chain, &local, &value);

	return doc == NULL ? NULL : colj_value_text(doc, &value);
}

static inline text *
find_text(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n, bool chain)
{
	settle(lazy, place, steps, n);
	if (place->taken == n && !place->nothing &&
		place->entries->presence[lazy->row - place->first] == COLJ_IS_VALUE && has_texts(lazy, place))
		return (text *) (place->texts.data + place->texts.starts[lazy->row - place->first]);
	return make_text(lazy, place, steps, n, chain);
}

text *
colj_lazy_text(ColjLazy *lazy, ColjPlace *place, ColjStep *steps, int n, bool chain)
{
	return find_text(lazy, place, steps, n, chain);
}

text *
colj_lazy_key_text(ColjLazy *lazy, FunctionCallInfo fcinfo, const char *key, uint32 len)
{
	ColjStep	step = {.key = key, .len = len};
	ColjPlace  *place = key_place(fcinfo, key, len);

	if (unlikely(place == NULL))
	{
		ColjPlace	forgotten = {0};

		return make_text(lazy, &forgotten, &step, 1, false);
	}
	return find_text(lazy, place, &step, 1, false);
}

bool
colj_lazy_is_object(ColjLazy *lazy)
{
	uint32		vector_rows = colj_stripe_vector_rows(lazy->stripe);
	const ColjPathVector *entries;

	ensure(lazy, colj_stripe_vector(lazy->stripe, lazy->root, lazy->row / vector_rows, &entries));
	return colj_stripe_path(lazy->stripe, lazy->root)->type == COLJ_PATH_OBJECT &&
		entries->presence[lazy->row % vector_rows] == COLJ_IS_VALUE;
}
