/*-------------------------------------------------------------------------
 *
 * stripe_sizes.c
 *	  How long documents are in a stripe.
 *
 * Reads JSON documents, one a line, and prints how long they are as jsonb, as
 * colj documents, and in stripes of several options; and how long writing a
 * stripe and decoding all of it takes.  jsonb's sizes are added up here by
 * the rules of its layout, without a server.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/text.h"
#include "heap.h"
#include "stripe/stripe.h"

/* All documents, kept as they come from the parser. */
typedef struct Corpus
{
	uint32_t	n;
	uint32_t	room;
	ColjDoc    *docs;
	uint64_t	json;
	uint64_t	jsonb;
	uint64_t	colj;
} Corpus;

static void
give_up(const char *why)
{
	fprintf(stderr, "stripe_sizes: %s\n", why);
	exit(1);
}

/* Groups of four digits that numeric keeps of a number's text. */
static uint32_t
numeric_groups(const char *text, uint32_t len)
{
	const char *point = memchr(text, '.', len);
	uint32_t	whole = point == NULL ? len : (uint32_t) (point - text);
	uint32_t	first = UINT32_MAX;
	uint32_t	last = 0;

	for (uint32_t i = 0; i < len; i++)
	{
		uint32_t	group = i < whole ? 1000 - (whole - i - 1) / 4 : 1001 + (i - whole - 1) / 4;

		if (text[i] < '1' || text[i] > '9')
			continue;
		first = group < first ? group : first;
		last = group;
	}
	return first == UINT32_MAX ? 0 : last - first + 1;
}

static uint64_t jsonb_value(ColjDoc *doc, const ColjValue *value, uint64_t at);

/* Keys come before all values; each has an entry, as each value has. */
static uint64_t
jsonb_container(ColjDoc *doc, const ColjValue *value, uint64_t at)
{
	bool		object = value->kind == COLJ_OBJECT;
	uint32_t	n;
	ColjIter	iter;
	ColjKey		key;
	ColjValue	child;

	if (colj_count(doc, value, &n) != COLJ_OK)
		give_up("a document can't be read");
	at = (at + 3) / 4 * 4 + 4 + (uint64_t) n * (object ? 8 : 4);
	if (colj_iter_open(doc, value, &iter) != COLJ_OK)
		give_up("a document can't be read");
	while (object && colj_iter_next(&iter, &key, &child) == COLJ_OK)
		at += key.len;
	(void) colj_iter_open(doc, value, &iter);
	while (colj_iter_next(&iter, &key, &child) == COLJ_OK)
		at = jsonb_value(doc, &child, at);
	return at;
}

/* Where a value ends that begins at `at`. */
static uint64_t
jsonb_value(ColjDoc *doc, const ColjValue *value, uint64_t at)
{
	char		text[COLJ_NUMBER_TEXT_MAX];

	switch (value->kind)
	{
		case COLJ_NULL:
		case COLJ_BOOL:
			return at;
		case COLJ_STRING:
			return at + value->len;
		case COLJ_INT:
		case COLJ_DECIMAL:
			return (at + 3) / 4 * 4 + 6 + 2 * (uint64_t) numeric_groups(text, colj_number_text(value->integer, value->scale, text));
		case COLJ_BIGNUM:
			return (at + 3) / 4 * 4 + value->len;
		case COLJ_ARRAY:
		case COLJ_OBJECT:
			break;
	}
	return jsonb_container(doc, value, at);
}

static void
add_line(Corpus *corpus, Heap *heap, ColjBuilder *b, const char *line, size_t len)
{
	uint32_t	size;
	uint8_t    *bytes;
	ColjDoc    *doc;

	colj_builder_reset(b);
	if (colj_parse(b, line, len, true) != COLJ_OK || colj_builder_finish(b, COLJ_STRIDE_DEFAULT, &size) != COLJ_OK)
		give_up("a line is no JSON, or not one document");
	if (corpus->n == corpus->room)
	{
		corpus->room = corpus->room == 0 ? 1024 : corpus->room * 2;
		corpus->docs = realloc(corpus->docs, corpus->room * sizeof(ColjDoc));
		if (corpus->docs == NULL)
			give_up("out of memory");
	}
	bytes = heap_lend(heap, size);
	colj_builder_write(b, bytes);
	doc = &corpus->docs[corpus->n++];
	if (colj_open_bytes(doc, bytes, size) != COLJ_OK)
		give_up("a document can't be read");
	corpus->json += len;
	corpus->colj += size;
	corpus->jsonb += jsonb_value(doc, &doc->root, 4);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

/* Decode every vector of every path. */
static void
decode_all(Heap *heap, const uint8_t *bytes, size_t size)
{
	ColjStripeWindow window = {bytes, size, NULL, NULL};
	ColjStripe *stripe;
	const char *problem;
	const ColjPathVector *vector;

	if (colj_stripe_open(&heap->host, &window, &stripe, &problem) != COLJ_OK)
		give_up(problem);
	for (uint32_t v = 0; v < colj_stripe_vectors(stripe); v++, colj_stripe_forget(stripe))
		for (uint32_t path = 0; path < colj_stripe_paths(stripe); path++)
			if (colj_stripe_vector(stripe, path, v, &vector) != COLJ_OK)
				give_up(colj_stripe_problem(stripe));
	colj_stripe_close(stripe);
}

static void
measure(Heap *heap, const Corpus *corpus, uint32_t vector_rows, ColjCodec codec, int level)
{
	ColjStripeOptions options = {vector_rows, 1000, level};
	ColjColumnSpec spec = {COLJ_COLUMN_DOCUMENT, codec};
	double		start = now();
	double		written;
	ColjStripeWriter *writer = colj_stripe_writer_create(&heap->host, &options, &spec, 1);
	const uint8_t *bytes;
	size_t		size;

	for (uint32_t i = 0; i < corpus->n; i++)
		if (colj_stripe_writer_add(writer, &(ColjCell){.doc = &corpus->docs[i]}) != COLJ_OK)
			give_up("a row can't be added");
	if (colj_stripe_writer_finish(writer, &bytes, &size) != COLJ_OK)
		give_up("a stripe can't be written");
	written = now();
	decode_all(heap, bytes, size);
	printf("vectors of %4" PRIu32 ", %-8s %9zu bytes, %.3f of jsonb; written in %.2f s, decoded in %.3f s\n",
		   vector_rows, codec == COLJ_CODEC_LIGHT ? "light" : level == 1 ? "zstd 1"
		   : level == 3 ? "zstd 3"
		   : "zstd 9",
		   size, (double) size / (double) corpus->jsonb, written - start, now() - written);
	colj_stripe_writer_free(writer);
}

int
main(void)
{
	Heap		heap;
	Corpus		corpus = {0};
	ColjBuilder b;
	char	   *line = NULL;
	size_t		room = 0;
	ssize_t		len;

	heap_open(&heap);
	colj_builder_init(&b, &heap.host);
	while ((len = getline(&line, &room, stdin)) > 0)
		add_line(&corpus, &heap, &b, line, (size_t) len - (line[len - 1] == '\n'));
	printf("%" PRIu32 " documents: JSON %" PRIu64 ", jsonb %" PRIu64 ", colj %" PRIu64 " bytes\n",
		   corpus.n, corpus.json, corpus.jsonb, corpus.colj);
	measure(&heap, &corpus, 1024, COLJ_CODEC_LIGHT, 1);
	measure(&heap, &corpus, 1024, COLJ_CODEC_ZSTD, 1);
	measure(&heap, &corpus, 1024, COLJ_CODEC_ZSTD, 3);
	measure(&heap, &corpus, 1024, COLJ_CODEC_ZSTD, 9);
	measure(&heap, &corpus, 2048, COLJ_CODEC_ZSTD, 3);
	measure(&heap, &corpus, 4096, COLJ_CODEC_ZSTD, 3);
	free(line);
	free(corpus.docs);
	colj_builder_free(&b);
	return heap_close(&heap) != 0;
}
