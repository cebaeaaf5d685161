/*-------------------------------------------------------------------------
 *
 * guard.c
 *	  Doing something that may meet damage, and going on afterwards.
 *
 * An error may leave pins and open scans behind, so a subtransaction is
 * needed to clean up.  It writes nothing, so it works on a standby, too.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "compat.h"
#include "access/guard.h"

/* Is it what reading damaged files leads to? */
static bool
is_damage(int code)
{
	int			category = ERRCODE_TO_CATEGORY(code);

	return code != ERRCODE_OUT_OF_MEMORY &&
		(category == ERRCODE_TO_CATEGORY(ERRCODE_INTERNAL_ERROR) ||
		 category == ERRCODE_TO_CATEGORY(ERRCODE_FEATURE_NOT_SUPPORTED) ||
		 code == ERRCODE_IO_ERROR || code == ERRCODE_UNDEFINED_FILE);
}

static char *
describe(const ErrorData *error)
{
	return error->detail == NULL ? pstrdup(error->message) : psprintf("%s: %s", error->message, error->detail);
}

char *
colj_guard(void (*step) (void *arg), void *arg)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	char	   *volatile problem = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		step(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		if (!is_damage(error->sqlerrcode))
			ReThrowError(error);
		problem = describe(error);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return problem;
}
