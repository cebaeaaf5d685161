/*-------------------------------------------------------------------------
 *
 * unpack.h
 *	  Reading a packed document: its blocks are decoded as they are needed.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_UNPACK_H
#define COLJ_UNPACK_H

#include "format/packed.h"
#include "type/document.h"

/* A window on the raw document, over the window on the packed one. */
typedef struct ColjUnpack
{
	ColjDoc		doc;			/* give this to readers */
	ColjPacked	packed;
	uint8	   *buffer;			/* doc.data, as far as it is decoded */
	uint8	   *present;		/* a bit for each block that is decoded */
	uint32		prefix;			/* blocks decoded from the start on */
} ColjUnpack;

/* Bytes of the buffer for a document, and of the bits for its blocks. */
extern Size colj_unpack_room(const ColjPacked *packed);
extern Size colj_unpack_bits(const ColjPacked *packed);

/*
 * Begin to read: unpack->packed is open, buffer and present have that much
 * memory.  Decodes the first block, or all for COLJ_NEED_ALL, and opens the
 * document.
 */
extern void colj_unpack_begin(ColjUnpack *unpack, ColjNeed need);

/* Decode what is still missing. */
extern void colj_unpack_rest(ColjUnpack *unpack);

/*
 * Open a packed document that is inline.  As colj_document_open; value is the
 * Datum, and data and size its contents.
 */
extern ColjDoc *colj_unpack_inline(struct varlena *value, const void *data,
								   Size size, ColjNeed need);

/* The head of a document that is packed, or NULL if it is not. */
extern const ColjPacked *colj_document_packed(const ColjDoc *doc);

/* Forget all documents (end of transaction). */
extern void colj_unpack_reset(void);

#endif							/* COLJ_UNPACK_H */
