<?php
// PHP's curl extension as an engine: curl_exec(curl_init(url)).
$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$connect = function (string $url, bool $follow): array {
    try {
        $client = curl_init($url);
        curl_setopt_array($client, [
            CURLOPT_RETURNTRANSFER => true, CURLOPT_FOLLOWLOCATION => $follow, CURLOPT_MAXREDIRS => 3, CURLOPT_TIMEOUT => 4,
            CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0, CURLOPT_NOPROXY => '*',
        ]);
        if (curl_exec($client) !== false) {
            return ['done' => true];
        }
        $message = curl_error($client);
    } catch (ValueError $error) { // a text with NUL
        $message = $error->getMessage();
    }
    return ['failure' => substr(preg_replace('/ after \d+ (ms|milliseconds)|\s+/', ' ', $message), 0, 300)];
};
$out(['protocol' => 1, 'engine' => 'php-curl', 'version' => PHP_VERSION, 'ops' => ['connect', 'follow']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $known = in_array($asked['op'], ['connect', 'follow'], true);
    $out(['id' => $asked['id']] + ($known ? $connect($asked['url'], $asked['op'] === 'follow') : ['skipped' => 'unsupported operation']));
}
