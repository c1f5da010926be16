<?php
// PEAR's Net_URL2 as an engine: (new Net_URL2(base))->resolve(reference).
require 'Net/URL2.php';

$out = fn (array $answer) => fwrite(STDOUT, json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
$out(['protocol' => 1, 'engine' => 'Net_URL2', 'version' => $argv[1] /* the library does not know its version */, 'ops' => ['resolve']]);
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    try {
        // Without a known base the reference stands alone.
        $url = $asked['base'] === '' ? new Net_URL2($asked['reference']) : (new Net_URL2($asked['base']))->resolve($asked['reference']);
        $answer = ['bytes' => bin2hex($url->getURL())]; // a PHP text need not be UTF-8
    } catch (Exception $error) {
        $base = str_starts_with($error->getMessage(), 'Base-URL') ? 'base: ' : '';
        $answer = ['failure' => $base . $error->getMessage()];
    }
    $out(['id' => $asked['id']] + $answer);
}
