/*-------------------------------------------------------------------------
 *
 * fuzz_stripe.c
 *	  Any bytes as a stripe, and any rows through a stripe.
 *
 * What begins with the version is read as a stripe, through a window that
 * shows only what was fetched, by a host of little memory: every zone, every
 * vector, every row, and the check, after whose OK no reader may fail.
 * Otherwise the input decides on the rows of a table, which is written, read
 * and compared.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stripes.h"
#include "tap.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
fail(const char *wrong)
{
	fprintf(stderr, "wrong: %s\n", wrong);
	abort();
}

static void
read_any(const uint8_t *data, size_t size)
{
	StripeView	view;
	Purse		purse;
	bool		accepted;
	const char *wrong;

	view_open(&view, data, size);
	purse_open(&purse);
	purse.limit = (size_t) 64 << 20;
	wrong = exercise_stripe(&purse.host, &view.window, &accepted);
	if (wrong == NULL && purse.used != 0)
		wrong = "memory is not given back";
	if (wrong == NULL && view.outside)
		wrong = "bytes beyond the end are asked for";
	if (wrong != NULL)
		fail(wrong);
	view_close(&view);
}

static void
write_any(const uint8_t *data, size_t size)
{
	static const char *const kinds[] = {"d", "ibd", "dd", "b"};
	Random		random = {1, data + 3, size - 3};
	ColjStripeOptions options = {1 + data[1] % 100, 1 + data[2] % 40, 1};
	StripeTable table;
	Heap		heap;

	heap_open(&heap);
	table_open(&table, &heap, kinds[data[0] / 2 % 4], data[0] & 8 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT);
	table_add_random(&table, &random, 1 + data[0] / 16 * 3);
	table_round_trip(&table, &options);
	if (tap_failures() > 0)
		fail("what comes out is not what went in");
	if (heap_close(&heap) != 0)
		fail("memory is not given back");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 1)
		read_any(data, size);
	else if (size > 3)
		write_any(data, size);
	return 0;
}
