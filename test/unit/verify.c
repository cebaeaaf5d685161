/*-------------------------------------------------------------------------
 *
 * verify.c
 *	  Everything that must hold of a document that the builder wrote.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "verify.h"

#include "format/slice.h"

#include "reference.h"
#include "tap.h"

static void
verify_reference(Heap *heap, const uint8_t *bytes, uint32_t size, const Model *model)
{
	Model	   *decoded = NULL;
	const char *why = NULL;
	ReferenceVerdict verdict = reference_decode(heap, bytes, size, &decoded, &why);

	if (verdict == REFERENCE_INVALID)
		tap_fail(__FILE__, __LINE__, "the reference decoder refuses it: %s", why);
	if (verdict == REFERENCE_VALID)
		CHECK(model_equal(decoded, model));
}

void
verify_bytes(Heap *heap, const uint8_t *bytes, uint32_t size, const Model *model)
{
	ColjDoc		doc;
	Model	   *read;
	const char *wrong;

	if (!CHECK_EQ(colj_open_bytes(&doc, bytes, size), COLJ_OK))
		return;
	if (!CHECK_EQ(colj_check_document(&doc, &heap->host), COLJ_OK))
		tap_fail(__FILE__, __LINE__, "problem: %s", doc.problem);
	read = model_read(heap, &doc, &doc.root);
	if (CHECK(read != NULL))
		CHECK(model_equal(read, model));
	wrong = model_probe(&doc, &doc.root, model);
	if (wrong != NULL)
		tap_fail(__FILE__, __LINE__, "wrong: %s; problem: %s", wrong,
				 doc.problem ? doc.problem : "none");
	verify_reference(heap, bytes, size, model);
}

uint8_t *
verify_copy(Heap *heap, ColjDoc *doc, const ColjValue *value, uint32_t stride,
			uint32_t *size)
{
	ColjBuilder b;
	uint8_t    *out = NULL;

	colj_builder_init(&b, &heap->host);
	*size = 0;
	if (CHECK_EQ(colj_builder_copy(&b, doc, value), COLJ_OK)
		&& CHECK_EQ(colj_builder_finish(&b, stride, size), COLJ_OK))
	{
		out = heap_lend(heap, *size);
		colj_builder_write(&b, out);
	}
	colj_builder_free(&b);
	return out;
}

const uint8_t *
verify_model(Heap *heap, Model *model, uint32_t stride, uint32_t *size)
{
	uint8_t    *bytes = model_write(heap, model, stride, size);
	uint8_t    *again;
	uint32_t	again_size;
	ColjDoc		doc;

	model_normalize(model);
	verify_bytes(heap, bytes, *size, model);
	again = model_write(heap, model, stride, &again_size);
	CHECK_BYTES(again, again_size, bytes, *size);
	if (colj_open_bytes(&doc, bytes, *size) != COLJ_OK)
		return bytes;
	again = verify_copy(heap, &doc, &doc.root, stride, &again_size);
	CHECK_BYTES(again, again_size, bytes, *size);
	return bytes;
}

static void
verify_slice(Heap *heap, ColjDoc *doc, const ColjValue *value, const Model *model)
{
	ColjSlice	slice;
	ColjStatus	status = colj_slice_size(&slice, doc, value);
	uint8_t    *bytes;

	if (status == COLJ_ABSENT)
	{
		/* only what refers to the shape table may refuse */
		CHECK(doc->nshapes > 0);
		return;
	}
	if (!CHECK_EQ(status, COLJ_OK))
		return;
	bytes = heap_lend(heap, slice.size);
	if (CHECK_EQ(colj_slice_write(&slice, bytes), COLJ_OK))
		verify_bytes(heap, bytes, slice.size, model);
}

void
verify_parts(Heap *heap, ColjDoc *doc, const ColjValue *value, const Model *model)
{
	uint8_t    *bytes;
	uint32_t	size;
	uint32_t	i;

	verify_slice(heap, doc, value, model);
	bytes = verify_copy(heap, doc, value, doc->stride, &size);
	if (bytes != NULL)
		verify_bytes(heap, bytes, size, model);
	for (i = 0; i < model->n; i++)
	{
		ColjValue	child;

		if (!CHECK_EQ(colj_get_index(doc, value, i, &child), COLJ_OK))
			return;
		verify_parts(heap, doc, &child, model->child[i]);
	}
}
