/*-------------------------------------------------------------------------
 *
 * shred.h
 *	  Which key paths of a stripe's documents become columns.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_SHRED_H
#define COLJ_SHRED_H

#include "stripe/stripe.h"

#define COLJ_NKINDS (COLJ_OBJECT + 1)

/*
 * A key path that was seen in one document column: a node of a tree whose
 * root (node 0) is the document itself.
 */
typedef struct ColjSeen
{
	uint32_t	parent;			/* COLJ_NO_PATH for the root */
	uint32_t	first_child;	/* in order of appearance, linked by next */
	uint32_t	last_child;
	uint32_t	next;
	uint32_t	nchildren;
	uint32_t	after;			/* the sibling that followed it last time */
	const char *key;			/* borrowed from a document of the stripe */
	uint32_t	key_len;
	uint32_t	depth;
	uint32_t	rows[COLJ_NKINDS];	/* in how many rows it was of each kind */
	bool		crowded;		/* has too many different keys to follow them */
	ColjPathType type;			/* decided by colj_shred_decide */
	uint32_t	path;			/* number of its column, or COLJ_NO_PATH */
} ColjSeen;

/* One key of a key list. */
typedef struct ColjMember
{
	uint32_t	child;			/* the node that it leads to, or COLJ_NO_PATH */
	uint32_t	off;			/* of the key, from the list's first one */
	uint32_t	len;
} ColjMember;

/*
 * A key list that was met at a node.  Documents of one kind have few: who knows the
 * list need not look at its keys.
 */
typedef struct ColjKeyList
{
	uint32_t	node;
	uint32_t	len;			/* of its bytes: runs and keys */
	const uint8_t *bytes;		/* borrowed from a document of the stripe */
	uint32_t	first;			/* of its members */
} ColjKeyList;

typedef struct ColjShred
{
	const ColjHost *host;
	ColjSeen   *seen;
	uint32_t	n;
	uint32_t	room;
	uint32_t   *slots;			/* hash table over (parent, key); 0 is free */
	uint32_t	nslots;			/* a power of two */
	uint32_t	max_paths;
	uint32_t	rows;			/* documents looked at */
	ColjKeyList *lists;			/* hash table over (node, bytes); len 0 is
								 * free */
	uint32_t	nlists;
	ColjMember *members;		/* of all lists */
	uint32_t	nmembers;
	uint32_t	members_room;
} ColjShred;

extern ColjStatus colj_shred_begin(ColjShred *shred, const ColjHost *host, uint32_t max_paths);
extern void colj_shred_end(ColjShred *shred);

/* Count the paths of one more document, whose keys must stay where they are. */
extern ColjStatus colj_shred_look(ColjShred *shred, ColjDoc *doc);

/*
 * Choose the paths that become columns, at most max_paths, and their types.
 * A chosen path's parent is chosen and of type OBJECT.  `path` of chosen ones
 * becomes 0, of others COLJ_NO_PATH.
 */
extern void colj_shred_decide(ColjShred *shred);

/*
 * The child of a node that has this key, or COLJ_NO_PATH.  `previous` is the
 * child asked for before in the same object, or COLJ_NO_PATH: documents of
 * one shape are followed without hashing.
 */
extern uint32_t colj_shred_child(ColjShred *shred, uint32_t parent, uint32_t previous,
								 const char *key, uint32_t len);

/*
 * The members of an object at a node whose key list is known: the first of them, one
 * for each of its values; else COLJ_NO_PATH.
 */
extern uint32_t colj_shred_members(const ColjShred *shred, uint32_t node, const ColjValue *object,
								   const ColjContainer *c);

/* Does a value of this kind fit into a column of this type? */
static inline bool
colj_path_takes(ColjPathType type, ColjKind kind)
{
	static const uint8_t kinds[] = {
		[COLJ_PATH_OBJECT] = 1 << COLJ_OBJECT,
		[COLJ_PATH_BOOL] = 1 << COLJ_BOOL,
		[COLJ_PATH_INT] = 1 << COLJ_INT,
		[COLJ_PATH_DECIMAL] = 1 << COLJ_INT | 1 << COLJ_DECIMAL,
		[COLJ_PATH_STRING] = 1 << COLJ_STRING,
		[COLJ_PATH_NULL] = 0,
		[COLJ_PATH_DOCUMENT] = 0xFF
	};

	return (kinds[type] >> kind & 1) != 0;
}

#endif							/* COLJ_SHRED_H */
