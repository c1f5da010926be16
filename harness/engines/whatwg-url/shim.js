// The npm package whatwg-url as an engine: new URL(reference, base), and the properties of new URL(url).
"use strict";
const { URL } = require("whatwg-url");
const { version } = require("./node_modules/whatwg-url/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = new URL(text);
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
      query: url.search.replace(/^\?/, ""),
      fragment: url.hash.replace(/^#/, ""),
      authority: url.host,
    },
  };
};

say({ protocol: 1, engine: "whatwg-url", version, ops: ["resolve", "parse"] });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is left out.
    url = base === "" ? new URL(reference).href : new URL(reference, base).href;
  } catch (error) {
    const message = wellFormed(String(error.message));
    return say({ id, failure: message.startsWith("Invalid base URL") ? "base: " + message : message });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
