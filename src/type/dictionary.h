/*-------------------------------------------------------------------------
 *
 * dictionary.h
 *	  Trained dictionaries: finding them by number and by name.
 *
 * Dictionaries are the rows of the extension's table colj_dictionary.  Rows
 * never change; training a name again adds a row with the next version and a
 * higher number.  A value holds the number of the row it was packed with; a
 * type modifier holds a hash of the name, so that it can be written down
 * before, and without, the dictionary.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_DICTIONARY_H
#define COLJ_DICTIONARY_H

#include <zstd.h>

#include "nodes/pg_list.h"

/* The columns of colj_dictionary. */
typedef enum ColjDictionaryColumn
{
	COLJ_DICTIONARY_ID = 1,
	COLJ_DICTIONARY_NAME,
	COLJ_DICTIONARY_VERSION,
	COLJ_DICTIONARY_OWNER,
	COLJ_DICTIONARY_CREATED,
	COLJ_DICTIONARY_DOCUMENTS,
	COLJ_DICTIONARY_SAMPLES,
	COLJ_DICTIONARY_SAMPLE_BYTES,
	COLJ_DICTIONARY_BYTES
} ColjDictionaryColumn;

typedef struct ColjDictionary
{
	uint32		id;
	int32		version;
	NameData	name;
	NameData	owner;
} ColjDictionary;

/* The hash of a name: frozen, since type modifiers hold it.  Never 0. */
#define COLJ_NAME_HASH_BITS 22
#define COLJ_NAME_HASH_MASK ((1 << COLJ_NAME_HASH_BITS) - 1)
extern uint32 colj_dictionary_hash(const char *name);

/* The table, or InvalidOid while there is no extension. */
extern Oid	colj_dictionary_table(void);

/* The newest dictionary whose name has this hash; false if there is none. */
extern bool colj_dictionary_by_hash(uint32 hash, ColjDictionary *found);

/* The numbers of all versions of a name, as a list of int. */
extern List *colj_dictionary_versions(const char *name);

/*
 * The dictionary with this number, also when its row is not visible to the
 * transaction; false if there is none.  bytes may be NULL; what it is set to is
 * allocated in the current memory context.
 */
extern bool colj_dictionary_by_id(uint32 id, ColjDictionary *found, bytea **bytes);

/*
 * The number of the newest dictionary whose name has this hash, or 0.  As
 * colj_dictionary_by_hash, but from the backend's memory; and no dictionary is
 * dropped until the transaction ends, so that what is packed with the result
 * can be unpacked.
 */
extern uint32 colj_dictionary_for_packing(uint32 hash);

/* A dictionary for use with libzstd (digest.c); NULL when there is no such row. */
extern const ZSTD_CDict *colj_dictionary_encoder(uint32 id, int level);
extern const ZSTD_DDict *colj_dictionary_decoder(uint32 id);

/* Dictionaries have come or gone. */
extern void colj_digests_invalidate(void);

/* The (sub)transaction is over, and its locks with it. */
extern void colj_dictionary_unlocked(void);

/* A number that no dictionary has. */
extern uint32 colj_dictionary_next_id(void);

/* Let DELETE pass the table's trigger (admit.c). */
extern bool colj_dictionary_dropping;

#endif							/* COLJ_DICTIONARY_H */
