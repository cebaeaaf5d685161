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
#include "format/packed.h"
#include "guc.h"

/* A good trade for small documents: higher levels gain 2 to 5 % of size. */
#define ZSTD_LEVEL_DEFAULT 3

#define MAX_PATHS_DEFAULT 500

int			colj_offset_stride = COLJ_STRIDE_DEFAULT;
int			colj_compression = COLJ_COMPRESSION_NONE;
int			colj_zstd_level = ZSTD_LEVEL_DEFAULT;
int			colj_stripe_rows_limit = 16384;
int			colj_vector_rows = 2048;
int			colj_max_paths = MAX_PATHS_DEFAULT;
int			colj_direct_load_min_rows = 16384;
int			colj_compact_min_rows = 16384;
int			colj_vectoragg_min_rows = 16384;

static const struct config_enum_entry compressions[] = {
	{"none", COLJ_COMPRESSION_NONE, false},
	{"zstd", COLJ_COMPRESSION_ZSTD, false},
	{NULL, 0, false}
};

static void
define_int(const char *name, const char *what, int *variable, int min, int max)
{
	DefineCustomIntVariable(name, what, NULL, variable, *variable, min, max,
							PGC_USERSET, 0, NULL, NULL, NULL);
}

bool
colj_untold_settings_usual(void)
{
	return colj_zstd_level == ZSTD_LEVEL_DEFAULT && colj_max_paths == MAX_PATHS_DEFAULT;
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
	DefineCustomEnumVariable("colj.compression",
							 "Sets whether new colj values without a type modifier are compressed.",
							 "It applies to values made from text, jsonb or json.  "
							 "colj(none) and colj(zstd) say it for a column.",
							 &colj_compression,
							 COLJ_COMPRESSION_NONE,
							 compressions,
							 PGC_USERSET,
							 0,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("colj.zstd_level",
							"Sets the zstd level for colj values whose type modifier names none.",
							"Higher levels compress more slowly and somewhat better.  From 10 on "
							"size counts more than the time that reading takes.",
							&colj_zstd_level,
							ZSTD_LEVEL_DEFAULT,
							COLJ_LEVEL_MIN,
							COLJ_LEVEL_MAX,
							PGC_USERSET,
							0,
							NULL, NULL, NULL);
	define_int("colj.stripe_rows", "Sets the most rows that a stripe may have.",
			   &colj_stripe_rows_limit, 1, 131072);
	define_int("colj.vector_rows", "Sets how many rows of a stripe are compressed and read together.",
			   &colj_vector_rows, 64, 4096);
	define_int("colj.max_paths", "Sets how many columns the documents of a column are split into at most.",
			   &colj_max_paths, 0, 10000);
	define_int("colj.direct_load_min_rows",
			   "Sets from how many rows on a bulk load goes into stripes at once; 0 turns that off.",
			   &colj_direct_load_min_rows, 0, INT_MAX);
	define_int("colj.compact_min_rows", "Sets how many cold rows must wait for VACUUM to move them into stripes.",
			   &colj_compact_min_rows, 1, INT_MAX);
	define_int("colj.vectoragg_min_rows",
			   "Sets how many rows a table must have in stripes to be aggregated vector by vector; -1 turns that off.",
			   &colj_vectoragg_min_rows, -1, INT_MAX);
	MarkGUCPrefixReserved("colj");
}
