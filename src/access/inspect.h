/*-------------------------------------------------------------------------
 *
 * inspect.h
 *	  What the functions that look into a table have in common.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_INSPECT_H
#define COLJ_INSPECT_H

#include "store/store.h"

/* A table that is being looked into. */
typedef struct ColjInspection
{
	Relation	table;
	bool		values;			/* may the user see what is in it? */
	bool		has_store;
	ColjStore	store;			/* if has_store */
	Snapshot	snapshot;
} ColjInspection;

/* Is it a table of this access method? */
extern bool colj_is_table(Relation rel);

/*
 * Open a table to look into it.  Raises ERRCODE_WRONG_OBJECT_TYPE if it is of
 * another access method, and ERRCODE_INSUFFICIENT_PRIVILEGE unless the user
 * may SELECT a column of it or is a member of pg_stat_scan_tables.
 */
extern void colj_inspect_begin(ColjInspection *inspection, Oid relid);
extern void colj_inspect_end(ColjInspection *inspection);

/* The stripes that are there, palloc'd. */
extern int	colj_inspect_stripes(ColjInspection *inspection, ColjStripeEntry **entries);

/* How many rows of a stripe are deleted. */
extern int64 colj_inspect_deleted(ColjInspection *inspection, const ColjStripeEntry *entry);

#endif							/* COLJ_INSPECT_H */
