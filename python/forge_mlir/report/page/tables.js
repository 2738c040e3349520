"use strict";
// DOM elements and sortable tables. All text of a model is set by textContent.

const byId = (id) => document.getElementById(id);

function element(kind, text, parent, className) {
  const made = document.createElement(kind);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

function button(text, parent, onClick, className = "link") {
  const made = element("button", text, parent, className);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

const number = (value) => typeof value === "number" ? value.toLocaleString("en-US") : value;
const small = (value) => value === null || value === undefined ? "" : value >= 1e300 ? "not finite" : value === 0 ? "0" : value.toPrecision(3);

function amount(value, unit = "") {
  for (const [factor, prefix] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (Math.abs(value) >= factor) return `${(value / factor).toPrecision(3)} ${prefix}${unit}`;
  return `${number(Math.round(value * 100) / 100)} ${unit}`.trim();
}

// A cell is text, a number, or { text, sort, go, swatch, id }, where all but text are optional.
function table(parent, titles, rows, most = 300) {
  if (!rows.length) return null;
  const made = element("table", null, parent);
  const head = element("tr", null, titles.some((title) => title) ? element("thead", null, made) : null), body = element("tbody", null, made);
  const more = element("p", null, parent, "more");
  let shown = most, order = rows;
  const key = (cell) => cell && typeof cell === "object" ? (cell.sort === undefined ? cell.text : cell.sort) : cell;
  const isNumber = titles.map((_, at) => rows.every((row) => typeof key(row[at]) === "number" || row[at] === "" || row[at] === null));
  const fill = () => {
    body.replaceChildren(...order.slice(0, shown).map((row) => line(row)));
    more.replaceChildren();
    if (order.length > shown)
      button(`${number(order.length - shown)} more`, more, () => { shown = order.length; fill(); });
  };
  const line = (row) => {
    const made = element("tr");
    row.forEach((cell, at) => {
      const place = element("td", null, made, isNumber[at] ? "number" : "");
      if (cell && cell.id) made.id = cell.id;
      if (cell && cell.swatch) element("span", null, place, "swatch").style.background = cell.swatch;
      const text = cell && typeof cell === "object" ? cell.text : number(cell);
      if (cell && cell.go) button(text, place, cell.go);
      else if (cell && cell.code) element("code", text, place);
      else place.append(text === null || text === undefined ? "" : String(text));
    });
    return made;
  };
  titles.forEach((title, at) => {
    const cell = element("th", null, head, isNumber[at] ? "number" : "");
    button(title, cell, () => {
      const down = cell.getAttribute("aria-sort") === (isNumber[at] ? "descending" : "ascending") ? !isNumber[at] : isNumber[at];
      for (const other of head.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const compare = (a, b) => isNumber[at] ? (Number(key(a[at])) || 0) - (Number(key(b[at])) || 0) : String(key(a[at])).localeCompare(String(key(b[at])), "en", { numeric: true });
      order = [...rows].sort((a, b) => down ? compare(b, a) : compare(a, b));
      fill();
    }, "");
  });
  fill();
  // Shows the row with this id, even if it is among the hidden ones.
  made.reveal = (id) => {
    shown = order.length;
    fill();
    const found = byId(id);
    if (!found) return;
    found.classList.add("marked");
    found.scrollIntoView({ block: "center" });
  };
  return made;
}
