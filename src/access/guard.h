/*-------------------------------------------------------------------------
 *
 * guard.h
 *	  Doing something that may meet damage, and going on afterwards.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_GUARD_H
#define COLJ_GUARD_H

/*
 * Run a step in a subtransaction.  NULL if all went well; else what was
 * damaged, in the memory context that is current.  Errors that are no sign of
 * damage, such as a cancelled query, are raised as they are.
 */
extern char *colj_guard(void (*step) (void *arg), void *arg);

#endif							/* COLJ_GUARD_H */
