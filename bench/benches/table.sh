# table: a table USING colj, its rows in stripes, beside jsonb and colj on heap:
# size, sums and groups over keys, whole documents, loading and compaction, and
# single rows by primary key.
#
# Copyright (c) 2026, the colj authors

bench_table()
{
	local systems='jsonb colj table' corpus

	for corpus in bluesky github tweets; do
		need $corpus extended
		sizes table $corpus extended
	done
	table_queries bluesky "(doc ->> 'time_us')::bigint" "doc ->> 'kind' = 'commit'" "doc ->> 'kind'"
	table_queries github "(doc ->> 'id')::bigint" "doc ->> 'type' = 'ForkEvent'" "doc ->> 'type'"
	table_queries tweets "(doc ->> 'retweet_count')::int" "doc ->> 'lang' = 'en'" "doc ->> 'lang'"
	for corpus in bluesky github tweets; do
		table_load $corpus
		plot_bars table $corpus extended ms
	done
	table_rows
}

# table_queries CORPUS NUMBER CONDITION GROUP
table_queries()
{
	table_query "$1" sum "SELECT sum($2) FROM {table}"
	table_query "$1" 'count where' "SELECT count(*) FROM {table} WHERE $3"
	table_query "$1" 'group by' \
		"SELECT string_agg(q::text, ' ' ORDER BY q) FROM (SELECT $4, count(*) FROM {table} GROUP BY 1) q"
	table_query "$1" 'sum, group by' \
		"SELECT string_agg(q::text, ' ' ORDER BY q) FROM (SELECT $4, sum($2) FROM {table} GROUP BY 1) q"
	table_query "$1" 'whole documents' "SELECT sum(octet_length(doc::text)) FROM {table}"
	ask table "$1" extended 'documents' "SELECT $(checksum doc) FROM {table}"
}

# table_query CORPUS MEASURE QUERY
table_query()
{
	compare table "$1" extended "$2" ms "SELECT * FROM query_time(\$q\$$3\$q\$)"
}

# COPY as it is; COPY until all rows are in stripes; and compaction alone of rows
# that were in the row store, beside COPY into the others.  They leave holes.
table_load()
{
	local system rows unit=rows/s corpus=$1 seconds=0 min_rounds=$((min_rounds < 3 ? min_rounds : 3))

	say "  copying $corpus"
	rows=$(rows_of "$corpus")
	sql -c "COPY (SELECT * FROM $corpus ORDER BY id) TO STDOUT" >"$work/copy"
	for system in $systems; do
		sql -c "CREATE TABLE ${corpus}_${system}_copied (id int, doc $(type_of $system)) $(method_of $system) WITH ($no_vacuum)"
	done
	race table "$corpus" extended COPY table_copy $systems
	race table "$corpus" extended 'COPY into stripes' table_copy_compact $systems
	unit=ms race table "$corpus" extended 'compaction, beside COPY' table_compact $systems
	settle $(printf "${corpus}_%s_copied " $systems)
	# the first VACUUM makes room in front, the second gives back what is behind
	for system in $systems; do
		vacuum $system
	done
	table_size 'size when compacted'
	unit=ms min_rounds=1 race table "$corpus" extended 'VACUUM FULL' table_full $systems
	table_size 'size after VACUUM FULL'
	table_batches
	table_size 'size, ten batches'
	ask table "$corpus" copied rows "SELECT $(checksum doc) FROM {table}"
	sql -c "DROP TABLE $(printf ", ${corpus}_%s_copied" $systems | cut -c 3-)"
}

table_size()
{
	min_rounds=1 compare table "$corpus" extended "$1" bytes \
		"SELECT pg_table_size('${corpus}_{system}_copied')::float8 AS bytes, NULL::text AS answer"
}

prepare_table_copy() { sql -c "TRUNCATE ${corpus}_$1_copied" -c CHECKPOINT; }
prepare_table_copy_compact() { prepare_table_copy "$1"; }
prepare_table_compact()
{
	prepare_table_copy "$1"
	[ "$1" != table ] || PGOPTIONS="$PGOPTIONS -c colj.direct_load_min_rows=0" table_copy "$1"
}

table_copy() { sql -c "COPY ${corpus}_$1_copied FROM STDIN" <"$work/copy"; }
table_copy_compact() { table_copy "$1"; [ "$1" != table ] || compact "${corpus}_$1_copied"; }
table_compact() { if [ "$1" = table ]; then compact "${corpus}_$1_copied"; else table_copy "$1"; fi; }

table_full() { vacuum "$1" FULL; }

# vacuum SYSTEM [OPTION]: stripes, too.
vacuum()
{
	local minimum=

	[ "$1" != table ] || minimum=' -c colj.compact_min_rows=1'
	PGOPTIONS="$PGOPTIONS$minimum" sql -c "VACUUM ${2:-} ${corpus}_$1_copied"
}

# Rows that come bit by bit, VACUUM after each tenth, and twice at the end.
table_batches()
{
	local system i

	for system in $systems; do
		sql -c "TRUNCATE ${corpus}_${system}_copied"
		for i in {0..9}; do
			sql -c "INSERT INTO ${corpus}_${system}_copied
				SELECT id, doc::$(type_of $system) FROM $corpus WHERE id % 10 = $i"
			vacuum $system
		done
		vacuum $system
		vacuum $system
	done
}

table_rows()
{
	local workload systems='jsonb table'

	. "$bench_dir/benches/oltp.sh"
	oltp_prepare table bluesky
	for workload in 'read key' 'read document' 'update key'; do
		oltp_run table bluesky "$workload"
	done
	oltp_forget bluesky
}
