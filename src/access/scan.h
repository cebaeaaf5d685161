/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  Scans of both stores.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SCAN_H
#define COLJ_SCAN_H

#include "access/heapam.h"

#include "access/access.h"
#include "access/slot.h"
#include "store/store.h"

/* Where a scan is among the stripes. */
typedef struct ColjStripeCursor
{
	ColjStore	store;			/* open while there are stripes */
	int			n;				/* stripes; 0 for none */
	ColjStripeEntry *entries;
	Snapshot	snapshot;
	bool		all;			/* dead rows, too */
	MemoryContext context;		/* of what is allocated here */
	int			stripe;			/* -1 before the first, n behind the last */
	int64		row;			/* in the stripe; -1 before its first */
	bits8	   *dead;			/* of this stripe; NULL for none */
	int			dead_of;		/* the stripe that it is of, or -1 */
} ColjStripeCursor;

/* Begin with what the snapshot sees; false when there is nothing. */
extern bool colj_cursor_begin(ColjStripeCursor *cursor, Relation table, Snapshot snapshot, bool all);
extern void colj_cursor_end(ColjStripeCursor *cursor);

/* Begin anew with the rows that were in no stripe when it began. */
extern void colj_cursor_renew(ColjStripeCursor *cursor, Relation table);

/* The next row that counts, in slot; false at the end. */
extern bool colj_cursor_next(ColjStripeCursor *cursor, ScanDirection direction, TupleTableSlot *slot);

/* Move to another stripe: the next row is its first, or its last. */
extern void colj_cursor_enter(ColjStripeCursor *cursor, int stripe, ScanDirection direction);

/* Is row i of the stripe at hand one that counts? */
extern bool colj_cursor_counts(ColjStripeCursor *cursor, int64 row);

/*
 * The scan descriptor.  It begins as a heap scan's, because heap's own copy
 * loop for CLUSTER looks at the progress there; what counts is in `heap`.
 */
typedef struct ColjScan
{
	HeapScanDescData base;
	TableScanDesc heap;
	MemoryContext context;
	ColjStripeCursor cursor;
	bool		looked;			/* for stripes */
	bool		in_heap;		/* of a scan of both */
	bool		late;			/* among stripes that came after its beginning */
	ItemPointerData mintid;
	ItemPointerData maxtid;
	bool		ranged;			/* by these two */
	uint64	   *rows;			/* bitmap scan: of the block at hand */
	int			nrows;
	int			next;			/* of rows; TABLESAMPLE: block of the stripes */
	double		total;			/* ANALYZE: rows of stripes */
	double		step;			/* one of so many is looked at */
	double		dead_share;		/* dead ones of every block */
#ifdef COLJ_BITMAP_ITERATOR
	TBMIterateResult bitmap_block;	/* the first of stripes */
	bool		bitmap_reached; /* that block */
	bool		bitmap_in_stripes;	/* all of heap's rows have been given */
#endif
} ColjScan;

/* What the workers of a parallel scan share, behind heap's part. */
typedef struct ColjSharedScan
{
	ParallelBlockTableScanDescData heap;
	pg_atomic_uint64 next_stripe;
} ColjSharedScan;

/* The cursor of a scan, begun when it is first needed. */
extern ColjStripeCursor *colj_scan_cursor(ColjScan *scan);

/* serialize.c: before a scan of any kind, and before a row of a stripe is looked at */
extern void colj_serialize_scan(Relation rel, Snapshot snapshot);
extern void colj_serialize_row(Relation rel, ItemPointer tid, Snapshot snapshot);

/* ... and after a row from an index was in no stripe that the snapshot sees */
extern void colj_serialize_missing(Relation rel, uint64 row, Snapshot snapshot);

/* Enter the next stripe, of those that are this worker's; false behind the last. */
extern bool colj_scan_next_stripe(ColjScan *scan, ScanDirection direction);

/* The next row of the stripes, of those that this worker takes. */
extern bool colj_stripes_next(ColjScan *scan, ScanDirection direction, TupleTableSlot *slot);

/* Rows of a stripe, for who takes many at a time. */
typedef struct ColjScanVector
{
	ColjStripe *stripe;
	uint32		number;			/* of the vector in the stripe */
	uint32		first;			/* its first row in the stripe, */
	uint32		rows;			/* and how many it has */
	const bits8 *dead;			/* a bit for each row of the stripe that does
								 * not count; NULL for none */
} ColjScanVector;

/*
 * vectors.c: go on, in a forward scan that has an MVCC snapshot, to the next vector
 * of a stripe; false behind the last, from where on colj_scan_next gives the
 * rows of the row store.  The slot, of our own kind, is then on the vector's first row, whether it
 * counts or not, and the vector stays decoded for as long as it is on one
 * of them.
 */
extern bool colj_scan_next_vector(TableScanDesc scan, TupleTableSlot *slot, ColjScanVector *vector);

/* Put it on row i of that vector. */
extern void colj_scan_vector_row(TableScanDesc scan, TupleTableSlot *slot,
								 const ColjScanVector *vector, uint32 i);

/* Does row i of it count? */
static inline bool
colj_vector_row_counts(const ColjScanVector *vector, uint32 i)
{
	uint32		row = vector->first + i;

	return vector->dead == NULL || (vector->dead[row / 8] & (1 << (row % 8))) == 0;
}

extern TableScanDesc colj_scan_begin(Relation rel, Snapshot snapshot, int nkeys, struct ScanKeyData *key,
									 ParallelTableScanDesc parallel, uint32 flags);
extern void colj_scan_end(TableScanDesc scan);
extern void colj_scan_rescan(TableScanDesc scan, struct ScanKeyData *key, bool set_params,
							 bool allow_strat, bool allow_sync, bool allow_pagemode);
extern bool colj_scan_next(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot);
extern void colj_scan_set_tidrange(TableScanDesc scan, ItemPointer mintid, ItemPointer maxtid);
extern bool colj_scan_next_tidrange(TableScanDesc scan, ScanDirection direction, TupleTableSlot *slot);
extern Size colj_parallelscan_estimate(Relation rel);
extern Size colj_parallelscan_initialize(Relation rel, ParallelTableScanDesc parallel);
extern void colj_parallelscan_reinitialize(Relation rel, ParallelTableScanDesc parallel);

/* bitmap.c */
#ifdef COLJ_BITMAP_ITERATOR
extern void colj_bitmap_begin(ColjScan *scan);
extern bool colj_bitmap_next_tuple(TableScanDesc scan, TupleTableSlot *slot, bool *recheck,
								   uint64 *lossy, uint64 *exact);
#else
extern bool colj_bitmap_next_block(TableScanDesc scan, struct TBMIterateResult *block);
extern bool colj_bitmap_next_tuple(TableScanDesc scan, struct TBMIterateResult *block, TupleTableSlot *slot);
#endif
extern bool colj_analyze_next_block(TableScanDesc scan, COLJ_ANALYZE_PARAMS);
extern bool colj_analyze_next_tuple(TableScanDesc scan, TransactionId horizon, double *live,
									double *dead, TupleTableSlot *slot);
extern bool colj_sample_next_block(TableScanDesc scan, struct SampleScanState *state);
extern bool colj_sample_next_tuple(TableScanDesc scan, struct SampleScanState *state, TupleTableSlot *slot);

/* The heap scan in a scan. */
static inline TableScanDesc
colj_heap_scan(TableScanDesc scan)
{
	return ((ColjScan *) scan)->heap;
}

#endif							/* COLJ_SCAN_H */
