/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  Differences between the PostgreSQL versions that are supported, 15-18.
 *
 * The only file that looks at PG_VERSION_NUM.  Include it after postgres.h
 * and before other headers of the extension.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_COMPAT_H
#define COLJ_COMPAT_H

#include "fmgr.h"
#include "utils/guc.h"

#if PG_VERSION_NUM < 150000
#error "colj needs PostgreSQL 15 or later"
#endif

#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#endif

/* 18 replaced this macro by one that stands before the declaration. */
#ifndef pg_attribute_noreturn
#define pg_attribute_noreturn() __attribute__((noreturn))
#endif

/*
 * Call a type's input function on a cstring.  False when it reported a soft
 * error to escontext; without soft errors (before 16, or when escontext is
 * NULL) errors are raised.
 */
static inline bool
colj_input_call(PGFunction function, const char *text, Node *escontext,
				Datum *result)
{
#if PG_VERSION_NUM >= 160000
	return DirectInputFunctionCallSafe(function, unconstify(char *, text),
									   InvalidOid, -1, escontext, result);
#else
	(void) escontext;
	*result = DirectFunctionCall3(function, CStringGetDatum(text),
								  ObjectIdGetDatum(InvalidOid),
								  Int32GetDatum(-1));
	return true;
#endif
}

/*
 * As colj_input_call, but an error that can be soft is only told by false.
 * Before 16 it is raised.
 */
static inline bool
colj_input_try(PGFunction function, const char *text, Datum *result)
{
#if PG_VERSION_NUM >= 160000
	ErrorSaveContext escontext = {.type = T_ErrorSaveContext};

	return colj_input_call(function, text, (Node *) &escontext, result);
#else
	return colj_input_call(function, text, NULL, result);
#endif
}

/* Since 18 a JSON null is cast to an SQL NULL; before, that is an error. */
#if PG_VERSION_NUM >= 180000
#define COLJ_NULL_CASTS_TO_NULL true
#else
#define COLJ_NULL_CASTS_TO_NULL false
#endif

#endif							/* COLJ_COMPAT_H */
