<?php
// EasyRdf as an engine: (new ParsedUri(base))->resolve(reference).
error_reporting(E_ALL & ~E_DEPRECATED);
require 'EasyRdf/autoload.php';
use EasyRdf\ParsedUri;

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'EasyRdf', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        // The base is an object here, so with an unknown base the reference is parsed alone.
        $url = $asked['base'] === '' ? new ParsedUri($asked['reference']) : (new ParsedUri($asked['base']))->resolve($asked['reference']);
        $answer = ['bytes' => bin2hex((string) $url)]; // a PHP text need not be UTF-8
    } catch (Throwable $error) {
        $answer = ['failure' => $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
