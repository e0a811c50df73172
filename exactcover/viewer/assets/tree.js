// The tree of a search as it was recorded: its nodes in preorder, which subtrees are folded, and where nodes are drawn.
//
// A node has a level, a kind, the option that leads to it (-1 for none), and the item that it branches on.

import { pushTo, readNumbers } from "./data.js";

export const BRANCH = 0;
export const DEAD = 1;
export const SOLUTION = 2;
export const UNRECORDED = 4;
export const KINDS = ["branch", "dead end", "solution", "pruned", "not recorded"];
const LEAST_SIMILAR = 3; // nodes of subtrees that are compared

export class SearchTree {
  constructor({ nodes, truncated }) {
    const numbers = readNumbers(nodes);
    const size = numbers.length / 5;
    this.size = size;
    this.level = new Uint32Array(size);
    this.kind = new Uint8Array(size);
    this.option = new Int32Array(size);
    this.item = new Int32Array(size);
    this.children = new Uint32Array(size);
    this.parent = new Int32Array(size);
    this.end = new Uint32Array(size); // the node after its subtree
    this.solutions = new Uint32Array(size);
    this.folded = new Uint8Array(size);
    this.folds = false; // whether failed subtrees are folded
    /** @type {Set<number>} */ this.opened = new Set(); // the folded ones that show the current node
    this.x = new Float64Array(size);
    /** @type {number[][]} */ this.profile = []; // how many nodes of each kind each level has, folded or not
    const path = [];
    for (let k = 0; k < size; ++k) {
      const [kind, level, option, item, children] = numbers.subarray(5 * k, 5 * k + 5);
      this.kind[k] = kind;
      this.level[k] = level;
      this.option[k] = option - 1;
      this.item[k] = item - 1;
      this.children[k] = children;
      this.parent[k] = level ? path[level - 1] : -1;
      path[level] = k;
      ++(this.profile[level] ??= [0, 0, 0, 0, 0])[kind];
    }
    for (let k = size - 1; k >= 0; --k) {
      this.end[k] = Math.max(this.end[k], k + 1);
      this.solutions[k] += Number(this.kind[k] === SOLUTION);
      const above = this.parent[k];
      if (above < 0) continue;
      this.end[above] = Math.max(this.end[above], this.end[k]);
      this.solutions[above] += this.solutions[k];
    }
    this.unfinished = new Set(); // the nodes above the end of a log that was cut off
    if (truncated) for (let k = size - 1; k >= 0; k = this.parent[k]) this.unfinished.add(k);
    /** @type {{levels: number[][], width: number, count: number} | null} */
    this.placed = null;
  }

  childrenOf(node) {
    const children = [];
    for (let k = node + 1; k < this.end[node]; k = this.end[k]) children.push(k);
    return children;
  }

  // Whether a branch has no solution below it.
  isFailed(node) {
    return this.kind[node] === BRANCH && this.solutions[node] === 0 && !this.unfinished.has(node);
  }

  // -- folding --------------------------------------------------------------------------------------

  fold(node) {
    if (this.kind[node] !== BRANCH) return;
    this.folded[node] ^= 1;
    this.opened.delete(node);
    this.placed = null;
  }

  // Fold every failed subtree at its root, or unfold everything.
  foldFailed(isFolded) {
    this.folded.fill(0);
    this.folds = isFolded;
    this.opened.clear();
    if (isFolded)
      for (let k = 0; k < this.size; k = this.folded[k] ? this.end[k] : k + 1)
        this.folded[k] = Number(this.isFailed(k));
    this.placed = null;
  }

  // Unfold what hides a node. Failed subtrees beside its path stay folded, and what was unfolded before for another
  // node is folded again.
  reveal(node) {
    const path = new Set();
    for (let above = this.parent[node]; above >= 0; above = this.parent[above]) path.add(above);
    for (const one of this.opened)
      if (!path.has(one)) {
        this.opened.delete(one);
        this.folded[one] = 1;
        this.placed = null;
      }
    for (const above of [...path].reverse())
      if (this.folded[above]) {
        this.folded[above] = 0;
        this.placed = null;
        if (!this.folds) continue;
        this.opened.add(above);
        for (const child of this.childrenOf(above)) this.folded[child] = Number(this.isFailed(child));
      }
  }

  // The node itself, or the folded one that hides it.
  visible(node) {
    let shown = node;
    for (let above = this.parent[node]; above >= 0; above = this.parent[above]) if (this.folded[above]) shown = above;
    return shown;
  }

  // -- where nodes are drawn ------------------------------------------------------------------------

  // The nodes that are not hidden, level by level from left to right; `x` is where each one stands, in steps.
  place() {
    if (this.placed !== null) return this.placed;
    const order = [];
    for (let k = 0; k < this.size; k = this.folded[k] ? this.end[k] : k + 1) order.push(k);
    const shapes = new Map();
    const shift = new Float64Array(this.size); // from the node above
    for (let place = order.length - 1; place >= 0; --place) {
      const node = order[place];
      const isLeaf = this.folded[node] || this.end[node] === node + 1;
      shapes.set(node, isLeaf ? { left: [0], right: [0], addLeft: 0, addRight: 0 } : this.join(node, shapes, shift));
    }
    const levels = [];
    let [left, right] = [0, 0];
    for (const node of order) {
      this.x[node] = shift[node] + (this.level[node] ? this.x[this.parent[node]] : 0);
      (levels[this.level[node]] ??= []).push(node);
      left = Math.min(left, this.x[node]);
      right = Math.max(right, this.x[node]);
    }
    for (const node of order) this.x[node] -= left;
    this.placed = { levels, width: right - left, count: order.length };
    return this.placed;
  }

  // Put the shapes of children side by side, as close as they go. A shape is the outline of a subtree: its leftmost and
  // rightmost places, from the lowest level up, each with a number to add. Only the levels that both sides have are
  // visited, so the time is linear in the number of nodes.
  join(node, shapes, shift) {
    const children = this.childrenOf(node);
    let whole = null;
    for (const child of children) {
      const shape = shapes.get(child);
      shapes.delete(child);
      whole = whole === null ? shape : merge(whole, shape, (shift[child] = gapOf(whole, shape)));
    }
    const center = (shift[children[0]] + shift[children.at(-1)]) / 2;
    for (const child of children) shift[child] -= center;
    whole.addLeft -= center;
    whole.addRight -= center;
    whole.left.push(-whole.addLeft);
    whole.right.push(-whole.addRight);
    return whole;
  }

  // -- similar subtrees -----------------------------------------------------------------------------

  // Groups of subtrees of one shape, those that repeat the most work first. `rows` are the entries of each option: if
  // all subtrees of a group leave the same items open, the same work was done again.
  similar(rows) {
    const shapes = new Map();
    const shape = new Uint32Array(this.size);
    const groups = new Map();
    for (let k = this.size - 1; k >= 0; --k) {
      if (this.unfinished.has(k)) continue;
      const key = [this.kind[k], ...this.childrenOf(k).map((child) => shape[child])].join(" ");
      if (!shapes.has(key)) shapes.set(key, shapes.size + 1);
      shape[k] = shapes.get(key);
      if (this.end[k] - k >= LEAST_SIMILAR) pushTo(groups, shape[k], k);
    }
    const covered = this.sumCovered(rows);
    const found = [...groups.values()].filter((nodes) => nodes.length > 1).map((nodes) => {
      const [first] = nodes.reverse();
      const size = this.end[first] - first;
      const isSame = nodes.every((node) => covered[node] === covered[first]);
      return { nodes, size, solutions: this.solutions[first], isSame };
    });
    const repeated = ({ nodes, size }) => (nodes.length - 1) * size;
    return found.sort((one, two) => repeated(two) - repeated(one) || one.nodes[0] - two.nodes[0]);
  }

  // For each node a number that stands for what is covered there: equal ones cover the same items in the same colors.
  sumCovered(rows) {
    const covered = new Float64Array(this.size);
    for (let k = 1; k < this.size; ++k) {
      covered[k] = covered[this.parent[k]];
      if (this.option[k] >= 0)
        for (const [item, color] of rows[this.option[k]])
          covered[k] = (covered[k] + scramble(item * 65_537 + color)) % 2 ** 52;
    }
    return covered;
  }
}

// How far the second shape has to stand from the first one.
function gapOf({ right, addRight }, { left, addLeft }) {
  let gap = -Infinity;
  for (let up = 1; up <= Math.min(right.length, left.length); ++up)
    gap = Math.max(gap, right.at(-up) + addRight - left.at(-up) - addLeft);
  return gap + 1;
}

function merge(one, two, shift) {
  two.addLeft += shift;
  two.addRight += shift;
  if (one.left.length < two.left.length) {
    for (let up = 1; up <= one.left.length; ++up)
      two.left[two.left.length - up] = one.left.at(-up) + one.addLeft - two.addLeft;
    [one.left, one.addLeft] = [two.left, two.addLeft];
  }
  if (two.right.length < one.right.length) {
    for (let up = 1; up <= two.right.length; ++up)
      one.right[one.right.length - up] = two.right.at(-up) + two.addRight - one.addRight;
  } else [one.right, one.addRight] = [two.right, two.addRight];
  return one;
}

// A number below 2 ** 52 that looks random.
function scramble(number) {
  let [high, low] = [Math.imul(number ^ 0x9e3779b9, 0x85ebca6b), Math.imul(number + 0x7f4a7c15, 0xc2b2ae35)];
  high = Math.imul(high ^ (high >>> 15), 0x2c1b3c6d);
  low = Math.imul(low ^ (low >>> 13), 0x297a2d39);
  return ((high ^ (high >>> 14)) >>> 12) * 2 ** 32 + ((low ^ (low >>> 16)) >>> 0);
}
