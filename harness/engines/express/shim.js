// The npm package express as an engine: the field Location that response.location(url) writes, and what URL reads in it.
"use strict";
const response = require("express").response;
const { version } = require("./node_modules/express/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

const parse = (text) => {
  const redirect = Object.create(response);
  const fields = {};
  redirect.req = { get: () => undefined };
  redirect.set = (name, value) => ((fields[name] = value), redirect);
  try {
    redirect.location(text);
    const location = fields.Location;
    const url = new URL(location, "http://shop.example/");
    return { parts: { scheme: url.protocol.slice(0, -1), host: url.hostname, port: url.port || null, path: url.pathname, location } };
  } catch (error) {
    return { failure: String(error.message).replace(/[^ -~]/g, "?") };
  }
};

say({ protocol: 1, engine: "express", version, ops: ["parse"] });
lines.on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...parse(url) });
});
