// Techniques: the names that steps have among those who solve such puzzles, and the subsets that have names.

import { pushTo } from "./data.js";

const SIZES = ["", "", "pair", "triple", "quadruple"]; // as subsets of singles are called
const FISH = ["", "", "X-wing", "swordfish", "jellyfish"];

/**
 * Items that take all that as many others allow, so that the options `excluded` are left with nothing.
 * @typedef {{name: string, truths: number[], links: number[], excluded: number[]}} Subset
 */

export class Techniques {
  // `techniques` are the names of a family, as exactcover/viewer/view.py describes them; null if it has none.
  constructor({ items, matrix, techniques }) {
    this.known = techniques ?? null;
    this.items = items;
    this.matrix = matrix;
  }

  // The name of a step about an item, one that is the `last` option or a `block`, and how difficult that is.
  find(kind, item) {
    return this.known?.names[parseInt(this.known[kind][item], 36)] ?? ["", 0];
  }

  name(kind, item) {
    return this.find(kind, item)[0];
  }

  // The simplest subset that excludes an option: of at most four cells of a house, houses of one kind for a symbol, or
  // symbols in a house.
  /** @param {import("./position.js").Position} position @returns {Subset | null} */
  findSubset(position) {
    if (!this.known) return null;
    const [houses, lines] = this.listPairs(position);
    const turn = (pairs) => pairs.map(([one, other]) => [other, one]);
    const kinds = (size) => [
      ...houses.map((pairs) => [`naked ${SIZES[size]}`, pairs]),
      ...lines.flatMap((pairs) => [pairs, turn(pairs)].map((some) => [this.nameFish(some[0], size), some])),
      ...houses.map((pairs) => [`hidden ${SIZES[size]}`, turn(pairs)]),
    ];
    for (const size of [2, 3, 4])
      for (const [name, pairs] of kinds(size))
        for (const found of findClosed(pairs, size, position.numbers)) {
          const excluded = this.exclude(position, found);
          if (excluded.length) return { name, ...found, excluded };
        }
    return null;
  }

  // The name of a chain by the items that it rests on, as problems/squares.py has it; empty for none.
  nameChain(items, optionsLeft) {
    const truths = this.known ? items.map((item) => this.describe(item)) : [];
    const [kinds, symbols] = ["kind", "symbol"].map((key) => new Set(truths.map((truth) => truth[key])));
    if (!truths.length || kinds.has("other") || kinds.has("cage")) return "";
    const left = items.map(optionsLeft);
    const size = items.length;
    const total = left.flat().length;
    const isPlain = total === 2 * size; // each has two options
    if (kinds.size === 1 && kinds.has("cell") && size === 3 && total <= 7) return isPlain ? "XY-wing" : "XYZ-wing";
    if (symbols.size === 1 && !kinds.has("cell")) return nameChainOfSymbol(size, kinds, isPlain);
    if (!isPlain) return "dynamic chain";
    if (size === 3 && truths.map(({ kind }) => kind === "cell").join() === "true,true,false") {
      const [one, other] = left.map((options) => options.map((option) => this.symbolOf(option)).sort().join());
      return one === other ? "W-wing" : "forcing chain";
    }
    return kinds.size === 1 && kinds.has("cell") ? "XY-chain" : "forcing chain";
  }

  // The kind of an item, and its symbol: `row` and `7` for "7 in row 3".
  describe(item) {
    const [symbol, house] = this.split(item);
    if (house) return { kind: house.replace(/^the /, "").split(" ")[0], symbol };
    return { kind: this.name("last", item) === "naked single" ? "cell" : "other", symbol: "" };
  }

  symbolOf(option) {
    const found = this.matrix.rows[option].map(([item]) => this.split(item)).find(([, house]) => house);
    return found?.[0] ?? "";
  }

  nameFish([truth, link], size) {
    const kinds = [truth, link].map((item) => this.describe(item).kind);
    return kinds.sort().join() === "column,row" ? FISH[size] : `${this.describe(truth).kind} ${SIZES[size]}`;
  }

  // What can be where, in groups of pairs of items: cells and symbols of a house; houses of two kinds for a symbol.
  listPairs(position) {
    const { rows, primary, low, high } = this.matrix;
    const needsOne = (item) => item < primary && (low[item] ?? 1) === 1 && (high[item] ?? 1) === 1;
    const isSingle = (item, word) => needsOne(item) && this.name("last", item) === `${word} single`;
    const [houses, lines] = [new Map(), new Map()];
    rows.forEach((row, option) => {
      const items = position.live[option] ? row.map(([item]) => item) : [];
      const cell = items.find((item) => isSingle(item, "naked"));
      const symbols = items.filter((item) => isSingle(item, "hidden"));
      for (const item of cell === undefined ? [] : symbols) pushTo(houses, this.split(item)[1], [cell, item]);
      symbols.forEach((one, k) => {
        for (const other of symbols.slice(k + 1)) {
          const [first, second] = [one, other].map((item) => this.describe(item));
          const isFish = first.symbol === second.symbol && first.kind !== second.kind;
          if (isFish) pushTo(lines, [first.symbol, first.kind, second.kind].join(), [one, other]);
        }
      });
    });
    return [houses, lines].map((groups) => [...groups.values()]);
  }

  // The symbol and the house of an item like "7 in row 3".
  split(item) {
    return this.items[item].split(" in ");
  }

  // The options left that take what a subset needs.
  exclude({ live }, { truths, links }) {
    const covers = (row, some) => row.some(([item]) => some.includes(item));
    return this.matrix.rows.flatMap((row, option) =>
      live[option] && covers(row, links) && !covers(row, truths) ? [option] : [],
    );
  }
}

// The name of a chain whose items are places of one symbol.
function nameChainOfSymbol(size, kinds, isPlain) {
  const is = (...some) => kinds.size === some.length && some.every((kind) => kinds.has(kind));
  const isFish = is("row") || is("column");
  if (isPlain && size === 2) return isFish ? "skyscraper" : is("row", "column") ? "two-string kite" : "turbot fish";
  if (!isPlain && size === 2 && (is("box", "row") || is("box", "column"))) return "empty rectangle";
  return !isPlain && isFish && FISH[size] ? `finned ${FISH[size]}` : "X-chain";
}

// Some of those that pairs begin with, which have as many others beside them, all together. There is a pair for each of
// their options, of which `numbers` are left, or else they may be elsewhere.
function* findClosed(pairs, size, numbers) {
  const beside = new Map();
  for (const [one, other] of pairs) pushTo(beside, one, other);
  const whole = [...beside].filter(([one, others]) => others.length === numbers[one]);
  const distinct = whole.map(([one, others]) => [one, new Set(others)]);
  const small = distinct.filter(([, others]) => others.size > 1 && others.size <= size);
  yield* extend([], new Set(), 0);

  function* extend(truths, links, next) {
    if (truths.length === size) yield { truths, links: [...links] };
    else
      for (let k = next; k < small.length; ++k) {
        const more = new Set([...links, ...small[k][1]]);
        if (more.size <= size) yield* extend([...truths, small[k][0]], more, k + 1);
      }
  }
}
