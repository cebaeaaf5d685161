/*-------------------------------------------------------------------------
 *
 * cut.h
 *	  Cutting empty pages off the end of the main fork.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_CUT_H
#define COLJ_CUT_H

#include "storage/buf.h"
#include "utils/rel.h"

/* Cut them off, if they are many and nobody else uses the table; all but one. */
extern void colj_cut_pages(Relation rel, BufferAccessStrategy strategy);

#endif							/* COLJ_CUT_H */
