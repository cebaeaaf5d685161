# size: bytes of the stored values, and of the tables with their TOAST tables.
# EXTERNAL is what the format itself takes; EXTENDED is after pglz.
#
# Copyright (c) 2026, the colj authors

bench_size()
{
	local corpus storage

	for corpus in tweets github bluesky catalog geo wide large small; do
		for storage in external extended; do
			need $corpus $storage
			size_of $corpus $storage values "SELECT sum(pg_column_size(doc)) FROM {table}"
			size_of $corpus $storage table "SELECT pg_table_size('{table}')"
			ask size $corpus $storage 'text' \
				"SELECT $(checksum doc) FROM {table}"
		done
	done
}

# size_of CORPUS STORAGE MEASURE QUERY
size_of()
{
	local min_rounds=1 seconds=0

	compare size "$1" "$2" "$3" bytes \
		"SELECT bytes::float8, NULL::text AS answer FROM ($4) q(bytes)"
}
