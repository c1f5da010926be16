// The npm package domino as an engine: new URL(base).resolve(reference) of its lib/URL.js, which resolves the links of documents,
// and the properties of new URL(url).
"use strict";
const URL = require("domino/lib/URL.js");
const { version } = require("./node_modules/domino/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = new URL(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.scheme ?? null,
      user: url.username ?? null,
      password: url.password ?? null,
      host: url.host ?? null,
      port: url.port ?? null,
      path: url.path ?? null,
      query: url.query ?? null,
      fragment: url.fragment ?? null,
    },
  };
};

say({ protocol: 1, engine: "domino", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = new URL(base).resolve(reference);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
