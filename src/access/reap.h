/*-------------------------------------------------------------------------
 *
 * reap.h
 *	  Taking dead rows of stripes out of the indexes.
 *
 *		colj_reap_collect		which rows
 *		colj_reap_indexes		as VACUUM, which takes no part in others' horizons
 *		colj_reap_settle		in an ordinary transaction
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_REAP_H
#define COLJ_REAP_H

#include "commands/vacuum.h"

#include "store/store.h"

/* Rows of one granule that are to be reaped. */
typedef struct ColjReapGranule
{
	int32		granule;
	bits8		bits[COLJ_GRANULE_BYTES];
} ColjReapGranule;

typedef struct ColjReap
{
	TransactionId horizon;
	ColjDeadCount count;		/* rows with proxies */
	uint64		gone;			/* numbers in no stripe */
	int64		live;			/* rows in stripes that nobody has made dead */
	int			n;
	int			room;
	int			most;			/* as maintenance_work_mem says */
	ColjReapGranule *granules;	/* in their order */
	int			last;			/* the one that was asked for last */
	int32		from;			/* the first granule of the collection */
	bool		more;			/* there was no room for all of them, */
	int32		next;			/* but up to this one */
	int64		entries;		/* that were removed from indexes */
} ColjReap;

/*
 * From a granule on, as many as there is room for; live and dead rows are
 * counted of all.  Memory is the current context's.
 */
extern void colj_reap_collect(Relation table, int32 from, ColjReap *reap);

/* Are proxies that say live so many that those of rows that nobody holds should go? */
extern bool colj_reap_has_idle(const ColjReap *reap, const VacuumParams *params);

/* Are they enough for going through all indexes? */
extern bool colj_reap_is_worth(const ColjReap *reap, const VacuumParams *params);

extern void colj_reap_indexes(Relation table, ColjReap *reap, const VacuumParams *params,
							  BufferAccessStrategy strategy);
extern void colj_reap_settle(Relation table, ColjReap *reap);
extern void colj_reap_free(ColjReap *reap);

#endif							/* COLJ_REAP_H */
