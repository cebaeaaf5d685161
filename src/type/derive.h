/*-------------------------------------------------------------------------
 *
 * derive.h
 *	  Statistics on an expression, from those on the paths of its column.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_DERIVE_H
#define COLJ_DERIVE_H

#include "access/htup.h"

#include "type/chain.h"
#include "type/pathstats.h"

/* Follow a chain's steps through statistics. */
extern void colj_stats_follow(ColjStats *stats, const ColjChain *chain, ColjStatNode *node);

/*
 * A row of pg_statistic for the expression that a chain is, in the current
 * memory context, from the row of its column.  NULL when that has no
 * statistics on paths, or the type of the expression can have none.
 */
extern HeapTuple colj_derive_statistics(HeapTuple column, const ColjChain *chain);

#endif							/* COLJ_DERIVE_H */
