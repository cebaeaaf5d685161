/*-------------------------------------------------------------------------
 *
 * prefetch.h
 *	  Bitmap scans must not prefetch the blocks of stripes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PREFETCH_H
#define COLJ_PREFETCH_H

/* Install the executor's hooks; called once, when the library is loaded. */
extern void colj_prefetch_init(void);

#endif							/* COLJ_PREFETCH_H */
