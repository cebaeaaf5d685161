/*-------------------------------------------------------------------------
 *
 * test_stripe.c
 *	  Stripes: what goes in comes out, and the directory tells the truth.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "stripe/reading.h"
#include "stripes.h"
#include "tap.h"

static const ColjStripeOptions usual = {1024, 1000, 3};

/* A stripe that is open in the heap's memory. */
static ColjStripe *
open_table(const StripeTable *table, const ColjStripeOptions *options, ColjStripeWindow *window)
{
	size_t		size;
	uint8_t    *bytes = table_write(table, options, &size);
	ColjStripe *stripe;
	const char *problem;

	*window = (ColjStripeWindow){bytes, size, NULL, NULL};
	if (colj_stripe_open(&table->heap->host, window, &stripe, &problem) != COLJ_OK)
		abort();
	return stripe;
}

/* Documents of a random schema through every size of vector. */
static void
random_rows(void)
{
	static const uint32_t vector_rows[] = {64, 100, 1024, 4096};
	static const uint32_t max_paths[] = {2, 10, 1000};

	for (uint32_t i = 0; i < 24; i++)
	{
		Heap		heap;
		StripeTable table;
		Random		random = {20261130 + i, NULL, 0};
		ColjStripeOptions options = {vector_rows[i % 4], max_paths[i / 4 % 3], 1 + (int) i % 3};

		heap_open(&heap);
		table_open(&table, &heap, i % 5 == 0 ? "ibd" : i % 5 == 1 ? "dd" : "d",
				   i % 2 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT);
		table_add_random(&table, &random, 30 + random_below(&random, 300));
		table_round_trip(&table, &options);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* More rows than one vector of the largest size. */
static void
many_rows(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeOptions options = {4096, 10, 3};
	char		json[100];

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_ZSTD);
	for (int i = 0; i < 4097; i++)
	{
		snprintf(json, sizeof(json), "{\"n\":%d,\"s\":\"%d\",\"o\":{\"x\":%s}}", i, i * 7, i % 3 ? "true" : "\"t\"");
		table_add_json(&table, json);
	}
	table_round_trip(&table, &options);
	options.vector_rows = 64;
	table_round_trip(&table, &options);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
few_rows(void)
{
	static const char *const documents[] = {NULL, "null", "{}", "[]", "1", "1.50", "\"\"", "true", "1e500",
	"{\"\":{\"\":{}}}", "{\"a\":null}", "{\"a\":1,\"b\":[{\"c\":2}]}"};

	for (uint32_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		for (uint32_t rows = 0; rows < 70; rows = rows < 6 ? rows + 1 : rows * 3)
		{
			Heap		heap;
			StripeTable table;

			heap_open(&heap);
			table_open(&table, &heap, "d", rows % 2 ? COLJ_CODEC_ZSTD : COLJ_CODEC_LIGHT);
			for (uint32_t row = 0; row < rows; row++)
				table_add_json(&table, documents[i]);
			table_round_trip(&table, &usual);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

/* No rows, or no columns, is a stripe too. */
static void
nothing(void)
{
	static const char *const kinds[] = {"", "i", "b", "d", "ibd"};

	for (uint32_t i = 0; i < 5; i++)
		for (uint32_t rows = 0; rows < 3; rows += 2)
		{
			Heap		heap;
			StripeTable table;

			heap_open(&heap);
			table_open(&table, &heap, kinds[i], COLJ_CODEC_ZSTD);
			for (uint32_t row = 0; row < rows; row++)
			{
				StripeCell *cells = table_add(&table);

				for (uint32_t c = 0; c < table.ncolumns; c++)
					cells[c].null = true;
			}
			table_round_trip(&table, &usual);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

/* Every kind of value at one key, in turn, and one kind more often than all others. */
static void
mixed_types(void)
{
	static const char *const kinds[] = {"null", "true", "\"text\"", "12", "1.25", "1e300", "[1,2]", "{\"x\":1}", "{}", "[]"};

	for (uint32_t major = 0; major < 10; major++)
		for (uint32_t share = 1; share <= 16; share *= 4)
		{
			Heap		heap;
			StripeTable table;
			char		json[200];

			heap_open(&heap);
			table_open(&table, &heap, "d", COLJ_CODEC_ZSTD);
			for (uint32_t i = 0; i < 200; i++)
			{
				snprintf(json, sizeof(json), i % 7 == 3 ? "{\"z\":{\"z\":%s}}" : "{\"k\":%s,\"z\":{\"k\":%s}}",
						 kinds[i % share ? major : i / share % 10], kinds[i % share ? major : i / share * 3 % 10]);
				table_add_json(&table, json);
			}
			table_round_trip(&table, &usual);
			CHECK_EQ(heap_close(&heap), 0);
		}
}

static ColjPathType
type_at(ColjStripe *stripe, const char *key)
{
	uint32_t	path = colj_stripe_find(stripe, colj_stripe_root(stripe, 0), key, (uint32_t) strlen(key));

	return path == COLJ_NO_PATH ? (ColjPathType) 99 : colj_stripe_path(stripe, path)->type;
}

/* What becomes a column, and of which type. */
static void
types(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeWindow window;
	ColjStripe *stripe;
	char		json[400];

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_LIGHT);
	for (int i = 0; i < 100; i++)
	{
		snprintf(json, sizeof(json), "{\"i\":%d,\"d\":%s,\"s\":\"%d\",\"b\":true,\"n\":null,\"a\":[1],\"o\":{\"x\":1},"
				 "\"m\":%s,\"big\":1e300%s}",
				 i, i == 7 ? "1.5" : "1", i, i % 2 ? "1" : "\"x\"", i < 3 ? ",\"rare\":1" : "");
		table_add_json(&table, json);
	}
	stripe = open_table(&table, &usual, &window);
	CHECK_EQ(type_at(stripe, "i"), COLJ_PATH_INT);
	CHECK_EQ(type_at(stripe, "d"), COLJ_PATH_DECIMAL);
	CHECK_EQ(type_at(stripe, "s"), COLJ_PATH_STRING);
	CHECK_EQ(type_at(stripe, "b"), COLJ_PATH_BOOL);
	CHECK_EQ(type_at(stripe, "n"), COLJ_PATH_NULL);
	CHECK_EQ(type_at(stripe, "a"), COLJ_PATH_DOCUMENT);
	CHECK_EQ(type_at(stripe, "o"), COLJ_PATH_OBJECT);
	CHECK_EQ(type_at(stripe, "m"), COLJ_PATH_DOCUMENT);
	CHECK_EQ(type_at(stripe, "big"), COLJ_PATH_DOCUMENT);
	CHECK_EQ(type_at(stripe, "rare"), 99);
	CHECK(!colj_stripe_path(stripe, colj_stripe_root(stripe, 0))->complete);
	CHECK(colj_stripe_path(stripe, colj_stripe_find(stripe, colj_stripe_root(stripe, 0), "i", 1))->complete);
	colj_stripe_close(stripe);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Ids as keys are no names: their object becomes a document. */
static void
crowded_keys(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeOptions options = {1024, 4000, 1};
	ColjStripeWindow window;
	ColjStripe *stripe;
	char		json[200];

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_ZSTD);
	for (int i = 0; i < 400; i++)
	{
		snprintf(json, sizeof(json), "{\"few\":{\"k%d\":1},\"ids\":{\"i%d\":1,\"i%d\":2,\"i%d\":3,\"same\":4}}",
				 i % 20, i * 3, i * 3 + 1, i * 3 + 2);
		table_add_json(&table, json);
	}
	stripe = open_table(&table, &options, &window);
	CHECK_EQ(type_at(stripe, "few"), COLJ_PATH_OBJECT);
	CHECK_EQ(type_at(stripe, "ids"), COLJ_PATH_DOCUMENT);
	colj_stripe_close(stripe);
	table_round_trip(&table, &options);
	CHECK_EQ(heap_close(&heap), 0);
}

/* More key lists than are learnt; lists that are the same at two paths; none; shared ones. */
static void
many_key_lists(void)
{
	Heap		heap;
	StripeTable table;
	char		text[1024];

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_LIGHT);
	for (uint32_t i = 0; i < 1500; i++)
	{
		uint32_t	choice = i * 7 % 1024;
		int			len = snprintf(text, sizeof(text), "{\"id\": %u, \"o\": {\"k\": {\"a\": %u, \"z\": null}, \"a\": 1, \"z\": 2.5}, \"k\": {\"a\": \"x\", \"z\": {}}, \"c\": {", i, i);

		for (uint32_t bit = 0; bit < 10; bit++)
			if (choice & (1u << bit))
				len += snprintf(text + len, sizeof(text) - (size_t) len, "\"key%u\": %u, ", bit, i + bit);
		snprintf(text + len, sizeof(text) - (size_t) len,
				 "\"last\": [{\"a\": 1, \"long name\": 2}, {\"a\": 3, \"long name\": 4}, {\"a\": 5, \"long name\": 6}, {\"a\": 7, \"long name\": 8}]}, "
				 "\"s\": {\"s1\": {\"long name\": 1, \"a longer one\": %u}, \"s2\": {\"long name\": 2, \"a longer one\": 3}, "
				 "\"s3\": {\"long name\": null, \"a longer one\": true}, \"s4\": {\"long name\": 4, \"a longer one\": 5}}}", i);
		table_add_json(&table, text);
	}
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Objects deeper than paths go are kept whole. */
static void
deep_nesting(void)
{
	Heap		heap;
	StripeTable table;

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_LIGHT);
	for (uint32_t i = 0; i < 80; i++)
	{
		Model	   *model = model_int(&heap, i);

		/* all depths around the limit, and one key beside the way down */
		for (uint32_t depth = 0; depth < 28 + i % 12; depth++)
		{
			Model	   *object = model_new(&heap, COLJ_OBJECT);

			model_put(&heap, object, "o", 1, model);
			if (i % 5 == 0 && depth % 7 == 0)
				model_put(&heap, object, "beside", 6, model_int(&heap, depth));
			model = object;
		}
		model_normalize(model);
		*table_add(&table) = (StripeCell){.model = model};
	}
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* One value is cut out of another where the directory says so. */
static void
siblings(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeWindow window;
	ColjStripe *stripe;
	uint32_t	url;
	uint32_t	id_text;
	char		json[300];

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_ZSTD);
	for (uint32_t i = 0; i < 300; i++)
	{
		uint32_t	id = i * 2654435761u;
		char		number[20];

		snprintf(number, sizeof(number), "%u", (unsigned) id);
		snprintf(json, sizeof(json), "{\"id\":%s,\"s\":\"%s\",\"url\":\"%s%s/%s\",\"e\":\"\"}",
				 i % 50 == 9 ? "null" : i % 50 == 8 ? "\"x\"" : number, number,
				 i % 40 == 5 ? "" : "https://x/", i % 30 == 4 ? "7" : number, number);
		table_add_json(&table, json);
	}
	stripe = open_table(&table, &usual, &window);
	url = colj_stripe_find(stripe, colj_stripe_root(stripe, 0), "url", 3);
	id_text = colj_stripe_find(stripe, colj_stripe_root(stripe, 0), "s", 1);
	CHECK(colj_stripe_path(stripe, url)->sibling != COLJ_NO_PATH);
	CHECK(colj_stripe_path(stripe, id_text)->sibling == COLJ_NO_PATH || colj_stripe_path(stripe, url)->sibling != id_text);
	colj_stripe_close(stripe);
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Is the sibling of one key of a document the other key? */
static bool
has_sibling(ColjStripe *stripe, const char *key, const char *other)
{
	uint32_t	root = colj_stripe_root(stripe, 0);
	uint32_t	path = colj_stripe_find(stripe, root, key, (uint32_t) strlen(key));

	return colj_stripe_path(stripe, path)->sibling == colj_stripe_find(stripe, root, other, (uint32_t) strlen(other));
}

/*
 * Only a part of the sibling's texts is in the others: without what they begin
 * with, without some bytes at their end, or both; some are too short for that.
 */
static void
parts_of_siblings(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeWindow window;
	ColjStripe *stripe;

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_LIGHT);
	for (uint32_t i = 0; i < 200; i++)
	{
		char		json[400];
		char		name[40];

		snprintf(name, sizeof(name), "%x%x", i * 2654435761u, (i + 7) * 2246822519u);
		snprintf(json, sizeof(json), "{\"web\":\"%s%s.jpg\",\"secure\":\"https://i/%s.jpg\",\"log\":\"%s%02x\"}",
				 i == 150 ? "" : "http://pictures/", i == 151 ? "" : name, name, i % 30 == 9 ? "" : name,
				 (unsigned) (i * 2654435761u >> 24));
		table_add_json(&table, json);
	}
	stripe = open_table(&table, &usual, &window);
	CHECK(has_sibling(stripe, "web", "log"));
	CHECK(has_sibling(stripe, "secure", "log"));
	colj_stripe_close(stripe);
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Twins that differ in their beginnings: http and https, and nothing else beside. */
static void
twins(void)
{
	Heap		heap;
	StripeTable table;
	ColjStripeWindow window;
	ColjStripe *stripe;

	heap_open(&heap);
	table_open(&table, &heap, "d", COLJ_CODEC_ZSTD);
	for (uint32_t i = 0; i < 200; i++)
	{
		char		json[300];
		uint32_t	a = i * 2654435761u;

		snprintf(json, sizeof(json), "{\"o\":%s,\"a\":\"http://i/%x.png\",\"b\":\"https://i/%x.png\"}",
				 i % 3 == 0 ? "null" : i % 3 == 1 ? "{\"p\":1,\"q\":null,\"r\":{\"s\":true}}" : "{\"p\":2,\"q\":null,\"r\":{\"s\":true}}", a, a);
		table_add_json(&table, json);
	}
	stripe = open_table(&table, &usual, &window);
	CHECK(has_sibling(stripe, "a", "b") || has_sibling(stripe, "b", "a"));
	colj_stripe_close(stripe);
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* Bounds of strings that are longer than a zone keeps, up to the last byte value. */
static void
string_zones(void)
{
	Heap		heap;
	StripeTable table;

	heap_open(&heap);
	table_open(&table, &heap, "b", COLJ_CODEC_LIGHT);
	for (uint32_t i = 0; i < 4 * 64; i++)
	{
		char		bytes[40];
		StripeCell *cell = table_add(&table);
		uint32_t	len = i / 64 == 0 ? 15 + i % 3 : i / 64 == 1 ? 40 : i / 64 == 2 ? 16 : i % 20;

		memset(bytes, i / 64 == 1 ? 0xFF : i / 64 == 2 ? 0xFE : 'a' + (int) i % 5, sizeof(bytes));
		if (i / 64 == 2 && i % 2)
			len = 17;
		cell->model = model_string(&heap, bytes, len);
	}
	table_round_trip(&table, &(ColjStripeOptions){64, 10, 1});
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

static void
plain_extremes(void)
{
	static const int64_t values[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
	Heap		heap;
	StripeTable table;

	heap_open(&heap);
	table_open(&table, &heap, "ib", COLJ_CODEC_ZSTD);
	for (uint32_t i = 0; i < 200; i++)
	{
		StripeCell *cells = table_add(&table);

		cells[0] = (StripeCell){.null = i % 7 == 0, .integer = values[i % 5]};
		cells[1] = (StripeCell){.null = i % 5 == 0, .model = model_string(&heap, "\0\xFF\x80", i % 4)};
	}
	table_round_trip(&table, &usual);
	CHECK_EQ(heap_close(&heap), 0);
}

/* The first value, or every one, has no bytes. */
static void
empty_strings(void)
{
	for (uint32_t longest = 0; longest < 2; longest++)
	{
		Heap		heap;
		StripeTable table;

		heap_open(&heap);
		table_open(&table, &heap, "b", COLJ_CODEC_ZSTD);
		for (uint32_t i = 0; i < 10; i++)
			*table_add(&table) = (StripeCell){.model = model_string(&heap, "x", i < 5 ? 0 : longest)};
		table_round_trip(&table, &usual);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* Decimals of one scale, of many, and those that one scale can't hold. */
static void
decimals(void)
{
	static const int64_t large[] = {INT64_MAX, INT64_MIN, 0, 1, -1};

	for (uint32_t kind = 0; kind < 4; kind++)
	{
		Heap		heap;
		StripeTable table;

		heap_open(&heap);
		table_open(&table, &heap, "d", COLJ_CODEC_LIGHT);
		for (uint32_t i = 0; i < 100; i++)
		{
			Model	   *object = model_new(&heap, COLJ_OBJECT);
			uint8_t		scale = kind == 0 ? 2 : kind == 1 ? (uint8_t) (i % 5) : kind == 2 ? (uint8_t) (i % 2 ? 255 : i % 19) : 254;

			model_put(&heap, object, "d", 1, model_decimal(&heap, kind < 2 ? (int64_t) i * 977 : large[i % 5], scale));
			*table_add(&table) = (StripeCell){.model = object};
		}
		table_round_trip(&table, &usual);
		CHECK_EQ(heap_close(&heap), 0);
	}
}

/* A stripe takes only so many vectors. */
static void
too_many_rows(void)
{
	Heap		heap;
	ColjStripeOptions options = {1, 10, 1};
	ColjColumnSpec spec = {.kind = COLJ_COLUMN_INT, .codec = COLJ_CODEC_LIGHT};
	ColjStripeWriter *writer;
	const uint8_t *bytes;
	size_t		size;

	heap_open(&heap);
	writer = colj_stripe_writer_create(&heap.host, &options, &spec, 1);
	for (uint32_t i = 0; i < 4096; i++)
		CHECK_EQ(colj_stripe_writer_add(writer, &(ColjCell){.integer = i}), COLJ_OK);
	CHECK_EQ(colj_stripe_writer_add(writer, &(ColjCell){.integer = 1}), COLJ_TOO_LARGE);
	CHECK_EQ(colj_stripe_writer_rows(writer), 4096);
	CHECK(colj_stripe_writer_bytes(writer) >= 4096 * sizeof(int64_t));
	CHECK_EQ(colj_stripe_writer_finish(writer, &bytes, &size), COLJ_OK);
	colj_stripe_writer_free(writer);
	CHECK_EQ(heap_close(&heap), 0);
}

/* A document that shows itself in pieces is fetched whole. */
static void
documents_in_pieces(void)
{
	Heap		heap;
	uint32_t	len;
	uint8_t    *doc;
	ColjStripeWriter *writer;
	ColjColumnSpec spec = {.kind = COLJ_COLUMN_DOCUMENT, .codec = COLJ_CODEC_LIGHT};
	ColjDoc		part;

	heap_open(&heap);
	doc = model_write(&heap, model_parse(&heap, "{\"a\":[1,2,3],\"b\":\"0123456789012345678901234567890123456789\"}"), 32, &len);
	CHECK_EQ(colj_open_bytes(&part, doc, len), COLJ_OK);
	part.avail = 4;
	part.fetch = NULL;
	writer = colj_stripe_writer_create(&heap.host, &usual, &spec, 1);
	CHECK_EQ(colj_stripe_writer_add(writer, &(ColjCell){.doc = &part}), COLJ_CORRUPT);
	CHECK_EQ(colj_stripe_writer_add(writer, &(ColjCell){.doc = &part}), COLJ_CORRUPT);
	colj_stripe_writer_free(writer);
	CHECK_EQ(heap_close(&heap), 0);
}

/*
 * A stripe whose bytes are frozen: version 1.  (How its directory compresses is
 * libzstd's business, so it is compared as it was before that.)
 */
static const char frozen[] =
"01 14 02 00 00 14 02 00 00 06 04 02 09 02 00 00 03 00 00 01 00 00 00 00 00 03 "
"05 00 00 04 01 06 02 08 02 00 00 04 01 00 01 02 02 00 00 04 01 02 02 03 02 00 "
"00 02 00 00 02 00 00 02 03 01 00 00 00 00 00 04 01 14 02 03 04 01 20 04 08 02 "
"00 00 04 01 00 01 01 04 01 04 01 01 02 00 02 06 01 00 0c 00 00 fa 07 01 f0 2e "
"0b 00 80 3e 06 06 00 00 00 00 00 00 04 01 20 02 02 04 01 12 02 02 04 01 02 02 "
"02 02 00 00 02 00 02 02 00 00 02 00 00 02 00 00 04 02 00 01 00 00 00 01 68 05 "
"01 32 06 3e 00 05 01 28 07 40 00 04 01 00 01 02 02 00 00 04 01 02 02 03 02 00 "
"02 02 00 00 02 00 00 10 68 2d 31 30 31 33 39 30 34 32 32 36 2d 33 63 36 10 68 "
"2d 33 36 36 38 33 33 39 39 38 37 2d 64 61 62 10 68 2d 33 38 37 32 37 36 39 31 "
"37 2d 31 37 31 35 10 68 2d 33 38 37 32 37 36 39 31 37 2d 31 37 31 36 03 02 00 "
"01 00 00 00 01 6e 04 01 12 03 04 05 01 10 05 18 00 04 01 00 01 02 02 00 00 04 "
"01 02 02 03 02 00 04 05 01 0a 06 00 0a 04 01 46 04 a0 00 00 00 01 08 01 00 01 "
"6f 02 00 06 02 00 00 04 01 00 01 02 02 00 00 04 01 02 02 03 02 00 00 02 00 00 "
"02 00 00 04 02 00 01 00 00 00 01 73 04 01 0c 03 04 04 01 02 02 03 04 01 00 01 "
"02 02 00 00 04 01 02 02 03 02 00 02 02 00 00 02 00 00 01 61 01 63 01 62 01 62 "
"04 02 00 01 00 00 04 01 75 02 00 1a 05 01 2a 07 43 00 04 01 00 01 02 02 00 00 "
"04 01 02 02 03 02 00 02 02 00 00 02 00 00 10 78 2f 31 30 31 33 39 30 34 32 32 "
"36 2d 33 63 36 10 78 2f 33 36 36 38 33 33 39 39 38 37 2d 64 61 62 10 78 2f 33 "
"38 37 32 37 36 39 31 37 2d 31 37 31 35 10 78 2f 33 38 37 32 37 36 39 31 37 2d "
"31 37 31 36 01 00 00 06 00 00 00 01 74 04 01 0a 02 02 04 01 10 04 08 04 01 00 "
"01 02 04 01 00 01 01 04 01 02 01 01 02 00 02 02 00 02 02 00 02 02 00 04 04 01 "
"00 02 02 04 01 02 01 0d 01 00 0c 00 00 7d b8 0b 02 00 04 01 c0 3e 0a 00 a0 0f "
"04 01 00 02 80 00 0b 10 1f c0 01 11 6f c4 01 11 74 0a 04 01 00 02 02 00 09 10 "
"1f c0 01 11 78 a2 03 04 00 01 02 04 02 68 2d 00 01 00 26 32 36 35 34 34 33 35 "
"37 36 31 2d 39 65 33 37 37 39 62 31 31 30 31 33 39 30 34 32 32 36 2d 33 63 36 "
"65 66 33 36 32 33 36 36 38 33 33 39 39 38 37 2d 64 61 61 36 36 64 31 33 32 30 "
"32 37 38 30 38 34 35 32 2d 37 38 64 64 65 36 63 34 00 01 02 00 14 68 2d 33 38 "
"37 32 37 36 39 31 37 2d 31 37 31 35 36 30 37 35 00 01 02 02 02 00 02 01 0a 05 "
"40 51 0f 00 01 02 02 02 00 02 00 5a 00 01 02 00 01 02 00 01 02 06 01 02 61 62 "
"63 24 00 01 02 00 01 62 00 01 02 02 00 02 00 06 00 03 78 2f 2f 00 01 02 02 00 "
"02 00 06 00 03 78 2f 2f 04 01 02 02 85 00 02 00 02 02 00 02";

static void
frozen_stripe(void)
{
	Heap		heap;
	StripeTable table;
	size_t		size;
	uint8_t    *bytes;
	uint32_t	expected_size;
	uint8_t    *expected;

	heap_open(&heap);
	table_open(&table, &heap, "di", COLJ_CODEC_LIGHT);
	for (int i = 0; i < 6; i++)
	{
		char		json[200];
		unsigned	hash = (i + 1) * 2654435761u;

		snprintf(json, sizeof(json), "{\"n\":%d.5,\"o\":{\"t\":%s},\"s\":\"%c\",\"h\":\"h-%u-%x\",\"u\":\"x/%u-%x/\"%s}", i,
				 i == 2 ? "null" : i == 3 ? "7" : "true", 'a' + i % 3, hash, hash, hash, hash,
				 i == 4 ? ",\"x\":[1]" : "");
		table_add_json(&table, i == 5 ? NULL : json);
		table.cells[i * 2 + 1] = (StripeCell){.null = i == 1, .integer = i * 1000};
	}
	bytes = table_write(&table, &(ColjStripeOptions){4, 10, 1}, &size);
	bytes = stripe_unpacked(&heap, bytes, &size);
	expected = golden_bytes(&heap, frozen, &expected_size);
	CHECK_BYTES(bytes, size, expected, expected_size);
	table_verify(&table, expected, expected_size);
	CHECK_EQ(heap_close(&heap), 0);
}

int
main(void)
{
	tap_case("stripe: random rows", random_rows);
	tap_case("stripe: many rows", many_rows);
	tap_case("stripe: few rows", few_rows);
	tap_case("stripe: nothing", nothing);
	tap_case("stripe: mixed types", mixed_types);
	tap_case("stripe: types of paths", types);
	tap_case("stripe: ids as keys", crowded_keys);
	tap_case("stripe: many key lists", many_key_lists);
	tap_case("stripe: deep nesting", deep_nesting);
	tap_case("stripe: siblings", siblings);
	tap_case("stripe: parts of siblings", parts_of_siblings);
	tap_case("stripe: twins", twins);
	tap_case("stripe: zones of strings", string_zones);
	tap_case("stripe: plain columns", plain_extremes);
	tap_case("stripe: empty strings", empty_strings);
	tap_case("stripe: decimals", decimals);
	tap_case("stripe: too many rows", too_many_rows);
	tap_case("stripe: documents in pieces", documents_in_pieces);
	tap_case("stripe: bytes on disk", frozen_stripe);
	return tap_done();
}
