/*-------------------------------------------------------------------------
 *
 * guc.h
 *	  The settings named colj.*.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_GUC_H
#define COLJ_GUC_H

/* Children between two anchors in new documents: 1..256. */
extern int	colj_offset_stride;

/* Define the settings; called once, when the library is loaded. */
extern void colj_guc_init(void);

#endif							/* COLJ_GUC_H */
