// The playground: explains the pair in the form. The computation is the WebAssembly module of the package
// `urlstrata-playground`, in a worker. It is loaded when the form is first used.

/** The code of the worker. A message has the module, what it knows of engines, and a request; the worker replies with an answer. */
const work = () => {
  let calls;
  // Each call may move the memory.
  const write = (text) => {
    const bytes = new TextEncoder().encode(text);
    const address = calls.input(bytes.length);
    new Uint8Array(calls.memory.buffer, address, bytes.length).set(bytes);
  };
  const start = async ({ module, knowledge }) => {
    calls = (await WebAssembly.instantiate(module, {})).exports;
    write(knowledge);
    calls.start();
  };
  const answer = (request) => {
    write(JSON.stringify(request));
    const address = calls.answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(calls.memory.buffer, address, calls.output_length())));
  };
  self.onmessage = async ({ data }) => {
    try {
      if (calls === undefined) {
        await start(data);
      }
      self.postMessage({ answer: answer(data.request) });
    } catch (error) {
      self.postMessage({ failure: String(error) });
    }
  };
};

const unpacked = (text) => {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
};

let parts;
let worker;

/** Loads the module and its data, once. They are texts in a script, because pages of a folder cannot read files. */
const load = () => {
  parts ??= readParts().catch((error) => {
    parts = undefined;
    throw error;
  });
  return parts;
};

const readParts = async () => {
  const script = document.createElement("script");
  script.src = "playground.wasm.js";
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${script.src} cannot be read.`));
  });
  document.head.append(script);
  await loaded;
  const { module, knowledge } = globalThis.urlstrata;
  return { module: await WebAssembly.compile(await unpacked(module).arrayBuffer()), knowledge: await unpacked(knowledge).text() };
};

/** Sends a request to the worker. After a failure the next request starts a new worker. */
const send = async (request) => {
  const { module, knowledge } = await load();
  const isNew = worker === undefined;
  worker ??= new Worker(URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" })));
  const { answer, failure } = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve({ failure: event.message ?? "the worker cannot be started" });
    worker.postMessage(isNew ? { module, knowledge, request } : { request });
  });
  if (failure !== undefined) {
    worker.terminate();
    worker = undefined;
    throw new Error(`The computation of this pair stopped (${failure}). Please report it. Other pairs still work.`);
  }
  if (answer.error) {
    throw new Error(`Not explained: ${answer.error}.`);
  }
  return answer;
};

let last = Promise.resolve();

/** Sends a request after all earlier ones, if it is still wanted then. */
const ask = (request, isWanted) => {
  const answer = last.then(() => (isWanted() ? send(request) : undefined));
  last = answer.catch(() => undefined);
  return answer;
};

const INVISIBLE = /[INVISIBLE]/gu;

/** Escapes the invisible characters of a text, and cuts long texts, as all pages do. */
const visible = (text) => {
  const characters = [...text];
  const cut = characters.length > 2000 ? `${characters.slice(0, 2000).join("")}… (${characters.length} characters in all)` : text;
  return cut.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
};

/** Replaces `\t`, `\n`, `\r`, `\\`, `\x1f` and `\u{202e}` by the characters that they mean. */
const unescaped = (text) =>
  text.replace(/\\(?:([tnr\\])|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\})/giu, (whole, letter, byte, point) => {
    const code = Number.parseInt(byte ?? point, 16);
    if (letter) {
      return { t: "\t", n: "\n", r: "\r", "\\": "\\" }[letter.toLowerCase()];
    }
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Creates an element. Texts become text nodes, so that no text is read as markup. */
const element = (name, properties, ...children) => {
  const created = document.createElement(name);
  const { dataset = {}, ...others } = properties;
  Object.assign(created, others);
  Object.assign(created.dataset, dataset);
  created.append(...children);
  return created;
};

const code = (text) => (text === "" ? "(empty)" : element("code", {}, visible(text)));

const listed = (items) => items.flatMap((item, index) => (index === 0 ? [item] : [", ", item]));

/** The outcome of a group as a cell: a URL as code, or the kind of the failure. */
const outcome = ({ outcome }) => (outcome.url === undefined ? [Object.keys(outcome)[0]] : [code(outcome.url)]);

const host = ({ location }) => {
  if (!location) {
    return "–";
  }
  const name = location.host === null || location.host === undefined ? "without a host" : visible(location.host) || "(empty)";
  return [location.scheme || "no scheme", name, location.port].filter((part) => part).join(" ");
};

/** A list of names, all but the first ones folded. */
const folded = (title, names) => {
  if (names.length <= 15) {
    return element("div", {}, title, ...listed(names));
  }
  const more = element("details", {}, element("summary", {}, `and ${names.length - 12} more`), ...listed(names.slice(12)));
  return element("div", {}, title, ...listed(names.slice(0, 12)), more);
};

/** The members of groups: those that were asked, with all states of the URL Standard as one, and then the predicted ones. */
const members = (groups, states) => {
  const by = groups.flatMap((group) => group.by);
  const rates = new Map(groups.flatMap((group) => group.predicted ?? []).map(({ by, accuracy }) => [by, accuracy]));
  const isState = (name) => /^whatwg-\d/u.test(name);
  const all = by.filter(isState).length === states;
  const name = (text) => {
    const dataset = { engine: text.split(" ")[0] };
    return text.includes(" ") ? element("button", { type: "button", className: "name", dataset }, visible(text)) : text;
  };
  // The steps of an engine have no rate.
  const rated = (text) => element("span", {}, name(text), typeof rates.get(text) === "number" ? ` (${rates.get(text)}%)` : "");
  const asked = by.filter((text) => !rates.has(text) && !(all && isState(text))).map(name);
  const shown = all ? ["whatwg", ...asked] : asked;
  const predicted = by.filter((text) => rates.has(text)).map(rated);
  return [shown.length > 0 ? folded("", shown) : "", predicted.length > 0 ? folded("predicted: ", predicted) : ""];
};

const table = (label, head, rows, kind = "") => {
  const cells = (name, row) => element("tr", {}, ...row.map((cell) => element(name, name === "th" ? { scope: "col" } : {}, ...[cell].flat())));
  const body = element("table", {}, element("thead", {}, cells("th", head)), element("tbody", {}, ...rows.map((row) => cells("td", row))));
  return element("div", { className: `table ${kind}`, tabIndex: 0, role: "region", ariaLabel: label }, body);
};

/** The part of an effect in words. Without one, two failures have different reasons. */
const part = (effect) => (effect === "accepted" ? "whether there is a result" : `the ${effect ?? "reason"}`);

/** A sentence in which code is between backticks. */
const sentence = (text) => visible(text).split(/`([^`]+)`/u).map((piece, index) => (index % 2 === 1 ? element("code", {}, piece) : piece));

const side = (who, { note, source }) => sentence(`${who}: ${source ? `${note} (${source})` : note}`);

/** The notes of a cause: each question, what both sides do, how the specifications changed, and what one of them permits. */
const notes = (found, from, to) =>
  found.flatMap(({ question, from: first, to: second, change, permitted }) => [
    element("dt", {}, ...sentence(question)),
    element("dd", {}, ...side(from, first)),
    element("dd", {}, ...side(to, second)),
    ...(change ? [element("dd", {}, ...sentence(change))] : []),
    ...(permitted ? [element("dd", {}, ...sentence(`${permitted} permits it, too`))] : []),
  ]);

const standard = (changes) =>
  changes.map(({ commit, date, sentence: text }) => element("dd", {}, ...sentence(`${date} (whatwg/url@${commit}): ${text}`)));

const why = (...children) => element("dl", { className: "why" }, ...children);

/** The engine that stands for a group without specifications; undefined for another group, and for failures. */
const representative = ({ outcome, by }) => (outcome.url !== undefined && by.every((name) => name.includes(" ")) ? by[0].split(" ")[0] : undefined);

/** The results of an explanation by outcome. Failures are one outcome, because each engine has words of its own. */
const results = (explanation, states) => {
  const cause = ([group]) => {
    const engine = representative(group);
    return engine ? element("span", { dataset: { cause: engine } }, "…") : "";
  };
  const failures = explanation.groups.filter((group) => group.outcome.url === undefined);
  const groups = explanation.groups.filter((group) => group.outcome.url !== undefined).map((group) => [group]);
  const kinds = Map.groupBy(failures, (group) => Object.keys(group.outcome)[0]);
  const rows = [...groups, ...kinds.values()].map((same) => [outcome(same[0]), host(same[0]), members(same, states), cause(same)]);
  const hosts = new Set(groups.map(([group]) => host(group))).size;
  const count = hosts > 1 ? `${hosts} different locations.` : "All URLs lead to the same scheme, host and port.";
  return [table("Results", ["result", "scheme, host, port", "returned by", "cause"], rows, "results"), groups.length > 0 ? element("p", {}, count) : ""];
};

/** Adds the cause of an engine's result to the table of results. */
const addCause = ({ name, against }) => {
  const cell = shown.querySelector(`[data-cause="${CSS.escape(name)}"]`);
  const { specification, divergence } = against.at(-1) ?? {};
  const found = divergence?.notes.map(({ question, to }) => `${question} ${to.note}`).join("; ") || "no cause is known";
  cell?.replaceChildren(...(divergence ? sentence(`${name} and ${specification}: ${found}`) : []));
};

const specifications = ({ changes, same_document: same, not_matched: unmatched }) => [
  element("h2", {}, "Why the specifications differ"),
  changes.length === 0 ? element("p", {}, "All specifications return the same result.") : "",
  ...changes.map(({ older, newer, effect, notes: found, standard: dated = [] }) =>
    why(element("dt", {}, element("b", {}, `${older} and ${newer} differ in ${part(effect)}`)), ...notes(found, older, newer), ...standard(dated)),
  ),
  same.length > 0 ? element("p", {}, `The target is the same document by ${same.join(", ")}.`) : "",
  ...unmatched.map(({ grammars, found, at }) => element("p", {}, ...sentence(`Not matched by the grammar of ${grammars.join(", ")}: ${found}, at byte ${at}.`))),
];

/** Listed deviations by which a result differs: their kinds, what the engine does and why, and where its maintainers discuss it. */
const knownDeviations = (deviations) =>
  deviations.map(({ kind, does, reason, issue }) =>
    element("dd", {}, ...sentence(`Known (${kind}): it ${does}. ${reason} `), issue ? element("a", { href: issue }, issue) : ""),
  );

/** The comparison of an engine with specifications. */
const against = (engine) =>
  engine.against.map(({ specification, divergence, since = [], known: deviations = [] }) => {
    const title = `${engine.name} and ${specification}`;
    if (!divergence) {
      return element("p", {}, `${title} return the same result.`);
    }
    const known = ["steps", "behaviour", "agreeing"].includes(divergence.found);
    const unknown = divergence.found === "indirect" ? `The cause is ${divergence.cause}.` : `No cause is known (${divergence.cause}).`;
    const cause = known ? notes(divergence.notes, specification, engine.name) : [element("dd", {}, unknown)];
    return why(element("dt", {}, element("b", {}, `${title} differ in ${part(divergence.effect)}`)), ...cause, ...standard(since), ...knownDeviations(deviations));
  });

const steps = ({ older, newer, older_steps: first, newer_steps: second, first_difference: at }) => {
  const cell = (step) => (step ? [`${step.label}  ${step.text}`, element("br", {}), code(step.state)] : "");
  const rows = Array.from({ length: Math.max(first.length, second.length) }, (_, row) => [row === at ? "≠" : "", cell(first[row]), cell(second[row])]);
  return element("details", {}, element("summary", {}, `Steps of ${older} and ${newer}`), table(`Steps of ${older} and ${newer}`, ["", older, newer], rows));
};

/** What each side reads, inherits and writes: a row for each slot, its values with the steps that wrote them. */
const slots = ({ sides, rows, results: outcomes }) => {
  const line = ([value, labels]) => [value === null ? "none" : code(value), labels.length > 0 ? ` ${labels.map(visible).join("; ")}` : ""];
  const cell = ({ writes }) => writes.flatMap((write, index) => [index > 0 ? element("br", {}) : "", ...line(write)]);
  const result = (it) => outcome({ outcome: it });
  const shown = rows.map(({ slot, differs, cells }) => [differs ? "≠" : "", slot, ...cells.map(cell)]);
  const title = `Slots of ${sides.map(visible).join(" and ")}`;
  const head = ["", "slot", ...sides.map(visible)];
  return element("details", { open: true }, element("summary", {}, title), table(title, head, [...shown, ["", "returns", ...outcomes.map(result)]]));
};

const report = (text) => {
  const area = element("textarea", { readOnly: true, rows: 12, ariaLabel: "Bug report" }, text);
  const copy = element("button", { type: "button" }, "Copy");
  copy.addEventListener("click", () => {
    area.select();
    document.execCommand("copy");
  });
  return element("details", {}, element("summary", {}, "Bug report (Markdown)"), area, copy);
};

/** What there is to say about the chosen engine. */
const one = (explanation) => [
  element("h2", {}, `${explanation.engines[0].name} and the specifications`),
  ...explanation.engines.flatMap(against),
  explanation.bug_report ? report(explanation.bug_report) : "",
];

/** The steps of specifications with different results, and those of an engine beside the nearest specification. */
const traces = ({ traces: found = [], slots: sides }) => {
  const tables = [...(sides ? [slots(sides)] : []), ...found.map(steps)];
  return tables.length > 0 ? [element("h2", {}, "Steps"), ...tables] : [];
};

const form = document.getElementById("pair");
const shown = document.getElementById("results");
const detail = document.getElementById("engine");
const message = form.querySelector("output");
let count = 0;

/** The milliseconds without input after which causes are computed. */
const PAUSE = 150;

/** Explains the pair of the form, and the chosen engine. Answers to older questions are not shown. */
const update = async () => {
  const turn = ++count;
  const isWanted = () => turn === count;
  const { base = "", reference = "", engine, escapes } = Object.fromEntries(new FormData(form));
  const [from, to] = escapes ? [unescaped(base), unescaped(reference)] : [base, reference];
  try {
    message.textContent = parts ? message.textContent : "Loading…";
    await load();
    const start = performance.now();
    const pair = { base: from, reference: to };
    const explanation = await ask(pair, isWanted);
    if (!isWanted()) {
      return;
    }
    shown.replaceChildren(...results(explanation, Number(form.dataset.states)), ...specifications(explanation));
    message.textContent = `Explained in ${Math.round(performance.now() - start)} ms.`;
    // Causes take longer than results, so they wait until the user pauses.
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const traced = await ask({ ...pair, engines: engine ? [engine] : [], trace: true }, isWanted);
    if (traced && isWanted()) {
      detail.replaceChildren(...(engine ? one(traced) : []), ...traces(traced));
    }
    for (const name of explanation.groups.map(representative).filter((it) => it !== undefined)) {
      const caused = await ask({ ...pair, engines: [name] }, isWanted);
      if (caused && isWanted()) {
        addCause(caused.engines[0]);
      }
    }
  } catch (error) {
    if (isWanted()) {
      shown.replaceChildren();
      detail.replaceChildren();
      message.textContent = visible(error.message);
    }
  }
};

const isValid = () => {
  try {
    return decodeURIComponent(location.hash) !== null;
  } catch {
    return false;
  }
};

const open = () => {
  if (location.hash.includes("=")) {
    read(form);
    update();
    document.getElementById("link").hidden = isValid();
  }
};

/** For the console: `await explain({ base: "http://a/b", reference: "//h", engines: ["urllib"], trace: true })`. */
globalThis.explain = (request) => ask(request, () => true);

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  history.replaceState(null, "", `#${written(form)}`);
  update();
});
shown.addEventListener("click", ({ target }) => {
  const { engine } = target.dataset;
  if (engine) {
    form.elements.engine.value = engine;
    form.dispatchEvent(new Event("input"));
    detail.scrollIntoView({ block: "nearest" });
  }
});
window.addEventListener("hashchange", open);
open();
