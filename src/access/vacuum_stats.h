/*-------------------------------------------------------------------------
 *
 * vacuum_stats.h
 *	  What VACUUM says of a table: reltuples, and live and dead rows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_VACUUM_STATS_H
#define COLJ_VACUUM_STATS_H

#include "access/reap.h"

/* Heap's part of VACUUM, of a table that has so many rows in stripes. */
extern void colj_vacuum_heap(Relation rel, struct VacuumParams *params, BufferAccessStrategy strategy,
							 int64 in_stripes);

/*
 * The end of VACUUM: what was collected, whether that has been reaped, or might
 * have been, and how many rows compaction has moved.
 */
extern void colj_vacuum_report(Relation rel, const ColjReap *reap, bool reaped, bool reapable, int64 moved);

#endif							/* COLJ_VACUUM_STATS_H */
