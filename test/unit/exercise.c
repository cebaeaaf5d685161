/*-------------------------------------------------------------------------
 *
 * exercise.c
 *	  Everything one can do with bytes that may be a document.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "exercise.h"

#include <string.h>

#include "format/slice.h"
#include "format/text.h"
#include "model.h"
#include "reference.h"
#include "window.h"

/* Values looked at in one document that nobody has checked. */
#define MAX_STEPS 20000

#define MAX_TEXT ((size_t) 1 << 20)

/* Deeper documents are left to what does not recurse. */
#define MAX_DEPTH 200

typedef struct Exercise
{
	Heap		heap;
	ColjDoc    *doc;
	bool		accepted;
	uint32_t	steps;
	const char *wrong;			/* first thing that was */
	ColjHint	hint;			/* for all objects and keys of the document */
} Exercise;

static void visit(Exercise *e, const ColjValue *value, unsigned depth);

static void
require(Exercise *e, bool condition, const char *what)
{
	if (!condition && e->wrong == NULL)
		e->wrong = what;
}

/* A status that a checked document never gives. */
static bool
good(Exercise *e, ColjStatus status, const char *what)
{
	if (status == COLJ_OK)
		return true;
	require(e, !e->accepted, what);
	require(e, status == COLJ_ABSENT || e->doc->problem != NULL, "a failure without a problem");
	return false;
}

static bool
same_place(const ColjValue *a, const ColjValue *b)
{
	return a->kind == b->kind && a->off == b->off && a->len == b->len
		&& a->integer == b->integer && a->scale == b->scale;
}

/* What iteration found, found again by index and by key. */
static void
find_again(Exercise *e, const ColjContainer *c, const ColjValue *container, uint32_t i,
		   const ColjKey *key, const ColjValue *child)
{
	ColjValue	other;
	uint32_t	at;

	if (good(e, colj_container_child(c, i, &other), "a child by index"))
		require(e, !e->accepted || same_place(child, &other), "index and iteration differ");
	if (container->kind != COLJ_OBJECT)
		return;
	if (good(e, colj_container_find(c, key->bytes, key->len, &at), "a key found again"))
		require(e, !e->accepted || at == i, "a key is found elsewhere");
	if (good(e, colj_get_key(e->doc, container, key->bytes, key->len, &other), "a key's value"))
		require(e, !e->accepted || same_place(child, &other), "key and iteration differ");
	for (int twice = 0; twice < 2; twice++)
		if (good(e, colj_get_key_hinted(e->doc, container, key->bytes, key->len, &e->hint, &other),
				 "a key's value, with a hint"))
			require(e, !e->accepted || same_place(child, &other), "hint and iteration differ");
}

/* Lookups that find nothing in most documents. */
static void
look_for_others(Exercise *e, const ColjValue *container, const ColjContainer *c)
{
	static const char *const keys[] = {"", "a", "id", "name", "a key that is longer than most"};
	ColjValue	out;
	size_t		i;

	for (i = 0; i < 5 && c->kind == COLJ_OBJECT; i++)
		if (colj_get_key(e->doc, container, keys[i], (uint32_t) strlen(keys[i]), &out)
			== COLJ_CORRUPT)
			require(e, !e->accepted, "a lookup");
	for (i = 0; i < 5 && c->kind == COLJ_OBJECT; i++)
		require(e, !e->accepted ||
				colj_get_key(e->doc, container, keys[i], (uint32_t) strlen(keys[i]), &out) ==
				colj_get_key_hinted(e->doc, container, keys[i], (uint32_t) strlen(keys[i]), &e->hint, &out),
				"a lookup with a hint");
	require(e, colj_container_child(c, c->n, &out) == COLJ_ABSENT, "a child beyond the last");
	if (c->n > 1 && colj_container_child(c, c->n - 1, &out) != COLJ_OK)
		require(e, !e->accepted, "the last child");
}

/* The other ways to walk over a container give what this one gives. */
static void
walk_beside(Exercise *e, ColjIter *values, ColjIter *kinds, const ColjValue *child)
{
	ColjValue	value;
	ColjValue	kind;

	if (!good(e, colj_iter_value(values, &value), "colj_iter_value") ||
		!good(e, colj_iter_kind(kinds, &kind), "colj_iter_kind"))
		return;
	require(e, value.kind == child->kind && value.off == child->off && value.len == child->len &&
			value.scale == child->scale && value.integer == child->integer && value.shaped == child->shaped, "a value without its key");
	require(e, kind.kind == child->kind, "a kind");
	if (child->kind >= COLJ_ARRAY)
		require(e, !e->accepted || (kind.off == child->off && kind.len == child->len && kind.shaped == child->shaped),
				"a container whose neighbours were not looked at");
}

static void
visit_container(Exercise *e, const ColjValue *value, unsigned depth)
{
	ColjContainer c;
	ColjIter	iter;
	ColjIter	values;
	ColjIter	kinds;
	ColjKey		key = {"", 0};
	ColjValue	child;
	ColjStatus	status;
	uint32_t	n;
	uint32_t	i;

	if (!good(e, colj_count(e->doc, value, &n), "colj_count")
		|| !good(e, colj_container_open(e->doc, value, &c), "colj_container_open")
		|| !good(e, colj_iter_open(e->doc, value, &iter), "colj_iter_open"))
		return;
	require(e, n == c.n, "two counts");
	values = kinds = iter;
	look_for_others(e, value, &c);
	for (i = 0; e->steps < MAX_STEPS; i++)
	{
		status = colj_iter_next(&iter, &key, &child);
		if (status == COLJ_ABSENT)
			break;
		if (!good(e, status, "colj_iter_next"))
			return;
		find_again(e, &c, value, i, &key, &child);
		walk_beside(e, &values, &kinds, &child);
		visit(e, &child, depth + 1);
	}
	require(e, e->steps >= MAX_STEPS || i == n, "fewer children than counted");
}

/* Take a part out as a document; it must be one if the whole was. */
static void
visit_slice(Exercise *e, const ColjValue *value)
{
	ColjSlice	slice;
	uint8_t    *out;
	ColjDoc		doc;

	if (colj_slice_size(&slice, e->doc, value) != COLJ_OK || slice.size > 2000)
		return;
	out = heap_lend(&e->heap, slice.size);
	if (!good(e, colj_slice_write(&slice, out), "colj_slice_write"))
		return;
	require(e, !e->accepted || (colj_open_bytes(&doc, out, slice.size) == COLJ_OK
								&& colj_check_document(&doc, &e->heap.host) == COLJ_OK),
			"a slice is no document");
}

static void
visit(Exercise *e, const ColjValue *value, unsigned depth)
{
	const char *bytes;
	volatile char last;

	if (++e->steps > MAX_STEPS || depth > MAX_DEPTH)
		return;
	if (depth < 3)
		visit_slice(e, value);
	if (value->kind >= COLJ_ARRAY)
		visit_container(e, value, depth);
	else if (value->kind == COLJ_STRING || value->kind == COLJ_BIGNUM)
	{
		bytes = colj_bytes(e->doc, value);
		require(e, bytes != NULL || !e->accepted, "colj_bytes");
		if (bytes != NULL && value->len > 0)
			last = bytes[value->len - 1];
		(void) last;
	}
}

static void
exercise_print(Exercise *e)
{
	ColjText	text = {.host = &e->heap.host, .max = MAX_TEXT, .bignum = heap_print_bignum};
	ColjStatus	status = colj_print(&text, e->doc, &e->doc->root);

	if (status != COLJ_TOO_LARGE)
		good(e, status, "colj_print");
	if (text.data != NULL)
		e->heap.host.resize(&e->heap, text.data, 0);
}

/* Rebuild at another stride; of a checked document, the copy is one too. */
static void
exercise_copy(Exercise *e)
{
	ColjBuilder b;
	ColjDoc		doc;
	uint32_t	size;
	uint8_t    *out;

	colj_builder_init(&b, &e->heap.host);
	if (good(e, colj_builder_copy(&b, e->doc, &e->doc->root), "colj_builder_copy")
		&& good(e, colj_builder_finish(&b, 1 + e->doc->size % 256, &size), "colj_builder_finish"))
	{
		out = heap_lend(&e->heap, size);
		colj_builder_write(&b, out);
		require(e, colj_open_bytes(&doc, out, size) == COLJ_OK, "a copy does not open");
		require(e, !e->accepted || colj_check_document(&doc, &e->heap.host) == COLJ_OK,
				"a copy is no document");
	}
	colj_builder_free(&b);
}

static void
exercise_reference(Exercise *e, const uint8_t *bytes, uint32_t size)
{
	Model	   *expected;
	Model	   *read;
	const char *why;

	switch (reference_decode(&e->heap, bytes, size, &expected, &why))
	{
		case REFERENCE_INVALID:
			require(e, !e->accepted, why);
			break;
		case REFERENCE_VALID:
			require(e, e->accepted, "refused, but valid by the README");
			if (!e->accepted)
				break;
			read = model_read(&e->heap, e->doc, &e->doc->root);
			require(e, read != NULL && model_equal(read, expected), "read differently");
			if (read != NULL && e->steps < MAX_STEPS && size < 2000)
				require(e, model_probe(e->doc, &e->doc->root, expected) == NULL, "a probe");
			break;
		case REFERENCE_UNKNOWN:
			break;
	}
}

/* All readers on a document, which the checker accepts or not. */
static void
exercise_document(Exercise *e, ColjDoc *doc)
{
	e->doc = doc;
	e->steps = 0;
	e->accepted = colj_check_document(doc, &e->heap.host) == COLJ_OK;
	require(e, e->accepted || doc->problem != NULL, "refused without a problem");
	visit(e, &doc->root, 0);
	exercise_print(e);
	exercise_copy(e);
}

/* The same through a window that shows only what was fetched. */
static void
exercise_window(Exercise *e, const uint8_t *bytes, uint32_t size)
{
	bool		accepted = e->accepted;
	Window		window;

	window_open(&window, bytes, size, 8, size % 3 * 8, WINDOW_PIECES, 0xEE);
	if (colj_open(&window.doc) == COLJ_OK)
		exercise_document(e, &window.doc);
	require(e, e->accepted == accepted, "another verdict through a window");
	require(e, !window.outside, "a fetch beyond the end");
	window_close(&window);
}

const char *
exercise_bytes(const uint8_t *bytes, uint32_t size, bool *accepted)
{
	Exercise	e;
	ColjDoc		doc;
	ColjStatus	status;

	memset(&e, 0, sizeof(e));
	heap_open(&e.heap);
	status = colj_open_bytes(&doc, bytes, size);
	if (status == COLJ_OK)
		exercise_document(&e, &doc);
	require(&e, status == COLJ_OK || doc.problem != NULL, "not opened without a problem");
	exercise_reference(&e, bytes, size);
	exercise_window(&e, bytes, size);
	require(&e, heap_close(&e.heap) == 0, "memory not freed");
	if (accepted != NULL)
		*accepted = e.accepted;
	return e.wrong;
}
