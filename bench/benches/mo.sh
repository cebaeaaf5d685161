# mo: what mo-columns wanted of a column store for JSON.
#
# - bytes a value: documents of one key, loaded by COPY; rows a second from text
#   into columns
# - sums over four partitions with WHERE and GROUP BY; blocks read, and what they
#   make a query over a petabyte of JSON cost at 5 USD a terabyte read
# - a grid of 10,000 x 1,000,000 numbers, by a hundredth in both directions (and
#   --scale times as many rows), as arrays: loading, bytes a cell, and the product
#   of two parts of it
#
# SQLite and NumPy beside, where they can do the same.
#
# Copyright (c) 2026, the colj authors

usd_per_terabyte=5

bench_mo()
{
	local systems='jsonb colj table'

	add_system sqlite SQLite
	add_system numpy NumPy
	need_source facts
	mo_values
	mo_split
	mo_partitions
	mo_grid
	plot_bars mo values '' bytes/value
	plot_bars mo grid '' ms
}

# A table of facts' text in SQLite too: id, doc.
mo_sqlite_source()
{
	sql -c "COPY (SELECT id, doc FROM $1 ORDER BY id) TO STDOUT (FORMAT csv)" |
		"$python" -c 'import csv, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("CREATE TABLE source (id INTEGER, doc TEXT)")
database.executemany("INSERT INTO source VALUES (?, ?)", csv.reader(sys.stdin))
database.commit()' "$work/$1.sqlite"
}

sqlite_run() { in_sqlite "$work/facts.sqlite" 0 0 <<<"$1"; }

# mo_values: a table each for four kinds of value.
mo_values()
{
	local key rows system

	rows=$(rows_of facts)
	! has sqlite || mo_sqlite_source facts
	for key in id code value kind; do
		say "  bytes a value: $key"
		for system in $systems; do
			sql -c "CREATE TABLE values_${system}_$key (doc $(type_of $system)) $(method_of $system) WITH ($no_vacuum)"
			load_stripes facts values_${system}_$key "json_build_object('v', doc::json -> '$key')"
		done
		settle $(printf "values_%s_$key " $systems)
		seconds=0 min_rounds=1 compare mo values '' "$key" bytes/value \
			"SELECT pg_table_size('values_{system}_$key')::float8 / $rows AS \"bytes/value\", NULL::text AS answer"
		ask mo values '' "$key: values" "SELECT sum(hashtextextended(doc ->> 'v', 0)) FROM values_{system}_$key"
		! has sqlite || mo_sqlite_value "$key"
		sql -c "DROP TABLE $(printf ", values_%s_$key" $systems | cut -c 3-)"
	done
}

mo_sqlite_value()
{
	local file=$work/value.sqlite

	rm -f "$file"
	in_sqlite "$file" 0 0 "ATTACH '$work/facts.sqlite' AS facts" \
		<<<"CREATE TABLE v AS SELECT doc ->> '\$.$1' AS v FROM facts.source" >/dev/null
	note mo values '' "$1" bytes/value sqlite 1 "$(awk -v n="$(stat -c %s "$file")" -v rows="$rows" 'BEGIN { print n / rows }')"
	noted
}

# mo_split: rows a second from JSON text into columns; a colj table's are its keys'.
mo_split()
{
	local rows racers=$systems unit=rows/s seconds=0 min_rounds=$((min_rounds < 3 ? min_rounds : 3)) system keys

	say "  splitting into columns"
	rows=$(rows_of facts)
	! has sqlite || racers+=' sqlite'
	for system in jsonb colj; do
		sql -c "CREATE TABLE split_$system (id text, code text, value float8, kind text, a int, b int) WITH ($no_vacuum)"
	done
	sql -c "CREATE TABLE split_table (doc $(type_of table)) $(method_of table) WITH ($no_vacuum)"
	race mo values '' 'into columns' mo_split_into $racers
	for system in $systems; do
		keys='id, kind, a, b'
		[ $system != table ] || keys="doc ->> 'id', doc ->> 'kind', doc ->> 'a', doc ->> 'b'"
		note_answer mo values '' 'split rows' $system \
			"$(sql -c "SELECT sum(hashtextextended(ROW($keys)::text, 0)) FROM split_$system")"
	done
	sql -c 'DROP TABLE split_jsonb, split_colj, split_table'
}

prepare_mo_split_into()
{
	case $1 in
		sqlite) sqlite_run 'DROP TABLE IF EXISTS split' >/dev/null ;;
		*) sql -c "TRUNCATE split_$1" ;;
	esac
}

mo_split_into()
{
	local keys='id text, code text, value float8, kind text, a int, b int'

	case $1 in
		sqlite) sqlite_run "CREATE TABLE split AS SELECT doc ->> '\$.id' AS id, doc ->> '\$.code' AS code,
			doc ->> '\$.value' AS value, doc ->> '\$.kind' AS kind, doc ->> '\$.a' AS a, doc ->> '\$.b' AS b,
			id % 4 AS part FROM source" ;;
		table) sql -c "INSERT INTO split_table SELECT doc::$(type_of table) FROM facts" -c CHECKPOINT
			compact split_table ;;
		*) sql -c "INSERT INTO split_$1 SELECT r.* FROM facts,
			LATERAL $(type_of "$1")_to_record(doc::$(type_of "$1")) AS r($keys)" ;;
	esac
}

# mo_partitions: sum, WHERE and GROUP BY over four partitions.
mo_partitions()
{
	local system part bytes query="SELECT (doc ->> 'a')::int AS a, (doc ->> 'b')::int AS b, sum((doc ->> 'a')::int)
		FROM facts_{system}_parts WHERE doc ->> 'kind' < 'sunday' GROUP BY 1, 2 ORDER BY 1, 2"

	for system in $systems; do
		say "  partitions of $system"
		sql -c "CREATE TABLE facts_${system}_parts (part int, doc $(type_of $system)) PARTITION BY LIST (part)"
		for part in 0 1 2 3; do
			sql -c "CREATE TABLE facts_${system}_part$part PARTITION OF facts_${system}_parts
				FOR VALUES IN ($part) $(method_of $system) WITH ($no_vacuum)"
		done
		sql -c "INSERT INTO facts_${system}_parts SELECT id % 4, doc::$(type_of $system) FROM facts ORDER BY id"
		for part in 0 1 2 3; do
			[ $system != table ] || compact_all facts_table_part$part
			settle facts_${system}_part$part
		done
	done
	query="SELECT string_agg(q::text, ' ') FROM ($query) q"
	compare mo facts partitions 'sum, where, group by' ms "SELECT * FROM query_time(\$q\$$query\$q\$)"
	bytes=$(sql -c 'SELECT sum(octet_length(doc)) FROM facts')
	seconds=0 min_rounds=1 compare mo facts partitions 'bytes read' bytes \
		"SELECT blocks * 8192 AS bytes, NULL::text AS answer FROM query_blocks(\$q\$$query\$q\$)"
	seconds=0 min_rounds=1 compare mo facts partitions 'a petabyte of JSON' USD \
		"SELECT blocks * 8192 / $bytes * 1000 * $usd_per_terabyte AS \"USD\", NULL::text AS answer FROM query_blocks(\$q\$$query\$q\$)"
	! has sqlite || mo_sqlite_partitions
	sql -c 'DROP TABLE facts_jsonb_parts, facts_colj_parts, facts_table_parts'
}

# SQLite has four tables of columns, and reads them from the first page to the last.
mo_sqlite_partitions()
{
	local part file=$work/parts.sqlite size

	for part in 0 1 2 3; do
		in_sqlite "$file" 0 0 "ATTACH '$work/facts.sqlite' AS facts" \
			<<<"CREATE TABLE part$part AS SELECT id, code, value, kind, a, b FROM facts.split WHERE part = $part" >/dev/null
	done
	peer mo facts partitions 'sum, where, group by' sqlite in_sqlite "$file" $min_rounds $seconds <<-'SQL'
		SELECT a, b, sum(a) FROM (SELECT * FROM part0 UNION ALL SELECT * FROM part1
			UNION ALL SELECT * FROM part2 UNION ALL SELECT * FROM part3)
		WHERE kind < 'sunday' GROUP BY a, b ORDER BY a, b
	SQL
	size=$(stat -c %s "$file")
	note mo facts partitions 'bytes read' bytes sqlite 1 "$size"
	note mo facts partitions 'a petabyte of JSON' USD sqlite 1 \
		"$(awk -v n="$size" -v bytes="$bytes" -v usd=$usd_per_terabyte 'BEGIN { print n / bytes * 1000 * usd }')"
	noted
}

mo_grid()
{
	local rows n=100 unit=rows/s racers=$systems system

	[ -z "$check" ] || n=10
	rows=$(rows_of grid)
	need_source grid
	sql -c "COPY (SELECT doc FROM grid ORDER BY id) TO STDOUT" >"$work/grid"
	for system in $systems; do make_table grid $system extended; done
	! has sqlite || racers+=' sqlite'
	! has numpy || racers+=' numpy'
	seconds=0 min_rounds=1 race mo grid '' load mo_grid_load $racers
	settle $(printf 'grid_%s_extended ' $systems)
	mo_grid_sizes
	mo_grid_product
	sql -c 'DROP TABLE grid_jsonb_extended, grid_colj_extended, grid_table_extended'
}

prepare_mo_grid_load()
{
	case $1 in
		sqlite) rm -f "$work/grid.sqlite" ;;
		numpy) ;;
		*) sql -c "TRUNCATE grid_$1_extended" ;;
	esac
}

mo_grid_load()
{
	case $1 in
		sqlite) mo_sqlite_source grid ;;
		numpy) in_numpy save "$work/grid" "$work/grid.npy" ;;
		*) copy_numbered "grid_$1_extended" <"$work/grid"
			[ "$1" != table ] || compact grid_table_extended ;;
	esac
}

# What copy_lines does, of lines without backslashes.
copy_numbered() { awk '{ print NR "\t" $0 }' | sql -c "COPY $1 FROM STDIN"; }

mo_grid_sizes()
{
	local system bytes

	for system in $racers; do
		case $system in
			sqlite) bytes=$(stat -c %s "$work/grid.sqlite") ;;
			numpy) bytes=$(stat -c %s "$work/grid.npy") ;;
			*) bytes=$(sql -c "SELECT pg_table_size('grid_${system}_extended')") ;;
		esac
		note mo grid '' size bytes/cell $system 1 "$(awk -v n="$bytes" -v rows="$rows" 'BEGIN { print n / rows / 100 }')"
	done
	noted
}

# The first n rows times the 100 after them: the sum of the product's cells, and
# the sum weighted by their places.
mo_grid_product()
{
	say "  product of $n x 100 and 100 x 100"
	compare mo grid '' product ms "SELECT * FROM query_time(\$q\$
		WITH a AS (SELECT id AS i, k, v::int FROM grid_{system}_extended,
				{type}_array_elements(doc) WITH ORDINALITY e (v, k) WHERE id <= $n),
			b AS (SELECT id - $n AS k, j, v::int FROM grid_{system}_extended,
				{type}_array_elements(doc) WITH ORDINALITY e (v, j) WHERE id > $n AND id <= $n + 100),
			c AS (SELECT i, j, sum(a.v::bigint * b.v) AS v FROM a JOIN b USING (k) GROUP BY i, j)
		SELECT (sum(v), sum(v * i * j))::text FROM c\$q\$)"
	! has numpy || peer mo grid '' product numpy in_numpy product "$work/grid" $n $min_rounds $seconds
	! has sqlite || peer mo grid '' product sqlite in_sqlite "$work/grid.sqlite" $min_rounds $seconds <<-SQL
		WITH a AS MATERIALIZED (SELECT s.id AS i, e.key + 1 AS k, e.value AS v FROM source s, json_each(doc) e WHERE s.id <= $n),
			b AS MATERIALIZED (SELECT s.id - $n AS k, e.key + 1 AS j, e.value AS v FROM source s, json_each(doc) e
				WHERE s.id > $n AND s.id <= $n + 100),
			c AS (SELECT i, j, sum(a.v * b.v) AS v FROM a JOIN b USING (k) GROUP BY i, j)
		SELECT sum(v), sum(v * i * j) FROM c
	SQL
}
