// HTTP clients of Node.js as engines: the argument names one. Each function requests the URL and follows at most the given number of redirects.
import http from "node:http";
import https from "node:https";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , name] = process.argv;
for (const variable of Object.keys(process.env)) if (/_proxy$/i.test(variable)) delete process.env[variable];
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
[http.globalAgent, https.globalAgent] = [new http.Agent(), new https.Agent()]; // Without keep-alive.
const limit = 4000; // ms
const library = /^node-/.test(name) ? null : await import(name);

const drained = (resolve) => (response) => response.resume().on("end", resolve);
// http.get refuses https URLs with an error of its own.
const get = (url) => {
  try {
    return http.get(url, { timeout: limit });
  } catch (error) {
    if (error.code !== "ERR_INVALID_PROTOCOL") throw error;
    return https.get(url, { timeout: limit });
  }
};
const clients = {
  "node-fetch-global": async (url, redirects) => {
    const headers = { connection: "close" };
    const response = await fetch(url, { redirect: redirects ? "follow" : "manual", headers, signal: AbortSignal.timeout(limit) });
    await response.arrayBuffer();
  },
  "node-http": (url) => new Promise((resolve, reject) => get(url).on("response", drained(resolve)).on("error", reject)),
  axios: (url, maxRedirects) => library.default.get(url, { maxRedirects, proxy: false, timeout: limit, validateStatus: () => true }),
  got: (url, maxRedirects) => {
    const redirects = { followRedirect: maxRedirects > 0, maxRedirects };
    const rest = { retry: { limit: 0 }, timeout: { request: limit }, https: { rejectUnauthorized: false }, throwHttpErrors: false };
    return library.default(url, { ...redirects, ...rest });
  },
  undici: async (url, maxRedirections) => {
    const { Agent, interceptors, request } = library;
    const agent = new Agent({ connect: { timeout: limit }, headersTimeout: limit });
    const dispatcher = agent.compose(interceptors.redirect({ maxRedirections }));
    try {
      await (await request(url, { dispatcher })).body.dump();
    } finally {
      await agent.destroy();
    }
  },
  needle: (url, follow_max) => library.default("get", url, { follow_max, open_timeout: limit, response_timeout: limit }),
  superagent: (url, redirects) => library.default.get(url).redirects(redirects).ok(() => true).timeout(limit),
};

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");
const message = ({ message, cause }) => (cause && cause.message !== message ? `${message}: ${cause.message}` : String(message));
const manifest = () => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url)));
const version = library ? manifest().version : process.versions.node;
// An error outside of a call, as from a callback of the library, is a failure of the request that is being made.
let fail = () => {};
process.on("uncaughtException", (error) => fail(error)).on("unhandledRejection", (error) => fail(error));

say({ protocol: 1, engine: name, version, ops: name === "node-http" ? ["connect"] : ["connect", "follow"] });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, url } = JSON.parse(line);
  if (op !== "connect" && (op !== "follow" || name === "node-http")) {
    say({ id, skipped: "unsupported operation" });
    continue;
  }
  try {
    await new Promise((resolve, reject) => {
      fail = reject;
      setTimeout(reject, limit + 500, new Error("no answer")).unref();
      Promise.resolve(clients[name](url, op === "follow" ? 3 : 0)).then(resolve, reject);
    });
    say({ id, done: true });
  } catch (error) {
    say({ id, failure: message(error ?? {}).replace(/\s+/g, " ").replace(/[^ -~]/g, "?").slice(0, 300) });
  }
}
process.exit();
