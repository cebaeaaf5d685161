# compress: columns of type colj(zstd) and colj(zstd, dictionary) beside jsonb
# EXTENDED.  The first half of each corpus trains the dictionary, the second half
# is stored and measured: size, load, keys by sequential scan.  Then one key of
# documents of 1 MB.
#
# Copyright (c) 2026, the colj authors

bench_compress()
{
	local corpus

	for corpus in bluesky github github2k tweets; do
		need_source $corpus
		train_dictionary $corpus
		need_half $corpus zstd 'zstd'
		need_half $corpus dictionary "zstd, bench_$corpus"
	done
	for storage in dictionary zstd; do
		packed_of bluesky $storage "doc ->> 'did'" "doc -> 'commit' -> 'record' ->> 'createdAt'" \
			"doc -> 'kind'" "doc -> 'time_us'" "doc -> 'commit' -> 'rkey'"
		packed_of github $storage "doc ->> 'created_at'" "doc -> 'payload' -> 'issue' ->> 'title'" \
			"doc -> 'type'" "doc -> 'public'" "doc -> 'actor' -> 'login'"
		packed_of github2k $storage "doc ->> 'created_at'" "doc -> 'payload' -> 'issue' ->> 'title'" \
			"doc -> 'type'" "doc -> 'public'" "doc -> 'actor' -> 'login'"
		packed_of tweets $storage "doc ->> 'id_str'" "doc -> 'user' -> 'entities' ->> 'description'" \
			"doc -> 'lang'" "doc -> 'retweet_count'" "doc -> 'user' -> 'id'"
	done
	need_source large
	need_all large zstd 'zstd'
	large_of 'small key' "doc ->> 'kind'"
	large_of 'two small keys' "doc -> 'version'" "doc -> 'closed'"
	large_of 'key in an array' "doc -> 'entries' -> 700 ->> 'id'"
	large_of 'long text' "doc -> 'texts' ->> 20"
	[ -n "$keep" ] || {
		sql -c "DROP TABLE $(printf ', %s_colj_dictionary' bluesky github github2k tweets | cut -c 3-)"
		forget_dictionaries bluesky github github2k tweets
	}
}

# Half the documents of a corpus.
half_of() { echo "(SELECT max(id) / 2 FROM $1)"; }

train_dictionary()
{
	[ "$colj_type" = colj ] || return 0
	sql -c "SELECT colj_drop_dictionary(name, true) FROM colj_dictionaries WHERE name = 'bench_$1' GROUP BY name" \
		-c "SELECT colj_train_dictionary('bench_$1', 'SELECT doc::jsonb FROM $1 WHERE id <= $(half_of "$1")')" \
		>/dev/null
}

# need_half CORPUS LABEL MODIFIER: the half to measure, as jsonb and as colj.
need_half() { make_pair "$1" "$2" "$3" "WHERE id > $(half_of "$1")"; }
need_all() { make_pair "$1" "$2" "$3" ''; }

# make_pair CORPUS LABEL MODIFIER CONDITION
make_pair()
{
	local system type

	for system in $systems; do
		type=jsonb
		[ "$system$colj_type" != coljcolj ] || type="colj($3)"
		say "  loading $1_${system}_$2"
		sql -c "CREATE TABLE $1_${system}_$2 (id int, doc $type) WITH ($no_vacuum)"
	done
	min_rounds=$((min_rounds < 3 ? min_rounds : 3)) seconds=0 compare compress "$1" "$2" load ms \
		"SELECT * FROM reload_time('{table}', \$q\$INSERT INTO {table} SELECT id, doc::{type} FROM $1 $4 ORDER BY id\$q\$)"
	settle "$1_jsonb_$2" "$1_colj_$2"
}

# packed_of CORPUS LABEL KEY CHAIN OTHER...
packed_of()
{
	local corpus=$1 storage=$2

	min_rounds=1 seconds=0 compare compress "$corpus" "$storage" table bytes \
		"SELECT pg_table_size('{table}')::float8 AS bytes, NULL::text AS answer"
	min_rounds=1 seconds=0 compare compress "$corpus" "$storage" values bytes \
		"SELECT sum(pg_column_size(doc))::float8 AS bytes, NULL::text AS answer FROM {table}"
	compare compress "$corpus" "$storage" 'no key' ms \
		"SELECT * FROM query_time('SELECT count(*) FROM {table}')"
	extract compress "$corpus" "$storage" 'one key' '' "$3"
	extract compress "$corpus" "$storage" 'chain of keys' '' "$4"
	extract compress "$corpus" "$storage" 'four accessors' '' "$3" "${@:5}"
	extract compress "$corpus" "$storage" 'whole document' '' 'doc::text'
}

# large_of MEASURE EXPRESSION...
large_of()
{
	local measure=$1 list

	shift
	extract compress large zstd "$measure" '' "$@"
	list=$(printf ', count(%s)' "$@")
	compare compress large zstd "$measure: blocks" blocks \
		"SELECT * FROM query_blocks(\$q\$SELECT ${list#, } FROM {table}\$q\$)"
}

# forget_dictionaries CORPUS...: when no table uses them any more.
forget_dictionaries()
{
	local corpus

	[ "$colj_type" = colj ] || return 0
	for corpus; do
		sql -c "SELECT colj_drop_dictionary(name, true) FROM colj_dictionaries WHERE name = 'bench_$corpus' GROUP BY name" >/dev/null
	done
}
