"use strict";
// The positions of boxes and links. dagre lays out each open box with only its children, so that opening a box affects
// only that box and those around it.

const SPACE = { pad: 14, head: 28, between: 24, ranks: 26, label: 15 };

class Layout {
  // `describe` returns the lines, width and height of a box; `titleWidth` the width of the title of an open one; `label`
  // the text of a link ("" for none).
  constructor(tree, describe, titleWidth, label) {
    this.tree = tree;
    this.describe = describe;
    this.titleWidth = titleWidth;
    this.label = label;
  }

  size(box) {
    if (box.children && box.open) {
      const layout = this.of(box);
      const width = Math.max(layout.width + 2 * SPACE.pad, this.titleWidth(box) + 2 * SPACE.pad);
      layout.inset = (width - layout.width) / 2;
      return { width, height: layout.height + SPACE.head + SPACE.pad };
    }
    return this.describe(box);
  }

  // The layout of an open box: its size, the positions of its children and ports, and its links with their points.
  of(box) {
    if (!box.layout) box.layout = this.lay(box);
    return box.layout;
  }

  lay(box) {
    const { links, ins, outs } = this.tree.level(box);
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    const many = box.children.length + ins.length + outs.length > 70;
    graph.setGraph({ rankdir: "TB", nodesep: SPACE.between, edgesep: 12, ranksep: SPACE.ranks, ranker: many ? "tight-tree" : "network-simplex" });
    const names = new Map();
    const place = (end, size) => { names.set(end, `n${names.size}`); graph.setNode(names.get(end), { ...size }); };
    box.children.forEach((child) => place(child, this.size(child)));
    [...ins, ...outs].forEach((port) => place(port, { width: 2, height: 2 }));
    // Ports are at the edges of the box: they are connected to a node above, or below, all others.
    const anchor = (ports, name, down) => {
      if (!ports.length) return;
      graph.setNode(name, { width: 1, height: 1 });
      for (const port of ports) {
        const ends = down ? [name, names.get(port)] : [names.get(port), name];
        graph.setEdge(...ends, { weight: 50, minlen: 1 }, "anchor");
      }
    };
    anchor(ins, "top", true);
    anchor(outs, "bottom", false);
    const labelled = new Set();
    links.forEach((link, at) => {
      const text = this.label(link, labelled);
      link.text = text;
      graph.setEdge(names.get(link.from), names.get(link.to),
        text ? { width: text.length * 6.1 + 8, height: SPACE.label, labelpos: "c" } : { width: 1, height: 1 }, `l${at}`);
    });
    dagre.layout(graph);
    return this.read(box, graph, names, links, ins, outs);
  }

  read(box, graph, names, links, ins, outs) {
    const at = (end) => graph.node(names.get(end));
    const bands = new Map();
    for (const child of box.children) {
      const { y, height } = at(child), key = Math.round(y);
      bands.set(key, Math.max(bands.get(key) || 0, height / 2));
    }
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    const grow = (x, y, width, height) => {
      left = Math.min(left, x - width / 2); right = Math.max(right, x + width / 2);
      top = Math.min(top, y - height / 2); bottom = Math.max(bottom, y + height / 2);
    };
    for (const end of [...box.children, ...ins, ...outs]) { const { x, y, width, height } = at(end); grow(x, y, width, height); }
    links.forEach((link, number) => {
      const edge = graph.edge(names.get(link.from), names.get(link.to), `l${number}`);
      link.points = edge.points.slice(1, -1).flatMap(({ x, y }) => {
        const half = bands.get(Math.round(y));
        grow(x, y, 2, 0);
        return half ? [{ x, y: y - half }, { x, y: y + half }] : [{ x, y }];
      });
      if (link.text) { link.at = { x: edge.x, y: edge.y }; grow(edge.x, edge.y, edge.width, edge.height); }
    });
    if (left === Infinity) left = right = top = bottom = 0;
    const places = new Map();
    for (const child of box.children) {
      const { x, y, width, height } = at(child);
      places.set(child, { x: x - left - width / 2, y: y - top - height / 2, width, height });
    }
    const ports = { in: new Map(), out: new Map() };
    for (const port of [...ins, ...outs]) ports[port.port].set(port.value, at(port).x - left);
    for (const link of links) {
      link.points.forEach((point) => { point.x -= left; point.y -= top; });
      if (link.at) { link.at.x -= left; link.at.y -= top; }
    }
    return { width: right - left, height: bottom - top, places, ports, links };
  }

  // Everything visible, in absolute positions: closed boxes and leaves, frames of open boxes, and links.
  all() {
    const found = { boxes: [], frames: [], links: [] };
    const { width, height } = this.of(this.tree.root);
    this.put(this.tree.root, 0, 0, found);
    return { ...found, width, height };
  }

  put(box, x, y, found) {
    const layout = this.of(box);
    const bottom = layout.height;
    for (const [child, place] of layout.places) {
      const put = { box: child, x: x + place.x, y: y + place.y, width: place.width, height: place.height };
      if (child.children && child.open) {
        found.frames.push(put);
        this.put(child, put.x + child.layout.inset, put.y + SPACE.head, found);
      } else found.boxes.push(put);
    }
    const isRoot = box === this.tree.root;
    for (const link of layout.links) {
      const upward = this.isAbove(layout, link.to, link.from);
      const near = link.points[0], far = link.points[link.points.length - 1];
      const start = this.end(layout, link.from, [...link.values][0], near, !upward, isRoot ? 0 : SPACE.head, bottom);
      const stop = this.end(layout, link.to, [...link.values][0], far, upward, isRoot ? 0 : SPACE.head, bottom);
      const points = [start, ...link.points, stop].map((point) => ({ x: x + point.x, y: y + point.y }));
      found.links.push({ ...link, points, at: link.at && { x: x + link.at.x, y: y + link.at.y }, ends: !link.to.port && !(link.to.children && link.to.open) });
    }
  }

  isAbove(layout, one, other) {
    const a = layout.places.get(one), b = layout.places.get(other);
    return Boolean(a && b && a.y + a.height <= b.y);
  }

  // The point at which a link leaves (or enters) the box at its end.
  end(layout, end, value, near, below, head, bottom) {
    if (end.port) return { x: layout.ports[end.port].get(value), y: end.port === "in" ? -head : bottom + (head ? SPACE.pad : 0) };
    const place = layout.places.get(end);
    const y = below ? place.y + place.height : place.y;
    if (end.children && end.open) {
      const x = this.of(end).ports[below ? "out" : "in"].get(value);
      if (x !== undefined) return { x: place.x + end.layout.inset + x, y };
    }
    const middle = place.x + place.width / 2, most = Math.max(0, place.width / 2 - 14);
    const wanted = near ? near.x : middle;
    return { x: Math.min(middle + most, Math.max(middle - most, wanted)), y };
  }
}

// A curve through points that is vertical at each of them.
function pathOf(points) {
  let text = `M${points[0].x},${points[0].y}`;
  for (let at = 1; at < points.length; at++) {
    const a = points[at - 1], b = points[at];
    const middle = (a.y + b.y) / 2;
    text += Math.abs(a.x - b.x) < 0.5 ? `L${b.x},${b.y}` : `C${a.x},${middle} ${b.x},${middle} ${b.x},${b.y}`;
  }
  return text;
}
