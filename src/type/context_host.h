/*-------------------------------------------------------------------------
 *
 * context_host.h
 *	  A host (format/host.h) whose memory is a memory context's.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_CONTEXT_HOST_H
#define COLJ_CONTEXT_HOST_H

#include "format/host.h"

/* ColjHost's resize in a memory context, also of more than 1 GB. */
extern void *colj_context_resize(MemoryContext context, void *old, size_t size);

/* ColjHost's poll: raises an error if the query is to end. */
extern void colj_poll_interrupts(void *arg);

/* A host for things that live in the context; it makes no big numbers. */
extern ColjHost colj_context_host(MemoryContext context);

#endif							/* COLJ_CONTEXT_HOST_H */
