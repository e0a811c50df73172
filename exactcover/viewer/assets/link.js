// A puzzle as a link, in the part of the address that browsers do not send: what was made and played, and everything
// that playing needs. exactcover/viewer/link.py writes links, and describes their form.
//
// Links come from strangers, so everything in them is checked: sizes are bounded, also after decompression, and
// whatever is read has the expected form. The puzzle's own text is checked by the studio, like any file.

import { NumberReader } from "./data.js";

const VERSION = 2;
export const LONGEST_LINK = 60_000; // of a link
const MOST_BYTES = 4 << 20; // of what it expands to
const MOST_LIST = 5_000;
const MOST_TEXT = 500; // letters of a name
const MOST_SOLUTIONS = 20_000;

const DAMAGED = "the link is damaged";

// -- what values may be --------------------------------------------------------------------------------

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string" && value.length <= MOST_TEXT;
const isFlag = (value) => typeof value === "boolean";
const isNumber = (value) => Number.isFinite(value) && Math.abs(value) <= 1e6;
const isWhole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
const isUpTo = (most) => (value) => isWhole(value, most);
const orNull = (fits) => (value) => value === null || fits(value);
const isList = (list, fits, most = MOST_LIST) => Array.isArray(list) && list.length <= most && list.every(fits);
const isTuple = (...forms) => (value) =>
  Array.isArray(value) && value.length === forms.length && forms.every((fits, k) => fits(value[k]));

const isTint = orNull((one) => Number.isInteger(one) && one >= -4 && one < 1e6);
const isOutline = (one) => isList(one, isTuple(isNumber, isNumber), 100) && one.length > 2;
const isSide = isTuple(isNumber, isNumber, isNumber, isNumber);
// The parts of a shape as picture.js draws it.
const SHAPES = {
  c: isTuple(isNumber, isNumber, isTint, orNull(isNumber), orNull(isText)),
  t: isTuple(isOutline, isTint, ...Array(3).fill(orNull(isNumber)), orNull(isText), orNull(isText)),
  x: isTuple(isNumber, isNumber, isText, isFlag, orNull(isText)),
  d: (parts) => isTuple(isNumber, isNumber, isText, ...(parts.length > 4 ? [isFlag] : []), orNull(isText))(parts),
  e: isTuple(isNumber, isNumber, isFlag, orNull(isNumber), orNull(isText)),
  l: isTuple((sides) => isList(sides, isSide), orNull(isText)),
};
const isShape = (shape) => Array.isArray(shape) && Object.hasOwn(SHAPES, shape[0]) && SHAPES[shape[0]](shape.slice(1));

function require(holds) {
  if (!holds) throw new Error(DAMAGED);
}

// What a link contains. Throws an error that says what is wrong with it.
export async function unpackLink(text) {
  if (text.length > LONGEST_LINK) throw new Error("the link is too long");
  const bytes = await expand(text);
  const end = bytes.indexOf(0);
  const head = readJson(bytes.subarray(0, end < 0 ? bytes.length : end));
  if (!isObject(head) || head.version !== VERSION) throw new Error("the link contains no puzzle of this version");
  const source =
    typeof head.yaml === "string" ? { yaml: head.yaml } : isObject(head.document) ? { document: head.document } : null;
  if (source === null && !isObject(head.play)) throw new Error("the link contains no puzzle");
  const { chosen = [], pencil = {} } = head;
  const areTexts = (list) => isList(list, isText);
  if (!areTexts(chosen) || !isObject(pencil) || !isList(Object.values(pencil), areTexts))
    throw new Error("the moves in the link are damaged");
  const tail = end < 0 ? new Uint8Array() : bytes.subarray(end + 1);
  const played = isObject(head.play) ? readPlay(head.play, new NumberReader(tail)) : null;
  return {
    source,
    done: { chosen, pencil },
    view: head.view === "play" ? "play" : "make",
    title: isText(head.title) ? head.title : "",
    played,
    repack: (done) => pack({ ...head, ...done, view: "play" }, tail),
  };
}

async function pack(head, tail) {
  const parts = [new TextEncoder().encode(JSON.stringify(head)), new Uint8Array(1), tail];
  const stream = new Blob(parts).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Decompress; stop as soon as it gets too large.
async function expand(text) {
  if (!/^[\w-]+$/.test(text)) throw new Error(DAMAGED);
  const whole = new Uint8Array(MOST_BYTES);
  let size = 0;
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      if (size + value.length > MOST_BYTES) {
        reader.cancel().catch(() => {});
        size = Infinity;
        break;
      }
      whole.set(value, size);
      size += value.length;
    }
  } catch {
    throw new Error(DAMAGED);
  }
  if (size > MOST_BYTES) throw new Error("the puzzle in the link is too large");
  return whole.subarray(0, size);
}

function readJson(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error(DAMAGED);
  }
}

// -- what is played ------------------------------------------------------------------------------------

// The board as the studio's server describes it, and all solutions, or null if they are not in the link.
function readPlay(play, numbers) {
  try {
    return readParts(play, numbers);
  } catch {
    throw new Error("the board in the link is damaged");
  }
}

function readParts(play, numbers) {
  const items = readColumn(play.items, numbers);
  require(items.every(isText));
  const { primary, low, high, excluded } = play.matrix;
  require(isWhole(primary, items.length));
  const isBound = ([item, one]) => isWhole(Number(item), items.length - 1) && isWhole(one, 1e6);
  for (const bounds of [low, high]) require(isObject(bounds) && Object.entries(bounds).every(isBound));
  const outlines = readBoard(play.board);
  const { places } = play;
  const isPlace = isTuple(isUpTo(MOST_LIST), isUpTo(MOST_LIST));
  require(isList(places, (place) => place === 0 || isPlace(place)) && places.length === items.length);
  const tray = play.tray === null ? null : readTray(play.tray);
  const lines = readColumn(play.options, numbers);
  const drawn = readColumn(play.segments ?? [[], 0], numbers);
  const { rules: stated = [] } = play.matrix;
  const rules = stated.map((rule) => readRule(rule, readColumn(rule.elements, numbers), lines.length));
  const areOptions = (list) => isList(list, isUpTo(lines.length - 1));
  require(drawn.every(isTuple(isNumber, isNumber, isNumber, isNumber, areOptions)));
  const solid = play.solid === null ? null : readSolid(play.solid);
  const labels = [];
  const rows = [];
  const options = [];
  for (const [label, items_, shapes, ...rest] of lines) {
    const row = readRow(items_, items.length);
    const name = label === true ? row.map(([item]) => items[item]).join(" ") : label;
    require(isText(name) && row.length > 0);
    labels.push(name);
    rows.push(row);
    options.push(readShapes(shapes, { name, row, places, outlines }));
    if (tray) tray.piece.push(rest.shift());
    if (solid) solid.blocks.push(rest.shift().map((block) => solid.points[block]));
    require(rest.length === 0);
  }
  require(tray === null || tray.piece.every((piece) => isWhole(piece, tray.names.length - 1)));
  require(solid === null || solid.blocks.flat().every((block) => block !== undefined));
  require(areOptions(play.given) && areOptions(excluded));
  const { given, solvable, costs = null, cheapest = null, techniques = null } = play;
  require(techniques === null || isTechniques(techniques, items.length));
  require(isText(play.rules));
  require(costs === null || (isList(costs, Number.isFinite) && costs.length === labels.length));
  require(orNull(areOptions)(cheapest));
  const { board, rows: height, columns, grid } = play.board;
  require(orNull(isFlag)(solvable));
  return {
    board: {
      drawing: { board, rows: height, columns, grid, options, segments: drawn }, // and nothing else of a link
      labels, items, given, solvable, tray, solid, costs, cheapest, techniques, rules: play.rules,
      matrix: { primary, low, high, rows, excluded, rules },
    },
    solutions: play.solutions === null ? null : readStarts(play.solutions, labels.length, numbers),
  };
}

// Values, each from a text in which # stands for numbers; the numbers are differences from the last such value.
function readColumn([texts, count], numbers) {
  require(isList(texts, (text) => typeof text === "string" && text.length <= MOST_BYTES) && isWhole(count, MOST_LIST));
  const split = texts.map((text) => text.split("#"));
  const last = split.map((pieces) => new Array(pieces.length - 1).fill(0));
  const found = [];
  let room = MOST_BYTES;
  for (let k = 0; k < count; ++k) {
    const which = numbers.next();
    require(which < texts.length);
    const [pieces, before] = [split[which], last[which]];
    let line = pieces[0];
    before.forEach((number, place) => {
      const step = numbers.next();
      before[place] = number + (step % 2 ? -(step + 1) / 2 : step / 2);
      line += before[place] + pieces[place + 1];
    });
    room -= line.length;
    require(room >= 0);
    found.push(JSON.parse(line));
  }
  return found;
}

function readRow(items, count) {
  const row = items.map((item) => (Array.isArray(item) ? item : [item, 0]));
  require(isList(row, isTuple(isUpTo(count - 1), isUpTo(1e6))));
  return row;
}

// A rule about a graph, with its elements.
function readRule({ kind, vertices, lit, neighbors, sizes, weights, ends, orNone }, elements, options) {
  require(["loop", "paths", "regions"].includes(kind) && isWhole(vertices, MOST_LIST) && isFlag(orNone));
  const [isVertex, isSize] = [isUpTo(vertices - 1), isUpTo(1 << 30)];
  const isOther = kind === "regions" ? isUpTo(sizes.length - 1) : isVertex;
  require(elements.every(isTuple(isVertex, isOther, (own) => isList(own, isUpTo(options - 1)))));
  require(isList(lit, isUpTo(elements.length - 1)) && isList(weights, isSize));
  require(kind !== "regions" || weights.length === vertices);
  require(isList(neighbors, isTuple(isVertex, isVertex), 4 * MOST_LIST));
  require(isList(ends, isTuple(orNull(isVertex), orNull(isVertex)), 4 * MOST_LIST));
  require(isList(sizes, isTuple(isSize, orNull(isSize)), 4 * MOST_LIST));
  const named = ends.flat().filter((end) => end !== null);
  require(new Set(named).size === named.length);
  return { kind, vertices, elements, lit, neighbors, sizes, weights, ends, orNone };
}

// Names with difficulties, and a digit for each item.
function isTechniques({ names, last, block }, count) {
  const isDigits = (text) => typeof text === "string" && text.length === count && /^[0-9a-z]*$/.test(text);
  return isList(names, isTuple(isText, isNumber), 36) && isDigits(last) && isDigits(block);
}

// Check the board, and return the outlines of its tiles by their places.
function readBoard({ board, rows, columns, grid }) {
  require(isList(board, isShape) && isNumber(rows) && isNumber(columns) && isFlag(grid));
  const tiles = board.filter(([kind]) => kind === "t");
  return new Map(tiles.map((shape) => [`${shape[4]} ${shape[5]}`, shape[1]]));
}

function readTray({ names, most }) {
  require(isList(names, isText) && isList(most, orNull(isUpTo(1e6))) && most.length === names.length);
  return { names, most, piece: [] };
}

function readSolid({ kind, blocks }) {
  require((kind === "cube" || kind === "sphere") && isList(blocks, isTuple(isNumber, isNumber, isNumber)));
  return { kind, points: blocks, blocks: [] };
}

// The shapes of an option: one that stands for those on the places of all items is repeated there.
function readShapes(shapes, { name, row, places, outlines }) {
  require(Array.isArray(shapes) && shapes.length <= MOST_LIST);
  const whole = shapes.flatMap((shape, place) => {
    if (shape[0] !== "@" || place > 0) return [shape]; // only the first one may stand for others
    const [kind, ...rest] = shape.slice(1);
    const before = kind === "t" ? 3 : 0; // numbers before the place
    const found = row.map(([item]) => places[item]).filter((one) => one !== 0);
    return found.map((one) => [kind, ...rest.slice(0, before), ...one, ...rest.slice(before)]);
  });
  return whole.map((shape) => {
    const copy = shape.at(-1) === true ? [...shape.slice(0, -1), name] : [...shape];
    if (copy[0] === "t" && copy[1] === 0) copy[1] = outlines.get(`${copy[4]} ${copy[5]}`);
    require(isShape(copy));
    return copy;
  });
}

// Solutions, each without the start that it shares with the one before.
function readStarts(count, options, numbers) {
  require(isWhole(count, MOST_SOLUTIONS));
  const found = [];
  let before = [];
  for (let k = 0; k < count; ++k) {
    const [shared, size] = [numbers.next(), numbers.next()];
    require(shared <= before.length && shared <= size && size <= options);
    const solution = before.slice(0, shared);
    while (solution.length < size) solution.push((solution.at(-1) ?? 0) + numbers.next());
    require(solution.every((option) => option < options));
    found.push((before = solution));
  }
  return found;
}
