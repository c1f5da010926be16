// The npm package axios with a base URL as an engine: the request that get(url, { baseURL, allowAbsoluteUrls: false }) makes.
"use strict";
const axios = require("axios");
const { version } = require("./node_modules/axios/package.json");
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
const parse = async (text) => {
  let sent;
  // It sends nothing, and keeps what it would send.
  const request = (options) => {
    sent = options;
    throw new Error("not sent");
  };
  try {
    await axios.get(text, { baseURL: "http://shop.example/api", allowAbsoluteUrls: false, proxy: false, transport: { request } });
  } catch (error) {
    if (!sent) return { failure: String(error.message).replace(/[^ -~]/g, "?") };
  }
  if (!sent) return { failure: "no request" };
  const { protocol, hostname, port } = sent;
  return { parts: { ...read(text), requested: `${protocol}//${hostname}${port ? ":" + port : ""}` } };
};

say({ protocol: 1, engine: "axios", version, ops: ["parse"] });
lines.on("line", async (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...(await parse(url)) });
});
