/*-------------------------------------------------------------------------
 *
 * unstrings.c
 *	  Vectors of strings: reading what strings.c wrote.
 *
 * Each decoder makes its strings in one piece of the host's memory: the ends
 * of all, then their bytes.  Its size is known, and checked against the
 * caller's limit, before the piece is made; so a small vector can't ask for
 * much more memory than the caller allows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "format/text.h"
#include "stripe/memory.h"
#include "stripe/strings.h"

#define DEPTH_MAX (COLJ_NESTING_MAX - 2)

/* A piece for strings that is being filled. */
typedef struct Piece
{
	uint32_t   *ends;
	char	   *data;
} Piece;

static ColjStatus get_strings(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max,
							  ColjStrings *strings);

void
colj_strings_free(const ColjHost *host, ColjStrings *strings)
{
	colj_release(host, (void *) strings->ends);
	*strings = (ColjStrings){0, NULL, NULL};
}

/* Make a piece for n strings of `bytes` bytes together. */
static ColjStatus
make_piece(ColjVectorWork *work, ColjInput *in, uint32_t n, uint64_t bytes, size_t max,
		   ColjStrings *strings, Piece *piece)
{
	if (bytes > max || bytes > UINT32_MAX)
		return colj_input_wrong(in, "A vector's strings are longer than they may be.");
	piece->ends = work->host->resize(work->host->arg, NULL, n * sizeof(uint32_t) + bytes + 1);
	if (piece->ends == NULL)
		return COLJ_NO_MEMORY;
	piece->data = (char *) (piece->ends + n);
	*strings = (ColjStrings){n, piece->ends, piece->data};
	return COLJ_OK;
}

static ColjStatus
get_inner_ints(ColjVectorWork *work, ColjInput *in, int64_t *values, uint32_t n)
{
	ColjStatus	status;

	work->depth++;
	status = colj_get_ints(work, in, values, n);
	work->depth--;
	return status;
}

static ColjStatus
get_inner(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	ColjStatus	status;

	if (work->depth >= DEPTH_MAX)
		return colj_input_wrong(in, "Vectors are nested too deeply.");
	work->depth++;
	status = get_strings(work, in, n, max, strings);
	work->depth--;
	return status;
}

/* A string with its length before it. */
static bool
get_string(ColjInput *in, const uint8_t **bytes, uint32_t *len)
{
	return colj_input_varint(in, len) && (*bytes = colj_input_bytes(in, *len)) != NULL;
}

static ColjStatus
get_constant(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	const uint8_t *bytes;
	uint32_t	len;
	Piece		piece;
	ColjStatus	status;

	if (!get_string(in, &bytes, &len))
		return COLJ_CORRUPT;
	status = make_piece(work, in, n, (uint64_t) n * len, max, strings, &piece);
	for (uint32_t i = 0; i < n && status == COLJ_OK; i++)
	{
		memcpy(piece.data + (size_t) i * len, bytes, len);
		piece.ends[i] = (i + 1) * len;
	}
	return status;
}

/* The vector of lengths, as a vector of ends; *total is the last of them. */
static ColjStatus
get_lengths(ColjVectorWork *work, ColjInput *in, uint32_t n, int64_t **ends, uint64_t *total)
{
	int64_t    *lengths = colj_work_room(work, 0, n * sizeof(int64_t));
	ColjStatus	status;

	if (lengths == NULL)
		return COLJ_NO_MEMORY;
	status = get_inner_ints(work, in, lengths, n);
	if (status != COLJ_OK)
		return status;
	*total = 0;
	for (uint32_t i = 0; i < n; i++)
	{
		if (lengths[i] < 0 || lengths[i] > UINT32_MAX)
			return colj_input_wrong(in, "A string in a vector has an impossible length.");
		*total += (uint64_t) lengths[i];
		lengths[i] = (int64_t) *total;
	}
	*ends = lengths;
	return COLJ_OK;
}

static ColjStatus
get_plain(ColjVectorWork *work, ColjInput *in, bool zstd, uint32_t n, size_t max, ColjStrings *strings)
{
	int64_t    *ends = NULL;
	uint64_t	total = 0;
	uint32_t	raw = 0;
	Piece		piece;
	const uint8_t *bytes = NULL;
	ColjStatus	status = get_lengths(work, in, n, &ends, &total);

	if (status != COLJ_OK)
		return status;
	if (zstd && !colj_input_zstd_size(in, max, &raw))
		return COLJ_CORRUPT;
	if (zstd && raw != total)
		return colj_input_wrong(in, "A compressed vector has another size than its strings.");
	if (!zstd && (bytes = colj_input_bytes(in, total)) == NULL)
		return COLJ_CORRUPT;
	status = make_piece(work, in, n, total, max, strings, &piece);
	if (status != COLJ_OK)
		return status;
	for (uint32_t i = 0; i < n; i++)
		piece.ends[i] = (uint32_t) ends[i];
	if (zstd)
		return colj_input_zstd(work, in, piece.data, raw) ? COLJ_OK : COLJ_CORRUPT;
	memcpy(piece.data, bytes, total);
	return COLJ_OK;
}

/* Put together what codes refer to. */
static ColjStatus
spell_codes(ColjVectorWork *work, ColjInput *in, const ColjStrings *distinct, const int64_t *codes,
			uint32_t n, size_t max, ColjStrings *strings)
{
	uint64_t	total = 0;
	uint32_t	end = 0;
	Piece		piece;
	ColjStatus	status;

	for (uint32_t i = 0; i < n; i++)
	{
		if (codes[i] < 0 || codes[i] >= distinct->n)
			return colj_input_wrong(in, "A vector refers to a string that it does not list.");
		total += distinct->ends[codes[i]] - (codes[i] > 0 ? distinct->ends[codes[i] - 1] : 0);
	}
	status = make_piece(work, in, n, total, max, strings, &piece);
	for (uint32_t i = 0; i < n && status == COLJ_OK; i++)
	{
		uint32_t	start = codes[i] > 0 ? distinct->ends[codes[i] - 1] : 0;
		uint32_t	len = distinct->ends[codes[i]] - start;

		memcpy(piece.data + end, distinct->data + start, len);
		end += len;
		piece.ends[i] = end;
	}
	return status;
}

static ColjStatus
get_codes(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	int64_t    *codes = colj_work_room(work, 1, n * sizeof(int64_t));
	ColjStrings distinct = {0, NULL, NULL};
	uint32_t	ndistinct;
	ColjStatus	status;

	if (codes == NULL)
		return COLJ_NO_MEMORY;
	if (!colj_input_varint(in, &ndistinct))
		return COLJ_CORRUPT;
	if (ndistinct > COLJ_STRING_CODES_MAX)
		return colj_input_wrong(in, "A vector lists more distinct strings than it may.");
	status = get_inner(work, in, ndistinct, max, &distinct);
	if (status == COLJ_OK)
		status = get_inner_ints(work, in, codes, n);
	if (status == COLJ_OK)
		status = spell_codes(work, in, &distinct, codes, n, max, strings);
	colj_strings_free(work->host, &distinct);
	return status;
}

static ColjStatus
get_affixes(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	const uint8_t *prefix;
	const uint8_t *suffix;
	uint32_t	prefix_len;
	uint32_t	suffix_len;
	ColjStrings rest = {0, NULL, NULL};
	uint32_t	start = 0;
	Piece		piece;
	ColjStatus	status;
	char	   *p;

	if (!get_string(in, &prefix, &prefix_len) || !get_string(in, &suffix, &suffix_len))
		return COLJ_CORRUPT;
	status = get_inner(work, in, n, max, &rest);
	if (status == COLJ_OK)
		status = make_piece(work, in, n, rest.ends[n - 1] + (uint64_t) n * ((uint64_t) prefix_len + suffix_len),
							max, strings, &piece);
	p = status == COLJ_OK ? piece.data : NULL;
	for (uint32_t i = 0; i < n && status == COLJ_OK; start = rest.ends[i++])
	{
		memcpy(p, prefix, prefix_len);
		p += prefix_len;
		memcpy(p, rest.data + start, rest.ends[i] - start);
		p += rest.ends[i] - start;
		memcpy(p, suffix, suffix_len);
		p += suffix_len;
		piece.ends[i] = (uint32_t) (p - piece.data);
	}
	colj_strings_free(work->host, &rest);
	return status;
}

static ColjStatus
get_numbers(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	int64_t    *numbers = colj_work_room(work, 1, n * sizeof(int64_t));
	char		text[COLJ_NUMBER_TEXT_MAX];
	uint64_t	total = 0;
	uint32_t	end = 0;
	Piece		piece;
	ColjStatus	status;

	if (numbers == NULL)
		return COLJ_NO_MEMORY;
	status = get_inner_ints(work, in, numbers, n);
	for (uint32_t i = 0; i < n && status == COLJ_OK; i++)
		total += colj_number_text(numbers[i], 0, text);
	if (status == COLJ_OK)
		status = make_piece(work, in, n, total, max, strings, &piece);
	for (uint32_t i = 0; i < n && status == COLJ_OK; i++)
	{
		uint32_t	len = colj_number_text(numbers[i], 0, text);

		memcpy(piece.data + end, text, len);
		end += len;
		piece.ends[i] = end;
	}
	return status;
}

/* One place of all strings. */
static ColjStatus
get_plane(ColjInput *in, uint32_t n, uint32_t len, char *to)
{
	uint8_t		last;
	uint32_t	bits;
	const uint8_t *bytes;
	const uint8_t *p;

	if (!colj_input_byte(in, &last) || (bytes = colj_input_bytes(in, (size_t) last + 1)) == NULL)
		return COLJ_CORRUPT;
	bits = colj_bits(last);
	p = colj_input_bytes(in, ((size_t) n * bits + 7) / 8);
	if (p == NULL)
		return COLJ_CORRUPT;
	for (uint32_t i = 0; i < n; i++, to += len)
	{
		uint32_t	at = i * bits;
		uint32_t	code = bits == 0 ? 0 : p[at / 8];

		if (at % 8 + bits > 8)
			code |= (uint32_t) p[at / 8 + 1] << 8;
		code = (code >> (at % 8)) & ((1u << bits) - 1);
		if (code > last)
			return colj_input_wrong(in, "A vector refers to a byte that it does not list.");
		*to = (char) bytes[code];
	}
	return COLJ_OK;
}

static void
fill_ends(Piece *piece, uint32_t n, uint32_t len)
{
	for (uint32_t i = 0; i < n; i++)
		piece->ends[i] = (i + 1) * len;
}

static ColjStatus
get_planes(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	uint32_t	len;
	Piece		piece;
	ColjStatus	status;

	if (!colj_input_varint(in, &len))
		return COLJ_CORRUPT;
	if (len > COLJ_STRING_PLANES_MAX)
		return colj_input_wrong(in, "A vector by places has strings that are too long.");
	status = make_piece(work, in, n, (uint64_t) n * len, max, strings, &piece);
	if (status != COLJ_OK)
		return status;
	fill_ends(&piece, n, len);
	for (uint32_t place = 0; place < len && status == COLJ_OK; place++)
		status = get_plane(in, n, len, piece.data + place);
	return status;
}

static ColjStatus
get_planes_zstd(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	uint32_t	len;
	uint32_t	raw;
	Piece		piece;
	uint8_t    *planes;
	ColjStatus	status;

	if (!colj_input_varint(in, &len) || !colj_input_zstd_size(in, max, &raw))
		return COLJ_CORRUPT;
	if (len > COLJ_STRING_PLANES_MAX || raw != (uint64_t) n * len)
		return colj_input_wrong(in, "A compressed vector has another size than its strings.");
	status = make_piece(work, in, n, raw, max, strings, &piece);
	if (status != COLJ_OK)
		return status;
	planes = colj_work_room(work, 0, raw);
	if (planes == NULL)
		return COLJ_NO_MEMORY;
	fill_ends(&piece, n, len);
	if (!colj_input_zstd(work, in, planes, raw))
		return COLJ_CORRUPT;
	for (uint32_t place = 0; place < len; place++)
		for (uint32_t i = 0; i < n; i++)
			piece.data[i * len + place] = (char) planes[place * n + i];
	return COLJ_OK;
}

static ColjStatus
get_form(ColjVectorWork *work, ColjInput *in, uint8_t encoding, uint32_t n, size_t max,
		 ColjStrings *strings)
{
	switch (encoding)
	{
		case COLJ_STRINGS_CONSTANT:
			return get_constant(work, in, n, max, strings);
		case COLJ_STRINGS_PLAIN:
			return get_plain(work, in, false, n, max, strings);
		case COLJ_STRINGS_ZSTD:
			return get_plain(work, in, true, n, max, strings);
		case COLJ_STRINGS_CODES:
			return get_codes(work, in, n, max, strings);
		case COLJ_STRINGS_AFFIXES:
			return get_affixes(work, in, n, max, strings);
		case COLJ_STRINGS_NUMBERS:
			return get_numbers(work, in, n, max, strings);
		case COLJ_STRINGS_PLANES:
			return get_planes(work, in, n, max, strings);
		case COLJ_STRINGS_PLANES_ZSTD:
			return get_planes_zstd(work, in, n, max, strings);
		default:
			return colj_input_wrong(in, "A vector has an encoding that is not known.");
	}
}

/* On failure there is nothing to free. */
static ColjStatus
get_strings(ColjVectorWork *work, ColjInput *in, uint32_t n, size_t max, ColjStrings *strings)
{
	uint8_t		encoding;
	ColjStatus	status;

	*strings = (ColjStrings){0, NULL, NULL};
	if (n == 0)
		return COLJ_OK;
	if (!colj_input_byte(in, &encoding))
		return COLJ_CORRUPT;
	status = get_form(work, in, encoding, n, max, strings);
	if (status != COLJ_OK)
		colj_strings_free(work->host, strings);
	return status;
}

const char *
colj_strings_encoding(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"constant", "plain", "zstd", "codes", "affixes", "numbers", "planes",
	"planes zstd"};

	return len == 0 ? "empty" : bytes[0] <= COLJ_STRINGS_PLANES_ZSTD ? names[bytes[0]]
		: "unknown";
}

ColjStatus
colj_decode_strings(ColjVectorWork *work, const uint8_t *bytes, size_t len, uint32_t n,
					size_t max_bytes, ColjStrings *strings, const char **problem)
{
	ColjInput	in = colj_input(bytes, len);
	ColjStatus	status;

	work->depth = 0;
	status = get_strings(work, &in, n, max_bytes, strings);
	if (status == COLJ_OK && in.p != in.end)
	{
		colj_strings_free(work->host, strings);
		status = colj_input_wrong(&in, "A vector has bytes after its values.");
	}
	if (problem != NULL)
		*problem = in.problem;
	return status;
}
