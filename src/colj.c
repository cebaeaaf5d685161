/*-------------------------------------------------------------------------
 *
 * colj.c
 *	  What happens when the library is loaded, and at the end of transactions.
 *
 * Three things outlive a function call: the documents that were costly to get
 * (type/cache.c, type/unpack.c), the builder (type/value.c), and the lock on
 * the dictionaries (type/dictionary.c).  None is of use after the transaction,
 * and after an error none may be believed.
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
#include "exec/vectoragg.h"
#include "exec/wanted.h"
#include "store/load.h"
#include "type/dictionary.h"
#include "type/document.h"
#include "type/lazy.h"
#include "type/pack.h"
#include "type/planstats.h"
#include "type/unpack.h"
#include "type/value.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

/* What any end of a transaction ends. */
static void
forget(void)
{
	colj_document_cache_reset();
	colj_unpack_reset();
	colj_dictionary_unlocked();
}

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
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PRE_PREPARE:
			colj_load_flush_all();
			break;
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PREPARE:
			forget();
			colj_load_forget(InvalidSubTransactionId);
			colj_zstd_trim();
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
			forget();
			colj_load_forget(InvalidSubTransactionId);
			colj_zstd_trim();
			colj_builder_release();
			colj_lazy_release();
			break;
		default:
			break;
	}
}

static void
subtransaction_ended(SubXactEvent event, SubTransactionId subid,
					 SubTransactionId parent, void *arg)
{
	(void) parent;
	(void) arg;
	if (event == SUBXACT_EVENT_PRE_COMMIT_SUB)
		colj_load_flush_all();
	if (event == SUBXACT_EVENT_ABORT_SUB)
	{
		forget();
		colj_load_forget(subid);
		colj_builder_release();
		colj_lazy_release();
	}
}

void
_PG_init(void)
{
	colj_guc_init();
	colj_planner_init();
	colj_prefetch_init();
	colj_wanted_init();
	colj_vectoragg_init();
	RegisterXactCallback(transaction_ended, NULL);
	RegisterSubXactCallback(subtransaction_ended, NULL);
}
