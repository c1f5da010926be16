// The form of the first page opens the playground with its pair.

const form = document.getElementById("try");
form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`${form.getAttribute("action")}#${written(form)}`);
});
