// The npm package parse-url as an engine: the properties of parseUrl(url).
"use strict";
const exported = require("parse-url");
const { version } = require("./node_modules/parse-url/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();
const parseUrl = exported.default ?? exported;

const parse = (text) => {
  let url;
  try {
    url = parseUrl(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  const parts = {
    scheme: url.protocol ?? null,
    user: url.user ?? null,
    password: url.password ?? null,
    host: url.resource,
    port: url.port === null ? null : String(url.port),
    path: url.pathname,
    query: url.search,
    fragment: url.hash,
  };
  if (url.host !== undefined) parts.authority = url.host; // Since version 8.
  return Object.values(parts).every((part) => part === null || part === wellFormed(part)) ? { parts } : { unrepresentable: "lone surrogate" };
};

say({ protocol: 1, engine: "parse-url", version, ops: ["parse"] });
lines.on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...parse(url) });
});
