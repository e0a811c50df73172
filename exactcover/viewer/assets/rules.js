// Options that lie nowhere on the board, such as the combinations of digits that a cage can hold. One of them follows
// as soon as it is the only one left for an item; if none is left, what was chosen around it is wrong. Other options
// are ruled out if they leave none.

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
    this.around = [...new Set(matrix.rows.filter((_, option) => isSilent(option)).flat().map(([item]) => item))];
  }

  // The options, among some, that leave enough for each of `items`, over and over until nothing changes.
  /**
   * @param {Position} position
   * @param {Iterable<number>} among
   * @param {number[]} items
   */
  settle(position, among, items) {
    const live = new Set([...among].filter((option) => position.live[option]));
    const isLive = (option) => live.has(option);
    const spare = new Map(
      items
        .map((item) => /** @type {[number, number]} */ ([item, this.needOf(position, item)]))
        .filter(([, need]) => need > 0)
        .map(([item, need]) => [item, (this.holders.get(item) ?? []).filter(isLive).length - need]),
    );
    const starves = (option) => {
      const own = new Set(this.matrix.rows[option].map(([item]) => item));
      const lost = new Map();
      for (const rival of this.listRivals(position, option))
        if (isLive(rival))
          for (const [item] of this.matrix.rows[rival]) if (!own.has(item)) lost.set(item, (lost.get(item) ?? 0) + 1);
      return [...lost].some(([item, count]) => count > spare.get(item));
    };
    const leave = (option) => {
      live.delete(option);
      for (const [item] of this.matrix.rows[option]) spare.set(item, spare.get(item) - 1);
    };
    for (let before = -1; before !== live.size; ) {
      before = live.size;
      for (const option of live) if (starves(option)) leave(option);
    }
    return live;
  }

  // The options that cannot be chosen beside one.
  listRivals(position, option) {
    const { rows, primary, high } = this.matrix;
    const isFull = (item) => (position.uses.get(item) ?? 0) + 1 >= (high[item] ?? 1);
    const colorOf = (other, item) => rows[other].find(([one]) => one === item)[1];
    return new Set(
      rows[option].flatMap(([item, color]) => {
        if (item < primary) return isFull(item) ? this.holders.get(item) : [];
        return this.holders.get(item).filter((other) => color === 0 || colorOf(other, item) !== color);
      }),
    );
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
      const forced = this.bare.find(([item]) => position.numbers[item] === 1 && this.needOf(position, item) > 0);
      if (forced === undefined) break;
      found.push(forced[1].find((option) => position.live[option]));
    }
    return found;
  }

  needOf({ uses }, item) {
    return item < this.matrix.primary ? (this.matrix.low[item] ?? 1) - (uses.get(item) ?? 0) : 0;
  }

  // The items for which nothing is left.
  listBroken(position) {
    return this.bare
      .filter(([item]) => position.numbers[item] === 0 && this.needOf(position, item) > 0)
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
