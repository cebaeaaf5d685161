/*-------------------------------------------------------------------------
 *
 * shapes.c
 *	  Key lists that several objects of a document share.
 *
 * A key list that occurs again moves into the shape table, and its objects
 * name it by number.  That costs a lookup 10-20 ns and keeps parts of the
 * document from being copied as they are, so the table must earn at least
 * 1/SHAPES_GAIN of the document, or there is none.
 *
 * Counting is one pass over all objects with a hash table.  Chains are cut
 * at MAX_PROBES: documents made to collide lose savings, not time.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "bytes.h"
#include "tree.h"

#define SHAPES_GAIN 16
#define MAX_PROBES 16

/* Below this a document has no room for a table to pay. */
#define MIN_DOCUMENT 96

static inline uint64_t
mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* Box i of the queue. */
static inline ColjBox *
queued_box(const ColjBuilder *b, size_t i)
{
	return colj_box(b, ((const uint32_t *) b->queue.items)[i]);
}

static uint64_t
hash_key(uint64_t hash, const char *bytes, uint32_t len)
{
	uint64_t	word;

	hash = mix(hash, len);
	for (; len >= 8; len -= 8, bytes += 8)
	{
		memcpy(&word, bytes, 8);
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, bytes, len);
	return mix(hash, word);
}

static uint64_t
hash_keys(const ColjBuilder *b, const ColjBox *box)
{
	const ColjNode *pairs = colj_box_nodes(b, box);
	uint64_t	hash = box->n;

	for (uint32_t i = 0; i < box->n; i++)
		hash = hash_key(hash, pairs[i * 2].u.bytes, pairs[i * 2].len);
	return hash;
}

static bool
same_keys(const ColjBuilder *b, const ColjBox *x, const ColjBox *y)
{
	const ColjNode *xs = colj_box_nodes(b, x);
	const ColjNode *ys = colj_box_nodes(b, y);

	if (x->n != y->n || x->keys_size != y->keys_size)
		return false;
	for (uint32_t i = 0; i < x->n * 2; i += 2)
		if (xs[i].len != ys[i].len || memcmp(xs[i].u.bytes, ys[i].u.bytes, xs[i].len) != 0)
			return false;
	return true;
}

/* The slot of a box's key list, taken if new; NULL when it is too crowded. */
static ColjShapeSlot *
find_slot(ColjBuilder *b, uint32_t box)
{
	ColjShapeSlot *slots = b->slots.items;
	uint64_t	hash = hash_keys(b, colj_box(b, box));
	size_t		mask = b->slots.n - 1;

	for (size_t i = 0; i < MAX_PROBES; i++)
	{
		ColjShapeSlot *slot = &slots[(hash + i) & mask];

		if (slot->uses == 0)
		{
			*slot = (ColjShapeSlot){hash, box, 0, COLJ_NO_SHAPE};
			return slot;
		}
		if (slot->hash == hash && same_keys(b, colj_box(b, slot->box), colj_box(b, box)))
			return slot;
	}
	return NULL;
}

/*
 * Put the document's boxes into the queue, parents before children.  Those of
 * overwritten keys are not found that way, and the order is that of the
 * sorted keys: the same document gets the same table however it was pushed.
 */
static bool
queue_boxes(ColjBuilder *b)
{
	uint32_t   *next;

	b->queue.n = 0;
	next = colj_list_add(b, &b->queue, 1, sizeof(uint32_t));
	if (next == NULL)
		return false;
	*next = (uint32_t) b->boxes.n - 1;
	for (size_t i = 0; i < b->queue.n; i++)
	{
		const ColjBox *box = queued_box(b, i);
		const ColjNode *nodes = colj_box_nodes(b, box);
		uint32_t	step = box->object ? 2 : 1;

		for (uint32_t j = 0; j < box->n; j++)
		{
			const ColjNode *node = &nodes[j * step + step - 1];

			if (node->kind < COLJ_ARRAY || node->whole)
				continue;
			next = colj_list_add(b, &b->queue, 1, sizeof(uint32_t));
			if (next == NULL)
				return false;
			*next = node->u.box;
		}
		colj_poll(b, box->n + 1);
	}
	return true;
}

/*
 * How many objects there are, 0 if no two can have one key list: those differ in how
 * many keys they have, or bytes.  So most small documents need no hash table.
 */
static uint32_t
count_objects(const ColjBuilder *b)
{
	uint64_t	met = 0;
	bool		twice = false;
	uint32_t	objects = 0;

	for (uint32_t i = 0; i < b->boxes.n; i++)
	{
		const ColjBox *box = colj_box(b, i);
		uint64_t	bit;

		if (!box->object || box->n == 0)
			continue;
		bit = UINT64_C(1) << (mix(box->n, box->keys_size) & 63);
		twice = twice || (met & bit) != 0;
		met |= bit;
		objects++;
	}
	return twice ? objects : 0;
}

/* Fill the hash table; a box's shape becomes its slot for the time being. */
static bool
count_uses(ColjBuilder *b, uint32_t objects)
{
	size_t		n = 64;

	while (n < (size_t) objects * 2)
		n *= 2;
	b->slots.n = 0;
	if (colj_list_add(b, &b->slots, n, sizeof(ColjShapeSlot)) == NULL)
		return false;
	memset(b->slots.items, 0, n * sizeof(ColjShapeSlot));
	for (size_t i = 0; i < b->queue.n; i++)
	{
		ColjBox    *box = queued_box(b, i);
		ColjShapeSlot *slot;

		colj_poll(b, box->n);
		if (!box->object || box->n == 0 || (slot = find_slot(b, (uint32_t) (box - colj_box(b, 0)))) == NULL)
			continue;
		slot->uses++;
		box->shape = (uint32_t) (slot - (ColjShapeSlot *) b->slots.items);
	}
	return true;
}

/* Would sharing this key list save bytes? */
static bool
pays(const ColjBuilder *b, const ColjShapeSlot *slot)
{
	uint64_t	list = colj_key_list_size(colj_box(b, slot->box));

	/* each use names the shape in 1-2 bytes, the table holds an end */
	return slot->uses > 1 && list * (slot->uses - 1) > (uint64_t) slot->uses * 2 + 4;
}

/* Give ids to the key lists that pay, in order of appearance. */
static void
assign_shapes(ColjBuilder *b)
{
	ColjShapeSlot *slots = b->slots.items;

	for (size_t i = 0; i < b->queue.n; i++)
	{
		ColjBox    *box = queued_box(b, i);
		ColjShapeSlot *slot;
		uint32_t   *shape;

		if (box->shape == COLJ_NO_SHAPE)
			continue;
		slot = &slots[box->shape];
		if (slot->id == COLJ_NO_SHAPE && pays(b, slot))
		{
			shape = colj_list_add(b, &b->shapes, 1, sizeof(uint32_t));
			if (shape == NULL)
				return;
			*shape = slot->box;
			slot->id = (uint32_t) b->shapes.n - 1;
			b->shape_size += colj_key_list_size(colj_box(b, slot->box));
		}
		box->shape = slot->id;
	}
}

static void
forget_shapes(ColjBuilder *b)
{
	b->shapes.n = 0;
	b->shape_size = 0;
	for (uint32_t i = 0; i < b->boxes.n; i++)
		colj_box(b, i)->shape = COLJ_NO_SHAPE;
}

void
colj_choose_shapes(ColjBuilder *b)
{
	uint64_t	plain = colj_document_size(b);
	uint32_t	objects;

	b->shape_size = 0;
	if (plain < MIN_DOCUMENT || (objects = count_objects(b)) == 0 ||
		!queue_boxes(b) || !count_uses(b, objects))
		return;
	assign_shapes(b);
	if (b->status != COLJ_OK || b->shapes.n == 0)
		return;
	colj_measure(b);
	if (colj_document_size(b) <= plain - plain / SHAPES_GAIN)
		return;
	forget_shapes(b);
	colj_measure(b);
}

uint64_t
colj_shape_table_size(const ColjBuilder *b)
{
	if (b->shapes.n == 0)
		return 0;
	return colj_varint_size((uint32_t) b->shapes.n) + colj_varint_size(b->shape_size) +
		(uint64_t) b->shapes.n * colj_width(b->shape_size) + b->shape_size;
}

uint8_t *
colj_put_shape_table(const ColjBuilder *b, uint8_t *out)
{
	const uint32_t *shapes = b->shapes.items;
	uint32_t	width = colj_width(b->shape_size);
	uint32_t	end = 0;

	out = colj_put_varint(out, (uint32_t) b->shapes.n);
	out = colj_put_varint(out, b->shape_size);
	for (size_t i = 0; i < b->shapes.n; i++, out += width)
	{
		end += colj_key_list_size(colj_box(b, shapes[i]));
		colj_store(out, width, end);
	}
	for (size_t i = 0; i < b->shapes.n; i++)
		out = colj_put_key_list(b, colj_box(b, shapes[i]), out);
	return out;
}
