/*-------------------------------------------------------------------------
 *
 * open.c
 *	  Opening a document: its header, its shape table, its root.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "cursor.h"

const uint8_t *
colj_reveal_slow(ColjDoc *doc, uint32_t off, uint32_t len)
{
	if ((uint64_t) off + len > doc->size)
		corrupt(doc, "A value runs past the end of the document.");
	else if (doc->fetch == NULL || !doc->fetch(doc, off, len))
		corrupt(doc, "A part of the document could not be fetched.");
	else
		return doc->data + off;
	return NULL;
}

bool
colj_next_varint_slow(Cursor *cur, uint32_t *value)
{
	uint64_t	sum = 0;
	uint8_t		byte;

	for (int i = 0; i < COLJ_VARINT_MAX; i++)
	{
		if (!next_byte(cur, &byte))
			return false;
		sum |= (uint64_t) (byte & 0x7F) << (7 * i);
		if (byte < 0x80)
		{
			*value = (uint32_t) sum;
			if (sum <= UINT32_MAX)
				return true;
			break;
		}
	}
	corrupt(cur->doc, "A number in the layout is longer than 32 bits.");
	return false;
}

bool
colj_find_shape(ColjDoc *doc, uint32_t id, Cursor *shape)
{
	uint32_t	width = colj_width(doc->shape_size);
	uint32_t	first = id > 0 ? id - 1 : 0;
	uint32_t	start = 0;
	uint32_t	end;
	const uint8_t *p;

	if (id >= doc->nshapes)
	{
		corrupt(doc, "An object names a shape that the document does not have.");
		return false;
	}
	p = reveal(doc, doc->shape_ends + first * width, (id - first + 1) * width);
	if (p == NULL)
		return false;
	if (id > 0)
	{
		start = colj_load(p, width);
		p += width;
	}
	end = colj_load(p, width);
	if (start > end || end > doc->shape_size)
	{
		corrupt(doc, "The shape table's ends are out of order.");
		return false;
	}
	*shape = (Cursor){doc, doc->shape_base + start, doc->shape_base + end};
	return true;
}

const char *
colj_bytes(ColjDoc *doc, const ColjValue *value)
{
	return (const char *) reveal(doc, value->off, value->len);
}

/* Where the shape table is, if the flags say that there is one. */
static bool
read_shape_table(ColjDoc *doc, Cursor *cur)
{
	if (!next_varint(cur, &doc->nshapes) || !next_varint(cur, &doc->shape_size))
		return false;
	doc->shape_ends = cur->pos;
	if (!skip(cur, (uint64_t) doc->nshapes * colj_width(doc->shape_size)))
		return false;
	doc->shape_base = cur->pos;
	return skip(cur, doc->shape_size);
}

ColjStatus
colj_shape_number(ColjDoc *doc, const ColjValue *object, uint32_t *id)
{
	Cursor		cur = {doc, object->off, object->off + object->len};

	return next_varint(&cur, id) ? COLJ_OK : COLJ_CORRUPT;
}

ColjStatus
colj_shape_place(ColjDoc *doc, uint32_t id, uint32_t *off, uint32_t *len)
{
	Cursor		shape;

	if (!colj_find_shape(doc, id, &shape))
		return COLJ_CORRUPT;
	*off = shape.pos;
	*len = shape.limit - shape.pos;
	return COLJ_OK;
}

static ColjStatus
read_header(ColjDoc *doc, Cursor *cur)
{
	uint8_t		first;
	uint8_t		stride;

	if (!next_byte(cur, &first))
		return COLJ_CORRUPT;
	if (first >> COLJ_VERSION_SHIFT != COLJ_FORMAT_VERSION ||
		(first & ((1 << COLJ_VERSION_SHIFT) - 1) & ~COLJ_FLAGS_RAW) != 0)
	{
		doc->problem = "The value's first byte names a format version or feature that is not known.";
		return COLJ_BAD_VERSION;
	}
	if (!next_byte(cur, &stride))
		return COLJ_CORRUPT;
	doc->stride = (uint32_t) stride + 1;
	if ((first & COLJ_FLAG_SHAPES) != 0 && !read_shape_table(doc, cur))
		return COLJ_CORRUPT;
	return COLJ_OK;
}

ColjStatus
colj_open(ColjDoc *doc)
{
	Cursor		cur = {doc, 0, doc->size};
	ColjStatus	status;
	uint8_t		entry;

	doc->problem = NULL;
	doc->nshapes = 0;
	doc->shape_ends = 0;
	doc->shape_base = 0;
	doc->shape_size = 0;
	status = read_header(doc, &cur);
	if (status != COLJ_OK)
		return status;
	if (!next_byte(&cur, &entry))
		return COLJ_CORRUPT;
	if (COLJ_ENTRY_TAG(entry) != COLJ_TAG_LITERAL && COLJ_ENTRY_LEN(entry) != 0)
		return corrupt(doc, "The root's entry has a length.");
	return decode(doc, entry, cur.pos, doc->size - cur.pos, &doc->root);
}

ColjStatus
colj_open_bytes(ColjDoc *doc, const void *data, size_t size)
{
	doc->data = data;
	doc->fetch = NULL;
	doc->fetch_arg = NULL;
	doc->avail = doc->size = 0;
	doc->problem = NULL;
	if (size > COLJ_MAX_SIZE)
		return corrupt(doc, "The document is longer than a value can be.");
	doc->avail = doc->size = (uint32_t) size;
	return colj_open(doc);
}
