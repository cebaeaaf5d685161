/*-------------------------------------------------------------------------
 *
 * chain.c
 *	  Recognizing expressions that take one value out of a colj column.
 *
 * The accessors are known by the C functions behind them, so that it does not
 * matter which schema they are in, or whether they were folded (support.c).
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/string.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "format/packed.h"
#include "type/chain.h"

/* What an accessor's second argument is, and what it returns. */
typedef struct Accessor
{
	PGFunction	function;
	enum
	{
		KEY,
		INDEX,
		TEXT_PATH,
		COLJ_PATH
	}			argument;
	bool		as_text;
} Accessor;

extern PGDLLEXPORT Datum colj_object_field(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_object_field_text(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_array_element(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_array_element_text(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_extract_path(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_extract_path_text(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_get(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_get_text(PG_FUNCTION_ARGS);

static const Accessor accessors[] = {
	{colj_object_field, KEY, false},
	{colj_object_field_text, KEY, true},
	{colj_array_element, INDEX, false},
	{colj_array_element_text, INDEX, true},
	{colj_extract_path, TEXT_PATH, false},
	{colj_extract_path_text, TEXT_PATH, true},
	{colj_get, COLJ_PATH, false},
	{colj_get_text, COLJ_PATH, true},
};

extern PGDLLEXPORT Datum colj_in(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_bool(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_numeric(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_int2(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_int4(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_int8(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_float4(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum colj_float8(PG_FUNCTION_ARGS);

static const PGFunction casts[] = {
	colj_bool, colj_numeric, colj_int2, colj_int4, colj_int8, colj_float4, colj_float8
};

/* The type's OID when it was last looked up, forgotten when any type changes. */
static Oid	known_colj = InvalidOid;

static void
forget_type(Datum arg, int cacheid, uint32 hashvalue)
{
	(void) arg;
	(void) cacheid;
	(void) hashvalue;
	known_colj = InvalidOid;
}

/* The C function behind an SQL function; NULL if it is in another language. */
static PGFunction
c_function(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr;
}

static bool
has_our_input(Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Form_pg_type form;
	bool		candidate;
	Oid			input;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_type) GETSTRUCT(tuple);
	candidate = strcmp(NameStr(form->typname), "colj") == 0 && form->typtype == TYPTYPE_BASE;
	input = form->typinput;
	ReleaseSysCache(tuple);
	return candidate && c_function(input) == colj_in;
}

bool
colj_is_colj_type(Oid type)
{
	static bool registered = false;

	if (type < FirstGenbkiObjectId)
		return false;
	if (type == known_colj)
		return true;
	type = getBaseType(type);
	if (type == known_colj)
		return true;
	if (!has_our_input(type))
		return false;
	if (!registered)
		CacheRegisterSyscacheCallback(TYPEOID, forget_type, (Datum) 0);
	registered = true;
	known_colj = type;
	return true;
}

static Node *
strip_relabel(Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* A call's function and arguments, whether it is written as an operator or not. */
static List *
call_arguments(Node *node, Oid *function)
{
	if (IsA(node, OpExpr))
	{
		set_opfuncid((OpExpr *) node);
		*function = ((OpExpr *) node)->opfuncid;
		return ((OpExpr *) node)->args;
	}
	if (IsA(node, FuncExpr))
	{
		*function = ((FuncExpr *) node)->funcid;
		return ((FuncExpr *) node)->args;
	}
	return NIL;
}

static const Accessor *
find_accessor(Oid function)
{
	PGFunction	address = c_function(function);

	for (int i = 0; i < (int) lengthof(accessors); i++)
	{
		if (accessors[i].function == address)
			return &accessors[i];
	}
	return NULL;
}

/* A step in front of those that are there. */
static bool
add_step(ColjChain *chain, const char *key, uint32 len, bool indexed, int32 index)
{
	ColjStep   *step;

	if (chain->n == COLJ_CHAIN_MAX)
		return false;
	memmove(chain->steps + 1, chain->steps, chain->n * sizeof(ColjStep));
	chain->n++;
	step = &chain->steps[0];
	step->key = key;
	step->len = len;
	step->indexed = indexed;
	step->index = index;
	return true;
}

/* A text that is a key for an object and, if it is a number, an index for an array. */
static bool
add_text_step(ColjChain *chain, Datum datum)
{
	text	   *key = DatumGetTextPP(datum);
	char	   *string = text_to_cstring(key);
	char	   *end;
	int			index;
	bool		indexed;

	errno = 0;
	index = strtoint(string, &end, 10);
	indexed = end != string && *end == '\0' && errno == 0;
	return add_step(chain, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), indexed, indexed ? index : 0);
}

static bool
add_text_path(ColjChain *chain, Datum datum)
{
	Datum	   *texts;
	bool	   *nulls;
	int			n;

	deconstruct_array(DatumGetArrayTypeP(datum), TEXTOID, -1, false, TYPALIGN_INT,
					  &texts, &nulls, &n);
	while (n-- > 0)
	{
		if (nulls[n] || !add_text_step(chain, texts[n]))
			return false;
	}
	return true;
}

/* The steps of colj_get, which are few: they are read from the last to the first. */
static bool
add_colj_path(ColjChain *chain, Datum datum)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(datum);
	ColjDoc		doc;
	ColjValue	step;
	uint32_t	n;

	/* a packed path is not worth unpacking: nobody writes one */
	if (colj_is_packed(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)) ||
		colj_open_bytes(&doc, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)) != COLJ_OK ||
		doc.root.kind != COLJ_ARRAY || colj_count(&doc, &doc.root, &n) != COLJ_OK)
		return false;
	while (n-- > 0)
	{
		if (colj_get_index(&doc, &doc.root, n, &step) != COLJ_OK)
			return false;
		if (step.kind == COLJ_STRING)
		{
			const char *key = colj_bytes(&doc, &step);

			if (key == NULL || !add_step(chain, key, step.len, false, 0))
				return false;
		}
		else if (step.kind != COLJ_INT || step.integer != (int32) step.integer ||
				 !add_step(chain, NULL, 0, true, (int32) step.integer))
			return false;
	}
	return true;
}

/* Add the steps that a constant second argument stands for. */
static bool
add_argument(ColjChain *chain, const Accessor *accessor, Node *argument)
{
	Const	   *constant = (Const *) argument;
	text	   *key;

	if (!IsA(argument, Const) || constant->constisnull)
		return false;
	switch (accessor->argument)
	{
		case KEY:
			key = DatumGetTextPP(constant->constvalue);
			return add_step(chain, VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key), false, 0);
		case INDEX:
			return add_step(chain, NULL, 0, true, DatumGetInt32(constant->constvalue));
		case TEXT_PATH:
			return add_text_path(chain, constant->constvalue);
		default:
			return add_colj_path(chain, constant->constvalue);
	}
}

/* Take one accessor off *node; false if it is none, or its keys are no constants. */
static bool
take_accessor(Node **node, ColjChain *chain, bool as_text)
{
	Oid			function = InvalidOid;
	List	   *args = call_arguments(*node, &function);
	const Accessor *accessor;

	if (list_length(args) != 2 || !colj_is_colj_type(exprType(linitial(args))))
		return false;
	accessor = find_accessor(function);
	if (accessor == NULL || accessor->as_text != as_text ||
		!add_argument(chain, accessor, lsecond(args)))
		return false;
	*node = strip_relabel(linitial(args));
	return true;
}

static bool
take_subscripts(Node **node, ColjChain *chain)
{
	SubscriptingRef *ref = (SubscriptingRef *) *node;
	int			n = list_length(ref->refupperindexpr);

	if (ref->refassgnexpr != NULL || !colj_is_colj_type(ref->refcontainertype))
		return false;
	while (n-- > 0)
	{
		Const	   *constant = list_nth(ref->refupperindexpr, n);
		Datum		key;

		if (!IsA(constant, Const) || constant->constisnull)
			return false;
		key = constant->constvalue;
		if (constant->consttype == INT4OID)
			key = CStringGetTextDatum(DatumGetCString(DirectFunctionCall1(int4out, key)));
		if (!add_text_step(chain, key))
			return false;
	}
	*node = strip_relabel((Node *) ref->refexpr);
	return true;
}

/* Follow accessors that return a colj down to the column. */
static bool
parse_document(Node *node, ColjChain *chain)
{
	while (!IsA(node, Var))
	{
		if (IsA(node, SubscriptingRef) ? !take_subscripts(&node, chain) :
			!take_accessor(&node, chain, false))
			return false;
	}
	chain->column = (Var *) node;
	return chain->column->varlevelsup == 0 && chain->column->varattno > 0 &&
		colj_is_colj_type(chain->column->vartype);
}

static bool
parse_text(Node *node, ColjChain *chain)
{
	return take_accessor(&node, chain, true) && parse_document(node, chain);
}

/* A cast from colj to one of SQL's numbers, or to boolean. */
static bool
is_cast(Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	PGFunction	address;

	if (!IsA(node, FuncExpr) || list_length(call->args) != 1 ||
		!colj_is_colj_type(exprType(linitial(call->args))))
		return false;
	address = c_function(call->funcid);
	for (int i = 0; i < (int) lengthof(casts); i++)
	{
		if (casts[i] == address)
			return true;
	}
	return false;
}

/*
 * What a cast to a type with a modifier, numeric(10, 2) for instance, does
 * after the conversion: a function from the type to itself.  Rounding and
 * cutting are taken to change little.
 */
static Node *
strip_length_coercion(Node *node)
{
	FuncExpr   *call = (FuncExpr *) node;
	ListCell   *lc;

	if (!IsA(node, FuncExpr) || call->funcformat == COERCE_EXPLICIT_CALL ||
		list_length(call->args) < 2 || exprType(linitial(call->args)) != call->funcresulttype)
		return node;
	for_each_from(lc, call->args, 1)
	{
		if (!IsA(lfirst(lc), Const))
			return node;
	}
	return linitial(call->args);
}

/* Is the expression of a type that is found by its text, or from a colj? */
static bool
parse_value(Node *node, ColjChain *chain)
{
	if (is_cast(node))
	{
		chain->result = COLJ_CHAIN_COLJ_CAST;
		return parse_document(strip_relabel(linitial(((FuncExpr *) node)->args)), chain);
	}
	if (chain->type == TEXTOID)
	{
		chain->result = COLJ_CHAIN_TEXT;
		return parse_text(node, chain);
	}
	chain->result = COLJ_CHAIN_COLJ;
	return colj_is_colj_type(chain->type) && !IsA(node, Var) && parse_document(node, chain);
}

bool
colj_chain_parse(Node *node, ColjChain *chain)
{
	chain->n = 0;
	chain->type = exprType(node);
	chain->collation = exprCollation(node);
	node = strip_length_coercion(node);
	if (chain->type == VARCHAROID)
	{
		/* it has no operators of its own, and its values are texts */
		node = strip_relabel(node);
		chain->type = exprType(node);
	}
	if (!IsA(node, CoerceViaIO))
		return parse_value(node, chain);
	chain->result = COLJ_CHAIN_TEXT_CAST;
	node = strip_relabel((Node *) ((CoerceViaIO *) node)->arg);
	return exprType(node) == TEXTOID && parse_text(node, chain);
}
