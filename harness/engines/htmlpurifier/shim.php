<?php
// HTML Purifier as an engine: the filter MakeAbsolute with the base as URI.Base, and the properties that URIParser finds.
error_reporting(E_ALL & ~E_DEPRECATED);
require 'HTMLPurifier.auto.php';

function resolve(string $base, string $reference): string
{
    $parser = new HTMLPurifier_URIParser();
    $uri = $parser->parse($reference);
    if ($base === '') {
        return $uri->toString(); // without a known base the reference is parsed alone
    }
    static $kept = [];
    if (!isset($kept[$base])) {
        $config = HTMLPurifier_Config::createDefault();
        $config->autoFinalize = false;
        $config->set('Cache.DefinitionImpl', null);
        $config->set('URI.Base', $base);
        $config->set('URI.MakeAbsolute', true);
        $kept = [$base => [$config, $config->getDefinition('URI')]];
    }
    [$config, $definition] = $kept[$base];
    $filter = new HTMLPurifier_URIFilter_MakeAbsolute();
    $filter->prepare($config);
    if (!$filter->filter($uri, $config, new HTMLPurifier_Context())) {
        throw new Exception('the filter returned false');
    }
    return $uri->toString();
}

function parse(string $url): array
{
    $uri = (new HTMLPurifier_URIParser())->parse($url);
    if ($uri === false) {
        return ['failure' => 'the parser returned false'];
    }
    $parts = [
        'scheme' => $uri->scheme, 'userinfo' => $uri->userinfo, 'host' => $uri->host, 'port' => $uri->port === null ? null : (string) $uri->port,
        'path' => $uri->path, 'query' => $uri->query, 'fragment' => $uri->fragment,
    ];
    return json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
}

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'HTML Purifier', 'version' => HTMLPurifier::VERSION, 'ops' => ['resolve', 'parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        // A PHP text need not be UTF-8.
        $answer = $asked['op'] === 'parse' ? parse($asked['url']) : ['bytes' => bin2hex(resolve($asked['base'], $asked['reference']))];
    } catch (Throwable $error) {
        $answer = ['failure' => $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
