/*-------------------------------------------------------------------------
 *
 * collect.h
 *	  What ANALYZE gathers from sampled documents: a tree of paths, and the
 *	  scalars seen at each.
 *
 * A node of the tree stands for a path: the root, a member of an object by
 * its key, any element of an array, or any member of an object whose key has
 * no node of its own (so that objects which map ids to values stay small).
 * collect.c fills the tree, fold.c trims it, summary.c writes it down.
 *
 * All memory is of the context that was current at colj_collect_begin.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COLLECT_H
#define COLJ_COLLECT_H

#include "lib/hyperloglog.h"

#include "type/document.h"

/* Arrays with more than i elements are counted for i below this. */
#define COLJ_LENGTHS 8

/* A string beyond the first limit is remembered by its first bytes only. */
#define COLJ_SEEN_WHOLE 200
#define COLJ_SEEN_CUT 64

/* A number, string or boolean seen at a path. */
typedef struct ColjSeen
{
	uint32		hash;
	uint8		kind;			/* ColjKind */
	uint8		scale;			/* DECIMAL */
	bool		cut;			/* bytes are the first of a longer string */
	uint32		last_row;		/* the row that was counted last */
	uint32		rows;			/* rows that have it at the path */
	uint32		count;			/* times it was seen */
	int64		integer;		/* BOOL, INT, DECIMAL */
	uint32		len;			/* STRING, BIGNUM: bytes before a cut */
	const char *bytes;
} ColjSeen;

typedef struct ColjPathNode ColjPathNode;

/* What was made of the scalars at a path, see summary.c. */
typedef struct ColjSummary
{
	ColjSeen  **common;			/* most common values, most frequent first */
	int			ncommon;
	ColjSeen  **numbers;		/* bounds of a histogram of the other numbers */
	int			nnumbers;
	ColjSeen  **strings;		/* and of the other strings */
	int			nstrings;
	double		distinct_numbers;	/* negative: for one row of the table */
	double		distinct_strings;
} ColjSummary;

struct ColjPathNode
{
	ColjPathNode *parent;
	const char *key;			/* NULL unless a member by its key */
	uint32		key_len;
	uint32		key_hash;

	ColjPathNode *first;		/* members by key, the latest first */
	ColjPathNode *next;
	uint32		nmembers;
	ColjPathNode *others;		/* any other member */
	hyperLogLogState *other_keys;	/* the keys of those */
	ColjPathNode *elements;		/* any element */

	bool		repeated;		/* may occur several times in a row */
	uint32		last_row;
	uint32		rows;			/* rows in which it occurs */
	double		count;			/* times it occurs */
	double		kinds[COLJ_OBJECT + 1]; /* by kind of the value */
	double		lengths[COLJ_LENGTHS];	/* arrays with more than i elements */
	double		width;			/* bytes of the scalars' texts, summed up */

	struct seen_hash *seen;		/* its scalars; NULL for none */
	Size		seen_size;		/* bytes they take */
	uint32		level;			/* new scalars are taken by 1 in 2^level */

	ColjSummary summary;
};

typedef struct ColjCollection
{
	MemoryContext context;
	ColjPathNode *root;
	struct member_hash *members;	/* all members by key */
	uint32		nnodes;
	Size		seen_size;		/* bytes of the scalars of all nodes */
	Size		seen_limit;
	uint32		row;			/* number of the current document, from 1 */
} ColjCollection;

/* memory: about how many bytes the scalars may take. */
extern ColjCollection *colj_collect_begin(Size memory);

/* Count in a document. */
extern void colj_collect_document(ColjCollection *c, ColjDoc *doc);

/* The node of a member, made if it does not exist; NULL when there are too many. */
extern ColjPathNode *colj_collect_member(ColjCollection *c, ColjPathNode *parent,
										 const char *key, uint32 len, uint32 hash);

/* A node for any element, or for any other member, of a parent. */
extern ColjPathNode *colj_collect_child(ColjCollection *c, ColjPathNode *parent,
										ColjPathNode **place);

/* Remember that a key has no node of its own. */
extern void colj_collect_other_key(ColjCollection *c, ColjPathNode *parent, uint32 hash);

/* Add a scalar's counts to a node (its bytes are copied if it is new there). */
extern void colj_collect_seen(ColjCollection *c, ColjPathNode *node, const ColjSeen *seen);

/* Whether a scalar belongs to the part of all that is counted completely. */
static inline bool
colj_seen_sampled(const ColjPathNode *node, const ColjSeen *seen)
{
	return node->level == 0 || seen->hash >> (32 - node->level) == 0;
}

/* All scalars of a node, as a palloc'd array. */
extern ColjSeen **colj_collect_list(const ColjPathNode *node, int *n);

/* fold.c: keep at most max_nodes nodes, the most frequent. */
extern void colj_collect_fold(ColjCollection *c, int max_nodes);

/* summary.c: the collection as a statistics document, see pathstats.h. */
typedef struct ColjSample
{
	int			target;			/* of statistics: entries of a list */
	double		documents;		/* that were looked at */
	double		total;			/* documents that the table has, not counting
								 * NULLs */
	double		total_rows;		/* rows of the table */
	uint32		size_limit;		/* bytes the result may take */
} ColjSample;

extern Datum colj_collect_summary(ColjCollection *c, const ColjSample *sample);

#endif							/* COLJ_COLLECT_H */
