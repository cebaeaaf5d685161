# key: values of a few keys from every row, by sequential scan, of documents of
# 0.5, 2 to 4, and 5 kB.  "no key" only counts the rows: the floor.
#
# Copyright (c) 2026, the colj authors

bench_key()
{
	local storage

	for storage in extended external; do
		keys_of bluesky $storage "doc ->> 'did'" "doc -> 'commit' -> 'record' ->> 'createdAt'" \
			"doc #>> '{commit,record,createdAt}'" "doc -> 'commit' -> 'record' -> 'langs' ->> 0" \
			"doc ->> 'nothing'" "doc -> 'kind'" "doc -> 'time_us'" "doc -> 'commit' -> 'rkey'"
		keys_of github2k $storage "doc ->> 'created_at'" "doc -> 'payload' -> 'issue' ->> 'title'" \
			"doc #>> '{payload,issue,title}'" "doc -> 'payload' -> 'commits' -> 1 ->> 'sha'" \
			"doc ->> 'nothing'" "doc -> 'type'" "doc -> 'public'" "doc -> 'actor' -> 'login'"
		keys_of tweets $storage "doc ->> 'id_str'" "doc -> 'user' -> 'entities' ->> 'description'" \
			"doc #>> '{user,entities,description}'" \
			"doc -> 'entities' -> 'user_mentions' -> 0 ->> 'screen_name'" \
			"doc ->> 'nothing'" "doc -> 'lang'" "doc -> 'retweet_count'" "doc -> 'user' -> 'id'"
	done
}

# keys_of CORPUS STORAGE KEY CHAIN PATH ELEMENT ABSENT OTHER...
keys_of()
{
	local corpus=$1 storage=$2

	need "$corpus" "$storage"
	compare key "$corpus" "$storage" 'no key' ms \
		"SELECT * FROM query_time('SELECT count(*) FROM {table}')"
	extract key "$corpus" "$storage" 'one key' '' "$3"
	extract key "$corpus" "$storage" 'chain of keys' '' "$4"
	extract key "$corpus" "$storage" 'path' '' "$5"
	extract key "$corpus" "$storage" 'array element' '' "$6"
	compare key "$corpus" "$storage" 'absent key' ms \
		"SELECT ms, NULL::text AS answer FROM query_time(\$q\$SELECT count($7) FROM {table}\$q\$)"
	extract key "$corpus" "$storage" 'four accessors' '' "$3" "${@:8}"
}
