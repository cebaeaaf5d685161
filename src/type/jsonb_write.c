/*-------------------------------------------------------------------------
 *
 * jsonb_write.c
 *	  A part of a document as a jsonb.
 *
 * Much of what core offers for jsonb serves colj through this conversion, so
 * it has to be fast: it writes the containers that utils/jsonb.h describes
 * directly, in one pass.  JsonbValueToJsonb would first build a tree of
 * JsonbValues, sort keys that are in order already, and take several times
 * as long (bench/run twins).
 *
 * A container that is too long for jsonb's entries gets the error that core
 * gives it.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "compat.h"
#include "type/document.h"
#include "type/number.h"
#include "type/prune.h"
#include "type/value.h"

/* Growing bytes, with a jsonb's alignment: it starts at data + VARHDRSZ. */
typedef struct Output
{
	char	   *data;
	Size		len;
	Size		room;
} Output;

/* The entries of one container, as they are filled. */
typedef struct Entries
{
	Size		at;				/* offset of entry 0 in the buffer */
	Size		base;			/* offset of the first byte of data */
	uint32		n;				/* filled so far */
	bool		object;
} Entries;

static void append_scalar(Output *out, ColjDoc *doc, const ColjValue *value, JEntry *type);

/* Room for size bytes at the end. */
static char *
reserve(Output *out, Size size)
{
	char	   *p;

	if (unlikely(out->len + size > out->room))
	{
		out->room = Max(out->room * 2, out->len + size);
		out->data = repalloc_huge(out->data, out->room);
	}
	p = out->data + out->len;
	out->len += size;
	return p;
}

/* Numbers and containers stand on multiples of 4. */
static void
align(Output *out)
{
	Size		padding = INTALIGN(out->len) - out->len;

	memset(reserve(out, padding), 0, padding);
}

static void
raise_too_long(bool object)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg(object ? "total size of jsonb object elements exceeds the maximum of %u bytes"
					: "total size of jsonb array elements exceeds the maximum of %u bytes",
					JENTRY_OFFLENMASK)));
}

/* Fill the next entry: every JB_OFFSET_STRIDE-th one holds an end, the others a length. */
static void
fill_entry(Output *out, Entries *entries, JEntry type, Size start)
{
	Size		end = out->len - entries->base;
	JEntry		entry = type | (JEntry) (out->len - start);

	if (end > JENTRY_OFFLENMASK)
		raise_too_long(entries->object);
	if (entries->n % JB_OFFSET_STRIDE == 0)
		entry = type | JENTRY_HAS_OFF | (JEntry) end;
	memcpy(out->data + entries->at + entries->n * sizeof(JEntry), &entry, sizeof(JEntry));
	entries->n++;
}

/* Write a container's header and leave room for its entries. */
static Entries
begin_container(Output *out, uint32 flags, uint32 count, uint32 nentries)
{
	Entries		entries = {.n = 0, .object = flags == JB_FOBJECT};
	uint32		header = flags | count;

	if (count > JB_CMASK)
		raise_too_long(entries.object);
	align(out);
	memcpy(reserve(out, sizeof(header)), &header, sizeof(header));
	entries.at = out->len;
	reserve(out, nentries * sizeof(JEntry));
	entries.base = out->len;
	return entries;
}

static void
append_keys(Output *out, ColjIter iter, Entries *entries)
{
	ColjDoc    *doc = iter.c.doc;
	ColjKey		key;
	ColjValue	value;

	while (colj_found(colj_iter_next(&iter, &key, &value), doc))
	{
		Size		start = out->len;

		memcpy(reserve(out, key.len), key.bytes, key.len);
		fill_entry(out, entries, JENTRY_ISSTRING, start);
	}
}

/* A container that is being written. */
typedef struct Level
{
	ColjIter	iter;
	Entries		entries;
	Size		start;			/* of its data, padding included */
} Level;

/* Write a container's head and keys; its children come next. */
static void
enter(Output *out, ColjDoc *doc, const ColjValue *value, Level *level)
{
	bool		object = value->kind == COLJ_OBJECT;
	uint32		n;

	CHECK_FOR_INTERRUPTS();
	level->start = out->len;
	colj_ensure(colj_iter_open(doc, value, &level->iter), doc);
	n = level->iter.c.n;
	level->entries = begin_container(out, object ? JB_FOBJECT : JB_FARRAY, n, object ? n * 2 : n);
	if (object)
		append_keys(out, level->iter, &level->entries);
}

/*
 * Write a container and all that is in it.  The levels are kept in an array,
 * not in recursion: a document may be nested as deeply as jsonb's parser can
 * go, and must not fail here first.
 */
static void
append_container(Output *out, ColjDoc *doc, const ColjValue *value)
{
	int			room = 8;
	int			depth = 1;
	Level	   *levels = palloc(room * sizeof(Level));
	ColjValue	child;

	enter(out, doc, value, &levels[0]);
	while (depth > 0)
	{
		Level	   *level = &levels[depth - 1];
		Size		start = out->len;
		JEntry		type;

		if (!colj_found(colj_iter_next(&level->iter, NULL, &child), doc))
		{
			depth--;
			if (depth > 0)
				fill_entry(out, &levels[depth - 1].entries, JENTRY_ISCONTAINER, level->start);
		}
		else if (child.kind != COLJ_ARRAY && child.kind != COLJ_OBJECT)
		{
			append_scalar(out, doc, &child, &type);
			fill_entry(out, &level->entries, type, start);
		}
		else
		{
			if (depth == room)
			{
				room *= 2;
				levels = repalloc_huge(levels, room * sizeof(Level));
			}
			enter(out, doc, &child, &levels[depth++]);
		}
	}
	pfree(levels);
}

static void
append_string(Output *out, ColjDoc *doc, const ColjValue *value)
{
	const char *bytes = colj_bytes(doc, value);

	if (bytes == NULL)
		colj_raise(COLJ_CORRUPT, doc);
	memcpy(reserve(out, value->len), bytes, value->len);
}

static void
append_number(Output *out, ColjDoc *doc, const ColjValue *value)
{
	Numeric		number = colj_value_numeric(doc, value);
	Size		size = VARSIZE_ANY(number);

	align(out);
	memcpy(reserve(out, size), number, size);
	pfree(number);
}

/* Append a scalar's data, with the padding before it that its type wants. */
static void
append_scalar(Output *out, ColjDoc *doc, const ColjValue *value, JEntry *type)
{
	if (value->kind == COLJ_NULL)
		*type = JENTRY_ISNULL;
	else if (value->kind == COLJ_BOOL)
		*type = value->integer ? JENTRY_ISBOOL_TRUE : JENTRY_ISBOOL_FALSE;
	else if (value->kind == COLJ_STRING)
	{
		*type = JENTRY_ISSTRING;
		append_string(out, doc, value);
	}
	else
	{
		*type = JENTRY_ISNUMERIC;
		append_number(out, doc, value);
	}
}

/* A scalar jsonb is an array of one element, marked as no array. */
static void
append_root_scalar(Output *out, ColjDoc *doc, const ColjValue *value)
{
	Entries		entries = begin_container(out, JB_FARRAY | JB_FSCALAR, 1, 1);
	Size		start = out->len;
	JEntry		type;

	append_scalar(out, doc, value, &type);
	fill_entry(out, &entries, type, start);
}

/* Append a value's data, with the padding before it that its type wants. */
static void
append_value(Output *out, ColjDoc *doc, const ColjValue *value, JEntry *type)
{
	*type = JENTRY_ISCONTAINER;
	if (value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT)
		append_container(out, doc, value);
	else
		append_scalar(out, doc, value, type);
}

/* A wanted key that an object has. */
typedef struct Wanted
{
	const ColjPrune *prune;
	ColjValue	value;
} Wanted;

static void append_pruned(Output *out, ColjDoc *doc, const ColjValue *value,
						  const ColjPrune *prune, JEntry *type);

static void
add_wanted(Wanted *wanted, uint32 *n, const ColjPrune *key, const ColjValue *value)
{
	wanted[*n].prune = key;
	wanted[*n].value = *value;
	++*n;
}

/* Look each wanted key up. */
static uint32
find_each(const ColjContainer *c, const ColjPrune *prune, Wanted *wanted)
{
	uint32		n = 0;
	uint32		i;
	ColjValue	value;

	for (const ColjPrune *key = prune->keys; key != NULL; key = key->next)
	{
		if (!colj_found(colj_container_find(c, key->key, key->len, &i), c->doc))
			continue;
		colj_ensure(colj_container_child(c, i, &value), c->doc);
		add_wanted(wanted, &n, key, &value);
	}
	return n;
}

/* Go through the object's keys and the wanted ones, which have the same order. */
static uint32
find_merging(ColjIter *iter, const ColjPrune *prune, Wanted *wanted)
{
	const ColjPrune *key = prune->keys;
	uint32		n = 0;
	ColjKey		has;
	ColjValue	value;

	while (key != NULL && colj_found(colj_iter_next(iter, &has, &value), iter->c.doc))
	{
		while (key != NULL && colj_prune_compare(key, has.bytes, has.len) < 0)
			key = key->next;
		if (key == NULL || colj_prune_compare(key, has.bytes, has.len) != 0)
			continue;
		add_wanted(wanted, &n, key, &value);
		key = key->next;
	}
	return n;
}

/* Find the wanted keys of an object; returns how many of them it has. */
static uint32
find_wanted(ColjDoc *doc, const ColjValue *object, const ColjPrune *prune, Wanted **wanted)
{
	uint32		room = 0;
	ColjIter	iter;

	for (const ColjPrune *key = prune->keys; key != NULL; key = key->next)
		room++;
	*wanted = palloc(room * sizeof(Wanted));
	colj_ensure(colj_iter_open(doc, object, &iter), doc);
	if (iter.c.n > 2 * room)
		return find_each(&iter.c, prune, *wanted);
	return find_merging(&iter, prune, *wanted);
}

static void
append_pruned_object(Output *out, ColjDoc *doc, const ColjValue *value, const ColjPrune *prune)
{
	Wanted	   *wanted;
	uint32		n = find_wanted(doc, value, prune, &wanted);
	Entries		entries = begin_container(out, JB_FOBJECT, n, n * 2);
	JEntry		type;

	for (uint32 i = 0; i < n; i++)
	{
		Size		start = out->len;

		memcpy(reserve(out, wanted[i].prune->len), wanted[i].prune->key, wanted[i].prune->len);
		fill_entry(out, &entries, JENTRY_ISSTRING, start);
	}
	for (uint32 i = 0; i < n; i++)
	{
		Size		start = out->len;

		append_pruned(out, doc, &wanted[i].value, wanted[i].prune, &type);
		fill_entry(out, &entries, type, start);
	}
	pfree(wanted);
}

static void
append_pruned_array(Output *out, ColjDoc *doc, const ColjValue *value, const ColjPrune *prune)
{
	ColjPrune	element = *prune;
	ColjIter	iter;
	Entries		entries;
	ColjValue	child;
	JEntry		type;

	element.each = false;
	colj_ensure(colj_iter_open(doc, value, &iter), doc);
	entries = begin_container(out, JB_FARRAY, iter.c.n, iter.c.n);
	while (colj_found(colj_iter_next(&iter, NULL, &child), doc))
	{
		Size		start = out->len;

		append_pruned(out, doc, &child, &element, &type);
		fill_entry(out, &entries, type, start);
	}
}

/* Append a value without what is not wanted of it. */
static void
append_pruned(Output *out, ColjDoc *doc, const ColjValue *value, const ColjPrune *prune,
			  JEntry *type)
{
	*type = JENTRY_ISCONTAINER;
	if (value->kind == COLJ_OBJECT && !prune->whole)
		append_pruned_object(out, doc, value, prune);
	else if (value->kind == COLJ_ARRAY && prune->each && !prune->whole)
		append_pruned_array(out, doc, value, prune);
	else
		append_value(out, doc, value, type);
}

/* Room for size bytes to begin with. */
static Output
begin_output(Size size)
{
	Output		out = {.len = VARHDRSZ, .room = VARHDRSZ + size};

	out.data = MemoryContextAllocExtended(CurrentMemoryContext, out.room, MCXT_ALLOC_HUGE);
	return out;
}

static Jsonb *
end_output(Output *out, const ColjValue *value)
{
	if (out->len > MaxAllocSize)
		raise_too_long(value->kind == COLJ_OBJECT);
	SET_VARSIZE(out->data, out->len);
	return (Jsonb *) out->data;
}

Jsonb *
colj_value_jsonb(ColjDoc *doc, const ColjValue *value)
{
	Output		out = begin_output(64 + (Size) value->len * 2);

	if (value->kind == COLJ_ARRAY || value->kind == COLJ_OBJECT)
		append_container(&out, doc, value);
	else
		append_root_scalar(&out, doc, value);
	return end_output(&out, value);
}

Jsonb *
colj_pruned_jsonb(ColjDoc *doc, const ColjValue *value, const ColjPrune *prune)
{
	Output		out = begin_output(256);
	JEntry		type;

	if (value->kind != COLJ_ARRAY && value->kind != COLJ_OBJECT)
		return colj_value_jsonb(doc, value);
	append_pruned(&out, doc, value, prune, &type);
	return end_output(&out, value);
}
