/*-------------------------------------------------------------------------
 *
 * fuzz_text.c
 *	  Any text: parse, build, write, check, print, and all that again.
 *
 * The first byte is the stride.  The model's strict parser says whether the
 * text is JSON and what it should print.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise.h"
#include "format/text.h"
#include "model.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) ((condition) ? (void) 0 : fail(#condition))

static void
fail(const char *condition)
{
	fprintf(stderr, "wrong: not %s\n", condition);
	abort();
}

/* The text's document; NULL when the parser leaves it to another. */
static uint8_t *
build(Heap *heap, const char *text, size_t len, uint32_t stride, uint32_t *size)
{
	ColjBuilder b;
	uint8_t    *bytes = NULL;
	ColjStatus	status;

	colj_builder_init(&b, &heap->host);
	status = colj_parse(&b, text, len, true);
	if (status == COLJ_OK)
	{
		REQUIRE(colj_builder_finish(&b, stride, size) == COLJ_OK);
		bytes = heap_lend(heap, *size);
		colj_builder_write(&b, bytes);
	}
	else
		REQUIRE(status == COLJ_UNUSUAL);
	colj_builder_free(&b);
	return bytes;
}

static char *
print(Heap *heap, const uint8_t *bytes, uint32_t size, size_t *len)
{
	ColjText	text = {.host = &heap->host, .max = (size_t) 1 << 28, .bignum = heap_print_bignum};
	ColjDoc		doc;
	char	   *out;

	REQUIRE(colj_open_bytes(&doc, bytes, size) == COLJ_OK);
	REQUIRE(colj_check_document(&doc, &heap->host) == COLJ_OK);
	REQUIRE(colj_print(&text, &doc, &doc.root) == COLJ_OK);
	out = heap_lend(heap, text.len + 1);
	memcpy(out, text.data, text.len);
	*len = text.len;
	heap->host.resize(heap, text.data, 0);
	return out;
}

/*
 * Text, document, text, document, text: both texts that were printed are the
 * model's, and the document made of one is the one made of the model.  (That
 * need not be the first document: 0e99999 is a big number there.)
 */
static void
round_trip(Heap *heap, const uint8_t *bytes, uint32_t size, uint32_t stride,
		   const Model *model)
{
	const char *expected = model_print(heap, model);
	size_t		len;
	size_t		again_len;
	char	   *text = print(heap, bytes, size, &len);
	char	   *again_text;
	uint8_t    *again;
	uint32_t	again_size = 0;
	uint8_t    *direct;
	uint32_t	direct_size;

	REQUIRE(strlen(expected) == len && memcmp(text, expected, len) == 0);
	again = build(heap, text, len, stride, &again_size);
	REQUIRE(again != NULL);
	again_text = print(heap, again, again_size, &again_len);
	REQUIRE(again_len == len && memcmp(again_text, text, len) == 0);
	direct = model_write(heap, model, stride, &direct_size);
	REQUIRE(again_size == direct_size && memcmp(again, direct, again_size) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Heap		heap;
	Model	   *model;
	char	   *text;
	uint8_t    *bytes;
	uint32_t	stride;
	uint32_t	bytes_size;

	if (size == 0)
		return 0;
	heap_open(&heap);
	stride = data[0] + 1u;
	/* terminated for the model, but the parser may not look at that */
	text = heap_lend(&heap, size);
	memcpy(text, data + 1, size - 1);
	model = memchr(text, '\0', size - 1) == NULL ? model_parse(&heap, text) : NULL;
	bytes = build(&heap, (const char *) data + 1, size - 1, stride, &bytes_size);
	REQUIRE(bytes == NULL || model != NULL);
	if (bytes != NULL)
	{
		model_normalize(model);
		round_trip(&heap, bytes, bytes_size, stride, model);
		if (bytes_size < 3000)
			REQUIRE(exercise_bytes(bytes, bytes_size, NULL) == NULL);
	}
	REQUIRE(heap_close(&heap) == 0);
	return 0;
}
