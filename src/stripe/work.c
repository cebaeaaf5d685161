/*-------------------------------------------------------------------------
 *
 * work.c
 *	  Sinks, inputs and zstd for the encoders and decoders of vectors.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/work.h"

#include <string.h>

static void *
resize(const ColjHost *host, void *old, size_t size)
{
	return host->resize(host->arg, old, size);
}

uint8_t *
colj_sink_reserve(ColjSink *sink, size_t len)
{
	size_t		room = sink->room;
	uint8_t    *data;

	if (sink->status != COLJ_OK)
		return NULL;
	if (sink->data == NULL || len > room - sink->len)
	{
		room = room < 256 ? 512 : room * 2;
		if (room < sink->len + len)
			room = sink->len + len;
		data = resize(sink->host, sink->data, room);
		if (data == NULL)
		{
			sink->status = COLJ_NO_MEMORY;
			return NULL;
		}
		sink->data = data;
		sink->room = room;
	}
	sink->len += len;
	return sink->data + sink->len - len;
}

void
colj_sink_bytes(ColjSink *sink, const void *bytes, size_t len)
{
	uint8_t    *p = colj_sink_reserve(sink, len);

	if (p != NULL && len > 0)
		memcpy(p, bytes, len);
}

void
colj_sink_byte(ColjSink *sink, uint8_t byte)
{
	colj_sink_bytes(sink, &byte, 1);
}

void
colj_sink_varint64(ColjSink *sink, uint64_t value)
{
	uint8_t		bytes[10];
	size_t		n = 0;

	while (value >= 0x80)
	{
		bytes[n++] = (uint8_t) (value | 0x80);
		value >>= 7;
	}
	bytes[n++] = (uint8_t) value;
	colj_sink_bytes(sink, bytes, n);
}

void
colj_sink_varint(ColjSink *sink, uint32_t value)
{
	colj_sink_varint64(sink, value);
}

void
colj_sink_free(ColjSink *sink)
{
	if (sink->data != NULL)
		resize(sink->host, sink->data, 0);
	sink->data = NULL;
	sink->len = sink->room = 0;
}

ColjVectorWork *
colj_vector_work_create(const ColjHost *host, int zstd_level)
{
	ColjVectorWork *work = resize(host, NULL, sizeof(ColjVectorWork));

	if (work == NULL)
		return NULL;
	memset(work, 0, sizeof(*work));
	work->host = host;
	work->zstd_level = zstd_level;
	for (int i = 0; i < COLJ_NESTING_MAX; i++)
		work->scratch[i].host = host;
	return work;
}

void
colj_vector_work_free(ColjVectorWork *work)
{
	if (work == NULL)
		return;
	ZSTD_freeCCtx(work->cctx);
	ZSTD_freeDCtx(work->dctx);
	if (work->values.data != NULL)
		resize(work->host, work->values.data, 0);
	for (int i = 0; i < COLJ_NESTING_MAX * 3; i++)
		if (work->rooms[i].data != NULL)
			resize(work->host, work->rooms[i].data, 0);
	for (int i = 0; i < COLJ_NESTING_MAX; i++)
		colj_sink_free(&work->scratch[i]);
	resize(work->host, work, 0);
}

static void *
make_room(ColjVectorWork *work, ColjRoom *room, size_t size)
{
	void	   *data;

	if (size == 0)
		size = 1;
	if (room->size < size)
	{
		data = resize(work->host, room->data, size);
		if (data == NULL)
			return NULL;
		room->data = data;
		room->size = size;
	}
	return room->data;
}

void *
colj_work_room(ColjVectorWork *work, uint32_t i, size_t size)
{
	return make_room(work, &work->rooms[work->depth * 3 + i], size);
}

int64_t *
colj_work_values(ColjVectorWork *work, uint32_t n)
{
	return make_room(work, &work->values, n * sizeof(int64_t));
}

ColjSink *
colj_work_sink(ColjVectorWork *work)
{
	ColjSink   *sink = &work->scratch[work->depth];

	sink->len = 0;
	sink->status = COLJ_OK;
	return sink;
}

static bool
prepare_compression(ColjVectorWork *work)
{
	if (work->cctx != NULL)
		return true;
	work->cctx = ZSTD_createCCtx();
	if (work->cctx == NULL)
		return false;
	ZSTD_CCtx_setParameter(work->cctx, ZSTD_c_compressionLevel, work->zstd_level);
	ZSTD_CCtx_setParameter(work->cctx, ZSTD_c_contentSizeFlag, 0);
	ZSTD_CCtx_setParameter(work->cctx, ZSTD_c_checksumFlag, 0);
	return true;
}

ColjStatus
colj_put_zstd(ColjVectorWork *work, const void *bytes, size_t len, size_t below, ColjSink *out,
			  bool *done)
{
	size_t		bound = ZSTD_compressBound(len);
	uint8_t    *frame = colj_work_room(work, 2, bound);
	size_t		size;

	*done = false;
	if (frame == NULL || !prepare_compression(work))
		return COLJ_NO_MEMORY;
	size = ZSTD_compress2(work->cctx, frame, bound, bytes, len);
	if (ZSTD_isError(size) || size + 8 >= below || len > UINT32_MAX || !colj_zstd_can_be(len, size))
		return COLJ_OK;
	colj_sink_varint(out, (uint32_t) len);
	colj_sink_varint(out, (uint32_t) size);
	colj_sink_bytes(out, frame, size);
	*done = true;
	return out->status;
}

ColjStatus
colj_input_wrong(ColjInput *in, const char *problem)
{
	if (in->problem == NULL)
		in->problem = problem;
	return COLJ_CORRUPT;
}

const uint8_t *
colj_input_bytes(ColjInput *in, size_t len)
{
	const uint8_t *p = in->p;

	if (len > (size_t) (in->end - p))
	{
		colj_input_wrong(in, "A vector ends before its contents do.");
		return NULL;
	}
	in->p += len;
	return p;
}

bool
colj_input_byte(ColjInput *in, uint8_t *byte)
{
	const uint8_t *p = colj_input_bytes(in, 1);

	if (p != NULL)
		*byte = *p;
	return p != NULL;
}

bool
colj_input_varint64(ColjInput *in, uint64_t *value)
{
	uint64_t	sum = 0;
	uint8_t		byte;

	for (int shift = 0; shift < 70; shift += 7)
	{
		if (!colj_input_byte(in, &byte))
			return false;
		/* the tenth byte has room for one bit */
		if (shift == 63 && byte > 1)
			break;
		sum |= (uint64_t) (byte & 0x7F) << shift;
		if (byte < 0x80)
		{
			*value = sum;
			return true;
		}
	}
	colj_input_wrong(in, "A number in a vector is longer than 64 bits.");
	return false;
}

bool
colj_input_varint(ColjInput *in, uint32_t *value)
{
	uint64_t	wide;

	if (!colj_input_varint64(in, &wide))
		return false;
	*value = (uint32_t) wide;
	if (wide <= UINT32_MAX)
		return true;
	colj_input_wrong(in, "A size in a vector is longer than 32 bits.");
	return false;
}

bool
colj_input_zstd_size(ColjInput *in, size_t max, uint32_t *raw)
{
	const uint8_t *start;
	uint32_t	size;

	if (!colj_input_varint(in, raw))
		return false;
	start = in->p;
	if (!colj_input_varint(in, &size) || colj_input_bytes(in, size) == NULL)
		return false;
	in->p = start;
	if (*raw <= max && colj_zstd_can_be(*raw, size))
		return true;
	colj_input_wrong(in, "A compressed vector is larger than its values can be.");
	return false;
}

bool
colj_input_zstd(ColjVectorWork *work, ColjInput *in, void *out, uint32_t raw)
{
	uint32_t	size;
	const uint8_t *frame;
	size_t		got;

	if (!colj_input_varint(in, &size) || (frame = colj_input_bytes(in, size)) == NULL)
		return false;
	if (work->dctx == NULL && (work->dctx = ZSTD_createDCtx()) == NULL)
	{
		colj_input_wrong(in, "There is no memory to decompress a vector.");
		return false;
	}
	got = ZSTD_decompressDCtx(work->dctx, out, raw, frame, size);
	if (!ZSTD_isError(got) && got == raw)
		return true;
	colj_input_wrong(in, "A compressed vector does not decompress to what it says.");
	return false;
}
