# Statuses as Twitter's API gave them in 2014: 23 to 25 keys, a user of about 40
# keys, entities, and mostly a retweeted status in full.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my @sources = (
	[ 'twitter.com/download/iphone', 'Twitter for iPhone' ],
	[ 'twitter.com/download/iphone', 'Twitter for iPhone' ],
	[ 'twitter.com/download/android', 'Twitter for Android' ],
	[ 'twitter.com/#!/download/ipad', 'Twitter for iPad' ],
	[ 'twitter.com', 'Twitter Web Client' ],
	[ 'twittbot.net/', 'twittbot.net' ]);
my @languages = qw(ja ja ja ja ja en en en de es fr pt tr);
my @zones = ('["Tokyo",32400]', '["Irkutsk",32400]', '["Berlin",7200]',
	'["London",3600]', '["Eastern Time (US & Canada)",-14400]',
	'["Pacific Time (US & Canada)",-25200]');
my @colors = qw(C0DEED FFFFFF DDEEF6 333333 0084B4 000000 131516 EEEEEE);
my @booleans = qw(false false false true);

my $first_time = 1409444954;
my $hot_users = 1000;
my @users;

sub color { return chance(0.6) ? pick(\@colors) : uc substr(hex_digits(8), 0, 6); }

sub or_null { my ($share, $text) = @_; return chance($share) ? $text : 'null'; }

sub snowflake { my ($time) = @_; return (int(1000 * ($time - 1288834974)) << 22) + int rand 4194304; }

sub text_for
{
	my ($language) = @_;

	return japanese(12 + int rand 30) if $language eq 'ja';
	return sentence(6 + int rand 18) if $language eq 'en';
	return join ' ', map { name() } 1 .. 3 + int rand 5;
}

# Users are drawn with a preference for some: a tenth of all statuses is theirs.
sub user
{
	return new_user() unless chance(0.1);
	return $users[rand $hot_users] //= new_user();
}

sub profile_url
{
	my ($short) = @_;
	my $site = lc word();

	return ('null', '') unless chance(0.35);
	return (qq{"http://t.co/$short"},
		qq{"url":{"urls":[{"url":"http://t.co/$short","expanded_url":"http://$site.example/$short","display_url":"$site.example/$short","indices":[0,22]}]},});
}

sub images
{
	my ($id) = @_;
	my $theme = chance(0.5) ? 'abs.twimg.com/images/themes/theme' . between(1, 19) . '/bg.png'
		: 'pbs.twimg.com/profile_background_images/' . digits(18) . '/' . token(8) . '.jpeg';
	my $face = 'pbs.twimg.com/profile_images/' . digits(18) . '/' . token(8) . '_normal.jpeg';
	my $banner = chance(0.85)
		? qq{"profile_banner_url":"https://pbs.twimg.com/profile_banners/$id/} . ($first_time - int rand 9e6) . '",'
		: '';
	my $tile = pick(\@booleans);

	return qq{"profile_background_color":"${\color()}","profile_background_image_url":"http://$theme","profile_background_image_url_https":"https://$theme","profile_background_tile":$tile,"profile_image_url":"http://$face","profile_image_url_https":"https://$face",$banner};
}

sub new_user
{
	my $id = int 10 ** (5 + rand 4.4);
	my $name = name();
	my $login = login();
	my ($url, $url_entities) = profile_url(token(10));
	my $description = chance(0.55) ? japanese(between(3, 40)) : paragraph(between(1, 20));
	my $place = chance(0.5) ? name() : '';
	my ($zone, $offset) = chance(0.4) ? pick(\@zones) =~ /^\[(".*"),(-?\d+)\]$/ : ('null', 'null');
	my $created = twitter_time($first_time - 86400 - int rand 2e8);
	my $language = pick(\@languages);
	my $default = chance(0.5) ? 'true' : 'false';
	my ($followers, $friends, $listed) = (count(300000), count(5000), count(500));
	my ($favourites, $statuses) = (count(30000), count(200000));
	my ($protected, $geo, $verified) = ('false', pick(\@booleans), chance(0.02) ? 'true' : 'false');

	return {
		login => $login, name => $name, id => $id,
		text => qq{{"id":$id,"id_str":"$id","name":"$name","screen_name":"$login","location":"$place","description":"$description","url":$url,"entities":{$url_entities"description":{"urls":[]}},"protected":$protected,"followers_count":$followers,"friends_count":$friends,"listed_count":$listed,"created_at":"$created","favourites_count":$favourites,"utc_offset":$offset,"time_zone":$zone,"geo_enabled":$geo,"verified":$verified,"statuses_count":$statuses,"lang":"$language","contributors_enabled":false,"is_translator":false,"is_translation_enabled":false,${\images($id)}"profile_link_color":"${\color()}","profile_sidebar_border_color":"${\color()}","profile_sidebar_fill_color":"${\color()}","profile_text_color":"${\color()}","profile_use_background_image":true,"default_profile":$default,"default_profile_image":false,"following":false,"follow_request_sent":false,"notifications":false}}
	};
}

sub mention
{
	my ($user, $at) = @_;
	my $end = $at + 1 + length $user->{login};

	return qq{{"screen_name":"$user->{login}","name":"$user->{name}","id":$user->{id},"id_str":"$user->{id}","indices":[$at,$end]}};
}

sub hashtags
{
	my ($at) = @_;
	my $tag = chance(0.5) ? japanese(2) : word() . word();

	return qq{{"text":"$tag","indices":[$at,${\($at + 10)}]}};
}

sub link_entity
{
	my ($at) = @_;
	my ($short, $site, $path) = (token(10), lc word() . '.example', lc word() . '/' . digits(6));

	return qq{{"url":"http://t.co/$short","expanded_url":"http://$site/$path","display_url":"$site/$path","indices":[$at,${\($at + 22)}]}};
}

sub media
{
	my ($id, $user, $at) = @_;
	my ($file, $short) = (token(14), token(10));
	my $sizes = join ',', map { qq{"$_":{"w":${\between(150, 1024)},"h":${\between(150, 1024)},"resize":"fit"}} } qw(medium small large);

	return qq{{"id":$id,"id_str":"$id","indices":[$at,${\($at + 22)}],"media_url":"http://pbs.twimg.com/media/$file.jpg","media_url_https":"https://pbs.twimg.com/media/$file.jpg","url":"http://t.co/$short","display_url":"pic.twitter.com/$short","expanded_url":"http://twitter.com/$user->{login}/status/$id/photo/1","type":"photo","sizes":{$sizes,"thumb":{"w":150,"h":150,"resize":"crop"}}}};
}

sub entities
{
	my ($id, $user, @mentions) = @_;
	my $tags = chance(0.12) ? hashtags(between(10, 80)) : '';
	my $links = chance(0.15) ? link_entity(between(20, 90)) : '';
	my $mentioned = join ',', map { mention($_, 3) } @mentions;
	my $media = chance(0.08) ? qq{,"media":[} . media($id, $user, 80) . ']' : '';

	return ($links ne '' || $media ne '',
		qq{{"hashtags":[$tags],"symbols":[],"urls":[$links],"user_mentions":[$mentioned]$media}});
}

# One status; $original is the one that it repeats.
sub status
{
	my ($time, $original) = @_;
	my $id = snowflake($time);
	my $user = user();
	my $language = $original ? $original->{language} : pick(\@languages);
	my $text = $original ? "RT \@$original->{user}{login}: $original->{body}" : text_for($language);
	my $reply = !$original && chance(0.3) ? user() : undef;
	my $to_status = $reply && chance(0.7) ? snowflake($time - int rand 5000) : undef;
	my $to = $reply ? qq{"in_reply_to_user_id":$reply->{id},"in_reply_to_user_id_str":"$reply->{id}","in_reply_to_screen_name":"$reply->{login}"}
		: '"in_reply_to_user_id":null,"in_reply_to_user_id_str":null,"in_reply_to_screen_name":null';
	my ($linked, $entities) = entities($id, $user, $original ? $original->{user} : $reply || ());
	my ($href, $client) = @{ pick(\@sources) };
	my ($retweets, $favorites) = (count(1000), $original ? 0 : count(500));
	my $repeated = $original ? qq{"retweeted_status":$original->{text},} : '';
	my $sensitive = $linked ? ',"possibly_sensitive":false' : '';

	$text = "\@$reply->{login} \\n$text" if $reply;
	$to_status = defined $to_status ? qq{$to_status,"in_reply_to_status_id_str":"$to_status"} : 'null,"in_reply_to_status_id_str":null';
	return {
		user => $user, language => $language, body => $text,
		text => qq{{"metadata":{"result_type":"recent","iso_language_code":"$language"},"created_at":"${\twitter_time($time)}","id":$id,"id_str":"$id","text":"$text","source":"<a href=\\"http://$href\\" rel=\\"nofollow\\">$client</a>","truncated":false,"in_reply_to_status_id":$to_status,$to,"user":$user->{text},"geo":null,"coordinates":null,"place":null,"contributors":null,${repeated}"retweet_count":$retweets,"favorite_count":$favorites,"entities":$entities,"favorited":false,"retweeted":false,"lang":"$language"$sensitive}}
	};
}

# What only the status that the stream delivers has, not one that it repeats.
sub stream_keys
{
	my ($time, $original) = @_;
	my $counted = $original ? 0 : count(50);

	return qq{"is_quote_status":false,"quote_count":$counted,"reply_count":$counted,"display_text_range":[0,${\between(20, 140)}],"filter_level":"low","scopes":{"followers":false},"matching_rules":[{"tag":null}],"timestamp_ms":"${\($time * 1000 + int rand 1000)}"};
}

return sub {
	my ($row) = @_;
	my $time = $first_time + int($row / 50);
	my $original = chance(0.72) ? status($time - int rand 86400) : undef;

	my $text = status($time, $original)->{text};

	chop $text;
	return $text . ',' . stream_keys($time, $original) . '}';
};
