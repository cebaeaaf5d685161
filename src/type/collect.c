/*-------------------------------------------------------------------------
 *
 * collect.c
 *	  Gathering what each path of sampled documents holds.
 *
 * Every value of every document is visited once.  What is remembered is
 * bounded three ways:
 *
 *	- Paths: an object gets nodes for its first members by key, up to a limit,
 *	  and there is a limit on all nodes.  Members beyond it count for a node
 *	  that stands for any other member; a sketch estimates how many keys those
 *	  have.  So a million ids used as keys cost one node more than none.
 *
 *	- Depth: what lies deeper than MAX_DEPTH is not looked at.
 *
 *	- Scalars: when those remembered take too much memory, the path with most
 *	  of them raises its level: of the scalars seen once there, it keeps those
 *	  whose hash begins with as many zero bits, and takes new ones likewise.
 *	  Which these are depends on the value only, so each one of them is counted
 *	  completely, and the number of distinct values is theirs times 2^level.
 *	  Values that are common have been seen often by then and are kept.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "format/text.h"
#include "type/collect.h"

#define MAX_DEPTH 32
#define MAX_MEMBERS 1000		/* nodes of one object's members by key */
#define MAX_NODES 10000			/* nodes of members by key */
#define MAX_ALL_NODES 20000
#define MAX_LEVEL 31

/* Sketches of keys have 2^this registers. */
#define KEY_SKETCH_BITS 10

/* Beside its bytes, what a scalar takes: itself, palloc's header, its slot. */
#define SEEN_OVERHEAD (sizeof(ColjSeen) + 40)

static bool
same_scalar(const ColjSeen *a, const ColjSeen *b)
{
	if (a->kind != b->kind || a->len != b->len || a->cut != b->cut)
		return false;
	if (a->kind == COLJ_STRING || a->kind == COLJ_BIGNUM)
		return memcmp(a->bytes, b->bytes, a->cut ? COLJ_SEEN_CUT : a->len) == 0;
	return a->integer == b->integer && a->scale == b->scale;
}

/* The hash stands in the slot, too, so that most misses need no look further. */
typedef struct SeenSlot
{
	ColjSeen   *seen;
	uint32		hash;
	char		status;
} SeenSlot;

#define SH_PREFIX seen
#define SH_ELEMENT_TYPE SeenSlot
#define SH_KEY_TYPE ColjSeen *
#define SH_KEY seen
#define SH_HASH_KEY(tb, key) (key)->hash
#define SH_EQUAL(tb, a, b) same_scalar(a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(tb, slot) (slot)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

static bool
same_member(const ColjPathNode *a, const ColjPathNode *b)
{
	return a->parent == b->parent && a->key_len == b->key_len &&
		memcmp(a->key, b->key, a->key_len) == 0;
}

static uint32
member_key_hash(const ColjPathNode *node)
{
	return hash_combine(node->key_hash, murmurhash32((uint32) (uintptr_t) node->parent));
}

typedef struct MemberSlot
{
	ColjPathNode *node;
	uint32		hash;
	char		status;
} MemberSlot;

#define SH_PREFIX member
#define SH_ELEMENT_TYPE MemberSlot
#define SH_KEY_TYPE ColjPathNode *
#define SH_KEY node
#define SH_HASH_KEY(tb, key) member_key_hash(key)
#define SH_EQUAL(tb, a, b) same_member(a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(tb, slot) (slot)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

static void visit(ColjCollection *c, ColjPathNode *node, ColjDoc *doc,
				  const ColjValue *value, int depth);

static ColjPathNode *
make_node(ColjCollection *c, ColjPathNode *parent)
{
	ColjPathNode *node = MemoryContextAllocZero(c->context, sizeof(ColjPathNode));

	node->parent = parent;
	node->repeated = parent != NULL && parent->repeated;
	c->nnodes++;
	return node;
}

ColjCollection *
colj_collect_begin(Size memory)
{
	ColjCollection *c = palloc0(sizeof(ColjCollection));

	c->context = CurrentMemoryContext;
	c->members = member_create(c->context, 64, NULL);
	c->seen_limit = memory;
	c->root = make_node(c, NULL);
	return c;
}

ColjPathNode *
colj_collect_member(ColjCollection *c, ColjPathNode *parent, const char *key,
					uint32 len, uint32 hash)
{
	ColjPathNode probe = {.parent = parent, .key = key, .key_len = len, .key_hash = hash};
	MemberSlot *slot = member_lookup(c->members, &probe);
	ColjPathNode *node;
	char	   *copy;
	bool		found;

	if (slot != NULL)
		return slot->node;
	if (c->nnodes >= MAX_NODES || parent->nmembers >= MAX_MEMBERS)
		return NULL;
	node = make_node(c, parent);
	copy = MemoryContextAlloc(c->context, len + 1);
	memcpy(copy, key, len);
	node->key = copy;
	node->key_len = len;
	node->key_hash = hash;
	node->next = parent->first;
	parent->first = node;
	parent->nmembers++;
	member_insert(c->members, node, &found);
	return node;
}

ColjPathNode *
colj_collect_child(ColjCollection *c, ColjPathNode *parent, ColjPathNode **place)
{
	if (*place == NULL && c->nnodes < MAX_ALL_NODES)
	{
		*place = make_node(c, parent);
		(*place)->repeated = true;
	}
	return *place;
}

void
colj_collect_other_key(ColjCollection *c, ColjPathNode *parent, uint32 hash)
{
	MemoryContext old;

	if (parent->other_keys == NULL)
	{
		old = MemoryContextSwitchTo(c->context);
		parent->other_keys = palloc(sizeof(hyperLogLogState));
		initHyperLogLog(parent->other_keys, KEY_SKETCH_BITS);
		MemoryContextSwitchTo(old);
	}
	addHyperLogLog(parent->other_keys, hash);
}

/* Bytes of a scalar that are remembered. */
static Size
kept_len(const ColjSeen *seen)
{
	if (seen->bytes == NULL)
		return 0;
	return seen->cut ? COLJ_SEEN_CUT : seen->len;
}

/* Is a scalar that is new at a node, or was seen as rarely, to be remembered? */
static bool
worth_keeping(const ColjPathNode *node, const ColjSeen *seen)
{
	return colj_seen_sampled(node, seen) || seen->count > node->level;
}

/* Raise a node's level and forget the scalars that are not of it. */
static void
thin_node(ColjCollection *c, ColjPathNode *node)
{
	struct seen_hash *kept = seen_create(c->context, 64, NULL);
	seen_iterator it;
	SeenSlot   *slot;
	Size		size = 0;
	bool		found;

	node->level++;
	seen_start_iterate(node->seen, &it);
	while ((slot = seen_iterate(node->seen, &it)) != NULL)
	{
		if (worth_keeping(node, slot->seen))
		{
			size += SEEN_OVERHEAD + kept_len(slot->seen);
			seen_insert(kept, slot->seen, &found);
		}
		else
			pfree(slot->seen);
	}
	seen_destroy(node->seen);
	node->seen = kept;
	c->seen_size -= node->seen_size - size;
	node->seen_size = size;
}

/* The node whose scalars take most memory, among a node and those below it. */
static ColjPathNode *
largest_node(ColjPathNode *node)
{
	ColjPathNode *best = node;
	ColjPathNode *child;
	ColjPathNode *other[2] = {node->others, node->elements};

	for (child = node->first; child != NULL; child = child->next)
	{
		ColjPathNode *candidate = largest_node(child);

		if (candidate->seen_size > best->seen_size)
			best = candidate;
	}
	for (int i = 0; i < 2; i++)
	{
		if (other[i] != NULL)
		{
			child = largest_node(other[i]);
			if (child->seen_size > best->seen_size)
				best = child;
		}
	}
	return best;
}

/* Come down to three quarters of the memory allowed. */
static void
thin(ColjCollection *c)
{
	while (c->seen_size > c->seen_limit / 4 * 3)
	{
		ColjPathNode *node = largest_node(c->root);

		if (node->level >= MAX_LEVEL)
		{
			/*
			 * what is left everywhere is common: no more of it can be
			 * forgotten
			 */
			c->seen_limit *= 2;
			return;
		}
		thin_node(c, node);
	}
}

static void
add_seen(ColjCollection *c, ColjPathNode *node, const ColjSeen *seen)
{
	Size		len = kept_len(seen);
	ColjSeen   *copy = MemoryContextAlloc(c->context, sizeof(ColjSeen) + len);
	bool		found;

	*copy = *seen;
	if (len > 0)
	{
		copy->bytes = (char *) (copy + 1);
		memcpy(copy + 1, seen->bytes, len);
	}
	if (node->seen == NULL)
		node->seen = seen_create(c->context, 16, NULL);
	seen_insert(node->seen, copy, &found);
	node->seen_size += SEEN_OVERHEAD + len;
	c->seen_size += SEEN_OVERHEAD + len;
	if (c->seen_size > c->seen_limit)
		thin(c);
}

void
colj_collect_seen(ColjCollection *c, ColjPathNode *node, const ColjSeen *seen)
{
	SeenSlot   *slot = NULL;

	if (node->seen != NULL)
		slot = seen_lookup(node->seen, unconstify(ColjSeen *, seen));
	if (slot == NULL)
	{
		if (worth_keeping(node, seen))
			add_seen(c, node, seen);
		return;
	}
	slot->seen->count += seen->count;
	if (slot->seen->last_row != seen->last_row)
		slot->seen->rows += seen->rows;
	slot->seen->last_row = seen->last_row;
}

ColjSeen **
colj_collect_list(const ColjPathNode *node, int *n)
{
	ColjSeen  **list;
	seen_iterator it;
	SeenSlot   *slot;

	*n = 0;
	if (node->seen == NULL)
		return NULL;
	list = palloc(sizeof(ColjSeen *) * (node->seen->members + 1));
	seen_start_iterate(node->seen, &it);
	while ((slot = seen_iterate(node->seen, &it)) != NULL)
		list[(*n)++] = slot->seen;
	return list;
}

/* A string or a BIGNUM's bytes; returns the bytes of its text, about. */
static uint32
describe_bytes(ColjSeen *seen, ColjDoc *doc, const ColjValue *value)
{
	seen->bytes = colj_bytes(doc, value);
	if (seen->bytes == NULL)
		colj_raise(COLJ_CORRUPT, doc);
	seen->len = value->len;
	seen->hash = hash_bytes((const unsigned char *) seen->bytes, value->len);
	seen->cut = value->kind == COLJ_STRING && value->len > COLJ_SEEN_WHOLE;
	return value->len;
}

static uint32
describe_integer(ColjSeen *seen, const ColjValue *value)
{
	char		text[COLJ_NUMBER_TEXT_MAX];
	uint32		len = 4;		/* of true */

	seen->integer = value->integer;
	seen->scale = value->kind == COLJ_DECIMAL ? value->scale : 0;
	if (value->kind != COLJ_BOOL)
		len = colj_number_text(seen->integer, seen->scale, text);
	seen->hash = murmurhash32(hash_bytes((const unsigned char *) &seen->integer,
										 sizeof(int64)) +
							  seen->scale);
	return len;
}

static void
visit_scalar(ColjCollection *c, ColjPathNode *node, ColjDoc *doc, const ColjValue *value)
{
	ColjSeen	seen = {.kind = value->kind, .rows = 1, .count = 1, .last_row = c->row};

	if (value->kind == COLJ_STRING || value->kind == COLJ_BIGNUM)
		node->width += describe_bytes(&seen, doc, value);
	else
		node->width += describe_integer(&seen, value);
	colj_collect_seen(c, node, &seen);
}

static void
visit_array(ColjCollection *c, ColjPathNode *node, ColjDoc *doc,
			const ColjValue *array, int depth)
{
	ColjIter	iter;
	ColjValue	element;

	colj_ensure(colj_iter_open(doc, array, &iter), doc);
	for (uint32 i = 0; i < COLJ_LENGTHS && i < iter.c.n; i++)
		node->lengths[i]++;
	if (depth == MAX_DEPTH || iter.c.n == 0 ||
		colj_collect_child(c, node, &node->elements) == NULL)
		return;
	while (colj_found(colj_iter_next(&iter, NULL, &element), doc))
		visit(c, node->elements, doc, &element, depth + 1);
}

static void
visit_object(ColjCollection *c, ColjPathNode *node, ColjDoc *doc,
			 const ColjValue *object, int depth)
{
	ColjIter	iter;
	ColjValue	value;
	ColjKey		key;

	if (depth == MAX_DEPTH)
		return;
	colj_ensure(colj_iter_open(doc, object, &iter), doc);
	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		uint32		hash = hash_bytes((const unsigned char *) key.bytes, key.len);
		ColjPathNode *member = colj_collect_member(c, node, key.bytes, key.len, hash);

		if (member == NULL)
		{
			colj_collect_other_key(c, node, hash);
			member = colj_collect_child(c, node, &node->others);
		}
		if (member != NULL)
			visit(c, member, doc, &value, depth + 1);
	}
}

/* Count in a value at a path, and what is in it. */
static void
visit(ColjCollection *c, ColjPathNode *node, ColjDoc *doc, const ColjValue *value, int depth)
{
	CHECK_FOR_INTERRUPTS();
	node->count++;
	node->kinds[value->kind]++;
	if (node->last_row != c->row)
		node->rows++;
	node->last_row = c->row;
	if (value->kind == COLJ_OBJECT)
		visit_object(c, node, doc, value, depth);
	else if (value->kind == COLJ_ARRAY)
		visit_array(c, node, doc, value, depth);
	else if (value->kind != COLJ_NULL)
		visit_scalar(c, node, doc, value);
}

void
colj_collect_document(ColjCollection *c, ColjDoc *doc)
{
	c->row++;
	visit(c, c->root, doc, &doc->root, 0);
}
