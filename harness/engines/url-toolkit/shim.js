// The npm package url-toolkit as an engine: buildAbsoluteURL and parseURL, with the argument "normalize" buildAbsoluteURL with
// alwaysNormalize.
"use strict";
const { buildAbsoluteURL, parseURL } = require("url-toolkit");
const options = process.argv[2] === "normalize" ? { alwaysNormalize: true } : {};
const { version } = require("./node_modules/url-toolkit/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  const url = parseURL(text);
  if (url === null) return { failure: "parseURL returns null" };
  return {
    parts: {
      scheme: url.scheme.replace(/:$/, ""),
      path: url.path,
      query: url.query.replace(/^\?/, ""),
      fragment: url.fragment.replace(/^#/, ""),
      authority: url.netLoc.replace(/^\/\//, ""),
    },
  };
};

// The option concerns only the resolution.
const ops = options.alwaysNormalize ? ["resolve"] : ["resolve", "parse"];
say({ protocol: 1, engine: "url-toolkit", version, ops });
lines.on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is passed as it is.
    url = buildAbsoluteURL(base, reference, options);
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
