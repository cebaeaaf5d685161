# sentences: the same rows (ten columns, six of them arrays of tokens) as tables
# and as files: a heap table with ten columns; json, jsonb and colj; a colj table;
# tab-separated text (tsv, with arrays as COPY writes them), tab-separated JSON
# (tsj), both read by cut; and JSON lines, read by jq.
#
# Everybody prints what is asked for, psql's COPY like the tools, in rows a second
# by the clock, and all must print the same.
#
# Copyright (c) 2026, the colj authors

sentence_columns='doc_id sentence_index sentence_offset sentence_text tokens lemmas
	pos_tags ner_tags dep_types dep_tokens'
sentence_tables='jsonb json colj table columns'

bench_sentences()
{
	local systems=$sentence_tables files='tsv tsj' racers measure unit=rows/s rows

	rows=$(rows_of sentences)
	add_system columns 'ten columns'
	add_system tsv 'tsv, cut'
	add_system tsj 'tsj, cut'
	add_system jsonl 'jsonl, jq'
	sentence_files
	! has jq || files+=' jsonl'
	for measure in load scan two_columns doc_id sentence_index element; do
		say "  $measure"
		racers="$systems $files"
		[ $measure != load ] || racers=$systems
		race sentences sentences '' "${measure//_/ }" "sentence_$measure" $racers
		case $measure in
			load) sentence_sizes ;;
			scan) ;;
			*) sentence_answers "$measure" ;;
		esac
	done
	sentence_scans_agree
	plot_bars sentences sentences '' rows/s
	sentence_names
	sql -c "DROP TABLE $(printf ', sentences_%s' $sentence_tables | cut -c 3-)"
}

# Files of the corpus in three formats, and empty tables.
sentence_files()
{
	local system

	need_source sentences
	sql -c "COPY (SELECT doc FROM sentences ORDER BY id) TO STDOUT (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" >"$work/jsonl"
	sql -c "COPY (SELECT $(printf ", doc::json -> '%s'" $sentence_columns | cut -c 3-) FROM sentences ORDER BY id) TO STDOUT" >"$work/tsj"
	perl -pe 's/"//g; tr/[]/{}/' "$work/tsj" >"$work/tsv"
	for system in $sentence_tables; do
		[ $system = columns ] ||
			sql -c "CREATE TABLE sentences_$system (doc $(type_of $system)) $(method_of $system) WITH ($no_vacuum)"
	done
	sql -c "CREATE TABLE sentences_columns (doc_id text, sentence_index int, sentence_offset int, sentence_text text,
		tokens text[], lemmas text[], pos_tags text[], ner_tags text[], dep_types text[], dep_tokens int[]) WITH ($no_vacuum)"
}

prepare_sentence_load() { sql -c "TRUNCATE sentences_$1"; }

sentence_load()
{
	case $1 in
		columns) sql -c "COPY sentences_$1 FROM STDIN" <"$work/tsv" ;;
		*) sql -c "COPY sentences_$1 FROM STDIN (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" <"$work/jsonl" ;;
	esac
}

sentence_sizes()
{
	local system

	compact_all sentences_table
	settle $(printf 'sentences_%s ' $sentence_tables)
	for system in $sentence_tables; do
		note sentences sentences '' size bytes $system 1 "$(sql -c "SELECT pg_table_size('sentences_$system')")"
	done
	for system in $files; do
		note sentences sentences '' size bytes $system 1 "$(stat -c %s "$work/$system")"
	done
	noted
}

# sentence_print SYSTEM JSON COLUMNS CUT JQ: how each kind prints the same thing.
sentence_print()
{
	case $1 in
		columns) sql -c "COPY (SELECT $3 FROM sentences_$1) TO STDOUT" ;;
		tsv | tsj) eval "$4" ;;
		jsonl) jq -r "$5" "$work/jsonl" ;;
		*) sql -c "COPY (SELECT $2 FROM sentences_$1) TO STDOUT" ;;
	esac
}

sentence_scan()
{
	if [ "$1" = jsonl ]; then jq -c . "$work/jsonl"
	else sentence_print "$1" doc '*' "cut -f 1-10 '$work/$1'" ''; fi
}

sentence_doc_id() { sentence_print "$1" "doc -> 'doc_id'" doc_id "cut -f 1 '$work/$1'" .doc_id; }

sentence_sentence_index() { sentence_print "$1" "doc -> 'sentence_index'" sentence_index "cut -f 2 '$work/$1'" .sentence_index; }

sentence_two_columns()
{
	sentence_print "$1" "doc -> 'doc_id', doc -> 'sentence_index'" 'doc_id, sentence_index' \
		"cut -f 1,2 '$work/$1'" '[.doc_id, .sentence_index] | @tsv'
}

sentence_element()
{
	sentence_print "$1" "doc -> 'tokens' -> 1" 'tokens[2]' "cut -f 5 '$work/$1' | cut -d , -f 2" '.tokens[1]'
}

# A table's rows may lie in another order than they came.
sorted_sum() { LC_ALL=C sort | cksum; }

# sentence_answers MEASURE: what all print, JSON's quotes aside.
sentence_answers()
{
	local system

	for system in $systems $files; do
		note_answer sentences sentences '' "$1" $system "$("sentence_$1" $system | tr -d '"' | sorted_sum)"
	done
}

# Whole rows look alike in three groups only.
sentence_scans_agree()
{
	local group system

	for group in 'jsonb colj table' 'json jsonl' 'columns tsv'; do
		[ "$group" != 'json jsonl' ] || has jq || continue
		for system in $group; do
			note_answer sentences sentences '' "scan of $group" $system "$(sentence_scan $system | sorted_sum)"
		done
	done
}

# The same with keys of one letter, and of 26 letters more.
sentence_names()
{
	local corpus systems='json jsonb colj table' query

	for corpus in sentences1 sentences sentences36; do
		need $corpus extended
		query="doc ->> '$(sql -c "SELECT k FROM json_object_keys((SELECT doc::json FROM $corpus WHERE id = 1)) k LIMIT 1")'"
		compare sentences $corpus extended text bytes \
			"SELECT sum(octet_length(doc))::float8 AS bytes, NULL::text AS answer FROM {source}"
		sizes sentences $corpus extended
		extract sentences $corpus extended doc_id '' "$query"
	done
}
