/*-------------------------------------------------------------------------
 *
 * slice.c
 *	  A part of a document as a document of its own, its bytes as they are.
 *
 * The bytes of a container mean the same anywhere but for the numbers of
 * shapes in them.  So a part whose document has a shape table takes along a
 * table in which the shapes that it uses have the numbers that they had; those
 * that it does not use become empty key lists of one byte.  To know which
 * they are, only the containers of the part are looked at.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "slice.h"

#include "bytes.h"

/*
 * The whole table goes along, without a look at what is used, when its size is
 * at most the part's divided by this.
 */
#define TABLE_SHARE 4

/* Empty key lists may take the size of all else divided by this. */
#define EMPTY_SHARE 2

/* Parts nested deeper are left to the builder. */
#define MAX_DEPTH 16

#define SHAPED_ENTRY COLJ_ENTRY(COLJ_TAG_SHAPED, 0)

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

/* The bytes from off on; NULL, and a problem, when they can't be had. */
static const char *
bytes_at(ColjDoc *doc, uint32_t off, uint32_t len)
{
	ColjValue	place = {.kind = COLJ_STRING, .off = off, .len = len};

	return colj_bytes(doc, &place);
}

static inline bool
is_used(const ColjSlice *slice, uint32_t id)
{
	return (slice->uses[id / 64] >> (id % 64)) & 1;
}

/* Note the shape of an object. */
static ColjStatus
note_shape(ColjSlice *slice, const ColjValue *object)
{
	uint32_t	id;
	uint32_t	off;
	uint32_t	len;

	if (colj_shape_number(slice->doc, object, &id) != COLJ_OK)
		return COLJ_CORRUPT;
	if (id < slice->doc->nshapes && is_used(slice, id))
		return COLJ_OK;
	if (colj_shape_place(slice->doc, id, &off, &len) != COLJ_OK)
		return COLJ_CORRUPT;
	slice->uses[id / 64] |= UINT64_C(1) << (id % 64);
	slice->used++;
	slice->shape_size += len;
	if (id >= slice->shapes)
		slice->shapes = id + 1;
	return COLJ_OK;
}

/*
 * Note the shapes of a container and of those in it, until there are no more
 * to be noted.  COLJ_ABSENT when it is nested too deep.
 */
static ColjStatus
note_shapes(ColjSlice *slice, const ColjValue *container, int depth)
{
	ColjIter	iter;
	ColjValue	child;
	ColjStatus	status;

	if (container->shaped && (status = note_shape(slice, container)) != COLJ_OK)
		return status;
	if (slice->used == slice->doc->nshapes)
		return COLJ_OK;
	status = colj_iter_open(slice->doc, container, &iter);
	while (status == COLJ_OK && (status = colj_iter_container(&iter, &child)) == COLJ_OK)
	{
		if (depth == MAX_DEPTH)
			return COLJ_ABSENT;
		status = note_shapes(slice, &child, depth + 1);
		if (status != COLJ_OK)
			return status;
	}
	return status == COLJ_ABSENT ? COLJ_OK : status;
}

/* Bytes of the shapes that go along, empty ones among them. */
static uint32_t
shapes_size(const ColjSlice *slice)
{
	return slice->shape_size + (slice->shapes - slice->used);
}

/* Bytes of the table that goes along. */
static uint32_t
table_size(const ColjSlice *slice)
{
	uint32_t	size = shapes_size(slice);

	if (slice->shapes == 0)
		return 0;
	return colj_varint_size(slice->shapes) + colj_varint_size(size) + slice->shapes * colj_width(size) + size;
}

/* Decide what goes along with a container of a document that has shapes. */
static ColjStatus
choose_table(ColjSlice *slice)
{
	ColjDoc    *doc = slice->doc;
	uint32_t	len = slice->value.len;
	uint64_t	size = (uint64_t) table_end(doc) + 1 + len;
	ColjStatus	status;

	slice->head = table_end(doc) <= len / TABLE_SHARE;
	if (!slice->head)
	{
		if (doc->nshapes > COLJ_SLICE_SHAPES)
			return COLJ_ABSENT;
		memset(slice->uses, 0, sizeof(slice->uses));
		/* all of the part will be wanted, so have it fetched at once */
		if (colj_bytes(doc, &slice->value) == NULL)
			return COLJ_CORRUPT;
		status = note_shapes(slice, &slice->value, 0);
		if (status != COLJ_OK)
			return status;
		if ((slice->shapes - slice->used) * 2 > (len + slice->shape_size) / EMPTY_SHARE)
			return COLJ_ABSENT;
		size = (uint64_t) COLJ_HEADER_SIZE + table_size(slice) + 1 + len;
	}
	slice->size = (uint32_t) size;
	return size <= COLJ_MAX_SIZE ? COLJ_OK : COLJ_ABSENT;
}

/* The entry of a value that stands alone. */
static uint8_t
root_entry(const ColjValue *value)
{
	switch (value->kind)
	{
		case COLJ_NULL:
			return COLJ_ENTRY(COLJ_TAG_LITERAL, COLJ_LITERAL_NULL);
		case COLJ_BOOL:
			return COLJ_ENTRY(COLJ_TAG_LITERAL, value->integer ? COLJ_LITERAL_TRUE : COLJ_LITERAL_FALSE);
		case COLJ_STRING:
			return COLJ_ENTRY(COLJ_TAG_STRING, 0);
		case COLJ_INT:
			return colj_is_literal_int(value->integer) ?
				COLJ_ENTRY(COLJ_TAG_LITERAL, COLJ_LITERAL_ZERO + value->integer) : COLJ_ENTRY(COLJ_TAG_INT, 0);
		case COLJ_DECIMAL:
			return COLJ_ENTRY(COLJ_TAG_DECIMAL, 0);
		case COLJ_BIGNUM:
			return COLJ_ENTRY(COLJ_TAG_BIGNUM, 0);
		case COLJ_ARRAY:
			return COLJ_ENTRY(COLJ_TAG_ARRAY, 0);
		case COLJ_OBJECT:
			break;
	}
	return value->shaped ? SHAPED_ENTRY : COLJ_ENTRY(COLJ_TAG_OBJECT, 0);
}

/* Bytes of a scalar that stands alone: numbers in their shortest form. */
static uint32_t
scalar_size(const ColjValue *value)
{
	switch (value->kind)
	{
		case COLJ_STRING:
		case COLJ_BIGNUM:
			return value->len;
		case COLJ_INT:
			return colj_is_literal_int(value->integer) ? 0 : colj_int_size(value->integer);
		case COLJ_DECIMAL:
			return 1 + (value->integer == 0 ? 0 : colj_int_size(value->integer));
		default:
			return 0;
	}
}

ColjStatus
colj_slice_size(ColjSlice *slice, ColjDoc *doc, const ColjValue *value)
{
	slice->doc = doc;
	slice->value = *value;
	slice->head = false;
	slice->shapes = 0;
	slice->used = 0;
	slice->shape_size = 0;
	if (is_container(value) && doc->nshapes > 0)
		return choose_table(slice);
	slice->size = COLJ_HEADER_SIZE + 1 + (is_container(value) ? value->len : scalar_size(value));
	return COLJ_OK;
}

/* Write the table of the shapes that go along; NULL when they can't be had. */
static uint8_t *
put_table(const ColjSlice *slice, uint8_t *out)
{
	uint32_t	size = shapes_size(slice);
	uint32_t	width = colj_width(size);
	uint8_t    *ends;
	uint8_t    *first;

	out = colj_put_varint(out, slice->shapes);
	ends = colj_put_varint(out, size);
	first = out = ends + slice->shapes * width;
	for (uint32_t id = 0; id < slice->shapes; id++, ends += width)
	{
		uint32_t	off;
		uint32_t	len;
		const char *bytes;

		if (!is_used(slice, id))
			*out++ = 0;
		else if (colj_shape_place(slice->doc, id, &off, &len) != COLJ_OK ||
				 (bytes = bytes_at(slice->doc, off, len)) == NULL)
			return NULL;
		else
		{
			memcpy(out, bytes, len);
			out += len;
		}
		colj_store(ends, width, (uint32_t) (out - first));
	}
	return out;
}

/* Write all that comes before the root's entry; NULL when it can't be had. */
static uint8_t *
put_head(const ColjSlice *slice, uint8_t *out)
{
	ColjDoc    *doc = slice->doc;
	const char *bytes;

	if (!slice->head)
	{
		out = colj_put_header(out, slice->shapes > 0 ? COLJ_FLAG_SHAPES : 0, doc->stride);
		return slice->shapes > 0 ? put_table(slice, out) : out;
	}
	bytes = bytes_at(doc, 0, table_end(doc));
	if (bytes == NULL)
		return NULL;
	memcpy(out, bytes, table_end(doc));
	return out + table_end(doc);
}

ColjStatus
colj_slice_write(ColjSlice *slice, uint8_t *out)
{
	const ColjValue *value = &slice->value;
	const char *bytes;

	out = put_head(slice, out);
	if (out == NULL)
		return COLJ_CORRUPT;
	*out++ = root_entry(value);
	if (value->kind == COLJ_INT)
		colj_store_int(out, scalar_size(value), value->integer);
	else if (value->kind == COLJ_DECIMAL)
	{
		*out++ = value->scale;
		colj_store_int(out, scalar_size(value) - 1, value->integer);
	}
	else if (value->kind != COLJ_NULL && value->kind != COLJ_BOOL)
	{
		bytes = colj_bytes(slice->doc, value);
		if (bytes == NULL)
			return COLJ_CORRUPT;
		memcpy(out, bytes, value->len);
	}
	return COLJ_OK;
}
