// Whether a position has a solution, where the page does not contain all of them: Algorithm X over lists.
//
// An item whose options are fewest comes first. Options that conflict with a chosen one die, and come back when the
// choice is taken back. Each node is a look at the rules about graphs. The search pauses often, so that the page stays
// alive, and ends after a while.

import { findBroken, GraphRule } from "./graphs.js";

const TURN = 15; // milliseconds until the page gets a turn
const MOST_SHRUNK = 8; // ways to a contradiction of which the one by the fewest items is looked for
const CHECK = 256; // nodes between two looks at the clock

export class Solver {
  /**
   * @param {{rows: number[][][], primary: number, low: Record<number, number>, high: Record<number, number>,
   *   rules?: import("./graphs.js").Stated[]}} matrix
   */
  constructor({ rows, primary, low, high, rules = [] }) {
    this.rows = rows;
    this.rules = rules.map((rule) => new GraphRule(rule));
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
    this.taken = new Uint8Array(this.rows.length);
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
  // with too few, or a rule is broken; null if none is. A list stands for leaving out all of its options.
  /**
   * @param {number | number[]} supposed
   * @param {number[]} items
   * @returns {{chain: [number, number][], short?: number, broken: import("./graphs.js").Broken | null} | null}
   */
  refute(supposed, items) {
    /** @type {[number, number][]} */ const taken = [];
    /** @type {number | undefined} */ let short;
    /** @type {import("./graphs.js").Broken | null} */ let broken = null;
    /** @type {[number, number][]} */ let next = [];
    const out = Array.isArray(supposed) ? supposed : [];
    if (!Array.isArray(supposed)) next.push([supposed, -1]);
    for (const one of out) this.kill(one);
    do {
      for (const [one, item] of next) {
        if (this.dead[one]) continue;
        this.select(one);
        taken.push([one, item]);
      }
      const needing = items.filter((item) => this.low[item] > this.uses[item]);
      const need = (item) => this.low[item] - this.uses[item];
      short = needing.find((item) => this.left[item] < need(item));
      if (short === undefined) broken = this.findBroken((one) => !this.dead[one]);
      const tight = needing.filter((item) => this.left[item] === need(item));
      next = [];
      for (const item of tight) for (const one of this.liveOptions(item)) next.push([one, item]);
    } while (next.length && short === undefined && broken === null);
    for (const [one] of [...taken].reverse()) this.deselect(one);
    for (const one of out) this.revive(one);
    if (short === undefined && broken === null) return null;
    return { chain: taken.filter(([one]) => one !== supposed), short, broken };
  }

  // An option that leads to a contradiction by few items, how, and all that do so by these; null if none is found. In
  // place of options, other things can be supposed, each as a list of options that it leaves out.
  /**
   * @param {number[]} chosen
   * @param {number[]} without
   * @param {number} patience
   * @param {(number | number[])[]} all
   */
  findRefutation(chosen, without, patience, all = [...this.rows.keys()]) {
    if (!this.begin(chosen, without)) return null;
    const end = performance.now() + patience;
    const open = this.low.flatMap((low, item) => (low > this.uses[item] ? [item] : []));
    open.sort((one, other) => this.left[one] - this.left[other]);
    /** @type {{supposed: number | number[], items: number[]}[]} */ const found = [];
    const isDead = (supposed) => !Array.isArray(supposed) && this.dead[supposed] > 0;
    for (const supposed of all) {
      if (performance.now() > end) break;
      const way = isDead(supposed) ? null : this.refute(supposed, open);
      const items = way?.chain.map(([, item]) => item) ?? [];
      if (way) found.push({ supposed, items: [...new Set(way.broken ? items : [...items, way.short])] });
    }
    const size = (items) => items.reduce((sum, item) => sum + this.left[item], 0);
    const shortest = found.sort((one, other) => one.items.length - other.items.length).slice(0, MOST_SHRUNK);
    const shrunk = shortest.map(({ supposed, items }) => ({ supposed, items: this.shrink(supposed, items) }));
    const [best] = shrunk.sort((one, other) => size(one.items) - size(other.items));
    const way = best && this.refute(best.supposed, best.items);
    return way ? { ...best, ...way, refuted: all.filter((one) => !isDead(one) && this.refute(one, best.items)) } : null;
  }

  // Items by which something leads to a contradiction, of which none can be left out.
  shrink(supposed, items) {
    const needs = (some, item) => !this.refute(supposed, some.filter((one) => one !== item));
    return items.reduce((some, item) => (needs(some, item) ? some : some.filter((one) => one !== item)), items);
  }

  async search(path, end) {
    /** @type {{options: number[], place: number, undo: number[]}[]} */ const open = [];
    let turn = performance.now() + TURN;
    for (let nodes = 1; ; ++nodes) {
      const item = this.pick();
      if (item < 0 && !this.findBroken(() => false)) return path;
      const isOver = this.findBroken((one) => !this.dead[one]) !== null;
      open.push({ options: isOver ? [] : item < 0 ? this.listMore() : this.liveOptions(item), place: 0, undo: [] });
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

  // What breaks a rule about a graph, whatever else is chosen of the options that may be.
  /** @param {(option: number) => boolean} mayBe */
  findBroken(mayBe) {
    return findBroken(this.rules, (option) => this.taken[option] > 0, mayBe);
  }

  // The options left where no item needs one, though rules may.
  listMore() {
    const isLeft = (row, option) => !this.dead[option] && row.some(([item]) => item < this.primary);
    return [...this.rows.keys()].filter((option) => isLeft(this.rows[option], option));
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
    this.taken[option] += step;
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
