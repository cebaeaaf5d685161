/*-------------------------------------------------------------------------
 *
 * model_text.c
 *	  Documents as plain trees: from JSON text and back.
 *
 * The parser is strict, and as simple as can be: it is what the format's own
 * parser is compared with.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Every parse function returns NULL, or false, on what is not JSON. */
typedef struct Text
{
	Heap	   *heap;
	const char *at;
} Text;

static Model *parse_value(Text *t);

static void
skip(Text *t)
{
	t->at += strspn(t->at, " \t\r\n");
}

static bool
take(Text *t, char c)
{
	skip(t);
	if (*t->at != c)
		return false;
	t->at++;
	return true;
}

/* A code point as UTF-8; returns the bytes written. */
static uint32_t
put_utf8(char *out, uint32_t code)
{
	uint32_t	n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	uint32_t	i;

	if (n == 1)
	{
		out[0] = (char) code;
		return 1;
	}
	for (i = n - 1; i > 0; i--)
	{
		out[i] = (char) (0x80 | (code & 0x3F));
		code >>= 6;
	}
	out[0] = (char) ((0xF00 >> n & 0xFF) | code);
	return n;
}

/* The four digits after "\u"; 0, which is no character of JSON's, on failure. */
static uint32_t
hex4(Text *t)
{
	char		digits[5] = "";
	uint32_t	code;

	if (strspn(t->at, "0123456789abcdefABCDEF") < 4)
		return 0;
	memcpy(digits, t->at, 4);
	code = (uint32_t) strtoul(digits, NULL, 16);
	t->at += 4;
	return code;
}

/* A unit or a pair of surrogates, from behind "\u". */
static uint32_t
code_point(Text *t)
{
	uint32_t	code = hex4(t);
	uint32_t	low;

	if (code < 0xD800 || code > 0xDFFF)
		return code;
	if (code >= 0xDC00 || strncmp(t->at, "\\u", 2) != 0)
		return 0;
	t->at += 2;
	low = hex4(t);
	if (low < 0xDC00 || low > 0xDFFF)
		return 0;
	return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

/* An escape from behind its backslash; 0 bytes on failure. */
static uint32_t
parse_escape(Text *t, char *out)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	char		c = *t->at;
	uint32_t	code;

	if (c == '\0')
		return 0;
	t->at++;
	if (c == 'u')
	{
		code = code_point(t);
		return code == 0 ? 0 : put_utf8(out, code);
	}
	if (strchr(from, c) == NULL)
		return 0;
	out[0] = to[strchr(from, c) - from];
	return 1;
}

/* The string whose quote has been taken. */
static Model *
parse_string(Text *t)
{
	Model	   *model = model_new(t->heap, COLJ_STRING);
	char	   *start;
	char	   *out;
	const char *end = t->at;

	/* room for all up to the closing quote: no escape grows */
	while (*end != '"' && *end != '\0')
		end += *end == '\\' && end[1] != '\0' ? 2 : 1;
	start = out = heap_lend(t->heap, (size_t) (end - t->at) + 1);
	while (*t->at != '"')
	{
		uint32_t	n = 1;

		if ((uint8_t) *t->at < 0x20)
			return NULL;
		if (*t->at != '\\')
			*out = *t->at++;
		else
		{
			t->at++;
			n = parse_escape(t, out);
		}
		if (n == 0)
			return NULL;
		out += n;
	}
	t->at++;
	model->bytes = start;
	model->len = (uint32_t) (out - start);
	return model;
}

/* A number's text as an integer or decimal, if it fits. */
static bool
fits(const char *text, int64_t *mantissa, uint8_t *scale)
{
	const char *point = strchr(text, '.');
	size_t		after = point == NULL ? 0 : strlen(point + 1);
	bool		negative = *text == '-';
	uint64_t	value = 0;

	for (text += negative; *text; text++)
	{
		if (*text == '.')
			continue;
		if (value > (UINT64_MAX - 9) / 10)
			return false;
		value = value * 10 + (uint64_t) (*text - '0');
	}
	if (after > COLJ_DECIMAL_SCALE_MAX || value > (uint64_t) INT64_MAX + negative)
		return false;
	*mantissa = negative ? (int64_t) (0 - value) : (int64_t) value;
	*scale = (uint8_t) after;
	return true;
}

/* The length of what is a number by JSON's grammar; 0 for none. */
static size_t
number_length(const char *text)
{
	static const char digits[] = "0123456789";
	const char *s = text + (*text == '-');
	size_t		n = *s == '0' ? 1 : strspn(s, digits);

	if (n == 0)
		return 0;
	s += n;
	if (*s == '.')
	{
		n = strspn(s + 1, digits);
		if (n == 0)
			return 0;
		s += 1 + n;
	}
	if (*s == 'e' || *s == 'E')
	{
		s += s[1] == '+' || s[1] == '-' ? 2 : 1;
		n = strspn(s, digits);
		if (n == 0)
			return 0;
		s += n;
	}
	return (size_t) (s - text);
}

static Model *
parse_number(Text *t)
{
	size_t		len = number_length(t->at);
	Model	   *model = model_new(t->heap, COLJ_BIGNUM);
	const uint8_t *bytes;
	int64_t		mantissa;
	uint8_t		scale;

	if (len == 0 || !heap_bignum(t->heap, t->at, (uint32_t) len, &bytes, &model->len))
		return NULL;
	t->at += len;
	model->bytes = (const char *) bytes;
	if (fits(heap_bignum_text(t->heap, bytes, model->len), &mantissa, &scale))
		return model_decimal(t->heap, mantissa, scale);
	return model;
}

static Model *
parse_object(Text *t)
{
	Model	   *model = model_new(t->heap, COLJ_OBJECT);

	if (take(t, '}'))
		return model;
	do
	{
		Model	   *key = take(t, '"') ? parse_string(t) : NULL;
		Model	   *value = key != NULL && take(t, ':') ? parse_value(t) : NULL;

		if (value == NULL)
			return NULL;
		model_put(t->heap, model, key->bytes, key->len, value);
	} while (take(t, ','));
	return take(t, '}') ? model : NULL;
}

static Model *
parse_array(Text *t)
{
	Model	   *model = model_new(t->heap, COLJ_ARRAY);

	if (take(t, ']'))
		return model;
	do
	{
		Model	   *value = parse_value(t);

		if (value == NULL)
			return NULL;
		model_add(t->heap, model, value);
	} while (take(t, ','));
	return take(t, ']') ? model : NULL;
}

static Model *
parse_word(Text *t)
{
	static const char *const words[] = {"null", "false", "true"};
	size_t		i;

	for (i = 0; i < 3; i++)
	{
		if (strncmp(t->at, words[i], strlen(words[i])) == 0)
		{
			Model	   *model = model_new(t->heap, i == 0 ? COLJ_NULL : COLJ_BOOL);

			model->integer = i == 2;
			t->at += strlen(words[i]);
			return model;
		}
	}
	return NULL;
}

static Model *
parse_value(Text *t)
{
	if (take(t, '{'))
		return parse_object(t);
	if (take(t, '['))
		return parse_array(t);
	if (take(t, '"'))
		return parse_string(t);
	if (*t->at >= 'a' && *t->at <= 'z')
		return parse_word(t);
	return parse_number(t);
}

Model *
model_parse(Heap *heap, const char *text)
{
	Text		t = {heap, text};
	Model	   *model = parse_value(&t);

	skip(&t);
	return *t.at == '\0' ? model : NULL;
}

static void
print_string(FILE *out, const char *bytes, uint32_t len)
{
	static const char from[] = "\"\\\b\f\n\r\t";
	static const char to[] = "\"\\bfnrt";
	uint32_t	i;

	putc('"', out);
	for (i = 0; i < len; i++)
	{
		const char *special = bytes[i] == '\0' ? NULL : strchr(from, bytes[i]);

		if (special != NULL)
			fprintf(out, "\\%c", to[special - from]);
		else if ((uint8_t) bytes[i] < 0x20)
			fprintf(out, "\\u%04x", (uint8_t) bytes[i]);
		else
			putc(bytes[i], out);
	}
	putc('"', out);
}

static void
print_decimal(FILE *out, int64_t mantissa, uint32_t scale)
{
	char		digits[32];
	uint64_t	value = mantissa < 0 ? 0 - (uint64_t) mantissa : (uint64_t) mantissa;
	int			len = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	int			before = len - (int) scale;
	int			i;

	fprintf(out, "%s%.*s", mantissa < 0 ? "-" : "", before > 0 ? before : 1,
			before > 0 ? digits : "0");
	if (scale > 0)
		putc('.', out);
	for (i = before; i < len; i++)
		putc(i < 0 ? '0' : digits[i], out);
}

static void
print_value(Heap *heap, FILE *out, const Model *model)
{
	uint32_t	i;

	switch (model->kind)
	{
		case COLJ_NULL:
			fputs("null", out);
			return;
		case COLJ_BOOL:
			fputs(model->integer ? "true" : "false", out);
			return;
		case COLJ_STRING:
			print_string(out, model->bytes, model->len);
			return;
		case COLJ_INT:
		case COLJ_DECIMAL:
			print_decimal(out, model->integer, model->scale);
			return;
		case COLJ_BIGNUM:
			fputs(heap_bignum_text(heap, (const uint8_t *) model->bytes, model->len), out);
			return;
		default:
			break;
	}
	putc(model->kind == COLJ_OBJECT ? '{' : '[', out);
	for (i = 0; i < model->n; i++)
	{
		if (i > 0)
			fputs(", ", out);
		if (model->kind == COLJ_OBJECT)
		{
			print_string(out, model->key[i].bytes, model->key[i].len);
			fputs(": ", out);
		}
		print_value(heap, out, model->child[i]);
	}
	putc(model->kind == COLJ_OBJECT ? '}' : ']', out);
}

char *
model_print(Heap *heap, const Model *model)
{
	char	   *text = NULL;
	size_t		len = 0;
	FILE	   *out = open_memstream(&text, &len);
	char	   *copy;

	if (out == NULL)
		abort();
	print_value(heap, out, model);
	fclose(out);
	copy = heap_lend(heap, len + 1);
	memcpy(copy, text, len);
	free(text);
	return copy;
}
