# Perl's HTTP::Tiny as an engine: HTTP::Tiny->new->get(url).
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

$| = 1;
delete @ENV{ grep { /_proxy$/i } keys %ENV };
my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "http-tiny", version => HTTP::Tiny->VERSION, ops => ["connect", "follow"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my $answer;
    if ($asked->{op} eq "connect" || $asked->{op} eq "follow") {
        my $client   = HTTP::Tiny->new(timeout => 4, verify_SSL => 0, max_redirect => $asked->{op} eq "follow" ? 3 : 0);
        my $response = eval { $client->get($asked->{url}) };
        # An error becomes a response of the library's own, whose status is 599.
        my $own = !$response || $response->{status} == 599;
        $answer = $own ? { failure => $response ? $response->{content} : $@ || "undef" } : { done => JSON::PP::true };
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
