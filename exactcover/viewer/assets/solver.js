// Whether a position has a solution, where the page does not contain all of them: Algorithm X over lists.
//
// An item whose options are fewest comes first. Options that conflict with a chosen one die, and come back when the
// choice is taken back. Each node is a look at the rules about graphs. The search pauses often, so that the page stays
// alive, and ends after a while.

import { sum } from "./data.js";
import { findBroken, GraphRule } from "./graphs.js";

const TURN = 15; // milliseconds until the page gets a turn
const MOST_SHRUNK = 8; // ways to a contradiction of which the one by the fewest items is looked for
const CHECK = 256; // nodes between two pauses

/**
 * An option, or something that leaves options out, such as a line.
 * @typedef {number | import("./line_hints.js").Supposition} Supposed
 *
 * What something supposed would force, each with the item that leaves nothing else, until an item is left with too few
 * options, or a rule is broken.
 * @typedef {{chain: [Supposed, number][], short?: number, broken: import("./graphs.js").Broken | null}} Way
 */

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
    if (!this.begin(chosen, without)) return null;
    const search = this.search([...chosen]);
    const end = performance.now() + patience;
    for (let turn = performance.now() + TURN; ; ) {
      const { done, value } = search.next();
      if (done) return value;
      const now = performance.now();
      if (now > end) return undefined;
      if (now < turn) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now() + TURN;
    }
  }

  // The same at once, where few options are left; null also if that takes long.
  findSoon(chosen, without) {
    return (this.begin(chosen, without) && this.search([...chosen]).next().value) || null;
  }

  // Whether the options that are chosen fit together.
  begin(chosen, without) {
    this.dead = new Int32Array(this.rows.length); // how often an option was ruled out
    this.taken = new Uint8Array(this.rows.length);
    this.left = this.low.map((_, item) => this.holders[item]?.length ?? 0);
    this.uses = new Int32Array(this.primary);
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

  // The options that follow from those chosen because some items have no others left, one after another.
  force(chosen, without, items = [...this.low.keys()]) {
    this.begin(chosen, without);
    const isForced = (item) => this.low[item] > this.uses[item] && this.isTight(item);
    /** @type {number[]} */ const found = [];
    for (let item = items.find(isForced); item !== undefined; item = items.find(isForced)) {
      const [option] = this.liveOptions(item);
      this.select(option);
      found.push(option);
    }
    return found;
  }

  // How something supposed leads to a contradiction by some items; null if it does not. Unless `isLong`, nothing may be
  // forced.
  /** @param {Supposed} supposed @param {number[]} items @returns {Way | null} */
  refute(supposed, items, isLong = true) {
    /** @type {[Supposed, number][]} */ const taken = [];
    /** @type {number | undefined} */ let short;
    /** @type {import("./graphs.js").Broken | null} */ let broken = null;
    /** @type {[Supposed, number][]} */ let next = [[supposed, -1]];
    do {
      for (const [one, item] of next) if (this.take(one)) taken.push([one, item]);
      const needing = items.filter((item) => this.low[item] > this.uses[item]);
      short = needing.find((item) => this.left[item] < this.low[item] - this.uses[item]);
      if (short === undefined) broken = this.findBroken((one) => !this.dead[one]);
      next = short === undefined && broken === null && isLong ? this.listForced(needing) : [];
    } while (next.length);
    for (const [one] of taken.reverse()) this.takeBack(one);
    if (short === undefined && broken === null) return null;
    return { chain: taken.reverse().filter(([one]) => one !== supposed), short, broken };
  }

  // The options that items need, because they have no others left.
  /** @returns {[Supposed, number][]} */
  listForced(needing) {
    const tight = needing.filter((item) => this.isTight(item));
    return tight.flatMap((item) => this.liveOptions(item).map((option) => [option, item]));
  }

  // Choose an option, or leave some out; false if that changes nothing.
  /** @param {Supposed} one */
  take(one) {
    if (typeof one !== "number") {
      if (one.leavesOut.every((option) => this.dead[option])) return false;
      for (const option of one.leavesOut) this.kill(option);
    } else if (this.dead[one]) return false;
    else this.select(one);
    return true;
  }

  /** @param {Supposed} one */
  takeBack(one) {
    if (typeof one === "number") this.deselect(one);
    else for (const option of one.leavesOut) this.revive(option);
  }

  // An option that leads to a contradiction in the simplest way, how, and all that do so by these items; null if none
  // is found. In place of options, other things can be supposed.
  /** @param {number[]} chosen @param {number[]} without @param {number} patience @param {Supposed[]} all */
  findRefutation(chosen, without, patience, all = [...this.rows.keys()]) {
    if (!this.begin(chosen, without)) return null;
    const open = this.listOpen();
    const isDead = (supposed) => typeof supposed === "number" && this.dead[supposed] > 0;
    const easier = (one, other) => one.difficulty - other.difficulty;
    /** @type {{supposed: Supposed, items: number[], difficulty: number}[]} */ const found = [];
    for (const isLong of [false, true]) {
      const end = performance.now() + patience;
      for (const supposed of found.length ? [] : all) {
        if (performance.now() > end) break;
        const way = isDead(supposed) ? null : this.refute(supposed, open, isLong);
        if (!way) continue;
        const items = listItems(way);
        found.push({ supposed, items, difficulty: this.rate(way, items) });
      }
    }
    const shrink = ({ supposed, items: all }) => {
      const items = this.shrink(supposed, all);
      const way = this.refute(supposed, items);
      return { supposed, items, ...way, difficulty: this.rate(way, items) };
    };
    const [best] = found.sort(easier).slice(0, MOST_SHRUNK).map(shrink).sort(easier);
    if (!best) return null;
    return { ...best, refuted: all.filter((one) => !isDead(one) && this.refute(one, best.items)) };
  }

  // How one option leads to a contradiction; null if it does not by what it forces alone.
  refuteAlone(option, chosen, without) {
    const way = this.begin(chosen, without) && !this.dead[option] ? this.refute(option, this.listOpen()) : null;
    return way && this.refute(option, this.shrink(option, listItems(way)));
  }

  // The items that need more options, the easiest ones to see first.
  listOpen() {
    const open = this.low.flatMap((low, item) => (low > this.uses[item] ? [item] : []));
    return open.sort((one, other) => this.rateBlock(one) - this.rateBlock(other) || this.left[one] - this.left[other]);
  }

  // How difficult a way to a contradiction is: as for the steps without a guess that commands show.
  rate({ chain, broken }, items) {
    if (chain.length) return 3 + Math.log2(sum(items.map((item) => this.left[item])) / 2);
    if (broken) return 2.5;
    return items.every((item) => this.isTight(item)) ? 1 : this.rateBlock(items[0]);
  }

  // How difficult it is to see that an option would leave nothing for an item.
  /** @param {number} _item */
  rateBlock(_item) {
    return 2;
  }

  // Whether an item has only as many options as it needs.
  isTight(item) {
    return this.left[item] === this.low[item] - this.uses[item];
  }

  // Items by which something leads to a contradiction, of which none can be left out.
  shrink(supposed, items) {
    const needs = (some, item) => !this.refute(supposed, some.filter((one) => one !== item));
    return items.reduce((some, item) => (needs(some, item) ? some : some.filter((one) => one !== item)), items);
  }

  // A search from what is chosen, which pauses often: at last a solution, or null.
  *search(path) {
    /** @type {{options: number[], place: number, undo: number[]}[]} */ const open = [];
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
      if (nodes % CHECK === 0) yield;
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

// The items by which something leads to a contradiction.
/** @param {Way} way */
function listItems({ chain, broken, short }) {
  return [...new Set([...chain.map(([, item]) => item), ...(broken ? [] : [short])])];
}
