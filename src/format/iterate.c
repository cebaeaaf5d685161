/*-------------------------------------------------------------------------
 *
 * iterate.c
 *	  Walking over the children of a container, in stored order.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "cursor.h"

ColjStatus
colj_iter_open(ColjDoc *doc, const ColjValue *container, ColjIter *iter)
{
	ColjStatus	status = colj_container_open(doc, container, &iter->c);

	iter->i = 0;
	iter->rank = 0;
	iter->run_left = 0;
	iter->key_len = 0;
	if (status == COLJ_OK)
	{
		iter->small = iter->c.small;
		iter->big = iter->c.big;
		iter->run_pos = iter->c.runs;
		iter->key_pos = iter->c.keys;
	}
	return status;
}

static COLJ_NEVER_INLINE bool
begin_run_slow(ColjIter *iter)
{
	Cursor		cur = {iter->c.doc, iter->run_pos, iter->c.keys};

	if (!next_run(&cur, &iter->key_len, &iter->run_left))
		return false;
	iter->run_pos = cur.pos;
	return true;
}

/* Go to the next run of keys; that they add up was seen when opening. */
static COLJ_ALWAYS_INLINE bool
begin_run(ColjIter *iter)
{
	const ColjDoc *doc = iter->c.doc;
	uint8_t		run;

	if (COLJ_UNLIKELY(iter->run_pos >= iter->c.keys || iter->run_pos >= doc->avail))
		return begin_run_slow(iter);
	run = doc->data[iter->run_pos];
	if (COLJ_UNLIKELY(run == COLJ_RUN_EXTENDED || COLJ_RUN_COUNT(run) == 0))
		return begin_run_slow(iter);
	iter->run_pos++;
	iter->key_len += COLJ_RUN_DELTA(run);
	iter->run_left = COLJ_RUN_COUNT(run);
	return true;
}

static COLJ_ALWAYS_INLINE bool
iter_key(ColjIter *iter, ColjKey *key)
{
	const uint8_t *p;

	if (iter->run_left == 0 && !begin_run(iter))
		return false;
	if (key != NULL)
	{
		p = reveal(iter->c.doc, iter->key_pos, iter->key_len);
		if (p == NULL)
			return false;
		key->bytes = (const char *) p;
		key->len = iter->key_len;
	}
	iter->run_left--;
	iter->key_pos += iter->key_len;
	return true;
}

/* The next big value: it begins where the last one ended. */
static COLJ_ALWAYS_INLINE bool
next_big(ColjIter *iter, uint32_t *off, uint32_t *len)
{
	const ColjContainer *c = &iter->c;
	uint32_t	end;

	if (COLJ_UNLIKELY(iter->rank >= c->nbig))
	{
		corrupt(c->doc, "A container's anchors contradict its entries.");
		return false;
	}
	if (!read_end(c, iter->rank, &end))
		return false;
	if (COLJ_UNLIKELY(end > c->limit - c->big || c->big + end < iter->big))
	{
		corrupt(c->doc, "A container's ends are out of order.");
		return false;
	}
	*off = iter->big;
	*len = c->big + end - iter->big;
	iter->rank++;
	iter->big = c->big + end;
	return true;
}

static COLJ_ALWAYS_INLINE ColjStatus
iter_value(ColjIter *iter, uint8_t entry, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	uint32_t	off = iter->small;
	uint32_t	len = COLJ_ENTRY_TAG(entry) == COLJ_TAG_LITERAL ? 0 : COLJ_ENTRY_LEN(entry);

	if (len != COLJ_BIG)
	{
		if (COLJ_UNLIKELY((uint64_t) off + len > c->big))
			return corrupt(c->doc, "A container's anchors contradict its entries.");
		iter->small += len;
	}
	else if (!next_big(iter, &off, &len))
		return COLJ_CORRUPT;
	return decode(c->doc, entry, off, len, out);
}

ColjStatus
colj_iter_next(ColjIter *iter, ColjKey *key, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	const uint8_t *p = &c->entry;

	if (iter->i >= c->n)
		return COLJ_ABSENT;
	if (c->kind == COLJ_OBJECT && !iter_key(iter, key))
		return COLJ_CORRUPT;
	if (!c->fixed && (p = reveal(c->doc, c->entries + iter->i, 1)) == NULL)
		return COLJ_CORRUPT;
	iter->i++;
	return iter_value(iter, *p, out);
}

/* The next entry, of a value whose key is known. */
static inline ColjStatus
next_entry(ColjIter *iter, uint8_t *entry)
{
	const ColjContainer *c = &iter->c;
	const uint8_t *p = &c->entry;

	if (iter->i >= c->n)
		return COLJ_ABSENT;
	if (!c->fixed && (p = reveal(c->doc, c->entries + iter->i, 1)) == NULL)
		return COLJ_CORRUPT;
	iter->i++;
	*entry = *p;
	return COLJ_OK;
}

ColjStatus
colj_iter_value(ColjIter *iter, ColjValue *out)
{
	uint8_t		entry;
	ColjStatus	status = next_entry(iter, &entry);

	return status != COLJ_OK ? status : iter_value(iter, entry, out);
}

/* The bit 7 of each byte of a word that is the entry of a container. */
static inline uint64_t
container_mask(uint64_t word)
{
	return word & (word << 1 | word << 2) & COLJ_EACH_BYTE(0x80);
}

/* The value of an entry, after values that were passed over. */
static ColjStatus
value_after_passed(ColjIter *iter, uint8_t entry, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	uint32_t	start;
	uint32_t	end;

	if (!colj_entry_is_big(entry))
		return iter_value(iter, entry, out);
	if (!read_ends(c, iter->rank, &start, &end))
		return COLJ_CORRUPT;
	iter->rank++;
	return decode(c->doc, entry, c->big + start, end - start, out);
}

/* The kind of what has a scalar's entry. */
static inline ColjKind
kind_of_scalar(uint8_t entry)
{
	static const ColjKind kinds[] = {
		[COLJ_TAG_STRING] = COLJ_STRING,
		[COLJ_TAG_INT] = COLJ_INT,
		[COLJ_TAG_DECIMAL] = COLJ_DECIMAL,
		[COLJ_TAG_BIGNUM] = COLJ_BIGNUM
	};
	ColjValue	literal;

	if (COLJ_ENTRY_TAG(entry) != COLJ_TAG_LITERAL)
		return kinds[COLJ_ENTRY_TAG(entry)];
	decode_literal(COLJ_ENTRY_LEN(entry), &literal);
	return literal.kind;
}

ColjStatus
colj_iter_kind(ColjIter *iter, ColjValue *out)
{
	uint8_t		entry;
	ColjStatus	status = next_entry(iter, &entry);

	if (status != COLJ_OK)
		return status;
	if (COLJ_ENTRY_TAG(entry) >= COLJ_TAG_ARRAY)
		return value_after_passed(iter, entry, out);
	out->kind = kind_of_scalar(entry);
	if (colj_entry_is_big(entry))
		iter->rank++;
	else
		iter->small += colj_entry_small_size(entry);
	return COLJ_OK;
}

/* Pass over entries that are no container's, eight at a time. */
static bool
pass_scalars(ColjIter *iter)
{
	const ColjContainer *c = &iter->c;
	ColjTally	sum = {0, 0};
	uint64_t	word;

	while (c->n - iter->i >= COLJ_WORD)
	{
		const uint8_t *p = reveal(c->doc, c->entries + iter->i, COLJ_WORD);

		if (p == NULL)
			return false;
		memcpy(&word, p, COLJ_WORD);
		if (container_mask(word) != 0)
			break;
		colj_tally_word(word, &sum);
		iter->i += COLJ_WORD;
	}
	iter->small += sum.small;
	iter->rank += sum.big;
	return true;
}

ColjStatus
colj_iter_container(ColjIter *iter, ColjValue *out)
{
	const ColjContainer *c = &iter->c;
	const uint8_t *p = &c->entry;

	if (c->fixed && COLJ_ENTRY_TAG(c->entry) < COLJ_TAG_ARRAY)
		return COLJ_ABSENT;
	if (!c->fixed && !pass_scalars(iter))
		return COLJ_CORRUPT;
	while (iter->i < c->n)
	{
		if (!c->fixed && (p = reveal(c->doc, c->entries + iter->i, 1)) == NULL)
			return COLJ_CORRUPT;
		iter->i++;
		if (COLJ_ENTRY_TAG(*p) >= COLJ_TAG_ARRAY)
			return value_after_passed(iter, *p, out);
		if (colj_entry_is_big(*p))
			iter->rank++;
		else
			iter->small += colj_entry_small_size(*p);
	}
	return COLJ_ABSENT;
}
