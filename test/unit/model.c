/*-------------------------------------------------------------------------
 *
 * model.c
 *	  Documents as plain trees: making and comparing them.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

Model *
model_new(Heap *heap, ColjKind kind)
{
	Model	   *model = heap_lend(heap, sizeof(Model));

	model->kind = kind;
	return model;
}

Model *
model_int(Heap *heap, int64_t value)
{
	Model	   *model = model_new(heap, COLJ_INT);

	model->integer = value;
	return model;
}

Model *
model_decimal(Heap *heap, int64_t mantissa, uint8_t scale)
{
	Model	   *model = model_int(heap, mantissa);

	model->kind = scale == 0 ? COLJ_INT : COLJ_DECIMAL;
	model->scale = scale;
	return model;
}

static const char *
copy_bytes(Heap *heap, const char *bytes, uint32_t len)
{
	char	   *copy = heap_lend(heap, len);

	if (len > 0)
		memcpy(copy, bytes, len);
	return copy;
}

Model *
model_string(Heap *heap, const char *bytes, uint32_t len)
{
	Model	   *model = model_new(heap, COLJ_STRING);

	model->bytes = copy_bytes(heap, bytes, len);
	model->len = len;
	return model;
}

static void
make_room(Heap *heap, Model *model)
{
	Model	  **child;
	ColjKey    *key;

	if (model->n < model->room)
		return;
	model->room = model->room * 2 + 4;
	child = heap_lend(heap, model->room * sizeof(*child));
	key = heap_lend(heap, model->room * sizeof(*key));
	if (model->n > 0)
	{
		memcpy(child, model->child, model->n * sizeof(*child));
		memcpy(key, model->key, model->n * sizeof(*key));
	}
	model->child = child;
	model->key = key;
}

void
model_add(Heap *heap, Model *array, Model *child)
{
	make_room(heap, array);
	array->child[array->n++] = child;
}

void
model_put(Heap *heap, Model *object, const char *key, uint32_t len, Model *child)
{
	make_room(heap, object);
	object->key[object->n] = (ColjKey){copy_bytes(heap, key, len), len};
	object->child[object->n++] = child;
}

/* A pair of an object on its way through qsort, which is not stable. */
typedef struct Pair
{
	ColjKey		key;
	Model	   *child;
	uint32_t	at;
} Pair;

static int
compare_keys(const ColjKey *a, const ColjKey *b)
{
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->len == 0 ? 0 : memcmp(a->bytes, b->bytes, a->len);
}

static int
compare_pairs(const void *left, const void *right)
{
	const Pair *a = left;
	const Pair *b = right;
	int			order = compare_keys(&a->key, &b->key);

	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static void
normalize_object(Model *model)
{
	Pair	   *pairs = calloc(model->n + 1, sizeof(Pair));
	uint32_t	n = model->n;
	uint32_t	i;

	if (pairs == NULL)
		abort();
	for (i = 0; i < n; i++)
		pairs[i] = (Pair){model->key[i], model->child[i], i};
	qsort(pairs, n, sizeof(Pair), compare_pairs);
	model->n = 0;
	for (i = 0; i < n; i++)
	{
		if (i + 1 < n && compare_keys(&pairs[i].key, &pairs[i + 1].key) == 0)
			continue;
		model->key[model->n] = pairs[i].key;
		model->child[model->n++] = pairs[i].child;
	}
	free(pairs);
}

void
model_normalize(Model *model)
{
	uint32_t	i;

	if (model->kind == COLJ_OBJECT)
		normalize_object(model);
	for (i = 0; i < model->n; i++)
		model_normalize(model->child[i]);
}

bool
model_equal(const Model *a, const Model *b)
{
	uint32_t	i;

	if (a->kind != b->kind || a->scale != b->scale || a->integer != b->integer
		|| a->len != b->len || a->n != b->n)
		return false;
	if (a->len > 0 && memcmp(a->bytes, b->bytes, a->len) != 0)
		return false;
	for (i = 0; i < a->n; i++)
	{
		if (a->kind == COLJ_OBJECT && compare_keys(&a->key[i], &b->key[i]) != 0)
			return false;
		if (!model_equal(a->child[i], b->child[i]))
			return false;
	}
	return true;
}
