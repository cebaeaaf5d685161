-- Figures as Markdown: read after lib.sql.
--
-- Where a corpus and storage was measured on jsonb and colj only, a line is a
-- measure; where there were more systems, a line is a system.
--
-- Copyright (c) 2026, the colj authors

-- Does a figure meet a goal?  Figures are rounded to what is shown of them, or to the goal's digits.
CREATE FUNCTION meets(figure numeric, op text, goal numeric) RETURNS boolean
IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE op WHEN '<' THEN round(figure, greatest(2, scale(goal))) < goal
				   WHEN '<=' THEN round(figure, greatest(2, scale(goal))) <= goal
				   ELSE round(figure, greatest(2, scale(goal))) >= goal END
$$;

CREATE VIEW verdict AS
	SELECT r.bench, r.corpus, r.storage, r.measure, r.unit, r.system, r.rounds, r.ratio,
		   r.spread, r.seq, j.value AS jsonb, c.value AS colj, g.op, g.ratio AS goal, g.aim,
		   g.unit AS goal_unit,
		   CASE WHEN g.op IS NULL THEN ''
				WHEN meets(CASE g.unit WHEN '' THEN r.ratio ELSE c.value::numeric END, g.op, g.ratio)
				THEN 'PASS' ELSE 'MISS' END AS verdict
	FROM ratio r
	JOIN median c USING (bench, corpus, storage, measure, unit, system)
	JOIN median j USING (bench, corpus, storage, measure, unit)
	LEFT JOIN LATERAL
		(SELECT * FROM goal g
		 WHERE g.bench = r.bench AND g.corpus IN (r.corpus, '')
		 AND g.storage IN (r.storage, '') AND g.measure IN (r.measure, '')
		 AND g.system = r.system AND g.unit IN (r.unit, '')
		 ORDER BY g.ratio LIMIT 1) g ON true
	WHERE r.system <> 'jsonb' AND j.system = 'jsonb';

-- What was measured on more systems than jsonb and colj.
CREATE VIEW contest AS
	SELECT bench, corpus, storage, min(seq) AS seq
	FROM figure
	GROUP BY bench, corpus, storage
	HAVING bool_or(system NOT IN ('jsonb', 'colj'));

-- Lines of cells, the first of them the head, as a Markdown table.  `sides` has
-- a letter for each column: l and r are the side that its cells keep to.
CREATE FUNCTION aligned(cells jsonb, sides text) RETURNS SETOF text STABLE LANGUAGE sql AS $$
	WITH cell AS (
		SELECT n, i, coalesce(c, '') AS c, substr(sides, i::int, 1) AS side
		FROM jsonb_array_elements(cells) WITH ORDINALITY l (line, n),
			 jsonb_array_elements_text(line) WITH ORDINALITY e (c, i)),
	padded AS (
		SELECT *, max(length(c)) OVER (PARTITION BY i) AS w FROM cell)
	SELECT line FROM (
		SELECT n, '| ' || string_agg(CASE side WHEN 'r' THEN lpad(c, w) ELSE rpad(c, w) END,
			' | ' ORDER BY i) || ' |' AS line
		FROM padded GROUP BY n
		UNION ALL
		SELECT 1.5, '|' || string_agg(repeat('-', w + 1) || CASE side WHEN 'r' THEN ':' ELSE '-' END,
			'|' ORDER BY i) || '|'
		FROM padded WHERE n = 1) l
	ORDER BY n
$$;

-- The goal of a verdict, as people write it.
CREATE FUNCTION show_goal(v verdict) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT (v).op || ' ' || CASE (v).goal_unit WHEN '' THEN to_char((v).goal, CASE WHEN scale((v).goal) > 2 THEN 'FM90.000' ELSE 'FM90.00' END)
			ELSE (v).goal || ' ' || (v).goal_unit END
		|| coalesce(' (aim ' || to_char((v).aim, 'FM90.00') || ')', '')
$$;

-- One bench's measures of jsonb and colj.
CREATE FUNCTION markdown(bench text) RETURNS SETOF text STABLE LANGUAGE sql AS $$
	SELECT aligned('[["ratio", "goal", "verdict", "corpus", "storage", "measure", "jsonb", "colj", "rounds", "spread"]]'
		|| jsonb_agg(jsonb_build_array(to_char(ratio, 'FM9990.00'), show_goal(v), verdict, corpus, storage,
			measure, show(jsonb) || ' ' || unit, show(colj) || ' ' || unit,
			CASE WHEN rounds > 1 THEN rounds::text END,
			CASE WHEN rounds > 1 THEN to_char(spread, 'FM9990.00') END) ORDER BY seq), 'rlllllrrrr')
	FROM verdict v
	WHERE v.bench = markdown.bench
	  AND NOT EXISTS (SELECT FROM contest c
		WHERE (c.bench, c.corpus, c.storage) = (v.bench, v.corpus, v.storage))
	HAVING count(*) > 0
$$;

-- The measures of a corpus and storage, a line a system: the ratio to jsonb, and
-- the median in brackets.
CREATE FUNCTION standings(bench text, corpus text, storage text)
RETURNS SETOF text STABLE LANGUAGE sql AS $$
	WITH measures AS (
		SELECT measure, row_number() OVER (ORDER BY min(seq)) AS i
		FROM figure f
		WHERE (f.bench, f.corpus, f.storage) = (standings.bench, standings.corpus, standings.storage)
		GROUP BY measure),
	cells AS (
		SELECT system, measure, concat_ws(' ',
			CASE system WHEN 'jsonb' THEN '1' ELSE to_char(ratio, 'FM9990.00') END,
			'(' || show(value) || ' ' || unit || ')') AS cell
		FROM median m
		LEFT JOIN ratio r USING (bench, corpus, storage, measure, unit, system)
		WHERE (bench, corpus, storage) = (standings.bench, standings.corpus, standings.storage)),
	lines AS (
		SELECT s.seq, jsonb_build_array(coalesce(s.label, s.name))
			|| jsonb_agg(coalesce(cell, '') ORDER BY i) AS line
		FROM system s
		CROSS JOIN measures
		LEFT JOIN cells ON cells.system = s.name AND cells.measure = measures.measure
		WHERE s.name IN (SELECT system FROM cells)
		GROUP BY s.name)
	SELECT aligned(jsonb_build_array((SELECT '["system"]' || jsonb_agg(measure ORDER BY i) FROM measures))
		|| jsonb_agg(line ORDER BY seq), 'l' || repeat('r', (SELECT count(*)::int FROM measures)))
	FROM lines
$$;

-- How many rounds the figures of a corpus and storage are of, and how far they lie apart.
CREATE FUNCTION rounds_taken(bench text, corpus text, storage text)
RETURNS SETOF text STABLE LANGUAGE sql AS $$
	SELECT E'\n' || CASE WHEN max(rounds) = 1 THEN 'One round.'
		ELSE format('Medians of %s rounds', CASE WHEN min(rounds) = max(rounds) THEN max(rounds)::text
				ELSE min(rounds) || ' to ' || max(rounds) END)
			|| coalesce('; the middle half of the ratios of one system and measure lies at most '
				|| round(100 * max(spread)) || ' % of the median apart.', '.') END
	FROM (SELECT count(*) AS rounds, max(spread / nullif(ratio, 0)) AS spread
		FROM figure f
		LEFT JOIN ratio r ON (r.bench, r.corpus, r.storage, r.measure, r.unit, r.system)
			= (f.bench, f.corpus, f.storage, f.measure, f.unit, f.system) AND r.system <> 'jsonb'
		WHERE (f.bench, f.corpus, f.storage) = (rounds_taken.bench, rounds_taken.corpus, rounds_taken.storage)
		GROUP BY f.measure, f.unit, f.system) m
	HAVING count(*) > 0
$$;

-- The goals of what was measured on several systems.
CREATE FUNCTION goals_reached(bench text) RETURNS SETOF text STABLE LANGUAGE sql AS $$
	SELECT aligned('[["ratio", "goal", "verdict", "corpus", "storage", "measure", "system", "figure"]]'
		|| jsonb_agg(jsonb_build_array(to_char(ratio, 'FM9990.00'), show_goal(v), verdict, v.corpus, v.storage,
			measure, coalesce(s.label, s.name), show(colj) || ' ' || unit) ORDER BY v.seq), 'rllllllr')
	FROM verdict v
	JOIN contest c ON (c.bench, c.corpus, c.storage) = (v.bench, v.corpus, v.storage)
	JOIN system s ON s.name = v.system
	WHERE v.bench = goals_reached.bench AND op IS NOT NULL
	HAVING count(*) > 0
$$;
