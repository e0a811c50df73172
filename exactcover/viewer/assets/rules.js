// Options that lie nowhere on the board, such as the combinations of digits that a cage can hold. One of them follows
// as soon as it is the only one left for an item; if none is left, what was chosen around it is wrong.

import { Position } from "./position.js";

export class Rules {
  /**
   * @param {any} matrix
   * @param {(option: number) => boolean} isSilent whether an option lies nowhere
   */
  constructor(matrix, isSilent) {
    this.matrix = matrix;
    /** @type {Map<number, number[]>} */ const holders = new Map();
    matrix.rows.forEach((row, option) => {
      for (const [item] of row) (holders.get(item) ?? holders.set(item, []).get(item)).push(option);
    });
    // primary items that are covered by such options alone, such as cages
    this.bare = [...holders].filter(([item, options]) => item < matrix.primary && options.every(isSilent));
    this.holders = holders;
  }

  // The options that follow from what was chosen.
  /**
   * @param {number[]} chosen
   * @param {number[]} without
   */
  imply(chosen, without) {
    /** @type {number[]} */ const found = [];
    while (this.bare.length) {
      const position = new Position(this.matrix, [...chosen, ...found], without);
      const forced = this.bare.find(([item]) => position.numbers[item] === 1 && this.isNeeded(position, item));
      if (forced === undefined) break;
      found.push(forced[1].find((option) => position.live[option]));
    }
    return found;
  }

  isNeeded(position, item) {
    return (position.uses.get(item) ?? 0) < (this.matrix.low[item] ?? 1);
  }

  // The items for which nothing is left.
  listBroken(position) {
    return this.bare
      .filter(([item]) => position.numbers[item] === 0 && this.isNeeded(position, item))
      .map(([item]) => item);
  }

  // The chosen options that share an item with those that would cover a broken item.
  listCulprits(position) {
    const broken = new Set(this.listBroken(position));
    const options = this.bare.flatMap(([item, holders]) => (broken.has(item) ? holders : []));
    const items = new Set(options.flatMap((option) => this.matrix.rows[option].map(([item]) => item)));
    return position.chosen.filter((option) => this.matrix.rows[option].some(([item]) => items.has(item)));
  }
}
