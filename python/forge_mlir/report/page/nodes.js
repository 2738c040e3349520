"use strict";
// The text about nodes and boxes: in the graph, on hover, and in the pane of the selected one.

const data = JSON.parse(byId("data").textContent);
let detailsOf = (at) => { const all = JSON.parse(byId("node-details").textContent); detailsOf = (other) => all[other]; return all[at]; };

const SHORT = { float32: "f32", float64: "f64", float16: "f16", bfloat16: "bf16", int64: "i64", int32: "i32", int16: "i16", int8: "i8", uint8: "u8", uint16: "u16", uint32: "u32", uint64: "u64" };
const indexOf = new Map(data.nodes.map((node, at) => [node.name, at]));
const opName = (row) => row.domain ? `${row.domain}.${row.op}` : row.op;
const lastOf = (name) => name.split("/").filter((part) => part).pop() || name;
const familyColour = (family) => `--family-${family.replaceAll(" ", "-")}`;
const sideOf = (node) => node.side;
const totalWeight = data.kernel_weights.reduce((sum, weight) => sum + weight, 0);
const shareOf = new Map();
data.costs.forEach((call, at) => shareOf.set(call.node, (shareOf.get(call.node) || 0) + data.kernel_weights[at] / totalWeight));
const callsOf = new Map();
data.program.forEach((call, at) => { if (!callsOf.has(call.node)) callsOf.set(call.node, []); callsOf.get(call.node).push(at); });
const percent = (share) => `${(share * 100).toPrecision(share < 0.0995 ? 2 : 3)} %`;

function typeOf(value, times = "×") {
  const row = data.values[value];
  if (!row) return "?";
  const sizes = row.shape ? row.shape.map((size) => size === null || /^unk__/.test(size) ? "?" : size).join(times) : "?";
  return `${SHORT[row.dtype] || row.dtype} ${row.shape && !row.shape.length ? "scalar" : sizes}`;
}

const view = {
  lines(box) {
    if (box.children) return groupLines(box);
    const item = tree.items[box.item];
    if (item.kind !== "node") return [{ style: "op", text: item.name }, { style: "sub", text: typeOf(item.kind === "input" ? item.outputs[0] : item.inputs[0]) }];
    const lines = [{ style: "op", text: item.op }];
    const name = lastOf(item.name);
    if (name !== item.op) lines.push({ style: "sub", text: name });
    const weights = item.inputs.map((value, at) => [value, item.roles[at] || ""]).filter(([value]) => data.values[value] && data.values[value].constant);
    for (const [value, role] of weights.slice(0, 4)) {
      const row = data.values[value];
      lines.push({ style: "sub", text: row.text ? `${role} = ${row.text.replaceAll("9223372036854775807", "end")}` : `${lastOf(value).split("::").pop()} ${typeOf(value)}` });
    }
    if (weights.length > 4) lines.push({ style: "sub", text: `and ${weights.length - 4} more` });
    if (item.side === "refused") lines.push({ style: "flag", text: `refused: ${item.code}` });
    return lines;
  },
  title: (box) => box.kind === "repeat" ? `${box.label}  × ${view.count(box)}` : box.label || "(no name)",
  // The count of a repetition, even if its boxes are split into parts.
  count(box) {
    return box.children.reduce((sum, child) => sum + (child.kind === "part" ? view.count(child) : 1), 0);
  },
  look(box) {
    if (!box.children) {
      const item = tree.items[box.item];
      return item.kind === "node" ? { colour: `var(${familyColour(item.family)})`, side: item.side } : { colour: "var(--muted)", side: "device" };
    }
    if (!box.about) {
      const nodes = tree.nodesIn(box).map((at) => data.nodes[at]);
      const counts = new Map();
      for (const node of nodes) counts.set(node.family, (counts.get(node.family) || 0) + (shareOf.get(node.name) || 0) + 1e-6);
      const [family] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["other", 0]);
      const count = (side) => nodes.filter((node) => node.side === side).length;
      const refused = count("refused"), cpu = count("cpu");
      box.about = { nodes: nodes.length, refused, cpu, colour: `var(${familyColour(family)})`, side: refused ? "refused" : cpu ? "cpu" : "device",
        share: nodes.reduce((sum, node) => sum + (shareOf.get(node.name) || 0), 0) };
    }
    return box.about;
  },
  tip(box) {
    if (box.children) {
      const { nodes, share } = view.look(box);
      return `${view.title(box)}\n${number(nodes)} nodes${share ? `, ${percent(share)} of the time` : ""}\nclick opens it`;
    }
    const item = tree.items[box.item];
    if (item.kind !== "node") return `${item.kind} ${item.name}: ${typeOf((item.outputs[0] || item.inputs[0]))}`;
    const lines = [`${opName(item)}  ${item.name}`, ...item.inputs.map((value) => `in   ${value}: ${typeOf(value)}`), ...item.outputs.map((value) => `out  ${value}: ${typeOf(value)}`)];
    if (item.within) lines.push(`computed with ${item.within}`);
    if (shareOf.has(item.name)) lines.push(`${percent(shareOf.get(item.name))} of the time by the cost model`);
    if (item.relative !== null) lines.push(`error alone ${small(item.relative)}`);
    if (item.reason) lines.push(item.reason);
    return lines.join("\n");
  },
  label(link, seen) {
    const values = [...link.values];
    if (values.length > 1) return `${values.length} tensors`;
    if (seen.has(values[0]) || link.from.port) return "";
    const row = data.values[values[0]];
    seen.add(values[0]);
    return row && link.from.item !== undefined && tree.items[link.from.item].kind === "input" ? "" : row ? typeOf(values[0]) : "";
  },
  linkTip: (link) => [...link.values].map((value) => `${value}: ${typeOf(value)}`).join("\n"),
  changed() {},
};

function groupLines(box) {
  const { nodes, refused, cpu, share } = view.look(box);
  const each = box.kind === "repeat" ? nodes / view.count(box) : nodes;
  const lines = [{ style: "op", text: `▸ ${box.label || "(no name)"}` },
    { style: "sub", text: `${number(Math.round(each))} nodes${box.kind === "repeat" ? " each" : ""}${share ? ` · ${percent(share)} of the time` : ""}` }];
  if (refused) lines.push({ style: "flag", text: `${number(refused)} refused` });
  if (cpu) lines.push({ style: "flag", kind: "cpu", text: `${number(cpu)} on the CPU` });
  return lines;
}

function toNode(at) { open("Graph"); picture.show(at); }
const nodeCell = (name) => indexOf.has(name) ? { text: name, go: () => toNode(indexOf.get(name)), swatch: `var(${familyColour(data.nodes[indexOf.get(name)].family)})` } : { text: name };

function details(box) {
  const pane = byId("details");
  pane.hidden = !box;
  pane.replaceChildren();
  if (!box) return;
  const close = button("×", pane, () => picture.select(null), "close");
  close.setAttribute("aria-label", "close");
  if (box.children) return groupDetails(box, pane);
  const item = tree.items[box.item];
  element("h2", item.name, pane);
  if (item.kind !== "node") { element("p", `${item.kind} of the model: ${typeOf(item.outputs[0] || item.inputs[0])}`, pane); return; }
  nodeDetails(item, box.item, pane);
}

function groupDetails(box, pane) {
  const { nodes, share } = view.look(box);
  element("h2", view.title(box), pane);
  element("p", `${number(nodes)} nodes${share ? `; ${percent(share)} of the time by the cost model` : ""}`, pane);
  button(box.open ? "close the box" : "open the box", pane, () => picture.toggle(box));
  table(pane, ["node", "op", "% of time"], tree.nodesIn(box).map((at) => [nodeCell(data.nodes[at].name), opName(data.nodes[at]), 100 * (shareOf.get(data.nodes[at].name) || 0)].map((cell) => typeof cell === "number" ? { text: cell.toFixed(1), sort: cell } : cell)), 60);
}

function nodeDetails(node, at, pane) {
  const about = element("p", null, pane);
  element("span", { device: "device", cpu: "CPU", refused: "refused" }[node.side], about, `badge ${node.side}`);
  about.append(`${opName(node)}${node.partition ? `, in ${node.partition}` : ""}`);
  if (node.reason) {
    const problem = element("div", null, pane, "problem");
    element("p", `${node.code ? `${node.code}: ` : ""}${node.reason}`, problem);
    if (node.code) element("code", `forge-mlir explain ${node.code}`, problem);
  }
  valuesOf(node, pane);
  costOf(node, pane);
  const calls = callsOf.get(node.name) || [];
  element("h3", calls.length === 1 ? "1 call" : `${calls.length} calls`, pane);
  if (node.within) {
    const hint = element("p", "none of its own: it is computed by those of ", pane, "hint");
    button(node.within, hint, () => toNode(indexOf.get(node.within)));
  } else if (!calls.length) element("p", node.side === "device" ? "none of its own: it became a part of others, or of a constant" : "none", pane, "hint");
  for (const call of node.within ? callsOf.get(node.within) || [] : calls) {
    element("pre", data.program[call].text, pane);
    button(`line ${data.program[call].line} of ${data.program[call].module}.py, in the table of calls`, pane, () => toCall(call));
  }
  const [source, stages] = detailsOf(at);
  element("h3", "IR after each pass that changed it", pane);
  const names = Object.entries(stages);
  names.forEach(([name, lines], number) => {
    const one = element("details", null, pane), summary = element("summary", name, one);
    one.open = number === names.length - 1 || names.length <= 2;
    element("small", lines.length ? `${lines.length} op${lines.length > 1 ? "s" : ""}` : "gone", summary);
    if (lines.length) element("pre", lines.join("\n"), one);
  });
  element("h3", "ONNX", pane);
  element("pre", source, pane);
}

function valuesOf(node, pane) {
  const rows = [];
  const link = (kind, value, ends) => {
    const row = data.values[value];
    rows.push([kind, { text: lastOf(value), go: ends.length ? () => picture.show(ends[0]) : undefined }, `${typeOf(value)}${row && row.text ? ` = ${row.text}` : ""}`, row && row.constant ? "constant" : ends.length ? ends.map((end) => lastOf(tree.items[end].name)).slice(0, 4).join(", ") : ""]);
  };
  node.inputs.forEach((value, at) => link(node.roles[at] || "in", value, tree.makers.has(value) ? [tree.leaves[tree.makers.get(value)].item] : []));
  for (const value of node.outputs) link("out", value, (tree.readers.get(value) || []).map((reader) => tree.leaves[reader].item));
  table(pane, ["", "value", "type", "from, to"], rows);
}

function costOf(node, pane) {
  const facts = [];
  if (node.cost) {
    facts.push(["% of the time, by the cost model", percent(shareOf.get(node.name) || 0)], ["kernels", number(node.cost.kernels)], ["read and written", amount(node.cost.bytes, "B")]);
    facts.push(["operations", amount(2 * node.cost.multiply_adds, "FLOP")], ["padding", amount(node.cost.padding, "B")], ["moved", amount(node.cost.moved, "B")]);
  }
  if (node.relative !== null) facts.push(["error of this node alone", small(node.relative)]);
  if (node.total !== null) facts.push(["error of its result", small(node.total)]);
  if (!facts.length) return;
  element("h3", "Cost and error", pane);
  table(pane, ["", ""], facts);
}
