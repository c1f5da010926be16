# Perl's URI as an engine: URI->new_abs(reference, base); an argument names one of the library's switches.
use strict;
use warnings;
use JSON::PP;
use URI;

$| = 1;
my $mode = shift // "";
$URI::ABS_ALLOW_RELATIVE_SCHEME = 1 if $mode eq "relative-scheme";
$URI::ABS_REMOTE_LEADING_DOTS   = 1 if $mode eq "leading-dots";
my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "perl-uri", version => URI->VERSION, ops => ["resolve"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    # An unknown base is passed as the empty text.
    my $text = eval { URI->new_abs($asked->{reference}, $asked->{base})->as_string };
    my $answer;
    if (defined $text) {
        utf8::encode($text);    # a Perl text may hold any code point, so its UTF-8 form is sent as bytes
        $answer = { bytes => unpack("H*", $text) };
    }
    else {
        ($answer->{failure} = $@ || "undef") =~ s/ at \S+ line \d+.*//s;
        $answer->{failure} =~ s/^(?=Missing base)/base: /;
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
