/*-------------------------------------------------------------------------
 *
 * number.h
 *	  numeric to and from the bytes of a BIGNUM.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_NUMBER_H
#define COLJ_NUMBER_H

#include <stdint.h>

/*
 * The BIGNUM bytes of a number's JSON text.  NULL if it is, or might be, out
 * of numeric's range.
 */
extern bytea *colj_bignum_from_text(const char *text, uint32_t len);

/* A BIGNUM's text, palloc'd; NULL if the bytes are no number. */
extern char *colj_bignum_to_text(const uint8_t *bytes, uint32_t len);

#endif							/* COLJ_NUMBER_H */
