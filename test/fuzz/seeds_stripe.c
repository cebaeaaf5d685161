/*-------------------------------------------------------------------------
 *
 * seeds_stripe.c
 *	  The inputs that the fuzzers of stripes start from: seeds_stripe FOLDER.
 *
 * Makes FOLDER/stripe of stripes of random rows, whose directories are not
 * compressed so that a fuzzer gets into them, and FOLDER/vector of vectors.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stripes.h"

static void
write_seed(const char *folder, const char *target, unsigned number, const void *bytes, size_t size)
{
	char		path[1000];
	FILE	   *file;

	snprintf(path, sizeof(path), "%s/%s", folder, target);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/seed%03u", folder, target, number);
	file = fopen(path, "w");
	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
	{
		perror(path);
		exit(1);
	}
}

static void
stripe_seed(const char *folder, unsigned number)
{
	static const char *const kinds[] = {"d", "id", "ib", "dd"};
	Heap		heap;
	StripeTable table;
	Random		random = {number + 1, NULL, 0};
	ColjStripeOptions options = {4 + number % 60, 20, 1};
	size_t		size;
	uint8_t    *bytes;

	heap_open(&heap);
	table_open(&table, &heap, kinds[number % 4], number % 3 == 0 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT);
	table_add_random(&table, &random, number % 13);
	bytes = table_write(&table, &options, &size);
	bytes = stripe_unpacked(&heap, bytes, &size);
	write_seed(folder, "stripe", number, bytes, size);
	(void) heap_close(&heap);
}

/* Stored vectors, behind the bytes that say how many values they have. */
static void
vector_seed(const char *folder, unsigned number)
{
	Heap		heap;
	ColjVectorWork *work;
	ColjSink	sink = {0};
	int64_t		values[300];
	uint32_t	n = number * 7 % 300;

	heap_open(&heap);
	sink.host = &heap.host;
	work = colj_vector_work_create(&heap.host, 1);
	colj_sink_bytes(&sink, (uint8_t[3]){(uint8_t) n, (uint8_t) (n >> 8), (uint8_t) (number * 37)}, 3);
	for (uint32_t i = 0; i < n; i++)
		values[i] = number % 4 == 0 ? (int64_t) i * number : number % 4 == 1 ? i / 30 : number % 4 == 2 ? (int64_t) (i * i % 7) << 40 : (int64_t) (i * 2654435761u);
	if (colj_encode_ints(work, number % 8 < 4 ? COLJ_CODEC_LIGHT : COLJ_CODEC_ZSTD, values, n, &sink) != COLJ_OK)
		exit(1);
	write_seed(folder, "vector", number, sink.data, sink.len);
	colj_sink_free(&sink);
	colj_vector_work_free(work);
	(void) heap_close(&heap);
}

int
main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (unsigned number = 0; number < 40; number++)
	{
		stripe_seed(argv[1], number);
		vector_seed(argv[1], number);
	}
	return 0;
}
