"use strict";
// The graph of the model as a tree of boxes: leaves are nodes, and the inputs and outputs of the model.

class Tree {
  constructor(data) {
    this.items = data.nodes.map((node) => ({ kind: "node", ...node }));
    this.root = { kind: "root", label: "", open: true, children: [] };
    const leaf = (item) => ({ item });
    const box = (given) => typeof given === "number" ? leaf(given)
      : { kind: given.kind, label: given.label, open: false, children: given.children.map(box) };
    for (const info of data.inputs)
      this.root.children.push(leaf(this.items.push({ kind: "input", name: info.name, inputs: [], outputs: [info.name] }) - 1));
    this.root.children.push(...data.boxes.map(box));
    for (const info of data.outputs)
      this.root.children.push(leaf(this.items.push({ kind: "output", name: info.name, inputs: [info.name], outputs: [] }) - 1));
    // The leaves in tree order: every box is a range of them.
    this.leaves = [];
    this.number(this.root, null);
    this.leafOf = new Array(this.items.length);
    this.leaves.forEach((each) => { this.leafOf[each.item] = each; });
    this.makers = new Map();
    this.readers = new Map();
    this.leaves.forEach((each, at) => this.items[each.item].outputs.forEach((value) => this.makers.set(value, at)));
    this.leaves.forEach((each, at) => {
      for (const value of this.items[each.item].inputs) {
        if (!this.readers.has(value)) this.readers.set(value, []);
        this.readers.get(value).push(at);
      }
    });
    this.openFirst(40);
  }

  number(box, parent) {
    box.parent = parent;
    box.start = this.leaves.length;
    if (box.children) for (const child of box.children) this.number(child, box);
    else this.leaves.push(box);
    box.end = this.leaves.length;
  }

  // Opens boxes while at most `most` nodes are visible, outermost first, all or none of one box's; repetitions stay
  // closed.
  openFirst(most) {
    this.each((box) => { box.open = box === this.root; box.layout = null; });
    let shown = this.root.children.length;
    const waiting = [this.root];
    while (waiting.length) {
      const boxes = waiting.shift().children.filter((child) => child.children && child.kind !== "repeat");
      const more = boxes.reduce((sum, box) => sum + box.children.length - 1, 0);
      if (shown + more > most) continue;
      boxes.forEach((box) => { box.open = true; });
      shown += more;
      waiting.push(...boxes);
    }
  }

  // Opens every visible closed box.
  openOneMore() {
    const closed = [];
    const walk = (box) => { if (box.children) box.open ? box.children.forEach(walk) : closed.push(box); };
    walk(this.root);
    closed.forEach((box) => this.toggle(box));
    return closed.length;
  }

  each(visit, box = this.root) {
    if (!box.children) return;
    visit(box);
    box.children.forEach((child) => this.each(visit, child));
  }

  toggle(box) {
    box.open = !box.open;
    for (let around = box; around; around = around.parent) around.layout = null;
  }

  reveal(leaf) {
    for (let box = leaf.parent; box; box = box.parent) if (!box.open) this.toggle(box);
  }

  // The visible representative of a leaf: itself, or the outermost closed box around it.
  seen(leaf) {
    let found = leaf;
    for (let box = leaf.parent; box; box = box.parent) if (!box.open) found = box;
    return found;
  }

  childAt(box, at) {
    let low = 0, high = box.children.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (box.children[middle].start <= at) low = middle; else high = middle - 1;
    }
    return box.children[low];
  }

  // The links between the children of an open box and to what surrounds it, by value.
  level(box) {
    const links = new Map(), ins = new Map(), outs = new Map();
    const inside = (at) => at >= box.start && at < box.end;
    const port = (ports, value, side) => {
      if (!ports.has(value)) ports.set(value, { port: side, value });
      return ports.get(value);
    };
    const numbers = new Map();
    const number = (end) => { if (!numbers.has(end)) numbers.set(end, numbers.size); return numbers.get(end); };
    const link = (from, to, value) => {
      const apart = from.open || to.open || from.port || to.port ? value : "";
      const key = `${number(from)}>${number(to)}>${apart}`;
      if (!links.has(key)) links.set(key, { from, to, values: new Set() });
      links.get(key).values.add(value);
    };
    for (let at = box.start; at < box.end; at++) {
      const item = this.items[this.leaves[at].item], child = this.childAt(box, at);
      for (const value of item.inputs) {
        const maker = this.makers.get(value);
        if (maker === undefined || maker === at) continue;
        const from = inside(maker) ? this.childAt(box, maker) : port(ins, value, "in");
        if (from !== child) link(from, child, value);
      }
      for (const value of item.outputs)
        if ((this.readers.get(value) || []).some((reader) => !inside(reader))) link(child, port(outs, value, "out"), value);
    }
    return { links: [...links.values()], ins: [...ins.values()], outs: [...outs.values()] };
  }

  nodesIn(box) {
    const found = [];
    for (let at = box.start; at < box.end; at++) if (this.items[this.leaves[at].item].kind === "node") found.push(this.leaves[at].item);
    return found;
  }
}
