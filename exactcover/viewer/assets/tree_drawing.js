// Draws what is seen of a search tree, and the profile beside it; where nodes stand, the view says.

import { group, sum } from "./data.js";
import { BRANCH, DEAD, SOLUTION, UNRECORDED } from "./tree.js";

export const MARGIN = 28; // around the tree, in pixels
const LEAST_GAP = 0.6; // pixels between two nodes of a level that are both drawn

export class TreeDrawing {
  /** @param {import("./canvas.js").TreeCanvas} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<string, string>} */ this.colors = null; // of the theme
  }

  draw() {
    const { view } = this;
    const { tree } = view;
    if (!view.width || !tree.size) return;
    const style = getComputedStyle(view.element);
    this.colors ??= Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--tree-${name}`).trim()]));
    const pen = view.canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, view.width, view.height);
    pen.font = "12px system-ui, sans-serif";
    const { levels } = tree.place();
    const top = view.scroller.scrollTop;
    const first = Math.max(0, Math.floor((top - MARGIN) / view.rise) - 1);
    const last = Math.min(levels.length - 1, Math.ceil((top + view.height - MARGIN) / view.rise) + 1);
    let drawn = 0;
    pen.save();
    pen.translate(-view.scroller.scrollLeft, -top);
    for (let level = Math.max(1, first); level <= last; ++level) this.drawEdges(pen, levels[level], level);
    this.drawPath(pen);
    for (let level = first; level <= last; ++level) drawn += this.drawNodes(pen, levels[level], level);
    pen.restore();
    this.drawProfile(pen, first, last);
    view.scroller.dataset.drawn = String(drawn);
  }

  // Edges of one level do not cross, so those that are seen are neighbors.
  drawEdges(pen, nodes, level) {
    const { view } = this;
    const { parent } = view.tree;
    const left = view.scroller.scrollLeft;
    const right = left + view.width - view.strip;
    let k = firstFrom(nodes.length, (at) => Math.max(view.xOf(nodes[at]), view.xOf(parent[nodes[at]])) >= left);
    pen.strokeStyle = this.colors.edge;
    pen.lineWidth = view.step > 4 ? 1.25 : 0.5;
    pen.beginPath();
    while (k < nodes.length) {
      const [from, to] = [view.xOf(parent[nodes[k]]), view.xOf(nodes[k])];
      if (Math.min(from, to) > right) break;
      pen.moveTo(from, view.yOf(level - 1));
      pen.lineTo(to, view.yOf(level));
      k = this.next(nodes, k, to);
    }
    pen.stroke();
  }

  // The next node that is far enough from the last one to be seen beside it.
  next(nodes, k, x) {
    if (this.view.step >= LEAST_GAP) return k + 1;
    return k + 1 + firstFrom(nodes.length - k - 1, (place) => this.view.xOf(nodes[k + 1 + place]) >= x + LEAST_GAP);
  }

  drawPath(pen) {
    const { view } = this;
    const { tree } = view;
    pen.strokeStyle = this.colors.path;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.beginPath();
    for (let node = tree.visible(view.current); node >= 0; node = tree.parent[node])
      pen.lineTo(view.xOf(node), view.yOf(tree.level[node]));
    pen.stroke();
  }

  drawNodes(pen, nodes, level) {
    const { view } = this;
    const left = view.scroller.scrollLeft - 20;
    const right = left + view.width - view.strip + 40;
    const y = view.yOf(level);
    const shown = view.tree.visible(view.current);
    let count = 0;
    for (let k = firstFrom(nodes.length, (place) => view.xOf(nodes[place]) >= left); k < nodes.length;) {
      const x = view.xOf(nodes[k]);
      if (x > right) break;
      this.drawNode(pen, nodes[k], x, y, nodes[k] === shown, view.radiusAt(nodes, k));
      ++count;
      k = this.next(nodes, k, x);
    }
    return count;
  }

  drawNode(pen, node, x, y, isCurrent, radius) {
    const { colors } = this;
    const { tree } = this.view;
    const kind = tree.kind[node];
    if (this.view.marked.has(node)) {
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
    if (kind === UNRECORDED) pen.setLineDash([2, 2]);
    if (isCurrent) {
      pen.strokeStyle = colors.ink;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(x, y, radius + 4, 0, 7);
      pen.stroke();
    }
    pen.setLineDash([]);
    if (this.view.step >= 20) this.drawTexts(pen, node, x, y, isFolded);
  }

  // The option at the edge, and how many nodes a folded subtree hides.
  drawTexts(pen, node, x, y, isFolded) {
    const { view } = this;
    const { tree } = view;
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
      write(group(tree.end[node] - node - 1), x, y + 22, view.step * 1.6);
    const above = tree.parent[node];
    if (above < 0 || view.rise < 34) return;
    write(view.nameOf(node), (x + view.xOf(above)) / 2, y - view.rise / 2, view.step - 4);
  }

  drawProfile(pen, first, last) {
    const { view } = this;
    const { strip } = view;
    const { colors } = this;
    const left = view.width - strip;
    pen.fillStyle = colors.panel;
    pen.fillRect(left, 0, strip, view.height);
    const counts = view.tree.profile();
    const most = Math.max(...counts.map(sum));
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let level = first; level <= last; ++level) {
      const y = view.yOf(level) - view.scroller.scrollTop;
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
  "branch", "failed", "dead", "solution", "other", "edge", "path", "mark", "ink", "soft", "paper", "panel",
];

function trace(pen, corners) {
  corners.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
}

function shorten(number) {
  if (number < 10_000) return String(number);
  return number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
}

// The first number below `count` for which a condition holds that holds for all later ones; `count` if there is none.
export function firstFrom(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
