// The tree of a search, drawn on a canvas: only what is seen, so that a tree of 100,000 nodes scrolls smoothly.
//
// A circle is a branch, a square a dead end, a diamond a solution, a triangle a folded subtree. The profile at the
// right shows how many nodes each level has.

import { make } from "./data.js";
import { makeIconButton } from "./icons.js";
import { KINDS } from "./tree.js";
import { firstFrom, MARGIN, TreeDrawing } from "./tree_drawing.js";

const ZOOM = 1.4;

export class TreeCanvas {
  // `select` is called with the node that was clicked; `nameOf` returns what stands at the edge to a node.
  constructor(tree, { select, nameOf }) {
    this.tree = tree;
    this.select = select;
    this.nameOf = nameOf;
    this.drawing = new TreeDrawing(this);
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
      makeIconButton("plus", "", () => this.zoom(ZOOM), { title: "larger", "aria-label": "larger tree" }),
      makeIconButton("minus", "", () => this.zoom(1 / ZOOM), { title: "smaller", "aria-label": "smaller tree" }),
      makeIconButton("maximize", "", () => this.fit(), { title: "whole tree", "aria-label": "whole tree" }),
    );
    this.legend = make("ul", { class: "legend" }, ...LEGEND.map(([name, text]) => make("li", { class: name }, text)));
    this.element = make("div", { class: "tree-box" }, this.scroller, bar, this.legend);
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    const forget = () => ((this.drawing.colors = null), this.plan());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forget);
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
    this.rise = Math.max(22, Math.min(88, tall / Math.max(1, levels.length - 1))); // between two levels
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
      this.drawing.draw();
    });
  }
}

const LEGEND = [
  ["branch", "branch"],
  ["failed", "branch without a solution"],
  ["dead", "dead end"],
  ["solution", "solution"],
  ["folded", "folded subtree"],
  ["profile", "nodes per level"],
];
