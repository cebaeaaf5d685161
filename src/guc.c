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
int			colj_stripe_rows_limit = 16384;
int			colj_vector_rows = 2048;
int			colj_max_paths = 500;
int			colj_zstd_level = 3;

static void
define_int(const char *name, const char *what, int *variable, int min, int max)
{
	DefineCustomIntVariable(name, what, NULL, variable, *variable, min, max,
							PGC_USERSET, 0, NULL, NULL, NULL);
}

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
	define_int("colj.stripe_rows", "Sets the most rows that a stripe may have.",
			   &colj_stripe_rows_limit, 1, 131072);
	define_int("colj.vector_rows", "Sets how many rows of a stripe are compressed and read together.",
			   &colj_vector_rows, 64, 4096);
	define_int("colj.max_paths", "Sets how many columns the documents of a column are split into at most.",
			   &colj_max_paths, 0, 10000);
	define_int("colj.zstd_level", "Sets the level of zstd in stripes.",
			   &colj_zstd_level, 1, 19);
	MarkGUCPrefixReserved("colj");
}
