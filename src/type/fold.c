/*-------------------------------------------------------------------------
 *
 * fold.c
 *	  Trimming the tree of paths that ANALYZE has gathered.
 *
 * A member is folded into the node for any other member of its object when
 *
 *	- there are more nodes than may be kept, and its path is among the rarest;
 *	- or its object has many members of which it is a rare one: objects used as
 *	  maps, with ids for keys, are of that kind.
 *
 * Folding adds up counts, scalars, and all that lies below.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/collect.h"

/* An object with more members than this is a map, and may have rare keys. */
#define MAP_MEMBERS 100
#define MAP_RARE 0.001

typedef struct Fold
{
	ColjCollection *c;
	double		threshold;		/* members below it are folded, */
	int			ties;			/* as are those at it, but for this many */
} Fold;

static void merge(ColjCollection *c, ColjPathNode *from, ColjPathNode *to);

static void
merge_counts(ColjPathNode *from, ColjPathNode *to)
{
	to->rows += from->rows;
	to->count += from->count;
	to->width += from->width;
	for (int i = 0; i <= COLJ_OBJECT; i++)
		to->kinds[i] += from->kinds[i];
	for (int i = 0; i < COLJ_LENGTHS; i++)
		to->lengths[i] += from->lengths[i];
}

static void
merge_scalars(ColjCollection *c, ColjPathNode *from, ColjPathNode *to)
{
	int			n;
	ColjSeen  **list = colj_collect_list(from, &n);

	/* the documents are through: rows serve to tell these apart from others */
	c->row++;
	to->level = Max(to->level, from->level);
	for (int i = 0; i < n; i++)
	{
		list[i]->last_row = c->row;
		colj_collect_seen(c, to, list[i]);
	}
	if (list != NULL)
		pfree(list);
}

/* Merge into the node for any other member; the key counts for its sketch. */
static void
merge_into_others(ColjCollection *c, ColjPathNode *member, ColjPathNode *parent)
{
	if (colj_collect_child(c, parent, &parent->others) == NULL)
		return;
	colj_collect_other_key(c, parent, member->key_hash);
	merge(c, member, parent->others);
}

static void
merge_member(ColjCollection *c, ColjPathNode *member, ColjPathNode *to)
{
	ColjPathNode *twin = colj_collect_member(c, to, member->key, member->key_len,
											 member->key_hash);

	if (twin != NULL)
		merge(c, member, twin);
	else
		merge_into_others(c, member, to);
}

static void
merge(ColjCollection *c, ColjPathNode *from, ColjPathNode *to)
{
	CHECK_FOR_INTERRUPTS();
	merge_counts(from, to);
	merge_scalars(c, from, to);
	for (ColjPathNode *member = from->first; member != NULL; member = member->next)
		merge_member(c, member, to);
	if (from->elements != NULL && colj_collect_child(c, to, &to->elements) != NULL)
		merge(c, from->elements, to->elements);
	if (from->others != NULL && colj_collect_child(c, to, &to->others) != NULL)
		merge(c, from->others, to->others);
	if (to->other_keys == NULL)
		to->other_keys = from->other_keys;
}

static bool
is_rare(Fold *fold, const ColjPathNode *member)
{
	const ColjPathNode *parent = member->parent;

	if (parent->nmembers > MAP_MEMBERS && member->count < parent->count * MAP_RARE)
		return true;
	if (member->count == fold->threshold && fold->ties > 0)
	{
		fold->ties--;
		return false;
	}
	return member->count <= fold->threshold;
}

/* Fold the rare members of a node, and those of what is left. */
static void
fold_node(Fold *fold, ColjPathNode *node)
{
	ColjPathNode *members = node->first;
	ColjPathNode **link = &node->first;

	node->first = NULL;
	while (members != NULL)
	{
		ColjPathNode *member = members;

		members = member->next;
		if (is_rare(fold, member))
			merge_into_others(fold->c, member, node);
		else
		{
			*link = member;
			link = &member->next;
		}
	}
	*link = NULL;
	for (ColjPathNode *member = node->first; member != NULL; member = member->next)
		fold_node(fold, member);
	if (node->elements != NULL)
		fold_node(fold, node->elements);
	if (node->others != NULL)
		fold_node(fold, node->others);
}

/* The counts of all members by key, appended to a list. */
static void
list_counts(const ColjPathNode *node, double *counts, int *n)
{
	for (const ColjPathNode *member = node->first; member != NULL; member = member->next)
	{
		counts[(*n)++] = member->count;
		list_counts(member, counts, n);
	}
	if (node->elements != NULL)
		list_counts(node->elements, counts, n);
	if (node->others != NULL)
		list_counts(node->others, counts, n);
}

static int
compare_descending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x < y) - (x > y);
}

void
colj_collect_fold(ColjCollection *c, int max_nodes)
{
	Fold		fold = {c, 0, 0};
	double	   *counts = palloc(sizeof(double) * c->nnodes);
	int			n = 0;

	list_counts(c->root, counts, &n);
	if (n > max_nodes)
	{
		qsort(counts, n, sizeof(double), compare_descending);
		fold.threshold = counts[max_nodes];
		for (int i = max_nodes - 1; i >= 0 && counts[i] == fold.threshold; i--)
			fold.ties++;
	}
	pfree(counts);
	fold_node(&fold, c->root);
}
