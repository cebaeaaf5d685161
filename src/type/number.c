/*-------------------------------------------------------------------------
 *
 * number.c
 *	  Numbers of a document from and to numeric.
 *
 * A BIGNUM is numeric's wire format, so numeric_send and numeric_recv do the
 * work.  The bytes of a stored document are checked before numeric_recv sees
 * them: it would take NaN and the infinities, and its errors speak of a
 * client's message.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/int.h"
#include "utils/builtins.h"

#include "type/document.h"
#include "type/number.h"
#include "type/value.h"

/* numeric's wire format: four 16-bit fields, then digits in base 10000. */
#define WIRE_NDIGITS 0
#define WIRE_WEIGHT 1
#define WIRE_SIGN 2
#define WIRE_DSCALE 3
#define WIRE_DIGITS 4
#define WIRE_NEGATIVE 0x4000
#define WIRE_DSCALE_MAX 0x3FFF
#define WIRE_BASE 10000
#define WIRE_DIGIT_LEN 4

static inline uint16
wire_field(const uint8 *bytes, uint32 i)
{
	return (uint16) (bytes[2 * i] << 8 | bytes[2 * i + 1]);
}

/* Whether the bytes are a finite number that numeric_recv accepts. */
static bool
wire_valid(const uint8 *bytes, uint32 len)
{
	uint32		ndigits;
	uint32		i;

	if (len < COLJ_BIGNUM_HEADER_SIZE)
		return false;
	ndigits = wire_field(bytes, WIRE_NDIGITS);
	if (len != COLJ_BIGNUM_HEADER_SIZE + 2 * ndigits ||
		(wire_field(bytes, WIRE_SIGN) & ~WIRE_NEGATIVE) != 0 ||
		wire_field(bytes, WIRE_DSCALE) > WIRE_DSCALE_MAX)
		return false;
	for (i = 0; i < ndigits; i++)
	{
		if (wire_field(bytes, WIRE_DIGITS + i) >= WIRE_BASE)
			return false;
	}
	return true;
}

static Datum
wire_numeric(const uint8 *bytes, uint32 len)
{
	StringInfoData message = {(char *) unconstify(uint8 *, bytes), len, len, 0};

	return DirectFunctionCall3(numeric_recv, PointerGetDatum(&message),
							   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/*
 * Could a number be out of numeric's range?  Certainly not if its digits and
 * its exponent together are fewer than the decimals that numeric can have.
 */
static bool
may_overflow(const char *text, uint32_t len)
{
	uint32		exponent = 0;
	uint32		i = 0;

	while (i < len && text[i] != 'e' && text[i] != 'E')
		i++;
	for (; i < len && exponent <= WIRE_DSCALE_MAX; i++)
	{
		if (text[i] >= '0' && text[i] <= '9')
			exponent = exponent * 10 + (text[i] - '0');
	}
	return len > WIRE_DSCALE_MAX || len + exponent > WIRE_DSCALE_MAX;
}

bytea *
colj_bignum_from_text(const char *text, uint32_t len)
{
	char	   *copy;
	Datum		number;
	bytea	   *wire;

	/* An error here would come before one that core's parser finds earlier. */
	if (may_overflow(text, len))
		return NULL;
	copy = pnstrdup(text, len);
	if (!colj_input_try(numeric_in, copy, &number))
		return NULL;
	wire = DatumGetByteaP(DirectFunctionCall1(numeric_send, number));
	pfree(DatumGetPointer(number));
	pfree(copy);
	return wire;
}

char *
colj_bignum_to_text(const uint8_t *bytes, uint32_t len)
{
	Datum		number;
	char	   *result;

	if (!wire_valid(bytes, len))
		return NULL;
	number = wire_numeric(bytes, len);
	result = DatumGetCString(DirectFunctionCall1(numeric_out, number));
	pfree(DatumGetPointer(number));
	return result;
}

static Numeric
bignum_numeric(ColjDoc *doc, const ColjValue *value)
{
	const uint8 *bytes = (const uint8 *) colj_bytes(doc, value);

	if (bytes != NULL && !wire_valid(bytes, value->len))
		doc->problem = "A number is not in numeric's format.";
	else if (bytes != NULL)
		return DatumGetNumeric(wire_numeric(bytes, value->len));
	colj_raise(COLJ_CORRUPT, doc);
}

Numeric
colj_value_numeric(ColjDoc *doc, const ColjValue *value)
{
	if (value->kind == COLJ_INT)
		return int64_to_numeric(value->integer);
	if (value->kind == COLJ_DECIMAL)
		return int64_div_fast_to_numeric(value->integer, value->scale);
	Assert(value->kind == COLJ_BIGNUM);
	return bignum_numeric(doc, value);
}

/*
 * The value of wire bytes times 10^dscale, negated: negative numbers reach
 * further.  False when it does not fit or digits would be lost.
 */
static bool
wire_mantissa(const uint8 *bytes, int64 *negated)
{
	static const int64 pow10[] = {1, 10, 100, 1000, WIRE_BASE};
	int			ndigits = wire_field(bytes, WIRE_NDIGITS);
	int			dscale = wire_field(bytes, WIRE_DSCALE);
	int			exponent = (int16) wire_field(bytes, WIRE_WEIGHT) * WIRE_DIGIT_LEN;
	int			i;

	*negated = 0;
	for (i = 0; exponent + WIRE_DIGIT_LEN > -dscale; i++, exponent -= WIRE_DIGIT_LEN)
	{
		int			taken = Min(exponent + dscale, 0) + WIRE_DIGIT_LEN;
		int64		unit = pow10[WIRE_DIGIT_LEN - taken];
		int64		digit = i < ndigits ? wire_field(bytes, WIRE_DIGITS + i) : 0;

		if (digit % unit != 0 ||
			pg_mul_s64_overflow(*negated, pow10[taken], negated) ||
			pg_sub_s64_overflow(*negated, digit / unit, negated))
			return false;
	}
	return i >= ndigits;
}

/* An INT or DECIMAL when it fits, else a BIGNUM of the wire bytes. */
static void
push_wire(ColjBuilder *b, const uint8 *bytes, uint32 len)
{
	uint16		dscale = wire_field(bytes, WIRE_DSCALE);
	int64		mantissa;
	char	   *copy;

	if (dscale <= COLJ_DECIMAL_SCALE_MAX && wire_mantissa(bytes, &mantissa) &&
		(wire_field(bytes, WIRE_SIGN) == WIRE_NEGATIVE ||
		 !pg_sub_s64_overflow(0, mantissa, &mantissa)))
	{
		colj_builder_decimal(b, mantissa, dscale);
		return;
	}
	copy = colj_builder_scratch(b, len);
	if (copy == NULL)
		return;
	memcpy(copy, bytes, len);
	colj_builder_bignum(b, (const uint8 *) copy, len);
}

void
colj_builder_numeric(ColjBuilder *b, Numeric number)
{
	bytea	   *wire = DatumGetByteaP(DirectFunctionCall1(numeric_send,
														  NumericGetDatum(number)));

	push_wire(b, (const uint8 *) VARDATA(wire), VARSIZE(wire) - VARHDRSZ);
	pfree(wire);
}
