// The npm package ufo as an engine: the properties of parseURL(url), and of parseHost(host) for its host.
"use strict";
const { parseURL, parseHost } = require("ufo");
const { version } = require("./node_modules/ufo/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

const parse = (text) => {
  const url = parseURL(text);
  // A text without a scheme and without two slashes is only a path, a query and a fragment.
  const { hostname, port } = url.host === undefined ? {} : parseHost(url.host);
  return {
    scheme: url.protocol?.replace(/:$/, "") ?? null,
    userinfo: url.auth ?? null,
    host: hostname ?? null,
    port: port ?? null,
    path: url.pathname,
    query: url.search.replace(/^\?/, ""),
    fragment: url.hash.replace(/^#/, ""),
    authority: url.host ?? null,
  };
};

say({ protocol: 1, engine: "ufo", version, ops: ["parse"] });
lines.on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, parts: parse(url) });
});
