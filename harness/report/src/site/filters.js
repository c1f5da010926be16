// Filters of tables.

/** Shows the rows of a table that match the form, and the column that it names. */
const filter = (form, table) => {
  const { text = "", column = "", ...wanted } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const names = (row) => (row.dataset.names ?? "").toLowerCase().split(" ");
  // A word that is a name finds this name only, and not longer ones that contain it.
  const known = new Set([...table.tBodies[0].rows].flatMap(names));
  let shown = 0;
  for (const row of table.tBodies[0].rows) {
    // A row may stand for more engines than it names.
    const content = `${row.textContent} ${row.dataset.names ?? ""}`.toLowerCase();
    const has = ([name, value]) => value === "" || row.dataset[name] === value;
    const own = names(row);
    const finds = (word) => (known.has(word) ? own.includes(word) : content.includes(word));
    row.hidden = !(Object.entries(wanted).every(has) && words.every(finds));
    shown += row.hidden ? 0 : 1;
  }
  for (const cell of table.querySelectorAll("[data-column]")) {
    cell.hidden = column !== "" && cell.dataset.column !== column;
  }
  const unknown = shown === 0 && words.length > 0 ? ": no row has these words" : "";
  form.querySelector("output").textContent = `${shown} of ${table.tBodies[0].rows.length} rows${unknown}`;
};

for (const form of document.querySelectorAll("form[data-filters]")) {
  const table = document.getElementById(form.dataset.filters);
  const isState = () => location.hash === "" || location.hash.includes("=");
  const update = () => {
    filter(form, table);
    history.replaceState(null, "", `#${written(form)}`);
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  window.addEventListener("hashchange", () => {
    if (isState()) {
      read(form);
      filter(form, table);
    }
  });
  if (isState()) {
    read(form);
  }
  filter(form, table);
}
