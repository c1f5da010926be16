// The npm package react-native-url-polyfill as an engine: new URL(reference, base), and the properties of new URL(url).
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { createInterface } from "node:readline";

// The parser asks React Native for its blob module; outside of React Native there is none.
const stub = "data:text/javascript,export const NativeModules = {};";
register(
  "data:text/javascript," +
    encodeURIComponent(
      `export const resolve = (name, context, next) =>
        name === "react-native" ? { url: ${JSON.stringify(stub)}, shortCircuit: true } : next(name, context);`,
    ),
);
const folder = "./node_modules/react-native-url-polyfill";
const { URL } = await import(`${folder}/js/URL.js`);
const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = new URL(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.protocol.replace(/:$/, ""),
      user: url.username,
      password: url.password,
      host: url.hostname,
      port: url.port,
      path: url.pathname,
      query: url.search.replace(/^\?/, ""),
      fragment: url.hash.replace(/^#/, ""),
      authority: url.host,
    },
  };
};

say({ protocol: 1, engine: "react-native-url-polyfill", version, ops: ["resolve", "parse"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
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
