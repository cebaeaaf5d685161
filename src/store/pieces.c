/*-------------------------------------------------------------------------
 *
 * pieces.c
 *	  The bytes of stripes in rows of the TOAST table, in and out.
 *
 * A piece is a row: a checksum, and up to COLJ_CHUNK bytes.  The checksum is
 * there because most bytes of a vector can be changed into others that decode
 * as well, and not every cluster has checksums of its pages.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

/* chunk_data of a piece. */
typedef struct Piece
{
	pg_crc32c	crc;
	uint8		bytes[COLJ_CHUNK];
} Piece;

#define PIECE_HEADER offsetof(Piece, bytes)

/* What is being read, for the context of errors. */
typedef struct Reading
{
	Oid			table;
	const ColjStripeEntry *entry;
} Reading;

static const char *
name_of(Oid table)
{
	const char *name = get_rel_name(table);

	return name != NULL ? name : "?";
}

void
colj_stripe_damaged(Oid table, const ColjStripeEntry *entry, const char *problem)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stripe " UINT64_FORMAT " of table \"%s\" is damaged",
					entry->first_row / COLJ_BLOCK_ROWS, name_of(table)),
			 errdetail("%s", problem != NULL ? problem : "Its bytes contradict themselves.")));
}

static void
say_what_was_read(void *arg)
{
	const Reading *reading = arg;

	errcontext("reading stripe " UINT64_FORMAT " of table \"%s\"",
			   reading->entry->first_row / COLJ_BLOCK_ROWS,
			   name_of(reading->table));
}

static pg_crc32c
checksum(const uint8 *bytes, Size size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, bytes, size);
	FIN_CRC32C(crc);
	return crc;
}

/* Copy piece number `seq` to its place; what is wrong with it, or NULL. */
static const char *
take_piece(ColjStore *store, const ColjStripeEntry *entry, HeapTuple tuple, int32 seq, uint8 *data)
{
	uint64		off = (uint64) seq * COLJ_CHUNK;
	Size		size;
	const char *bytes = colj_store_tuple_data(store, tuple, &size);
	pg_crc32c	crc;

	if (colj_store_tuple_seq(store, tuple) != seq || off >= entry->size ||
		size != PIECE_HEADER + Min(COLJ_CHUNK, entry->size - off))
		return "Its rows in the TOAST table are not those that were written.";
	size -= PIECE_HEADER;
	memcpy(data + off, bytes + PIECE_HEADER, size);
	memcpy(&crc, bytes, sizeof(crc));
	return EQ_CRC32C(crc, checksum(data + off, size)) ? NULL
		: "The checksum of one of its rows in the TOAST table is wrong.";
}

void
colj_pieces_read(ColjStore *store, Oid table, const ColjStripeEntry *entry, int32 first, int32 last,
				 uint8 *data)
{
	Reading		reading = {table, entry};
	ErrorContextCallback context = {error_context_stack, say_what_was_read, &reading};
	const char *problem = NULL;
	ColjStoreScan scan;
	HeapTuple	tuple;
	int32		next = first;

	/* a merge may have deleted them, for those who do not see the stripe */
	error_context_stack = &context;
	colj_store_scan_begin(&scan, store, SnapshotAny, entry->value, first, last);
	while (problem == NULL && (tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();

		/* one that has moved has versions, all the same */
		if (next > first && colj_store_tuple_seq(store, tuple) == next - 1)
			continue;
		problem = take_piece(store, entry, tuple, next++, data);
	}
	colj_store_scan_end(&scan);
	error_context_stack = context.previous;
	if (problem == NULL && next != last + 1)
		problem = "Some of its rows in the TOAST table are missing.";
	if (problem != NULL)
		colj_stripe_damaged(table, entry, problem);
}

int32
colj_pieces_count(uint64 size)
{
	return (int32) ((size + COLJ_CHUNK - 1) / COLJ_CHUNK);
}

void
colj_pieces_store(ColjStore *store, Oid value, const uint8 *bytes, Size size, int options)
{
	Piece	   *piece = palloc(sizeof(Piece));

	for (Size off = 0; off < size; off += COLJ_CHUNK)
	{
		Size		len = Min(COLJ_CHUNK, size - off);

		CHECK_FOR_INTERRUPTS();
		piece->crc = checksum(bytes + off, len);
		memcpy(piece->bytes, bytes + off, len);
		colj_store_insert(store, value, (int32) (off / COLJ_CHUNK), piece, PIECE_HEADER + len, options);
	}
	pfree(piece);
}

void
colj_pieces_delete(ColjStore *store, Oid value)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	colj_store_scan_begin(&scan, store, SnapshotSelf, value, 0, PG_INT32_MAX);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		simple_heap_delete(store->toast, &tuple->t_self);
	}
	colj_store_scan_end(&scan);
}
