# Perl's IRI as an engine: IRI->new(value => reference, base => IRI->new(base))->abs, and the accessors of IRI->new(url).
use strict;
use warnings;
use JSON::PP;
use IRI;

$| = 1;

sub parts {
    my $iri = IRI->new(shift);
    my %parts = (userinfo => $iri->user);
    $parts{$_} = $iri->$_ for qw(scheme host port path query fragment authority);
    return \%parts;
}

my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "perl-iri", version => IRI->VERSION, ops => ["resolve", "parse"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my ($base, $text, $parts, $answer);
    my $valid = 1;
    if ($asked->{op} eq "parse") {
        $parts = eval { parts($asked->{url}) };
    }
    else {
        # Without a known base the reference stands alone.
        my $known = $asked->{base} ne "";
        $valid = eval { $base = IRI->new($asked->{base}) if $known; 1 };
        $text = eval { IRI->new(value => $asked->{reference}, $known ? (base => $base) : ())->abs } if $valid;
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
        $answer->{failure} = substr(($valid ? "" : "base: ") . $answer->{failure}, 0, 300);    # the message repeats the input
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
