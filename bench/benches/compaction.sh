# compaction: many small documents (events of Bluesky's network, 1,000,000 at --scale
# 1) that lie in the row store of a colj table move into stripes, beside COPY of the
# same documents into a heap table of jsonb.
#
# Copyright (c) 2026, the colj authors

bench_compaction()
{
	local systems='jsonb table' rows system file=$work/events.copy seconds=0 unit=ms
	local min_rounds=$((min_rounds < 2 ? min_rounds : 2))

	[ "$colj_type" = colj ] || return 0
	rows=$(rows_of events)
	remarks+=("$rows documents.")
	say "  generating $rows events"
	documents events "$rows" | perl -pe 's{\\}{\\\\}g; $_ = "$.\t$_"' >"$file"
	for system in $systems; do
		sql -c "CREATE TABLE events_${system}_moved (id int, doc $(type_of $system)) $(method_of $system) WITH ($no_vacuum)"
	done
	say "  compacting"
	race compaction events moved 'compaction, beside COPY' compaction_run $systems
	compact_all events_table_moved
	ask compaction events moved documents "SELECT $(checksum "doc ->> 'time_us'") FROM {table}"
	sql -c 'DROP TABLE events_jsonb_moved, events_table_moved'
	rm "$file"
}

compaction_copy() { sql -c "COPY events_$1_moved FROM STDIN" <"$file"; }

prepare_compaction_run()
{
	sql -c "TRUNCATE events_$1_moved" -c CHECKPOINT
	[ "$1" != table ] || PGOPTIONS="$PGOPTIONS -c colj.direct_load_min_rows=0" compaction_copy table
	sql -c CHECKPOINT
}

compaction_run() { if [ "$1" = table ]; then compact events_table_moved; else compaction_copy "$1"; fi; }
