#!/usr/bin/perl
#
# test/indent.pl [--fix] FILE...
#	Lay out C files as PostgreSQL's own are, or say where they differ.
#
# The work is pg_bsd_indent's, with the options that PostgreSQL uses.  It has
# to be told which names are types, and it stumbles over a few things that C
# has learned since it was written; what is done around it is this:
#
#	- names are taken for types in a file that uses them as such, so a file
#	  with a variable "text" is fine if it does not use the type text too;
#	- compound literals are shown to it as function calls;
#	- a space is put before designators in initializers;
#	- the type before a function's name is not spread out as in a declaration.
#
# "make format" twice changes nothing the second time.

use strict;
use warnings;

use File::Temp;

my @options = qw(-bad -bap -bbb -bc -bl -cli1 -cp33 -cdb -nce -d0 -di12 -nfc1
  -i4 -l79 -lp -lpl -nip -npro -sac -tpg -ts4);

my %keyword = map { $_ => 1 } qw(auto break case char const continue default do
  double else enum extern float for goto if inline int long register return
  short signed sizeof static struct switch typedef union unsigned void volatile
  while defined include define);

# Comments, strings and characters; what is between them is code.
my $comment = qr{/\*.*?\*/}s;
my $literal = qr{"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'};

# Apply a function to the code of a text and to nothing else in it.
sub on_code
{
	my ($text, $function) = @_;
	my @parts = split /($comment|$literal)/, $text;

	for (my $i = 0; $i < @parts; $i += 2)
	{
		$parts[$i] = $function->($parts[$i]);
	}
	return join '', @parts;
}

# The names that a text uses as types.
sub types_in
{
	my ($text) = @_;
	my %types = (FILE => 1);

	$text =~ s/$comment/ /g;
	$text =~ s/$literal/""/g;
	$text =~ s/^\s*#\s*(?!define).*//mg;
	while ($text =~ /\b([A-Za-z_]\w*)(?=\s+\**[A-Za-z_])/g)
	{
		my $name = $1;

		$types{$name} = 1 unless $name =~ /^[A-Z0-9_]+$/ || $keyword{$name};
	}
	# pointers to functions, and what the file itself defines
	while ($text =~ /\b([A-Za-z_]\w*)(?=\s+\(\*\w+\)\s*\()|^\}\s*(\w+);|^typedef\s[^;{}]*?(\w+);/mg)
	{
		my $name = $1 // $2 // $3;

		$types{$name} = 1 unless $keyword{$name};
	}
	# casts: (name *), and (name) before an operand
	while ($text =~ /(?:[-=(,+*\/|&?:!;{}~<>]|\breturn)\s*\(\s*(?:const\s+)?([A-Za-z_]\w*)(?=\s*\*+\s*\)|\)\s*[\w(])/g)
	{
		my $name = $1;

		$types{$name} = 1 unless $name =~ /^[A-Z0-9_]+$/ || $keyword{$name};
	}
	return sort keys %types;
}

# Blank out comments and literals, keeping every character's place.
sub skeleton
{
	my ($text) = @_;

	$text =~ s/($comment|$literal)/$1 =~ s{[^\n]}{ }gr/ge;
	return $text;
}

# Where the bracket at a position of a skeleton closes.
sub closing
{
	my ($code, $at) = @_;
	my $depth = 0;

	pos($code) = $at;
	while ($code =~ /[\[\](){}]/g)
	{
		$depth += $& =~ /[\[({]/ ? 1 : -1;
		return $-[0] if $depth == 0;
	}
	die "unbalanced brackets\n";
}

# From an opening bracket to its closing one, replace brackets: all braces by
# parentheses, or, given what the opening ones were in their order, back.
# Returns what they were.
sub replace_brackets
{
	my ($text, $open, $were) = @_;
	my $code = skeleton($text);
	my $close = closing($code, $open);
	my @nesting;
	my $order = '';

	for (my $i = $open; $i <= $close; $i++)
	{
		my $char = substr($code, $i, 1);

		if ($char =~ /[({]/)
		{
			my $new = defined $were ? substr($were, length $order, 1) : '(';

			$order .= $char;
			push @nesting, $new;
			substr($_[0], $i, 1) = $new;
		}
		elsif ($char =~ /[)}]/)
		{
			substr($_[0], $i, 1) = pop(@nesting) eq '{' ? '}' : ')';
		}
	}
	return $order;
}

# Turn "(type) {...}" into a call of the same length, the last one first, and
# return what the calls stand for in their order.
sub hide_compound_literals
{
	my ($text) = @_;
	my $type = qr/\((?:const )?(?:struct )?\w+(?: \*+)?(?:\[\w*\])*\)/;
	my @hidden;

	while (1)
	{
		my $code = skeleton($text);
		my ($start, $name);

		while ($code =~ /(?<![\w)])(?<![\w)] )($type)\s*\{/g)
		{
			($start, $name) = ($-[1], $1);
		}
		last if !defined $start;
		substr($text, $start) =~ s/^\Q$name\E\s*/'Z' . 'q' x (length($name) - 1)/e;
		unshift @hidden,
		  [ $name, replace_brackets($text, $start + length $name) ];
	}
	return ($text, @hidden);
}

sub show_compound_literals
{
	my ($text, @hidden) = @_;

	while (skeleton($text) =~ /\bZq+(?=\()/)
	{
		my ($start, $name, $brackets) = ($-[0], @{ shift @hidden });

		replace_brackets($text, $start + length $name, $brackets);
		substr($text, $start, length $name) = $name;
	}
	return $text;
}

sub indent
{
	my ($text, $name) = @_;
	my $types = File::Temp->new;
	my $in = File::Temp->new;
	my $out = File::Temp->new;
	my @hidden;

	print $types map { "$_\n" } types_in($text);
	($text, @hidden) = hide_compound_literals($text);
	print $in $text;
	close $types;
	close $in;

	my $errors = `pg_bsd_indent @options -U$types $in $out 2>&1`;

	die "$name: $errors" if $? != 0 || $errors ne '';
	$text = do { local $/; open my $file, '<', "$out" or die; <$file> };

	$text = show_compound_literals($text, @hidden);
	$text = on_code($text, sub { $_[0] =~ s/,(?=\.[a-z_]|\[)/, /gr });
	$text =~ s/^((?:\w+ )*\w+)\s+(\*+)$/$1 $2/mg;
	return $text;
}

my $fix = @ARGV && $ARGV[0] eq '--fix' && shift;
my $different = 0;

foreach my $name (@ARGV)
{
	my $old = do { local $/; open my $file, '<', $name or die "$name: $!\n"; <$file> };
	my $new = eval { indent($old, $name) };

	if (!defined $new)
	{
		print $@;
		$different++;
	}
	elsif ($new ne $old)
	{
		if ($fix)
		{
			open my $file, '>', $name or die "$name: $!\n";
			print $file $new;
			close $file or die "$name: $!\n";
		}
		else
		{
			my $right = File::Temp->new;

			print $right $new;
			close $right;
			print `diff -u --label $name --label "$name, laid out" $name $right`;
		}
		$different++ unless $fix;
	}
}
exit($different > 0 ? 1 : 0);
