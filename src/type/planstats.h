/*-------------------------------------------------------------------------
 *
 * planstats.h
 *	  Statistics for expressions over colj columns, for core's estimators.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PLANSTATS_H
#define COLJ_PLANSTATS_H

/* Install the planner hooks; called once, when the library is loaded. */
extern void colj_planner_init(void);

#endif							/* COLJ_PLANSTATS_H */
