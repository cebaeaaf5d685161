# 2014: the queries by which jsonb's layout was chosen.  Q1: search a GIN index,
# then take one key of each hit.  Q2: take one key of each row.
#
# Copyright (c) 2026, the colj authors

bench_2014()
{
	local storage

	for storage in extended external; do
		queries_of tweets $storage '{"lang": "en"}' "doc ->> 'id_str'"
		queries_of github $storage '{"type": "WatchEvent"}' "doc ->> 'created_at'"
		queries_of wide $storage '{"53": 2}' "doc ->> '500'"
	done
}

# queries_of CORPUS STORAGE CONTAINED EXPRESSION
queries_of()
{
	local corpus=$1 storage=$2 min_rounds=$min_rounds seconds=$seconds

	need "$corpus" "$storage"
	extract 2014 "$corpus" "$storage" Q2 '' "$4"
	say "  indexing $corpus $storage"
	seconds=0 min_rounds=1 compare 2014 "$corpus" "$storage" 'index' ms \
		"SELECT * FROM index_time('{table}', 'gin (doc {type}_path_ops)')"
	PGOPTIONS="$PGOPTIONS -c enable_seqscan=off" \
		extract 2014 "$corpus" "$storage" Q1 "doc @> '$3'" "$4"
	seconds=0 min_rounds=1 compare 2014 "$corpus" "$storage" 'size' bytes \
		"SELECT pg_table_size('{table}')::float8 AS bytes, NULL::text AS answer"
}
