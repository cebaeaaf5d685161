/*-------------------------------------------------------------------------
 *
 * bignum.c
 *	  The format's host in a test: numbers of any length.
 *
 * A server does this with numeric.c.  The tests need the same bytes and texts
 * without a server: big-endian int16 ndigits, weight, sign and dscale, then
 * ndigits big-endian digits of base 10000.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "heap.h"

/* The limits of numeric: decimal digits before and after the point. */
#define MAX_BEFORE 131072
#define MAX_AFTER 16383

/* A number's text, taken apart. */
typedef struct Parts
{
	bool		negative;
	char	   *digits;			/* without leading zeros */
	int64_t		ndigits;
	int64_t		point;			/* digits before the point; may be negative */
	int64_t		scale;			/* digits after the point that are shown */
} Parts;

static int64_t
exponent(const char *text, const char *end)
{
	bool		negative = text < end && *text == '-';
	int64_t		value = 0;

	if (text < end && (*text == '-' || *text == '+'))
		text++;
	for (; text < end; text++)
		if (value < 1000000)
			value = value * 10 + (*text - '0');
	return negative ? -value : value;
}

static void
take_apart(Heap *heap, const char *text, const char *end, Parts *p)
{
	int64_t		after = 0;
	bool		seen_point = false;

	memset(p, 0, sizeof(*p));
	p->digits = heap_lend(heap, end - text + 1);
	p->negative = text < end && *text == '-';
	for (text += p->negative; text < end && *text != 'e' && *text != 'E'; text++)
	{
		if (*text == '.')
		{
			seen_point = true;
			continue;
		}
		after += seen_point;
		if (*text != '0' || p->ndigits > 0)
			p->digits[p->ndigits++] = *text;
	}
	p->point = p->ndigits - after;
	if (text < end)
	{
		p->point += exponent(text + 1, end);
		after -= exponent(text + 1, end);
	}
	p->scale = after > 0 ? after : 0;
}

static void
put16(uint8_t *out, int64_t value)
{
	out[0] = (uint8_t) ((uint64_t) value >> 8);
	out[1] = (uint8_t) value;
}

static int
get16(const uint8_t *in)
{
	return (int16_t) (in[0] << 8 | in[1]);
}

/* The digit of base 10000 whose first decimal digit is number at. */
static int
group(const Parts *p, int64_t at)
{
	int			value = 0;
	int64_t		i;

	for (i = at; i < at + 4; i++)
		value = value * 10 + (i >= 0 && i < p->ndigits ? p->digits[i] - '0' : 0);
	return value;
}

bool
heap_bignum(Heap *heap, const char *text, uint32_t len,
			const uint8_t **bytes, uint32_t *size)
{
	Parts		p;
	int64_t		weight;
	int64_t		start;
	int64_t		n;
	int64_t		i;
	uint8_t    *out;

	take_apart(heap, text, text + len, &p);
	if (p.scale > MAX_AFTER || (p.ndigits > 0 && p.point > MAX_BEFORE))
		return false;
	weight = p.point > 0 ? (p.point + 3) / 4 - 1 : -(-p.point / 4) - 1;
	start = p.point - (weight + 1) * 4;
	while (p.ndigits > 0 && p.digits[p.ndigits - 1] == '0')
		p.ndigits--;
	n = p.ndigits > 0 ? (p.ndigits - start + 3) / 4 : 0;
	out = heap_lend(heap, COLJ_BIGNUM_HEADER_SIZE + 2 * n);
	put16(out, n);
	put16(out + 2, n > 0 ? weight : 0);
	put16(out + 4, n > 0 && p.negative ? 0x4000 : 0);
	put16(out + 6, p.scale);
	for (i = 0; i < n; i++)
		put16(out + COLJ_BIGNUM_HEADER_SIZE + 2 * i, group(&p, start + 4 * i));
	*bytes = out;
	*size = (uint32_t) (COLJ_BIGNUM_HEADER_SIZE + 2 * n);
	return true;
}

/* Decimal digit number i after the point (0, 1, ...) or before (-1, -2, ...). */
static char
digit_at(const uint8_t *bytes, int i)
{
	static const int power[4] = {1000, 100, 10, 1};
	int			position = i + 4 * (get16(bytes + 2) + 1);
	int			n = (uint16_t) get16(bytes);

	if (position < 0 || position / 4 >= n)
		return '0';
	return (char) ('0' + get16(bytes + COLJ_BIGNUM_HEADER_SIZE + 2 * (position / 4))
				   / power[position % 4] % 10);
}

char *
heap_bignum_text(Heap *heap, const uint8_t *bytes, uint32_t len)
{
	int			before = 4 * (get16(bytes + 2) + 1);
	int			scale = get16(bytes + 6);
	char	   *text;
	char	   *out;
	int			i;

	if (len < COLJ_BIGNUM_HEADER_SIZE)
		abort();
	if (before < 1)
		before = 1;
	while (before > 1 && digit_at(bytes, -before) == '0')
		before--;
	text = out = heap_lend(heap, (size_t) before + scale + 3);
	if (get16(bytes + 4) != 0)
		*out++ = '-';
	for (i = -before; i < 0; i++)
		*out++ = digit_at(bytes, i);
	if (scale > 0)
		*out++ = '.';
	for (i = 0; i < scale; i++)
		*out++ = digit_at(bytes, i);
	return text;
}

ColjStatus
heap_print_bignum(void *arg, const uint8_t *bytes, uint32_t len,
				  const char **text, uint32_t *text_len)
{
	if (len != COLJ_BIGNUM_HEADER_SIZE + 2 * (uint32_t) (uint16_t) get16(bytes)
		|| get16(bytes + 6) < 0)
		return COLJ_CORRUPT;
	*text = heap_bignum_text(arg, bytes, len);
	*text_len = (uint32_t) strlen(*text);
	return COLJ_OK;
}
