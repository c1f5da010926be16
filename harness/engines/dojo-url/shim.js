// The npm package dojo as an engine: new _Url(base, reference) of its _base/url.js.
"use strict";
let Url;
globalThis.define = (_, define) => (Url = define({}));
require("dojo/_base/url.js");
const { version } = require("./node_modules/dojo/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "dojo", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = new Url(base, reference).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
