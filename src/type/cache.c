/*-------------------------------------------------------------------------
 *
 * cache.c
 *	  The last few documents that were costly to get.
 *
 * Several accessors on one document in one row should fetch and decompress
 * it once.  They get the same Datum bytes one after the other: the same TOAST
 * pointer, or the same compressed bytes.  So the key of the cache is the
 * Datum itself, compared with memcmp, and a handful of entries is enough.
 *
 * A TOAST pointer names its value by the TOAST table's OID and a value id
 * taken from the cluster's OID counter.  Within one transaction the pair is
 * not given to another value: the counter would have to wrap around, and VACUUM
 * to remove the old value, while the transaction runs; a rewrite of the table
 * (CLUSTER, VACUUM FULL) keeps ids with their values.  That holds across
 * transactions almost as well, but almost is not enough, and the memory is
 * wanted back: the cache is emptied at the end of each transaction, and when a
 * subtransaction fails, since an entry may be half filled then.
 *
 * Memory: every entry has a context of its own under "colj document cache".
 * Together they hold at most CACHE_BYTES; the least recently used go first, but
 * never the last two returned, since a function may hold two documents.  What
 * does not fit is opened in the caller's context and not kept.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/toast_internals.h"
#include "utils/memutils.h"

#include "compat.h"
#include "type/cache.h"

#define CACHE_ENTRIES 8
#define CACHE_BYTES ((Size) 32 * 1024 * 1024)

/* Entries that must stay: the last returned, and the one before it. */
#define CACHE_PINNED 2

/*
 * Documents of which so many bytes were read make place for the next large one,
 * all but the last returned: a scan of large documents then uses the same
 * memory again, instead of asking for new.
 */
#define LARGE_BYTES ((Size) 64 * 1024)

static MemoryContext cache_context = NULL;
static ColjKept cache[CACHE_ENTRIES];
static uint64 cache_clock = 0;

static void
forget(ColjKept *kept)
{
	kept->used = 0;
	kept->bytes = 0;
	if (kept->context != NULL)
		MemoryContextReset(kept->context);
}

void
colj_document_cache_reset(void)
{
	int			i;

	if (cache_clock == 0)
		return;
	for (i = 0; i < CACHE_ENTRIES; i++)
		forget(&cache[i]);
	cache_clock = 0;
	colj_fetch_forget();
}

static ColjKept *
find(const struct varlena *value, Size size)
{
	int			i;

	for (i = 0; i < CACHE_ENTRIES; i++)
	{
		ColjKept   *kept = &cache[i];

		if (kept->used != 0 && kept->source_size == size &&
			memcmp(kept->source, value, size) == 0)
			return kept;
	}
	return NULL;
}

static inline bool
pinned(const ColjKept *kept)
{
	return kept->used != 0 && kept->used + CACHE_PINNED > cache_clock;
}

/* The entry to give up next, or NULL. */
static ColjKept *
oldest(void)
{
	ColjKept   *best = NULL;
	int			i;

	for (i = 0; i < CACHE_ENTRIES; i++)
	{
		if (!pinned(&cache[i]) && (best == NULL || cache[i].used < best->used))
			best = &cache[i];
	}
	return best;
}

static Size
bytes_held(void)
{
	Size		sum = 0;
	int			i;

	for (i = 0; i < CACHE_ENTRIES; i++)
		sum += cache[i].bytes;
	return sum;
}

/* Give up the oldest entry but one that holds memory; false when none may go. */
static bool
give_up_one(const ColjKept *keep)
{
	ColjKept   *best = NULL;
	int			i;

	for (i = 0; i < CACHE_ENTRIES; i++)
	{
		if (cache[i].bytes > 0 && !pinned(&cache[i]) && &cache[i] != keep &&
			(best == NULL || cache[i].used < best->used))
			best = &cache[i];
	}
	if (best == NULL)
		return false;
	forget(best);
	return true;
}

/* Give up documents of which much was read, but for the last returned. */
static void
give_up_large(void)
{
	for (int i = 0; i < CACHE_ENTRIES; i++)
	{
		ColjKept   *kept = &cache[i];

		if (kept->bytes > 0 && kept->filled >= LARGE_BYTES && kept->used != cache_clock)
			forget(kept);
	}
}

/* An empty entry with room for so many bytes, or NULL if it can't be kept. */
static ColjKept *
make_room(Size bytes)
{
	ColjKept   *kept;

	if (bytes > CACHE_BYTES)
		return NULL;
	if (bytes >= LARGE_BYTES)
		give_up_large();
	kept = oldest();
	forget(kept);
	while (bytes_held() + bytes > CACHE_BYTES)
	{
		if (!give_up_one(kept))
			return NULL;
	}
	if (cache_context == NULL)
		cache_context = AllocSetContextCreate(TopMemoryContext,
											  "colj document cache",
											  ALLOCSET_SMALL_SIZES);
	if (kept->context == NULL)
		kept->context = AllocSetContextCreate(cache_context,
											  "colj document",
											  ALLOCSET_DEFAULT_SIZES);
	kept->bytes = bytes;
	return kept;
}

static uint32
raw_size(const struct varlena *value)
{
	return toast_raw_datum_size(PointerGetDatum(value)) - VARHDRSZ;
}

/* An entry outside the cache, in the current memory context; its bytes are 0. */
static ColjKept *
make_unkept(void)
{
	ColjKept   *kept = palloc0(sizeof(ColjKept));

	kept->context = CurrentMemoryContext;
	return kept;
}

/* Begin to read in the entry's context. */
static void
begin(ColjKept *kept, struct varlena *value, ColjNeed need)
{
	MemoryContext old = MemoryContextSwitchTo(kept->context);

	kept->unpack = NULL;
	colj_fetch_begin(kept, value, raw_size(value), need);
	MemoryContextSwitchTo(old);
}

/* Bytes that the raw document of a packed one takes. */
static Size
unpacked_bytes(const ColjPacked *packed)
{
	return sizeof(ColjUnpack) + colj_unpack_room(packed) + colj_unpack_bits(packed);
}

/* Make room for the raw document of an entry; false if it can't be kept. */
static bool
make_more_room(ColjKept *kept, Size bytes)
{
	kept->bytes += bytes;
	while (bytes_held() > CACHE_BYTES)
	{
		if (!give_up_one(kept))
			return false;
	}
	return true;
}

/* The window on a packed document's raw one. */
static void
unpack(ColjKept *kept, const ColjPacked *packed, ColjNeed need)
{
	ColjUnpack *unpack = MemoryContextAlloc(kept->context, sizeof(ColjUnpack));

	unpack->packed = *packed;
	unpack->buffer = MemoryContextAllocHuge(kept->context, colj_unpack_room(packed));
	unpack->present = MemoryContextAlloc(kept->context, colj_unpack_bits(packed));
	colj_unpack_begin(unpack, need);
	kept->unpack = unpack;
}

/*
 * Read a value into a new entry.  The entry becomes valid as the last step, so
 * an error on the way leaves nothing that could be found.
 */
static ColjKept *
fill(struct varlena *value, Size size, ColjNeed need)
{
	ColjKept   *kept = make_room((Size) raw_size(value) + size);
	ColjPacked	packed;

	if (kept == NULL)
		kept = make_unkept();
	begin(kept, value, need);
	if (!colj_is_packed(kept->doc.data, kept->doc.size))
	{
		colj_ensure(colj_open(&kept->doc), &kept->doc);
		return kept;
	}
	colj_ensure(colj_packed_open(&packed, &kept->doc), &kept->doc);
	if (kept->bytes > 0 && !make_more_room(kept, unpacked_bytes(&packed)))
	{
		forget(kept);
		kept = make_unkept();
		begin(kept, value, need);
		packed.stored = &kept->doc;
	}
	unpack(kept, &packed, need);
	return kept;
}

/* Get what is missing of a document. */
static void
complete(ColjKept *kept)
{
	if (kept->unpack != NULL)
		colj_unpack_rest(kept->unpack);
	else
		colj_fetch_rest(kept);
}

ColjDoc *
colj_cache_open(struct varlena *value, ColjNeed need)
{
	Size		size = VARSIZE_ANY(value);
	ColjKept   *kept = find(value, size);

	if (kept == NULL)
		kept = fill(value, size, need);
	else if (need == COLJ_NEED_ALL)
		complete(kept);
	kept->used = ++cache_clock;
	return kept->unpack != NULL ? &kept->unpack->doc : &kept->doc;
}
