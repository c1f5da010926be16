// The npm package undici as an engine: the request that request("http://shop.example", { path: url }) dispatches.
"use strict";
const { Dispatcher, request } = require("undici");
const { version } = require("./node_modules/undici/package.json");
const lines = require("readline").createInterface({ input: process.stdin });
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

// It sends nothing, and keeps what it would send.
class Kept extends Dispatcher {
  dispatch(sent, handler) {
    this.sent = sent;
    handler.onError(new Error("not sent"));
    return true;
  }
}
// What the text says by itself.
const read = (text) => {
  try {
    const { protocol, hostname, port } = new URL(text, "http://shop.example");
    return { scheme: protocol.slice(0, -1), host: hostname, port: port || null };
  } catch (error) {
    return { scheme: null, host: null, port: null };
  }
};
const parse = async (path) => {
  const dispatcher = new Kept();
  try {
    await request("http://shop.example", { path, dispatcher });
  } catch (error) {
    if (!dispatcher.sent) return { failure: String(error.message).replace(/[^ -~]/g, "?") };
  }
  return { parts: { ...read(path), requested: dispatcher.sent.origin } };
};

say({ protocol: 1, engine: "undici", version, ops: ["parse"] });
lines.on("line", async (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...(await parse(url)) });
});
