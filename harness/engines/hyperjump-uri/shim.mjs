// The npm package @hyperjump/uri as an engine: resolveUri(reference, base), with the argument "iri" resolveIri.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { resolveIri, resolveUri } from "@hyperjump/uri";

const resolve = process.argv[2] === "iri" ? resolveIri : resolveUri;
const { version } = JSON.parse(readFileSync("node_modules/@hyperjump/uri/package.json", "utf8"));
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

say({ protocol: 1, engine: "@hyperjump/uri", version, ops: ["resolve"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is passed as it is.
    url = resolve(reference, base);
  } catch (error) {
    const message = wellFormed(String(error.message));
    return say({ id, failure: message.startsWith("Invalid absolute-") ? "base: " + message : message });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
