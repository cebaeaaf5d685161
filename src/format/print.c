/*-------------------------------------------------------------------------
 *
 * print.c
 *	  Documents to JSON text, as jsonb_out writes it.
 *
 * Iterative over nesting: the iterators of the open containers stand on a
 * stack of our own, so that no document, however deep, can exhaust the C
 * stack.  The first few levels need no allocation.
 *
 * The functions named put_* append to the text at `out` and return the place
 * behind what they wrote, or NULL (and p->status) when they could not.  Room
 * is asked for exactly, so that text->max is exact too; where more happens to
 * be there, whole words are written beyond the end of what counts.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "text.h"

#include "scan.h"

/* Levels of nesting that fit in the printer itself. */
#define LOCAL_DEPTH 8

#define TEXT_MIN_ROOM 256

typedef struct Printer
{
	ColjText   *text;
	char	   *limit;			/* end of the text's room */
	ColjDoc    *doc;
	ColjStatus	status;			/* first failure, or COLJ_OK */
	uint32_t	steps;			/* children until the next poll */
	ColjIter   *stack;			/* open containers; local at first */
	size_t		depth;
	size_t		room;			/* of the stack */
	ColjIter	local[LOCAL_DEPTH];
} Printer;

/* ---- room ---- */

static char *
fail(Printer *p, ColjStatus status)
{
	p->status = status;
	return NULL;
}

static COLJ_NEVER_INLINE char *
grow_text(Printer *p, char *out, size_t size)
{
	ColjText   *text = p->text;
	size_t		len = out == NULL ? 0 : (size_t) (out - text->data);
	size_t		room = len > TEXT_MIN_ROOM / 2 ? len : TEXT_MIN_ROOM / 2;
	char	   *data;

	if (len > text->max || size > text->max - len)
		return fail(p, COLJ_TOO_LARGE);
	if (room < len + size)
		room = len + size;
	room = room < text->max / 2 ? room * 2 : text->max;
	data = text->host->resize(text->host->arg, text->data, room);
	if (data == NULL)
		return fail(p, COLJ_NO_MEMORY);
	text->data = data;
	text->room = room;
	p->limit = data + room;
	return data + len;
}

/* Make sure of room for size bytes; the text may move. */
static inline char *
need(Printer *p, char *out, size_t size)
{
	if (COLJ_LIKELY((size_t) (p->limit - out) >= size))
		return out;
	return grow_text(p, out, size);
}

static inline char *
put_bytes(Printer *p, char *out, const char *bytes, size_t len)
{
	out = need(p, out, len);
	if (out == NULL)
		return NULL;
	memcpy(out, bytes, len);
	return out + len;
}

/* ---- numbers ---- */

/* Digits of the longest mantissa, and the powers of ten that have no more. */
#define MANTISSA_DIGITS 19

static const uint64_t power_of_ten[MANTISSA_DIGITS] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000
};

/* Room for any number, beyond its scale, and for words that end behind it. */
#define NUMBER_ROOM 32

/*
 * The eight digits of n < 10^8 as a word of bytes 0..9, the first digit in the
 * lowest byte: n is split into halves, those into pairs, those into digits.
 * Each step puts the quotients where the whole was and the remainders above:
 * (x << shift) - q * ((d << shift) - 1) is q + ((x - q * d) << shift).  Division
 * by 100 and 10 is a multiplication, exact for numbers this small.
 */
static inline uint64_t
digits_word(uint32_t n)
{
	uint64_t	x = ((uint64_t) n << 32) - n / 10000 * ((UINT64_C(10000) << 32) - 1);
	uint64_t	q = (x * 5243 >> 19) & UINT64_C(0x0000007F0000007F);

	x = (x << 16) - q * ((100 << 16) - 1);
	q = (x * 103 >> 10) & UINT64_C(0x000F000F000F000F);
	return (x << 8) - q * ((10 << 8) - 1);
}

static inline void
store_digits(char *out, uint64_t digits)
{
	colj_word_store(out, digits + COLJ_EACH_BYTE('0'));
}

/* Write the digits of n < 10^8 without leading zeros. */
static inline char *
write_few_digits(uint32_t n, char *out)
{
	uint64_t	digits = digits_word(n);
	uint32_t	zeros = colj_word_first(digits | UINT64_C(1) << 56);

	store_digits(out, digits >> (8 * zeros));
	return out + COLJ_WORD - zeros;
}

/* Write the digits of n.  May spoil 7 bytes behind them. */
static char *
write_digits(uint64_t n, char *out)
{
	const uint32_t unit = 100000000;
	uint64_t	high = n / unit;
	uint32_t	top;

	if (high == 0)
		return write_few_digits((uint32_t) n, out);
	if (high < unit)
		out = write_few_digits((uint32_t) high, out);
	else
	{
		top = (uint32_t) (high / unit);
		/* doubles have up to 17 digits, so that this is often just one */
		if (top < 10)
			*out++ = (char) ('0' + top);
		else
			out = write_few_digits(top, out);
		store_digits(out, digits_word((uint32_t) (high % unit)));
		out += COLJ_WORD;
	}
	store_digits(out, digits_word((uint32_t) (n % unit)));
	return out + COLJ_WORD;
}

/* Write n / 10^scale where that is below 1. */
static inline char *
write_fraction(uint64_t n, uint32_t scale, char *out)
{
	char	   *end;
	uint32_t	digits;

	memcpy(out, "0.", 2);
	out += 2;
	end = write_digits(n, out);
	digits = (uint32_t) (end - out);
	if (digits < scale)
	{
		memmove(out + scale - digits, out, digits);
		memset(out, '0', scale - digits);
	}
	return out + scale;
}

/*
 * Write n / 10^scale, scale > 0: the digits one byte to the right, so that
 * those before the point can move left.
 */
static inline char *
write_decimal(uint64_t n, uint32_t scale, char *out)
{
	char	   *end;
	char	   *point;

	if (scale >= MANTISSA_DIGITS || n < power_of_ten[scale])
		return write_fraction(n, scale, out);
	end = write_digits(n, out + 1);
	for (point = end - scale - 1; out < point; out++)
		out[0] = out[1];
	*point = '.';
	return end;
}

static inline char *
write_number(int64_t mantissa, uint32_t scale, char *out)
{
	uint64_t	n = (uint64_t) mantissa;

	if (mantissa < 0)
	{
		*out++ = '-';
		n = 0 - n;
	}
	return scale == 0 ? write_digits(n, out) : write_decimal(n, scale, out);
}

uint32_t
colj_number_text(int64_t mantissa, uint32_t scale, char *out)
{
	return (uint32_t) (write_number(mantissa, scale, out) - out);
}

/* A number where words written behind it might not fit. */
static COLJ_NEVER_INLINE char *
put_number_tight(Printer *p, char *out, int64_t mantissa, uint32_t scale)
{
	char		number[COLJ_NUMBER_TEXT_MAX];

	return put_bytes(p, out, number, colj_number_text(mantissa, scale, number));
}

static inline char *
put_number(Printer *p, char *out, int64_t mantissa, uint32_t scale)
{
	if (COLJ_UNLIKELY(p->limit - out < (ptrdiff_t) scale + NUMBER_ROOM))
		return put_number_tight(p, out, mantissa, scale);
	return write_number(mantissa, scale, out);
}

static COLJ_NEVER_INLINE char *
put_bignum(Printer *p, char *out, const ColjValue *value)
{
	ColjText   *text = p->text;
	const uint8_t *bytes = (const uint8_t *) colj_bytes(p->doc, value);
	const char *number;
	uint32_t	len;

	if (bytes == NULL)
		return fail(p, COLJ_CORRUPT);
	if (text->bignum == NULL)
		return fail(p, COLJ_UNUSUAL);
	p->status = text->bignum(text->host->arg, bytes, value->len, &number, &len);
	if (p->status == COLJ_CORRUPT && p->doc->problem == NULL)
		p->doc->problem = "A number's digits are out of range.";
	if (p->status != COLJ_OK)
		return NULL;
	return put_bytes(p, out, number, len);
}

/* ---- strings ---- */

/* Copy bytes up to the first special one; returns their number. */
static inline uint32_t
copy_bytes(char *out, const char *s, uint32_t len)
{
	uint32_t	i;

	for (i = 0; i < len && !colj_byte_special((uint8_t) s[i]); i++)
		out[i] = s[i];
	return i;
}

/*
 * The same for fewer bytes than a word, by way of a whole one where both the
 * document and the text have it.  The bytes behind the string are marked too.
 */
static COLJ_ALWAYS_INLINE uint32_t
copy_few(const Printer *p, char *out, const char *s, uint32_t len)
{
	uint64_t	word;
	uint64_t	mask;

	if (COLJ_UNLIKELY((const char *) p->doc->data + p->doc->avail - s < COLJ_WORD ||
					  p->limit - out < COLJ_WORD))
		return copy_bytes(out, s, len);
	word = colj_word_load(s);
	mask = colj_word_special_mask(word) | UINT64_C(0x80) << (8 * len);
	colj_word_store(out, word);
	return colj_word_first(mask);
}

/*
 * The same for any number of bytes.  The last word overlaps the one before it,
 * of which it is known already that nothing in it is special.
 */
static COLJ_ALWAYS_INLINE uint32_t
copy_plain(const Printer *p, char *out, const char *s, uint32_t len)
{
	uint32_t	last = len - COLJ_WORD;
	uint32_t	i = 0;

	if (len < COLJ_WORD)
		return copy_few(p, out, s, len);
	for (;;)
	{
		uint64_t	word = colj_word_load(s + i);
		uint64_t	mask = colj_word_special_mask(word);

		colj_word_store(out + i, word);
		if (COLJ_UNLIKELY(mask != 0))
			return i + colj_word_first(mask);
		if (i == last)
			return len;
		i = last - i < COLJ_WORD ? last : i + COLJ_WORD;
	}
}

/* Escapes of two bytes; other special bytes take six, as in "\u001f". */
static const char short_escape[128] = {
	['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
	['"'] = '"', ['\\'] = '\\'
};

/* Write the escape of a special byte. */
static inline char *
write_escape(char *out, uint8_t c)
{
	*out++ = '\\';
	if (short_escape[c] != 0)
		*out++ = short_escape[c];
	else
	{
		memcpy(out, "u00", 3);
		out[3] = "01"[c >> 4];
		out[4] = "0123456789abcdef"[c & 0x0F];
		out += 5;
	}
	return out;
}

/*
 * The rest of a string that has escapes, from the first of them on.  Each time
 * room is asked for as if nothing but this escape were to come: enough in
 * most texts, and never six times too much.
 */
static COLJ_NEVER_INLINE char *
put_escaped(Printer *p, char *out, const char *s, uint32_t len)
{
	while (len > 0)
	{
		uint8_t		c = (uint8_t) *s++;
		uint32_t	plain;

		out = need(p, out, (short_escape[c] != 0 ? 2 : 6) + (size_t) --len);
		if (out == NULL)
			return NULL;
		out = write_escape(out, c);
		plain = copy_plain(p, out, s, len);
		out += plain;
		s += plain;
		len -= plain;
	}
	return out;
}

/* A quoted string between two short texts. */
static COLJ_ALWAYS_INLINE char *
put_string(Printer *p, char *out, const char *before, uint32_t nbefore,
		   const char *s, uint32_t len, const char *after, uint32_t nafter)
{
	uint32_t	plain;

	out = need(p, out, (size_t) nbefore + len + nafter);
	if (out == NULL)
		return NULL;
	memcpy(out, before, nbefore);
	out += nbefore;
	plain = copy_plain(p, out, s, len);
	out += plain;
	if (COLJ_LIKELY(plain == len))
	{
		memcpy(out, after, nafter);
		return out + nafter;
	}
	out = put_escaped(p, out, s + plain, len - plain);
	return out == NULL ? NULL : put_bytes(p, out, after, nafter);
}

static COLJ_ALWAYS_INLINE char *
put_key(Printer *p, char *out, const ColjKey *key, bool first)
{
	if (first)
		return put_string(p, out, "\"", 1, key->bytes, key->len, "\": ", 3);
	return put_string(p, out, ", \"", 3, key->bytes, key->len, "\": ", 3);
}

static COLJ_ALWAYS_INLINE char *
put_string_value(Printer *p, char *out, const ColjValue *value)
{
	const char *bytes = colj_bytes(p->doc, value);

	if (bytes == NULL)
		return fail(p, COLJ_CORRUPT);
	return put_string(p, out, "\"", 1, bytes, value->len, "\"", 1);
}

/* ---- values ---- */

/* Move the stack into twice the memory. */
static bool
grow_stack(Printer *p)
{
	const ColjHost *host = p->text->host;
	bool		local = p->stack == p->local;
	ColjIter   *stack = NULL;

	if (p->room <= SIZE_MAX / 2 / sizeof(ColjIter))
		stack = host->resize(host->arg, local ? NULL : p->stack,
							 p->room * 2 * sizeof(ColjIter));
	if (stack == NULL)
		return false;
	if (local)
		memcpy(stack, p->local, sizeof(p->local));
	p->stack = stack;
	p->room *= 2;
	return true;
}

static inline char *
open_container(Printer *p, char *out, const ColjValue *value)
{
	if (COLJ_UNLIKELY(p->depth == p->room) && !grow_stack(p))
		return fail(p, COLJ_NO_MEMORY);
	p->status = colj_iter_open(p->doc, value, &p->stack[p->depth]);
	if (p->status != COLJ_OK)
		return NULL;
	p->depth++;
	return put_bytes(p, out, value->kind == COLJ_OBJECT ? "{" : "[", 1);
}

/* Write a scalar, or the start of a container. */
static COLJ_ALWAYS_INLINE char *
put_value(Printer *p, char *out, const ColjValue *value)
{
	switch (value->kind)
	{
		case COLJ_NULL:
			return put_bytes(p, out, "null", 4);
		case COLJ_BOOL:
			if (value->integer)
				return put_bytes(p, out, "true", 4);
			return put_bytes(p, out, "false", 5);
		case COLJ_STRING:
			return put_string_value(p, out, value);
		case COLJ_INT:
			return put_number(p, out, value->integer, 0);
		case COLJ_DECIMAL:
			return put_number(p, out, value->integer, value->scale);
		case COLJ_BIGNUM:
			return put_bignum(p, out, value);
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			break;
	}
	return open_container(p, out, value);
}

static void
poll(Printer *p)
{
	const ColjHost *host = p->text->host;

	p->steps = COLJ_POLL_EVERY;
	if (host->poll != NULL)
		host->poll(host->arg);
}

/*
 * Behind a value: close the containers that end here and go on to the next
 * value, or to the end of the text (depth is then 0).
 */
static COLJ_ALWAYS_INLINE char *
put_between(Printer *p, char *out, ColjValue *value)
{
	while (p->depth > 0 && out != NULL)
	{
		ColjIter   *iter = &p->stack[p->depth - 1];
		bool		object = iter->c.kind == COLJ_OBJECT;
		bool		first = iter->i == 0;
		ColjKey		key;
		ColjStatus	status = colj_iter_next(iter, &key, value);

		if (COLJ_LIKELY(status == COLJ_OK))
		{
			if (object)
				return put_key(p, out, &key, first);
			return first ? out : put_bytes(p, out, ", ", 2);
		}
		if (status != COLJ_ABSENT)
			return fail(p, status);
		p->depth--;
		out = put_bytes(p, out, object ? "}" : "]", 1);
	}
	return out;
}

static char *
put_tree(Printer *p, char *out, const ColjValue *root)
{
	ColjValue	value = *root;

	do
	{
		if (COLJ_UNLIKELY(--p->steps == 0))
			poll(p);
		out = put_value(p, out, &value);
		if (COLJ_LIKELY(out != NULL))
			out = put_between(p, out, &value);
	} while (p->depth > 0 && out != NULL);
	return out;
}

/* Begin to append; returns the place. */
static inline char *
begin(Printer *p, ColjText *text, ColjDoc *doc)
{
	p->text = text;
	p->doc = doc;
	p->status = COLJ_OK;
	p->limit = text->data == NULL ? NULL : text->data + text->room;
	return text->data == NULL ? NULL : text->data + text->len;
}

static inline ColjStatus
end(Printer *p, const char *out)
{
	if (out != NULL)
		p->text->len = (size_t) (out - p->text->data);
	return p->status;
}

ColjStatus
colj_print(ColjText *text, ColjDoc *doc, const ColjValue *value)
{
	Printer		p;
	char	   *out = begin(&p, text, doc);

	p.steps = COLJ_POLL_EVERY;
	p.stack = p.local;
	p.depth = 0;
	p.room = LOCAL_DEPTH;
	out = put_tree(&p, out, value);
	if (p.stack != p.local)
		text->host->resize(text->host->arg, p.stack, 0);
	return end(&p, out);
}

ColjStatus
colj_print_bytes(ColjText *text, const char *bytes, size_t len)
{
	Printer		p;
	char	   *out = begin(&p, text, NULL);

	return end(&p, put_bytes(&p, out, bytes, len));
}

ColjStatus
colj_print_string(ColjText *text, const char *bytes, uint32_t len, const char *limit)
{
	Printer		p;
	ColjDoc		doc;
	char	   *out = begin(&p, text, &doc);

	doc.data = (const uint8_t *) bytes;
	doc.avail = (uint32_t) (limit - bytes);
	return end(&p, put_string(&p, out, "\"", 1, bytes, len, "\"", 1));
}

ColjStatus
colj_print_number(ColjText *text, int64_t mantissa, uint32_t scale)
{
	Printer		p;
	char	   *out = begin(&p, text, NULL);

	return end(&p, put_number(&p, out, mantissa, scale));
}
