// Puzzles as items and options. No part of this file knows the page or the core, so Node tests it as it is.
"use strict";

const PIECES = {
  monomino: { O: ["#"] },
  domino: { I: ["##"] },
  trominoes: { I: ["###"], V: ["##", "#."] },
  tetrominoes: { I: ["####"], L: ["###", "#.."], O: ["##", "##"], S: [".##", "##."], T: ["###", ".#."] },
  pentominoes: {
    F: [".##", "##.", ".#."], I: ["#####"], L: ["####", "#..."], N: ["##..", ".###"], P: ["###", "##."],
    T: ["###", ".#.", ".#."], U: ["#.#", "###"], V: ["###", "#..", "#.."], W: ["##.", ".##", "..#"],
    X: [".#.", "###", ".#."], Y: ["####", ".#.."], Z: ["##.", ".#.", ".##"],
  },
};

const MOST_NUMBERS = 4_000_000; // entries of a problem

class PuzzleError extends Error {}

// Collects items and options; items are numbered when all primary ones are known.
class Builder {
  constructor() {
    this.primary = new Map();
    this.secondary = new Map();
    this.colors = new Map();
    this.options = []; // each a list of [name, color]
    this.labels = [];
    this.entries = 0;
  }
  addPrimary(name, low = 1, high = 1) {
    if (this.primary.has(name) || this.secondary.has(name)) throw new PuzzleError(`${name} is named twice`);
    this.primary.set(name, [low, high]);
  }
  addSecondary(name) {
    if (this.primary.has(name) || this.secondary.has(name)) throw new PuzzleError(`${name} is named twice`);
    this.secondary.set(name, this.secondary.size);
  }
  addOption(label, items) {
    this.entries += items.length;
    if (this.entries > MOST_NUMBERS) throw new PuzzleError("the puzzle is too large for this page");
    this.options.push(items.map((item) => (Array.isArray(item) ? item : [item, null])));
    this.labels.push(label);
  }
  // The problem as the numbers that the core loads, and the labels of its options.
  build() {
    const place = new Map([...this.primary.keys(), ...this.secondary.keys()].map((name, k) => [name, k]));
    const bounds = [...this.primary.values()];
    const bounded = bounds.some(([low, high]) => low !== 1 || high !== 1);
    const numbers = [place.size, this.primary.size, this.options.length, bounded ? 1 : 0];
    for (const items of this.options) {
      numbers.push(items.length);
      for (const [name, color] of items) {
        if (color !== null && !this.colors.has(color)) this.colors.set(color, this.colors.size + 1);
        numbers.push(place.get(name), color === null ? 0 : this.colors.get(color));
      }
    }
    if (bounded) numbers.push(...bounds.flat());
    return { numbers, labels: this.labels, items: [...place.keys()] };
  }
}

function readDrawing(rows) {
  return rows.flatMap((row, r) => [...row].flatMap((one, c) => (one === "#" ? [[r, c]] : [])));
}

// All different ways to turn a piece, and to turn it over.
function orient(cells) {
  const found = new Map();
  for (const flip of [1, -1]) {
    let turned = cells.map(([r, c]) => [r, flip * c]);
    for (let k = 0; k < 4; ++k) {
      turned = turned.map(([r, c]) => [c, -r]);
      const top = Math.min(...turned.map(([r]) => r));
      const left = Math.min(...turned.map(([, c]) => c));
      const moved = turned.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      found.set(JSON.stringify(moved), moved);
    }
  }
  return [...found.values()];
}

// The ways to turn a board, and to turn it over, that bring it onto itself: for each, the image of every option.
function findSymmetries(cells, labels) {
  const places = [...cells].map((cell) => cell.split(",").map(Number));
  const corner = (found) => [0, 1].map((k) => Math.min(...found.map((place) => place[k])));
  const key = (piece, covered) => `${piece} ${[...covered].sort().join(" ")}`;
  const numbers = new Map(labels.map(({ piece, cells: covered }, k) => [key(piece, covered), k]));
  const symmetries = [];
  for (let motion = 1; motion < 8; ++motion) {
    const turn = ([r, c]) => {
      const [row, column] = motion & 4 ? [c, r] : [r, c];
      return [motion & 1 ? -row : row, motion & 2 ? -column : column];
    };
    const [down, right] = [corner(places), corner(places.map(turn))].reduce((own, image) => own.map((one, k) => one - image[k]));
    const move = (cell) => {
      const [row, column] = turn(cell.split(",").map(Number));
      return `${row + down},${column + right}`;
    };
    if ([...cells].every((cell) => cells.has(move(cell))))
      symmetries.push(labels.map(({ piece, cells: covered }) => numbers.get(key(piece, covered.map(move)))));
  }
  return symmetries;
}

// A tiling: `rows` are texts with # for a cell; `pieces` map "pentominoes.X" to how many there are, or "any".
function encodeTiling({ rows, pieces }) {
  const builder = new Builder();
  const cells = new Set(readDrawing(rows).map(([r, c]) => `${r},${c}`));
  if (cells.size === 0) throw new PuzzleError("the board has no cell; click or touch squares to paint it");
  for (const cell of cells) builder.addPrimary(cell);
  const names = Object.keys(pieces);
  if (names.length === 0) throw new PuzzleError("choose at least one piece");
  for (const name of names) {
    const copies = pieces[name];
    if (copies !== "any") {
      if (!Number.isInteger(copies) || copies < 1 || copies > 1000) throw new PuzzleError(`${name}: 1 to 1000 copies, or any`);
      builder.addPrimary(name, copies, copies);
    }
    const [set, letter] = name.split(".");
    const drawing = PIECES[set] && PIECES[set][letter];
    if (!drawing) throw new PuzzleError(`there is no piece ${name}`);
    for (const shape of orient(readDrawing(drawing))) {
      for (const corner of cells) {
        const [top, left] = corner.split(",").map(Number);
        const shift = shape[0][1]; // the first cell of a shape is in its first row
        const covered = shape.map(([r, c]) => `${top + r},${left + c - shift}`);
        if (covered.every((cell) => cells.has(cell))) {
          builder.addOption({ piece: name, cells: covered }, copies === "any" ? covered : [name, ...covered]);
        }
      }
    }
  }
  const built = builder.build();
  return { ...built, symmetries: findSymmetries(cells, built.labels) };
}

function encodeQueens({ n }) {
  if (!Number.isInteger(n) || n < 1 || n > 100) throw new PuzzleError("the board has 1 to 100 rows");
  const builder = new Builder();
  const middle = [...Array(n).keys()].sort((a, b) => Math.abs(2 * a + 1 - n) - Math.abs(2 * b + 1 - n) || a - b);
  for (const line of middle) builder.addPrimary(`r${line}`), builder.addPrimary(`c${line}`);
  for (let k = 0; k < 2 * n - 1; ++k) builder.addSecondary(`a${k}`), builder.addSecondary(`b${k}`);
  for (const r of middle)
    for (const c of middle) builder.addOption([r, c], [`r${r}`, `c${c}`, `a${r + c}`, `b${r - c + n - 1}`]);
  return builder.build();
}

const boxOf = (r, c) => 3 * Math.floor(r / 3) + Math.floor(c / 3);

// A Sudoku of 9x9: a text of 81 characters besides white space; what is not a digit is blank.
function encodeSudoku({ grid }) {
  const cells = [...String(grid)].filter((one) => !/\s/.test(one));
  if (cells.length !== 81) throw new PuzzleError(`a Sudoku has 81 cells, not ${cells.length}`);
  const builder = new Builder();
  const names = (r, c, d) => [
    `r${r + 1}c${c + 1}`, ...[`row ${r + 1}`, `column ${c + 1}`, `box ${boxOf(r, c) + 1}`].map((house) => `${d + 1} in ${house}`),
  ];
  const all = [...Array(9).keys()].flatMap((r) => [...Array(9).keys()].map((c) => [r, c]));
  const items = all.flatMap(([r, c]) => [...Array(9).keys()].flatMap((d) => names(r, c, d)));
  for (const name of new Set(items)) builder.addPrimary(name);
  cells.forEach((given, k) => {
    const [r, c] = [Math.floor(k / 9), k % 9];
    for (let d = 0; d < 9; ++d)
      if (!/[1-9]/.test(given) || given === String(d + 1))
        builder.addOption([r, c, d + 1], names(r, c, d));
  });
  return builder.build();
}

// Options as text: the first line names the items, `|` stands before secondary ones; each further line is an option.
// `x:red` gives a secondary item a color, and `2:3|x` in the first line says how often x is covered.
function encodeText({ text }) {
  const builder = new Builder();
  const lines = String(text).split("\n").map((line) => line.trim());
  const head = lines.findIndex((line) => line && !line.startsWith("|"));
  if (head < 0) throw new PuzzleError("the first line names the items");
  let secondary = false;
  for (const word of lines[head].split(/\s+/)) {
    const [, low, high, name] = /^(?:(?:(\d+):)?(\d+)\|)?(.+)$/.exec(word) || [];
    if (word === "|") secondary = true;
    else if (name.includes("|") || name.includes(":")) throw new PuzzleError(`line ${head + 1}: ${word} is not an item`);
    else if (secondary) builder.addSecondary(name);
    else builder.addPrimary(name, high === undefined ? 1 : Number(low ?? high), high === undefined ? 1 : Number(high));
  }
  lines.forEach((line, number) => {
    if (number <= head || !line || line.startsWith("|")) return;
    const items = line.split(/\s+/).map((word) => {
      const [name, color, more] = word.split(":");
      const known = builder.primary.has(name) || builder.secondary.has(name);
      if (!known || more !== undefined) throw new PuzzleError(`line ${number + 1}: ${word} is not an item of the first line`);
      if (color !== undefined && (builder.primary.has(name) || !color))
        throw new PuzzleError(`line ${number + 1}: only secondary items have colors`);
      return color === undefined ? name : [name, color];
    });
    const names = items.map((item) => (Array.isArray(item) ? item[0] : item));
    if (new Set(names).size < names.length) throw new PuzzleError(`line ${number + 1}: an item is named twice`);
    if (names.some((name) => builder.primary.has(name))) builder.addOption(line, items);
  });
  return builder.build();
}

// A problem without `symmetries` has all those of its items and options.
const ENCODERS = { tiling: encodeTiling, sudoku: encodeSudoku, queens: encodeQueens, options: encodeText };

function encodePuzzle(puzzle) {
  const encode = Object.hasOwn(ENCODERS, puzzle?.kind) ? ENCODERS[puzzle.kind] : null;
  if (!encode) throw new PuzzleError("this kind of puzzle is not known");
  return encode(puzzle);
}

if (typeof module !== "undefined") module.exports = { PIECES, PuzzleError, encodePuzzle };
