/*-------------------------------------------------------------------------
 *
 * tap.c
 *	  A tiny test harness: cases, checks, and TAP lines.
 *
 * Lines are "ok - name" and "not ok - name", without numbers, because
 * test/unit/run joins the output of several programs and adds the plan.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdarg.h>
#include <string.h>

#include "tap.h"

/* Enough to see a pattern; a broken loop would otherwise fill the screen. */
#define MAX_SHOWN 10

static unsigned failures;
static unsigned failed_cases;
static unsigned cases;
static char context[256];

void
tap_case(const char *name, void (*run) (void))
{
	failures = 0;
	context[0] = '\0';
	run();
	cases++;
	if (failures > 0)
		failed_cases++;
	printf("%s - %s\n", failures > 0 ? "not ok" : "ok", name);
	fflush(stdout);
}

int
tap_done(void)
{
	return cases == 0 || failed_cases > 0;
}

unsigned
tap_failures(void)
{
	return failures;
}

void
tap_context(const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(context, sizeof(context), format, args);
	va_end(args);
}

void
tap_fail(const char *file, int line, const char *format,...)
{
	va_list		args;

	if (++failures > MAX_SHOWN)
		return;
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	if (context[0])
		printf(" (%s)", context);
	putchar('\n');
	fflush(stdout);
}

bool
tap_check_eq(const char *file, int line, const char *what,
			 int64_t actual, int64_t expected)
{
	if (actual == expected)
		return true;
	tap_fail(file, line, "%s is %" PRId64 ", expected %" PRId64,
			 what, actual, expected);
	return false;
}

/* Up to 24 bytes in hexadecimal. */
static const char *
hex(const uint8_t *bytes, size_t len, char *out)
{
	size_t		i;

	out[0] = '\0';
	for (i = 0; i < len && i < 24; i++)
		sprintf(out + 2 * i, "%02x", bytes[i]);
	return out;
}

bool
tap_check_bytes(const char *file, int line, const char *what,
				const void *actual, size_t len,
				const void *expected, size_t expected_len)
{
	const uint8_t *a = actual;
	const uint8_t *e = expected;
	size_t		at = 0;
	char		shown[2][64];

	while (at < len && at < expected_len && a[at] == e[at])
		at++;
	if (at == len && at == expected_len)
		return true;
	tap_fail(file, line, "%s: %zu bytes, expected %zu; at byte %zu: %s, expected %s",
			 what, len, expected_len, at, hex(a + at, len - at, shown[0]),
			 hex(e + at, expected_len - at, shown[1]));
	return false;
}
