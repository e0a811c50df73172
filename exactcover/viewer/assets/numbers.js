// Numbers beside a board, as texts name its rows and columns: "r7c3", "row 7".

import { pairOff } from "./data.js";
import { cornersOf, middle, READABLE, UNIT } from "./shapes.js";
import { CELL } from "./words.js";

const NUMBER_GAP = 0.9; // between the middle of a number and the board, in heights of numbers
const LEAST_SIZE = 8; // the height of numbers in units of a picture

// Those of a board of squares, `unit` large.
export function numberSquares(rows, columns, unit) {
  const straight = [rows, columns].flatMap((count, k) =>
    Array.from({ length: count }, (_, place) => ({ k, number: place + 1, at: unit * (place + 0.5) })),
  );
  return new Numbers(new Map([[undefined, [0, 0]]]), straight);
}

// Those of a board of any places: each row of a layer, and each column, as far as their places stand in a line.
/** @param {import("./picture.js").Painter} painter @param {number[][][]} rows @param {string[]} items */
export function numberPlaces(painter, rows, items) {
  const lines = new Map();
  const layers = new Map();
  for (const [cell, key] of painter.draws ? pairOff(locateCells(painter, rows, items)) : []) {
    const [layer, ...parts] = [...cell.matchAll(CELL)][0].slice(1);
    const shape = painter.places().get(key);
    const center = middle(shape);
    const corners = cornersOf(shape).map((corner) => corner.map((part) => part * UNIT));
    const first = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
    layers.set(layer, (layers.get(layer) ?? [Infinity, Infinity]).map((part, axis) => Math.min(part, first[axis])));
    parts.forEach((number, k) => {
      const at = center[1 - k];
      const line = lines.get(`${layer} ${k} ${number}`) ?? { layer, k, number, at, isStraight: true };
      line.isStraight &&= Math.abs(line.at - at) < 1;
      lines.set(`${layer} ${k} ${number}`, line);
    });
  }
  const all = [...lines.values()];
  const isWhole = (k) => all.every((line) => line.k !== k || line.isStraight);
  return new Numbers(layers, all.filter(({ k }) => isWhole(k)));
}

// The places of each cell that a name of an item or of an option gives: those that all its options share.
function locateCells(painter, rows, items) {
  /** @type {Map<string, string[]>} */ const shared = new Map();
  const keep = (name, keys) => {
    const [cell, ...others] = name.match(CELL) ?? [];
    if (cell !== undefined && !others.length)
      shared.set(cell, (shared.get(cell) ?? keys).filter((key) => keys.includes(key)));
  };
  rows.forEach((row, option) => {
    const keys = painter.covered(option);
    if (keys.length === 1) keep(painter.labels[option], keys);
    else if (keys.length) for (const [item] of row) if (items[item].replace(CELL, "") === "") keep(items[item], keys);
  });
  return shared;
}

class Numbers {
  // The corners of the layers, and the rows and columns.
  constructor(layers, straight) {
    this.layers = layers;
    this.straight = straight;
  }

  // Write the numbers beside the picture of a board, so large that they can be read.
  put(svg) {
    const { layers, straight } = this;
    if (!layers.size) return;
    const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const size = Math.max(LEAST_SIZE, (READABLE * width) / (svg.clientWidth || width));
    const gap = NUMBER_GAP * size;
    const texts = straight.map(({ layer, k, number, at }) => {
      const [x, y] = layers.get(layer).map((part, axis) => {
        const start = [left, top][axis];
        return layer === undefined && part - start > UNIT / 2 ? start : part; // clues lie between
      });
      return writeNumber(k ? at : x - gap, k ? y - gap : at, number);
    });
    for (const [layer, [x, y]] of layers)
      if (layer !== undefined) texts.push(writeNumber(x, y - gap - 1.4 * size, `layer ${layer}`, "start"));
    const [side, above] = [1.7 * size, (layers.has(undefined) ? 1.7 : 3.2) * size];
    svg.setAttribute("viewBox", `${left - side} ${top - above} ${width + side} ${height + above}`);
    const group = `<g class="numbers" style="font-size: ${size.toFixed(1)}px" aria-hidden="true">`;
    svg.insertAdjacentHTML("afterbegin", `${group}${texts.join("")}</g>`);
  }
}

function writeNumber(x, y, text, anchor = "middle") {
  const at = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" dy="0.35em" text-anchor="${anchor}"`;
  return `<text ${at}>${text}</text>`;
}
