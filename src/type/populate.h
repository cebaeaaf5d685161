/*-------------------------------------------------------------------------
 *
 * populate.h
 *	  Records of simple columns, filled from the document itself.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_POPULATE_H
#define COLJ_POPULATE_H

#include "access/tupdesc.h"
#include "fmgr.h"

typedef struct ColjColumns ColjColumns;

/*
 * What is to be known of a record's columns, in the current memory context;
 * NULL when one of them is not simple.
 */
extern ColjColumns *colj_simple_columns(TupleDesc desc);

/*
 * Answer a call of colj_populate_record, colj_to_record (set false), or
 * colj_populate_recordset, colj_to_recordset (set true).  document is the
 * number of the argument with the document; a record is in the one before it, if
 * there is one.  False when core has to answer, or to raise an error.
 */
extern bool colj_populate(FunctionCallInfo fcinfo, const ColjColumns *columns, int document,
						  bool set, Datum *result);

#endif							/* COLJ_POPULATE_H */
