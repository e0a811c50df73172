// The tree of a search, drawn on a canvas: only what is seen, so that a tree of 100,000 nodes scrolls smoothly.
//
// A circle is a branch, a square a dead end, a diamond a solution, a triangle a folded subtree. The profile at the
// right shows how many nodes each level has.

import { make, makeButton } from "./data.js";
import { withIcon } from "./marks.js";
import { BRANCH, DEAD, KINDS, SOLUTION, UNRECORDED } from "./tree.js";

const MARGIN = 28; // around the tree, in pixels
const ZOOM = 1.4;
const LEAST_GAP = 0.6; // pixels between two nodes of a level that are both drawn

export class TreeCanvas {
  // `select` is called with the node that was clicked; `nameOf` returns what stands at the edge to a node.
  constructor(tree, { select, nameOf }) {
    this.tree = tree;
    this.select = select;
    this.nameOf = nameOf;
    this.current = 0;
    this.marked = new Set(); // nodes with a mark behind them
    this.step = 24; // pixels between two leaves
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.inner = make("div", { class: "tree-size" }, this.canvas);
    this.scroller = make(
      "div",
      {
        class: "tree",
        tabindex: "0",
        role: "application",
        "aria-label": "the tree of the search: arrow keys step through it",
        onscroll: () => this.plan(),
        onpointermove: (event) => this.point(event),
        onclick: (event) => this.pick(event),
        ondblclick: (event) => this.foldAt(event),
        onwheel: (event) => this.spin(event),
      },
      this.inner,
    );
    this.scroller.addEventListener("wheel", (event) => event.ctrlKey && event.preventDefault(), { passive: false });
    const bar = make(
      "div",
      { class: "tree-zoom" },
      withIcon(
        "plus",
        makeButton("", () => this.zoom(ZOOM), { title: "larger", "aria-label": "larger tree" }),
      ),
      withIcon(
        "minus",
        makeButton("", () => this.zoom(1 / ZOOM), { title: "smaller", "aria-label": "smaller tree" }),
      ),
      withIcon(
        "maximize",
        makeButton("", () => this.fit(), { title: "whole tree", "aria-label": "whole tree" }),
      ),
    );
    this.legend = make("ul", { class: "legend" }, ...LEGEND.map(([name, text]) => make("li", { class: name }, text)));
    this.element = make("div", { class: "tree-box" }, this.scroller, bar, this.legend);
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => ((this.colors = null), this.plan()));
  }

  use(tree) {
    this.tree = tree;
    this.isFresh = true;
    this.marked = new Set();
    this.resize();
  }

  // -- the view -------------------------------------------------------------------------------------

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.scroller.clientWidth;
    if (!this.width) return;
    this.strip = this.width > 420 ? 108 : 64; // of the profile
    if (this.isFresh !== false) this.fit(14, 72);
    this.isFresh = false;
    this.measure();
    this.height = this.scroller.clientHeight;
    [this.canvas.width, this.canvas.height] = [this.width * ratio, this.height * ratio];
    [this.canvas.style.width, this.canvas.style.height] = [`${this.width}px`, `${this.height}px`];
    this.plan();
  }

  // The distances in pixels: the whole height is used, and a narrow tree stands in the middle.
  measure() {
    const { width, levels } = this.tree.place();
    const tall = (parseFloat(getComputedStyle(this.scroller).maxHeight) || 400) - 2 * MARGIN - 14;
    this.rise = Math.max(22, Math.min(64, tall / Math.max(1, levels.length - 1))); // between two levels
    this.radius = Math.max(1.5, Math.min(8, this.step * 0.34));
    this.left = MARGIN + Math.max(0, this.width - this.strip - 2 * MARGIN - width * this.step) / 2;
    this.inner.style.width = `${Math.max(this.width, width * this.step + 2 * MARGIN + this.strip)}px`;
    this.inner.style.height = `${(levels.length - 1) * this.rise + 2 * MARGIN + 14}px`;
  }

  // Let the whole tree be seen, if its steps are then neither too small nor too large.
  fit(least = 0.01, most = 72) {
    const { width } = this.tree.place();
    const free = (this.width - this.strip - 2 * MARGIN) / Math.max(1, width);
    this.step = Math.max(least, Math.min(most, free));
    this.measure();
    this.follow();
  }

  zoom(factor) {
    this.step = Math.max(0.01, Math.min(96, this.step * factor));
    this.measure();
    this.follow(true);
  }

  spin(event) {
    if (event.ctrlKey) this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM);
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
    return near.length && Math.abs(this.xOf(near[0]) - at) <= Math.max(10, this.radius + 3) ? near[0] : -1;
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
      ? `${size.toLocaleString("en")} more nodes, folded: double-click to unfold`
      : KINDS[tree.kind[node]];
    return [this.nameOf(node), what].filter(Boolean).join(": ");
  }

  pick(event) {
    const node = this.nodeAt(event);
    if (node >= 0) this.select(node);
  }

  foldAt(event) {
    const node = this.nodeAt(event);
    if (node >= 0) this.fold(node);
  }

  fold(node) {
    this.tree.fold(node);
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
    if (!this.width || !this.tree.size) return;
    const style = getComputedStyle(this.element);
    this.colors ??= Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--tree-${name}`).trim()]));
    const pen = this.canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = "12px system-ui, sans-serif";
    const { levels } = this.tree.place();
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
    let k = firstFrom(
      nodes.length,
      (place) => Math.max(this.xOf(nodes[place]), this.xOf(parent[nodes[place]])) >= left,
    );
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
      this.drawNode(pen, nodes[k], x, y, nodes[k] === shown);
      ++count;
      k = this.next(nodes, k, x);
    }
    return count;
  }

  drawNode(pen, node, x, y, isCurrent) {
    const { tree, colors, radius } = this;
    const kind = tree.kind[node];
    if (this.marked.has(node)) {
      pen.fillStyle = colors.mark;
      pen.beginPath();
      pen.arc(x, y, radius + 6, 0, 7);
      pen.fill();
    }
    const isFolded = tree.folded[node] === 1;
    const isFailed = tree.isFailed(node);
    pen.fillStyle =
      kind === SOLUTION
        ? colors.solution
        : kind === DEAD || (isFolded && isFailed)
          ? colors.dead
          : kind === BRANCH
            ? isFailed
              ? colors.failed
              : colors.branch
            : colors.other;
    pen.beginPath();
    if (isFolded)
      trace(pen, [
        [x, y - radius],
        [x + radius * 1.25, y + radius * 1.6],
        [x - radius * 1.25, y + radius * 1.6],
      ]);
    else if (kind === SOLUTION)
      trace(pen, [
        [x, y - radius * 1.3],
        [x + radius * 1.3, y],
        [x, y + radius * 1.3],
        [x - radius * 1.3, y],
      ]);
    else if (kind === BRANCH) pen.arc(x, y, radius, 0, 7);
    else pen.rect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6);
    pen.fill();
    if (kind === UNRECORDED) pen.setLineDash([2, 2]);
    if (isCurrent) {
      pen.strokeStyle = colors.ink;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(x, y, radius + 4, 0, 7);
      pen.stroke();
    }
    pen.setLineDash([]);
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
    if (isFolded)
      write((tree.end[node] - node - 1).toLocaleString("en"), x, y + this.radius * 1.6 + 10, this.step * 1.6);
    const above = tree.parent[node];
    if (above < 0 || this.rise < 34) return;
    write(this.nameOf(node), (x + this.xOf(above)) / 2, y - this.rise / 2, this.step - 4);
  }

  drawProfile(pen, first, last) {
    const { colors, strip } = this;
    const left = this.width - strip;
    pen.fillStyle = colors.panel;
    pen.fillRect(left, 0, strip, this.height);
    const counts = this.tree.profile();
    const most = Math.max(...counts.map(sum));
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let level = first; level <= last; ++level) {
      const y = this.yOf(level) - this.scroller.scrollTop;
      const [branches, dead, solutions, pruned, unrecorded] = counts[level];
      const total = sum(counts[level]);
      const scale = ((strip - 46) * (total / most)) / total;
      let x = left + 4;
      const parts = [
        [branches, colors.branch],
        [dead, colors.dead],
        [solutions, colors.solution],
        [pruned + unrecorded, colors.other],
      ];
      for (const [count, color] of parts) {
        if (!count) continue;
        const width = Math.max(1.5, count * scale);
        pen.fillStyle = color;
        pen.fillRect(x, y - 5, width, 10);
        x += width;
      }
      pen.fillStyle = colors.soft;
      pen.fillText(shorten(total), x + 4, y);
    }
  }
}

const COLORS = [
  "branch",
  "failed",
  "dead",
  "solution",
  "other",
  "edge",
  "path",
  "mark",
  "ink",
  "soft",
  "paper",
  "panel",
];
const LEGEND = [
  ["branch", "branch"],
  ["dead", "dead end"],
  ["solution", "solution"],
  ["folded", "folded"],
  ["profile", "nodes per level, at the right"],
];

function trace(pen, corners) {
  corners.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

function sum(numbers) {
  return numbers.reduce((one, two) => one + two, 0);
}

function shorten(number) {
  if (number < 10_000) return String(number);
  return number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
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
