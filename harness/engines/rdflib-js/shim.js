// The npm package rdflib (rdflib.js) as an engine: uri.join(reference, base).
"use strict";
// The library writes warnings with console.log; standard output is for answers.
console.log = console.error;
const { uri } = require("rdflib");
const { version } = require("./node_modules/rdflib/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "rdflib.js", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base is text here, so an unknown base is the empty text.
    url = uri.join(reference, base);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
