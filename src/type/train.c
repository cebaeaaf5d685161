/*-------------------------------------------------------------------------
 *
 * train.c
 *	  colj_train_dictionary: from a query's documents to a dictionary.
 *
 * The query runs with the caller's rights, and once through.  Of its
 * documents a sample is kept that fits into a fixed amount of memory: all of
 * them until it is full, then every second, every fourth, and so on, so that
 * the sample is spread over the whole result.  What is kept of a document is
 * what would be compressed: its raw bytes, cut into blocks if it is large.
 *
 * The row is inserted with the rights of the table's owner.  A name belongs to
 * the role that trained its first version.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <zdict.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "format/packed.h"
#include "type/admin.h"
#include "type/unpack.h"
#include "type/value.h"

PG_FUNCTION_INFO_V1(colj_train_dictionary);

/* Sizes of dictionaries. */
#define SIZE_MIN 1024
#define SIZE_MAX_BYTES (1024 * 1024)

/*
 * What size 0 stands for: so many times the mean document.  A document finds
 * little more in a larger dictionary, and what it finds has to come from farther
 * away: 16 kB and what belongs to it stay in a processor's near caches.
 */
#define SIZE_FACTOR 36
#define CHOSEN_MIN (16 * 1024)
#define CHOSEN_MAX (64 * 1024)

/* Bytes of sample for each byte of dictionary; zstd's authors say about 100. */
#define SAMPLE_FACTOR 128
#define SAMPLE_MAX ((Size) 16 * 1024 * 1024)

/* A dictionary of fewer pieces, or fewer bytes, would serve no other document. */
#define PIECES_MIN 16
#define BYTES_MIN 4096

/* Blocks taken of a document that is cut. */
#define BLOCKS_PER_DOCUMENT 8

#define FETCH_ROWS 100

typedef struct Sample
{
	uint8	   *bytes;
	Size		used;
	Size		room;
	size_t	   *sizes;			/* of the pieces, one after the other in bytes */
	int			n;
	int			nroom;
	int64		documents;		/* that the query gave */
	int64		every;			/* each of so many is kept */
} Sample;

/* Keep every second piece, for there to be room for as many again. */
static void
thin_out(Sample *sample)
{
	Size		from = 0;
	Size		to = 0;
	int			n = 0;
	int			i;

	for (i = 0; i < sample->n; i++)
	{
		Size		size = sample->sizes[i];

		if (i % 2 == 0)
		{
			memmove(sample->bytes + to, sample->bytes + from, size);
			sample->sizes[n++] = size;
			to += size;
		}
		from += size;
	}
	sample->n = n;
	sample->used = to;
	sample->every *= 2;
}

static void
add_piece(Sample *sample, const uint8 *bytes, Size size)
{
	if (sample->used + size > sample->room)
		thin_out(sample);
	if (sample->used + size > sample->room)
		return;
	if (sample->n == sample->nroom)
	{
		sample->nroom *= 2;
		sample->sizes = repalloc_huge(sample->sizes, sample->nroom * sizeof(size_t));
	}
	memcpy(sample->bytes + sample->used, bytes, size);
	sample->used += size;
	sample->sizes[sample->n++] = size;
}

static void
add_document(Sample *sample, Datum datum)
{
	ColjDoc		local;
	ColjDoc    *doc;
	uint32		each = 1 << COLJ_PACK_SHIFT;
	uint32		off;

	if (sample->documents++ % sample->every != 0)
		return;
	doc = colj_document_open(datum, COLJ_NEED_ALL, &local);
	if (doc->size <= COLJ_PACK_CUT_ABOVE)
	{
		add_piece(sample, doc->data, doc->size);
		return;
	}
	for (off = 0; off < doc->size && off < BLOCKS_PER_DOCUMENT * each; off += each)
		add_piece(sample, doc->data + off, Min(each, doc->size - off));
}

/* A query's value as a colj. */
static Datum
to_colj(Datum value, Oid type)
{
	text	   *json;

	if (type == JSONBOID)
		return colj_from_jsonb(DatumGetJsonbP(value));
	if (type != JSONOID)
		return value;
	json = DatumGetTextPP(value);
	return colj_from_text(VARDATA_ANY(json), VARSIZE_ANY_EXHDR(json));
}

/* The type of the query's only column. */
static Oid
query_type(TupleDesc desc)
{
	Oid			type = desc->natts == 1 ? getBaseType(TupleDescAttr(desc, 0)->atttypid) : InvalidOid;

	if (type != colj_type_oid() && type != JSONBOID && type != JSONOID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("the query must return one column of type colj, jsonb or json")));
	return type;
}

/* Add the rows of a batch, in a context that is emptied after each. */
static void
add_batch(Sample *sample, SPITupleTable *table, uint64 rows, MemoryContext context)
{
	Oid			type = query_type(table->tupdesc);
	uint64		i;

	for (i = 0; i < rows; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(context);
		bool		isnull;
		Datum		value = SPI_getbinval(table->vals[i], table->tupdesc, 1, &isnull);

		if (!isnull)
			add_document(sample, to_colj(value, type));
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
}

static void
run_query(Sample *sample, const char *query)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "colj sample", ALLOCSET_DEFAULT_SIZES);
	Portal		portal;

	SPI_connect();
	portal = SPI_cursor_open_with_args(NULL, query, 0, NULL, NULL, NULL, true, 0);
	do
	{
		SPI_cursor_fetch(portal, true, FETCH_ROWS);
		add_batch(sample, SPI_tuptable, SPI_processed, context);
		SPI_freetuptable(SPI_tuptable);
		CHECK_FOR_INTERRUPTS();
	} while (SPI_processed > 0);
	SPI_cursor_close(portal);
	SPI_finish();
	MemoryContextDelete(context);
}

static void
init_sample(Sample *sample, int size)
{
	sample->room = Min((Size) size * SAMPLE_FACTOR, SAMPLE_MAX);
	sample->bytes = palloc(sample->room);
	sample->used = 0;
	sample->n = 0;
	sample->nroom = 1024;
	sample->sizes = palloc(sample->nroom * sizeof(size_t));
	sample->documents = 0;
	sample->every = 1;
}

/* Names that a type modifier could not be told from something else. */
static void
check_name(const char *name)
{
	if (name[0] != '\0' && name[0] != '#' && name[strspn(name, "+-0123456789")] != '\0')
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_NAME),
			 errmsg("invalid dictionary name: \"%s\"", name),
			 errdetail("A name must not be empty, be a number, or begin with \"#\".")));
}

/* May the caller make the next version of this name?  Returns its number. */
static int32
check_version(const char *name)
{
	ColjDictionary last;

	if (!colj_dictionary_by_hash(colj_dictionary_hash(name), &last))
	{
		colj_check_create(get_rel_namespace(colj_dictionary_table_required()));
		return 1;
	}
	if (strcmp(NameStr(last.name), name) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("dictionary name \"%s\" cannot be told from \"%s\" in a type modifier",
						name, NameStr(last.name)),
				 errhint("Choose another name.")));
	colj_check_owner(&last);
	return last.version + 1;
}

static void
insert_row(const char *name, int32 version, const Sample *sample, const void *bytes, Size size)
{
	Oid			types[COLJ_DICTIONARY_BYTES] = {INT4OID, NAMEOID, INT4OID, NAMEOID,
	TIMESTAMPTZOID, INT8OID, INT4OID, INT4OID, BYTEAOID};
	bytea	   *stored = palloc(VARHDRSZ + size);
	NameData	row_name;
	NameData	owner;
	Datum		values[COLJ_DICTIONARY_BYTES];

	SET_VARSIZE(stored, VARHDRSZ + size);
	memcpy(VARDATA(stored), bytes, size);
	namestrcpy(&row_name, name);
	namestrcpy(&owner, GetUserNameFromId(GetUserId(), false));
	values[COLJ_DICTIONARY_ID - 1] = Int32GetDatum(colj_dictionary_next_id());
	values[COLJ_DICTIONARY_NAME - 1] = NameGetDatum(&row_name);
	values[COLJ_DICTIONARY_VERSION - 1] = Int32GetDatum(version);
	values[COLJ_DICTIONARY_OWNER - 1] = NameGetDatum(&owner);
	values[COLJ_DICTIONARY_CREATED - 1] = TimestampTzGetDatum(GetCurrentTimestamp());
	values[COLJ_DICTIONARY_DOCUMENTS - 1] = Int64GetDatum(sample->documents);
	values[COLJ_DICTIONARY_SAMPLES - 1] = Int32GetDatum(sample->n);
	values[COLJ_DICTIONARY_SAMPLE_BYTES - 1] = Int32GetDatum((int32) sample->used);
	values[COLJ_DICTIONARY_BYTES - 1] = PointerGetDatum(stored);
	colj_dictionary_execute("INSERT INTO %s VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
							COLJ_DICTIONARY_BYTES, types, values);
	pfree(stored);
}

/* Train; 0, and a notice, when the sample does not suffice. */
static Size
train(const Sample *sample, void *bytes, Size size)
{
	size_t		result = 0;

	if (sample->n >= PIECES_MIN && sample->used >= BYTES_MIN)
		result = ZDICT_trainFromBuffer(bytes, size, sample->bytes, sample->sizes, sample->n);
	if (result > 0 && !ZDICT_isError(result))
		return result;
	ereport(NOTICE,
			(errmsg("dictionary was not trained"),
			 errdetail("The query gave " INT64_FORMAT " documents, of which %d pieces of %zu bytes were tried.",
					   sample->documents, sample->n, sample->used),
			 errhint("Train with some hundred documents like those to be compressed, or more.")));
	return 0;
}

static int32
check_size(int32 size)
{
	if (size != 0 && (size < SIZE_MIN || size > SIZE_MAX_BYTES))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dictionary size %d is out of range", size),
				 errdetail("Dictionaries have %d to %d bytes.", SIZE_MIN, SIZE_MAX_BYTES)));
	return size;
}

/* The size that suits the documents of a sample. */
static int32
choose_size(const Sample *sample)
{
	Size		mean = sample->n > 0 ? sample->used / sample->n : 0;

	return (int32) Min(Max(mean * SIZE_FACTOR, CHOSEN_MIN), CHOSEN_MAX);
}

/*
 * colj_train_dictionary(name, query, size): returns the new version's number, or
 * NULL when the query gave too little to train with.  Size 0 leaves it to the
 * documents.
 */
Datum
colj_train_dictionary(PG_FUNCTION_ARGS)
{
	char	   *name = NameStr(*PG_GETARG_NAME(0));
	char	   *query = text_to_cstring(PG_GETARG_TEXT_PP(1));
	int32		size = check_size(PG_GETARG_INT32(2));
	Sample		sample;
	void	   *bytes;
	int32		version;

	check_name(name);
	PreventCommandIfReadOnly("colj_train_dictionary()");
	(void) check_version(name);
	init_sample(&sample, size > 0 ? size : CHOSEN_MAX);
	run_query(&sample, query);
	if (size == 0)
		size = choose_size(&sample);
	bytes = palloc(size);
	size = train(&sample, bytes, size);
	if (size == 0)
		PG_RETURN_NULL();

	/* two who train one name get two versions, one after the other */
	LockRelationOid(colj_dictionary_table(), ShareRowExclusiveLock);
	version = check_version(name);
	insert_row(name, version, &sample, bytes, size);
	PG_RETURN_INT32(version);
}
