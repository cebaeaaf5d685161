/*-------------------------------------------------------------------------
 *
 * unpack.c
 *	  Reading a packed document: its blocks are decoded as they are needed.
 *
 * The document's memory belongs to one of two caches.  cache.c has the values
 * that are out of line, or large.  The other is here, for inline values of up
 * to SLOT_BYTES: what a scan over a compressed column reads, one after the
 * other, and where an allocation for each would cost as much as decoding does.
 * It keeps the last few in buffers that stay, and knows them by their bytes,
 * so that several accessors on a value decode it once.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "compat.h"
#include "type/cache.h"
#include "type/dictionary.h"
#include "type/pack.h"
#include "type/unpack.h"

/*
 * Two documents must stay when a third is opened.  One more slot finds the
 * value again when a function has compared two others in between.
 */
#define SLOTS 4

/* The largest packed document, and the largest raw one, kept in a slot. */
#define SLOT_BYTES ((Size) 64 * 1024)

/* Bytes behind the document that speed up libzstd's last copies. */
#define SPARE 32

typedef struct Slot
{
	ColjUnpack	unpack;
	ColjDoc		stored;			/* the window on source */
	uint8	   *source;			/* copy of the packed document */
	Size		source_size;
	Size		source_room;
	Size		buffer_room;
	uint8		present[SLOT_BYTES / (1 << COLJ_SHIFT_MIN) / 8 + 1];
	uint64		used;			/* time of the last use; 0 for not valid */
} Slot;

static Slot slots[SLOTS];
static uint64 slot_clock = 0;

static inline bool
is_present(const ColjUnpack *unpack, uint32 block)
{
	return (unpack->present[block / 8] >> (block % 8)) & 1;
}

static void
raise_no_dictionary(uint32 id)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("dictionary %u does not exist", id),
			 errdetail("A colj value was compressed with it and cannot be read without."),
			 errhint("Restore its row in the table colj_dictionary from a backup or a replica.")));
}

static void
decode_block(ColjUnpack *unpack, uint32 block)
{
	const ColjPacked *packed = &unpack->packed;
	uint32		spare = block + 1 == packed->nblocks ? SPARE : 0;
	const ZSTD_DDict *ddict = NULL;

	if (packed->dictionary != 0)
	{
		ddict = colj_dictionary_decoder(packed->dictionary);
		if (ddict == NULL)
			raise_no_dictionary(packed->dictionary);
	}
	colj_ensure(colj_packed_decode(packed, block, colj_zstd(), ddict,
								   unpack->buffer + (Size) block * packed->block_size, spare),
				packed->stored);
	unpack->present[block / 8] |= 1 << (block % 8);
}

/* ColjDoc's fetch: the blocks that cover a range. */
static bool
fetch_blocks(ColjDoc *doc, uint32 off, uint32 len)
{
	ColjUnpack *unpack = doc->fetch_arg;
	const ColjPacked *packed = &unpack->packed;
	uint32		block;
	uint32		last;

	if (len == 0)
		return true;
	last = (off + len - 1) / packed->block_size;
	for (block = off / packed->block_size; block <= last; block++)
	{
		if (!is_present(unpack, block))
			decode_block(unpack, block);
	}
	while (unpack->prefix < packed->nblocks && is_present(unpack, unpack->prefix))
		unpack->prefix++;
	doc->avail = Min((uint64) unpack->prefix * packed->block_size, doc->size);
	return true;
}

Size
colj_unpack_room(const ColjPacked *packed)
{
	return (Size) packed->raw_size + SPARE;
}

Size
colj_unpack_bits(const ColjPacked *packed)
{
	return packed->nblocks / 8 + 1;
}

void
colj_unpack_rest(ColjUnpack *unpack)
{
	if (unpack->doc.avail < unpack->doc.size)
		fetch_blocks(&unpack->doc, 0, unpack->doc.size);
}

void
colj_unpack_begin(ColjUnpack *unpack, ColjNeed need)
{
	ColjDoc    *doc = &unpack->doc;

	doc->data = unpack->buffer;
	doc->avail = 0;
	doc->size = unpack->packed.raw_size;
	doc->fetch = fetch_blocks;
	doc->fetch_arg = unpack;
	unpack->prefix = 0;
	memset(unpack->present, 0, colj_unpack_bits(&unpack->packed));
	fetch_blocks(doc, 0, need == COLJ_NEED_ALL ? doc->size : 1);
	colj_ensure(colj_open(doc), doc);
}

const ColjPacked *
colj_document_packed(const ColjDoc *doc)
{
	return doc->fetch == fetch_blocks ? &((ColjUnpack *) doc->fetch_arg)->packed : NULL;
}

static Slot *
find(const void *data, Size size)
{
	int			i;

	for (i = 0; i < SLOTS; i++)
	{
		Slot	   *slot = &slots[i];

		if (slot->used != 0 && slot->source_size == size &&
			memcmp(slot->source, data, size) == 0)
			return slot;
	}
	return NULL;
}

static Slot *
oldest(void)
{
	Slot	   *best = &slots[0];
	int			i;

	for (i = 1; i < SLOTS; i++)
	{
		if (slots[i].used < best->used)
			best = &slots[i];
	}
	return best;
}

/* Make room in a buffer, whose contents need not be kept. */
static void
reserve(uint8 **buffer, Size *room, Size size)
{
	Size		want = 1024;

	if (size <= *room)
		return;
	while (want < size)
		want *= 2;
	if (*buffer != NULL)
		pfree(*buffer);
	*buffer = NULL;
	*room = 0;
	*buffer = MemoryContextAlloc(TopMemoryContext, want);
	*room = want;
}

/* The slot is valid again when its last use has been set, at the very end. */
static Slot *
fill(const void *data, Size size, const ColjPacked *packed, ColjNeed need)
{
	Slot	   *slot = oldest();

	slot->used = 0;
	reserve(&slot->source, &slot->source_room, size);
	reserve(&slot->unpack.buffer, &slot->buffer_room, colj_unpack_room(packed));
	memcpy(slot->source, data, size);
	slot->source_size = size;
	slot->stored = *packed->stored;
	slot->stored.data = slot->source;
	slot->unpack.packed = *packed;
	slot->unpack.packed.stored = &slot->stored;
	slot->unpack.present = slot->present;
	colj_unpack_begin(&slot->unpack, need);
	return slot;
}

ColjDoc *
colj_unpack_inline(struct varlena *value, const void *data, Size size, ColjNeed need)
{
	Slot	   *slot = find(data, size);
	ColjDoc		stored = {.data = data, .avail = size, .size = size};
	ColjPacked	packed;

	if (slot == NULL)
	{
		colj_ensure(colj_packed_open(&packed, &stored), &stored);
		if (size > SLOT_BYTES || packed.raw_size > SLOT_BYTES)
			return colj_cache_open(value, need);
		slot = fill(data, size, &packed, need);
	}
	else if (need == COLJ_NEED_ALL)
		colj_unpack_rest(&slot->unpack);
	slot->used = ++slot_clock;
	return &slot->unpack.doc;
}

void
colj_unpack_reset(void)
{
	int			i;

	for (i = 0; i < SLOTS; i++)
		slots[i].used = 0;
}
