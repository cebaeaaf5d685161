-- Store the documents of a round in every way: text in, cast, stride, storage.

\set QUIET on
TRUNCATE small, given;

CREATE FUNCTION pg_temp.store(store text, skew int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
	strides int[] := '{1, 2, 8, 32, 256}';
BEGIN
	EXECUTE format('TRUNCATE %s', store);
	FOR i IN 1 .. cardinality(strides)
	LOOP
		PERFORM set_config('colj.offset_stride', strides[i]::text, false);
		EXECUTE format('INSERT INTO %s SELECT id, $1, txt::jsonb, CASE id %% 3 WHEN 0 THEN txt::jsonb::colj'
					   ' WHEN 1 THEN txt::json::colj ELSE txt::colj END FROM docs WHERE id %% 5 = $2', store)
		USING strides[i], (i + skew) % 5;
	END LOOP;
END
$$;

SELECT pg_temp.store(name, (row_number() OVER ())::int) FROM stores \g /dev/null
INSERT INTO given SELECT id, n, key, idx, path, keys, txt::jsonb, txt::colj FROM args;
INSERT INTO small SELECT * FROM plain WHERE greatest(pg_column_size(j), pg_column_size(c)) < 1000;
RESET colj.offset_stride;
VACUUM ANALYZE;
