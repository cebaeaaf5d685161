/*-------------------------------------------------------------------------
 *
 * values.c
 *	  Values of rows in stripes as Datums, as late as possible.
 *
 * A slot is asked for columns 1..n when column n is wanted.  So what a column
 * costs must be small until somebody looks at its value: documents are lazy
 * (type/lazy.h), and varlenas of core's types are expanded objects of the kind
 * below, whose bytes are looked up when they are detoasted.  Functions of
 * core's types detoast what they are given, but those of arrays and records
 * take any expanded object for one of their own; these, and other extensions'
 * types, are made at once.
 *
 * What of a column is the same for all rows of a vector is found when the
 * reader first needs the column in that vector.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "compat.h"
#include "store/store.h"
#include "type/document.h"
#include "type/lazy.h"
#include "type/value.h"

/* What a column is in the vector at hand. */
typedef enum How
{
	NULLS,						/* all of them, or dropped */
	MISSING,					/* was added later: the same for all rows */
	INTEGERS,					/* passed by value */
	FIXED,						/* bytes of one length, or a cstring */
	VARLENA,					/* to be made at once */
	LAZY_VARLENA,
	DOCUMENT,
	JSONB						/* a document to give back as a jsonb */
} How;

typedef struct Column
{
	union
	{
		ExpandedObjectHeader varlena;
		ColjLazy	document;	/* of a jsonb, too, but with other methods */
	}			object;			/* first, as the Datum points to it */
	ColjRowReader *reader;
	uint64		stamp;			/* of the vector that the rest is of */
	How			how;
	bool		nullable;		/* some are null */
	bool		lazy;			/* the type allows it */
	Form_pg_attribute att;
	const ColjWanted *wanted;	/* of a document; NULL: all keys */
	uint32		path;
	const ColjPathVector *entries;	/* NULL for not decoded yet */
	Jsonb	   *jsonb;			/* made of the row at hand; NULL for not yet */
	Datum		missing;
	bool		missing_null;
} Column;

struct ColjRowReader
{
	MemoryContext context;
	MemoryContext row_context;	/* of what is made for one row */
	bool		made;			/* there is something in it */
	TupleDesc	desc;
	ColjPin		pin;
	MemoryContextCallback on_reset;
	ColjStripe *stripe;			/* the pin's */
	TransactionId xmin;
	uint32		row;			/* in the stripe */
	uint32		i;				/* in the vector */
	uint64		stamp;			/* another for each vector that is entered */
	Column		columns[FLEXIBLE_ARRAY_MEMBER];
};

static Size varlena_flat_size(ExpandedObjectHeader *header);
static void varlena_flatten(ExpandedObjectHeader *header, void *result, Size size);

static const ExpandedObjectMethods varlena_methods = {varlena_flat_size, varlena_flatten};

static Size jsonb_flat_size(ExpandedObjectHeader *header);
static void jsonb_flatten(ExpandedObjectHeader *header, void *result, Size size);

static const ExpandedObjectMethods jsonb_methods = {jsonb_flat_size, jsonb_flatten};

static void
ensure(const ColjRowReader *r, ColjStatus status)
{
	if (unlikely(status != COLJ_OK))
		colj_stripe_raise(r->pin.open, status, NULL);
}

static void
raise_damaged(const ColjRowReader *r, const char *problem)
{
	colj_stripe_raise(r->pin.open, COLJ_CORRUPT, problem);
}

/* The lazy document's callback. */
static void
raise_lazy(const ColjLazy *lazy, ColjStatus status)
{
	colj_stripe_raise(((const Column *) lazy)->reader->pin.open, status, NULL);
}

static void
release_pin(void *arg)
{
	colj_pin_release(&((ColjRowReader *) arg)->pin);
}

ColjRowReader *
colj_row_reader_create(MemoryContext context, TupleDesc desc)
{
	ColjRowReader *r = MemoryContextAllocZero(context, offsetof(ColjRowReader, columns) +
											  desc->natts * sizeof(Column));

	r->context = context;
	r->desc = desc;
	r->row_context = AllocSetContextCreate(context, "colj row", ALLOCSET_SMALL_SIZES);
	for (int i = 0; i < desc->natts; i++)
	{
		r->columns[i].reader = r;
		r->columns[i].att = TupleDescAttr(desc, i);
	}
	r->on_reset = (MemoryContextCallback){.func = release_pin, .arg = r};
	MemoryContextRegisterResetCallback(context, &r->on_reset);
	return r;
}

void
colj_row_reader_want(ColjRowReader *r, int column, const ColjWanted *wanted)
{
	r->columns[column].wanted = wanted;
}

static void
forget_document(Column *c)
{
	colj_lazy_forget(&c->object.document);
	c->jsonb = NULL;
}

/* Forget what was made for the row before. */
static inline void
begin_row(ColjRowReader *r)
{
	if (unlikely(r->made))
	{
		for (int i = 0; i < r->desc->natts; i++)
			if (r->columns[i].how == DOCUMENT || r->columns[i].how == JSONB)
				forget_document(&r->columns[i]);
		MemoryContextReset(r->row_context);
		r->made = false;
	}
}

void
colj_row_reader_move(ColjRowReader *r, ColjStore *store, const ColjStripeEntry *entry, uint64 row)
{
	uint32		place = (uint32) (row - entry->first_row);

	begin_row(r);
	if (!colj_pin_has(&r->pin, store, entry, place))
	{
		colj_pin_take(&r->pin, store, entry, place);
		r->stripe = colj_open_stripe(r->pin.open);
		r->xmin = entry->cold ? FrozenTransactionId : entry->xmin;
		r->stamp++;
	}
	r->row = place;
	r->i = place - r->pin.first;
}

void
colj_row_reader_leave(ColjRowReader *r)
{
	begin_row(r);
	colj_pin_release(&r->pin);
	r->stamp++;
}

void
colj_row_reader_follow(ColjRowReader *r, const ColjRowReader *other)
{
	begin_row(r);
	colj_pin_share(&r->pin, &other->pin);
	r->stripe = other->stripe;
	r->xmin = other->xmin;
	r->row = other->row;
	r->i = other->i;
	r->stamp++;
}

const ColjPin *
colj_row_reader_pin(const ColjRowReader *r)
{
	return &r->pin;
}

TransactionId
colj_row_reader_xmin(const ColjRowReader *r)
{
	return r->xmin;
}

/* A type of core's whose functions detoast what they get, whatever its shape. */
static bool
may_be_lazy(Form_pg_attribute att)
{
	Oid			type = getBaseType(att->atttypid);
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Form_pg_type form;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_type) GETSTRUCT(tuple);
	result = type < FirstNormalObjectId && form->typtype == TYPTYPE_BASE &&
		form->typcategory != TYPCATEGORY_ARRAY && form->typstorage != TYPSTORAGE_PLAIN;
	ReleaseSysCache(tuple);
	return result;
}

/* Make the column's object; once, as its kind does not change. */
static void
make_object(ColjRowReader *r, Column *c, bool document)
{
	if (document)
	{
		colj_lazy_init(&c->object.document, r->row_context);
		c->object.document.raise = raise_lazy;
		c->object.document.made = &r->made;
		c->object.document.wanted = c->wanted;
	}
	else
		EOH_init_header(&c->object.varlena, &varlena_methods, r->row_context);
}

static void
decode(Column *c)
{
	ensure(c->reader, colj_stripe_vector(c->reader->stripe, c->path, c->reader->pin.vector, &c->entries));
}

static How
plain_kind(ColjRowReader *r, Column *c, const ColjPathInfo *info)
{
	const ColjCell none = {.null = true};

	if (!colj_cell_fits(c->att, info->type, &none))
		raise_damaged(r, "A column is of another kind than the table's.");
	if (c->att->attbyval)
		return INTEGERS;
	if (c->att->attlen != -1)
		return FIXED;
	if (c->object.varlena.eoh_methods != &varlena_methods)
	{
		c->lazy = may_be_lazy(c->att);
		make_object(r, c, false);
	}
	return c->lazy ? LAZY_VARLENA : VARLENA;
}

static How
document_kind(ColjRowReader *r, Column *c)
{
	ExpandedObjectHeader *header = &c->object.document.header;

	if (header->eoh_methods != &colj_lazy_methods && header->eoh_methods != &jsonb_methods)
	{
		if (colj_column_kind(c->att) != COLJ_COLUMN_DOCUMENT)
			raise_damaged(r, "A column is of another kind than the table's.");
		make_object(r, c, true);
		if (colj_column_is_jsonb(c->att))
			header->eoh_methods = &jsonb_methods;
	}
	c->object.document.stripe = r->stripe;
	c->object.document.root = c->path;
	forget_document(c);
	return header->eoh_methods == &jsonb_methods ? JSONB : DOCUMENT;
}

/* Find out what the column is in the vector at hand. */
static void
find_column(ColjRowReader *r, Column *c, int i)
{
	const ColjPathInfo *info;
	const uint32_t *counts;

	c->entries = NULL;
	if (c->att->attisdropped)
		c->how = NULLS;
	else if ((uint32) i >= colj_stripe_columns(r->stripe))
	{
		c->how = MISSING;
		c->missing = getmissingattr(r->desc, i + 1, &c->missing_null);
	}
	else
	{
		c->path = colj_stripe_root(r->stripe, i);
		info = colj_stripe_path(r->stripe, c->path);
		counts = colj_stripe_counts(r->stripe, c->path, r->pin.vector);
		c->nullable = counts[COLJ_IS_ABSENT] > 0 || (info->plain && counts[COLJ_IS_NULL] > 0);
		c->how = info->plain ? plain_kind(r, c, info) : document_kind(r, c);
		if (c->nullable || (c->how != LAZY_VARLENA && c->how != DOCUMENT && c->how != JSONB))
			decode(c);
	}
	c->stamp = r->stamp;
}

/*
 * Core copies values, and so asks for them, while a sort's memory context is
 * current, which takes no pfree; catalog lookups need one that does.
 */
static pg_noinline void
enter_vector(ColjRowReader *r, Column *c, int i)
{
	MemoryContext old = MemoryContextSwitchTo(r->row_context);

	find_column(r, c, i);
	MemoryContextSwitchTo(old);
}

/* A document is null where it is absent, a plain column where it has no value. */
static inline bool
is_null(const ColjRowReader *r, const Column *c)
{
	ColjPresence presence = (ColjPresence) c->entries->presence[r->i];

	return c->how == DOCUMENT || c->how == JSONB ? presence == COLJ_IS_ABSENT : presence != COLJ_IS_VALUE;
}

static inline const char *
bytes_of(const ColjRowReader *r, const Column *c, uint32 *len)
{
	const ColjStrings *strings = &c->entries->strings;
	uint32		start = r->i > 0 ? strings->ends[r->i - 1] : 0;

	*len = strings->ends[r->i] - start;
	return strings->data + start;
}

/* The bytes where they are, if they are aligned, else a copy. */
static pg_noinline Datum
fixed_value(ColjRowReader *r, const Column *c)
{
	uint32		len;
	const char *bytes = bytes_of(r, c, &len);
	const ColjCell cell = {.bytes = bytes, .len = len};
	char	   *copy;

	if (!colj_cell_fits(c->att, COLJ_PATH_STRING, &cell))
		raise_damaged(r, "A value is of another length than its column.");
	if ((uintptr_t) bytes == att_align_nominal((uintptr_t) bytes, c->att->attalign))
		return PointerGetDatum(bytes);
	r->made = true;
	copy = MemoryContextAlloc(r->row_context, len);
	memcpy(copy, bytes, len);
	return PointerGetDatum(copy);
}

static pg_noinline Datum
varlena_value(ColjRowReader *r, const Column *c)
{
	uint32		len;
	const char *bytes = bytes_of(r, c, &len);
	struct varlena *result;

	r->made = true;
	result = MemoryContextAlloc(r->row_context, VARHDRSZ + len);
	SET_VARSIZE(result, VARHDRSZ + len);
	memcpy(VARDATA(result), bytes, len);
	return PointerGetDatum(result);
}

static Size
varlena_flat_size(ExpandedObjectHeader *header)
{
	Column	   *c = (Column *) header;
	uint32		len;

	if (c->entries == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(c->reader->row_context);

		decode(c);
		MemoryContextSwitchTo(old);
	}
	(void) bytes_of(c->reader, c, &len);
	return VARHDRSZ + len;
}

static void
varlena_flatten(ExpandedObjectHeader *header, void *result, Size size)
{
	Column	   *c = (Column *) header;
	uint32		len;
	const char *bytes = bytes_of(c->reader, c, &len);

	Assert(size == VARHDRSZ + len);
	SET_VARSIZE(result, size);
	memcpy(VARDATA(result), bytes, len);
}

static Size
jsonb_flat_size(ExpandedObjectHeader *header)
{
	Column	   *c = (Column *) header;

	if (c->jsonb == NULL)
	{
		struct varlena *whole = colj_lazy_whole(&c->object.document);
		MemoryContext old = MemoryContextSwitchTo(c->reader->row_context);
		ColjDoc		doc;

		colj_ensure(colj_open_bytes(&doc, VARDATA(whole), VARSIZE(whole) - VARHDRSZ), &doc);
		c->jsonb = colj_value_jsonb(&doc, &doc.root);
		MemoryContextSwitchTo(old);
	}
	return VARSIZE(c->jsonb);
}

static void
jsonb_flatten(ExpandedObjectHeader *header, void *result, Size size)
{
	memcpy(result, ((Column *) header)->jsonb, size);
}

static Datum
value_of(ColjRowReader *r, Column *c)
{
	switch (c->how)
	{
		case INTEGERS:
			return (Datum) c->entries->ints[r->i];
		case FIXED:
			return fixed_value(r, c);
		case VARLENA:
			return varlena_value(r, c);
		case LAZY_VARLENA:
			return EOHPGetRODatum(&c->object.varlena);
		case DOCUMENT:
		case JSONB:
			c->object.document.row = r->row;
			return EOHPGetRODatum(&c->object.document.header);
		case MISSING:
			return c->missing;
		case NULLS:
			break;
	}
	return (Datum) 0;
}

void
colj_row_reader_values(ColjRowReader *r, int from, int to, Datum *values, bool *isnull)
{
	for (int i = from; i < to; i++)
	{
		Column	   *c = &r->columns[i];

		if (unlikely(c->stamp != r->stamp))
			enter_vector(r, c, i);
		if (likely(c->how == DOCUMENT && !c->nullable))
		{
			c->object.document.row = r->row;
			values[i] = EOHPGetRODatum(&c->object.document.header);
			isnull[i] = false;
			continue;
		}
		if (c->how == NULLS || c->how == MISSING)
			isnull[i] = c->how == NULLS || c->missing_null;
		else
			isnull[i] = c->nullable && is_null(r, c);
		values[i] = isnull[i] ? (Datum) 0 : value_of(r, c);
	}
}
