// The npm package uri-js as an engine: URI.resolve(base, reference) and the properties of URI.parse(url), with the argument
// "iri" for IRIs.
"use strict";
const URI = require("uri-js");
const options = process.argv[2] === "iri" ? { iri: true } : {};
const { version } = require("./node_modules/uri-js/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

// The library does not throw: it states components even if it also reports an `error`.
const parse = (text) => {
  let url;
  try {
    url = URI.parse(text, options);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.scheme ?? null,
      userinfo: url.userinfo ?? null,
      host: url.host ?? null,
      port: url.port === undefined ? null : String(url.port),
      path: url.path ?? null,
      query: url.query ?? null,
      fragment: url.fragment ?? null,
    },
  };
};

say({ protocol: 1, engine: "uri-js", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = URI.resolve(base, reference, options);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
