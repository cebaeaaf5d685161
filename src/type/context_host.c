/*-------------------------------------------------------------------------
 *
 * context_host.c
 *	  A host whose memory is a memory context's.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "type/context_host.h"

void *
colj_context_resize(MemoryContext context, void *old, size_t size)
{
	if (old == NULL)
		return MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE);
	if (size > 0)
		return repalloc_huge(old, size);
	pfree(old);
	return NULL;
}

void
colj_poll_interrupts(void *arg)
{
	(void) arg;
	CHECK_FOR_INTERRUPTS();
}

static void *
resize(void *arg, void *old, size_t size)
{
	return colj_context_resize((MemoryContext) arg, old, size);
}

ColjHost
colj_context_host(MemoryContext context)
{
	return (ColjHost)
	{
		resize, colj_poll_interrupts, NULL, context
	};
}
