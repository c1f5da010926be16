// The npm package urijs (URI.js) as an engine: new URI(reference).absoluteTo(base), and the accessors of new URI(url).
"use strict";
const URI = require("urijs");
const { version } = require("./node_modules/urijs/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  // The accessors decode, and so they throw too.
  try {
    const url = new URI(text);
    const parts = {
      scheme: url.protocol(),
      user: url.username(),
      password: url.password(),
      host: url.hostname(),
      port: url.port(),
      path: url.pathname(),
      query: url.query(),
      fragment: url.fragment(),
      authority: url.authority(),
    };
    return { parts };
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
};

say({ protocol: 1, engine: "urijs", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = new URI(reference).absoluteTo(base).toString();
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
