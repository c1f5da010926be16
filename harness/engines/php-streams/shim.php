<?php
// PHP's HTTP streams as an engine: file_get_contents(url).
$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$connect = function (string $url, bool $follow): array {
    $http = ['ignore_errors' => true, 'follow_location' => (int) $follow, 'max_redirects' => 3, 'timeout' => 4];
    $context = stream_context_create(['http' => $http, 'ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
    error_clear_last();
    try {
        if (@file_get_contents($url, false, $context) !== false) {
            return ['done' => true];
        }
        $message = preg_replace('/^file_get_contents\(.*\): /sU', '', error_get_last()['message'] ?? 'false');
    } catch (ValueError $error) { // an empty text, or one with NUL
        $message = $error->getMessage();
    }
    return ['failure' => substr(preg_replace('/\s+/', ' ', $message), 0, 300)];
};
$out(['protocol' => 1, 'engine' => 'php-streams', 'version' => PHP_VERSION, 'ops' => ['connect', 'follow']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $known = in_array($asked['op'], ['connect', 'follow'], true);
    $out(['id' => $asked['id']] + ($known ? $connect($asked['url'], $asked['op'] === 'follow') : ['skipped' => 'unsupported operation']));
}
