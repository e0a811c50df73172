// The tree of a search, drawn on a canvas: only what is seen, so that a tree of 100,000 nodes scrolls smoothly.
//
// A circle is a branch, a square a dead end, a diamond a solution, a triangle a folded subtree. The profile at the
// right shows how many nodes each level has.

import { group, make, sum } from "./data.js";
import { makeIconButton } from "./icons.js";
import { onTheme } from "./theme.js";
import { BRANCH, DEAD, KINDS, SOLUTION, UNRECORDED } from "./tree.js";

const ZOOM = 1.4;
const LEAST_STEP = 0.3; // pixels between two leaves of a tree that is seen whole
const PART_STEP = 8; // of one that is seen in part
const MARGIN = 28; // around the tree, in pixels
const LEAST_GAP = 0.6; // pixels between two nodes of a level that are both drawn
const COLORS = [
  "branch", "failed", "dead", "solution", "other", "edge", "path", "mark", "ink", "soft", "paper", "panel",
];

export class TreeCanvas {
  // `select` is called with the node that was clicked; `nameOf` returns what stands at the edge to a node.
  constructor({ select, nameOf }) {
    this.select = select;
    this.nameOf = nameOf;
    /** @type {Record<string, string>} */ this.colors = null; // of the theme
    this.current = 0;
    this.marked = new Set(); // nodes with a mark behind them
    this.step = 24; // pixels between two leaves
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.inner = make("div", { class: "tree-size" }, this.canvas);
    const attributes = {
      class: "tree", tabindex: "0", role: "application",
      "aria-label": "the tree of the search: arrow keys step through it",
      onscroll: () => this.plan(),
      onpointermove: (event) => this.point(event),
      onclick: (event) => this.act(event, this.select),
      ondblclick: (event) => this.act(event, (node) => this.fold(node)),
    };
    this.scroller = make("div", attributes, this.inner);
    const spin = (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM);
    };
    this.scroller.addEventListener("wheel", spin, { passive: false });
    const bar = make("div", { class: "tree-zoom" },
      makeIconButton("plus", "", () => this.zoom(ZOOM), { title: "Larger", "aria-label": "Larger tree" }),
      makeIconButton("minus", "", () => this.zoom(1 / ZOOM), { title: "Smaller", "aria-label": "Smaller tree" }),
      makeIconButton("maximize", "", () => this.fit(0.01), { title: "Whole tree", "aria-label": "Whole tree" }),
    );
    this.legend = make("ul", { class: "legend" });
    this.element = make("div", { class: "tree-box" }, bar, this.scroller, this.legend);
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    onTheme(() => ((this.colors = null), this.plan()));
  }

  use(tree) {
    this.tree = tree;
    this.isFresh = true;
    this.marked = new Set();
    this.showLegend();
    this.resize();
  }

  // The signs that occur.
  showLegend() {
    const { tree } = this;
    const kinds = new Set(tree.kind);
    const failed = tree.kind.some((_, node) => tree.isFailed(node));
    const found = [
      [kinds.has(BRANCH), "branch", "branch"],
      [failed, "failed", "branch without a solution"],
      [kinds.has(DEAD), "dead", "dead end"],
      [kinds.has(SOLUTION), "solution", "solution"],
      [tree.folded.includes(1), "folded", tree.folds ? "folded subtree without a solution" : "folded subtree"],
      ...[3, UNRECORDED].map((kind) => [kinds.has(kind), "other", KINDS[kind]]),
      [true, "profile", "nodes per level"],
    ];
    const rows = found.filter(([occurs]) => occurs);
    this.legend.replaceChildren(...rows.map(([, name, text]) => make("li", { class: String(name) }, String(text))));
  }

  // -- the view -------------------------------------------------------------------------------------

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.scroller.clientWidth;
    if (!this.width) return;
    this.strip = this.width > 420 ? 84 : 64; // of the profile
    if (this.isFresh !== false) this.fit();
    this.measure();
    this.height = this.scroller.clientHeight;
    if (this.isFresh !== false) this.center();
    this.isFresh = false;
    [this.canvas.width, this.canvas.height] = [this.width * ratio, this.height * ratio];
    [this.canvas.style.width, this.canvas.style.height] = [`${this.width}px`, `${this.height}px`];
    this.plan();
  }

  // The distances in pixels: the whole height is used, and a narrow tree stands in the middle.
  measure() {
    const { width, levels } = this.tree.place();
    const tall = (parseFloat(getComputedStyle(this.scroller).maxHeight) || 400) - 2 * MARGIN - 14;
    this.rise = Math.max(22, Math.min(88, tall / Math.max(1, levels.length - 1))); // between two levels
    this.left = MARGIN + Math.max(0, this.width - this.strip - 2 * MARGIN - width * this.step) / 2;
    this.inner.style.width = `${Math.max(this.width, width * this.step + 2 * MARGIN + this.strip)}px`;
    this.inner.style.height = `${(levels.length - 1) * this.rise + 2 * MARGIN + 14}px`;
  }

  // Let the whole tree be seen, if its steps are then neither too small nor too large.
  fit(least = LEAST_STEP, most = 72) {
    const { width } = this.tree.place();
    const free = (this.width - this.strip - 2 * MARGIN) / Math.max(1, width);
    this.step = free < least ? PART_STEP : Math.min(most, free);
    this.measure();
    this.follow();
  }

  // Show the root, with as much of the tree at both sides as there is room for.
  center() {
    if (!this.tree.size) return;
    this.scroller.scrollLeft = this.xOf(0) - (this.width - this.strip) / 2;
    this.scroller.scrollTop = 0;
    this.follow();
  }

  // The radius of a node at a place of its level: as large as its neighbors allow.
  radiusAt(nodes, place) {
    const { x } = this.tree;
    const gap = (other) => (nodes[other] === undefined ? Infinity : Math.abs(x[nodes[other]] - x[nodes[place]]));
    const most = Math.min(8, this.rise * 0.22);
    return Math.max(1.5, Math.min(most, this.step * 0.36 * Math.min(gap(place - 1), gap(place + 1))));
  }

  zoom(factor) {
    this.step = Math.max(0.01, Math.min(96, this.step * factor));
    this.measure();
    this.follow(true);
  }

  show(node) {
    this.current = node;
    if (!this.width) return;
    this.measure();
    this.follow();
  }

  // Scroll to the current node, if it is not seen.
  follow(always = false) {
    if (!this.tree.size || !this.width) return;
    const shown = this.tree.visible(this.current);
    const [x, y] = [this.xOf(shown), this.yOf(this.tree.level[shown])];
    const [left, top] = [this.scroller.scrollLeft, this.scroller.scrollTop];
    const room = this.width - this.strip;
    if (always || x < left + 20 || x > left + room - 20) this.scroller.scrollLeft = x - room / 2;
    if (always || y < top + 10 || y > top + this.height - 30) this.scroller.scrollTop = y - this.height / 2;
    this.plan();
  }

  xOf(node) {
    return this.left + this.tree.x[node] * this.step;
  }

  yOf(level) {
    return MARGIN + level * this.rise;
  }

  // -- the mouse ------------------------------------------------------------------------------------

  nodeAt(event) {
    const box = this.scroller.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x > this.width - this.strip) return -1;
    const level = Math.round((y + this.scroller.scrollTop - MARGIN) / this.rise);
    const nodes = this.tree.place().levels[level] ?? [];
    const at = x + this.scroller.scrollLeft;
    const place = firstFrom(nodes.length, (k) => this.xOf(nodes[k]) >= at);
    const near = [nodes[place - 1], nodes[place]].filter((node) => node !== undefined);
    near.sort((one, two) => Math.abs(this.xOf(one) - at) - Math.abs(this.xOf(two) - at));
    return near.length && Math.abs(this.xOf(near[0]) - at) <= 11 ? near[0] : -1;
  }

  point(event) {
    const node = this.nodeAt(event);
    this.scroller.style.cursor = node < 0 ? "" : "pointer";
    this.scroller.title = node < 0 ? "" : this.describe(node);
  }

  describe(node) {
    const { tree } = this;
    const size = tree.end[node] - node - 1;
    const what = tree.folded[node]
      ? `${group(size)} more nodes, folded: double-click to unfold`
      : KINDS[tree.kind[node]];
    return [this.nameOf(node), what].filter(Boolean).join(": ");
  }

  act(event, what) {
    const node = this.nodeAt(event);
    if (node >= 0) what(node);
  }

  fold(node) {
    this.tree.fold(node);
    this.showLegend();
    this.show(this.current);
  }

  // -- drawing --------------------------------------------------------------------------------------

  plan() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const { tree } = this;
    if (!this.width || !tree.size) return;
    const style = getComputedStyle(this.element);
    this.colors ??= Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--tree-${name}`).trim()]));
    const pen = this.canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui, sans-serif";
    const { levels } = tree.place();
    const top = this.scroller.scrollTop;
    const first = Math.max(0, Math.floor((top - MARGIN) / this.rise) - 1);
    const last = Math.min(levels.length - 1, Math.ceil((top + this.height - MARGIN) / this.rise) + 1);
    let drawn = 0;
    pen.save();
    pen.translate(-this.scroller.scrollLeft, -top);
    for (let level = Math.max(1, first); level <= last; ++level) this.drawEdges(pen, levels[level], level);
    this.drawPath(pen);
    for (let level = first; level <= last; ++level) drawn += this.drawNodes(pen, levels[level], level);
    pen.restore();
    this.drawProfile(pen, first, last);
    this.scroller.dataset.drawn = String(drawn);
  }

  // Edges of one level do not cross, so those that are seen are neighbors.
  drawEdges(pen, nodes, level) {
    const { parent } = this.tree;
    const left = this.scroller.scrollLeft;
    const right = left + this.width - this.strip;
    let k = firstFrom(nodes.length, (at) => Math.max(this.xOf(nodes[at]), this.xOf(parent[nodes[at]])) >= left);
    pen.strokeStyle = this.colors.edge;
    pen.lineWidth = this.step > 4 ? 1.25 : 0.5;
    pen.beginPath();
    while (k < nodes.length) {
      const [from, to] = [this.xOf(parent[nodes[k]]), this.xOf(nodes[k])];
      if (Math.min(from, to) > right) break;
      pen.moveTo(from, this.yOf(level - 1));
      pen.lineTo(to, this.yOf(level));
      k = this.next(nodes, k, to);
    }
    pen.stroke();
  }

  // The next node that is far enough from the last one to be seen beside it.
  next(nodes, k, x) {
    if (this.step >= LEAST_GAP) return k + 1;
    return k + 1 + firstFrom(nodes.length - k - 1, (place) => this.xOf(nodes[k + 1 + place]) >= x + LEAST_GAP);
  }

  drawPath(pen) {
    const { tree } = this;
    pen.strokeStyle = this.colors.path;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.beginPath();
    for (let node = tree.visible(this.current); node >= 0; node = tree.parent[node])
      pen.lineTo(this.xOf(node), this.yOf(tree.level[node]));
    pen.stroke();
  }

  drawNodes(pen, nodes, level) {
    const left = this.scroller.scrollLeft - 20;
    const right = left + this.width - this.strip + 40;
    const y = this.yOf(level);
    const shown = this.tree.visible(this.current);
    let count = 0;
    for (let k = firstFrom(nodes.length, (place) => this.xOf(nodes[place]) >= left); k < nodes.length;) {
      const x = this.xOf(nodes[k]);
      if (x > right) break;
      this.drawNode(pen, nodes[k], x, y, nodes[k] === shown, this.radiusAt(nodes, k));
      ++count;
      k = this.next(nodes, k, x);
    }
    return count;
  }

  drawNode(pen, node, x, y, isCurrent, radius) {
    const { colors, tree } = this;
    const kind = tree.kind[node];
    if (this.marked.has(node)) {
      pen.fillStyle = colors.mark;
      pen.beginPath();
      pen.arc(x, y, radius + 6, 0, 7);
      pen.fill();
    }
    const isFolded = tree.folded[node] === 1;
    const isFailed = tree.isFailed(node);
    const branch = isFolded && isFailed ? "dead" : isFailed ? "failed" : "branch";
    pen.fillStyle = colors[{ [SOLUTION]: "solution", [DEAD]: "dead", [BRANCH]: branch }[kind] ?? "other"];
    pen.beginPath();
    if (isFolded)
      trace(pen, [[x, y - radius], [x + radius * 1.25, y + radius * 1.6], [x - radius * 1.25, y + radius * 1.6]]);
    else if (kind === SOLUTION)
      trace(pen, [[x, y - radius * 1.3], [x + radius * 1.3, y], [x, y + radius * 1.3], [x - radius * 1.3, y]]);
    else if (kind === BRANCH) pen.arc(x, y, radius, 0, 7);
    else pen.rect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6);
    pen.fill();
    if (isCurrent) {
      pen.strokeStyle = colors.ink;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(x, y, radius + 4, 0, 7);
      pen.stroke();
    }
    if (this.step >= 20) this.drawTexts(pen, node, x, y, isFolded);
  }

  // The option at the edge, and how many nodes a folded subtree hides.
  drawTexts(pen, node, x, y, isFolded) {
    const { tree } = this;
    const write = (text, at, height, room) => {
      const cut = text.length > 24 ? `${text.slice(0, 23)}…` : text;
      const width = pen.measureText(cut).width;
      if (width > room) return;
      pen.fillStyle = this.colors.paper;
      pen.fillRect(at - width / 2 - 2, height - 8, width + 4, 16);
      pen.fillStyle = this.colors.ink;
      pen.fillText(cut, at, height);
    };
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (isFolded) write(group(tree.end[node] - node - 1), x, y + 22, this.step * 1.6);
    const above = tree.parent[node];
    if (above < 0 || this.rise < 34) return;
    write(this.nameOf(node), (x + this.xOf(above)) / 2, y - this.rise / 2, this.step - 4);
  }

  drawProfile(pen, first, last) {
    const { colors, strip } = this;
    const left = this.width - strip;
    pen.fillStyle = colors.panel;
    pen.fillRect(left, 0, strip, this.height);
    const { profile } = this.tree;
    const most = Math.max(...profile.map(sum));
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let level = first; level <= last; ++level) {
      const y = this.yOf(level) - this.scroller.scrollTop;
      const [branch, dead, solution, pruned, unrecorded] = profile[level];
      let x = left + 4;
      for (const [kind, count] of Object.entries({ branch, dead, solution, other: pruned + unrecorded })) {
        if (!count) continue;
        const width = Math.max(1.5, (count * (strip - 46)) / most);
        pen.fillStyle = colors[kind];
        pen.fillRect(x, y - 5, width, 10);
        x += width;
      }
      pen.fillStyle = colors.soft;
      const total = sum(profile[level]);
      pen.fillText(total < 10_000 ? String(total) : total.toLocaleString("en", { notation: "compact" }), x + 4, y);
    }
  }
}

function trace(pen, corners) {
  for (const [x, y] of corners) pen.lineTo(x, y);
  pen.closePath();
}

// The first number below `count` for which a condition holds that holds for all later ones; `count` if there is none.
function firstFrom(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
