# A subscriber looks for the row to change by a sequential scan that no snapshot
# orders, where a table has REPLICA IDENTITY FULL.  A compaction may move the
# row meanwhile, from where the scan has not been yet to where it has been.  Here
# the scan is held up by a type whose comparison waits.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %node;
for my $name ('publisher', 'subscriber')
{
	my $node = $node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf', "autovacuum = off\n");
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION colj;
		CREATE TYPE slow;
		CREATE FUNCTION slow_in(cstring) RETURNS slow LANGUAGE internal IMMUTABLE STRICT AS 'textin';
		CREATE FUNCTION slow_out(slow) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
		CREATE TYPE slow (INPUT = slow_in, OUTPUT = slow_out, LIKE = text);
		CREATE CAST (slow AS text) WITHOUT FUNCTION;
		CREATE FUNCTION slow_eq(a slow, b slow) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
		BEGIN
			IF a::text = 'wait' OR b::text = 'wait' THEN
				PERFORM pg_advisory_xact_lock_shared(1);
			END IF;
			RETURN a::text = b::text;
		END $$;
		CREATE FUNCTION slow_hash(slow) RETURNS int LANGUAGE internal IMMUTABLE STRICT AS 'hashtext';
		CREATE OPERATOR = (LEFTARG = slow, RIGHTARG = slow, FUNCTION = slow_eq);
		CREATE OPERATOR CLASS slow_ops DEFAULT FOR TYPE slow USING hash AS OPERATOR 1 =, FUNCTION 1 slow_hash(slow);
		CREATE TABLE t (a slow, n int) USING colj;
		ALTER TABLE t REPLICA IDENTITY FULL});
}
my ($publisher, $subscriber) = @node{'publisher', 'subscriber'};
$publisher->safe_psql('postgres', 'CREATE PUBLICATION p FOR TABLE t');
$subscriber->safe_psql('postgres', q{CREATE SUBSCRIPTION s CONNECTION $$} . $publisher->connstr("postgres") . q{$$ PUBLICATION p});
$subscriber->wait_for_subscription_sync($publisher, 's');

for my $first ('a stripe', 'no stripe', 'an index')
{
	# from PostgreSQL 16 on, an index is used
	$subscriber->safe_psql('postgres', 'CREATE INDEX ON t (n)') if $first eq 'an index';
	$publisher->safe_psql('postgres', q{TRUNCATE t; INSERT INTO t VALUES ('wait', 1)});
	$publisher->wait_for_catchup('s');
	$subscriber->safe_psql('postgres', q{SELECT colj_compact('t')}) if $first eq 'a stripe';
	$publisher->safe_psql('postgres', q{INSERT INTO t VALUES ('row', 1), ('other', 1)});
	$publisher->wait_for_catchup('s');
	# the three are in one page when there is no stripe, which the scan has read as a whole, or not
	my $holder = $subscriber->background_psql('postgres', on_error_die => 1);
	$holder->query_safe('SELECT pg_advisory_lock(1)');
	$publisher->safe_psql('postgres', q{UPDATE t SET n = 2 WHERE a::text = 'row'; DELETE FROM t WHERE a::text = 'other'});
	ok($subscriber->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted}),
		"$first: the subscriber's scan waits");
	$subscriber->safe_psql('postgres', q{SELECT colj_compact('t')});
	$holder->query_safe('SELECT pg_advisory_unlock(1)');
	$holder->quit;
	$publisher->wait_for_catchup('s');
	is($subscriber->safe_psql('postgres', q{SELECT a, n FROM t ORDER BY a::text}), "row|2\nwait|1", "$first: it finds what has moved");
}
$subscriber->stop;
$publisher->stop;
done_testing();
