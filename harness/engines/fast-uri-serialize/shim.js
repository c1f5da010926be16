// The npm package fast-uri as an engine: the URL that serialize() joins from components, of which the text is the port.
"use strict";
const { serialize } = require("fast-uri");
const { version } = require("./node_modules/fast-uri/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

// What the text says by itself.
const read = (text) => {
  try {
    const { protocol, hostname, port } = new URL(text, "http://shop.example");
    return { scheme: protocol.slice(0, -1), host: hostname, port: port || null };
  } catch (error) {
    return { scheme: null, host: null, port: null };
  }
};
const parse = (port) => {
  let requested = null;
  try {
    requested = new URL(serialize({ scheme: "http", host: "shop.example", port, path: "/" })).origin;
  } catch {
    // serialize rejects the port, or URL the result.
  }
  return { parts: { ...read(port), requested } };
};

say({ protocol: 1, engine: "fast-uri", version, ops: ["parse"] });
lines.on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...parse(url) });
});
