/*-------------------------------------------------------------------------
 *
 * typmod.c
 *	  Type modifiers: colj(none), colj(zstd), colj(zstd, dictionary, level).
 *
 * A type modifier is a number of 31 bits:
 *
 *		bits 0-21	hash of the dictionary's name, or 0
 *		bits 22-26	level, or 0
 *		bit 27		zstd
 *		bit 28		none
 *
 * The name stands in it as a hash because reading a type modifier must not
 * write a catalog, nor depend on one: a dump creates tables before it fills
 * the table of dictionaries.  Written out, a hash is the name of the dictionary
 * that has it, or '#' and hexadecimal digits, which are read again.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "compat.h"
#include "type/dictionary.h"
#include "type/pack.h"

PG_FUNCTION_INFO_V1(colj_typmod_in);
PG_FUNCTION_INFO_V1(colj_typmod_out);

#define LEVEL_SHIFT COLJ_NAME_HASH_BITS
#define ZSTD_BIT (1 << 27)
#define NONE_BIT (1 << 28)

void
colj_form(int32 typmod, ColjForm *form)
{
	if (typmod < 0)
	{
		*form = (ColjForm){colj_compression == COLJ_COMPRESSION_ZSTD, 0, 0};
		return;
	}
	form->zstd = (typmod & ZSTD_BIT) != 0;
	form->level = typmod >> LEVEL_SHIFT & COLJ_LEVEL_MASK;
	form->dictionary = typmod & COLJ_NAME_HASH_MASK;
}

static void
raise_invalid(const char *word)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid type modifier \"%s\" for type colj", word),
			 errhint("Write colj(none), colj(zstd), colj(zstd, level), or colj(zstd, dictionary).")));
}

/* A level, if the word is a number. */
static bool
read_level(const char *word, int32 *typmod)
{
	long		level;

	if (word[0] == '\0' || word[strspn(word, "+-0123456789")] != '\0')
		return false;
	level = strtol(word, NULL, 10);
	if (level < COLJ_LEVEL_MIN || level > COLJ_LEVEL_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("compression level %s is out of range for type colj", word),
				 errdetail("Levels of zstd are %d to %d.", COLJ_LEVEL_MIN, COLJ_LEVEL_MAX)));
	*typmod |= (int32) level << LEVEL_SHIFT;
	return true;
}

/* A hash that was written out because there was no name for it. */
static uint32
read_hash(const char *word)
{
	char	   *end;
	unsigned long hash = strtoul(word + 1, &end, 16);

	if (!isxdigit((unsigned char) word[1]) || *end != '\0' ||
		hash == 0 || hash > COLJ_NAME_HASH_MASK)
		raise_invalid(word);
	return (uint32) hash;
}

static void
read_dictionary(const char *word, int32 *typmod)
{
	ColjDictionary found;
	uint32		hash;

	if (word[0] == '\0' || strlen(word) >= NAMEDATALEN)
		raise_invalid(word);
	hash = word[0] == '#' ? read_hash(word) : colj_dictionary_hash(word);
	if (word[0] != '#' && !colj_dictionary_by_hash(hash, &found))
		ereport(NOTICE,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("dictionary \"%s\" does not exist", word),
				 errdetail("Values are compressed without it until colj_train_dictionary() makes it.")));
	*typmod |= hash;
}

Datum
colj_typmod_in(PG_FUNCTION_ARGS)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	int32		typmod = ZSTD_BIT;
	Datum	   *words;
	int			n;
	int			i;

	deconstruct_array(array, CSTRINGOID, -2, false, TYPALIGN_CHAR, &words, NULL, &n);
	if (n == 1 && pg_strcasecmp(DatumGetCString(words[0]), "none") == 0)
		PG_RETURN_INT32(NONE_BIT);
	if (n == 0 || pg_strcasecmp(DatumGetCString(words[0]), "zstd") != 0)
		raise_invalid(n == 0 ? "" : DatumGetCString(words[0]));
	for (i = 1; i < n; i++)
	{
		const char *word = DatumGetCString(words[i]);

		if (i > 2 || (typmod & (COLJ_LEVEL_MASK << LEVEL_SHIFT)) != 0)
			raise_invalid(word);
		if (read_level(word, &typmod))
			continue;
		if ((typmod & COLJ_NAME_HASH_MASK) != 0)
			raise_invalid(word);
		read_dictionary(word, &typmod);
	}
	PG_RETURN_INT32(typmod);
}

/* The name of a hash as it can be read again. */
static const char *
dictionary_word(uint32 hash)
{
	ColjDictionary found;

	if (colj_dictionary_by_hash(hash, &found))
		return quote_identifier(pstrdup(NameStr(found.name)));
	return psprintf("'#%x'", hash);
}

Datum
colj_typmod_out(PG_FUNCTION_ARGS)
{
	ColjForm	form;
	StringInfoData out;

	colj_form(PG_GETARG_INT32(0), &form);
	initStringInfo(&out);
	appendStringInfoString(&out, form.zstd ? "(zstd" : "(none");
	if (form.dictionary != 0)
		appendStringInfo(&out, ",%s", dictionary_word(form.dictionary));
	if (form.level != 0)
		appendStringInfo(&out, ",%d", form.level);
	appendStringInfoChar(&out, ')');
	PG_RETURN_CSTRING(out.data);
}
