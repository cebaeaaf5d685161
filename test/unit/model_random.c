/*-------------------------------------------------------------------------
 *
 * model_random.c
 *	  Random documents that press on the format's edges.
 *
 * Lengths and numbers are drawn mostly from where the layout changes; objects
 * share their keys often enough for shape tables to pay.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "model.h"

#define NKEYS 48
#define NTEMPLATES 4
#define TEMPLATE_MAX 24

typedef struct Maker
{
	Heap	   *heap;
	Random	   *random;
	const RandomSpec *spec;
	uint32_t	left;			/* values still to make */
	ColjKey		keys[NKEYS];	/* what objects call their members */
	uint32_t	ntemplate[NTEMPLATES];
	uint8_t		template[NTEMPLATES][TEMPLATE_MAX];
} Maker;

static Model *make(Maker *m, uint32_t depth);

/* As many bytes as n asks for. */
static uint32_t
given_below(Random *random, uint32_t n)
{
	uint32_t	value = 0;
	uint32_t	max;

	for (max = n - 1; max > 0 && random->left > 0; max >>= 8)
	{
		value = value << 8 | *random->bytes++;
		random->left--;
	}
	return value % n;
}

/* xorshift64*, the high half. */
uint32_t
random_below(Random *random, uint32_t n)
{
	if (random->bytes != NULL)
		return given_below(random, n);
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (uint32_t) (((random->state * UINT64_C(0x2545F4914F6CDD1D)) >> 32) % n);
}

static uint32_t
below(Maker *m, uint32_t n)
{
	return random_below(m->random, n);
}

static const char *
random_bytes(Maker *m, uint32_t len)
{
	char	   *bytes = heap_lend(m->heap, len);
	uint32_t	i;

	for (i = 0; i < len; i++)
		bytes[i] = (char) ('a' + below(m, 26));
	return bytes;
}

static uint32_t
random_length(Maker *m)
{
	static const uint32_t edges[] = {0, 1, 2, 7, 8, 29, 30, 31, 32, 63, 126, 127, 128,
	254, 255, 256, 257, 1000, 65534, 65535, 65536, 65537};
	uint32_t	len = edges[below(m, sizeof(edges) / sizeof(edges[0]))];

	if (below(m, 3) > 0 || len > m->spec->longest)
		len = below(m, m->spec->longest < 40 ? m->spec->longest + 1 : 40);
	return len;
}

static Model *
make_string(Maker *m)
{
	Model	   *model = model_new(m->heap, COLJ_STRING);

	model->len = random_length(m);
	model->bytes = random_bytes(m, model->len);
	return model;
}

/* Around a power of two, of either sign. */
static int64_t
random_integer(Maker *m)
{
	uint64_t	value = (uint64_t) 1 << below(m, 64);

	if (below(m, 3) == 0)
		return (int64_t) below(m, 40) - 5;
	value += below(m, 3);
	value -= 1;
	return (int64_t) (below(m, 2) ? 0 - value : value);
}

static Model *
make_bignum(Maker *m)
{
	Model	   *model = model_new(m->heap, COLJ_BIGNUM);
	uint32_t	ndigits = 1 + below(m, below(m, 8) == 0 ? 200 : 40);
	char	   *text = heap_lend(m->heap, ndigits + 8);
	const uint8_t *bytes;
	uint32_t	i;
	uint32_t	len = 0;

	if (below(m, 2))
		text[len++] = '-';
	for (i = 0; i < ndigits; i++)
		text[len++] = (char) ('0' + below(m, 10));
	text[len++] = 'e';
	text[len++] = below(m, 2) ? '-' : '+';
	text[len++] = (char) ('0' + below(m, 10));
	text[len++] = (char) ('0' + below(m, 10));
	heap_bignum(m->heap, text, len, &bytes, &model->len);
	model->bytes = (const char *) bytes;
	return model;
}

static Model *
make_scalar(Maker *m, uint32_t choice)
{
	Model	   *model;

	switch (choice)
	{
		case 0:
			return model_new(m->heap, COLJ_NULL);
		case 1:
			model = model_new(m->heap, COLJ_BOOL);
			model->integer = below(m, 2);
			return model;
		case 2:
		case 3:
			return model_int(m->heap, random_integer(m));
		case 4:
			return model_decimal(m->heap, random_integer(m), (uint8_t) below(m, 256));
		case 5:
			return below(m, 4) ? model_decimal(m->heap, random_integer(m), 2) : make_bignum(m);
		default:
			return make_string(m);
	}
}

static Model *
make_array(Maker *m, uint32_t depth)
{
	Model	   *array = model_new(m->heap, COLJ_ARRAY);
	uint32_t	n = below(m, below(m, 6) == 0 ? 100 : 6);
	bool		alike = below(m, 2);
	uint32_t	choice = below(m, 8);
	uint32_t	i;

	for (i = 0; i < n && m->left > 0; i++)
	{
		m->left--;
		model_add(m->heap, array, alike ? make_scalar(m, choice) : make(m, depth - 1));
	}
	return array;
}

static void
put_key(Maker *m, Model *object, uint32_t key, uint32_t depth)
{
	if (m->left == 0)
		return;
	m->left--;
	model_put(m->heap, object, m->keys[key].bytes, m->keys[key].len, make(m, depth - 1));
}

static Model *
make_object(Maker *m, uint32_t depth)
{
	Model	   *object = model_new(m->heap, COLJ_OBJECT);
	uint32_t	template = below(m, 2 * NTEMPLATES);
	uint32_t	n;
	uint32_t	i;

	if (template < NTEMPLATES)
	{
		for (i = 0; i < m->ntemplate[template]; i++)
			put_key(m, object, m->template[template][i], depth);
		return object;
	}
	n = below(m, below(m, 6) == 0 ? NKEYS : 6);
	for (i = 0; i < n; i++)
		put_key(m, object, below(m, NKEYS), depth);
	return object;
}

/* Many objects of one template: what a shape table is for. */
static Model *
make_table(Maker *m)
{
	Model	   *array = model_new(m->heap, COLJ_ARRAY);
	uint32_t	template = below(m, NTEMPLATES);
	uint32_t	n = below(m, 12);
	uint32_t	i;
	uint32_t	j;

	for (i = 0; i < n && m->left > 0; i++)
	{
		Model	   *object = model_new(m->heap, COLJ_OBJECT);

		for (j = 0; j < m->ntemplate[template]; j++)
			put_key(m, object, m->template[template][j], 1);
		model_add(m->heap, array, object);
	}
	return array;
}

static Model *
make(Maker *m, uint32_t depth)
{
	uint32_t	choice = below(m, 16);

	if (depth == 0 || choice < 8)
		return make_scalar(m, below(m, 8));
	if (choice < 11)
		return make_array(m, depth);
	if (choice == 11)
		return make_table(m);
	return make_object(m, depth);
}

Model *
model_random(Heap *heap, Random *random, const RandomSpec *spec)
{
	Maker		m = {.heap = heap, .random = random, .spec = spec, .left = spec->nodes};
	uint32_t	i;
	uint32_t	j;

	for (i = 0; i < NKEYS; i++)
	{
		m.keys[i].len = below(&m, 8) == 0 ? random_length(&m) : below(&m, 12);
		m.keys[i].bytes = random_bytes(&m, m.keys[i].len);
	}
	for (i = 0; i < NTEMPLATES; i++)
	{
		m.ntemplate[i] = below(&m, below(&m, 3) ? 8 : TEMPLATE_MAX);
		for (j = 0; j < m.ntemplate[i]; j++)
			m.template[i][j] = (uint8_t) below(&m, NKEYS);
	}
	return make(&m, spec->depth);
}
