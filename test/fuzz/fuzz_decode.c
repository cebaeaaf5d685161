/*-------------------------------------------------------------------------
 *
 * fuzz_decode.c
 *	  Any bytes as a document: open, check, walk, look up, print, slice, copy.
 *
 * What has to hold is told in test/unit/exercise.h; above all, no reader may
 * fail once the checker has accepted the bytes, and the checker accepts what
 * the README allows.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>

#include "exercise.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *wrong = exercise_bytes(data, (uint32_t) size, NULL);

	if (wrong != NULL)
	{
		fprintf(stderr, "wrong: %s\n", wrong);
		abort();
	}
	return 0;
}
