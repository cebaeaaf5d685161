/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  Getting as little of a stored document as its reader looks at.
 *
 * How little is possible depends on how the value is stored:
 *
 *		out of line, uncompressed: any chunks of the TOAST table.  The buffer
 *			has the full size, but pages of it that are never filled cost
 *			nothing; a bitmap tells which chunks are there.
 *		pglz, inline or out of line: a prefix.  There is no going on from
 *			where decompression stopped, so each step starts again from the
 *			front and is much longer than the last.
 *		lz4: everything at once.  Out of line all bytes would be fetched even
 *			for a prefix, and decompression is cheap.
 *
 * The buffer is allotted once: pointers into it stay good as it fills.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "common/pg_lzcompress.h"

#include "compat.h"
#include "type/cache.h"

/* Chunks fetched at first, and at most in one go when reading in sequence. */
#define FIRST_CHUNKS 2
#define WINDOW_CHUNKS_MAX 64

/* Bytes of the first prefix, and the growth of the next ones. */
#define FIRST_PREFIX 2048
#define PREFIX_GROWTH 4

/*
 * The prefix that earlier documents needed.  A query tends to want the same
 * key of all rows, so the next one starts there; it shrinks with every
 * document, in case the query has changed, and is forgotten with the cache.
 */
static uint32 prefix_hint = 0;

void
colj_fetch_forget(void)
{
	prefix_hint = 0;
}

static inline bool
is_present(const ColjKept *kept, uint32 chunk)
{
	return (kept->present[chunk / 8] >> (chunk % 8)) & 1;
}

/*
 * Fetch a slice of the stored bytes.  Core's function puts them behind a length
 * word that it leaves alone, so there must be room for one in front of out.
 */
static void
fetch_range(ColjKept *kept, uint32 off, uint32 len, uint8 *out)
{
	struct varatt_external pointer;
	Relation	toast;

	VARATT_EXTERNAL_GET_POINTER(pointer, kept->source);
	toast = table_open(pointer.va_toastrelid, AccessShareLock);
	table_relation_fetch_toast_slice(toast, pointer.va_valueid, VARATT_EXTERNAL_GET_EXTSIZE(pointer),
									 off, len, (struct varlena *) (out - VARHDRSZ));
	table_close(toast, AccessShareLock);
}

/* Fetch chunks [first, last] and note that they are there. */
static void
fetch_chunks(ColjKept *kept, uint32 first, uint32 last)
{
	uint32		off = first * TOAST_MAX_CHUNK_SIZE;
	uint32		end = Min((last + 1) * TOAST_MAX_CHUNK_SIZE, kept->doc.size);
	uint32		i;

	fetch_range(kept, off, end - off, kept->buffer + off);
	kept->filled += end - off;
	for (i = first; i <= last; i++)
		kept->present[i / 8] |= 1 << (i % 8);
	while (kept->prefix < kept->nchunks && is_present(kept, kept->prefix))
		kept->prefix++;
	kept->doc.avail = Min(kept->prefix * TOAST_MAX_CHUNK_SIZE, kept->doc.size);
	kept->next = last + 1;
}

/* ColjDoc's fetch for uncompressed values out of line. */
static bool
fetch_slice(ColjDoc *doc, uint32 off, uint32 len)
{
	ColjKept   *kept = doc->fetch_arg;
	uint32		first = off / TOAST_MAX_CHUNK_SIZE;
	uint32		last;

	if (len == 0)
		return true;
	last = (off + len - 1) / TOAST_MAX_CHUNK_SIZE;
	while (first <= last && is_present(kept, first))
		first++;
	if (first > last)
		return true;
	while (is_present(kept, last))
		last--;

	/* Reading on where the last fetch ended: take more each time. */
	if (first == kept->next)
		kept->window = Min(kept->window * 2, WINDOW_CHUNKS_MAX);
	else
		kept->window = 1;
	last = Max(last, Min(first + kept->window, kept->nchunks) - 1);
	fetch_chunks(kept, first, last);
	return true;
}

/* Decompress the first want bytes from an inline pglz value. */
static void
decompress_prefix(ColjKept *kept, const struct varlena *compressed, uint32 want)
{
	int32		got = pglz_decompress((const char *) compressed + VARHDRSZ_COMPRESSED,
									  VARSIZE(compressed) - VARHDRSZ_COMPRESSED,
									  (char *) kept->buffer, want,
									  want == kept->doc.size);

	if (got < 0 || (uint32) got != want)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg_internal("compressed pglz data is corrupt")));
}

/*
 * The same for one out of line, of which no more is fetched than its first
 * want bytes can take.
 */
static void
fetch_compressed(ColjKept *kept, uint32 want)
{
	struct varatt_external pointer;
	int32		size;
	struct varlena *compressed;

	VARATT_EXTERNAL_GET_POINTER(pointer, kept->source);
	size = VARATT_EXTERNAL_GET_EXTSIZE(pointer);
	if (want < kept->doc.size)
		size = Min(size, (int32) sizeof(int32) +
				   pglz_maximum_compressed_size(want, size - (int32) sizeof(int32)));
	compressed = palloc(VARHDRSZ + size);
	fetch_range(kept, 0, size, (uint8 *) VARDATA(compressed));
	SET_VARSIZE_COMPRESSED(compressed, VARHDRSZ + size);
	decompress_prefix(kept, compressed, want);
	pfree(compressed);
}

/* Make the first want bytes of a pglz value available. */
static void
read_prefix(ColjKept *kept, uint32 want)
{
	if (VARATT_IS_EXTERNAL(kept->source))
		fetch_compressed(kept, want);
	else
		decompress_prefix(kept, kept->source, want);
	kept->doc.avail = want;
	kept->filled = want;
}

/* ColjDoc's fetch for pglz values. */
static bool
fetch_prefix(ColjDoc *doc, uint32 off, uint32 len)
{
	uint32		need = off + len;
	uint32		want;

	if (need <= doc->avail)
		return true;
	want = Max(need, (uint64) doc->avail * PREFIX_GROWTH);
	/* The last step is not worth a step of its own. */
	if (want >= doc->size / 2)
		want = doc->size;
	read_prefix(doc->fetch_arg, want);
	prefix_hint = Max(prefix_hint, need);
	return true;
}

/*
 * How much of a value to decompress at first: what the documents before needed
 * and an eighth more.  All of it, if that is most of it or unlikely to do.
 */
static uint32
first_prefix(uint32 size)
{
	uint32		hinted = prefix_hint + prefix_hint / 8;

	prefix_hint -= prefix_hint / 64;
	if (hinted <= FIRST_PREFIX)
		return FIRST_PREFIX < size / 2 ? FIRST_PREFIX : size;
	return hinted < size - size / 4 ? hinted : size;
}

/* Inline and uncompressed: the copy of the Datum is the buffer. */
static void
begin_inline(ColjKept *kept)
{
	kept->doc.data = kept->buffer = (uint8 *) VARDATA_ANY(kept->source);
	kept->doc.avail = kept->filled = kept->doc.size;
}

/* Read everything at once. */
static void
begin_whole(ColjKept *kept)
{
	struct varlena *whole = detoast_attr(kept->source);

	kept->buffer = (uint8 *) VARDATA(whole);
	kept->doc.size = kept->doc.avail = kept->filled = VARSIZE(whole) - VARHDRSZ;
	kept->doc.data = kept->buffer;
	kept->doc.fetch = NULL;
}

static void
begin_slices(ColjKept *kept)
{
	kept->nchunks = (kept->doc.size + TOAST_MAX_CHUNK_SIZE - 1) / TOAST_MAX_CHUNK_SIZE;
	kept->present = palloc0(kept->nchunks / 8 + 1);
	kept->buffer = (uint8 *) palloc(VARHDRSZ + kept->doc.size) + VARHDRSZ;
	kept->doc.data = kept->buffer;
	kept->doc.fetch = fetch_slice;
	kept->prefix = 0;
	kept->window = FIRST_CHUNKS;
	fetch_chunks(kept, 0, Min(FIRST_CHUNKS, kept->nchunks) - 1);
}

static void
begin_prefix(ColjKept *kept)
{
	kept->doc.data = kept->buffer = palloc(kept->doc.size);
	kept->doc.fetch = fetch_prefix;
	read_prefix(kept, first_prefix(kept->doc.size));
}

static bool
is_pglz(struct varlena *value)
{
	return toast_get_compression_id(value) == TOAST_PGLZ_COMPRESSION_ID;
}

static bool
is_uncompressed(struct varlena *value)
{
	return toast_get_compression_id(value) == TOAST_INVALID_COMPRESSION_ID;
}

void
colj_fetch_begin(ColjKept *kept, struct varlena *value, uint32 raw_size,
				 ColjNeed need)
{
	memset(&kept->doc, 0, sizeof(ColjDoc));
	kept->filled = 0;
	kept->doc.size = raw_size;
	kept->doc.fetch_arg = kept;
	kept->source_size = VARSIZE_ANY(value);
	kept->source = palloc(kept->source_size);
	memcpy(kept->source, value, kept->source_size);

	if (!VARATT_IS_EXTERNAL(value) && !VARATT_IS_COMPRESSED(value))
		begin_inline(kept);
	else if (need == COLJ_NEED_PART && raw_size > FIRST_CHUNKS * TOAST_MAX_CHUNK_SIZE &&
			 is_uncompressed(value))
		begin_slices(kept);
	else if (need == COLJ_NEED_PART && raw_size > FIRST_PREFIX && is_pglz(value))
		begin_prefix(kept);
	else
		begin_whole(kept);
}

void
colj_fetch_rest(ColjKept *kept)
{
	ColjDoc    *doc = &kept->doc;

	if (doc->avail == doc->size)
		return;
	if (doc->fetch == fetch_prefix)
		read_prefix(kept, doc->size);
	else
		doc->fetch(doc, 0, doc->size);
}
