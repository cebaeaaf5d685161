/*-------------------------------------------------------------------------
 *
 * model_text.c
 *	  Documents as plain trees: from JSON text and back.
 *
 * The parser takes valid JSON only, and is as simple as can be: it is what
 * the format's own parser is compared with.
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

static uint32_t
hex4(Text *t)
{
	char		digits[5] = "";
	uint32_t	code;

	memcpy(digits, t->at, 4);
	code = (uint32_t) strtoul(digits, NULL, 16);
	t->at += 4;
	return code;
}

static uint32_t
parse_escape(Text *t, char *out)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	char		c = *t->at++;
	uint32_t	code;

	if (c != 'u')
	{
		out[0] = to[strchr(from, c) - from];
		return 1;
	}
	code = hex4(t);
	if (code >= 0xD800 && code < 0xDC00)
	{
		t->at += 2;
		code = 0x10000 + ((code - 0xD800) << 10) + (hex4(t) - 0xDC00);
	}
	return put_utf8(out, code);
}

/* The string whose quote has been taken. */
static Model *
parse_string(Text *t)
{
	Model	   *model = model_new(t->heap, COLJ_STRING);
	const char *end = t->at;
	char	   *out;

	while (*end != '"')
		end += *end == '\\' ? 2 : 1;
	model->bytes = out = heap_lend(t->heap, end - t->at);
	while (*t->at != '"')
	{
		if (*t->at != '\\')
			*out++ = *t->at++;
		else
		{
			t->at++;
			out += parse_escape(t, out);
		}
	}
	t->at++;
	model->len = (uint32_t) (out - model->bytes);
	return model;
}

/* The digits of a BIGNUM that is small enough, as an integer or decimal. */
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

static Model *
parse_number(Text *t)
{
	size_t		len = strspn(t->at, "+-.0123456789eE");
	Model	   *model = model_new(t->heap, COLJ_BIGNUM);
	const uint8_t *bytes;
	int64_t		mantissa;
	uint8_t		scale;

	if (len == 0 || !heap_bignum(t->heap, t->at, (uint32_t) len, &bytes, &model->len))
		abort();
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

	while (!take(t, '}'))
	{
		Model	   *key;

		take(t, ',');
		if (!take(t, '"'))
			abort();
		key = parse_string(t);
		take(t, ':');
		model_put(t->heap, model, key->bytes, key->len, parse_value(t));
	}
	return model;
}

static Model *
parse_array(Text *t)
{
	Model	   *model = model_new(t->heap, COLJ_ARRAY);

	while (!take(t, ']'))
	{
		take(t, ',');
		model_add(t->heap, model, parse_value(t));
	}
	return model;
}

static Model *
parse_word(Text *t)
{
	Model	   *model = model_new(t->heap, *t->at == 'n' ? COLJ_NULL : COLJ_BOOL);

	model->integer = *t->at == 't';
	t->at += strspn(t->at, "abcdefghijklmnopqrstuvwxyz");
	return model;
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

	return parse_value(&t);
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
