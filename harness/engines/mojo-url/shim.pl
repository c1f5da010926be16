# Mojolicious as an engine: Mojo::URL->new(reference)->to_abs(Mojo::URL->new(base)), and the accessors of Mojo::URL->new(url).
# An argument names the method that writes the result; it does not change the accessors.
use strict;
use warnings;
use JSON::PP;
use Mojolicious;
use Mojo::URL;

$| = 1;
my $write = shift;

sub parts {
    my $url = Mojo::URL->new(shift);
    my %parts = map { $_ => $url->$_ } qw(scheme userinfo host port fragment);
    return { %parts, path => $url->path->to_string, query => $url->query->to_string };
}

my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "Mojo::URL", version => Mojolicious->VERSION, ops => $write eq "to_string" ? ["resolve", "parse"] : ["resolve"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my ($text, $parts, $answer);
    if ($asked->{op} eq "parse") {
        $parts = eval { parts($asked->{url}) };
    }
    else {
        $text = eval {
            my $url = Mojo::URL->new($asked->{reference});
            # Without a known base the reference stands alone.
            $url = $url->to_abs(Mojo::URL->new($asked->{base})) if $asked->{base} ne "";
            $url->$write;
        };
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
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
