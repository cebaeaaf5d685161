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
#include "cursor.h"

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

/*
 * An object that is in memory and has few keys, or an array, which has none;
 * pointers into its document.
 */
typedef struct NearObject
{
	const uint8_t *runs;
	const uint8_t *keys;
	const uint8_t *entries;
	const uint8_t *limit;		/* after the object */
	uint32_t	n;
	uint32_t	width;			/* of an end */
	KeyRun		hit;			/* the keys of the length that is looked for */
} NearObject;

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

/* Find an object's keys; *hit as of read_key_list. */
static COLJ_ALWAYS_INLINE bool
open_keys(ColjContainer *c, Cursor *cur, bool shaped, uint32_t key_len, KeyRun *hit)
{
	Cursor		shape;
	uint32_t	id;

	if (!shaped)
		return next_varint(cur, &c->n) && read_key_list(c, cur, key_len, hit);
	return next_varint(cur, &id) && colj_find_shape(c->doc, id, &shape) &&
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

/*
 * Where the keys of an ordinary object are: one that is in memory, with few
 * keys in runs of the short form.  False for others, and for what is corrupt.
 */
static COLJ_ALWAYS_INLINE bool
read_near_keys(ColjDoc *doc, const ColjValue *object, uint32_t key_len, NearObject *near)
{
	const uint8_t *p = doc->data + object->off;
	const uint8_t *limit = p + object->len;
	uint32_t	done = 0;
	uint32_t	bytes = 0;
	uint32_t	len = 0;
	Cursor		shape;

	near->hit = (KeyRun){key_len, 0, 0, 0};
	near->limit = limit;
	near->entries = p + 1;
	if (object->len < 2)
		return false;
	if (object->shaped)
	{
		if (*p >= 0x80 || !colj_find_shape(doc, *p, &shape) || shape.limit > doc->avail || shape.pos == shape.limit)
			return false;
		p = doc->data + shape.pos;
		limit = doc->data + shape.limit;
	}
	near->n = *p++;
	if (near->n >= 0x80)
		return false;
	near->runs = p;
	while (done < near->n)
	{
		uint32_t	count;

		if (p == limit || (count = COLJ_RUN_COUNT(*p)) == 0)
			return false;
		len += COLJ_RUN_DELTA(*p++);
		if (len == key_len)
		{
			near->hit.first = done;
			near->hit.count = count;
			near->hit.bytes = bytes;
		}
		done += count;
		bytes += len * count;
	}
	near->keys = p;
	if (!object->shaped)
		near->entries = p + bytes;
	return done == near->n && bytes <= (size_t) (limit - p);
}

/* The short way to open an ordinary object; false as of read_near_keys. */
static COLJ_ALWAYS_INLINE bool
open_near(ColjDoc *doc, const ColjValue *object, ColjContainer *c)
{
	const uint8_t *data = doc->data;
	NearObject	near;
	ColjTally	total;
	uint32_t	room;

	if ((uint64_t) object->off + object->len > doc->avail || !read_near_keys(doc, object, NO_KEY_LEN, &near))
		return false;
	room = (uint32_t) (near.limit - near.entries);
	if (near.n > doc->stride || near.n > room)
		return false;
	total = colj_tally(near.entries, near.n, room);
	c->fixed = false;
	c->n = near.n;
	c->runs = (uint32_t) (near.runs - data);
	c->keys = (uint32_t) (near.keys - data);
	c->entries = (uint32_t) (near.entries - data);
	c->anchors = c->ends = c->entries + near.n;
	c->nbig = total.big;
	c->small = c->ends + total.big * c->width;
	c->big = c->small + total.small;
	return c->big <= c->limit;
}

ColjStatus
colj_container_open(ColjDoc *doc, const ColjValue *container, ColjContainer *c)
{
	Cursor		cur = begin_container(doc, container, c);
	KeyRun		hit = {0, 0, 0, 0};

	if (container->kind == COLJ_ARRAY)
		return open_array(c, &cur, NO_CHILD, NULL) ? COLJ_OK : COLJ_CORRUPT;
	if (COLJ_LIKELY(open_near(doc, container, c)))
		return COLJ_OK;
	if (!open_keys(c, &cur, container->shaped, NO_KEY_LEN, &hit) ||
		!read_children(c, &cur, NO_CHILD, NULL))
		return COLJ_CORRUPT;
	return COLJ_OK;
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

/* Binary search among the keys of the right length; NO_CHILD if there is none. */
static COLJ_ALWAYS_INLINE uint32_t
search_near_keys(const NearObject *near, const char *key)
{
	uint32_t	len = near->hit.len;
	const uint8_t *keys = near->keys + near->hit.bytes;
	uint32_t	low = 0;
	uint32_t	high = near->hit.count;

	while (low < high)
	{
		uint32_t	mid = (low + high) / 2;
		int			order = memcmp(keys + mid * len, key, len);

		if (order == 0)
			return near->hit.first + mid;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NO_CHILD;
}

/* What n entries add up to, and those before child i. */
static COLJ_ALWAYS_INLINE void
near_tallies(const uint8_t *entries, uint32_t n, uint32_t i, uint32_t room, ColjTally *before, ColjTally *total)
{
	if (n <= 8 && room >= 8)
	{
		colj_tally_both(entries, n, i, before, total);
		return;
	}
	*before = colj_tally(entries, i, room);
	*total = colj_tally(entries + i, n - i, room - i);
	total->small += before->small;
	total->big += before->big;
}

/*
 * Child i of an ordinary object, with what the entries before it and all of
 * them add up to; COLJ_UNUSUAL as of near_key.
 */
static COLJ_ALWAYS_INLINE ColjStatus
near_child(ColjDoc *doc, const NearObject *near, uint32_t i, const ColjTally *before, const ColjTally *total, ColjValue *out)
{
	uint32_t	room = (uint32_t) (near->limit - near->entries);
	const uint8_t *ends = near->entries + near->n;
	uint32_t	at = (uint32_t) (near->entries - doc->data);
	uint8_t		entry = near->entries[i];
	uint32_t	small = near->n + total->big * near->width; /* from the entries */
	uint32_t	big = small + total->small;
	uint32_t	start = 0;
	uint32_t	end;

	if (big > room)
		return COLJ_UNUSUAL;
	if (!colj_entry_is_big(entry))
		return decode(doc, entry, at + small + before->small, colj_entry_small_size(entry), out);
	if (before->big > 0)
		start = colj_load_split(ends, total->big, near->width, before->big - 1);
	end = colj_load_split(ends, total->big, near->width, before->big);
	if (start > end || end > room - big)
		return COLJ_UNUSUAL;
	return decode(doc, entry, at + big + start, end - start, out);
}

/* An object's entries as one word; 0 if they are not to be had so. */
static COLJ_ALWAYS_INLINE uint64_t
near_row(const NearObject *near)
{
	uint64_t	word;

	if (near->n > 8 || near->limit - near->entries < 8)
		return 0;
	memcpy(&word, near->entries, 8);
	return near->n == 8 ? word : colj_first_bytes(word, near->n);
}

/* Bytes of an object that a hint knows. */
#define HINT_HEAD 8

/* Note where a key was found, if the object's head is short enough. */
static COLJ_ALWAYS_INLINE void
learn(ColjHint *hint, const uint8_t *object, const NearObject *near, uint32_t i)
{
	uint32_t	head = (uint32_t) (near->keys - object);

	hint->mask = 0;
	if (head > HINT_HEAD || near->limit - object < HINT_HEAD)
		return;
	hint->mask = head == HINT_HEAD ? UINT64_MAX : (UINT64_C(1) << (8 * head)) - 1;
	hint->head = colj_word_load((const char *) object) & hint->mask;
	hint->len = near->hit.len;
	hint->key = head + near->hit.bytes + (i - near->hit.first) * near->hit.len;
	hint->entries = (uint32_t) (near->entries - object);
	hint->n = near->n;
	hint->i = i;
	hint->row = 0;
}

/*
 * Is the key where the hint says?  The same head means the same lengths of
 * keys, so that the offsets are the same; which keys they are shows the look
 * at this one.
 */
static COLJ_ALWAYS_INLINE bool
hint_holds(const ColjHint *hint, const ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len)
{
	const uint8_t *p = doc->data + object->off;

	return hint->mask != 0 && hint->len == len && !object->shaped &&
		(uint64_t) object->off + object->len <= doc->avail &&
		object->len >= HINT_HEAD && object->len >= hint->entries + hint->n &&
		hint->n <= doc->stride &&
		(colj_word_load((const char *) p) & hint->mask) == hint->head &&
		memcmp(p + hint->key, key, len) == 0;
}

/*
 * The child that a hint leads to.  Values tend to have the same lengths, too:
 * then the entries need not be added up again.
 */
static COLJ_ALWAYS_INLINE ColjStatus
hinted_child(ColjDoc *doc, const ColjValue *object, ColjHint *hint, ColjValue *out)
{
	NearObject	near;
	uint64_t	row;

	near.entries = doc->data + object->off + hint->entries;
	near.limit = doc->data + object->off + object->len;
	near.n = hint->n;
	near.width = colj_width(object->len);
	row = near_row(&near);
	if (row != hint->row || row == 0)
	{
		near_tallies(near.entries, near.n, hint->i, (uint32_t) (near.limit - near.entries), &hint->before, &hint->total);
		hint->row = row;
	}
	return near_child(doc, &near, hint->i, &hint->before, &hint->total, out);
}

/*
 * The short way to a key of an ordinary object.  COLJ_UNUSUAL: take the long
 * one, which also knows what is wrong with an object that is corrupt.
 */
static COLJ_ALWAYS_INLINE ColjStatus
near_key(ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len, ColjHint *hint, ColjValue *out)
{
	NearObject	near;
	ColjTally	before;
	ColjTally	total;
	uint32_t	i;

	if ((uint64_t) object->off + object->len > doc->avail || !read_near_keys(doc, object, len, &near))
		return COLJ_UNUSUAL;
	i = search_near_keys(&near, key);
	if (i == NO_CHILD)
		return COLJ_ABSENT;
	if (near.n > doc->stride || near.n > (size_t) (near.limit - near.entries))
		return COLJ_UNUSUAL;
	if (hint != NULL && !object->shaped)
		learn(hint, doc->data + object->off, &near, i);
	near.width = colj_width(object->len);
	near_tallies(near.entries, near.n, i, (uint32_t) (near.limit - near.entries), &before, &total);
	return near_child(doc, &near, i, &before, &total, out);
}

/* The long way to a key, for objects of every kind. */
static ColjStatus
far_key(ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len, ColjValue *out)
{
	ColjContainer c;
	Cursor		cur;
	KeyRun		run = {0, 0, 0, 0};
	ColjTally	before = {0, 0};
	ColjStatus	status;
	uint32_t	i;

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
colj_get_key(ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len,
			 ColjValue *out)
{
	ColjStatus	status;

	if (object->kind != COLJ_OBJECT)
		return COLJ_ABSENT;
	status = near_key(doc, object, key, len, NULL, out);
	return COLJ_LIKELY(status != COLJ_UNUSUAL) ? status : far_key(doc, object, key, len, out);
}

ColjStatus
colj_get_key_hinted(ColjDoc *doc, const ColjValue *object, const char *key, uint32_t len,
					ColjHint *hint, ColjValue *out)
{
	ColjStatus	status;

	if (object->kind != COLJ_OBJECT)
		return COLJ_ABSENT;
	if (COLJ_LIKELY(hint_holds(hint, doc, object, key, len)))
		status = hinted_child(doc, object, hint, out);
	else
		status = near_key(doc, object, key, len, hint, out);
	return COLJ_LIKELY(status != COLJ_UNUSUAL) ? status : far_key(doc, object, key, len, out);
}

/* An element of an array whose elements share one entry; COLJ_UNUSUAL as of near_element. */
static COLJ_ALWAYS_INLINE ColjStatus
near_fixed(ColjDoc *doc, const ColjValue *array, uint32_t n, uint32_t i, ColjValue *out)
{
	const uint8_t *p = doc->data + array->off;
	uint32_t	len;

	if (array->len < 2 || colj_entry_is_big(p[1]))
		return COLJ_UNUSUAL;
	len = colj_entry_small_size(p[1]);
	if (len == 0 ? n > COLJ_FIXED_EMPTY_MAX : len * n > array->len - 2)
		return COLJ_UNUSUAL;
	return decode(doc, p[1], array->off + 2 + i * len, len, out);
}

/*
 * The short way to an element of an ordinary array: one that is in memory, and
 * has so few elements that there are no anchors.  COLJ_UNUSUAL as of near_key.
 */
static COLJ_ALWAYS_INLINE ColjStatus
near_element(ColjDoc *doc, const ColjValue *array, uint32_t i, ColjValue *out)
{
	const uint8_t *p = doc->data + array->off;
	NearObject	near;
	ColjTally	before;
	ColjTally	total;

	if ((uint64_t) array->off + array->len > doc->avail || array->len == 0 || *p >= 0x80)
		return COLJ_UNUSUAL;
	near.n = *p >> 1;
	if (i >= near.n)
		return COLJ_ABSENT;
	if ((*p & 1) != 0)
		return near_fixed(doc, array, near.n, i, out);
	if (near.n > doc->stride || near.n > array->len - 1)
		return COLJ_UNUSUAL;
	near.entries = p + 1;
	near.limit = p + array->len;
	near.width = colj_width(array->len);
	near_tallies(near.entries, near.n, i, array->len - 1, &before, &total);
	return near_child(doc, &near, i, &before, &total, out);
}

/* The long way to a child, for containers of every kind. */
static COLJ_NEVER_INLINE ColjStatus
far_child(ColjDoc *doc, const ColjValue *container, uint32_t i, ColjValue *out)
{
	ColjContainer c;
	Cursor		cur;
	ColjTally	before = {0, 0};
	ColjStatus	status;

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
colj_get_index(ColjDoc *doc, const ColjValue *container, uint32_t i, ColjValue *out)
{
	ColjStatus	status = COLJ_UNUSUAL;

	if (container->kind < COLJ_ARRAY)
		return COLJ_ABSENT;
	if (COLJ_LIKELY(container->kind == COLJ_ARRAY))
		status = near_element(doc, container, i, out);
	return COLJ_LIKELY(status != COLJ_UNUSUAL) ? status : far_child(doc, container, i, out);
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
	else if (container->shaped && (!colj_find_shape(doc, *n, &shape) || !next_varint(&shape, n)))
		return COLJ_CORRUPT;
	return COLJ_OK;
}

ColjStatus
colj_shape_open(ColjDoc *doc, uint32_t id, ColjContainer *c)
{
	Cursor		shape;
	KeyRun		hit = {0, 0, 0, 0};

	*c = (ColjContainer){.doc = doc, .kind = COLJ_OBJECT, .fixed = true, .entry = COLJ_ENTRY(COLJ_TAG_LITERAL, COLJ_LITERAL_NULL), .width = 1};
	if (!colj_find_shape(doc, id, &shape) || !next_varint(&shape, &c->n) ||
		!read_key_list(c, &shape, NO_KEY_LEN, &hit))
		return COLJ_CORRUPT;
	c->limit = shape.limit;
	return COLJ_OK;
}
