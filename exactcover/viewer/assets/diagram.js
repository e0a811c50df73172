// A zero-suppressed decision diagram: exact numbers of solutions with and without some options, and random solutions.
//
// Node k has a level, which stands for an option, and two children; nodes come after their children. Node 0 is the
// empty family, node 1 the family of the empty set.

import { addTo, readNumbers } from "./data.js";

export class Diagram {
  // What the last count was asked for.
  /** @type {Set<number>} */ given = new Set();
  /** @type {Set<number>} */ without = new Set();
  // The number of solutions below a node, reached from a level.
  /** @type {(node: number, from: number) => bigint} */ reach;

  /** @param {{level: string, lo: string, hi: string, options: number[], root: number}} packed */
  constructor({ level, lo, hi, options, root }) {
    this.level = readNumbers(level);
    this.lo = readNumbers(lo);
    this.hi = readNumbers(hi);
    this.options = options;
    this.root = root;
  }

  // How many solutions contain the options `given` and none of `without`.
  /** @param {Set<number>} given @param {Set<number>} without */
  count(given, without) {
    this.given = given;
    this.without = without;
    // Options that must be chosen, on the levels above each level: a path that skips such a level has none.
    const before = [0];
    for (const option of this.options) before.push(before.at(-1) + Number(given.has(option)));
    const depth = this.options.length;
    const counts = new Array(this.level.length + 2);
    counts[0] = 0n;
    counts[1] = 1n;
    const levelOf = (node) => (node < 2 ? depth : this.level[node - 2]);
    this.reach = (node, from) => (before[levelOf(node)] === before[from] ? counts[node] : 0n);
    for (let k = 0; k < this.level.length; ++k) {
      const [low, high] = this.parts(k);
      counts[k + 2] = low + high;
    }
    return this.reach(this.root, 0);
  }

  // The shares of the solutions counted last that contain each option, by option.
  shares() {
    const passing = new Float64Array(this.level.length + 2); // the share of solutions whose path has each node
    const shares = new Map();
    if (this.reach(this.root, 0) === 0n) return shares;
    passing[this.root] = 1;
    for (let node = this.level.length + 1; node > 1; --node) {
      if (!passing[node]) continue;
      const k = node - 2;
      const [low, high] = this.parts(k);
      if (low + high === 0n) continue;
      const up = passing[node] * share(high, low + high);
      const option = this.options[this.level[k]];
      if (up) addTo(shares, option, up);
      passing[this.hi[k]] += up;
      passing[this.lo[k]] += passing[node] - up;
    }
    return shares;
  }

  // How many solutions leave out the option of a node, and how many contain it.
  parts(k) {
    const option = this.options[this.level[k]];
    const low = this.given.has(option) ? 0n : this.reach(this.lo[k], this.level[k] + 1);
    return [low, this.without.has(option) ? 0n : this.reach(this.hi[k], this.level[k] + 1)];
  }

  // All solutions counted last, as ascending positions of options.
  list() {
    const found = [];
    /** @type {[number, number[]][]} */ const open = [[this.root, []]]; // nodes, with the options chosen above them
    while (open.length) {
      const [node, chosen] = open.pop();
      if (node === 1) found.push(Uint32Array.from(chosen).sort());
      if (node < 2) continue;
      const k = node - 2;
      const [low, high] = this.parts(k);
      if (low !== 0n) open.push([this.lo[k], chosen]);
      if (high !== 0n) open.push([this.hi[k], [...chosen, this.options[this.level[k]]]]);
    }
    return found;
  }

  // A random solution among those counted last, as ascending positions of options.
  sample(random = Math.random) {
    const chosen = [];
    for (let node = this.root; node > 1; ) {
      const k = node - 2;
      const parts = this.parts(k);
      const takesHigh = parts[0] === 0n || (parts[1] !== 0n && random() < share(parts[1], parts[0] + parts[1]));
      if (takesHigh) chosen.push(this.options[this.level[k]]);
      node = takesHigh ? this.hi[k] : this.lo[k];
    }
    return Uint32Array.from(chosen).sort();
  }
}

function share(part, whole) {
  return Number((part << 60n) / whole) / 2 ** 60;
}
