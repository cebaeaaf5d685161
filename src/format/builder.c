/*-------------------------------------------------------------------------
 *
 * builder.c
 *	  The tree of a document while it is made: pushing and sorting.
 *
 * Children of open containers wait in `pending`; when a container ends they
 * move, sorted, into `nodes`, where each container's children are neighbours,
 * and a box describes the container.  Boxes come to stand after the boxes of
 * their children: going forward measures children before parents, going
 * backward (write.c) places parents before children.  Nothing recurses, so
 * nesting costs no stack.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "builder.h"

#include <stdlib.h>

#include "bytes.h"
#include "tree.h"

/* Up to this many keys, insertion sort beats qsort. */
#define INSERTION_SORT_MAX 64

#define SCRATCH_CHUNK 8192

/* Sorts like a key: its length and first four bytes decide most comparisons. */
typedef struct SortKey
{
	uint64_t	prefix;
	const char *bytes;
	uint32_t	len;
	uint32_t	pair;			/* place in the object as pushed */
} SortKey;

void
colj_fail(ColjBuilder *b, ColjStatus status)
{
	if (b->status == COLJ_OK)
		b->status = status;
}

void *
colj_list_grow(ColjBuilder *b, ColjList *list, size_t n, size_t item_size)
{
	void	   *items;
	size_t		room;

	room = list->room < 32 ? 64 : list->room * 2;
	if (room < list->n + n)
		room = list->n + n;
	items = b->host->resize(b->host->arg, list->items, room * item_size);
	if (items == NULL)
	{
		colj_fail(b, COLJ_NO_MEMORY);
		return NULL;
	}
	list->items = items;
	list->room = room;
	list->n += n;
	return (char *) list->items + (list->n - n) * item_size;
}

void
colj_builder_init(ColjBuilder *b, const ColjHost *host)
{
	memset(b, 0, sizeof(*b));
	b->host = host;
}

static void
free_scratch(ColjBuilder *b)
{
	char	  **chunks = b->scratch.items;

	for (size_t i = 0; i < b->scratch.n; i++)
		b->host->resize(b->host->arg, chunks[i], 0);
	b->scratch.n = 0;
	b->scratch_left = 0;
	b->scratch_size = 0;
}

void
colj_builder_reset(ColjBuilder *b)
{
	b->status = COLJ_OK;
	b->pending.n = 0;
	b->open.n = 0;
	b->nodes.n = 0;
	b->boxes.n = 0;
	b->shapes.n = 0;
	b->size = 0;
	if (b->scratch.n > 0)
		free_scratch(b);
}

static ColjList *
list_of(ColjBuilder *b, int i)
{
	ColjList   *lists[] = {&b->pending, &b->open, &b->nodes, &b->boxes, &b->shapes,
	&b->order, &b->queue, &b->slots, &b->iters, &b->scratch};

	return i < (int) (sizeof(lists) / sizeof(lists[0])) ? lists[i] : NULL;
}

void
colj_builder_free(ColjBuilder *b)
{
	ColjList   *list;

	free_scratch(b);
	for (int i = 0; (list = list_of(b, i)) != NULL; i++)
		if (list->items != NULL)
			b->host->resize(b->host->arg, list->items, 0);
	colj_builder_init(b, b->host);
}

size_t
colj_builder_memory(const ColjBuilder *b)
{
	return b->pending.room * sizeof(ColjNode) + b->open.room * sizeof(ColjOpen) +
		b->nodes.room * sizeof(ColjNode) + b->boxes.room * sizeof(ColjBox) +
		b->shapes.room * sizeof(uint32_t) + b->order.room * sizeof(SortKey) +
		b->queue.room * sizeof(uint32_t) + b->slots.room * sizeof(ColjShapeSlot) + b->iters.room * sizeof(ColjIter) +
		b->scratch.room * sizeof(char *) + b->scratch_size;
}

char *
colj_builder_scratch(ColjBuilder *b, size_t size)
{
	char	  **slot;
	char	   *chunk;
	size_t		chunk_size = size > SCRATCH_CHUNK ? size : SCRATCH_CHUNK;

	if (size <= b->scratch_left)
	{
		chunk = ((char **) b->scratch.items)[b->scratch.n - 1];
		chunk += b->scratch_chunk - b->scratch_left;
		b->scratch_left -= size;
		return chunk;
	}
	chunk = b->host->resize(b->host->arg, NULL, chunk_size);
	slot = chunk == NULL ? NULL : colj_list_add(b, &b->scratch, 1, sizeof(char *));
	if (slot == NULL)
	{
		if (chunk != NULL)
			b->host->resize(b->host->arg, chunk, 0);
		colj_fail(b, COLJ_NO_MEMORY);
		return NULL;
	}
	*slot = chunk;
	b->scratch_chunk = chunk_size;
	b->scratch_left = chunk_size - size;
	b->scratch_size += chunk_size;
	return chunk;
}

static inline ColjNode *
push(ColjBuilder *b, ColjKind kind)
{
	ColjNode   *node;

	if (COLJ_UNLIKELY(b->status != COLJ_OK))
		return NULL;
	node = colj_list_add(b, &b->pending, 1, sizeof(ColjNode));
	if (COLJ_LIKELY(node != NULL))
	{
		node->kind = (uint8_t) kind;
		node->scale = 0;
		node->whole = false;
		node->len = 0;
	}
	return node;
}

static inline void
push_bytes(ColjBuilder *b, ColjKind kind, const char *bytes, uint32_t len)
{
	ColjNode   *node = push(b, kind);

	if (node == NULL)
		return;
	node->u.bytes = bytes;
	node->len = len;
}

static inline void
push_integer(ColjBuilder *b, ColjKind kind, int64_t value, uint8_t scale)
{
	ColjNode   *node = push(b, kind);

	if (node == NULL)
		return;
	node->u.integer = value;
	node->scale = scale;
}

void
colj_builder_null(ColjBuilder *b)
{
	push_integer(b, COLJ_NULL, 0, 0);
}

void
colj_builder_bool(ColjBuilder *b, bool value)
{
	push_integer(b, COLJ_BOOL, value, 0);
}

void
colj_builder_int(ColjBuilder *b, int64_t value)
{
	push_integer(b, COLJ_INT, value, 0);
}

void
colj_builder_decimal(ColjBuilder *b, int64_t mantissa, uint8_t scale)
{
	push_integer(b, scale > 0 ? COLJ_DECIMAL : COLJ_INT, mantissa, scale);
}

void
colj_builder_string(ColjBuilder *b, const char *bytes, uint32_t len)
{
	push_bytes(b, COLJ_STRING, bytes, len);
}

void
colj_builder_key(ColjBuilder *b, const char *bytes, uint32_t len)
{
	push_bytes(b, COLJ_STRING, bytes, len);
}

void
colj_builder_bignum(ColjBuilder *b, const uint8_t *bytes, uint32_t len)
{
	push_bytes(b, COLJ_BIGNUM, (const char *) bytes, len);
}

static void
begin(ColjBuilder *b, bool object)
{
	ColjOpen   *open;

	if (b->status != COLJ_OK)
		return;
	open = colj_list_add(b, &b->open, 1, sizeof(ColjOpen));
	if (open != NULL)
		*open = (ColjOpen){(uint32_t) b->pending.n, object};
}

void
colj_builder_begin_array(ColjBuilder *b)
{
	begin(b, false);
}

void
colj_builder_begin_object(ColjBuilder *b)
{
	begin(b, true);
}

static inline uint64_t
key_prefix(const char *bytes, uint32_t len)
{
	const uint8_t *p = (const uint8_t *) bytes;
	uint64_t	prefix = (uint64_t) len << 32;

	if (len >= 4)
		return prefix | (uint64_t) p[0] << 24 | (uint64_t) p[1] << 16 | (uint64_t) p[2] << 8 | p[3];
	for (uint32_t i = 0; i < len; i++)
		prefix |= (uint64_t) p[i] << (24 - 8 * i);
	return prefix;
}

/* Order of keys; equal ones keep the order in which they were pushed. */
static inline int
compare_keys(const SortKey *x, const SortKey *y)
{
	int			order = 0;

	if (x->prefix != y->prefix)
		return x->prefix < y->prefix ? -1 : 1;
	if (x->len > 4)
		order = memcmp(x->bytes, y->bytes, x->len);
	return order != 0 ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

static int
compare_for_qsort(const void *x, const void *y)
{
	return compare_keys(x, y);
}

static void
sort_keys(SortKey *keys, uint32_t n)
{
	SortKey		moving;
	uint32_t	j;

	if (n > INSERTION_SORT_MAX)
	{
		qsort(keys, n, sizeof(SortKey), compare_for_qsort);
		return;
	}
	for (uint32_t i = 1; i < n; i++)
	{
		if (compare_keys(&keys[i - 1], &keys[i]) < 0)
			continue;
		moving = keys[i];
		for (j = i; j > 0 && compare_keys(&keys[j - 1], &moving) > 0; j--)
			keys[j] = keys[j - 1];
		keys[j] = moving;
	}
}

/* Move n pairs into nodes in key order, the last of equal keys only. */
static bool
move_pairs(ColjBuilder *b, const ColjNode *pairs, ColjBox *box)
{
	uint32_t	n = box->n;
	SortKey    *keys;
	ColjNode   *to;

	b->order.n = 0;
	keys = colj_list_add(b, &b->order, n, sizeof(SortKey));
	to = colj_list_add(b, &b->nodes, (size_t) n * 2, sizeof(ColjNode));
	if (b->status != COLJ_OK)
		return false;
	for (uint32_t i = 0; i < n; i++)
	{
		const ColjNode *key = &pairs[i * 2];

		keys[i] = (SortKey){key_prefix(key->u.bytes, key->len), key->u.bytes, key->len, i};
	}
	sort_keys(keys, n);
	box->n = 0;
	for (uint32_t i = 0; i < n; i++)
	{
		if (i + 1 < n && keys[i].prefix == keys[i + 1].prefix &&
			memcmp(keys[i].bytes, keys[i + 1].bytes, keys[i].len) == 0)
			continue;
		to[box->n * 2] = pairs[keys[i].pair * 2];
		to[box->n * 2 + 1] = pairs[keys[i].pair * 2 + 1];
		box->n++;
	}
	b->nodes.n -= (size_t) (n - box->n) * 2;
	return true;
}

/* Move n elements into nodes. */
static bool
move_elements(ColjBuilder *b, const ColjNode *elements, ColjBox *box)
{
	ColjNode   *to = colj_list_add(b, &b->nodes, box->n, sizeof(ColjNode));

	if (to == NULL)
		return false;
	if (box->n > 0)
		memcpy(to, elements, box->n * sizeof(ColjNode));
	return true;
}

void
colj_poll(ColjBuilder *b, uint32_t steps)
{
	b->steps += steps;
	if (b->steps < COLJ_POLL_EVERY)
		return;
	b->steps = 0;
	if (b->host->poll != NULL)
		b->host->poll(b->host->arg);
}

void
colj_builder_end(ColjBuilder *b)
{
	ColjOpen	open;
	ColjBox    *box;
	ColjNode   *pending = b->pending.items;
	uint32_t	n;

	if (b->status != COLJ_OK)
		return;
	open = ((ColjOpen *) b->open.items)[--b->open.n];
	n = (uint32_t) (b->pending.n - open.start);
	box = colj_list_add(b, &b->boxes, 1, sizeof(ColjBox));
	if (box == NULL)
		return;
	*box = (ColjBox){.first = (uint32_t) b->nodes.n, .n = open.object ? n / 2 : n, .shape = COLJ_NO_SHAPE, .at = COLJ_UNPLACED, .object = open.object};
	if (n > 0)
		pending += open.start;
	if (!(open.object ? move_pairs(b, pending, box) : move_elements(b, pending, box)))
		return;
	b->pending.n = open.start;
	n = (uint32_t) b->boxes.n - 1;
	colj_poll(b, box->n + 1);
	push(b, open.object ? COLJ_OBJECT : COLJ_ARRAY);
	if (b->status == COLJ_OK)
		((ColjNode *) b->pending.items)[b->pending.n - 1].u.box = n;
}

/* Push one value; a container is begun and its iterator put on the stack. */
static ColjStatus
copy_value(ColjBuilder *b, ColjDoc *doc, const ColjValue *value)
{
	ColjIter   *iter;
	const char *bytes = NULL;

	if (value->kind == COLJ_STRING || value->kind == COLJ_BIGNUM)
	{
		bytes = colj_bytes(doc, value);
		if (bytes == NULL)
			return COLJ_CORRUPT;
		push_bytes(b, value->kind, bytes, value->len);
	}
	else if (value->kind < COLJ_ARRAY)
		push_integer(b, value->kind, value->integer, value->scale);
	else
	{
		begin(b, value->kind == COLJ_OBJECT);
		iter = colj_list_add(b, &b->iters, 1, sizeof(ColjIter));
		if (iter != NULL)
			return colj_iter_open(doc, value, iter);
	}
	return b->status;
}

ColjStatus
colj_builder_copy(ColjBuilder *b, ColjDoc *doc, const ColjValue *value)
{
	ColjStatus	status;

	b->iters.n = 0;
	status = copy_value(b, doc, value);
	while (status == COLJ_OK && b->iters.n > 0)
	{
		ColjIter   *iter = (ColjIter *) b->iters.items + b->iters.n - 1;
		ColjKey		key;
		ColjValue	child;

		colj_poll(b, 1);
		status = colj_iter_next(iter, &key, &child);
		if (status == COLJ_OK)
		{
			if (iter->c.kind == COLJ_OBJECT)
				colj_builder_key(b, key.bytes, key.len);
			status = copy_value(b, doc, &child);
		}
		else if (status == COLJ_ABSENT)
		{
			colj_builder_end(b);
			b->iters.n--;
			status = b->status;
		}
	}
	if (status != COLJ_OK)
		colj_fail(b, status);
	return status;
}

ColjStatus
colj_builder_part(ColjBuilder *b, ColjDoc *doc, const ColjValue *value, uint32_t stride)
{
	const char *bytes;

	if (value->kind < COLJ_ARRAY || doc->nshapes > 0 || doc->stride != stride)
		return colj_builder_copy(b, doc, value);
	bytes = colj_bytes(doc, value);
	if (bytes == NULL)
	{
		colj_fail(b, COLJ_CORRUPT);
		return COLJ_CORRUPT;
	}
	push_bytes(b, value->kind, bytes, value->len);
	if (b->status == COLJ_OK)
		((ColjNode *) b->pending.items)[b->pending.n - 1].whole = true;
	return b->status;
}
