# Plots of the figures, by gnuplot, as SVG beside the report.  Sourced by
# bench/run.  Without gnuplot the report has tables only, and says so.
#
# Copyright (c) 2026, the colj authors

plots=()

version_of_gnuplot() { gnuplot --version; }
wants_gnuplot() { echo "gnuplot (no plots)"; }

# plot FILE TITLE DATA COMMANDS: the file's name is without folder and ending.
plot()
{
	local data

	has gnuplot || return 0
	mkdir -p "$results"
	data=$(mktemp)
	printf '%s\n' "$3" >"$data"
	gnuplot <<-END
		set terminal svg size 860,480 noenhanced font 'sans-serif,13' background 'white'
		set output '$results/$1.svg'
		set title "$2"
		set grid
		set datafile separator '|'
		data = '$data'
		$4
	END
	rm "$data"
	plots+=("![$2]($1.svg)")
}

# plot_points BENCH CORPUS STORAGE X Y: each system a point; X and Y are
# measures, the axes their ratios to jsonb.
plot_points()
{
	local points

	points=$(points_of "$@")
	plot "$1-$2" "$1, $2: $4 and $5, beside jsonb" "$points" "
		set logscale xy 2
		set offsets graph 0.05, graph 0.05, graph 0.1, graph 0.1
		set xlabel '$4 / jsonb (smaller is better)'
		set ylabel '$5 / jsonb (faster is lower)'
		set key outside right center vertical Left reverse
		set pointsize 1.2
		plot for [i = 0:$(($(wc -l <<<"$points") - 1))] data every ::i::i using 2:3 with points \
			linewidth 2 pointtype i + 1 title word(\"$(sed "s/|.*//; s/.*/'&'/" <<<"$points" | tr '\n' ' ')\", i + 1)"
}

points_of()
{
	sql -v bench="$1" -v corpus="$2" -v storage="$3" -v x="$4" -v y="$5" <<-'SQL'
		SELECT coalesce(s.label, s.name), round(avg(x.ratio), 4), round(avg(y.ratio), 4)
		FROM ratio x
		JOIN ratio y USING (bench, corpus, storage, system)
		JOIN system s ON s.name = system
		WHERE (bench, corpus, storage) = (:'bench', :'corpus', :'storage')
		  AND x.measure = :'x' AND y.measure = :'y'
		GROUP BY s.name
		ORDER BY s.seq;
	SQL
}

# plot_bars BENCH CORPUS STORAGE UNIT: a group of bars for each measure in that
# unit (or for each storage, where that is *), a bar for each system, its height
# the ratio to jsonb.
plot_bars()
{
	local data systems columns storage

	data=$(bars_of "$@")
	[ -n "$data" ] || return 0
	systems=$(head -n 1 <<<"$data" | tr -cd '|' | wc -c)
	columns=$((systems + 1))
	storage=${3#\*}
	plot "$1-$2${storage:+-${storage// /-}}" "$1, $2${storage:+, $storage}: beside jsonb ($4)" "$data" "
		set style data histograms
		set style histogram clustered gap 1
		set style fill solid 0.9 border -1
		set logscale y 2
		set ylabel 'ratio to jsonb, $(better_of "$4")'
		set bmargin 6
		set rmargin 9
		set label 'jsonb' at graph 1.01, first 1
		set xtics rotate by -30 scale 0
		set key outside bottom center horizontal
		set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb 'black'
		plot for [i = 2:$columns] data using i:xtic(1) title columnheader(i)"
}

# better_of UNIT
better_of()
{
	case $1 in
		*/s | TPS) echo 'higher is faster' ;;
		bytes*) echo 'lower is smaller' ;;
		*) echo 'lower is faster' ;;
	esac
}

bars_of()
{
	sql -v bench="$1" -v corpus="$2" -v storage="$3" -v unit="$4" <<-'SQL'
		WITH bar AS (
			SELECT coalesce(s.label, s.name) AS label, s.seq AS place, ratio, r.seq,
				   CASE :'storage' WHEN '*' THEN storage ELSE measure END AS name
			FROM ratio r JOIN system s ON s.name = r.system
			WHERE (bench, corpus, unit) = (:'bench', :'corpus', :'unit')
			  AND :'storage' IN (storage, '*') AND s.name <> 'jsonb'),
		head AS (SELECT label, min(place) AS place FROM bar GROUP BY label),
		groups AS (SELECT name, min(seq) AS seq FROM bar GROUP BY name)
		SELECT line FROM (
			SELECT 0 AS seq, 'measure|' || string_agg(label, '|' ORDER BY place) AS line
			FROM head HAVING count(*) > 0
			UNION ALL
			SELECT g.seq, g.name || '|' || string_agg(coalesce(round(ratio, 4)::text, '?'), '|' ORDER BY head.place)
			FROM groups g CROSS JOIN head
			LEFT JOIN bar ON bar.name = g.name AND bar.label = head.label
			GROUP BY g.seq, g.name) l
		ORDER BY seq;
	SQL
}
