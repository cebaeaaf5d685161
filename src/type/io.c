/*-------------------------------------------------------------------------
 *
 * io.c
 *	  The type's input and output functions, as text and on the wire.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "libpq/pqformat.h"

#include "type/pack.h"
#include "type/value.h"

/* The wire format is this byte, then JSON text, as jsonb's. */
#define WIRE_VERSION 1

PG_FUNCTION_INFO_V1(colj_in);
PG_FUNCTION_INFO_V1(colj_out);
PG_FUNCTION_INFO_V1(colj_recv);
PG_FUNCTION_INFO_V1(colj_send);

Datum
colj_in(PG_FUNCTION_ARGS)
{
	char	   *json = PG_GETARG_CSTRING(0);
	int32		typmod = PG_GETARG_INT32(2);
	Datum		result;

	if (!colj_from_text_safe(json, strlen(json), fcinfo->context, &result))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(colj_made(result, typmod));
}

Datum
colj_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(colj_document_cstring(PG_GETARG_DATUM(0)));
}

Datum
colj_recv(PG_FUNCTION_ARGS)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int32		typmod = PG_GETARG_INT32(2);
	int			version = pq_getmsgint(message, 1);
	char	   *json;
	int			len;

	if (version != WIRE_VERSION)
		elog(ERROR, "unsupported colj version number %d", version);
	json = pq_getmsgtext(message, message->len - message->cursor, &len);
	PG_RETURN_DATUM(colj_made(colj_from_text(json, len), typmod));
}

Datum
colj_send(PG_FUNCTION_ARGS)
{
	char	   *json = colj_document_cstring(PG_GETARG_DATUM(0));
	StringInfoData message;

	pq_begintypsend(&message);
	pq_sendint8(&message, WIRE_VERSION);
	pq_sendtext(&message, json, strlen(json));
	pfree(json);
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
