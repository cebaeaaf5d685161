# Documents of about 1 MB: a few small values at the top beside long lists of
# objects, a tree, and long texts.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

sub entry
{
	my ($i) = @_;
	my $who = login();

	return qq{{"seq":$i,"id":"${\hex_digits(32)}","author":{"login":"$who","url":"https://forge.example/users/$who"},"at":"${\iso_time(1400000000 + $i * 613)}","tags":[${\join ',', map { '"' . word() . '"' } 1 .. int rand 5}],"score":${\sprintf '%.4f', rand 100},"open":${\(chance(0.4) ? 'true' : 'false')},"body":"${\paragraph(between(5, 80))}"}};
}

sub tree
{
	my ($depth) = @_;
	my $children = $depth ? join ',', map { tree($depth - 1) } 1 .. 6 : '';

	return qq{{"name":"${\word()}","size":${\count(1000000)},"children":[$children]}};
}

return sub {
	my ($row) = @_;
	my $time = 1400000000 + $row * 3600;
	my $entries = join ',', map { entry($_) } 1 .. 1100;
	my $texts = join ',', map { '"' . paragraph(between(300, 2000)) . '"' } 1 .. 40;
	my $samples = join ',', map { int rand 1e6 } 1 .. 5000;

	return qq{{"id":$row,"kind":"${\pick([ 'report', 'review', 'audit' ])}","version":${\between(1, 40)},"created_at":"${\iso_time($time)}","entries":[$entries],"tree":${\tree(4)},"texts":[$texts],"samples":[$samples],"owner":"${\login()}","closed":${\(chance(0.5) ? 'true' : 'false')}}};
};
