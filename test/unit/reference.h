/*-------------------------------------------------------------------------
 *
 * reference.h
 *	  A second, independent decoder, written from the format's README.
 *
 * It shares no code and no constant with src/format.  It decodes a whole
 * document into a model, strictly: whatever the README does not allow is
 * refused.  So it holds the README against the code, both ways.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_REFERENCE_H
#define COLJ_TEST_REFERENCE_H

#include "model.h"

/* The verdict on some bytes. */
typedef enum ReferenceVerdict
{
	REFERENCE_VALID,
	REFERENCE_INVALID,
	REFERENCE_UNKNOWN			/* too deep or too many elements to say */
} ReferenceVerdict;

/* *model is set when valid; *why, a word or two, when not. */
extern ReferenceVerdict reference_decode(Heap *heap, const uint8_t *data, uint32_t size,
										 Model **model, const char **why);

#endif							/* COLJ_TEST_REFERENCE_H */
