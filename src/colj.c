/*-------------------------------------------------------------------------
 *
 * colj.c
 *	  What happens when the library is loaded, and at the end of transactions.
 *
 * Two things outlive a function call: the documents that were costly to get
 * (type/document.c) and the builder (type/value.c).  Neither is of use after
 * the transaction, and after an error neither may be believed.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"

#include "compat.h"
#include "guc.h"
#include "exec/prefetch.h"
#include "store/store.h"
#include "type/document.h"
#include "type/value.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

/*
 * A commit that succeeded leaves the builder's memory in order, and its size
 * is bounded after every document: the next transaction may have it.
 */
static void
transaction_ended(XactEvent event, void *arg)
{
	(void) arg;
	switch (event)
	{
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PREPARE:
			colj_document_cache_reset();
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
			colj_document_cache_reset();
			colj_builder_release();
			colj_stripe_cache_reset();
			break;
		default:
			break;
	}
}

static void
subtransaction_ended(SubXactEvent event, SubTransactionId subid,
					 SubTransactionId parent, void *arg)
{
	(void) subid;
	(void) parent;
	(void) arg;
	if (event == SUBXACT_EVENT_ABORT_SUB)
	{
		colj_document_cache_reset();
		colj_builder_release();
		colj_stripe_cache_reset();
	}
}

void
_PG_init(void)
{
	colj_guc_init();
	colj_prefetch_init();
	RegisterXactCallback(transaction_ended, NULL);
	RegisterSubXactCallback(subtransaction_ended, NULL);
}
