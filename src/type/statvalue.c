/*-------------------------------------------------------------------------
 *
 * statvalue.c
 *	  Scalars of a document as values of the type that an expression has.
 *
 * (doc ->> 'n')::int over statistics means to turn texts into integers while
 * a query is planned, where a text that is no integer must not be an error.
 * Since PostgreSQL 16 input functions of core's types can report that softly.
 * Before, a text is passed to them only when it has a form that they are known
 * to accept: plain numbers, booleans, UUIDs, ISO 8601 dates and times.
 *
 * Input functions of other types may raise errors in any version, so for
 * those, but enums, there are no statistics.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "compat.h"
#include "type/statvalue.h"
#include "type/pathstats.h"
#include "type/value.h"

/* Longer texts are no numbers or times that anybody compares with. */
#define TEXT_MAX 64

/* Digits of an integer that fit into int8 for certain, and of an exponent. */
#define INTEGER_DIGITS 18
#define EXPONENT_DIGITS 2

#define UUID_LEN 36

/* Types whose texts are checked here, for servers without soft errors. */
static bool
has_checked_text(Oid type)
{
	switch (type)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case DATEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case UUIDOID:
			return true;
		default:
			return false;
	}
}

/* Types whose input functions report errors softly where the server can. */
static bool
has_soft_input(Oid type)
{
	switch (type)
	{
		case TIMEOID:
		case TIMETZOID:
		case INTERVALOID:
		case INETOID:
		case CIDROID:
		case MACADDROID:
		case OIDOID:
		case VARCHAROID:
		case BPCHAROID:
			return true;
		default:
			return has_checked_text(type) || get_typtype(type) == TYPTYPE_ENUM;
	}
}

bool
colj_target_init(ColjTarget *target, const ColjChain *chain)
{
	TypeCacheEntry *entry;
	Oid			input;

	if (chain->result == COLJ_CHAIN_TEXT_CAST &&
		!(COLJ_SOFT_INPUT ? has_soft_input(chain->type) : has_checked_text(chain->type)))
		return false;
	entry = lookup_type_cache(chain->type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR |
							  TYPECACHE_CMP_PROC_FINFO);
	if (!OidIsValid(entry->eq_opr) || !OidIsValid(entry->lt_opr) ||
		!OidIsValid(entry->cmp_proc_finfo.fn_oid))
		return false;
	target->result = chain->result;
	target->type = chain->type;
	target->len = entry->typlen;
	target->byval = entry->typbyval;
	target->align = entry->typalign;
	target->collation = chain->collation;
	target->eq_operator = entry->eq_opr;
	target->lt_operator = entry->lt_opr;
	target->compare = &entry->cmp_proc_finfo;
	if (chain->result == COLJ_CHAIN_TEXT_CAST)
	{
		getTypeInputInfo(chain->type, &input, &target->input_param);
		fmgr_info(input, &target->input);
	}
	return true;
}

/* Digits at *p, which is moved behind them; how many they are. */
static int
skip_digits(const char **p)
{
	const char *start = *p;

	while (isdigit((unsigned char) **p))
		(*p)++;
	return *p - start;
}

/* Exactly n digits as a number; -1 if they are not there. */
static int
read_digits(const char **p, int n)
{
	int			value = 0;

	while (n-- > 0)
	{
		if (!isdigit((unsigned char) **p))
			return -1;
		value = value * 10 + (*(*p)++ - '0');
	}
	return value;
}

static bool
is_integer(const char *text, int64 min, int64 max)
{
	const char *p = text +(*text == '-' || *text == '+');
	int			digits = skip_digits(&p);
	int64		value;

	if (*p != '\0' || digits == 0 || digits > INTEGER_DIGITS)
		return false;
	value = strtoll(text, NULL, 10);
	return value >= min && value <= max;
}

/* A decimal number with digits before and after a point, and an exponent. */
static bool
is_number(const char *text)
{
	const char *p = text +(*text == '-' || *text == '+');
	int			exponent;

	if (skip_digits(&p) == 0)
		return false;
	if (*p == '.')
	{
		p++;
		if (skip_digits(&p) == 0)
			return false;
	}
	if (*p == 'e' || *p == 'E')
	{
		p++;
		p += *p == '-' || *p == '+';
		exponent = skip_digits(&p);
		if (exponent == 0 || exponent > EXPONENT_DIGITS)
			return false;
	}
	return *p == '\0';
}

/* Does a number fit into float4, without becoming zero? */
static bool
fits_float4(double value)
{
	float		narrow = (float) value;

	return !isinf(narrow) && (narrow != 0 || value == 0);
}

static bool
is_uuid(const char *text)
{
	int			i;

	for (i = 0; text[i] != '\0' && i < UUID_LEN; i++)
	{
		bool		dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text[i] != '-' : !isxdigit((unsigned char) text[i]))
			return false;
	}
	return i == UUID_LEN && text[i] == '\0';
}

/* Skip YYYY-MM-DD if it is a day that exists. */
static bool
skip_date(const char **p)
{
	int			year = read_digits(p, 4);
	int			month;
	int			day;

	if (year < 1 || *(*p)++ != '-')
		return false;
	month = read_digits(p, 2);
	if (month < 1 || month > MONTHS_PER_YEAR || *(*p)++ != '-')
		return false;
	day = read_digits(p, 2);
	return day >= 1 && day <= day_tab[isleap(year)][month - 1];
}

/* Skip HH:MM[:SS[.fraction]]. */
static bool
skip_time(const char **p)
{
	int			hour = read_digits(p, 2);
	int			minute;
	int			second;

	if (hour < 0 || hour >= HOURS_PER_DAY || *(*p)++ != ':')
		return false;
	minute = read_digits(p, 2);
	if (minute < 0 || minute >= MINS_PER_HOUR)
		return false;
	if (**p != ':')
		return true;
	(*p)++;
	second = read_digits(p, 2);
	if (second < 0 || second >= SECS_PER_MINUTE)
		return false;
	if (**p != '.')
		return true;
	(*p)++;
	return skip_digits(p) > 0;
}

/* Skip Z, +HH, +HHMM or +HH:MM; nothing will do, too. */
static bool
skip_zone(const char **p)
{
	int			hours;

	if (**p == 'Z')
	{
		(*p)++;
		return true;
	}
	if (**p != '+' && **p != '-')
		return true;
	(*p)++;
	hours = read_digits(p, 2);
	if (hours < 0 || hours > 14)
		return false;
	if (**p == '\0')
		return true;
	if (**p == ':')
		(*p)++;
	hours = read_digits(p, 2);
	return hours >= 0 && hours < MINS_PER_HOUR;
}

static bool
is_iso_time(const char *text)
{
	const char *p = text;

	if (!skip_date(&p))
		return false;
	if (*p == '\0')
		return true;
	if (*p != 'T' && *p != ' ')
		return false;
	p++;
	return skip_time(&p) && skip_zone(&p) && *p == '\0';
}

/* Is this a text that the type's input function is known to accept? */
static bool
is_acceptable(Oid type, const char *text)
{
	bool		ignored;

	switch (type)
	{
		case BOOLOID:
			return parse_bool(text, &ignored);
		case INT2OID:
			return is_integer(text, PG_INT16_MIN, PG_INT16_MAX);
		case INT4OID:
			return is_integer(text, PG_INT32_MIN, PG_INT32_MAX);
		case INT8OID:
			return is_integer(text, PG_INT64_MIN, PG_INT64_MAX);
		case FLOAT4OID:
			return is_number(text) && fits_float4(strtod(text, NULL));
		case FLOAT8OID:
		case NUMERICOID:
			return is_number(text);
		case UUIDOID:
			return is_uuid(text);
		default:
			return is_iso_time(text);
	}
}

static bool
input_text(ColjTarget *target, text *value, Datum *result)
{
	char	   *string;

	if (VARSIZE_ANY_EXHDR(value) > TEXT_MAX)
		return false;
	string = text_to_cstring(value);
	if (!COLJ_SOFT_INPUT && !is_acceptable(target->type, string))
		return false;
	return colj_soft_input(&target->input, string, target->input_param, -1, result);
}

/* A number through numeric, as the casts of colj do it. */
static bool
cast_number(ColjTarget *target, ColjDoc *doc, const ColjValue *scalar, Datum *result)
{
	Datum		number = NumericGetDatum(colj_value_numeric(doc, scalar));
	double		value = colj_stats_double(doc, scalar);
	double		whole = rint(value);

	switch (target->type)
	{
		case NUMERICOID:
			*result = number;
			return true;
		case INT2OID:
			*result = Int16GetDatum((int16) Max(Min(whole, PG_INT16_MAX), PG_INT16_MIN));
			return whole >= PG_INT16_MIN && whole <= PG_INT16_MAX;
		case INT4OID:
			*result = Int32GetDatum((int32) Max(Min(whole, PG_INT32_MAX), PG_INT32_MIN));
			return whole >= PG_INT32_MIN && whole <= PG_INT32_MAX;
		case INT8OID:
			if (fabs(whole) >= 4e18)
				return false;
			*result = DirectFunctionCall1(numeric_int8, number);
			return true;
		case FLOAT4OID:
			*result = Float4GetDatum((float4) value);
			return fits_float4(value);
		case FLOAT8OID:
			*result = Float8GetDatum(value);
			return !isinf(value);
		default:
			return false;
	}
}

static bool
cast_scalar(ColjTarget *target, ColjDoc *doc, const ColjValue *scalar, Datum *result)
{
	if (scalar->kind == COLJ_BOOL)
	{
		*result = BoolGetDatum(scalar->integer != 0);
		return target->type == BOOLOID;
	}
	if (scalar->kind == COLJ_STRING || scalar->kind == COLJ_NULL)
		return false;
	return cast_number(target, doc, scalar, result);
}

bool
colj_target_value(ColjTarget *target, ColjDoc *doc, const ColjValue *scalar, Datum *value)
{
	text	   *string;

	if (target->result == COLJ_CHAIN_COLJ)
	{
		*value = colj_value_datum(doc, scalar);
		return true;
	}
	if (target->result == COLJ_CHAIN_COLJ_CAST)
		return cast_scalar(target, doc, scalar, value);
	string = colj_value_text(doc, scalar);
	if (string == NULL)
		return false;
	if (target->result == COLJ_CHAIN_TEXT_CAST)
		return input_text(target, string, value);
	*value = PointerGetDatum(string);
	return true;
}
