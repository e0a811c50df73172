// What is left of a problem after options are chosen, while others are left out.

import { addTo, pushTo, sum } from "./data.js";
import { findBroken, GraphRule } from "./graphs.js";

// What some options cost together; undefined without costs.
export function costOf({ costs }, options) {
  return costs ? sum(Array.from(options, (option) => costs[option])) : undefined;
}

export class Position {
  constructor({ rows, primary, low, high, excluded, rules = [] }, chosen, left) {
    this.chosen = chosen;
    this.rules = rules;
    this.uses = new Map();
    const colors = new Map();
    for (const option of chosen)
      for (const [item, color] of rows[option]) {
        addTo(this.uses, item);
        if (item >= primary) colors.set(item, color);
      }
    const taken = new Set([...chosen, ...excluded, ...left]);
    const fits = ([item, color]) =>
      item < primary
        ? (this.uses.get(item) ?? 0) < (high[item] ?? 1)
        : !colors.has(item) || (color !== 0 && colors.get(item) === color);
    this.live = rows.map(
      (row, option) => !taken.has(option) && row.some(([item]) => item < primary) && row.every(fits),
    );
    this.numbers = new Array(primary).fill(0);
    rows.forEach((row, option) => this.live[option] && row.forEach(([item]) => item < primary && ++this.numbers[item]));
    this.isOpen = (item) =>
      (this.uses.get(item) ?? 0) < (this.numbers[item] > 0 ? (high[item] ?? 1) : (low[item] ?? 1));
    // a colored item stays open for other options of its color
    this.isCovered = (item) =>
      item < primary ? (this.uses.get(item) ?? 0) >= (high[item] ?? 1) : colors.get(item) === 0;
    this.conflicts = this.findConflicts(rows, primary, high);
    this.isSolved =
      !this.conflicts.size &&
      Array.from({ length: primary }, (_, item) => (this.uses.get(item) ?? 0) >= (low[item] ?? 1)).every(Boolean) &&
      this.findBroken(() => false) === null;
    this.options = (item) =>
      rows.flatMap((row, option) => (this.live[option] && row.some(([one]) => one === item) ? [option] : []));
  }

  // What breaks a rule about a graph, whatever else is chosen of what is left; null if nothing is known to.
  get broken() {
    return this.findBroken((option) => this.live[option]);
  }

  /** @param {(option: number) => boolean} mayBe @returns {import("./graphs.js").Broken | null} */
  findBroken(mayBe) {
    const chosen = new Set(this.chosen);
    return findBroken(this.rules.map((rule) => new GraphRule(rule)), (option) => chosen.has(option), mayBe);
  }

  // The chosen options that cannot be chosen together, each with the items over which they conflict.
  findConflicts(rows, primary, high) {
    const holders = new Map();
    for (const option of this.chosen)
      for (const [item, color] of rows[option])
        pushTo(holders, item, [option, color]);
    const found = new Map();
    for (const [item, uses] of holders) {
      const isWrong =
        item < primary
          ? uses.length > (high[item] ?? 1)
          : uses.length > 1 && uses.some(([, color]) => color === 0 || color !== uses[0][1]);
      if (isWrong) for (const [option] of uses) pushTo(found, option, item);
    }
    return found;
  }
}
