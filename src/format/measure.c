/*-------------------------------------------------------------------------
 *
 * measure.c
 *	  How many bytes the parts of a document take, and in which form.
 *
 * This file decides what write.c writes: which entry a value gets, whether an
 * array's children share one entry, how wide a container's ends are.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "bytes.h"
#include "tree.h"

uint8_t
colj_root_entry(const ColjBuilder *b, const ColjNode *node)
{
	ColjTag		tag = colj_node_tag(b, node);

	return tag == COLJ_TAG_LITERAL ? colj_literal_entry(node) : COLJ_ENTRY(tag, 0);
}

uint32_t
colj_key_run(const ColjNode *pairs, uint32_t n, uint32_t i)
{
	uint32_t	first = i;

	while (i < n && pairs[i * 2].len == pairs[first * 2].len)
		i++;
	return i - first;
}

/* Bytes of all runs and keys; too large ones are noticed by the caller. */
static uint64_t
measure_keys(const ColjBuilder *b, const ColjBox *box)
{
	const ColjNode *pairs = colj_box_nodes(b, box);
	uint64_t	size = 0;
	uint32_t	len = 0;
	uint32_t	count;

	for (uint32_t i = 0; i < box->n; i += count)
	{
		uint32_t	delta = pairs[i * 2].len - len;

		count = colj_key_run(pairs, box->n, i);
		len += delta;
		size += (uint64_t) len * count + 1;
		if (delta > COLJ_RUN_MAX || count > COLJ_RUN_MAX)
			size += colj_varint_size(delta) + colj_varint_size(count);
	}
	return size;
}

uint32_t
colj_key_list_size(const ColjBox *box)
{
	return colj_varint_size(box->n) + box->keys_size;
}

/*
 * The bytes that each child takes when all share one entry, which is set;
 * COLJ_BIG if they can't.  Integers and decimals are padded to the widest.
 */
static uint32_t
measure_shared_entry(const ColjBuilder *b, const ColjBox *box, uint8_t *entry)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	uint8_t		shared = colj_node_entry(b, nodes);
	uint32_t	width = 0;
	bool		same = true;

	for (uint32_t i = 0; i < box->n; i++)
	{
		uint32_t	size = colj_node_size(b, &nodes[i]);

		if (nodes[i].kind != nodes[0].kind)
			return COLJ_BIG;
		same = same && colj_node_entry(b, &nodes[i]) == shared;
		if (!same && nodes[0].kind != COLJ_INT && nodes[0].kind != COLJ_DECIMAL)
			return COLJ_BIG;
		width = size > width ? size : width;
	}
	if (same)
	{
		*entry = shared;
		return colj_entry_is_big(shared) ? COLJ_BIG : width;
	}
	if (width == 0)
		width = 1;
	*entry = COLJ_ENTRY(nodes[0].kind == COLJ_INT ? COLJ_TAG_INT : COLJ_TAG_DECIMAL, width);
	return width;
}

/* Sizes of a container whose children have their own entries. */
static uint64_t
measure_general(const ColjBuilder *b, ColjBox *box, uint64_t head)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	uint32_t	step = box->object ? 2 : 1;
	uint64_t	small = 0;
	uint64_t	big = 0;
	uint64_t	size;

	box->nbig = 0;
	for (uint32_t i = 0; i < box->n; i++)
	{
		uint32_t	child = colj_node_size(b, &nodes[i * step + step - 1]);

		if (child <= COLJ_SMALL_MAX)
			small += child;
		else
		{
			big += child;
			box->nbig++;
		}
	}
	box->small_size = (uint32_t) small;

	/*
	 * wider ends make the container longer, never shorter: the first fit is
	 * it
	 */
	for (uint32_t width = 1;; width++)
	{
		uint64_t	words = (uint64_t) colj_anchors(box->n, b->stride) * 2 + box->nbig;

		size = head + box->n + words * width + small + big;
		box->width = (uint8_t) width;
		if (width == 4 || size > COLJ_MAX_SIZE || colj_width((uint32_t) size) == width)
			return size;
	}
}

static uint64_t
measure_array(const ColjBuilder *b, ColjBox *box)
{
	uint64_t	size = measure_general(b, box, colj_varint_size(box->n << 1));
	uint32_t	each;

	box->fixed = false;
	if (box->n == 0)
		return size;
	each = measure_shared_entry(b, box, &box->entry);
	if (each != COLJ_BIG && (each > 0 || box->n <= COLJ_FIXED_EMPTY_MAX))
	{
		uint64_t	fixed = colj_varint_size(box->n << 1) + 1 + (uint64_t) each * box->n;

		box->fixed = fixed <= size;
		return box->fixed ? fixed : size;
	}
	return size;
}

static void
measure_box(ColjBuilder *b, ColjBox *box)
{
	uint64_t	keys = 0;
	uint64_t	size;

	if (!box->object)
		size = measure_array(b, box);
	else
	{
		keys = measure_keys(b, box);
		size = measure_general(b, box, box->shape == COLJ_NO_SHAPE ? colj_varint_size(box->n) + keys : colj_varint_size(box->shape));
	}
	if (size > COLJ_MAX_SIZE || keys > COLJ_MAX_SIZE || box->n > COLJ_MAX_SIZE)
		colj_fail(b, COLJ_TOO_LARGE);
	box->keys_size = (uint32_t) keys;
	box->size = (uint32_t) size;
}

void
colj_measure(ColjBuilder *b)
{
	for (uint32_t i = 0; i < b->boxes.n && b->status == COLJ_OK; i++)
	{
		ColjBox    *box = colj_box(b, i);

		measure_box(b, box);
		colj_poll(b, box->n + 1);
	}
}
