# Pages of a shop's catalogue: arrays of many small objects that have all the
# same keys.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @sizes = qw(XS S M L XL);
my @colors = qw(black white navy red olive sand);

sub variant
{
	my ($product) = @_;
	my $stock = count(200);
	my $price = sprintf '%.2f', 5 + rand 200;

	return qq{{"sku":"$product-${\digits(4)}","size":"${\pick(\@sizes)}","color":"${\pick(\@colors)}","price":$price,"currency":"EUR","stock":$stock,"weight_grams":${\between(50, 3000)},"backorder":false,"discontinued":false,"tax_class":1,"min_quantity":1,"image_id":null}};
}

sub product
{
	my $id = between(100000, 999999);
	my $variants = join ',', map { variant($id) } 1 .. between(4, 16);
	my $prices = join ',', map { qq{{"amount":${\between(500, 9000)},"audience_id":337100890,"seat_category_id":${\between(338937235, 338937299)}}} } 1 .. between(2, 8);

	return qq{{"id":$id,"name":"${\title(between(2, 4))}","brand":"${\title(1)}","rating":${\sprintf '%.1f', 1 + rand 4},"review_count":${\count(900)},"variants":[$variants],"prices":[$prices],"topic_ids":[${\join ',', map { between(107888604, 107888700) } 1 .. between(1, 5)}]}};
}

return sub {
	my ($row) = @_;
	return qq{{"page":$row,"per_page":25,"shop":"${\word()}","products":[${\join ',', map { product() } 1 .. 25}]}};
};
