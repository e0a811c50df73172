// Whether a position has a solution, where the page does not contain all of them: Algorithm X over lists.
//
// An item whose options are fewest comes first. Options that conflict with a chosen one die, and come back when the
// choice is taken back. The search pauses often, so that the page stays alive, and ends after a while.

const TURN = 15; // milliseconds until the page gets a turn
const MOST_SHRUNK = 8; // ways to a contradiction of which the one by the fewest items is looked for
const CHECK = 256; // nodes between two looks at the clock

export class Solver {
  /**
   * @param {{rows: number[][][], primary: number, low: Record<number, number>, high: Record<number, number>}} matrix
   */
  constructor({ rows, primary, low, high }) {
    this.rows = rows;
    this.primary = primary;
    /** @type {number[][]} */ this.holders = [];
    rows.forEach((row, option) => row.forEach(([item]) => (this.holders[item] ??= []).push(option)));
    this.low = Array.from({ length: primary }, (_, item) => low[item] ?? 1);
    this.high = Array.from({ length: primary }, (_, item) => high[item] ?? 1);
  }

  // A solution with the options `chosen` and none of `without`, as a list; null if there is none, and undefined if that
  // is not known after `patience` milliseconds.
  async find(chosen, without, patience) {
    return this.begin(chosen, without) ? this.search([...chosen], performance.now() + patience) : null;
  }

  // Whether the options that are chosen fit together.
  begin(chosen, without) {
    this.dead = new Int32Array(this.rows.length); // how often an option was ruled out
    this.left = this.low.map((_, item) => this.holders[item]?.length ?? 0);
    this.uses = new Int32Array(this.primary);
    /** @type {Map<number, number[]>} */ this.colors = new Map();
    for (const option of without) this.kill(option);
    let fits = true;
    for (const option of chosen) {
      fits &&= !this.dead[option];
      this.select(option);
    }
    return fits;
  }

  // The options beside those chosen that leave some items what they need, over and over until nothing changes.
  settle(chosen, without, items) {
    this.begin(chosen, without);
    const isShort = (item) => this.low[item] - this.uses[item] > this.left[item];
    const starves = (option) => {
      this.select(option);
      const found = items.some(isShort);
      this.deselect(option);
      return found;
    };
    let live = [...this.rows.keys()].filter((option) => !this.dead[option]);
    for (let wrong = live; wrong.length; live = live.filter((option) => !this.dead[option])) {
      wrong = live.filter(starves);
      for (const option of wrong) this.kill(option);
    }
    return live;
  }

  // What an option would force by some items, each with the item that has no other option left, until an item is left
  // with too few; null if none is.
  /**
   * @param {number} option
   * @param {number[]} items
   * @returns {{chain: [number, number][], short: number} | null}
   */
  refute(option, items) {
    /** @type {[number, number][]} */ const taken = [];
    /** @type {number | undefined} */ let short;
    /** @type {[number, number][]} */ let next = [[option, -1]];
    while (next.length && short === undefined) {
      for (const [one, item] of next) {
        if (this.dead[one]) continue;
        this.select(one);
        taken.push([one, item]);
      }
      const needing = items.filter((item) => this.low[item] > this.uses[item]);
      const need = (item) => this.low[item] - this.uses[item];
      short = needing.find((item) => this.left[item] < need(item));
      const tight = needing.filter((item) => this.left[item] === need(item));
      next = [];
      for (const item of tight) for (const one of this.liveOptions(item)) next.push([one, item]);
    }
    for (const [one] of [...taken].reverse()) this.deselect(one);
    return short === undefined ? null : { chain: taken.slice(1), short };
  }

  // An option that leads to a contradiction by few items, how, and all that do so by these; null if none is found.
  findRefutation(chosen, without, patience) {
    if (!this.begin(chosen, without)) return null;
    const end = performance.now() + patience;
    const open = this.low.flatMap((low, item) => (low > this.uses[item] ? [item] : []));
    open.sort((one, other) => this.left[one] - this.left[other]);
    /** @type {{option: number, items: number[]}[]} */ const found = [];
    for (let option = 0; option < this.rows.length && performance.now() < end; ++option) {
      const way = this.dead[option] ? null : this.refute(option, open);
      if (way) found.push({ option, items: [...new Set([...way.chain.map(([, item]) => item), way.short])] });
    }
    const size = (items) => items.reduce((sum, item) => sum + this.left[item], 0);
    const shortest = found.sort((one, other) => one.items.length - other.items.length).slice(0, MOST_SHRUNK);
    const shrunk = shortest.map(({ option, items }) => ({ option, items: this.shrink(option, items) }));
    const [best] = shrunk.sort((one, other) => size(one.items) - size(other.items));
    const way = best && this.refute(best.option, best.items);
    if (!way) return null;
    const isRefuted = (option) => !this.dead[option] && this.refute(option, best.items);
    return { ...best, ...way, excluded: [...this.rows.keys()].filter(isRefuted) };
  }

  // Items by which an option leads to a contradiction, of which none can be left out.
  shrink(option, items) {
    const needs = (some, item) => !this.refute(option, some.filter((one) => one !== item));
    return items.reduce((some, item) => (needs(some, item) ? some : some.filter((one) => one !== item)), items);
  }

  async search(path, end) {
    /** @type {{options: number[], place: number, undo: number[]}[]} */ const open = [];
    let turn = performance.now() + TURN;
    for (let nodes = 1; ; ++nodes) {
      const item = this.pick();
      if (item < 0) return path;
      open.push({ options: this.liveOptions(item), place: 0, undo: [] });
      while (!this.advance(open.at(-1), path)) {
        this.leave(open.pop());
        if (!open.length) return null;
        this.back(open.at(-1), path);
      }
      if (nodes % CHECK) continue;
      const now = performance.now();
      if (now > end) return undefined;
      if (now < turn) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now() + TURN;
    }
  }

  // The item that still needs options and has fewest to spare; -1 if none needs any.
  pick() {
    let [best, least] = [-1, Infinity];
    for (let item = 0; item < this.primary && least >= 0; ++item) {
      const need = this.low[item] - this.uses[item];
      if (need > 0 && this.left[item] - need < least) [best, least] = [item, this.left[item] - need];
    }
    return best;
  }

  liveOptions(item) {
    const need = this.low[item] - this.uses[item];
    return this.left[item] < need ? [] : this.holders[item].filter((option) => !this.dead[option]);
  }

  // Choose the next option of a node; those before are left out.
  advance(node, path) {
    if (node.place >= node.options.length) return false;
    const option = node.options[node.place++];
    path.push(option);
    this.select(option);
    return true;
  }

  back(node, path) {
    const option = path.pop();
    this.deselect(option);
    this.kill(option);
    node.undo.push(option);
  }

  leave(node) {
    for (const option of node.undo) this.revive(option);
  }

  select(option) {
    this.change(option, 1, (other) => this.kill(other));
  }

  deselect(option) {
    this.change(option, -1, (other) => this.revive(other));
  }

  // The same options die when an option is chosen as come back when it is taken back.
  change(option, step, act) {
    act(option);
    for (const [item, color] of this.rows[option]) {
      if (item < this.primary) {
        if (step > 0) this.uses[item] += 1;
        if (this.uses[item] === this.high[item]) for (const other of this.holders[item]) act(other);
        if (step < 0) this.uses[item] -= 1;
      } else
        for (const other of this.holders[item]) {
          const theirs = this.rows[other].find(([one]) => one === item)[1];
          if (color === 0 || theirs !== color) act(other);
        }
    }
  }

  kill(option) {
    if (this.dead[option]++) return;
    for (const [item] of this.rows[option]) if (item < this.primary) --this.left[item];
  }

  revive(option) {
    if (--this.dead[option]) return;
    for (const [item] of this.rows[option]) if (item < this.primary) ++this.left[item];
  }
}
