"use strict";
// The parts of the report, from the JSON in the page. Everything that comes from a model goes through textContent.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function element(kind, text, parent, className) {
  const made = document.createElement(kind);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

const number = (value) => typeof value === "number" ? value.toLocaleString("en-US") : value;
const small = (value) => value === null ? "" : value.toPrecision(3);

function table(parent, titles, rows, most = 500) {
  const made = element("table", null, parent);
  const head = element("tr", null, element("thead", null, made));
  titles.forEach((title) => element("th", title, head));
  const body = element("tbody", null, made);
  for (const row of rows.slice(0, most)) {
    const line = element("tr", null, body);
    for (const cell of row) {
      const place = element("td", cell && cell.node !== undefined ? null : number(cell), line);
      if (typeof cell === "number") place.className = "number";
      if (cell && cell.node !== undefined) {
        const link = element("button", cell.text, place, "link");
        link.type = "button";
        link.addEventListener("click", () => { open("Graph"); graph.show(cell.node); });
      }
    }
  }
  if (rows.length > most) element("p", `and ${number(rows.length - most)} more: --format=json has all`, parent);
}

const indexOf = new Map(data.nodes.map((node, at) => [node.name, at]));
const toNode = (name) => indexOf.has(name) ? { node: indexOf.get(name), text: name } : name;
const shape = (info) => `${info.dtype} [${(info.shape || ["?"]).join(", ")}]`;
const opName = (row) => row.domain ? `${row.domain}.${row.op}` : row.op;

const parts = {
  Summary(parent) {
    const bytes = data.weights.reduce((sum, weight) => sum + weight.bytes, 0);
    const calls = Object.values(data.calls).reduce((sum, count) => sum + count, 0);
    const good = data.verdict.verdict === "supported";
    element("p", good ? "The model compiles." : "The model is refused.", parent, good ? "ok" : "bad");
    table(parent, ["", ""], [
      ["nodes", data.nodes.length], ["Forge calls", calls], ["weights", data.weights.length], ["bytes of weights", bytes],
      ["options", data.command.join(" ") || "none"],
      ...Object.entries(data.versions), ...Object.entries(data.phases).map(([name, s]) => [`seconds: ${name}`, s]),
    ]);
    table(parent, ["input", "type"], data.inputs.map((info) => [info.name, shape(info)]));
    table(parent, ["output", "type"], data.outputs.map((info) => [info.name, shape(info)]));
    for (const kind of ["errors", "warnings"])
      if (data.verdict[kind].length)
        table(parent, ["code", kind], data.verdict[kind].map((found) => [found.code, found.message]));
    data.notes.forEach((note) => element("p", `Note: ${note}`, parent));
  },
  Refused(parent) {
    const rows = data.verdict.refused.map((row) => [toNode(row.name), opName(row), row.opset, row.code, row.reason]);
    element("p", `${number(rows.length)} nodes that the device cannot run`, parent);
    table(parent, ["node", "op", "opset", "code", "reason"], rows);
    const cpu = data.nodes.filter((node) => node.side === "cpu");
    element("p", `${number(cpu.length)} nodes on the CPU`, parent);
    table(parent, ["node", "op", "reason"], cpu.map((node) => [toNode(node.name), opName(node), node.reason]));
  },
  Ops(parent) {
    table(parent, ["ONNX op", "nodes"], Object.entries(data.onnx_ops));
    table(parent, ["Forge call", "calls"], Object.entries(data.calls));
  },
  Layers(parent) {
    table(parent, ["layer", "calls", "bytes in tiles", "bytes of data", "tiles that slices move"],
      data.layers.map((row) => [row.layer || "(no layer)", row.calls, row.bytes, row.bytes_logical, row.traffic]));
    if (!data.verdict.cost) return;
    const counts = ({ kernels, bytes, tiles, multiply_adds }) => [kernels, bytes, tiles, multiply_adds];
    element("p", "What one run takes on the device by the cost model", parent);
    table(parent, ["layer", "ops", "kernels", "bytes", "tiles moved", "multiply-adds"],
      data.verdict.cost.layers.map((row) => [row.name || "(no layer)", row.ops_after, ...counts(row.after)]));
    element("p", "What passes saved", parent);
    table(parent, ["pass", "kernels", "bytes", "tiles moved", "multiply-adds"],
      data.verdict.cost.passes.map((row) => [row.name, ...counts(row.saved)]));
  },
  Accuracy(parent) {
    const rows = data.nodes.filter((node) => node.relative !== null).sort((a, b) => b.relative - a.relative);
    element("p", rows.length ? "Relative error of each node alone, the largest first" : "No node was compared.", parent);
    table(parent, ["node", "op", "relative error"], rows.map((node) => [toNode(node.name), opName(node), small(node.relative)]));
  },
  Weights(parent) {
    table(parent, ["weight", "dtype", "shape", "bytes"],
      data.weights.map((weight) => [weight.name, weight.dtype, `[${weight.shape.join(", ")}]`, weight.bytes]));
  },
};

function open(name) {
  for (const tab of byId("tabs").children) tab.setAttribute("aria-selected", String(tab.textContent === name));
  byId("graph-part").hidden = name !== "Graph";
  byId("parts").replaceChildren();
  if (name !== "Graph") parts[name](byId("parts"));
  else if (!graph.placed) { graph.placed = true; graph.fit(); }
  else graph.draw();
}

function details(box) {
  const pane = byId("details");
  pane.replaceChildren();
  if (!box) return;
  if (typeof box.key === "string") {
    element("h2", box.key, pane);
    element("p", `a layer of ${number(box.members.length)} nodes; double-click opens it`, pane);
    table(pane, ["node", "op"], box.members.map((at) => [{ node: at, text: data.nodes[at].name }, opName(data.nodes[at])]), 50);
    return;
  }
  const node = data.nodes[box.key];
  element("h2", node.name, pane);
  element("p", `${opName(node)}, ${node.side}${node.reason ? `: ${node.reason}` : ""}`, pane);
  if (node.relative !== null) element("p", `relative error alone: ${small(node.relative)}`, pane);
  element("h3", "ONNX", pane);
  element("pre", node.source, pane);
  for (const [stage, lines] of Object.entries(node.stages)) {
    element("h3", `after ${stage}`, pane);
    element("pre", lines.join("\n") || "(gone)", pane);
  }
  element("h3", "emitted", pane);
  element("pre", node.emitted.join("\n") || "(nothing)", pane);
}

const graph = new Graph(byId("canvas"), data.nodes, details);

function find(text) {
  const wanted = text.toLowerCase();
  const found = [];
  for (let at = 0; wanted && at < data.nodes.length && found.length < 50; at++)
    if (data.nodes[at].name.toLowerCase().includes(wanted) || data.nodes[at].op.toLowerCase() === wanted) found.push(at);
  return found;
}

function pick(at) { byId("matches").hidden = true; graph.show(at); }

byId("search").addEventListener("input", () => {
  const found = find(byId("search").value);
  const list = byId("matches");
  list.replaceChildren();
  list.hidden = !found.length;
  byId("graph-state").textContent = byId("search").value ? `${found.length}${found.length === 50 ? " or more" : ""} found` : "";
  for (const at of found) {
    const link = element("button", data.nodes[at].name, element("li", null, list), "link");
    link.type = "button";
    link.addEventListener("click", () => pick(at));
  }
});
byId("search").addEventListener("keydown", (event) => {
  const found = find(byId("search").value);
  if (event.key === "Enter" && found.length) pick(found[0]);
  if (event.key === "Escape") byId("matches").hidden = true;
});
byId("collapse").addEventListener("click", () => graph.collapse());
byId("expand").addEventListener("click", () => { graph.openAll(); graph.fit(); });
byId("fit").addEventListener("click", () => graph.fit());

byId("title").textContent = `${data.model}: ${data.verdict.verdict}`;
for (const name of [...Object.keys(parts), "Graph"]) {
  const tab = element("button", name, byId("tabs"));
  tab.type = "button";
  tab.setAttribute("aria-selected", "false");
  tab.addEventListener("click", () => open(name));
}
open("Summary");
