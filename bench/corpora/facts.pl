# Facts of a few values each, as they are kept in columns: a 20-character id, a
# 6-character string, a float, a string of 7 values, and two whole numbers.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @days = qw(monday tuesday wednesday thursday friday saturday sunday);

return sub {
	my ($row) = @_;
	return sprintf '{"id":"%s","code":"%s","value":%.16f,"kind":"%s","a":%d,"b":%d}',
		token(20), base32(6), rand(), pick(\@days), between(1, 20), between(1, 10);
};
