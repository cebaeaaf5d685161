# Random pieces of documents for the corpora: words, names, ids, times.
#
# Words come in three languages, each with a vocabulary of made-up words
# behind a head of real ones, drawn with Zipf's frequencies (the word of rank r
# about once in r).  The vocabularies are the same for every seed.
#
# Everything returned is bytes of UTF-8 without characters that JSON escapes.
#
# Copyright (c) 2026, the colj authors

package Random;

use strict;
use warnings;
use Exporter qw(import);
use POSIX qw(strftime);

our @EXPORT = qw(seed pick chance between count hex_digits token base32 digits
	word words sentence paragraph title japanese name login
	iso_time twitter_time);

use constant POOL => 1 << 16;

my @english_head = qw(the of and to a in is it you that he was for on are with
	as I his they be at one have this from or had by not but some what there we
	can out other were all your when up use word how said an each she which do
	their time if will way about many then them would write like so these her
	long make thing see him two has look more day could go come did my sound no
	most number who over know water than call first people may down side been
	now find any new work part take get place made live where after back little
	only round man year came show every good me give our under name very through
	just form much great think say help low line before turn cause same mean
	differ move right boy old too does tell sentence set three want air well
	also play small end put home read hand port large spell add even land here
	must big high such follow act why ask men change went light kind off need
	house picture try us again animal point mother world near build self earth
	server release index query table value update merge branch test fix bug);
my @english_parts = qw(ba co de er fi ga hi in jo ka lo ma ne or pa qu re si ta
	un ve wo xi ya zo al an ar en es ic il ing ion ist ity led less ly ment ness
	ous per ple pro ran ring ship sta ster ter tion tle tor tra ture ver ward);

my @european_head = qw(der die und que de la el en un une les ein nicht für mit
	über schön más también año niño está qué là où été déjà garçon être même
	på är och åren från więc się żeby jest může když být);
my @european_parts = qw(än ör ül é è ça ño ão ba be ci da do en fa ge hi il jo
	ka le mo na os pe ra se ti un va we ze schl ung lich keit ción mente eux ée
	ość ství);

my @japanese_head = qw(の に は を た が で て と し れ さ ある いる も する から
	な こと として い や など なっ ない この ため その あと 今日 明日 人 年 日
	私 僕 好き 時間 学校 元気 最高 ありがとう 前田 名前 思い出);
my @japanese_parts = qw(あ い う え お か き く け こ さ し す せ そ た ち つ て と
	な に ぬ ね の は ひ ふ へ ほ ま み む め も や ゆ よ ら り る れ ろ わ ん
	ア イ カ キ コ サ シ ス タ チ テ ト ナ ニ マ ミ ラ リ ル ロ ン ー
	山 川 田 中 村 上 下 大 小 高 木 本 日 月 火 水 金 土 花 空 海 東 西 南 北
	新 古 食 見 行 来 話 書 読 楽 悲 心 手 目 口 足 電 車 駅 店 国 語 気 天);

my @smileys = qw(😀 😂 ❤️ 😊 🔥 🎉 😭 ✨ 👍 🚀 😋 💖);
my @days = qw(Sun Mon Tue Wed Thu Fri Sat);
my @months = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
my @base62 = ('0' .. '9', 'A' .. 'Z', 'a' .. 'z');
my @base32 = ('a' .. 'z', '2' .. '7');
my @pairs62 = map { my $first = $_; map { $first . $_ } @base62 } @base62;
my @pairs32 = map { my $first = $_; map { $first . $_ } @base32 } @base32;

my (@english, @european, @japanese);

sub seed
{
	my ($seed) = @_;

	srand(20140227);
	@english = zipf_pool(\@english_head, \@english_parts, 12000, 2, 4);
	@european = zipf_pool(\@european_head, \@european_parts, 8000, 2, 4);
	@japanese = zipf_pool(\@japanese_head, \@japanese_parts, 8000, 1, 4);
	srand($seed);
}

# POOL words, each as often as its rank in the vocabulary asks for.
sub zipf_pool
{
	my ($head, $parts, $size, $min, $max) = @_;
	my @vocabulary = @$head;
	my @pool;

	push @vocabulary, join '', map { pick($parts) } 1 .. between($min, $max)
		while @vocabulary < $size;

	my $sum = 0;
	$sum += 1 / ($_ + 2.7) for 1 .. $size;
	my $due = 0;
	for my $rank (1 .. $size)
	{
		$due += POOL / $sum / ($rank + 2.7);
		push @pool, $vocabulary[$rank - 1] while @pool < $due;
	}
	return @pool;
}

sub pick { my ($list) = @_; return $list->[rand @$list]; }

sub chance { my ($share) = @_; return rand() < $share; }

sub between { my ($low, $high) = @_; return $low + int rand($high - $low + 1); }

# A counter as they are found on the web: mostly small, sometimes up to $max.
sub count { my ($max) = @_; return int(($max + 1) ** (rand() ** 1.5)) - 1; }

# $n hexadecimal digits; $n is a multiple of 8.
sub hex_digits
{
	my ($n) = @_;
	return join '', map { sprintf '%08x', rand 4294967296 } 1 .. $n / 8;
}

# $n letters and digits; $n is even.
sub token { my ($n) = @_; return join '', map { $pairs62[rand 3844] } 1 .. $n / 2; }

# The same in lower case.
sub base32 { my ($n) = @_; return join '', map { $pairs32[rand 1024] } 1 .. $n / 2; }

sub digits { my ($n) = @_; return join '', map { int rand 10 } 1 .. $n; }

sub word { return $english[rand POOL]; }

sub words { my ($n) = @_; return join ' ', map { $english[rand POOL] } 1 .. $n; }

sub title { my ($n) = @_; return join ' ', map { ucfirst $english[rand POOL] } 1 .. $n; }

sub sentence
{
	my ($n) = @_;
	return ucfirst(words($n)) . pick([ '.', '.', '.', '!', '?' ]);
}

# Sentences of about $n words in all, some in other languages.
sub paragraph
{
	my ($n) = @_;
	my @sentences;

	while ($n > 0)
	{
		my $length = 5 + int rand 15;

		push @sentences, chance(0.05)
			? ucfirst(join ' ', map { $european[rand POOL] } 1 .. $length) . '.'
			: sentence($length);
		$n -= $length;
	}
	return join ' ', @sentences;
}

sub japanese { my ($n) = @_; return join '', map { $japanese[rand POOL] } 1 .. $n; }

# A person's name as it is displayed.
sub name
{
	my $kind = rand;

	return japanese(between(1, 3)) . (chance(0.3) ? pick(\@smileys) : '') if $kind < 0.4;
	return ucfirst($european[rand POOL]) . ' ' . ucfirst($european[rand POOL])
		if $kind < 0.55;
	return title(between(1, 2));
}

sub login
{
	my $login = lc(word() . (chance(0.3) ? pick([ '_', '-' ]) : '') . word());

	return chance(0.4) ? $login . int rand 1000 : $login;
}

sub iso_time { my ($epoch) = @_; return strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $epoch); }

sub twitter_time
{
	my ($epoch) = @_;
	my ($sec, $min, $hour, $day, $month, $year, $weekday) = gmtime $epoch;

	return sprintf '%s %s %02d %02d:%02d:%02d +0000 %d', $days[$weekday],
		$months[$month], $day, $hour, $min, $sec, $year + 1900;
}

1;
