# Perl's Mojo::UserAgent as an engine: Mojo::UserAgent->new->get(url).
use strict;
use warnings;
use JSON::PP;
use Mojolicious;
use Mojo::UserAgent;

$| = 1;
my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "mojo-useragent", version => Mojolicious->VERSION, ops => ["connect", "follow"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my $answer;
    if ($asked->{op} eq "connect" || $asked->{op} eq "follow") {
        my $agent = Mojo::UserAgent->new(connect_timeout => 4, request_timeout => 4, insecure => 1, max_connections => 0);
        $agent->max_redirects(3) if $asked->{op} eq "follow";
        # An error of the connection is raised by the method that returns the response.
        $answer = eval { $agent->get($asked->{url})->result } ? { done => JSON::PP::true } : { failure => $@ || "undef" };
    }
    else {
        $answer = { skipped => "unsupported operation" };
    }
    if (defined $answer->{failure}) {
        $answer->{failure} =~ s/ at \S+ line \d+.*//s;
        $answer->{failure} = substr join(" ", split " ", $answer->{failure}), 0, 300;
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
