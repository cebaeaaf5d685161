# text: JSON text to documents and back, in memory: the documents are elements
# of arrays, so that no table, no TOAST and no compression is in the times.
#
# Copyright (c) 2026, the colj authors

bench_text()
{
	local corpus ids

	for corpus in tweets github bluesky catalog geo wide large small; do
		need $corpus external
		make_converters
		ids=$(sql -c "SELECT max(id) FROM (SELECT id, sum(octet_length(doc)) OVER (ORDER BY id)
			FROM $corpus) s WHERE sum < 8000000")
		compare text $corpus external parse ms \
			"SELECT ms, NULL::text AS answer FROM parse_time_{type}('{source}', $ids)"
		compare text $corpus external print ms \
			"SELECT * FROM print_time_{type}('{table}', $ids)"
	done
}

# Functions of each type, as PL/pgSQL variables need one: the time to convert
# the documents up to an id.  Only the conversion is timed.
make_converters()
{
	sql <<-'SQL' >/dev/null
		SELECT format($make$
			CREATE OR REPLACE FUNCTION parse_time_%1$s(source text, ids int,
													   OUT ms float8, OUT answer text)
			LANGUAGE plpgsql AS $f$
			DECLARE
				docs text[];
				start float8;
			BEGIN
				EXECUTE format('SELECT array_agg(doc) FROM %%I WHERE id <= %%s', source, ids)
					INTO docs;
				start := clock_ms();
				answer := sum(pg_column_size(d::%1$s)) FROM (SELECT unnest(docs) AS d) s;
				ms := clock_ms() - start;
			END $f$;
			CREATE OR REPLACE FUNCTION print_time_%1$s(source text, ids int,
													   OUT ms float8, OUT answer text)
			LANGUAGE plpgsql AS $f$
			DECLARE
				docs %1$s[];
				start float8;
			BEGIN
				EXECUTE format('SELECT array_agg(doc) FROM %%I WHERE id <= %%s', source, ids)
					INTO docs;
				start := clock_ms();
				answer := sum(octet_length(d::text)) FROM (SELECT unnest(docs) AS d) s;
				ms := clock_ms() - start;
			END $f$ $make$, type)
		FROM system WHERE name IN ('jsonb', 'colj') \gexec
	SQL
}
