#!/usr/bin/perl
#
# messages.pl DIRECTORY: binary messages that no sound client sends.
#
# Writes each as a file message.N in COPY's binary format, one row of one column.

use strict;
use warnings;

my ($dir) = @ARGV;
my $deep = '[' x 100000;

# jsonb's message is a version byte, 1, and JSON text.
my @messages = (
	"\x01{\"a\": [1, 2.50, \"x\"]}", "\x01  1  ", "\x01\"\\u20ac\"",
	'', "\x00", "\x01", "\x02", "\xff", "\x00[]", "\x02[]", "\x10[]", "\x11[]", '[]', '{}', "\x01\x01[]",
	"\x01\x00", "\x01[]\x00", "\x01[1\x00]", "\x01\"a\x00b\"", "\x01[", "\x01[1,", "\x01\"", "\x01{\"a\":", "\x01nul", "\x01 ",
	"\x01\"\xff\"", "\x01\"\xc3", "\x01\"\xc3\"", "\x01\"\xed\xa0\x80\"", "\x01\"\xf4\x90\x80\x80\"", "\x01\xef\xbb\xbf1",
	"\x01\"\\u0000\"", "\x01\"\\ud800\"", "\x01\"\\udc00\"", "\x011e131072", "\x011e-16384", "\x01-", "\x0101", "\x01[1]x", "\x01$deep");

my $n = 100;
for my $message (@messages)
{
	open(my $file, '>:raw', "$dir/message." . $n++) || die;
	print $file "PGCOPY\n\xff\r\n\x00", pack('N N n N a* n', 0, 0, 1, length $message, $message, 0xffff);
	close($file) || die;
}
