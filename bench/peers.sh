# Programs that are measured beside the server where they are installed.
# Sourced by bench/run.
#
# Each peer has a script in bench/peers.  One that runs SQL takes
#
#	FILE ROUNDS SECONDS [BEFORE]	the statement on standard input
#
# where BEFORE is SQL to run before each round, untimed.  It prints a line "ms N"
# a round after the one that warms up, and a last line "answer TEXT": the rows as
# PostgreSQL writes composite values, with blanks between.  PEER_THREADS is how
# many threads it may use, 1 if not set.
#
# bench/setup puts modules for node into a folder of the user's own.
#
# Copyright (c) 2026, the colj authors

export NODE_PATH="${NODE_PATH:+$NODE_PATH:}${COLJ_PEERS-${XDG_CACHE_HOME:-${HOME:-}/.cache}/colj-peers}/node_modules"

declare -A peer_version=() peer_missing=()
# those that the bench at hand has asked for
declare -A peer_asked=()

# has PEER: is it there?  What is not, the report names as skipped.
has()
{
	local version

	peer_asked[$1]=1
	[ -z "${peer_version[$1]:-}" ] || return 0
	[ -z "${peer_missing[$1]:-}" ] || return 1
	version=$("version_of_$1" 2>/dev/null | head -n 1) || true
	if [ -n "$version" ]; then
		peer_version[$1]=$version
	else
		peer_missing[$1]=$("wants_$1")
		return 1
	fi
}

# A Python that has NumPy, if there is one.
python=python3
for candidate in python3 /usr/bin/python3; do
	! "$candidate" -c 'import numpy, sqlite3' 2>/dev/null || { python=$candidate; break; }
done

jackson_jars=$(echo /usr/share/java/jackson-{core,databind,annotations}.jar | tr ' ' ':')

version_of_jq() { jq --version; }
version_of_sqlite() { "$python" -c 'import sqlite3; print("SQLite", sqlite3.sqlite_version)'; }
version_of_numpy() { "$python" -c 'import numpy; print("NumPy", numpy.__version__)'; }
version_of_duckdb() { in_duckdb --version; }
version_of_jackson() { in_jackson --version; }

version_of_clickhouse() { in_clickhouse --version; }
version_of_mongodb() { in_mongodb --version; }

wants_jq() { echo "jq"; }
wants_sqlite() { echo "SQLite (Python's module sqlite3)"; }
wants_numpy() { echo "NumPy (for python3)"; }
wants_duckdb() { echo "DuckDB (node, and its module @duckdb/node-api)"; }
wants_clickhouse() { echo "ClickHouse (node, and its module chdb)"; }
wants_mongodb() { echo "MongoDB (mongod and mongosh)"; }
wants_jackson() { echo "Jackson (a JDK, and /usr/share/java/jackson-databind.jar)"; }

in_sqlite() { "$python" "$bench_dir/peers/sqlite" "$@"; }
in_duckdb() { "$bench_dir/peers/duckdb" "$@"; }
in_clickhouse() { "$bench_dir/peers/clickhouse" "$@"; }
in_mongodb() { "$bench_dir/peers/mongodb" "$@"; }
in_numpy() { "$python" "$bench_dir/peers/numpy" "$@"; }
in_jackson() { java -cp "$jackson_jars" "$bench_dir/peers/Jackson.java" "$@"; }

# peer BENCH CORPUS STORAGE MEASURE SYSTEM COMMAND [ARG...]: keep the figures and
# the answer that a command prints in that way.
peer()
{
	local key=("$1" "$2" "$3" "$4") system=$5 round=0 kind value

	shift 5
	while read -r kind value; do
		case $kind in
			ms) note "${key[@]}" ms "$system" $((++round)) "$value" ;;
			answer) note_answer "${key[@]}" "$system" "$value" ;;
			*) fail "$1 printed: $kind $value" ;;
		esac
	done < <("$@" || echo "failed with status $?")
	[ "$round" -gt 0 ] || fail "$1 gave no figures"
	noted
}

# A server may be restarted if test/with-server started it for us.
version_of_restart() { [ -n "${COLJ_PRIVATE:-}" ] && echo "cold runs after a restart"; }
wants_restart() { echo "cold runs (the server is not one of test/with-server)"; }

# restart_cold: the server, with nothing of its tables in memory.
restart_cold()
{
	(
		. "$bench_dir/../test/lib.sh"
		cd "$COLJ_PRIVATE" || exit
		"${unprivileged[@]}" env HOME="$COLJ_PRIVATE" pg_ctl -D data -m fast -s -w stop
		find data/base -size +1M -print0 | while IFS= read -r -d '' file; do drop_files "$file"; done
		"${unprivileged[@]}" env HOME="$COLJ_PRIVATE" pg_ctl -D data -l server.log -s -w start
	) </dev/null >/dev/null
}

# drop_files FILE...: ask the kernel to forget what it has of them in memory.
drop_files()
{
	local file

	sync -d "$@"
	for file; do dd if="$file" iflag=nocache count=0 status=none; done
}

# What the report says about them.
describe_peers()
{
	local name programs=() missing=()

	for name in "${!peer_asked[@]}"; do
		if [ -n "${peer_missing[$name]:-}" ]; then missing+=("${peer_missing[$name]}")
		elif [ "$name" != gnuplot ] && [ "$name" != restart ]; then programs+=("${peer_version[$name]}"); fi
	done
	[ ${#programs[@]} -eq 0 ] ||
		echo "Beside: $(printf '%s\n' "${programs[@]}" | sort | paste -sd, | sed 's/,/, /g')."
	[ ${#missing[@]} -eq 0 ] ||
		echo "Skipped, as not there: $(printf '%s\n' "${missing[@]}" | sort | paste -sd ';' | sed 's/;/; /g')."
}

# The same as TAP.
tap_peers()
{
	local name

	for name in "${!peer_missing[@]}"; do
		echo "ok - peer $name # SKIP not there: ${peer_missing[$name]}"
	done
}
