# Rows of a grid of numbers, as arrays of 100.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

return sub {
	return '[' . join(',', map { int rand 1000 } 1 .. 100) . ']';
};
