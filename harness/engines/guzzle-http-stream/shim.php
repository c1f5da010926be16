<?php
// Guzzle as an engine: (new GuzzleHttp\Client())->get(url). It uses the curl extension where it is loaded, and PHP's streams otherwise.
require 'GuzzleHttp/autoload.php';

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$connect = function (string $url, bool $follow): array {
    try {
        $client = new GuzzleHttp\Client(['verify' => false, 'timeout' => 4, 'connect_timeout' => 4, 'http_errors' => false]);
        $client->get($url, ['allow_redirects' => $follow ? ['max' => 3] : false]);
        return ['done' => true];
    } catch (Throwable $error) { // besides its own errors, the library lets others through
        $message = preg_replace('/ after \d+ (ms|milliseconds)|\s+/', ' ', $error->getMessage());
        return ['failure' => substr($message, 0, 300)];
    }
};
$out(['protocol' => 1, 'engine' => $argv[1], 'version' => $argv[2] /* the library knows only its major version */, 'ops' => ['connect', 'follow']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $known = in_array($asked['op'], ['connect', 'follow'], true);
    $out(['id' => $asked['id']] + ($known ? $connect($asked['url'], $asked['op'] === 'follow') : ['skipped' => 'unsupported operation']));
}
