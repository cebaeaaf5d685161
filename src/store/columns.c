/*-------------------------------------------------------------------------
 *
 * columns.c
 *	  How the columns of a table become columns of a stripe.
 *
 * A colj is a document, and so is a jsonb on its way in and out; what is passed by value is an integer; the rest is
 * bytes: a varlena without its header, or the bytes of fixed length.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "store/store.h"
#include "type/document.h"
#include "type/value.h"
#include "type/pack.h"

extern PGDLLEXPORT Datum colj_out(PG_FUNCTION_ARGS);

static bool
is_colj(Oid type)
{
	Oid			output;
	bool varlena;
	FmgrInfo	function;

	getTypeOutputInfo(getBaseType(type), &output, &varlena);
	fmgr_info(output, &function);
	return function.fn_addr == colj_out;
}

bool
colj_column_is_jsonb(Form_pg_attribute att)
{
	return getBaseType(att->atttypid) == JSONBOID;
}

ColjColumnKind
colj_column_kind(Form_pg_attribute att)
{
	if (att->attisdropped || att->attbyval)
		return COLJ_COLUMN_INT;
	return att->attlen == -1 && (colj_column_is_jsonb(att) || is_colj(att->atttypid))
		? COLJ_COLUMN_DOCUMENT
		: COLJ_COLUMN_BYTES;
}

ColjColumnSpec *
colj_column_specs(TupleDesc desc)
{
	ColjColumnSpec *specs = palloc0((desc->natts + 1) * sizeof(ColjColumnSpec));

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		specs[i].kind = colj_column_kind(att);
		specs[i].foreign = specs[i].kind == COLJ_COLUMN_DOCUMENT && colj_column_is_jsonb(att);
		specs[i].codec = att->attstorage == TYPSTORAGE_EXTERNAL || (att->attlen == -1 && att->attstorage == TYPSTORAGE_PLAIN)
			? COLJ_CODEC_LIGHT
			: COLJ_CODEC_ZSTD;
	}
	return specs;
}

bool
colj_cell_fits(Form_pg_attribute att, ColjPathType type, const ColjCell *cell)
{
	if ((type == COLJ_PATH_INT) != att->attbyval)
		return false;
	if (cell->null || att->attbyval || att->attlen == -1)
		return true;
	if (att->attlen == -2)
		return cell->len > 0 && memchr(cell->bytes, 0, cell->len) == cell->bytes + cell->len - 1;
	return cell->len == (uint32) att->attlen;
}

static void
fill_bytes(Form_pg_attribute att, Datum value, ColjCell *cell)
{
	if (att->attlen == -1)
	{
		struct varlena *v = PG_DETOAST_DATUM_PACKED(value);

		cell->bytes = VARDATA_ANY(v);
		cell->len = VARSIZE_ANY_EXHDR(v);
	}
	else
	{
		cell->bytes = DatumGetPointer(value);
		cell->len = att->attlen == -2 ? (uint32) strlen(cell->bytes) + 1 : (uint32) att->attlen;
	}
}

void
colj_cells_fill(TupleDesc desc, const ColjColumnSpec *specs, const Datum *values,
				const bool *isnull, ColjDoc *docs, ColjCell *cells)
{
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		ColjCell   *cell = &cells[i];

		memset(cell, 0, sizeof(*cell));
		cell->null = att->attisdropped || isnull[i];
		if (cell->null)
			continue;
		if (specs[i].kind == COLJ_COLUMN_INT)
			cell->integer = (int64) values[i];
		else if (specs[i].kind == COLJ_COLUMN_BYTES)
			fill_bytes(att, values[i], cell);
		else
		{
			Datum		value = specs[i].foreign ? colj_from_jsonb(DatumGetJsonbP(values[i])) : values[i];
			struct varlena *v = colj_unpacked(value);

			colj_ensure(colj_open_bytes(&docs[i], VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v)), &docs[i]);
			cell->doc = &docs[i];
		}
	}
}
