/*-------------------------------------------------------------------------
 *
 * text.h
 *	  JSON text to and from colj documents.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TEXT_H
#define COLJ_TEXT_H

#include "builder.h"

/* Deeper nesting than this is left to the host's parser. */
#define COLJ_PARSE_DEPTH_MAX 1024

/*
 * Parse len bytes of JSON text (in UTF-8, or in another encoding that keeps
 * ASCII bytes for ASCII characters; utf8 says which) into the builder.
 *
 * Accepts only what jsonb accepts, with jsonb's meaning.  Whatever is wrong
 * or merely rare is COLJ_UNUSUAL: the caller asks core's parser, whose word
 * (and error) counts.  The text must stay valid until the document is written.
 */
extern ColjStatus colj_parse(ColjBuilder *b, const char *text, size_t len, bool utf8);

/* A growing text; data may be NULL at the start. */
typedef struct ColjText
{
	const ColjHost *host;
	char	   *data;
	size_t		len;
	size_t		room;
	size_t		max;			/* COLJ_TOO_LARGE beyond this */

	/*
	 * Write a BIGNUM as numeric_out does into a text of the host's that lives
	 * until the next call.
	 */
	ColjStatus	(*bignum) (void *arg, const uint8_t *bytes, uint32_t len,
						   const char **text, uint32_t *text_len);
} ColjText;

/*
 * Append a value as jsonb_out writes it.  *problem of doc on corrupt bytes.
 * The text is not terminated.
 */
extern ColjStatus colj_print(ColjText *text, ColjDoc *doc, const ColjValue *value);

/*
 * Pieces of a text, for who has no document that it is all in.  Of a string the
 * bytes before `limit` may be read, too.
 */
extern ColjStatus colj_print_bytes(ColjText *text, const char *bytes, size_t len);
extern ColjStatus colj_print_string(ColjText *text, const char *bytes, uint32_t len,
									const char *limit);
extern ColjStatus colj_print_number(ColjText *text, int64_t mantissa, uint32_t scale);

/*
 * Write an integer or a decimal as numeric_out does; out has room for
 * COLJ_NUMBER_TEXT_MAX bytes.  Returns the length.
 */
#define COLJ_NUMBER_TEXT_MAX (COLJ_DECIMAL_SCALE_MAX + 24)
extern uint32_t colj_number_text(int64_t mantissa, uint32_t scale, char *out);

#endif							/* COLJ_TEXT_H */
