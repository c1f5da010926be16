// The npm package domino as an engine: new URL(base).resolve(reference) of its lib/URL.js, which resolves the links of documents.
"use strict";
const URL = require("domino/lib/URL.js");
const { version } = require("./node_modules/domino/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "domino", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = new URL(base).resolve(reference);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
