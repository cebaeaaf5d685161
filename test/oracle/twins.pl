#!/usr/bin/perl
#
# twins.pl SEED DIRECTORY: arguments and calls for the twins' part of the oracle.
#
# Reads the file args that generate.pl has written, and writes for COPY:
#   twin_args   id, n, jsonpath, variables, silent, record: the path goes
#               where the document's own keys lead, the record is JSON text
#               that more or less fits the composite types of twins.sql
#   twin_calls  random expressions, written for jsonb
#
# The same seed gives the same files.

use strict;
use warnings;
no warnings 'recursion';

my ($seed, $dir) = @ARGV;
srand($seed + 1);

sub pick   { return $_[int rand @_]; }
sub chance { return rand() < $_[0]; }
sub int_in { my ($low, $high) = @_; return $low + int rand($high - $low + 1); }

# COPY's text format, and an array in it.
sub unfield
{
	my ($s) = @_;
	my %plain = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$s =~ s/\\(.)/$plain{$1} \/\/ $1/ge;
	return $s;
}

sub field
{
	my ($s) = @_;
	$s =~ s/\\/\\\\/g;
	$s =~ s/\t/\\t/g;
	$s =~ s/\n/\\n/g;
	$s =~ s/\r/\\r/g;
	return $s;
}

sub elements
{
	my ($array) = @_;
	my @items;
	while ($array =~ /\G[{,](?:"((?:[^"\\]|\\.)*)"|NULL)/gs)
	{
		next unless defined $1;
		my $item = $1;
		$item =~ s/\\(.)/$1/gs;
		push @items, $item;
	}
	return @items;
}

# Strings of jsonpath and JSON.
sub quoted
{
	my ($s) = @_;
	$s =~ s/(["\\])/\\$1/g;
	$s =~ s/([\x00-\x1f])/sprintf('\u%04x', ord $1)/ge;
	return "\"$s\"";
}

# The steps that the document of the moment can be walked by.
my @walk;

sub key_step
{
	my ($key) = @_;
	return ".$key" if $key =~ /^[a-z]\w*$/ && $key !~ /^(?:is|to|true|false|null|exists|last|flag|strict|lax|type|size|double|abs|floor|ceiling|datetime|keyvalue|like_regex|starts|with|unknown)$/i && chance(0.6);
	return '.' . quoted($key);
}

sub step
{
	my ($step) = @_;
	return "[$step]" if $step =~ /^\d{1,4}$/ && chance(0.9);
	return '[last]' if $step =~ /^-\d+$/ && chance(0.9);
	return key_step($step);
}

sub any_step
{
	return pick('[*]', '.*', '.**', '.**{1}', '.**{1 to 2}', '.**{last}', '[0]', '[last]', '[0 to 2]', '[1, 0]', '[last - 1]',
		'.a', '.b', '.c', '."nope"', '.aa', '.id', '.key1');
}

sub method
{
	return pick('.type()', '.size()', '.double()', '.abs()', '.floor()', '.ceiling()', '.keyvalue()', '.keyvalue().key', '.keyvalue().id',
		'.datetime()', '.datetime("HH24:MI")', '.datetime("YYYY-MM-DD")', '.bigint()', '.string()', '.number()', '.boolean()', '.date()');
}

# A path from $ or @ on.
sub path
{
	my ($start, $depth) = @_;
	my $path = $start;
	my $n = int_in(0, scalar @walk);
	$path .= step($_) for $start eq '$' ? @walk[ 0 .. $n - 1 ] : @walk[ $n .. $#walk ];
	$path .= any_step() if chance(0.4);
	$path .= ' ? (' . predicate($depth + 1) . ')' if $depth < 3 && chance(0.35);
	$path .= any_step() if chance(0.1);
	$path .= method() if chance(0.2);
	return $path;
}

sub current { return chance(0.8) ? '@' : '$'; }

sub literal
{
	return pick(qw(0 1 -1 1.0 10 0.5 100 1e2 null true false "a" "b" "" "abc"), '$x', '$y', '$z', '$none',
		'"2020-01-01".datetime()', '"10:00:00+01".datetime()', '"2020-01-01 10:00:00".datetime()');
}

sub expression
{
	my ($depth) = @_;
	my $x = rand;
	return literal() if $x < 0.4;
	return path($depth ? current() : '$', $depth) if $x < 0.85 || $depth > 3;
	return pick('-', '+') . '(' . expression($depth + 1) . ')' if $x < 0.88;
	return '(' . expression($depth + 1) . pick(' + ', ' - ', ' * ', ' / ', ' % ') . expression($depth + 1) . ')';
}

sub predicate
{
	my ($depth) = @_;
	my $start = $depth ? current() : '$';
	my $x = rand;
	return expression($depth) . pick(' == ', ' != ', ' <> ', ' < ', ' <= ', ' > ', ' >= ') . expression($depth) if $x < 0.5 || $depth > 3;
	return 'exists(' . path($start, $depth) . ')' if $x < 0.62;
	return '(' . predicate($depth + 1) . ')' . pick(' && ', ' || ') . '(' . predicate($depth + 1) . ')' if $x < 0.74;
	return '!(' . predicate($depth + 1) . ')' if $x < 0.8;
	return '(' . predicate($depth + 1) . ') is unknown' if $x < 0.88;
	return path($start, $depth) . ' starts with ' . pick('"a"', '""', '$z') if $x < 0.94;
	return path($start, $depth) . ' like_regex ' . pick('"^a"', '"B" flag "i"', '"."', '"("');
}

# What applications send: keys, and comparisons with constants.
sub simple_path
{
	my ($start) = @_;
	my @keys = chance(0.6) ? @walk : map { pick(qw(a b c d e f t n aa ab id key x)) } 1 .. 2;
	my $path = $start;
	$path .= chance(0.8) ? step($_) : pick('.*', '[*]') for @keys[ 0 .. int_in(0, $#keys) ];
	$path .= ' ? (' . simple_predicate('@') . ')' if chance($start eq '$' ? 0.4 : 0.1);
	$path .= pick('.*', '[*]', '.a') if chance(0.2);
	return $path;
}

sub simple_predicate
{
	my ($start) = @_;
	my $x = rand;
	return 'exists(' . simple_path(chance(0.8) ? $start : '$') . ')' if $x < 0.15;
	return '(' . simple_predicate($start) . pick(' && ', ' || ') . simple_predicate($start) . ')' if $x < 0.3;
	my @sides = (simple_path(chance(0.8) ? $start : '$'), chance(0.8) ? pick(qw(0 1 -1 2.5 1e3 null true false "a" "b" "" "null" "1")) : simple_path($start));
	@sides = reverse @sides if chance(0.2);
	return $sides[0] . pick(' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ') . $sides[1];
}

sub jsonpath
{
	return chance(0.6) ? simple_path('$') : simple_predicate('$') if chance(0.5);
	my $mode = pick('', '', 'lax ', 'strict ');
	my $x = rand;
	return $mode . path('$', 0) if $x < 0.6;
	return $mode . predicate(0) if $x < 0.85;
	return $mode . expression(0);
}

sub variables
{
	return pick('[1]', '1', 'null') if chance(0.05);
	my @vars = map { "\"$_\": " . pick(1, 0, "\"a\"", "\"b\"", "null", "true", "1.50", "[1, 2]", "{\"a\": 1}", "\"2020-01-01\"") } grep { chance(0.7) } qw(x y z a);
	return '{' . join(', ', @vars) . '}';
}

# JSON text for the columns that twins.sql gives its records.
sub text  { return quoted(pick('', 'a', 'b c', 'null', 'NULL', '{}', '[1]', '"q"', '1', 'x\\y', "t\tu", "\xc3\xa9", '{"a": 1}', 'true', '2020-01-01')); }
sub whole { return pick(0, 1, -1, 7, 32767, 2147483647, '1.5', '1e3', '"12"', '"x"', 'true'); }

sub any
{
	my ($depth) = @_;
	my $x = rand;
	return text() if $x < 0.35 || ($depth // 0) > 2;
	return pick('null', 'true', 'false', 1, 2.50, '-0.0', 1e3, '12345678901234567890') if $x < 0.65;
	return '[' . join(', ', map { any(($depth // 0) + 1) } 1 .. int_in(0, 3)) . ']' if $x < 0.82;
	return '{' . join(', ', map { quoted(pick('a', 'b', 'c', 't')) . ': ' . any(($depth // 0) + 1) } 1 .. int_in(0, 3)) . '}';
}

sub list
{
	my ($of, $depth) = @_;
	return '[' . join(', ', map { chance(0.15) && ($depth // 0) < 2 ? list($of, ($depth // 0) + 1) : $of->() } 1 .. int_in(0, 3)) . ']';
}

sub object { return '{' . join(', ', map { "\"$_->[0]\": " . (chance(0.08) ? any() : chance(0.08) ? 'null' : $_->[1]->()) } grep { chance(0.6) } @_) . '}'; }

sub inner { return object([ c => \&any ], [ t => \&text ], [ n => sub { int_in(-9, 9) } ]); }

sub record
{
	return object([ a => \&any ], [ b => \&text ], [ c => \&whole ], [ d => sub { chance(0.5) ? '[' . join(', ', map { any() } 1 .. 3) . ']' : list(\&any) } ], [ e => \&inner ],
		[ f => sub { list(\&inner) } ], [ aa => \&whole ], [ ab => sub { pick('true', 'false', '"t"', '1') } ],
		[ id => \&any ], [ name => \&text ], [ key => \&any ], [ "\xc3\xa9" => \&any ], [ x => sub { list(sub { int_in(0, 9) }) } ],
		[ y => sub { pick('"2020-02-29"', '"nope"') } ], [ z => sub { chance(0.5) ? '{"p": ' . inner() . '}' : any() } ], [ other => \&any ]);
}

sub records { return chance(0.1) ? any() : chance(0.25) ? record() : '[' . join(', ', map { chance(0.05) ? any() : record() } 1 .. int_in(0, 4)) . ']'; }

# Random expressions over d, frag and the arguments.
sub value
{
	return pick('key', 'idx', 'NULL', 'NULL::text', 'path', 'true', '1.50', 'idx::numeric', "'x'", "'NaN'::numeric", "'Infinity'::float8", 'idx::float8',
		"date '2020-02-29' + idx % 100", "ROW(idx, key)", "ROW(1, ROW(d))", "'{\"a\": 1}'::json", 'ARRAY[idx, 1]', 'keys', "timestamptz '2020-01-01 00:00+00'",
		"interval '1 day'", "'a'::\"char\"", 'idx::int8', "'x'::name", "'abc'::varchar", "'ab'::bpchar(5)", "'\\x01'::bytea", 'ARRAY[d, frag]', 'ARRAY[]::int[]', '(1 + 1)::smallint', "'v'::twin_word")
		if chance(0.7);
	return document(2);
}

sub name { return chance(0.9) ? pick('key', "'a'", "'b'", 'idx', 'idx::text', 'true', "date '2020-02-29'", "'c'::varchar", "coalesce(key, '')", '1.5') : pick('NULL', 'path', 'ROW(1)', 'd', 'NULL::text'); }

sub document
{
	my ($depth) = @_;
	return pick('d', 'd', 'd', 'frag', 'd #> path', 'd -> key', "'{}'::jsonb", "'[]'::jsonb", "'{\"a\": {\"b\": [1]}}'::jsonb") if $depth > 3 || chance(0.25);
	my $in = sub { '(' . document($depth + 1) . ')' };
	my @made = (
		sub { 'jsonb_set(' . $in->() . ', path, ' . $in->() . pick('', ', true', ', false') . ')' },
		sub { 'jsonb_set_lax(' . $in->() . ', path, ' . pick($in->(), 'NULL') . ', ' . pick('true', 'false') . ', ' . pick(map { "'$_'" } qw(raise_exception use_json_null delete_key return_target)) . ')' },
		sub { 'jsonb_insert(' . $in->() . ', path, ' . $in->() . pick('', ', true', ', false') . ')' },
		sub { $in->() . ' || ' . $in->() },
		sub { $in->() . ' - ' . pick('key', 'idx', 'keys') },
		sub { $in->() . ' #- path' },
		sub { 'jsonb_strip_nulls(' . $in->() . ')' },
		sub { 'jsonb_build_array(' . join(', ', map { value() } 1 .. int_in(1, 4)) . ')' },
		sub { 'jsonb_build_object(' . join(', ', map { name() . ', ' . value() } 1 .. int_in(1, 3)) . pick('', '', '', ', 1') . ')' },
		sub { 'to_jsonb(' . pick($in->(), 'key', 'idx', 'path', 'ROW(d, key)', 'd') . ')' },
		sub { 'jsonb_path_query_array(' . $in->() . ', jp::jsonpath, vars, silent)' },
		sub { 'jsonb_path_query_first(' . $in->() . ', jp::jsonpath, vars, true)' });
	return pick(@made)->();
}

sub call
{
	my $x = rand;
	return document(0) if $x < 0.75;
	return '(' . document(0) . ') ' . pick('-> key', '->> idx', '#> path', '@> frag', '= d', '@? jp::jsonpath', '@@ jp::jsonpath', '? key');
}

open(my $args,  '<:raw', "$dir/args")       || die;
open(my $out,   '>:raw', "$dir/twin_args")  || die;
open(my $calls, '>:raw', "$dir/twin_calls") || die;
while (my $line = <$args>)
{
	chomp $line;
	my ($id, $n, $key, undef, $path) = split /\t/, $line;
	@walk = elements(unfield($path));
	@walk = (unfield($key)) if !@walk || chance(0.1);
	splice @walk, 6;
	print $out join("\t", $id, $n, map { field($_) } jsonpath(), variables(), pick('t', 'f'), records()), "\n";
}
print $calls field(call()), "\n" for 1 .. 60;
close($_) || die for $args, $out, $calls;
