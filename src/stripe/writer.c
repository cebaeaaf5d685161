/*-------------------------------------------------------------------------
 *
 * writer.c
 *	  Making a stripe: rows in, bytes out.
 *
 * Rows are held until the stripe is full, because which paths become columns
 * depends on all of them.  Then the columns are filled and stored vector by
 * vector, so that on top of the rows there is the memory for one vector of
 * each path, and for the stripe that comes out.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "stripe/writer.h"

#include <stdlib.h>
#include <string.h>

#include "stripe/memory.h"

#define CHUNK (256 * 1024)

ColjStripeWriter *
colj_stripe_writer_create(const ColjHost *host, const ColjStripeOptions *options,
						  const ColjColumnSpec *columns, uint32_t ncolumns)
{
	ColjStripeWriter *writer = colj_grab_zeroed(host, 1, sizeof(ColjStripeWriter));

	if (writer == NULL)
		return NULL;
	writer->host = host;
	writer->options = *options;
	if (writer->options.vector_rows == 0 || writer->options.vector_rows > COLJ_VECTOR_ROWS_MAX)
		writer->options.vector_rows = COLJ_VECTOR_ROWS_MAX;
	writer->ncolumns = ncolumns;
	writer->scratch.host = writer->stripe.host = host;
	colj_builder_init(&writer->residual, host);
	colj_builder_init(&writer->value, host);
	writer->work = colj_vector_work_create(host, options->zstd_level);
	writer->specs = colj_grab_zeroed(host, ncolumns, sizeof(ColjColumnSpec));
	writer->tables = colj_grab_zeroed(host, ncolumns, sizeof(ColjWriteTable));
	if (writer->work == NULL || writer->specs == NULL || writer->tables == NULL)
	{
		colj_stripe_writer_free(writer);
		return NULL;
	}
	if (ncolumns > 0)
		memcpy(writer->specs, columns, ncolumns * sizeof(ColjColumnSpec));
	return writer;
}

static void
free_paths(ColjStripeWriter *writer)
{
	for (uint32_t i = 0; writer->paths != NULL && i < writer->npaths; i++)
	{
		ColjWritePath *path = &writer->paths[i];

		colj_column_free(&path->column, writer->host);
		if (path->body.host != NULL)
			colj_sink_free(&path->body);
		if (path->first.host != NULL)
			colj_sink_free(&path->first);
		colj_release(writer->host, path->entry.lengths);
		colj_release(writer->host, path->entry.raws);
		colj_release(writer->host, path->entry.zones);
	}
	colj_release(writer->host, writer->paths);
}

void
colj_stripe_writer_free(ColjStripeWriter *writer)
{
	free_paths(writer);
	for (uint32_t i = 0; writer->tables != NULL && i < writer->ncolumns; i++)
		if (writer->tables[i].shred.host != NULL)
			colj_shred_end(&writer->tables[i].shred);
	for (size_t i = 0; i < writer->nchunks; i++)
		colj_release(writer->host, writer->chunks[i]);
	colj_release(writer->host, writer->chunks);
	colj_release(writer->host, writer->cells);
	colj_release(writer->host, writer->specs);
	colj_release(writer->host, writer->tables);
	colj_builder_free(&writer->residual);
	colj_builder_free(&writer->value);
	colj_sink_free(&writer->scratch);
	colj_sink_free(&writer->stripe);
	colj_vector_work_free(writer->work);
	colj_release(writer->host, writer);
}

uint32_t
colj_stripe_writer_rows(const ColjStripeWriter *writer)
{
	return writer->rows;
}

size_t
colj_stripe_writer_bytes(const ColjStripeWriter *writer)
{
	return writer->held;
}

/* Start a chunk with room for at least len bytes. */
static bool
add_chunk(ColjStripeWriter *writer, size_t len)
{
	size_t		size = len > CHUNK ? len : CHUNK;

	if (writer->nchunks == writer->chunks_room)
	{
		size_t		room = writer->chunks_room == 0 ? 64 : writer->chunks_room * 2;
		char	  **chunks = writer->host->resize(writer->host->arg, writer->chunks, room * sizeof(char *));

		if (chunks == NULL)
			return false;
		writer->chunks = chunks;
		writer->chunks_room = room;
	}
	writer->chunk_next = writer->host->resize(writer->host->arg, NULL, size);
	if (writer->chunk_next == NULL)
		return false;
	writer->chunks[writer->nchunks++] = writer->chunk_next;
	writer->chunk_left = size;
	writer->held += size;
	return true;
}

/* A copy that stays where it is. */
static const char *
hold_bytes(ColjStripeWriter *writer, const void *bytes, size_t len)
{
	char	   *copy;

	/* no bytes have an address, too */
	if ((len > writer->chunk_left || writer->chunk_next == NULL) && !add_chunk(writer, len))
		return NULL;
	copy = writer->chunk_next;
	if (len > 0)
		memcpy(copy, bytes, len);
	writer->chunk_next += len;
	writer->chunk_left -= len;
	return copy;
}

static ColjStatus
hold_cell(ColjStripeWriter *writer, ColjColumnKind kind, const ColjCell *cell, ColjHeldCell *held)
{
	ColjDoc    *doc = cell->doc;
	const char *bytes = cell->bytes;

	held->null = cell->null;
	held->len = cell->len;
	held->u.integer = cell->integer;
	if (cell->null || kind == COLJ_COLUMN_INT)
		return COLJ_OK;
	if (kind == COLJ_COLUMN_DOCUMENT)
	{
		if (doc->avail < doc->size && (doc->fetch == NULL || !doc->fetch(doc, 0, doc->size)))
			return COLJ_CORRUPT;
		held->len = doc->size;
		bytes = (const char *) doc->data;
	}
	held->u.bytes = hold_bytes(writer, bytes, held->len);
	return held->u.bytes == NULL ? COLJ_NO_MEMORY : COLJ_OK;
}

ColjStatus
colj_stripe_writer_add(ColjStripeWriter *writer, const ColjCell *cells)
{
	size_t		needed = ((size_t) writer->rows + 1) * writer->ncolumns;

	if (writer->status != COLJ_OK)
		return writer->status;
	if (writer->rows / writer->options.vector_rows >= COLJ_STRIPE_VECTORS_MAX)
		return COLJ_TOO_LARGE;
	if (writer->cells == NULL || needed > writer->cells_room)
	{
		size_t		room = needed < 512 ? 1024 : needed * 2;
		ColjHeldCell *held = writer->host->resize(writer->host->arg, writer->cells, room * sizeof(ColjHeldCell));

		if (held == NULL)
			return writer->status = COLJ_NO_MEMORY;
		writer->held += (room - writer->cells_room) * sizeof(ColjHeldCell);
		writer->cells = held;
		writer->cells_room = room;
	}
	for (uint32_t i = 0; i < writer->ncolumns && writer->status == COLJ_OK; i++)
		writer->status = hold_cell(writer, writer->specs[i].kind, &cells[i],
								   &writer->cells[(size_t) writer->rows * writer->ncolumns + i]);
	writer->rows += writer->status == COLJ_OK;
	return writer->status;
}

static ColjStatus
open_held(const ColjHeldCell *cell, ColjDoc *doc)
{
	return colj_open_bytes(doc, cell->u.bytes, cell->len);
}

/* Look at all documents of one column and decide on its paths. */
static ColjStatus
shred_column(ColjStripeWriter *writer, uint32_t column)
{
	ColjShred  *shred = &writer->tables[column].shred;
	ColjStatus	status = colj_shred_begin(shred, writer->host, writer->options.max_paths);
	ColjDoc		doc;

	for (uint32_t row = 0; row < writer->rows && status == COLJ_OK; row++)
	{
		const ColjHeldCell *cell = &writer->cells[(size_t) row * writer->ncolumns + column];

		if (row % 256 == 0 && writer->host->poll != NULL)
			writer->host->poll(writer->host->arg);
		if (cell->null)
			continue;
		status = open_held(cell, &doc);
		if (status == COLJ_OK)
			status = colj_shred_look(shred, &doc);
	}
	if (status == COLJ_OK)
		colj_shred_decide(shred);
	return status;
}

/* A child of an object on its way into key order. */
typedef struct Child
{
	const ColjSeen *seen;
	uint32_t	node;
} Child;

static int
compare_children(const void *x, const void *y)
{
	const ColjSeen *a = ((const Child *) x)->seen;
	const ColjSeen *b = ((const Child *) y)->seen;

	if (a->key_len != b->key_len)
		return a->key_len < b->key_len ? -1 : 1;
	return memcmp(a->key, b->key, a->key_len);
}

/* Fill in a path that has just been numbered. */
static ColjStatus
start_path(ColjStripeWriter *writer, uint32_t number, uint32_t column, uint32_t parent,
		   ColjPathType type, const ColjSeen *seen)
{
	ColjWritePath *path = &writer->paths[number];
	uint32_t	nvectors = (writer->rows + writer->options.vector_rows - 1) / writer->options.vector_rows;

	path->entry.info = (ColjPathInfo){.column = column, .parent = parent, .type = type, .complete = true, .sibling = COLJ_NO_PATH};
	if (seen != NULL)
	{
		path->entry.info.key = seen->key;
		path->entry.info.key_len = seen->key_len;
	}
	path->body.host = path->first.host = writer->host;
	path->entry.lengths = colj_grab_zeroed(writer->host, nvectors, sizeof(uint32_t));
	path->entry.raws = colj_grab_zeroed(writer->host, nvectors, sizeof(uint32_t));
	path->entry.zones = colj_grab_zeroed(writer->host, nvectors, sizeof(ColjStoredZone));
	if (path->entry.lengths == NULL || path->entry.raws == NULL || path->entry.zones == NULL)
		return COLJ_NO_MEMORY;
	return colj_column_create(&path->column, writer->host, type, writer->options.vector_rows);
}

/* Number the chosen children of a path, in key order. */
static ColjStatus
number_children(ColjStripeWriter *writer, uint32_t number)
{
	ColjWritePath *path = &writer->paths[number];
	uint32_t	column = path->entry.info.column;
	ColjShred  *shred = &writer->tables[column].shred;
	ColjSeen   *parent = &shred->seen[path->node];
	Child	   *children = colj_grab_zeroed(writer->host, parent->nchildren, sizeof(Child));
	uint32_t	n = 0;
	ColjStatus	status = children == NULL ? COLJ_NO_MEMORY : COLJ_OK;

	for (uint32_t i = parent->first_child; i != COLJ_NO_PATH && status == COLJ_OK; i = shred->seen[i].next)
		if (shred->seen[i].path != COLJ_NO_PATH)
			children[n++] = (Child){&shred->seen[i], i};
	if (n > 1)
		qsort(children, n, sizeof(Child), compare_children);
	path->entry.info.first_child = n > 0 ? writer->npaths : 0;
	path->entry.info.nchildren = n;
	for (uint32_t i = 0; i < n && status == COLJ_OK; i++)
	{
		uint32_t	child = writer->npaths++;

		shred->seen[children[i].node].path = child;
		status = start_path(writer, child, column, number, children[i].seen->type, children[i].seen);
		writer->paths[child].node = children[i].node;
	}
	colj_release(writer->host, children);
	return status;
}

/* How many paths there will be. */
static uint32_t
count_paths(const ColjStripeWriter *writer)
{
	uint32_t	n = writer->ncolumns;

	for (uint32_t i = 0; i < writer->ncolumns; i++)
	{
		const ColjShred *shred = &writer->tables[i].shred;

		if (writer->specs[i].kind != COLJ_COLUMN_DOCUMENT)
			continue;
		n++;
		for (uint32_t node = 1; node < shred->n; node++)
			n += shred->seen[node].path != COLJ_NO_PATH;
	}
	return n;
}

/* The columns' root paths come first, then the residuals, then the rest level by level. */
static ColjStatus
number_paths(ColjStripeWriter *writer)
{
	ColjStatus	status = COLJ_OK;

	writer->paths = colj_grab_zeroed(writer->host, count_paths(writer), sizeof(ColjWritePath));
	if (writer->paths == NULL)
		return COLJ_NO_MEMORY;
	writer->npaths = writer->ncolumns;
	for (uint32_t i = 0; i < writer->ncolumns && status == COLJ_OK; i++)
	{
		ColjWriteTable *table = &writer->tables[i];
		ColjColumnKind kind = writer->specs[i].kind;
		ColjPathType type = kind == COLJ_COLUMN_INT ? COLJ_PATH_INT : COLJ_PATH_STRING;

		if (kind == COLJ_COLUMN_DOCUMENT)
		{
			type = table->shred.seen[0].type;
			table->shred.seen[0].path = i;
		}
		status = start_path(writer, i, i, COLJ_NO_PATH, type, NULL);
		table->root = &writer->paths[i];
		table->root->entry.info.plain = kind != COLJ_COLUMN_DOCUMENT;
	}
	for (uint32_t i = 0; i < writer->ncolumns && status == COLJ_OK; i++)
	{
		if (writer->specs[i].kind != COLJ_COLUMN_DOCUMENT)
			continue;
		writer->tables[i].residual = &writer->paths[writer->npaths];
		writer->tables[i].residual->entry.residual = true;
		status = start_path(writer, writer->npaths++, i, COLJ_NO_PATH, COLJ_PATH_DOCUMENT, NULL);
	}
	for (uint32_t i = 0; i < writer->npaths && status == COLJ_OK; i++)
		if (!writer->paths[i].entry.info.plain && !writer->paths[i].entry.residual)
			status = number_children(writer, i);
	return status;
}

static ColjStatus
emit_cell(ColjStripeWriter *writer, uint32_t column, uint32_t row, const ColjHeldCell *cell)
{
	ColjWriteTable *table = &writer->tables[column];
	ColjDoc		doc;
	ColjStatus	status;

	if (writer->specs[column].kind == COLJ_COLUMN_DOCUMENT)
	{
		if (cell->null)
			return COLJ_OK;
		status = open_held(cell, &doc);
		return status != COLJ_OK ? status : colj_emit_document(writer, table, row, &doc);
	}
	if (cell->null)
		colj_column_push(&table->root->column, COLJ_IS_NULL);
	else if (writer->specs[column].kind == COLJ_COLUMN_INT)
		colj_column_push_int(&table->root->column, cell->u.integer, 0);
	else
		colj_column_push_bytes(&table->root->column, cell->u.bytes, cell->len);
	return COLJ_OK;
}

ColjStoring
colj_path_storing(const ColjStripeWriter *writer, const ColjWritePath *path)
{
	uint32_t	sibling = path->entry.info.sibling;

	return (ColjStoring)
	{
		sibling == COLJ_NO_PATH ? NULL : &writer->paths[sibling].column, path->front, path->back, path->like
	};
}

/* Is every row absent in a column where another has no value, and else the same? */
static bool
is_like(const ColjColumn *column, const ColjColumn *other)
{
	uint32_t	row = 0;
	uint8_t		same;
	uint8_t		wrong = 0;

	while (row < column->rows && column->presence[row] == COLJ_IS_ABSENT)
		row++;
	if (row == column->rows)
		return false;
	same = column->presence[row];
	for (row = 0; row < column->rows; row++)
		wrong |= column->presence[row] ^ (other->presence[row] == COLJ_IS_VALUE ? same : COLJ_IS_ABSENT);
	return wrong == 0;
}

/*
 * What is in some objects only is mostly in all of these: then its presence is
 * told by the highest object that is in the same rows.  What is in all rows tells
 * its presence as shortly by itself.
 */
static void
find_likeness(ColjStripeWriter *writer, ColjWritePath *path)
{
	const ColjColumn *column = &path->column;
	const ColjWritePath *parent;

	path->like = 0;
	if (path->entry.info.parent == COLJ_NO_PATH)
		return;
	parent = &writer->paths[path->entry.info.parent];
	if (parent->column.values < column->rows && is_like(column, &parent->column))
		path->like = parent->like + 1;
}

static ColjStatus
store_path(ColjStripeWriter *writer, ColjWritePath *path, uint32_t vector)
{
	ColjStoring storing = colj_path_storing(writer, path);
	size_t		start = path->body.len;
	ColjStatus	status = COLJ_OK;

	if (vector == 0 && path->first.len > 0)
	{
		colj_sink_bytes(&path->body, path->first.data, path->first.len);
		colj_sink_free(&path->first);
	}
	else
		status = colj_column_put(writer->work, writer->specs[path->entry.info.column].codec,
								 &path->column, &storing, &path->body);
	path->entry.lengths[vector] = (uint32_t) (path->body.len - start);
	path->entry.raws[vector] = (uint32_t) colj_column_raw(&path->column);
	colj_column_zone(&path->column, &path->entry.zones[vector]);
	return status != COLJ_OK ? status : path->body.status;
}

/* Store the vector that every path has filled. */
static ColjStatus
store_vector(ColjStripeWriter *writer, uint32_t vector, uint32_t rows)
{
	ColjStatus	status = COLJ_OK;

	for (uint32_t i = 0; i < writer->npaths; i++)
	{
		colj_column_push_absent(&writer->paths[i].column, rows);
		find_likeness(writer, &writer->paths[i]);
	}
	if (vector == 0)
		colj_choose_siblings(writer);
	for (uint32_t i = 0; i < writer->npaths && status == COLJ_OK; i++)
		status = store_path(writer, &writer->paths[i], vector);
	for (uint32_t i = 0; i < writer->npaths; i++)
		colj_column_clear(&writer->paths[i].column);
	if (writer->host->poll != NULL)
		writer->host->poll(writer->host->arg);
	return status;
}

static ColjStatus
fill_columns(ColjStripeWriter *writer)
{
	uint32_t	vector_rows = writer->options.vector_rows;
	ColjStatus	status = COLJ_OK;

	for (uint32_t row = 0; row < writer->rows && status == COLJ_OK; row++)
	{
		const ColjHeldCell *cells = &writer->cells[(size_t) row * writer->ncolumns];
		uint32_t	in_vector = row % vector_rows;

		for (uint32_t i = 0; i < writer->ncolumns && status == COLJ_OK; i++)
			status = emit_cell(writer, i, in_vector, &cells[i]);
		if (status == COLJ_OK && (in_vector + 1 == vector_rows || row + 1 == writer->rows))
			status = store_vector(writer, row / vector_rows, in_vector + 1);
	}
	return status;
}

/* A path is complete when no row has it, or anything below it, in a residual. */
static void
mark_incomplete(ColjStripeWriter *writer)
{
	for (uint32_t i = 0; i < writer->ncolumns; i++)
	{
		ColjWritePath *residual = writer->tables[i].residual;

		if (residual != NULL && residual->body.len > 0)
		{
			bool		empty = true;

			for (uint32_t v = 0; empty && v * writer->options.vector_rows < writer->rows; v++)
				empty = residual->entry.zones[v].counts[COLJ_IS_VALUE] == 0;
			writer->tables[i].root->entry.info.complete = empty;
		}
	}
	for (uint32_t i = writer->npaths; i-- > 0;)
	{
		ColjPathEntry *path = &writer->paths[i].entry;

		if (path->info.parent == COLJ_NO_PATH)
			continue;
		for (uint32_t v = 0; v * writer->options.vector_rows < writer->rows; v++)
			if (path->zones[v].counts[COLJ_IS_ELSEWHERE] > 0)
				path->info.complete = false;

		/*
		 * an object may have left rare keys behind, which only the root's
		 * column tells
		 */
		if (path->info.type == COLJ_PATH_OBJECT && !writer->tables[path->info.column].root->entry.info.complete)
			path->info.complete = false;
	}
}

static ColjStatus
put_stripe(ColjStripeWriter *writer)
{
	ColjDirectory d = {.host = writer->host, .rows = writer->rows,
		.vector_rows = writer->options.vector_rows, .ncolumns = writer->ncolumns,
	.columns = writer->specs, .npaths = writer->npaths};
	ColjStatus	status = COLJ_NO_MEMORY;

	d.nvectors = (writer->rows + d.vector_rows - 1) / d.vector_rows;
	d.roots = colj_grab_zeroed(writer->host, d.ncolumns, sizeof(uint32_t));
	d.residuals = colj_grab_zeroed(writer->host, d.ncolumns, sizeof(uint32_t));
	d.paths = colj_grab_zeroed(writer->host, d.npaths, sizeof(ColjPathEntry));
	if (d.roots != NULL && d.residuals != NULL && d.paths != NULL)
	{
		for (uint32_t i = 0; i < d.ncolumns; i++)
		{
			d.roots[i] = i;
			d.residuals[i] = writer->tables[i].residual == NULL ? COLJ_NO_PATH
				: (uint32_t) (writer->tables[i].residual - writer->paths);
		}
		for (uint32_t i = 0; i < d.npaths; i++)
		{
			d.paths[i] = writer->paths[i].entry;
			d.paths[i].nvectors = d.nvectors;
		}
		status = colj_directory_put(writer->work, &d, &writer->stripe);
	}
	colj_release(writer->host, d.roots);
	colj_release(writer->host, d.residuals);
	colj_release(writer->host, d.paths);
	for (uint32_t i = 0; i < writer->npaths && status == COLJ_OK; i++)
		colj_sink_bytes(&writer->stripe, writer->paths[i].body.data, writer->paths[i].body.len);
	return status != COLJ_OK ? status : writer->stripe.status;
}

ColjStatus
colj_stripe_writer_finish(ColjStripeWriter *writer, const uint8_t **bytes, size_t *size)
{
	ColjStatus	status = writer->status;

	for (uint32_t i = 0; i < writer->ncolumns && status == COLJ_OK; i++)
		if (writer->specs[i].kind == COLJ_COLUMN_DOCUMENT)
			status = shred_column(writer, i);
	if (status == COLJ_OK)
		status = number_paths(writer);
	if (status == COLJ_OK)
		status = fill_columns(writer);
	if (status == COLJ_OK)
	{
		mark_incomplete(writer);
		status = put_stripe(writer);
	}
	*bytes = writer->stripe.data;
	*size = writer->stripe.len;
	return writer->status = status;
}
