/*-------------------------------------------------------------------------
 *
 * heap.h
 *	  The format's host in a test: counted memory, and big numbers.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_HEAP_H
#define COLJ_TEST_HEAP_H

#include "format/host.h"

typedef struct HeapBlock HeapBlock;

typedef struct Heap
{
	ColjHost	host;			/* give this to the format */
	size_t		blocks;			/* not yet freed */
	size_t		calls;			/* of resize, frees aside */
	size_t		fail_at;		/* the call that returns NULL; 0: none */
	size_t		polls;
	HeapBlock  *lent;			/* memory that lives until heap_close */
} Heap;

extern void heap_open(Heap *heap);

/* Frees what was lent; returns the blocks that the format has not freed. */
extern size_t heap_close(Heap *heap);

/* Zeroed memory of exactly this size that lives until heap_close. */
extern void *heap_lend(Heap *heap, size_t size);

/*
 * A JSON number's text as a BIGNUM's bytes, which numeric_send would give for
 * it too; false when the number is beyond what numeric can hold.
 */
extern bool heap_bignum(Heap *heap, const char *text, uint32_t len,
						const uint8_t **bytes, uint32_t *size);

/* A BIGNUM as numeric_out writes it; the terminated text lives until heap_close. */
extern char *heap_bignum_text(Heap *heap, const uint8_t *bytes, uint32_t len);

/* heap_bignum_text in the form that ColjText wants; arg is the Heap. */
extern ColjStatus heap_print_bignum(void *arg, const uint8_t *bytes, uint32_t len,
									const char **text, uint32_t *text_len);

#endif							/* COLJ_TEST_HEAP_H */
