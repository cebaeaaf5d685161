/*-------------------------------------------------------------------------
 *
 * builder.h
 *	  Making a colj document: events in, bytes out.
 *
 * Callers push the document's parts in order (as pushJsonbValue's callers
 * do), call colj_builder_finish to learn the size, and colj_builder_write to
 * fill a buffer of that size.  Keys may come in any order and repeat: at the
 * end of an object they are sorted by (length, bytes) and the last of equal
 * ones stays, as in jsonb.
 *
 * Ownership: the builder's own memory comes from the host and lives until
 * colj_builder_free; colj_builder_reset keeps it for the next document.
 * Strings, keys and BIGNUM bytes are borrowed: they must stay valid until
 * colj_builder_write has returned.  colj_builder_scratch lends memory with
 * that lifetime.
 *
 * A failed push is remembered: the calls after it do nothing, and
 * colj_builder_finish returns the first failure.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_BUILDER_H
#define COLJ_BUILDER_H

#include "reader.h"

/* One value of the tree. */
typedef struct ColjNode
{
	uint8_t		kind;			/* ColjKind */
	uint8_t		scale;			/* DECIMAL */
	bool		whole;			/* ARRAY, OBJECT: the body's bytes, not a box */
	uint32_t	len;			/* bytes, where there are bytes */
	union
	{
		const char *bytes;		/* STRING, BIGNUM, keys, whole bodies */
		int64_t		integer;	/* BOOL, INT, DECIMAL */
		uint32_t	box;		/* ARRAY, OBJECT: index into boxes */
	}			u;
} ColjNode;

#define COLJ_NO_SHAPE UINT32_MAX
#define COLJ_UNPLACED UINT32_MAX

/* What is known of a closed container. */
typedef struct ColjBox
{
	uint32_t	first;			/* its children in nodes; key, value, key, ... */
	uint32_t	n;				/* children, or pairs */
	uint32_t	size;			/* bytes of its body */
	uint32_t	keys_size;		/* object: bytes of its key list */
	uint32_t	small_size;		/* bytes of all small values */
	uint32_t	nbig;
	uint32_t	shape;			/* id in the shape table or COLJ_NO_SHAPE */
	uint32_t	at;				/* where the body goes; COLJ_UNPLACED before */
	uint8_t		object;
	uint8_t		fixed;			/* children share one entry ... */
	uint8_t		entry;			/* ... namely this */
	uint8_t		width;			/* bytes of an end */
} ColjBox;

/* A container that has been begun. */
typedef struct ColjOpen
{
	uint32_t	start;			/* its first child in pending */
	bool		object;
} ColjOpen;

/* A growing array in the host's memory. */
typedef struct ColjList
{
	void	   *items;
	size_t		n;
	size_t		room;
} ColjList;

typedef struct ColjBuilder
{
	const ColjHost *host;
	ColjStatus	status;			/* first failure, or COLJ_OK */
	ColjList	pending;		/* ColjNode: children of open containers */
	ColjList	open;			/* ColjOpen: containers begun and not ended */
	ColjList	nodes;			/* ColjNode: children of closed containers */
	ColjList	boxes;			/* ColjBox: children before their parents */
	ColjList	shapes;			/* uint32_t: a box that has this key list */
	ColjList	order;			/* sort keys of the object being closed */
	ColjList	queue;			/* uint32_t: boxes of the document, parents
								 * first */
	ColjList	slots;			/* hash table while shapes are counted */
	ColjList	iters;			/* ColjIter: open containers of a copy */
	ColjList	scratch;		/* char *: chunks lent by colj_builder_scratch */
	size_t		scratch_chunk;	/* bytes of the last chunk */
	size_t		scratch_left;	/* free bytes at its end */
	size_t		scratch_size;	/* bytes of all chunks */
	uint32_t	shape_size;		/* bytes of all shapes */
	uint32_t	stride;
	uint32_t	size;			/* of the document, once finished */
	uint32_t	steps;			/* for host->poll */
} ColjBuilder;

extern void colj_builder_init(ColjBuilder *b, const ColjHost *host);
extern void colj_builder_reset(ColjBuilder *b);
extern void colj_builder_free(ColjBuilder *b);

/* Bytes held in the host's memory, for those who keep a builder. */
extern size_t colj_builder_memory(const ColjBuilder *b);

/* Memory that lives until the next reset; NULL (and a failure) if none. */
extern char *colj_builder_scratch(ColjBuilder *b, size_t size);

extern void colj_builder_begin_array(ColjBuilder *b);
extern void colj_builder_begin_object(ColjBuilder *b);
extern void colj_builder_end(ColjBuilder *b);
extern void colj_builder_key(ColjBuilder *b, const char *bytes, uint32_t len);
extern void colj_builder_null(ColjBuilder *b);
extern void colj_builder_bool(ColjBuilder *b, bool value);
extern void colj_builder_string(ColjBuilder *b, const char *bytes, uint32_t len);
extern void colj_builder_int(ColjBuilder *b, int64_t value);

/* value / 10^scale; scale 0 is the same as colj_builder_int. */
extern void colj_builder_decimal(ColjBuilder *b, int64_t mantissa, uint8_t scale);
extern void colj_builder_bignum(ColjBuilder *b, const uint8_t *bytes, uint32_t len);

/* Push a value of another document, which must live until the write. */
extern ColjStatus colj_builder_copy(ColjBuilder *b, ColjDoc *doc,
									const ColjValue *value);

/*
 * As colj_builder_copy, for documents that are changed a little: a container
 * is taken as the bytes that it is when its document has no shape table and
 * the stride that colj_builder_finish will be given.
 */
extern ColjStatus colj_builder_part(ColjBuilder *b, ColjDoc *doc,
									const ColjValue *value, uint32_t stride);

/*
 * Choose shapes, add up sizes.  stride is 1..256.  One value must have been
 * pushed and every container ended.
 */
extern ColjStatus colj_builder_finish(ColjBuilder *b, uint32_t stride,
									  uint32_t *size);

/* Write the document of colj_builder_finish into size bytes. */
extern void colj_builder_write(ColjBuilder *b, uint8_t *out);

#endif							/* COLJ_BUILDER_H */
