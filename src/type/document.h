/*-------------------------------------------------------------------------
 *
 * document.h
 *	  From a Datum to an open document, and what goes wrong on the way.
 *
 * A colj Datum reaches a function inline, inline compressed, or as a TOAST
 * pointer.  colj_document_open turns each into a ColjDoc, fetching as little
 * as it can, and keeps the last few that were costly to get, so that several
 * accessors on one value in one row pay once (document.c tells how).
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_DOCUMENT_H
#define COLJ_DOCUMENT_H

#include "compat.h"
#include "format/reader.h"

typedef enum ColjNeed
{
	COLJ_NEED_PART,				/* some keys: fetch slices as they are read */
	COLJ_NEED_ALL				/* every byte: fetch at once */
} ColjNeed;

/*
 * Open a colj Datum.  Inline values are opened in place in *local; others in
 * the document cache.  The result borrows the Datum's bytes, or the cache's:
 * it is valid until the second colj_document_open after it (so a function may
 * hold two documents), or the end of the transaction.  Raises
 * ERRCODE_DATA_CORRUPTED on bytes that are no document.
 */
extern ColjDoc *colj_document_open(Datum value, ColjNeed need, ColjDoc *local);

#define COLJ_GETARG(n, need, local) colj_document_open(PG_GETARG_DATUM(n), (need), (local))

/* Raise the error that a status other than COLJ_OK stands for. */
extern void colj_raise(ColjStatus status, const ColjDoc *doc) pg_attribute_noreturn();

/* Raise unless the status is COLJ_OK. */
static inline void
colj_ensure(ColjStatus status, const ColjDoc *doc)
{
	if (unlikely(status != COLJ_OK))
		colj_raise(status, doc);
}

/* As colj_ensure, but false for COLJ_ABSENT. */
static inline bool
colj_found(ColjStatus status, const ColjDoc *doc)
{
	if (status == COLJ_ABSENT)
		return false;
	colj_ensure(status, doc);
	return true;
}

/* The bytes of a string (or a BIGNUM), which must be there. */
static inline const char *
colj_string_bytes(ColjDoc *doc, const ColjValue *string)
{
	const char *bytes;

	if (likely((uint64) string->off + string->len <= doc->avail))
		return (const char *) doc->data + string->off;
	bytes = colj_bytes(doc, string);
	if (bytes == NULL)
		colj_raise(COLJ_CORRUPT, doc);
	return bytes;
}

/* Forget all cached documents (end of transaction). */
extern void colj_document_cache_reset(void);

#endif							/* COLJ_DOCUMENT_H */
