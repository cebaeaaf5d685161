# Metrics of a RocksDB store: 44 numbers, most of them in histograms.  Those that
# are measured as floating-point numbers are written as such, whole ones too (3.0).
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @counters = qw(blockCacheHit blockCacheMiss memtableHit memtableMiss bytesRead
	bytesWritten compactReadBytes compactWriteBytes stallMicros walSynced
	numberKeysRead numberKeysWritten noFileOpens noFileErrors);
my @histograms = qw(dbGet dbWrite compactionTime flushTime sstReadMicros);

# A number as a program with doubles prints it: never without a point.
sub double
{
	my $double = sprintf '%.*f', pick([ 1, 1, 2, 3 ]), rand() < 0.3 ? int rand 1000 : rand 1000;

	return $double =~ s/(\.\d+?)0+$/$1/r;
}

sub histogram
{
	my ($name) = @_;
	return qq{"$name":{"median":${\double()},"percentile95":${\double()},"percentile99":${\double()},"average":${\double()},"standardDeviation":${\double()},"count":${\count(100000000)}}};
}

return sub {
	my $counters = join ',', map { qq{"$_":${\count(1000000000)}} } @counters;
	my $histograms = join ',', map { histogram($_) } @histograms;

	return qq{{"store":"${\login()}","counters":{$counters},"histograms":{$histograms}}};
};
