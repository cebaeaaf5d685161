/*-------------------------------------------------------------------------
 *
 * planes.c
 *	  Strings of one length, by place: writing them.
 *
 * The strings are turned into planes first: all first bytes, all second bytes,
 * and so on.  What they take when packed is known from which bytes occur in
 * each, so they are packed only if nothing else is shorter.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/strings.h"

#include <string.h>

#include "format/bytes.h"

/* Strings of one length, turned. */
typedef struct Planes
{
	uint8_t    *bytes;			/* n of each place */
	uint32_t	n;
	uint32_t	len;			/* places */
} Planes;

/* Eight strings at a time, so that planes are written by words. */
static void
turn(const ColjStrings *strings, Planes *planes)
{
	uint32_t	n = planes->n;
	uint32_t	len = planes->len;
	uint32_t	i = 0;

	for (; i + 8 <= n; i += 8)
	{
		const uint8_t *p = (const uint8_t *) strings->data + (size_t) i * len;

		for (uint32_t place = 0; place < len; place++, p++)
		{
			uint8_t		eight[8] = {p[0], p[len], p[2 * len], p[3 * len], p[4 * len], p[5 * len], p[6 * len], p[7 * len]};

			memcpy(planes->bytes + (size_t) place * n + i, eight, 8);
		}
	}
	for (; i < n; i++)
		for (uint32_t place = 0; place < len; place++)
			planes->bytes[(size_t) place * n + i] = (uint8_t) strings->data[(size_t) i * len + place];
}

/* How many different bytes are there, and the position of each among them. */
static uint32_t
look_at_plane(const uint8_t *bytes, uint32_t n, uint8_t *position, uint8_t *different)
{
	bool		seen[256] = {false};
	uint32_t	ndifferent = 0;

	for (uint32_t i = 0; i < n; i++)
		seen[bytes[i]] = true;
	for (uint32_t c = 0; c < 256; c++)
		if (seen[c])
		{
			position[c] = (uint8_t) ndifferent;
			different[ndifferent++] = (uint8_t) c;
		}
	return ndifferent;
}

static size_t
packed_size(uint32_t n, uint32_t different)
{
	return ((size_t) n * colj_bits(different - 1) + 7) / 8;
}

/* What put_planes will take, but for the encoding and the length. */
static size_t
packed_planes_size(const Planes *planes)
{
	uint8_t		position[256];
	uint8_t		different[256];
	size_t		size = 0;

	for (uint32_t place = 0; place < planes->len; place++)
	{
		uint32_t	n = look_at_plane(planes->bytes + (size_t) place * planes->n, planes->n, position, different);

		size += 1 + n + packed_size(planes->n, n);
	}
	return size;
}

/* Write positions of the bytes in so many bits each: eight of them take as many bytes. */
static void
pack(const uint8_t *bytes, uint32_t n, const uint8_t *position, uint32_t bits, uint8_t *out)
{
	uint32_t	i = 0;

	while (i < n)
	{
		uint32_t	end = n - i < 8 ? n : i + 8;
		uint32_t	used = ((end - i) * bits + 7) / 8;
		uint64_t	word = 0;

		for (uint32_t shift = 0; i < end; shift += bits)
			word |= (uint64_t) position[bytes[i++]] << shift;
		for (; used > 0; used--, word >>= 8)
			*out++ = (uint8_t) word;
	}
}

static void
put_plane(const uint8_t *bytes, uint32_t n, ColjSink *out)
{
	uint8_t		position[256];
	uint8_t		different[256];
	uint32_t	ndifferent = look_at_plane(bytes, n, position, different);
	uint8_t    *p;

	colj_sink_byte(out, (uint8_t) (ndifferent - 1));
	colj_sink_bytes(out, different, ndifferent);
	p = colj_sink_reserve(out, packed_size(n, ndifferent));
	if (p != NULL && ndifferent > 1)
		pack(bytes, n, position, colj_bits(ndifferent - 1), p);
}

static void
put_packed(const Planes *planes, ColjSink *out)
{
	colj_sink_byte(out, COLJ_STRINGS_PLANES);
	colj_sink_varint(out, planes->len);
	for (uint32_t place = 0; place < planes->len; place++)
		put_plane(planes->bytes + (size_t) place * planes->n, planes->n, out);
}

static ColjStatus
put_compressed(ColjVectorWork *work, const Planes *planes, size_t below, ColjSink *out, bool *done)
{
	size_t		start = out->len;

	colj_sink_byte(out, COLJ_STRINGS_PLANES_ZSTD);
	colj_sink_varint(out, planes->len);
	if (colj_put_zstd(work, planes->bytes, (size_t) planes->n * planes->len, below, out, done) != COLJ_OK)
		return COLJ_NO_MEMORY;
	if (!*done)
		out->len = start;
	return out->status;
}

/* Keep what was written since start if it is shorter than the shortest, else take it back. */
static void
keep_shorter(ColjSink *out, size_t start, ColjSink *best, size_t *shortest)
{
	if (out->status == COLJ_OK && out->len - start < *shortest)
	{
		*shortest = out->len - start;
		best->len = 0;
		colj_sink_bytes(best, out->data + start, *shortest);
	}
	out->len = start;
}

ColjStatus
colj_put_planes(ColjVectorWork *work, ColjCodec codec, const ColjStrings *strings, uint32_t len,
				ColjSink *out)
{
	Planes		planes = {colj_work_room(work, 1, (size_t) strings->n * len), strings->n, len};
	ColjSink   *best = colj_work_sink(work);
	size_t		start = out->len;
	size_t		shortest;
	bool		done = false;
	ColjStatus	status = COLJ_OK;

	if (planes.bytes == NULL)
		return COLJ_NO_MEMORY;
	turn(strings, &planes);
	shortest = 1 + colj_varint_size(len) + packed_planes_size(&planes);
	if (codec == COLJ_CODEC_ZSTD)
		status = put_compressed(work, &planes, shortest, out, &done);
	if (done)
		keep_shorter(out, start, best, &shortest);
	if (status == COLJ_OK)
		status = colj_put_plain(work, codec, strings, out);
	if (status != COLJ_OK)
		return status;
	keep_shorter(out, start, best, &shortest);
	if (best->len > 0)
		colj_sink_bytes(out, best->data, best->len);
	else
		put_packed(&planes, out);
	return best->status != COLJ_OK ? best->status : out->status;
}
