# Readings of sensors: documents of 50 to 100 bytes.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @places;

return sub {
	my ($row) = @_;
	@places = map { title(1) } 1 .. 40 unless @places;
	my $value = sprintf '%.2f', 15 + rand 15;

	return qq{{"id":$row,"at":${\(1700000000 + 3 * $row)},"place":"${\pick(\@places)}","value":$value,"ok":${\(chance(0.97) ? 'true' : 'false')}}};
};
