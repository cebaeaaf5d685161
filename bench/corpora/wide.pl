# One object of 1,000 numbered keys a row; their values are texts of a few
# sentences, but every twentieth is a number, and a few are a
# number below five.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

return sub {
	return '{' . join(',', map {
		qq{"$_":} . ($_ % 20 == 7 ? int rand 1e9 : $_ % 50 == 3 ? int rand 5 : '"' . paragraph(4 + count(100)) . '"')
	} 0 .. 999) . '}';
};
