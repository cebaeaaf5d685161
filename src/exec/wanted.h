/*-------------------------------------------------------------------------
 *
 * wanted.h
 *	  Keys that are all that a plan needs of a document.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_WANTED_H
#define COLJ_WANTED_H

/* Install the executor's hook; called once, when the library is loaded. */
extern void colj_wanted_init(void);

#endif							/* COLJ_WANTED_H */
