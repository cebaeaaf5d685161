# 2014: the queries by which jsonb's layout was chosen.  Q1: search a GIN index,
# then take one key of each hit.  Q2: take one key of each row.
#
# After jsonb beside colj come all forms that colj has: offsets for every key, for
# every 8th, 32nd and 256th, each EXTENDED and EXTERNAL, zstd without and with a
# dictionary, and a colj table.  Each round goes over all rows, and rounds go on
# until Q1 has taken 100,000 keys, Q2 200,000 (--scale times as many, 50 rounds at
# most).  The documents have 8, more than 30, and 1,000 keys at the top.  The
# dictionary is trained on half of them.
#
# Copyright (c) 2026, the colj authors

bench_2014()
{
	local storage

	for storage in extended external; do
		queries_of tweets $storage '{"lang": "en"}' "doc ->> 'id_str'"
		queries_of github $storage '{"type": "WatchEvent"}' "doc ->> 'created_at'"
		queries_of wide $storage '{"53": 2}' "doc ->> '500'"
	done
	[ "$colj_type" = colj ] || return 0
	. "$bench_dir/benches/compress.sh"
	variants_of github '{"type": "WatchEvent"}' "doc ->> 'created_at'"
	variants_of tweets '{"lang": "en"}' "doc ->> 'id_str'"
	variants_of wide '{"53": 2}' "doc ->> '500'"
	forget_dictionaries github tweets wide
}

# queries_of CORPUS STORAGE CONTAINED EXPRESSION
queries_of()
{
	local corpus=$1 storage=$2 min_rounds=$min_rounds seconds=$seconds

	need "$corpus" "$storage"
	extract 2014 "$corpus" "$storage" Q2 '' "$4"
	say "  indexing $corpus $storage"
	seconds=0 min_rounds=1 compare 2014 "$corpus" "$storage" 'index' ms \
		"SELECT * FROM index_time('{table}', 'gin (doc {type}_path_ops)')"
	PGOPTIONS="$PGOPTIONS -c enable_seqscan=off" \
		extract 2014 "$corpus" "$storage" Q1 "doc @> '$3'" "$4"
	sizes 2014 "$corpus" "$storage"
}

# Name, label, storage, stride and type of each form.
variants='
	json json extended 32 json
	jsonb jsonb,_EXTENDED extended 32 jsonb
	jsonb_x jsonb,_EXTERNAL external 32 jsonb
	s1 stride_1 extended 1 colj
	s1_x stride_1,_EXTERNAL external 1 colj
	s8 stride_8 extended 8 colj
	s8_x stride_8,_EXTERNAL external 8 colj
	s32 stride_32 extended 32 colj
	s32_x stride_32,_EXTERNAL external 32 colj
	s256 stride_256 extended 256 colj
	s256_x stride_256,_EXTERNAL external 256 colj
	zstd zstd extended 32 colj(zstd)
	packed zstd,_dictionary extended 32 colj(zstd,bench_CORPUS)
	table colj_table extended 32 colj'

# variants_of CORPUS CONTAINED EXPRESSION
variants_of()
{
	local corpus=$1 name label storage stride type systems=

	train_dictionary "$corpus"
	while read -r name label storage stride type; do
		[ -n "$name" ] || continue
		say "  loading $corpus: ${label//_/ }"
		add_system $name "${label//_/ }" "${type%%(*}"
		sql -c "CREATE TABLE ${corpus}_${name}_variants (id int, doc ${type/CORPUS/$corpus}) $(method_of $name) WITH ($no_vacuum)" \
			-c "ALTER TABLE ${corpus}_${name}_variants ALTER doc SET STORAGE $storage" \
			-c "SET colj.offset_stride = $stride" \
			-c "$([ $name = table ] || echo "INSERT INTO ${corpus}_${name}_variants
				SELECT id, doc::${type%%(*} FROM $corpus ORDER BY id")"
		[ $name != table ] || load_stripes "$corpus" "${corpus}_table_variants"
		systems+="${systems:+ }$name"
	done <<<"$variants"
	settle $(printf "${corpus}_%s_variants " $systems)
	sizes 2014 "$corpus" variants
	# json's answers are json's text: only the values of this one key are the same
	extractions "$corpus" Q2 200000 '' "$3"
	systems=${systems#json }
	for name in $systems; do
		sql -c "CREATE INDEX ON ${corpus}_${name}_variants USING gin
			(doc $([[ $name == jsonb* ]] && echo jsonb || echo colj)_path_ops)"
	done
	PGOPTIONS="$PGOPTIONS -c enable_seqscan=off" extractions "$corpus" Q1 100000 "doc @> '$2'" "$3"
	plot_points 2014 "$corpus" variants size Q2
	sql -c "DROP TABLE $(printf ", ${corpus}_%s_variants" json $systems | cut -c 3-)"
}

# extractions CORPUS MEASURE NUMBER CONDITION EXPRESSION: microseconds each takes.
extractions()
{
	local hits where=${4:+ WHERE $4} min_rounds seconds=0

	hits=$(sql -c "SELECT count(*) FROM $1_jsonb_variants$where")
	min_rounds=$(awk -v n="$3" -v scale="$scale" -v hits="$hits" \
		'BEGIN { r = int(n * scale / hits) + 1; print (r > 50 ? 50 : r) }')
	ask 2014 "$1" variants "$2: values" "SELECT $(checksum "$5") FROM {table}$where"
	compare 2014 "$1" variants "$2" us "SELECT ms * 1000 / $hits AS us, answer
		FROM query_time(\$q\$SELECT count($5) FROM {table}$where\$q\$)"
}
