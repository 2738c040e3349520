"use strict";
// The graph of a model on a canvas: pan, zoom, find, and layers that are one box until they are opened.
// Names are text to be drawn, never markup.

const BOX = { width: 150, height: 34, across: 26, down: 30 };

class Graph {
  constructor(canvas, nodes, onSelect) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.nodes = nodes;
    this.onSelect = onSelect;
    this.opened = new Set();
    this.selected = null;
    this.view = { x: 0, y: 0, scale: 1 };
    this.pending = false;
    this.paths = nodes.map((node) => Graph.path(node.name));
    this.layers = new Set(this.paths.flat());
    this.edges = Graph.edgesOf(nodes);
    this.ranks = Graph.ranksOf(nodes.length, this.edges);
    if (nodes.length <= 300) this.openAll();
    else this.lay();
    this.listen();
  }

  // "/a/b/op" lies in the layers "a" and "a/b".
  static path(name) {
    const parts = name.split("/").filter((part) => part).slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  }

  static edgesOf(nodes) {
    const makers = new Map();
    nodes.forEach((node, at) => node.outputs.forEach((value) => makers.set(value, at)));
    const edges = [];
    nodes.forEach((node, at) => node.inputs.forEach((value) => {
      const from = makers.get(value);
      if (from !== undefined && from !== at) edges.push([from, at]);
    }));
    return edges;
  }

  // Nodes come in an order in which they can run, so one walk finds the longest way to each.
  static ranksOf(count, edges) {
    const ranks = new Array(count).fill(0);
    const into = Array.from({ length: count }, () => []);
    edges.forEach(([from, to]) => into[to].push(from));
    for (let at = 0; at < count; at++)
      for (const from of into[at]) ranks[at] = Math.max(ranks[at], ranks[from] + 1);
    return ranks;
  }

  openAll() { this.opened = new Set(this.layers); this.lay(); }
  collapse() { this.opened.clear(); this.lay(); this.fit(); }

  // The key of what is drawn for a node: itself, or the outermost layer around it that is closed.
  boxOf(at) {
    const closed = this.paths[at].find((layer) => !this.opened.has(layer));
    return closed === undefined ? at : closed;
  }

  lay() {
    const boxes = new Map();
    this.nodes.forEach((node, at) => {
      const key = this.boxOf(at);
      let box = boxes.get(key);
      if (!box) boxes.set(key, box = { key, rank: this.ranks[at], members: [], from: new Set() });
      box.rank = Math.min(box.rank, this.ranks[at]);
      box.members.push(at);
    });
    this.links = [];
    const seen = new Set();
    for (const [from, to] of this.edges) {
      const a = boxes.get(this.boxOf(from)), b = boxes.get(this.boxOf(to));
      if (a === b) continue;
      const key = `${a.members[0]}>${b.members[0]}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.links.push([a, b]);
      b.from.add(a);
    }
    const rows = new Map();
    for (const box of boxes.values()) {
      if (!rows.has(box.rank)) rows.set(box.rank, []);
      rows.get(box.rank).push(box);
    }
    this.rows = [...rows.keys()].sort((a, b) => a - b).map((rank) => rows.get(rank));
    this.rows.forEach((row, y) => {
      for (const box of row) {
        const before = [...box.from].filter((other) => other.x !== undefined);
        box.want = before.length ? before.reduce((sum, other) => sum + other.x, 0) / before.length : 0;
      }
      row.sort((a, b) => a.want - b.want || a.members[0] - b.members[0]);
      const step = BOX.width + BOX.across;
      const middle = row.reduce((sum, box) => sum + box.want, 0) / row.length;
      row.forEach((box, x) => {
        box.x = middle + (x - (row.length - 1) / 2) * step;
        box.y = y * (BOX.height + BOX.down);
      });
    });
    this.boxes = boxes;
    this.draw();
  }

  fit() {
    let left = Infinity, right = -Infinity;
    for (const box of this.boxes.values()) {
      left = Math.min(left, box.x - BOX.width / 2);
      right = Math.max(right, box.x + BOX.width / 2);
    }
    if (left === Infinity) return;
    const bottom = this.rows.length * (BOX.height + BOX.down);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const scale = Math.max(0.05, Math.min(1, width / (right - left + 60), height / (bottom + 60)));
    this.view = { scale, x: width / 2 - ((left + right) / 2) * scale, y: Math.max(30, (height - bottom * scale) / 2) };
    this.draw();
  }

  centre(box) {
    const scale = Math.max(this.view.scale, 0.8);
    this.view = { scale, x: this.canvas.clientWidth / 2 - box.x * scale, y: this.canvas.clientHeight / 2 - box.y * scale };
    this.draw();
  }

  // Opens what is around a node, selects it and brings it to the middle.
  show(at) {
    if (this.paths[at].some((layer) => !this.opened.has(layer))) {
      this.paths[at].forEach((layer) => this.opened.add(layer));
      this.lay();
    }
    this.select(this.boxes.get(at));
    this.centre(this.boxes.get(at));
  }

  select(box) {
    this.selected = box ? box.key : null;
    this.onSelect(box);
    this.draw();
  }

  toggle(layer) {
    if (this.opened.has(layer)) {
      for (const other of [...this.opened]) if (other === layer || other.startsWith(layer + "/")) this.opened.delete(other);
    } else this.opened.add(layer);
    this.lay();
  }

  at(clientX, clientY) {
    const bounds = this.canvas.getBoundingClientRect();
    const x = (clientX - bounds.left - this.view.x) / this.view.scale;
    const y = (clientY - bounds.top - this.view.y) / this.view.scale;
    const row = this.rows[Math.round(y / (BOX.height + BOX.down))] || [];
    return row.find((box) => Math.abs(box.x - x) <= BOX.width / 2 && Math.abs(box.y - y) <= BOX.height / 2) || null;
  }

  listen() {
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x, y = event.clientY - from.y;
      from.moved = from.moved || Math.hypot(x, y) > 4;
      this.view = { ...this.view, x: from.view.x + x, y: from.view.y + y };
      this.draw();
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (from && !from.moved) this.select(this.at(event.clientX, event.clientY));
      from = null;
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const box = this.at(event.clientX, event.clientY);
      if (box && typeof box.key === "string") this.toggle(box.key);
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const bounds = this.canvas.getBoundingClientRect();
      const x = event.clientX - bounds.left, y = event.clientY - bounds.top;
      const scale = Math.min(4, Math.max(0.02, this.view.scale * Math.exp(-event.deltaY / 500)));
      const ratio = scale / this.view.scale;
      this.view = { scale, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio };
      this.draw();
    }, { passive: false });
    window.addEventListener("resize", () => this.draw());
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  paint() {
    const { canvas, context, view } = this;
    const dense = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== width * dense || canvas.height !== height * dense) {
      canvas.width = width * dense;
      canvas.height = height * dense;
    }
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const ink = getComputedStyle(document.body).color;
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(dense * view.scale, 0, 0, dense * view.scale, dense * view.x, dense * view.y);
    const left = -view.x / view.scale - BOX.width, right = (width - view.x) / view.scale + BOX.width;
    const top = -view.y / view.scale - BOX.height, bottom = (height - view.y) / view.scale + BOX.height;
    const inside = (box) => box.x >= left && box.x <= right && box.y >= top && box.y <= bottom;
    context.strokeStyle = colour("line");
    context.lineWidth = 1 / Math.max(view.scale, 0.3);
    context.beginPath();
    for (const [a, b] of this.links) {
      if (!inside(a) && !inside(b)) continue;
      context.moveTo(a.x, a.y + BOX.height / 2);
      context.lineTo(b.x, b.y - BOX.height / 2);
    }
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = "12px system-ui, sans-serif";
    const colours = { device: colour("device"), cpu: colour("cpu"), refused: colour("refused"), layer: colour("layer") };
    for (const box of this.boxes.values()) {
      if (!inside(box)) continue;
      const isLayer = typeof box.key === "string";
      const worst = ["refused", "cpu"].find((side) => box.members.some((at) => this.nodes[at].side === side));
      context.fillStyle = colours[worst || (isLayer ? "layer" : "device")];
      context.globalAlpha = 0.35;
      context.fillRect(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height);
      context.globalAlpha = 1;
      if (box.key === this.selected) {
        context.strokeStyle = ink;
        context.lineWidth = 2;
        context.strokeRect(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height);
      }
      if (view.scale < 0.25) continue;
      context.fillStyle = ink;
      const text = isLayer ? `${box.key} (${box.members.length})` : this.nodes[box.key].op;
      context.fillText(text.length > 24 ? `${text.slice(0, 23)}…` : text, box.x, box.y, BOX.width - 8);
    }
  }
}
