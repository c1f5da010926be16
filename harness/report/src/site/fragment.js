// The state of a form in the fragment of the address, so that a view has a permalink.

/** Returns the form's values as the text of a fragment: `language=Go&column=excess`. */
const written = (form) => {
  const values = [...new FormData(form)].filter(([, value]) => value !== "");
  return new URLSearchParams(values).toString();
};

/** Sets the fields of the form to the values in the fragment. Unknown names and values are ignored. */
const read = (form) => {
  let values;
  try {
    values = new URLSearchParams(location.hash.slice(1));
  } catch {
    return;
  }
  for (const field of form.elements) {
    const value = field.name ? values.get(field.name) ?? "" : "";
    if (field instanceof HTMLSelectElement) {
      field.value = [...field.options].some((option) => option.value === value) ? value : "";
    } else if (field.type === "checkbox") {
      field.checked = value === field.value;
    } else if (field.name) {
      field.value = value;
    }
  }
};
