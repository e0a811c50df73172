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
  const marks = isObject(pencil) ? Object.values(pencil) : null;
  const isMoves = isTexts(chosen) && marks !== null && marks.length <= MOST_LIST;
  if (!isMoves || !marks.every((texts) => isTexts(texts))) throw new Error("the moves in the link are damaged");
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
  for (const bounds of [low, high]) {
    require(isObject(bounds));
    const numbers = Object.entries(bounds).map(([item, one]) => [Number(item), one]);
    require(numbers.every(([item, one]) => isWhole(item, items.length - 1) && isWhole(one, 1e6)));
  }
  const outlines = readBoard(play.board);
  const places = readPlaces(play.places, items.length);
  const tray = play.tray === null ? null : readTray(play.tray);
  const lines = readColumn(play.options, numbers);
  const drawn = readColumn(play.segments ?? [[], 0], numbers);
  const { rules: stated = [] } = play.matrix;
  const rules = stated.map((rule) => readRule(rule, readColumn(rule.elements, numbers), lines.length));
  require(drawn.every((line) => line.length === 5 && isDrawn(line, lines.length)));
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
  for (const list of [play.given, excluded]) require(isNumbers(list, labels.length - 1));
  const { given, solvable, costs = null, cheapest = null, techniques = null } = play;
  require(techniques === null || isTechniques(techniques, items.length));
  require(isText(play.rules));
  require(costs === null || (Array.isArray(costs) && costs.length === labels.length && costs.every(Number.isFinite)));
  require(cheapest === null || isNumbers(cheapest, labels.length - 1));
  const { board, rows: height, columns, grid } = play.board;
  require(solvable === null || typeof solvable === "boolean");
  return {
    board: {
      drawing: { board, rows: height, columns, grid, options, segments: drawn }, // and nothing else of a link
      labels, items, given, solvable, tray, solid, costs, cheapest, techniques, rules: play.rules,
      matrix: { primary, low, high, rows, excluded, rules },
    },
    solutions: play.solutions === null ? null : readStarts(play.solutions, labels.length, numbers),
  };
}

function require(holds) {
  if (!holds) throw new Error(DAMAGED);
}

// Values, each from a text in which # stands for numbers; the numbers are differences from the last such value.
function readColumn([texts, count], numbers) {
  require(isTexts(texts, MOST_BYTES) && isWhole(count, MOST_LIST));
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
  require(row.length <= MOST_LIST && row.every(([item, color]) => isWhole(item, count - 1) && isWhole(color, 1e6)));
  return row;
}

// A rule about a graph, with its elements.
function readRule({ kind, vertices, lit, neighbors, sizes, weights, ends, orNone }, elements, options) {
  require(["loop", "paths", "regions"].includes(kind) && isWhole(vertices, MOST_LIST) && isFlag(orNone));
  const colors = sizes.length;
  const isVertex = (one) => isWhole(one, vertices - 1);
  const isEdge = (pair) => pair.length === 2 && pair.every(isVertex);
  const isElement = ([one, other, own, ...rest]) =>
    isVertex(one) && isWhole(other, (kind === "regions" ? colors : vertices) - 1) && isNumbers(own, options - 1) &&
    rest.length === 0;
  require(elements.every(isElement) && isNumbers(lit, elements.length - 1));
  for (const list of [neighbors, sizes, ends]) require(Array.isArray(list) && list.length <= 4 * MOST_LIST);
  require(neighbors.every(isEdge) && isNumbers(weights, 1 << 30));
  require(kind !== "regions" || weights.length === vertices);
  require(ends.every((pair) => pair.length === 2 && pair.every((end) => end === null || isVertex(end))));
  const named = ends.flat().filter((end) => end !== null);
  require(new Set(named).size === named.length);
  require(sizes.every(([low, high]) => isWhole(low, 1 << 30) && (high === null || isWhole(high, 1 << 30))));
  return { kind, vertices, elements, lit, neighbors, sizes, weights, ends, orNone };
}

// Names with difficulties, and a digit for each item.
function isTechniques({ names, last, block }, count) {
  const isName = ([name, difficulty, ...rest]) => isText(name) && isNumber(difficulty) && rest.length === 0;
  const isDigits = (text) => typeof text === "string" && text.length === count && /^[0-9a-z]*$/.test(text);
  return Array.isArray(names) && names.length <= 36 && names.every(isName) && isDigits(last) && isDigits(block);
}

function isDrawn(line, options) {
  return line.slice(0, -1).every(isNumber) && isNumbers(line.at(-1), options - 1);
}

// Check the board, and return the outlines of its tiles by their places.
function readBoard({ board, rows, columns, grid }) {
  require(Array.isArray(board) && board.length <= MOST_LIST && board.every(isShape));
  require(isNumber(rows) && isNumber(columns) && typeof grid === "boolean");
  const tiles = board.filter(([kind]) => kind === "t");
  return new Map(tiles.map((shape) => [`${shape[4]} ${shape[5]}`, shape[1]]));
}

function readPlaces(places, count) {
  require(Array.isArray(places) && places.length === count);
  for (const place of places)
    require(place === 0 || (place.length === 2 && place.every((part) => isWhole(part, MOST_LIST))));
  return places;
}

function readTray({ names, most }) {
  require(isTexts(names) && Array.isArray(most) && most.length === names.length);
  require(most.every((one) => one === null || isWhole(one, 1e6)));
  return { names, most, piece: [] };
}

function readSolid({ kind, blocks }) {
  require((kind === "cube" || kind === "sphere") && Array.isArray(blocks) && blocks.length <= MOST_LIST);
  require(blocks.every((block) => Array.isArray(block) && block.length === 3 && block.every(isNumber)));
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

// Whether this is a shape as picture.js draws it.
function isShape(shape) {
  if (!Array.isArray(shape)) return false;
  const [kind, ...parts] = shape;
  const isTint = (one) => one === null || (Number.isInteger(one) && one >= -4 && one < 1e6);
  const isShare = (one) => one === null || isNumber(one);
  const isLine = (one) => Array.isArray(one) && one.length > 2 && one.length <= 100 && one.every(isPair);
  const isSide = (one) => Array.isArray(one) && one.length === 4 && one.every(isNumber);
  const isSides = (one) => Array.isArray(one) && one.length <= MOST_LIST && one.every(isSide);
  const isEnd = (one) => one === null || isText(one);
  const isPlace = (one) => one === null || isNumber(one);
  const forms = {
    c: [isNumber, isNumber, isTint, isShare, isEnd],
    t: [isLine, isTint, isShare, isPlace, isPlace, isEnd, isEnd],
    x: [isNumber, isNumber, isText, isFlag, isEnd],
    d: [isNumber, isNumber, isText, isEnd],
    e: [isNumber, isNumber, isFlag, isShare, isEnd],
    l: [isSides, isEnd],
  };
  const form = Object.hasOwn(forms, kind) ? forms[kind] : null;
  return form !== null && parts.length === form.length && form.every((fits, k) => fits(parts[k]));
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

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string" && value.length <= MOST_TEXT;
const isFlag = (value) => typeof value === "boolean";
const isNumber = (value) => Number.isFinite(value) && Math.abs(value) <= 1e6;
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isWhole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
const isNumbers = (list, most) =>
  Array.isArray(list) && list.length <= MOST_LIST && list.every((one) => isWhole(one, most));
const isTexts = (list, most = MOST_TEXT) =>
  Array.isArray(list) && list.length <= MOST_LIST && list.every((one) => typeof one === "string" && one.length <= most);
