<?php
// SimplePie's IRI class as an engine: IRI::absolutize(base, reference), and the properties of new IRI(url).
error_reporting(E_ALL & ~E_DEPRECATED); // the old versions meet a newer PHP
require 'simplepie/autoloader.php';
$class = @class_exists('SimplePie\\IRI') ? 'SimplePie\\IRI' : 'SimplePie_IRI'; // the name before 1.7

function parse(string $class, string $url): array
{
    try {
        $iri = new $class($url);
    } catch (AssertionError $error) {
        return ['failure' => $error->getMessage()]; // the library asserts that an IPv6 address has a colon
    }
    if (!$iri->is_valid()) {
        return ['failure' => 'is_valid() is false'];
    }
    $parts = [];
    foreach (['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'authority'] as $name) {
        $parts[$name] = $iri->$name === null ? null : (string) $iri->$name;
    }
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'SimplePie', 'version' => defined('SIMPLEPIE_VERSION') ? SIMPLEPIE_VERSION : SimplePie\SimplePie::VERSION, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    if ($asked['op'] === 'parse') {
        $out(['id' => $asked['id']] + parse($class, $asked['url']));
        continue;
    }
    // Without a known base the reference stands alone.
    $url = $asked['base'] === '' ? new $class($asked['reference']) : $class::absolutize($asked['base'], $asked['reference']);
    $text = $url ? $url->get_iri() : false;
    // A PHP text need not be UTF-8.
    $answer = $text === false ? ['failure' => 'false'] : ['bytes' => bin2hex($text)];
    $out(['id' => $asked['id']] + $answer);
}
