// Node.js as an engine: new URL(reference, base) and the properties of new URL(url), or with the argument "legacy"
// url.resolve(base, reference) and the properties of url.parse(url).
"use strict";
const legacy = process.argv[2] === "legacy" ? require("url").resolve : null;
const read = legacy ? require("url").parse : (text) => new URL(text);
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

// The base "" is left out for URL, and passed as it is to url.resolve.
const resolve = (base, reference) =>
  legacy ? legacy(base, reference) : base === "" ? new URL(reference).href : new URL(reference, base).href;

// The properties of url.parse are null if the component is absent.
const undelimited = (text, delimiter) => text && text.replace(delimiter, "");
const userinfo = (url) => (legacy ? { userinfo: url.auth } : { user: url.username, password: url.password });
const parse = (text) => {
  let url;
  try {
    url = read(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: undelimited(url.protocol, /:$/),
      ...userinfo(url),
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      query: undelimited(url.search, /^\?/),
      fragment: undelimited(url.hash, /^#/),
      authority: url.host,
    },
  };
};

say({ protocol: 1, engine: legacy ? "node url.resolve" : "node URL", version: process.versions.node, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    url = resolve(base, reference);
  } catch (error) {
    // error.input is the rejected text, which may be the base; for URL since version 18 it is always the reference.
    const which = base !== "" && error.input === base ? "base: " : "";
    return say({ id, failure: which + wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
