/*-------------------------------------------------------------------------
 *
 * reader.h
 *	  Reading a colj document in place: lookup, iteration, validation.
 *
 * A ColjDoc is the window through which all readers see bytes.  Its memory
 * belongs to whoever made it; the reader only borrows it, and a ColjValue is
 * a position in it, valid as long as the document is.
 *
 * The window may hold the whole document (avail == size), a prefix of it, or
 * pieces: then `fetch` is called for what is missing.  The address `data`
 * never changes between colj_open and the last use, so pointers into it stay
 * good when more is fetched.
 *
 * Every function here takes the bytes as hostile.  On COLJ_CORRUPT and
 * COLJ_BAD_VERSION doc->problem says what is wrong, as a full sentence.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_READER_H
#define COLJ_READER_H

#include "host.h"
#include "layout.h"

typedef enum ColjKind
{
	COLJ_NULL,
	COLJ_BOOL,
	COLJ_STRING,
	COLJ_INT,
	COLJ_DECIMAL,
	COLJ_BIGNUM,
	COLJ_ARRAY,
	COLJ_OBJECT
} ColjKind;

/* A value in a document: decoded when it is a scalar of fixed size. */
typedef struct ColjValue
{
	ColjKind	kind;
	bool		shaped;			/* OBJECT: its keys are in the shape table */
	uint8_t		scale;			/* DECIMAL: value = integer / 10^scale */
	uint32_t	off;			/* where its bytes (or its body) start */
	uint32_t	len;			/* and how many they are */
	int64_t		integer;		/* BOOL, INT, DECIMAL */
} ColjValue;

typedef struct ColjDoc ColjDoc;
struct ColjDoc
{
	const uint8_t *data;
	uint32_t	avail;			/* this many bytes from the start are there */
	uint32_t	size;			/* of the whole document */

	/*
	 * Make data[off, off + len) readable; the caller has checked that it lies
	 * within size.  May set avail.  Not called when avail == size.
	 */
	bool		(*fetch) (ColjDoc *doc, uint32_t off, uint32_t len);
	void	   *fetch_arg;

	/* Set by colj_open. */
	uint32_t	stride;
	uint32_t	nshapes;
	uint32_t	shape_ends;		/* position of the table of shapes' ends */
	uint32_t	shape_base;		/* position of the first shape */
	uint32_t	shape_size;		/* bytes of all shapes */
	ColjValue	root;

	const char *problem;
};

/*
 * A container opened for access to any child.  Small enough for the stack;
 * valid as long as the document.
 */
typedef struct ColjContainer
{
	ColjDoc    *doc;
	ColjKind	kind;			/* COLJ_ARRAY or COLJ_OBJECT */
	bool		fixed;			/* array whose children share one entry */
	uint8_t		entry;			/* that entry */
	uint8_t		width;			/* bytes of an anchor's half, and of an end */
	uint32_t	n;				/* children */
	uint32_t	runs;			/* object: position of the key runs */
	uint32_t	keys;			/* object: position of the key bytes */
	uint32_t	entries;		/* position of the entries */
	uint32_t	anchors;		/* position of the anchors */
	uint32_t	ends;			/* position of the table of ends */
	uint32_t	nbig;			/* how many ends there are */
	uint32_t	small;			/* position of the small values */
	uint32_t	big;			/* position of the big values */
	uint32_t	limit;			/* position after the container's last byte */
} ColjContainer;

/*
 * Where a key was in the last object: documents of one column tend to have the
 * same keys.  To be kept from one call to the next, zero at first; it may be
 * used for any key and document, and never changes an answer.
 */
typedef struct ColjHint
{
	uint64_t	head;			/* the object's first bytes: n and its key
								 * runs */
	uint64_t	mask;			/* that many; 0 for no hint */
	uint32_t	key;			/* its offset in the object */
	uint32_t	len;			/* of the key */
	uint32_t	entries;		/* their offset in the object */
	uint32_t	n;				/* children */
	uint32_t	i;				/* which of them it is */
	uint64_t	row;			/* their entries; 0 for not known */
	ColjTally	before;			/* what those before child i add up to, */
	ColjTally	total;			/* and all of them */
} ColjHint;

typedef struct ColjKey
{
	const char *bytes;			/* not terminated */
	uint32_t	len;
} ColjKey;

/* Iteration over the children of one container, in stored order. */
typedef struct ColjIter
{
	ColjContainer c;
	uint32_t	i;				/* next child */
	uint32_t	small;			/* where the next small value starts */
	uint32_t	big;			/* where the next big value starts */
	uint32_t	rank;			/* number of big children before i */
	uint32_t	run_pos;		/* position of the next run */
	uint32_t	run_left;		/* keys left in the current run */
	uint32_t	key_len;		/* length of the current run's keys */
	uint32_t	key_pos;		/* position of the next key's bytes */
} ColjIter;

/*
 * Read the header, the shape table's place and the root entry.  The caller
 * has set data, avail, size, fetch and fetch_arg.
 */
extern ColjStatus colj_open(ColjDoc *doc);

/* Shorthand for a document that is wholly in memory. */
extern ColjStatus colj_open_bytes(ColjDoc *doc, const void *data, size_t size);

/*
 * The same for the documents that are met most: containers without a shape
 * table, for which there is little to do.  Others are left to colj_open_bytes.
 */
static inline ColjStatus
colj_open_fast(ColjDoc *doc, const void *data, size_t size)
{
	const uint8_t *p = data;

	if (size < 4 || size > COLJ_MAX_SIZE || p[0] != COLJ_FORMAT_VERSION << COLJ_VERSION_SHIFT ||
		(p[2] != COLJ_ENTRY(COLJ_TAG_OBJECT, 0) && p[2] != COLJ_ENTRY(COLJ_TAG_ARRAY, 0)))
		return colj_open_bytes(doc, data, size);
	doc->data = p;
	doc->avail = doc->size = (uint32_t) size;
	doc->fetch = NULL;
	doc->stride = (uint32_t) p[1] + 1;
	doc->nshapes = 0;
	doc->root.kind = COLJ_ENTRY_TAG(p[2]) == COLJ_TAG_ARRAY ? COLJ_ARRAY : COLJ_OBJECT;
	doc->root.shaped = false;
	doc->root.scale = 0;
	doc->root.off = COLJ_HEADER_SIZE + 1;
	doc->root.len = doc->size - (COLJ_HEADER_SIZE + 1);
	doc->root.integer = 0;
	doc->problem = NULL;
	return COLJ_OK;
}

/* Number of children of an array, or of pairs of an object. */
extern ColjStatus colj_count(ColjDoc *doc, const ColjValue *container, uint32_t *n);

/* The value of a key of an object.  COLJ_ABSENT when there is no such key. */
extern ColjStatus colj_get_key(ColjDoc *doc, const ColjValue *object,
							   const char *key, uint32_t len, ColjValue *out);

/* The same with a hint, which is brought up to date. */
extern ColjStatus colj_get_key_hinted(ColjDoc *doc, const ColjValue *object, const char *key,
									  uint32_t len, ColjHint *hint, ColjValue *out);

/* Child i of an array or object.  COLJ_ABSENT when i is beyond the last. */
extern ColjStatus colj_get_index(ColjDoc *doc, const ColjValue *container,
								 uint32_t i, ColjValue *out);

/* Open a container for several accesses; find a key; read a child. */
extern ColjStatus colj_container_open(ColjDoc *doc, const ColjValue *container,
									  ColjContainer *c);
extern ColjStatus colj_container_find(const ColjContainer *c, const char *key,
									  uint32_t len, uint32_t *i);
extern ColjStatus colj_container_child(const ColjContainer *c, uint32_t i,
									   ColjValue *out);

/*
 * Walk over all children: COLJ_OK with the next one, COLJ_ABSENT after the
 * last.  key may be NULL; for an array it is left alone.
 */
extern ColjStatus colj_iter_open(ColjDoc *doc, const ColjValue *container,
								 ColjIter *iter);
extern ColjStatus colj_iter_next(ColjIter *iter, ColjKey *key, ColjValue *out);

/*
 * The same for who knows the keys, and for who wants to know the kind alone of what
 * is no container.  Here and below, an iterator is used with one function only.
 */
extern ColjStatus colj_iter_value(ColjIter *iter, ColjValue *out);
extern ColjStatus colj_iter_kind(ColjIter *iter, ColjValue *out);

/*
 * The next child that is a container itself; the others are passed over
 * without a look at them.
 */
extern ColjStatus colj_iter_container(ColjIter *iter, ColjValue *out);

/* Which shape a shaped object has, and where a shape's key list is. */
extern ColjStatus colj_shape_number(ColjDoc *doc, const ColjValue *object, uint32_t *id);
extern ColjStatus colj_shape_place(ColjDoc *doc, uint32_t id, uint32_t *off, uint32_t *len);

/*
 * The key list of a shape, as an object whose values are all null and whose
 * limit is the shape's end.
 */
extern ColjStatus colj_shape_open(ColjDoc *doc, uint32_t id, ColjContainer *c);

/*
 * The bytes of a STRING or BIGNUM, fetched if need be; NULL when that fails
 * (doc->problem is then set).
 */
extern const char *colj_bytes(ColjDoc *doc, const ColjValue *value);

/*
 * Check the whole document: every length, every key order, every number.
 * After COLJ_OK no reader can fail on it.
 */
extern ColjStatus colj_check_document(ColjDoc *doc, const ColjHost *host);

#endif							/* COLJ_READER_H */
