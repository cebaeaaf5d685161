/*-------------------------------------------------------------------------
 *
 * layout.h
 *	  The bytes of a colj document: constants that are frozen on disk.
 *
 * README.md in this folder is the normative description, with a worked
 * example.  In short:
 *
 *		document  := header [shape table] root
 *		header    := version and flags (1 byte), stride - 1 (1 byte)
 *		root      := entry (1 byte), body (all bytes that remain)
 *		entry     := tag (3 bits), length (5 bits)
 *
 *		array     := varint(n << 1), children
 *				   | varint(n << 1 | 1), entry, n values of one length
 *		object    := varint(n), key list, children
 *		shaped    := varint(shape id), children
 *		key list  := runs, key bytes
 *		children  := n entries, anchors, ends, small values, big values
 *
 * A value of at most COLJ_SMALL_MAX bytes is small: its length stands in its
 * entry.  A longer one is big: its entry says COLJ_BIG, and its end stands in
 * the table of ends.  The small ones come first so that the head of a large
 * document, which is what a TOAST slice or a decompressed prefix holds, has
 * all keys and all short values.
 *
 * Readers must not assume that integers have the shortest possible width
 * (arrays of one entry pad them), that a document with few keys has no shape
 * table, or that any length adds up: all bytes are hostile until checked.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_LAYOUT_H
#define COLJ_LAYOUT_H

#include <stdint.h>

/* Header byte 0: the format's version in the high half, flags in the low. */
#define COLJ_FORMAT_VERSION 1
#define COLJ_VERSION_SHIFT 4
#define COLJ_FLAG_SHAPES 0x01	/* a shape table follows the header */
#define COLJ_FLAG_PACKED 0x02	/* compressed: packed.h, no document as it is */
#define COLJ_FLAG_CUT 0x04		/* packed in several blocks */
#define COLJ_FLAGS_RAW COLJ_FLAG_SHAPES /* those of a document that is not
										 * packed */
#define COLJ_FLAGS_KNOWN (COLJ_FLAGS_RAW | COLJ_FLAG_PACKED | COLJ_FLAG_CUT)

/* Header byte 1: the anchor stride less one, so that 1..256 fit. */
#define COLJ_HEADER_SIZE 2
#define COLJ_STRIDE_MIN 1
#define COLJ_STRIDE_MAX 256
#define COLJ_STRIDE_DEFAULT 32

/* An entry: what a child is and how long.  The numbers are frozen. */
typedef enum ColjTag
{
	COLJ_TAG_LITERAL = 0,		/* the length field is the value, see below */
	COLJ_TAG_STRING = 1,		/* bytes in the database encoding */
	COLJ_TAG_INT = 2,			/* little-endian two's complement, 1..8 bytes */
	COLJ_TAG_DECIMAL = 3,		/* scale (1 byte), then as INT, 0..8 bytes */
	COLJ_TAG_BIGNUM = 4,		/* numeric's wire format, see README */
	COLJ_TAG_ARRAY = 5,
	COLJ_TAG_OBJECT = 6,		/* carries its own key list */
	COLJ_TAG_SHAPED = 7			/* object whose key list is in the shape table */
} ColjTag;

#define COLJ_ENTRY_LEN_BITS 5
#define COLJ_ENTRY_LEN_MASK 0x1F
#define COLJ_SMALL_MAX 30
#define COLJ_BIG 31

#define COLJ_ENTRY(tag, len) ((uint8_t) ((tag) << COLJ_ENTRY_LEN_BITS | (len)))
#define COLJ_ENTRY_TAG(entry) ((ColjTag) ((entry) >> COLJ_ENTRY_LEN_BITS))
#define COLJ_ENTRY_LEN(entry) ((entry) & COLJ_ENTRY_LEN_MASK)

/* The length field of a literal; from COLJ_LITERAL_ZERO on, small integers. */
#define COLJ_LITERAL_NULL 0
#define COLJ_LITERAL_FALSE 1
#define COLJ_LITERAL_TRUE 2
#define COLJ_LITERAL_ZERO 3
#define COLJ_LITERAL_INT_MAX (31 - COLJ_LITERAL_ZERO)

/*
 * A run of keys of one length: the difference to the previous run's length in
 * the high half of a byte, the number of keys in the low half.  Count 0 (the
 * whole byte is then 0) means that both follow as varints.
 */
#define COLJ_RUN_MAX 15
#define COLJ_RUN(delta, count) ((uint8_t) ((delta) << 4 | (count)))
#define COLJ_RUN_DELTA(run) ((run) >> 4)
#define COLJ_RUN_COUNT(run) ((run) & 0x0F)
#define COLJ_RUN_EXTENDED 0

/*
 * The most elements of an array whose values share one entry and take no
 * bytes, so that no few bytes stand for billions of values.
 */
#define COLJ_FIXED_EMPTY_MAX 32

/* The longest document: PostgreSQL's limit on a value less its length word. */
#define COLJ_MAX_SIZE ((uint32_t) 0x3FFFFFFF - 4)

/* A decimal's scale is one byte and its mantissa an int64: else it is BIGNUM. */
#define COLJ_DECIMAL_SCALE_MAX 255

/* Bytes before the digits of a BIGNUM: ndigits, weight, sign, dscale. */
#define COLJ_BIGNUM_HEADER_SIZE 8

_Static_assert(COLJ_TAG_SHAPED == 7, "tags fill three bits");
_Static_assert(COLJ_ENTRY(COLJ_TAG_SHAPED, COLJ_BIG) == 0xFF, "an entry is a byte");
_Static_assert(COLJ_BIG == COLJ_SMALL_MAX + 1, "one length means big");
_Static_assert(COLJ_STRIDE_MAX - 1 == 0xFF, "the stride fits in its byte");

/* What a row of entries adds up to. */
typedef struct ColjTally
{
	uint32_t	small;			/* bytes of the small values */
	uint32_t	big;			/* number of big values */
} ColjTally;

#endif							/* COLJ_LAYOUT_H */
