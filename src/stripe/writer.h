/*-------------------------------------------------------------------------
 *
 * writer.h
 *	  What the files that write stripes share.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_WRITER_H
#define COLJ_STRIPE_WRITER_H

#include "stripe/column.h"
#include "stripe/shred.h"

/* A cell that waits for the end of the stripe. */
typedef struct ColjHeldCell
{
	bool		null;
	uint32_t	len;
	union
	{
		int64_t		integer;
		const char *bytes;		/* in the writer's chunks */
	}			u;
} ColjHeldCell;

/* A path while its columns are written. */
typedef struct ColjWritePath
{
	ColjPathEntry entry;
	ColjColumn	column;			/* the vector that is being filled */
	ColjSink	body;			/* vectors that are complete */
	ColjSink	first;			/* its first vector, if that has been stored
								 * to see whether a sibling pays */
	uint32_t	node;			/* in the table column's tree */
	uint32_t	like;			/* ColjStoring, for the vector at hand */
	uint32_t	front;			/* ColjStoring, when there is a sibling */
	uint32_t	back;
	bool		referred;		/* it is cut out of others */
} ColjWritePath;

/* A table column while it is written. */
typedef struct ColjWriteTable
{
	ColjShred	shred;			/* of a document column */
	ColjWritePath *root;
	ColjWritePath *residual;	/* NULL for a plain column */
} ColjWriteTable;

struct ColjStripeWriter
{
	const ColjHost *host;
	ColjStripeOptions options;
	ColjVectorWork *work;
	ColjStatus	status;
	uint32_t	ncolumns;
	ColjColumnSpec *specs;
	ColjWriteTable *tables;

	/* Rows that were added. */
	ColjHeldCell *cells;		/* rows * ncolumns */
	uint32_t	rows;
	size_t		cells_room;
	char	  **chunks;			/* bytes of their values */
	size_t		nchunks;
	size_t		chunks_room;
	size_t		chunk_left;		/* free at the end of the last chunk */
	char	   *chunk_next;
	size_t		held;			/* bytes of all chunks and cells */

	/* Their columns. */
	ColjWritePath *paths;
	uint32_t	npaths;
	ColjBuilder residual;		/* of the row at hand */
	ColjBuilder value;			/* of a DOCUMENT column's value */
	ColjSink	scratch;		/* a document on its way into a column */
	ColjSink	stripe;			/* the result */
};

/* Push one document into its columns as row `row` of the vector at hand. */
extern ColjStatus colj_emit_document(ColjStripeWriter *writer, ColjWriteTable *table, uint32_t row,
									 ColjDoc *doc);

/* How the vector at hand of a path is to be stored, as things are. */
extern ColjStoring colj_path_storing(const ColjStripeWriter *writer, const ColjWritePath *path);

/* Find strings that contain a sibling's value, in the first vector. */
extern void colj_choose_siblings(ColjStripeWriter *writer);

#endif							/* COLJ_STRIPE_WRITER_H */
