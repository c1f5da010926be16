<?php
// ML\IRI as an engine: (new IRI(base))->resolve(reference), and the accessors of new IRI(url).
error_reporting(E_ALL & ~E_DEPRECATED);
require 'ML/IRI/autoload.php';
use ML\IRI\IRI;

function parse(string $url): array
{
    $uri = new IRI($url);
    $parts = [
        'scheme' => $uri->getScheme(), 'userinfo' => $uri->getUserInfo(), 'host' => $uri->getHost(), 'port' => $uri->getPort(),
        'path' => $uri->getPath(), 'query' => $uri->getQuery(), 'fragment' => $uri->getFragment(), 'authority' => $uri->getAuthority(),
    ];
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'ML\\IRI', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        if ($asked['op'] === 'parse') {
            $answer = parse($asked['url']);
        } else {
            // The base is an object here, so with an unknown base the reference is parsed alone.
            $url = $asked['base'] === '' ? new IRI($asked['reference']) : (new IRI($asked['base']))->resolve($asked['reference']);
            $answer = ['bytes' => bin2hex((string) $url)]; // a PHP text need not be UTF-8
        }
    } catch (Throwable $error) {
        $answer = ['failure' => $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
