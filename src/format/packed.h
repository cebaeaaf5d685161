/*-------------------------------------------------------------------------
 *
 * packed.h
 *	  Compressed documents: the bytes around the compressed bytes.
 *
 * A packed document is an ordinary one (the raw document) cut into blocks,
 * each compressed alone, so that a reader decodes only those it looks at:
 *
 *		packed	:= head, blocks
 *		head	:= version and flags (1 byte), codec and level (1 byte),
 *				   varint(raw size), varint(dictionary id), [cut]
 *		cut		:= shift (1 byte), the end of each block
 *
 * COLJ_FLAG_PACKED is set in the first byte, and COLJ_FLAG_CUT when there is
 * more than one block: each then holds 1 << shift raw bytes, the last one the
 * rest.  Ends count from the first block's first byte and have as many bytes as
 * the raw size needs.  A block whose stored size is its raw size is stored as
 * it is.  A shorter one is a zstd frame without its first six bytes, which
 * would be the same for all (packed.c has them).
 *
 * Dictionaries are known by number here; the caller finds them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PACKED_H
#define COLJ_PACKED_H

#include <zstd.h>

#include "reader.h"

/* The second byte: the codec in the high three bits, its level in the low. */
#define COLJ_PACKED_ZSTD 1
#define COLJ_PACKED_SHIFT 5
#define COLJ_LEVEL_MASK 0x1F
#define COLJ_LEVEL_MIN 1
#define COLJ_LEVEL_MAX 22

/* Raw bytes of a block, as a power of two; a document in one block likewise. */
#define COLJ_SHIFT_MIN 10
#define COLJ_SHIFT_MAX 16
#define COLJ_BLOCK_MAX (1 << COLJ_SHIFT_MAX)

/* What is written: documents above CUT_ABOVE bytes in blocks of 1 << SHIFT. */
#define COLJ_PACK_CUT_ABOVE (32 * 1024)
#define COLJ_PACK_SHIFT 13

/* Shorter documents are not tried. */
#define COLJ_PACK_MIN 32

/* A packed document must be smaller than the raw one by 1/16. */
#define COLJ_PACK_GAIN 16

/*
 * Literals, the bytes that repeat nothing, are written in Huffman codes only
 * where that saves more than this part of a block: decoding them is half or
 * more of what decoding takes, and most of it without a dictionary, when each
 * block brings its own table of codes.  From level 10 on size alone counts.
 */
#define COLJ_PACK_CODES_GAIN 9
#define COLJ_PACK_TABLE_GAIN 6
#define COLJ_PACK_CODES_LEVEL 10

/* Does a stored document begin as a packed one does? */
static inline bool
colj_is_packed(const void *data, size_t size)
{
	return size > 0 && (*(const uint8_t *) data & COLJ_FLAG_PACKED) != 0;
}

/*
 * The codec's memory, for one user at a time.  zstd's own memory comes from
 * malloc and lives until colj_zstd_free.
 */
typedef struct ColjZstd
{
	ZSTD_CCtx  *cctx;			/* made when first needed */
	ZSTD_DCtx  *dctx;
	int			level;			/* set in cctx; 0 for none */
	int			codes;			/* above 0: coded literals are tried first */
	const ZSTD_CDict *cdict;	/* referenced by cctx */
	const ZSTD_DDict *ddict;	/* referenced by dctx */
	uint8_t		frame[ZSTD_COMPRESSBOUND(COLJ_BLOCK_MAX)];
} ColjZstd;

extern void colj_zstd_init(ColjZstd *zstd);
extern void colj_zstd_free(ColjZstd *zstd);

/* Let go of the dictionaries, which are about to be freed. */
extern void colj_zstd_forget(ColjZstd *zstd);

/* A packed document's head. */
typedef struct ColjPacked
{
	ColjDoc    *stored;			/* the window on the packed bytes */
	uint8_t		codec;
	uint8_t		level;
	uint8_t		width;			/* bytes of an end */
	bool		cut;
	uint32_t	raw_size;
	uint32_t	dictionary;		/* 0 for none */
	uint32_t	block_size;		/* raw bytes of each block but the last */
	uint32_t	nblocks;
	uint32_t	ends;			/* position of the ends */
	uint32_t	base;			/* position of the first block */
} ColjPacked;

/*
 * Read the head.  Of stored, data, avail, size, fetch and fetch_arg are set;
 * colj_open is not called on it.  Sizes that cannot be true are refused, so
 * that raw_size is safe to allot.  On failure stored->problem says why.
 */
extern ColjStatus colj_packed_open(ColjPacked *packed, ColjDoc *stored);

/*
 * The number of a packed document's dictionary, or 0; stored is the document
 * or its first bytes.
 */
extern ColjStatus colj_packed_dictionary(ColjDoc *stored, uint32_t *dictionary);

/* Raw bytes of block i. */
static inline uint32_t
colj_packed_block_size(const ColjPacked *packed, uint32_t i)
{
	return i + 1 < packed->nblocks ? packed->block_size :
		packed->raw_size - i * packed->block_size;
}

/*
 * Decode block i < nblocks to out, which has room for its raw size; spare more
 * bytes there may be overwritten (zstd is faster with a few).  ddict is the
 * document's dictionary, or NULL when it has none.
 */
extern ColjStatus colj_packed_decode(const ColjPacked *packed, uint32_t i,
									 ColjZstd *zstd, const ZSTD_DDict *ddict,
									 uint8_t *out, uint32_t spare);

/* How to pack. */
typedef struct ColjPacking
{
	int			level;			/* COLJ_LEVEL_MIN .. COLJ_LEVEL_MAX */
	uint32_t	dictionary;		/* 0 for none */
	const ZSTD_CDict *cdict;	/* made for this level; NULL for none */
	const ColjHost *host;		/* its poll is called between blocks; or NULL */
} ColjPacking;

/* Bytes that colj_pack may write on its way, for a raw document of size bytes. */
extern size_t colj_pack_room(uint32_t size);

/*
 * Pack a raw document of size bytes into out, which has colj_pack_room(size).
 * COLJ_OK sets *packed_size; COLJ_ABSENT: the document would not shrink.
 */
extern ColjStatus colj_pack(ColjZstd *zstd, const ColjPacking *how,
							const uint8_t *raw, uint32_t size,
							uint8_t *out, uint32_t *packed_size);

#endif							/* COLJ_PACKED_H */
