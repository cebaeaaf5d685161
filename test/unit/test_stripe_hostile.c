/*-------------------------------------------------------------------------
 *
 * test_stripe_hostile.c
 *	  Stripes that are damaged, seen in pieces, or read with little memory.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stripe/reading.h"
#include "stripes.h"
#include "tap.h"

static const ColjStripeOptions usual = {64, 30, 1};

/* A table that has a bit of everything. */
static void
make_table(StripeTable *table, Heap *heap, const char *kinds, uint32_t rows, ColjCodec codec)
{
	Random		random = {rows + 77, NULL, 0};

	heap_open(heap);
	table_open(table, heap, kinds, codec);
	table_add_random(table, &random, rows);
}

/* All readers on bytes in memory of exactly their size; accepted or not. */
static bool
exercise(const uint8_t *bytes, size_t size)
{
	uint8_t    *exact = malloc(size > 0 ? size : 1);
	ColjStripeWindow window = {exact, size, NULL, NULL};
	Purse		purse;
	bool		accepted;
	const char *wrong;

	purse_open(&purse);
	purse.limit = (size_t) 32 << 20;
	if (size > 0)
		memcpy(exact, bytes, size);
	wrong = exercise_stripe(&purse.host, &window, &accepted);
	if (wrong != NULL)
		tap_fail(__FILE__, __LINE__, "%s", wrong);
	CHECK_EQ(purse.used, 0);
	free(exact);
	return accepted;
}

static void
cut_short(void)
{
	for (int codec = COLJ_CODEC_LIGHT; codec <= COLJ_CODEC_ZSTD; codec++)
	{
		Heap		heap;
		StripeTable table;
		size_t		size;
		uint8_t    *bytes;

		make_table(&table, &heap, "ibd", 7, (ColjCodec) codec);
		bytes = table_write(&table, &usual, &size);
		for (size_t len = 0; len < size; len++)
		{
			tap_context("%zu of %zu bytes", len, size);
			CHECK(!exercise(bytes, len));
		}
		CHECK(exercise(bytes, size));
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* Change each byte in some ways; what the check accepts must be readable. */
static void
change_bytes(uint8_t *bytes, size_t size)
{
	static const uint8_t flips[] = {0x01, 0xFF};

	for (size_t i = 0; i < size; i++)
		for (size_t f = 0; f < sizeof(flips); f++)
		{
			tap_context("byte %zu of %zu, flip %02X", i, size, flips[f]);
			bytes[i] ^= flips[f];
			(void) exercise(bytes, size);
			bytes[i] ^= flips[f];
		}
}

static void
changed_bytes(void)
{
	for (int codec = COLJ_CODEC_LIGHT; codec <= COLJ_CODEC_ZSTD; codec++)
	{
		Heap		heap;
		StripeTable table;
		size_t		size;
		uint8_t    *bytes;

		make_table(&table, &heap, codec == COLJ_CODEC_ZSTD ? "d" : "ibd", 9, (ColjCodec) codec);
		bytes = table_write(&table, &usual, &size);
		if (codec == COLJ_CODEC_LIGHT)
			bytes = stripe_unpacked(&heap, bytes, &size);
		CHECK(exercise(bytes, size));
		change_bytes(bytes, size);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* Random bytes here and there. */
static void
scattered_changes(void)
{
	Heap		heap;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	uint8_t    *changed;
	Random		random = {4711, NULL, 0};

	make_table(&table, &heap, "dd", 70, COLJ_CODEC_LIGHT);
	bytes = table_write(&table, &usual, &size);
	bytes = stripe_unpacked(&heap, bytes, &size);
	changed = heap_lend(&heap, size);
	for (uint32_t i = 0; i < 400; i++)
	{
		memcpy(changed, bytes, size);
		for (uint32_t k = random_below(&random, 4); k < 5; k++)
			changed[random_below(&random, (uint32_t) size)] = (uint8_t) random_below(&random, 256);
		tap_context("change %" PRIu32, i);
		(void) exercise(changed, size);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* Readers touch nothing that they have not asked for, and ask for little. */
static void
windows(void)
{
	Heap		heap;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	StripeView	view;
	ColjStripe *stripe;
	const ColjPathVector *vector;
	const char *problem;
	bool		accepted;

	make_table(&table, &heap, "ibd", 200, COLJ_CODEC_LIGHT);
	bytes = table_write(&table, &usual, &size);
	view_open(&view, bytes, size);
	CHECK(exercise_stripe(&heap.host, &view.window, &accepted) == NULL);
	CHECK(accepted && !view.outside);
	CHECK_EQ(view.fetched, size);
	view_close(&view);

	view_open(&view, bytes, size);
	CHECK_EQ(colj_stripe_open(&heap.host, &view.window, &stripe, &problem), COLJ_OK);
	CHECK(view.fetched <= stripe->directory.header_size + STRIPE_CHUNK);
	view.fetched = 0;
	CHECK_EQ(colj_stripe_vector(stripe, colj_stripe_root(stripe, 0), 1, &vector), COLJ_OK);
	CHECK(view.fetched <= stripe->directory.paths[colj_stripe_root(stripe, 0)].lengths[1] + 2 * STRIPE_CHUNK);
	colj_stripe_close(stripe);
	view_close(&view);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A fetch that fails is told, whichever it is. */
static void
failing_fetches(void)
{
	Heap		heap;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	bool		accepted = false;

	make_table(&table, &heap, "id", 100, COLJ_CODEC_LIGHT);
	bytes = table_write(&table, &usual, &size);
	for (uint32_t k = 1; !accepted && k < 2000; k++)
	{
		StripeView	view;
		const char *wrong;

		tap_context("fetch %" PRIu32, k);
		view_open(&view, bytes, size);
		view.fail_at = k;
		wrong = exercise_stripe(&heap.host, &view.window, &accepted);
		CHECK(wrong == NULL || strstr(wrong, "accepts") != NULL);
		CHECK(!view.outside);
		accepted = view.calls < k;
		view_close(&view);
	}
	CHECK(accepted);
	CHECK_EQ(heap_close(&heap), 0);
}

/* The writer without memory at any call. */
static void
poor_writer(void)
{
	Heap		heap;
	StripeTable table;
	ColjStatus	status = COLJ_NO_MEMORY;

	make_table(&table, &heap, "bd", 30, COLJ_CODEC_ZSTD);
	for (uint32_t k = 1; status != COLJ_OK || k < 600; k += k < 600 ? 1 : 97)
	{
		Purse		purse;
		size_t		size = 0;

		tap_context("call %" PRIu32, k);
		purse_open(&purse);
		purse.fail_at = k;
		status = table_try(&table, &purse.host, &usual, NULL, &size);
		CHECK(status == COLJ_OK || status == COLJ_NO_MEMORY);
		CHECK_EQ(purse.used, 0);
		if (purse.calls < k)
			break;
	}
	CHECK_EQ(status, COLJ_OK);
	CHECK_EQ(heap_close(&heap), 0);
}

/* The readers without memory at any call. */
static void
poor_readers(void)
{
	Heap		heap;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	bool		enough = false;

	make_table(&table, &heap, "ibd", 40, COLJ_CODEC_ZSTD);
	bytes = table_write(&table, &usual, &size);
	for (uint32_t k = 1; !enough; k += k < 400 ? 1 : 131)
	{
		Purse		purse;
		ColjStripeWindow window = {bytes, size, NULL, NULL};
		bool		accepted;
		const char *wrong;

		tap_context("call %" PRIu32, k);
		purse_open(&purse);
		purse.fail_at = k;
		wrong = exercise_stripe(&purse.host, &window, &accepted);
		if (wrong != NULL)
			tap_fail(__FILE__, __LINE__, "%s", wrong);
		CHECK_EQ(purse.used, 0);
		enough = purse.calls < k;
		CHECK(accepted || !enough);
	}
	CHECK_EQ(heap_close(&heap), 0);
}

/* A directory to be falsified, and the stripe that it is of. */
typedef struct Forgery
{
	Heap		heap;
	ColjVectorWork *work;
	ColjDirectory d;
	const uint8_t *bytes;
	size_t		size;
} Forgery;

/* Objects with keys a, b, c (an object of x, y), u (of which a is a part) and rare ones. */
static void
forgery_open(Forgery *f)
{
	StripeTable table;
	ColjStripeWindow window;
	const char *problem;
	char		json[300];

	heap_open(&f->heap);
	table_open(&table, &f->heap, "di", COLJ_CODEC_LIGHT);
	for (int i = 0; i < 100; i++)
	{
		snprintf(json, sizeof(json), "{\"a\":\"%d\",\"b\":%s,\"c\":{\"x\":1,\"y\":%d},\"u\":\"http://x/%d\"%s}",
				 i * 7919 + 100000, i == 50 ? "\"x\"" : "true", i, i * 7919 + 100000, i == 60 ? ",\"r\":1" : "");
		table_add_json(&table, json);
		table.cells[(table.rows - 1) * 2 + 1].integer = i;
	}
	f->bytes = table_write(&table, &usual, &f->size);
	window = (ColjStripeWindow){f->bytes, f->size, NULL, NULL};
	f->work = colj_vector_work_create(&f->heap.host, 1);
	if (colj_directory_get(f->work, &window, &f->d, &problem) != COLJ_OK)
		abort();
}

static ColjPathEntry *
entry_of(Forgery *f, const char *key)
{
	for (uint32_t i = 0; i < f->d.npaths; i++)
		if (f->d.paths[i].info.key_len == strlen(key) && memcmp(f->d.paths[i].info.key, key, strlen(key)) == 0 &&
			f->d.paths[i].info.parent != COLJ_NO_PATH)
			return &f->d.paths[i];
	abort();
}

/* Put the falsified directory before the bodies; 0 refused, 1 opened, 2 accepted. */
static int
forgery_close(Forgery *f)
{
	ColjSink	sink = {.host = &f->heap.host};
	size_t		header = f->d.header_size;
	ColjStripeWindow window;
	ColjStripe *stripe;
	const char *problem;
	int			result = 0;

	CHECK_EQ(colj_directory_put(f->work, &f->d, &sink), COLJ_OK);
	colj_sink_bytes(&sink, f->bytes + header, f->size - header);
	window = (ColjStripeWindow){sink.data, sink.len, NULL, NULL};
	if (colj_stripe_open(&f->heap.host, &window, &stripe, &problem) == COLJ_OK)
	{
		result = colj_stripe_check(stripe) == COLJ_OK ? 2 : 1;
		CHECK(result == 2 || colj_stripe_problem(stripe) != NULL);
		colj_stripe_close(stripe);
	}
	else
		CHECK(problem != NULL);
	(void) exercise(sink.data, sink.len);
	colj_sink_free(&sink);
	f->d.host = &f->heap.host;
	colj_directory_free(&f->d);
	colj_vector_work_free(f->work);
	CHECK_EQ(heap_close(&f->heap), 0);
	return result;
}

#define FORGE(expected, change) \
	do { \
		Forgery		f; \
		forgery_open(&f); \
		tap_context("%s", #change); \
		change; \
		CHECK_EQ(forgery_close(&f), expected); \
	} while (0)

/* Trees that are none would be walked for ever, or many times. */
static void
wrong_trees(void)
{
	FORGE(2, (void) 0);
	FORGE(0, entry_of(&f, "a")->info.parent = f.d.roots[1]);
	FORGE(0, entry_of(&f, "a")->info.parent = COLJ_NO_PATH);
	FORGE(0, entry_of(&f, "a")->info.parent = (uint32_t) (entry_of(&f, "a") - f.d.paths));
	FORGE(0, entry_of(&f, "x")->info.parent = f.d.roots[0]);
	FORGE(0, entry_of(&f, "c")->info.first_child = f.d.paths[f.d.roots[0]].info.first_child);
	FORGE(0, entry_of(&f, "c")->info.nchildren++);
	FORGE(0, entry_of(&f, "c")->info.nchildren--);
	FORGE(0, f.d.paths[f.d.roots[0]].info.nchildren += 2);
	FORGE(0, f.d.paths[f.d.roots[0]].info.first_child++);
	FORGE(0, entry_of(&f, "x")->info.key = "z");	/* behind y */
	FORGE(0, entry_of(&f, "x")->info.key = "y");	/* twice */
	FORGE(0, entry_of(&f, "x")->info.column = 1);
	FORGE(0, entry_of(&f, "x")->info.column = 2);
	FORGE(0, entry_of(&f, "c")->info.type = COLJ_PATH_DOCUMENT);
	FORGE(0, entry_of(&f, "a")->info.type = (ColjPathType) 7);
	FORGE(0, entry_of(&f, "a")->residual = true);
	FORGE(0, entry_of(&f, "a")->info.plain = true);
}

static void
wrong_columns(void)
{
	FORGE(0, f.d.roots[0] = f.d.roots[1]);
	FORGE(0, f.d.roots[0] = f.d.residuals[0]);
	FORGE(0, f.d.residuals[0] = COLJ_NO_PATH);
	FORGE(0, f.d.residuals[0] = f.d.roots[0]);
	FORGE(0, f.d.residuals[1] = f.d.residuals[0]);
	FORGE(0, f.d.residuals[0] = 99);
	FORGE(0, f.d.columns[0].kind = COLJ_COLUMN_INT);
	FORGE(0, f.d.columns[1].kind = COLJ_COLUMN_BYTES);
	FORGE(0, f.d.columns[1].kind = (ColjColumnKind) 3);
	FORGE(0, f.d.columns[1].codec = (ColjCodec) 2);
	FORGE(0, f.d.paths[f.d.roots[1]].info.plain = false);
	FORGE(0, f.d.paths[f.d.residuals[0]].info.type = COLJ_PATH_STRING);
}

static void
wrong_siblings(void)
{
	FORGE(0, f.d.paths[f.d.roots[1]].info.sibling = 0);
	FORGE(0, entry_of(&f, "a")->info.sibling = (uint32_t) (entry_of(&f, "u") - f.d.paths));
	FORGE(0, entry_of(&f, "u")->info.sibling = (uint32_t) (entry_of(&f, "u") - f.d.paths));
	FORGE(0, entry_of(&f, "u")->info.sibling = 1000);
	FORGE(0, entry_of(&f, "b")->info.sibling = 0);
	FORGE(1, entry_of(&f, "u")->info.sibling = COLJ_NO_PATH);
	FORGE(1, entry_of(&f, "u")->info.sibling = (uint32_t) (entry_of(&f, "c") - f.d.paths));
	FORGE(1, entry_of(&f, "u")->info.sibling = f.d.residuals[0]);
}

/*
 * A stripe of objects of which half have an object o with a value v, after one
 * byte of the first vector of o.v is changed: 1 opened, 2 accepted.
 */
static int
change_presence(uint32_t at, uint8_t byte)
{
	Forgery		f;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	ColjStripeWindow window;
	ColjStripe *stripe;
	const char *problem;
	int			result;

	heap_open(&f.heap);
	table_open(&table, &f.heap, "d", COLJ_CODEC_LIGHT);
	for (int i = 0; i < 60; i++)
		table_add_json(&table, i % 3 == 0 ? "{\"o\":{\"v\":1}}" : i % 3 == 1 ? "{\"o\":null}" : "{}");
	bytes = table_write(&table, &usual, &size);
	window = (ColjStripeWindow){bytes, size, NULL, NULL};
	f.work = colj_vector_work_create(&f.heap.host, 1);
	if (colj_directory_get(f.work, &window, &f.d, &problem) != COLJ_OK)
		abort();
	bytes += f.d.header_size + entry_of(&f, "v")->offset;
	/* no presence of its own, the path one level up, a value there */
	CHECK_BYTES(bytes, 3, "\0\1\2", 3);
	bytes[at] = byte;
	CHECK_EQ(colj_stripe_open(&f.heap.host, &window, &stripe, &problem), COLJ_OK);
	result = colj_stripe_check(stripe) == COLJ_OK ? 2 : 1;
	colj_stripe_close(stripe);
	(void) exercise(window.data, size);
	colj_directory_free(&f.d);
	colj_vector_work_free(f.work);
	CHECK_EQ(heap_close(&f.heap), 0);
	return result;
}

/* Presence that is said to be like that of another path. */
static void
wrong_likeness(void)
{
	CHECK_EQ(change_presence(1, 1), 2);
	CHECK_EQ(change_presence(1, 0), 1);
	CHECK_EQ(change_presence(1, 2), 1);
	CHECK_EQ(change_presence(1, 3), 1);
	CHECK_EQ(change_presence(1, 0x7F), 1);
	CHECK_EQ(change_presence(2, COLJ_IS_ABSENT), 1);
	CHECK_EQ(change_presence(2, COLJ_IS_NULL), 1);
	CHECK_EQ(change_presence(2, COLJ_IS_ELSEWHERE), 1);
	CHECK_EQ(change_presence(2, 4), 1);
}

/* What zones and flags claim is for the check to find out. */
static void
wrong_claims(void)
{
	FORGE(1, entry_of(&f, "y")->zones[0].max_int--);
	FORGE(1, entry_of(&f, "y")->zones[1].min_int++);
	FORGE(2, entry_of(&f, "y")->zones[1].min_int--);
	FORGE(1, entry_of(&f, "a")->zones[0].min_bytes[0]++);
	FORGE(1, entry_of(&f, "a")->zones[0].max_bytes[0]--);
	FORGE(1, entry_of(&f, "y")->zones[0].scale = 1);
	FORGE(1, entry_of(&f, "c")->zones[0].bounded = true);
	FORGE(1, (entry_of(&f, "b")->zones[0].counts[COLJ_IS_VALUE]--));
	FORGE(1, (entry_of(&f, "b")->zones[0].counts[COLJ_IS_VALUE]--, entry_of(&f, "b")->zones[0].counts[COLJ_IS_NULL]++));
	FORGE(0, (entry_of(&f, "b")->zones[0].counts[COLJ_IS_NULL] += 2));
	FORGE(1, entry_of(&f, "b")->info.complete = true);
	FORGE(1, entry_of(&f, "c")->info.complete = true);
	FORGE(1, f.d.paths[f.d.roots[0]].info.complete = true);
	FORGE(1, entry_of(&f, "b")->info.type = COLJ_PATH_NULL);
	FORGE(1, entry_of(&f, "y")->info.type = COLJ_PATH_BOOL);
	FORGE(1, entry_of(&f, "a")->info.type = COLJ_PATH_DOCUMENT);
	FORGE(1, entry_of(&f, "a")->raws[0]++);
	FORGE(1, entry_of(&f, "a")->raws[0]--);
	FORGE(1, entry_of(&f, "a")->raws[0] = UINT32_MAX);
	FORGE(1, entry_of(&f, "u")->raws[0] = 1000000000);
	FORGE(0, entry_of(&f, "a")->lengths[0]++);
	FORGE(1, (entry_of(&f, "a")->lengths[0]++, entry_of(&f, "a")->lengths[1]--));
	FORGE(1, (entry_of(&f, "c")->lengths[0]--, entry_of(&f, "c")->lengths[1]++));
}

/* Objects deeper than the writer goes. */
static void
too_deep(void)
{
	for (uint32_t depth = COLJ_PATH_DEPTH_MAX - 1; depth <= COLJ_PATH_DEPTH_MAX + 2; depth++)
	{
		Forgery		f;
		ColjPathEntry *paths;
		uint32_t	n;

		forgery_open(&f);
		tap_context("%" PRIu32 " keys deep", depth);
		/* below y, which becomes an object, a chain of copies of it */
		n = f.d.npaths;
		paths = f.heap.host.resize(f.heap.host.arg, NULL, (n + depth) * sizeof(ColjPathEntry));
		memcpy(paths, f.d.paths, n * sizeof(ColjPathEntry));
		for (uint32_t i = 0; i + 2 < depth; i++)
		{
			ColjPathEntry *last = &paths[f.d.npaths - 1];

			CHECK_EQ(last->info.nchildren, 0);
			last->info.type = COLJ_PATH_OBJECT;
			last->info.first_child = f.d.npaths;
			last->info.nchildren = 1;
			paths[f.d.npaths] = *last;
			paths[f.d.npaths].info.parent = f.d.npaths - 1;
			paths[f.d.npaths].info.first_child = paths[f.d.npaths].info.nchildren = 0;
			paths[f.d.npaths].lengths = paths[f.d.npaths].raws = NULL;
			paths[f.d.npaths].zones = NULL;
			paths[f.d.npaths].nvectors = 0;
			f.d.npaths++;
		}
		CHECK(n < f.d.npaths);
		{
			ColjSink	sink = {.host = &f.heap.host};
			size_t		bodies = f.size - f.d.header_size;
			uint32_t	added = f.d.npaths - n;
			ColjStripeWindow window;
			ColjStripe *stripe;
			const char *problem;
			ColjPathEntry *y = &paths[n - 1];
			size_t		body = 0;

			for (uint32_t v = 0; v < f.d.nvectors; v++)
				body += y->lengths[v];
			for (uint32_t i = n; i < f.d.npaths; i++)
			{
				paths[i].lengths = y->lengths;
				paths[i].raws = y->raws;
				paths[i].zones = y->zones;
				paths[i].nvectors = f.d.nvectors;
			}
			ColjPathEntry *old = f.d.paths;

			f.d.paths = paths;
			CHECK_EQ(colj_directory_put(f.work, &f.d, &sink), COLJ_OK);
			colj_sink_bytes(&sink, f.bytes + f.d.header_size, bodies);
			for (uint32_t i = 0; i < added; i++)
				colj_sink_bytes(&sink, f.bytes + f.size - body, body);
			window = (ColjStripeWindow){sink.data, sink.len, NULL, NULL};
			if (CHECK_EQ(colj_stripe_open(&f.heap.host, &window, &stripe, &problem),
						 depth <= COLJ_PATH_DEPTH_MAX ? COLJ_OK : COLJ_CORRUPT) && depth <= COLJ_PATH_DEPTH_MAX)
				colj_stripe_close(stripe);
			colj_sink_free(&sink);
			f.d.paths = old;
			f.d.npaths = n;
		}
		f.heap.host.resize(f.heap.host.arg, paths, 0);
		CHECK_EQ(forgery_close(&f), 2);
	}
}

/* A few bytes that promise much. */
static void
bombs(void)
{
	static const uint8_t version[] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
	static const uint8_t large[] = {1, 0, 0, 0, 0x10, 4, 0, 0, 0, 1, 2, 3, 4};
	static const uint8_t shrunk[] = {1, 4, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 5};

	/* 16 million rows of one row each, many paths */
	uint8_t		many[9 + 4096] = {1, 0, 0x10, 0, 0, 0, 0x10, 0, 0, 0x80, 0x20, 1, 0, 0xFF, 1};
	ColjStripeWindow window = {version, sizeof(version), NULL, NULL};
	ColjStripe *stripe;
	const char *problem;
	Purse		purse;

	purse_open(&purse);
	CHECK_EQ(colj_stripe_open(&purse.host, &window, &stripe, &problem), COLJ_BAD_VERSION);
	CHECK(problem != NULL);
	window = (ColjStripeWindow){large, sizeof(large), NULL, NULL};
	CHECK_EQ(colj_stripe_open(&purse.host, &window, &stripe, &problem), COLJ_CORRUPT);
	window = (ColjStripeWindow){shrunk, sizeof(shrunk), NULL, NULL};
	CHECK_EQ(colj_stripe_open(&purse.host, &window, &stripe, &problem), COLJ_CORRUPT);
	window = (ColjStripeWindow){many, sizeof(many), NULL, NULL};
	CHECK_EQ(colj_stripe_open(&purse.host, &window, &stripe, &problem), COLJ_CORRUPT);
	CHECK(purse.most < 100000);
	CHECK_EQ(purse.used, 0);
}

/* An object that has a key twice is no document, but may be in a table. */
static void
key_twice(void)
{
	Heap		heap;
	uint32_t	size;
	uint8_t    *doc;
	ColjStripeOptions options = {64, 10, 1};
	ColjColumnSpec spec = {.kind = COLJ_COLUMN_DOCUMENT, .codec = COLJ_CODEC_LIGHT};
	ColjStripeWriter *writer;
	ColjDoc		open;
	const uint8_t *out;
	size_t		out_size;

	heap_open(&heap);
	doc = model_write(&heap, model_parse(&heap, "{\"a\":1,\"b\":2}"), 32, &size);
	for (uint32_t i = 0; i < size; i++)
		if (doc[i] == 'b')
			doc[i] = 'a';
	writer = colj_stripe_writer_create(&heap.host, &options, &spec, 1);
	CHECK_EQ(colj_open_bytes(&open, doc, size), COLJ_OK);
	for (uint32_t i = 0; i < 64; i++)
		CHECK_EQ(colj_stripe_writer_add(writer, &(ColjCell){.doc = &open}), COLJ_OK);
	CHECK_EQ(colj_stripe_writer_finish(writer, &out, &out_size), COLJ_CORRUPT);
	colj_stripe_writer_free(writer);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("stripe: cut short", cut_short);
	tap_case("stripe: changed bytes", changed_bytes);
	tap_case("stripe: scattered changes", scattered_changes);
	tap_case("stripe: windows", windows);
	tap_case("stripe: failing fetches", failing_fetches);
	tap_case("stripe: writer without memory", poor_writer);
	tap_case("stripe: readers without memory", poor_readers);
	tap_case("stripe: wrong trees", wrong_trees);
	tap_case("stripe: wrong columns", wrong_columns);
	tap_case("stripe: wrong siblings", wrong_siblings);
	tap_case("stripe: wrong likeness", wrong_likeness);
	tap_case("stripe: wrong claims", wrong_claims);
	tap_case("stripe: too deep", too_deep);
	tap_case("stripe: sizes that cannot be true", bombs);
	tap_case("stripe: a key twice", key_twice);
	return tap_done();
}
