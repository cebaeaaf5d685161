/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *	  How many rows the operators of colj select.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SELECTIVITY_H
#define COLJ_SELECTIVITY_H

#include "type/pathstats.h"
#include "utils/jsonpath.h"

/*
 * pathsel.c: the share of rows for which a jsonpath finds something (of @?),
 * or is true (of @@).  False when it has parts that are beyond estimation.
 */
extern bool colj_jsonpath_share(ColjStats *stats, JsonPath *path, bool is_predicate,
								double *share);

#endif							/* COLJ_SELECTIVITY_H */
