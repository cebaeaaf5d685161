/*-------------------------------------------------------------------------
 *
 * window.h
 *	  A document of which only the fetched chunks can be read.
 *
 * The memory behind ColjDoc.data starts out filled with a pattern and, under
 * AddressSanitizer, poisoned; fetch copies in the chunks that are asked for.
 * A reader that looks at what it has not asked for is stopped by the
 * sanitizer, or answers differently for two patterns.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEST_WINDOW_H
#define COLJ_TEST_WINDOW_H

#include "format/reader.h"

typedef enum WindowMode
{
	WINDOW_PIECES,				/* chunks anywhere; avail stays as it is */
	WINDOW_PREFIX				/* everything up to the end of the chunk */
} WindowMode;

typedef struct Window
{
	ColjDoc		doc;			/* give this to the readers */
	const uint8_t *whole;
	uint8_t    *memory;
	uint8_t    *have;			/* by chunk */
	uint32_t	chunk;
	WindowMode	mode;
	uint32_t	calls;			/* of fetch */
	uint32_t	fail_at;		/* the call that fails; 0: none */
	uint32_t	fetched;		/* bytes */
	bool		outside;		/* was fetch asked for bytes beyond the end? */
} Window;

/*
 * A window on size bytes with the first `head` there from the start.  Only
 * multiples of 8 for chunk and head can be poisoned exactly; others rely on
 * the pattern.
 */
extern void window_open(Window *window, const uint8_t *whole, uint32_t size,
						uint32_t chunk, uint32_t head, WindowMode mode, uint8_t pattern);
extern void window_close(Window *window);

#endif							/* COLJ_TEST_WINDOW_H */
