#!/usr/bin/perl
#
# texts.pl [FOLDER]: JSON texts that parsers are known to stumble over.
#
# Prints label and bytes, as COPY reads them.  Which of the texts are valid is
# for jsonb to say.  FOLDER adds every file in it.

use strict;
use warnings;
no warnings 'qw';

my @texts;

sub add { my ($topic, @bytes) = @_; push @texts, map { [ "$topic $_", $_ ] } @bytes; }

sub add_named { push @texts, [@_]; }

add('blank', '', ' ', "\t\n\r ", "\x0b", "\x0c", "\xc2\xa0", "\xe3\x80\x80", "\xef\xbb\xbf", "\xef\xbb\xbf1", '#', '//', '/**/', '1 //', '/**/1');
add('literal', qw(null true false nul nulll NULL Null True tru truee fals t f n nil undefined NaN nan -NaN Infinity -Infinity inf), 'n ull',
	"null\x00", "nul\xc3\xa9l", "true\xc3\xa9", '[nul]', '[true,fals]', 'nulltrue', 'true false', '"a" "b"');
add('number', qw(0 -0 00 01 -01 -00 +1 + - -- 1. .1 -.1 1.e1 .e1 1e 1e+ 1e- 1E 1ee1 1e1.5 1.1.1 1..1 0x10 0b1 0o7 1_000 1,000
		1a 1.0a 1e5x 0e 0e0 0e+ 0.0e-0 -0.0 -0e1 -1x 123abc 1/2 1+1 1-1 $1 1f 1L 0.1e1 1e00001 1e+00 1e-000 1E400 -1E400
		1e131071 1e131072 -1e131072 0e131072 0e999999 0.1e131073 10e131071 1e-16383 1e-16384 0.1e-16383 1e-20000 1e2147483647
		1e2147483648 1e-2147483648 1e99999999999999999999 1e-99999999999999999999 0e99999999999999999999 0.0e99999999999999999999
		9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
		92233720368547758070 0.9223372036854775807 0.9223372036854775808 922337203685477580.8 000 -1-1 1--1), '- 1', '1 2', '1 .5', '1. 5', '1 e5', '1e 5',
	"1\xc2\xa0", "\xef\xbc\x91", "\xd9\xa1", '[-]', '[1.]', '[.5]', '{"a":-}', '[1e]', '[0 1]', '[01]', '[1,-]', '[-0]', '[0.]', '[1e999999.]', '[1e999999 1]', '[1e999999', '[1e-999999"', '[1e131072,+]', '{"a":1e131072x}', '[1e131071.]');
add_named('number of 1000 digits', '1' x 1000);
add_named('number of 131072 digits', '1' x 131072);
add_named('number of 131073 digits', '1' x 131073);
add_named('number of 16383 decimals', '0.' . '1' x 16383);
add_named('number of 16384 decimals', '0.' . '1' x 16384);
add_named('number with 300 zeros before', '0' x 300 . '1');
add_named('number with 300 zeros after', '1.' . '0' x 300);
add_named("number 0.(zeros $_)1", '0.' . '0' x $_ . '1') for 17 .. 20, 253 .. 257;
add_named("number 1 and $_ zeros", '1' . '0' x $_) for 17 .. 20, 253 .. 257;
add('string', '""', '"', '"a', 'a"', "'a'", '"a\'', '"\\"', '"\\', '"a\\', '"\\a"', '"\\0"', '"\\\'"', '"\\x41"', '"\\U0041"', '"\\8"', '"\\', '"\\ "', '"\\n\\r\\t\\b\\f\\/\\\\\\""',
	'"\\v"', '"\\e"', "\"\n\"", "\"\t\"", "\"\r\"", "\"\x00\"", "\"\x01\"", "\"\x1f\"", "\"\x7f\"", "\"a\x00b\"", "\"a\nb\"", '"\\u"', '"\\u1"', '"\\u12"', '"\\u123"', '"\\u123', '"\\u12', '"\\u', '"\\u00g0"', '"\\u 041"', '"\\u+041"',
	'"\\u-041"', '"\\u0041"', '"\\u00e9"', '"\\u20AC"', '"\\u0000"', '"a\\u0000b"', '"\\\\u0000"', '"\\u0001"', '"\\u007f"', '"\\uFFFF"', '"\\ufffe"', '"\\ufdd0"', '"\\u2028"', '"\\uFEFF"',
	'"\\ud83d\\ude00"', '"\\uD83D\\uDE00"', '"\\ud83d"', '"\\ude00"', '"\\ud83dx"', '"\\ud83d\\n"', '"\\ud83d\\u0041"', '"\\ud83d\\ud83d"', '"\\ud83d\\ud83d\\ude00"', '"\\ude00\\ud83d"',
	'"\\ud83d\\ude00\\ude00"', '"\\ud800\\udc00"', '"\\udbff\\udfff"', '"\\ud7ff"', '"\\ue000"', '"\\ud83d\\u"', '"\\ud83d\\ude0"', '"\\ud83d', '"\\ud83d\\', '{"\\u0000":1}', '{"\\ud800":1}', '{"\\udc00":1}',
	'{"\\u0061":1,"a":2}', '["\\u0000"]', '"\\u0000', '"\\u00');
add('bytes', map { "\"$_\"" } "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\x80", "\xbf\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80",
	"\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xfe", "\xff", "\xff\xfe", "\xef\xbf\xbe", "\xef\xbf\xbf", "\xef\xb7\x90", "\xc3\x28",
	"\xc2\x80", "\xc2\x85", "\xe2\x80\xa8", "a\xccb", "e\xcc\x81");
add('UTF-16', "\xff\xfe[\x00]\x00", "\xfe\xff\x00[\x00]", "\x00[\x00]");
add('array', '[]', '[ ]', '[', ']', '[]]', '[[]', '[,]', '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1;2]', '[1:2]', '["a":1]', '[1', '[1,', '["', '["a', '[}', '{]', '[1}', '(1)', '[]1', '[],[]', '[] x', '[]x', '1[]', '[[[]]]', '[[],[[]],[]]',
	'[1,[2,[3,[4]]]]', "[1\n,\n2]", "[\x00]", "[\xc2\xa01]", '[null,true,false,0,"",[],{}]', '[{},[]]', '[""]', '[" "]', '[*]', '[a]', '["a", b]', "[1\x00,2]");
add('object', '{}', '{ }', '{', '}', '{}}', '{{}', '{,}', '{:}', '{"a"}', '{"a":}', '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a" 1}', '{"a"::1}', '{"a":1:2}', '{"a":1;"b":2}', '{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{true:1}', '{"a":1',
	'{"a":', '{"a"', '{"a', '{"', '{"a":1 "b":2}', '{"a":1]', '{"a",1}', '{[]:1}', '{{}:1}', '{"a":1}{', '{"a":1},', '{"a":1}x', '{"a":1}{"b":2}', '{"":1}', '{"":1,"":2}', '{"a":1,"a":2}', '{"a":1,"b":2,"a":3}',
	'{"b":1,"a":2,"aa":3,"":4}', '{"a":{"a":1,"a":2},"a":{"a":3,"a":4}}', '{"a":[1,2],"a":{}}', '{"a":1,"a":1}', '{"a":1,"a":null}', '{"a":null,"a":1}', "{\"a\"\n:\n1}", '{"a":1, }', '{ , }', '{"a":1 , "a" : 2 , "b":3}', "{\"a\x00\":1}",
	'{"a":01}', '{"a":"b"', '{"a":tru}', "{\"\xc3\":1}", "{\"\xc3\xa9\":1,\"\\u00e9\":2}");
add('error context', '{"a": 1, "b": [1, 2, 3], "c": {"d": x}}', "{\n\"a\": 1,\n\"b\": oops,\n\"c\": 3}", '{"a": "' . 'x' x 200 . '", "b": oops}', '[' . '1, ' x 100 . 'oops]', "[1,\n2,\r\n3,\r\noops]", "\xf0\x9f\x98\x80", "[\"\xf0\x9f\x98\x80\", oops]");
add_named("nesting $_ of arrays", '[' x $_ . ']' x $_) for 10, 100, 1000, 1022 .. 1026, 2000;
add_named("nesting $_ of objects", '{"a":' x $_ . '1' . '}' x $_) for 10, 100, 1000, 1022 .. 1026, 2000;
add_named("nesting $_ of both", '[{"a":' x $_ . '1' . '}]' x $_) for 511 .. 513, 1000;
add_named("nesting of 100000 $_", $_ x 100000) for '[', '{"a":', '[{"":';
add_named('nesting of 1024, not closed', '[' x 1024);
add_named('nesting of 1023, one too many', '[' x 1023 . ']' x 1024);
add_named('nesting of 1025, not closed', '[' x 1025 . ']' x 1024);
add_named('key of 65536 bytes', '{"' . 'k' x 65536 . '":1}');
add_named("string of $_ bytes", '"' . 's' x $_ . '"') for 29 .. 32, 62 .. 64, 126 .. 129, 254 .. 257, 65535 .. 65537;
add_named("string of $_ escapes", '"' . '\\n' x $_ . '"') for 29 .. 32, 65535 .. 65537;
add_named("array of $_", '[' . join(',', (1) x $_) . ']') for 30 .. 34, 62 .. 66, 126 .. 130, 254 .. 258, 65535 .. 65537;
add_named("object of $_", '{' . join(',', map { "\"$_\":$_" } 1 .. $_) . '}') for 13 .. 18, 30 .. 34, 126 .. 130, 254 .. 258, 5000;
add_named("object of $_ equal keys", '{' . join(',', map { "\"a\":$_" } 1 .. $_) . '}') for 2, 17, 300;
add_named('300 keys of one length', '{' . join(',', map { sprintf '"k%03d":%d', 300 - $_, $_ } 0 .. 299) . '}');
add_named('keys of every length', '{' . join(',', map { '"' . 'k' x (400 - $_) . "\":$_" } 0 .. 400) . '}');
add_named('unended after 100000', '[' . '1,' x 100000);

sub slurp
{
	my ($path) = @_;
	open(my $file, '<:raw', $path) || die "$path: $!\n";
	local $/;
	my $bytes = <$file>;
	return defined $bytes ? $bytes : '';
}

if (@ARGV)
{
	opendir(my $folder, $ARGV[0]) || die "$ARGV[0]: $!\n";
	add_named("file $_", slurp("$ARGV[0]/$_")) for sort grep { -f "$ARGV[0]/$_" } readdir $folder;
}

for (@texts)
{
	my ($label, $bytes) = @$_;
	$label = substr($label, 0, 60);
	$label =~ s/([^ -~])/sprintf '<%02x>', ord $1/ge;
	$label =~ s/\\/\\\\/g;
	print "$label\t\\\\x", unpack('H*', $bytes), "\n";
}
