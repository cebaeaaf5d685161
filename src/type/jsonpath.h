/*-------------------------------------------------------------------------
 *
 * jsonpath.h
 *	  Simple jsonpaths, followed in the document itself.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_JSONPATH_H
#define COLJ_JSONPATH_H

#include "type/document.h"
#include "utils/jsonb.h"
#include "utils/jsonpath.h"

/* A path as it is followed; core's business if it is none of the simple ones. */
typedef struct ColjPathItem ColjPathItem;

/* What a predicate says; as core has it, with a third answer. */
typedef enum ColjTruth
{
	COLJ_FALSE,
	COLJ_TRUE,
	COLJ_UNKNOWN
} ColjTruth;

/* Values that a path finds, in its order. */
typedef struct ColjMatches
{
	ColjValue  *values;			/* palloc'd */
	uint32		n;
	uint32		room;
	uint32		most;			/* no more are looked for */
} ColjMatches;

/*
 * The path, in the current memory context, or NULL if it is not simple.  The
 * jsonpath must live as long.
 */
extern ColjPathItem *colj_path_compile(JsonPath *path);

/* Is it a predicate?  Then colj_path_test answers, else colj_path_follow. */
extern bool colj_path_is_predicate(const ColjPathItem *path);
extern ColjTruth colj_path_test(ColjDoc *doc, const ColjPathItem *path);
extern void colj_path_follow(ColjDoc *doc, const ColjPathItem *path, ColjMatches *found);

#endif							/* COLJ_JSONPATH_H */
