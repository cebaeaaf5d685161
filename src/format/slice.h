/*-------------------------------------------------------------------------
 *
 * slice.h
 *	  A part of a document as a document of its own, its bytes as they are.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SLICE_H
#define COLJ_SLICE_H

#include "bytes.h"
#include "reader.h"

/* Of so many shapes it is noted which ones a part uses. */
#define COLJ_SLICE_SHAPES 256

/* How a part is taken; lives on the caller's stack from size to write. */
typedef struct ColjSlice
{
	ColjDoc    *doc;
	ColjValue	value;
	uint32_t	size;			/* of the new document */
	bool		head;			/* header and shape table are the document's */
	uint32_t	shapes;			/* else: how many of the first shapes go
								 * along, */
	uint32_t	used;			/* how many of these are used, */
	uint32_t	shape_size;		/* and the bytes of those that are */
	uint64_t	uses[COLJ_SLICE_SHAPES / 64];	/* a bit for each */
} ColjSlice;

/*
 * Prepare to take a part: COLJ_OK with slice->size for colj_slice_write.
 * COLJ_ABSENT: it refers to more shapes than can be taken along; rebuild it
 * with colj_builder_copy.
 */
extern ColjStatus colj_slice_size(ColjSlice *slice, ColjDoc *doc, const ColjValue *value);

/* Write slice->size bytes. */
extern ColjStatus colj_slice_write(ColjSlice *slice, uint8_t *out);

/*
 * The same for a container of a document without shapes, which takes nothing
 * along: this many bytes more than the value, and the bytes in front.
 */
#define COLJ_PLAIN_HEAD (COLJ_HEADER_SIZE + 1)

static inline bool
colj_slice_is_plain(const ColjDoc *doc, const ColjValue *value)
{
	return doc->nshapes == 0 && value->kind >= COLJ_ARRAY;
}

static inline uint8_t *
colj_put_plain_head(const ColjDoc *doc, const ColjValue *value, uint8_t *out)
{
	out = colj_put_header(out, 0, doc->stride);
	*out++ = COLJ_ENTRY(value->kind == COLJ_ARRAY ? COLJ_TAG_ARRAY : COLJ_TAG_OBJECT, 0);
	return out;
}

#endif							/* COLJ_SLICE_H */
