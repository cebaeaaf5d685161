/*-------------------------------------------------------------------------
 *
 * pretty.c
 *	  colj_pretty: a document's text with a line for each value.
 *
 * The text is made first and laid out then: outside of strings its only
 * spaces are those after a comma and a colon.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "type/document.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_pretty);

#define INDENT 4

/* Begin a line at a level of nesting. */
static void
new_line(StringInfo out, int level)
{
	int			width = level * INDENT;

	enlargeStringInfo(out, width + 1);
	out->data[out->len++] = '\n';
	memset(out->data + out->len, ' ', width);
	out->len += width;
}

/* Where a string ends that starts at p, quotes included. */
static const char *
string_end(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

/* Where a run of characters ends that are neither strings nor layout. */
static const char *
plain_end(const char *p)
{
	return p + strcspn(p, "\"[]{},");
}

static void
lay_out(StringInfo out, const char *p)
{
	int			level = 0;

	while (*p != '\0')
	{
		const char *end = *p == '"' ? string_end(p) : plain_end(p);

		CHECK_FOR_INTERRUPTS();
		if (end > p)
		{
			appendBinaryStringInfo(out, p, end - p);
			p = end;
			continue;
		}
		if (*p == ']' || *p == '}')
			new_line(out, --level);
		appendStringInfoCharMacro(out, *p);
		if (*p == '[' || *p == '{')
		{
			level++;
			if (p[1] != ']' && p[1] != '}')
				new_line(out, level);
		}
		else if (*p == ',')
		{
			new_line(out, level);
			p++;
		}
		p++;
	}
}

/* colj_pretty(colj) returns text */
Datum
colj_pretty(PG_FUNCTION_ARGS)
{
	ColjDoc		local;
	ColjDoc    *doc = COLJ_GETARG(0, COLJ_NEED_ALL, &local);
	char	   *text = colj_value_cstring(doc, &doc->root);
	StringInfoData out;

	initStringInfo(&out);
	lay_out(&out, text);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(out.data, out.len));
}
