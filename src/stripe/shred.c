/*-------------------------------------------------------------------------
 *
 * shred.c
 *	  Which key paths of a stripe's documents become columns.
 *
 * All documents are looked at first.  A path becomes a column when it occurs
 * in at least 1/RARE of the rows, and gets the type that most of its values
 * have: then the few others are kept in the residual.  Where no type has a
 * clear majority, or the values are arrays, the column holds small documents.
 * Objects are followed into their keys, unless these are too many to be
 * names: ids as keys make a document column.
 *
 * When more paths qualify than may become columns, those in most rows win;
 * children stand behind their parents in that order, as they can't occur in
 * more rows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/shred.h"

#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "stripe/directory.h"
#include "stripe/memory.h"
#include "stripe/strings.h"

/* A path in fewer than one of RARE rows stays in the residual. */
#define RARE 64

/* Nor is a column made for fewer values than this. */
#define FEW 4

/* Of a path's values, at least 3/4 must have its type. */
#define MAJORITY(part, all) ((uint64_t) (part) * 4 >= (uint64_t) (all) * 3)

/* An object with more different keys than this, over all rows, is crowded. */
#define CROWDED 1024

/* In all, that many paths are followed for each one that may become a column. */
#define FOLLOW 8

#define FIRST_SLOTS 1024

/* Key lists that are learnt, and slots for them, a power of two. */
#define LISTS_MAX 512
#define LIST_SLOTS 1024

static uint64_t
hash_key(uint32_t parent, const char *key, uint32_t len)
{
	return colj_hash_string(parent * UINT64_C(0x9E3779B97F4A7C15), key, len);
}

static inline bool
is_child(const ColjSeen *node, uint32_t parent, const char *key, uint32_t len)
{
	return node->parent == parent && node->key_len == len && memcmp(node->key, key, len) == 0;
}

/* The slot of a key: that of its node, or a free one. */
static uint32_t *
find_slot(const ColjShred *shred, uint32_t parent, const char *key, uint32_t len)
{
	uint32_t	i = (uint32_t) hash_key(parent, key, len) & (shred->nslots - 1);

	while (shred->slots[i] != 0 && !is_child(&shred->seen[shred->slots[i]], parent, key, len))
		i = (i + 1) & (shred->nslots - 1);
	return &shred->slots[i];
}

static ColjStatus
grow_slots(ColjShred *shred)
{
	uint32_t	nslots = shred->nslots == 0 ? FIRST_SLOTS : shred->nslots * 2;
	uint32_t   *slots = shred->host->resize(shred->host->arg, NULL, nslots * sizeof(uint32_t));

	if (slots == NULL)
		return COLJ_NO_MEMORY;
	memset(slots, 0, nslots * sizeof(uint32_t));
	colj_release(shred->host, shred->slots);
	shred->slots = slots;
	shred->nslots = nslots;
	for (uint32_t i = 1; i < shred->n; i++)
		*find_slot(shred, shred->seen[i].parent, shred->seen[i].key, shred->seen[i].key_len) = i;
	return COLJ_OK;
}

/* A new node; COLJ_NO_PATH without memory. */
static uint32_t
add_node(ColjShred *shred, uint32_t parent, const char *key, uint32_t len)
{
	ColjSeen   *node;

	if (shred->n == shred->room)
	{
		uint32_t	room = shred->room == 0 ? 64 : shred->room * 2;
		ColjSeen   *seen = shred->host->resize(shred->host->arg, shred->seen, room * sizeof(ColjSeen));

		if (seen == NULL)
			return COLJ_NO_PATH;
		shred->seen = seen;
		shred->room = room;
	}
	if (shred->n * 2 >= shred->nslots && grow_slots(shred) != COLJ_OK)
		return COLJ_NO_PATH;
	node = &shred->seen[shred->n];
	memset(node, 0, sizeof(*node));
	node->parent = parent;
	node->first_child = node->last_child = node->next = node->after = COLJ_NO_PATH;
	node->key = key;
	node->key_len = len;
	node->path = COLJ_NO_PATH;
	return shred->n++;
}

ColjStatus
colj_shred_begin(ColjShred *shred, const ColjHost *host, uint32_t max_paths)
{
	memset(shred, 0, sizeof(*shred));
	shred->host = host;
	shred->max_paths = max_paths;
	return add_node(shred, COLJ_NO_PATH, NULL, 0) == 0 ? COLJ_OK : COLJ_NO_MEMORY;
}

void
colj_shred_end(ColjShred *shred)
{
	colj_release(shred->host, shred->seen);
	colj_release(shred->host, shred->slots);
	colj_release(shred->host, shred->lists);
	colj_release(shred->host, shred->members);
	shred->seen = NULL;
	shred->slots = NULL;
	shred->lists = NULL;
	shred->members = NULL;
}

uint32_t
colj_shred_child(ColjShred *shred, uint32_t parent, uint32_t previous, const char *key, uint32_t len)
{
	ColjSeen   *before = previous == COLJ_NO_PATH ? NULL : &shred->seen[previous];
	uint32_t	guess = before == NULL ? shred->seen[parent].first_child : before->after;
	uint32_t	hit;

	if (guess != COLJ_NO_PATH && is_child(&shred->seen[guess], parent, key, len))
		return guess;
	hit = *find_slot(shred, parent, key, len);
	if (hit == 0)
		return COLJ_NO_PATH;
	if (before != NULL)
		before->after = hit;
	return hit;
}

/* The child of a node, made if it is new and there is room for it. */
static ColjStatus
follow(ColjShred *shred, uint32_t parent, uint32_t previous, const ColjKey *key, uint32_t *child)
{
	ColjSeen   *node = &shred->seen[parent];
	uint32_t	depth = node->depth;

	*child = colj_shred_child(shred, parent, previous, key->bytes, key->len);
	if (*child != COLJ_NO_PATH || node->crowded)
		return COLJ_OK;
	if (node->nchildren >= CROWDED || depth >= COLJ_PATH_DEPTH_MAX || shred->n >= (uint64_t) shred->max_paths * FOLLOW)
	{
		node->crowded = node->nchildren >= CROWDED;
		return COLJ_OK;
	}
	*child = add_node(shred, parent, key->bytes, key->len);
	if (*child == COLJ_NO_PATH)
		return COLJ_NO_MEMORY;
	*find_slot(shred, parent, key->bytes, key->len) = *child;
	node = &shred->seen[parent];
	if (node->last_child == COLJ_NO_PATH)
		node->first_child = *child;
	else
		shred->seen[node->last_child].next = *child;
	node->last_child = *child;
	node->nchildren++;
	shred->seen[*child].depth = depth + 1;
	return COLJ_OK;
}

/* The slot of a key list: its own, or a free one. */
static ColjKeyList *
find_list(const ColjShred *shred, uint32_t node, const uint8_t *bytes, uint32_t len)
{
	uint32_t	i = (uint32_t) hash_key(node, (const char *) bytes, len);
	ColjKeyList *list;

	for (;; i++)
	{
		list = &shred->lists[i & (LIST_SLOTS - 1)];
		if (list->len == 0 || (list->node == node && list->len == len && memcmp(list->bytes, bytes, len) == 0))
			return list;
	}
}

/* The list stands between the head of an object and its entries, if it is its own. */
static inline uint32_t
list_length(const ColjValue *object, const ColjContainer *c)
{
	return object->shaped ? 0 : c->entries - c->runs;
}

uint32_t
colj_shred_members(const ColjShred *shred, uint32_t node, const ColjValue *object, const ColjContainer *c)
{
	uint32_t	len = list_length(object, c);
	const ColjKeyList *list;

	if (len == 0 || shred->lists == NULL)
		return COLJ_NO_PATH;
	list = find_list(shred, node, c->doc->data + c->runs, len);
	return list->len > 0 ? list->first : COLJ_NO_PATH;
}

static bool
make_lists(ColjShred *shred)
{
	const ColjHost *host = shred->host;

	if (shred->lists == NULL)
	{
		shred->lists = host->resize(host->arg, NULL, LIST_SLOTS * sizeof(ColjKeyList));
		if (shred->lists != NULL)
			memset(shred->lists, 0, LIST_SLOTS * sizeof(ColjKeyList));
	}
	return shred->lists != NULL;
}

static bool
make_members(ColjShred *shred, uint32_t n)
{
	size_t		room = shred->members_room == 0 ? 256 : shred->members_room * 2;
	ColjMember *members;

	if (n <= shred->members_room - shred->nmembers)
		return true;
	room = room < shred->nmembers + n ? shred->nmembers + n : room;
	members = shred->host->resize(shred->host->arg, shred->members, room * sizeof(ColjMember));
	if (members == NULL)
		return false;
	shred->members = members;
	shred->members_room = (uint32_t) room;
	return true;
}

/* Learn the key list of an object, whose members are made if they are new. */
static ColjStatus
learn_list(ColjShred *shred, uint32_t node, const ColjIter *object, uint32_t len)
{
	const ColjContainer *c = &object->c;
	const uint8_t *bytes = c->doc->data + c->runs;
	const char *base = (const char *) c->doc->data + c->keys;
	ColjIter	iter = *object;
	uint32_t	first = shred->nmembers;
	uint32_t	previous = COLJ_NO_PATH;
	ColjStatus	status;
	ColjKey		key;
	ColjValue	value;

	if (!make_lists(shred) || !make_members(shred, c->n))
		return COLJ_NO_MEMORY;
	while ((status = colj_iter_next(&iter, &key, &value)) == COLJ_OK)
	{
		uint32_t	child;

		status = follow(shred, node, previous, &key, &child);
		if (status != COLJ_OK)
			return status;
		previous = child == COLJ_NO_PATH ? previous : child;
		shred->members[first + iter.i - 1] = (ColjMember){child, (uint32_t) (key.bytes - base), key.len};
	}
	if (status != COLJ_ABSENT)
		return status;
	shred->nmembers += c->n;
	shred->nlists++;
	*find_list(shred, node, bytes, len) = (ColjKeyList){node, len, bytes, first};
	return COLJ_OK;
}

static ColjStatus look_at_value(ColjShred *shred, uint32_t node, ColjDoc *doc, const ColjValue *value);

/* The values of an object whose members are known. */
static ColjStatus
look_at_members(ColjShred *shred, uint32_t first, ColjIter *iter)
{
	ColjValue	value;
	ColjStatus	status;

	while ((status = colj_iter_kind(iter, &value)) == COLJ_OK)
	{
		uint32_t	child = shred->members[first + iter->i - 1].child;

		if (child != COLJ_NO_PATH && (status = look_at_value(shred, child, iter->c.doc, &value)) != COLJ_OK)
			return status;
	}
	return status;
}

static ColjStatus
look_at_keys(ColjShred *shred, uint32_t node, ColjIter *iter)
{
	uint32_t	child = COLJ_NO_PATH;
	ColjKey		key;
	ColjValue	value;
	ColjStatus	status;

	while ((status = colj_iter_next(iter, &key, &value)) == COLJ_OK)
	{
		uint32_t	previous = child;

		status = follow(shred, node, previous, &key, &child);
		if (status != COLJ_OK)
			return status;
		if (child == COLJ_NO_PATH)
			child = previous;
		else if ((status = look_at_value(shred, child, iter->c.doc, &value)) != COLJ_OK)
			return status;
	}
	return status;
}

static ColjStatus
look_at_object(ColjShred *shred, uint32_t node, ColjDoc *doc, const ColjValue *value)
{
	ColjIter	iter;
	uint32_t	len;
	uint32_t	first;
	ColjStatus	status = colj_iter_open(doc, value, &iter);

	if (status != COLJ_OK)
		return status;
	len = list_length(value, &iter.c);
	first = colj_shred_members(shred, node, value, &iter.c);
	if (first == COLJ_NO_PATH && len > 0 && shred->nlists < LISTS_MAX && iter.c.n <= CROWDED)
	{
		first = shred->nmembers;
		status = learn_list(shred, node, &iter, len);
	}
	if (status == COLJ_OK)
		status = first != COLJ_NO_PATH ? look_at_members(shred, first, &iter) : look_at_keys(shred, node, &iter);
	return status == COLJ_ABSENT ? COLJ_OK : status;
}

/* The depth of paths is bounded, so recursion is too. */
static ColjStatus
look_at_value(ColjShred *shred, uint32_t node, ColjDoc *doc, const ColjValue *value)
{
	shred->seen[node].rows[value->kind]++;
	if (value->kind != COLJ_OBJECT || shred->seen[node].crowded)
		return COLJ_OK;
	return look_at_object(shred, node, doc, value);
}

ColjStatus
colj_shred_look(ColjShred *shred, ColjDoc *doc)
{
	shred->rows++;
	return look_at_value(shred, 0, doc, &doc->root);
}

static uint32_t
occurrences(const ColjSeen *node)
{
	uint32_t	rows = 0;

	for (int kind = 0; kind < COLJ_NKINDS; kind++)
		rows += node->rows[kind];
	return rows;
}

/* The type that most values of a path have. */
static ColjPathType
type_of(const ColjSeen *node)
{
	static const ColjPathType candidates[] = {COLJ_PATH_OBJECT, COLJ_PATH_STRING, COLJ_PATH_BOOL,
	COLJ_PATH_INT, COLJ_PATH_DECIMAL};
	uint32_t	values = occurrences(node) - node->rows[COLJ_NULL];

	if (values == 0)
		return COLJ_PATH_NULL;
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++)
	{
		uint32_t	fitting = 0;

		for (int kind = 0; kind < COLJ_NKINDS; kind++)
			if (colj_path_takes(candidates[i], (ColjKind) kind))
				fitting += node->rows[kind];
		/* decimals among integers make a decimal column, however few */
		if (candidates[i] == COLJ_PATH_INT && node->rows[COLJ_DECIMAL] > 0)
			continue;
		if (candidates[i] == COLJ_PATH_OBJECT && node->crowded)
			continue;
		if (MAJORITY(fitting, values))
			return candidates[i];
	}
	return COLJ_PATH_DOCUMENT;
}

/* A path and in how many rows it occurs, for sorting. */
typedef struct Candidate
{
	uint32_t	node;
	uint32_t	rows;
} Candidate;

static int
compare_candidates(const void *x, const void *y)
{
	const Candidate *a = x;
	const Candidate *b = y;

	if (a->rows != b->rows)
		return a->rows > b->rows ? -1 : 1;
	/* nodes are numbered after their parents */
	return (a->node > b->node) - (a->node < b->node);
}

void
colj_shred_decide(ColjShred *shred)
{
	Candidate  *candidates = shred->host->resize(shred->host->arg, NULL, shred->n * sizeof(Candidate));
	uint32_t	chosen = 0;

	for (uint32_t i = 0; i < shred->n; i++)
		shred->seen[i].type = type_of(&shred->seen[i]);
	shred->seen[0].path = 0;
	if (candidates == NULL)
		return;
	for (uint32_t i = 0; i < shred->n; i++)
		candidates[i] = (Candidate){i, occurrences(&shred->seen[i])};
	qsort(candidates, shred->n, sizeof(Candidate), compare_candidates);
	for (uint32_t i = 0; i < shred->n && chosen + 1 < shred->max_paths; i++)
	{
		ColjSeen   *node = &shred->seen[candidates[i].node];

		if (node->parent == COLJ_NO_PATH || candidates[i].rows < FEW ||
			(uint64_t) candidates[i].rows * RARE < shred->rows)
			continue;
		if (shred->seen[node->parent].path == COLJ_NO_PATH || shred->seen[node->parent].type != COLJ_PATH_OBJECT)
			continue;
		node->path = 0;
		chosen++;
	}
	colj_release(shred->host, candidates);
}
