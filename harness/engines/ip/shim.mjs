// Checks of addresses as engines: the argument names the npm package, which is asked about the hostname of new URL(url), or with a
// second argument "legacy" about that of url.parse(url).
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse as legacy, urlToHttpOptions } from "node:url";

const [name, mode] = process.argv.slice(2);
const read = mode === "legacy" ? legacy : (text) => new URL(text);
const { version } = JSON.parse(readFileSync(`./node_modules/${name}/package.json`, "utf8"));
const library = (await import(name)).default;
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");

// Each returns true or false, or undefined for what the package does not take for an address.
const checks = {
  ip: (url) => {
    try {
      return library.isPrivate(url.hostname);
    } catch (error) {
      if (error.message === "invalid ipv4 address") return undefined; // Since 1.1.9 and 2.0.1.
      throw error;
    }
  },
  "private-ip": (url) => library(url.hostname),
  // The package checks the host for which a client asks its agent. This agent does not connect.
  "ssrf-req-filter": (url) => {
    const agent = library.requestFilterHandler({ createConnection: () => ({ on: () => {} }) });
    try {
      agent.createConnection({ host: urlToHttpOptions(url).hostname });
    } catch (error) {
      if (error.message.endsWith("is blocked.")) return true;
      throw error;
    }
    return false;
  },
};

const parse = (text) => {
  let url;
  try {
    url = read(text);
  } catch (error) {
    return { failure: error.message };
  }
  let answer;
  try {
    answer = url.hostname === null ? undefined : checks[name](url);
  } catch (error) {
    if (error instanceof URIError) return { failure: error.message }; // Node's client rejects the userinfo.
    throw error;
  }
  const parts = { scheme: url.protocol && url.protocol.replace(/:$/, ""), host: url.hostname, port: url.port };
  return { parts: { ...parts, private: answer === undefined ? null : String(answer) } };
};

say({ protocol: 1, engine: name, version, ops: ["parse"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, url } = JSON.parse(line);
  say({ id, ...parse(url) });
});
