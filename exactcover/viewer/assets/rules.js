// Options that lie nowhere on the board, such as the combinations of digits that a cage can hold. One of them follows
// as soon as it is the only one left for an item; if none is left, what was chosen around it is wrong.

import { Position } from "./position.js";
import { Solver } from "./solver.js";

export class Rules {
  /** @param {any} matrix @param {(option: number) => boolean} isSilent whether an option lies nowhere */
  constructor(matrix, isSilent) {
    this.matrix = matrix;
    this.solver = new Solver(matrix);
    const isBare = (options, item) => item < matrix.primary && options.every(isSilent);
    // primary items that are covered by such options alone, such as cages
    this.bare = this.solver.holders.flatMap((options, item) => (isBare(options, item) ? [{ item, options }] : []));
    this.around = [...new Set(matrix.rows.filter((_, option) => isSilent(option)).flat().map(([item]) => item))];
  }

  // The options that follow from what was chosen.
  /** @param {number[]} chosen @param {number[]} without */
  imply(chosen, without) {
    /** @type {number[]} */ const found = [];
    while (this.bare.length) {
      const position = new Position(this.matrix, [...chosen, ...found], without);
      const forced = this.listNeeding(position, 1)[0];
      if (forced === undefined) break;
      found.push(forced.options.find((option) => position.live[option]));
    }
    return found;
  }

  // The items that need more options, with those that cover them, if so many are left.
  listNeeding({ numbers, uses }, left) {
    const need = (item) => (this.matrix.low[item] ?? 1) - (uses.get(item) ?? 0);
    return this.bare.filter(({ item }) => numbers[item] === left && need(item) > 0);
  }

  // The chosen options that share an item with those that would cover a broken item.
  listCulprits(position) {
    const options = this.listNeeding(position, 0).flatMap((broken) => broken.options);
    const items = new Set(options.flatMap((option) => this.matrix.rows[option].map(([item]) => item)));
    return position.chosen.filter((option) => this.matrix.rows[option].some(([item]) => items.has(item)));
  }
}
