/*-------------------------------------------------------------------------
 *
 * exercise.h
 *	  Everything one can do with bytes that may be a document.
 *
 * For corrupted documents and for fuzzing: all readers run on the bytes,
 * whatever the checker thinks of them, and must neither crash nor over-read.
 * When the checker accepts the bytes, every reader must succeed, all must
 * agree, and so must the reference decoder; when it does not, neither may the
 * reference decoder.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_EXERCISE_H
#define COLJ_TEST_EXERCISE_H

#include "format/reader.h"

/* Returns what was wrong, or NULL.  *accepted: did the checker say OK? */
extern const char *exercise_bytes(const uint8_t *bytes, uint32_t size, bool *accepted);

#endif							/* COLJ_TEST_EXERCISE_H */
