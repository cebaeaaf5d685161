/*-------------------------------------------------------------------------
 *
 * merge.c
 *	  Merging and thinning of stripes.
 *
 * Stripes that follow each other become one, or a stripe is written again, in
 * both cases with the same row numbers: so TIDs, indexes, proxies and origins
 * stay as they are.  A settled row is null in the new stripe, which costs next
 * to nothing; so is a number between two stripes, all of which must be settled.
 * Blocks at either end that have no rows are left out, and a stripe without
 * any is no more.
 *
 * The old stripes and the new one change places in one transaction, like
 * versions of a tuple: a snapshot sees the ones or the other.  Only stripes
 * that every snapshot sees are merged.
 *
 * A row is written again in a merge only when it comes into a stripe of at
 * least twice as many rows, and so log2(stripe_rows) times at most; in thinning
 * only after a quarter of its stripe's rows have been settled.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/transam.h"
#include "commands/vacuum.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/procarray.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "guc.h"
#include "access/fetch.h"
#include "access/guard.h"
#include "access/merge.h"
#include "store/batch.h"

/* Of stored stripes, that are read by one VACUUM, about. */
#define WORK_BYTES ((uint64) 128 * 1024 * 1024)

/* A stripe of which nothing is known is taken to be compressed so much. */
#define USUAL_RATIO 5

/* Thin a stripe when one part in so many of its rows has been settled. */
#define THIN_PART 4

/* Row numbers of a stripe, for each of the rows that it may have; and at most. */
#define SPAN_FACTOR 8
#define SPAN_MAX 131072

/* So many row numbers in a row, that have no rows, end a stripe. */
#define GAP_ROWS 4096

/* A stripe that may be merged. */
typedef struct Source
{
	ColjStripeEntry entry;
	uint32		live;			/* rows that are not settled */
	bool		movable;		/* everybody sees it */
	bool		joined;			/* to the one before: there is nothing between
								 * them */
} Source;

/* Sources first..last, which become new stripes. */
typedef struct Span
{
	int			first;
	int			last;
} Span;

typedef struct Merge
{
	Relation	table;
	ColjStore	store;
	Source	   *sources;
	int			n;
	Span		span;			/* the one at hand */
	TupleTableSlot *slot;
	bool	   *nulls;			/* all of a row's */
	ColjBatch  *batch;
	ColjStripeEntry out;		/* the stripe that is being made */
	ColjMergeResult *result;
} Merge;

static uint32
count_bits(const bits8 *bits, uint32 n)
{
	return bits == NULL ? 0 : (uint32) pg_popcount((const char *) bits, (int) (n / 8 + 1));
}

/* Are all numbers from the end of one stripe to the beginning of the next settled? */
static bool
are_joined(ColjStore *store, const ColjStripeEntry *a, const ColjStripeEntry *b)
{
	uint64		end = a->first_row + a->rows;
	uint64		from = end / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS;
	uint32		skipped = (uint32) (end - from);
	bits8	   *bits;
	bool		joined = true;

	if (b->first_row < end || b->first_row - end >= GAP_ROWS)
		return false;
	bits = colj_rows_settled(store, SnapshotSelf, from, (uint32) (b->first_row - from), NULL);
	for (uint64 row = end; row < b->first_row && joined; row++)
	{
		uint32		i = (uint32) (row - end) + skipped;

		joined = bits != NULL && (bits[i / 8] & (1 << (i % 8))) != 0;
	}
	if (bits != NULL)
		pfree(bits);
	return joined;
}

static void
read_sources(Merge *m)
{
	TransactionId horizon = GetOldestNonRemovableTransactionId(m->table);
	ColjStripeEntry *entries;

	m->n = colj_directory_read(&m->store, SnapshotSelf, &entries);
	m->sources = palloc_extended((m->n + 1) * sizeof(Source), MCXT_ALLOC_HUGE);
	for (int i = 0; i < m->n; i++)
	{
		const ColjStripeEntry *entry = &entries[i];
		bits8	   *settled = colj_rows_settled(&m->store, SnapshotSelf, entry->first_row, entry->rows, NULL);
		Source		source = {.entry = *entry};

		CHECK_FOR_INTERRUPTS();
		source.live = entry->rows - count_bits(settled, entry->rows);
		source.movable = TransactionIdPrecedes(entry->xmin, horizon);
		source.joined = i > 0 && source.movable && m->sources[i - 1].movable &&
			are_joined(&m->store, &entries[i - 1], entry);
		m->sources[i] = source;
		if (settled != NULL)
			pfree(settled);
	}
	pfree(entries);
}

/* Raw bytes of the rows that are left. */
static double
raw_bytes(const Source *source)
{
	uint64		raw = source->entry.raw > 0 ? source->entry.raw : source->entry.size * USUAL_RATIO;

	return source->entry.filled == 0 ? 0 : (double) raw * source->live / source->entry.filled;
}

static bool
is_sparse(const Source *source)
{
	uint32		filled = source->entry.filled;

	return source->movable && (source->live == 0 || source->live < filled - filled / THIN_PART);
}

static uint64
span_limit(void)
{
	return Min((uint64) colj_stripe_rows_limit * SPAN_FACTOR, SPAN_MAX);
}

/* The last of the sources that can be in one stripe with this one. */
static int
last_that_fits(const Merge *m, int first)
{
	double		raw = raw_bytes(&m->sources[first]);
	uint64		rows = m->sources[first].live;
	int			last = first;

	for (int i = first + 1; i < m->n && m->sources[i].joined; i++)
	{
		const ColjStripeEntry *entry = &m->sources[i].entry;

		raw += raw_bytes(&m->sources[i]);
		rows += m->sources[i].live;
		if (raw > COLJ_STRIPE_BYTES || rows > (uint64) colj_stripe_rows_limit ||
			entry->first_row + entry->rows - m->sources[first].entry.first_row > span_limit())
			break;
		last = i;
	}
	return last;
}

/* Would each of them come into a stripe of at least twice as many rows? */
static bool
is_worth_merging(const Merge *m, int first, int last)
{
	uint64		sum = 0;
	uint32		most = 0;

	for (int i = first; i <= last; i++)
	{
		sum += m->sources[i].live;
		most = Max(most, m->sources[i].live);
	}
	return last > first && sum >= 2 * (uint64) most;
}

/* The next span, from `first` on; false if there is none. */
static bool
next_span(const Merge *m, int first, Span *span)
{
	for (; first < m->n; first++)
	{
		int			last = first;

		if (!m->sources[first].movable)
			continue;
		for (last = last_that_fits(m, first); last > first; last--)
			if (is_worth_merging(m, first, last))
				break;
		if (last > first || is_sparse(&m->sources[first]))
		{
			*span = (Span){first, last};
			return true;
		}
	}
	return false;
}

/* Store the stripe that is being made, if there is one. */
static void
end_stripe(Merge *m)
{
	const uint8_t *bytes;
	size_t		size;

	if (colj_batch_rows(m->batch) == 0)
		return;
	m->out.rows = colj_batch_rows(m->batch);
	m->out.raw = colj_batch_bytes(m->batch);
	colj_batch_finish(m->batch, &bytes, &size);
	colj_stripe_store_cold(&m->store, m->out, bytes, size, 0);
	colj_batch_end(m->batch);
	m->result->stripes++;
	m->result->bytes += size;
}

/* Is the stripe at hand complete when its next row is this one? */
static bool
ends_before(const Merge *m, uint64 row)
{
	uint64		next = m->out.first_row + colj_batch_rows(m->batch);

	return m->out.filled >= (uint32) colj_stripe_rows_limit ||
		colj_batch_bytes(m->batch) >= COLJ_STRIPE_BYTES ||
		row - next >= GAP_ROWS ||
		row - m->out.first_row >= span_limit();
}

/* Go on to a row: in the stripe at hand, with nulls before it, or in a new one. */
static void
go_to(Merge *m, uint64 row)
{
	TupleDesc	desc = RelationGetDescr(m->table);
	uint64		block = row / COLJ_BLOCK_ROWS * COLJ_BLOCK_ROWS;
	uint64		next = m->out.first_row + colj_batch_rows(m->batch);

	/* stripes begin at blocks, and all but a few of its rows are in this one */
	if (m->batch->writer != NULL && block >= next && ends_before(m, row))
		end_stripe(m);
	if (m->batch->writer == NULL)
	{
		m->out = (ColjStripeEntry){.first_row = block};
		colj_batch_begin(m->batch, desc);
		next = block;
	}
	for (; next < row; next++)
		colj_batch_add(m->batch, desc, m->slot->tts_values, m->nulls);
}

static void
copy_source(Merge *m, const ColjStripeEntry *entry)
{
	bits8	   *settled = colj_rows_settled(&m->store, SnapshotSelf, entry->first_row, entry->rows, NULL);

	for (uint32 i = 0; i < entry->rows; i++)
	{
		if (i % COLJ_BLOCK_ROWS == 0)
			COLJ_VACUUM_DELAY_POINT();
		if (settled != NULL && (settled[i / 8] & (1 << (i % 8))) != 0)
			continue;
		go_to(m, entry->first_row + i);
		colj_slot_store(&m->store, entry, entry->first_row + i, m->slot);
		slot_getallattrs(m->slot);
		colj_batch_add(m->batch, RelationGetDescr(m->table), m->slot->tts_values, m->slot->tts_isnull);
		m->out.filled++;
	}
	ExecClearTuple(m->slot);
	if (settled != NULL)
		pfree(settled);
}

/* Write the span at hand again; in a subtransaction. */
static void
merge_span(void *arg)
{
	Merge	   *m = arg;

	/*
	 * first, as the new ones may begin with the same row; they can be read
	 * nevertheless
	 */
	for (int i = m->span.first; i <= m->span.last; i++)
	{
		colj_stripe_delete(&m->store, &m->sources[i].entry);
		m->result->before++;
		m->result->bytes_before += m->sources[i].entry.size;
	}
	for (int i = m->span.first; i <= m->span.last; i++)
		copy_source(m, &m->sources[i].entry);
	end_stripe(m);
}

static bool
open_store(Merge *m, LOCKMODE lockmode)
{
	return colj_store_open(&m->store, m->table, lockmode);
}

bool
colj_merge_is_due(Relation table)
{
	Merge		m = {.table = table};
	Span		span;
	bool		due;

	if (!open_store(&m, AccessShareLock))
		return false;
	read_sources(&m);
	due = next_span(&m, 0, &span);
	pfree(m.sources);
	colj_store_close(&m.store);
	return due;
}

/* Merge the span at hand; what it has been up to is undone when it fails. */
static void
try_span(Merge *m)
{
	ColjMergeResult before = *m->result;
	TupleDesc	desc = RelationGetDescr(m->table);
	char	   *problem;

	m->slot = table_slot_create(m->table, NULL);
	m->batch = colj_batch_create(desc, CurrentMemoryContext);
	problem = colj_guard(merge_span, m);
	ExecDropSingleTupleTableSlot(m->slot);
	colj_batch_free(m->batch);
	if (problem == NULL)
		return;
	*m->result = before;
	ereport(WARNING,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("could not merge stripes of table \"%s\": %s", RelationGetRelationName(m->table), problem),
			 errhint("colj_check() looks for damaged stripes.")));
}

void
colj_merge_stripes(Relation table, ColjMergeResult *result)
{
	Merge		m = {.table = table, .result = result};
	int			next = 0;
	uint64		work = 0;

	memset(result, 0, sizeof(*result));
	if (!open_store(&m, RowExclusiveLock))
		return;
	read_sources(&m);
	m.nulls = palloc((RelationGetDescr(table)->natts + 1) * sizeof(bool));
	memset(m.nulls, true, RelationGetDescr(table)->natts + 1);
	while (work < WORK_BYTES && next_span(&m, next, &m.span))
	{
		for (int i = m.span.first; i <= m.span.last; i++)
			work += m.sources[i].entry.size;
		try_span(&m);
		next = m.span.last + 1;
	}
	pfree(m.nulls);
	pfree(m.sources);
	colj_store_close(&m.store);
}
