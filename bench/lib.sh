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
	# rows move into stripes when a bench says so, not with VACUUM
	[ "$colj_type" != colj ] || PGOPTIONS+=' -c colj.compact_min_rows=2147483647'
	drop_schema
	sql -c "CREATE SCHEMA $schema" -f "$bench_dir/lib.sql" \
		-c "INSERT INTO system VALUES ('json', 'json', 'json'), ('jsonb', 'jsonb', 'jsonb'),
			('colj', '$colj_type', 'colj'), ('hot', '$colj_type', 'colj table, hot'),
			('table', '$colj_type', 'colj table')"
}

# add_system NAME LABEL [TYPE]: one more; without a type it is another program.
add_system()
{
	sql -c "INSERT INTO system VALUES ('$1', nullif('${3:-}', '')::regtype, '$2') ON CONFLICT DO NOTHING"
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

# type_of SYSTEM [MODIFIER]: the column's type.
type_of()
{
	case $1 in
		json | jsonb) echo "$1" ;;
		*) [ "$colj_type" = colj ] && echo "colj${2:+($2)}" || echo "$colj_type" ;;
	esac
}

# method_of SYSTEM: how CREATE TABLE names what keeps its rows.
method_of()
{
	case $1$colj_type in
		tablecolj | hotcolj) echo 'USING colj' ;;
	esac
}

# make_table CORPUS SYSTEM STORAGE: an empty table for its documents.
make_table()
{
	sql -c "CREATE TABLE $1_$2_$3 (id int, doc $(type_of "$2")) $(method_of "$2") WITH ($no_vacuum)" \
		-c "ALTER TABLE $1_$2_$3 ALTER doc SET STORAGE $3"
}

# compact TABLE: its rows move into stripes.
compact()
{
	[ "$colj_type" != colj ] || sql -c "SELECT colj_compact('$1')" >/dev/null
}

# load_stripes CORPUS TABLE [COLUMNS]: straight into stripes, if it is a colj table.
# Rows that are inserted and compacted then leave holes where they were.
load_stripes()
{
	sql -c "COPY (SELECT ${3:-id, doc} FROM $1 ORDER BY id) TO STDOUT" |
		sql -c 'SET colj.direct_load_min_rows = 1' -c "COPY $2 FROM STDIN"
	[[ $2 != *_table_* ]] || compact_all "$2"
}

# rows_in_stripes TABLE: by their TIDs; prints how many.
rows_in_stripes() { sql -c "SELECT count(*) FROM $1 WHERE (ctid::text::point)[0] >= 2147483648"; }

# compact_all TABLE: every row of it, or there would be nothing to measure.  What
# somebody's snapshot holds back for a moment is tried again.
compact_all()
{
	local try rows

	[ "$colj_type" = colj ] || return 0
	for try in 1 2 3 4 5; do
		compact "$1"
		rows=$(sql -c "SELECT count(*) FROM $1")
		[ "$(rows_in_stripes "$1")" -lt "$rows" ] || return 0
		sleep 0.5
	done
	fail "not all $rows rows of $1 have moved into stripes"
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

# sizes BENCH CORPUS STORAGE [MEASURE]: bytes of the tables and their TOAST tables.
sizes()
{
	seconds=0 min_rounds=1 compare "$1" "$2" "$3" "${4:-size}" bytes \
		"SELECT pg_table_size('{table}')::float8 AS bytes, NULL::text AS answer"
}

# note BENCH CORPUS STORAGE MEASURE UNIT SYSTEM ROUND VALUE: keep a figure that
# was taken outside the server; noted hands them over.
noted_figures=
note()
{
	noted_figures+=$(printf '%s|' "${@:1:7}")$8$'\n'
}

noted()
{
	[ -z "$noted_figures" ] || printf '%s' "$noted_figures" |
		sql -c "COPY figure (bench, corpus, storage, measure, unit, system, round, value)
			FROM STDIN (FORMAT csv, DELIMITER '|', FORCE_NOT_NULL (corpus, storage))"
	noted_figures=
}

# note_answer BENCH CORPUS STORAGE MEASURE SYSTEM ANSWER
note_answer()
{
	sql -v answer="$6" <<-SQL
		INSERT INTO answer (bench, corpus, storage, measure, system, answer)
		VALUES ('$1', '$2', '$3', '$4', '$5', :'answer');
	SQL
}

now_us() { echo "${EPOCHREALTIME//[.,]/}"; }

# race BENCH CORPUS STORAGE MEASURE COMMAND SYSTEM...: time a shell command for
# each system in turn, as compare does for queries.  Where unit is rows/s, rows
# says how many a run takes.  "prepare_COMMAND SYSTEM", if there is such a
# function, is run before, untimed.
race()
{
	local key=("$1" "$2" "$3" "$4") command=$5 round system start took till=0
	local order="${*:6}" unit=${unit:-ms}

	for ((round = 0; round <= min_rounds || $(now_us) < till; round++)); do
		for system in $order; do
			! declare -F "prepare_$command" >/dev/null || "prepare_$command" "$system"
			start=$(now_us)
			"$command" "$system" >/dev/null
			took=$(($(now_us) - start))
			[ "$round" -eq 0 ] || note "${key[@]}" "$unit" "$system" "$round" \
				"$(awk -v us=$took -v unit="$unit" -v rows="${rows:-0}" \
					'BEGIN { printf "%.6g", unit == "ms" ? us / 1000 : rows * 1000000 / us }')"
		done
		[ "$round" -gt 0 ] || till=$(awk -v now="$(now_us)" -v s="$seconds" 'BEGIN { printf "%d", now + s * 1000000 }')
		order=$(printf '%s\n' $order | tac)
	done
	noted
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
