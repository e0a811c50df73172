// What play says about pieces, places and steps, in words of the board.

import { capital } from "./data.js";

export const CELL = /(?:z(\d+))?r(\d+)c(\d+)/g; // how names of items and options write cells
const CAGE = /\bcage ([^\s:]+)/;
const MOST_NAMES = 4; // in a sentence
const MOST_FORCED = 6; // options of a chain in a sentence
const VERBS = { piece: "placed", text: "written", queen: "placed", label: "chosen" };

export class Words {
  // `isGrid` says whether each option lies on one place.
  /**
   * @param {Record<string, any>} board
   * @param {any} painter
   * @param {boolean} isGrid
   */
  constructor(board, painter, isGrid) {
    this.board = board;
    this.painter = painter;
    this.isGrid = isGrid;
    const isDigit = (_, option) => /^\d*$/.test(painter.textOf(option) ?? "");
    this.symbol = isGrid && !painter.options.every(isDigit) ? "symbol" : "digit"; // what is written into cells
    this.meanings = this.isGrid ? this.readMeanings() : new Map();
    this.cells = board.items.map((name) => readCells(name, true)[0]);
    // Where places are no squares, the places of a row are counted: their columns are those of a finer lattice.
    this.rows = new Map();
    if (painter.draws && painter.board.some((shape) => shape[0] === "t" && shape[1].length !== 4))
      for (const cell of this.cells)
        if (cell) this.rows.set(rowOf(cell), [...(this.rows.get(rowOf(cell)) ?? []), cell[2]].sort(ascending));
  }

  // What symbols stand for, where the names of all their options end with it, as in "Ann: day 1 early".
  readMeanings() {
    const words = new Map();
    this.board.labels.forEach((label, option) => {
      const text = this.painter.textOf(option);
      if (text !== undefined) words.set(text, (words.get(text) ?? new Set()).add(label.split(" ").at(-1)));
    });
    const isMeant = ([text, [word, ...others]]) =>
      !others.length && word.length > text.length && capital(word).startsWith(text);
    return new Map([...words].every(isMeant) ? [...words].map(([text, [word]]) => [text, word]) : []);
  }

  // How much items need, by what symbols stand for: "At least 7 early and 7 late". Of some there may be more.
  countKinds(items, left, isLeast) {
    const names = items.map((item) => this.board.items[item].split(" "));
    const parts = [...new Set(this.meanings.values())].flatMap((word) => {
      const own = [...items.keys()].filter((k) => names[k].includes(word));
      const count = own.reduce((sum, k) => sum + left[k], 0);
      return count ? [`${own.some((k) => isLeast[k]) ? "at least " : ""}${count} ${word}`] : [];
    });
    return capital(list(parts, "and") ?? "");
  }

  // -- pieces and places ------------------------------------------------------------------------------

  // The piece that an item stands for: all its options cover it, and no others do.
  findPiece(item) {
    const { tray, matrix } = this.board;
    if (!tray) return undefined;
    const covers = (option) => matrix.rows[option].some(([one]) => one === item);
    const pieces = new Set(tray.piece.filter((_, option) => covers(option)));
    const [piece] = pieces;
    const isPiece = pieces.size === 1 && tray.piece.every((one, option) => one !== piece || covers(option));
    return isPiece ? piece : undefined;
  }

  item(item) {
    const piece = this.findPiece(item);
    if (piece !== undefined) return `the piece ${this.board.tray.names[piece]}`;
    return this.cells[item] ? this.place([this.cells[item]]) : this.spell(this.board.items[item]);
  }

  kindOf(option) {
    if (this.board.tray) return "piece";
    if (!this.isGrid || this.painter.covered(option).length === 0) return "label";
    return this.painter.textOf(option) === undefined ? "queen" : "text";
  }

  what(option) {
    const { tray, labels } = this.board;
    const kind = this.kindOf(option);
    if (kind === "piece") return `the piece ${tray.names[tray.piece[option]]}`;
    if (kind === "queen") return "a queen";
    const isSaid = kind === "text" && this.where(option) !== ""; // else the symbol alone says nothing
    return isSaid ? this.painter.textOf(option) : this.spell(labels[option]);
  }

  // Where an option lies; nothing if its name says that already.
  where(option) {
    if (this.kindOf(option) === "label") return "";
    const items = this.board.matrix.rows[option].map(([item]) => this.cells[item]).filter(Boolean);
    return this.place(items.length ? items : readCells(this.board.labels[option]));
  }

  option(option) {
    return this.join(option, " ");
  }

  // An option with what was done to it.
  done(option) {
    return this.join(option, ` was ${VERBS[this.kindOf(option)]} `).trim();
  }

  out(option) {
    return `${this.option(option)} was ruled out`;
  }

  join(option, between) {
    const where = this.where(option);
    return `${this.what(option)}${between}${where ? `in ${where}` : ""}`.trim();
  }

  // Cells as rows and columns; where places are no squares, only a single one has a column.
  place(cells) {
    if (!this.rows.size) return spellCells(cells);
    const [cell] = cells;
    return spellCells(cells, cells.length === 1 ? [1 + this.rows.get(rowOf(cell))?.indexOf(cell[2])] : []);
  }

  // A name with its cells in words, and cages by their first cells, because no board shows their letters.
  spell(name) {
    const placed = name.replace(/^point /, "the point in ").replace(CELL, (cell) => this.place(readCells(cell)));
    return placed.replace(CAGE, (cage, letter) => {
      const cell = this.findCages().get(letter);
      return cell ? `the cage at ${this.place([cell])}` : cage;
    });
  }

  // The first cell of each cage: options of its cells cover items like "9 in cage A".
  findCages() {
    if (this.cages) return this.cages;
    this.cages = new Map();
    for (const row of this.board.matrix.rows) {
      const cell = row.map(([item]) => this.cells[item]).find(Boolean);
      for (const [, letter] of row.map(([item]) => / in cage (\S+)$/.exec(this.board.items[item]) ?? []))
        if (cell && letter && !isBefore(this.cages.get(letter), cell)) this.cages.set(letter, cell);
    }
    return this.cages;
  }

  // -- sentences --------------------------------------------------------------------------------------

  // Options that conflict.
  conflict(options) {
    const names = options.map((option) => this.option(option));
    const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES + 1} more`] : [];
    const shown = more.length ? names.slice(0, MOST_NAMES - 1) : names;
    return `${capital(list([...shown, ...more], "and"))} conflict.`;
  }

  // The texts of the three steps of a hint.
  steps({ option, item, reason }) {
    if (reason.supposed) return this.spellLine(item, reason);
    if (reason.kind === "chain") return this.spellChain(option, item, reason);
    if (reason.kind === "subset") return this.spellSubset(option, reason);
    const kind = this.kindOf(option);
    const what = kind === "text" ? this.what(option) : capital(this.what(option)); // as its key is written
    const shows = kind === "piece" ? "the board shows its outline" : "it is marked on the board";
    const isSilent = kind === "label" && this.painter.covered(option).length === 0;
    return [
      `Look ${kind === "text" && !this.cells[item] ? "for" : "at"} ${this.item(item)}.`,
      `${capital(named(reason, this.explain(reason, item, kind)))}.`,
      isSilent
        ? `${what} can be noted: it rules out what does not fit.`
        : `${what} ${this.where(option) ? `goes into ${this.where(option)}` : "can be chosen"}: ${shows}.`,
    ];
  }

  // What hints have ruled out, the last one first.
  listRuledOut(options) {
    const names = options.slice(-MOST_NAMES).map((option) => this.option(option)).reverse();
    const more = options.length > MOST_NAMES ? [`${options.length - MOST_NAMES} more`] : [];
    return names.length ? `Ruled out: ${list([...names, ...more], "and")}.` : "";
  }

  // The same for an option that leads to a contradiction.
  spellChain(option, item, reason) {
    const name = this.option(option);
    const { chain, excluded } = reason;
    const more = chain.length - MOST_FORCED;
    const forced = chain.slice(0, MOST_FORCED).map(([one]) => this.option(one));
    const rest = more > 0 ? [`${more} more`] : [];
    const follow = forced.length ? `${list([...forced, ...rest], "and")} must follow` : "";
    return [
      `Look at ${name}: can it be there?`,
      capital(named(reason, `suppose ${name}${this.spellEnd(item, reason, follow)}`)),
      this.ruleOut(excluded),
    ];
  }

  // The same for what items take that need all of others.
  spellSubset(option, reason) {
    const { truths, links, excluded } = reason;
    const spell = (items) => list(items.map((one) => this.item(one)), "and");
    return [
      `Look at ${this.option(option)}: can it be there?`,
      `${capital(named(reason, `${spell(truths)} take all of ${spell(links)}`))}.`,
      this.ruleOut(excluded),
    ];
  }

  ruleOut([option, ...others]) {
    const more = others.length ? `, and for the same reason ${others.length} more` : "";
    return `${capital(this.option(option))} can be ruled out${more}.`;
  }

  // The same for a line.
  spellLine(item, reason) {
    const { lines, isOnly, supposed } = reason;
    const decided = lines?.length === 1 ? "one other line is" : lines?.length && `${lines.length} other lines are`;
    const why = decided ? `${decided} decided, as the board shows` : "";
    return [
      `Look at the line ${supposed.name}.`,
      lines
        ? `Suppose it is ${supposed.isDrawn ? "drawn" : "left out"}${this.spellEnd(item, reason, why)}`
        : `${capital(this.explain(reason, item, ""))}.`,
      `It ${supposed.isDrawn ? "cannot" : lines || isOnly ? "must" : "can"} be drawn.`,
    ];
  }

  // What follows from something supposed, until something is wrong.
  spellEnd(item, { broken }, forced) {
    return `: then ${forced && `${forced}, and `}${broken[0] ?? this.lack(item)}.`;
  }

  // Why a step is the next one.
  explain({ kind, need, short, broken, isOnly, others }, item, what) {
    if (kind === "only") return this.explainOnly(need, item, what);
    const way = isOnly ? "the only" : "a";
    if (kind === "solution") return `no simple step was found; this one is part of ${way} solution`;
    const harm = [...(short.length ? [this.harm(short)] : []), ...broken.map((text) => `breaks the rule: ${text}`)];
    const all = others === 1 ? "the other" : "every other";
    return `${all} ${this.choice(item, what)} ${this.item(item)} ${list(harm, "or")}`;
  }

  // What the options of an item are, before its name.
  choice(item, what) {
    if (this.seeksPlace(item, what)) return "place for";
    if (what === "queen") return "square in";
    return what === "text" ? `${this.symbol} for` : "choice for";
  }

  // The same for an item that is left without any.
  missing(item) {
    const what = this.kindOf(this.board.matrix.rows.findIndex((row) => row.some(([one]) => one === item)));
    return what === "piece" && !this.seeksPlace(item, what) ? "piece for" : this.choice(item, what);
  }

  // That an item has too few options left.
  lack(item) {
    if (this.painter.segments?.length) return `the lines at ${this.item(item)} cannot be right any more`;
    if ((this.board.matrix.low[item] ?? 1) > 1) return `too little is left for ${this.item(item)}`;
    const sum = this.readCage(item) ? ", and no sum without it" : "";
    return `no ${this.missing(item)} ${this.item(item)} is left${sum}`;
  }

  // What options do to the items that they leave without options.
  harm(items) {
    const [symbol, house] = items.length === 1 ? this.item(items[0]).split(" in ") : [];
    if (house) return `makes ${symbol} impossible in ${house}`;
    const names = items.slice(0, MOST_NAMES).map((one) => this.item(one));
    if (items.length > MOST_NAMES) names.push("other places");
    const [missing, ...others] = new Set(items.map((one) => this.missing(one)));
    return `leaves ${others.length ? "nothing for" : `no ${missing}`} ${list(names, "or")}`;
  }

  // Whether the options of an item are places.
  seeksPlace(item, what) {
    return this.findPiece(item) !== undefined || (what === "text" && !this.cells[item]);
  }

  explainOnly(need, item, what) {
    const name = this.item(item);
    const inCage = this.readCage(item);
    if (inCage) {
      const [symbol, cage] = inCage;
      return what === "text"
        ? `the sum of ${cage} needs ${symbol}, for which one place is left there`
        : `no place for ${symbol} is left in ${cage}, so its sum leaves it out`;
    }
    if (need > 1) return `${name} needs all ${need} choices that are left`;
    if (this.seeksPlace(item, what)) return `only one place is left for ${name}`;
    const choice = { piece: "piece, and one way to lay it,", text: this.symbol }[what] ?? "choice";
    return `only one ${choice} fits ${name}`;
  }

  // The symbol and the cage of an item like "9 in cage A": the symbol stands there, or is left out of the sum.
  readCage(item) {
    const found = /^(.+) in (cage \S+)$/.exec(this.board.items[item]);
    return found && [found[1], this.spell(found[2])];
  }

  // Why there is no next step.
  refuse({ kind, step, item }) {
    if (kind === "solved") return "Solved: nothing is left.";
    if (kind === "impossible") return "No hint: this puzzle has no solution.";
    if (kind === "wrong") return `No longer solvable since ${step.name}.`;
    if (kind === "unknown") return "No hint was found within 2 s.";
    return `No longer solvable${item === undefined ? "" : `: ${this.lack(item)}`}.`;
  }
}

// The cells in a name, as layer, row and column; only a whole name, if asked for.
function readCells(name, isWhole = false) {
  return [...name.matchAll(CELL)]
    .filter(([text]) => !isWhole || text === name)
    .map(([, ...parts]) => parts.map((part) => (part === undefined ? undefined : Number(part))));
}

// The name of an option or item without a board, its cells in words.
export function spellName(name) {
  const rest = name.replace(CELL, "").replace(/^[\s=:]+/, "").trim();
  const place = spellCells(readCells(name));
  return rest && place ? `${rest} in ${place}` : rest || place;
}

function spellCells(cells, columns = cells.map((cell) => cell[2])) {
  const [layers, rows] = [0, 1].map((k) => cells.map((cell) => cell[k]));
  return [range("layer", layers), range("row", rows), range("column", columns)].filter(Boolean).join(", ");
}

function rowOf([layer, row]) {
  return `${layer} ${row}`;
}

// Numbers as "rows 1 to 3".
function range(name, numbers) {
  if (numbers[0] === undefined) return "";
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return first === last ? `${name} ${first}` : `${name}s ${first}${last === first + 1 ? " and" : " to"} ${last}`;
}

// Whether a cell comes before another one, row by row.
function isBefore(one, other) {
  return one !== undefined && (one[1] - other[1] || one[2] - other[2]) < 0;
}

function ascending(one, other) {
  return one - other;
}

// The reason of a step after the name of its technique, if it has one.
function named({ name }, text) {
  return name ? `${name}: ${text}` : text;
}

function list(names, last) {
  const between = names.some((name) => name.includes(",")) ? "; " : ", ";
  return names.length > 1 ? `${names.slice(0, -1).join(between)} ${last} ${names.at(-1)}` : names[0];
}
