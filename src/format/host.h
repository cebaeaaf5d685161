/*-------------------------------------------------------------------------
 *
 * host.h
 *	  What the format needs from the program it is linked into.
 *
 * The format layer knows no server: memory, interrupts and numbers beyond
 * int64 come through this table.  The extension fills it with memory contexts
 * and numeric.c; unit tests and fuzzers fill it with malloc.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_HOST_H
#define COLJ_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ColjStatus
{
	COLJ_OK = 0,
	COLJ_ABSENT,				/* there is no such key or element */
	COLJ_CORRUPT,				/* the bytes contradict themselves */
	COLJ_BAD_VERSION,			/* written by a version this one can't read */
	COLJ_TOO_LARGE,				/* the result would exceed COLJ_MAX_SIZE */
	COLJ_UNUSUAL,				/* the parser leaves this text to the host's */
	COLJ_NO_MEMORY				/* the host's resize returned NULL */
} ColjStatus;

typedef struct ColjHost
{
	/* As realloc(); size 0 frees.  NULL, or not returning, means no memory. */
	void	   *(*resize) (void *arg, void *old, size_t size);

	/* Called about every COLJ_POLL_EVERY steps of a long loop; may be NULL. */
	void		(*poll) (void *arg);

	/*
	 * Turn a JSON number's text that does not fit into an integer or decimal
	 * into a BIGNUM's bytes.  The bytes belong to the host and stay valid
	 * until the tree is written.  May be NULL: such a text is then UNUSUAL.
	 */
	ColjStatus	(*bignum) (void *arg, const char *text, uint32_t len,
						   const uint8_t **bytes, uint32_t *size);
	void	   *arg;
} ColjHost;

#define COLJ_POLL_EVERY 4096

#endif							/* COLJ_HOST_H */
