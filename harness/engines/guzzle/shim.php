<?php
// Guzzle PSR-7 as an engine: UriResolver::resolve(new Uri(base), new Uri(reference)).
require 'GuzzleHttp/Psr7/autoload.php';
use GuzzleHttp\Psr7\Uri;
use GuzzleHttp\Psr7\UriResolver;

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'guzzlehttp/psr7', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $stage = 'base: ';
    try {
        // Without a known base the reference stands alone.
        $base = $asked['base'] === '' ? null : new Uri($asked['base']);
        $stage = '';
        $reference = new Uri($asked['reference']);
        $url = (string) ($base ? UriResolver::resolve($base, $reference) : $reference);
        $answer = ['bytes' => bin2hex($url)]; // a PHP text need not be UTF-8
    } catch (InvalidArgumentException | RuntimeException $error) {
        $answer = ['failure' => $stage . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
