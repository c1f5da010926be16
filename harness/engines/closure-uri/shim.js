// The npm package google-closure-library as an engine: goog.Uri.resolve(base, reference), and the getters of goog.Uri.parse(url).
"use strict";
require("google-closure-library/closure/goog/bootstrap/nodejs");
const { version } = require("./node_modules/google-closure-library/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

goog.require("goog.Uri");
const parse = (text) => {
  let url;
  try {
    url = goog.Uri.parse(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.getScheme(),
      userinfo: url.getUserInfo(),
      host: url.getDomain(),
      port: url.getPort() === null ? null : String(url.getPort()),
      path: url.getPath(),
      query: url.getQuery(),
      fragment: url.getFragment(),
    },
  };
};

say({ protocol: 1, engine: "closure-uri", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base is an object here, and that of an unknown base is empty.
    url = goog.Uri.resolve(base, reference).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
