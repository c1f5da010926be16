# Perl's URI as an engine: URI->new_abs(reference, base), and the accessors of URI->new(url).
# An argument names one of the library's switches, which change only the resolution.
use strict;
use warnings;
use JSON::PP;
use URI;

$| = 1;
my $mode = shift // "";
$URI::ABS_ALLOW_RELATIVE_SCHEME = 1 if $mode eq "relative-scheme";
$URI::ABS_REMOTE_LEADING_DOTS   = 1 if $mode eq "leading-dots";

sub parts {
    my $uri = URI->new(shift);
    my %parts;
    for my $part (qw(scheme userinfo host port path query fragment authority)) {
        my $value = $uri->can($part) ? $uri->$part : undef;    # the class of the scheme may lack the method
        $parts{$part} = defined $value ? "$value" : undef;
    }
    return \%parts;
}

my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "perl-uri", version => URI->VERSION, ops => $mode eq "" ? ["resolve", "parse"] : ["resolve"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my ($text, $parts, $answer);
    if ($asked->{op} eq "parse") {
        $parts = eval { parts($asked->{url}) };
    }
    else {
        # An unknown base is passed as the empty text.
        $text = eval { URI->new_abs($asked->{reference}, $asked->{base})->as_string };
    }
    if ($parts) {
        $answer = { parts => $parts };
    }
    elsif (defined $text) {
        utf8::encode($text);    # a Perl text may hold any code point, so its UTF-8 form is sent as bytes
        $answer = { bytes => unpack("H*", $text) };
    }
    else {
        ($answer->{failure} = $@ || "undef") =~ s/ at \S+ line \d+.*//s;
        $answer->{failure} =~ s/^(?=Missing base)/base: /;
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
