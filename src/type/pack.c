/*-------------------------------------------------------------------------
 *
 * pack.c
 *	  Storing a document in the form that its type modifier asks for.
 *
 * A form is applied where a value is made from text, jsonb or json, and by the
 * cast from colj to colj, which PostgreSQL calls whenever a value without the
 * wanted modifier is assigned to a column, variable or domain.  Results of
 * other functions are not compressed: most of them are only on their way to
 * the next function.
 *
 * A document that compression would not shrink, by enough to pay for its
 * decoding, stays as it is.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "utils/memutils.h"

#include "type/dictionary.h"
#include "type/pack.h"
#include "type/unpack.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_apply_typmod);

/* Contexts above this are not kept for the next transaction. */
#define ZSTD_KEEP ((Size) 4 * 1024 * 1024)

/* Packed documents up to this size are written here first, then copied. */
#define SCRATCH_SIZE (COLJ_PACK_CUT_ABOVE + 64)

static ColjZstd zstd;
static uint8 scratch[SCRATCH_SIZE];

ColjZstd *
colj_zstd(void)
{
	return &zstd;
}

void
colj_zstd_trim(void)
{
	if (zstd.cctx != NULL && ZSTD_sizeof_CCtx(zstd.cctx) > ZSTD_KEEP)
		colj_zstd_free(&zstd);
}

/* How to pack into a form; false when there is nothing to pack. */
static void
choose(const ColjForm *form, ColjPacking *how)
{
	how->level = form->level != 0 ? form->level : colj_zstd_level;
	how->dictionary = 0;
	how->cdict = NULL;
	how->host = &colj_host;
	if (form->dictionary == 0)
		return;
	how->dictionary = colj_dictionary_for_packing(form->dictionary);
	if (how->dictionary == 0)
		return;
	how->cdict = colj_dictionary_encoder(how->dictionary, how->level);
	if (how->cdict == NULL)
		how->dictionary = 0;
}

static Datum
make_value(const void *data, Size size)
{
	struct varlena *result = palloc(VARHDRSZ + size);

	SET_VARSIZE(result, VARHDRSZ + size);
	memcpy(VARDATA(result), data, size);
	return PointerGetDatum(result);
}

/* A raw document in a form; false when it does not shrink. */
static bool
pack(const uint8 *raw, uint32 size, const ColjForm *form, Datum *result)
{
	Size		room = colj_pack_room(size);
	uint8	   *out = room <= SCRATCH_SIZE ? scratch : palloc_extended(room, MCXT_ALLOC_HUGE);
	ColjPacking how;
	uint32		packed_size;
	ColjStatus	status;

	choose(form, &how);
	status = colj_pack(&zstd, &how, raw, size, out, &packed_size);
	if (colj_found(status, NULL))
		*result = make_value(out, packed_size);
	if (out != scratch)
		pfree(out);
	return status == COLJ_OK;
}

Datum
colj_pack_made(Datum made, int32 typmod)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(made);
	ColjForm	form;
	Datum		result;

	colj_form(typmod, &form);
	if (!form.zstd ||
		!pack((uint8 *) VARDATA(value), VARSIZE(value) - VARHDRSZ, &form, &result))
		return made;
	pfree(value);
	return result;
}

struct varlena *
colj_unpacked(Datum value)
{
	struct varlena *detoasted = PG_DETOAST_DATUM_PACKED(value);
	ColjDoc		local;
	ColjDoc    *doc;

	if (!colj_is_packed(VARDATA_ANY(detoasted), VARSIZE_ANY_EXHDR(detoasted)))
		return detoasted;
	doc = colj_document_open(PointerGetDatum(detoasted), COLJ_NEED_ALL, &local);
	return (struct varlena *) DatumGetPointer(make_value(doc->data, doc->size));
}

/* Has a stored value this form already?  Its head is NULL if it is not packed. */
static bool
has_form(const ColjPacked *packed, const ColjForm *form)
{
	if (packed == NULL)
		return !form->zstd;
	if (!form->zstd || (form->level != 0 && form->level != packed->level))
		return false;
	if (form->dictionary == 0)
		return packed->dictionary == 0;
	return packed->dictionary == colj_dictionary_for_packing(form->dictionary);
}

/*
 * Look at an uncompressed inline value's head; others are not worth a second
 * way.  True if that settles that the value has the form.
 */
static bool
settled_by_head(Datum datum, const ColjForm *form)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(datum);
	ColjDoc		stored = {0};
	ColjPacked	packed;

	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		return false;
	stored.data = (uint8 *) VARDATA_ANY(value);
	stored.avail = stored.size = VARSIZE_ANY_EXHDR(value);
	if (!colj_is_packed(stored.data, stored.size))
		return !form->zstd;
	colj_ensure(colj_packed_open(&packed, &stored), &stored);
	return has_form(&packed, form);
}

/*
 * colj(colj, integer, boolean): the cast to a type modifier.  The value itself
 * does not change, so explicit and implicit casts do the same.
 */
Datum
colj_apply_typmod(PG_FUNCTION_ARGS)
{
	Datum		datum = PG_GETARG_DATUM(0);
	int32		typmod = PG_GETARG_INT32(1);
	ColjDoc		local;
	ColjDoc    *doc;
	ColjForm	form;
	Datum		result;

	if (typmod < 0)
		PG_RETURN_DATUM(datum);
	colj_form(typmod, &form);
	if (settled_by_head(datum, &form))
		PG_RETURN_DATUM(datum);
	doc = colj_document_open(datum, COLJ_NEED_PART, &local);
	if (has_form(colj_document_packed(doc), &form))
		PG_RETURN_DATUM(datum);
	doc = colj_document_open(datum, COLJ_NEED_ALL, &local);
	if (form.zstd && pack(doc->data, doc->size, &form, &result))
		PG_RETURN_DATUM(result);
	if (colj_document_packed(doc) == NULL)
		PG_RETURN_DATUM(datum);
	PG_RETURN_DATUM(make_value(doc->data, doc->size));
}
