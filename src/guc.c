/*-------------------------------------------------------------------------
 *
 * guc.c
 *	  The settings named colj.*.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "format/layout.h"
#include "guc.h"

int			colj_offset_stride = COLJ_STRIDE_DEFAULT;

void
colj_guc_init(void)
{
	DefineCustomIntVariable("colj.offset_stride",
							"Sets how many members of a new document share one stored offset.",
							"1 stores the offset of every member, for the fastest access; "
							"a large number makes documents smaller and easier to compress.",
							&colj_offset_stride,
							COLJ_STRIDE_DEFAULT,
							COLJ_STRIDE_MIN,
							COLJ_STRIDE_MAX,
							PGC_USERSET,
							0,
							NULL, NULL, NULL);
	MarkGUCPrefixReserved("colj");
}
