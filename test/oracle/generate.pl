#!/usr/bin/perl
#
# generate.pl SEED COUNT DIRECTORY: random documents for the oracle.
#
# Writes files that COPY reads:
#   docs   id, JSON text
#   args   id, n, key, index, path, keys, fragment: arguments for calls on
#          the document: some hit it, some nearly, some not at all
#   texts  label, bytes: damaged JSON texts
#
# Everything is bytes in UTF-8.  The same seed gives the same files.

use strict;
use warnings;
no warnings 'recursion';

my ($seed, $count, $dir) = @ARGV;
srand($seed);

# A node is [kind, content]: 's' bytes, 'n' text, 'l' null/true/false,
# 'a' [nodes], 'o' [[key, node], ...].

sub pick   { return $_[int rand @_]; }
sub chance { return rand() < $_[0]; }
sub int_in { my ($low, $high) = @_; return $low + int rand($high - $low + 1); }

sub character
{
	my $c = pick(
		sub { chr int_in(0x20, 0x7e) }, sub { chr int_in(0x61, 0x66) },
		sub { pick('"', '\\', '/', "\n", "\t", "\x01", "\x1f", "\x7f", ' ', '$') },
		sub { utf8(int_in(0x80, 0x7ff)) }, sub { utf8(int_in(0x800, 0xd7ff)) },
		sub { utf8(int_in(0xe000, 0xffff)) }, sub { utf8(int_in(0x10000, 0x10ffff)) });
	return $c->();
}

sub utf8
{
	my $s = chr $_[0];
	utf8::encode($s);
	return $s;
}

my @lengths = (0, 1, 2, 5, 29, 30, 31, 32, 33, 62, 63, 64, 126, 127, 128, 254, 255, 256, 257);

sub string_of
{
	my ($len) = @_;
	my $s = '';
	return chr(int_in(0x61, 0x66)) x $len if chance(0.5) || $len > 10000;
	$s .= chance(0.7) ? chr int_in(0x61, 0x7a) : character() while length $s < $len;
	$s =~ s/[\x80-\xff]+$// while length $s > $len;
	return $s;
}

sub string
{
	my $x = rand;
	return string_of(pick(65535, 65536, 65537, 70000)) if $x < 0.0005;
	return string_of(pick(@lengths)) if $x < 0.3;
	return pick('', 'a', 'b', 'ab', 'abc', 'null', 'true', '1', '1.0', '{}', '[]') if $x < 0.6;
	return join '', map { character() } 1 .. int_in(0, 12);
}

my @keys = (
	'a' .. 'f', 'aa', 'ab', 'abc', 'abcd', 'abce', 'key', 'key1', 'key10', 'key2', '', ' ',
	'0', '1', '-1', 'id', 'name', 'user', 'text', 'jsonb', 'colj', 'a"b', 'a\\b', "a\tb", 'a.b',
	"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "e\xcc\x81", 'A', 'Ab', 'a b', '{}', '[0]', 'NULL');

sub key
{
	my $x = rand;
	return pick('a', 'b', 'c') if $x < 0.3;
	return pick(@keys) if $x < 0.9;
	return string_of(pick(@lengths)) if $x < 0.97;
	return 'k' x 200 . string_of(pick(55, 56, 57, 300));
}

my @numbers = qw(
  0 -0 0.0 -0.0 0.00 0e0 -0e5 0e-5 0E+5 1 -1 1.0 1.00 1.000000000000000000000000000 10 1e1 1.0e1
  1e2 1E2 1e+2 100 100.0 1e-2 0.01 0.010 1e400 -1e400 0.1e-300 -0.1e-300 1e-400 123456789e-10
  27 28 29 -27 -28 127 128 -128 -129 255 256 32767 32768 -32768 -32769 65535 65536 8388607 8388608
  2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 1099511627775 1099511627776
  9223372036854775806 9223372036854775807 9223372036854775808 -9223372036854775807
  -9223372036854775808 -9223372036854775809 9223372036854775807.0 922337203685477580.7
  9.223372036854775807 9.223372036854775808 -9.223372036854775808 -9.223372036854775809
  1234567890123456789 12345678901234567890 1234567890123456789.5 0.12345678901234567890
  0.1234567890123456789 -0.9999999999999999999 99999999999999999999 10000000000000000000
  1000000000000000000 1e18 1e19 1e20 1.5e18 1.5e19 -1e18 -1e19 3.141592653589793 2.718281828 1e-18
  1e-19 1e-20 1e-254 1e-255 1e-256 1e-257 5e-255 5e-256 1.7976931348623157e308
  5e-324 123.456e3 123.456e-3 1.10 1.1 1.01 100000000000000000000000000000000000000000.5);

sub number
{
	my $x = rand;
	return pick(qw(1e131071 -1e131071 1e-16383 0.1e-16382)) if $x < 0.001;
	return pick(@numbers) if $x < 0.35;
	return int_in(-40, 40) if $x < 0.6;
	return int_in(-100000, 100000) if $x < 0.7;
	return (chance(0.5) ? '-' : '') . int_in(1, 9) . join '', map { int_in(0, 9) } 1 .. int_in(0, 24) if $x < 0.8;
	return (chance(0.5) ? '-' : '') . int_in(0, 999) . '.' . join '', map { int_in(0, 9) } 1 .. int_in(1, 22) if $x < 0.95;
	return int_in(-99, 99) . '.' . int_in(0, 99) . pick('e', 'E') . pick('', '+', '-') . int_in(0, 40);
}

sub scalar_node
{
	my $x = rand;
	return [ 'n', number() ] if $x < 0.4;
	return [ 's', string() ] if $x < 0.8;
	return [ 'l', pick('null', 'true', 'false') ];
}

# A random tree of about $budget nodes.
sub tree
{
	my ($budget, $depth) = @_;
	return scalar_node() if $budget <= 1 || $depth > 8 || chance(0.08);
	my $n = int_in(0, $budget < 12 ? $budget : 12);
	my $share = $n ? $budget / $n : 0;
	return [ 'a', [ map { tree($share, $depth + 1) } 1 .. $n ] ] if chance(0.4);
	return [ 'o', [ map { [ key(), tree($share, $depth + 1) ] } 1 .. $n ] ];
}

sub nested
{
	my ($depth) = @_;
	my $node = scalar_node();
	for (1 .. $depth)
	{
		$node = chance(0.5) ? [ 'a', [ $node ] ] : [ 'o', [ [ pick('a', 'b'), $node ] ] ];
	}
	return $node;
}

# Objects of a few shapes, as rows of a query result.
sub records
{
	my ($n) = @_;
	my @shapes = map { [ map { key() } 1 .. int_in(1, 12) ] } 1 .. int_in(1, 4);
	my @rows;
	for (1 .. $n)
	{
		push @rows, [ 'o', [ map { [ $_, chance(0.9) ? scalar_node() : tree(8, 3) ] } @{ pick(@shapes) } ] ];
	}
	return [ 'a', \@rows ];
}

sub uniform
{
	my ($n) = @_;
	my $len = pick(0, 1, 8, 29, 30, 31, 40);
	my ($low, $high) = @{ pick([ 0, 28 ], [ -5, 5 ], [ 0, 255 ], [ -70000, 70000 ], [ 1000000, 9000000000 ]) };
	my $item = pick(
		sub { [ 'n', int_in($low, $high) ] },
		sub { [ 'n', sprintf('%d.%02d', int_in(-9, 9), int_in(0, 99)) ] },
		sub { [ 's', string_of($len) ] },
		sub { [ 'l', pick('true', 'false') ] },
		sub { [ 'a', [ [ 'n', int_in(0, 9) ], [ 'n', int_in(0, 9) ] ] ] },
		sub { [ 'o', [] ] });
	return [ 'a', [ map { $item->() } 1 .. $n ] ];
}

sub wide
{
	my ($n) = @_;
	my $prefix = pick('', 'key', string_of(pick(10, 250)));
	my @pairs = map { [ $prefix . int_in(0, $n * 2), scalar_node() ] } 1 .. $n;
	push @pairs, [ key(), tree(10, 3) ] for 1 .. 5;
	return [ 'o', \@pairs ];
}

sub document
{
	my $x = rand;
	return scalar_node() if $x < 0.08;
	return pick([ 'a', [] ], [ 'o', [] ], [ 'a', [ [ 'l', 'null' ] ] ], [ 'a', [ [ 'a', [] ] ] ]) if $x < 0.12;
	return nested(pick(1, 5, 20, 200, 1000, 1022, 1023, 1024, 1025, 1500)) if $x < 0.14;
	return records(pick(2, 3, 10, 40, 150)) if $x < 0.24;
	return uniform(pick(1, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000)) if $x < 0.34;
	return wide(pick(100, 127, 128, 129, 300, 400)) if $x < 0.37;
	return [ 'a', [ map { scalar_node() } 1 .. pick(5, 33, 100, 500) ] ] if $x < 0.44;
	return [ 'a', [ map { [ 'n', number() ] } 1 .. int_in(1, 60) ] ] if $x < 0.50;
	return tree(pick(2, 5, 10, 30, 100, 300), 0);
}

# Text of a tree, with any spelling that means the same.
my $escape_rate = 0;
my $space_rate = 0;

sub quote
{
	my ($bytes) = @_;
	return "\"$bytes\"" if !$escape_rate && $bytes !~ /[\x00-\x1f"\\]/;
	my $s = $bytes;
	utf8::decode($s);
	$s =~ s{([\x00-\x1f"\\])|(.)}{defined $1 ? escape(ord $1) : plain($2)}gse;
	return "\"$s\"";
}

sub escape
{
	my ($code) = @_;
	my %short = (8 => '\b', 9 => '\t', 10 => '\n', 12 => '\f', 13 => '\r', 34 => '\"', 92 => '\\\\');
	return $short{$code} if $short{$code} && chance(0.8);
	return sprintf(chance(0.5) ? '\u%04x' : '\u%04X', $code);
}

sub plain
{
	my ($c) = @_;
	my $code = ord $c;
	if (!chance($escape_rate))
	{
		utf8::encode($c);
		return $c;
	}
	return '\/' if $c eq '/';
	return sprintf('\u%04x', $code) if $code < 0x10000;
	$code -= 0x10000;
	return sprintf('\u%04x\u%04X', 0xd800 + ($code >> 10), 0xdc00 + ($code & 0x3ff));
}

sub space { return chance($space_rate) ? pick(' ', "\t", "\n", "\r", '   ') : ''; }

sub write_node
{
	my ($node) = @_;
	my ($kind, $content) = @$node;
	my $s;
	if    ($kind eq 's') { $s = quote($content); }
	elsif ($kind eq 'a') { $s = '[' . join(',', map { write_node($_) } @$content) . space() . ']'; }
	elsif ($kind eq 'o')
	{
		$s = '{' . join(',', map { space() . quote($_->[0]) . space() . ':' . write_node($_->[1]) } @$content) . space() . '}';
	}
	else { $s = $content; }
	return space() . $s . space();
}

# Another spelling of a number's value, with other bytes or another scale.
sub respell
{
	my ($number) = @_;
	return $number . '0' if $number =~ /\./ && $number !~ /e/i;
	return $number . '.0' if $number !~ /[.e]/i && chance(0.5);
	return $number . 'e0' if $number !~ /e/i;
	return $number;
}

# What may go wrong in one place of a tree.
sub damage
{
	my ($node) = @_;
	my ($kind, $content) = @$node;
	return [ 'n', chance(0.5) ? respell($content) : number() ] if $kind eq 'n';
	return [ 's', $content . pick('a', "\xc3\xa9", '0') ] if $kind eq 's' && chance(0.5);
	return scalar_node() if $kind eq 's' || $kind eq 'l' || chance(0.1);
	my @children = @$content;
	my $at = @children ? int rand @children : 0;
	if    (chance(0.2) && @children) { splice @children, $at, 1; }
	elsif (chance(0.2)) { push @children, $kind eq 'o' ? [ key(), tree(3, 5) ] : tree(3, 5); }
	elsif (chance(0.3)) { @children = reverse @children; }
	elsif (@children && $kind eq 'o')
	{
		my ($key, $value) = @{ $children[$at] };
		$children[$at] = chance(0.3) ? [ $key . 'x', $value ] : [ $key, damage($value) ];
	}
	elsif (@children) { $children[$at] = damage($children[$at]); }
	return [ $kind, \@children ];
}

# A part of a tree that the tree should contain.
sub part
{
	my ($node) = @_;
	my ($kind, $content) = @$node;
	return [ 'n', respell($content) ] if $kind eq 'n' && chance(0.3);
	return $node unless $kind eq 'a' || $kind eq 'o';
	my $keep = @$content > 20 ? 3 / @$content : 0.6;
	my @children = grep { chance($keep) } @$content;
	return [ 'o', [ map { [ $_->[0], part($_->[1]) ] } @children ] ] if $kind eq 'o';
	return [ 'a', [ reverse map { part($_) } @children ] ];
}

sub fragment
{
	my ($root, $other) = @_;
	my $x = rand;
	return part($root) if $x < 0.3;
	return damage(part($root)) if $x < 0.5;
	return damage($root) if $x < 0.65;
	return $root if $x < 0.7;
	return pick(@{ $root->[1] }) if $x < 0.8 && $root->[0] eq 'a' && @{ $root->[1] };
	return [ 'a', [ $root ] ] if $x < 0.83;
	return part($other) if $x < 0.9;
	return $other if $x < 0.95;
	return tree(4, 4);
}

# A walk from the root that may stray: steps as ->, #> and ? take them.
sub path
{
	my ($node) = @_;
	my @path;
	while (($node->[0] eq 'a' || $node->[0] eq 'o') && @{ $node->[1] } && chance(0.85))
	{
		my $n = @{ $node->[1] };
		my $at = int rand $n;
		if ($node->[0] eq 'o')
		{
			push @path, $node->[1][$at][0];
			$node = $node->[1][$at][1];
		}
		else
		{
			push @path, chance(0.8) ? $at : $at - $n;
			$node = $node->[1][$at];
		}
		last if @path > 12;
	}
	push @path, pick('a', '0', '-1', '', 'x', '1x', ' 1', '+1', '01', '2147483648', '-2147483648', '1.0') if chance(0.15);
	$path[ int rand @path ] = pick(undef, 'nope', '99', '-99', key()) if @path && chance(0.1);
	return \@path;
}

sub a_key
{
	my ($root) = @_;
	my @steps = grep { defined } @{ path($root) };
	return key() if !@steps || chance(0.15);
	my $key = chance(0.7) ? $steps[0] : pick(@steps);
	return substr($key, 0, int(length($key) / 2)) if chance(0.1) && $key !~ /[\x80-\xff]/;
	return $key . 'x' if chance(0.1);
	return $key;
}

# What ? looks for: keys and elements that are strings.
sub keys_for
{
	my ($root) = @_;
	my @keys = map { a_key($root) } 1 .. int_in(0, 4);
	push @keys, map { $_->[1] } grep { $_->[0] eq 's' && chance(0.3) } @{ $root->[1] } if $root->[0] eq 'a';
	push @keys, undef if chance(0.1);
	return [ @keys > 8 ? @keys[ 0 .. 7 ] : @keys ];
}

sub an_index
{
	my ($root) = @_;
	my $n = $root->[0] eq 'a' ? @{ $root->[1] } : 2;
	return pick(2147483647, -2147483648, -1, 0) if chance(0.1);
	return int_in(-$n - 1, $n);
}

# COPY's text format.
sub field
{
	my ($s) = @_;
	return '\N' unless defined $s;
	$s =~ s/\\/\\\\/g;
	$s =~ s/\t/\\t/g;
	$s =~ s/\n/\\n/g;
	$s =~ s/\r/\\r/g;
	return $s;
}

sub array
{
	my ($items) = @_;
	my @items = map { my $s = $_; defined $s ? do { $s =~ s/(["\\])/\\$1/g; "\"$s\"" } : 'NULL' } @$items;
	return '{' . join(',', @items) . '}';
}

sub row { return join("\t", map { field($_) } @_) . "\n"; }

# Spoil a JSON text in one to three bytes.
sub spoil
{
	my ($text) = @_;
	for (1 .. int_in(1, 3))
	{
		my $at = int rand(length($text) + 1);
		my $bytes = pick('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '.', 'e', '-', '+', ' ', "\x00",
			"\x01", "\x80", "\xff", "\xc3", '\u', '\u0000', '\ud800', '\udc00', '\ud83d\ude00', 'nul', '/', "\xef\xbb\xbf");
		substr($text, $at, $at < length($text) && chance(0.7) ? 1 : 0) = $bytes;
	}
	return $text;
}

sub hex_field { return '\\\\x' . unpack('H*', $_[0]); }

open(my $docs,  '>:raw', "$dir/docs")  || die;
open(my $args,  '>:raw', "$dir/args")  || die;
open(my $texts, '>:raw', "$dir/texts") || die;

my $previous = [ 'o', [] ];
for my $id (1 .. $count)
{
	my $root = chance(0.2) ? damage($previous) : document();
	$escape_rate = pick(0, 0, 0.02, 0.5);
	$space_rate = pick(0, 0, 0.05, 0.3);
	my $text = write_node($root);
	print $docs row($id, $text);
	for my $n (1 .. 5)
	{
		print $args row($id, $n, a_key($root), an_index($root), array(path($root)),
			array(keys_for($root)), write_node(fragment($root, $previous)));
	}
	for my $n (1 .. 3)
	{
		print $texts "spoilt $id.$n\t", hex_field(spoil($text)), "\n" if length $text < 2000;
	}
	$previous = $root;
}
close($_) || die for $docs, $args, $texts;
