# What the tests of tables with stripes share.
#
# Copyright (c) 2026, the colj authors

package Stripes;

use strict;
use warnings;

use Exporter 'import';
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More ();

our @EXPORT = qw(make_tables facts indexes_sound start_dml finish_dml session toast_of relfile kill_backend);

# Table t has 3000 rows, which t = m also says: rows of stripes, dead and
# changed ones among them, and rows of the row store.
sub make_tables
{
	my ($node, $db, $persistence) = @_;
	$persistence //= '';
	$node->safe_psql($db, qq{
		CREATE EXTENSION IF NOT EXISTS colj;
		SET colj.stripe_rows = 1000;
		CREATE $persistence TABLE t (id int PRIMARY KEY, doc colj, v text) USING colj;
		CREATE INDEX t_doc ON t USING gin (doc);
		CREATE INDEX t_v ON t (v);
		INSERT INTO t SELECT g, jsonb_build_object('k', g % 100, 'h', md5(g::text), 'l', jsonb_build_array(g, NULL, 1.50))::colj, 'v' || g % 50
			FROM generate_series(1, 2500) g;});
	# in transactions of their own, so that the rows are cold
	$node->safe_psql($db, q{SET colj.stripe_rows = 1000; SELECT colj_compact('t')});
	$node->safe_psql($db, q{
		UPDATE t SET v = 'changed' WHERE id % 100 = 7;
		DELETE FROM t WHERE id % 100 = 8;
		INSERT INTO t SELECT g, NULL, 'hot' FROM generate_series(2501, 3025) g;
		CREATE TABLE m AS TABLE t;});
}

# How many rows t has, by every access path, and how many differ from m.
sub facts
{
	my ($node, $db) = @_;
	return join ' ', split /\n/, $node->safe_psql($db, q{
		SELECT count(*) FROM t;
		SELECT count(*) FROM ((TABLE t EXCEPT ALL TABLE m) UNION ALL (TABLE m EXCEPT ALL TABLE t)) d;
		SET enable_seqscan = off;
		SELECT count(*) FROM t WHERE doc @> '{"k": 3}';
		SELECT count(*) FROM t WHERE v = 'changed';
		SET enable_bitmapscan = off;
		SELECT count(v) FROM t WHERE id > 0;});
}

sub indexes_sound
{
	my ($node, $db) = @_;
	return $node->psql($db, q{SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS amcheck;
		SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_opclass c ON c.oid = indclass[0]
		WHERE indrelid = 't'::regclass AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'btree')}) == 0;
}

# The random changes of test/dml, in the background.
sub start_dml
{
	my ($node, $db, $seed, $steps) = @_;
	my $log = '';
	my $run = IPC::Run::start([$^X, "$ENV{TESTDIR}/dml/generate.pl", $seed, $steps], '|',
		['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($db)], '>', \$log, '2>', \$log);
	return {run => $run, log => \$log};
}

# What it has printed; the last line is "done" if all went well.
sub finish_dml
{
	my ($dml) = @_;
	eval { $dml->{run}->finish };
	return ${$dml->{log}};
}

sub toast_of
{
	my ($node, $db, $table) = @_;
	return $node->safe_psql($db, "SELECT reltoastrelid::regclass FROM pg_class WHERE oid = '$table'::regclass");
}

sub relfile
{
	my ($node, $db, $table) = @_;
	return $node->data_dir . '/' . $node->safe_psql($db, "SELECT pg_relation_filepath('$table')");
}

# Kill a server process the hard way, which takes the server down with it.  False
# if it has ended by itself; then the server is stopped.
sub kill_backend
{
	my ($node, $pid) = @_;
	if ($pid !~ /^\d+$/ || !kill 'KILL', $pid)
	{
		Test::More::fail("there is a process \"$pid\" to kill");
		$node->stop('immediate');
		return 0;
	}
	# with restart_after_crash off, the postmaster ends
	my $file = $node->data_dir . '/postmaster.pid';
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		last unless -e $file;
		select undef, undef, undef, 0.1;
	}
	Test::More::fail('the server has ended') if -e $file;
	$node->{_pid} = undef;
	return 1;
}

sub session { return Stripes::Session->new(@_) }

# A session whose statements are sent one by one.
package Stripes::Session;

sub new
{
	my ($class, $node, $db) = @_;
	my $self = bless {in => '', out => '', n => 0}, $class;
	$self->{timer} = IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default);
	$self->{run} = IPC::Run::start(['psql', '-XAtq', '-d', $node->connstr($db)],
		'<', \$self->{in}, '>', \$self->{out}, '2>&1', $self->{timer});
	return $self;
}

# What the statements print, errors as well.
sub query
{
	my ($self, $sql) = @_;
	my $mark = 'statement ' . ++$self->{n};
	$self->send("$sql;\n\\echo $mark");
	# a session that the server ends comes to an end itself
	while ($self->{out} !~ /^\Q$mark\E\n/m)
	{
		last unless eval { $self->{run}->pump };
	}
	my ($out) = $self->{out} =~ /\A(.*?)(?:^\Q$mark\E\n|\z)/ms;
	$self->{out} = '';
	chomp $out;
	return $out;
}

# Send statements and do not wait for them.
sub send
{
	my ($self, $sql) = @_;
	$self->{timer}->start($PostgreSQL::Test::Utils::timeout_default);
	$self->{in} .= "$sql\n";
	$self->{run}->pump_nb;
}

sub quit
{
	my ($self) = @_;
	$self->{in} .= "\\q\n";
	eval { $self->{run}->finish };
}

1;
