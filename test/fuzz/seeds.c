/*-------------------------------------------------------------------------
 *
 * seeds.c
 *	  The inputs that the fuzzers start from: seeds FOLDER.
 *
 * Makes FOLDER/decode, FOLDER/text and FOLDER/slice of the golden documents
 * and of random ones, at several strides.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/packed.h"
#include "golden.h"
#include "model.h"

#define RANDOM_SEEDS 60

static void
write_seed(const char *folder, const char *target, uint32_t number,
		   const void *bytes, size_t size)
{
	char		path[1000];
	FILE	   *file;

	snprintf(path, sizeof(path), "%s/%s", folder, target);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/seed%03" PRIu32, folder, target, number);
	file = fopen(path, "w");
	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
	{
		perror(path);
		exit(1);
	}
}

/* A text behind the byte that is its stride. */
static void
write_text_seed(const char *folder, uint32_t number, uint32_t stride, const char *json)
{
	size_t		len = strlen(json);
	char	   *input = malloc(len + 1);

	if (input == NULL)
		exit(1);
	input[0] = (char) (stride - 1);
	memcpy(input + 1, json, len);
	write_seed(folder, "text", number, input, len + 1);
	free(input);
}

static void
golden_seeds(const char *folder)
{
	uint32_t	i;

	for (i = 0; i < golden_count; i++)
	{
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;

		heap_open(&heap);
		bytes = golden_bytes(&heap, golden_documents[i].hex, &size);
		write_seed(folder, "decode", i, bytes, size);
		write_text_seed(folder, i, golden_documents[i].stride, golden_documents[i].json);
		heap_close(&heap);
	}
}

static void
random_seeds(const char *folder)
{
	static const RandomSpec spec = {30, 5, 60};
	Random		random = {.state = 314159265358979};
	uint32_t	i;
	uint32_t	j;

	for (i = 0; i < RANDOM_SEEDS; i++)
	{
		Heap		heap;
		Model	   *model;
		uint32_t	size;
		uint32_t	stride = 1 + (i % 3 == 0 ? 0 : random_below(&random, i % 3 == 1 ? 8 : 256));
		uint8_t    *bytes;
		uint8_t		decisions[400];

		heap_open(&heap);
		model = model_random(&heap, &random, &spec);
		bytes = model_write(&heap, model, stride, &size);
		write_seed(folder, "decode", golden_count + i, bytes, size);
		model_normalize(model);
		write_text_seed(folder, golden_count + i, stride, model_print(&heap, model));
		for (j = 0; j < sizeof(decisions); j++)
			decisions[j] = (uint8_t) random_below(&random, 256);
		write_seed(folder, "slice", i, decisions, sizeof(decisions));
		heap_close(&heap);
	}
}

/* Random documents, packed, some of them large enough to be cut. */
static void
packed_seeds(const char *folder)
{
	static ColjZstd zstd;
	Random		random = {.state = 271828182845904};

	colj_zstd_init(&zstd);
	for (uint32_t i = 0; i < RANDOM_SEEDS; i++)
	{
		RandomSpec	spec = {i % 10 == 0 ? 4000 : 60, 4, 40};
		ColjPacking how = {3, i, NULL, NULL};
		Heap		heap;
		uint32_t	size;
		uint8_t    *bytes;
		uint8_t    *out;

		heap_open(&heap);
		bytes = model_write(&heap, model_random(&heap, &random, &spec), 32, &size);
		out = heap_lend(&heap, colj_pack_room(size));
		if (colj_pack(&zstd, &how, bytes, size, out, &size) == COLJ_OK)
			write_seed(folder, "packed", i, out, size);
		heap_close(&heap);
	}
	colj_zstd_free(&zstd);
}

int
main(int argc, char **argv)
{
	if (argc != 2)
	{
		fprintf(stderr, "usage: seeds FOLDER\n");
		return 2;
	}
	golden_seeds(argv[1]);
	random_seeds(argv[1]);
	packed_seeds(argv[1]);
	return 0;
}
