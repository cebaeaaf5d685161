# gin: building the indexes, and their sizes.
#
# Copyright (c) 2026, the colj authors

bench_gin()
{
	local corpus class

	for corpus in bluesky github tweets; do
		need $corpus extended
		for class in path_ops ops; do
			say "  indexing $corpus by $class"
			min_rounds=$((min_rounds < 3 ? min_rounds : 3)) seconds=0 compare gin $corpus extended "$class: build" ms \
				"SELECT * FROM index_time('{table}', 'gin (doc {type}_$class)')"
			min_rounds=1 seconds=0 compare gin $corpus extended "$class: size" bytes \
				"SELECT pg_relation_size('{table}_index')::float8 AS bytes, NULL::text AS answer"
		done
	done
}
