/*-------------------------------------------------------------------------
 *
 * cut.c
 *	  Cutting empty pages off the end of the main fork.
 *
 * Heap's part of VACUUM does that, too.  But it gives the transaction an XID
 * at a time when others take no notice of the transaction, so it must not when
 * rows are to be written afterwards (vacuum.c).  A table that gets new rows all
 * the time would keep its pages for ever.  So we do it when all else is done,
 * in what has become an ordinary transaction.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/storage.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"

#include "compat.h"
#include "access/cut.h"

/* What makes the lock worth while: so many pages, or such a part of all; as heap. */
#define CUT_PAGES 1000
#define CUT_PART 16

/* Pages between two looks for those who wait. */
#define WAITERS_PAGES 64

static bool
is_unused(Relation rel, BlockNumber block, BufferAccessStrategy strategy)
{
	Buffer		buffer = ReadBufferExtended(rel, MAIN_FORKNUM, block, RBM_NORMAL, strategy);
	Page		page = BufferGetPage(buffer);
	OffsetNumber last;
	bool		unused = true;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	last = PageIsNew(page) ? 0 : PageGetMaxOffsetNumber(page);
	for (OffsetNumber offset = FirstOffsetNumber; unused && offset <= last; offset++)
		unused = !ItemIdIsUsed(PageGetItemId(page, offset));
	UnlockReleaseBuffer(buffer);
	return unused;
}

/*
 * How many are left of so many pages; one at least, for ANALYZE.  Under the lock
 * it goes no further when others wait.
 */
static BlockNumber
pages_left(Relation rel, BlockNumber pages, bool locked, BufferAccessStrategy strategy)
{
	while (pages > 1 && is_unused(rel, pages - 1, strategy))
	{
		pages--;
		if (!locked)
			COLJ_VACUUM_DELAY_POINT();
		else if (pages % WAITERS_PAGES == 0 && LockHasWaitersRelation(rel, AccessExclusiveLock))
			break;
		CHECK_FOR_INTERRUPTS();
	}
	return pages;
}

void
colj_cut_pages(Relation rel, BufferAccessStrategy strategy)
{
	BlockNumber pages = RelationGetNumberOfBlocks(rel);
	BlockNumber unused = pages - pages_left(rel, pages, false, strategy);

	if (unused == 0 || (unused < CUT_PAGES && unused < pages / CUT_PART) ||
		!ConditionalLockRelation(rel, AccessExclusiveLock))
		return;

	/* some may have got rows before the lock */
	pages = RelationGetNumberOfBlocks(rel);
	unused = pages - pages_left(rel, pages, true, strategy);
	if (unused > 0)
		RelationTruncate(rel, pages - unused);
	UnlockRelation(rel, AccessExclusiveLock);
}
