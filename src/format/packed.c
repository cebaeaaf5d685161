/*-------------------------------------------------------------------------
 *
 * packed.c
 *	  Packing documents, and decoding their blocks.
 *
 * Frames are made without content size, checksum and dictionary id: the head
 * says the first and the last, and PostgreSQL has checksums for pages.  The
 * first six bytes of such a frame are zstd's magic number, a zero, and how far
 * back matches reach, for which the reader may assume the longest distance
 * possible.  They are left out (2-4 % of a small document) and put back in
 * front of the block by copying both into zstd->frame, since libzstd reads
 * frames without a magic number only through its unstable interface.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "packed.h"

#include "bytes.h"

/* What each frame starts with: magic number, descriptor, window of 64 kB. */
#define FRAME_PREFIX_SIZE 6
static const uint8_t frame_prefix[FRAME_PREFIX_SIZE] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x30};

/* The longest head before the ends. */
#define HEAD_MAX (2 + 2 * COLJ_VARINT_MAX + 1)

/*
 * libzstd's parameter for the coding of literals, which only its unstable
 * interface gives a name: left to libzstd, or left out.  Where it is not known
 * libzstd decides, and documents are smaller and slower to read.
 */
#define LITERALS ZSTD_c_experimentalParam5
#define LITERALS_AUTO 0
#define LITERALS_RAW 2

/* Of zstd's format (RFC 8878): a block's header, its type; literals' header, their type. */
#define BLOCK_HEADER_SIZE 3
#define BLOCK_COMPRESSED 2
#define LITERALS_HEADER_MAX 5
#define LITERALS_CODED 2

/* After codes have paid, so many blocks without gain before they are no longer tried first. */
#define CODES_LAST 4

/* zstd's shortest block, which repeats one byte, takes this many. */
#define BLOCK_MIN 4

void
colj_zstd_init(ColjZstd *zstd)
{
	zstd->cctx = NULL;
	zstd->dctx = NULL;
	zstd->level = 0;
	zstd->codes = 0;
	zstd->cdict = NULL;
	zstd->ddict = NULL;
}

void
colj_zstd_free(ColjZstd *zstd)
{
	ZSTD_freeCCtx(zstd->cctx);
	ZSTD_freeDCtx(zstd->dctx);
	colj_zstd_init(zstd);
}

void
colj_zstd_forget(ColjZstd *zstd)
{
	if (zstd->cdict != NULL)
		ZSTD_CCtx_refCDict(zstd->cctx, NULL);
	if (zstd->ddict != NULL)
		ZSTD_DCtx_refDDict(zstd->dctx, NULL);
	zstd->cdict = NULL;
	zstd->ddict = NULL;
}

static ColjStatus
corrupt(ColjDoc *stored, const char *problem)
{
	if (stored->problem == NULL)
		stored->problem = problem;
	return COLJ_CORRUPT;
}

static inline const uint8_t *
reveal(ColjDoc *stored, uint32_t off, uint32_t len)
{
	ColjValue	place = {.kind = COLJ_STRING, .off = off, .len = len};

	return (const uint8_t *) colj_bytes(stored, &place);
}

/* A varint at *p, which moves on; false when it ends too late. */
static bool
get_varint(const uint8_t **p, const uint8_t *end, uint32_t *value)
{
	uint64_t	sum = 0;

	for (int i = 0; i < COLJ_VARINT_MAX && *p < end; i++)
	{
		uint8_t		byte = *(*p)++;

		sum |= (uint64_t) (byte & 0x7F) << (7 * i);
		if (byte < 0x80)
		{
			*value = (uint32_t) sum;
			return sum <= UINT32_MAX;
		}
	}
	return false;
}

static inline uint32_t
count_blocks(uint32_t size, uint32_t each)
{
	return (size - 1) / each + 1;
}

/* How the raw document is cut: what the head says, or one block. */
static ColjStatus
read_cut(ColjPacked *packed, const uint8_t *p, const uint8_t *end)
{
	if (!packed->cut)
	{
		packed->block_size = packed->raw_size;
		packed->nblocks = 1;
		if (packed->raw_size > COLJ_BLOCK_MAX)
			return corrupt(packed->stored, "A block is larger than blocks can be.");
		return COLJ_OK;
	}
	if (p == end || *p < COLJ_SHIFT_MIN || *p > COLJ_SHIFT_MAX)
		return corrupt(packed->stored, "The blocks have an impossible size.");
	packed->block_size = (uint32_t) 1 << *p;
	packed->nblocks = count_blocks(packed->raw_size, packed->block_size);
	return COLJ_OK;
}

/* Place the table of ends and the blocks, all of which must have room. */
static ColjStatus
place_blocks(ColjPacked *packed, uint32_t pos)
{
	uint64_t	n = packed->nblocks;

	packed->width = (uint8_t) colj_width(packed->raw_size);
	packed->ends = pos;
	if (packed->cut)
		n = n * (packed->width + BLOCK_MIN) - BLOCK_MIN;
	if (pos + n > packed->stored->size)
		return corrupt(packed->stored, "The value is too short for the size that it says it has.");
	packed->base = pos + (packed->cut ? packed->nblocks * packed->width : 0);
	return COLJ_OK;
}

/* The head up to the cut, which *p is then placed on. */
static ColjStatus
read_head(ColjPacked *packed, ColjDoc *stored, const uint8_t **pos, const uint8_t **end)
{
	uint32_t	len = stored->size < HEAD_MAX ? stored->size : HEAD_MAX;
	const uint8_t *p = reveal(stored, 0, len);

	packed->stored = stored;
	if (p == NULL)
		return COLJ_CORRUPT;
	*end = p + len;
	if (len < 4)
		return corrupt(stored, "The value ends within its head.");
	if (p[0] >> COLJ_VERSION_SHIFT != COLJ_FORMAT_VERSION || (p[0] & COLJ_FLAG_PACKED) == 0)
		return COLJ_BAD_VERSION;
	packed->cut = (p[0] & COLJ_FLAG_CUT) != 0;
	packed->codec = p[1] >> COLJ_PACKED_SHIFT;
	packed->level = p[1] & COLJ_LEVEL_MASK;
	if (packed->codec != COLJ_PACKED_ZSTD || (p[0] & ~(0xF0 | COLJ_FLAG_PACKED | COLJ_FLAG_CUT)) != 0)
		return corrupt(stored, "The value is compressed by a method that is not known.");
	p += 2;
	if (!get_varint(&p, *end, &packed->raw_size) || !get_varint(&p, *end, &packed->dictionary))
		return corrupt(stored, "The value ends within its head.");
	if (packed->raw_size == 0 || packed->raw_size > COLJ_MAX_SIZE)
		return corrupt(stored, "The document has an impossible size.");
	*pos = p;
	return COLJ_OK;
}

ColjStatus
colj_packed_open(ColjPacked *packed, ColjDoc *stored)
{
	const uint8_t *p;
	const uint8_t *end;
	ColjStatus	status = read_head(packed, stored, &p, &end);

	if (status == COLJ_OK)
		status = read_cut(packed, p, end);
	if (status != COLJ_OK)
		return status;
	return place_blocks(packed, (uint32_t) (p - stored->data) + (packed->cut ? 1 : 0));
}

ColjStatus
colj_packed_dictionary(ColjDoc *stored, uint32_t *dictionary)
{
	ColjPacked	packed;
	const uint8_t *p;
	const uint8_t *end;
	ColjStatus	status = read_head(&packed, stored, &p, &end);

	if (status == COLJ_OK)
		*dictionary = packed.dictionary;
	return status;
}

/* The stored bytes of block i. */
static bool
find_block(const ColjPacked *packed, uint32_t i, uint32_t *off, uint32_t *size)
{
	uint32_t	room = packed->stored->size - packed->base;
	uint32_t	before = i > 0 ? 1 : 0;
	uint32_t	start = 0;
	uint32_t	end = room;

	if (packed->cut)
	{
		const uint8_t *p = reveal(packed->stored, packed->ends + (i - before) * packed->width,
								  (1 + before) * packed->width);

		if (p == NULL)
			return false;
		if (before > 0)
			start = colj_load(p, packed->width);
		end = colj_load(p + before * packed->width, packed->width);
	}
	*off = packed->base + start;
	*size = end - start;
	return start < end && end <= room && end - start <= colj_packed_block_size(packed, i);
}

static ColjStatus
prepare_decoder(ColjZstd *zstd, const ZSTD_DDict *ddict)
{
	if (zstd->dctx == NULL)
	{
		zstd->dctx = ZSTD_createDCtx();
		if (zstd->dctx == NULL)
			return COLJ_NO_MEMORY;
	}
	if (zstd->ddict != ddict)
	{
		if (ZSTD_isError(ZSTD_DCtx_refDDict(zstd->dctx, ddict)))
			return COLJ_NO_MEMORY;
		zstd->ddict = ddict;
	}
	return COLJ_OK;
}

ColjStatus
colj_packed_decode(const ColjPacked *packed, uint32_t i, ColjZstd *zstd,
				   const ZSTD_DDict *ddict, uint8_t *out, uint32_t spare)
{
	uint32_t	raw_size = colj_packed_block_size(packed, i);
	uint32_t	off;
	uint32_t	size;
	const uint8_t *block;
	ColjStatus	status;

	if (!find_block(packed, i, &off, &size))
		return corrupt(packed->stored, "The blocks' ends are out of order.");
	block = reveal(packed->stored, off, size);
	if (block == NULL)
		return COLJ_CORRUPT;
	if (size == raw_size)
	{
		memcpy(out, block, size);
		return COLJ_OK;
	}
	status = prepare_decoder(zstd, ddict);
	if (status != COLJ_OK)
		return status;
	memcpy(zstd->frame, frame_prefix, FRAME_PREFIX_SIZE);
	memcpy(zstd->frame + FRAME_PREFIX_SIZE, block, size);
	if (ZSTD_decompressDCtx(zstd->dctx, out, raw_size + spare,
							zstd->frame, FRAME_PREFIX_SIZE + size) != raw_size)
		return corrupt(packed->stored, "A block cannot be decompressed to what it was.");
	return COLJ_OK;
}

static ColjStatus
prepare_encoder(ColjZstd *zstd, const ColjPacking *how)
{
	size_t		failed = 0;

	if (zstd->cctx == NULL)
	{
		zstd->cctx = ZSTD_createCCtx();
		if (zstd->cctx == NULL)
			return COLJ_NO_MEMORY;
		failed |= ZSTD_isError(ZSTD_CCtx_setParameter(zstd->cctx, ZSTD_c_contentSizeFlag, 0));
		failed |= ZSTD_isError(ZSTD_CCtx_setParameter(zstd->cctx, ZSTD_c_checksumFlag, 0));
		failed |= ZSTD_isError(ZSTD_CCtx_setParameter(zstd->cctx, ZSTD_c_dictIDFlag, 0));
		zstd->level = 0;
		zstd->cdict = NULL;
	}
	if (zstd->level != how->level)
		failed |= ZSTD_isError(ZSTD_CCtx_setParameter(zstd->cctx, ZSTD_c_compressionLevel, how->level));
	if (zstd->cdict != how->cdict)
		failed |= ZSTD_isError(ZSTD_CCtx_refCDict(zstd->cctx, how->cdict));
	zstd->level = how->level;
	zstd->cdict = how->cdict;
	return failed ? COLJ_NO_MEMORY : COLJ_OK;
}

/* Compress one block into zstd->frame; returns the frame's size, or 0 if it is no use. */
static size_t
compress_frame(ColjZstd *zstd, const uint8_t *raw, uint32_t size, int literals)
{
	size_t		frame;

	(void) ZSTD_CCtx_setParameter(zstd->cctx, LITERALS, literals);
	frame = ZSTD_compress2(zstd->cctx, zstd->frame, sizeof(zstd->frame), raw, size);

	/* the last byte of the prefix is the window, which is never longer */
	if (ZSTD_isError(frame) || frame <= FRAME_PREFIX_SIZE ||
		memcmp(zstd->frame, frame_prefix, FRAME_PREFIX_SIZE - 1) != 0 ||
		zstd->frame[FRAME_PREFIX_SIZE - 1] > frame_prefix[FRAME_PREFIX_SIZE - 1])
		return 0;
	return frame - FRAME_PREFIX_SIZE;
}

/* What the header of a frame's literals says. */
typedef struct Literals
{
	uint32_t	size;			/* bytes that repeat nothing */
	uint32_t	saved;			/* how many fewer they are as codes */
} Literals;

/*
 * Read the literals' header (RFC 8878, 3.1.1.3.1) of the frame in zstd->frame,
 * which is of one block of so many bytes.  One that zstd could not compress is
 * nothing but literals.
 */
static Literals
read_literals(const ColjZstd *zstd, size_t frame, uint32_t raw_size)
{
	const uint8_t *block = zstd->frame + FRAME_PREFIX_SIZE;
	const uint8_t *p = block + BLOCK_HEADER_SIZE;
	uint32_t	form = (*p >> 2) & 3;
	uint32_t	bits = form < 2 ? 10 : 4 * form + 6;
	uint64_t	sizes;
	uint32_t	coded;
	Literals	literals = {raw_size, 0};

	if (frame < BLOCK_HEADER_SIZE + LITERALS_HEADER_MAX || (*block >> 1 & 3) != BLOCK_COMPRESSED)
		return literals;
	sizes = colj_load(p, 4) | (uint64_t) p[4] << 32;
	if ((*p & 3) < LITERALS_CODED)
	{
		literals.size = form == 1 ? (uint32_t) sizes << 16 >> 20 : form == 3 ? (uint32_t) sizes << 8 >> 12 : *p >> 3;
		return literals;
	}
	literals.size = (uint32_t) (sizes >> 4) & ((1 << bits) - 1);
	coded = (uint32_t) (sizes >> (4 + bits)) & ((1 << bits) - 1);
	coded += form < 2 ? 3 : form + 2;
	literals.saved = literals.size + (literals.size < 32 ? 1 : literals.size < 4096 ? 2 : 3);
	literals.saved -= coded < literals.saved ? coded : literals.saved;
	return literals;
}

/* Would saving so many bytes by codes pay, in a block that takes plain bytes without? */
static inline bool
codes_pay(const ColjZstd *zstd, uint32_t size, size_t plain, size_t saved)
{
	uint32_t	gain = zstd->cdict != NULL ? COLJ_PACK_CODES_GAIN : COLJ_PACK_TABLE_GAIN;

	return plain > size / 3 && saved > size / gain;
}

/* Write the block in zstd->frame, or as it is; returns its stored size. */
static uint32_t
put_block(const ColjZstd *zstd, size_t frame, const uint8_t *raw, uint32_t size, uint8_t *out)
{
	bool		shorter = frame > 0 && frame < size;

	memcpy(out, shorter ? zstd->frame + FRAME_PREFIX_SIZE : raw, shorter ? frame : size);
	return shorter ? (uint32_t) frame : size;
}

/* pack_block where codes have paid of late: without them only if this time they do not. */
static uint32_t
pack_coded_first(ColjZstd *zstd, const uint8_t *raw, uint32_t size, uint8_t *out, bool *paid)
{
	size_t		frame = compress_frame(zstd, raw, size, LITERALS_AUTO);
	Literals	literals = read_literals(zstd, frame, size);

	*paid = codes_pay(zstd, size, frame + literals.saved, literals.saved);
	if (!*paid && literals.saved > 0)
		frame = compress_frame(zstd, raw, size, LITERALS_RAW);
	return put_block(zstd, frame, raw, size, out);
}

/* pack_block where they have not: with codes only if there are bytes enough to save. */
static uint32_t
pack_plain_first(ColjZstd *zstd, const uint8_t *raw, uint32_t size, uint8_t *out, bool *paid)
{
	size_t		plain = compress_frame(zstd, raw, size, LITERALS_RAW);
	Literals	literals = read_literals(zstd, plain, size);
	uint32_t	stored = put_block(zstd, plain, raw, size, out);
	size_t		coded;

	*paid = false;
	if (!codes_pay(zstd, size, plain, literals.size))
		return stored;
	coded = compress_frame(zstd, raw, size, LITERALS_AUTO);
	literals = read_literals(zstd, coded, size);
	*paid = codes_pay(zstd, size, coded + literals.saved, literals.saved);
	return *paid ? put_block(zstd, coded, raw, size, out) : stored;
}

/*
 * Pack one block; returns its stored size, which is at most its raw size.  The
 * blocks before decide what is tried first, but not what comes out.
 */
static uint32_t
pack_block(ColjZstd *zstd, const uint8_t *raw, uint32_t size, uint8_t *out)
{
	uint32_t	stored;
	bool		paid;

	if (zstd->level >= COLJ_PACK_CODES_LEVEL)
		return put_block(zstd, compress_frame(zstd, raw, size, LITERALS_AUTO), raw, size, out);
	if (zstd->codes > 0)
		stored = pack_coded_first(zstd, raw, size, out, &paid);
	else
		stored = pack_plain_first(zstd, raw, size, out, &paid);
	if (paid)
		zstd->codes = CODES_LAST;
	else if (zstd->codes > 0)
		zstd->codes--;
	return stored;
}

/* The table of ends and the blocks; returns the position after them. */
static uint8_t *
pack_blocks(ColjZstd *zstd, const ColjHost *host, const uint8_t *raw, uint32_t size, uint8_t *out)
{
	uint32_t	width = colj_width(size);
	uint32_t	each = (uint32_t) 1 << COLJ_PACK_SHIFT;
	uint8_t    *end = out;
	uint8_t    *base = out + (size_t) count_blocks(size, each) * width;
	uint8_t    *p = base;

	for (uint32_t done = 0; done < size; done += each, end += width)
	{
		p += pack_block(zstd, raw + done, size - done < each ? size - done : each, p);
		colj_store(end, width, (uint32_t) (p - base));
		if (host != NULL && host->poll != NULL)
			host->poll(host->arg);
	}
	return p;
}

size_t
colj_pack_room(uint32_t size)
{
	size_t		room = HEAD_MAX + (size_t) size;

	if (size > COLJ_PACK_CUT_ABOVE)
		room += (size_t) count_blocks(size, (uint32_t) 1 << COLJ_PACK_SHIFT) * colj_width(size);
	return room;
}

ColjStatus
colj_pack(ColjZstd *zstd, const ColjPacking *how, const uint8_t *raw, uint32_t size,
		  uint8_t *out, uint32_t *packed_size)
{
	bool		cut = size > COLJ_PACK_CUT_ABOVE;
	uint8_t    *p = out;
	ColjStatus	status;

	if (size < COLJ_PACK_MIN)
		return COLJ_ABSENT;
	status = prepare_encoder(zstd, how);
	if (status != COLJ_OK)
		return status;
	*p++ = COLJ_FORMAT_VERSION << COLJ_VERSION_SHIFT | COLJ_FLAG_PACKED | (cut ? COLJ_FLAG_CUT : 0);
	*p++ = (uint8_t) (COLJ_PACKED_ZSTD << COLJ_PACKED_SHIFT | how->level);
	p = colj_put_varint(p, size);
	p = colj_put_varint(p, how->dictionary);
	if (cut)
	{
		*p++ = COLJ_PACK_SHIFT;
		p = pack_blocks(zstd, how->host, raw, size, p);
	}
	else
		p += pack_block(zstd, raw, size, p);
	*packed_size = (uint32_t) (p - out);
	return *packed_size < size - size / COLJ_PACK_GAIN ? COLJ_OK : COLJ_ABSENT;
}
