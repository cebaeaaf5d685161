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

#include "type/unpack.h"

/* A document with what is needed to fetch more of it. */
typedef struct ColjKept
{
	ColjDoc		doc;
	struct varlena *source;		/* the Datum's bytes, and the key of the cache */
	Size		source_size;
	uint8	   *buffer;			/* doc.data, as far as it is filled */
	Size		filled;			/* bytes of it that are */

	/* An uncompressed value in TOAST, read in pieces. */
	uint8	   *present;		/* a bit for each chunk that has been fetched */
	uint32		nchunks;
	uint32		prefix;			/* chunks present from the start on */
	uint32		next;			/* the chunk after the last fetch */
	uint32		window;			/* chunks that a fetch in sequence takes */

	/* A packed document's raw one, which readers see instead of doc; or NULL. */
	ColjUnpack *unpack;

	/* The cache's own. */
	MemoryContext context;		/* all of the above; NULL for none yet */
	Size		bytes;			/* allotted in context */
	uint64		used;			/* time of the last use; 0 for not valid */
} ColjKept;

/*
 * A document of a TOAST pointer to disk, of inline compressed bytes, or of a
 * packed document that is inline and large.
 */
extern ColjDoc *colj_cache_open(struct varlena *value, ColjNeed need);

/*
 * Prepare to read a value (fetch.c): fills in doc, source and the fields of
 * the method, in the current memory context.  raw_size is its size in bytes
 * without a header.
 */
extern void colj_fetch_begin(ColjKept *kept, struct varlena *value,
							 uint32 raw_size, ColjNeed need);

/* Get what is missing of the document. */
extern void colj_fetch_rest(ColjKept *kept);

/* Forget what earlier documents taught (end of transaction). */
extern void colj_fetch_forget(void);

#endif							/* COLJ_CACHE_H */
