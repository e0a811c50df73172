// Hints about lines: one that must be drawn, or cannot be, because the opposite leads to a contradiction. What is
// supposed goes from place to place: a line is decided as soon as all options left at one of its ends agree on it.

import { Solver } from "./solver.js";

const LINE_PATIENCE = 500; // milliseconds

/**
 * That a line is drawn, or left out: the number of the line, its name, and the options that this leaves out.
 * @typedef {{place: number, name: string, isDrawn: boolean, leavesOut: number[]}} Supposition
 */

export class LineSolver extends Solver {
  /** @param {any} matrix @param {{name: string, drawers: Set<number>, others: number[]}[]} lines */
  constructor(matrix, lines) {
    super(matrix);
    this.touched = new Set(); // items that have lost options
    this.drawers = lines.map(({ drawers }) => drawers);
    /** @type {[Supposition, Supposition][]} */ this.choices = lines.map(({ name, drawers, others }, place) => [
      { place, name, isDrawn: true, leavesOut: others },
      { place, name, isDrawn: false, leavesOut: [...drawers] },
    ]);
    const known = lines.map(({ drawers, others }) => new Set([...drawers, ...others]));
    const isOf = (item) => (place) => this.holders[item]?.every((option) => known[place].has(option));
    this.linesOf = this.low.map((_, item) => [...known.keys()].filter(isOf(item)));
  }

  // The supposition that is refuted in the simplest way, or else what a solution has; `isOpen` tells which lines are.
  /** @returns {import("./advisor.js").Hint} */
  advise(chosen, without, { solution, isOnly }, isOpen) {
    this.begin(chosen, without);
    const isLive = ({ leavesOut }) => leavesOut.some((option) => !this.dead[option]);
    const both = this.choices.filter(([, out], line) => isOpen(line) && isLive(out));
    const open = both.flat().filter(isLive);
    const found = this.findRefutation(chosen, without, LINE_PATIENCE, open);
    const isChosen = ({ isDrawn, leavesOut }) => !isDrawn && solution?.some((option) => leavesOut.includes(option));
    const supposed = found ? found.supposed : open.find(isChosen);
    if (!supposed) return { reason: { kind: "unknown" }, option: null, item: null };
    /** @type {import("./advisor.js").Reason} */ let reason = { kind: "solution", isOnly, supposed };
    if (found) {
      const lines = found.chain.map(([one]) => one).filter((one) => typeof one !== "number");
      reason = { kind: "chain", supposed, lines, ...this.stateBroken(found.broken) };
    }
    return { reason, option: null, item: found?.short ?? null };
  }

  kill(option) {
    if (!this.dead[option]) for (const [item] of this.rows[option]) if (item < this.primary) this.touched.add(item);
    super.kill(option);
  }

  refute(supposed, items, isLong = true) {
    this.touched.clear();
    return super.refute(supposed, items, isLong);
  }

  // The lines that items decide which have lost options, before options.
  listForced(needing) {
    /** @type {[Supposition | number, number][]} */ const forced = [];
    for (const item of needing.filter((one) => this.touched.has(one))) {
      const live = this.liveOptions(item);
      for (const line of live.length ? this.linesOf[item] : []) {
        const drawn = live.filter((option) => this.drawers[line].has(option)).length;
        if (drawn === live.length) forced.push([this.choices[line][0], item]);
        else if (drawn === 0) forced.push([this.choices[line][1], item]);
      }
    }
    this.touched.clear();
    return [...forced, ...super.listForced(needing)];
  }

  // How lines break a rule, if they do, as parts of a reason.
  /** @param {import("./graphs.js").Broken | null} broken */
  stateBroken(broken) {
    if (!broken) return { broken: [] };
    const { text, switches } = broken;
    const isLine = (options) => this.drawers.some((drawers) => options.every((option) => drawers.has(option)));
    return { broken: [switches.some(isLine) ? `the green lines are wrong: ${text}` : text], switches };
  }
}
