// PHP's uri extension (compiled to WebAssembly) as an engine: resolve() and the getters of
// Uri\Rfc3986\Uri, or with the argument "whatwg" of Uri\WhatWg\Url.
import { createInterface } from "node:readline";
import { getPHPLoaderModule } from "@php-wasm/node-8-5";
import { loadPHPRuntime, PHP } from "@php-wasm/universal";

// The PHP program hands over one answer, and is given the next request, by post_message_to_js.
const program = String.raw`<?php
$whatwg = WHATWG;
$answer = ["protocol" => 1, "engine" => $whatwg ? "Uri\\WhatWg\\Url" : "Uri\\Rfc3986\\Uri", "version" => PHP_VERSION, "ops" => ["resolve", "parse"]];
while (($line = post_message_to_js(json_encode($answer))) !== "") {
    $asked = json_decode($line);
    $answer = ["id" => $asked->id];
    $which = "";
    try {
        $read = fn ($text) => $whatwg ? new Uri\WhatWg\Url($text) : new Uri\Rfc3986\Uri($text);
        if ($asked->op === "parse") {
            $url = $read($asked->url);
            $answer["parts"] = [
                "scheme" => $url->getScheme(),
                "user" => $url->getUsername(),
                "password" => $url->getPassword(),
                "host" => $whatwg ? $url->getAsciiHost() : $url->getHost(),
                "port" => $url->getPort() === null ? null : (string) $url->getPort(),
                "path" => $url->getPath(),
                "query" => $url->getQuery(),
                "fragment" => $url->getFragment(),
            ];
            continue;
        }
        if ($asked->base === "") {
            // For the base "" the reference is parsed alone.
            $url = $read($asked->reference);
        } else {
            $which = "base: ";
            $base = $read($asked->base);
            $which = "";
            $url = $base->resolve($asked->reference);
        }
        $answer["bytes"] = bin2hex($whatwg ? $url->toAsciiString() : $url->toRawString());
    } catch (Uri\InvalidUriException | ValueError $error) {
        // A relative base is rejected by resolve() only.
        if ($error->getMessage() === "The specified base URI must be absolute") $which = "base: ";
        $answer["failure"] = mb_scrub($which . $error->getMessage());
    }
}
`.replace("WHATWG", String(process.argv[2] === "whatwg"));

const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule(), { processId: 1 }));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
php.onMessage(async (answer) => {
  process.stdout.write(answer + "\n");
  return (await lines.next()).value ?? "";
});
const run = await php.runStream({ code: program });
process.stderr.write((await run.stdoutText) + (await run.stderrText));
process.exit(await run.exitCode);
