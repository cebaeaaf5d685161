/*-------------------------------------------------------------------------
 *
 * undecoded.c
 *	  Deleting heap tuples without logical decoding seeing it.
 *
 * Compaction moves rows, which is no change of the table.  But decoding takes
 * every record of a deleted heap tuple for a DELETE, and nothing in it can say
 * otherwise.  So where changes are decoded, compaction does what heap_delete
 * does with a tuple that nobody holds, and logs it by generic WAL, which
 * decoding passes over.
 *
 * Crashes: the visibility map has its bits cleared first, in a record of its
 * own.  A bit that is clear is never wrong, so all of the page of the map are
 * cleared at once, and the page is logged whole: once in 32,000 heap pages.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "access/heapam.h"
#include "access/heaptoast.h"
#include "access/htup_details.h"
#include "access/visibilitymap.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/combocid.h"

#include "compat.h"
#include "access/fetch.h"

static void
clear_map(Buffer vmbuffer)
{
	Page		page = BufferGetPage(vmbuffer);

	LockBuffer(vmbuffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	memset(PageGetContents(page), 0, BLCKSZ - MAXALIGN(SizeOfPageHeaderData));
	MarkBufferDirty(vmbuffer);
	log_newpage_buffer(vmbuffer, false);
	END_CRIT_SECTION();
	LockBuffer(vmbuffer, BUFFER_LOCK_UNLOCK);
}

/* As heap_delete leaves a tuple that has moved to another partition. */
static void
end_tuple(HeapTupleHeader header)
{
	CommandId	cid = GetCurrentCommandId(true);
	bool		combo;

	HeapTupleHeaderAdjustCmax(header, &cid, &combo);
	header->t_infomask &= ~(HEAP_XMAX_BITS | HEAP_MOVED);
	header->t_infomask2 |= HEAP_KEYS_UPDATED;
	HeapTupleHeaderClearHotUpdated(header);
	HeapTupleHeaderSetXmax(header, GetCurrentTransactionId());
	HeapTupleHeaderSetCmax(header, cid, combo);
	HeapTupleHeaderSetMovedPartitions(header);
}

static HeapTupleHeader
header_at(Page page, ItemPointer tid)
{
	return (HeapTupleHeader) PageGetItem(page, PageGetItemId(page, ItemPointerGetOffsetNumber(tid)));
}

/* Delete the tuple in a page that is locked, if nobody holds it. */
static bool
delete_in_page(Relation rel, HeapTuple tuple, Buffer buffer, Buffer *vmbuffer)
{
	GenericXLogState *xlog;
	Page		page;

	if (HeapTupleSatisfiesUpdate(tuple, GetCurrentCommandId(true), buffer) != TM_Ok)
		return false;
	CheckForSerializableConflictIn(rel, &tuple->t_self, BufferGetBlockNumber(buffer));
	if (PageIsAllVisible(BufferGetPage(buffer)) &&
		visibilitymap_get_status(rel, BufferGetBlockNumber(buffer), vmbuffer) != 0)
		clear_map(*vmbuffer);
	xlog = GenericXLogStart(rel);
	page = GenericXLogRegisterBuffer(xlog, buffer, 0);
	PageSetPrunable(page, GetCurrentTransactionId());
	PageClearAllVisible(page);
	end_tuple(header_at(page, &tuple->t_self));
	GenericXLogFinish(xlog);
	return true;
}

bool
colj_delete_undecoded(Relation rel, ItemPointer tid)
{
	HeapTupleData tuple = {.t_self = *tid, .t_tableOid = RelationGetRelid(rel)};
	Buffer		buffer = ReadBuffer(rel, ItemPointerGetBlockNumber(tid));
	Buffer		vmbuffer = InvalidBuffer;
	ItemId		item;
	bool		deleted;

	/* the map's page is not to be read while the buffer is locked */
	visibilitymap_pin(rel, BufferGetBlockNumber(buffer), &vmbuffer);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	item = PageGetItemId(BufferGetPage(buffer), ItemPointerGetOffsetNumber(tid));
	tuple.t_data = (HeapTupleHeader) PageGetItem(BufferGetPage(buffer), item);
	tuple.t_len = ItemIdGetLength(item);
	deleted = delete_in_page(rel, &tuple, buffer, &vmbuffer);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (deleted && HeapTupleHasExternal(&tuple))
		heap_toast_delete(rel, &tuple, false);
	ReleaseBuffer(buffer);
	ReleaseBuffer(vmbuffer);
	if (deleted)
		pgstat_count_heap_delete(rel);
	return deleted;
}
