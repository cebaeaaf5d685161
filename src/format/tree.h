/*-------------------------------------------------------------------------
 *
 * tree.h
 *	  What the files that make documents share: builder.c, measure.c,
 *	  shapes.c and write.c.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TREE_H
#define COLJ_TREE_H

#include "builder.h"

#include "bytes.h"

/* A key list in the hash table of shapes.c. */
typedef struct ColjShapeSlot
{
	uint64_t	hash;
	uint32_t	box;			/* an object with this key list */
	uint32_t	uses;			/* 0: the slot is free */
	uint32_t	id;				/* once chosen, or COLJ_NO_SHAPE */
} ColjShapeSlot;

/* Remember the first failure. */
extern void colj_fail(ColjBuilder *b, ColjStatus status);

/* Room for n more items at the end of a list; NULL (and a failure) if none. */
extern void *colj_list_grow(ColjBuilder *b, ColjList *list, size_t n, size_t item_size);

static inline void *
colj_list_add(ColjBuilder *b, ColjList *list, size_t n, size_t item_size)
{
	if (COLJ_UNLIKELY(n > list->room - list->n || list->items == NULL))
		return colj_list_grow(b, list, n, item_size);
	list->n += n;
	return (char *) list->items + (list->n - n) * item_size;
}

/* The children of a box. */
static inline const ColjNode *
colj_box_nodes(const ColjBuilder *b, const ColjBox *box)
{
	return (const ColjNode *) b->nodes.items + box->first;
}

static inline ColjBox *
colj_box(const ColjBuilder *b, uint32_t i)
{
	return (ColjBox *) b->boxes.items + i;
}

/* Tag of a node, and bytes of its value. */
static inline ColjTag
colj_node_tag(const ColjBuilder *b, const ColjNode *node)
{
	switch ((ColjKind) node->kind)
	{
		case COLJ_NULL:
		case COLJ_BOOL:
			return COLJ_TAG_LITERAL;
		case COLJ_STRING:
			return COLJ_TAG_STRING;
		case COLJ_INT:
			return colj_is_literal_int(node->u.integer) ? COLJ_TAG_LITERAL : COLJ_TAG_INT;
		case COLJ_DECIMAL:
			return COLJ_TAG_DECIMAL;
		case COLJ_BIGNUM:
			return COLJ_TAG_BIGNUM;
		case COLJ_ARRAY:
			return COLJ_TAG_ARRAY;
		case COLJ_OBJECT:
			break;
	}
	return node->whole || colj_box(b, node->u.box)->shape == COLJ_NO_SHAPE ? COLJ_TAG_OBJECT : COLJ_TAG_SHAPED;
}

static inline uint32_t
colj_node_size(const ColjBuilder *b, const ColjNode *node)
{
	switch ((ColjKind) node->kind)
	{
		case COLJ_NULL:
		case COLJ_BOOL:
			return 0;
		case COLJ_STRING:
		case COLJ_BIGNUM:
			return node->len;
		case COLJ_INT:
			return colj_is_literal_int(node->u.integer) ? 0 : colj_int_size(node->u.integer);
		case COLJ_DECIMAL:
			return 1 + (node->u.integer == 0 ? 0 : colj_int_size(node->u.integer));
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			break;
	}
	return node->whole ? node->len : colj_box(b, node->u.box)->size;
}

static inline uint8_t
colj_literal_entry(const ColjNode *node)
{
	uint32_t	code = COLJ_LITERAL_NULL;

	if (node->kind == COLJ_BOOL)
		code = node->u.integer ? COLJ_LITERAL_TRUE : COLJ_LITERAL_FALSE;
	else if (node->kind == COLJ_INT)
		code = COLJ_LITERAL_ZERO + (uint32_t) node->u.integer;
	return COLJ_ENTRY(COLJ_TAG_LITERAL, code);
}

/* Entry of a node that stands among others. */
static inline uint8_t
colj_node_entry(const ColjBuilder *b, const ColjNode *node)
{
	ColjTag		tag = colj_node_tag(b, node);
	uint32_t	size;

	if (tag == COLJ_TAG_LITERAL)
		return colj_literal_entry(node);
	size = colj_node_size(b, node);
	return COLJ_ENTRY(tag, size <= COLJ_SMALL_MAX ? size : COLJ_BIG);
}

/* Entry of a document's root. */
extern uint8_t colj_root_entry(const ColjBuilder *b, const ColjNode *node);

/* Set the sizes of all boxes, children before parents. */
extern void colj_measure(ColjBuilder *b);

/* Bytes of an object's key list with its count. */
extern uint32_t colj_key_list_size(const ColjBox *box);

/* Write that key list and return the position after it. */
extern uint8_t *colj_put_key_list(const ColjBuilder *b, const ColjBox *box, uint8_t *out);

/* Anchors of n children. */
static inline uint32_t
colj_anchors(uint32_t n, uint32_t stride)
{
	return n > stride ? (n - 1) / stride : 0;
}

/* The next run of an object's keys from key i on: its length and count. */
extern uint32_t colj_key_run(const ColjNode *pairs, uint32_t n, uint32_t i);

/* Call the host's poll every COLJ_POLL_EVERY steps. */
extern void colj_poll(ColjBuilder *b, uint32_t steps);

/* Bytes of the whole document as measured. */
extern uint64_t colj_document_size(const ColjBuilder *b);

/*
 * Decide which key lists go into a shape table and measure again if any do.
 * The boxes have been measured without one.
 */
extern void colj_choose_shapes(ColjBuilder *b);

/* Bytes of the shape table; 0 when there is none.  Write it. */
extern uint64_t colj_shape_table_size(const ColjBuilder *b);
extern uint8_t *colj_put_shape_table(const ColjBuilder *b, uint8_t *out);

#endif							/* COLJ_TREE_H */
