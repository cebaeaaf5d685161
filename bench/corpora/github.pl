# Events as GitHub's archive has them: pushes mostly, some with issues, comments
# and forks in full; their URLs repeat the login and the repository.
#
# Copyright (c) 2026, the colj authors

use strict;
use warnings;
use Random;

my $first_time = 1357804710;
my $first_id = 1652857722;
my $api = 'https://api.github.com';
my @avatar_end = ('?d=https://a248.e.akamai.net/assets.github.com%2Fimages%2Fgravatars%2Fgravatar-',
	'-420.png');
my @languages = ('"JavaScript"', '"Ruby"', '"C"', '"Python"', '"Java"', '"Shell"', 'null');
my @branches = qw(master master master develop gh-pages);
my %payload = (
	PushEvent => \&push_payload, WatchEvent => sub { '{"action":"started"}' },
	CreateEvent => \&create_payload, IssueCommentEvent => \&comment_payload,
	IssuesEvent => sub { '{"action":"' . pick([ 'opened', 'closed' ]) . '","issue":' . issue($_[0]) . '}' },
	ForkEvent => sub { '{"forkee":' . repository() . '}' },
	GollumEvent => \&gollum_payload);
my @types = (('PushEvent') x 47, ('WatchEvent') x 17, ('CreateEvent') x 14,
	('IssueCommentEvent') x 8, ('IssuesEvent') x 4, ('ForkEvent') x 6, ('GollumEvent') x 4);
my @repositories;

sub avatar
{
	my ($hash, $kind) = @_;
	return "https://secure.gravatar.com/avatar/$hash$avatar_end[0]$kind$avatar_end[1]";
}

# A repository and its owner; a fifth of the events is on a thousand of them.
sub place
{
	return new_place() unless chance(0.2);
	return $repositories[int(1000 * rand() ** 2)] //= new_place();
}

sub new_place
{
	my $login = login();
	my $name = word() . (chance(0.4) ? '-' . word() : '');

	return {
		login => $login, name => $name, path => "$login/$name",
		id => int rand 7540000, owner_id => int rand 3260000, hash => hex_digits(32)
	};
}

sub urls
{
	my ($base, @names) = @_;
	return join ',', map { my ($key, $end) = split /=/; qq{"${key}_url":"$base$end"} } @names;
}

sub person
{
	my ($place) = @_;
	my $kind = chance(0.1) ? 'Organization' : 'User';
	my $base = "$api/users/$place->{login}";

	return qq{{"login":"$place->{login}","id":$place->{owner_id},"avatar_url":"${\avatar($place->{hash}, 'user')}","gravatar_id":"$place->{hash}","url":"$base",${\urls($base, qw(followers=/followers following=/following gists=/gists{/gist_id} starred=/starred{/owner}{/repo} subscriptions=/subscriptions organizations=/orgs repos=/repos events=/events{/privacy} received_events=/received_events))},"type":"$kind"}};
}

sub commit
{
	my ($place) = @_;
	my $sha = hex_digits(40);
	my $message = chance(0.3) ? title(between(1, 4)) . '\\n\\n- ' . words(between(3, 25)) : sentence(between(2, 12));
	my ($name, $distinct) = (name(), chance(0.9) ? 'true' : 'false');

	return ($sha, qq{{"sha":"$sha","author":{"email":"$place->{login}\@${\word()}.example","name":"$name"},"message":"$message","distinct":$distinct,"url":"$api/repos/$place->{path}/commits/$sha"}});
}

sub push_payload
{
	my ($place) = @_;
	my $n = chance(0.7) ? 1 : between(2, 6);
	my ($head, @commits);

	for (1 .. $n)
	{
		($head, my $commit) = commit($place);
		push @commits, $commit;
	}
	return qq{{"push_id":${\int(134107800 + rand 1000000)},"size":$n,"distinct_size":$n,"ref":"refs/heads/${\pick(\@branches)}","head":"$head","before":"${\hex_digits(40)}","commits":[${\join ',', @commits}]}};
}

sub create_payload
{
	my ($place) = @_;
	my $type = pick([ 'branch', 'tag', 'repository' ]);
	my $ref = $type eq 'repository' ? 'null' : '"' . ($type eq 'tag' ? 'v' . between(0, 9) . '.' . between(0, 20) : word()) . '"';

	return qq{{"ref":$ref,"ref_type":"$type","master_branch":"master","description":"${\words(between(2, 14))}"}};
}

sub label
{
	my ($place) = @_;
	my $name = word();

	return qq{{"url":"$api/repos/$place->{path}/labels/$name","name":"$name","color":"${\substr hex_digits(8), 2}"}};
}

sub issue
{
	my ($place) = @_;
	my $number = 1 + count(3000);
	my $base = "$api/repos/$place->{path}/issues/$number";
	my $page = "https://github.com/$place->{path}/issues/$number";
	my $time = $first_time - int rand 8000000;
	my $labels = join ',', map { label($place) } 1 .. int rand 3;

	return qq{{"url":"$base","labels_url":"$base/labels{/name}","comments_url":"$base/comments","events_url":"$base/events","html_url":"$page","id":${\int rand 9800000},"number":$number,"title":"${\title(between(3, 9))}","user":${\person(new_place())},"labels":[$labels],"state":"${\pick([ 'open', 'closed' ])}","assignee":null,"milestone":null,"comments":${\count(40)},"created_at":"${\iso_time($time)}","updated_at":"${\iso_time($time + int rand 500000)}","closed_at":null,"pull_request":{"html_url":null,"diff_url":null,"patch_url":null},"body":"${\paragraph(between(5, 120))}"}};
}

sub comment_payload
{
	my ($place) = @_;
	my $time = iso_time($first_time - int rand 3000);
	my $id = 12000000 + int rand 99999;

	return qq{{"action":"created","issue":${\issue($place)},"comment":{"url":"$api/repos/$place->{path}/issues/comments/$id","id":$id,"user":${\person(new_place())},"created_at":"$time","updated_at":"$time","body":"${\paragraph(between(3, 60))}"}}};
}

sub repository
{
	my $place = new_place();
	my $base = "$api/repos/$place->{path}";
	my $time = $first_time - int rand 30000000;
	my $language = pick(\@languages);

	return qq{{"id":$place->{id},"name":"$place->{name}","full_name":"$place->{path}","owner":${\person($place)},"private":false,"html_url":"https://github.com/$place->{path}","description":"${\words(between(3, 15))}","fork":true,"url":"$base",${\urls($base, qw(forks=/forks keys=/keys{/key_id} collaborators=/collaborators{/collaborator} teams=/teams hooks=/hooks issue_events=/issues/events{/number} events=/events assignees=/assignees{/user} branches=/branches{/branch} tags=/tags blobs=/git/blobs{/sha} git_tags=/git/tags{/sha} git_refs=/git/refs{/sha} trees=/git/trees{/sha} statuses=/statuses/{sha} languages=/languages stargazers=/stargazers contributors=/contributors subscribers=/subscribers subscription=/subscription commits=/commits{/sha} compare=/compare/{base}...{head} merges=/merges issues=/issues{/number} pulls=/pulls{/number} milestones=/milestones{/number} labels=/labels{/name}))},"created_at":"${\iso_time($time)}","updated_at":"${\iso_time($time + 9999)}","pushed_at":"${\iso_time($time + 999)}","size":${\count(99999)},"watchers_count":0,"language":$language,"has_issues":false,"has_downloads":true,"has_wiki":true,"forks_count":0,"mirror_url":null,"open_issues_count":0,"forks":0,"open_issues":0,"watchers":0,"public":true}};
}

sub gollum_payload
{
	my ($place) = @_;
	my $page = title(1);

	return qq{{"pages":[{"page_name":"$page","title":"$page","summary":null,"action":"edited","sha":"${\hex_digits(40)}","html_url":"https://github.com/$place->{path}/wiki/$page"}]}};
}

return sub {
	my ($row) = @_;
	my $place = place();
	my $actor = chance(0.6) ? $place : new_place();
	my $type = pick(\@types);
	my $time = iso_time($first_time + int($row / 4));
	my $id = $first_id + $row;
	my $org = chance(0.08) ? qq{,"org":{"login":"$place->{login}","id":$place->{owner_id},"avatar_url":"${\avatar($place->{hash}, 'org')}","gravatar_id":"$place->{hash}","url":"$api/orgs/$place->{login}"}} : '';

	return qq{{"id":"$id","type":"$type","actor":{"id":$actor->{owner_id},"login":"$actor->{login}","gravatar_id":"$actor->{hash}","url":"$api/users/$actor->{login}","avatar_url":"${\avatar($actor->{hash}, 'user')}"},"repo":{"id":$place->{id},"name":"$place->{path}","url":"$api/repos/$place->{path}"},"payload":${\$payload{$type}->($place)},"public":true,"created_at":"$time"$org}};
};
