// What is left of a problem after options are chosen, while others are left out.

import { pushTo, sum } from "./data.js";
import { Solver } from "./solver.js";

// What some options cost together; undefined without costs.
export function costOf({ costs }, options) {
  return costs ? sum(Array.from(options, (option) => costs[option])) : undefined;
}

export class Position {
  constructor(matrix, chosen, without) {
    const { rows, primary, excluded } = matrix;
    const solver = new Solver(matrix);
    solver.begin(chosen, [...excluded, ...without]);
    const { low, high, uses } = solver;
    this.chosen = chosen;
    this.solver = solver;
    this.live = rows.map((row, option) => !solver.dead[option] && row.some(([item]) => item < primary));
    this.numbers = solver.left; // of live options, by item
    this.needs = low.map((least, item) => least - uses[item]);
    this.isOpen = (item) => uses[item] < (this.numbers[item] > 0 ? high[item] : low[item]);
    const whole = new Set(chosen.flatMap((option) => rows[option]).flatMap(([item, color]) => (color ? [] : [item])));
    // a colored item stays open for other options of its color
    this.isCovered = (item) => (item < primary ? uses[item] >= high[item] : whole.has(item));
    this.conflicts = this.findConflicts(rows, primary, high);
    this.isSolved =
      !this.conflicts.size && this.needs.every((need) => need <= 0) && solver.findBroken(() => false) === null;
    this.options = (item) =>
      rows.flatMap((row, option) => (this.live[option] && row.some(([one]) => one === item) ? [option] : []));
  }

  // What breaks a rule about a graph, whatever else is chosen of what is left; null if nothing is known to.
  get broken() {
    return this.solver.findBroken((option) => this.live[option]);
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
          ? uses.length > high[item]
          : uses.length > 1 && uses.some(([, color]) => color === 0 || color !== uses[0][1]);
      if (isWrong) for (const [option] of uses) pushTo(found, option, item);
    }
    return found;
  }
}
