/*-------------------------------------------------------------------------
 *
 * current.c
 *	  Is a stripe as it would be written now?
 *
 * The settings of zstd's level and of the number of paths leave no trace in a
 * stripe.  So stripes are taken for current only where these have the values that
 * they have by default: who has changed them wants them used.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "guc.h"
#include "store/store.h"
#include "type/document.h"

/* A column that has been dropped is null in every row. */
static bool
is_all_null(ColjStripe *stripe, uint32 path)
{
	ColjZone	zone;

	colj_ensure(colj_stripe_zone(stripe, path, COLJ_NO_PATH, &zone), NULL);
	return zone.counts[COLJ_IS_NULL] == colj_stripe_rows(stripe);
}

static bool
column_is_current(ColjStripe *stripe, uint32 column, Form_pg_attribute att, const ColjColumnSpec *spec)
{
	uint32		path = colj_stripe_root(stripe, column);
	const ColjPathInfo *root = colj_stripe_path(stripe, path);
	ColjColumnKind kind = !root->plain ? COLJ_COLUMN_DOCUMENT : root->type == COLJ_PATH_INT ? COLJ_COLUMN_INT : COLJ_COLUMN_BYTES;

	if (att->attisdropped)
		return kind == COLJ_COLUMN_INT && is_all_null(stripe, path);
	return kind == spec->kind && colj_stripe_codec(stripe, column) == spec->codec;
}

bool
colj_stripe_is_current(ColjStore *store, const ColjStripeEntry *entry, TupleDesc desc)
{
	ColjStripe *stripe;
	ColjColumnSpec *specs;
	bool		current;

	if (!colj_untold_settings_usual())
		return false;
	stripe = colj_stripe_get(store, entry);
	current = colj_stripe_columns(stripe) == (uint32) desc->natts &&
		colj_stripe_vector_rows(stripe) == (uint32) colj_vector_rows;
	specs = colj_column_specs(desc);
	for (int i = 0; i < desc->natts && current; i++)
		current = column_is_current(stripe, i, TupleDescAttr(desc, i), &specs[i]);
	pfree(specs);
	return current;
}
