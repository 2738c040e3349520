"use strict";
// The graph as SVG, from Layout, with pan, zoom and keys. Names are text, never markup.

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

function shape(kind, attributes, parent, className) {
  const made = document.createElementNS(SVG, kind);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  if (className) made.setAttribute("class", className);
  if (parent) parent.append(made);
  return made;
}

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, font) => {
    const key = font + text;
    if (!known.has(key)) { context.font = `${font} ${FONT}`; known.set(key, context.measureText(text).width); }
    return known.get(key);
  };
})();

function shortened(text, font, most) {
  if (measure(text, font) <= most) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${text.slice(0, middle)}…`, font) <= most) low = middle; else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

const STYLES = { title: "600 11.5px", op: "650 13px", sub: "11px", flag: "650 11px" };
const MOST_WIDE = 230;

class Picture {
  // `view` describes nodes: `lines(leaf or closed box)`, `tip(...)`, `colour(...)`, `label(link)`; `onSelect` is a callback.
  constructor(svg, map, tree, view, onSelect) {
    this.svg = svg;
    this.world = svg.querySelector("#world");
    this.map = map;
    this.tree = tree;
    this.view = view;
    this.onSelect = onSelect;
    this.at = { x: 0, y: 0, scale: 1 };
    this.selected = null;
    this.layout = new Layout(tree, (box) => this.described(box), (box) => Math.min(300, measure(`− ${view.title(box)}`, STYLES.title)), (link, seen) => view.label(link, seen));
    this.listen();
  }

  described(box) {
    if (!box.size) {
      const lines = this.view.lines(box).map((line) => ({ ...line, text: shortened(line.text, STYLES[line.style], MOST_WIDE) }));
      const badge = box.kind === "repeat" ? 46 : 0;
      const width = Math.max(84, ...lines.map((line) => measure(line.text, STYLES[line.style]))) + 30 + badge;
      box.size = { lines, width, height: 14 + lines.reduce((sum, line) => sum + (line.style === "op" ? 18 : 15), 0) };
    }
    return box.size;
  }

  draw() {
    this.found = this.layout.all();
    this.world.replaceChildren();
    this.drawn = new Map();
    const layers = ["frames", "links", "boxes", "titles"].map(() => shape("g", {}, this.world));
    this.found.frames.forEach((put) => this.frame(put, layers[0], layers[3]));
    this.found.links.forEach((link) => this.link(link, layers[1]));
    this.found.boxes.forEach((put) => this.box(put, layers[2]));
    this.mark();
    this.move();
  }

  frame(put, parent, titles) {
    const { box, x, y, width, height } = put;
    const made = shape("rect", { x, y, width, height }, parent, `frame ${box.kind}`);
    const text = `− ${this.view.title(box)}`;
    const title = shape("text", { x: x + 12, y: y + 18 }, titles, "frame-title");
    title.textContent = shortened(text, STYLES.title, width - 20);
    title.tip = () => `${this.view.title(box)}\nclick closes it`;
    title.addEventListener("click", (event) => { event.stopPropagation(); this.toggle(box); });
    made.addEventListener("click", () => this.select(box));
    this.drawn.set(box, { put, element: made });
  }

  link(link, parent) {
    const group = shape("g", {}, parent, "link");
    const d = pathOf(link.points);
    shape("path", { d }, group, "wide");
    shape("path", { d }, group, "edge");
    const end = link.points[link.points.length - 1], before = link.points[link.points.length - 2];
    if (link.ends) {
      const way = before.y > end.y ? -1 : 1;
      shape("path", { d: `M${end.x},${end.y}l-4,${-7 * way}h8z` }, group, "arrow");
    }
    if (link.text) shape("text", { x: link.at.x, y: link.at.y + 4 }, group, "type").textContent = link.text;
    group.tip = () => this.view.linkTip(link);
    link.element = group;
  }

  box(put, parent) {
    const { box, x, y, width, height } = put, item = box.children ? null : this.tree.items[box.item];
    const group = shape("g", { transform: `translate(${x},${y})` }, parent, "box");
    const { colour, side } = this.view.look(box);
    if (box.kind === "repeat") for (const by of [7, 3.5]) shape("rect", { x: by, y: by, width, height }, group, "stack");
    const rounded = item && item.kind !== "node" ? { rx: height / 2 } : {};
    const className = item && item.kind !== "node" ? "card-shape pill" : `card-shape ${side}-shape`;
    const body = shape("rect", { width, height, ...rounded }, group, className);
    if (rounded.rx) body.style.rx = `${rounded.rx}px`; else body.style.stroke = colour;
    if (!rounded.rx) {
      shape("rect", { width, height }, group, `tint ${side}-tint`).style.fill = colour;
      shape("rect", { x: 5, y: 7, width: 4, height: height - 14 }, group, "stripe").style.fill = colour;
    }
    let down = 7;
    for (const line of this.described(box).lines) {
      down += line.style === "op" ? 18 : 15;
      const text = shape("text", { x: rounded.rx ? width / 2 : 17, y: down - 4 }, group, `${line.style} ${line.kind || ""}`);
      if (rounded.rx) text.setAttribute("text-anchor", "middle");
      text.textContent = line.text;
    }
    if (box.kind === "repeat")
      shape("text", { x: width - 12, y: height / 2 + 5, "text-anchor": "end" }, group, "times").textContent = `× ${this.view.count(box)}`;
    group.tip = () => this.view.tip(box);
    group.addEventListener("click", () => box.children ? this.toggle(box) : this.select(box));
    this.drawn.set(box, { put, element: group });
  }

  // Opens or closes a box; its upper left corner keeps its position on the screen.
  toggle(box) {
    const before = this.drawn.get(box);
    this.tree.toggle(box);
    this.draw();
    const after = this.drawn.get(box);
    if (before && after) {
      this.at.x += (before.put.x - after.put.x) * this.at.scale;
      this.at.y += (before.put.y - after.put.y) * this.at.scale;
    }
    this.move();
    this.view.changed();
  }

  select(box) {
    this.selected = box;
    this.mark();
    this.onSelect(box);
  }

  mark() {
    for (const { element } of this.drawn.values()) element.classList.remove("selected");
    const shown = this.selected && this.drawn.get(this.selected);
    if (shown) shown.element.classList.add("selected");
    for (const link of this.found.links)
      link.element.classList.toggle("lit", Boolean(shown) && (link.from === this.selected || link.to === this.selected));
  }

  // Selects a node, opens the boxes around it and centres it.
  show(item) {
    const leaf = this.tree.leafOf[item];
    this.tree.reveal(leaf);
    this.draw();
    this.select(leaf);
    this.centre(leaf);
    this.view.changed();
  }

  centre(box) {
    const { put } = this.drawn.get(box);
    const { clientWidth: width, clientHeight: height } = this.svg;
    const scale = Math.max(this.at.scale, 0.85);
    this.at = { scale, x: width / 2 - (put.x + put.width / 2) * scale, y: height / 2 - (put.y + put.height / 2) * scale };
    this.move();
  }

  // Shows everything, or only the beginning if the text would be too small to read.
  fit(readable = false) {
    const { clientWidth: width, clientHeight: height } = this.svg;
    this.fitted = width > 0;  // A part that is hidden has no size.
    const all = Math.min(1.1, (width - 40) / this.found.width, (height - 40) / this.found.height);
    const scale = readable && all < 0.8 ? 1 : Math.max(all, 0.04);
    const input = this.found.boxes.find((put) => put.y < 1) || { x: 0, width: this.found.width };
    const wide = this.found.width * scale > width - 40;
    const middle = wide ? input.x + input.width / 2 : this.found.width / 2;
    this.at = { scale, x: width / 2 - middle * scale, y: all < scale ? 20 : Math.max(20, (height - this.found.height * scale) / 2) };
    this.move();
  }

  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(3, Math.max(0.04, this.at.scale * factor)), ratio = scale / this.at.scale;
    this.at = { scale, x: x - (x - this.at.x) * ratio, y: y - (y - this.at.y) * ratio };
    this.move();
  }

  move() {
    if (this.onPaper) return;
    this.world.setAttribute("transform", `translate(${this.at.x},${this.at.y}) scale(${this.at.scale})`);
    this.drawMap();
  }

  drawMap() {
    const { width, height, boxes, frames } = this.found;
    const scale = Math.min(150 / width, 220 / height, 0.2);
    const dense = window.devicePixelRatio || 1;
    const across = Math.max(36, width * scale + 12), down = height * scale + 12;
    const { clientWidth, clientHeight } = this.svg;
    const seen = { x: -this.at.x / this.at.scale, y: -this.at.y / this.at.scale, width: clientWidth / this.at.scale, height: clientHeight / this.at.scale };
    this.map.hidden = seen.width > width && seen.height > height;
    Object.assign(this.map.style, { width: `${across}px`, height: `${down}px` });
    this.map.width = across * dense;
    this.map.height = down * dense;
    const context = this.map.getContext("2d");
    const left = (across - width * scale) / 2;
    this.mapScale = { scale, left };
    context.setTransform(dense * scale, 0, 0, dense * scale, dense * left, dense * 6);
    const style = getComputedStyle(document.documentElement);
    context.globalAlpha = 0.25;
    context.fillStyle = style.getPropertyValue("--muted");
    for (const put of frames) context.fillRect(put.x, put.y, put.width, put.height);
    context.globalAlpha = 1;
    for (const put of boxes) {
      const { colour, side } = this.view.look(put.box);
      context.fillStyle = style.getPropertyValue(side === "refused" ? "--bad" : side === "cpu" ? "--warn" : colour.slice(4, -1)) || "#888";
      context.fillRect(put.x, put.y, put.width, Math.max(put.height, 1.5 / scale));
    }
    context.strokeStyle = style.getPropertyValue("--accent");
    context.lineWidth = 1.6 / scale;
    context.strokeRect(seen.x, seen.y, seen.width, seen.height);
  }

  listen() {
    let from = null;
    this.svg.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, at: { ...this.at }, moved: false }; });
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x, y = event.clientY - from.y;
      if (!from.moved && Math.hypot(x, y) <= 4) return;
      from.moved = true;
      this.at = { ...this.at, x: from.at.x + x, y: from.at.y + y };
      this.move();
    });
    window.addEventListener("pointerup", () => { const was = from; from = null; if (was && was.moved) this.dragged = true; });
    this.svg.addEventListener("click", (event) => { if (this.dragged) event.stopPropagation(); this.dragged = false; }, true);
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const bounds = this.svg.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 250), event.clientX - bounds.left, event.clientY - bounds.top);
      else { this.at.x -= event.deltaX; this.at.y -= event.deltaY; this.move(); }
    }, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.map.addEventListener("pointerdown", (event) => {
      const x = (event.offsetX - this.mapScale.left) / this.mapScale.scale, y = (event.offsetY - 6) / this.mapScale.scale;
      this.at = { ...this.at, x: this.svg.clientWidth / 2 - x * this.at.scale, y: this.svg.clientHeight / 2 - y * this.at.scale };
      this.move();
    });
    new ResizeObserver(() => { if (this.found && this.svg.clientWidth) this.move(); }).observe(this.svg);
  }

  key(event) {
    const found = this.selected && this.drawn.get(this.selected);
    const go = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (go) {
      const next = found ? this.nextTo(found.put, ...go) : this.found.boxes[0];
      if (next) { this.select(next.box); this.centre(next.box); }
    } else if (event.key === "Enter" && found) {
      if (this.selected.children) this.toggle(this.selected);
      else if (this.selected.parent.parent) { const around = this.selected.parent; this.toggle(around); this.select(around); }
    } else return;
    event.preventDefault();
  }

  // Fits everything into the available space, for printing, or restores the view.
  forPaper(is) {
    this.onPaper = is;
    if (!is) { this.svg.removeAttribute("viewBox"); this.move(); return; }
    this.svg.setAttribute("viewBox", `-10 -10 ${this.found.width + 20} ${this.found.height + 20}`);
    this.world.removeAttribute("transform");
  }

  // The nearest box in a direction; boxes along links are preferred.
  nextTo(put, x, y) {
    const middle = (one) => ({ x: one.x + one.width / 2, y: one.y + one.height / 2 });
    const here = middle(put);
    const linked = new Set();
    for (const link of this.found.links) {
      if (y > 0 && link.from === put.box) linked.add(link.to);
      if (y < 0 && link.to === put.box) linked.add(link.from);
    }
    const away = (other) => {
      const there = middle(other), along = (there.x - here.x) * x + (there.y - here.y) * y;
      if (along <= 1) return Infinity;
      return along + 2.5 * Math.abs((there.x - here.x) * y + (there.y - here.y) * x) - (linked.has(other.box) ? 1e5 : 0);
    };
    const found = this.found.boxes.map((other) => [away(other), other]).filter(([far]) => far !== Infinity);
    return found.length ? found.reduce((a, b) => (b[0] < a[0] ? b : a))[1] : null;
  }
}
