# jsonbench: the five queries of JSONBench on events of Bluesky's network (made
# up, 1,000,000 at --scale 1): jsonb, colj, a colj table, SQLite, DuckDB, ClickHouse
# and MongoDB, one thread and all cores.  Every system loads the same file and keeps
# whole documents in one column.  SQLite and MongoDB answer a query with one thread.
#
# A hot run is the median of runs after a first; a cold one is the first of a
# server just started (or a new process), the files dropped from the kernel's
# cache as far as it lets go of them.
#
# Copyright (c) 2026, the colj authors

bench_jsonbench()
{
	local systems='jsonb colj table' rows n file=$work/events.jsonl min_rounds=$((min_rounds < 3 ? min_rounds : 3))
	local peers='' name label

	rows=$(rows_of events)
	remarks+=("Queries have work_mem 64MB. A cold run is one run, the first after a start.")
	while read -r name label; do
		! has "$name" || { peers+=" $name"; add_system "$name" "$label"; }
	done <<<$'sqlite SQLite\nduckdb DuckDB\nclickhouse ClickHouse\nmongodb MongoDB'
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
	rm -rf "$file" $(printf "$work/events.%s " $peers)
}

jsonbench_load()
{
	local system

	for system in $systems; do
		sql -c "CREATE TABLE events_${system}_json (doc $(type_of $system)) $(method_of $system)
			WITH ($no_vacuum, parallel_workers = $(nproc))"
	done
	seconds=0 min_rounds=1 unit=rows/s race jsonbench events '' load jsonbench_load_into $systems $peers
	settle $(printf 'events_%s_json ' $systems)
}

prepare_jsonbench_load_into()
{
	case $1 in
		jsonb | colj | table) sql -c "TRUNCATE events_$1_json" ;;
		*) rm -rf "$work/events.$1" ;;
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
		duckdb) in_duckdb "$work/events.duckdb" 0 0 \
			<<<"CREATE TABLE events AS SELECT json AS doc FROM read_ndjson_objects('$file')" ;;
		clickhouse) in_clickhouse "$work/events.clickhouse" 0 0 \
			'CREATE TABLE events (doc JSON) ENGINE = MergeTree ORDER BY tuple()' \
			<<<"INSERT INTO events SELECT json FROM file('$file', JSONAsObject, 'json JSON')" ;;
		mongodb) in_mongodb "$work/events.mongodb" 0 0 <<<"{load: '$file'}" ;;
		*) sql -c "COPY events_$1_json FROM STDIN (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" <"$file"
			[ "$1" != table ] || compact events_table_json ;;
	esac
}

jsonbench_sizes()
{
	local system bytes

	for system in $systems $peers; do
		case $system in
			sqlite | duckdb) bytes=$(stat -c %s "$work/events.$system") ;;
			clickhouse) bytes=$(in_clickhouse "$work/events.clickhouse" 0 0 'OPTIMIZE TABLE events FINAL' \
				<<<"SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'events'" | one_answer) ;;
			mongodb) bytes=$(in_mongodb "$work/events.mongodb" 0 0 <<<'{size: true}' | one_answer) ;;
			*) bytes=$(sql -c "SELECT pg_table_size('events_${system}_json')") ;;
		esac
		note jsonbench events '' size bytes/document $system 1 $((bytes / rows))
	done
	noted
}

# What a peer's answer of one value is.
one_answer() { sed -n 's/^answer (\(.*\))$/\1/p'; }

# jsonbench_query N SYSTEM: in the system's language; {system} is the server's own.
jsonbench_query()
{
	local table=events collection kind operation did time hour create

	case $2 in
		mongodb) jsonbench_stages "$1"; return ;;
		sqlite | duckdb) collection="doc ->> '\$.commit.collection'" kind="doc ->> '\$.kind'"
			operation="doc ->> '\$.commit.operation'" did="doc ->> '\$.did'"
			time="CAST(doc ->> '\$.time_us' AS BIGINT)" ;;
		clickhouse) collection="doc.commit.collection.:String" kind="doc.kind.:String"
			operation="doc.commit.operation.:String" did="doc.did.:String" time="doc.time_us.:Int64" ;;
		*) table='events_{system}_json' collection="doc -> 'commit' ->> 'collection'" kind="doc ->> 'kind'"
			operation="doc -> 'commit' ->> 'operation'" did="doc ->> 'did'"
			time="(doc ->> 'time_us')::bigint" ;;
	esac
	case $2 in
		duckdb) hour="$time // 3600000000 % 24" ;;
		clickhouse) hour="intDiv($time, 3600000000) % 24" ;;
		*) hour="$time / 3600000000 % 24" ;;
	esac
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

# jsonbench_stages N: the same for MongoDB.
jsonbench_stages()
{
	local event="'\$commit.collection'" hour="{\$mod: [{\$floor: {\$divide: ['\$time_us', 3600000000]}}, 24]}"
	local create="kind: 'commit', 'commit.operation': 'create'" post

	post="{\$match: {$create, 'commit.collection': 'app.bsky.feed.post'}}"
	case $1 in
		1) echo "[{\$group: {_id: $event, n: {\$sum: 1}}}, {\$sort: {n: -1, _id: 1}}, $(jsonbench_order _id n)]" ;;
		2) echo "[{\$match: {$create}}, {\$group: {_id: {event: $event, did: '\$did'}, n: {\$sum: 1}}},
			{\$group: {_id: '\$_id.event', n: {\$sum: '\$n'}, who: {\$sum: 1}}}, {\$sort: {n: -1, _id: 1}},
			$(jsonbench_order _id n who)]" ;;
		3) echo "[{\$match: {$create,
				'commit.collection': {\$in: ['app.bsky.feed.post', 'app.bsky.feed.repost', 'app.bsky.feed.like']}}},
			{\$group: {_id: {event: $event, hour: $hour}, n: {\$sum: 1}}}, {\$sort: {'_id.hour': 1, '_id.event': 1}},
			$(jsonbench_order _id.event _id.hour n)]" ;;
		4) echo "[$post, {\$group: {_id: '\$did', first: {\$min: '\$time_us'}}}, {\$sort: {first: 1, _id: 1}},
			{\$limit: 3}, $(jsonbench_order _id first)]" ;;
		5) echo "[$post, {\$group: {_id: '\$did', first: {\$min: '\$time_us'}, last: {\$max: '\$time_us'}}},
			{\$project: {span: {\$subtract: ['\$last', '\$first']}}}, {\$sort: {span: -1, _id: 1}},
			{\$limit: 3}, $(jsonbench_order _id span)]" ;;
	esac
}

# jsonbench_order FIELD...: the last stage, which makes these fields c1, c2, ...
jsonbench_order()
{
	local i=0 field stage='_id: 0'

	for field; do stage+=", c$((++i)): {\$ifNull: ['\$$field', null]}"; done
	echo "{\$project: {$stage}}"
}

# The server's rows in one line, as the peers print them.
jsonbench_rows() { echo "SELECT string_agg(q::text, ' ') FROM ($(jsonbench_query "$1" colj)) q"; }

# jsonbench_hot N STORAGE THREADS
jsonbench_hot()
{
	local key=(jsonbench events "$2" "Q$1") peer

	say "  Q$1, $2"
	PGOPTIONS="$PGOPTIONS -c max_parallel_workers_per_gather=$(($3 - 1)) -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c work_mem=64MB" \
		compare "${key[@]}" ms "SELECT * FROM query_time(\$q\$$(jsonbench_rows "$1")\$q\$)"
	for peer in $peers; do
		[ "$3" -eq 1 ] || [[ $peer != sqlite && $peer != mongodb ]] || continue
		jsonbench_query "$1" "$peer" | PEER_THREADS=$3 \
			peer "${key[@]}" "$peer" "in_$peer" "$work/events.$peer" "$min_rounds" "$seconds"
	done
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
	noted
	for system in $peers; do
		find "$work/events.$system" -type f -print0 | while IFS= read -r -d '' name; do drop_files "$name"; done
		jsonbench_query "$1" $system | peer "${key[@]}" $system in_$system "$work/events.$system" 0 0
	done
}
