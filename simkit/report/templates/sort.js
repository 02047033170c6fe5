// Makes the headings of the tables sort their rows; the page reads the same without it.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const keyOf = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  const compare = (a, b) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    return isNaN(a) || isNaN(b) ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
  };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isNumber = head.classList.contains("number");
      const now = head.ariaSort;
      const descending = now ? now === "ascending" : isNumber;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const missing = (row) => keyOf(row, i) === "";
      const rows = [...body.rows].sort((a, b) =>
        missing(a) || missing(b) || !descending ? compare(keyOf(a, i), keyOf(b, i)) : compare(keyOf(b, i), keyOf(a, i)));
      body.append(...rows);
    });
  });
}
