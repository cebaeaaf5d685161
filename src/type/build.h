/*-------------------------------------------------------------------------
 *
 * build.h
 *	  SQL values of several types as values of a document.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_BUILD_H
#define COLJ_BUILD_H

#include "fmgr.h"

#include "type/value.h"

/* Types whose values are pushed without core's to_jsonb. */
typedef enum ColjSource
{
	COLJ_SOURCE_OTHER,			/* not one of them */
	COLJ_SOURCE_COLJ,
	COLJ_SOURCE_JSONB,
	COLJ_SOURCE_TEXT,			/* varchar too */
	COLJ_SOURCE_CSTRING,		/* a literal of no type */
	COLJ_SOURCE_INT2,
	COLJ_SOURCE_INT4,
	COLJ_SOURCE_INT8,
	COLJ_SOURCE_NUMERIC,
	COLJ_SOURCE_BOOL,
	COLJ_SOURCE_RECORD
} ColjSource;

/* The source that a type is; domains count as their base type. */
extern ColjSource colj_source_of(Oid type, Oid colj);

/*
 * Push a value, which must be detoasted (colj_source_detoast) and live until
 * the document is written.
 */
extern void colj_push_source(ColjBuilder *b, ColjSource source, Datum value, bool isnull);

/*
 * A value without TOAST and compression, so that it can be borrowed; of a
 * record, the document that it becomes.  colj is the type's oid.
 */
extern Datum colj_source_detoast(ColjSource source, Datum value, Oid colj);

/* A record as a colj, an object of its columns (record.c). */
extern Datum colj_record_datum(Datum record, Oid colj);

/* Set up a call of core's to_jsonb for values of a type known here only. */
extern void colj_prepare_to_jsonb(FmgrInfo *flinfo, Oid type, MemoryContext context);

#endif							/* COLJ_BUILD_H */
