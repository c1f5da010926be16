// Deno as an engine: new URL(reference, base), and the properties of new URL(url).
import process from "node:process";
import { createInterface } from "node:readline";

const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => console.log(ascii(JSON.stringify(answer)));
const wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

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

say({ protocol: 1, engine: "deno", version: Deno.version.deno, ops: ["resolve", "parse"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, op, base, reference, url: text } = JSON.parse(line);
  if (op === "parse") return say({ id, ...parse(text) });
  let url;
  try {
    // The base "" is left out.
    url = base === "" ? new URL(reference).href : new URL(reference, base).href;
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
