// Bun as an engine: new URL(reference, base).
import { createInterface } from "node:readline";

const ascii = (text) => text.replace(/[\u0080-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const say = (answer) => console.log(ascii(JSON.stringify(answer)));
const wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

say({ protocol: 1, engine: "bun", version: Bun.version, ops: ["resolve"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, base, reference } = JSON.parse(line);
  let url;
  try {
    // The base "" is left out.
    url = base === "" ? new URL(reference).href : new URL(reference, base).href;
  } catch (error) {
    return say({ id, failure: wellFormed(String(error.message)) });
  }
  say(url === wellFormed(url) ? { id, url } : { id, unrepresentable: "lone surrogate" });
});
