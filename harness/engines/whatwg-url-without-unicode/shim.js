// The npm package whatwg-url-without-unicode as an engine: new URL(reference, base).
"use strict";
const { URL } = require("whatwg-url-without-unicode");
const { version } = require("./node_modules/whatwg-url-without-unicode/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "whatwg-url-without-unicode", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
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
