/*-------------------------------------------------------------------------
 *
 * stripe.h
 *	  Stripes: a batch of rows stored by column, documents by key path.
 *
 * A stripe is a sequence of bytes that is written once, whole, and read in
 * pieces through a window.  It knows rows by their position (0..n-1) and
 * columns by their number; which table and which row numbers they belong to
 * is the business of the store above.
 *
 * Every table column is either plain (fixed-size integers, or bytes) or a
 * document, which is shredded: each key path that occurs often enough with
 * one type becomes a column of its own, and what does not fit a column is
 * kept in the path's or the document's residual.  README.md tells the rules
 * and the bytes.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_STRIPE_H
#define COLJ_STRIPE_H

#include "format/builder.h"
#include "format/text.h"
#include "stripe/vector.h"

/* How a table column is stored. */
typedef enum ColjColumnKind
{
	COLJ_COLUMN_INT,			/* an int64 a row (also float bits, dates,
								 * bool) */
	COLJ_COLUMN_BYTES,			/* bytes a row */
	COLJ_COLUMN_DOCUMENT		/* shredded */
} ColjColumnKind;

typedef struct ColjColumnSpec
{
	ColjColumnKind kind;
	ColjCodec	codec;
	bool		foreign;		/* the caller's own; not stored */
} ColjColumnSpec;

/* One row's value of one table column, on its way in or out. */
typedef struct ColjCell
{
	bool		null;			/* SQL NULL */
	int64_t		integer;		/* COLUMN_INT */
	const char *bytes;			/* COLUMN_BYTES */
	uint32_t	len;
	ColjDoc    *doc;			/* COLUMN_DOCUMENT: fetched whole, stored */
} ColjCell;

typedef struct ColjStripeOptions
{
	uint32_t	vector_rows;	/* rows of a vector, 1..COLJ_VECTOR_ROWS_MAX */
	uint32_t	max_paths;		/* columns made of one document column */
	int			zstd_level;
} ColjStripeOptions;

/*
 * Writing.  Rows are copied in; the writer holds about the raw size of its
 * rows (colj_stripe_writer_bytes), so that the caller can end the stripe when
 * it is full.  finish, called once, gives the stripe's bytes in the writer's
 * memory.  A failure is remembered, but for COLJ_TOO_LARGE from add: the
 * stripe has all the rows that it can have, and the row is not in it.
 */
typedef struct ColjStripeWriter ColjStripeWriter;

extern ColjStripeWriter *colj_stripe_writer_create(const ColjHost *host,
												   const ColjStripeOptions *options,
												   const ColjColumnSpec *columns, uint32_t ncolumns);
extern ColjStatus colj_stripe_writer_add(ColjStripeWriter *writer, const ColjCell *cells);
extern uint32_t colj_stripe_writer_rows(const ColjStripeWriter *writer);
extern size_t colj_stripe_writer_bytes(const ColjStripeWriter *writer);
extern ColjStatus colj_stripe_writer_finish(ColjStripeWriter *writer,
											const uint8_t **bytes, size_t *size);
extern void colj_stripe_writer_free(ColjStripeWriter *writer);

/*
 * The window through which a stripe is read: as ColjDoc's, pieces are fetched
 * into `data`, whose address does not change.
 */
typedef struct ColjStripeWindow ColjStripeWindow;
struct ColjStripeWindow
{
	const uint8_t *data;
	size_t		size;
	bool		(*fetch) (ColjStripeWindow *window, size_t off, size_t len);	/* NULL: all there */
	void	   *fetch_arg;
};

/* The type of a path's column. */
typedef enum ColjPathType
{
	COLJ_PATH_OBJECT,			/* presence only; its keys are paths
								 * themselves */
	COLJ_PATH_BOOL,
	COLJ_PATH_INT,
	COLJ_PATH_DECIMAL,
	COLJ_PATH_STRING,
	COLJ_PATH_NULL,				/* only ever null */
	COLJ_PATH_DOCUMENT			/* anything, as small documents */
} ColjPathType;

/* What a row has at a path. */
typedef enum ColjPresence
{
	COLJ_IS_ABSENT = 0,
	COLJ_IS_NULL = 1,			/* JSON null; for plain columns SQL NULL */
	COLJ_IS_VALUE = 2,
	COLJ_IS_ELSEWHERE = 3		/* another type than the column's: in the
								 * residual */
} ColjPresence;

#define COLJ_NO_PATH UINT32_MAX

/* What the stripe's directory says of a path (or plain column). */
typedef struct ColjPathInfo
{
	uint32_t	column;			/* table column */
	uint32_t	parent;			/* path, or COLJ_NO_PATH for a column's root */
	uint32_t	first_child;	/* paths of one object are neighbours in key
								 * order */
	uint32_t	nchildren;
	const char *key;			/* of the parent object; not terminated */
	uint32_t	key_len;
	ColjPathType type;
	bool		plain;			/* a plain table column; type INT or STRING */
	bool		complete;		/* nothing at or below this path is in a
								 * residual */
	uint32_t	sibling;		/* STRING: path whose value is cut out, or
								 * COLJ_NO_PATH */
	uint32_t	counts[4];		/* rows by ColjPresence */
	uint64_t	raw_bytes;		/* of values, before encoding */
	uint64_t	stored_bytes;
} ColjPathInfo;

/* Bounds of a path's values in one vector, or in the whole stripe. */
typedef struct ColjZone
{
	uint32_t	counts[4];		/* rows by ColjPresence */
	bool		bounded;		/* min and max are known */
	int64_t		min_int;		/* INT, BOOL, DECIMAL (mantissa at `scale`) */
	int64_t		max_int;
	uint8_t		scale;
	const char *min_bytes;		/* STRING: a lower bound, maybe cut short */
	uint32_t	min_len;
	const char *max_bytes;		/* STRING: an upper bound; NULL for none */
	uint32_t	max_len;
} ColjZone;

/* The decoded vector of a path. */
typedef struct ColjPathVector
{
	uint32_t	n;				/* rows */
	const uint8_t *presence;	/* ColjPresence of each row */
	const int64_t *ints;		/* INT, BOOL, DECIMAL: of each row, 0 where
								 * none; NULL for other types */
	const uint8_t *scales;		/* of each row, 0 but for DECIMAL */
	ColjStrings strings;		/* STRING, DOCUMENT: of each row, empty where
								 * none */
	size_t		bytes;			/* of memory held */
} ColjPathVector;

typedef struct ColjStripe ColjStripe;

/*
 * Open a stripe: reads header and directory.  The reader's memory comes from
 * the host until colj_stripe_close.  COLJ_CORRUPT and COLJ_BAD_VERSION leave
 * a sentence in *problem.
 */
extern ColjStatus colj_stripe_open(const ColjHost *host, ColjStripeWindow *window,
								   ColjStripe **stripe, const char **problem);
extern void colj_stripe_close(ColjStripe *stripe);
extern const char *colj_stripe_problem(const ColjStripe *stripe);

extern uint32_t colj_stripe_rows(const ColjStripe *stripe);
extern uint32_t colj_stripe_vector_rows(const ColjStripe *stripe);
extern uint32_t colj_stripe_vectors(const ColjStripe *stripe);
extern uint32_t colj_stripe_columns(const ColjStripe *stripe);
extern uint32_t colj_stripe_paths(const ColjStripe *stripe);
extern const ColjPathInfo *colj_stripe_path(const ColjStripe *stripe, uint32_t path);

/* The codec that a table column was written with. */
extern ColjCodec colj_stripe_codec(const ColjStripe *stripe, uint32_t column);

/* The root path of a table column, and a key's path below an object's. */
extern uint32_t colj_stripe_root(const ColjStripe *stripe, uint32_t column);
extern uint32_t colj_stripe_find(const ColjStripe *stripe, uint32_t parent,
								 const char *key, uint32_t len);

/* Bounds of one vector; COLJ_NO_PATH as vector means the whole stripe. */
extern ColjStatus colj_stripe_zone(ColjStripe *stripe, uint32_t path, uint32_t vector,
								   ColjZone *zone);

/*
 * Decode one vector of a path.  The result is the stripe's, and stays until
 * colj_stripe_forget or the close; decoding it again is free until then.
 */
extern ColjStatus colj_stripe_vector(ColjStripe *stripe, uint32_t path, uint32_t vector,
									 const ColjPathVector **out);
extern void colj_stripe_forget(ColjStripe *stripe);

/*
 * The texts of all rows of an INT or STRING vector, for who keeps a header before
 * each: that of row i begins COLJ_SPACE bytes behind data + starts[i], which is
 * aligned to as many (rows without a value have any text).  *fresh tells that
 * they have just been made: then there is the length, as uint32_t, instead of a
 * header.  They stay as long as the vector.
 */
#define COLJ_SPACE 4
typedef struct ColjSpaced
{
	char	   *data;
	const uint32_t *starts;
} ColjSpaced;

extern ColjStatus colj_stripe_spaced(ColjStripe *stripe, uint32_t path, uint32_t vector,
									 ColjSpaced *out, bool *fresh);

/*
 * Rows of a vector that have the same there, by presence and value, have the same
 * code, so that who takes many rows can do once what is the same for all of them.
 * Codes count from 0 in the order of appearance.  A value that is elsewhere
 * has COLJ_NO_CODE.  n is 0 where there are too many to be of use; so it is
 * for objects.  Codes stay as long as the vector.
 */
#define COLJ_CODES_MAX 1024
#define COLJ_NO_CODE UINT16_MAX
typedef struct ColjCodes
{
	uint32_t	n;				/* other codes than COLJ_NO_CODE */
	uint16_t	absent;			/* the code of rows that have nothing;
								 * COLJ_NO_CODE if there are none */
	const uint16_t *codes;		/* of each row */
} ColjCodes;

extern ColjStatus colj_stripe_codes(ColjStripe *stripe, uint32_t path, uint32_t vector,
									ColjCodes *out);

/* Forget what was decoded of one vector, of all paths. */
extern void colj_stripe_forget_vector(ColjStripe *stripe, uint32_t vector);

/*
 * A number that no other stripe in this process has, and that changes when
 * something is forgotten: while it is the same, pointers to vectors are good.
 */
extern uint64_t colj_stripe_epoch(const ColjStripe *stripe);

/* Rows of one vector of a path by ColjPresence: counts[4], as the directory says. */
extern const uint32_t *colj_stripe_counts(const ColjStripe *stripe, uint32_t path, uint32_t vector);

/* The name of the encoding of a vector's values, for reports; "" when it can't be told. */
extern const char *colj_stripe_encoding(ColjStripe *stripe, uint32_t path, uint32_t vector);

/* Bytes of what is decoded, and about those of the directory. */
extern size_t colj_stripe_memory(const ColjStripe *stripe);
extern size_t colj_stripe_directory_memory(const ColjStripe *stripe);

/*
 * Push the document of a row (or the part of it below a path) into a builder,
 * exactly as it was written.  COLJ_ABSENT: there is nothing, or SQL NULL.
 * The strings pushed are borrowed from the stripe.
 */
extern ColjStatus colj_stripe_assemble(ColjStripe *stripe, uint32_t path, uint32_t row,
									   ColjBuilder *b);

/* Keys of a document's root. */
typedef struct ColjWantedKey
{
	const char *bytes;
	uint32_t	len;
} ColjWantedKey;

typedef struct ColjWanted
{
	uint32_t	n;
	ColjWantedKey *keys;		/* none of them twice */
} ColjWanted;

/* The same with only these keys, if it is an object; else whole. */
extern ColjStatus colj_stripe_assemble_keys(ColjStripe *stripe, uint32_t path, uint32_t row,
											const ColjWanted *wanted, ColjBuilder *b);

/*
 * Append that document as colj_print does.  COLJ_ABSENT: nothing was appended.
 */
extern ColjStatus colj_stripe_print(ColjStripe *stripe, uint32_t path, uint32_t row,
									ColjText *text);

/*
 * What a row's residual holds at a path, as a value in *doc, which is opened:
 * a value that is elsewhere, or those keys of an object that have no columns.
 * COLJ_ABSENT for nothing.
 */
extern ColjStatus colj_stripe_residual(ColjStripe *stripe, uint32_t path, uint32_t row,
									   ColjDoc *doc, ColjValue *value);

/* A scalar at a path of a row, or COLJ_ABSENT; COLJ_UNUSUAL: assemble it. */
extern ColjStatus colj_stripe_scalar(ColjStripe *stripe, uint32_t path, uint32_t row,
									 ColjValue *value, const char **bytes);

/* A plain column's value of a row. */
extern ColjStatus colj_stripe_cell(ColjStripe *stripe, uint32_t column, uint32_t row,
								   ColjCell *cell);

/*
 * Decode and verify everything: after COLJ_OK no reader can fail on the
 * stripe, but for want of memory, and the zones tell the truth.
 */
extern ColjStatus colj_stripe_check(ColjStripe *stripe);

/*
 * The same, going on behind what is damaged: report is told of each vector
 * (path is COLJ_NO_PATH where none is to blame).  The status is COLJ_OK, or
 * COLJ_NO_MEMORY.
 */
typedef void (*ColjStripeReport) (void *arg, uint32_t path, uint32_t vector, const char *problem);

extern ColjStatus colj_stripe_check_all(ColjStripe *stripe, ColjStripeReport report, void *arg);

#endif							/* COLJ_STRIPE_H */
