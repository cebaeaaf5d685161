/*-------------------------------------------------------------------------
 *
 * verify.h
 *	  Everything that must hold of a document that the builder wrote.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_VERIFY_H
#define COLJ_TEST_VERIFY_H

#include "model.h"

/*
 * The bytes are a valid document of exactly this normalized model, say the
 * checker, the iterator, the access functions, and the reference decoder.
 * Failed checks are counted in the running case.
 */
extern void verify_bytes(Heap *heap, const uint8_t *bytes, uint32_t size,
						 const Model *model);

/*
 * Build the model at a stride and verify the bytes; build it again from the
 * normalized model, and again as a copy of the document: same bytes.
 * Normalizes the model.  The bytes live until heap_close.
 */
extern const uint8_t *verify_model(Heap *heap, Model *model, uint32_t stride,
								   uint32_t *size);

/* Slice and copy every value of a document, and verify each result. */
extern void verify_parts(Heap *heap, ColjDoc *doc, const ColjValue *value,
						 const Model *model);

/* A part of a document rebuilt at a stride. */
extern uint8_t *verify_copy(Heap *heap, ColjDoc *doc, const ColjValue *value,
							uint32_t stride, uint32_t *size);

#endif							/* COLJ_TEST_VERIFY_H */
