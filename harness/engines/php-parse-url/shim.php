<?php
// PHP's parse_url as an engine: the components that parse_url(url) returns.
$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer) . "\n");
$out(['protocol' => 1, 'engine' => 'parse_url', 'version' => PHP_VERSION, 'ops' => ['parse']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $found = parse_url($asked['url']);
    if ($found === false) {
        $answer = ['failure' => 'false'];
    } else {
        $part = fn (string $key) => isset($found[$key]) ? (string) $found[$key] : null;
        $parts = [
            'scheme' => $part('scheme'), 'user' => $part('user'), 'password' => $part('pass'), 'host' => $part('host'), 'port' => $part('port'),
            'path' => $part('path'), 'query' => $part('query'), 'fragment' => $part('fragment'),
        ];
        // A PHP text need not be UTF-8, but JSON does.
        $answer = json_encode($parts) === false ? ['unrepresentable' => 'not UTF-8'] : ['parts' => $parts];
    }
    $out(['id' => $asked['id']] + $answer);
}
