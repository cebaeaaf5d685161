/*-------------------------------------------------------------------------
 *
 * pathcall.h
 *	  Functions that take a jsonpath, answered without core.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PATHCALL_H
#define COLJ_PATHCALL_H

#include "fmgr.h"

#include "type/jsonpath.h"

typedef enum ColjPathCall
{
	COLJ_PATH_OTHER,			/* not known here */
	COLJ_PATH_EXISTS,
	COLJ_PATH_MATCH,
	COLJ_PATH_QUERY,
	COLJ_PATH_FIRST,
	COLJ_PATH_ARRAY
} ColjPathCall;

/* What the function of this name does. */
extern ColjPathCall colj_path_call_of(const char *name);

/*
 * Answer the call: its result and fcinfo->isnull, or rows in a tuplestore.
 * False, and nothing is done, when core has to; path may be NULL.
 */
extern bool colj_path_call(FunctionCallInfo fcinfo, ColjPathCall call,
						   const ColjPathItem *path, Datum *result);

#endif							/* COLJ_PATHCALL_H */
