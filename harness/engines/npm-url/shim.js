// The npm package "url" as an engine: url.resolve(base, reference), and the properties of url.parse(url).
"use strict";
// The slash asks for the package: without it Node.js loads its own module.
const Url = require("url/");
const { resolve } = Url;
const { version } = require("./node_modules/url/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = Url.parse(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.protocol && url.protocol.replace(/:$/, ""),
      userinfo: url.auth,
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      query: url.search && url.search.replace(/^\?/, ""),
      fragment: url.hash && url.hash.replace(/^#/, ""),
      authority: url.host,
    },
  };
};

say({ protocol: 1, engine: "url", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = resolve(base, reference);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
