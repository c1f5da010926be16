# Perl's LWP as an engine: LWP::UserAgent->new->get(url).
use strict;
use warnings;
use JSON::PP;
use LWP::UserAgent;

$| = 1;
delete @ENV{ grep { /_proxy$/i } keys %ENV };
my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "lwp", version => LWP->VERSION, ops => ["connect", "follow"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my $answer;
    if ($asked->{op} eq "connect" || $asked->{op} eq "follow") {
        my $agent = LWP::UserAgent->new(
            timeout      => 4,
            max_redirect => $asked->{op} eq "follow" ? 3 : 0,
            ssl_opts     => { verify_hostname => 0, SSL_verify_mode => 0 },
        );
        my $response = eval { $agent->get($asked->{url}) };
        # An error becomes a response of the library's own.
        my $own = !$response || ($response->header("Client-Warning") // "") eq "Internal response";
        $answer = $own ? { failure => $response ? $response->message : $@ || "undef" } : { done => JSON::PP::true };
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
