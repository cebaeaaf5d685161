/*-------------------------------------------------------------------------
 *
 * directory.h
 *	  What stands before a stripe's columns: its paths, and where their
 *	  vectors are.
 *
 * directory.c is the one codec of these bytes; README.md describes them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_DIRECTORY_H
#define COLJ_DIRECTORY_H

#include "stripe/stripe.h"
#include "stripe/work.h"

#define COLJ_STRIPE_VERSION 1
#define COLJ_STRIPE_VECTORS_MAX COLJ_VECTOR_ROWS_MAX

/* Paths have at most this many keys; objects deeper down are kept whole. */
#define COLJ_PATH_DEPTH_MAX 32

/* Bounds of strings are cut to this length. */
#define COLJ_ZONE_BYTES 16

/* A zone as it is stored: bounds of one vector of one path. */
typedef struct ColjStoredZone
{
	uint32_t	counts[4];
	bool		bounded;
	int64_t		min_int;
	int64_t		max_int;
	uint8_t		scale;
	uint8_t		min_len;
	uint8_t		max_len;		/* 0 with bounded: no upper bound */
	char		min_bytes[COLJ_ZONE_BYTES];
	char		max_bytes[COLJ_ZONE_BYTES];
} ColjStoredZone;

/* All that the directory says of a path. */
typedef struct ColjPathEntry
{
	ColjPathInfo info;
	bool		residual;		/* what a document column's paths do not hold */
	uint32_t	nvectors;
	uint64_t	offset;			/* of its first vector, after the directory */
	uint32_t   *lengths;		/* stored bytes of each vector */
	uint32_t   *raws;			/* bytes of the values in each vector */
	ColjStoredZone *zones;		/* of each vector */
} ColjPathEntry;

typedef struct ColjDirectory
{
	const ColjHost *host;
	uint32_t	rows;
	uint32_t	vector_rows;
	uint32_t	nvectors;
	uint32_t	ncolumns;
	ColjColumnSpec *columns;
	uint32_t   *roots;			/* path of each column */
	uint32_t   *residuals;		/* path of each column's residual, or
								 * COLJ_NO_PATH */
	uint32_t	npaths;
	ColjPathEntry *paths;
	char	   *keys;			/* bytes of all keys */
	size_t		header_size;	/* bytes of header and directory as stored */
} ColjDirectory;

/* Append header and directory to a sink. */
extern ColjStatus colj_directory_put(ColjVectorWork *work, const ColjDirectory *directory,
									 ColjSink *out);

/*
 * Read them through the window.  Everything is checked: parents come before
 * children, ranges lie within the stripe, counts add up to its rows.
 */
extern ColjStatus colj_directory_get(ColjVectorWork *work, ColjStripeWindow *window,
									 ColjDirectory *directory, const char **problem);

extern void colj_directory_free(ColjDirectory *directory);

/* The rows of a vector. */
static inline uint32_t
colj_directory_vector_rows(const ColjDirectory *directory, uint32_t vector)
{
	uint32_t	first = vector * directory->vector_rows;
	uint32_t	left = directory->rows - first;

	return left < directory->vector_rows ? left : directory->vector_rows;
}

#endif							/* COLJ_DIRECTORY_H */
