# Sentences as DeepDive keeps them after parsing: ten columns, six of them arrays
# with an element for each token.  Tokens have no commas, quotes or backslashes,
# so that plain tools can split them.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @pos = qw(NN NN NN NNS IN IN DT DT JJ JJ NNP NNP VBD VBZ VB RB CC CD PRP TO);
my @dependencies = qw(det nn nn amod prep pobj nsubj dobj conj cc advmod aux num poss root);
my @entities = (('O') x 20, qw(PERSON LOCATION ORGANIZATION DATE NUMBER));
my ($document, $left, $offset, $index) = (0, 0, 0, 0);

sub strings { return '["' . join('","', @_) . '"]'; }

sub numbers { return '[' . join(',', @_) . ']'; }

return sub {
	my @tokens = (map({ word() } 1 .. between(4, 40)), '.');
	my @lemmas = map { lc(s/(?:ing|ed|s)$//r) || $_ } @tokens;
	my $n = @tokens;
	my $text = ucfirst(join ' ', @tokens[0 .. $n - 2]) . '.';

	($document, $left, $offset, $index) = ($document + 1, between(5, 60), 0, 0) unless $left;
	my $sentence = sprintf '{"doc_id":"doc-%09d","sentence_index":%d,"sentence_offset":%d,"sentence_text":"%s",'
		. '"tokens":%s,"lemmas":%s,"pos_tags":%s,"ner_tags":%s,"dep_types":%s,"dep_tokens":%s}',
		$document * 7919 % 1000000007, $index, $offset, $text,
		strings(@tokens), strings(@lemmas), strings(map { pick(\@pos) } 1 .. $n),
		strings(map { pick(\@entities) } 1 .. $n), strings(map { pick(\@dependencies) } 1 .. $n),
		numbers(map { int rand $n } 1 .. $n);
	($left, $offset, $index) = ($left - 1, $offset + length($text) + 1, $index + 1);
	return $sentence;
};
