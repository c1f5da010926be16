<?php
// Symfony's UriResolver as an engine: UriResolver::resolve(reference, base).
require 'Symfony/Component/DomCrawler/UriResolver.php';
use Symfony\Component\DomCrawler\UriResolver;

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'symfony/dom-crawler', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        // An unknown base is passed as the empty text.
        $answer = ['bytes' => bin2hex(UriResolver::resolve($asked['reference'], $asked['base']))]; // a PHP text need not be UTF-8
    } catch (InvalidArgumentException $error) {
        $answer = ['failure' => $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
