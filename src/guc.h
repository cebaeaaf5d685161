/*-------------------------------------------------------------------------
 *
 * guc.h
 *	  The settings named colj.*.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_GUC_H
#define COLJ_GUC_H

/* Children between two anchors in new documents: 1..256. */
extern int	colj_offset_stride;

/* What becomes of new values that have no type modifier. */
typedef enum ColjCompression
{
	COLJ_COMPRESSION_NONE,
	COLJ_COMPRESSION_ZSTD
} ColjCompression;

extern int	colj_compression;

/* Rows of a stripe, and of a vector in it. */
extern int	colj_stripe_rows_limit;
extern int	colj_vector_rows;

/* Columns that the documents of one column are split into, at most. */
extern int	colj_max_paths;

/* Rows of a COPY and the like, from which on they go into stripes; 0: never. */
extern int	colj_direct_load_min_rows;

/* VACUUM compacts when at least this many cold rows wait. */
extern int	colj_compact_min_rows;

/* Tables with so many rows in stripes may be aggregated by vectors; -1: none. */
extern int	colj_vectoragg_min_rows;

/* The level of zstd, in stripes and where no type modifier names one: 1..22. */
extern int	colj_zstd_level;

/* Have those that leave no trace in a stripe the values that they have by default? */
extern bool colj_untold_settings_usual(void);

/* Define the settings; called once, when the library is loaded. */
extern void colj_guc_init(void);

#endif							/* COLJ_GUC_H */
