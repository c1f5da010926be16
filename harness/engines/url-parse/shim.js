// The npm package url-parse as an engine: new Url(reference, base), and the properties of new Url(url).
"use strict";
const Url = require("url-parse");
const { version } = require("./node_modules/url-parse/package.json");
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
      scheme: url.protocol.replace(/:$/, ""),
      user: url.username,
      password: url.password,
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      query: url.query.replace(/^\?/, ""),
      fragment: url.hash.replace(/^#/, ""),
      authority: url.host,
    },
  };
};

say({ protocol: 1, engine: "url-parse", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is left out.
    url = base === "" ? new Url(reference).toString() : new Url(reference, base).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
