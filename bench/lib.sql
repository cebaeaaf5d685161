-- What bench/run and bench/demo have in common on the server: timing queries
-- on several systems in turn, keeping their answers, and reporting ratios
-- (report.sql makes tables of them).
--
-- A system is a way to store documents: a type, or a program that is no server
-- of ours (then the type is null).  Its table of a corpus is called
-- corpus_system_storage; templates say {table}, {system}, {type} and
-- {source} (the table of the same documents as text).
--
-- Everything is created in the first schema of the search path.
--
-- Copyright (c) 2026, the colj authors

CREATE TABLE system (
	name text PRIMARY KEY,
	type regtype,
	label text,
	seq bigint GENERATED ALWAYS AS IDENTITY);

-- One timing, or one size.  Round 0 is the warm-up and is not kept.
CREATE TABLE figure (
	bench text NOT NULL,
	corpus text NOT NULL,
	storage text NOT NULL,
	measure text NOT NULL,
	unit text NOT NULL,
	system text NOT NULL,
	round int NOT NULL,
	value float8 NOT NULL,
	seq bigint GENERATED ALWAYS AS IDENTITY);

-- What each system answered: all must say the same.
CREATE TABLE answer (
	bench text NOT NULL,
	corpus text NOT NULL,
	storage text NOT NULL,
	measure text NOT NULL,
	system text NOT NULL,
	answer text,
	seq bigint GENERATED ALWAYS AS IDENTITY);

-- What the figures ought to be; an empty field stands for any.  Without a unit
-- it is the ratio to jsonb that counts, with one the figure itself.
CREATE TABLE goal (
	bench text NOT NULL,
	corpus text NOT NULL,
	storage text NOT NULL,
	measure text NOT NULL,
	op text NOT NULL CHECK (op IN ('<', '<=', '>=')),
	ratio numeric NOT NULL,
	aim numeric,
	system text NOT NULL,
	unit text NOT NULL);

CREATE FUNCTION fill(template text, corpus text, storage text, system text)
RETURNS text STABLE LANGUAGE sql AS $$
	SELECT replace(replace(replace(replace(template,
		'{system}', system),
		'{table}', format('%I', concat_ws('_', corpus, system, storage))),
		'{source}', format('%I', corpus)),
		'{type}', (SELECT type::text FROM system s WHERE s.name = fill.system))
$$;

-- What times are read from; --cpu puts another in its place.
CREATE FUNCTION clock_ms() RETURNS float8 LANGUAGE sql AS $$
	SELECT 1000 * extract(epoch FROM clock_timestamp())::float8
$$;

-- Milliseconds that a query of one row and column takes, and what it gives.
CREATE FUNCTION query_time(query text, OUT ms float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	start float8 := clock_ms();
BEGIN
	EXECUTE query INTO answer;
	ms := clock_ms() - start;
END $$;

-- Milliseconds that a command takes.
CREATE FUNCTION command_time(command text, OUT ms float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	start float8 := clock_ms();
BEGIN
	EXECUTE command;
	ms := clock_ms() - start;
END $$;

-- Blocks that a query touches, in shared buffers or not.
CREATE FUNCTION query_blocks(query text, OUT blocks float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	blocks := (plan #>> '{0,Plan,Shared Hit Blocks}')::float8
		+ (plan #>> '{0,Plan,Shared Read Blocks}')::float8;
END $$;

-- Milliseconds that loading a table from the corpus's text takes.
CREATE FUNCTION load_time(target text, source text, OUT ms float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	start float8;
BEGIN
	EXECUTE format('TRUNCATE %s', target);
	start := clock_ms();
	EXECUTE format('INSERT INTO %s SELECT id, doc::%s FROM %s ORDER BY id', target,
		(SELECT atttypid::regtype FROM pg_attribute
		 WHERE attrelid = target::regclass AND attname = 'doc'), source);
	ms := clock_ms() - start;
END $$;

-- Milliseconds that a command takes which fills an empty table.
CREATE FUNCTION reload_time(target text, command text, OUT ms float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	start float8;
BEGIN
	EXECUTE format('TRUNCATE %s', target);
	start := clock_ms();
	EXECUTE command;
	ms := clock_ms() - start;
END $$;

-- Milliseconds that building an index takes; it stays.
CREATE FUNCTION index_time(tab text, method text, OUT ms float8, OUT answer text)
LANGUAGE plpgsql AS $$
DECLARE
	start float8;
BEGIN
	EXECUTE format('DROP INDEX IF EXISTS %I', tab || '_index');
	start := clock_ms();
	EXECUTE format('CREATE INDEX %I ON %s USING %s', tab || '_index', tab, method);
	ms := clock_ms() - start;
END $$;

/*
 * Time the systems in turn: A B, B A, A B, ...  A sampler is a query that gives a
 * value and an answer.  It runs once for warming up, then at least
 * min_rounds times, and on until `seconds` have passed.  Each run has a transaction of
 * its own, so that nothing stays cached from one to the next.
 */
CREATE PROCEDURE compare(bench text, corpus text, storage text, measure text,
						 unit text, sampler text, systems text[],
						 seconds float8, min_rounds int)
LANGUAGE plpgsql AS $$
DECLARE
	till timestamptz;
	name text;
	sample record;
BEGIN
	FOR round IN 0 .. 50 LOOP
		EXIT WHEN round > min_rounds AND clock_timestamp() > till;
		FOR name IN SELECT s FROM unnest(systems) WITH ORDINALITY u(s, i)
					ORDER BY CASE round % 2 WHEN 0 THEN i ELSE -i END LOOP
			EXECUTE fill(sampler, corpus, storage, name)
				INTO sample;
			IF round > 0 THEN
				INSERT INTO figure VALUES (bench, corpus, storage, measure, unit, name,
										   round, (to_json(sample) ->> unit)::float8);
			ELSIF sample.answer IS NOT NULL THEN
				INSERT INTO answer VALUES (bench, corpus, storage, measure, name,
										   sample.answer);
			END IF;
			COMMIT;
		END LOOP;
		IF round = 0 THEN
			till := clock_timestamp() + seconds * interval '1 s';
		END IF;
	END LOOP;
END $$;

-- Keep what a query (one row, one column) gives on each system.
CREATE PROCEDURE ask(bench text, corpus text, storage text, measure text,
					 query text, systems text[])
LANGUAGE plpgsql AS $$
DECLARE
	name text;
	result text;
BEGIN
	FOREACH name IN ARRAY systems LOOP
		EXECUTE fill(query, corpus, storage, name) INTO result;
		INSERT INTO answer VALUES (bench, corpus, storage, measure, name, result);
	END LOOP;
END $$;

-- Each question: did all systems answer the same, and did they find anything?
CREATE VIEW agreement AS
	SELECT bench, corpus, storage, measure,
		   count(DISTINCT answer) = 1 AND count(answer) = count(*) AND count(*) > 1 AS same,
		   coalesce(bool_and(answer !~ '(^| )0( |$)'), false) AS found,
		   string_agg(system || ': ' || coalesce(answer, 'null'), ', ' ORDER BY seq) AS answers,
		   min(seq) AS seq
	FROM answer
	GROUP BY bench, corpus, storage, measure;

-- The median of each system's rounds.
CREATE VIEW median AS
	SELECT bench, corpus, storage, measure, unit, system, count(*) AS taken,
		   percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS value
	FROM figure
	GROUP BY bench, corpus, storage, measure, unit, system;

-- A system beside jsonb: the median of the rounds' ratios, which other work on
-- the machine disturbs less than the ratio of the medians, and how far the middle
-- half of them lies apart.  Programs that take turns with nobody have other numbers
-- of rounds than jsonb: theirs is the ratio of the medians.
CREATE VIEW ratio AS
	WITH pair AS (
		SELECT s.bench, s.corpus, s.storage, s.measure, s.unit, s.system, count(*) AS rounds,
			   percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY s.value / j.value) AS ratios,
			   min(s.seq) AS seq
		FROM figure s
		JOIN figure j USING (bench, corpus, storage, measure, unit, round)
		WHERE j.system = 'jsonb' AND j.value > 0
		GROUP BY s.bench, s.corpus, s.storage, s.measure, s.unit, s.system)
	SELECT p.bench, p.corpus, p.storage, p.measure, p.unit, p.system, p.rounds,
		   (CASE WHEN in_turn THEN ratios[2] ELSE m.value / j.value END)::numeric AS ratio,
		   CASE WHEN in_turn THEN ratios[3] - ratios[1] END AS spread,
		   p.seq
	FROM pair p
	JOIN median m USING (bench, corpus, storage, measure, unit, system)
	JOIN median j USING (bench, corpus, storage, measure, unit),
		LATERAL (SELECT m.taken = j.taken AND m.taken = p.rounds AS in_turn) t
	WHERE j.system = 'jsonb' AND j.value > 0;

-- A figure for people: three significant digits, thousands separated.
CREATE FUNCTION show(value float8) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT ltrim(CASE WHEN value = 0 THEN '0'
					  WHEN abs(value) >= 100 THEN to_char(value, 'FM999,999,999,999,990')
					  WHEN abs(value) >= 10 THEN to_char(value, 'FM990.0')
					  WHEN abs(value) >= 1 THEN to_char(value, 'FM990.00')
					  ELSE to_char(value, 'FM990.000') END)
$$;
