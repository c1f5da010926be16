<?php
// PEAR's Net_URL2 as an engine: (new Net_URL2(base))->resolve(reference), and the accessors of new Net_URL2(url).
require 'Net/URL2.php';

function parse(string $url): array
{
    $uri = new Net_URL2($url);
    $parts = [
        'scheme' => $uri->getScheme(), 'userinfo' => $uri->getUserinfo(), 'host' => $uri->getHost(), 'port' => $uri->getPort(),
        'path' => $uri->getPath(), 'query' => $uri->getQuery(), 'fragment' => $uri->getFragment(), 'authority' => $uri->getAuthority(),
    ];
    $parts = array_map(fn ($part) => $part === false ? null : $part, $parts); // false is an absent component
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'Net_URL2', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        if ($asked['op'] === 'parse') {
            $answer = parse($asked['url']);
        } else {
            // Without a known base the reference stands alone.
            $url = $asked['base'] === '' ? new Net_URL2($asked['reference']) : (new Net_URL2($asked['base']))->resolve($asked['reference']);
            $answer = ['bytes' => bin2hex($url->getURL())]; // a PHP text need not be UTF-8
        }
    } catch (Exception $error) {
        $base = str_starts_with($error->getMessage(), 'Base-URL') ? 'base: ' : '';
        $answer = ['failure' => $base . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
