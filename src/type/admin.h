/*-------------------------------------------------------------------------
 *
 * admin.h
 *	  What making and dropping dictionaries have in common.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_ADMIN_H
#define COLJ_ADMIN_H

#include "type/dictionary.h"

/* The table of dictionaries; raises when there is none. */
extern Oid	colj_dictionary_table_required(void);

/* The type colj. */
extern Oid	colj_type_oid(void);

/* Raise unless the caller may create objects in a schema. */
extern void colj_check_create(Oid schema);

/* Raise unless a dictionary, or the table of them, belongs to the caller. */
extern void colj_check_owner(const ColjDictionary *dictionary);

/*
 * Run a command as the owner of the table of dictionaries, whose qualified
 * name replaces %s in it.
 */
extern void colj_dictionary_execute(const char *command, int nargs, Oid *types,
									Datum *values);

/*
 * Raise if anything in the database uses the dictionary of this name, of whose
 * versions ids are the numbers (uses.c).
 */
extern void colj_dictionary_check_unused(const char *name, List *ids);

#endif							/* COLJ_ADMIN_H */
