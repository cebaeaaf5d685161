/*-------------------------------------------------------------------------
 *
 * parse.c
 *	  JSON text to builder events: the fast path.
 *
 * One pass over the text, without recursion: the closing bracket that each
 * open container waits for stands on a small stack.  Every function gets a
 * position in the text and returns the position behind what it has read, or
 * NULL when the text is not plain, valid JSON; all NULLs end in COLJ_UNUSUAL,
 * because core's parser will look at the same text and find the right error
 * (or the right value) for it.
 *
 * Strings and keys without escapes are handed on as pointers into the text.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "text.h"

#include "scan.h"

/* The digits of any int64, and of no more than fit in a uint64. */
#define INT64_DIGITS 19

/* Exponents from here on are certain to need a BIGNUM, or to be too large. */
#define EXPONENT_LIMIT 10000

typedef struct Parser
{
	ColjBuilder *b;
	const char *end;			/* of the text */
	bool		utf8;
	uint32_t	steps;			/* values until the next poll */
	uint32_t	depth;			/* open containers */
	char		closer[COLJ_PARSE_DEPTH_MAX];	/* the bracket each waits for */
} Parser;

/* A number's text, read: (-1)^negative * mantissa / 10^scale. */
typedef struct Number
{
	uint64_t	mantissa;
	int32_t		scale;
	bool		negative;
	bool		big;			/* does not fit the above */
} Number;

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Skip white space; indentation comes in words of spaces. */
static COLJ_ALWAYS_INLINE const char *
skip_space(const Parser *p, const char *s)
{
	if (COLJ_LIKELY(s < p->end && (uint8_t) *s > ' '))
		return s;
	while (s < p->end && is_space(*s))
	{
		s++;
		while (p->end - s >= COLJ_WORD && colj_word_load(s) == COLJ_EACH_BYTE(' '))
			s += COLJ_WORD;
	}
	return s;
}

/* ---- strings ---- */

/* Value of a hexadecimal digit plus one; 0 for any other byte. */
static const uint8_t hex_digit[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5,
	['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
	['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16
};

/* What the character after a backslash stands for; 0 when not one byte. */
static const char simple_escape[256] = {
	['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b',
	['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
};

/* Read a UTF-16 unit: "\u" and four hexadecimal digits. */
static inline const char *
read_unit(const char *s, const char *end, uint32_t *unit)
{
	uint32_t	value = 0;

	if (end - s < 6 || s[0] != '\\' || s[1] != 'u')
		return NULL;
	for (int i = 2; i < 6; i++)
	{
		uint8_t		digit = hex_digit[(uint8_t) s[i]];

		if (digit == 0)
			return NULL;
		value = value << 4 | (digit - 1);
	}
	*unit = value;
	return s + 6;
}

/* Read one unit, or two that make a pair of surrogates. */
static inline const char *
read_code_point(const char *s, const char *end, uint32_t *code)
{
	uint32_t	low;

	s = read_unit(s, end, code);
	if (s == NULL || *code < 0xD800 || *code > 0xDFFF)
		return s;
	if (*code >= 0xDC00)
		return NULL;
	s = read_unit(s, end, &low);
	if (s == NULL || low < 0xDC00 || low > 0xDFFF)
		return NULL;
	*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
	return s;
}

static inline char *
write_utf8(char *out, uint32_t code)
{
	if (code < 0x80)
	{
		*out++ = (char) code;
		return out;
	}
	if (code < 0x800)
		*out++ = (char) (0xC0 | code >> 6);
	else
	{
		if (code < 0x10000)
			*out++ = (char) (0xE0 | code >> 12);
		else
		{
			*out++ = (char) (0xF0 | code >> 18);
			*out++ = (char) (0x80 | (code >> 12 & 0x3F));
		}
		*out++ = (char) (0x80 | (code >> 6 & 0x3F));
	}
	*out++ = (char) (0x80 | (code & 0x3F));
	return out;
}

/* Undo the escape at s, appending to *out, which has room. */
static inline const char *
unescape_one(const Parser *p, const char *s, const char *end, char **out)
{
	char		simple = simple_escape[(uint8_t) s[1]];
	uint32_t	code = 0;

	if (simple != 0)
	{
		*(*out)++ = simple;
		return s + 2;
	}
	s = read_code_point(s, end, &code);
	if (s == NULL || code == 0 || (code >= 0x80 && !p->utf8))
		return NULL;
	*out = write_utf8(*out, code);
	return s;
}

/*
 * Find the closing quote of a string, given its first escape.  The byte after
 * a backslash is skipped unseen: unescape_one judges it.
 */
static const char *
find_closing_quote(const Parser *p, const char *s)
{
	while (s < p->end && *s == '\\')
	{
		if (p->end - s < 2)
			return NULL;
		s = colj_scan_special(s + 2, p->end);
	}
	return s < p->end && *s == '"' ? s : NULL;
}

/*
 * A string with escapes, from its first byte, its first escape being at
 * escape.  No escape is shorter than what it stands for, so the text's length
 * is room enough.
 */
static COLJ_NEVER_INLINE const char *
parse_escaped(Parser *p, const char *s, const char *escape,
			  const char **bytes, uint32_t *len)
{
	const char *end = find_closing_quote(p, escape);
	char	   *out;

	if (end == NULL)
		return NULL;
	out = colj_builder_scratch(p->b, (size_t) (end - s));
	if (out == NULL)
		return NULL;
	*bytes = out;
	for (;;)
	{
		memcpy(out, s, (size_t) (escape - s));
		out += escape - s;
		if (escape == end)
			break;
		s = unescape_one(p, escape, end, &out);
		if (s == NULL)
			return NULL;
		escape = colj_scan_special(s, end);
	}
	*len = (uint32_t) (out - *bytes);
	return end + 1;
}

/* A string, from behind its opening quote. */
static COLJ_ALWAYS_INLINE const char *
parse_string(Parser *p, const char *s, const char **bytes, uint32_t *len)
{
	const char *stop = colj_scan_special(s, p->end);

	if (COLJ_UNLIKELY(stop == p->end))
		return NULL;
	if (COLJ_LIKELY(*stop == '"'))
	{
		*bytes = s;
		*len = (uint32_t) (stop - s);
		return stop + 1;
	}
	return *stop == '\\' ? parse_escaped(p, s, stop, bytes, len) : NULL;
}

/* ---- numbers ---- */

/* Append the digits at s to a number; it wraps around when they are many. */
static inline const char *
read_digits(const char *s, const char *end, uint64_t *number)
{
	static const uint64_t power[COLJ_WORD] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000
	};

	while (end - s >= COLJ_WORD)
	{
		uint64_t	word = colj_word_load(s);
		uint64_t	mask = colj_word_nondigit_mask(word);
		uint32_t	n;

		if (mask != 0)
		{
			n = colj_word_first(mask);
			if (n > 0)
				*number = *number * power[n] + colj_word_number(word, n);
			return s + n;
		}
		*number = *number * 100000000 + colj_word_number(word, COLJ_WORD);
		s += COLJ_WORD;
	}
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		*number = *number * 10 + (uint64_t) (*s - '0');
	return s;
}

/* Are there so many digits that the mantissa may have wrapped around? */
static bool
too_many_digits(const char *s, const char *end)
{
	int			n = 0;

	while (s < end && (*s == '0' || *s == '.'))
		s++;
	for (; s < end && n <= INT64_DIGITS; s++)
		n += (*s != '.');
	return n > INT64_DIGITS;
}

/* From behind the 'e'.  A too large exponent stops growing. */
static const char *
read_exponent(const char *s, const char *end, int32_t *exponent)
{
	int32_t		value = 0;
	bool		negative = s < end && *s == '-';
	const char *digits;

	if (s < end && (*s == '-' || *s == '+'))
		s++;
	for (digits = s; s < end && *s >= '0' && *s <= '9'; s++)
	{
		if (value < EXPONENT_LIMIT)
			value = value * 10 + (*s - '0');
	}
	*exponent = negative ? -value : value;
	return s > digits ? s : NULL;
}

/*
 * Apply an exponent as numeric does: it takes away from the scale, and what
 * the scale cannot give is multiplied into the mantissa.
 */
static void
apply_exponent(Number *number, int32_t exponent)
{
	if (exponent >= EXPONENT_LIMIT || exponent <= -EXPONENT_LIMIT)
	{
		number->big = true;
		return;
	}
	number->scale -= exponent;
	if (number->mantissa == 0 && number->scale < 0)
		number->scale = 0;
	for (; number->scale < 0; number->scale++)
	{
		if (number->mantissa > INT64_MAX / 10)
		{
			number->big = true;
			return;
		}
		number->mantissa *= 10;
	}
}

/* Read a number in JSON's grammar. */
static inline const char *
read_number(const Parser *p, const char *s, Number *number)
{
	const char *digits;
	const char *point;
	int32_t		exponent;

	number->negative = *s == '-';
	number->mantissa = 0;
	number->scale = 0;
	number->big = false;
	digits = s + number->negative;
	s = read_digits(digits, p->end, &number->mantissa);
	if (s == digits || (*digits == '0' && s - digits > 1))
		return NULL;
	if (s < p->end && *s == '.')
	{
		point = s;
		s = read_digits(point + 1, p->end, &number->mantissa);
		if (s == point + 1)
			return NULL;
		number->scale = (int32_t) (s - point - 1);
	}
	if (s - digits > INT64_DIGITS)
		number->big = too_many_digits(digits, s);
	if (s < p->end && (*s == 'e' || *s == 'E'))
	{
		s = read_exponent(s + 1, p->end, &exponent);
		if (s != NULL)
			apply_exponent(number, exponent);
	}
	return s;
}

/* Hand a number to the host that is too large for us. */
static COLJ_NEVER_INLINE bool
push_bignum(Parser *p, const char *text, const char *end)
{
	const ColjHost *host = p->b->host;
	const uint8_t *bytes;
	uint32_t	size;

	if (host->bignum == NULL ||
		host->bignum(host->arg, text, (uint32_t) (end - text), &bytes, &size) != COLJ_OK)
		return false;
	colj_builder_bignum(p->b, bytes, size);
	return true;
}

static inline const char *
parse_number(Parser *p, const char *s)
{
	Number		number;
	const char *end = read_number(p, s, &number);
	int64_t		value;

	if (end == NULL)
		return NULL;
	if (COLJ_UNLIKELY(number.big || number.scale > COLJ_DECIMAL_SCALE_MAX ||
					  number.mantissa > (uint64_t) INT64_MAX + number.negative))
		return push_bignum(p, s, end) ? end : NULL;
	value = (int64_t) (number.negative ? 0 - number.mantissa : number.mantissa);
	if (number.scale == 0)
		colj_builder_int(p->b, value);
	else
		colj_builder_decimal(p->b, value, (uint8_t) number.scale);
	return end;
}

/* ---- values ---- */

static inline const char *
parse_literal(Parser *p, const char *s)
{
	if (p->end - s >= 4 && memcmp(s, "true", 4) == 0)
	{
		colj_builder_bool(p->b, true);
		return s + 4;
	}
	if (p->end - s >= 4 && memcmp(s, "null", 4) == 0)
	{
		colj_builder_null(p->b);
		return s + 4;
	}
	if (p->end - s >= 5 && memcmp(s, "false", 5) == 0)
	{
		colj_builder_bool(p->b, false);
		return s + 5;
	}
	return NULL;
}

static COLJ_ALWAYS_INLINE const char *
parse_scalar(Parser *p, const char *s)
{
	const char *bytes;
	uint32_t	len;

	if (*s == '"')
	{
		s = parse_string(p, s + 1, &bytes, &len);
		if (COLJ_LIKELY(s != NULL))
			colj_builder_string(p->b, bytes, len);
		return s;
	}
	if (*s == '-' || (*s >= '0' && *s <= '9'))
		return parse_number(p, s);
	return parse_literal(p, s);
}

/* A key and its colon, from behind the brace or comma and white space. */
static COLJ_ALWAYS_INLINE const char *
parse_key(Parser *p, const char *s)
{
	const char *bytes;
	uint32_t	len;

	if (s == p->end || *s != '"')
		return NULL;
	s = parse_string(p, s + 1, &bytes, &len);
	if (s == NULL)
		return NULL;
	colj_builder_key(p->b, bytes, len);
	s = skip_space(p, s);
	if (s == p->end || *s != ':')
		return NULL;
	return skip_space(p, s + 1);
}

/*
 * Open a container.  Stops at its first value, or at its closing bracket; the
 * former when *value.
 */
static COLJ_ALWAYS_INLINE const char *
open_container(Parser *p, const char *s, bool *value)
{
	bool		object = *s == '{';
	char		closer = object ? '}' : ']';

	if (p->depth == COLJ_PARSE_DEPTH_MAX)
		return NULL;
	p->closer[p->depth++] = closer;
	if (object)
		colj_builder_begin_object(p->b);
	else
		colj_builder_begin_array(p->b);
	s = skip_space(p, s + 1);
	*value = s < p->end && *s != closer;
	return *value && object ? parse_key(p, s) : s;
}

/*
 * Behind a value: close the containers that end here and go on to the next
 * value, or to the end of the document (depth is then 0).
 */
static COLJ_ALWAYS_INLINE const char *
next_value(Parser *p, const char *s)
{
	while (p->depth > 0)
	{
		char		closer = p->closer[p->depth - 1];

		s = skip_space(p, s);
		if (s == p->end)
			return NULL;
		if (*s == ',')
		{
			s = skip_space(p, s + 1);
			return closer == '}' ? parse_key(p, s) : s;
		}
		if (*s != closer)
			return NULL;
		colj_builder_end(p->b);
		p->depth--;
		s++;
	}
	return s;
}

/* Is it time to stop, because of an interrupt or a failed push? */
static COLJ_NEVER_INLINE bool
failed_at_poll(Parser *p)
{
	const ColjHost *host = p->b->host;

	p->steps = COLJ_POLL_EVERY;
	if (host->poll != NULL)
		host->poll(host->arg);
	return p->b->status != COLJ_OK;
}

/* The document; ends behind its last byte that is not white space. */
static const char *
parse_document(Parser *p, const char *s)
{
	bool		value;

	s = skip_space(p, s);
	do
	{
		if (s == p->end || (--p->steps == 0 && failed_at_poll(p)))
			return NULL;
		value = false;
		if (*s == '{' || *s == '[')
			s = open_container(p, s, &value);
		else
			s = parse_scalar(p, s);
		if (s != NULL && !value)
			s = next_value(p, s);
	} while (s != NULL && p->depth > 0);
	return s;
}

ColjStatus
colj_parse(ColjBuilder *b, const char *text, size_t len, bool utf8)
{
	Parser		p;
	const char *s;

	if (len > COLJ_MAX_SIZE)
		return COLJ_UNUSUAL;
	p.b = b;
	p.end = text + len;
	p.utf8 = utf8;
	p.steps = COLJ_POLL_EVERY;
	p.depth = 0;
	s = parse_document(&p, text);
	if (b->status != COLJ_OK)
		return b->status;
	return s != NULL && skip_space(&p, s) == p.end ? COLJ_OK : COLJ_UNUSUAL;
}
