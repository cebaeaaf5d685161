/*-------------------------------------------------------------------------
 *
 * golden.h
 *	  Documents whose bytes are frozen.
 *
 * These are the format, version 1.  When one of them no longer comes out of
 * the encoder, values that are stored in tables may no longer be readable:
 * that takes a new format version, not a new golden document.  (A change of
 * the encoder alone, to another valid form, may add documents here; the old
 * ones must still be read.)
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_GOLDEN_H
#define COLJ_TEST_GOLDEN_H

#include "heap.h"

typedef struct Golden
{
	const char *json;
	uint32_t	stride;
	const char *hex;			/* "78*200" is a byte and how often */
} Golden;

extern const Golden golden_documents[];
extern const uint32_t golden_count;

/* The bytes of a document; they live until heap_close. */
extern uint8_t *golden_bytes(Heap *heap, const char *hex, uint32_t *size);

#endif							/* COLJ_TEST_GOLDEN_H */
