# Shared by bench/run and bench/demo: talking to the server, loading corpora,
# and comparing systems.  Sourced; the caller has set `schema`.
#
# Copyright (c) 2026, the colj authors

bench_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Nothing in the background while times are taken.
no_vacuum="autovacuum_enabled = off, toast.autovacuum_enabled = off"

# The type that plays colj; jsonb here measures the noise (bench/run --noise).
colj_type=${colj_type:-colj}

say() { echo "$*" >&2; }

fail()
{
	say "error: $*"
	exit 1
}

# SQL from standard input or -c, without psql's own settings.
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

# A fresh schema with lib.sql in it; drop_schema removes it again.
make_schema()
{
	local home

	sql -c 'SELECT 1' >/dev/null ||
		fail "no PostgreSQL server at PGHOST=${PGHOST:-}, PGPORT=${PGPORT:-}"
	export PGCLIENTENCODING=UTF8
	export PGOPTIONS="${PGOPTIONS:-} -c client_min_messages=warning"
	if [ "$colj_type" = colj ]; then
		sql -c 'CREATE EXTENSION IF NOT EXISTS colj'
		home=$(sql -c "SELECT quote_ident(nspname) FROM pg_extension e
			JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'colj'")
	fi
	# One process, the same plans for all, and nothing that comes and goes.
	PGOPTIONS+=" -c search_path=$schema,${home:-public}"
	PGOPTIONS+=' -c jit=off -c max_parallel_workers_per_gather=0'
	PGOPTIONS+=' -c max_parallel_maintenance_workers=0'
	PGOPTIONS+=' -c synchronize_seqscans=off -c maintenance_work_mem=256MB'
	drop_schema
	sql -c "CREATE SCHEMA $schema" -f "$bench_dir/lib.sql" \
		-c "INSERT INTO system VALUES ('json', 'json'), ('jsonb', 'jsonb'),
			('colj', '$colj_type')"
}

drop_schema() { sql -c "DROP SCHEMA IF EXISTS $schema CASCADE"; }

# make_source NAME: an empty table for the text of a corpus.
make_source()
{
	sql -c "CREATE TABLE $1 (id int, doc text) WITH ($no_vacuum)" \
		-c "ALTER TABLE $1 ALTER doc SET STORAGE EXTERNAL"
}

# copy_lines NAME: documents from standard input, one a line, into the source.
copy_lines()
{
	perl -pe 's{\\}{\\\\}g; $_ = "$.\t$_"' | sql -c "COPY $1 FROM STDIN"
}

# make_table CORPUS SYSTEM STORAGE: an empty table for its documents.
make_table()
{
	local type=$2

	[ "$type" != colj ] || type=$colj_type
	sql -c "CREATE TABLE $1_$2_$3 (id int, doc $type) WITH ($no_vacuum)" \
		-c "ALTER TABLE $1_$2_$3 ALTER doc SET STORAGE $3"
}

# settle TABLE...: leave nothing to do for the first who reads them.
settle()
{
	sql -v tables="$*" <<-'SQL'
		SELECT format('VACUUM (FREEZE, ANALYZE) %s', t)
		FROM string_to_table(:'tables', ' ') t \gexec
		SELECT 'CHECKPOINT' FROM pg_roles WHERE rolname = current_user AND rolsuper \gexec
	SQL
}

# compare BENCH CORPUS STORAGE MEASURE UNIT SAMPLER: time $systems in turn.
compare()
{
	sql -v bench="$1" -v corpus="$2" -v storage="$3" -v measure="$4" -v unit="$5" \
		-v sampler="$6" -v systems="${systems// /,}" -v seconds="$seconds" \
		-v min_rounds="$min_rounds" <<-'SQL'
		CALL compare(:'bench', :'corpus', :'storage', :'measure', :'unit',
			:'sampler', string_to_array(:'systems', ','), :seconds, :min_rounds);
	SQL
}

# ask BENCH CORPUS STORAGE MEASURE QUERY: keep what each system answers.
ask()
{
	sql -v bench="$1" -v corpus="$2" -v storage="$3" -v measure="$4" -v query="$5" \
		-v systems="${systems// /,}" <<-'SQL'
		CALL ask(:'bench', :'corpus', :'storage', :'measure', :'query',
			string_to_array(:'systems', ','));
	SQL
}

# checksum EXPRESSION: one number for what it gives in all rows.
checksum() { echo "sum(hashtextextended(id || ($1)::text, 0))"; }

# extract BENCH CORPUS STORAGE MEASURE CONDITION EXPRESSION...: time a scan
# that computes the expressions, and compare what they give.
extract()
{
	local key=("$1" "$2" "$3" "$4") where=${5:+ WHERE $5} counts list

	shift 5
	counts=$(printf ', count(%s)' "$@")
	list=$(printf ', %s' "$@")
	ask "${key[@]}: values" "SELECT $(checksum "ROW(${list#, })") FROM {table}$where"
	compare "${key[@]}" ms "SELECT * FROM query_time(\$q\$SELECT concat_ws(' '$counts) FROM {table}$where\$q\$)"
}
