# GeoJSON features: a polygon of rings a row, with coordinates as programs print
# them: 15 digits and more after the point.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

# A walk of short steps that returns to where it started.
sub ring
{
	my ($n) = @_;
	my ($x, $y) = (-140 + rand 80, 42 + rand 40);
	my @points = map {
		$x += rand(0.06) - 0.03;
		$y += rand(0.04) - 0.02;
		sprintf '[%.15f,%.15f]', map { int($_ * 1e6) / 1e6 } $x, $y
	} 1 .. $n;

	return '[' . join(',', @points, $points[0]) . ']';
}

return sub {
	my ($row) = @_;
	my $rings = join ',', map { ring(6 + count(400)) } 1 .. between(3, 20);

	return qq{{"type":"Feature","id":$row,"properties":{"name":"${\title(2)}","area":${\sprintf '%.3f', rand 1e6}},"geometry":{"type":"Polygon","coordinates":[$rings]}}};
};
