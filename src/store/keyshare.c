/*-------------------------------------------------------------------------
 *
 * keyshare.c
 *	  FOR KEY SHARE locks of a stripe's row, on its later versions.
 *
 * An update that leaves the key alone goes on beside FOR KEY SHARE lockers,
 * and the new version must be locked by them, too, or else it could be
 * deleted while they believe that its key stays.  Between versions in one
 * table heap sees to that.  From a stripe to the row store it is done here,
 * from both sides: the updater carries over the lockers that its change of
 * the proxy has found, and who locks a proxy that has been updated meanwhile
 * follows the row, as heap does with a tuple that is being updated.
 *
 * Locking: one buffer at a time, exclusively.  Logged with heap's own record
 * for the lock of a version that is not the one a snapshot sees.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/heapam_xlog.h"
#include "access/htup_details.h"
#include "access/multixact.h"
#include "access/transam.h"
#include "access/visibilitymap.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/procarray.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "store/store.h"

/* A version whose page is locked. */
typedef struct Locked
{
	Relation	rel;
	HeapTupleData tuple;
	Buffer		buffer;
	Buffer		vmbuffer;
} Locked;

/* What a tuple's header says in xmax. */
typedef struct Xmax
{
	TransactionId raw;
	uint16		infomask;
	uint16		infomask2;
} Xmax;

static void
lock_page(Locked *version)
{
	Page		page = BufferGetPage(version->buffer);
	BlockNumber block = BufferGetBlockNumber(version->buffer);

	/* the map's page is not to be read while the buffer is locked */
	if (PageIsAllVisible(page))
		visibilitymap_pin(version->rel, block, &version->vmbuffer);
	LockBuffer(version->buffer, BUFFER_LOCK_EXCLUSIVE);
	while (PageIsAllVisible(page) && !visibilitymap_pin_ok(block, version->vmbuffer))
	{
		LockBuffer(version->buffer, BUFFER_LOCK_UNLOCK);
		visibilitymap_pin(version->rel, block, &version->vmbuffer);
		LockBuffer(version->buffer, BUFFER_LOCK_EXCLUSIVE);
	}
}

static MultiXactStatus
single_status(uint16 infomask, uint16 infomask2)
{
	bool		key = (infomask2 & HEAP_KEYS_UPDATED) != 0;

	if (!HEAP_XMAX_IS_LOCKED_ONLY(infomask))
		return key ? MultiXactStatusUpdate : MultiXactStatusNoKeyUpdate;
	if (HEAP_XMAX_IS_KEYSHR_LOCKED(infomask))
		return MultiXactStatusForKeyShare;
	if (HEAP_XMAX_IS_SHR_LOCKED(infomask))
		return MultiXactStatusForShare;
	return key ? MultiXactStatusForUpdate : MultiXactStatusForNoKeyUpdate;
}

/* Who is in a tuple's xmax: palloc'd, NULL for nobody. */
static int
read_members(HeapTupleHeader header, MultiXactMember **members)
{
	*members = NULL;
	if ((header->t_infomask & HEAP_XMAX_INVALID) != 0 || HEAP_LOCKED_UPGRADED(header->t_infomask))
		return 0;
	if ((header->t_infomask & HEAP_XMAX_IS_MULTI) != 0)
		return GetMultiXactIdMembers(HeapTupleHeaderGetRawXmax(header), members, false,
									 HEAP_XMAX_IS_LOCKED_ONLY(header->t_infomask));
	*members = palloc(sizeof(MultiXactMember));
	(*members)->xid = HeapTupleHeaderGetRawXmax(header);
	(*members)->status = single_status(header->t_infomask, header->t_infomask2);
	return 1;
}

/* The infomask bits that go with a multixact. */
static Xmax
multi_xmax(MultiXactId multi)
{
	Xmax		xmax = {.raw = multi};
	MultiXactMember *members;
	int			n = GetMultiXactIdMembers(multi, &members, false, false);
	uint16		lock = HEAP_XMAX_KEYSHR_LOCK;
	bool		updated = false;

	for (int i = 0; i < n; i++)
	{
		MultiXactStatus status = members[i].status;

		if (status >= MultiXactStatusForNoKeyUpdate)
			lock = HEAP_XMAX_EXCL_LOCK;
		else if (status == MultiXactStatusForShare && lock == HEAP_XMAX_KEYSHR_LOCK)
			lock = HEAP_XMAX_SHR_LOCK;
		if (status == MultiXactStatusForUpdate || status == MultiXactStatusUpdate)
			xmax.infomask2 = HEAP_KEYS_UPDATED;
		updated = updated || ISUPDATE_from_mxstatus(status);
	}
	if (n > 0)
		pfree(members);
	xmax.infomask = HEAP_XMAX_IS_MULTI | lock | (updated ? 0 : HEAP_XMAX_LOCK_ONLY);
	return xmax;
}

/* Does what xmax says still count? */
static bool
counts(HeapTupleHeader header)
{
	TransactionId raw = HeapTupleHeaderGetRawXmax(header);
	bool		locked_only = HEAP_XMAX_IS_LOCKED_ONLY(header->t_infomask);

	if ((header->t_infomask & HEAP_XMAX_INVALID) != 0 || HEAP_LOCKED_UPGRADED(header->t_infomask))
		return false;
	if ((header->t_infomask & HEAP_XMAX_IS_MULTI) != 0 ? MultiXactIdIsRunning(raw, locked_only)
		: TransactionIdIsInProgress(raw))
		return true;
	return !locked_only && TransactionIdDidCommit(HeapTupleHeaderGetUpdateXid(header));
}

/* A tuple's xmax with one more FOR KEY SHARE locker. */
static Xmax
with_locker(HeapTupleHeader header, TransactionId locker)
{
	TransactionId raw = HeapTupleHeaderGetRawXmax(header);
	Xmax		alone = {locker, HEAP_XMAX_KEYSHR_LOCK | HEAP_XMAX_LOCK_ONLY, 0};

	if (!counts(header))
		return alone;
	if ((header->t_infomask & HEAP_XMAX_IS_MULTI) != 0)
		return multi_xmax(MultiXactIdExpand(raw, locker, MultiXactStatusForKeyShare));
	return multi_xmax(MultiXactIdCreate(raw, single_status(header->t_infomask, header->t_infomask2),
										locker, MultiXactStatusForKeyShare));
}

static uint8
logged_bits(Xmax xmax)
{
	return ((xmax.infomask & HEAP_XMAX_IS_MULTI) != 0 ? XLHL_XMAX_IS_MULTI : 0) |
		((xmax.infomask & HEAP_XMAX_LOCK_ONLY) != 0 ? XLHL_XMAX_LOCK_ONLY : 0) |
		((xmax.infomask & HEAP_XMAX_EXCL_LOCK) != 0 ? XLHL_XMAX_EXCL_LOCK : 0) |
		((xmax.infomask & HEAP_XMAX_KEYSHR_LOCK) != 0 ? XLHL_XMAX_KEYSHR_LOCK : 0) |
		((xmax.infomask2 & HEAP_KEYS_UPDATED) != 0 ? XLHL_KEYS_UPDATED : 0);
}

static void
log_xmax(Locked *version, Xmax xmax, bool unfrozen)
{
	xl_heap_lock_updated record = {
		.xmax = xmax.raw,
		.offnum = ItemPointerGetOffsetNumber(&version->tuple.t_self),
		.infobits_set = logged_bits(xmax),
		.flags = unfrozen ? XLH_LOCK_ALL_FROZEN_CLEARED : 0
	};
	XLogRecPtr	lsn;

	XLogBeginInsert();
	XLogRegisterBuffer(0, version->buffer, REGBUF_STANDARD);
	XLogRegisterData((char *) &record, SizeOfHeapLockUpdated);
	lsn = XLogInsert(RM_HEAP2_ID, XLOG_HEAP2_LOCK_UPDATED);
	PageSetLSN(BufferGetPage(version->buffer), lsn);
}

static void
set_xmax(Locked *version, Xmax xmax)
{
	HeapTupleHeader header = version->tuple.t_data;
	bool		unfrozen;

	unfrozen = PageIsAllVisible(BufferGetPage(version->buffer)) &&
		visibilitymap_clear(version->rel, BufferGetBlockNumber(version->buffer),
							version->vmbuffer, VISIBILITYMAP_ALL_FROZEN);
	START_CRIT_SECTION();
	HeapTupleHeaderSetXmax(header, xmax.raw);
	header->t_infomask &= ~HEAP_XMAX_BITS;
	header->t_infomask2 &= ~HEAP_KEYS_UPDATED;
	header->t_infomask |= xmax.infomask;
	header->t_infomask2 |= xmax.infomask2;
	MarkBufferDirty(version->buffer);
	if (RelationNeedsWAL(version->rel))
		log_xmax(version, xmax, unfrozen);
	END_CRIT_SECTION();
}

/*
 * May the version be locked FOR KEY SHARE beside those that its xmax has?
 * TM_SelfModified: it is already; TM_BeingModified: when *holder has ended.
 */
static TM_Result
judge(HeapTuple tuple, TransactionId *holder)
{
	MultiXactMember *members;
	int			n = read_members(tuple->t_data, &members);
	TM_Result	result = TM_Ok;

	for (int i = 0; i < n && result == TM_Ok; i++)
	{
		MultiXactStatus status = members[i].status;

		*holder = members[i].xid;
		if (TransactionIdIsCurrentTransactionId(*holder))
			result = TM_SelfModified;
		else if (status != MultiXactStatusForUpdate && status != MultiXactStatusUpdate)
			continue;
		else if (TransactionIdIsInProgress(*holder))
			result = TM_BeingModified;
		else if (status == MultiXactStatusUpdate && TransactionIdDidCommit(*holder))
			result = ItemPointerEquals(&tuple->t_self, &tuple->t_data->t_ctid) ? TM_Deleted : TM_Updated;
	}
	if (members != NULL)
		pfree(members);
	return result;
}

/* Lock the version at hand; its page comes and goes locked. */
static TM_Result
lock_version(Locked *version)
{
	TransactionId holder;
	TM_Result	result;

	while ((result = judge(&version->tuple, &holder)) == TM_BeingModified)
	{
		LockBuffer(version->buffer, BUFFER_LOCK_UNLOCK);
		XactLockTableWait(holder, version->rel, &version->tuple.t_self, XLTW_LockUpdated);
		lock_page(version);
	}
	if (result == TM_Ok)
		set_xmax(version, with_locker(version->tuple.t_data, GetCurrentTransactionId()));
	return result == TM_SelfModified ? TM_Ok : result;
}

/* The version after this one; false at the end of the chain. */
static bool
next_version(HeapTuple tuple, ItemPointer next, TransactionId *updater)
{
	HeapTupleHeader header = tuple->t_data;

	if ((header->t_infomask & HEAP_XMAX_INVALID) != 0 ||
		HeapTupleHeaderIndicatesMovedPartitions(header) ||
		ItemPointerEquals(&tuple->t_self, &header->t_ctid) ||
		HeapTupleHeaderIsOnlyLocked(header))
		return false;
	*updater = HeapTupleHeaderGetUpdateXid(header);
	*next = header->t_ctid;
	return true;
}

TM_Result
colj_key_share_follow(Relation table, ItemPointer tid, TransactionId updater)
{
	Locked		version = {.rel = table, .vmbuffer = InvalidBuffer};
	ItemPointerData next = *tid;
	TM_Result	result = TM_Ok;
	bool		more = !ItemPointerIndicatesMovedPartitions(tid);

	MultiXactIdSetOldestMember();
	while (more && result == TM_Ok)
	{
		TransactionId xmin;

		CHECK_FOR_INTERRUPTS();
		version.tuple.t_self = next;
		if (!heap_fetch(table, SnapshotAny, &version.tuple, &version.buffer, false))
			break;
		lock_page(&version);
		xmin = HeapTupleHeaderGetXmin(version.tuple.t_data);

		/* vacuumed away and the place reused, or never committed */
		more = TransactionIdEquals(xmin, updater) && !TransactionIdDidAbort(xmin);
		if (more)
		{
			result = lock_version(&version);
			more = next_version(&version.tuple, &next, &updater);
		}
		UnlockReleaseBuffer(version.buffer);
	}
	if (BufferIsValid(version.vmbuffer))
		ReleaseBuffer(version.vmbuffer);
	return result;
}

static bool
is_member(HeapTupleHeader header, TransactionId xid)
{
	MultiXactMember *members;
	int			n = read_members(header, &members);
	bool		found = false;

	for (int i = 0; i < n && !found; i++)
		found = TransactionIdEquals(members[i].xid, xid);
	if (members != NULL)
		pfree(members);
	return found;
}

/* One by one, beside others that the version has got in the meantime. */
static void
add_lockers(Locked *version, HeapTupleHeader proxy)
{
	HeapTupleHeader header = version->tuple.t_data;
	MultiXactMember *members;
	int			n = read_members(proxy, &members);

	for (int i = 0; i < n; i++)
		if (!TransactionIdIsCurrentTransactionId(members[i].xid) &&
			TransactionIdIsInProgress(members[i].xid) && !is_member(header, members[i].xid))
			set_xmax(version, with_locker(header, members[i].xid));
	if (members != NULL)
		pfree(members);
}

void
colj_key_share_carry(Relation table, HeapTupleHeader proxy, ItemPointer tid)
{
	Locked		version = {.rel = table, .vmbuffer = InvalidBuffer};
	uint16		infomask = proxy->t_infomask;
	Xmax		xmax = {HeapTupleHeaderGetRawXmax(proxy), infomask & HEAP_XMAX_BITS, proxy->t_infomask2 & HEAP_KEYS_UPDATED};

	if ((infomask & HEAP_XMAX_INVALID) != 0 ||
		((infomask & HEAP_XMAX_IS_MULTI) == 0 &&
		 TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetRawXmax(proxy))))
		return;
	version.tuple.t_self = *tid;
	if (!heap_fetch(table, SnapshotAny, &version.tuple, &version.buffer, false))
		elog(ERROR, "the new version of a row has disappeared");
	lock_page(&version);
	if ((version.tuple.t_data->t_infomask & HEAP_XMAX_INVALID) != 0)
		set_xmax(&version, xmax);
	else
		add_lockers(&version, proxy);
	UnlockReleaseBuffer(version.buffer);
	if (BufferIsValid(version.vmbuffer))
		ReleaseBuffer(version.vmbuffer);
}
