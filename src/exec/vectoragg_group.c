/*-------------------------------------------------------------------------
 *
 * vectoragg_group.c
 *	  Groups of a partial aggregation.
 *
 * PostgreSQL combines what comes out of here by its own notion of equality, so
 * groups may be finer than that: keys are the same if their bytes are.
 *
 * Where all keys of a vector's rows come by code, the group of each combination of
 * codes is remembered, and is looked up only once for the vector.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"

#include "compat.h"
#include "exec/vectoragg.h"

/* Combinations of codes whose groups are remembered. */
#define COMBINATIONS_MAX 4096

typedef struct Entry
{
	ColjVectorGroup *group;
	uint32		hash;
	char		status;
} Entry;

struct group_table_hash;

struct ColjVectorGroups
{
	ExprContext *context;		/* of the groups */
	struct group_table_hash *table;
	Size		limit;			/* bytes that they may take */
	int			nkeys;
	ColjVectorExpr **keys;
	int			ntrans;
	ColjVectorTrans **trans;
	ColjVectorGroup *first;
	ColjVectorGroup *last;
	ColjVectorGroup *probe;		/* the keys that are looked for */
	bool		entered;		/* the next two are of this vector */
	uint32		ncombinations;	/* of codes; 0: not all have codes */
	ColjVectorGroup **combinations;
};

static bool same_keys(const ColjVectorGroups *groups, const ColjVectorGroup *a, const ColjVectorGroup *b);

#define SH_PREFIX group_table
#define SH_ELEMENT_TYPE Entry
#define SH_KEY_TYPE const ColjVectorGroup *
#define SH_KEY group
#define SH_HASH_KEY(tb, key) ((key)->hash)
#define SH_EQUAL(tb, a, b) same_keys((tb)->private_data, a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(tb, entry) ((entry)->hash)
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The bytes that a value is. */
static const void *
bytes_of(const ColjVectorExpr *key, const Datum *value, Size *size)
{
	*size = sizeof(Datum);
	if (key->typbyval)
		return value;
	if (key->typlen == -1)
	{
		*size = VARSIZE_ANY_EXHDR(DatumGetPointer(*value));
		return VARDATA_ANY(DatumGetPointer(*value));
	}
	*size = datumGetSize(*value, key->typbyval, key->typlen);
	return DatumGetPointer(*value);
}

static bool
same_key(const ColjVectorExpr *key, const Datum *a, const Datum *b)
{
	Size		a_size;
	Size		b_size;
	const void *a_bytes = bytes_of(key, a, &a_size);
	const void *b_bytes = bytes_of(key, b, &b_size);

	return a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
}

static bool
same_keys(const ColjVectorGroups *groups, const ColjVectorGroup *a, const ColjVectorGroup *b)
{
	for (int i = 0; i < groups->nkeys; i++)
		if (a->nulls[i] != b->nulls[i] ||
			(!a->nulls[i] && !same_key(groups->keys[i], &a->keys[i], &b->keys[i])))
			return false;
	return true;
}

static uint32
hash_keys(const ColjVectorGroups *groups, const ColjVectorGroup *group)
{
	uint32		hash = 0;

	for (int i = 0; i < groups->nkeys; i++)
	{
		Size		size;
		const void *bytes;

		hash = pg_rotate_left32(hash, 1);
		if (group->nulls[i])
			continue;
		bytes = bytes_of(groups->keys[i], &group->keys[i], &size);
		hash ^= hash_bytes(bytes, (int) size);
	}
	return hash;
}

/* A group with room for everything, in the current memory context. */
static ColjVectorGroup *
make_group(const ColjVectorGroups *groups)
{
	Size		keys = MAXALIGN(sizeof(ColjVectorGroup));
	Size		states = keys + groups->nkeys * sizeof(Datum);
	Size		nulls = states + groups->ntrans * sizeof(ColjVectorState);
	char	   *memory = palloc0(nulls + groups->nkeys * sizeof(bool));
	ColjVectorGroup *group = (ColjVectorGroup *) memory;

	group->keys = (Datum *) (memory + keys);
	group->states = (ColjVectorState *) (memory + states);
	group->nulls = (bool *) (memory + nulls);
	return group;
}

static void
make_table(ColjVectorGroups *groups)
{
	groups->table = group_table_create(groups->context->ecxt_per_tuple_memory, 64, groups);
}

ColjVectorGroups *
colj_vector_groups_create(ExprContext *context, int nkeys, ColjVectorExpr **keys,
						  int ntrans, ColjVectorTrans **trans)
{
	ColjVectorGroups *groups = palloc0(sizeof(ColjVectorGroups));

	groups->context = context;
	groups->limit = get_hash_memory_limit();
	groups->nkeys = nkeys;
	groups->keys = keys;
	groups->ntrans = ntrans;
	groups->trans = trans;
	groups->probe = make_group(groups);
	groups->combinations = palloc(COMBINATIONS_MAX * sizeof(ColjVectorGroup *));
	make_table(groups);
	return groups;
}

static void
forget_combinations(ColjVectorGroups *groups)
{
	memset(groups->combinations, 0, groups->ncombinations * sizeof(ColjVectorGroup *));
}

void
colj_vector_groups_leave(ColjVectorGroups *groups)
{
	groups->entered = false;
}

/* How many combinations of codes are there? */
static uint32
count_combinations(const ColjVectorGroups *groups)
{
	uint32		n = 1;

	for (int i = 0; i < groups->nkeys; i++)
	{
		const ColjVectorExpr *key = groups->keys[i];

		if (key->how != COLJ_BY_CODE || n * key->ncodes > COMBINATIONS_MAX)
			return 0;
		n *= key->ncodes;
	}
	return n;
}

/* Keys of the vector are asked for. */
static void
enter_vector(ColjVectorGroups *groups, const ColjVectorRow *row)
{
	for (int i = 0; i < groups->nkeys; i++)
		colj_vector_expr_enter(groups->keys[i], row);
	groups->ncombinations = count_combinations(groups);
	forget_combinations(groups);
	groups->entered = true;
}

/* Take the row's keys; lazy and compressed ones as they are compared. */
static void
fill_probe(ColjVectorGroups *groups, ColjVectorRow *row)
{
	ColjVectorGroup *probe = groups->probe;
	MemoryContext old = MemoryContextSwitchTo(row->econtext->ecxt_per_tuple_memory);

	for (int i = 0; i < groups->nkeys; i++)
	{
		ColjVectorExpr *key = groups->keys[i];

		probe->keys[i] = colj_vector_expr_value(key, row, &probe->nulls[i]);
		if (!probe->nulls[i] && key->typlen == -1)
			probe->keys[i] = PointerGetDatum(PG_DETOAST_DATUM_PACKED(probe->keys[i]));
	}
	MemoryContextSwitchTo(old);
	probe->hash = hash_keys(groups, probe);
}

/* Make the group that is looked for. */
static ColjVectorGroup *
add_group(ColjVectorGroups *groups)
{
	const ColjVectorGroup *probe = groups->probe;
	MemoryContext old = MemoryContextSwitchTo(groups->context->ecxt_per_tuple_memory);
	ColjVectorGroup *group = make_group(groups);

	group->hash = probe->hash;
	for (int i = 0; i < groups->nkeys; i++)
	{
		group->nulls[i] = probe->nulls[i];
		if (!probe->nulls[i])
			group->keys[i] = datumCopy(probe->keys[i], groups->keys[i]->typbyval, groups->keys[i]->typlen);
	}
	for (int i = 0; i < groups->ntrans; i++)
		colj_vector_trans_begin(groups->trans[i], &group->states[i]);
	if (groups->last == NULL)
		groups->first = group;
	else
		groups->last->next = group;
	groups->last = group;
	MemoryContextSwitchTo(old);
	return group;
}

static ColjVectorGroup *
look_up(ColjVectorGroups *groups, ColjVectorRow *row)
{
	Entry	   *entry;
	bool		found;

	fill_probe(groups, row);
	entry = group_table_insert_hash(groups->table, groups->probe, groups->probe->hash, &found);
	if (!found)
		entry->group = add_group(groups);
	return entry->group;
}

/* Where the group of the row's codes is remembered, or NULL. */
static inline ColjVectorGroup **
combination(const ColjVectorGroups *groups, const ColjVectorRow *row)
{
	uint32		i = 0;

	if (groups->ncombinations == 0)
		return NULL;
	for (int k = 0; k < groups->nkeys; k++)
	{
		uint16		code = colj_vector_expr_code(groups->keys[k], row);

		if (code == COLJ_NO_CODE)
			return NULL;
		i = i * groups->keys[k]->ncodes + code;
	}
	return &groups->combinations[i];
}

ColjVectorGroup *
colj_vector_groups_find(ColjVectorGroups *groups, ColjVectorRow *row)
{
	ColjVectorGroup **known;

	if (!groups->entered)
		enter_vector(groups, row);
	known = combination(groups, row);
	if (known == NULL)
		return look_up(groups, row);
	if (*known == NULL)
		*known = look_up(groups, row);
	return *known;
}

ColjVectorGroup *
colj_vector_groups_first(const ColjVectorGroups *groups)
{
	return groups->first;
}

bool
colj_vector_groups_full(const ColjVectorGroups *groups, bool closely)
{
	return MemoryContextMemAllocated(groups->context->ecxt_per_tuple_memory, closely) > groups->limit;
}

void
colj_vector_groups_reset(ColjVectorGroups *groups)
{
	ReScanExprContext(groups->context);
	groups->first = groups->last = NULL;
	forget_combinations(groups);
	make_table(groups);
}
