/*-------------------------------------------------------------------------
 *
 * prune.h
 *	  Which keys of a document a function of core will look at.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PRUNE_H
#define COLJ_PRUNE_H

#include "access/tupdesc.h"
#include "type/document.h"
#include "utils/jsonb.h"
#include "utils/jsonpath.h"

/*
 * A tree of keys.  A node with wanted keys stands for an object of which only
 * these are needed; any other value in its place is needed whole.
 */
typedef struct ColjPrune
{
	bool		whole;			/* everything below is needed */
	bool		each;			/* in an array, this holds for each element */
	const char *key;			/* in the parent's object */
	uint32		len;
	struct ColjPrune *keys;		/* wanted keys, in a document's key order */
	struct ColjPrune *next;
} ColjPrune;

/*
 * The keys that a path can reach from $, in the current memory context; NULL
 * when it may look at everything.  The path must live as long.
 */
extern ColjPrune *colj_prune_path(JsonPath *path);

/* The order of a wanted key and one of a document: below, at or above zero. */
extern int	colj_prune_compare(const ColjPrune *wanted, const char *key, uint32 len);

/* The keys that name columns of a record. */
extern ColjPrune *colj_prune_record(TupleDesc desc);

/* A jsonb of a document's value with the wanted keys only (jsonb_write.c). */
extern Jsonb *colj_pruned_jsonb(ColjDoc *doc, const ColjValue *value, const ColjPrune *prune);

#endif							/* COLJ_PRUNE_H */
