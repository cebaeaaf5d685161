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

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/jsonb.h"

/* Is this the name of a function that fills records from a document? */
extern bool colj_fills_records(const char *name);

/*
 * The columns of the records that a call fills, copied; NULL if it can't be
 * told.  fcinfo is the call as the executor made it.
 */
extern TupleDesc colj_record_descriptor(FunctionCallInfo fcinfo, Oid colj);

/* Does any column of the descriptor lead to a colj? */
extern bool colj_record_has_colj(TupleDesc desc, Oid colj);

/* Quote the strings of a document that go to columns of type colj. */
extern Jsonb *colj_requote(Jsonb *jb, TupleDesc desc, Oid colj);

#endif							/* COLJ_REQUOTE_H */
