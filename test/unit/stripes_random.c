/*-------------------------------------------------------------------------
 *
 * stripes_random.c
 *	  Random rows for stripes: documents of one loose schema.
 *
 * Each place of the schema has a kind that most documents keep to; the
 * others have something else there, or nothing.  Some strings contain what
 * another key of the document says.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <string.h>

#include "stripes.h"

typedef struct Maker
{
	Heap	   *heap;
	Random	   *random;
	uint32_t	row;
} Maker;

/* What stands at a key of the schema, most of the time. */
typedef enum Usual
{
	USUAL_SERIAL,				/* rising integers */
	USUAL_INT,
	USUAL_MONEY,				/* decimals, mostly of two places */
	USUAL_WORD,
	USUAL_HASH,					/* strings of one length */
	USUAL_NUMBER_TEXT,
	USUAL_URL,					/* with the serial in it */
	USUAL_BOOL,
	USUAL_NULL,
	USUAL_OBJECT,
	USUAL_ARRAY,
	USUAL_IDS,					/* an object whose keys are ids */
	USUAL_ANY
} Usual;

typedef struct Member
{
	const char *key;
	Usual		usual;
	uint32_t	percent;		/* of the documents have it */
} Member;

static const Member members[] = {
	{"id", USUAL_SERIAL, 98}, {"", USUAL_INT, 60}, {"a.b", USUAL_WORD, 90}, {"price", USUAL_MONEY, 80},
	{"hash", USUAL_HASH, 95}, {"id_str", USUAL_NUMBER_TEXT, 95}, {"url", USUAL_URL, 97},
	{"ok", USUAL_BOOL, 70}, {"nil", USUAL_NULL, 50}, {"user", USUAL_OBJECT, 90},
	{"a", USUAL_OBJECT, 60}, {"tags", USUAL_ARRAY, 50}, {"by_id", USUAL_IDS, 40}, {"any", USUAL_ANY, 50},
	{"rare", USUAL_INT, 1}, {"seldom", USUAL_OBJECT, 3}
};

#define NMEMBERS (sizeof(members) / sizeof(members[0]))

static Model *make_object(Maker *m, uint32_t depth);

static uint32_t
below(Maker *m, uint32_t n)
{
	return random_below(m->random, n);
}

static Model *
make_text(Maker *m, const char *format, uint32_t number)
{
	char		text[100];
	int			len = snprintf(text, sizeof(text), format, number);

	return model_string(m->heap, text, (uint32_t) len);
}

static Model *
make_any(Maker *m, uint32_t depth)
{
	static const char *const odd[] = {"1e400", "-123456789012345678901234567890.5", "[]", "{}", "\"\"", "[[{}]]",
	"-9223372036854775808", "9223372036854775807", "0.000", "-0.0", "{\"\":null}", "null", "[1,\"x\",null]"};

	if (below(m, 3) > 0)
		return model_parse(m->heap, odd[below(m, sizeof(odd) / sizeof(odd[0]))]);
	if (depth < 4 && below(m, 4) == 0)
		return make_object(m, depth + 1);
	return model_random(m->heap, m->random, &(RandomSpec){6, 3, 40});
}

static Model *
make_hash(Maker *m)
{
	char		text[16];

	for (uint32_t i = 0; i < sizeof(text); i++)
		text[i] = "0123456789abcdef"[below(m, 16)];
	return model_string(m->heap, text, sizeof(text));
}

static Model *
make_ids(Maker *m)
{
	Model	   *object = model_new(m->heap, COLJ_OBJECT);
	char		key[20];

	for (uint32_t i = below(m, 6); i > 0; i--)
	{
		snprintf(key, sizeof(key), "k%u", (unsigned) below(m, 100000));
		model_put(m->heap, object, key, (uint32_t) strlen(key), model_int(m->heap, below(m, 1000)));
	}
	return object;
}

static Model *
make_bool(Maker *m)
{
	Model	   *model = model_new(m->heap, COLJ_BOOL);

	model->integer = below(m, 2);
	return model;
}

static Model *
make_array(Maker *m)
{
	Model	   *array = model_new(m->heap, COLJ_ARRAY);

	for (uint32_t i = below(m, 4); i > 0; i--)
		model_add(m->heap, array, below(m, 2) ? model_int(m->heap, below(m, 9)) : make_text(m, "t%u", below(m, 5)));
	return array;
}

static Model *
make_usual(Maker *m, Usual usual, uint32_t depth)
{
	switch (usual)
	{
		case USUAL_SERIAL:
			return model_int(m->heap, 5000000 + m->row * 3 + depth);
		case USUAL_INT:
			return model_int(m->heap, (int64_t) below(m, 2000) - 1000);
		case USUAL_MONEY:
			return model_decimal(m->heap, below(m, 100000), below(m, 10) == 0 ? (uint8_t) below(m, 20) : 2);
		case USUAL_WORD:
			return make_text(m, "word %u of many", below(m, 12));
		case USUAL_HASH:
			return make_hash(m);
		case USUAL_NUMBER_TEXT:
			return make_text(m, "%u", 5000000 + m->row * 3 + depth);
		case USUAL_URL:
			return make_text(m, "https://example.com/items/%u/view", 5000000 + m->row * 3 + depth);
		case USUAL_BOOL:
			return make_bool(m);
		case USUAL_NULL:
			return model_new(m->heap, COLJ_NULL);
		case USUAL_OBJECT:
			return depth < 3 ? make_object(m, depth + 1) : model_new(m->heap, COLJ_OBJECT);
		case USUAL_ARRAY:
			return make_array(m);
		case USUAL_IDS:
			return make_ids(m);
		case USUAL_ANY:
			break;
	}
	return make_any(m, depth);
}

static Model *
make_object(Maker *m, uint32_t depth)
{
	Model	   *object = model_new(m->heap, COLJ_OBJECT);

	for (uint32_t i = 0; i < NMEMBERS; i++)
	{
		const Member *member = &members[i];
		uint32_t	chance = below(m, 100);

		if (chance >= member->percent || (depth > 0 && below(m, 3) == 0))
			continue;
		model_put(m->heap, object, member->key, (uint32_t) strlen(member->key),
				  chance == 0 ? model_new(m->heap, COLJ_NULL)
				  : chance < 8 && below(m, 4) == 0 ? make_any(m, depth)
				  : make_usual(m, member->usual, depth));
	}
	return object;
}

static void
fill_cell(Maker *m, ColjColumnKind kind, StripeCell *cell)
{
	cell->null = below(m, 20) == 0;
	cell->integer = below(m, 4) == 0 ? INT64_MIN + below(m, 3) : (int64_t) below(m, 100000);
	if (kind == COLJ_COLUMN_BYTES)
		cell->model = make_text(m, "cell %u", below(m, 300));
	if (kind != COLJ_COLUMN_DOCUMENT)
		return;
	cell->model = below(m, 30) == 0 ? make_any(m, 0) : make_object(m, 0);
	model_normalize(cell->model);
}

void
table_add_random(StripeTable *table, Random *random, uint32_t rows)
{
	Maker		m = {table->heap, random, 0};

	for (; m.row < rows; m.row++)
	{
		StripeCell *cells = table_add(table);

		for (uint32_t i = 0; i < table->ncolumns; i++)
			fill_cell(&m, table->specs[i].kind, &cells[i]);
	}
}
