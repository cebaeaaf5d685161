-- What bench/demo does on the server beside lib.sql: choosing queries for
-- documents that nobody has seen before, and printing the tables.
--
-- Copyright (c) 2026, the colj authors

-- The first document that is no valid jsonb: its line and what is wrong.
CREATE FUNCTION bad_document(source text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	r record;
	message text;
	detail text;
BEGIN
	FOR r IN EXECUTE format('SELECT line, doc FROM %I ORDER BY id', source) LOOP
		PERFORM r.doc::jsonb;
	END LOOP;
	RETURN NULL;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN format('line %s: %s', r.line, concat_ws('; ', message, nullif(detail, '')));
END $$;

/*
 * Queries for unknown documents, from the first 2,000: a document that about a
 * tenth of them contains, and an expression for a small value of each (strings
 * tells whether it always is one).
 */
CREATE FUNCTION choose(tab regclass, OUT contained text, OUT expression text,
					   OUT strings bool)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format($q$
		CREATE TEMP TABLE part AS
		WITH docs AS (SELECT doc, jsonb_typeof(doc) AS type FROM %s ORDER BY id LIMIT 2000)
		SELECT type, 1 AS place, key, value, jsonb_build_object(key, value) AS contained
		FROM docs, jsonb_each(CASE type WHEN 'object' THEN doc ELSE '{}' END)
		UNION ALL
		SELECT type, 2, '0', value, jsonb_build_array(value)
		FROM docs, jsonb_array_elements(CASE type WHEN 'array' THEN doc ELSE '[]' END)
		UNION ALL
		SELECT type, 3, '', doc, doc FROM docs WHERE type NOT IN ('object', 'array')
		$q$, tab);

	SELECT CASE place WHEN 1 THEN format('doc ->> %L', key)
					  WHEN 2 THEN 'doc ->> 0' ELSE 'doc #>> ''{}''' END,
		   place = 1 AND bool_and(jsonb_typeof(value) = 'string')
	INTO expression, strings
	FROM part WHERE value <> 'null' GROUP BY place, key
	ORDER BY bool_or(jsonb_typeof(value) IN ('object', 'array')), count(*) DESC,
			 bool_and(jsonb_typeof(value) = 'string') DESC,
			 avg(length(value::text)), key LIMIT 1;

	SELECT p.contained INTO contained
	FROM part p
	GROUP BY p.contained
	ORDER BY bool_or(jsonb_typeof(value) IN ('object', 'array')),
			 abs(0.1 - count(*)::float8 / (SELECT count(*) FROM part) * (SELECT count(DISTINCT key) FROM part)),
			 length(p.contained::text), p.contained LIMIT 1;

	DROP TABLE part;
	contained := coalesce(contained, '{}');
	expression := coalesce(expression, 'doc #>> ''{}''');
	strings := coalesce(strings, false);
END $$;

-- The set's table: a line a system, each figure with its ratio to jsonb of the
-- same storage.
CREATE FUNCTION demo_table(set text) RETURNS SETOF text STABLE LANGUAGE sql AS $$
	WITH shown (measure, n, width) AS (VALUES ('bytes', 1, 14), ('load', 2, 9), ('Q1', 3, 9), ('Q2', 4, 9)),
	systems AS (
		SELECT DISTINCT storage, system FROM figure WHERE corpus = set),
	cells AS (
		SELECT s.system, s.storage, w.n,
			   lpad(coalesce(show(m.value), 'no GIN'), w.width)
			   || rpad(coalesce(' ' || to_char(r.ratio, 'FM990.00') || 'x', ''), 9) AS cell
		FROM systems s CROSS JOIN shown w
		LEFT JOIN median m ON (m.corpus, m.storage, m.system, m.measure) = (set, s.storage, s.system, w.measure)
		LEFT JOIN ratio r ON (r.corpus, r.storage, r.system, r.measure) = (set, s.storage, s.system, w.measure))
	SELECT rpad('', 16) || string_agg(
			lpad(CASE n WHEN 1 THEN 'bytes' WHEN 2 THEN 'load ms' ELSE measure || ' ms' END, width)
			|| rpad(' (ratio)', 9), '' ORDER BY n)
	FROM shown
	UNION ALL
	(SELECT rpad(system || ' ' || upper(storage), 16) || string_agg(cell, '' ORDER BY n)
	 FROM cells GROUP BY system, storage
	 ORDER BY array_position('{json,jsonb,colj}', system), storage = 'external')
$$;

-- A ratio in words.
CREATE FUNCTION in_words(measure text, ratio numeric) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE
		WHEN measure = 'bytes' AND ratio <= 0.985 THEN round(100 * (1 - ratio)) || ' % smaller'
		WHEN measure = 'bytes' AND ratio >= 1.015 THEN round(100 * (ratio - 1)) || ' % larger'
		WHEN measure = 'bytes' THEN 'as large'
		WHEN ratio <= 0.95 THEN label || ' ' || to_char(1 / ratio, 'FM9990.0') || ' times as fast'
		WHEN ratio >= 1.05 THEN label || ' ' || to_char(ratio, 'FM9990.0') || ' times as slow'
		ELSE label || ' as fast' END
	FROM (SELECT replace(measure, 'load', 'loads')) l (label)
$$;

-- What the table shows, in one line.
CREATE FUNCTION demo_says(set text) RETURNS text STABLE LANGUAGE sql AS $$
	SELECT 'Beside jsonb of the same storage: ' || string_agg(line, '; ' ORDER BY storage = 'external') || '.'
	FROM (
		SELECT storage, 'colj ' || upper(storage) || ' is ' || string_agg(in_words(measure, ratio), ', '
				ORDER BY array_position('{bytes,load,Q1,Q2}', measure)) AS line
		FROM ratio
		WHERE corpus = set AND system = 'colj' AND measure IN ('bytes', 'load', 'Q1', 'Q2')
		GROUP BY storage) s
$$;
