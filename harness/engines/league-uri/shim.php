<?php
// League URI as an engine: BaseUri::from(base)->resolve(reference).
require 'League/Uri/autoload.php';
use League\Uri\BaseUri;
use League\Uri\Contracts\UriException;
use League\Uri\Uri;

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'league/uri', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $stage = 'base: ';
    try {
        // Without a known base the reference stands alone.
        $base = $asked['base'] === '' ? null : BaseUri::from($asked['base']);
        $stage = '';
        $url = $base ? $base->resolve($asked['reference'])->getUriString() : Uri::new($asked['reference'])->toString();
        $answer = ['bytes' => bin2hex($url)]; // a PHP text need not be UTF-8
    } catch (UriException $error) {
        $answer = ['failure' => $stage . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
