# Mojolicious as an engine: Mojo::URL->new(reference)->to_abs(Mojo::URL->new(base)); an argument names the method that writes the result.
use strict;
use warnings;
use JSON::PP;
use Mojolicious;
use Mojo::URL;

$| = 1;
my $write = shift;
my $json = JSON::PP->new->ascii->canonical;
print $json->encode({ protocol => 1, engine => "Mojo::URL", version => Mojolicious->VERSION, ops => ["resolve"] }), "\n";
while (my $line = <STDIN>) {
    my $asked = $json->decode($line);
    my $text = eval {
        my $url = Mojo::URL->new($asked->{reference});
        # Without a known base the reference stands alone.
        $url = $url->to_abs(Mojo::URL->new($asked->{base})) if $asked->{base} ne "";
        $url->$write;
    };
    my $answer;
    if (defined $text) {
        utf8::encode($text);    # a Perl text may hold any code point, so its UTF-8 form is sent as bytes
        $answer = { bytes => unpack("H*", $text) };
    }
    else {
        ($answer->{failure} = $@ || "undef") =~ s/ at \S+ line \d+.*//s;
    }
    print $json->encode({ id => $asked->{id}, %$answer }), "\n";
}
