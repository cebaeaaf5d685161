/*-------------------------------------------------------------------------
 *
 * write.c
 *	  From a measured tree to bytes, and parts of documents as documents.
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

/*
 * A part of a document takes the whole shape table along, which saves making
 * the part anew, when the table is at most the part's size divided by this.
 */
#define TABLE_SHARE 2

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
	uint8_t    *end = anchor + (size_t) colj_anchors(box->n, b->stride) * 2 * box->width;
	uint8_t    *smalls = end + (size_t) box->nbig * box->width;
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
		colj_store(end, box->width, (uint32_t) (big - bigs));
		end += box->width;
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

static uint8_t *
put_header(uint8_t *out, uint8_t flags, uint32_t stride)
{
	*out++ = (uint8_t) (COLJ_FORMAT_VERSION << COLJ_VERSION_SHIFT | flags);
	*out++ = (uint8_t) (stride - 1);
	return out;
}

void
colj_builder_write(ColjBuilder *b, uint8_t *out)
{
	const ColjNode *root = root_of(b);
	uint8_t    *p = put_header(out, b->shapes.n > 0 ? COLJ_FLAG_SHAPES : 0, b->stride);

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

/* A scalar as the node that stands for it. */
static void
scalar_node(const ColjValue *value, ColjNode *node)
{
	node->kind = (uint8_t) value->kind;
	node->scale = value->scale;
	node->whole = false;
	node->len = value->len;
	node->u.integer = value->integer;
}

static bool
is_container(const ColjValue *value)
{
	return value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT;
}

/* Position after the header and the shape table. */
static uint32_t
table_end(const ColjDoc *doc)
{
	return doc->nshapes > 0 ? doc->shape_base + doc->shape_size : COLJ_HEADER_SIZE;
}

/* Copy the header and the shape table, which is there if there are shapes. */
static uint8_t *
copy_head(ColjDoc *doc, uint8_t *out)
{
	ColjValue	head = {.kind = COLJ_STRING, .off = 0, .len = table_end(doc)};
	const char *bytes = colj_bytes(doc, &head);

	if (bytes == NULL)
		return NULL;
	memcpy(out, bytes, head.len);
	return out + head.len;
}

static uint8_t
container_entry(const ColjValue *value)
{
	if (value->kind == COLJ_ARRAY)
		return COLJ_ENTRY(COLJ_TAG_ARRAY, 0);
	return COLJ_ENTRY(value->shaped ? COLJ_TAG_SHAPED : COLJ_TAG_OBJECT, 0);
}

ColjStatus
colj_slice_size(ColjDoc *doc, const ColjValue *value, uint32_t *size)
{
	ColjNode	node;

	if (is_container(value))
	{
		if (doc->nshapes > 0 && table_end(doc) > value->len / TABLE_SHARE)
			return COLJ_ABSENT;
		*size = table_end(doc) + 1 + value->len;
		return COLJ_OK;
	}
	scalar_node(value, &node);
	*size = COLJ_HEADER_SIZE + 1 + colj_node_size(NULL, &node);
	return COLJ_OK;
}

ColjStatus
colj_slice_write(ColjDoc *doc, const ColjValue *value, uint8_t *out)
{
	const char *bytes = NULL;
	ColjNode	node;

	if (is_container(value))
	{
		out = doc->nshapes > 0 ? copy_head(doc, out) : put_header(out, 0, doc->stride);
		bytes = out == NULL ? NULL : colj_bytes(doc, value);
		if (bytes == NULL)
			return COLJ_CORRUPT;
		*out++ = container_entry(value);
		memcpy(out, bytes, value->len);
		return COLJ_OK;
	}
	if (value->kind == COLJ_STRING || value->kind == COLJ_BIGNUM)
	{
		bytes = colj_bytes(doc, value);
		if (bytes == NULL)
			return COLJ_CORRUPT;
	}
	out = put_header(out, 0, doc->stride);
	scalar_node(value, &node);
	*out++ = colj_root_entry(NULL, &node);
	if (bytes != NULL)
		node.u.bytes = bytes;
	put_value(NULL, &node, colj_node_size(NULL, &node), NULL, out);
	return COLJ_OK;
}
