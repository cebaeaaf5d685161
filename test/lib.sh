# test/lib.sh: what the scripts in this folder share; to be sourced.

# Whom PostgreSQL may run as, since it refuses root: empty when the caller is
# somebody else already.
unprivileged=()
unprivileged_user=$(id -un)
if [ "$(id -u)" -eq 0 ]
then
	unprivileged_user=nobody
	! id postgres > /dev/null 2>&1 || unprivileged_user=postgres
	unprivileged=(setpriv "--reuid=$unprivileged_user"
		"--regid=$(id -g "$unprivileged_user")" --clear-groups)
fi

# The processes below process $1.
descendants()
{
	local pid
	for pid in $(cat "/proc/$1/task/$1/children" 2> /dev/null)
	do
		descendants "$pid"
		echo "$pid"
	done
}

# Run a command so that a trap for a signal is run at once, not when the
# command has ended; the trap should call stop_child.
child=
stoppable()
{
	local status=0
	"$@" <&0 &
	child=$!
	wait "$child" || status=$?
	child=
	return "$status"
}

# Stop it and all that it started, and wait until they have cleaned up.
stop_child()
{
	local pids pid tries
	[ -n "$child" ] || return 0
	pids="$(descendants "$child") $child"
	kill -TERM $pids 2> /dev/null || true
	wait "$child" 2> /dev/null || true
	child=
	for pid in $pids
	do
		for ((tries = 0; tries < 300; tries++))
		do
			running "$pid" || continue 2
			sleep 0.1
		done
		kill -KILL "$pid" 2> /dev/null || true
	done
}

running()
{
	local stat
	stat=$(cat "/proc/$1/stat" 2> /dev/null) && [[ ! ${stat##*)} =~ ^\ [ZX] ]]
}

# A script that has sourced this and defines cleanup() ends through it.
clean_up_at_end()
{
	trap 'status=$?; trap "" INT TERM HUP; stop_child; cleanup; exit "$status"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
}
