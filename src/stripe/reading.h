/*-------------------------------------------------------------------------
 *
 * reading.h
 *	  What the files that read stripes share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_READING_H
#define COLJ_STRIPE_READING_H

#include "stripe/column.h"

struct ColjStripe
{
	const ColjHost *host;
	ColjStripeWindow *window;
	ColjDirectory directory;
	ColjVectorWork *work;
	ColjDecoded ***decoded;		/* [path][vector]; NULL for not decoded */
	size_t		memory;			/* of decoded vectors */
	uint64_t	epoch;
	const char *problem;
};

/* Remember the first problem; always COLJ_CORRUPT. */
extern ColjStatus colj_stripe_wrong(ColjStripe *stripe, const char *problem);

/* The decoded vector that a row is in, and its place there. */
extern ColjStatus colj_stripe_row(ColjStripe *stripe, uint32_t path, uint32_t row,
								  const ColjPathVector **vector, uint32_t *i);

/* The string or document of row i of a vector. */
extern void colj_vector_bytes(const ColjPathVector *vector, uint32_t i, const char **bytes,
							  uint32_t *len);

#endif							/* COLJ_STRIPE_READING_H */
