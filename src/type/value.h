/*-------------------------------------------------------------------------
 *
 * value.h
 *	  Values of a document as SQL values, and SQL values as documents.
 *
 * All results are allocated in the current memory context unless said
 * otherwise.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_VALUE_H
#define COLJ_VALUE_H

#include "format/builder.h"
#include "format/text.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

/* The format's host in a server: memory contexts, interrupts, numeric.c. */
extern const ColjHost colj_host;

/*
 * The backend's builder, empty.  No code of users (type output functions,
 * casts) may run between this and colj_builder_datum: it is one builder.
 */
extern ColjBuilder *colj_builder_acquire(void);

/* Finish and write the builder's document as a colj Datum; frees what is large. */
extern Datum colj_builder_datum(ColjBuilder *b);

/* Forget the builder's memory (end of transaction). */
extern void colj_builder_release(void);

/* A part of a document as a colj. */
extern Datum colj_value_datum(ColjDoc *doc, const ColjValue *value);

/* As ->> gives it: a string bare, anything else as JSON text.  NULL for null. */
extern text *colj_value_text(ColjDoc *doc, const ColjValue *value);

/* INT, DECIMAL or BIGNUM as numeric, with its scale. */
extern Numeric colj_value_numeric(ColjDoc *doc, const ColjValue *value);

/* A scalar as a JsonbValue; its string is borrowed from the document. */
extern void colj_value_scalar(ColjDoc *doc, const ColjValue *value, JsonbValue *out);

/* A part of a document as a jsonb. */
extern Jsonb *colj_value_jsonb(ColjDoc *doc, const ColjValue *value);

/* A jsonb as a colj; and its contents pushed into a builder. */
extern Datum colj_from_jsonb(Jsonb *jb);
extern void colj_builder_jsonb(ColjBuilder *b, JsonbContainer *container);

/* A numeric (not NaN, not infinite) pushed into a builder. */
extern void colj_builder_numeric(ColjBuilder *b, Numeric number);

/* JSON text as a colj, with jsonb's errors. */
extern Datum colj_from_text(const char *text, size_t len);

/*
 * The same; false when an error was reported to escontext (which may be NULL;
 * soft errors exist from PostgreSQL 16 on).
 */
extern bool colj_from_text_safe(const char *text, size_t len,
								struct Node *escontext, Datum *result);

/* JSON text of a value, as a cstring or as a text. */
extern char *colj_value_cstring(ColjDoc *doc, const ColjValue *value);
extern text *colj_value_json(ColjDoc *doc, const ColjValue *value);

/* JSON text of a colj Datum. */
extern char *colj_document_cstring(Datum document);

/* JSON text of a value appended to a StringInfo. */
extern void colj_append_text(StringInfo out, ColjDoc *doc, const ColjValue *value);

#endif							/* COLJ_VALUE_H */
