/*-------------------------------------------------------------------------
 *
 * cursor.h
 *	  What the files that read documents share: reader.c, iterate.c, open.c.
 *
 * All bytes come through reveal(), which checks them against the document's
 * size and has missing ones fetched.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_CURSOR_H
#define COLJ_CURSOR_H

#include "bytes.h"
#include "reader.h"
#include "scan.h"

/* A position that moves through [pos, limit). */
typedef struct Cursor
{
	ColjDoc    *doc;
	uint32_t	pos;
	uint32_t	limit;
} Cursor;

/* Remember the first problem. */
static inline ColjStatus
corrupt(ColjDoc *doc, const char *problem)
{
	if (doc->problem == NULL)
		doc->problem = problem;
	return COLJ_CORRUPT;
}

/* What reveal and next_varint leave to functions (open.c). */
extern const uint8_t *colj_reveal_slow(ColjDoc *doc, uint32_t off, uint32_t len);
extern bool colj_next_varint_slow(Cursor *cur, uint32_t *value);

/* Place a cursor on shape id's first byte. */
extern bool colj_find_shape(ColjDoc *doc, uint32_t id, Cursor *shape);

/* The bytes [off, off + len), or NULL and a problem. */
static inline const uint8_t *
reveal(ColjDoc *doc, uint32_t off, uint32_t len)
{
	if (COLJ_LIKELY((uint64_t) off + len <= doc->avail))
		return doc->data + off;
	return colj_reveal_slow(doc, off, len);
}

static inline bool
next_byte(Cursor *cur, uint8_t *byte)
{
	const uint8_t *p;

	if (COLJ_UNLIKELY(cur->pos >= cur->limit))
	{
		corrupt(cur->doc, "A container ends before its contents do.");
		return false;
	}
	p = reveal(cur->doc, cur->pos, 1);
	if (p == NULL)
		return false;
	*byte = *p;
	cur->pos++;
	return true;
}

static inline __attribute__((always_inline))
bool
next_varint(Cursor *cur, uint32_t *value)
{
	if (COLJ_LIKELY(cur->pos < cur->limit && cur->pos < cur->doc->avail && cur->doc->data[cur->pos] < 0x80))
	{
		*value = cur->doc->data[cur->pos++];
		return true;
	}
	return colj_next_varint_slow(cur, value);
}

/* Step over size bytes, which must be there. */
static inline bool
skip(Cursor *cur, uint64_t size)
{
	if (COLJ_UNLIKELY(size > cur->limit - cur->pos))
	{
		corrupt(cur->doc, "A container is shorter than its tables.");
		return false;
	}
	cur->pos += (uint32_t) size;
	return true;
}

/* One run of a key list; *len is the previous run's and becomes this one's. */
static inline bool
next_run(Cursor *cur, uint32_t *len, uint32_t *count)
{
	uint8_t		run;
	uint32_t	delta;

	if (!next_byte(cur, &run))
		return false;
	if (COLJ_LIKELY(run != COLJ_RUN_EXTENDED))
	{
		delta = COLJ_RUN_DELTA(run);
		*count = COLJ_RUN_COUNT(run);
	}
	else if (!next_varint(cur, &delta) || !next_varint(cur, count))
		return false;
	if (COLJ_UNLIKELY(*count == 0 || delta > COLJ_MAX_SIZE - *len))
	{
		corrupt(cur->doc, "A run of keys is empty or its keys are too long.");
		return false;
	}
	*len += delta;
	return true;
}

/* Decode an integer or decimal of len bytes at off. */
static COLJ_ALWAYS_INLINE ColjStatus
decode_number(ColjDoc *doc, ColjTag tag, ColjValue *out)
{
	uint32_t	prefix = tag == COLJ_TAG_DECIMAL ? 1 : 0;
	const uint8_t *p;

	if (out->len > 8 + prefix || out->len == 0)
		return corrupt(doc, "A number has an impossible length.");
	p = reveal(doc, out->off, out->len);
	if (p == NULL)
		return COLJ_CORRUPT;
	out->kind = prefix ? COLJ_DECIMAL : COLJ_INT;
	out->scale = prefix ? *p : 0;
	if (COLJ_LIKELY((uint64_t) out->off + prefix + 8 <= doc->avail))
	{
		uint64_t	word = colj_word_load((const char *) p + prefix);
		uint32_t	bits = 64 - 8 * (out->len - prefix);

		out->integer = bits == 64 ? 0 : (int64_t) (word << bits) >> bits;
	}
	else
		out->integer = colj_load_int(p + prefix, out->len - prefix);
	return COLJ_OK;
}

static inline void
decode_literal(uint32_t code, ColjValue *out)
{
	out->kind = code == COLJ_LITERAL_NULL ? COLJ_NULL : code < COLJ_LITERAL_ZERO ? COLJ_BOOL
		: COLJ_INT;
	out->integer = code < COLJ_LITERAL_ZERO ? code == COLJ_LITERAL_TRUE : code - COLJ_LITERAL_ZERO;
	out->len = 0;
}

/* What an entry and the place of its value make. */
static COLJ_ALWAYS_INLINE ColjStatus
decode(ColjDoc *doc, uint8_t entry, uint32_t off, uint32_t len, ColjValue *out)
{
	ColjTag		tag = COLJ_ENTRY_TAG(entry);

	out->off = off;
	out->len = len;
	out->shaped = false;
	out->scale = 0;
	out->integer = 0;
	switch (tag)
	{
		case COLJ_TAG_LITERAL:
			decode_literal(COLJ_ENTRY_LEN(entry), out);
			break;
		case COLJ_TAG_STRING:
			out->kind = COLJ_STRING;
			break;
		case COLJ_TAG_INT:
		case COLJ_TAG_DECIMAL:
			return decode_number(doc, tag, out);
		case COLJ_TAG_BIGNUM:
			out->kind = COLJ_BIGNUM;
			if (len < COLJ_BIGNUM_HEADER_SIZE || len % 2 != 0)
				return corrupt(doc, "A number has an impossible length.");
			break;
		case COLJ_TAG_ARRAY:
			out->kind = COLJ_ARRAY;
			break;
		case COLJ_TAG_SHAPED:
			out->shaped = true;
			out->kind = COLJ_OBJECT;
			break;
		case COLJ_TAG_OBJECT:
			out->kind = COLJ_OBJECT;
			break;
	}
	return COLJ_OK;
}

/* The end of the big value of the given rank, relative to c->big. */
static COLJ_ALWAYS_INLINE bool
read_end(const ColjContainer *c, uint32_t rank, uint32_t *end)
{
	ColjDoc    *doc = c->doc;

	if (COLJ_LIKELY((uint64_t) c->ends + (uint64_t) c->nbig * c->width <= doc->avail))
	{
		*end = colj_load_split(doc->data + c->ends, c->nbig, c->width, rank);
		return true;
	}
	*end = 0;
	for (uint32_t k = 0; k < c->width; k++)
	{
		const uint8_t *p = reveal(doc, c->ends + k * c->nbig + rank, 1);

		if (p == NULL)
			return false;
		*end |= (uint32_t) *p << (8 * k);
	}
	return true;
}

/* Big value of the given rank: its start and end relative to c->big. */
static COLJ_ALWAYS_INLINE bool
read_ends(const ColjContainer *c, uint32_t rank, uint32_t *start, uint32_t *end)
{
	*start = 0;
	if (COLJ_UNLIKELY(rank >= c->nbig))
	{
		corrupt(c->doc, "A container's anchors contradict its entries.");
		return false;
	}
	if ((rank > 0 && !read_end(c, rank - 1, start)) || !read_end(c, rank, end))
		return false;
	if (COLJ_UNLIKELY(*start > *end || *end > c->limit - c->big))
	{
		corrupt(c->doc, "A container's ends are out of order.");
		return false;
	}
	return true;
}

static COLJ_ALWAYS_INLINE ColjStatus
small_child(const ColjContainer *c, uint8_t entry, uint64_t off, ColjValue *out)
{
	uint32_t	len = colj_entry_small_size(entry);

	if (COLJ_UNLIKELY(off + len > c->big))
		return corrupt(c->doc, "A container's anchors contradict its entries.");
	return decode(c->doc, entry, (uint32_t) off, len, out);
}

#endif							/* COLJ_CURSOR_H */
