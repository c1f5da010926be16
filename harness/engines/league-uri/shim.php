<?php
// League URI as an engine: BaseUri::from(base)->resolve(reference), and the accessors of Uri::new(url).
require 'League/Uri/autoload.php';
use League\Uri\BaseUri;
use League\Uri\Contracts\UriException;
use League\Uri\Uri;

function parse(string $url): array
{
    $uri = Uri::new($url);
    $port = $uri->getPort();
    $parts = [
        'scheme' => $uri->getScheme(), 'userinfo' => $uri->getUserInfo(), 'host' => $uri->getHost(), 'port' => $port === null ? null : (string) $port,
        'path' => $uri->getPath(), 'query' => $uri->getQuery(), 'fragment' => $uri->getFragment(), 'authority' => $uri->getAuthority(),
    ];
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'league/uri', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $stage = '';
    try {
        if ($asked['op'] === 'parse') {
            $answer = parse($asked['url']);
        } else {
            $stage = 'base: ';
            // Without a known base the reference stands alone.
            $base = $asked['base'] === '' ? null : BaseUri::from($asked['base']);
            $stage = '';
            $url = $base ? $base->resolve($asked['reference'])->getUriString() : Uri::new($asked['reference'])->toString();
            $answer = ['bytes' => bin2hex($url)]; // a PHP text need not be UTF-8
        }
    } catch (UriException $error) {
        $answer = ['failure' => $stage . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
