# What bench/run --check tests beside the answers of the systems: that the
# corpora are what they are said to be, that every goal is about a figure, that
# reports are whole, and that bench/demo takes files as it says.  Sourced by bench/run.
#
# Copyright (c) 2026, the colj authors

# expect NAME EXPECTED ACTUAL: one line of TAP.
expect()
{
	if [ "$2" = "$3" ]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n# expected: %s\n# found: %s\n' "$1" "${2:0:300}" "${3:0:300}"
	fi
}

check_all()
{
	check_corpora
	check_goals
	check_reports
	check_split
	check_demo
}

corpora='bluesky catalog facts geo github grid large metrics sentences small tweets wide'

# The same arguments, the same bytes; another seed, others.
check_corpora()
{
	local corpus first

	for corpus in $corpora; do
		first=$("$bench_dir/generate" "$corpus" 3 | cksum)
		expect "corpus $corpus: the same twice" "$first" "$("$bench_dir/generate" "$corpus" 3 1 | cksum)"
		expect "corpus $corpus: another seed" differs \
			"$([ "$first" = "$("$bench_dir/generate" "$corpus" 3 2 | cksum)" ] || echo differs)"
	done
	shape tweets '31 33' 'min(n), max(n)' 'SELECT count(*) AS n FROM {docs}, json_object_keys(doc) GROUP BY id'
	shape tweets '39 40' 'min(n), max(n)' "SELECT count(*) AS n FROM {docs}, json_object_keys(doc -> 'user') GROUP BY id"
	shape sentences '10 10' 'min(n), max(n)' 'SELECT count(*) AS n FROM {docs}, json_object_keys(doc) GROUP BY id'
	shape metrics '44 44' 'min(n), max(n)' "SELECT count(*) AS n FROM {docs}, jsonb_path_query(doc::jsonb, 'strict \$.** ? (@.type() == \"number\")') GROUP BY id"
	shape wide '1000 1000' 'min(n), max(n)' 'SELECT count(*) AS n FROM {docs}, json_object_keys(doc) GROUP BY id'
	shape small 't' 'min(n) >= 50 AND max(n) <= 100' 'SELECT octet_length(doc::text) AS n FROM {docs}'
	shape large 't' 'min(n) > 900000 AND max(n) < 1200000' 'SELECT octet_length(doc::text) AS n FROM {docs}'
	shape tweets 't' 'avg(n) BETWEEN 4400 AND 5000' 'SELECT pg_column_size(doc::jsonb) AS n FROM {docs}'
	shape github 't' 'avg(n) BETWEEN 1500 AND 1950' 'SELECT pg_column_size(doc::jsonb) AS n FROM {docs}'
	shape bluesky 't' 'avg(n) BETWEEN 450 AND 650' 'SELECT pg_column_size(doc::jsonb) AS n FROM {docs}'
}

# shape CORPUS EXPECTED EXPRESSIONS QUERY: facts about 200 documents or fewer.
shape()
{
	local rows=200

	[ "$1" != large ] && [ "$1" != wide ] || rows=3
	expect "corpus $1: $3" "$2" "$({
		echo "CREATE TEMP TABLE docs (id int, doc json); COPY docs FROM STDIN;"
		"$bench_dir/generate" "$1" $rows 3 | perl -pe 's{\\}{\\\\}g; $_ = "$.\t$_"'
		echo '\.'
		echo "SELECT $3 FROM (${4//\{docs\}/docs}) q;"
	} | sql -F ' ')"
}

# A goal that no figure meets is a misspelt one.
check_goals()
{
	expect 'each goal is about a figure' '' "$(sql -c "SELECT g FROM goal g WHERE NOT EXISTS
		(SELECT FROM ratio r WHERE g.bench = r.bench AND g.corpus IN (r.corpus, '')
		 AND g.storage IN (r.storage, '') AND g.measure IN (r.measure, ''))
		AND bench = ANY (string_to_array('${benches[*]}', ' '))")"
}

# Each bench leaves a table and raw figures, and its plots are whole.
check_reports()
{
	local bench plot tables=() plots=()

	for bench in "${benches[@]}"; do
		[ "$(grep -c '^|' "$results/$bench.md")" -gt 2 ] && [ "$(wc -l <"$results/$bench.csv")" -gt 1 ] ||
			tables+=("$bench")
		for plot in $(sed -n 's/^!\[.*(\(.*\))$/\1/p' "$results/$bench.md"); do
			grep -q '</svg>' "$results/$plot" || plots+=("$plot")
		done
	done
	expect 'each bench has a table and figures' '' "${tables[*]}"
	expect 'each plot in a report is there' '' "${plots[*]}"
}

# splits NAME FILE'S-TEXT EXPECTED
splits()
{
	printf '%b' "$2" >"$results/split.json"
	expect "split: $1" "$3" "$("$bench_dir/split" "$results/split.json" 2>&1 | sed 's/^.*split.json: //')"
}

check_split()
{
	local tab=$'\t' line=$'\n'

	splits 'a document a line' '{"a": 1}\n\n"\xc3\xa9"' "1${tab}{\"a\": 1}${line}3${tab}\"é\""
	splits 'an array' '[\n{"a": "],"},\n [2]\n]\n' "2${tab}{\"a\": \"],\"}${line}3${tab}[2]"
	splits 'an array on one line' '[1, [2]]\n' "1${tab}1${line}1${tab}[2]"
	splits 'an array a line' '[1]\n[2]\n' "1${tab}[1]${line}2${tab}[2]"
	splits 'blanks and escapes' '[{"a":\n\t"\\\\n"}]' "1${tab}{\"a\":\\n\\t\"\\\\\\\\n\"}"
	splits 'no document' ' \n' 'line 1: there is no document in the file'
	splits 'an open array' '\n[1\n' "line 3: the array that starts on line 2 is not closed"
	splits 'an open string' '["a' 'line 1: a string is not closed'
	splits 'a missing document' '[1,\n,2]' "1${tab}1${line}line 2: a document is missing before \",\""
	splits 'text after the array' '[1\n]\n\n{' "1${tab}1${line}line 4: there is more after the end of the array"
	splits 'invalid UTF-8' '1\n"\xff"\n' "1${tab}1${line}line 2: the text is not valid UTF-8"
}

# demo_of TEXT: the lines of bench/demo's output and errors for such a file.
demo_of()
{
	printf '%b' "$1" >"$results/demo.json"
	DEMO_FILE=$results/demo.json "$bench_dir/demo" 2>&1 || echo "status $?"
}

check_demo()
{
	local output

	output=$(demo_of "$("$bench_dir/generate" small 300)")
	expect 'demo: a line a system' 'json jsonb jsonb colj colj' \
		"$(echo $(sed -n 's/^\([a-z]*\) EXTE[A-Z]* .*/\1/p' <<<"$output"))"
	expect 'demo: what the reader sees' 1 "$(grep -c '^Beside jsonb.*colj EXTERNAL is' <<<"$output")"
	output=$(demo_of '1\n"a"\nnull\n[true]\n{}\n{"a": {"b": 1.50}}\n')
	expect 'demo: documents of any kind' 5 "$(grep -c '^[a-z]* EXTE' <<<"$output")"
	output=$(demo_of '{"a": 1}\n\n{"a": }\n')
	expect 'demo: the line of a bad document' 1 \
		"$(grep -c 'demo.json: line 3: invalid input syntax for type json' <<<"$output")"
	expect 'demo: a bad document is an error' 'status 1' "$(tail -n 1 <<<"$output")"
	expect 'demo: a file that is not there' 1 \
		"$(DEMO_FILE=/nowhere "$bench_dir/demo" 2>&1 | grep -c 'cannot read /nowhere')"
}
