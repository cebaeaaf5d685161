/*-------------------------------------------------------------------------
 *
 * requote.h
 *	  Strings on their way into colj columns of a record.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_REQUOTE_H
#define COLJ_REQUOTE_H

#include "fmgr.h"

/* Is this the name of a function that fills records from a document? */
extern bool colj_fills_records(const char *name);

/*
 * In the call `inner`, whose first nargs arguments are converted to jsonb,
 * quote the strings that go to columns of type colj.  outer is the call as
 * the executor made it.
 */
extern void colj_requote_arguments(FunctionCallInfo outer, FunctionCallInfo inner,
								   int nargs, Oid colj);

#endif							/* COLJ_REQUOTE_H */
