# serialise: metrics of a RocksDB store (44 numbers, nested histograms) as text.
# Nanoseconds a document: printing documents in memory; printing those of a table;
# reading text and printing it again.  jq and Jackson beside: what they print of
# themselves must be the same document to jsonb; jq makes 3 of 3.0.
#
# Copyright (c) 2026, the colj authors

bench_serialise()
{
	local file=$work/metrics.jsonl docs

	. "$bench_dir/benches/text.sh"
	need metrics external
	systems='jsonb colj table' need metrics extended
	make_converters
	docs=$(rows_of metrics)
	sql -c "COPY (SELECT doc FROM metrics ORDER BY id) TO STDOUT (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" >"$file"
	add_system jackson 'Jackson'
	add_system jq jq
	compare serialise metrics external 'print' ns \
		"SELECT ms * 1000000 / $docs AS ns, answer FROM print_time_{type}('{table}', $docs)"
	compare serialise metrics external 'read and print' ns "SELECT ms * 1000000 / $docs AS ns, answer
		FROM query_time(\$q\$SELECT sum(octet_length(doc::{type}::text)) FROM {source}\$q\$)"
	! has jackson || serialise_jackson
	! has jq || serialise_jq
	systems='jsonb colj table' compare serialise metrics extended 'print from a table' ns "SELECT ms * 1000000 / $docs AS ns, answer
		FROM query_time(\$q\$SELECT sum(octet_length(doc::text)) FROM {table}\$q\$)"
	ask serialise metrics external 'documents' "SELECT $(checksum doc) FROM {table}"
	ask serialise metrics external 'points stay' "SELECT sum((length(t) - length(replace(t, '.', ''))))
		FROM {table}, LATERAL (SELECT doc::text) d (t)"
	plot_bars serialise metrics external ns
}

# The rounds' milliseconds are of all documents.
serialise_jackson()
{
		per_document jackson print in_jackson "$file" $min_rounds $seconds print
	per_document jackson 'read and print' in_jackson "$file" $min_rounds $seconds parse
	in_jackson "$file" 1 0 print | sed -n 's/^answer //p' | same_documents jackson
}

# per_document SYSTEM MEASURE COMMAND...
per_document()
{
	local system=$1 measure=$2 round=0 kind value

	shift 2
	while read -r kind value; do
		[ "$kind" != ms ] || note serialise metrics external "$measure" ns "$system" $((++round)) \
			"$(awk -v ms="$value" -v n="$docs" 'BEGIN { printf "%.6g", ms * 1000000 / n }')"
	done < <("$@")
	[ "$round" -gt 0 ] || fail "$system gave no figures"
	noted
}

# jq reads whenever it prints; the start of the program counts too.
serialise_jq()
{
	per_document jq 'read and print' jq_rounds
	jq -c . "$file" | same_documents jq
}

jq_rounds()
{
	local round start

	for ((round = 0; round <= min_rounds; round++)); do
		start=$(now_us)
		jq -c . "$file" >/dev/null
		[ "$round" -eq 0 ] || echo "ms $(awk -v us=$(($(now_us) - start)) 'BEGIN { print us / 1000 }')"
	done
}

# same_documents SYSTEM: are those on standard input the corpus's?  A document a
# line, or all without anything between them.
same_documents()
{
	perl -pe 's/\}(?=\{)/}\n/g' |
		sql -c 'CREATE TABLE printed (id int GENERATED ALWAYS AS IDENTITY, doc text)' \
			-c "COPY printed (doc) FROM STDIN (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')"
	note_answer serialise metrics external "as $1 prints" jsonb "$(sql -c 'SELECT sum(jsonb_hash_extended(doc, id)) FROM metrics_jsonb_external')"
	note_answer serialise metrics external "as $1 prints" "$1" "$(sql -c 'SELECT sum(jsonb_hash_extended(doc::jsonb, id)) FROM printed')"
	sql -c 'DROP TABLE printed'
}
