// The npm package google-closure-library as an engine: goog.Uri.resolve(base, reference).
"use strict";
require("google-closure-library/closure/goog/bootstrap/nodejs");
const { version } = require("./node_modules/google-closure-library/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

goog.require("goog.Uri");
say({ protocol: 1, engine: "closure-uri", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base is an object here, and that of an unknown base is empty.
    url = goog.Uri.resolve(base, reference).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
