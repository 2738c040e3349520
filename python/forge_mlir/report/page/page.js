"use strict";
// The sections of the report, which are built when they are first opened, and the keys of the page.

const COUNTS = ["kernels", "bytes", "padding", "moved", "multiply_adds", "picoseconds"];
const counts = (cost) => COUNTS.map((name) => cost[name]);
const COUNT_TITLES = ["kernels", "bytes", "padding", "bytes moved", "multiply-adds", "picoseconds"];
const goTo = (name) => { if (indexOf.has(name)) toNode(indexOf.get(name)); };

function largest(values, most = 10) {
  return values.map((value, at) => [value, at]).filter(([value]) => value > 0).sort((a, b) => b[0] - a[0]).slice(0, most).map(([, at]) => at);
}

let callTable = null;
function toCall(at) {
  open("Calls");
  if (callTable) callTable.reveal(`call-${at}`);
}

const parts = {
  Overview() {
    for (const each of byId("overview").querySelectorAll("[data-node]"))
      if (indexOf.has(each.dataset.node)) each.addEventListener("click", () => goTo(each.dataset.node)); else each.disabled = true;
    for (const each of byId("overview").querySelectorAll(".copy"))
      each.addEventListener("click", () => copy(each));
  },
  Graph() {
    picture.draw();
    picture.fit(true);
    state();
    for (const family of [...new Set(data.nodes.map((node) => node.family))].sort()) legend(`var(${familyColour(family)})`, family);
    if (data.nodes.some((node) => node.side === "cpu")) legend("var(--warn)", "on the CPU");
    if (data.nodes.some((node) => node.side === "refused")) legend("var(--bad)", "refused");
  },
  Cost(parent) {
    if (!data.costs.length) return element("p", "A model that is refused has no program, and no cost.", parent);
    const choices = [
      { name: "time", unit: "%", values: data.kernel_weights.map((weight) => 100 * weight / totalWeight) },
      { name: "bytes", unit: "B", values: data.costs.map((call) => call.cost.bytes) },
      { name: "FLOPs", unit: "FLOP", values: data.costs.map((call) => 2 * call.cost.multiply_adds) },
      { name: "padding", unit: "B", values: data.costs.map((call) => call.cost.padding) },
      { name: "bytes moved", unit: "B", values: data.costs.map((call) => call.cost.moved) },
    ];
    element("p", "Counts of the cost model for one run on the device. Time is its share of the whole, as the compiler itself estimates it; nothing was timed. A click opens the node.", parent, "hint");
    const place = element("div", null, parent), ten = element("div", null, parent);
    const chosen = (choice) => {
      ten.replaceChildren();
      element("h2", `The ten largest by ${choice.name}`, ten);
      const rows = largest(choice.values).map((at, rank) => [rank + 1, nodeCell(data.costs[at].node), data.costs[at].callee, fixed(choices[0].values[at]), data.costs[at].cost.bytes, 2 * data.costs[at].cost.multiply_adds, data.costs[at].cost.padding, data.costs[at].cost.moved]);
      if (!table(ten, ["", "node", "call", "% of time", "bytes", "FLOP", "padding", "bytes moved"], rows)) element("p", "None.", ten);
    };
    chart(place, "Cost along the program", choices, {
      chosen,
      colours: data.call_families.map(familyColour), marks: (choice) => largest(choice.values), go: (at) => goTo(data.costs[at].node),
      tip: (at, choice) => `${data.costs[at].node}\n${data.costs[at].callee}\n${amount(choice.values[at], choice.unit)}`,
    });
    roofline(element("div", null, parent));
    for (const [title, rows] of [["By layer", data.verdict.cost.layers], ["By node", data.verdict.cost.nodes]]) {
      element("h2", title, parent);
      table(parent, [title.slice(3), "ops", ...COUNT_TITLES, "bound by"], rows.map((row) => [title === "By node" ? nodeCell(row.name) : row.name || "(no layer)", row.ops_after, ...counts(row.after), row.bound]));
    }
    element("h2", "By op, before the passes and after", parent);
    table(parent, ["op", "ops before", "ops", ...COUNT_TITLES.flatMap((title) => [`${title} before`, title])],
      data.verdict.cost.ops.map((row) => [row.name, row.ops_before, row.ops_after, ...COUNTS.flatMap((name) => [row.before[name], row.after[name]])]));
    if (data.layers.length) {
      element("h2", "Tiles by layer", parent);
      table(parent, ["layer", "calls", "bytes in tiles", "bytes of data", "tiles that slices move"], data.layers.map((row) => [row.layer || "(no layer)", row.calls, row.bytes, row.bytes_logical, row.traffic]));
    }
  },
  Accuracy(parent) {
    element("p", data.accuracy ? data.accuracy.text : "The model was not run: there is nothing to compare.", parent);
    if (data.accuracy) table(parent, ["output", "result", "relative error", "why"], data.accuracy.outputs.map((row) => [row.name, row.verdict, error(row.relative), row.reason]));
    const rows = data.nodes.filter((node) => node.relative !== null);
    if (!rows.length) return;
    const shown = (value) => value === null ? null : Math.max(Math.min(value, 1e3), 1e-9);
    chart(parent, "Error along the depth of the model", [{ name: "relative", log: true, unit: "", values: rows.map((node) => shown(node.relative)) }], {
      second: rows.map((node) => shown(node.total)), go: (at) => goTo(rows[at].name),
      tip: (at) => `${rows[at].name} (${rows[at].op})\nalone ${small(rows[at].relative)}\nof the result ${small(rows[at].total)}`,
    });
    element("p", "Dots: the error of each node alone, for the inputs that the module computed. Line: the error of its result, with those of all nodes before. 0 is drawn at 1e-9.", parent, "hint");
    const told = (node) => [nodeCell(node.name), opName(node), error(node.relative), error(node.total)];
    const titles = ["node", "op", "error alone", "error of the result"], sorted = [...rows].sort((a, b) => b.relative - a.relative);
    element("h2", "The ten nodes at which most error enters", parent);
    table(element("div", null, parent, "worst"), titles, sorted.slice(0, 10).map(told));
    if (sorted.length > 10) { element("h2", "All nodes", parent); table(parent, titles, sorted.map(told)); }
  },
  Passes(parent) {
    const points = data.passes.filter((point, at) => at === 0 || at === data.passes.length - 1 || JSON.stringify([point.ops, point.cost]) !== JSON.stringify([data.passes[at - 1].ops, data.passes[at - 1].cost]));
    if (!points.length) return element("p", "No pass ran.", parent);
    const choices = [["calls", "", (point) => point.ops], ["kernels", "", (point) => point.cost.kernels], ["bytes", "B", (point) => point.cost.bytes], ["bytes moved", "B", (point) => point.cost.moved], ["time", "s", (point) => point.cost.picoseconds / 1e12]]
      .map(([name, unit, value]) => ({ name, unit, values: points.map(value) }));
    chart(parent, "The program after each pass that changed it", choices, { labels: points.map((point) => point.name.replace("forge-", "")), tip: (at, choice) => `after ${points[at].name}\n${number(choice.values[at])} ${choice.name}` });
    if (data.verdict.cost) {
      element("h2", "What passes saved (negative: added)", parent);
      table(parent, ["pass", ...COUNT_TITLES, "did"], data.verdict.cost.passes.map((row) => [row.name, ...counts(row.saved), Object.entries(row.did).map(([what, count]) => `${number(count)} ${what}`).join(", ")]));
    }
    element("h2", "After each pass", parent);
    table(parent, ["pass", "calls", ...COUNT_TITLES], data.passes.map((point) => [point.name, point.ops, ...counts(point.cost)]));
  },
  Calls(parent) {
    const calls = Object.entries(data.calls), ops = Object.entries(data.onnx_ops);
    if (calls.length) chart(parent, "Calls by op", [{ name: "calls", unit: "", values: calls.map(([, count]) => count) }], { labels: calls.map(([name]) => name.replace("forge.op.", "")), tip: (at) => `${calls[at][0]}: ${number(calls[at][1])}` });
    const columns = element("div", null, parent, "columns");
    table(element("div", null, columns), ["ONNX op", "nodes"], ops);
    table(element("div", null, columns), ["Forge call", "calls"], calls);
    if (!data.program.length) return;
    element("h2", "All calls, in their order", parent);
    callTable = table(parent, ["", "module", "line", "call", "node", "text"], data.program.map((call, at) => [{ text: at + 1, sort: at, id: `call-${at}` }, call.module, call.line, call.callee, nodeCell(call.node), { text: call.text, code: true }]));
  },
  Weights(parent) {
    if (!data.weights.length) element("p", "The model has no weights in files.", parent);
    table(parent, ["weight", "dtype", "shape", "bytes"], data.weights.map((weight) => [weight.name, weight.dtype, `[${weight.shape.join(", ")}]`, weight.bytes]));
  },
  Problems(parent) {
    const refused = data.verdict.refused, cpu = data.nodes.filter((node) => node.side === "cpu");
    for (const kind of ["errors", "warnings"])
      if (data.verdict[kind].length) { element("h2", kind, parent); table(parent, ["code", "text"], data.verdict[kind].map((found) => [found.code, found.message])); }
    if (refused.length) {
      element("h2", `${number(refused.length)} nodes that the device cannot run`, parent);
      table(parent, ["node", "op", "opset", "code", "reason"], refused.map((row) => [nodeCell(row.name), opName(row), row.opset, row.code, row.reason]));
    }
    if (cpu.length) {
      element("h2", `${number(cpu.length)} nodes on the CPU`, parent);
      table(parent, ["node", "op", "partition", "reason"], cpu.map((node) => [nodeCell(node.name), opName(node), node.partition, node.reason]));
    }
    data.notes.forEach((note) => element("p", `Note: ${note}`, parent, "hint"));
    if (!parent.childElementCount) element("p", "None.", parent);
  },
};

const fixed = (value) => ({ text: value.toFixed(1), sort: value });
const error = (value) => ({ text: small(value), sort: value === null ? -1 : value });

function legend(colour, text) {
  const made = element("span", null, byId("legend"));
  element("span", null, made, "swatch").style.background = colour;
  made.append(text);
}

function copy(from) {
  const text = from.parentElement.querySelector("code");
  getSelection().selectAllChildren(text);
  const done = () => { from.textContent = "copied"; setTimeout(() => { from.textContent = "copy"; }, 1500); };
  if (navigator.clipboard) navigator.clipboard.writeText(text.textContent).then(done, () => {}); else if (document.execCommand("copy")) done();
}

const tabs = [...document.querySelectorAll("[role=tab]")];
const nameOf = (tab) => tab.id.slice(4);
const made = new Set();

function open(name) {
  const wanted = name.toLowerCase();
  for (const tab of tabs) {
    const is = nameOf(tab) === wanted;
    tab.setAttribute("aria-selected", String(is));
    tab.tabIndex = is ? 0 : -1;
    byId(nameOf(tab)).hidden = !is;
  }
  hideTip();
  make(wanted);
  if (wanted === "graph" && !picture.fitted) picture.fit(true);
}

function make(wanted) {
  if (made.has(wanted)) return;
  made.add(wanted);
  parts[wanted[0].toUpperCase() + wanted.slice(1)](byId(wanted));
}

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  redrawCharts();
  if (picture && picture.found) picture.drawMap();
}

function state() {
  const shown = picture.found.boxes.length;
  byId("graph-state").textContent = `${number(shown)} boxes for ${number(data.nodes.length)} nodes`;
}

const tree = new Tree(data);
view.changed = state;
const picture = new Picture(byId("picture"), byId("map"), tree, view, details);

function find(text) {
  const wanted = text.toLowerCase(), found = [];
  for (let at = 0; wanted && at < data.nodes.length && found.length < 50; at++)
    if (data.nodes[at].name.toLowerCase().includes(wanted) || data.nodes[at].op.toLowerCase() === wanted) found.push(at);
  return found;
}

function pick(at) { byId("matches").hidden = true; picture.show(at); byId("picture").focus(); }

byId("search").addEventListener("input", () => {
  const found = find(byId("search").value), list = byId("matches");
  list.replaceChildren();
  list.hidden = !found.length;
  byId("graph-state").textContent = byId("search").value ? `${found.length}${found.length === 50 ? " or more" : ""} found` : "";
  for (const at of found) button(`${data.nodes[at].name} (${data.nodes[at].op})`, element("li", null, list), () => pick(at));
});
byId("search").addEventListener("keydown", (event) => {
  const found = find(byId("search").value);
  if (event.key === "Enter" && found.length) pick(found[0]);
  if (event.key === "Escape") byId("matches").hidden = true;
  if (event.key === "ArrowDown") byId("matches").querySelector("button")?.focus();
});

function fold() { tree.openFirst(0); picture.draw(); picture.fit(true); state(); }
function unfold() { tree.openOneMore(); picture.draw(); state(); }
byId("fold").addEventListener("click", fold);
byId("unfold").addEventListener("click", unfold);
byId("zoom-in").addEventListener("click", () => picture.zoom(1.25));
byId("zoom-out").addEventListener("click", () => picture.zoom(0.8));
byId("fit").addEventListener("click", () => picture.fit());
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));

byId("picture").addEventListener("pointermove", (event) => {
  let over = event.target;
  while (over && over !== byId("picture") && !over.tip) over = over.parentNode;
  if (over && over.tip) placeTip(over.tip(), event.clientX, event.clientY); else hideTip();
});
byId("picture").addEventListener("pointerleave", hideTip);

tabs.forEach((tab, at) => {
  tab.addEventListener("click", () => open(nameOf(tab)));
  tab.addEventListener("keydown", (event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const other = tabs[(to + tabs.length) % tabs.length];
    open(nameOf(other));
    other.focus();
    event.preventDefault();
  });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  const inGraph = !byId("graph").hidden;
  if (/^[1-8]$/.test(event.key)) open(nameOf(tabs[Number(event.key) - 1]));
  else if (event.key === "/") { open("Graph"); byId("search").focus(); }
  else if (event.key === "t") theme(document.documentElement.dataset.theme !== "dark");
  else if (!inGraph) return;
  else if (event.key === "f") picture.fit();
  else if (event.key === "+" || event.key === "=") picture.zoom(1.25);
  else if (event.key === "-") picture.zoom(0.8);
  else if (event.key === "0") fold();
  else if (event.key === "9") unfold();
  else if (event.key === "Escape") picture.select(null);
  else return;
  event.preventDefault();
});
window.addEventListener("beforeprint", () => { tabs.forEach((tab) => make(nameOf(tab))); redrawCharts(); picture.forPaper(true); });
window.addEventListener("afterprint", () => picture.forPaper(false));
let waiting = 0;
window.addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redrawCharts, 150); });

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
prefersDark.addEventListener("change", () => theme(prefersDark.matches));
theme(prefersDark.matches);
open("Overview");
