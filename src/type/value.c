/*-------------------------------------------------------------------------
 *
 * value.c
 *	  Values of a document as SQL values, and the backend's builder.
 *
 * There is one builder per backend.  Its memory is a context of its own, kept
 * from one document to the next so that a load of many small documents does
 * not allocate for each, and given back when a document made it large.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "format/slice.h"
#include "guc.h"
#include "type/context_host.h"
#include "type/document.h"
#include "type/lazy.h"
#include "type/number.h"
#include "type/value.h"

/* Bytes of builder memory kept for the next document. */
#define BUILDER_KEEP (1024 * 1024)

/* Room for a text at first. */
#define TEXT_ROOM 1024

static MemoryContext builder_context = NULL;
static ColjBuilder builder;

static MemoryContext
builder_memory(void)
{
	if (builder_context == NULL)
		builder_context = AllocSetContextCreate(TopMemoryContext, "colj builder",
												ALLOCSET_DEFAULT_SIZES);
	return builder_context;
}

/* realloc() for the builder; raises when there is no memory. */
static void *
builder_resize(void *arg, void *old, size_t size)
{
	(void) arg;
	return colj_context_resize(builder_memory(), old, size);
}

/* realloc() in the current context, for texts. */
static void *
text_resize(void *arg, void *old, size_t size)
{
	(void) arg;
	return colj_context_resize(CurrentMemoryContext, old, size);
}

/* A number's text as BIGNUM bytes that live as long as the builder's tree. */
static ColjStatus
builder_bignum(void *arg, const char *text, uint32_t len,
			   const uint8_t **bytes, uint32_t *size)
{
	bytea	   *wire;
	char	   *copy;

	(void) arg;
	wire = colj_bignum_from_text(text, len);
	if (wire == NULL)
		return COLJ_UNUSUAL;
	*size = VARSIZE(wire) - VARHDRSZ;
	copy = colj_builder_scratch(&builder, *size);
	if (copy == NULL)
		return COLJ_NO_MEMORY;
	memcpy(copy, VARDATA(wire), *size);
	*bytes = (const uint8_t *) copy;
	pfree(wire);
	return COLJ_OK;
}

const ColjHost colj_host = {builder_resize, colj_poll_interrupts, builder_bignum, NULL};

void
colj_builder_release(void)
{
	if (builder_context == NULL)
		return;
	MemoryContextDelete(builder_context);
	builder_context = NULL;
	colj_builder_init(&builder, &colj_host);
}

ColjBuilder *
colj_builder_acquire(void)
{
	if (builder.host == NULL)
		colj_builder_init(&builder, &colj_host);
	colj_builder_reset(&builder);
	return &builder;
}

static struct varlena *
allocate(uint32_t size)
{
	struct varlena *result;

	if (size > MaxAllocSize - VARHDRSZ)
		colj_raise(COLJ_TOO_LARGE, NULL);
	result = palloc(size + VARHDRSZ);
	SET_VARSIZE(result, size + VARHDRSZ);
	return result;
}

Datum
colj_builder_datum(ColjBuilder *b)
{
	struct varlena *result;
	uint32_t	size;

	colj_ensure(colj_builder_finish(b, colj_offset_stride, &size), NULL);
	result = allocate(size);
	colj_builder_write(b, (uint8_t *) VARDATA(result));
	if (colj_builder_memory(b) > BUILDER_KEEP)
		colj_builder_release();
	return PointerGetDatum(result);
}

static Datum
plain_datum(ColjDoc *doc, const ColjValue *value)
{
	const char *bytes = colj_string_bytes(doc, value);
	struct varlena *result;
	uint8_t    *out;

	result = allocate(COLJ_PLAIN_HEAD + value->len);
	out = colj_put_plain_head(doc, value, (uint8_t *) VARDATA(result));
	memcpy(out, bytes, value->len);
	return PointerGetDatum(result);
}

Datum
colj_value_datum(ColjDoc *doc, const ColjValue *value)
{
	struct varlena *result;
	ColjBuilder *b;
	ColjSlice	slice;

	if (colj_slice_is_plain(doc, value))
		return plain_datum(doc, value);
	if (colj_found(colj_slice_size(&slice, doc, value), doc))
	{
		result = allocate(slice.size);
		colj_ensure(colj_slice_write(&slice, (uint8_t *) VARDATA(result)), doc);
		return PointerGetDatum(result);
	}
	b = colj_builder_acquire();
	colj_ensure(colj_builder_copy(b, doc, value), doc);
	return colj_builder_datum(b);
}

/* How a text is printed: memory of the current context, one number at a time. */
typedef struct TextHost
{
	ColjHost	host;
	char	   *number;			/* the last text of a BIGNUM */
} TextHost;

/* ColjText's callback for BIGNUMs. */
static ColjStatus
text_bignum(void *arg, const uint8_t *bytes, uint32_t len,
			const char **text, uint32_t *text_len)
{
	TextHost   *host = arg;

	if (host->number != NULL)
		pfree(host->number);
	host->number = colj_bignum_to_text(bytes, len);
	if (host->number == NULL)
		return COLJ_CORRUPT;
	*text = host->number;
	*text_len = strlen(host->number);
	return COLJ_OK;
}

/* Append a value, or a lazy document where there is no value. */
static void
print_source(ColjText *out, ColjDoc *doc, const ColjValue *value, ColjLazy *lazy)
{
	ColjStatus	status;

	if (lazy == NULL)
	{
		colj_ensure(colj_print(out, doc, value), doc);
		return;
	}
	status = colj_stripe_print(lazy->stripe, lazy->root, lazy->row, out);
	if (status != COLJ_OK)
		lazy->raise(lazy, status == COLJ_ABSENT ? COLJ_CORRUPT : status);
}

/*
 * Append a value to data, which is palloc'd (or NULL) and has *room bytes of
 * which len are in use; returns the possibly moved data and the new length.
 * One byte more than the text takes is always there.
 */
static char *
print_value(ColjDoc *doc, const ColjValue *value, ColjLazy *lazy, char *data, size_t *len,
			size_t *room)
{
	TextHost	host = {{text_resize, colj_poll_interrupts, NULL, NULL}, NULL};
	ColjText	out = {&host.host, data, *len, *room, MaxAllocSize - 1, text_bignum};

	host.host.arg = &host;
	print_source(&out, doc, value, lazy);
	if (out.len >= out.room)
	{
		out.room = out.len + 1;
		out.data = text_resize(NULL, out.data, out.room);
	}
	if (host.number != NULL)
		pfree(host.number);
	*len = out.len;
	*room = out.room;
	return out.data;
}

void
colj_append_text(StringInfo out, ColjDoc *doc, const ColjValue *value)
{
	size_t		len = out->len;
	size_t		room = out->maxlen;

	out->data = print_value(doc, value, NULL, out->data, &len, &room);
	out->len = len;
	out->maxlen = room;
	out->data[len] = '\0';
}

/* Texts tend to be somewhat longer than the document. */
static size_t
text_room(const ColjValue *value)
{
	return Min(TEXT_ROOM + (size_t) value->len + value->len / 2, MaxAllocSize / 2);
}

char *
colj_value_cstring(ColjDoc *doc, const ColjValue *value)
{
	size_t		len = 0;
	size_t		room = text_room(value);
	char	   *data = print_value(doc, value, NULL, palloc(room), &len, &room);

	data[len] = '\0';
	return data;
}

char *
colj_document_cstring(Datum document)
{
	ColjLazy   *lazy = colj_lazy(document);
	ColjDoc		local;
	ColjDoc    *doc;
	size_t		len = 0;
	size_t		room = TEXT_ROOM;
	char	   *data;

	if (lazy == NULL || lazy->whole != NULL)
	{
		doc = colj_document_open(document, COLJ_NEED_ALL, &local);
		return colj_value_cstring(doc, &doc->root);
	}
	data = print_value(NULL, NULL, lazy, palloc(room), &len, &room);
	data[len] = '\0';
	return data;
}

/* As the cstring, but with room for the header in front. */
text *
colj_value_json(ColjDoc *doc, const ColjValue *value)
{
	size_t		len = VARHDRSZ;
	size_t		room = text_room(value);
	char	   *data = print_value(doc, value, NULL, palloc(room), &len, &room);

	SET_VARSIZE(data, len);
	return (text *) data;
}

text *
colj_value_text(ColjDoc *doc, const ColjValue *value)
{
	char		number[COLJ_NUMBER_TEXT_MAX];

	switch (value->kind)
	{
		case COLJ_NULL:
			return NULL;
		case COLJ_BOOL:
			return value->integer ? cstring_to_text_with_len("true", 4) :
				cstring_to_text_with_len("false", 5);
		case COLJ_STRING:
			return cstring_to_text_with_len(colj_string_bytes(doc, value), value->len);
		case COLJ_INT:
		case COLJ_DECIMAL:
			return cstring_to_text_with_len(number,
											colj_number_text(value->integer,
															 value->kind == COLJ_INT ? 0 : value->scale,
															 number));
		default:
			return colj_value_json(doc, value);
	}
}

bool
colj_from_text_safe(const char *text, size_t len, Node *escontext, Datum *result)
{
	ColjBuilder *b = colj_builder_acquire();
	ColjStatus	status = colj_parse(b, text, len, GetDatabaseEncoding() == PG_UTF8);

	if (status == COLJ_UNUSUAL)
	{
		char	   *copy = pnstrdup(text, len);

		if (!colj_input_call(jsonb_in, copy, escontext, result))
			return false;
		*result = colj_from_jsonb(DatumGetJsonbP(*result));
		pfree(copy);
		return true;
	}
	colj_ensure(status, NULL);
	*result = colj_builder_datum(b);
	return true;
}

Datum
colj_from_text(const char *text, size_t len)
{
	Datum		result;

	(void) colj_from_text_safe(text, len, NULL, &result);
	return result;
}
