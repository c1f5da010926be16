// The npm package dojo as an engine: new _Url(base, reference) of its _base/url.js, and the properties of new _Url(url).
"use strict";
let Url;
globalThis.define = (_, define) => (Url = define({}));
require("dojo/_base/url.js");
const { version } = require("./node_modules/dojo/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = new Url(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.scheme ?? null,
      user: url.user ?? null,
      password: url.password ?? null,
      host: url.host ?? null,
      port: url.port ?? null,
      path: url.path ?? null,
      query: url.query ?? null,
      fragment: url.fragment ?? null,
      authority: url.authority ?? null,
    },
  };
};

say({ protocol: 1, engine: "dojo", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = new Url(base, reference).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
