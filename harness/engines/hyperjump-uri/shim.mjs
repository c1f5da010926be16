// The npm package @hyperjump/uri as an engine: resolveUri(reference, base) and parseUriReference(url), with the argument "iri"
// resolveIri and parseIriReference.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseIriReference, parseUriReference, resolveIri, resolveUri } from "@hyperjump/uri";

const resolve = process.argv[2] === "iri" ? resolveIri : resolveUri;
const read = process.argv[2] === "iri" ? parseIriReference : parseUriReference;
const { version } = JSON.parse(readFileSync("node_modules/@hyperjump/uri/package.json", "utf8"));
const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => process.stdout.write(ascii(JSON.stringify(answer)) + "\n");
const wellFormed = (text) => Buffer.from(text).toString();

const parse = (text) => {
  let url;
  try {
    url = read(text);
  } catch (error) {
    return { failure: wellFormed(String(error.message)) };
  }
  return {
    parts: {
      scheme: url.scheme ?? null,
      userinfo: url.userinfo ?? null,
      host: url.host ?? null,
      port: url.port ?? null,
      path: url.path ?? null,
      query: url.query ?? null,
      fragment: url.fragment ?? null,
      authority: url.authority ?? null,
    },
  };
};

say({ protocol: 1, engine: "@hyperjump/uri", version, ops: ["resolve", "parse"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
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
