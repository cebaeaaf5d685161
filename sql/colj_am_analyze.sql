--
-- ANALYZE of stripes, which looks at some of their rows only, and of both stores.
--
CREATE TABLE an (id int, two int, hot bool) USING colj WITH (autovacuum_enabled = off);
INSERT INTO an SELECT g, g % 2, false FROM generate_series(1, 120000) g;
SELECT colj_compact('an');
VACUUM an;
ANALYZE an;
SELECT reltuples BETWEEN 119000 AND 121000 AS tuples FROM pg_class WHERE relname = 'an';
-- each row has the same chance, none is there twice, and they are in the order of a scan
SELECT attname, n_distinct, round(correlation::numeric, 1) AS correlation, (most_common_freqs)[1] BETWEEN 0.45 AND 0.55 AS half FROM pg_stats WHERE tablename = 'an' ORDER BY 1;
-- rows of the row store have no better one, and come behind
INSERT INTO an SELECT g, g % 2, true FROM generate_series(120001, 150000) g;
ANALYZE an;
SELECT reltuples BETWEEN 148000 AND 152000 AS tuples FROM pg_class WHERE relname = 'an';
SELECT attname, n_distinct, round(correlation::numeric, 1) AS correlation FROM pg_stats WHERE tablename = 'an' ORDER BY 1;
SELECT most_common_vals, most_common_freqs[2] BETWEEN 0.17 AND 0.23 AS fifth FROM pg_stats WHERE tablename = 'an' AND attname = 'hot';
DROP TABLE an;
