-- One round of checks on the twins: twins.sql's calls, then random ones.

\set QUIET on
\o /dev/null
SET client_min_messages = warning;

TRUNCATE twin_rows;
INSERT INTO twin_rows
SELECT id, n, key, idx, path, keys, jp, silent, d.txt::jsonb, d.txt::colj, a.txt::jsonb, a.txt::colj, vars::jsonb, vars::colj, rec::jsonb, rec::colj
FROM args a JOIN docs d USING (id) JOIN twin_args t USING (id, n)
WHERE length(d.txt) < 5000 OR id % 10 = 0;
ANALYZE twin_rows;

SELECT run_twin_call('fixed', number, call, CASE WHEN call ~ '\m(jp|rec)\M' THEN 3 ELSE 1 END) FROM fixed_calls ORDER BY number;

SELECT add_twin_call('random', number, call) FROM twin_calls;
SELECT run_twin_call('random', number, call, 1) FROM twin_calls ORDER BY number;
SELECT format('DROP FUNCTION %s', oid::regprocedure) FROM pg_proc WHERE proname ~ '^random_\d+$' \gexec

SELECT run_twin_query(query) FROM twin_queries;
