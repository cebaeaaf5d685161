/*-------------------------------------------------------------------------
 *
 * sizes.c
 *	  What each choice of the layout is worth, in bytes.
 *
 * Reads JSON documents, one a line, and prints how long their colj documents
 * are in all: as they are written, and as they would be without one of the
 * layout's choices.  The latter are sums over the builder's tree; that a
 * container's ends may become wider with its body is left out.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/text.h"
#include "format/tree.h"
#include "heap.h"

typedef struct Sums
{
	uint64_t	documents;
	uint64_t	json;
	uint64_t	colj;
	uint64_t	stride1;
	uint64_t	stride8;
	uint64_t	stride256;
	uint64_t	key_lengths;	/* a byte for each key's length, no runs */
	uint64_t	no_shapes;
	uint64_t	no_fixed;		/* an entry for each element */
	uint64_t	no_literals;	/* small integers take a byte */
} Sums;

/* Bytes of the runs of a key list, and of lengths one by one. */
static int64_t
runs_gain(const ColjNode *pairs, uint32_t n)
{
	int64_t		gain = n;
	uint32_t	len = 0;
	uint32_t	i;
	uint32_t	count;

	for (i = 0; i < n; i += count)
	{
		uint32_t	delta = pairs[i * 2].len - len;

		len += delta;
		count = colj_key_run(pairs, n, i);
		gain -= 1;
		if (delta > COLJ_RUN_MAX || count > COLJ_RUN_MAX)
			gain -= colj_varint_size(delta) + colj_varint_size(count);
	}
	return gain;
}

static bool
is_small_integer(const ColjNode *node)
{
	return node->kind == COLJ_INT && node->u.integer >= 0
		&& node->u.integer <= COLJ_LITERAL_INT_MAX;
}

/* What a fixed array would take with an entry for each element. */
static int64_t
general_size(const ColjBuilder *b, const ColjBox *box)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	int64_t		size = colj_varint_size(box->n << 1) + box->n
	+ 2 * (int64_t) colj_anchors(box->n, b->stride) * colj_width(box->size);
	uint32_t	i;

	for (i = 0; i < box->n; i++)
		size += colj_node_size(b, &nodes[i]);
	return size;
}

static void
add_box(const ColjBuilder *b, const ColjBox *box, Sums *sums)
{
	const ColjNode *nodes = colj_box_nodes(b, box);
	uint32_t	step = box->object ? 2 : 1;
	uint32_t	i;

	if (box->object && box->shape == COLJ_NO_SHAPE)
		sums->key_lengths += runs_gain(nodes, box->n);
	if (box->fixed)
	{
		sums->no_fixed += general_size(b, box) - box->size;
		return;
	}
	for (i = 0; i < box->n; i++)
		sums->no_literals += is_small_integer(&nodes[i * step + step - 1]);
}

static void
add_document(ColjBuilder *b, Sums *sums)
{
	Sums		gain = {0};
	uint64_t	plain;
	uint32_t	size;
	size_t		i;

	b->stride = COLJ_STRIDE_DEFAULT;
	colj_measure(b);
	plain = colj_document_size(b);
	if (colj_builder_finish(b, COLJ_STRIDE_DEFAULT, &size) != COLJ_OK)
		exit(1);
	for (i = 0; i < b->boxes.n; i++)
		add_box(b, colj_box(b, (uint32_t) i), &gain);
	for (i = 0; i < b->shapes.n; i++)
	{
		const ColjBox *box = colj_box(b, ((uint32_t *) b->shapes.items)[i]);

		gain.key_lengths += runs_gain(colj_box_nodes(b, box), box->n);
	}
	sums->documents++;
	sums->colj += size;
	sums->no_shapes += plain;
	sums->key_lengths += size + gain.key_lengths;
	sums->no_fixed += size + gain.no_fixed;
	sums->no_literals += size + gain.no_literals;
}

/* The size of a line's document at a stride; 0 when it is no plain JSON. */
static uint32_t
size_at(ColjBuilder *b, const char *line, size_t len, uint32_t stride)
{
	uint32_t	size;

	colj_builder_reset(b);
	if (colj_parse(b, line, len, true) != COLJ_OK
		|| colj_builder_finish(b, stride, &size) != COLJ_OK)
		return 0;
	return size;
}

static void
report(const char *what, uint64_t size, const Sums *sums)
{
	printf("%-44s %12" PRIu64 "  %.3f\n", what, size, (double) size / (double) sums->colj);
}

int
main(void)
{
	Heap		heap;
	ColjBuilder b;
	Sums		sums = {0};
	char	   *line = NULL;
	size_t		room = 0;
	ssize_t		len;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	while ((len = getline(&line, &room, stdin)) > 0)
	{
		colj_builder_reset(&b);
		if (colj_parse(&b, line, (size_t) len, true) != COLJ_OK)
			continue;
		sums.json += (uint64_t) len;
		add_document(&b, &sums);
		sums.stride1 += size_at(&b, line, (size_t) len, 1);
		sums.stride8 += size_at(&b, line, (size_t) len, 8);
		sums.stride256 += size_at(&b, line, (size_t) len, 256);
	}
	free(line);
	printf("%" PRIu64 " documents; bytes, and as a part of colj's\n", sums.documents);
	report("JSON text", sums.json, &sums);
	report("colj at stride 32", sums.colj, &sums);
	report("colj at stride 1", sums.stride1, &sums);
	report("colj at stride 8", sums.stride8, &sums);
	report("colj at stride 256", sums.stride256, &sums);
	report("with a length byte for each key", sums.key_lengths, &sums);
	report("without shape tables", sums.no_shapes, &sums);
	report("without arrays of one entry", sums.no_fixed, &sums);
	report("without small integers in entries", sums.no_literals, &sums);
	colj_builder_free(&b);
	return heap_close(&heap) != 0;
}
