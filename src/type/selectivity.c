/*-------------------------------------------------------------------------
 *
 * selectivity.c
 *	  How many rows @>, ?, ?|, ?&, @? and @@ select.
 *
 * These are the operators' restriction estimators.  They use the statistics on
 * paths.  Without any, or when what the column is compared with is not known
 * yet, core's estimator for matching operators decides.
 *
 * A document contains an object if it has all its members, and each contains
 * what it shall.  Members tend to come together, so their shares are not simply
 * multiplied (colj_share_all); values at different paths are taken to be
 * independent, as everywhere in PostgreSQL.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/pathnodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "type/compare.h"
#include "type/selectivity.h"
#include "type/shares.h"

PG_FUNCTION_INFO_V1(colj_contains_sel);
PG_FUNCTION_INFO_V1(colj_contained_sel);
PG_FUNCTION_INFO_V1(colj_exists_sel);
PG_FUNCTION_INFO_V1(colj_exists_any_sel);
PG_FUNCTION_INFO_V1(colj_exists_all_sel);
PG_FUNCTION_INFO_V1(colj_path_exists_sel);
PG_FUNCTION_INFO_V1(colj_path_match_sel);

static double contains_share(const ColjStatNode *node, ColjDoc *doc, const ColjValue *wanted);

/* All members of an object that is wanted. */
static double
members_share(const ColjStatNode *node, ColjDoc *doc, const ColjValue *object)
{
	ColjIter	iter;
	ColjKey		key;
	ColjValue	wanted;
	double	   *present;
	double		share = 1;
	int			n = 0;

	colj_ensure(colj_iter_open(doc, object, &iter), doc);
	if (iter.c.n == 0)
		return colj_stats_kind_share(node, COLJ_OBJECT);
	present = palloc(sizeof(double) * iter.c.n);
	while (colj_found(colj_iter_next(&iter, &key, &wanted), doc))
	{
		ColjStatNode member;

		CHECK_FOR_INTERRUPTS();
		colj_stats_member(node, key.bytes, key.len, &member);
		present[n++] = colj_share_of_parent(node, &member);
		share *= contains_share(&member, doc, &wanted);
	}
	share *= colj_share_all(present, n);
	pfree(present);
	return share;
}

/* All elements of an array that is wanted. */
static double
elements_share(const ColjStatNode *node, ColjDoc *doc, const ColjValue *array)
{
	ColjIter	iter;
	ColjValue	wanted;
	ColjStatNode element;
	double		share = 1;

	colj_ensure(colj_iter_open(doc, array, &iter), doc);
	if (iter.c.n == 0)
		return colj_stats_kind_share(node, COLJ_ARRAY);
	colj_stats_any_element(node, &element);
	while (colj_found(colj_iter_next(&iter, NULL, &wanted), doc))
	{
		CHECK_FOR_INTERRUPTS();
		if (colj_is_container(&wanted))
			share *= colj_share_any_element(node, contains_share(&element, doc, &wanted));
		else
			share *= colj_share_element(node, doc, &wanted);
	}
	return share;
}

/* Of the times that a path is there, how often its value contains what is wanted. */
static double
contains_share(const ColjStatNode *node, ColjDoc *doc, const ColjValue *wanted)
{
	check_stack_depth();
	if (!node->known)
		return 1;
	if (wanted->kind == COLJ_OBJECT)
		return members_share(node, doc, wanted);
	if (wanted->kind == COLJ_ARRAY)
		return elements_share(node, doc, wanted);
	return colj_share_equal(node, doc, wanted);
}

/* The arguments of an estimator, and what they lead to. */
typedef struct Restriction
{
	PlannerInfo *root;
	Oid			operator;
	List	   *args;
	int			relid;
	Oid			collation;
	VariableStatData vardata;
	bool		variable;		/* vardata is filled */
	ColjStats	stats;
	Datum		constant;
} Restriction;

/*
 * Is this a column, or an expression, with statistics that may be used,
 * against a constant that is known?  The column stands on the left side, or
 * else on the right.
 */
static bool
open_restriction(FunctionCallInfo fcinfo, Restriction *r, bool left)
{
	Node	   *other;
	bool		on_left;
	Const	   *constant;

	r->root = (PlannerInfo *) PG_GETARG_POINTER(0);
	r->operator = PG_GETARG_OID(1);
	r->args = (List *) PG_GETARG_POINTER(2);
	r->relid = PG_GETARG_INT32(3);
	r->collation = PG_GET_COLLATION();
	r->variable = get_restriction_variable(r->root, r->args, r->relid, &r->vardata,
										   &other, &on_left);
	if (!r->variable || on_left != left || !IsA(other, Const))
		return false;
	constant = (Const *) other;
	r->constant = constant->constvalue;
	return !constant->constisnull &&
		statistic_proc_security_check(&r->vardata, get_opcode(r->operator)) &&
		colj_stats_open(&r->stats, r->vardata.statsTuple);
}

static Datum
close_restriction(Restriction *r, double share)
{
	Selectivity selectivity = share;

	CLAMP_PROBABILITY(selectivity);
	if (r->variable)
		ReleaseVariableStats(r->vardata);
	PG_RETURN_FLOAT8(selectivity);
}

/* What core thinks of it. */
static Datum
core_estimate(Restriction *r)
{
	double		share = generic_restriction_selectivity(r->root, r->operator, r->collation,
														r->args, r->relid,
														DEFAULT_MATCHING_SEL);

	return close_restriction(r, share);
}

static Datum
contains_selectivity(FunctionCallInfo fcinfo, bool left)
{
	Restriction r;
	ColjStatNode root;
	ColjDoc		local;
	ColjDoc    *doc;
	double		share;

	if (!open_restriction(fcinfo, &r, left))
		return core_estimate(&r);
	colj_stats_root(&r.stats, &root);
	doc = colj_document_open(r.constant, COLJ_NEED_ALL, &local);
	share = contains_share(&root, doc, &doc->root);
	/* at the root, an array contains a scalar that is one of its elements */
	if (!colj_is_container(&doc->root))
		share += colj_share_element(&root, doc, &doc->root);
	return close_restriction(&r, Min(share, 1.0) * root.share);
}

/* colj_contains_sel(internal, oid, internal, integer) - of column @> constant */
Datum
colj_contains_sel(PG_FUNCTION_ARGS)
{
	return contains_selectivity(fcinfo, true);
}

/* colj_contained_sel(internal, oid, internal, integer) - of constant <@ column */
Datum
colj_contained_sel(PG_FUNCTION_ARGS)
{
	return contains_selectivity(fcinfo, false);
}

/* The share of rows whose document has a key, or a string among its elements. */
static double
key_share(const ColjStatNode *root, Datum string)
{
	text	   *key = DatumGetTextPP(string);
	ColjValue	value = {.kind = COLJ_STRING, .len = VARSIZE_ANY_EXHDR(key)};
	ColjDoc		doc = {.data = (const uint8_t *) VARDATA_ANY(key),
		.avail = VARSIZE_ANY_EXHDR(key),
	.size = VARSIZE_ANY_EXHDR(key)};
	ColjStatNode member;
	double		share;

	colj_stats_member(root, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), &member);
	share = member.share;
	share += colj_share_element(root, &doc, &value) * root->share;
	share += colj_share_equal(root, &doc, &value) * root->share;
	return Min(share, 1.0);
}

/* colj_exists_sel(internal, oid, internal, integer) - of column ? constant */
Datum
colj_exists_sel(PG_FUNCTION_ARGS)
{
	Restriction r;
	ColjStatNode root;

	if (!open_restriction(fcinfo, &r, true))
		return core_estimate(&r);
	colj_stats_root(&r.stats, &root);
	return close_restriction(&r, key_share(&root, r.constant));
}

/* The shares of an array's strings that are not NULL. */
static double *
key_shares(ColjStats *stats, Datum array, int *n)
{
	ColjStatNode root;
	Datum	   *strings;
	bool	   *nulls;
	double	   *shares;
	int			all;

	colj_stats_root(stats, &root);
	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT,
					  &strings, &nulls, &all);
	shares = palloc(sizeof(double) * Max(all, 1));
	*n = 0;
	for (int i = 0; i < all; i++)
	{
		if (!nulls[i])
			shares[(*n)++] = key_share(&root, strings[i]);
	}
	return shares;
}

/* colj_exists_any_sel(internal, oid, internal, integer) - of column ?| constant */
Datum
colj_exists_any_sel(PG_FUNCTION_ARGS)
{
	Restriction r;
	double	   *shares;
	double		none = 1;
	int			n;

	if (!open_restriction(fcinfo, &r, true))
		return core_estimate(&r);
	shares = key_shares(&r.stats, r.constant, &n);
	for (int i = 0; i < n; i++)
		none *= 1 - shares[i];
	return close_restriction(&r, 1 - none);
}

/* colj_exists_all_sel(internal, oid, internal, integer) - of column ?& constant */
Datum
colj_exists_all_sel(PG_FUNCTION_ARGS)
{
	Restriction r;
	double	   *shares;
	double		share;
	int			n;

	if (!open_restriction(fcinfo, &r, true))
		return core_estimate(&r);
	shares = key_shares(&r.stats, r.constant, &n);
	share = n > 0 ? colj_share_all(shares, n) : r.stats.not_null;
	return close_restriction(&r, share);
}

static Datum
jsonpath_selectivity(FunctionCallInfo fcinfo, bool is_predicate)
{
	Restriction r;
	double		share;

	if (!open_restriction(fcinfo, &r, true) ||
		!colj_jsonpath_share(&r.stats, DatumGetJsonPathP(r.constant), is_predicate, &share))
		return core_estimate(&r);
	return close_restriction(&r, share);
}

/* colj_path_exists_sel(internal, oid, internal, integer) - of column @? constant */
Datum
colj_path_exists_sel(PG_FUNCTION_ARGS)
{
	return jsonpath_selectivity(fcinfo, false);
}

/* colj_path_match_sel(internal, oid, internal, integer) - of column @@ constant */
Datum
colj_path_match_sel(PG_FUNCTION_ARGS)
{
	return jsonpath_selectivity(fcinfo, true);
}
