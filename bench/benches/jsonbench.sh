# jsonbench: the five queries of JSONBench on events of Bluesky's network (made
# up, 1,000,000 at --scale 1): jsonb, colj, a colj table, SQLite and DuckDB, one
# thread and all cores.  Every system loads the same file and keeps whole
# documents in one column.
#
# A hot run is the median of runs after a first; a cold one is the first of a
# server just started (or a new process), the files dropped from the kernel's
# cache as far as it lets go of them.
#
# Copyright (c) 2026, the colj authors

bench_jsonbench()
{
	local systems='jsonb colj table' rows n file=$work/events.jsonl min_rounds=$((min_rounds < 3 ? min_rounds : 3))

	rows=$(rows_of events)
	add_system sqlite SQLite
	add_system duckdb DuckDB
	has clickhouse || has mongodb || true
	say "  generating $rows events"
	documents events "$rows" >"$file"
	jsonbench_load
	jsonbench_sizes
	[ "$colj_type" != colj ] || ask jsonbench events '' documents \
		'SELECT sum(hashtextextended(doc::text, 0)) FROM events_{system}_json'
	for n in 1 2 3 4 5; do
		[ -n "$check" ] && [ $n -gt 1 ] || jsonbench_cold $n
	done
	for n in 1 2 3 4 5; do jsonbench_hot $n 'one thread' 1; done
	for n in 1 2 3 4 5; do jsonbench_hot $n 'all cores' "$(nproc)"; done
	plot_bars jsonbench events 'one thread' ms
	plot_bars jsonbench events 'all cores' ms
	sql -c 'DROP TABLE events_jsonb_json, events_colj_json, events_table_json'
}

jsonbench_load()
{
	local system peers=

	for system in $systems; do
		sql -c "CREATE TABLE events_${system}_json (doc $(type_of $system)) $(method_of $system)
			WITH ($no_vacuum, parallel_workers = $(nproc))"
	done
	! has sqlite || peers+=' sqlite'
	! has duckdb || peers+=' duckdb'
	seconds=0 min_rounds=1 unit=rows/s race jsonbench events '' load jsonbench_load_into $systems $peers
	settle $(printf 'events_%s_json ' $systems)
}

prepare_jsonbench_load_into()
{
	case $1 in
		sqlite | duckdb) rm -f "$work/events.$1" ;;
		*) sql -c "TRUNCATE events_$1_json" ;;
	esac
}

# Its own way of loading for each; a colj table's rows are in stripes then.
jsonbench_load_into()
{
	case $1 in
		sqlite) "$python" - "$work/events.sqlite" "$file" <<-'PYTHON' ;;
			import sqlite3, sys
			database = sqlite3.connect(sys.argv[1])
			database.execute("CREATE TABLE events (doc TEXT)")
			with open(sys.argv[2], encoding="utf-8") as lines:
			    database.executemany("INSERT INTO events VALUES (json(?))", ((line,) for line in lines))
			database.commit()
		PYTHON
		duckdb) echo "CREATE TABLE events AS SELECT json AS doc FROM read_ndjson_objects('$file')" |
			in_duckdb "$work/events.duckdb" 0 0 ;;
		*) sql -c "COPY events_$1_json FROM STDIN (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" <"$file"
			[ "$1" != table ] || compact events_table_json ;;
	esac
}

jsonbench_sizes()
{
	local system bytes

	for system in $systems sqlite duckdb; do
		case $system in
			sqlite | duckdb) has $system || continue
				bytes=$(stat -c %s "$work/events.$system") ;;
			*) bytes=$(sql -c "SELECT pg_table_size('events_${system}_json')") ;;
		esac
		note jsonbench events '' size bytes/document $system 1 $((bytes / rows))
	done
	noted
}

# jsonbench_query N SYSTEM: in the system's SQL; {system} is the server's own.
jsonbench_query()
{
	local table=events collection kind operation did time hour create

	case $2 in
		sqlite | duckdb) collection="doc ->> '\$.commit.collection'" kind="doc ->> '\$.kind'"
			operation="doc ->> '\$.commit.operation'" did="doc ->> '\$.did'"
			time="CAST(doc ->> '\$.time_us' AS BIGINT)" ;;
		*) table='events_{system}_json' collection="doc -> 'commit' ->> 'collection'" kind="doc ->> 'kind'"
			operation="doc -> 'commit' ->> 'operation'" did="doc ->> 'did'"
			time="(doc ->> 'time_us')::bigint" ;;
	esac
	hour="$time / 3600000000 % 24"
	[ "$2" != duckdb ] || hour="$time // 3600000000 % 24"
	create="($kind) = 'commit' AND ($operation) = 'create'"
	case $1 in
		1) echo "SELECT $collection AS event, count(*) AS n FROM $table GROUP BY 1 ORDER BY n DESC, event" ;;
		2) echo "SELECT $collection AS event, count(*) AS n, count(DISTINCT $did) FROM $table
			WHERE $create GROUP BY 1 ORDER BY n DESC, event" ;;
		3) echo "SELECT $collection AS event, $hour AS hour, count(*) FROM $table
			WHERE $create AND ($collection) IN ('app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like')
			GROUP BY 1, 2 ORDER BY hour, event" ;;
		4) echo "SELECT $did AS who, min($time) AS first FROM $table
			WHERE $create AND ($collection) = 'app.bsky.feed.post' GROUP BY 1 ORDER BY first, who LIMIT 3" ;;
		5) echo "SELECT $did AS who, max($time) - min($time) AS span FROM $table
			WHERE $create AND ($collection) = 'app.bsky.feed.post' GROUP BY 1 ORDER BY span DESC, who LIMIT 3" ;;
	esac
}

# The server's rows in one line, as the peers print them.
jsonbench_rows() { echo "SELECT string_agg(q::text, ' ') FROM ($(jsonbench_query "$1" colj)) q"; }

# jsonbench_hot N STORAGE THREADS
jsonbench_hot()
{
	local key=(jsonbench events "$2" "Q$1")

	say "  Q$1, $2"
	PGOPTIONS="$PGOPTIONS -c max_parallel_workers_per_gather=$(($3 - 1)) -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c work_mem=64MB" \
		compare "${key[@]}" ms "SELECT * FROM query_time(\$q\$$(jsonbench_rows "$1")\$q\$)"
	[ "$3" -gt 1 ] || ! has sqlite || jsonbench_query "$1" sqlite |
		peer "${key[@]}" sqlite in_sqlite "$work/events.sqlite" "$min_rounds" "$seconds"
	! has duckdb || jsonbench_query "$1" duckdb | DUCKDB_THREADS=$3 \
		peer "${key[@]}" duckdb in_duckdb "$work/events.duckdb" "$min_rounds" "$seconds"
}

# jsonbench_cold N
jsonbench_cold()
{
	local system ms answer key=(jsonbench events '' "Q$1 cold")

	has restart || return 0
	for system in $systems; do
		restart_cold
		IFS='|' read -r ms answer < <(sql -F '|' -c "SELECT * FROM query_time(fill(\$q\$$(jsonbench_rows "$1")\$q\$, '', '', '$system'))")
		note "${key[@]}" ms $system 1 "$ms"
		note_answer "${key[@]}" $system "$answer"
	done
	for system in sqlite duckdb; do
		has $system || continue
		drop_files "$work/events.$system"
		jsonbench_query "$1" $system | peer "${key[@]}" $system in_$system "$work/events.$system" 0 0
	done
	noted
}
