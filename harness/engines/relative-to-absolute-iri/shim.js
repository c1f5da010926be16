// The npm package relative-to-absolute-iri as an engine: resolve(reference, base).
"use strict";
const { resolve } = require("relative-to-absolute-iri");
const { version } = require("./node_modules/relative-to-absolute-iri/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "relative-to-absolute-iri", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is left out.
    url = base === "" ? resolve(reference) : resolve(reference, base);
  } catch (error) {
    const message = wellFormed(String(error.message));
    return say({ id, failure: message.startsWith("Found invalid baseIRI") ? "base: " + message : message });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
