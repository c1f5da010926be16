// The npm package url-toolkit as an engine: buildAbsoluteURL, with the argument "normalize" with alwaysNormalize.
"use strict";
const { buildAbsoluteURL } = require("url-toolkit");
const options = process.argv[2] === "normalize" ? { alwaysNormalize: true } : {};
const { version } = require("./node_modules/url-toolkit/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "url-toolkit", version, ops: ["resolve"] });
lines.on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = buildAbsoluteURL(base, reference, options);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
