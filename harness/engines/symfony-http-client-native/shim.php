<?php
// Symfony's HttpClient as an engine: HttpClient::create()->request('GET', url). It uses the curl extension where it is loaded, and PHP's streams otherwise.
require 'Symfony/Component/HttpClient/autoload.php';
use Symfony\Component\HttpClient\HttpClient;

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$connect = function (string $url, bool $follow): array {
    $options = ['timeout' => 4, 'max_duration' => 4, 'verify_peer' => false, 'verify_host' => false, 'no_proxy' => '*'];
    try {
        // The request is sent when the response is first read.
        HttpClient::create($options)->request('GET', $url, ['max_redirects' => $follow ? 3 : 0])->getStatusCode();
        return ['done' => true];
    } catch (Throwable $error) { // besides its own errors, the library lets others through
        $message = preg_replace('/ after \d+ (ms|milliseconds)|\s+/', ' ', $error->getMessage());
        return ['failure' => substr($message, 0, 300)];
    }
};
$out(['protocol' => 1, 'engine' => $argv[1], 'version' => $argv[2] /* the library does not know its version */, 'ops' => ['connect', 'follow']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $known = in_array($asked['op'], ['connect', 'follow'], true);
    $out(['id' => $asked['id']] + ($known ? $connect($asked['url'], $asked['op'] === 'follow') : ['skipped' => 'unsupported operation']));
}
