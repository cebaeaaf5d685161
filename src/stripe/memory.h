/*-------------------------------------------------------------------------
 *
 * memory.h
 *	  Memory of the host's, for what a stripe's code keeps for a while.
 *
 * Sizes are n items of so many bytes; n may be 0, and what comes back for it
 * is not NULL.  NULL is "out of memory", which callers return as
 * COLJ_NO_MEMORY.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_MEMORY_H
#define COLJ_STRIPE_MEMORY_H

#include <string.h>

#include "format/host.h"

static inline void *
colj_grab(const ColjHost *host, size_t n, size_t size)
{
	return host->resize(host->arg, NULL, n * size + 1);
}

static inline void *
colj_grab_zeroed(const ColjHost *host, size_t n, size_t size)
{
	void	   *memory = colj_grab(host, n, size);

	if (memory != NULL)
		memset(memory, 0, n * size + 1);
	return memory;
}

/* Memory may be NULL. */
static inline void
colj_release(const ColjHost *host, void *memory)
{
	if (memory != NULL)
		host->resize(host->arg, memory, 0);
}

#endif							/* COLJ_STRIPE_MEMORY_H */
