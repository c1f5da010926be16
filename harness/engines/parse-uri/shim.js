// The npm package parse-uri as an engine: the properties of parseUri(url).
"use strict";
const parseUri = require("parse-uri");
const { version } = require("./node_modules/parse-uri/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

const parse = (text) => {
  const url = parseUri(text);
  if (url === undefined) return { failure: "nothing was returned" };
  return { parts: url.hostname === undefined ? before2(url) : since2(url) };
};

// Since version 2, the properties are those of the class URL.
const since2 = (url) => ({
  scheme: url.protocol.replace(/:$/, ""),
  user: url.username,
  password: url.password,
  host: url.hostname,
  port: url.port,
  path: url.pathname,
  query: url.search.replace(/^\?/, ""),
  fragment: url.hash.replace(/^#/, ""),
  authority: url.authority,
});

const before2 = (url) => ({
  scheme: url.protocol,
  user: url.user,
  password: url.password,
  host: url.host,
  port: url.port,
  path: url.path,
  query: url.query,
  fragment: url.anchor,
  authority: url.authority,
});

say({ protocol: 1, engine: "parse-uri", version, ops: ["parse"] });
lines.on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...parse(url) });
});
