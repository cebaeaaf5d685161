/*-------------------------------------------------------------------------
 *
 * test_golden.c
 *	  Frozen bytes: the encoder still writes them, the reader reads them.
 *
 * The worked examples of the format's README are checked the same way: what
 * it shows is what the encoder writes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "format/text.h"
#include "golden.h"
#include "tap.h"
#include "verify.h"

#define README "src/format/README.md"

static void
golden_models(void)
{
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
	{
		const Golden *golden = &golden_documents[i];
		Heap		heap;
		Model	   *model;
		const uint8_t *bytes;
		uint8_t    *expected;
		uint32_t	size;
		uint32_t	expected_size;

		heap_open(&heap);
		tap_context("%.60s", golden->json);
		expected = golden_bytes(&heap, golden->hex, &expected_size);
		model = model_parse(&heap, golden->json);
		bytes = verify_model(&heap, model, golden->stride, &size);
		CHECK_BYTES(bytes, size, expected, expected_size);
		verify_bytes(&heap, expected, expected_size, model);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

static void
golden_texts(void)
{
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
	{
		const Golden *golden = &golden_documents[i];
		Heap		heap;
		ColjBuilder b;
		uint8_t    *bytes;
		uint8_t    *expected;
		uint32_t	size = 0;
		uint32_t	expected_size;

		heap_open(&heap);
		tap_context("%.60s", golden->json);
		expected = golden_bytes(&heap, golden->hex, &expected_size);
		colj_builder_init(&b, &heap.host);
		CHECK_EQ(colj_parse(&b, golden->json, strlen(golden->json), true), COLJ_OK);
		CHECK_EQ(colj_builder_finish(&b, golden->stride, &size), COLJ_OK);
		bytes = heap_lend(&heap, size);
		if (b.status == COLJ_OK)
			colj_builder_write(&b, bytes);
		CHECK_BYTES(bytes, size, expected, expected_size);
		colj_builder_free(&b);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* Every form that the layout has occurs among them. */
static void
golden_coverage(void)
{
	bool		tags[8] = {false};
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, golden_documents[i].hex, &size);
		tags[bytes[0] == 0x11 ? 7 : bytes[2] >> 5] = true;
		heap_close(&heap);
	}
	for (i = 0; i < 8; i++)
		CHECK(tags[i]);
}

/* The bytes of one line of an example: "  12  a0 1f  what they are". */
static void
example_line(const char *line, uint8_t *bytes, uint32_t *size)
{
	char	   *at;
	unsigned long offset = strtoul(line, &at, 10);

	CHECK_EQ(offset, *size);
	at += strspn(at, " ");
	while (strspn(at, "0123456789abcdef") == 2 && (at[2] == ' ' || at[2] == '\n') && *size < 1000)
	{
		bytes[(*size)++] = (uint8_t) strtoul(at, NULL, 16);
		at += 2;
		if (at[0] == ' ' && at[1] != ' ')
			at++;
	}
}

/* An example follows "Stride N, text `...`:" and stands in a code block. */
static bool
next_example(FILE *readme, char *json, uint32_t *stride, uint8_t *bytes, uint32_t *size)
{
	char		line[1000];
	char	   *end;

	while (fgets(line, sizeof(line), readme) != NULL)
	{
		if (sscanf(line, "At stride %" SCNu32 ", `%999[^`]`:", stride, json) == 2)
			break;
	}
	*size = 0;
	while (fgets(line, sizeof(line), readme) != NULL && strncmp(line, "```", 3) != 0)
		;
	while (fgets(line, sizeof(line), readme) != NULL && strncmp(line, "```", 3) != 0)
	{
		if (strtoul(line, &end, 10) == 0 && end == line)
			continue;
		example_line(line, bytes, size);
	}
	return *size > 0;
}

static void
readme_examples(void)
{
	FILE	   *readme = fopen(README, "r");
	char		json[1000];
	uint32_t	stride;
	uint8_t		expected[1000];
	uint32_t	expected_size;
	int			examples = 0;

	if (!CHECK(readme != NULL))
		return;
	while (next_example(readme, json, &stride, expected, &expected_size))
	{
		Heap		heap;
		const uint8_t *bytes;
		uint32_t	size;

		heap_open(&heap);
		tap_context("%.60s", json);
		bytes = verify_model(&heap, model_parse(&heap, json), stride, &size);
		CHECK_BYTES(bytes, size, expected, expected_size);
		CHECK_EQ(heap_close(&heap), 0);
		examples++;
	}
	fclose(readme);
	CHECK_EQ(examples, 2);
}

int
main(void)
{
	tap_case("golden: bytes from events", golden_models);
	tap_case("golden: bytes from text", golden_texts);
	tap_case("golden: every tag occurs", golden_coverage);
	tap_case("golden: the worked examples of the README", readme_examples);
	return tap_done();
}
