/*-------------------------------------------------------------------------
 *
 * reference.c
 *	  A second, independent decoder, written from the format's README.
 *
 * Simple before fast: spans of bytes are cut off the front, everything is
 * copied out, and every rule is checked where the README states it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

#define MAX_DEPTH 1000
#define MAX_NODES 200000

/* Bytes not yet consumed. */
typedef struct Span
{
	const uint8_t *p;
	uint64_t	left;
} Span;

/* What is the same everywhere in one document. */
typedef struct Reference
{
	Heap	   *heap;
	jmp_buf		stop;
	ReferenceVerdict verdict;
	const char *why;
	uint64_t	stride;
	uint32_t	nshapes;
	Model	  **shapes;			/* objects with keys and no children */
	uint32_t	depth;
	uint32_t	nodes;
} Reference;

static Model *decode_value(Reference *r, unsigned tag, unsigned code, Span body);

static void
stop(Reference *r, ReferenceVerdict verdict, const char *why)
{
	r->verdict = verdict;
	r->why = why;
	longjmp(r->stop, 1);
}

static void
require(Reference *r, bool condition, const char *why)
{
	if (!condition)
		stop(r, REFERENCE_INVALID, why);
}

/* Cut n bytes off the front. */
static Span
cut(Reference *r, Span *span, uint64_t n)
{
	Span		front = {span->p, n};

	require(r, n <= span->left, "not enough bytes");
	span->p += n;
	span->left -= n;
	return front;
}

static unsigned
cut_byte(Reference *r, Span *span)
{
	return cut(r, span, 1).p[0];
}

/* Little-endian, unsigned. */
static uint64_t
number(Span span)
{
	uint64_t	value = 0;

	while (span.left-- > 0)
		value = value << 8 | span.p[span.left];
	return value;
}

static uint32_t
cut_varint(Reference *r, Span *span)
{
	uint64_t	value = 0;
	unsigned	shift;

	for (shift = 0; shift < 35; shift += 7)
	{
		unsigned	byte = cut_byte(r, span);

		value += (uint64_t) (byte % 128) << shift;
		if (byte < 128)
		{
			require(r, value <= 0xFFFFFFFF, "varint above 32 bits");
			return (uint32_t) value;
		}
	}
	require(r, false, "varint too long");
	return 0;
}

/* The fewest bytes that hold a length. */
static unsigned
width_of(uint64_t length)
{
	unsigned	width = 1;

	while (length >= (uint64_t) 1 << (8 * width))
		width++;
	return width;
}

static void
count_nodes(Reference *r, uint64_t n)
{
	if (n > MAX_NODES - r->nodes)
		stop(r, REFERENCE_UNKNOWN, "too many values");
	r->nodes += (uint32_t) n;
}

static bool
key_above(const ColjKey *a, const ColjKey *b)
{
	if (a->len != b->len)
		return b->len > a->len;
	return memcmp(a->bytes, b->bytes, a->len) < 0;
}

/* n keys, with NULL for children. */
static Model *
cut_keys(Reference *r, Span *span)
{
	uint32_t	n = cut_varint(r, span);
	Model	   *object = model_new(r->heap, COLJ_OBJECT);
	uint32_t   *lens;
	uint64_t	len = 0;
	uint32_t	i = 0;

	/* of different keys only one is empty */
	require(r, n <= span->left + 1, "not enough bytes for keys");
	lens = heap_lend(r->heap, ((size_t) n + 1) * sizeof(*lens));
	while (i < n)
	{
		unsigned	run = cut_byte(r, span);
		uint32_t	delta = run / 16;
		uint32_t	count = run % 16;

		if (count == 0)
		{
			require(r, delta == 0, "run of no keys");
			delta = cut_varint(r, span);
			count = cut_varint(r, span);
		}
		len += delta;
		require(r, count >= 1 && count <= n - i, "run's count");
		require(r, delta > 0 || i == 0, "a length in two runs");
		require(r, len <= 0x3FFFFFFF, "run's length");
		while (count-- > 0)
			lens[i++] = (uint32_t) len;
	}
	for (i = 0; i < n; i++)
	{
		Span		key = cut(r, span, lens[i]);

		model_put(r->heap, object, (const char *) key.p, lens[i], NULL);
		require(r, i == 0 || key_above(&object->key[i - 1], &object->key[i]), "order of keys");
	}
	return object;
}

/* The ends of n big values: the lowest bytes of all, then the next, ... */
static uint64_t *
cut_ends(Reference *r, Span *span, uint64_t n, unsigned width)
{
	uint64_t   *ends = heap_lend(r->heap, (n + 1) * sizeof(*ends));
	uint64_t	unit = 1;
	uint64_t	i;

	for (i = 0; i < n; i++)
		ends[i] = 0;
	for (; width > 0; width--, unit *= 256)
		for (i = 0; i < n; i++)
			ends[i] += cut_byte(r, span) * unit;
	return ends;
}

/* Is what stands before child i what its anchor says? */
static void
check_anchor(Reference *r, Span *anchors, unsigned width, uint64_t small, uint64_t rank)
{
	require(r, number(cut(r, anchors, width)) == small, "anchor's offset");
	require(r, number(cut(r, anchors, width)) == rank, "anchor's rank");
}

static bool
takes_big(unsigned entry)
{
	return entry / 32 != 0 && entry % 32 == 31;
}

/* n entries and what follows them: the children, in order. */
static void
decode_children(Reference *r, Span span, uint64_t body_length, uint32_t n, Model **child)
{
	unsigned	width = width_of(body_length);
	Span		entries = cut(r, &span, n);
	Span		anchors = cut(r, &span, n > 0 ? (n - 1) / r->stride * 2 * width : 0);
	uint64_t	nbig = 0;
	uint64_t	small_size = 0;
	uint64_t	start = 0;
	uint64_t   *ends;
	Span		small;
	uint32_t	i;

	count_nodes(r, n);
	for (i = 0; i < n; i++)
	{
		if (i > 0 && i % r->stride == 0)
			check_anchor(r, &anchors, width, small_size, nbig);
		if (takes_big(entries.p[i]))
			nbig++;
		else if (entries.p[i] / 32 != 0)
			small_size += entries.p[i] % 32;
	}
	ends = cut_ends(r, &span, nbig, width);
	small = cut(r, &span, small_size);
	for (i = 0; i < n; i++)
	{
		unsigned	tag = entries.p[i] / 32;
		unsigned	code = entries.p[i] % 32;

		if (takes_big(entries.p[i]))
		{
			uint64_t	end = *ends++;

			require(r, end >= start, "order of ends");
			child[i] = decode_value(r, tag, 0, cut(r, &span, end - start));
			start = end;
		}
		else
			child[i] = decode_value(r, tag, code, cut(r, &small, tag == 0 ? 0 : code));
	}
	require(r, span.left == 0, "bytes after the last value");
}

static Model *
decode_fixed(Reference *r, Span body, uint32_t n)
{
	Model	   *array = model_new(r->heap, COLJ_ARRAY);
	unsigned	entry = cut_byte(r, &body);
	unsigned	len = entry / 32 == 0 ? 0 : entry % 32;
	uint32_t	i;

	require(r, !takes_big(entry), "fixed array of big values");
	require(r, body.left == (uint64_t) n * len, "length of a fixed array");
	require(r, len > 0 || n <= 32, "too many elements without bytes");
	count_nodes(r, n);
	for (i = 0; i < n; i++)
		model_add(r->heap, array,
				  decode_value(r, entry / 32, entry % 32, cut(r, &body, len)));
	return array;
}

static Model *
decode_array(Reference *r, Span body)
{
	uint64_t	body_length = body.left;
	uint32_t	head = cut_varint(r, &body);
	Model	   *array = model_new(r->heap, COLJ_ARRAY);

	if (head % 2 == 1)
		return decode_fixed(r, body, head / 2);
	array->n = head / 2;
	require(r, array->n <= body.left, "not enough bytes for elements");
	array->child = heap_lend(r->heap, (array->n + 1) * sizeof(Model *));
	decode_children(r, body, body_length, array->n, array->child);
	return array;
}

static Model *
decode_object(Reference *r, Span body, bool shaped)
{
	uint64_t	body_length = body.left;
	Model	   *object = model_new(r->heap, COLJ_OBJECT);
	const Model *keys;

	if (shaped)
	{
		uint32_t	id = cut_varint(r, &body);

		require(r, id < r->nshapes, "shape id");
		keys = r->shapes[id];
	}
	else
		keys = cut_keys(r, &body);
	object->n = keys->n;
	object->key = keys->key;
	object->child = heap_lend(r->heap, (object->n + 1) * sizeof(Model *));
	decode_children(r, body, body_length, object->n, object->child);
	return object;
}

static Model *
decode_literal(Reference *r, unsigned code)
{
	Model	   *model;

	if (code >= 3)
		return model_int(r->heap, code - 3);
	model = model_new(r->heap, code == 0 ? COLJ_NULL : COLJ_BOOL);
	model->integer = code == 2;
	return model;
}

/* Two's complement of 0 to 8 bytes. */
static int64_t
signed_number(Span span)
{
	uint64_t	value = number(span);

	if (span.left > 0 && span.left < 8 && span.p[span.left - 1] >= 128)
		value -= (uint64_t) 1 << (8 * span.left);
	return (int64_t) value;
}

static Model *
decode_int(Reference *r, Span body)
{
	require(r, body.left >= 1 && body.left <= 8, "length of an integer");
	return model_int(r->heap, signed_number(body));
}

static Model *
decode_decimal(Reference *r, Span body)
{
	Model	   *model = model_new(r->heap, COLJ_DECIMAL);

	require(r, body.left >= 1 && body.left <= 9, "length of a decimal");
	model->scale = (uint8_t) cut_byte(r, &body);
	model->integer = signed_number(body);
	return model;
}

static int
big_endian(const uint8_t *p)
{
	int			value = p[0] * 256 + p[1];

	return value < 32768 ? value : value - 65536;
}

static Model *
decode_bignum(Reference *r, Span body)
{
	Model	   *model = model_new(r->heap, COLJ_BIGNUM);
	int			n;
	int			i;

	require(r, body.left >= 8, "length of a bignum");
	n = body.p[0] * 256 + body.p[1];
	require(r, body.left == 8 + 2 * (uint64_t) n, "digits of a bignum");
	require(r, body.p[5] == 0 && (body.p[4] == 0 || body.p[4] == 0x40), "sign of a bignum");
	require(r, big_endian(body.p + 6) >= 0 && big_endian(body.p + 6) <= 0x3FFF,
			"scale of a bignum");
	for (i = 0; i < n; i++)
	{
		int			digit = big_endian(body.p + 8 + 2 * i);

		require(r, digit >= 0 && digit < 10000, "digit of a bignum");
	}
	model->bytes = (const char *) body.p;
	model->len = (uint32_t) body.left;
	return model;
}

/* A value from its tag, its entry's low half and its bytes. */
static Model *
decode_value(Reference *r, unsigned tag, unsigned code, Span body)
{
	Model	   *model = NULL;

	if (++r->depth > MAX_DEPTH)
		stop(r, REFERENCE_UNKNOWN, "too deep");
	switch (tag)
	{
		case 0:
			model = decode_literal(r, code);
			break;
		case 1:
			model = model_string(r->heap, (const char *) body.p, (uint32_t) body.left);
			break;
		case 2:
			model = decode_int(r, body);
			break;
		case 3:
			model = decode_decimal(r, body);
			break;
		case 4:
			model = decode_bignum(r, body);
			break;
		case 5:
			model = decode_array(r, body);
			break;
		default:
			model = decode_object(r, body, tag == 7);
	}
	r->depth--;
	return model;
}

static void
decode_shapes(Reference *r, Span *span)
{
	uint64_t	size;
	Span		ends;
	Span		shapes;
	uint64_t	start = 0;
	unsigned	width;
	uint32_t	i;

	r->nshapes = cut_varint(r, span);
	size = cut_varint(r, span);
	width = width_of(size);
	ends = cut(r, span, (uint64_t) r->nshapes * width);
	shapes = cut(r, span, size);
	r->shapes = heap_lend(r->heap, (r->nshapes + 1) * sizeof(Model *));
	for (i = 0; i < r->nshapes; i++)
	{
		uint64_t	end = number(cut(r, &ends, width));
		Span		shape;

		require(r, end >= start, "order of shapes");
		shape = cut(r, &shapes, end - start);
		r->shapes[i] = cut_keys(r, &shape);
		require(r, shape.left == 0, "bytes after a shape");
		start = end;
	}
	require(r, shapes.left == 0, "bytes after the last shape");
}

static Model *
decode_document(Reference *r, Span span)
{
	unsigned	first = cut_byte(r, &span);
	unsigned	entry;

	require(r, first / 16 == 1, "version");
	require(r, first % 16 <= 1, "flags");
	r->stride = (uint64_t) cut_byte(r, &span) + 1;
	if (first % 16 == 1)
		decode_shapes(r, &span);
	entry = cut_byte(r, &span);
	require(r, entry / 32 == 0 || entry % 32 == 0, "length in the root's entry");
	require(r, entry / 32 != 0 || span.left == 0, "bytes after a literal");
	count_nodes(r, 1);
	return decode_value(r, entry / 32, entry % 32, span);
}

ReferenceVerdict
reference_decode(Heap *heap, const uint8_t *data, uint32_t size,
				 Model **model, const char **why)
{
	Reference  *r = heap_lend(heap, sizeof(Reference));

	r->heap = heap;
	r->verdict = REFERENCE_VALID;
	if (setjmp(r->stop) == 0)
		*model = decode_document(r, (Span){data, size});
	*why = r->why;
	return r->verdict;
}
