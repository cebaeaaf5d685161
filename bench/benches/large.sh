# large: single values of documents of 1 MB: a small key, one at the end, one
# element of a long array.  Time, and blocks touched.
#
# Copyright (c) 2026, the colj authors

bench_large()
{
	local storage

	for storage in external extended; do
		need large $storage
		value_of $storage 'small key' "doc ->> 'kind'"
		value_of $storage 'two small keys' "doc -> 'version'" "doc -> 'closed'"
		value_of $storage 'key in an array' "doc -> 'entries' -> 700 ->> 'id'"
		value_of $storage 'number in an array' "doc -> 'samples' -> 2500"
		value_of $storage 'long text' "doc -> 'texts' ->> 20"
	done
}

# value_of STORAGE MEASURE EXPRESSION...
value_of()
{
	local storage=$1 measure=$2 list

	shift 2
	extract large large "$storage" "$measure" '' "$@"
	list=$(printf ', count(%s)' "$@")
	compare large large "$storage" "$measure: blocks" blocks \
		"SELECT * FROM query_blocks(\$q\$SELECT ${list#, } FROM {table}\$q\$)"
}
