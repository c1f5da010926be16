// The npm package uri-js as an engine: URI.resolve(base, reference), with the argument "iri" for IRIs.
"use strict";
const URI = require("uri-js");
const options = process.argv[2] === "iri" ? { iri: true } : {};
const { version } = require("./node_modules/uri-js/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "uri-js", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = URI.resolve(base, reference, options);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
