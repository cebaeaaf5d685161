/*-------------------------------------------------------------------------
 *
 * store.h
 *	  The column store of a table: stripes and proxies in its TOAST table.
 *
 * README.md tells the life of a row, who locks what, and every byte of the
 * rows that are kept here.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STORE_H
#define COLJ_STORE_H

#include "access/htup.h"
#include "access/tableam.h"
#include "storage/itemptr.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

#include "stripe/stripe.h"

/* Row r of the column store has block COLJ_FIRST_BLOCK + r/256, offset r%256 + 1. */
#define COLJ_FIRST_BLOCK ((BlockNumber)0x80000000)
#define COLJ_BLOCK_ROWS 256

static inline bool
colj_tid_in_stripe(ItemPointer tid)
{
	return ItemPointerGetBlockNumberNoCheck(tid) >= COLJ_FIRST_BLOCK;
}

/* False for a TID that no row of a stripe can have; users may ask for any. */
static inline bool
colj_tid_possible(ItemPointer tid)
{
	OffsetNumber offset = ItemPointerGetOffsetNumberNoCheck(tid);

	return offset >= 1 && offset <= COLJ_BLOCK_ROWS;
}

static inline uint64
colj_tid_row(ItemPointer tid)
{
	return (uint64) (ItemPointerGetBlockNumberNoCheck(tid) - COLJ_FIRST_BLOCK) * COLJ_BLOCK_ROWS +
		ItemPointerGetOffsetNumberNoCheck(tid) - 1;
}

static inline ItemPointerData
colj_row_tid(uint64 row)
{
	ItemPointerData tid;

	ItemPointerSet(&tid, COLJ_FIRST_BLOCK + (BlockNumber) (row / COLJ_BLOCK_ROWS),
				   (OffsetNumber) (row % COLJ_BLOCK_ROWS + 1));
	return tid;
}

/* The TOAST table with its indexes, open. */
typedef struct ColjStore
{
	Relation	table;
	Relation	toast;
	Relation   *indexes;
	int			nindexes;
	int			valid;			/* the index to search by */
	LOCKMODE	lockmode;
} ColjStore;

/*
 * Open the column store; false when the table has none (no TOAST table, or
 * an empty one).  The relation stays the caller's.
 */
extern bool colj_store_open(ColjStore *store, Relation table, LOCKMODE lockmode);
extern void colj_store_close(ColjStore *store);

/* Open it for reading rows, in that TOAST table. */
extern void colj_store_open_toast(ColjStore *store, Relation table, Oid toast);

/* Does the table have stripes, of whatever transaction? */
extern bool colj_store_exists(Relation table);

/* Live rows in stripes and the blocks that they take, for the planner. */
extern double colj_store_estimate(Relation table, BlockNumber *blocks);

/* A stripe, as the directory has it. */
typedef struct ColjStripeEntry
{
	uint64		first_row;
	uint32		rows;			/* row numbers that it takes */
	uint32		filled;			/* those that had a row when it was made */
	bool		cold;			/* its rows were visible to everybody before */
	Oid			value;			/* chunk_id of its bytes */
	uint64		size;			/* of its bytes */
	uint64		raw;			/* bytes of its rows, about; 0: not known */
	TransactionId xmin;			/* who made it */
} ColjStripeEntry;

/*
 * All stripes that a snapshot sees, in the order of their rows; the array is
 * palloc'd.  SnapshotSelf stands for every snapshot that is not MVCC.
 */
extern int	colj_directory_read(ColjStore *store, Snapshot snapshot, ColjStripeEntry **entries);

/* The stripe of a row; false when the snapshot sees none. */
extern bool colj_directory_find(ColjStore *store, Snapshot snapshot, uint64 row,
								ColjStripeEntry *entry);

/* The stripe with the highest row numbers; false when the snapshot sees none. */
extern bool colj_directory_last(ColjStore *store, Snapshot snapshot, ColjStripeEntry *entry);

/* Delete a stripe, its row of the directory and its bytes. */
extern void colj_stripe_delete(ColjStore *store, const ColjStripeEntry *entry);

/*
 * For relocate.c: delete a row of the directory, which every snapshot sees or
 * this transaction has made, or the meta row, and insert it again.
 */
extern void colj_directory_move(ColjStore *store, HeapTuple tuple);
extern void colj_meta_move(ColjStore *store);

/* MVCC snapshots as they are, SnapshotSelf for others. */
extern Snapshot colj_directory_snapshot(Snapshot snapshot);

/* Writing: rows numbers are reserved for good, a multiple of COLJ_BLOCK_ROWS. */
extern uint64 colj_rows_reserve(ColjStore *store, uint64 rows);
extern void colj_rows_count(ColjStore *store, int64 change);

/*
 * Take back [first, end), which nothing has ever been put under, if they are
 * the last ones; false if they are not.
 */
extern bool colj_rows_return(ColjStore *store, uint64 first, uint64 end);

/*
 * How many have been given away, and live rows, about.  What load has got of
 * them has been announced by then.
 */
extern uint64 colj_rows_given(ColjStore *store, int64 *live);

/*
 * Store a stripe, whose first_row, rows, filled and raw are given, as of a command of
 * this transaction; options as for heap_insert.
 */
extern void colj_stripe_store_as(ColjStore *store, ColjStripeEntry entry, const uint8_t *bytes, size_t size,
								 CommandId cid, int options);

/* The same of cold rows. */
extern void colj_stripe_store_cold(ColjStore *store, ColjStripeEntry entry, const uint8_t *bytes, size_t size,
								   int options);

/*
 * Rows that are being loaded may be in indexes before they are in a stripe:
 * reserve and announce some, as of a command of this transaction; take
 * the announcement back; and find out who else has announced a row
 * (InvalidTransactionId for nobody).  announce.c
 */
extern uint64 colj_rows_announce(ColjStore *store, uint64 rows, CommandId cid, ItemPointer announced);
extern void colj_rows_withdraw(ColjStore *store, ItemPointer announced, CommandId cid);
extern TransactionId colj_row_loader(ColjStore *store, uint64 row);

/* Rows [first, end). */
typedef struct ColjRowRange
{
	uint64		first;
	uint64		end;
} ColjRowRange;

/* Those that others are loading, in their order; palloc'd. */
extern int	colj_rows_loading(ColjStore *store, ColjRowRange **ranges);

/* One row of the TOAST table, in and out (rows.c). */
extern void colj_store_insert(ColjStore *store, Oid id, int32 seq, const void *bytes,
							  Size size, int options);

/* The same as of a command of this transaction. */
extern ItemPointerData colj_store_insert_as(ColjStore *store, Oid id, int32 seq, const void *bytes,
											Size size, CommandId cid, int options);

/* Update one of them, which nobody else changes at the time. */
extern void colj_store_update(ColjStore *store, ItemPointer tid, Oid id, int32 seq,
							  const void *bytes, Size size);

typedef struct ColjStoreScan
{
	ColjStore  *store;
	struct SysScanDescData *scan;
	Snapshot	judge;			/* of a serializable transaction, or NULL */
} ColjStoreScan;

extern void colj_store_scan_begin(ColjStoreScan *scan, ColjStore *store, Snapshot snapshot,
								  Oid id, int32 first, int32 last);
extern HeapTuple colj_store_scan_next(ColjStoreScan *scan, bool backward);
extern void colj_store_scan_end(ColjStoreScan *scan);
extern int32 colj_store_tuple_seq(ColjStore *store, HeapTuple tuple);
extern const char *colj_store_tuple_data(ColjStore *store, HeapTuple tuple, Size *size);

/*
 * The page of the TOAST table whose lock they take who make, change or move the
 * meta row, and loads.
 */
#define COLJ_META_LOCK (MaxBlockNumber - 1)

/* Reserved chunk_ids. */
#define COLJ_ID_META 1
#define COLJ_ID_DIRECTORY 2
#define COLJ_ID_LOAD 3
#define COLJ_ID_ORIGIN 4
#define COLJ_ID_SETTLED 5
#define COLJ_ID_PROXY 4096		/* plus row number / 2^31 */
#define COLJ_PROXY_IDS 256
#define COLJ_CHUNK 8092			/* bytes of a stripe in one row */

/*
 * The pieces of a stripe (pieces.c): how many bytes of that size take, storing
 * them under a chunk_id, and reading some of them to their places in data.  The table
 * is named in errors.
 */
extern int32 colj_pieces_count(uint64 size);
extern void colj_pieces_store(ColjStore *store, Oid value, const uint8 *bytes, Size size, int options);
extern void colj_pieces_delete(ColjStore *store, Oid value);
extern void colj_pieces_read(ColjStore *store, Oid table, const ColjStripeEntry *entry,
							 int32 first, int32 last, uint8 *data);

/* Raise ERRCODE_DATA_CORRUPTED; problem is a full sentence, or NULL. */
extern void colj_stripe_damaged(Oid table, const ColjStripeEntry *entry,
								const char *problem) pg_attribute_noreturn();

/*
 * Where rows were in the row store before (origin.c): written with a stripe,
 * the TIDs in the order of its rows, and ascending.
 */
extern void colj_origins_store(ColjStore *store, uint64 first_row, const ItemPointerData *tids, uint32 n);

/* The row that a transaction, now committed, has moved from a TID; false if none. */
extern bool colj_origin_row(ColjStore *store, ItemPointer tid, TransactionId mover, uint64 *row);

/* The TID that a row had; false when that is forgotten. */
extern bool colj_origin_tid(ColjStore *store, uint64 row, ItemPointer tid);

/* Is there one that moved before the horizon, and delete all of those. */
extern bool colj_origins_settled(ColjStore *store, TransactionId horizon);
extern void colj_origins_forget(ColjStore *store, TransactionId horizon);

/* How table columns are stored (columns.c). */
extern ColjColumnKind colj_column_kind(Form_pg_attribute att);
extern bool colj_column_is_jsonb(Form_pg_attribute att);
extern ColjColumnSpec *colj_column_specs(TupleDesc desc);
extern void colj_cells_fill(TupleDesc desc, const ColjColumnSpec *specs, const Datum *values,
							const bool *isnull, ColjDoc *docs, ColjCell *cells);

/*
 * Would a stripe of a table with these columns be written as this one is, as far as
 * it tells?  Not if it has values of columns that have been dropped, or lacks columns.
 */
extern bool colj_stripe_is_current(ColjStore *store, const ColjStripeEntry *entry, TupleDesc desc);

/* Can this cell of a plain column, of this type in the stripe, be a value of the table's? */
extern bool colj_cell_fits(Form_pg_attribute att, ColjPathType type, const ColjCell *cell);

/*
 * A stripe by itself, read whole from the TOAST table; it goes with the
 * memory context, in which it is the only thing.
 */
extern ColjStripe *colj_stripe_whole(ColjStore *store, const ColjStripeEntry *entry,
									 MemoryContext context);

/* A stripe that has been opened, with what was decoded of it (open.c). */
typedef struct ColjOpenStripe ColjOpenStripe;

/* For readers that pin nothing: valid until the next call, or the end of the transaction. */
extern ColjStripe *colj_stripe_get(ColjStore *store, const ColjStripeEntry *entry);

extern ColjStripe *colj_open_stripe(const ColjOpenStripe *open);

/* Raise the error that a status is; problem may be NULL, for what the stripe says. */
extern void colj_stripe_raise(const ColjOpenStripe *open, ColjStatus status,
							  const char *problem) pg_attribute_noreturn();

/* A hold on one vector of an open stripe; zero for none. */
typedef struct ColjPin
{
	ColjOpenStripe *open;
	uint32		vector;
	uint32		first;			/* its first row in the stripe */
	uint32		n;				/* its rows */
	Oid			toast;			/* which stripe it is */
	ColjStripeEntry entry;
} ColjPin;

/* Do two entries of one TOAST table stand for the same bytes? */
static inline bool
colj_entry_equals(const ColjStripeEntry *a, const ColjStripeEntry *b)
{
	return a->value == b->value && a->first_row == b->first_row && a->xmin == b->xmin && a->size == b->size;
}

/* Is it on the vector of a row, which counts from the stripe's first? */
static inline bool
colj_pin_has(const ColjPin *pin, const ColjStore *store, const ColjStripeEntry *entry, uint32 row)
{
	return pin->open != NULL && row - pin->first < pin->n &&
		pin->toast == RelationGetRelid(store->toast) && colj_entry_equals(&pin->entry, entry);
}

/* Put it there, and release what it was on. */
extern void colj_pin_take(ColjPin *pin, ColjStore *store, const ColjStripeEntry *entry, uint32 row);
extern void colj_pin_share(ColjPin *pin, const ColjPin *other);
extern void colj_pin_release(ColjPin *pin);

/*
 * Values of rows in stripes as Datums (values.c).  A reader is on one row at
 * a time; its Datums are good until it moves.  Documents, and varlenas of core's
 * types, are read-only expanded objects, which read their vectors when they
 * are looked at.
 */
typedef struct ColjRowReader ColjRowReader;

/*
 * The reader lives in the memory context, with all that it allocates, and
 * releases its pin when that is reset.  The descriptor is the caller's: while ALTER
 * TABLE rewrites a table it is not the relation's.
 */
extern ColjRowReader *colj_row_reader_create(MemoryContext context, TupleDesc desc);

/* Copies of a document's column, counted from 0, need have no other keys than these. */
extern void colj_row_reader_want(ColjRowReader *reader, int column, const ColjWanted *wanted);

/* Move to row number `row` of the table. */
extern void colj_row_reader_move(ColjRowReader *reader, ColjStore *store,
								 const ColjStripeEntry *entry, uint64 row);

/* Move to where another reader is. */
extern void colj_row_reader_follow(ColjRowReader *reader, const ColjRowReader *other);

/* Leave the row. */
extern void colj_row_reader_leave(ColjRowReader *reader);

/* Columns from..to-1 of the row. */
extern void colj_row_reader_values(ColjRowReader *reader, int from, int to, Datum *values,
								   bool *isnull);

/* Its hold on the vector of the row that it is on. */
extern const ColjPin *colj_row_reader_pin(const ColjRowReader *reader);

/* Who made the row's stripe. */
extern TransactionId colj_row_reader_xmin(const ColjRowReader *reader);

/* Forget what is open, pinned stripes as soon as they are released (TRUNCATE). */
extern void colj_stripe_cache_reset(void);

/* What proxies say of a row under a snapshot (proxy.c). */
typedef struct ColjFate
{
	bool		dead;
	ItemPointerData forward;	/* where an update has put it; invalid if
								 * deleted */
	TransactionId killer;		/* who has made it dead */
	TransactionId pending;		/* SnapshotDirty: who is about to */
} ColjFate;

extern ColjFate colj_row_fate(ColjStore *store, Snapshot snapshot, uint64 row);

/* The same of a row that an index search under the snapshot has found. */
extern ColjFate colj_indexed_row_fate(ColjStore *store, Snapshot snapshot, uint64 row);

/*
 * What is wrong with a version of a proxy, as a full sentence; NULL if nothing
 * is.  *dead is whether it says so of its row.
 */
extern const char *colj_proxy_problem(ColjStore *store, HeapTuple tuple, bool *dead);

/* Does a version of a proxy say dead? */
extern bool colj_proxy_is_dead(ColjStore *store, HeapTuple tuple);

/*
 * A bit for each of rows [first, first + n): dead under the snapshot; NULL for
 * none.  A stripe's rows begin at a multiple of COLJ_BLOCK_ROWS.
 */
extern bits8 *colj_rows_dead(ColjStore *store, Snapshot snapshot, uint64 first, uint32 n);

/*
 * Settled rows (settled.c): dead to everybody, in no index, and without a
 * proxy.  Records have COLJ_GRANULE_ROWS row numbers each.
 */
#define COLJ_GRANULE_ROWS 16384
#define COLJ_GRANULE_BYTES (COLJ_GRANULE_ROWS / 8)

extern bool colj_row_settled(ColjStore *store, Snapshot snapshot, uint64 row);

/* Set their bits among rows [first, first + n); into may be NULL for none, palloc'd if needed. */
extern bits8 *colj_rows_settled(ColjStore *store, Snapshot snapshot, uint64 first, uint32 n, bits8 *into);

/* The bits of one record, all of them; false, and no bit, if there is none. */
extern bool colj_granule_read(ColjStore *store, Snapshot snapshot, int32 granule, bits8 *bits);

/* Add bits to a record, once in a command. */
extern void colj_granule_add(ColjStore *store, int32 granule, const bits8 *add);

/*
 * Row numbers that nothing has ever been put under, in ascending ranges; the
 * memory is of that context.  Begin with all else zero.
 */
typedef struct ColjUnused
{
	MemoryContext context;
	ColjRowRange *ranges;
	int			n;
	int			room;
} ColjUnused;

/* Add rows [first, end), which may be none. */
extern void colj_unused_add(ColjUnused *unused, uint64 first, uint64 end);

/* Settle them, once in a command, and forget the list. */
extern void colj_unused_settle(ColjStore *store, ColjUnused *unused);

/* Set the bits of a version; what is wrong with it, as a full sentence, or NULL. */
extern const char *colj_granule_problem(ColjStore *store, HeapTuple tuple, bits8 *bits);

/* What proxies say of the rows of a granule to everybody (proxy.c). */
typedef struct ColjDeadCount
{
	uint64		dead;			/* to everybody */
	uint64		recent;			/* dead, but not to everybody */
	uint64		alive;			/* locked once, or about to be made dead */
	TransactionId latest;		/* of those who made the dead ones so */
} ColjDeadCount;

/*
 * Set the bits of rows that are dead to all snapshots that don't precede the
 * horizon, and have a proxy; and add to the count.
 */
extern void colj_proxies_judge(ColjStore *store, int32 granule, TransactionId horizon, bits8 *bits,
							   ColjDeadCount *count);

/* How many rows of stripes are dead, and not settled. */
extern uint64 colj_proxies_dead(ColjStore *store);

/*
 * Drop proxies that say no more than their absence would, as nobody holds or
 * changes their rows; returns how many.  Outside of MVCC: they are gone at once.
 */
extern uint64 colj_proxies_drop(ColjStore *store);

/*
 * Delete the proxies of rows whose bits are set, which are dead to everybody;
 * clear the bits of those that somebody holds.
 */
extern void colj_proxies_settle(ColjStore *store, int32 granule, bits8 *bits);

/*
 * Lock a row, as heap_lock_tuple does; follow is its follow_updates.  On TM_Ok
 * *proxy is the TID of its proxy, for colj_row_kill.  On TM_Updated and
 * TM_Deleted tmfd tells who did it, and tmfd->ctid is where the row went.
 */
extern TM_Result colj_row_lock(ColjStore *store, uint64 row, CommandId cid, LockTupleMode mode,
							   LockWaitPolicy wait_policy, bool follow, TM_FailureData *tmfd,
							   ItemPointer proxy);

/* Make a locked row dead; forward is NULL for a deleted one. */
extern void colj_row_kill(ColjStore *store, uint64 row, ItemPointer proxy, CommandId cid,
						  ItemPointer forward);

/*
 * FOR KEY SHARE locks on versions in the row store (keyshare.c).  Lock the
 * version at tid, which updater has made, and those after it: TM_Updated or
 * TM_Deleted if one of them has lost its key.
 */
extern TM_Result colj_key_share_follow(Relation table, ItemPointer tid, TransactionId updater);

/* Let the version at tid, made by us, have the lockers in the header of its proxy. */
extern void colj_key_share_carry(Relation table, HeapTupleHeader proxy, ItemPointer tid);

#endif							/* COLJ_STORE_H */
