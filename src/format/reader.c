/*-------------------------------------------------------------------------
 *
 * reader.c
 *	  Finding things in a colj document without decoding the rest.
 *
 * All bytes come through reveal(), which checks them against the document's
 * size and has missing ones fetched.  A container is opened in one pass over
 * its key runs (how long is the key list?) and one over its last entries (how
 * many big values are there?); after that each child costs a sum over at most
 * one stride of entries.
 *
 * Loops are bounded by bytes that were seen to exist: a count of children is
 * believed only when the entries, or the values of a fixed array, fit into
 * the container.  Only an array whose children are all the same literal or
 * empty has more children than bytes, and that has few.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "reader.h"

#include "bytes.h"
#include "scan.h"

#define NO_KEY_LEN UINT32_MAX
#define NO_CHILD UINT32_MAX

/* The keys of one length in a key list. */
typedef struct KeyRun
{
	uint32_t	len;			/* of each key */
	uint32_t	first;			/* index of the first */
	uint32_t	count;
	uint32_t	bytes;			/* offset of the first in the key bytes */
} KeyRun;

/* A position that moves through [pos, limit). */
typedef struct Cursor
{
	ColjDoc    *doc;
	uint32_t	pos;
	uint32_t	limit;
} Cursor;

static ColjStatus
corrupt(ColjDoc *doc, const char *problem)
{
	if (doc->problem == NULL)
		doc->problem = problem;
	return COLJ_CORRUPT;
}

static const uint8_t *
reveal_slow(ColjDoc *doc, uint32_t off, uint32_t len)
{
	if ((uint64_t) off + len > doc->size)
		corrupt(doc, "A value runs past the end of the document.");
	else if (doc->fetch == NULL || !doc->fetch(doc, off, len))
		corrupt(doc, "A part of the document could not be fetched.");
	else
		return doc->data + off;
	return NULL;
}

/* The bytes [off, off + len), or NULL and a problem. */
static inline const uint8_t *
reveal(ColjDoc *doc, uint32_t off, uint32_t len)
{
	if (COLJ_LIKELY((uint64_t) off + len <= doc->avail))
		return doc->data + off;
	return reveal_slow(doc, off, len);
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

static bool
next_varint_slow(Cursor *cur, uint32_t *value)
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

static inline __attribute__((always_inline))
bool
next_varint(Cursor *cur, uint32_t *value)
{
	if (COLJ_LIKELY(cur->pos < cur->limit && cur->pos < cur->doc->avail && cur->doc->data[cur->pos] < 0x80))
	{
		*value = cur->doc->data[cur->pos++];
		return true;
	}
	return next_varint_slow(cur, value);
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

/* How far the reading of a key list has come. */
typedef struct KeyList
{
	uint32_t	done;			/* keys */
	uint64_t	bytes;			/* of them */
	uint32_t	len;			/* of the last ones */
} KeyList;

/*
 * Read runs as long as they are of the short form and in memory; the rest is
 * left to the caller, and so are all checks of the sums.
 */
static COLJ_ALWAYS_INLINE void
read_short_runs(const ColjContainer *c, Cursor *cur, uint32_t key_len, KeyList *list, KeyRun *hit)
{
	const ColjDoc *doc = cur->doc;
	const uint8_t *p = doc->data + cur->pos;
	const uint8_t *end = doc->data + (cur->limit < doc->avail ? cur->limit : doc->avail);
	KeyList		at = *list;

	while (at.done < c->n && p < end && COLJ_RUN_COUNT(*p) != 0)
	{
		uint32_t	count = COLJ_RUN_COUNT(*p);

		at.len += COLJ_RUN_DELTA(*p);
		if (at.len == key_len)
			*hit = (KeyRun){at.len, at.done, count, (uint32_t) at.bytes};
		at.done += count;
		at.bytes += (uint64_t) at.len * count;
		p++;
	}
	*list = at;
	cur->pos = (uint32_t) (p - doc->data);
}

/*
 * Read the key list at the cursor, which ends up after it.  Sets c->runs and
 * c->keys; *hit becomes the run of keys that are key_len bytes long (count 0
 * if there is none).
 */
static COLJ_ALWAYS_INLINE bool
read_key_list(ColjContainer *c, Cursor *cur, uint32_t key_len, KeyRun *hit)
{
	KeyList		list = {0, 0, 0};
	uint32_t	count;

	hit->count = 0;
	c->runs = cur->pos;
	for (;;)
	{
		if (cur->pos < cur->doc->avail)
			read_short_runs(c, cur, key_len, &list, hit);
		if (list.done >= c->n)
			break;
		if (!next_run(cur, &list.len, &count))
			return false;
		if (list.len == key_len)
			*hit = (KeyRun){list.len, list.done, count, (uint32_t) list.bytes};
		if (count > c->n - list.done || (uint64_t) list.len * count > COLJ_MAX_SIZE)
			break;
		list.done += count;
		list.bytes += (uint64_t) list.len * count;
		if (list.bytes > COLJ_MAX_SIZE)
			break;
	}
	if (COLJ_UNLIKELY(list.done != c->n || list.bytes > COLJ_MAX_SIZE))
	{
		corrupt(cur->doc, "A key list does not fit its object.");
		return false;
	}
	c->keys = cur->pos;
	return skip(cur, list.bytes);
}

/* Anchor i holds what the entries before child (i + 1) * stride add up to. */
static inline bool
read_anchor(const ColjContainer *c, uint32_t i, ColjTally *tally)
{
	const uint8_t *p = reveal(c->doc, c->anchors + i * 2 * c->width, 2 * c->width);

	if (p == NULL)
		return false;
	tally->small = colj_load(p, c->width);
	tally->big = colj_load(p + c->width, c->width);
	return true;
}

/* What n entries from child i on add up to. */
static COLJ_ALWAYS_INLINE bool
tally_from(const ColjContainer *c, uint32_t i, uint32_t n, ColjTally *tally)
{
	ColjDoc    *doc = c->doc;
	uint32_t	off = c->entries + i;
	const uint8_t *p = reveal(doc, off, n);

	if (p == NULL)
		return false;
	/* pieces that were fetched beyond avail end where they were asked to */
	*tally = colj_tally(p, n, off + n <= doc->avail ? doc->avail - off : n);
	return true;
}

/* What the entries before i add up to, where i may be n. */
static COLJ_ALWAYS_INLINE bool
tally_before(const ColjContainer *c, uint32_t i, ColjTally *tally)
{
	uint32_t	stride = c->doc->stride;
	uint32_t	anchor = 0;
	ColjTally	sum = {0, 0};

	if (c->n > stride)
		anchor = (i < c->n ? i : c->n - 1) / stride;
	if (anchor > 0 && !read_anchor(c, anchor - 1, &sum))
		return false;
	if (!tally_from(c, anchor * stride, i - anchor * stride, tally))
		return false;
	tally->small += sum.small;
	tally->big += sum.big;
	return true;
}

/*
 * What all entries add up to, and those before child i (NO_CHILD for none).
 * Where there are no anchors, that is one look at each entry.
 */
static COLJ_ALWAYS_INLINE bool
tally_all(const ColjContainer *c, uint32_t i, ColjTally *before, ColjTally *total)
{
	if (i == NO_CHILD)
		return tally_before(c, c->n, total);
	if (!tally_before(c, i, before))
		return false;
	if (c->n > c->doc->stride)
		return tally_before(c, c->n, total);
	if (!tally_from(c, i, c->n - i, total))
		return false;
	total->small += before->small;
	total->big += before->big;
	return true;
}

/*
 * Find the tables of n children at the cursor, and what stands before child i
 * (NO_CHILD for none).
 */
static COLJ_ALWAYS_INLINE bool
read_children(ColjContainer *c, Cursor *cur, uint32_t i, ColjTally *before)
{
	uint32_t	stride = c->doc->stride;
	uint64_t	nanchors = c->n > stride ? (c->n - 1) / stride : 0;
	ColjTally	total;

	c->fixed = false;
	c->entries = cur->pos;
	if (!skip(cur, c->n))
		return false;
	c->anchors = cur->pos;
	if (!skip(cur, nanchors * 2 * c->width))
		return false;
	c->ends = cur->pos;
	if (!tally_all(c, i, before, &total))
		return false;
	c->nbig = total.big;
	if (!skip(cur, (uint64_t) total.big * c->width))
		return false;
	c->small = cur->pos;
	if (!skip(cur, total.small))
		return false;
	c->big = cur->pos;
	return true;
}

/* Find the values of an array whose children share one entry. */
static bool
read_fixed(ColjContainer *c, Cursor *cur)
{
	uint32_t	len;

	c->fixed = true;
	c->nbig = 0;
	if (!next_byte(cur, &c->entry))
		return false;
	if (colj_entry_is_big(c->entry))
	{
		corrupt(cur->doc, "An array of one length says that its values are long.");
		return false;
	}
	len = colj_entry_small_size(c->entry);
	if (len == 0 && c->n > COLJ_FIXED_EMPTY_MAX)
	{
		corrupt(cur->doc, "An array without bytes has too many elements.");
		return false;
	}
	c->entries = c->anchors = c->ends = c->small = cur->pos;
	if (!skip(cur, (uint64_t) len * c->n))
		return false;
	c->big = cur->pos;
	return true;
}

/* Find the values of an array; i and before as of read_children. */
static inline bool
open_array(ColjContainer *c, Cursor *cur, uint32_t i, ColjTally *before)
{
	uint32_t	head;

	if (!next_varint(cur, &head))
		return false;
	c->n = head >> 1;
	c->runs = c->keys = cur->pos;
	return (head & 1) ? read_fixed(c, cur) : read_children(c, cur, i, before);
}

/* Place a cursor on shape id's first byte. */
static bool
find_shape(ColjDoc *doc, uint32_t id, Cursor *shape)
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

/* Find an object's keys; *hit as of read_key_list. */
static COLJ_ALWAYS_INLINE bool
open_keys(ColjContainer *c, Cursor *cur, bool shaped, uint32_t key_len, KeyRun *hit)
{
	Cursor		shape;
	uint32_t	id;

	if (!shaped)
		return next_varint(cur, &c->n) && read_key_list(c, cur, key_len, hit);
	return next_varint(cur, &id) && find_shape(c->doc, id, &shape) &&
		next_varint(&shape, &c->n) && read_key_list(c, &shape, key_len, hit);
}

/* A cursor over a container's body. */
static inline Cursor
begin_container(ColjDoc *doc, const ColjValue *value, ColjContainer *c)
{
	c->doc = doc;
	c->kind = value->kind;
	c->limit = value->off + value->len;
	c->width = (uint8_t) colj_width(value->len);
	return (Cursor)
	{
		doc, value->off, c->limit
	};
}

ColjStatus
colj_container_open(ColjDoc *doc, const ColjValue *container, ColjContainer *c)
{
	Cursor		cur = begin_container(doc, container, c);
	KeyRun		hit = {0, 0, 0, 0};

	if (container->kind == COLJ_ARRAY)
		return open_array(c, &cur, NO_CHILD, NULL) ? COLJ_OK : COLJ_CORRUPT;
	if (!open_keys(c, &cur, container->shaped, NO_KEY_LEN, &hit) ||
		!read_children(c, &cur, NO_CHILD, NULL))
		return COLJ_CORRUPT;
	return COLJ_OK;
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

/* Big value of the given rank: its start and end relative to c->big. */
static COLJ_ALWAYS_INLINE bool
read_ends(const ColjContainer *c, uint32_t rank, uint32_t *start, uint32_t *end)
{
	uint32_t	before = rank > 0 ? 1 : 0;
	const uint8_t *p;

	if (rank >= c->nbig)
	{
		corrupt(c->doc, "A container's anchors contradict its entries.");
		return false;
	}
	p = reveal(c->doc, c->ends + (rank - before) * c->width, (1 + before) * c->width);
	if (p == NULL)
		return false;
	*start = before ? colj_load(p, c->width) : 0;
	*end = colj_load(p + before * c->width, c->width);
	if (*start > *end || *end > c->limit - c->big)
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

/* Child i of a container without a shared entry, after these entries. */
static COLJ_ALWAYS_INLINE ColjStatus
child_after(const ColjContainer *c, uint32_t i, const ColjTally *before, ColjValue *out)
{
	const uint8_t *entry = reveal(c->doc, c->entries + i, 1);
	uint32_t	start;
	uint32_t	end;

	if (entry == NULL)
		return COLJ_CORRUPT;
	if (!colj_entry_is_big(*entry))
		return small_child(c, *entry, (uint64_t) c->small + before->small, out);
	if (!read_ends(c, before->big, &start, &end))
		return COLJ_CORRUPT;
	return decode(c->doc, *entry, c->big + start, end - start, out);
}

static inline ColjStatus
fixed_child(const ColjContainer *c, uint32_t i, ColjValue *out)
{
	return small_child(c, c->entry, (uint64_t) c->small + (uint64_t) i * colj_entry_small_size(c->entry), out);
}

ColjStatus
colj_container_child(const ColjContainer *c, uint32_t i, ColjValue *out)
{
	ColjTally	before = {0, 0};

	if (i >= c->n)
		return COLJ_ABSENT;
	if (c->fixed)
		return fixed_child(c, i, out);
	return tally_before(c, i, &before) ? child_after(c, i, &before, out) : COLJ_CORRUPT;
}

/* Binary search among the keys of one length. */
static COLJ_ALWAYS_INLINE ColjStatus
search_run(const ColjContainer *c, const KeyRun *run, const char *key, uint32_t *i)
{
	uint32_t	low = 0;
	uint32_t	high = run->count;

	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		const uint8_t *p = reveal(c->doc, c->keys + run->bytes + mid * run->len, run->len);
		int			order;

		if (p == NULL)
			return COLJ_CORRUPT;
		order = memcmp(p, key, run->len);
		if (order == 0)
		{
			*i = run->first + mid;
			return COLJ_OK;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return COLJ_ABSENT;
}

ColjStatus
colj_container_find(const ColjContainer *c, const char *key, uint32_t len, uint32_t *i)
{
	Cursor		cur = {c->doc, c->runs, c->keys};
	KeyRun		run = {0, 0, 0, 0};

	while (run.first < c->n)
	{
		if (!next_run(&cur, &run.len, &run.count))
			return COLJ_CORRUPT;
		if (run.len >= len)
			return run.len == len ? search_run(c, &run, key, i) : COLJ_ABSENT;
		run.first += run.count;
		run.bytes += run.len * run.count;
	}
	return COLJ_ABSENT;
}

ColjStatus
colj_get_key(ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len,
			 ColjValue *out)
{
	ColjContainer c;
	Cursor		cur;
	KeyRun		run = {0, 0, 0, 0};
	ColjTally	before = {0, 0};
	ColjStatus	status;
	uint32_t	i;

	if (object->kind != COLJ_OBJECT)
		return COLJ_ABSENT;
	cur = begin_container(doc, object, &c);
	if (!open_keys(&c, &cur, object->shaped, len, &run))
		return COLJ_CORRUPT;
	status = search_run(&c, &run, key, &i);
	if (status != COLJ_OK)
		return status;
	if (!read_children(&c, &cur, i, &before))
		return COLJ_CORRUPT;
	return child_after(&c, i, &before, out);
}

ColjStatus
colj_get_index(ColjDoc *doc, const ColjValue *container, uint32_t i, ColjValue *out)
{
	ColjContainer c;
	Cursor		cur;
	ColjTally	before = {0, 0};
	ColjStatus	status;

	if (container->kind < COLJ_ARRAY)
		return COLJ_ABSENT;
	if (container->kind == COLJ_OBJECT)
	{
		status = colj_container_open(doc, container, &c);
		return status == COLJ_OK ? colj_container_child(&c, i, out) : status;
	}
	status = colj_count(doc, container, &c.n);
	if (status != COLJ_OK || i >= c.n)
		return status != COLJ_OK ? status : COLJ_ABSENT;
	cur = begin_container(doc, container, &c);
	if (!open_array(&c, &cur, i, &before))
		return COLJ_CORRUPT;
	return c.fixed ? fixed_child(&c, i, out) : child_after(&c, i, &before, out);
}

ColjStatus
colj_count(ColjDoc *doc, const ColjValue *container, uint32_t *n)
{
	Cursor		cur = {doc, container->off, container->off + container->len};
	Cursor		shape;

	if (container->kind < COLJ_ARRAY)
		return COLJ_ABSENT;
	if (!next_varint(&cur, n))
		return COLJ_CORRUPT;
	if (container->kind == COLJ_ARRAY)
		*n >>= 1;
	else if (container->shaped && (!find_shape(doc, *n, &shape) || !next_varint(&shape, n)))
		return COLJ_CORRUPT;
	return COLJ_OK;
}

ColjStatus
colj_iter_open(ColjDoc *doc, const ColjValue *container, ColjIter *iter)
{
	ColjStatus	status = colj_container_open(doc, container, &iter->c);

	iter->i = 0;
	iter->rank = 0;
	iter->run_left = 0;
	iter->key_len = 0;
	if (status == COLJ_OK)
	{
		iter->small = iter->c.small;
		iter->big = iter->c.big;
		iter->run_pos = iter->c.runs;
		iter->key_pos = iter->c.keys;
	}
	return status;
}

static inline bool
iter_key(ColjIter *iter, ColjKey *key)
{
	Cursor		cur = {iter->c.doc, iter->run_pos, iter->c.keys};
	const uint8_t *p;

	if (iter->run_left == 0)
	{
		if (!next_run(&cur, &iter->key_len, &iter->run_left))
			return false;
		iter->run_pos = cur.pos;
	}
	if (key != NULL)
	{
		p = reveal(iter->c.doc, iter->key_pos, iter->key_len);
		if (p == NULL)
			return false;
		*key = (ColjKey){(const char *) p, iter->key_len};
	}
	iter->run_left--;
	iter->key_pos += iter->key_len;
	return true;
}

static inline ColjStatus
iter_value(ColjIter *iter, uint8_t entry, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	uint32_t	off;
	uint32_t	start;
	uint32_t	end;

	if (!colj_entry_is_big(entry))
	{
		off = iter->small;
		iter->small += colj_entry_small_size(entry);
		return small_child(c, entry, off, out);
	}
	if (!read_ends(c, iter->rank, &start, &end))
		return COLJ_CORRUPT;
	iter->rank++;
	iter->big = c->big + end;
	return decode(c->doc, entry, c->big + start, end - start, out);
}

ColjStatus
colj_iter_next(ColjIter *iter, ColjKey *key, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	const uint8_t *p = &c->entry;

	if (iter->i >= c->n)
		return COLJ_ABSENT;
	if (c->kind == COLJ_OBJECT && !iter_key(iter, key))
		return COLJ_CORRUPT;
	if (!c->fixed && (p = reveal(c->doc, c->entries + iter->i, 1)) == NULL)
		return COLJ_CORRUPT;
	iter->i++;
	return iter_value(iter, *p, out);
}

/* The bit 7 of each byte of a word that is the entry of a container. */
static inline uint64_t
container_mask(uint64_t word)
{
	return word & (word << 1 | word << 2) & COLJ_EACH_BYTE(0x80);
}

/* Pass over entries that are no container's, eight at a time. */
static bool
pass_scalars(ColjIter *iter)
{
	const ColjContainer *c = &iter->c;
	ColjTally	sum = {0, 0};
	uint64_t	word;

	while (c->n - iter->i >= COLJ_WORD)
	{
		const uint8_t *p = reveal(c->doc, c->entries + iter->i, COLJ_WORD);

		if (p == NULL)
			return false;
		memcpy(&word, p, COLJ_WORD);
		if (container_mask(word) != 0)
			break;
		colj_tally_word(word, &sum);
		iter->i += COLJ_WORD;
	}
	iter->small += sum.small;
	iter->rank += sum.big;
	return true;
}

ColjStatus
colj_iter_container(ColjIter *iter, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	const uint8_t *p = &c->entry;

	if (c->fixed && COLJ_ENTRY_TAG(c->entry) < COLJ_TAG_ARRAY)
		return COLJ_ABSENT;
	if (!c->fixed && !pass_scalars(iter))
		return COLJ_CORRUPT;
	while (iter->i < c->n)
	{
		if (!c->fixed && (p = reveal(c->doc, c->entries + iter->i, 1)) == NULL)
			return COLJ_CORRUPT;
		iter->i++;
		if (COLJ_ENTRY_TAG(*p) >= COLJ_TAG_ARRAY)
			return iter_value(iter, *p, out);
		if (colj_entry_is_big(*p))
			iter->rank++;
		else
			iter->small += colj_entry_small_size(*p);
	}
	return COLJ_ABSENT;
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

	if (!find_shape(doc, id, &shape))
		return COLJ_CORRUPT;
	*off = shape.pos;
	*len = shape.limit - shape.pos;
	return COLJ_OK;
}

ColjStatus
colj_shape_open(ColjDoc *doc, uint32_t id, ColjContainer *c)
{
	Cursor		shape;
	KeyRun		hit = {0, 0, 0, 0};

	*c = (ColjContainer){.doc = doc, .kind = COLJ_OBJECT, .fixed = true, .entry = COLJ_ENTRY(COLJ_TAG_LITERAL, COLJ_LITERAL_NULL), .width = 1};
	if (!find_shape(doc, id, &shape) || !next_varint(&shape, &c->n) ||
		!read_key_list(c, &shape, NO_KEY_LEN, &hit))
		return COLJ_CORRUPT;
	c->limit = shape.limit;
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
