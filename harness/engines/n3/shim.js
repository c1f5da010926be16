// The npm package n3 (N3.js) as an engine: its Turtle parser resolves the object of one triple.
"use strict";
const { Parser } = require("n3");
// Turtle's own escapes, so that the parser and not the syntax around it judges each character.
const escape = (text) => text.replace(/[^!#-;=?-[\]_a-z~]/gu, (c) => "\\U" + c.codePointAt(0).toString(16).padStart(8, "0"));
const { version } = require("./node_modules/n3/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "n3", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = new Parser({ baseIRI: base }).parse("<a:a> <a:a> <" + escape(reference) + "> .")[0].object.value;
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
