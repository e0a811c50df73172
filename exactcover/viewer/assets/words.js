// What play says about pieces, places and steps, in words of the board.

export const CELL = /(?:z(\d+))?r(\d+)c(\d+)/g; // how names of items and options write cells
const MOST_NAMES = 3; // in a sentence
const VERBS = {
  piece: "placed",
  text: "written",
  queen: "placed",
  label: "chosen",
};

const CHOICES = { piece: "piece, and one way to lay it,", text: "digit" };

export class Words {
  // `isGrid` says whether each option lies on one place.
  constructor(board, painter, isGrid) {
    this.board = board;
    this.painter = painter;
    this.isGrid = isGrid;
    this.cells = board.items.map((name) => readCells(name, true)[0]);
    // Where places are no squares, the places of a row are counted: their columns are those of a finer lattice.
    this.rows = new Map();
    if (painter.draws && painter.board.some((shape) => shape[0] === "t" && shape[1].length !== 4))
      for (const cell of this.cells)
        if (cell) this.rows.set(rowOf(cell), [...(this.rows.get(rowOf(cell)) ?? []), cell[2]].sort(ascending));
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
    return kind === "text" ? this.painter.textOf(option) : this.spell(labels[option]);
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

  join(option, between) {
    const where = this.where(option);
    return `${this.what(option)}${between}${where ? `in ${where}` : ""}`.trim();
  }

  // Cells as rows and columns.
  place(cells) {
    const columns = this.rows.size ? cells.map((cell) => 1 + this.rows.get(rowOf(cell))?.indexOf(cell[2])) : [];
    const isOne = cells.length === 1;
    const parts = [
      range("layer", cells.map(([layer]) => layer)),
      range("row", cells.map(([, row]) => row)),
      this.rows.size ? (isOne ? range("place", columns) : "") : range("column", cells.map((cell) => cell[2])),
    ];
    return parts.filter(Boolean).join(", ");
  }

  // A name with its cells in words.
  spell(name) {
    return name.replace(CELL, (cell) => this.place(readCells(cell)));
  }

  // -- sentences --------------------------------------------------------------------------------------

  // Options that conflict.
  conflict(options) {
    if (options.length > MOST_NAMES) return `${options.length} choices conflict with each other.`;
    return `${capital(list(options.map((option) => this.option(option)), "and"))} conflict with each other.`;
  }

  // The texts of the three steps of a hint.
  steps({ option, item, reason }) {
    const what = capital(this.what(option));
    const kind = this.kindOf(option);
    const shows = kind === "piece" ? "the board shows its outline" : "it is marked on the board";
    const isSilent = kind === "label" && this.painter.covered(option).length === 0;
    return [
      `Look ${kind === "text" && !this.cells[item] ? "for" : "at"} ${this.item(item)}.`,
      `${capital(this.explain(reason, item, kind))}.`,
      isSilent
        ? `${what} can be noted: it rules out what does not fit.`
        : `${what} goes ${this.where(option) ? `into ${this.where(option)}` : "there"}: ${shows}.`,
    ];
  }

  // Why a step is the next one.
  explain({ kind, need, short, isOnly }, item, what) {
    if (kind === "only") return this.explainOnly(need, item, what);
    const way = isOnly ? "the only" : "a";
    if (kind === "solution") return `no simple step was found: the next one is part of ${way} solution`;
    const names = short.slice(0, MOST_NAMES).map((one) => this.item(one));
    if (short.length > MOST_NAMES) names.push("other places");
    return `all choices but one for ${this.item(item)} leave nothing that fits ${list(names, "or")}`;
  }

  explainOnly(need, item, what) {
    const name = this.item(item);
    if (need > 1) return `only ${need} choices are left for ${name}, which needs them all`;
    const seeksPlace = this.findPiece(item) !== undefined || (what === "text" && !this.cells[item]);
    if (seeksPlace) return `only one place is left for ${name}`;
    return `only one ${CHOICES[what] ?? "choice"} fits ${name}`;
  }

  // Why there is no next step.
  refuse({ kind, option, item }) {
    if (kind === "solved") return "Solved: nothing is left.";
    if (kind === "impossible") return "No hint: this puzzle has no solution.";
    if (kind === "wrong") return `No solution from here: none has ${this.option(option)} with what was there before.`;
    if (kind === "unknown") return "No hint: no step was found in time.";
    return `No solution from here${item === undefined ? "" : `: nothing is left that fits ${this.item(item)}`}.`;
  }
}

// The cells in a name, as layer, row and column; only a whole name, if asked for.
function readCells(name, isWhole = false) {
  return [...name.matchAll(CELL)]
    .filter(([text]) => !isWhole || text === name)
    .map(([, ...parts]) => parts.map((part) => (part === undefined ? undefined : Number(part))));
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

function ascending(one, other) {
  return one - other;
}

function list(names, last) {
  const between = names.some((name) => name.includes(",")) ? "; " : ", ";
  return names.length > 1 ? `${names.slice(0, -1).join(between)} ${last} ${names.at(-1)}` : names[0];
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
