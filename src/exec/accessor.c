/*-------------------------------------------------------------------------
 *
 * accessor.c
 *	  Calls that take something out of a document.
 *
 * Functions are told by their C function, since their OIDs are no constants.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "exec/accessor.h"

extern Datum colj_object_field(PG_FUNCTION_ARGS);
extern Datum colj_object_field_text(PG_FUNCTION_ARGS);
extern Datum colj_get(PG_FUNCTION_ARGS);
extern Datum colj_get_text(PG_FUNCTION_ARGS);

bool
colj_as_call(const Node *node, Oid *function, List **args)
{
	if (IsA(node, OpExpr))
	{
		*function = ((const OpExpr *) node)->opfuncid;
		*args = ((const OpExpr *) node)->args;
	}
	else if (IsA(node, FuncExpr))
	{
		*function = ((const FuncExpr *) node)->funcid;
		*args = ((const FuncExpr *) node)->args;
	}
	else
		return false;
	return OidIsValid(*function);
}

bool
colj_as_accessor(const Node *node, ColjAccessor *accessor)
{
	Oid			function;
	List	   *args;
	FmgrInfo	info;

	if (!colj_as_call(node, &function, &args) || list_length(args) != 2 || !IsA(lsecond(args), Const))
		return false;
	accessor->document = linitial(args);
	accessor->path = lsecond_node(Const, args);
	if (accessor->path->constisnull)
		return false;
	fmgr_info(function, &info);
	accessor->chain = info.fn_addr == colj_get || info.fn_addr == colj_get_text;
	accessor->text = info.fn_addr == colj_object_field_text || info.fn_addr == colj_get_text;
	return accessor->chain || accessor->text || info.fn_addr == colj_object_field;
}
