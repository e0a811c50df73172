// What play says about pieces, places and steps, in words of the board.

import { capital, sum } from "./data.js";

export const CELL = /(?:z(\d+))?r(\d+)c(\d+)/g; // how names of items and options write cells
const AREA = /\br\d+c\d+(?: r\d+c\d+)+/g;
const CAGE = /\bcage [^\s:]+/;
// "cage A: 1 2 5", but neither "domino 0-1: r1c1 r1c2" nor "cage L, cell 1: 2 after 3"
const COMBINATION = /^(.+): (?!r\d)((?:(?! after )[^:])+)$/;
const MOST_NAMES = 4; // in a sentence
const MOST_FORCED = 6; // options of a chain in a sentence
const VERBS = { piece: "placed", text: "written", queen: "placed", label: "chosen" };

export class Words {
  // `isGrid` says whether each option lies on one place.
  constructor(board, painter, isGrid) {
    this.board = board;
    this.painter = painter;
    this.isGrid = isGrid;
    const isDigit = (_, option) => /^\d*$/.test(painter.textOf(option) ?? "");
    this.symbol = isGrid && !painter.options.every(isDigit) ? "symbol" : "digit"; // what is written into cells
    this.meanings = this.isGrid ? this.readMeanings() : new Map();
    this.cells = board.items.map((name) => readCells(name, true)[0]);
    this.sums = this.isGrid ? this.findSums() : new Map();
    // Where places are no squares, the places of a row are counted: their columns are those of a finer lattice.
    this.rows = new Map();
    if (painter.draws && painter.board.some((shape) => shape[0] === "t" && shape[1].length !== 4))
      for (const cell of this.cells)
        if (cell) this.rows.set(rowOf(cell), [...(this.rows.get(rowOf(cell)) ?? []), cell[2]].sort((a, b) => a - b));
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
      const count = sum(own.map((k) => left[k]));
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
    if (this.isCombination(option)) {
      const { name } = this.readCombination(option);
      return `${this.combine(option)} ${this.sums.get(name).isSum ? "as" : "in"} ${this.nameSum(name)}`;
    }
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

  // A name with its cells in words, and cages by what is written in their first cells, because no board shows letters.
  spell(name) {
    const whole = this.rows.size ? name : name.replace(AREA, (area) => spellArea(readCells(area)));
    const placed = whole.replace(/^point /, "the point in ").replace(CELL, (cell) => this.place(readCells(cell)));
    return placed.replace(CAGE, (cage) => {
      const { cell, text } = this.sums.get(cage) ?? {};
      const total = /^\d+$/.test(text) ? `the ${text}-cage` : `the cage ${text ?? ""}`.trim();
      return cell ? `${total} at ${this.place([cell])}` : cage;
    });
  }

  // -- sums -------------------------------------------------------------------------------------------

  // What holds one of several combinations of symbols, such as cages, by name: its first cell, what is written there,
  // and the options for its combinations, which lie nowhere.
  /** @returns {Map<string, {options: number[], cell: number[], text: string, isSum: boolean}>} */
  findSums() {
    const { items, labels, matrix } = this.board;
    const found = new Map();
    labels.forEach((_, option) => {
      const { name } = this.readCombination(option);
      const isOwn = name && matrix.rows[option].some(([item]) => items[item] === name);
      if (!isOwn || this.painter.covered(option).length) return;
      if (!found.has(name)) found.set(name, { options: [], cell: undefined, text: "", isSum: false });
      found.get(name).options.push(option);
    });
    const add = (name, cell) => {
      const own = found.get(name);
      const isFirst = own && cell && (!own.cell || (cell[1] - own.cell[1] || cell[2] - own.cell[2]) <= 0); // row by row
      if (isFirst) own.cell = cell;
    };
    for (const row of matrix.rows) {
      const names = row.map(([item]) => items[item]);
      const cell = row.map(([item]) => this.cells[item]).find(Boolean);
      for (const name of names) {
        const [, of] = / in (.+)$/.exec(name) ?? [];
        add(of, cell);
        if (cell && found.has(of)) found.get(of).isSum = true;
        if (found.has(name)) for (const one of names.flatMap((other) => readCells(other))) add(name, one);
      }
    }
    for (const own of found.values()) {
      const [, row, column] = own.cell ?? [];
      const isHere = ([kind, outline, , , , , text]) =>
        kind === "t" && text && outline[0].map(Math.floor).join() === `${column - 1},${row - 1}`;
      own.text = this.painter.board.find(isHere)?.[6] ?? "";
    }
    return found;
  }

  // What combinations are of: "the sum of the 8-cage at row 1, column 1", or "the sum below row 1, column 2".
  nameSum(name) {
    const spelled = this.spell(name);
    if (!this.sums.get(name).isSum) return spelled;
    return spelled.startsWith("sum ") ? `the ${spelled}` : `the sum of ${spelled}`;
  }

  // What an option is a combination of, as its label says, and the symbols.
  readCombination(option) {
    const [, name, symbols] = COMBINATION.exec(this.board.labels[option]) ?? [];
    return { name, symbols };
  }

  isCombination(option) {
    return Boolean(this.sums.get(this.readCombination(option).name)?.options.includes(option));
  }

  // A combination by the option for it: "1+2+5".
  combine(option) {
    const { name, symbols } = this.readCombination(option);
    return this.sums.get(name).isSum && /^[\d ]+$/.test(symbols) ? symbols.replaceAll(" ", "+") : symbols;
  }

  listSums(options) {
    return listBriefly(options, (one) => this.combine(one), "or");
  }

  // The symbol, if there is one, and what an item like "9 in cage A" or "cage A" is about: the symbol stands there, or
  // is left out. With it, the combinations that a position leaves.
  /** @param {import("./position.js").Position} [position] */
  readSum(item, position = undefined) {
    const name = this.board.items[item];
    const [, symbol, of] = /^(.+) in (.+)$/.exec(name) ?? [];
    const sum = this.sums.get(of ?? name);
    if (!sum) return null;
    const isLeft = (option) => !position || position.live[option] || position.chosen.includes(option);
    const own = this.nameSum(of ?? name);
    const left = sum.options.filter(isLeft);
    return { symbol, sum: own, of: own.replace(/^the sum of /, ""), options: left, isSum: sum.isSum };
  }

  hasSymbol(option, symbol) {
    return this.readCombination(option).symbols.split(" ").includes(symbol);
  }

  // -- sentences --------------------------------------------------------------------------------------

  // Options that conflict.
  conflict(options) {
    return `${capital(listBriefly(options, (one) => this.option(one)))} conflict.`;
  }

  // The texts of the three steps of a hint, at its position; `causes` are options that rule others out, if `isPartial`
  // only some of them.
  /**
   * @param {import("./advisor.js").Hint & {position: import("./position.js").Position, causes?: number[],
   *   isPartial?: boolean}} hint
   */
  steps(hint) {
    const { option, item, reason } = hint;
    if (reason.supposed) return this.spellLine(hint);
    if (reason.kind === "chain") return this.spellChain(hint);
    if (reason.kind === "subset") return this.spellSubset(hint);
    const kind = this.kindOf(option);
    const what = kind === "text" ? this.what(option) : capital(this.what(option)); // as its key is written
    const shows = kind === "piece" ? "the board shows its outline" : "it is marked on the board";
    return [
      `Look ${kind === "text" && !this.cells[item] ? "for" : "at"} ${this.item(item)}.`,
      `${capital(named(reason, this.explain(hint, kind)))}.`,
      this.isSilent(option)
        ? `${what} can be noted: it rules out what does not fit.`
        : `${what} ${this.where(option) ? `goes into ${this.where(option)}` : "can be chosen"}: ${shows}.`,
    ];
  }

  // What hints have ruled out, the last one first.
  listRuledOut(options) {
    const names = listFirst([...options].reverse(), MOST_NAMES, (one) => this.option(one));
    return options.length ? `Ruled out: ${names}.` : "";
  }

  // The same for an option that leads to a contradiction.
  spellChain(hint) {
    const { option, item, reason } = hint;
    const name = this.option(option);
    const follow = this.listForced(reason.chain);
    const isOne = item !== null && (this.board.matrix.low[item] ?? 1) === 1;
    const isPlace = this.isGrid && isOne && !this.readSum(item) && !follow;
    const [symbol, house] = isPlace ? this.item(item).split(" in ") : [];
    const places = `the yellow cells with a small ${symbol}`;
    const why = house
      ? `${symbol} in ${house} can only be in ${places}, which ${name} would all rule out.`
      : `suppose ${name}${this.spellEnd(hint, follow)}`;
    return [
      this.ask(option),
      capital(named(reason, why)),
      this.ruleOut(reason.excluded),
    ];
  }

  listForced(chain) {
    return chain.length ? `${listFirst(chain, MOST_FORCED, ([one]) => this.option(one))} must follow` : "";
  }

  // The same for what items take that need all of others.
  spellSubset({ option, reason }) {
    const { truths, links, excluded } = reason;
    const split = (items) => items.map((one) => (this.cells[one] ? [this.item(one)] : this.item(one).split(" in ")));
    const [own, others] = [split(truths), split(links)];
    const join = (parts, k) => list([...new Set(parts.flatMap((part) => part[k] ?? []))], "and");
    const [[what, where], [link, house]] = [own, others].map((parts) => [join(parts, 0), join(parts, 1)]);
    const [hasPlaces, isLimited] = [own, others].map((parts) => parts.every((part) => part.length > 1));
    let why = `${what} take all of ${link}, which are nowhere else`;
    if (hasPlaces && isLimited)
      why = `in ${where}, ${what} can only be in ${house}, so these have none outside ${where}`;
    else if (isLimited) why = `${what} can only hold ${link}, so these are nowhere else in ${house}`;
    else if (hasPlaces) why = `in ${where}, ${what} can only be in ${link}, so nothing else is there`;
    return [this.ask(option), `${capital(named(reason, why))}.`, this.ruleOut(excluded)];
  }

  ask(option) {
    return `Look at ${this.option(option)}: can it be${this.isSilent(option) ? "" : " there"}?`;
  }

  // Whether an option lies nowhere, such as a combination of a cage.
  isSilent(option) {
    return this.kindOf(option) === "label" && this.painter.covered(option).length === 0;
  }

  ruleOut([option, ...others]) {
    const names = listFirst(others, MOST_NAMES, (one) => this.option(one));
    const rest = others.length ? `, and likewise ${names}` : "";
    return `${capital(this.option(option))} can be ruled out${rest}.`;
  }

  // The same for a line.
  spellLine(hint) {
    const { lines, isOnly, supposed } = hint.reason;
    const why = this.listDecided(lines ?? []);
    const drawn = supposed.isDrawn ? "without this line" : "with this line";
    return [
      `Look at the line ${supposed.name}.`,
      lines
        ? `Suppose the line ${supposed.name} is ${supposed.isDrawn ? "drawn" : "left out"}${this.spellEnd(hint, why)}`
        : `No short reason was found; ${isOnly ? "the only solution is" : "a solution is known"} ${drawn}.`,
      `It ${supposed.isDrawn ? "cannot" : lines || isOnly ? "must" : "can"} be drawn.`,
    ];
  }

  listDecided(lines) {
    const decided = lines.length === 1 ? "one other line is" : `${lines.length} other lines are`;
    return lines.length ? `${decided} decided, as the board shows` : "";
  }

  // What follows from something supposed, until something is wrong.
  spellEnd(hint, forced) {
    return `: then ${forced && `${forced}, and `}${hint.reason.broken[0] ?? this.lack(hint.item, hint)}.`;
  }

  // Why a step is the next one.
  explain(hint, what) {
    const { item, reason: { kind, short, broken, isOnly, others } } = hint;
    if (kind === "only") return this.explainOnly(hint, what);
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

  // That an item has too few options left, after what a hint supposes.
  lack(item, hint = undefined) {
    const lines = this.painter.segments.length;
    if (lines) return hint?.reason.end ?? `the lines at ${this.item(item)} cannot be right any more`;
    if (this.readSum(item)) return this.lackSum(item, hint);
    if ((this.board.matrix.low[item] ?? 1) > 1) return `too little is left for ${this.item(item)}`;
    return `no ${this.missing(item)} ${this.item(item)} is left`;
  }

  // The same for a sum, such as that of a cage.
  lackSum(item, hint) {
    const position = hint?.position;
    const { symbol, sum, of, options, isSum } = this.readSum(item, position);
    const all = `(${this.listSums(options)})`;
    const row = !hint || hint.reason.chain.length ? [] : this.board.matrix.rows[hint.option];
    const own = row.map(([one]) => this.readSum(one, position)).find((one) => one?.of === of)?.symbol;
    const fitting = options.filter((one) => this.hasSymbol(one, own));
    if (own && isSum && !fitting.length)
      return `${sum} would need ${own}, but it is ${this.listSums(options)}`;
    if (own && symbol && fitting.every((one) => this.hasSymbol(one, symbol)))
      return `${sum} needs ${symbol}, too (${this.listSums(fitting)}), for which no place is left`;
    const way = isSum ? `${sum} cannot be made` : `there is no way to fill ${of}`;
    if (!symbol) return `${way}${options.length && position ? ` ${all}` : ""}`;
    if (position && options.every((one) => this.hasSymbol(one, symbol)))
      return `no place is left for ${symbol} in ${of}, whose sum needs it ${all}`;
    return `no place for ${symbol} is left in ${of}, and no sum without it`;
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

  explainOnly({ option, item, position, causes = [], isPartial, reason: { need } }, what) {
    const sum = this.readSum(item, position);
    if (sum) return this.explainSum(sum, option, what);
    const name = this.item(item);
    if (need > 1) return `${name} needs all ${need} choices that are left`;
    const [silent, shown] = [true, false].map((wanted) => causes.filter((one) => this.isSilent(one) === wanted));
    const sums = silent.filter((one) => this.isCombination(one));
    const others = [
      ...(shown.length ? ["what has a blue frame"] : []),
      ...sums.map((one) => this.what(one)),
      ...(isPartial || sums.length < silent.length ? ["what was ruled out before"] : []),
    ];
    const why = others.length ? `: ${list(others, "and")} ${others.length > 1 ? "leave" : "leaves"} no other` : "";
    if (this.seeksPlace(item, what)) return `only one place is left for ${name}${why}`;
    const choice = { piece: "piece, and one way to lay it,", text: this.symbol }[what] ?? "choice";
    return `only one ${choice} fits ${name}${why}`;
  }

  explainSum({ symbol, sum, of, options, isSum }, option, what) {
    if (!symbol) return `only one ${isSum ? "sum" : "way"} is left for ${of}`;
    return what === "text"
      ? `${sum} needs ${symbol} (${this.listSums(options)}), for which one place is left there`
      : `no place for ${symbol} is left in ${of}, and the only sum left without it is ${this.combine(option)}`;
  }

  // Why there is no next step.
  /** @param {import("./advisor.js").Hint} hint */
  refuse(hint) {
    const { kind, step, item, chain, lines } = hint.reason;
    if (kind === "solved") return "Solved: nothing is left.";
    if (kind === "impossible") return "No hint: this puzzle has no solution.";
    if (kind === "wrong") {
      const follow = lines ? this.listDecided(lines) : this.listForced(chain ?? []);
      const isShort = (chain || lines) && (chain ?? []).length <= MOST_FORCED;
      const end = isShort ? this.spellEnd(hint, follow) : ". No short reason was found.";
      return `No longer solvable since ${step.name}${end}`;
    }
    if (kind === "unknown") return "No hint was found within 2 s.";
    return `No longer solvable${item === undefined ? "" : `: ${this.lack(item)}`}.`;
  }
}

// The cells in a name, as layer, row and column; only a whole name, if asked for.
export function readCells(name, isWhole = false) {
  return [...name.matchAll(CELL)]
    .filter(([text]) => !isWhole || text === name)
    .map(([, ...parts]) => parts.map((part) => (part === undefined ? undefined : Number(part))));
}

export function spellCells(cells, columns = cells.map((cell) => cell[2])) {
  const [layers, rows] = [0, 1].map((k) => cells.map((cell) => cell[k]));
  return [range("layer", layers), range("row", rows), range("column", columns)].filter(Boolean).join(", ");
}

// Cells of an area: as a rectangle, or row by row, if those of a row lie side by side.
function spellArea(cells) {
  const isBox = (some) => new Set(some.map((cell) => cell[1])).size * countColumns(some) === some.length;
  const rows = [...new Set(cells.map((cell) => cell[1]))].map((row) => cells.filter((cell) => cell[1] === row));
  const parts = isBox(cells) ? [cells] : rows.every(isBox) ? rows : cells.map((cell) => [cell]);
  return parts.map((part) => spellCells(part)).join("; ");
}

function countColumns(cells) {
  const columns = cells.map((cell) => cell[2]);
  return 1 + Math.max(...columns) - Math.min(...columns);
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

// The reason of a step after the name of its technique, if it has one.
/** @param {{name?: string}} reason */
function named({ name }, text) {
  return name ? `${name}: ${text}` : text;
}

// So many of some options, as `write` names them, and the number of the others.
function listFirst(options, most, write, last = "and") {
  const more = options.length > most ? [`${options.length - most} more`] : [];
  return list([...options.slice(0, most).map(write), ...more], last);
}

// At most four parts, of which the last one may be the number of the others.
function listBriefly(options, write, last = "and") {
  return listFirst(options, options.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES, write, last);
}

function list(names, last) {
  const between = names.some((name) => name.includes(",")) ? "; " : ", ";
  return names.length > 1 ? `${names.slice(0, -1).join(between)} ${last} ${names.at(-1)}` : names[0];
}
