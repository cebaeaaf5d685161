/*-------------------------------------------------------------------------
 *
 * model_format.c
 *	  Documents as plain trees: to the format and back.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void
push_container(ColjBuilder *b, const Model *model)
{
	uint32_t	i;

	if (model->kind == COLJ_OBJECT)
		colj_builder_begin_object(b);
	else
		colj_builder_begin_array(b);
	for (i = 0; i < model->n; i++)
	{
		if (model->kind == COLJ_OBJECT)
			colj_builder_key(b, model->key[i].bytes, model->key[i].len);
		model_push(b, model->child[i]);
	}
	colj_builder_end(b);
}

void
model_push(ColjBuilder *b, const Model *model)
{
	switch (model->kind)
	{
		case COLJ_NULL:
			colj_builder_null(b);
			break;
		case COLJ_BOOL:
			colj_builder_bool(b, model->integer != 0);
			break;
		case COLJ_STRING:
			colj_builder_string(b, model->bytes, model->len);
			break;
		case COLJ_INT:
			colj_builder_int(b, model->integer);
			break;
		case COLJ_DECIMAL:
			colj_builder_decimal(b, model->integer, model->scale);
			break;
		case COLJ_BIGNUM:
			colj_builder_bignum(b, (const uint8_t *) model->bytes, model->len);
			break;
		default:
			push_container(b, model);
	}
}

uint8_t *
model_write(Heap *heap, const Model *model, uint32_t stride, uint32_t *size)
{
	ColjBuilder b;
	uint8_t    *out;

	colj_builder_init(&b, &heap->host);
	model_push(&b, model);
	if (colj_builder_finish(&b, stride, size) != COLJ_OK)
		abort();
	out = heap_lend(heap, *size);
	colj_builder_write(&b, out);
	colj_builder_free(&b);
	return out;
}

static Model *
read_container(Heap *heap, ColjDoc *doc, const ColjValue *value, Model *model)
{
	ColjIter	iter;
	ColjKey		key = {NULL, 0};
	ColjValue	child;
	ColjStatus	status;
	uint32_t	n;

	if (colj_count(doc, value, &n) != COLJ_OK
		|| colj_iter_open(doc, value, &iter) != COLJ_OK)
		return NULL;
	while ((status = colj_iter_next(&iter, &key, &child)) == COLJ_OK)
	{
		Model	   *read = model_read(heap, doc, &child);

		if (read == NULL)
			return NULL;
		if (model->kind == COLJ_OBJECT)
			model_put(heap, model, key.bytes, key.len, read);
		else
			model_add(heap, model, read);
	}
	return status == COLJ_ABSENT && model->n == n ? model : NULL;
}

Model *
model_read(Heap *heap, ColjDoc *doc, const ColjValue *value)
{
	Model	   *model = model_new(heap, value->kind);
	const char *bytes;

	switch (value->kind)
	{
		case COLJ_STRING:
		case COLJ_BIGNUM:
			if ((bytes = colj_bytes(doc, value)) == NULL)
				return NULL;
			model->bytes = bytes;
			model->len = value->len;
			break;
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			return read_container(heap, doc, value, model);
		case COLJ_DECIMAL:
			model->scale = value->scale;
			/* FALLTHROUGH */
		case COLJ_BOOL:
		case COLJ_INT:
			model->integer = value->integer;
			break;
		case COLJ_NULL:
			break;
	}
	return model;
}

/* Is a value of the kind and contents expected?  Containers: of the kind. */
static bool
same_scalar(ColjDoc *doc, const ColjValue *value, const Model *model)
{
	const char *bytes;

	if (value->kind != model->kind)
		return false;
	if (value->kind == COLJ_BOOL || value->kind == COLJ_INT || value->kind == COLJ_DECIMAL)
		return value->integer == model->integer
			&& (value->kind != COLJ_DECIMAL || value->scale == model->scale);
	if (value->kind != COLJ_STRING && value->kind != COLJ_BIGNUM)
		return true;
	bytes = colj_bytes(doc, value);
	return bytes != NULL && value->len == model->len
		&& (model->len == 0 || memcmp(bytes, model->bytes, model->len) == 0);
}

/* Do two ways to a child give the same position? */
static bool
same_value(const ColjValue *a, const ColjValue *b)
{
	return a->kind == b->kind && a->off == b->off && a->len == b->len
		&& (a->kind != COLJ_OBJECT || a->shaped == b->shaped);
}

static bool
has_key(const Model *object, const char *bytes, uint32_t len)
{
	uint32_t	i;

	for (i = 0; i < object->n; i++)
		if (object->key[i].len == len
			&& (len == 0 || memcmp(object->key[i].bytes, bytes, len) == 0))
			return true;
	return false;
}

/* Of whatever was looked up last, in this document or another. */
static ColjHint hint;

/* Is a key found exactly if the model has it? */
static bool
probe_key(ColjDoc *doc, const ColjValue *value, const Model *object,
		  const char *bytes, uint32_t len)
{
	ColjStatus	right = has_key(object, bytes, len) ? COLJ_OK : COLJ_ABSENT;
	ColjValue	found;

	return colj_get_key(doc, value, bytes, len, &found) == right
		&& colj_get_key_hinted(doc, value, bytes, len, &hint, &found) == right;
}

/* Keys next to a key that is there: longer, shorter, with a bit changed. */
static const char *
probe_neighbours(ColjDoc *doc, const ColjValue *value, const Model *object, uint32_t i)
{
	uint32_t	len = object->key[i].len;
	char	   *near = calloc(len + 1, 1);
	bool		right;

	if (near == NULL)
		abort();
	if (len > 0)
		memcpy(near, object->key[i].bytes, len);
	right = probe_key(doc, value, object, near, len + 1);
	if (len > 0)
	{
		right &= probe_key(doc, value, object, near, len - 1);
		near[i % len] ^= 1;
		right &= probe_key(doc, value, object, near, len);
	}
	free(near);
	return right ? NULL : "a lookup of a key next to one that is there";
}

/* Child i by index, by key, and through an open container. */
static const char *
probe_child(ColjDoc *doc, const ColjValue *value, const ColjContainer *c,
			const Model *model, uint32_t i)
{
	ColjValue	child;
	ColjValue	other;
	uint32_t	at;

	if (colj_container_child(c, i, &child) != COLJ_OK)
		return "colj_container_child";
	if (colj_get_index(doc, value, i, &other) != COLJ_OK || !same_value(&child, &other))
		return "colj_get_index";
	if (!same_scalar(doc, &child, model->child[i]))
		return "the value of a child";
	if (model->kind == COLJ_OBJECT)
	{
		const ColjKey *key = &model->key[i];

		if (colj_container_find(c, key->bytes, key->len, &at) != COLJ_OK || at != i)
			return "colj_container_find";
		if (colj_get_key(doc, value, key->bytes, key->len, &other) != COLJ_OK
			|| !same_value(&child, &other))
			return "colj_get_key";
		for (int twice = 0; twice < 2; twice++)
			if (colj_get_key_hinted(doc, value, key->bytes, key->len, &hint, &other) != COLJ_OK
				|| !same_value(&child, &other))
				return "colj_get_key_hinted";
		if (model->n < 100 || i % 97 == 0)
			return probe_neighbours(doc, value, model, i);
	}
	return NULL;
}

static const char *
probe_container(ColjDoc *doc, const ColjValue *value, const Model *model)
{
	ColjContainer c;
	ColjValue	child;
	uint32_t	n;
	uint32_t	i;
	const char *wrong = NULL;

	if (colj_count(doc, value, &n) != COLJ_OK || n != model->n)
		return "colj_count";
	if (colj_container_open(doc, value, &c) != COLJ_OK || c.n != n || c.kind != model->kind)
		return "colj_container_open";
	if (colj_get_index(doc, value, n, &child) != COLJ_ABSENT
		|| colj_get_index(doc, value, UINT32_MAX, &child) != COLJ_ABSENT)
		return "an element beyond the last";
	if (model->kind == COLJ_OBJECT
		&& colj_get_key(doc, value, "a key that no test has", 22, &child) != COLJ_ABSENT)
		return "a lookup of a key that is not there";
	/* backwards, so that nothing can lean on the order of a walk */
	for (i = n; wrong == NULL && i-- > 0;)
	{
		wrong = probe_child(doc, value, &c, model, i);
		if (wrong == NULL && colj_container_child(&c, i, &child) == COLJ_OK)
			wrong = model_probe(doc, &child, model->child[i]);
	}
	return wrong;
}

const char *
model_probe(ColjDoc *doc, const ColjValue *value, const Model *model)
{
	if (!same_scalar(doc, value, model))
		return "a value";
	if (model->kind == COLJ_ARRAY || model->kind == COLJ_OBJECT)
		return probe_container(doc, value, model);
	return NULL;
}
