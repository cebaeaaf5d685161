/*-------------------------------------------------------------------------
 *
 * tap.h
 *	  A tiny test harness: cases, checks, and TAP lines.
 *
 * A case is a function; it passes when none of its checks failed.  A failed
 * check is counted and described in a comment line, and the case goes on, so
 * that one run shows all that is wrong.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_TAP_H
#define COLJ_TAP_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Run one case and print its line. */
extern void tap_case(const char *name, void (*run) (void));

/* The exit code for main. */
extern int	tap_done(void);

/* Note a failed check of the running case. */
extern void tap_fail(const char *file, int line, const char *format,...)
			__attribute__((format(printf, 3, 4)));

/* How many checks the running case has failed. */
extern unsigned tap_failures(void);

/* Said on every failure from here on; to tell which of many inputs it was. */
extern void tap_context(const char *format,...) __attribute__((format(printf, 1, 2)));

#define CHECK(condition) \
	((condition) ? true : (tap_fail(__FILE__, __LINE__, "%s", #condition), false))

/* Both must be integers. */
#define CHECK_EQ(actual, expected) \
	tap_check_eq(__FILE__, __LINE__, #actual, (int64_t) (actual), (int64_t) (expected))

extern bool tap_check_eq(const char *file, int line, const char *what,
						 int64_t actual, int64_t expected);

/* Compare bytes; shows both in hexadecimal around the first difference. */
#define CHECK_BYTES(actual, len, expected, expected_len) \
	tap_check_bytes(__FILE__, __LINE__, #actual, (actual), (len), (expected), (expected_len))

extern bool tap_check_bytes(const char *file, int line, const char *what,
							const void *actual, size_t len,
							const void *expected, size_t expected_len);

#endif							/* COLJ_TAP_H */
