/*-------------------------------------------------------------------------
 *
 * document.c
 *	  From a Datum to an open document, and what goes wrong on the way.
 *
 * A Datum comes in one of six shapes:
 *
 *		inline, with a long or a short header: opened in place, in the
 *			caller's ColjDoc.  This is the hot path: no copy, no palloc.
 *		inline, but packed: unpack.c decodes the blocks that are looked at.
 *		inline compressed, or a TOAST pointer to disk: cache.c keeps the last
 *			few of these, fetch.c fetches as little as it can.
 *		an indirect pointer: what it points to is opened.
 *		a lazy document (lazy.h): put together, once for all who want it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"

#include "compat.h"
#include "type/cache.h"
#include "type/lazy.h"
#include "type/unpack.h"

/* The contents of a value that is inline and not compressed by core. */
static inline ColjDoc *
open_inline(struct varlena *value, const void *data, Size size, ColjNeed need,
			ColjDoc *local)
{
	if (unlikely(colj_is_packed(data, size)))
		return colj_unpack_inline(value, data, size, need);
	colj_ensure(colj_open_fast(local, data, size), local);
	return local;
}

/* A value with a one-byte header that is no ordinary short one. */
static ColjDoc *
open_pointer(struct varlena *value, ColjNeed need, ColjDoc *local)
{
	ColjLazy   *lazy;

	if (VARATT_IS_EXTERNAL_ONDISK(value))
		return colj_cache_open(value, need);
	if (VARATT_IS_EXTERNAL_INDIRECT(value))
	{
		struct varatt_indirect redirect;

		VARATT_EXTERNAL_GET_POINTER(redirect, value);
		return colj_document_open(PointerGetDatum(redirect.pointer), need, local);
	}
	lazy = colj_lazy(PointerGetDatum(value));
	value = lazy != NULL ? colj_lazy_whole(lazy) : detoast_attr(value);
	return open_inline(value, VARDATA(value), VARSIZE(value) - VARHDRSZ, need, local);
}

ColjDoc *
colj_document_open(Datum datum, ColjNeed need, ColjDoc *local)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(datum);

	if (likely(!VARATT_IS_EXTENDED(value)))
		return open_inline(value, VARDATA(value), VARSIZE(value) - VARHDRSZ, need, local);
	if (VARATT_IS_EXTERNAL(value))
		return open_pointer(value, need, local);
	if (VARATT_IS_COMPRESSED(value))
		return colj_cache_open(value, need);
	return open_inline(value, VARDATA_SHORT(value), VARSIZE_SHORT(value) - VARHDRSZ_SHORT,
					   need, local);
}

static void
raise_corrupt(const ColjDoc *doc)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("invalid colj value"),
			 doc != NULL && doc->problem != NULL ?
			 errdetail("%s", doc->problem) : 0,
			 errhint("The stored bytes are damaged: check the storage, and restore the value from a backup or a replica.")));
}

/* Another version, or this one with parts that only a later minor one writes. */
static void
raise_version(const ColjDoc *doc)
{
	int			version = doc->data[0] >> COLJ_VERSION_SHIFT;
	int			flags = doc->data[0] & ((1 << COLJ_VERSION_SHIFT) - 1);

	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 version != COLJ_FORMAT_VERSION ?
			 errmsg("unsupported colj format version %d", version) :
			 errmsg("unsupported colj format version %d with flags 0x%X",
					version, flags),
			 version != COLJ_FORMAT_VERSION ?
			 errdetail("This version of the extension reads format version %d.",
					   COLJ_FORMAT_VERSION) :
			 errdetail("This version of the extension does not know all of these flags."),
			 errhint("Install the version of the extension that wrote the value, or a newer one.")));
}

static void
raise_too_large(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("colj value is too large"),
			 errdetail("A document and its text are limited to %u bytes each.",
					   COLJ_MAX_SIZE),
			 errhint("Split the document over several rows.")));
}

void
colj_raise(ColjStatus status, const ColjDoc *doc)
{
	if (status == COLJ_CORRUPT)
		raise_corrupt(doc);
	if (status == COLJ_BAD_VERSION)
		raise_version(doc);
	if (status == COLJ_TOO_LARGE)
		raise_too_large();
	if (status == COLJ_NO_MEMORY)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory"),
				 errdetail("Failed while building a colj value.")));
	elog(ERROR, "unexpected colj status %d", (int) status);
	pg_unreachable();
}
