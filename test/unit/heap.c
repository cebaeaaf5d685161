/*-------------------------------------------------------------------------
 *
 * heap.c
 *	  The format's host in a test: counted memory.
 *
 * Blocks come straight from realloc: under AddressSanitizer it always moves,
 * so that a pointer kept across a growth is caught.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "heap.h"

struct HeapBlock
{
	HeapBlock  *next;
	void	   *memory;
};

static void *
heap_resize(void *arg, void *old, size_t size)
{
	Heap	   *heap = arg;

	if (size == 0)
	{
		heap->blocks -= old != NULL;
		free(old);
		return NULL;
	}
	if (++heap->calls == heap->fail_at)
		return NULL;
	heap->blocks += old == NULL;
	old = realloc(old, size);
	if (old == NULL)
		abort();
	return old;
}

static void
heap_poll(void *arg)
{
	((Heap *) arg)->polls++;
}

static ColjStatus
heap_host_bignum(void *arg, const char *text, uint32_t len,
				 const uint8_t **bytes, uint32_t *size)
{
	return heap_bignum(arg, text, len, bytes, size) ? COLJ_OK : COLJ_UNUSUAL;
}

void
heap_open(Heap *heap)
{
	*heap = (Heap){{heap_resize, heap_poll, heap_host_bignum, heap}, 0, 0, 0, 0, NULL};
}

size_t
heap_close(Heap *heap)
{
	while (heap->lent != NULL)
	{
		HeapBlock  *block = heap->lent;

		heap->lent = block->next;
		free(block->memory);
		free(block);
	}
	return heap->blocks;
}

void *
heap_lend(Heap *heap, size_t size)
{
	HeapBlock  *block = malloc(sizeof(HeapBlock));
	void	   *memory = calloc(size, 1);

	if (block == NULL || (memory == NULL && size > 0))
		abort();
	block->next = heap->lent;
	block->memory = memory;
	heap->lent = block;
	return memory;
}
