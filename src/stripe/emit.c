/*-------------------------------------------------------------------------
 *
 * emit.c
 *	  Taking a document apart: values into columns, the rest into a residual.
 *
 * The residual of a row is a document with just what no column took, under
 * the keys that lead to it.  Below a path that is an object column, it holds
 * some of that object's keys; anywhere else it holds whole values.  The
 * path's presence tells which it is, so putting together needs no marks.
 *
 * Columns hear of the rows that have something for them; the rows between are
 * filled up as absent when the column is next used.  So a row costs what it
 * has, not the number of paths.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "format/slice.h"
#include "stripe/writer.h"

/* A row being taken apart. */
typedef struct Emit
{
	ColjStripeWriter *writer;
	ColjWriteTable *table;
	ColjDoc    *doc;
	uint32_t	row;
	uint32_t	depth;			/* of the object at hand */
	uint32_t	opened;			/* how many of its ancestors the residual has
								 * begun */
	ColjKey		keys[COLJ_PATH_DEPTH_MAX + 2];	/* that lead to it */
	bool		has_residual;
} Emit;

static ColjStatus emit_value(Emit *emit, uint32_t node, const ColjValue *value);

/* Begin the objects of the residual that lead to the object at hand. */
static void
open_residual(Emit *emit)
{
	ColjBuilder *b = &emit->writer->residual;

	emit->has_residual = true;
	if (emit->opened == 0)
	{
		colj_builder_begin_object(b);
		emit->opened = 1;
	}
	while (emit->opened < emit->depth)
	{
		ColjKey    *key = &emit->keys[emit->opened];

		colj_builder_key(b, key->bytes, key->len);
		colj_builder_begin_object(b);
		emit->opened++;
	}
}

static ColjStatus
keep_in_residual(Emit *emit, const ColjKey *key, const ColjValue *value)
{
	ColjBuilder *b = &emit->writer->residual;

	open_residual(emit);
	colj_builder_key(b, key->bytes, key->len);
	return colj_builder_copy(b, emit->doc, value);
}

/* A value as a document of its own, in the writer's scratch. */
static ColjStatus
make_document(ColjStripeWriter *writer, ColjDoc *doc, const ColjValue *value)
{
	ColjSlice	slice;
	uint32_t	size;
	uint8_t    *p;
	ColjStatus	status;

	writer->scratch.len = 0;
	status = colj_slice_size(&slice, doc, value);
	if (status == COLJ_OK)
	{
		p = colj_sink_reserve(&writer->scratch, slice.size);
		return p == NULL ? COLJ_NO_MEMORY : colj_slice_write(&slice, p);
	}
	if (status != COLJ_ABSENT)
		return status;
	colj_builder_reset(&writer->value);
	status = colj_builder_copy(&writer->value, doc, value);
	if (status == COLJ_OK)
		status = colj_builder_finish(&writer->value, doc->stride, &size);
	p = status == COLJ_OK ? colj_sink_reserve(&writer->scratch, size) : NULL;
	if (p != NULL)
		colj_builder_write(&writer->value, p);
	return status == COLJ_OK && p == NULL ? COLJ_NO_MEMORY : status;
}

/* A value under a key that leads to this node, or to none. */
static ColjStatus
emit_member(Emit *emit, uint32_t node, const ColjKey *key, const ColjValue *value)
{
	emit->keys[emit->depth] = *key;
	if (node == COLJ_NO_PATH || emit->table->shred.seen[node].path == COLJ_NO_PATH)
		return keep_in_residual(emit, key, value);
	return emit_value(emit, node, value);
}

/* The values of an object whose members are known. */
static ColjStatus
emit_members(Emit *emit, uint32_t first, ColjIter *iter)
{
	const ColjMember *members = emit->table->shred.members + first;
	const char *keys = (const char *) emit->doc->data + iter->c.keys;
	ColjStatus	status = COLJ_OK;
	ColjValue	value;

	while (status == COLJ_OK && (status = colj_iter_value(iter, &value)) == COLJ_OK)
	{
		const ColjMember *member = &members[iter->i - 1];
		ColjKey		key = {keys + member->off, member->len};

		status = emit_member(emit, member->child, &key, &value);
	}
	return status;
}

static ColjStatus
emit_keys(Emit *emit, uint32_t node, ColjIter *iter)
{
	uint32_t	child = COLJ_NO_PATH;
	ColjStatus	status = COLJ_OK;
	ColjKey		key;
	ColjValue	value;

	while (status == COLJ_OK && (status = colj_iter_next(iter, &key, &value)) == COLJ_OK)
	{
		uint32_t	hit = colj_shred_child(&emit->table->shred, node, child, key.bytes, key.len);

		child = hit == COLJ_NO_PATH ? child : hit;
		status = emit_member(emit, hit, &key, &value);
	}
	return status;
}

/* The keys of an object whose path is a column of type OBJECT. */
static ColjStatus
emit_object(Emit *emit, uint32_t node, const ColjValue *object)
{
	ColjIter	iter;
	uint32_t	members;
	ColjStatus	status = colj_iter_open(emit->doc, object, &iter);

	emit->depth++;
	if (status == COLJ_OK)
	{
		members = colj_shred_members(&emit->table->shred, node, object, &iter.c);
		status = members != COLJ_NO_PATH ? emit_members(emit, members, &iter) : emit_keys(emit, node, &iter);
	}
	if (emit->opened == emit->depth && emit->opened > 0)
	{
		colj_builder_end(&emit->writer->residual);
		emit->opened--;
	}
	emit->depth--;
	return status == COLJ_ABSENT ? COLJ_OK : status;
}

static ColjStatus
emit_elsewhere(Emit *emit, ColjColumn *column, const ColjValue *value)
{
	colj_column_push(column, COLJ_IS_ELSEWHERE);
	if (emit->depth > 0)
		return keep_in_residual(emit, &emit->keys[emit->depth], value);
	emit->has_residual = true;
	return colj_builder_copy(&emit->writer->residual, emit->doc, value);
}

/* A value at a path that is a column. */
static ColjStatus
emit_value(Emit *emit, uint32_t node, const ColjValue *value)
{
	ColjSeen   *seen = &emit->table->shred.seen[node];
	ColjColumn *column = &emit->writer->paths[seen->path].column;
	const char *bytes;
	ColjStatus	status = COLJ_OK;

	/* a key can't be there twice, but bytes are hostile */
	if (column->rows > emit->row)
		return COLJ_CORRUPT;
	colj_column_push_absent(column, emit->row);
	if (value->kind == COLJ_NULL)
		colj_column_push(column, COLJ_IS_NULL);
	else if (!colj_path_takes(seen->type, value->kind))
		return emit_elsewhere(emit, column, value);
	else if (seen->type == COLJ_PATH_OBJECT)
	{
		colj_column_push(column, COLJ_IS_VALUE);
		return emit_object(emit, node, value);
	}
	else if (seen->type == COLJ_PATH_STRING)
	{
		bytes = colj_bytes(emit->doc, value);
		if (bytes == NULL)
			return COLJ_CORRUPT;
		colj_column_push_bytes(column, bytes, value->len);
	}
	else if (seen->type == COLJ_PATH_DOCUMENT)
	{
		status = make_document(emit->writer, emit->doc, value);
		if (status == COLJ_OK)
			colj_column_push_bytes(column, emit->writer->scratch.data, emit->writer->scratch.len);
	}
	else
		colj_column_push_int(column, value->integer, value->scale);
	return status;
}

static ColjStatus
emit_residual(Emit *emit)
{
	ColjStripeWriter *writer = emit->writer;
	ColjColumn *column = &emit->table->residual->column;
	uint32_t	size;
	uint8_t    *p;
	ColjStatus	status = colj_builder_finish(&writer->residual, emit->doc->stride, &size);

	if (status != COLJ_OK)
		return status;
	writer->scratch.len = 0;
	p = colj_sink_reserve(&writer->scratch, size);
	if (p == NULL)
		return COLJ_NO_MEMORY;
	colj_builder_write(&writer->residual, p);
	colj_column_push_absent(column, emit->row);
	colj_column_push_bytes(column, p, size);
	return COLJ_OK;
}

ColjStatus
colj_emit_document(ColjStripeWriter *writer, ColjWriteTable *table, uint32_t row, ColjDoc *doc)
{
	Emit		emit = {.writer = writer, .table = table, .doc = doc, .row = row};
	ColjStatus	status;

	colj_builder_reset(&writer->residual);
	status = emit_value(&emit, 0, &doc->root);
	if (status == COLJ_OK && emit.has_residual)
		status = emit_residual(&emit);
	return status;
}
