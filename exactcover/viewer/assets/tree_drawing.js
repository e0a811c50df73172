// Draws what is seen of a search tree, and the profile beside it; where nodes stand, the view says.

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
    if (!this.view.width || !this.view.tree.size) return;
    const style = getComputedStyle(this.view.element);
    this.colors ??= Object.fromEntries(COLORS.map((name) => [name, style.getPropertyValue(`--tree-${name}`).trim()]));
    const pen = this.view.canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.view.width, this.view.height);
    pen.font = "12px system-ui, sans-serif";
    const { levels } = this.view.tree.place();
    const top = this.view.scroller.scrollTop;
    const first = Math.max(0, Math.floor((top - MARGIN) / this.view.rise) - 1);
    const last = Math.min(levels.length - 1, Math.ceil((top + this.view.height - MARGIN) / this.view.rise) + 1);
    let drawn = 0;
    pen.save();
    pen.translate(-this.view.scroller.scrollLeft, -top);
    for (let level = Math.max(1, first); level <= last; ++level) this.drawEdges(pen, levels[level], level);
    this.drawPath(pen);
    for (let level = first; level <= last; ++level) drawn += this.drawNodes(pen, levels[level], level);
    pen.restore();
    this.drawProfile(pen, first, last);
    this.view.scroller.dataset.drawn = String(drawn);
  }

  // Edges of one level do not cross, so those that are seen are neighbors.
  drawEdges(pen, nodes, level) {
    const { parent } = this.view.tree;
    const left = this.view.scroller.scrollLeft;
    const right = left + this.view.width - this.view.strip;
    let k = firstFrom(
      nodes.length,
      (place) => Math.max(this.view.xOf(nodes[place]), this.view.xOf(parent[nodes[place]])) >= left,
    );
    pen.strokeStyle = this.colors.edge;
    pen.lineWidth = this.view.step > 4 ? 1.25 : 0.5;
    pen.beginPath();
    while (k < nodes.length) {
      const [from, to] = [this.view.xOf(parent[nodes[k]]), this.view.xOf(nodes[k])];
      if (Math.min(from, to) > right) break;
      pen.moveTo(from, this.view.yOf(level - 1));
      pen.lineTo(to, this.view.yOf(level));
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
    const { tree } = this.view;
    pen.strokeStyle = this.colors.path;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.beginPath();
    for (let node = tree.visible(this.view.current); node >= 0; node = tree.parent[node])
      pen.lineTo(this.view.xOf(node), this.view.yOf(tree.level[node]));
    pen.stroke();
  }

  drawNodes(pen, nodes, level) {
    const left = this.view.scroller.scrollLeft - 20;
    const right = left + this.view.width - this.view.strip + 40;
    const y = this.view.yOf(level);
    const shown = this.view.tree.visible(this.view.current);
    let count = 0;
    for (let k = firstFrom(nodes.length, (place) => this.view.xOf(nodes[place]) >= left); k < nodes.length;) {
      const x = this.view.xOf(nodes[k]);
      if (x > right) break;
      this.drawNode(pen, nodes[k], x, y, nodes[k] === shown, this.view.radiusAt(nodes, k));
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
    if (this.view.step >= 20) this.drawTexts(pen, node, x, y, isFolded);
  }

  // The option at the edge, and how many nodes a folded subtree hides.
  drawTexts(pen, node, x, y, isFolded) {
    const { tree } = this.view;
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
      write((tree.end[node] - node - 1).toLocaleString("en"), x, y + 22, this.view.step * 1.6);
    const above = tree.parent[node];
    if (above < 0 || this.view.rise < 34) return;
    write(this.view.nameOf(node), (x + this.view.xOf(above)) / 2, y - this.view.rise / 2, this.view.step - 4);
  }

  drawProfile(pen, first, last) {
    const { colors } = this;
    const { strip } = this.view;
    const left = this.view.width - strip;
    pen.fillStyle = colors.panel;
    pen.fillRect(left, 0, strip, this.view.height);
    const counts = this.view.tree.profile();
    const most = Math.max(...counts.map(sum));
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let level = first; level <= last; ++level) {
      const y = this.view.yOf(level) - this.view.scroller.scrollTop;
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
  "branch", "failed", "dead", "solution", "other", "edge", "path", "mark",
  "ink", "soft", "paper", "panel",
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
export function firstFrom(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
