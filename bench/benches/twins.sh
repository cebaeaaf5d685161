# twins: what colj answers and what jsonb does, function for function, on
# documents of 0.5 kB, 5 kB and 1 MB that are stored as they are.
#
# Copyright (c) 2026, the colj authors

bench_twins()
{
	local corpus

	twins_record
	for corpus in bluesky tweets large; do
		need "$corpus" external
		twins_order "$corpus"
		twins_read "$corpus"
		twins_paths "$corpus"
		twins_make "$corpus"
		twins_rows "$corpus"
	done
	sql -c 'DROP TYPE twin_record'
}

# The columns are keys of one corpus or another.
twins_record()
{
	sql -c 'DROP TYPE IF EXISTS twin_record' -c 'CREATE TYPE twin_record AS
		(kind text, did text, time_us bigint, id_str text, lang text, retweet_count int, version int, closed boolean)'
}

# What differs between the corpora: how many documents a query takes, keys, a
# path, a long or not so long array, a document that others contain.
twins_facts()
{
	case $1 in
		bluesky) rows=16000 key=kind outer=commit inner=rkey array="doc #> '{commit,record,langs}'" number=time_us
			part='{"commit": {"operation": "create"}}' ;;
		tweets) rows=3000 key=lang outer=user inner=screen_name array="doc #> '{entities,user_mentions}'" number=retweet_count
			part='{"user": {"verified": false}}' ;;
		large) rows=16 key=kind outer=tree inner=name array="doc -> 'entries'" number=version
			part='{"kind": "report"}' ;;
	esac
}

# Bring the tables into the order of their ids, so that their first rows are the
# same documents.
twins_order()
{
	local system table tables=()

	for system in $systems; do
		table=$1_${system}_external
		sql -c "CREATE INDEX twins_order ON $table (id)" -c "CLUSTER $table USING twins_order" \
			-c 'DROP INDEX twins_order'
		tables+=("$table")
	done
	settle "${tables[@]}"
}

# The first rows of a table, without a look at the others.
twins_from() { echo "FROM (SELECT * FROM {table} LIMIT $rows) t"; }

# twin CORPUS MEASURE EXPRESSION: one value from each document.
twin()
{
	ask twins "$1" external "$2: values" "SELECT $(checksum "ROW($3)") $(twins_from)"
	compare twins "$1" external "$2" ms \
		"SELECT * FROM query_time(\$q\$SELECT concat_ws(' ', count($3)) $(twins_from)\$q\$)"
}

# twin_set CORPUS MEASURE SET: the rows that a function makes of each document.
twin_set()
{
	twin "$1" "$2" "(SELECT count(x) FROM $3 x)"
}

# twin_query CORPUS MEASURE QUERY: one value from all documents.
twin_query()
{
	ask twins "$1" external "$2: values" "SELECT md5(string_agg(x::text, ' ')) FROM ($3) q(x)"
	compare twins "$1" external "$2" ms \
		"SELECT * FROM query_time(\$q\$SELECT 'rows ' || count(x) FROM ($3) q(x)\$q\$)"
}

twins_read()
{
	local rows key outer inner array number part

	twins_facts "$1"
	twin "$1" '->' "doc -> '$outer'"
	twin "$1" '->>' "doc ->> '$key'"
	twin "$1" '#>>' "doc #>> '{$outer,$inner}'"
	twin "$1" '@>' "doc @> '$part'"
	twin "$1" '?' "doc ? '$key'"
	twin "$1" '?|' "doc ?| '{nothing,$key}'"
	twin_set "$1" object_keys "{type}_object_keys(doc)"
	twin_set "$1" each "{type}_each(doc)"
	twin_set "$1" each_text "{type}_each_text(doc)"
	twin "$1" array_length "{type}_array_length($array)"
	twin "$1" typeof "{type}_typeof(doc -> '$outer')"
	twin "$1" pretty "{type}_pretty(doc)"
	twin "$1" 'cast to bigint' "(doc -> '$number')::bigint"
	twin "$1" 'subscript' "doc['$outer']['$inner']"
	twin "$1" to_tsvector "to_tsvector('simple', doc -> '$outer')"
	twins_arrays "$1"
}

# Arrays that the document has, and one of short numbers.
twins_arrays()
{
	twin_set "$1" array_elements "{type}_array_elements(coalesce($array, '[]'))"
	twin_set "$1" array_elements_text "{type}_array_elements_text(coalesce($array, '[]'))"
	[ "$1" != large ] ||
		twin_set "$1" 'array_elements, numbers' "{type}_array_elements(doc -> 'samples')"
}

twins_paths()
{
	local rows key outer inner array number part

	twins_facts "$1"
	twin "$1" '@?' "doc @? '\$.$outer.$inner'"
	twin "$1" '@? with a filter' "doc @? '\$.$outer ? (@.$inner > \"m\")'"
	twin "$1" '@@' "doc @@ '\$.$number > 10'"
	twin_set "$1" path_query "{type}_path_query(doc, '\$.$outer.$inner')"
	twin_set "$1" 'path_query, all' "{type}_path_query(doc, '\$.*')"
	twin "$1" path_query_first "{type}_path_query_first(doc, '\$.$number')"
	twin "$1" path_query_array "{type}_path_query_array(doc, '\$.$outer.*')"
}

twins_make()
{
	local rows key outer inner array number part

	twins_facts "$1"
	twin "$1" set "{type}_set(doc, '{$outer,$inner}', '\"new\"')"
	twin "$1" set_lax "{type}_set_lax(doc, '{$outer,$inner}', '\"new\"')"
	twin "$1" insert "{type}_insert(doc, '{$outer,twin}', '[1, 2]')"
	twin "$1" '- key' "doc - '$key'"
	twin "$1" '#-' "doc #- '{$outer,$inner}'"
	twin "$1" '||' "doc || '{\"twin\": [1, 2]}'"
	twin "$1" strip_nulls "{type}_strip_nulls(doc)"
	twin "$1" build_object "{type}_build_object('id', id, 'doc', doc)"
	twin "$1" build_array "{type}_build_array(id, doc -> '$key', NULL)"
	twin "$1" 'to_jsonb of a record' "to_{type}(ROW(id, doc -> '$outer'))"
	twin "$1" populate_record "{type}_populate_record(NULL::twin_record, doc)"
	[ "$1" != bluesky ] || array='{type}_build_array(doc)'
	twin "$1" to_recordset "(SELECT count(x) FROM {type}_to_recordset($array) AS x(seq int, id text, at text, screen_name text))"
}

# Queries in which documents meet.
twins_rows()
{
	local rows key outer inner array number part from

	twins_facts "$1"
	from=$(twins_from)
	twin "$1" hash "{type}_hash(doc)"
	twin_query "$1" agg "SELECT {type}_agg(doc ORDER BY id) $from"
	twin_query "$1" object_agg "SELECT {type}_object_agg(id::text, doc ORDER BY id) $from"
	twin_query "$1" 'agg of records' "SELECT {type}_agg(q) FROM (SELECT id, doc -> '$outer' AS doc $from ORDER BY id) q"
	twin "$1" '=' "doc = doc || '{\"$number\": 1.50}'"
	twin_query "$1" 'ORDER BY' "SELECT array_agg(id ORDER BY doc, id) $from"
	twin_query "$1" DISTINCT "SELECT count(DISTINCT doc -> '$outer') $from"
}
