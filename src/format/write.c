/*-------------------------------------------------------------------------
 *
 * write.c
 *	  From a measured tree to bytes.
 *
 * Boxes are written from the last, which is the root, to the first: a parent
 * comes before its children and gives each its place.  A box that nobody
 * placed belonged to a key that was overwritten by a later one.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "bytes.h"
#include "tree.h"

static const ColjNode *
root_of(const ColjBuilder *b)
{
	return b->pending.items;
}

uint64_t
colj_document_size(const ColjBuilder *b)
{
	return COLJ_HEADER_SIZE + colj_shape_table_size(b) + 1 + (uint64_t) colj_node_size(b, root_of(b));
}

ColjStatus
colj_builder_finish(ColjBuilder *b, uint32_t stride, uint32_t *size)
{
	uint64_t	total;

	b->stride = stride;
	if (b->status == COLJ_OK)
		colj_measure(b);
	if (b->status == COLJ_OK)
		colj_choose_shapes(b);
	if (b->status != COLJ_OK)
		return b->status;
	total = colj_document_size(b);
	if (total > COLJ_MAX_SIZE)
		colj_fail(b, COLJ_TOO_LARGE);
	*size = b->size = (uint32_t) total;
	return b->status;
}

static uint8_t *
put_runs(const ColjNode *pairs, uint32_t n, uint8_t *out)
{
	uint32_t	len = 0;
	uint32_t	count;

	for (uint32_t i = 0; i < n; i += count)
	{
		uint32_t	delta = pairs[i * 2].len - len;

		count = colj_key_run(pairs, n, i);
		len += delta;
		if (delta <= COLJ_RUN_MAX && count <= COLJ_RUN_MAX)
			*out++ = COLJ_RUN(delta, count);
		else
		{
			*out++ = COLJ_RUN_EXTENDED;
			out = colj_put_varint(out, delta);
			out = colj_put_varint(out, count);
		}
	}
	return out;
}

uint8_t *
colj_put_key_list(const ColjBuilder *b, const ColjBox *box, uint8_t *out)
{
	const ColjNode *pairs = colj_box_nodes(b, box);

	out = colj_put_varint(out, box->n);
	out = put_runs(pairs, box->n, out);
	for (uint32_t i = 0; i < box->n; i++)
	{
		memcpy(out, pairs[i * 2].u.bytes, pairs[i * 2].len);
		out += pairs[i * 2].len;
	}
	return out;
}

/* Write a scalar into size bytes, or note where a container's body goes. */
static inline void
put_value(ColjBuilder *b, const ColjNode *node, uint32_t size, uint8_t *base, uint8_t *out)
{
	switch ((ColjKind) node->kind)
	{
		case COLJ_NULL:
		case COLJ_BOOL:
			break;
		case COLJ_STRING:
		case COLJ_BIGNUM:
			if (size > 0)
				memcpy(out, node->u.bytes, size);
			break;
		case COLJ_INT:
			colj_store_int(out, size, node->u.integer);
			break;
		case COLJ_DECIMAL:
			*out = node->scale;
			colj_store_int(out + 1, size - 1, node->u.integer);
			break;
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			if (node->whole)
				memcpy(out, node->u.bytes, size);
			else
				colj_box(b, node->u.box)->at = (uint32_t) (out - base);
			break;
	}
}

static void
put_fixed(ColjBuilder *b, const ColjBox *box, uint8_t *base, uint8_t *out)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	uint32_t	each = colj_entry_small_size(box->entry);

	out = colj_put_varint(out, box->n << 1 | 1);
	*out++ = box->entry;
	for (uint32_t i = 0; i < box->n; i++, out += each)
		put_value(b, &nodes[i], each, base, out);
}

static void
put_children(ColjBuilder *b, const ColjBox *box, uint8_t *base, uint8_t *entries)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	uint32_t	step = box->object ? 2 : 1;
	uint8_t    *anchor = entries + box->n;
	uint8_t    *ends = anchor + (size_t) colj_anchors(box->n, b->stride) * 2 * box->width;
	uint8_t    *smalls = ends + (size_t) box->nbig * box->width;
	uint8_t    *bigs = smalls + box->small_size;
	uint8_t    *small = smalls;
	uint8_t    *big = bigs;
	uint32_t	rank = 0;
	uint32_t	to_anchor = b->stride;

	for (uint32_t i = 0; i < box->n; i++)
	{
		const ColjNode *node = &nodes[i * step + step - 1];
		uint32_t	size = colj_node_size(b, node);

		if (to_anchor-- == 0)
		{
			colj_store(anchor, box->width, (uint32_t) (small - smalls));
			colj_store(anchor + box->width, box->width, rank);
			anchor += 2 * box->width;
			to_anchor = b->stride - 1;
		}
		entries[i] = colj_node_entry(b, node);
		if (size <= COLJ_SMALL_MAX)
		{
			put_value(b, node, size, base, small);
			small += size;
			continue;
		}
		put_value(b, node, size, base, big);
		big += size;
		colj_store_split(ends, box->nbig, box->width, rank, (uint32_t) (big - bigs));
		rank++;
	}
}

static void
put_box(ColjBuilder *b, const ColjBox *box, uint8_t *base)
{
	uint8_t    *out = base + box->at;

	if (box->fixed)
	{
		put_fixed(b, box, base, out);
		return;
	}
	if (!box->object)
		out = colj_put_varint(out, box->n << 1);
	else if (box->shape == COLJ_NO_SHAPE)
		out = colj_put_key_list(b, box, out);
	else
		out = colj_put_varint(out, box->shape);
	put_children(b, box, base, out);
}

void
colj_builder_write(ColjBuilder *b, uint8_t *out)
{
	const ColjNode *root = root_of(b);
	uint8_t    *p = colj_put_header(out, b->shapes.n > 0 ? COLJ_FLAG_SHAPES : 0, b->stride);

	if (b->shapes.n > 0)
		p = colj_put_shape_table(b, p);
	*p++ = colj_root_entry(b, root);
	put_value(b, root, colj_node_size(b, root), out, p);
	for (uint32_t i = (uint32_t) b->boxes.n; i-- > 0;)
	{
		const ColjBox *box = colj_box(b, i);

		if (box->at == COLJ_UNPLACED)
			continue;
		put_box(b, box, out);
		colj_poll(b, box->n + 1);
	}
}
