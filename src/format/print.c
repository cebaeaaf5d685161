/*-------------------------------------------------------------------------
 *
 * print.c
 *	  Documents to JSON text, as jsonb_out writes it.
 *
 * Iterative over nesting: the iterators of the open containers stand on a
 * stack of our own, so that no document, however deep, can exhaust the C
 * stack.  The first few levels need no allocation.
 *
 * Room in the text is asked for before bytes are written, and exactly as much
 * as they are, so that text->max is exact too.
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
	ColjDoc    *doc;
	ColjStatus	status;			/* first failure, or COLJ_OK */
	uint32_t	steps;			/* children until the next poll */
	ColjIter   *stack;			/* open containers: local, or the host's memory */
	size_t		depth;
	size_t		room;
	ColjIter	local[LOCAL_DEPTH];
} Printer;

/* ---- room ---- */

static bool
grow_text(ColjText *text, size_t size, ColjStatus *status)
{
	const ColjHost *host = text->host;
	size_t		room = text->len;
	char	   *data;

	*status = COLJ_TOO_LARGE;
	if (text->len > text->max || size > text->max - text->len)
		return false;
	room = room > TEXT_MIN_ROOM / 2 ? room : TEXT_MIN_ROOM / 2;
	if (room < text->len + size)
		room = text->len + size;
	room = room < text->max / 2 ? room * 2 : text->max;
	*status = COLJ_NO_MEMORY;
	data = host->resize(host->arg, text->data, room);
	if (data == NULL)
		return false;
	*status = COLJ_OK;
	text->data = data;
	text->room = room;
	return true;
}

/* Where the next size bytes go; NULL (and a failure) if they cannot. */
static inline char *
make_room(Printer *p, size_t size)
{
	ColjText   *text = p->text;

	if (COLJ_UNLIKELY(text->room - text->len < size) &&
		!grow_text(text, size, &p->status))
		return NULL;
	return text->data + text->len;
}

/* What was written up to end belongs to the text. */
static inline void
keep(Printer *p, const char *end)
{
	p->text->len = (size_t) (end - p->text->data);
}

static inline void
put_bytes(Printer *p, const char *bytes, size_t len)
{
	char	   *out = make_room(p, len);

	if (out == NULL)
		return;
	memcpy(out, bytes, len);
	keep(p, out + len);
}

/* ---- numbers ---- */

static const char digit_pairs[200] =
"00010203040506070809" "10111213141516171819" "20212223242526272829"
"30313233343536373839" "40414243444546474849" "50515253545556575859"
"60616263646566676869" "70717273747576777879" "80818283848586878889"
"90919293949596979899";

static inline uint32_t
count_digits(uint64_t n)
{
	static const uint64_t power[20] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
		1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
		100000000000000, 1000000000000000, 10000000000000000,
		100000000000000000, 1000000000000000000, UINT64_C(10000000000000000000)
	};
	uint32_t	bits = 64 - (uint32_t) __builtin_clzll(n | 1);

	/* 1233 / 4096 is log10(2), near enough to be at most one too low. */
	uint32_t	guess = bits * 1233 >> 12;

	return guess + (n >= power[guess]);
}

/* Write the digits of n so that they end before end; returns their start. */
static inline char *
write_digits(uint64_t n, char *end)
{
	while (n >= 100)
	{
		end -= 2;
		memcpy(end, digit_pairs + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10)
	{
		end -= 2;
		memcpy(end, digit_pairs + n * 2, 2);
	}
	else
		*--end = (char) ('0' + n);
	return end;
}

static inline uint64_t
magnitude(int64_t n)
{
	return n < 0 ? 0 - (uint64_t) n : (uint64_t) n;
}

/* The length of what write_number writes. */
static inline uint32_t
number_length(int64_t mantissa, uint32_t scale)
{
	uint32_t	digits = count_digits(magnitude(mantissa));

	if (scale > 0)
		digits = (digits > scale ? digits : scale + 1) + 1;
	return digits + (mantissa < 0);
}

/*
 * Write a number into its number_length bytes: all digits to the right end,
 * zeros before them, and at last the digits before the point one to the left.
 */
static inline void
write_number(int64_t mantissa, uint32_t scale, char *out, uint32_t len)
{
	char	   *end = out + len;
	char	   *point = end - scale - 1;
	char	   *start = write_digits(magnitude(mantissa), end);

	if (mantissa < 0)
		*out++ = '-';
	if (scale == 0)
		return;
	while (start > out + 1)
		*--start = '0';
	for (; out < point; out++)
		out[0] = out[1];
	*point = '.';
}

uint32_t
colj_number_text(int64_t mantissa, uint32_t scale, char *out)
{
	uint32_t	len = number_length(mantissa, scale);

	write_number(mantissa, scale, out, len);
	return len;
}

static inline void
put_number(Printer *p, int64_t mantissa, uint32_t scale)
{
	uint32_t	len = number_length(mantissa, scale);
	char	   *out = make_room(p, len);

	if (out == NULL)
		return;
	write_number(mantissa, scale, out, len);
	keep(p, out + len);
}

static void
put_bignum(Printer *p, const ColjValue *value)
{
	const uint8_t *bytes = (const uint8_t *) colj_bytes(p->doc, value);
	const char *text;
	uint32_t	len;

	if (bytes == NULL)
		p->status = COLJ_CORRUPT;
	else if (p->text->bignum == NULL)
		p->status = COLJ_UNUSUAL;
	else
		p->status = p->text->bignum(p->text->host->arg, bytes, value->len,
									&text, &len);
	if (p->status == COLJ_OK)
		put_bytes(p, text, len);
}

/* ---- strings ---- */

/* Copy at most 7 bytes up to the first special one; returns their number. */
static inline uint32_t
copy_few(char *out, const char *s, uint32_t len)
{
	uint32_t	i;

	for (i = 0; i < len && !colj_byte_special((uint8_t) s[i]); i++)
		out[i] = s[i];
	return i;
}

/*
 * Copy bytes up to the first special one; returns their number.  Up to len
 * bytes of out may be written.  The last word overlaps the one before it, of
 * which it is known already that nothing in it is special.
 */
static inline uint32_t
copy_plain(char *out, const char *s, uint32_t len)
{
	uint32_t	i = 0;

	if (len < COLJ_WORD)
		return copy_few(out, s, len);
	for (;;)
	{
		uint64_t	mask = colj_word_special_mask(colj_word_load(s + i));

		memcpy(out + i, s + i, COLJ_WORD);
		if (COLJ_UNLIKELY(mask != 0))
			return i + colj_word_first(mask);
		if (i == len - COLJ_WORD)
			return len;
		i += COLJ_WORD;
		if (i > len - COLJ_WORD)
			i = len - COLJ_WORD;
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
static bool
put_escaped(Printer *p, const char *s, uint32_t len)
{
	while (len > 0)
	{
		uint8_t		c = (uint8_t) *s++;
		char	   *out = make_room(p, (short_escape[c] != 0 ? 2 : 6) + (size_t) --len);
		uint32_t	plain;

		if (out == NULL)
			return false;
		out = write_escape(out, c);
		plain = copy_plain(out, s, len);
		keep(p, out + plain);
		s += plain;
		len -= plain;
	}
	return true;
}

/* A quoted string between two short texts. */
static inline void
put_string(Printer *p, const char *before, uint32_t nbefore,
		   const char *s, uint32_t len, const char *after, uint32_t nafter)
{
	char	   *out = make_room(p, (size_t) nbefore + len + nafter);
	uint32_t	plain;

	if (out == NULL)
		return;
	memcpy(out, before, nbefore);
	out += nbefore;
	plain = copy_plain(out, s, len);
	keep(p, out + plain);
	if (COLJ_UNLIKELY(plain < len) && !put_escaped(p, s + plain, len - plain))
		return;
	put_bytes(p, after, nafter);
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
	{
		p->status = COLJ_NO_MEMORY;
		return false;
	}
	if (local)
		memcpy(stack, p->local, sizeof(p->local));
	p->stack = stack;
	p->room *= 2;
	return true;
}

static inline void
open_container(Printer *p, const ColjValue *value)
{
	if (COLJ_UNLIKELY(p->depth == p->room) && !grow_stack(p))
		return;
	p->status = colj_iter_open(p->doc, value, &p->stack[p->depth]);
	if (p->status != COLJ_OK)
		return;
	p->depth++;
	put_bytes(p, value->kind == COLJ_OBJECT ? "{" : "[", 1);
}

/* Write a scalar, or the start of a container. */
static inline void
put_value(Printer *p, const ColjValue *value)
{
	const char *bytes;

	switch (value->kind)
	{
		case COLJ_STRING:
			bytes = colj_bytes(p->doc, value);
			if (bytes == NULL)
				p->status = COLJ_CORRUPT;
			else
				put_string(p, "\"", 1, bytes, value->len, "\"", 1);
			break;
		case COLJ_INT:
			put_number(p, value->integer, 0);
			break;
		case COLJ_DECIMAL:
			put_number(p, value->integer, value->scale);
			break;
		case COLJ_NULL:
			put_bytes(p, "null", 4);
			break;
		case COLJ_BOOL:
			put_bytes(p, value->integer ? "true" : "false", value->integer ? 4 : 5);
			break;
		case COLJ_BIGNUM:
			put_bignum(p, value);
			break;
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			open_container(p, value);
			break;
	}
}

/* The next child of the innermost container with what stands before it. */
static inline void
put_child(Printer *p, ColjIter *iter)
{
	bool		first = iter->i == 0;
	ColjKey		key;
	ColjValue	value;

	p->status = colj_iter_next(iter, &key, &value);
	if (p->status == COLJ_ABSENT)
	{
		p->status = COLJ_OK;
		p->depth--;
		put_bytes(p, iter->c.kind == COLJ_OBJECT ? "}" : "]", 1);
		return;
	}
	if (p->status != COLJ_OK)
		return;
	if (iter->c.kind == COLJ_OBJECT)
		put_string(p, first ? "\"" : ", \"", first ? 1 : 3,
				   key.bytes, key.len, "\": ", 3);
	else if (!first)
		put_bytes(p, ", ", 2);
	if (COLJ_LIKELY(p->status == COLJ_OK))
		put_value(p, &value);
}

static void
poll(Printer *p)
{
	const ColjHost *host = p->text->host;

	p->steps = COLJ_POLL_EVERY;
	if (host->poll != NULL)
		host->poll(host->arg);
}

ColjStatus
colj_print(ColjText *text, ColjDoc *doc, const ColjValue *value)
{
	Printer		p;

	p.text = text;
	p.doc = doc;
	p.status = COLJ_OK;
	p.steps = COLJ_POLL_EVERY;
	p.stack = p.local;
	p.depth = 0;
	p.room = LOCAL_DEPTH;
	put_value(&p, value);
	while (p.depth > 0 && p.status == COLJ_OK)
	{
		if (COLJ_UNLIKELY(--p.steps == 0))
			poll(&p);
		put_child(&p, &p.stack[p.depth - 1]);
	}
	if (p.stack != p.local)
		text->host->resize(text->host->arg, p.stack, 0);
	return p.status;
}
