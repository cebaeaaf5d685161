# Events of Bluesky's network: small documents, most of them a commit to
# somebody's repository (a like, a post, a follow ...).
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my $first_time = 1732206349000167;
my @tid_digits = ('2' .. '7', 'a' .. 'z');
my @collections = (('like') x 50, ('post') x 18, ('follow') x 15, ('repost') x 10,
	('block') x 4, ('profile') x 3);
my %record = (
	like => \&subject_record, repost => \&subject_record, post => \&post_record,
	follow => \&person_record, block => \&person_record, profile => \&profile_record);
my @authors;

sub did { return 'did:plc:' . base32(24); }

sub cid { return 'bafyrei' . base32(52); }

# A time in microseconds as Bluesky writes it in ids.
sub tid
{
	my ($time) = @_;
	my $tid = '';

	for (1 .. 11)
	{
		$tid = $tid_digits[$time & 31] . $tid;
		$time >>= 5;
	}
	return $tid . $tid_digits[rand 32] . $tid_digits[rand 32];
}

# Somebody's did: the popular ones come more often.
sub author
{
	return did() if chance(0.5);
	return $authors[int(5000 * rand() ** 2)] //= did();
}

sub stamp
{
	my ($time) = @_;
	return iso_time(int($time / 1e6)) =~ s/Z$/sprintf '.%03dZ', $time \/ 1000 % 1000/er;
}

sub subject
{
	my ($time) = @_;
	my $rkey = tid($time - int rand 9e10);

	return qq{{"cid":"${\cid()}","uri":"at://${\author()}/app.bsky.feed.post/$rkey"}};
}

sub subject_record
{
	my ($time, $type) = @_;
	return qq{{"\$type":"$type","createdAt":"${\stamp($time)}","subject":${\subject($time)}}};
}

sub person_record
{
	my ($time, $type) = @_;
	return qq{{"\$type":"$type","createdAt":"${\stamp($time)}","subject":"${\author()}"}};
}

sub post_record
{
	my ($time, $type) = @_;
	my $language = chance(0.25) ? 'ja' : pick([ 'en', 'en', 'en', 'pt', 'de' ]);
	my $text = $language eq 'ja' ? japanese(between(3, 50)) : paragraph(between(2, 35));
	my $reply = chance(0.45) ? qq{,"reply":{"parent":${\subject($time)},"root":${\subject($time)}}} : '';
	my $embed = chance(0.15) ? qq{,"embed":{"\$type":"app.bsky.embed.images","images":[{"alt":"","aspectRatio":{"height":${\between(400, 2000)},"width":${\between(400, 2000)}},"image":{"\$type":"blob","ref":{"\$link":"bafkrei${\base32(52)}"},"mimeType":"image/jpeg","size":${\between(20000, 999999)}}}]}} : '';

	return qq{{"\$type":"$type","createdAt":"${\stamp($time)}"$embed,"langs":["$language"]$reply,"text":"$text"}};
}

sub profile_record
{
	my ($time, $type) = @_;
	return qq{{"\$type":"$type","avatar":{"\$type":"blob","ref":{"\$link":"bafkrei${\base32(52)}"},"mimeType":"image/jpeg","size":${\between(20000, 999999)}},"createdAt":"${\stamp($time)}","description":"${\paragraph(between(3, 30))}","displayName":"${\name()}"}};
}

sub commit
{
	my ($time) = @_;
	my $kind = pick(\@collections);
	my $type = ($kind =~ /follow|block/ ? 'app.bsky.graph.' : $kind eq 'profile' ? 'app.bsky.actor.' : 'app.bsky.feed.') . $kind;
	my $rkey = $kind eq 'profile' ? 'self' : tid($time);
	my $start = qq{"rev":"${\tid($time)}","operation":};

	return qq{{$start"delete","collection":"$type","rkey":"${\tid($time - int rand 9e12)}"}} if chance(0.07);
	return qq{{$start"create","collection":"$type","rkey":"$rkey","record":${\$record{$kind}->($time - int rand 9e5, $type)},"cid":"${\cid()}"}};
}

return sub {
	my ($row) = @_;
	my $time = $first_time + $row * 997 + int rand 900;
	my $did = author();
	my $what = rand;

	return qq{{"did":"$did","time_us":$time,"kind":"identity","identity":{"did":"$did","handle":"${\login()}.bsky.example","seq":${\(4000000000 + $row)},"time":"${\stamp($time)}"}}} if $what < 0.01;
	return qq{{"did":"$did","time_us":$time,"kind":"account","account":{"active":true,"did":"$did","seq":${\(4000000000 + $row)},"time":"${\stamp($time)}"}}} if $what < 0.02;
	return qq{{"did":"$did","time_us":$time,"kind":"commit","commit":${\commit($time)}}};
};
