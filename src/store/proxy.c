/*-------------------------------------------------------------------------
 *
 * proxy.c
 *	  Proxies: what happens to rows in stripes.
 *
 * A row of a stripe cannot be changed, so the first lock, update or delete of
 * it inserts a small tuple that stands for it.  That tuple is inserted frozen
 * and says "live", which is what its absence says, too; it stays when the
 * transaction that has inserted it aborts.  From then on PostgreSQL's own
 * tuple locks and tuple visibility do the work: whoever locks the row locks
 * the proxy, and whoever deletes it updates the proxy to "dead", with the TID
 * of the new version if there is one.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/visibilitymap.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

/* chunk_data of a proxy. */
typedef struct Proxy
{
	uint16		dead;			/* 0 or 1 */
	ItemPointerData forward;
} Proxy;

/* A version of a proxy that a snapshot sees. */
typedef struct Version
{
	bool		found;
	Proxy		proxy;
	ItemPointerData tid;
	TransactionId xmin;
	CommandId	cmin;			/* if xmin is ours */
} Version;

static Oid
proxy_id(uint64 row)
{
	return COLJ_ID_PROXY + (Oid) (row >> 31);
}

static int32
proxy_seq(uint64 row)
{
	return (int32) (row & PG_INT32_MAX);
}

static void
read_version(ColjStore *store, HeapTuple tuple, Version *version)
{
	Size		size;
	const char *bytes = colj_store_tuple_data(store, tuple, &size);

	if (size != sizeof(Proxy))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("the column store of table \"%s\" is damaged", RelationGetRelationName(store->table)),
				 errdetail("A proxy is of the wrong size.")));
	memcpy(&version->proxy, bytes, sizeof(Proxy));
	version->found = true;
	version->tid = tuple->t_self;
	version->xmin = HeapTupleHeaderGetXmin(tuple->t_data);
	version->cmin = TransactionIdIsCurrentTransactionId(version->xmin)
		? HeapTupleHeaderGetCmin(tuple->t_data)
		: InvalidCommandId;
}

/*
 * The versions of a row's proxy that count now: one that says live, together
 * with who is about to make it dead, and one that says dead.
 */
static void
current_versions(ColjStore *store, uint64 row, Version *live, Version *dead, TransactionId *pending)
{
	SnapshotData dirty;
	ColjStoreScan scan;
	HeapTuple	tuple;

	live->found = dead->found = false;
	*pending = InvalidTransactionId;
	InitDirtySnapshot(dirty);
	colj_store_scan_begin(&scan, store, &dirty, proxy_id(row), proxy_seq(row), proxy_seq(row));
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		Version		version;

		read_version(store, tuple, &version);
		if (!version.proxy.dead)
		{
			*live = version;
			*pending = dirty.xmax;
		}
		else
			*dead = version;
	}
	colj_store_scan_end(&scan);
}

/* What to search the proxies with; NULL where every row is taken as live. */
static Snapshot
fate_snapshot(Snapshot snapshot)
{
	if (snapshot == NULL)
		return NULL;
	if (IsMVCCSnapshot(snapshot) || snapshot->snapshot_type == SNAPSHOT_SELF)
		return snapshot;
	return NULL;
}

/* What its proxy says of a row; *known is whether it has one. */
static ColjFate
proxy_fate(ColjStore *store, Snapshot snapshot, uint64 row, bool *known)
{
	ColjFate	fate = {0};
	Version		version = {0};
	Version		live = {0};

	ItemPointerSetInvalid(&fate.forward);
	if (snapshot->snapshot_type == SNAPSHOT_DIRTY)
	{
		current_versions(store, row, &live, &version, &fate.pending);
		version.found = version.found && !live.found;
	}
	else if (fate_snapshot(snapshot) != NULL)
	{
		ColjStoreScan scan;
		HeapTuple	tuple;

		colj_store_scan_begin(&scan, store, snapshot, proxy_id(row), proxy_seq(row), proxy_seq(row));
		if ((tuple = colj_store_scan_next(&scan, false)) != NULL)
			read_version(store, tuple, &version);
		colj_store_scan_end(&scan);
	}
	*known = version.found || live.found;
	if (version.found && version.proxy.dead)
	{
		fate.dead = true;
		fate.forward = version.proxy.forward;
		fate.killer = version.xmin;
	}
	return fate;
}

ColjFate
colj_row_fate(ColjStore *store, Snapshot snapshot, uint64 row)
{
	bool		known;
	ColjFate	fate = proxy_fate(store, snapshot, row, &known);

	/* in this order: see settled.c */
	if (!known && snapshot->snapshot_type != SNAPSHOT_ANY && colj_row_settled(store, snapshot, row))
	{
		fate.dead = true;
		fate.killer = FrozenTransactionId;
	}
	return fate;
}

/*
 * A row that the snapshot sees to be settled had left the indexes when the
 * snapshot was taken, so an index search that has found it need not ask.
 */
ColjFate
colj_indexed_row_fate(ColjStore *store, Snapshot snapshot, uint64 row)
{
	bool		known;

	return IsMVCCSnapshot(snapshot) ? proxy_fate(store, snapshot, row, &known)
		: colj_row_fate(store, snapshot, row);
}

/* Mark the dead ones of rows that share a chunk_id. */
static bits8 *
mark_dead(ColjStore *store, Snapshot snapshot, uint64 first, uint64 from, uint64 to, uint32 n, bits8 *bits)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	colj_store_scan_begin(&scan, store, snapshot, proxy_id(from), proxy_seq(from), proxy_seq(to));
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		Version		version;
		uint32		i = (uint32) (from - first) + (uint32) (colj_store_tuple_seq(store, tuple) - proxy_seq(from));

		read_version(store, tuple, &version);
		if (!version.proxy.dead)
			continue;
		if (bits == NULL)
			bits = palloc0(n / 8 + 1);
		bits[i / 8] |= 1 << (i % 8);
	}
	colj_store_scan_end(&scan);
	return bits;
}

bits8 *
colj_rows_dead(ColjStore *store, Snapshot snapshot, uint64 first, uint32 n)
{
	uint64		last = first + n - 1;
	uint64		middle = (first | PG_INT32_MAX) < last ? (first | PG_INT32_MAX) : last;
	bits8	   *bits;

	snapshot = fate_snapshot(snapshot);
	if (snapshot == NULL)
		return NULL;
	bits = mark_dead(store, snapshot, first, first, middle, n, NULL);
	if (middle < last)
		bits = mark_dead(store, snapshot, first, middle + 1, last, n, bits);
	return colj_rows_settled(store, snapshot, first, n, bits);
}

/* Begin a scan of the proxies of a granule's rows, all of one chunk_id. */
static void
begin_granule(ColjStoreScan *scan, ColjStore *store, int32 granule)
{
	uint64		first = (uint64) granule * COLJ_GRANULE_ROWS;

	colj_store_scan_begin(scan, store, SnapshotSelf, proxy_id(first), proxy_seq(first),
						  proxy_seq(first) + COLJ_GRANULE_ROWS - 1);
}

void
colj_proxies_judge(ColjStore *store, int32 granule, TransactionId horizon, bits8 *bits, ColjDeadCount *count)
{
	ColjStoreScan scan;
	HeapTuple	tuple;

	begin_granule(&scan, store, granule);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		uint32		i = (uint32) colj_store_tuple_seq(store, tuple) % COLJ_GRANULE_ROWS;
		Version		version;

		read_version(store, tuple, &version);
		if (!version.proxy.dead)
		{
			count->alive++;
			continue;
		}
		if (!TransactionIdPrecedes(version.xmin, horizon))
		{
			count->recent++;
			continue;
		}
		bits[i / 8] |= 1 << (i % 8);
		count->dead++;
		if (TransactionIdIsNormal(version.xmin) &&
			(!TransactionIdIsValid(count->latest) || TransactionIdFollows(version.xmin, count->latest)))
			count->latest = version.xmin;
	}
	colj_store_scan_end(&scan);
}

uint64
colj_proxies_dead(ColjStore *store)
{
	int64		live;
	uint64		granules = (colj_rows_given(store, &live) + COLJ_GRANULE_ROWS - 1) / COLJ_GRANULE_ROWS;
	bits8		bits[COLJ_GRANULE_BYTES] = {0};
	ColjDeadCount count = {0};

	for (uint64 i = 0; i < granules; i++)
	{
		CHECK_FOR_INTERRUPTS();
		colj_proxies_judge(store, (int32) i, FirstNormalTransactionId, bits, &count);
	}
	return count.dead + count.recent;
}

void
colj_proxies_settle(ColjStore *store, int32 granule, bits8 *bits)
{
	CommandId	cid = GetCurrentCommandId(true);
	ColjStoreScan scan;
	HeapTuple	tuple;

	begin_granule(&scan, store, granule);
	while ((tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		uint32		i = (uint32) colj_store_tuple_seq(store, tuple) % COLJ_GRANULE_ROWS;
		TM_FailureData tmfd;

		if ((bits[i / 8] & (1 << (i % 8))) == 0)
			continue;
		if (heap_delete(store->toast, &tuple->t_self, cid, InvalidSnapshot, false, &tmfd, false) != TM_Ok)
			bits[i / 8] &= ~(1 << (i % 8));
	}
	colj_store_scan_end(&scan);
}

/* A proxy that may be dropped. */
typedef struct Idle
{
	ItemPointerData tid;
	int32		seq;
} Idle;

static int
compare_idle(const void *a, const void *b)
{
	return ItemPointerCompare(&((Idle *) a)->tid, &((Idle *) b)->tid);
}

/* Is it still there, does it say live, and does nobody hold or change the row? */
static bool
is_idle(ColjStore *store, Buffer buffer, Oid id, const Idle *idle)
{
	Page		page = BufferGetPage(buffer);
	OffsetNumber offset = ItemPointerGetOffsetNumber(&idle->tid);
	HeapTupleData tuple = {.t_self = idle->tid, .t_tableOid = RelationGetRelid(store->toast)};
	bool		isnull;
	Version		version;

	if (offset > PageGetMaxOffsetNumber(page) || !ItemIdIsNormal(PageGetItemId(page, offset)))
		return false;
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, offset));
	tuple.t_len = ItemIdGetLength(PageGetItemId(page, offset));
	if (!HeapTupleHeaderXminFrozen(tuple.t_data) || colj_store_tuple_seq(store, &tuple) != idle->seq ||
		DatumGetObjectId(fastgetattr(&tuple, 1, RelationGetDescr(store->toast), &isnull)) != id)
		return false;
	read_version(store, &tuple, &version);
	return !version.proxy.dead && HeapTupleSatisfiesUpdate(&tuple, GetCurrentCommandId(false), buffer) == TM_Ok;
}

/* As if the transaction that has inserted it had aborted, for everybody at once. */
static void
end_idle(Page page, ItemPointer tid)
{
	HeapTupleHeader header = (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, ItemPointerGetOffsetNumber(tid)));

	header->t_infomask &= ~(HEAP_XMAX_BITS | HEAP_MOVED | HEAP_XMIN_FROZEN);
	header->t_infomask |= HEAP_XMIN_INVALID | HEAP_XMAX_INVALID;
	header->t_infomask2 &= ~HEAP_KEYS_UPDATED;
	HeapTupleHeaderClearHotUpdated(header);
	HeapTupleHeaderSetXmin(header, InvalidTransactionId);
	header->t_ctid = *tid;
}

/* VACUUM must come by.  A bit that is clear is never wrong, so this is logged first. */
static void
clear_map(Relation rel, BlockNumber block, Buffer vmbuffer)
{
	if (!visibilitymap_clear(rel, block, vmbuffer, VISIBILITYMAP_VALID_BITS) || !RelationNeedsWAL(rel))
		return;
	LockBuffer(vmbuffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	MarkBufferDirty(vmbuffer);
	log_newpage_buffer(vmbuffer, false);
	END_CRIT_SECTION();
	LockBuffer(vmbuffer, BUFFER_LOCK_UNLOCK);
}

static void
end_in_page(ColjStore *store, Buffer buffer, Buffer vmbuffer, Idle *idle, uint32 n)
{
	GenericXLogState *xlog;
	Page		page;

	clear_map(store->toast, BufferGetBlockNumber(buffer), vmbuffer);
	xlog = GenericXLogStart(store->toast);
	page = GenericXLogRegisterBuffer(xlog, buffer, 0);
	PageClearAllVisible(page);
	for (uint32 i = 0; i < n; i++)
		end_idle(page, &idle[i].tid);
	GenericXLogFinish(xlog);
}

/*
 * Drop those proxies, all of a page, that are idle.  Who locks one has the page
 * pinned from when he has found it until it is locked, so it must be pinned by
 * nobody else.
 */
static uint32
drop_in_page(ColjStore *store, Oid id, Idle *idle, uint32 n)
{
	BlockNumber block = ItemPointerGetBlockNumber(&idle->tid);
	Buffer		buffer = ReadBuffer(store->toast, block);
	Buffer		vmbuffer = InvalidBuffer;
	uint32		found = 0;

	visibilitymap_pin(store->toast, block, &vmbuffer);
	if (ConditionalLockBufferForCleanup(buffer))
	{
		for (uint32 i = 0; i < n; i++)
			if (is_idle(store, buffer, id, &idle[i]))
				idle[found++] = idle[i];
		if (found > 0)
			end_in_page(store, buffer, vmbuffer, idle, found);
		LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	}
	ReleaseBuffer(buffer);
	ReleaseBuffer(vmbuffer);
	return found;
}

/* The proxies of a granule that say live. */
static uint32
collect_idle(ColjStore *store, int32 granule, Idle *idle)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	uint32		n = 0;

	begin_granule(&scan, store, granule);
	while (n < COLJ_GRANULE_ROWS && (tuple = colj_store_scan_next(&scan, false)) != NULL)
	{
		Version		version;

		read_version(store, tuple, &version);
		if (!version.proxy.dead)
			idle[n++] = (Idle){tuple->t_self, colj_store_tuple_seq(store, tuple)};
	}
	colj_store_scan_end(&scan);
	return n;
}

/* Drop what of them is idle, a page at a time. */
static uint32
drop_idle(ColjStore *store, Oid id, Idle *idle, uint32 n)
{
	uint32		dropped = 0;
	uint32		end;

	qsort(idle, n, sizeof(Idle), compare_idle);
	for (uint32 i = 0; i < n; i = end)
	{
		BlockNumber block = ItemPointerGetBlockNumber(&idle[i].tid);

		COLJ_VACUUM_DELAY_POINT();
		for (end = i + 1; end < n && ItemPointerGetBlockNumber(&idle[end].tid) == block;)
			end++;
		dropped += drop_in_page(store, id, &idle[i], end - i);
	}
	return dropped;
}

uint64
colj_proxies_drop(ColjStore *store)
{
	int64		live;
	uint64		granules = (colj_rows_given(store, &live) + COLJ_GRANULE_ROWS - 1) / COLJ_GRANULE_ROWS;
	Idle	   *idle = palloc(COLJ_GRANULE_ROWS * sizeof(Idle));
	uint64		dropped = 0;

	for (uint64 granule = 0; granule < granules; granule++)
		dropped += drop_idle(store, proxy_id(granule * COLJ_GRANULE_ROWS), idle,
							 collect_idle(store, (int32) granule, idle));
	pfree(idle);

	/* so that autovacuum takes note */
	for (uint64 i = 0; i < dropped; i++)
		pgstat_count_heap_delete(store->toast);
	return dropped;
}

/*
 * Make sure that the row has a proxy; false if it is dead, which *dead then
 * tells of.  A new proxy would bring a settled row back to life.
 */
static bool
ensure_proxy(ColjStore *store, uint64 row, Version *dead)
{
	ItemPointerData tid = colj_row_tid(row);
	Version		live;
	TransactionId pending;

	LockTuple(store->table, &tid, ExclusiveLock);
	current_versions(store, row, &live, dead, &pending);

	/* while there is one that says live, who makes it dead has not committed */
	dead->found = dead->found && !live.found;
	if (!live.found && !dead->found && colj_row_settled(store, SnapshotSelf, row))
		*dead = (Version){.found = true, .xmin = FrozenTransactionId, .cmin = InvalidCommandId};
	if (!live.found && !dead->found)
	{
		Proxy		proxy = {0};

		ItemPointerSetInvalid(&proxy.forward);
		colj_store_insert(store, proxy_id(row), proxy_seq(row), &proxy, sizeof(proxy), HEAP_INSERT_FROZEN);
	}
	UnlockTuple(store->table, &tid, ExclusiveLock);
	return !dead->found;
}

/* The row has been made dead by a version of its proxy. */
static TM_Result
report_dead(uint64 row, const Version *dead, CommandId cid, TM_FailureData *tmfd)
{
	tmfd->xmax = dead->xmin;
	tmfd->cmax = dead->cmin;
	tmfd->ctid = ItemPointerIsValid(&dead->proxy.forward) ? dead->proxy.forward : colj_row_tid(row);
	if (TransactionIdIsCurrentTransactionId(dead->xmin))
		return dead->cmin >= cid ? TM_SelfModified : TM_Invisible;
	return ItemPointerIsValid(&dead->proxy.forward) ? TM_Updated : TM_Deleted;
}

/* The version that has followed a proxy; false if it is gone. */
static bool
read_successor(ColjStore *store, ItemPointer tid, TransactionId updater, Version *version)
{
	HeapTupleData tuple = {.t_self = *tid};
	Buffer		buffer;

	version->found = false;
	if (!heap_fetch(store->toast, SnapshotAny, &tuple, &buffer, false))
		return false;
	if (TransactionIdEquals(HeapTupleHeaderGetXmin(tuple.t_data), updater))
		read_version(store, &tuple, version);
	ReleaseBuffer(buffer);
	return version->found;
}

/* What heap says of the proxy, said of the row. */
static TM_Result
translate(ColjStore *store, uint64 row, TM_Result result, TM_FailureData *tmfd)
{
	Version		dead;

	if (result != TM_Updated && result != TM_Deleted && result != TM_SelfModified)
		return result;
	if (read_successor(store, &tmfd->ctid, tmfd->xmax, &dead) &&
		ItemPointerIsValid(&dead.proxy.forward))
	{
		tmfd->ctid = dead.proxy.forward;
		return result;
	}
	tmfd->ctid = colj_row_tid(row);
	return result == TM_Updated ? TM_Deleted : result;
}

/*
 * A proxy has been locked FOR KEY SHARE: lock also the version in the row
 * store, if an update beside which that is possible has made one.
 */
static TM_Result
follow_update(ColjStore *store, uint64 row, HeapTuple proxy, Buffer buffer, TM_FailureData *tmfd)
{
	HeapTupleHeader header = proxy->t_data;
	Version		dead;
	bool		updated;
	TM_Result	result;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	updated = !HeapTupleHeaderIsOnlyLocked(header);
	if (updated)
	{
		tmfd->xmax = HeapTupleHeaderGetUpdateXid(header);
		tmfd->cmax = InvalidCommandId;
		tmfd->ctid = header->t_ctid;
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (!updated || !read_successor(store, &tmfd->ctid, tmfd->xmax, &dead) ||
		!ItemPointerIsValid(&dead.proxy.forward))
		return TM_Ok;
	result = colj_key_share_follow(store->table, &dead.proxy.forward, tmfd->xmax);
	return translate(store, row, result, tmfd);
}

static TM_Result
lock_proxy(ColjStore *store, uint64 row, CommandId cid, LockTupleMode mode,
		   LockWaitPolicy wait_policy, bool follow, TM_FailureData *tmfd, ItemPointer proxy)
{
	HeapTupleData tuple = {.t_self = *proxy};
	Buffer		buffer;
	TM_Result	result;

	tmfd->traversed = false;
	result = heap_lock_tuple(store->toast, &tuple, cid, mode,
							 wait_policy == LockWaitError ? LockWaitSkip : wait_policy,
							 follow, &buffer, tmfd);
	if (result == TM_WouldBlock && wait_policy == LockWaitError)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not obtain lock on row in relation \"%s\"",
						RelationGetRelationName(store->table))));
	if (result == TM_Ok && follow && mode == LockTupleKeyShare)
		result = follow_update(store, row, &tuple, buffer, tmfd);
	else
		result = translate(store, row, result, tmfd);
	ReleaseBuffer(buffer);
	return result;
}

/*
 * The proxy that says live stands for what the row's TID means, also when an
 * update has ended it: so it is found whatever has become of it, unless it
 * has been dropped.  The scan has it pinned meanwhile, and so it cannot be
 * pruned or dropped.
 */
static bool
lock_live(ColjStore *store, uint64 row, CommandId cid, LockTupleMode mode,
		  LockWaitPolicy wait_policy, bool follow, TM_FailureData *tmfd,
		  ItemPointer proxy, TM_Result *result)
{
	ColjStoreScan scan;
	HeapTuple	tuple;
	Version		version = {.proxy.dead = 1};

	colj_store_scan_begin(&scan, store, SnapshotAny, proxy_id(row), proxy_seq(row), proxy_seq(row));
	while (version.proxy.dead && (tuple = colj_store_scan_next(&scan, false)) != NULL)
		if (TransactionIdIsValid(HeapTupleHeaderGetRawXmin(tuple->t_data)))
			read_version(store, tuple, &version);
	if (!version.proxy.dead)
	{
		*proxy = version.tid;
		*result = lock_proxy(store, row, cid, mode, wait_policy, follow, tmfd, proxy);
	}
	colj_store_scan_end(&scan);
	return !version.proxy.dead;
}

TM_Result
colj_row_lock(ColjStore *store, uint64 row, CommandId cid, LockTupleMode mode,
			  LockWaitPolicy wait_policy, bool follow, TM_FailureData *tmfd, ItemPointer proxy)
{
	TM_Result	result;

	tmfd->traversed = false;
	while (!lock_live(store, row, cid, mode, wait_policy, follow, tmfd, proxy, &result))
	{
		Version		dead;

		CHECK_FOR_INTERRUPTS();
		if (!ensure_proxy(store, row, &dead))
			return report_dead(row, &dead, cid, tmfd);
	}
	return result;
}

void
colj_row_kill(ColjStore *store, uint64 row, ItemPointer proxy, CommandId cid, ItemPointer forward)
{
	char		buffer[VARHDRSZ + sizeof(Proxy)] __attribute__((aligned(8)));
	Proxy		body = {.dead = 1};
	Datum		values[3] = {ObjectIdGetDatum(proxy_id(row)), Int32GetDatum(proxy_seq(row)), PointerGetDatum(buffer)};
	bool		isnull[3] = {false, false, false};
	TM_FailureData tmfd;
	LockTupleMode mode;
	HeapTuple	tuple;
	TM_Result	result;

	ItemPointerSetInvalid(&body.forward);
	if (forward != NULL)
		body.forward = *forward;
	SET_VARSIZE(buffer, sizeof(buffer));
	memcpy(VARDATA(buffer), &body, sizeof(body));
	tuple = heap_form_tuple(RelationGetDescr(store->toast), values, isnull);
	result = colj_heap_update(store->toast, proxy, tuple, cid, &tmfd, &mode);
	if (result != TM_Ok)
		elog(ERROR, "unexpected result %d of updating a locked proxy", (int) result);
	if (!HeapTupleIsHeapOnly(tuple))
		colj_store_index(store->toast, store->indexes, store->nindexes, tuple);
	if (forward != NULL && !ItemPointerIndicatesMovedPartitions(forward))
		colj_key_share_carry(store->table, tuple->t_data, forward);
	heap_freetuple(tuple);
}

bool
colj_proxy_is_dead(ColjStore *store, HeapTuple tuple)
{
	Version		version;

	read_version(store, tuple, &version);
	return version.proxy.dead;
}

const char *
colj_proxy_problem(ColjStore *store, HeapTuple tuple, bool *dead)
{
	Proxy		proxy;
	Size		size;
	const char *bytes = colj_store_tuple_data(store, tuple, &size);

	*dead = false;
	if (size != sizeof(Proxy))
		return "A proxy is of the wrong size.";
	memcpy(&proxy, bytes, sizeof(Proxy));
	*dead = proxy.dead != 0;
	if (proxy.dead > 1)
		return "A proxy says neither live nor dead.";
	if (!proxy.dead && ItemPointerIsValid(&proxy.forward))
		return "A proxy says live, but where the row went.";
	return NULL;
}
