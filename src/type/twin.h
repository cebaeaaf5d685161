/*-------------------------------------------------------------------------
 *
 * twin.h
 *	  What is known of a twin and of the function of core that it stands for.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TWIN_H
#define COLJ_TWIN_H

#include "fmgr.h"

#include "type/build.h"
#include "type/pathcall.h"
#include "type/populate.h"
#include "type/prune.h"

/* Kept in fn_extra of the twin's FmgrInfo. */
typedef struct ColjTwin
{
	FmgrInfo	core;			/* the function of jsonb */
	Oid			colj;			/* the type's oid */
	bool		returns_colj;
	bool		in_set;			/* it has returned a row of a set and has more */
	bool		strict;			/* aggregates: NULLs are passed over */
	int			nargs;
	bool		is_colj[FUNC_MAX_ARGS];
	MemoryContext context;		/* of this and what it points to */
	MemoryContext learned;		/* of what is learned of an argument */

	/* What of a document is converted: twin.c. */
	int			filler;			/* argument that fills records, or -1 */
	bool		only_tells;		/* whether it could fill one */
	int			path;			/* argument that is a jsonpath, or -1 */
	struct varlena *path_source;	/* copy of that, for simple and prune */
	ColjPathItem *simple;		/* the path if it is simple, else NULL */
	ColjPathCall path_call;		/* what is done with it */
	TupleDesc	desc;			/* of the records */
	bool		requotes;		/* it has colj columns */
	ColjColumns *columns;		/* of them, when all are simple; else NULL */
	ColjPrune  *prune;			/* keys of argument 0 or the filler; NULL: all */

	/* How arguments of any type become values: build.c. */
	ColjSource *sources;		/* of each argument; NULL at first */
	bool		direct;			/* none of them is OTHER */
} ColjTwin;

/* The state of the call's function, made in the first call. */
extern ColjTwin *colj_twin_of(FunctionCallInfo fcinfo);

/* Call the function of core; its errors are rephrased to speak of colj. */
extern Datum colj_twin_call_core(FunctionCallInfo inner);

/* The C function of twins without one of their own. */
extern Datum colj_twin(PG_FUNCTION_ARGS);

#endif							/* COLJ_TWIN_H */
