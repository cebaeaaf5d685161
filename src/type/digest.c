/*-------------------------------------------------------------------------
 *
 * digest.c
 *	  Dictionaries in the form that libzstd works with.
 *
 * Digesting a dictionary of 64 kB costs a millisecond and up to a megabyte, so a
 * backend keeps what it has digested: for decoding one per dictionary, for
 * packing one per dictionary and level.  Together they hold about KEPT_BYTES
 * of malloc's memory; the least recently used go first.
 *
 * A digest stays as it is for as long as its row does.  When rows may have
 * gone (or the extension, whose numbers would start again) all digests are
 * thrown away, but not before the next one is asked for: the news can come
 * while one is in use.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "type/dictionary.h"
#include "type/pack.h"

#define DIGESTS_KEPT 16
#define KEPT_BYTES ((Size) 16 * 1024 * 1024)

typedef struct Digest
{
	uint32		id;				/* 0: unused */
	int			level;			/* 0: for decoding */
	ZSTD_CDict *cdict;
	ZSTD_DDict *ddict;
	Size		bytes;
	uint64		used;			/* time of the last use */
} Digest;

static Digest digests[DIGESTS_KEPT];
static uint64 digest_clock = 0;
static bool stale = false;

void
colj_digests_invalidate(void)
{
	stale = true;
}

static void
discard(Digest *digest)
{
	if (digest->id == 0)
		return;
	colj_zstd_forget(colj_zstd());
	ZSTD_freeCDict(digest->cdict);
	ZSTD_freeDDict(digest->ddict);
	memset(digest, 0, sizeof(Digest));
}

static void
discard_all(void)
{
	int			i;

	for (i = 0; i < DIGESTS_KEPT; i++)
		discard(&digests[i]);
	stale = false;
}

static Digest *
find(uint32 id, int level)
{
	int			i;

	if (unlikely(stale))
		discard_all();
	for (i = 0; i < DIGESTS_KEPT; i++)
	{
		Digest	   *digest = &digests[i];

		if (digest->id == id && digest->level == level)
		{
			digest->used = ++digest_clock;
			return digest;
		}
	}
	return NULL;
}

/* The digest that was not used for longest; an unused one first. */
static Digest *
oldest(void)
{
	Digest	   *best = &digests[0];
	int			i;

	for (i = 1; i < DIGESTS_KEPT; i++)
	{
		if (digests[i].used < best->used)
			best = &digests[i];
	}
	return best;
}

static Size
bytes_held(void)
{
	Size		sum = 0;
	int			i;

	for (i = 0; i < DIGESTS_KEPT; i++)
		sum += digests[i].bytes;
	return sum;
}

/* The oldest digest that holds memory, other than this one; or NULL. */
static Digest *
oldest_but(const Digest *keep)
{
	Digest	   *best = NULL;
	int			i;

	for (i = 0; i < DIGESTS_KEPT; i++)
	{
		if (digests[i].id != 0 && &digests[i] != keep &&
			(best == NULL || digests[i].used < best->used))
			best = &digests[i];
	}
	return best;
}

static void
raise_unusable(uint32 id)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("could not load dictionary %u", id),
			 errdetail("It is damaged, or there is not enough memory."),
			 errhint("If it is damaged, restore its row in the table colj_dictionary from a backup or a replica.")));
}

/*
 * The level of libzstd that stands for level 3 where there is a dictionary.
 * Level 3 looks each position up in two tables of the dictionary instead of
 * one, and they are larger.  In a backend that does other things between
 * documents they are in no near cache: packing takes half as long without, and
 * documents become 1 % larger at most (README).  Small dictionaries, which are
 * for small documents, lose nothing by level 1, whose table is a quarter of level 2's.
 */
#define SMALL_DICTIONARY (24 * 1024)

static int
encoder_level(int level, Size dictionary)
{
	if (level != 3)
		return level;
	return dictionary <= SMALL_DICTIONARY ? 1 : 2;
}

/* Digest a dictionary; NULL when there is no such row. */
static Digest *
make(uint32 id, int level)
{
	ColjDictionary row;
	bytea	   *bytes;
	Digest	   *digest;
	Digest	   *other;

	if (!colj_dictionary_by_id(id, &row, &bytes))
		return NULL;
	digest = oldest();
	discard(digest);
	if (level == 0)
		digest->ddict = ZSTD_createDDict(VARDATA(bytes), VARSIZE(bytes) - VARHDRSZ);
	else
		digest->cdict = ZSTD_createCDict(VARDATA(bytes), VARSIZE(bytes) - VARHDRSZ,
										 encoder_level(level, VARSIZE(bytes) - VARHDRSZ));
	pfree(bytes);
	if (digest->ddict == NULL && digest->cdict == NULL)
		raise_unusable(id);
	digest->id = id;
	digest->level = level;
	digest->bytes = level == 0 ? ZSTD_sizeof_DDict(digest->ddict) :
		ZSTD_sizeof_CDict(digest->cdict);
	digest->used = ++digest_clock;
	while (bytes_held() > KEPT_BYTES && (other = oldest_but(digest)) != NULL)
		discard(other);
	return digest;
}

const ZSTD_CDict *
colj_dictionary_encoder(uint32 id, int level)
{
	Digest	   *digest = find(id, level);

	if (digest == NULL)
		digest = make(id, level);
	return digest == NULL ? NULL : digest->cdict;
}

const ZSTD_DDict *
colj_dictionary_decoder(uint32 id)
{
	Digest	   *digest = find(id, 0);

	if (digest == NULL)
		digest = make(id, 0);
	return digest == NULL ? NULL : digest->ddict;
}
