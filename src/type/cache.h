/*-------------------------------------------------------------------------
 *
 * cache.h
 *	  Documents that are not inline: fetched as little as needed, and kept.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_CACHE_H
#define COLJ_CACHE_H

#include "type/document.h"

/* A document with what is needed to fetch more of it. */
typedef struct ColjKept
{
	ColjDoc		doc;
	struct varlena *source;		/* the Datum's bytes, and the key of the cache */
	Size		source_size;
	uint8	   *buffer;			/* doc.data, as far as it is filled */

	/* An uncompressed value in TOAST, read in pieces. */
	uint8	   *present;		/* a bit for each chunk that has been fetched */
	uint32		nchunks;
	uint32		prefix;			/* chunks present from the start on */
	uint32		next;			/* the chunk after the last fetch */
	uint32		window;			/* chunks that a fetch in sequence takes */

	/* The cache's own. */
	MemoryContext context;		/* all of the above; NULL for none yet */
	Size		bytes;			/* allotted in context */
	uint64		used;			/* time of the last use; 0 for not valid */
} ColjKept;

/* A document of a TOAST pointer to disk or of inline compressed bytes. */
extern ColjDoc *colj_cache_open(struct varlena *value, ColjNeed need);

/*
 * Prepare to read a value (fetch.c): fills in doc, source and the fields of
 * the method, in the current memory context.  raw_size is its size in bytes
 * without a header.
 */
extern void colj_fetch_begin(ColjKept *kept, struct varlena *value,
							 uint32 raw_size, ColjNeed need);

#endif							/* COLJ_CACHE_H */
