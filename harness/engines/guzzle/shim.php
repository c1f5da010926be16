<?php
// Guzzle PSR-7 as an engine: UriResolver::resolve(new Uri(base), new Uri(reference)), and the accessors of new Uri(url).
require 'GuzzleHttp/Psr7/autoload.php';
use GuzzleHttp\Psr7\Uri;
use GuzzleHttp\Psr7\UriResolver;

function parse(string $url): array
{
    $uri = new Uri($url);
    $port = $uri->getPort();
    $parts = [
        'scheme' => $uri->getScheme(), 'userinfo' => $uri->getUserInfo(), 'host' => $uri->getHost(), 'port' => $port === null ? null : (string) $port,
        'path' => $uri->getPath(), 'query' => $uri->getQuery(), 'fragment' => $uri->getFragment(), 'authority' => $uri->getAuthority(),
    ];
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'guzzlehttp/psr7', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $stage = '';
    try {
        if ($asked['op'] === 'parse') {
            $answer = parse($asked['url']);
        } else {
            $stage = 'base: ';
            // Without a known base the reference stands alone.
            $base = $asked['base'] === '' ? null : new Uri($asked['base']);
            $stage = '';
            $reference = new Uri($asked['reference']);
            $url = (string) ($base ? UriResolver::resolve($base, $reference) : $reference);
            $answer = ['bytes' => bin2hex($url)]; // a PHP text need not be UTF-8
        }
    } catch (InvalidArgumentException | RuntimeException $error) {
        $answer = ['failure' => $stage . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
