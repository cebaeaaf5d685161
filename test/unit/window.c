/*-------------------------------------------------------------------------
 *
 * window.c
 *	  A document of which only the fetched chunks can be read.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "window.h"

#if defined(__SANITIZE_ADDRESS__)
#define POISONING
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONING
#endif
#endif

#ifdef POISONING
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#endif

static void
reveal_chunk(Window *window, uint32_t chunk)
{
	uint32_t	start = chunk * window->chunk;
	uint32_t	len = window->doc.size - start;

	if (window->have[chunk])
		return;
	if (len > window->chunk)
		len = window->chunk;
	ASAN_UNPOISON_MEMORY_REGION(window->memory + start, len);
	memcpy(window->memory + start, window->whole + start, len);
	window->have[chunk] = 1;
	window->fetched += len;
}

static bool
window_fetch(ColjDoc *doc, uint32_t off, uint32_t len)
{
	Window	   *window = doc->fetch_arg;
	uint32_t	first = window->mode == WINDOW_PREFIX ? 0 : off / window->chunk;
	uint32_t	i;

	if ((uint64_t) off + len > doc->size)
		window->outside = true;
	if (++window->calls == window->fail_at || window->outside)
		return false;
	if (len == 0)
		return true;
	for (i = first; i <= (off + len - 1) / window->chunk; i++)
		reveal_chunk(window, i);
	if (window->mode == WINDOW_PREFIX)
	{
		uint32_t	end = i * window->chunk;

		doc->avail = end < doc->size ? end : doc->size;
	}
	return true;
}

void
window_open(Window *window, const uint8_t *whole, uint32_t size,
			uint32_t chunk, uint32_t head, WindowMode mode, uint8_t pattern)
{
	memset(window, 0, sizeof(*window));
	window->whole = whole;
	window->chunk = chunk;
	window->mode = mode;
	window->memory = malloc(size + 1);
	window->have = calloc(size / chunk + 1, 1);
	if (window->memory == NULL || window->have == NULL)
		abort();
	if (head > size)
		head = size;
	memset(window->memory, pattern, size + 1);
	memcpy(window->memory, whole, head);
	/* a byte in a granule that is there cannot be poisoned */
	ASAN_POISON_MEMORY_REGION(window->memory + (head + 7) / 8 * 8,
							  head + 7 < size ? size + 1 - (head + 7) / 8 * 8 : 0);
	window->doc.data = window->memory;
	window->doc.size = size;
	window->doc.avail = head;
	window->doc.fetch = window_fetch;
	window->doc.fetch_arg = window;
}

void
window_close(Window *window)
{
	ASAN_UNPOISON_MEMORY_REGION(window->memory, window->doc.size + 1);
	free(window->memory);
	free(window->have);
}
