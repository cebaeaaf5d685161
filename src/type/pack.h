/*-------------------------------------------------------------------------
 *
 * pack.h
 *	  The form in which a document is stored: as it is, or compressed.
 *
 * Any form is a colj value, and all readers take every form; the form is
 * chosen where a value is made from text or jsonb, and where it is assigned to
 * something that has a type modifier.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLJ_PACK_H
#define COLJ_PACK_H

#include "format/packed.h"
#include "guc.h"

/* What a type modifier asks for. */
typedef struct ColjForm
{
	bool		zstd;			/* or as it is */
	int			level;			/* 0: what colj.zstd_level says */
	uint32		dictionary;		/* hash of its name; 0: none */
} ColjForm;

/* The form of a type modifier (typmod.c); of a negative one, what the settings say. */
extern void colj_form(int32 typmod, ColjForm *form);

/* The backend's contexts of libzstd; and giving back what is large (end of transaction). */
extern ColjZstd *colj_zstd(void);
extern void colj_zstd_trim(void);

/*
 * Give a document that was just made, in one palloc'd piece and not packed,
 * the form of a type modifier.  Takes the memory over.
 */
extern Datum colj_pack_made(Datum made, int32 typmod);

/* A value detoasted, and not packed; it may be the value itself. */
extern struct varlena *colj_unpacked(Datum value);

static inline Datum
colj_made(Datum made, int32 typmod)
{
	if (likely(typmod < 0 && colj_compression == COLJ_COMPRESSION_NONE))
		return made;
	return colj_pack_made(made, typmod);
}

#endif							/* COLJ_PACK_H */
