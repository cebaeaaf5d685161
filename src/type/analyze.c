/*-------------------------------------------------------------------------
 *
 * analyze.c
 *	  ANALYZE of a colj column.
 *
 * The ordinary statistics (most common documents, a histogram of them) are
 * collected by core.  To these come statistics on the paths in the documents:
 * collect.c gathers them, fold.c and summary.c make a document of them, whose
 * form pathstats.h describes, and which goes into a further slot of the
 * column's row in pg_statistic.
 *
 * Each sampled document is opened once, in a memory context that is reset
 * after it.  Where the documents are so large that reading all of the sample
 * would take long, every k-th of them is read.
 *
 * Copyright (c) 2026, the colj authors
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "type/collect.h"
#include "type/pathstats.h"

PG_FUNCTION_INFO_V1(colj_typanalyze);

/* Bytes of documents that are read, for each unit of the statistics target. */
#define READ_PER_TARGET (4 * 1024 * 1024)

/* But at least so many documents. */
#define READ_MIN 300

/* Memory for the scalars of all paths, at most: kilobytes. */
#define SCALARS_MEMORY (64 * 1024)

/* Size of the statistics, and the paths in them, by the target. */
#define SIZE_MIN (64 * 1024)
#define SIZE_MAX_BYTES (4 * 1024 * 1024)
#define SIZE_PER_TARGET 2560
#define PATHS_MIN 100
#define PATHS_MAX 2000
#define PATHS_PER_TARGET 5

/* What std_typanalyze has set, and the target that it has found. */
typedef struct ColumnAnalysis
{
	AnalyzeAttrComputeStatsFunc compute;
	void	   *extra_data;
	int			target;
} ColumnAnalysis;

/* The documents of the sample, or as many of them as will be read. */
typedef struct Sample
{
	VacAttrStatsP stats;
	AnalyzeAttrFetchFunc fetch;
	int			nrows;
	int			not_null;
	double		bytes;			/* of all documents, uncompressed */
	int			step;			/* read one of so many */
} Sample;

static void
measure_sample(Sample *sample, int target)
{
	double		limit = (double) READ_PER_TARGET * target;
	double		read;

	for (int i = 0; i < sample->nrows; i++)
	{
		bool		isnull;
		Datum		value = sample->fetch(sample->stats, i, &isnull);

		if (isnull)
			continue;
		sample->not_null++;
		sample->bytes += toast_raw_datum_size(value);
	}
	sample->step = 1;
	if (sample->bytes <= limit)
		return;
	read = Max(READ_MIN, sample->not_null * (limit / sample->bytes));
	sample->step = Max(1, (int) (sample->not_null / read));
}

/* Count all documents of the sample in; returns how many were read. */
static int
collect_sample(const Sample *sample, ColjCollection *c)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "colj document of a sample",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	int			seen = 0;
	int			read = 0;

	for (int i = 0; i < sample->nrows; i++)
	{
		ColjDoc		local;
		bool		isnull;
		Datum		value;

		COLJ_ANALYZE_DELAY_POINT();
		value = sample->fetch(sample->stats, i, &isnull);
		if (isnull || seen++ % sample->step != 0)
			continue;
		colj_collect_document(c, colj_document_open(value, COLJ_NEED_ALL, &local));
		MemoryContextReset(context);
		read++;
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return read;
}

/* Put the statistics document into the first slot that is free. */
static void
fill_slot(VacAttrStats *stats, Datum document, const ColjSample *sample)
{
	MemoryContext old;
	float4	   *numbers;
	Datum	   *values;
	int			slot = 0;

	while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
		slot++;
	if (slot == STATISTIC_NUM_SLOTS)
		return;
	old = MemoryContextSwitchTo(stats->anl_context);
	numbers = palloc(sizeof(float4) * COLJ_STATISTIC_NUMBERS);
	numbers[COLJ_STATISTIC_ROWS] = sample->total_rows;
	numbers[COLJ_STATISTIC_DOCUMENTS] = sample->documents;
	values = palloc(sizeof(Datum));
	values[0] = datumCopy(document, false, -1);
	MemoryContextSwitchTo(old);
	stats->stakind[slot] = COLJ_STATISTIC_KIND;
	stats->stanumbers[slot] = numbers;
	stats->numnumbers[slot] = COLJ_STATISTIC_NUMBERS;
	stats->stavalues[slot] = values;
	stats->numvalues[slot] = 1;
	stats->statypid[slot] = getBaseType(stats->attrtypid);
	stats->statyplen[slot] = -1;
	stats->statypbyval[slot] = false;
	stats->statypalign[slot] = TYPALIGN_INT;
}

/* Gather, trim and store the statistics on paths. */
static void
compute_paths(Sample *sample, int target, double total_rows)
{
	ColjSample	facts = {.target = target, .total_rows = total_rows};
	ColjCollection *c;

	measure_sample(sample, target);
	if (sample->not_null == 0)
		return;
	c = colj_collect_begin((Size) Min(maintenance_work_mem, SCALARS_MEMORY) * 1024);
	facts.documents = collect_sample(sample, c);
	facts.total = total_rows * sample->not_null / sample->nrows;
	facts.size_limit = Min(Max(SIZE_MIN, (int64) SIZE_PER_TARGET * target), SIZE_MAX_BYTES);
	colj_collect_fold(c, Min(Max(PATHS_MIN, PATHS_PER_TARGET * target), PATHS_MAX));
	fill_slot(sample->stats, colj_collect_summary(c, &facts), &facts);
}

static void
compute_stats(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int nrows, double total_rows)
{
	ColumnAnalysis *analysis = stats->extra_data;
	Sample		sample = {.stats = stats, .fetch = fetch, .nrows = nrows};
	MemoryContext context;
	MemoryContext old;

	stats->extra_data = analysis->extra_data;
	analysis->compute(stats, fetch, nrows, total_rows);
	stats->extra_data = analysis;
	if (!stats->stats_valid)
		return;
	context = AllocSetContextCreate(CurrentMemoryContext, "colj path statistics",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(context);
	compute_paths(&sample, analysis->target, total_rows);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/*
 * colj_typanalyze(internal) - the type's ANALYZE function
 *
 * Argument and result as PostgreSQL's documentation of CREATE TYPE says.
 */
Datum
colj_typanalyze(PG_FUNCTION_ARGS)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);
	ColumnAnalysis *analysis;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);
	analysis = palloc(sizeof(ColumnAnalysis));
	analysis->compute = stats->compute_stats;
	analysis->extra_data = stats->extra_data;
	analysis->target = COLJ_ANALYZE_TARGET(stats);
	stats->compute_stats = compute_stats;
	stats->extra_data = analysis;
	PG_RETURN_BOOL(true);
}
